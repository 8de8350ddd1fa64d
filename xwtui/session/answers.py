"""What verbs answer, as data: in words for a face, and with documented names for a program.

A shape is what a class says of itself: its values in their order, each by where it is read.

    json = JsonShape(
        "book=path tally.clues is_kept problem?",
        ("tally.sources", JsonShape("source.name clues")),
    )

reads `path` and calls it `book`, `tally.clues` is `clues`, `is_kept` is `kept`, and `problem` is null where it is
empty; `problem??` is left out there, `seconds~3` has three digits after the point, and of `*figures` each field
stands for itself. A value with a shape of its own stands beside that, be it one, several or a mapping; `.` is the
holder. What has to be worked out is a function of the holder, which names what it answers.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, dataclass_transform

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position, Puzzle, Slot
from xwtui.model.clues import AnswerEnumeration
from xwtui.named_tuples import NamedTuple

with lazy_imports():
    from xwtui.engine.events.event import Outcome
    from xwtui.formats.grid_text import grid_to_text
    from xwtui.formats.registry import write_puzzle
    from xwtui.grids.designs import Design
    from xwtui.session.overwriting import numbered_free
    from xwtui.session.run_view import RunView

Worked: TypeAlias = Callable[[Any], Mapping[str, Any]]


class JsonShape:
    """The names of what an object of JSON has, and where each value is read."""

    def __init__(self, *parts: str | tuple[str, JsonShape] | Worked) -> None:
        self._parts = tuple(_worked(parts))

    def of(self, holder: object) -> dict[str, Any]:
        return {name: json_value(value) for part in self._parts for name, value in part(holder).items()}

    def tell(self, value: Any) -> Any:
        """The objects of one value or of several, by name or in their order; None for none."""
        match value:
            case None:
                return None
            case Mapping():
                return {str(name): self.of(one) for name, one in value.items()}
            case list() | tuple() if not hasattr(value, "_fields"):
                return list(map(self.of, value))
        return self.of(value)


def _worked(parts: Iterable[str | tuple[str, JsonShape] | Worked]) -> Iterator[Worked]:
    for part in parts:
        if isinstance(part, str):
            yield from (_reader(text, json_value) for text in part.split())
        elif isinstance(part, tuple):
            yield _reader(part[0], part[1].tell)
        else:
            yield part


def _reader(text: str, tell: Callable[[Any], Any]) -> Worked:
    """What reads a value that is named as in a shape, None where something on the way to it is."""
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
            return tell(value) or {}
        if text.endswith("?") and not value:
            return {} if text.endswith("??") else {name: None}
        return {name: tell(value)}

    return read


def json_value(value: Any) -> Any:
    """A value as JSON has it: places and files as they are written, members by their values, records by fields."""
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
    """The grid as in grid text, a string a row; a rebus square is `[HEART]`."""
    return grid_to_text(grid).splitlines()


def bars_as_json(grid: Grid) -> dict[str, Any]:
    """The two squares of each bar as `bars`; nothing where there are none."""
    bars = [[str(bar.first), str(bar.second)] for bar in sorted(grid.bars)]
    return {"bars": bars} if bars else {}


def shared_stems_as_json(holder: RunView | Design) -> dict[str, Any]:
    """The pairs of entries and answers that share a stem, where there are any."""
    pairs = [list(map(list, pair)) for pair in holder.shared_stems]
    return {"shared_stems": pairs} if pairs else {}


def grid_as_json(grid: Grid) -> dict[str, Any]:
    """The rows as `grid`, and the bars."""
    return {"grid": grid_rows(grid), **bars_as_json(grid)}


class FilesWritten(NamedTuple):
    """The files that an answer was written to, and a warning for each thing left out."""

    paths: tuple[Path, ...] = ()
    warnings: Sequence[str] = ()


@dataclass_transform(frozen_default=True)
class VerbAnswer:
    """What a verb has found out, as data: each kind of answer is a frozen dataclass.

    `lines` and the shape of its `json` are all that an answer must say. The rest is for one that makes puzzles or
    files, that takes a while, or that has more to tell one who sees no grid.
    """

    json: ClassVar[JsonShape]
    """What of it stands in JSON."""

    work: ClassVar[str] = ""
    """What its `seconds` are called in JSON: a `search`; empty where they are of no interest."""
    stopped: ClassVar[str] = "this is what is known so far"
    """What it is where a signal has cut it short; empty where its own words say so."""
    makes: ClassVar[str] = ""
    """What of it is the puzzle that it has made, where it is one."""
    judged_by: ClassVar[str] = ""
    """What of it is empty where there provably is nothing of what was asked for."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    @property
    def lines(self) -> Sequence[str]:
        raise NotImplementedError

    @property
    def as_json(self) -> dict[str, Any]:
        """The same for programs, with documented names."""
        return self.json.of(self)

    @property
    def verdict(self) -> Outcome:
        """What a program is told by the exit status of the shell; FILLED where there is what was asked for."""
        return Outcome.FILLED if not self.judged_by or getattr(self, self.judged_by) else Outcome.IMPOSSIBLE

    @property
    def headline(self) -> str:
        """The first of its lines, which tells how far it is while more is being found."""
        return next(iter(self.lines), "")

    @property
    def seconds(self) -> float:
        """How long the work itself took."""
        return 0.0

    @property
    def parts(self) -> Mapping[str, float]:
        """How long parts of the work took, by their names, and what led to it."""
        return {}

    @property
    def puzzles(self) -> tuple[Puzzle, ...] | None:
        """What it has made, to be drawn and written to files; None where it is no verb that makes puzzles."""
        return (getattr(self, self.makes),) if self.makes else None

    @property
    def has_choice(self) -> bool:
        """Whether its puzzles are several to choose from: each goes to a file of its own."""
        return False

    def report(self, times: str, columns: int) -> Sequence[str]:
        """Its words for one who has seen neither puzzle nor work; `times` tells how long each part took."""
        return self.lines

    def unsaved(self) -> VerbAnswer:
        """The same in a process that writes it to no file."""
        return self

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write what it has made to a file, or into a folder where it is of several things."""
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


class ToldAnswer(VerbAnswer):
    """What a verb tells at once: lines, and what JSON has in place of these where that is more."""

    told: Sequence[str]
    document: Mapping[str, Any] | None = None
    """By its documented names; what stands there is told as `json_value` tells it."""
    made: Puzzle | None = None
    """The puzzle that it has made, where it is a verb that makes one."""
    is_found: bool = True
    """Whether there is what was asked for."""

    @property
    def lines(self) -> Sequence[str]:
        return self.told

    @property
    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = json_value({"lines": self.told} if self.document is None else self.document)
        return told

    @property
    def verdict(self) -> Outcome:
        return Outcome.FILLED if self.is_found else Outcome.IMPOSSIBLE

    @property
    def puzzles(self) -> tuple[Puzzle, ...] | None:
        return None if self.made is None else (self.made,)
