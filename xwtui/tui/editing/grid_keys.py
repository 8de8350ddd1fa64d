"""What the grid's keys and clicks do."""

from collections.abc import Callable

from xwtui.model import Direction, Position
from xwtui.session.messages import Severity
from xwtui.session.verbs.grid import describe_selection
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.entry_rows import hardest


class GridKeys:
    """Moves the cursor, writes into squares and draws the selection."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self.hand = context.hand
        self._marking = context.marking

    def arrow(self, direction: str, squares: int) -> None:
        """Move, or turn first; while a selection is drawn, move and draw."""
        if self._marking.is_on:
            self.extend(direction, squares)
        else:
            self._marking.rest()
            self._context.attempt(lambda: self.hand.arrow(Direction(direction), squares))

    def by_hand(self, action: Callable[..., object], *arguments: object) -> Callable[[], object]:
        """What a key does that is the hand's alone; a refusal is said."""
        return lambda: self._context.attempt(lambda: action(*arguments))

    def hardest(self) -> None:
        insight = self._insight
        name = hardest(self._session.puzzle, insight.options, insight.culprits, is_dead=bool(insight.reason))
        if name is None:
            self._context.say("every entry is filled")
        elif self._context.attempt(lambda: self.hand.go_to_entry(name)) and insight.reason:
            self._context.say(
                f"no fill: {insight.reason}; {self._context.keys.cap_of('why')} says more", Severity.WARNING
            )

    def write(self, character: str) -> None:
        """Write a letter or a digit into the square, and go on."""
        self._context.attempt(lambda: self.hand.letter(character))

    def paste(self, text: str) -> None:
        left: list[int] = []
        if self._context.attempt(lambda: left.append(self.hand.paste(text))) and left[0]:
            letters = "the last letter has" if left[0] == 1 else f"the last {left[0]} letters have"
            self._context.say(f"{letters} no room in this entry", Severity.WARNING)

    def click(self, position: Position) -> None:
        self._marking.rest()
        self._context.attempt(lambda: self.hand.go(position))
        self._context.focus_grid()

    def go_to(self, entry: str) -> None:
        self._context.attempt(lambda: self.hand.go_to_entry(entry))

    # Selecting

    def cancel(self) -> bool:
        """Let go of what is selected, and of what was said; returns whether anything was selected."""
        had = self._marking.let_go()
        self._context.say("nothing is selected any more" if had else "")
        return had

    def extend(self, direction: str, squares: int) -> None:
        """Move, and select the rectangle from where this began."""
        if self._context.attempt(lambda: self._marking.extend(Direction(direction), squares)):
            self._tell_selection()

    def mark(self) -> None:
        """Begin or end a selection that every arrow draws."""
        self._marking.toggle()
        self._tell_selection()

    def select_entry(self) -> None:
        """Select the entry as well, or take it out again."""
        self._marking.toggle_entry()
        self._tell_selection()

    def _tell_selection(self) -> None:
        if not self._session.selection.squares:
            self._context.say("nothing is selected")
            return
        keys = self._context.keys
        drawing, drawn = f"the arrows draw, {keys.cap_of('mark')} ends", f"{keys.cap_of('fill')} fills them alone"
        use = drawing if self._marking.is_on else f"{drawn}, {keys.cap_of('cancel')} lets go"
        self._context.say(f"{describe_selection(self._session)}; {use}")

    def drag(self, first: Position, last: Position) -> None:
        def draw() -> None:
            self._session.cursor.move_to(last)
            self._marking.draw(first, last)

        if self._context.attempt(draw):
            self._tell_selection()
        self._context.focus_grid()
