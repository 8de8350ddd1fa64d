"""The types of what a fill is asked: squares, shares, strategies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from xwtui.errors import PuzzleError
from xwtui.model import Position
from xwtui.model.selection import squares_named
from xwtui.session.verbs.types import VerbType
from xwtui.strategies.registry import DEFAULT_STRATEGY, STRATEGIES, StrategyChoice
from xwtui.text import printable

if TYPE_CHECKING:
    from xwtui.session.session import Session

LIST = "list"
"""The word for all strategies."""

SELECTION = "selection"
"""The word for the squares that are selected."""


class SquaresType(VerbType[frozenset[Position]]):
    """Squares of the grid: `r1c1:r5c5`, `17A,3D`, or `selection`."""

    name = "squares"
    reads_puzzle = True

    def read(self, text: str, session: Session) -> frozenset[Position]:
        """The open squares that are meant; raises PuzzleError where there are none."""
        if text.strip().lower() == SELECTION:
            return selected(session)
        return squares_named(session.puzzle.grid, text)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The entries, after what is named already, and the selection."""
        head, comma, last = beginning.rpartition(",")
        grid = session.puzzle.grid
        named = [CompletionItem(f"{head}{comma}{slot.name}", help=grid.pattern(slot)) for slot in grid.slots]
        if session.selection.squares and not comma:
            named.insert(0, CompletionItem(SELECTION, help=f"{len(session.selection.squares)} squares"))
        return [item for item in named if item.value.lower().startswith(f"{head}{comma}{last}".lower())]


def selected(session: Session) -> frozenset[Position]:
    """The squares that are selected; raises PuzzleError where none are."""
    if not session.selection.squares:
        raise PuzzleError("nothing is selected; `select r1c1:r5c5` or `select 17A` selects squares")
    return session.selection.squares


class ShareType(VerbType[float]):
    """A share in percent: `30%` or `30`."""

    name = "percent"

    def read(self, text: str, session: Session) -> float:
        """The share, 0 to 1; raises PuzzleError for anything else."""
        match = re.fullmatch(r"(\d{1,3}(?:\.\d{0,3})?)%?", text.strip())
        if match is None or float(match[1]) > 100:
            raise PuzzleError(f"{printable(text, 30)!r} is no share in percent, such as 30%")
        return float(match[1]) / 100


class StrategyType(VerbType[str]):
    """A strategy with its options: `emogic-letters:walk=snake`."""

    name = "strategy"

    def read(self, text: str, session: Session) -> str:
        """The strategy as written shortest, empty for the engine as it is; raises EngineError for none."""
        if text.strip().lower() == LIST:
            return LIST
        chosen = str(StrategyChoice.parse(text)) if text.strip() else ""
        return "" if chosen == DEFAULT_STRATEGY else chosen

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The names, with what each does."""
        return [
            CompletionItem(name, help=strategy.summary)
            for name, strategy in STRATEGIES.items()
            if name.startswith(beginning.lower())
        ]
