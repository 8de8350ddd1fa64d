"""The middle of the editor: the grid, and panels about its entries."""

from collections.abc import Mapping, Sequence
from functools import partial

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical

from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.model import Puzzle, Slot
from xwtui.session.session import Session
from xwtui.tui.drawings import largest_drawing
from xwtui.tui.insight import Insight
from xwtui.tui.widgets.candidate_list import CandidateList
from xwtui.tui.widgets.entry_list import (
    COUNT_COLUMNS,
    ClueList,
    EntryList,
    EntryOrder,
    EntryRow,
    clues_remark,
    entry_rows,
    faulty_first,
)
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Heading, Line

_PANELS_WIDTH = 32
"""Cells reserved for the panels, before the grid gets more."""

_CLUES_BESIDE = 66
"""Width next to the grid from which the clues have their own column."""

_CLUES_BELOW = 30
"""Height from which the clues are shown below the other panels."""

_NARROW = 60
"""Width below which only the grid is shown."""


_LIVE = "as the search has them"


class Desk(Horizontal):
    """Lays out the grid and panels: more room shows more, and nothing moves when figures change."""

    DEFAULT_CSS = """
    Desk { height: 1fr; }
    Desk #side { width: 1fr; height: 1fr; layout: vertical; margin-left: 1; }
    Desk #panels { width: 1fr; height: 2fr; }
    Desk #clue-panel { display: none; width: 1fr; height: 1fr; }
    Desk #entries { height: 3fr; }
    Desk #candidates { height: 2fr; }
    Desk #clues { height: 1fr; }
    Desk.-clues-below #clue-panel { display: block; }
    Desk.-clues-beside #side { layout: horizontal; }
    Desk.-clues-beside #panels { width: 45%; min-width: 36; max-width: 42; height: 1fr; }
    Desk.-clues-beside #clue-panel { display: block; margin-left: 1; }
    Desk.-narrow #side { display: none; }
    """

    _shows_head = True
    """Whether the list of entries scrolls no further than necessary, as its first rows matter most."""
    grid_width = 0
    """Width of the grid with its frame."""
    _candidates_shown = ("", (0, 0), "")
    """The entry whose candidates are listed, its numbers of live and all candidates, and the sort order."""

    grid = getters.query_one("#grid", GridView)
    entries = getters.query_one("#entries", EntryList)
    candidates = getters.query_one("#candidates", CandidateList)
    clues = getters.query_one("#clues", ClueList)

    def __init__(self, session: Session, insight: Insight) -> None:
        super().__init__(id="desk")
        self._session = session
        self._insight = insight

    def compose(self) -> ComposeResult:
        yield GridView(id="grid")
        with Container(id="side"):
            with Vertical(id="panels"):
                yield Heading("ENTRIES", id="entries-heading")
                yield EntryList(id="entries")
                yield Heading("CANDIDATES", id="candidates-heading")
                yield CandidateList(id="candidates")
                yield Line(id="letters")
            with Vertical(id="clue-panel"):
                yield Heading("CLUES", id="clues-heading")
                yield ClueList(id="clues")

    def on_mount(self) -> None:
        self.entries.can_focus = False
        self.clues.can_focus = False
        self.query_one("#entries-heading", Heading).columns = COUNT_COLUMNS

    def gets_large_squares(self, width: int, height: int, more: int) -> bool:
        """Whether the grid would get large squares with `more` lines, but does not without them."""
        picture = self.grid.picture
        if picture is None:
            return False
        room, screen = width - _CLUES_BESIDE - 1, self.app.size
        fits = [largest_drawing(picture.grid, room, lines, screen) for lines in (height + more, height)]
        with_more, without = (drawing is not None and drawing.square_height > 1 for drawing in fits)
        return with_more and not without

    def lay_out(self, width: int, height: int) -> None:
        """Divide the cells between the grid and its panels."""
        is_narrow = width < _NARROW
        taken = self.grid.fit(width if is_narrow else width - _PANELS_WIDTH - 1, height)
        self.grid_width = taken.width
        beside = width - taken.width - 1
        self.set_class(is_narrow, "-narrow")
        self.set_class(beside >= _CLUES_BESIDE, "-clues-beside")
        self.set_class(beside < _CLUES_BESIDE and height >= _CLUES_BELOW, "-clues-below")

    def show_entries(self) -> None:
        """List the entries with their counts, in the order that is set, and the clues."""
        session = self._session
        order = EntryOrder(session.settings.entry_order)
        rows, faulty = self.marked_rows(session.shown_puzzle, order)
        by_name = {row.name: row for row in rows}
        by_clue = [by_name[slot.name] for slot in session.puzzle.grid.slots]
        here = session.cursor.slot
        self._head_entries()
        is_other_order = [row.name for row in rows] != [row.name for row in self.entries.rows]
        self._shows_head = order is not EntryOrder.CLUE
        before, self.entries.pinned = self.entries.current, faulty
        self.entries.show(rows, _index(rows, here), follow=False)
        if is_other_order or self.entries.current != before:
            self._reveal_entry()
        self.clues.show(by_clue, _index(by_clue, here))
        self.query_one("#clues-heading", Heading).remark = clues_remark(rows)

    def marked_rows(self, puzzle: Puzzle, order: EntryOrder) -> tuple[Sequence[EntryRow], int]:
        """Return the rows of all entries, faulty ones first, and the number of faulty ones."""
        counts, words = self._insight.entries, self._session.jobs.words
        rows = entry_rows(
            puzzle,
            counts.options,
            words.score,
            order,
            counts.culprits,
            is_dead=bool(counts.reason),
            banned=words.banned(self._session.puzzle),
        )
        repeats = {name for pair in words.repeats(self._session.puzzle).pairs for name in pair}
        return faulty_first(rows, repeats, are_words_known=words.lexicon is not None)

    def follow_cursor(self) -> None:
        """Make the current entry the current row of both lists."""
        here = self._session.cursor.slot
        for rows, reveal in ((self.entries, self._reveal_entry), (self.clues, self.clues.reveal)):
            index = _index(rows.rows, here)
            if index is not None and index != rows.current:
                rows.current = index
                reveal()

    def _reveal_entry(self) -> None:
        """Bring the current entry into view, with as much of the list's head as fits."""
        if self._shows_head:
            self.entries.top = 0
        self.entries.reveal()

    def show_live(self, sizes: Mapping[str, int]) -> None:
        """Show how many words a search has left for each entry, or without a search the usual counts."""
        self.entries.live = sizes
        self._head_entries()

    def _head_entries(self) -> None:
        heading = self.query_one("#entries-heading", Heading)
        order = EntryOrder(self._session.settings.entry_order)
        heading.remark, heading.brief = (_LIVE, "") if self.entries.live else (order.remark, f"{order.value} ▾")

    def show_candidates(self, order: CandidateOrder, *, is_new_order: bool = False) -> None:
        insight, here = self._insight, self._session.cursor.entry
        awaited = "no word fits" if insight.words is not None else "the word list is loading"
        self.candidates.remark = "the cursor is not in an entry" if here is None else awaited
        self.candidates.repeats = partial(self._repeated_answers, insight.candidates_for)
        self.candidates.offer(insight.candidates, insight.candidates_for, is_new_order=is_new_order)
        self._head_candidates(order)

    def renew_candidates(self) -> None:
        """Update the estimates of the listed words; while a new list is on its way, the old one stays."""
        if self._insight.candidates_for:
            self.candidates.offer(self._insight.candidates, self._insight.candidates_for)
        self._head_candidates(self._insight.order)

    def _head_candidates(self, order: CandidateOrder) -> None:
        """Show how many words fit the current entry, and the sort order."""
        insight, here = self._insight, self._session.cursor.entry
        known = insight.candidates
        total = 0 if known is None else len(known)
        alive = 0 if known is None or insight.entries.reason else known.alive
        self.candidates.are_judged = not insight.entries.reason
        self._candidates_shown = ("" if here is None else here.label), (alive, total), order.value
        self._show_narrowing()

    @on(CandidateList.Narrowed)
    def _show_narrowing(self) -> None:
        """Show the number of candidates, the letters that narrow them, and their order, as room allows."""
        (entry, (alive, total), order), typed = self._candidates_shown, self.candidates.typed
        heading, listed = self.query_one("#candidates-heading", Heading), len(self.candidates.rows)
        by, brief = f" by {order}", "" if order == CandidateOrder.SCORE.value else f" by {order}"
        if typed:
            forms = [f"{listed:,} with {typed}…{by}", f"{listed:,} {typed}…{by}", f"{typed}…{by}", f"{typed}…"]
        else:
            forms = [f"{alive:,} of {total:,}{by}", f"{alive:,}/{total:,}{by}", f"{alive:,}/{total:,}{brief}"]
        fitting = (one for one in forms if len(entry) + 2 + len(one) <= heading.room)
        heading.remark = f"{entry}  {next(fitting, forms[-1])}" if entry else ""

    def _repeated_answers(self, entry: str, word: str) -> list[str]:
        """Return other entries' answers that a word for an entry would repeat: `17A LO[CAT]ION`."""
        puzzle = self._session.puzzle
        repeated = self._session.jobs.words.repeats(puzzle).of(word, entry)
        return [f"{name} {puzzle.shown_pattern(puzzle.grid.entry(name))}" for name in repeated]


def _index(rows: Sequence[EntryRow], slot: Slot | None) -> int | None:
    if slot is None:
        return None
    return next((index for index, row in enumerate(rows) if row.name == slot.name), None)
