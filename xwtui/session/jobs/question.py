"""The questions that can be asked, as plain values, and what they bring: lines, and proposals to choose from.

A question has a `title`, the question in a few words; `seconds`, how long it may take; `counts_fills` and `mends`,
whether it takes the kernels that count, or those that improve, which are compiled after those that search; and
`is_map`, whether what it brings colours the grid, beside what was explained last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar

from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import ANSWERING_SECONDS
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
    counts_fills: ClassVar[bool] = False
    mends: ClassVar[bool] = False
    is_map: ClassVar[bool] = False


@dataclass(frozen=True)
class WhyQuestion(_AnyQuestion):
    """Why the grid cannot be filled, if it cannot; with an entry and a word, whether this word can stand there."""

    entry: str = ""
    word: str = ""
    seconds: float = ANSWERING_SECONDS

    @property
    def title(self) -> str:
        """The question, which takes no answer for granted."""
        return f"can {self.word} go at {self.entry}?" if self.word else "can the grid be filled?"


@dataclass(frozen=True)
class BlocksQuestion(_AnyQuestion):
    """Which block, added, removed or moved, opens the grid most."""

    limits: BlockLimits = NO_LIMITS
    seconds: float = ANSWERING_SECONDS
    counts_fills: ClassVar = True
    title: ClassVar = "what if the blocks were different"


@dataclass(frozen=True)
class ThemersQuestion(_AnyQuestion):
    """Where theme answers go best: all together in symmetric entries, or each by itself."""

    answers: tuple[str, ...]
    together: bool = True
    size: int | None = None
    """How many of them are to stand together; None for all."""
    seconds: float = ANSWERING_SECONDS
    counts_fills: ClassVar = True
    title: ClassVar = "where the theme answers go"


def themers_question(
    named: Iterable[str],
    alphabet: Alphabet,
    *,
    size: int | None = None,
    each: bool = False,
    seconds: float = ANSWERING_SECONDS,
) -> ThemersQuestion:
    """Where answers go that are named by words and by files that list them; more than seven each by itself.

    Raises VerbError where they are to go both together and each by itself, WordListError where they
    cannot be read.
    """
    if each and size is not None:
        raise VerbError("--choose places answers together, --each one by one: use only one of them")
    answers = read_answers(named, alphabet)
    together = not each and (size is not None or len(answers) <= MOST_TOGETHER)
    return ThemersQuestion(answers, together, size, seconds)


@dataclass(frozen=True)
class HeatQuestion(_AnyQuestion):
    """Where the grid is hard."""

    seconds: float = ANSWERING_SECONDS
    is_map: ClassVar = True
    title: ClassVar = "the hard parts of the grid"


@dataclass(frozen=True)
class SwapQuestion(_AnyQuestion):
    """Which other words an entry may have, each with the smallest change around it."""

    entry: str
    most: int
    seconds: float = ANSWERING_SECONDS
    mends: ClassVar = True

    @property
    def title(self) -> str:
        return f"other words at {self.entry}"

    def proposing(self, word: str) -> tuple[str, str]:
        """The key of the proposal that puts a word there."""
        return self.entry, word


Question = WhyQuestion | BlocksQuestion | ThemersQuestion | HeatQuestion | SwapQuestion
"""Any of them; `answers.answer` answers it."""


@dataclass(frozen=True)
class Proposal:
    """A change that a constructor may make with one key."""

    key: Hashable
    """What is changed, as a value: a better answer to the same question proposes it under the same key."""
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
    """About how many fills it leaves, where that was estimated: `≈10^38.4`."""
    found: FoundFill | None = field(default=None, repr=False, compare=False)
    """What a swap writes, or a fill with a word that was asked about; None for other changes."""

    def replaces(self, grid: Grid) -> int:
        """How many squares that stand in a grid its fill replaces."""
        standing = ((grid[at].content, content) for at, content in self.fill.items())
        return sum(before is not None and before != after for before, after in standing)


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
    most_listed: int = 12
    """How many of them a list in lines has."""
    heat: Mapping[Position, float] = field(default_factory=dict)
    """How hard each empty square is, 0 to 1, where that was asked."""
    entries: tuple[str, ...] = ()
    """The entries that the answer is about, by name."""
    proved: tuple[Conflict, ...] = ()
    """What is proved not to stand together in the grid, whatever else is chosen."""
    is_possible: bool | None = None
    """Whether what is asked for can be had: a fill, or a change that leaves one; None where that is not known."""
    is_of_word: bool = False
    """Whether it was asked if a word can stand at an entry."""
    progress: str = ""
    """How far the work has come."""
    seconds: float = 0.0
    limit: float | None = None
    """The time limit that ended it before it was complete; None where another reason did."""
    is_complete: bool = False
    as_json: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The same for programs, with documented names and units."""

    @property
    def unfinished(self) -> str:
        """When it ended before it was complete."""
        return (
            f"not finished after {self.seconds:.1f} s"
            if self.limit is None
            else f"not finished in {self.limit:g} s"
        )


Tell = Callable[[Findings], None]
"""Takes what has been found so far."""

IsOver = Callable[[], bool]
"""Whether nobody waits for the answer any more."""
