"""What of an answer stands in its JSON, and under which names: described once, and told by one mechanism.

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from xwtui.model import Content, Position, Slot
from xwtui.model.clues import AnswerEnumeration

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
