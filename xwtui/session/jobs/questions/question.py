"""The questions that can be asked, as plain values.

Each has a `title`, the question in a few words; `seconds`, how long it may take; and `counts_fills`, whether
it takes the kernels that count, which are compiled after those that search.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from xwtui.errors import VerbError
from xwtui.model.block_changes import NO_LIMITS, BlockLimits
from xwtui.words.theme_answers import MOST_TOGETHER, read_answers

SECONDS = 10.0
"""How long a question may take, unless told otherwise."""


@dataclass(frozen=True)
class WhyQuestion:
    """Why the grid cannot be filled; with an entry and a word, why this word cannot stand there."""

    entry: str = ""
    word: str = ""
    seconds: float = SECONDS
    counts_fills: ClassVar[bool] = False

    @property
    def title(self) -> str:
        """The question in a few words."""
        return f"why not {self.word} at {self.entry}" if self.word else "why can it not be filled"


@dataclass(frozen=True)
class BlocksQuestion:
    """Which block, added, removed or moved, opens the grid most."""

    limits: BlockLimits = NO_LIMITS
    seconds: float = SECONDS
    counts_fills: ClassVar[bool] = True

    @property
    def title(self) -> str:
        """The question in a few words."""
        return "what if a block were elsewhere"


@dataclass(frozen=True)
class ThemersQuestion:
    """Where theme answers go best: all together in symmetric entries, or each by itself."""

    answers: tuple[str, ...]
    together: bool = True
    size: int | None = None
    """How many of them are to stand together; None for all."""
    seconds: float = SECONDS
    counts_fills: ClassVar[bool] = True

    @property
    def title(self) -> str:
        """The question in a few words."""
        return "where the theme answers go"


def themers_question(
    named: Iterable[str], *, size: int | None = None, each: bool = False, seconds: float = SECONDS
) -> ThemersQuestion:
    """Where answers go that are named by words and by files that list them; more than seven each by itself.

    Raises VerbError where they are to go both together and each by itself, WordListError where they
    cannot be read.
    """
    if each and size is not None:
        raise VerbError("--choose takes answers together, --each takes each by itself: say one of them")
    answers = read_answers(named)
    together = not each and (size is not None or len(answers) <= MOST_TOGETHER)
    return ThemersQuestion(answers, together, size, seconds)


@dataclass(frozen=True)
class HeatQuestion:
    """Where the grid is hard."""

    seconds: float = SECONDS
    counts_fills: ClassVar[bool] = False

    @property
    def title(self) -> str:
        """The question in a few words."""
        return "where it is hard"


Question = WhyQuestion | BlocksQuestion | ThemersQuestion | HeatQuestion
"""Any of them; `answers.answer` answers it."""
