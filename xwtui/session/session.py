"""The session: all that one face holds, composed of its parts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from xwtui.errors import VerbError
from xwtui.formats.intake import PLAINLY, ReadOptions, ReadPuzzle
from xwtui.formats.registry import take_file
from xwtui.lazy import lazy_imports
from xwtui.model import Position, Puzzle, Slot, SlotKey
from xwtui.model.statistics import pencil_squares
from xwtui.named_tuples import NamedTuple
from xwtui.reading import is_pipe
from xwtui.session import messages, run_view
from xwtui.session.cursor import Cursor, MovedSquares, Selection
from xwtui.session.document import Document, Journalled, Keeping, full_path
from xwtui.session.goals import ArgumentKind, Goal, SearchArgument
from xwtui.session.jobs.fills.kept_fills import FillChoice, is_much
from xwtui.session.jobs.job import Snapshot
from xwtui.session.jobs.jobs import Jobs
from xwtui.session.kept_out import PersonalEdit, Way, admitted_words, admitting_written
from xwtui.session.messages import Message, Notice, Severity
from xwtui.session.problem_holders import asks_the_same
from xwtui.session.settings import NO_OVERRIDES, Overrides, Settings, load_settings, save_settings

with lazy_imports():
    from xwtui.session.jobs.question import Proposal
    from xwtui.session.recording import read_recording
    from xwtui.session.recovery import Recovery, find_recoveries
    from xwtui.words.rule_findings import listed_score
    from xwtui.words.sources import Vocabulary


class NonsenseEntry(NamedTuple):
    """An entry whose answer is in no list, and was not written as an answer but by what crosses it."""

    slot: Slot
    answer: str


class CrossedAnswers:
    """Takes note of answers that change without being written themselves, in one document."""

    def __init__(self) -> None:
        self._crossed: dict[SlotKey, str] = {}
        self._meant: set[tuple[SlotKey, str]] = set()
        """What was written as an answer or stood there at first, a word or not: the constructor wants it."""

    def clear(self) -> None:
        self._crossed.clear()
        self._meant.clear()

    def note(self, before: Puzzle, after: Puzzle, written: Slot | None) -> None:
        """Take note of a change, which wrote along an entry or (None) otherwise."""
        if before.grid is after.grid:
            return
        whole = None if written is None else after.grid.entry_of(written)
        were = before.grid.entries
        known = None if were is after.grid.entries else {slot.key: slot for slot in were}
        for slot in after.grid.entries:
            key, answer = slot.key, after.answer(slot)
            old = before.answer(slot) if known is None or known.get(key) == slot else None
            if answer == old:
                continue
            if old is not None and self._crossed.get(key) != old:
                self._meant.add((key, old))
            if answer is not None and slot == whole:
                self._meant.add((key, answer))
            elif answer is not None:
                self._crossed[key] = answer

    def nonsense(self, puzzle: Puzzle, vocabulary: Vocabulary | None) -> tuple[NonsenseEntry, ...]:
        """Those that stand in a puzzle still and are no words, in the order of the slots; none without lists."""
        if vocabulary is None:
            return ()
        found = []
        for slot in puzzle.grid.entries:
            key = (slot.start, slot.direction)
            answer = self._crossed.get(key)
            if answer is None or (key, answer) in self._meant or puzzle.answer(slot) != answer:
                continue
            if listed_score(puzzle, slot, answer, vocabulary) is None:
                found.append(NonsenseEntry(slot, answer))
        return tuple(found)


BLANK_SIDE = 15
"""Rows and columns of the puzzle that a session begins with."""

_PAUSE = 1.0
"""Seconds without an undo, after which one takes back what undo has stopped before."""

_LOCK = "argue lock"
"""What an edit that locks is called in the history."""


class Session:
    """A document with its cursor, the jobs that go on beside the face, and a constructor's settings.

    Used from the face's thread; only `stop` may be called from elsewhere. `listener` is called with every message,
    from the threads of jobs too. Methods raise XwtuiError where something cannot be done, with nothing changed.
    Where there is no face, `wait` after a verb waits for the job that it began, whose `view` is what it came to.
    """

    def __init__(
        self,
        listener: Callable[[Message], None] = messages.ignore,
        *,
        settings: Settings | None = None,
        journal_folder: Path | None = None,
        overrides: Overrides = NO_OVERRIDES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings if settings is not None else Settings()
        self.asks_first = False
        """Whether somebody is there to take a fill that replaces much of the pencil, or to leave it."""
        self.revision = 0
        """Rises with each change of the puzzle."""
        self._listener = listener
        self._clock = clock
        self._keeping = Keeping(journal_folder, overrides.holds_files, clock)
        self._lock = threading.RLock()
        """Held while the puzzle is read with its revision, or changed."""
        self._is_closed = False
        self._journalled = Journalled(self._tell)
        self._engine_phase: messages.EnginePhase | None = None
        self._undo_stopped = (-1, 0.0)
        """The revision at which undo stopped last, and when it was asked for last there."""
        self._shown = run_view.BestShown()
        self.document = Document(Puzzle.blank(BLANK_SIDE, BLANK_SIDE), keeping=self._keeping)
        self.cursor = Cursor(lambda: self.puzzle.grid, self._tell)
        self.selection = Selection(lambda: self.puzzle.grid, self._tell)
        self.fills = FillChoice(self)
        self._crossed = CrossedAnswers()
        self.jobs = Jobs(self._hear, self._snapshot, overrides)
        self.jobs.live_fill.is_on = self.settings.live_fill

    @property
    def puzzle(self) -> Puzzle:
        return self.document.puzzle

    @property
    def shown_puzzle(self) -> Puzzle:
        """The puzzle with the best fill of a run that looks for good ones, as a face shows it meanwhile."""
        run = self.jobs.fill.view if self.jobs.fill.is_running else None
        return self.puzzle if run is None or run.quality is None else self._shown(self.puzzle, run)

    def settle(self, slot: Slot | None = None) -> Puzzle:
        """The puzzle with the answers that are shown, or with that of one slot: a run that shows others ends."""
        shown, puzzle = self.shown_puzzle, self.puzzle
        if shown.grid != puzzle.grid if slot is None else shown.answer(slot) != puzzle.answer(slot):
            self.jobs.fill.stop()
        return self.puzzle

    @property
    def nonsense_entries(self) -> tuple[NonsenseEntry, ...]:
        """The entries that edits of others have left without a word, until that is mended; none without lists."""
        return self._crossed.nonsense(self.shown_puzzle, self.jobs.words.view)

    # Edits

    def edit(
        self,
        label: str,
        function: Callable[[Puzzle], Puzzle],
        *,
        along: Slot | None = None,
        is_typed: bool = False,
        keeps_search: bool = False,
        moved: MovedSquares | None = None,
    ) -> bool:
        """Change the puzzle by a pure function; returns whether it made a difference.

        A run is stopped, if the edit touches what it is about and does not keep it; what it has found is written
        first, as an edit of its own. `along` is the entry whose answer is being written, if one is; if that
        `is_typed`, letter by letter, letters that follow each other fast are one edit. What `function` raises is
        passed on, with nothing changed.
        """
        if self.jobs.fill.has_found and not (keeps_search or asks_the_same(self.puzzle, function(self.puzzle))):
            self.jobs.fill.stop()
        with self._lock:
            before = self.puzzle
            after, admitted = admitting_written(before, self.jobs.words.told(before, function(before)), along)
            if after == before:
                return False
            self._journalled(lambda: self.document.record(after, label, moved, along if is_typed else None))
            dropped = self._puzzle_was(before, keeps_search=keeps_search, along=along, moved=moved)
        self._tell_change(label, dropped)
        if admitted:
            self._tell(Notice(admitted_words(admitted)))
        return True

    def note_beside(self, label: str, made: PersonalEdit) -> None:
        """Take note of an edit of the personal list, made already, for undo to take back; a run is stopped."""
        self.jobs.fill.stop()
        with self._lock:
            self._journalled(lambda: self.document.record(self.puzzle, label, made))
            self._puzzle_was(self.puzzle)
        self._tell_change(label)

    def amend(self, label: str, function: Callable[[Puzzle], Puzzle]) -> None:
        """Change what a fill does not ask for and undo does not take back: the snapshots."""
        with self._lock:
            after = function(self.puzzle)
            self._journalled(lambda: self.document.amend(after, label))
            self._keep_safe()
        self._tell(messages.PuzzleChanged(label))

    def undo(self) -> str | None:
        """Take the last edit back; returns its label, or None. A run that has found something is that edit.

        A swap that has found nothing yet is taken back alone: it was asked for last. Raises VerbError where undo
        comes from other edits to one of the personal list, until it is asked for again after a pause.
        """
        before = self.puzzle
        swap = self.jobs.fill.swap_going_on
        if self.jobs.fill.has_found or swap:
            self.jobs.fill.stop()
        with self._lock:  # what a swap has found since it was looked at is written by now
            has_changed = self.puzzle is not before
        if swap and not has_changed:
            return f"{swap} (nothing had changed yet)"
        self._check_own_list()
        return self._travel(self.document.history.undo_label, self.document.undo, "undo")

    def _check_own_list(self) -> None:
        """Stop where undos in a burst come to an edit of the personal list, which is for every puzzle."""
        history = self.document.history
        is_of_list = isinstance(history.beside("undo"), PersonalEdit)
        comes_from_others = history.redo_label is not None and not isinstance(history.beside("redo"), PersonalEdit)
        if not (self.asks_first and is_of_list and comes_from_others):
            return
        now, (revision, asked_at) = self._clock(), self._undo_stopped
        self._undo_stopped = self.revision, now
        if revision != self.revision or now - asked_at < _PAUSE:
            what = f"`{history.undo_label}` is for all your puzzles"
            raise VerbError(f"undo stops here: {what}; wait, then undo again")

    def redo(self) -> str | None:
        return self._travel(self.document.history.redo_label, self.document.redo, "redo")

    def _travel(
        self, label: str | None, move: Callable[[], str | None], way: Way, *, keeps_search: bool = False
    ) -> str | None:
        if label is None:
            return None
        beside = self.document.history.beside(way)
        with self._lock:
            before = self.puzzle
            moved = beside if isinstance(beside, MovedSquares) else None
            self._journalled(move)
            moved = moved and (moved.back() if way == "undo" else moved)
            dropped = self._puzzle_was(before, keeps_search=keeps_search, moved=moved)
        if isinstance(beside, PersonalEdit) and (left := beside.follow(way)):
            self._tell(Notice(left, Severity.WARNING))
        self._tell_change(f"{way} {label}", dropped)
        return label

    def _puzzle_was(
        self,
        before: Puzzle,
        *,
        is_another: bool = False,
        keeps_search: bool = False,
        along: Slot | None = None,
        moved: MovedSquares | None = None,
    ) -> run_view.RunView | None:
        """Take note, under the lock, of a change or another document; returns how a run stood that had to end."""
        self.revision += 1
        grid = self.puzzle.grid
        if is_another:
            self.cursor.reset()
            self.selection.clear()
            self.fills.clear()
            self._crossed.clear()
        elif before.grid is not grid:
            if moved is not None:
                place, direction = self.cursor.place
                turned = direction.other if moved.are_turned else direction
                if place not in moved.places:
                    self.cursor.keep_on_grid()
                self.cursor.move_to(moved.places.get(place, self.cursor.position), turned)
                selected = self.selection.squares.intersection(moved.places)
                self.selection.select([moved.places[at] for at in selected])
            self.cursor.keep_on_grid()
            self.selection.keep_on_grid()
            self.fills.keep_fitting(before.grid)
            self._crossed.note(before, self.puzzle, along)
        self.jobs.answer.stop()
        self.jobs.question.stop()
        self.jobs.candidates.stop()
        if not is_another and (keeps_search or asks_the_same(before, self.puzzle)):
            self._keep_safe()
            return None
        dropped = self.jobs.fill.drop()
        self.jobs.fill.forget(None if is_another else before.grid)
        return dropped

    def _tell_change(self, label: str, dropped: run_view.RunView | None = None) -> None:
        """Tell of a change, once the lock is free, after the end of the run that it has ended."""
        if dropped is not None:
            self._tell(messages.FillEnded(dropped))
        self._tell(messages.PuzzleChanged(label))
        self.jobs.look_again()

    # Files

    def new(self, puzzle: Puzzle, made_by: str = "", *, is_from_elsewhere: bool = False, named: str = "") -> None:
        """Begin a document without a file, unsaved work if a verb has made it; what was not saved is dropped."""
        is_work = bool(made_by)
        document = Document(
            puzzle, None, self._keeping, is_from_elsewhere=is_from_elsewhere, is_work=is_work, named=named
        )
        self._replace(document, made_by or "new")

    def open(
        self,
        path: Path,
        read: ReadPuzzle | None = None,
        options: ReadOptions = PLAINLY,
        *,
        first: Callable[[], object] = lambda: None,
    ) -> None:
        """Open a puzzle file of any format, or take what was `read` from it; what was not saved is dropped.

        Before that, `first` is done. What comes out of a pipe has no file: it is as if it were made anew.
        """
        source = full_path(path)
        found, warnings = take_file(source, options) if read is None else read
        kept_at = None if is_pipe(source) else source
        document = Document(
            found, kept_at, self._keeping, is_from_elsewhere=kept_at is None, read_warnings=warnings
        )
        first()
        self._replace(document, f"open {source.name}")
        for warning in document.opening_words(is_told=read is not None):
            self._tell(Notice(warning, Severity.WARNING))

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle to its file, or to another, which becomes its file; see `Document.save`."""
        with self._lock:
            saved = self.document.save(path, force=force)
            self._keep_safe()
        self._tell(messages.Saved(saved))
        self.jobs.was_saved(keeps_clues=self.settings.keep_clues)
        return saved

    def recoveries(self, files: Collection[Path | None] = ()) -> tuple[Recovery, ...]:
        """The unsaved work of processes that ended without saving, the newest first; of some files, if named."""
        return find_recoveries(self.document.journal.folder, files)

    def recover(self, recovery: Recovery) -> None:
        """Go on with unsaved work, whose edits can be undone one by one, as far as its journal has them."""
        with recovery.taken():
            beginning, is_saved = recovery.beginning()
            document = Document(beginning, recovery.source, self._keeping, is_work=not is_saved)
            recovery.bring_back(document, self._journalled)
        self._replace(document, "recover")

    def discard_changes(self) -> None:
        """Forget what is not saved, and what a run has found: it will not be offered again."""
        with self._lock:
            self.jobs.fill.drop()
            self.document.journal.clear()

    def replay(self, path: Path) -> None:
        """Open the grid of a trace file, and walk its search from the start; raises EngineError for no trace."""
        puzzle, recording, last = read_recording(path)
        self.new(puzzle, named=path.name)
        self.jobs.fill.replay(recording, last)

    def _replace(self, document: Document, label: str) -> None:
        with self._lock:
            before = self.puzzle
            self.document.drop()
            self.document = document
            self.keep_safe(self.puzzle, label)
            dropped = self._puzzle_was(before, is_another=True)
        self._tell_change(label, dropped)
        if self.jobs.live_fill.is_on and not self.settings.live_fill:  # it was that of a design
            self.fill_live(False)

    # What jobs bring into the puzzle

    def accept(self, squares: Collection[Position] | None = None, name: str = "all") -> bool:
        """Ink what a search that stands still has on the grid, or else what is in pencil; returns whether any was.

        With squares, only these; `name` says in the history what they are.
        """
        if (fill := self.jobs.fill).has_found:
            fill.stop()
        shown = fill.shown_squares
        label = "accept" if squares is None else f"accept {name}"
        return self.edit(label, lambda puzzle: run_view.accepted(puzzle, shown, squares))

    def follow(self, proposal: Proposal) -> Proposal:
        """Make a change that a question has proposed, as one edit; returns it."""
        self.edit(proposal.text, proposal.change)
        return proposal

    def is_asked_about(self, proposal: Proposal) -> bool:
        """Whether a swap or a fill would replace much of the pencil, and somebody is asked before that is done."""
        pencil = pencil_squares(self.puzzle.grid)
        return (
            self.asks_first and proposal.found is not None and is_much(proposal.replaces(self.puzzle.grid), pencil)
        )

    def offer(self, proposal: Proposal) -> bool:
        """Leave a swap to be taken about which somebody is asked; False for what is to be made at once."""
        if proposal.found is None or not self.is_asked_about(proposal):
            return False
        self.fills.keep(self.puzzle, [proposal.found])
        return True

    def argue(self, argument: SearchArgument) -> None:
        """Say something against the search that stands still; a refusal may come later, as ArgumentRefused.

        Raises VerbError where no search stands still.
        """
        view = self.jobs.fill.standing()
        was_lock = bool(view.arguments) and view.arguments[-1].kind is ArgumentKind.LOCK
        if argument.kind is ArgumentKind.LOCK:
            standing = run_view.decided_squares(view)
            self.edit(_LOCK, lambda puzzle: run_view.with_locked(puzzle, standing), keeps_search=True)
        elif argument.kind is ArgumentKind.BACK and self.document.history.undo_label == _LOCK and was_lock:
            self._travel(_LOCK, self.document.undo, "undo", keeps_search=True)
        self.jobs.fill.go(Goal(argument=argument))

    def _snapshot(self) -> Snapshot:
        with self._lock:
            document = self.document
            return Snapshot(
                document.puzzle,
                document.path,
                self.revision,
                document.is_from_elsewhere,
                self.settings.repeat_cost,
            )

    def _hear(self, message: Message) -> None:
        """Take in what a job tells, from its thread, and pass it on."""
        if isinstance(message, messages.FillEnded) and not message.run.paused and not self._take_fill(message.run):
            return
        if isinstance(message, messages.FillProgress):
            self._keep_safe()
        self._tell(message)
        is_news = isinstance(message, messages.LexiconReady | messages.LexiconFailed)
        if isinstance(message, messages.EngineState) and message.phase is not self._engine_phase:
            self._engine_phase = message.phase
            # the engine can do more now, or will not come
            is_news = message.phase in (messages.EnginePhase.READY, messages.EnginePhase.FAILED)
        if is_news:
            self.jobs.look_again()

    def keep_safe(self, puzzle: Puzzle, label: str) -> None:
        """Journal what the puzzle will be once what is being written is kept, in case of a kill."""
        with self._lock:
            self._journalled(lambda: self.document.keep_safe(puzzle, label))

    def _keep_safe(self) -> None:
        """Journal what the run that goes on would leave if it were stopped now, in case that it is killed."""
        with self._lock:
            if (found := self.jobs.fill.if_stopped()) is not None:
                self.keep_safe(*run_view.edit_of_run(self.puzzle, *found))

    def _take_fill(self, view: run_view.RunView) -> bool:
        """Write what a run has found in pencil, as one edit, and keep its fills, if it is still the one wanted."""
        with self._lock:
            if (run := self.jobs.fill.claim(view)) is None:
                return False
            before = self.puzzle
            found, label = run_view.edit_of_run(before, run.options, view)
            if (after := self.jobs.words.told(before, found)) != before:
                self._journalled(lambda: self.document.record(after, label))
                self._puzzle_was(before)
            else:
                self._journalled(lambda: self.document.keep_safe(before, label))
            self.jobs.fill.note_end(run, view)
            self.document.note_written(run_view.files_written(run.options, view))
            self.fills.keep(after, run.found if view.offered is None else (view.offered,))
        if after != before:
            self._tell_change(label)
        return True

    # Jobs

    def start(self) -> None:
        self.jobs.start()

    def remember(self, **choices: Any) -> None:
        """Keep some settings, for every session from now on; raises XwtuiError where they cannot be written."""
        save_settings(replace(load_settings(), **choices))
        self.settings = replace(self.settings, **choices)

    def fill_live(self, is_on: bool) -> None:
        self.settings = replace(self.settings, live_fill=is_on)
        self.jobs.fill_live(is_on)
        if not is_on:
            self._tell(messages.LiveFillReady(self.revision, {}))

    def wait_until_ready(self, timeout: float | None = None) -> None:
        """Wait for words and engine; raises XwtuiError where they fail or take longer than `timeout` seconds."""
        self.jobs.wait_until_ready(timeout)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no job that was asked for goes on; returns False where time ran out first."""
        return self.jobs.wait(timeout)

    def stop(self) -> bool:
        """Stop what goes on, as `Jobs.stop`; for signal handlers and other threads, too."""
        return self.jobs.stop()

    def close(self) -> None:
        """Stop the jobs and tell nothing more; unsaved work and what a run has found stay in the journal."""
        if self.jobs.fill.has_found:
            self.jobs.fill.stop()
        self._is_closed = True
        self.jobs.close()
        self.document.close()

    def _tell(self, message: Message) -> None:
        """Tell the listener, from whatever thread; a closed session has nothing more to tell."""
        if not self._is_closed:
            self._listener(message)
