"""What selects squares: Shift with the arrows, the mark key, the mouse."""

from textual import on

from xwtui.model import Direction
from xwtui.session.verbs.grid import describe_selection
from xwtui.tui.screens.editor_parts import EditorParts
from xwtui.tui.widgets.grid_view import GridView


class Selecting(EditorParts):
    """The part of the editor that draws the selection."""

    def action_extend(self, direction: str, squares: int) -> None:
        """Move, and select the rectangle from where this began."""
        if self.attempt(lambda: self.marking.extend(Direction(direction), squares)):
            self._tell_selection()

    def action_mark(self) -> None:
        """Begin or end a selection that every arrow draws."""
        self.marking.toggle()
        self._tell_selection()

    def action_select_entry(self) -> None:
        """Select the entry as well, or take it out again."""
        self.marking.toggle_entry()
        self._tell_selection()

    def _tell_selection(self) -> None:
        if not self.session.selection.squares:
            self.say("nothing is selected")
            return
        use = "the arrows draw, * ends" if self.marking.is_on else "F5 fills them alone, Esc lets go"
        self.say(f"{describe_selection(self.session)}; {use}")

    @on(GridView.Dragged)
    def _dragged(self, event: GridView.Dragged) -> None:
        def draw() -> None:
            self.session.cursor.move_to(event.last)
            self.marking.draw(event.first, event.last)

        if self.attempt(draw):
            self._tell_selection()
        self.set_focus(self.desk.grid)
