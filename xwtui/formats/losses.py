"""What a format cannot hold: gathered while writing, then one error, or a warning for each."""

from collections.abc import Iterable

from xwtui.errors import PuzzleFormatError
from xwtui.model import Puzzle

_NAMED_AT_MOST = 12


class Losses:
    """The things that a puzzle would lose in a format."""

    def __init__(self, format_name: str) -> None:
        self._format_name = format_name
        self._found: list[str] = []
        self._plain: list[str] = []

    def warn(self, what: str) -> None:
        """Note what nobody expects the format to hold: a warning, never an error."""
        self._plain.append(f"{self._format_name} has no place for {what}")

    def add(self, what: str) -> None:
        """Note a loss, told as the format's failing: `circles at r1c1 (they are left out)`."""
        self._found.append(what)

    def add_places(self, what: str, places: Iterable[object], remedy: str) -> None:
        """Note a loss at some squares or entries, if there are any; `remedy` tells what a lossy file has."""
        if named := name_places(places):
            self.add(f"{what} at {named} ({remedy})")

    def settle(self, *, lossy: bool) -> tuple[str, ...]:
        """Return the warnings if the loss is accepted; else raise PuzzleFormatError where there is any."""
        if self._found and not lossy:
            raise PuzzleFormatError(f"{self._format_name} cannot hold " + "; nor ".join(self._found))
        return (*(f"{self._format_name} cannot hold {what}" for what in self._found), *self._plain)


def name_places(places: Iterable[object]) -> str:
    """`r1c1, r1c2 and 3 more`; the empty string for no places."""
    names = [str(place) for place in places]
    if len(names) > _NAMED_AT_MOST:
        return f"{', '.join(names[:_NAMED_AT_MOST])} and {len(names) - _NAMED_AT_MOST} more"
    return ", ".join(names)


def add_grid_only(losses: Losses, puzzle: Puzzle) -> None:
    """Note all that a format loses that holds letters and blocks alone: marks, title page and clues."""
    grid = puzzle.grid
    losses.add_places(
        "bars", sorted({bar.first for bar in grid.bars} | {bar.second for bar in grid.bars}), "left out"
    )
    losses.add_places("circles", (at for at in grid.positions() if grid[at].circle), "left out")
    losses.add_places("shade", (at for at in grid.positions() if grid[at].shade), "left out")
    titles = {
        "title": puzzle.title,
        "author": puzzle.author,
        "copyright": puzzle.copyright,
        "notes": puzzle.notes,
    }
    if filled := [name for name, text in titles.items() if text]:
        losses.warn(f"the {', '.join(filled)}")
    if named := name_places(slot.name for slot in grid.slots if puzzle.clue(slot)):
        losses.warn(f"the clues of {named}")
