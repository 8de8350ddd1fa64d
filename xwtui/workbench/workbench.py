"""The workbench: all that a face holds, behind one object."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from xwtui.errors import VerbError, XwtuiError
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Content, Direction, Ink, Position, Puzzle, Slot, edits
from xwtui.workbench.analysis import Analysis
from xwtui.workbench.background import Background, Sight
from xwtui.workbench.candidate_finder import CandidateQuestion
from xwtui.workbench.census import CensusQuestion
from xwtui.workbench.cursor import Cursor, first_cursor
from xwtui.workbench.document import Document
from xwtui.workbench.goals import Goal
from xwtui.workbench.messages import (
    CursorMoved,
    EngineState,
    FillEnded,
    Message,
    Notice,
    PuzzleChanged,
    RunView,
    Saved,
    Severity,
    ignore,
)
from xwtui.workbench.recovery import Recovery, find_recoveries, taken
from xwtui.workbench.search import Running
from xwtui.workbench.settings import Settings

if TYPE_CHECKING:
    from xwtui.engine.options import Candidate
    from xwtui.words.lexicon import Lexicon

BLANK_SIDE = 15
"""Rows and columns of the puzzle that a workbench begins with."""
COUNT_SECONDS = 5.0
"""How long a count that is asked for takes, unless told otherwise."""


class Workbench:
    """The document, the cursor, the words and the jobs of one face.

    Used from the face's thread; only `cancel` may be called from elsewhere. `listener` is called
    with every message, from worker threads too. Methods raise XwtuiError where something cannot be
    done, with nothing changed.
    """

    def __init__(
        self,
        listener: Callable[[Message], None] = ignore,
        *,
        settings: Settings | None = None,
        journal_folder: Path | None = None,
    ) -> None:
        self.settings = settings if settings is not None else Settings()
        self.revision = 0
        self._listener = listener
        self._is_closed = False
        self._journal_folder = journal_folder
        self._lock = threading.RLock()
        self._is_journal_broken = False
        self.document = self._document(Puzzle.blank(BLANK_SIDE, BLANK_SIDE))
        self.cursor = first_cursor(self.puzzle.grid)
        self._last_run: RunView | None = None
        self._background = Background(self._post, self)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now."""
        return self.document.puzzle

    @property
    def slot_here(self) -> Slot | None:
        """The slot under the cursor: of its direction, else of the other, else None."""
        return self.cursor.slot(self.puzzle.grid)

    def move_to(self, position: Position, direction: Direction | None = None) -> None:
        """Put the cursor on a square, and turn it if a direction is given; raises PuzzleError off the grid."""
        _ = self.puzzle.grid[position]
        moved = Cursor(position, direction if direction is not None else self.cursor.direction)
        if moved != self.cursor:
            self.cursor = moved
            self._post(CursorMoved())

    # Edits

    def edit(self, label: str, function: Callable[[Puzzle], Puzzle]) -> bool:
        """Change the puzzle by a pure function; returns whether it made a difference.

        A search is stopped first, if the edit touches the grid or the words. What `function`
        raises is passed on, with nothing changed.
        """
        with self._lock:
            after = function(self.puzzle)
            if after == self.puzzle:
                return False
            stopped = self._stop_search_before(after)
            self._journalled(lambda: self.document.record(after, label))
            self._puzzle_is_new()
        self._tell_change(label, stopped)
        return True

    def undo(self) -> str | None:
        """Take the last edit back; returns its label, or None where there is none."""
        return self._travel(self.document.history.undo_label, self.document.undo, "undo")

    def redo(self) -> str | None:
        """Make the last undone edit again; returns its label, or None where there is none."""
        return self._travel(self.document.history.redo_label, self.document.redo, "redo")

    def _travel(self, label: str | None, move: Callable[[], str | None], way: str) -> str | None:
        if label is None:
            return None
        with self._lock:
            stopped = self._background.drop_search()
            self._journalled(move)
            self._puzzle_is_new()
        self._tell_change(f"{way} {label}", stopped)
        return label

    def _stop_search_before(self, after: Puzzle) -> RunView | None:
        if after.grid == self.puzzle.grid and after.words == self.puzzle.words:
            return None
        return self._background.drop_search()

    def _journalled(self, change: Callable[[], object]) -> None:
        """Make a change of the document; one that cannot be journalled is made all the same, and told."""
        try:
            change()
        except (OSError, XwtuiError) as error:
            if not self._is_journal_broken:
                self._is_journal_broken = True
                reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
                self._post(Notice(f"changes are not kept safe, save soon: {reason}", Severity.WARNING))
        else:
            self._is_journal_broken = False

    def _puzzle_is_new(self) -> None:
        self.revision += 1
        self._last_run = None
        self.cursor = self.cursor.kept_on(self.puzzle.grid)

    def _tell_change(self, label: str, stopped: RunView | None) -> None:
        if stopped is not None:
            self._tell_stopped(stopped)
            self._last_run = None
        self._post(PuzzleChanged(label))
        self._background.look_again()

    # Files

    def new(self, puzzle: Puzzle) -> None:
        """Begin a document without a file; what was not saved before is dropped."""
        self._replace(self._document(puzzle), "new")

    def open(self, path: Path) -> None:
        """Open a puzzle file of any format; what was not saved before is dropped."""
        source = path.expanduser().absolute()
        self._replace(self._document(read_puzzle(source), source), f"open {source.name}")

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle to its file, or to another, which becomes its file; see `Document.save`."""
        with self._lock:
            saved = self.document.save(path, force=force)
        self._post(Saved(saved))
        self._background.look_again()
        return saved

    def export(self, path: Path, *, lossy: bool = False) -> tuple[str, ...]:
        """Write the puzzle in the format of a file name; returns a warning for each thing left out."""
        return write_puzzle(path.expanduser(), self.puzzle, lossy=lossy)

    def recoveries(self) -> tuple[Recovery, ...]:
        """The unsaved work of processes that ended without saving, the newest first."""
        return find_recoveries(self._journal_folder)

    def recover(self, recovery: Recovery) -> None:
        """Go on with unsaved work; one undo leads back to what its file has."""
        saved = recovery.puzzle
        if recovery.source is not None:
            with suppress(XwtuiError):
                saved = read_puzzle(recovery.source)
        document = self._document(saved, recovery.source)
        document.forget_saved()
        with taken(recovery):
            self._journalled(lambda: document.record(recovery.puzzle, "recover"))
        self._replace(document, "recover")

    def discard_changes(self) -> None:
        """Forget what is not saved: it will not be offered again."""
        self.document.journal.clear()

    def _document(self, puzzle: Puzzle, path: Path | None = None) -> Document:
        return Document(puzzle, path, journal_folder=self._journal_folder)

    def _replace(self, document: Document, label: str) -> None:
        with self._lock:
            stopped = self._background.drop_search()
            self.document.journal.clear()
            self.document = document
            self._puzzle_is_new()
            self.cursor = first_cursor(self.puzzle.grid)
        self._tell_change(label, stopped)

    # Words and figures

    @property
    def lexicon(self) -> Lexicon | None:
        """The words in use, or None while they load."""
        return self._background.words.lexicon

    def score_of(self, word: str) -> int | None:
        """A word's score, or None where no list has it, or none is loaded yet."""
        return self.lexicon.score(word) if self.lexicon is not None else None

    @property
    def engine(self) -> EngineState:
        """How far the engine has come."""
        return self._background.room.state

    @property
    def latest(self) -> Analysis:
        """The newest figures that there are; `stale` tells whether the puzzle has changed since."""
        latest = self._background.analyst.latest
        return replace(latest, stale=latest.revision != self.revision)

    def start(self) -> None:
        """Begin to load words and engine beside the face."""
        self._background.start()

    def wait_until_ready(self, timeout: float | None = None) -> None:
        """Wait for words and engine; raises XwtuiError where they fail or take longer than `timeout` seconds."""
        self._background.wait_until_ready(timeout)

    def request_candidates(self, entry: str) -> None:
        """Look for an entry's candidates beside the face, and post them."""
        self._background.finder.ask(self._candidate_question(entry))

    def candidates(self, entry: str) -> tuple[Candidate, ...]:
        """An entry's candidates at once (some tens of milliseconds); raises XwtuiError without words."""
        return self._background.finder.find(self._candidate_question(entry))

    def _candidate_question(self, entry: str) -> CandidateQuestion:
        grid, lexicon = self.puzzle.grid, self.lexicon
        if lexicon is None:
            raise VerbError(self._background.words.failure or "the words are still being loaded")
        return CandidateQuestion(self.revision, grid, lexicon, grid.slot(entry).name)

    def count(self, seconds: float = COUNT_SECONDS) -> None:
        """Count the fills beside the face for some seconds at most; ends with CountEnded."""
        self.start()
        self._background.census.ask(CensusQuestion(self.revision, self.puzzle.grid, seconds))

    # The search

    @property
    def run(self) -> RunView | None:
        """The search as it stands, or how the last one ended; None once the grid has changed since."""
        search = self._background.search
        return search.view if search is not None else self._last_run

    @property
    def is_running(self) -> bool:
        """Whether a search goes on at this moment."""
        return self._background.is_running

    def fill(self, seconds: float | None = None, threads: int = 1, seed: int | None = None) -> None:
        """Begin a fill beside the face; without a seed, each fill takes another one."""
        self._background.fill(seconds, threads, seed)

    def step(self, events: int = 1) -> None:
        """Take the search on by some events, beginning one if there is none; then it stands still."""
        self._background.go(Goal(steps=events))

    def until(self, target: str) -> None:
        """Take the search on until `backtrack`, `restart`, `solved`, or an entry's decision."""
        self._background.go(Goal.until(target, self.puzzle.grid))

    def resume(self) -> None:
        """Let a search that stands still run on; raises VerbError where there is none."""
        self._background.resume()

    def stop(self) -> bool:
        """Drop the search, and a count; the grid is as before. Returns whether there was anything to stop."""
        was_counting = self._background.census.is_busy
        self._background.census.interrupt()
        stopped = self._background.search is not None
        view = self._background.drop_search()
        if stopped:
            self._tell_stopped(view)
        return stopped or was_counting

    def cancel(self) -> None:
        """Stop whatever goes on; for signal handlers and other threads."""
        self.stop()

    def accept(self, slot: Slot | None = None) -> bool:
        """Ink what a search that stands still has on the grid, or else what is in pencil; returns whether any was.

        With a slot, only its squares.
        """
        search = self._background.search
        shown = search.view.squares if search is not None and search.view is not None else {}

        def ink(puzzle: Puzzle) -> Puzzle:
            written = edits.write_fill(puzzle, shown)
            chosen = written.grid.open_positions() if slot is None else slot.positions
            pencil = [at for at in chosen if written.grid[at].ink is Ink.PENCIL]
            if slot is not None:
                written = edits.write_fill(puzzle, {at: shown[at] for at in slot.positions if at in shown})
            return edits.set_ink(written, pencil, Ink.PEN)

        return self.edit(f"accept {slot.name}" if slot is not None else "accept", ink)

    def _tell_stopped(self, view: RunView | None) -> None:
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (only once there was a search)

        stopped = view if view is not None else RunView(Outcome.CANCELLED)
        self.run_ended(replace(stopped, outcome=Outcome.CANCELLED, squares={}, paused=False))

    # What the background asks, from its threads

    def sight(self) -> Sight:
        """The puzzle, its folder and the revision, all of one moment."""
        with self._lock:
            return Sight(self.puzzle, self.document.folder, self.revision)

    def run_ended(self, run: RunView) -> None:
        """Keep how a search ended, and tell."""
        self._last_run = run
        self._post(FillEnded(run))

    def take_fill(self, search: Running, squares: Mapping[Position, Content]) -> bool:
        """Write a finished fill in pencil, as one edit, if its search is still the one wanted."""
        with self._lock:
            if self._background.search is not search:
                return False
            self._background.search = None
            after = edits.write_fill(self.puzzle, squares)
            is_new = after != self.puzzle
            if is_new:
                self._journalled(lambda: self.document.record(after, "fill"))
                self._puzzle_is_new()
        if is_new:
            self._tell_change("fill", None)
        return True

    # Waiting and ending

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no job that was asked for goes on; returns False where time ran out first."""
        return self._background.wait(timeout)

    def close(self) -> None:
        """Stop the jobs; unsaved work stays in its journal and is offered at the next start."""
        self._is_closed = True
        self._background.close()
        self.document.journal.close()

    def _post(self, message: Message) -> None:
        """Tell the listener, from whatever thread; a closed workbench has nothing more to tell."""
        if not self._is_closed:
            self._listener(message)
