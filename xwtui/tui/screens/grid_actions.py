"""What the grid's keys and clicks do."""

from textual import on

from xwtui.model import Direction
from xwtui.tui.entry_rows import EntryRow, hardest
from xwtui.tui.screens.choosing import Choosing
from xwtui.tui.screens.selecting import Selecting
from xwtui.tui.widgets.clue_list import ClueList
from xwtui.tui.widgets.entry_list import EntryList
from xwtui.tui.widgets.grid_view import GridView
from xwtui.words.normalise import normalise


class GridActions(Choosing, Selecting):
    """The part of the editor that moves the cursor and writes into squares."""

    def action_arrow(self, direction: str, squares: int) -> None:
        """Move, or turn first; while a selection is drawn, move and draw."""
        if self.marking.is_on:
            self.action_extend(direction, squares)
        else:
            self.marking.rest()
            self.attempt(lambda: self.hand.arrow(Direction(direction), squares))

    def action_turn(self) -> None:
        """Change between across and down."""
        self.attempt(self.hand.turn)

    def action_entry_on(self, entries: int) -> None:
        """Go to the next or previous entry."""
        self.attempt(lambda: self.hand.entry_on(entries))

    def action_entry_end(self, end: int) -> None:
        """Go to the first or last square of the entry."""
        self.attempt(lambda: self.hand.entry_end(end))

    def action_grid_end(self, direction: str, end: int) -> None:
        """Go to an end of the row or column."""
        self.attempt(lambda: self.hand.grid_end(Direction(direction), end))

    def action_leap(self, direction: str, step: int) -> None:
        """Go past the next block."""
        self.attempt(lambda: self.hand.leap(Direction(direction), step))

    def action_erase(self) -> None:
        """Empty the square."""
        self.attempt(self.hand.erase)

    def action_erase_back(self) -> None:
        """Empty the square, or the one before."""
        self.attempt(self.hand.erase_back)

    def action_hardest(self) -> None:
        """Go to the entry with the fewest options."""
        name = hardest(self.session.puzzle, self.insight.options)
        if name is None:
            self.say("every entry is filled")
        else:
            self.attempt(lambda: self.hand.go_to_entry(name))

    def action_write(self, character: str) -> None:
        """Write a letter or a digit into the square, and go on."""
        self.attempt(lambda: self.hand.write(normalise(character)))

    @on(GridView.SquareClicked)
    def _square_clicked(self, event: GridView.SquareClicked) -> None:
        self.marking.rest()
        self.attempt(lambda: self.hand.go(event.position))
        self.set_focus(self.desk.grid)

    @on(EntryList.Pointed, "#entries")
    @on(ClueList.Pointed, "#clues")
    def _entry_clicked(self, event: EntryList.Pointed) -> None:
        row = event.rows.rows[event.index]
        if isinstance(row, EntryRow):
            self.attempt(lambda: self.hand.go_to_entry(row.name))
