"""Questions about the grid, as plain values, and their findings: lines, and proposals to choose from.

A question has a `title`, the question in a few words, and `seconds`, its time limit. `needs` are the parts of the
engine that it needs besides the search. `is_map` tells whether its findings color the grid, without replacing the
last explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import ANSWERING_SECONDS
from xwtui.engine.loading_step import EnginePart
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position, Puzzle
from xwtui.model.alphabet import Alphabet
from xwtui.model.block_changes import NO_LIMITS, BlockLimits
from xwtui.words.theme_answers import MOST_TOGETHER, read_answers

with lazy_imports():
    from xwtui.engine.explain.explanation import Conflict
    from xwtui.session.run_view import FoundFill


class _AnyQuestion:
    needs: ClassVar[Sequence[EnginePart]] = ()
    is_map: ClassVar[bool] = False


@dataclass(frozen=True)
class WhyQuestion(_AnyQuestion):
    """The question why the grid cannot be filled or, with an entry and a word, whether the word can go there."""

    entry: str = ""
    word: str = ""
    seconds: float = ANSWERING_SECONDS
    is_proved: bool = False
    """Whether a search has proved that the grid has no fill."""

    @property
    def title(self) -> str:
        """The question, neutral about its answer."""
        return f"can {self.word} go at {self.entry}?" if self.word else "can the grid be filled?"


@dataclass(frozen=True)
class BlocksQuestion(_AnyQuestion):
    """The question which block to add, remove or move for the most fills."""

    limits: BlockLimits = NO_LIMITS
    seconds: float = ANSWERING_SECONDS
    needs = (EnginePart.COUNTING,)
    title: ClassVar = "what if the blocks were different"


@dataclass(frozen=True)
class ThemersQuestion(_AnyQuestion):
    """The question where theme answers go best: all together in symmetric entries, or each by itself."""

    answers: tuple[str, ...]
    together: bool = True
    size: int | None = None
    """Number of answers to place together; None for all."""
    seconds: float = ANSWERING_SECONDS
    needs = (EnginePart.COUNTING,)
    title: ClassVar = "where the theme answers go"


def themers_question(
    named: Iterable[str],
    alphabet: Alphabet,
    *,
    size: int | None = None,
    each: bool = False,
    seconds: float = ANSWERING_SECONDS,
) -> ThemersQuestion:
    """Build the question for answers given as words or as files of words; more than seven go one by one.

    Raises VerbError if they are to go both together and one by one, and WordListError if they cannot be read.
    """
    if each and size is not None:
        raise VerbError("--choose places answers together, --each one by one: use only one of them")
    answers = read_answers(named, alphabet)
    together = not each and (size is not None or len(answers) <= MOST_TOGETHER)
    return ThemersQuestion(answers, together, size, seconds)


@dataclass(frozen=True)
class HeatQuestion(_AnyQuestion):
    """The question where the grid is hard to fill."""

    seconds: float = ANSWERING_SECONDS
    is_map: ClassVar = True
    title: ClassVar = "the hard parts of the grid"


@dataclass(frozen=True)
class SwapQuestion(_AnyQuestion):
    """The question which other words an entry can have, each with the smallest change around it."""

    entry: str
    most: int
    seconds: float = ANSWERING_SECONDS
    needs = (EnginePart.IMPROVING,)

    @property
    def title(self) -> str:
        return f"other words at {self.entry}"

    def proposing(self, word: str) -> tuple[str, str]:
        """Return the key of the proposal that puts a word there."""
        return self.entry, word


Question = WhyQuestion | BlocksQuestion | ThemersQuestion | HeatQuestion | SwapQuestion
"""Any question; `question_answers.answer` answers it."""


@dataclass(frozen=True)
class Proposal:
    """A change that the constructor can apply with one key."""

    key: Hashable
    """Identifies the change: a better answer to the same question proposes it under the same key."""
    text: str
    """What it does, as an instruction."""
    remark: str
    """What is known of it: whether it has a fill, and about how many fills it leaves."""
    change: Callable[[Puzzle], Puzzle] = field(repr=False, compare=False)
    """Applies the change to a puzzle, as one edit that undo takes back."""
    fill: Mapping[Position, Content] = field(default_factory=dict, repr=False, compare=False)
    """A fill after the change, if one was found."""
    is_dead: bool = False
    """Whether it provably leaves no fill."""
    brief: str = ""
    """A shorter `text`, for lists; empty if there is none."""
    figure: str = ""
    """The estimated number of fills it leaves, if known: `≈10^38.4`."""
    found: FoundFill | None = field(default=None, repr=False, compare=False)
    """What a swap writes, or a fill with the word in question; None for other changes."""

    def replaces(self, grid: Grid) -> int:
        """Return how many of the grid's filled squares its fill replaces."""
        pairs = ((grid[at].content, content) for at, content in self.fill.items())
        return sum(before is not None and before != after for before, after in pairs)


@dataclass(frozen=True)
class Findings:
    """What is known so far; better findings follow until `is_complete`, timeout, or a stop by the caller."""

    title: str
    """The question in a few words."""
    answer: str = ""
    """The answer in a sentence; empty while there is none."""
    lines: tuple[str, ...] = ()
    """The explanation, line by line."""
    proposals: tuple[Proposal, ...] = ()
    """The proposals, best first."""
    most_listed: int = 12
    """Number of proposals shown in a list of lines."""
    heat: Mapping[Position, float] = field(default_factory=dict)
    """How hard each empty square is, 0 to 1, if that was the question."""
    entries: tuple[str, ...] = ()
    """The names of the entries concerned."""
    proved: tuple[Conflict, ...] = ()
    """Conflicts: sets of choices proved impossible together in the grid, whatever else is chosen."""
    is_possible: bool | None = None
    """Whether the requested fill or change exists; None if unknown."""
    is_of_word: bool = False
    """Whether the question was about a word at an entry."""
    progress: str = ""
    """How far the work has progressed."""
    seconds: float = 0.0
    limit: float | None = None
    """The time limit that ended the work early; None if something else did."""
    is_complete: bool = False
    as_json: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The findings as JSON, with documented names and units."""

    @property
    def unfinished(self) -> str:
        """A note on when the work ended without completing."""
        return (
            f"not finished after {self.seconds:.1f} s"
            if self.limit is None
            else f"not finished in {self.limit:g} s"
        )


Report = Callable[[Findings], None]
"""Receives the findings so far."""

IsOver = Callable[[], bool]
"""Returns whether the answer is no longer wanted."""
