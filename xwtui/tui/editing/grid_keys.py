"""What the grid's keys and clicks do."""

from collections.abc import Callable, Iterator

from xwtui.model import Direction, Position, Puzzle, Slot
from xwtui.model.edits import place_answer
from xwtui.session.messages import Severity
from xwtui.session.verbs.grid import describe_selection
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.entry_rows import hardest


class EntryWords:
    """Tab after letters just typed: the words that can stand in the entry, best first, as one edit."""

    def __init__(self, context: EditorContext) -> None:
        self._context, self._session = context, context.session
        self._slot: Slot | None = None
        self._words: Iterator[str] = iter(())
        self._seen: list[str] = []
        self._place = 0
        """Which of those that were seen stands there; -1 for what was typed."""
        self._shown: tuple[Puzzle, int] | None = None
        """The puzzle with it, and how often the cursor had moved: what else is done ends this."""

    @property
    def _is_on(self) -> bool:
        shown = self._shown
        return shown is not None and shown[0] is self._session.puzzle and shown[1] == self._session.cursor.moves

    def turn(self, words: int) -> bool:
        """Write the next word in place of the one that stands, or the one before; False where none is begun."""
        if not self._is_on and not (words > 0 and self._begins()):
            return False
        self._place += words
        if self._place == len(self._seen):
            self._seen += [word for word in [next(self._words, "")] if word]
        slot, is_typed = self._slot, not 0 <= self._place < len(self._seen)
        if self._is_on:
            self._session.undo()
        self._shown = None
        if slot is None or is_typed:
            self._context.say("")
            return bool(self._seen)
        word = self._seen[self._place]
        label = f"{slot.name} = {word}"
        if not self._context.attempt(
            lambda: self._session.edit(label, lambda puzzle: place_answer(puzzle, slot, word), along=slot)
        ):
            return True
        self._shown = self._session.puzzle, self._session.cursor.moves
        forth, back, cancel = map(self._context.keys.cap_of, ("next entry", "previous entry", "cancel"))
        score = self._session.jobs.words.score(word)
        self._context.say(f"{slot.label}: {word} {score}; {forth} and {back} show others, {cancel} undoes it")
        return True

    def take_back(self) -> bool:
        """Let what was typed stand alone again; returns whether a word stood there."""
        if was_on := self._is_on:
            self._session.undo()
            self._shown = None
        return was_on

    def _begins(self) -> bool:
        lexicon, slot = self._session.jobs.words.lexicon, self._session.cursor.entry
        if lexicon is None or slot is None or not self._context.hand.has_begun:
            return False
        insight = self._context.insight
        known = insight.candidates if insight.candidates_for == slot.name and not insight.reason else None
        dead = frozenset[str]() if known is None else known.dead_words()
        pattern = self._session.puzzle.grid.pattern(slot, given_only=True).replace("[", "").replace("]", "")
        words = lexicon.index.best(pattern) if len(pattern) == len(slot) else iter(())
        self._words = (word for word in words if word not in dead)
        self._slot, self._seen, self._place = slot, [], -1
        return True


class GridKeys:
    """Moves the cursor, writes into squares and draws the selection."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self.hand = context.hand
        self._marking = context.marking
        self._words = EntryWords(context)

    def entry_on(self, entries: int) -> None:
        """Go to the next entry, or the one before; where letters were just typed, to the next word for them."""
        if not self._words.turn(entries):
            self._context.attempt(lambda: self.hand.entry_on(entries))

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
        if self._words.take_back():
            self._context.say("")
            return True
        had = self._marking.let_go()
        self._context.say("selection cleared" if had else "")
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
        selecting = f"the arrow keys select, {keys.cap_of('mark')} ends"
        selected = f"{keys.cap_of('fill')} fills only these, {keys.cap_of('cancel')} deselects"
        use = selecting if self._marking.is_on else selected
        self._context.say(f"{describe_selection(self._session)}; {use}")

    def drag(self, first: Position, last: Position) -> None:
        def draw() -> None:
            self._session.cursor.move_to(last)
            self._marking.draw(first, last)

        if self._context.attempt(draw):
            self._tell_selection()
        self._context.focus_grid()
