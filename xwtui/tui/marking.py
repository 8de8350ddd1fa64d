"""How squares are selected: the arrows or the mouse draw a rectangle, entries are added one by one."""

from xwtui.model import Direction, Position
from xwtui.model.selection import rectangle
from xwtui.session.session import Session


class Marking:
    """The selection's keys over a session; a rectangle runs from its anchor to the cursor."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._anchor: Position | None = None
        self.is_on = False
        """Whether all movements draw, without Shift."""

    def extend(self, direction: Direction, squares: int) -> None:
        """Move the cursor and take the rectangle from where this began."""
        here = self._session.cursor.position
        target = here.step(direction, squares)
        anchor = self._anchor if self._anchor is not None else here
        if target in self._session.puzzle.grid:
            self._session.cursor.move_to(target)
        self.draw(anchor, self._session.cursor.position)

    def draw(self, anchor: Position, corner: Position) -> None:
        """Select the rectangle with these corners."""
        self._anchor = anchor
        self._session.selection.select(rectangle(self._session.puzzle.grid, anchor, corner))

    def toggle(self) -> None:
        """Begin to draw with every movement, from here; or end that."""
        self.is_on = not self.is_on
        here = self._session.cursor.position
        if self.is_on:
            self.draw(here, here)
        else:
            self._anchor = None

    def toggle_entry(self) -> None:
        """Select the current entry as well, or take it out of the selection."""
        slot = self._session.cursor.slot
        if slot is None:
            return
        self.rest()
        own, chosen = frozenset(slot.positions), self._session.selection.squares
        self._session.selection.select(chosen - own if own <= chosen else chosen | own)

    def rest(self) -> None:
        """Draw no more; what is selected stays so."""
        self.is_on, self._anchor = False, None

    def let_go(self) -> bool:
        """Select nothing; returns whether anything was selected."""
        self.rest()
        had = bool(self._session.selection.squares)
        self._session.selection.select(())
        return had
