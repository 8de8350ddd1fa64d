"""The answers of verbs as data: lines for a face, and JSON with documented names for a program.

A class declares its JSON as a shape, which lists its values in order and where each one is read:

    json = JsonShape(
        "book=path tally.clues is_kept problem?",
        ("tally.sources", JsonShape("source.name clues")),
    )

This shape reads `path` and calls it `book`. `tally.clues` is called `clues`, and `is_kept` is called `kept`.
`problem?` is null if the value is empty, and `problem??` would be omitted. `seconds~3` is rounded to three decimal
places, and `*figures` inserts the value's own fields. A pair gives a value, a list or a mapping a shape of its
own; the path `.` means the object itself. A computed part is a function from the object to names and values.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position, Puzzle, Slot
from xwtui.model.clues import AnswerEnumeration

with lazy_imports():
    from xwtui.engine.events.event import Outcome
    from xwtui.formats.grid_text import grid_to_text
    from xwtui.formats.registry import write_puzzle
    from xwtui.grids.designs import Design
    from xwtui.session.overwriting import numbered_free
    from xwtui.session.run_view import RunView

PartReader: TypeAlias = Callable[[Any], Mapping[str, Any]]


class JsonShape:
    """The names of a JSON object's values, and where each value is read."""

    def __init__(self, *parts: str | tuple[str, JsonShape] | PartReader) -> None:
        self._parts = tuple(_part_readers(parts))

    def of(self, holder: object) -> dict[str, Any]:
        return {name: json_value(value) for part in self._parts for name, value in part(holder).items()}

    def convert(self, value: Any) -> Any:
        """Apply the shape to one value, to each of a list, or to each value of a mapping; None gives None."""
        match value:
            case None:
                return None
            case Mapping():
                return {str(name): self.of(one) for name, one in value.items()}
            case list() | tuple() if not hasattr(value, "_fields"):
                return list(map(self.of, value))
        return self.of(value)


def _part_readers(parts: Iterable[str | tuple[str, JsonShape] | PartReader]) -> Iterator[PartReader]:
    for part in parts:
        if isinstance(part, str):
            yield from (_part_reader(text, json_value) for text in part.split())
        elif isinstance(part, tuple):
            yield _part_reader(part[0], part[1].convert)
        else:
            yield part


def _part_reader(text: str, convert: Callable[[Any], Any]) -> PartReader:
    """Return the function that reads one part of a shape; it gives None if a step on the path is None."""
    bare, _, digits = text.rstrip("?").removeprefix("*").partition("~")
    named, is_renamed, where = bare.rpartition("=")
    path = [step for step in where.split(".") if step]
    name = named if is_renamed else path[-1].removeprefix("is_")

    def read(holder: Any) -> Mapping[str, Any]:
        value = holder
        for step in path:
            value = None if value is None else getattr(value, step)
        value = value() if callable(value) else value
        if digits and value is not None:
            value = round(value, int(digits))
        if text.startswith("*"):
            return convert(value) or {}
        if text.endswith("?") and not value:
            return {} if text.endswith("??") else {name: None}
        return {name: convert(value)}

    return read


def json_value(value: Any) -> Any:
    """Convert a value for JSON: places and files to text, enum members to their values, records to objects."""
    match value:
        case enum.Enum():
            return value.value
        case Slot():
            return value.name
        case Position() | Content() | AnswerEnumeration() | Path():
            return str(value)
        case Mapping():
            return {str(name): json_value(one) for name, one in value.items()}
        case frozenset():
            return json_value(sorted(value))
    if (names := getattr(value, "_fields", getattr(value, "__match_args__", None))) is not None:
        return {name.removeprefix("is_"): json_value(getattr(value, name)) for name in names}
    return list(map(json_value, value)) if isinstance(value, list | tuple) else value


def grid_rows(grid: Grid) -> list[str]:
    """Return the grid as grid text, one string per row; a rebus square is `[HEART]`."""
    return grid_to_text(grid).splitlines()


def bars_as_json(grid: Grid) -> dict[str, Any]:
    """Return the two squares of each bar as `bars`; an empty mapping if there are none."""
    bars = [[str(bar.first), str(bar.second)] for bar in sorted(grid.bars)]
    return {"bars": bars} if bars else {}


def shared_stems_as_json(holder: RunView | Design) -> dict[str, Any]:
    """Return the pairs of (entry, answer) that share a stem; an empty mapping if there are none."""
    pairs = [list(map(list, pair)) for pair in holder.shared_stems]
    return {"shared_stems": pairs} if pairs else {}


def grid_as_json(grid: Grid) -> dict[str, Any]:
    """Return the rows as `grid`, and the bars."""
    return {"grid": grid_rows(grid), **bars_as_json(grid)}


class FilesWritten(NamedTuple):
    """The files that an answer was written to, with a warning for each loss."""

    paths: tuple[Path, ...] = ()
    warnings: Sequence[str] = ()


@dataclass_transform(frozen_default=True)
class VerbAnswer:
    """What a verb has found out, as data; each kind of answer is a frozen dataclass.

    A subclass must define `lines` and `json`. Everything else is for answers that make puzzles or files, take
    time, or have more to report to a user who sees no grid.
    """

    json: ClassVar[JsonShape]
    """The shape of the answer's JSON."""

    work: ClassVar[str] = ""
    """The name of `seconds` in reports: `search`, for example. Empty if the time is of no interest."""
    stopped: ClassVar[str] = "this is what is known so far"
    """The note added if a signal has cut the work short; empty if the answer's own lines say so."""
    makes: ClassVar[str] = ""
    """The attribute that holds the puzzle made, if there is one."""
    judged_by: ClassVar[str] = ""
    """The attribute that is empty if what was requested provably does not exist."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    @property
    def lines(self) -> Sequence[str]:
        raise NotImplementedError

    @property
    def as_json(self) -> dict[str, Any]:
        """The answer as JSON, with documented names."""
        return self.json.of(self)

    @property
    def verdict(self) -> Outcome:
        """The outcome for the shell's exit status."""
        return {True: Outcome.FILLED, False: Outcome.IMPOSSIBLE, None: Outcome.UNKNOWN}[self.is_found]

    @property
    def is_found(self) -> bool | None:
        """Whether what was requested exists; None if that is not known."""
        return not self.judged_by or bool(getattr(self, self.judged_by))

    @property
    def headline(self) -> str:
        """The first line, which serves as a progress report while the work goes on."""
        return next(iter(self.lines), "")

    @property
    def seconds(self) -> float:
        """Duration of the work itself."""
        return 0.0

    @property
    def parts(self) -> Mapping[str, float]:
        """Seconds that parts of the work and its preparation took, by name."""
        return {}

    @property
    def puzzles(self) -> tuple[Puzzle, ...] | None:
        """The puzzles made, to be drawn and written to files; None for a verb that makes none."""
        return (getattr(self, self.makes),) if self.makes else None

    @property
    def has_choice(self) -> bool:
        """Whether the puzzles are alternatives, each written to a file of its own."""
        return False

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        """Return the lines for a user who saw neither puzzle nor work, as it reads if no file `is_saved` for it.

        `times` lists how long each part took.
        """
        return self.lines

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write the result to a file, or to a folder if it consists of several files."""
        made = self.puzzles or ()
        targets, notes = [path] * len(made), list[str]()
        if self.has_choice:
            targets, notes = numbered_free(lambda n: path.with_name(f"{path.stem}-{n}{path.suffix}"), len(made))
        warnings = [
            f"{target}: {warning}"
            for target, puzzle in zip(targets, made, strict=True)
            for warning in write_puzzle(target, puzzle, lossy=lossy)
        ]
        return FilesWritten(tuple(targets), notes + warnings)


class ImmediateAnswer(VerbAnswer):
    """The answer of a verb that is known at once: lines, and an optional richer JSON document."""

    text: Sequence[str]
    document: Mapping[str, Any] | None = None
    """JSON values by their documented names; None stands for the lines. `json_value` converts it."""
    made: Puzzle | None = None
    """The puzzle that the verb has made, if it makes one."""
    is_found: bool = True
    """Whether what was requested exists."""

    @property
    def lines(self) -> Sequence[str]:
        return self.text

    @property
    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = json_value({"lines": self.text} if self.document is None else self.document)
        return document

    @property
    def puzzles(self) -> tuple[Puzzle, ...] | None:
        return None if self.made is None else (self.made,)
