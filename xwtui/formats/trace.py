"""The file format of traces: JSON lines, which other programs can read and write.

The first line is the header: `{"xwtui": "trace", "version": 1, "grid": [...], "strategy": "xwtui", "seed": 0}`,
with the grid as rows of text (`.` open, `#` block, letters and `[REBUS]` given). Every other line is an event with
`kind` and `depth`, and those of `slot`, `word`, `crossing` (`r3c12`), `before`, `after`, `other`, `wanted` (a
list) and `demand` (its global constraint) that are not empty, as defined in `xwtui.engine.events.event.Event`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from msgspec import Struct, ValidationError, convert, structs, to_builtins

from xwtui.engine.events.event import Event, EventKind
from xwtui.errors import EngineError, XwtuiError, failing_as, reason_of
from xwtui.model import Position
from xwtui.reading import check_is_file

VERSION = 1
LONGEST_LINE = 100_000
"""Maximum line length in characters, enough for a header with the largest grid full of rebus squares."""
MOST_EVENTS = 10_000_000


class Head(Struct, frozen=True):
    """The header of a trace: what was searched, and how."""

    grid: tuple[str, ...]
    """The rows of the grid as text."""
    strategy: str = "xwtui"
    seed: int = 0


class _EventLine(Struct, omit_defaults=True):
    """The fields of an event, in the order in which they are written."""

    kind: EventKind
    depth: int
    slot: str | None = None
    word: str | None = None
    other: str | None = None
    crossing: str | None = None
    before: int = 0
    after: int = 0
    wanted: tuple[str, ...] = ()
    demand: str = ""

    @classmethod
    def of(cls, event: Event) -> _EventLine:
        crossing, asked = None if event.crossing is None else str(event.crossing), str(event.constraint or "")
        named = event.kind, event.depth, event.slot, event.word, event.other, crossing
        return cls(*named, event.before, event.after, event.wanted, asked)

    @property
    def event(self) -> Event:
        """The event; raises PuzzleError for a malformed square."""
        crossing = None if self.crossing is None else Position.parse(self.crossing)
        counts = self.before, self.after
        return Event(
            self.kind, self.depth, self.slot, self.word, crossing, *counts, self.other, self.wanted, self.demand
        )


class TraceWriter:
    """Writes a trace during the search; lines already written survive a crash of the process."""

    def __init__(self, path: Path, head: Head) -> None:
        """Create the file; raises EngineError if it cannot be written."""
        self._path = path
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8")
            self._write({"xwtui": "trace", "version": VERSION, **structs.asdict(head), "grid": list(head.grid)})
        except OSError as error:
            raise self._failure(error) from error

    def write(self, events: Iterable[Event]) -> None:
        """Write events; raises EngineError on failure, such as a full disk."""
        try:
            for event in events:
                self._write(to_builtins(_EventLine.of(event)))
        except OSError as error:
            raise self._failure(error) from error

    def close(self) -> None:
        """Close the file; raises EngineError on failure."""
        try:
            self._file.close()
        except OSError as error:
            raise self._failure(error) from error

    def _write(self, fields: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n")

    def _failure(self, error: OSError) -> EngineError:
        return EngineError(f"the trace cannot be written to {self._path.name}: {reason_of(error)}")


def read_trace(path: Path) -> tuple[Head, Iterator[Event]]:
    """Read the header of a trace, and its events lazily; a truncated last line is ignored.

    Raises EngineError for a file that is unreadable or not a trace. So does the iteration for a line that is not
    an event.
    """
    with failing_as(EngineError, f"{path.name} cannot be read"):
        lines = _lines(path)
        head = _head(_object(next(lines, (1, "{}"))))
    return head, map(_event, lines)


def _event(numbered: tuple[int, str]) -> Event:
    fields = _object(numbered)
    told = (
        "it needs a known `kind` and a `depth`; counts are whole numbers, `wanted` a list of text, all else text"
    )
    try:
        if all(fields.get(name, "") is not None for name in _EventLine.__struct_fields__):
            return convert(fields, _EventLine).event
    except XwtuiError as error:
        told = str(error)
    except ValidationError:
        pass
    raise EngineError(f"line {numbered[0]} of this trace is not an event: {told}") from None


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, except an unterminated last one."""
    check_is_file(path)
    with path.open(encoding="utf-8", errors="replace") as file:
        for number in range(1, MOST_EVENTS + 2):
            line = file.readline(LONGEST_LINE + 1)
            if len(line) > LONGEST_LINE:
                raise EngineError(f"line {number} of this trace is longer than {LONGEST_LINE:,} characters")
            if not line.endswith("\n"):
                if number == 1 and line:
                    yield number, line
                return
            yield number, line


def _object(numbered: tuple[int, str]) -> dict[str, Any]:
    number, line = numbered
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise EngineError(f"line {number} of this trace is not JSON") from None
    if not isinstance(value, dict):
        raise EngineError(f"line {number} of this trace is not a JSON object")
    return value


def _head(fields: Mapping[str, Any]) -> Head:
    if fields.get("xwtui") != "trace":
        raise EngineError('this is not a trace: its first line lacks "xwtui": "trace"')
    if fields.get("version") != VERSION:
        raise EngineError(f"this trace has version {fields.get('version')!r}; this program reads {VERSION}")
    with failing_as(lambda _: EngineError("this trace's first line is damaged"), of=ValidationError):
        return convert(fields, Head)
