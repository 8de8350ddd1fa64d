"""What keys and clicks do in the grid, and in the list of candidates."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Direction, Position, Puzzle, Slot
from xwtui.model.edits import place_answer, write_fill
from xwtui.session.messages import CandidatesReady, EstimatesChanged, Severity
from xwtui.session.verbs.files import begin
from xwtui.session.verbs.grid import describe_selection
from xwtui.session.verbs.registry import run_line
from xwtui.text import counted
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.widgets.candidate_list import CandidateList
from xwtui.tui.widgets.entry_list import EntryOrder, hardest
from xwtui.wording import how_sure

_FEWEST_ROWS = 3


def _pasted_grid(text: str) -> Puzzle | None:
    """Return a puzzle from pasted grid text, one row per line; None without empty squares or blocks."""
    if len(text.strip().splitlines()) >= _FEWEST_ROWS and not {".", "#"}.isdisjoint(text):
        with suppress(PuzzleFormatError):
            return puzzle_of_grid(grid_from_text(text))
    return None


class EntryWords:
    """Tab completion after typed letters: cycles through the entry's candidates, best first, as one edit."""

    def __init__(self, context: EditorContext) -> None:
        self._context, self._session = context, context.session
        self._slot: Slot | None = None
        self._words: Iterator[str] = iter(())
        self._seen: list[str] = []
        self._place = 0
        """The index of the word in the grid; -1 for what was typed."""
        self._shown: tuple[Puzzle, int] | None = None
        """The puzzle with that word, and the cursor's move count; any other action ends the completion."""

    @property
    def _is_on(self) -> bool:
        shown = self._shown
        return shown is not None and shown[0] is self._session.puzzle and shown[1] == self._session.cursor.moves

    def turn(self, words: int) -> bool:
        """Replace the word by the next or previous one; returns False if no completion is active."""
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
            self._context.show_message("")
            return bool(self._seen)
        word = self._seen[self._place]
        placed = partial(place_answer, slot=slot, text=word)
        if not self._context.attempt(lambda: self._session.edit(f"{slot.name} = {word}", placed, along=slot)):
            return True
        self._shown = self._session.puzzle, self._session.cursor.moves
        forth, back, cancel = map(self._context.keys.cap_of, ("next entry", "previous entry", "cancel"))
        score = self._session.jobs.words.score(word)
        self._context.show_message(
            f"{slot.label}: {word} {score}; {forth} and {back} show others, {cancel} undoes it"
        )
        return True

    def take_back(self) -> bool:
        """Restore what was typed; returns whether a word had been written."""
        if was_on := self._is_on:
            self._session.undo()
            self._shown = None
        return was_on

    def _begins(self) -> bool:
        lexicon, slot = self._session.jobs.words.lexicon, self._session.cursor.entry
        if lexicon is None or slot is None or not self._context.grid_editor.has_begun_entry:
            return False
        insight = self._context.insight
        known = insight.candidates if insight.candidates_for == slot.name and not insight.entries.reason else None
        dead = frozenset[str]() if known is None else known.dead_words()
        pattern = self._session.puzzle.grid.pattern(slot, given_only=True).replace("[", "").replace("]", "")
        words = lexicon.best(pattern) if len(pattern) == len(slot) else iter(())
        self._words = (word for word in words if word not in dead)
        self._slot, self._seen, self._place = slot, [], -1
        return True


class GridKeys:
    """Moves the cursor, writes into squares and extends the selection."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self.grid_editor = context.grid_editor
        self._selection_editor = context.selection_editor
        self._words = EntryWords(context)
        self._is_hardest_wanted = False

    def entry_on(self, entries: int) -> None:
        """Go to the next or previous entry or, after letters just typed, to the next word that completes them."""
        if not self._words.turn(entries):
            self._context.attempt(lambda: self.grid_editor.entry_on(entries))

    def arrow(self, direction: str, squares: int) -> None:
        """Move, or first turn; while selecting with moves, move and select."""
        if self._selection_editor.is_on:
            self.extend(direction, squares)
        else:
            self._selection_editor.stop_extending()
            self._context.attempt(lambda: self.grid_editor.arrow(Direction(direction), squares))

    def grid_action(self, action: Callable[..., object], *arguments: object) -> Callable[[], object]:
        """Return a key's action that only calls the grid editor; errors are shown."""
        return lambda: self._context.attempt(lambda: action(*arguments))

    def hardest(self) -> None:
        """Go to the hardest entry, once the counts for the last edit have arrived; later keys wait as well."""
        self._is_hardest_wanted = True
        if self._insight.are_options_unsettled(self._session.revision) and not self._insight.is_loading:
            self._context.host.typeahead.hold(self._is_counting)
        else:
            self.take_counts()

    def _is_counting(self) -> bool:
        """Whether counts are still being computed; if not, go by the present ones."""
        is_busy = self._session.jobs.live_counts.is_busy
        if not is_busy:
            self.take_counts()
        return is_busy

    def take_counts(self) -> None:
        """Go to the hardest entry, if that was waiting for the counts."""
        if not self._is_hardest_wanted:
            return
        self._is_hardest_wanted = False
        self._context.host.typeahead.release()
        insight, session = self._insight, self._session
        here = session.cursor.slot
        rows, _ = self._context.desk.marked_rows(session.puzzle, EntryOrder.EMPTIEST)
        row = hardest(rows, here.name if here is not None else "")
        if row is None:
            self._context.show_message("every entry is filled")
        elif self._context.attempt(lambda: self.grid_editor.go_to_entry(row.name)):
            why = self._context.keys.cap_of("why")
            if insight.entries.reason:
                self._context.show_message(f"no fill: {insight.entries.reason}; {why} says more", Severity.WARNING)
            elif row.is_filled:
                more = f"; {why} says more" if row.is_unlisted else ""
                self._context.show_message(f"{row.name} {row.pattern} is {row.fault}{more}", Severity.WARNING)

    def paste(self, text: str) -> None:
        """Write letters along the entry, or start a puzzle from a pasted grid."""
        if (puzzle := _pasted_grid(text)) is not None:
            self._context.attempt(
                lambda: begin(self._session, puzzle, "new", is_drawn=True, made_by="paste a grid")
            )
            return
        unwritten: list[int] = []
        if self._context.attempt(lambda: unwritten.append(self.grid_editor.paste(text))) and unwritten[0]:
            letters = "the last letter has" if unwritten[0] == 1 else f"the last {unwritten[0]} letters have"
            self._context.show_message(f"{letters} no room in this entry", Severity.WARNING)

    def click(self, position: Position) -> None:
        self._selection_editor.stop_extending()
        self._context.attempt(lambda: self.grid_editor.go(position))
        self._context.focus_grid()

    def go_to(self, entry: str) -> None:
        self._context.attempt(lambda: self.grid_editor.go_to_entry(entry))

    def erase(self) -> None:
        """Empty the square or, if there is a selection, all selected squares, as one edit."""
        if not self._session.selection.squares:
            self._context.attempt(self.grid_editor.erase)
            return
        before, lines = len(self._session.puzzle.grid.contents), list[str]()
        if self._context.attempt(lambda: lines.extend(run_line(self._session, "clear selection").lines)):
            emptied = before - len(self._session.puzzle.grid.contents)
            undo = f"; {self._context.keys.cap_of('undo')} undoes it" if emptied else ""
            stay = "".join(line.removeprefix("cleared: selection") for line in lines)
            self._context.show_message(f"selection: {counted(emptied, 'square')} emptied{stay}{undo}")

    # Selecting

    def cancel(self) -> bool:
        """Clear the selection and the message; returns whether there was anything to cancel."""
        self.grid_editor.forget_overflow()
        if self._words.take_back():
            self._context.show_message("")
            return True
        had_selection = self._selection_editor.clear()
        self._context.show_message("selection cleared" if had_selection else "")
        return had_selection

    def extend(self, direction: str, squares: int) -> None:
        """Move, and select the rectangle from the anchor."""
        if self._context.attempt(lambda: self._selection_editor.extend(Direction(direction), squares)):
            self._show_selection()

    def mark(self) -> None:
        """Turn on or off selecting with the arrow keys."""
        self._selection_editor.toggle()
        self._show_selection()

    def select_entry(self) -> None:
        self._selection_editor.toggle_entry()
        self._show_selection()

    def _show_selection(self) -> None:
        if not self._session.selection.squares:
            self._context.show_message("nothing is selected")
            return
        keys = self._context.keys
        selecting = f"the arrow keys select, {keys.cap_of('mark')} ends"
        selected = f"{keys.cap_of('fill')} fills only these, {keys.cap_of('cancel')} deselects"
        use = selecting if self._selection_editor.is_on else selected
        self._context.show_message(f"{describe_selection(self._session)}; {use}")

    def drag(self, first: Position, last: Position) -> None:
        def select() -> None:
            self._session.cursor.move_to(last)
            self._selection_editor.select_rectangle(first, last)

        if self._context.attempt(select):
            self._show_selection()
        self._context.focus_grid()


_STILL_LOADING = "still finding this entry's candidates"


class CandidatesPanel:
    """Requests candidates, shows them, and writes them into the grid."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self._requested = ""
        self._is_awaited = False
        self._has_held = False
        """Whether keys have already waited for the present request."""
        self._is_wanted = False
        """Whether to focus the list once the candidates arrive."""
        self._proof_wanted = ""
        """The word to be written with its proving fill, as soon as that is found."""
        self._listed_order = CandidateOrder.SCORE

    @property
    def _list(self) -> CandidateList:
        return self._context.desk.candidates

    @property
    def order(self) -> CandidateOrder:
        return CandidateOrder(self._session.settings.candidate_order)

    def ask(self) -> None:
        """Request the candidates of the current entry, unless they are shown or on their way."""
        slot = self._session.cursor.entry
        if slot is None or self._session.jobs.words.lexicon is None:
            self._insight.forget_candidates()
            self._is_awaited = False
            self._context.desk.show_candidates(self.order)
        elif slot.name != self._insight.candidates_for or (self._is_awaited and slot.name != self._requested):
            if slot.name != self._requested or not self._list.has_focus:
                self._list.forget_place()
            self._requested, self._is_wanted = slot.name, False
            self._is_awaited, self._has_held = True, False
            self._session.jobs.candidates.start(slot.name, self.order)

    def show(self, report: CandidatesReady | EstimatesChanged) -> None:
        """Show new candidates or estimates, if they are for the current entry."""
        slot = self._session.cursor.entry
        if slot is None or slot.name != report.entry:
            return
        if isinstance(report, EstimatesChanged):
            self._context.desk.renew_candidates()
            if self._proof_wanted:
                self._take_proof()
        else:
            before, self._listed_order = self._listed_order, report.order
            is_new = report.order is not before
            self._context.desk.show_candidates(report.order, is_new_order=is_new)
            self._is_awaited = False
            if self._is_wanted and self._context.desk.grid.has_focus and self._context.screen.is_active:
                self.enter()
            self._is_wanted = False
            self._context.host.typeahead.release()

    def enter(self) -> None:
        """Focus the list of candidates; while these are being computed, the next keys wait."""
        if self._session.cursor.entry is None:
            self._context.show_message("the cursor is not in an entry", Severity.WARNING)
        elif self._is_awaited and self._list.is_on_screen:
            self._is_wanted = True
            self._context.show_message(f"{self._requested}: {_STILL_LOADING}")
            self._context.host.typeahead.hold(lambda: self._session.jobs.candidates.is_busy)
        elif not self._list.rows:
            self._context.show_message(
                f"{self._session.cursor.entry.name}: {self._list.empty_text()}", Severity.WARNING
            )
        elif not self._list.is_on_screen:
            note = "this terminal is too narrow to show candidates; `:candidates` lists them"
            self._context.show_message(note, Severity.WARNING)
        else:
            self._context.show_message("")
            self._context.screen.set_focus(self._list)

    def hold_keys(self) -> None:
        """Hold the next keys if the list has the focus and is about to change."""
        if not self._is_awaited or self._has_held or not self._context.screen.is_active:
            return
        if self._list.has_focus:
            self._has_held = True
            self._context.host.typeahead.hold(lambda: self._session.jobs.candidates.is_busy)

    def _slot_to_take(self) -> Slot | None:
        """Return the current entry, if the listed candidates are its own."""
        slot = self._session.cursor.entry
        if slot is None or self._list.pointed is None or slot.name != self._insight.candidates_for:
            self._context.show_message(_STILL_LOADING, Severity.WARNING)
            return None
        return slot

    def place(self) -> None:
        slot, word = self._slot_to_take(), self._list.chosen_word
        if slot is None or word is None:
            return
        placed = partial(place_answer, slot=slot, text=word)
        self._context.attempt(lambda: self._session.edit(f"{slot.name} = {word}", placed, along=slot))
        self._context.focus_grid()

    def write_fill(self) -> None:
        """Write the fill that proves a word, as one edit."""
        slot, row = self._slot_to_take(), self._list.pointed
        if slot is None or row is None:
            return
        self._proof_wanted, fill = "", row.fill
        if fill is None:
            none = "no fill has it" if row.untried is None else f"no fill has it, {how_sure(row.untried)}"
            why = "no fill with it is known yet" if row.alive else none
            self._context.show_message(f"{slot.name} = {row.word}: {why}", Severity.WARNING)
            if row.alive:
                self._proof_wanted = row.word
                self._context.host.typeahead.hold(self._still_wants_proof)
            return
        label = f"fill through {slot.name} = {row.word}"
        if self._context.attempt(lambda: self._session.edit(label, lambda puzzle: write_fill(puzzle, fill))):
            self._context.show_message(f"{label}, in pencil; {self._context.keys.cap_of('undo')} undoes it")
        self._context.focus_grid()

    def _still_wants_proof(self) -> bool:
        """Stop waiting: a fill not found by the end of the key hold is given up."""
        self._proof_wanted = ""
        return False

    def _take_proof(self) -> None:
        """Write the awaited fill, if it has been found and its word is still current."""
        row = self._list.pointed
        if row is None or row.word != self._proof_wanted or not self._list.has_focus:
            self._proof_wanted = ""
        elif row.fill is None and row.alive:
            return
        else:
            self.write_fill()
        self._context.host.typeahead.release()

    def sort(self) -> None:
        """Switch to the next sort order: score, room, both."""
        orders = list(CandidateOrder)
        wanted = orders[(orders.index(self.order) + 1) % len(orders)]
        settings = replace(self._session.settings, candidate_order=wanted.value)
        slot = self._session.cursor.entry
        job = self._session.jobs.candidates
        if slot is not None and self._context.attempt(lambda: job.start(slot.name, wanted)):
            self._requested, self._is_awaited, self._has_held = slot.name, True, False
        self._context.attempt(lambda: self._context.host.apply_settings(settings))
