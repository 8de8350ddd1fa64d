"""What a question has brought so far, in the form that every face shows: lines, and proposals to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from xwtui.model import Content, Position, Puzzle


@dataclass(frozen=True)
class Proposal:
    """A change that a constructor may make with one key."""

    text: str
    """What it does, as an instruction."""
    remark: str
    """What is known of it: whether it was filled, and about how many fills it leaves."""
    change: Callable[[Puzzle], Puzzle] = field(repr=False, compare=False)
    """The change; undo takes it back."""
    fill: Mapping[Position, Content] = field(default_factory=dict, repr=False, compare=False)
    """A fill after the change, where one was found."""
    is_dead: bool = False
    """Whether it is proved that no fill is left."""
    brief: str = ""
    """The same as `text` in few cells, for lists; empty where there is no shorter form."""
    figure: str = ""
    """About how many fills it leaves, where that was estimated: `10^38.4`."""


@dataclass(frozen=True)
class Findings:
    """What is known by now; each is followed by a better one, until `is_complete`, time, or the caller ends it."""

    title: str
    """The question in a few words."""
    answer: str = ""
    """The answer in a sentence; empty while there is none."""
    lines: tuple[str, ...] = ()
    """What explains the answer, a line each."""
    proposals: tuple[Proposal, ...] = ()
    """The best first."""
    heat: Mapping[Position, float] = field(default_factory=dict)
    """How hard each empty square is, 0 to 1, where that was asked."""
    entries: tuple[str, ...] = ()
    """The entries that the answer is about, by name."""
    is_possible: bool | None = None
    """Whether what is asked for can be had: a fill, or a change that leaves one; None where that is not known."""
    progress: str = ""
    """How far the work has come."""
    seconds: float = 0.0
    is_complete: bool = False
    as_json: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The same for programs, with documented names and units."""


Tell = Callable[[Findings], None]
"""Takes what has been found so far."""

IsOver = Callable[[], bool]
"""Whether nobody waits for the answer any more."""
