"""The session: everything that one face holds, composed of its parts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.errors import VerbError, XwtuiError, reason_of
from xwtui.formats.intake import DEFAULT_READ_OPTIONS, ReadOptions, ReadPuzzle
from xwtui.formats.registry import load_file
from xwtui.lazy import lazy_imports
from xwtui.model import Position, Puzzle, Slot, SlotKey
from xwtui.model.edits import write_fill
from xwtui.model.statistics import pencil_squares
from xwtui.reading import is_pipe
from xwtui.session import messages, run_view
from xwtui.session.cursor import Cursor, MovedSquares, Selection, WrittenFrom
from xwtui.session.document import Document, DocumentStorage, full_path
from xwtui.session.exclusions import PersonalEdit, Way, allowed_again_words, allowing_written
from xwtui.session.goals import ArgumentKind, Goal, SearchArgument
from xwtui.session.jobs.fills.kept_fills import FillChoice, is_much
from xwtui.session.jobs.job import Snapshot
from xwtui.session.jobs.jobs import Jobs
from xwtui.session.messages import Message, Notice, Severity
from xwtui.session.problem_holders import same_puzzle
from xwtui.session.settings import NO_OVERRIDES, Overrides, Settings, load_settings, save_settings

with lazy_imports():
    from xwtui.session.jobs.question import Proposal
    from xwtui.session.recording import read_recording
    from xwtui.session.recovery import Recovery, find_recoveries
    from xwtui.words.rule_findings import listed_score
    from xwtui.words.sources import Vocabulary


class UnlistedCrossing(NamedTuple):
    """An entry whose answer is in no word list and results only from edits to its crossings."""

    slot: Slot
    answer: str


class CrossedAnswers:
    """Tracks the answers of one document that changed only because a crossing was edited."""

    def __init__(self) -> None:
        self._crossed: dict[SlotKey, str] = {}
        self._intended: set[tuple[SlotKey, str]] = set()
        """Answers, listed or not, that were written as such or stood there at first: the constructor wants
        them."""

    def clear(self) -> None:
        self._crossed.clear()
        self._intended.clear()

    def note(self, before: Puzzle, after: Puzzle, written: Slot | None) -> None:
        """Record a change of the puzzle; `written` is the entry written, None for an edit of another kind."""
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
                self._intended.add((key, old))
            if answer is not None and slot == whole:
                self._intended.add((key, answer))
            elif answer is not None:
                self._crossed[key] = answer

    def nonsense(self, puzzle: Puzzle, vocabulary: Vocabulary | None) -> tuple[UnlistedCrossing, ...]:
        """Return tracked answers still in the puzzle that are in no list, in slot order; none without lists."""
        if vocabulary is None:
            return ()
        found = []
        for slot in puzzle.grid.entries:
            key = (slot.start, slot.direction)
            answer = self._crossed.get(key)
            if answer is None or (key, answer) in self._intended or puzzle.answer(slot) != answer:
                continue
            if listed_score(puzzle, slot, answer, vocabulary) is None:
                found.append(UnlistedCrossing(slot, answer))
        return tuple(found)


BLANK_SIDE = 15
"""Rows and columns of a new session's puzzle."""

_PAUSE = 1.0
"""Seconds that must pass without an undo request before undo crosses the edit it stopped at."""

_LOCK = "argue lock"
"""The history's label for an edit that locks squares during an argument with the search."""


class Session:
    """A document with its cursor, its background jobs, and the constructor's settings.

    Call it from the face's thread only, except for `stop`, which is thread-safe. `listener` is called with every
    message, also from the jobs' threads. Methods that cannot do their work raise XwtuiError and change nothing.
    Without a face, call `wait` after a verb to wait for the job that it started; the job's `view` then holds the
    result.
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
        self.can_ask_user = False
        """Whether a user is there to accept or decline a fill that replaces much of the pencil."""
        self.revision = 0
        """Incremented with each change of the puzzle."""
        self._listener = listener
        self._clock = clock
        self._storage = DocumentStorage(journal_folder, overrides.holds_files, clock)
        self._lock = threading.RLock()
        """Held while the puzzle is read together with its revision, and while it changes."""
        self._is_closed = False
        self._is_backup_broken = False
        """Whether the last change could not be journalled, which was reported."""
        self._engine_phase: messages.EnginePhase | None = None
        self._undo_stopped = (-1, 0.0)
        """The revision at which undo last stopped, and the time of the last undo request there."""
        self._shown: tuple[Puzzle, run_view.RunView, Puzzle] | None = None
        """A puzzle, a run, and the puzzle with the best fill of the run: the last one shown."""
        self.document = Document(Puzzle.blank(BLANK_SIDE, BLANK_SIDE), storage=self._storage)
        self.cursor = Cursor(lambda: self.puzzle.grid, self._post)
        self.selection = Selection(lambda: self.puzzle.grid, self._post)
        self.fills = FillChoice(lambda: self.puzzle.grid, self.edit)
        self._crossed = CrossedAnswers()
        self.jobs = Jobs(self._on_job_message, self._snapshot, overrides)
        self.jobs.live_fill.is_on = self.settings.live_fill

    @property
    def puzzle(self) -> Puzzle:
        return self.document.puzzle

    @property
    def shown_puzzle(self) -> Puzzle:
        """The puzzle as a face shows it: during an optimizing run, with the best fill found so far."""
        run, puzzle = self.jobs.fill.view if self.jobs.fill.is_running else None, self.puzzle
        if run is None or run.quality is None:
            return puzzle
        shown = self._shown
        if shown is None or shown[0] is not puzzle or shown[1] is not run:
            self._shown = shown = puzzle, run, write_fill(puzzle, run.squares)
        return shown[2]

    def commit_shown(self, slot: Slot | None = None) -> Puzzle:
        """Return the puzzle after stopping a run that shows other answers, anywhere or (if given) at one slot."""
        shown, puzzle = self.shown_puzzle, self.puzzle
        if shown.grid != puzzle.grid if slot is None else shown.answer(slot) != puzzle.answer(slot):
            self.jobs.fill.stop()
        return self.puzzle

    @property
    def unlisted_crossings(self) -> tuple[UnlistedCrossing, ...]:
        """Entries that edits to their crossings have left without a word; none while no word lists are loaded."""
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
        """Change the puzzle by a pure function; returns whether it changed.

        If the edit affects what a run depends on, the run is stopped, unless `keeps_search` is set. What it has
        found is written first, as an edit of its own. `along` is the entry whose answer is being written, if any.
        With `is_typed`, undo returns the cursor to its present place, and letters typed into `along` in quick
        succession form one edit. Exceptions raised by `function` pass through, and nothing changes.
        """
        if self.jobs.fill.has_found and not (keeps_search or same_puzzle(self.puzzle, function(self.puzzle))):
            self.jobs.fill.stop()
        with self._lock:
            before = self.puzzle
            after, admitted = allowing_written(
                before, self.jobs.words.with_answers(before, function(before)), along
            )
            if after == before:
                return False
            typed, start = (along, WrittenFrom(*self.cursor.place)) if is_typed else (None, None)
            self._journalled(lambda: self.document.record(after, label, moved or start, typed))
            dropped = self._puzzle_changed(before, keeps_search=keeps_search, along=along, moved=moved)
        self._post_change(label, dropped)
        if admitted:
            self._post(Notice(allowed_again_words(admitted)))
        return True

    def record_list_edit(self, label: str, made: PersonalEdit) -> None:
        """Record an edit of the personal list, already made, so that undo can take it back; a run is stopped."""
        self.jobs.fill.stop()
        with self._lock:
            self._journalled(lambda: self.document.record(self.puzzle, label, made))
            self._puzzle_changed(self.puzzle)
        self._post_change(label)

    def amend(self, label: str, function: Callable[[Puzzle], Puzzle]) -> None:
        """Change what neither affects a fill nor is taken back by undo: the snapshots."""
        with self._lock:
            after = function(self.puzzle)
            self._journalled(lambda: self.document.amend(after, label))
            self._journal_run()
        self._post(messages.PuzzleChanged(label))

    def undo(self) -> str | None:
        """Take the last edit back; returns its label, or None. What a run has found counts as the last edit.

        A swap that has found nothing yet is the last request, so it alone is taken back. Raises VerbError where
        undo, after other edits, reaches an edit of the personal list; it goes through if requested again after a
        pause.
        """
        before = self.puzzle
        swap = self.jobs.fill.running_swap
        if self.jobs.fill.has_found or swap:
            self.jobs.fill.stop()
        with self._lock:  # by now, anything that the swap found since the check above is written
            has_changed = self.puzzle is not before
        if swap and not has_changed:
            return f"{swap} (nothing had changed yet)"
        self._check_own_list()
        return self._step_history(self.document.history.undo_label, self.document.undo, "undo")

    def _check_own_list(self) -> None:
        """Stop a series of undos before an edit of the personal list, because that list serves every puzzle."""
        history = self.document.history
        is_of_list = isinstance(history.attachment("undo"), PersonalEdit)
        comes_from_others = history.redo_label is not None and not isinstance(
            history.attachment("redo"), PersonalEdit
        )
        if not (self.can_ask_user and is_of_list and comes_from_others):
            return
        now, (revision, asked_at) = self._clock(), self._undo_stopped
        self._undo_stopped = self.revision, now
        if revision != self.revision or now - asked_at < _PAUSE:
            what = f"`{history.undo_label}` is for all your puzzles"
            raise VerbError(f"undo stops here: {what}; wait, then undo again")

    def redo(self) -> str | None:
        return self._step_history(self.document.history.redo_label, self.document.redo, "redo")

    def _step_history(
        self, label: str | None, move: Callable[[], str | None], way: Way, *, keeps_search: bool = False
    ) -> str | None:
        if label is None:
            return None
        attachment = self.document.history.attachment(way)
        with self._lock:
            before = self.puzzle
            moved = attachment if isinstance(attachment, MovedSquares) else None
            self._journalled(move)
            moved = moved and (moved.back() if way == "undo" else moved)
            dropped = self._puzzle_changed(before, keeps_search=keeps_search, moved=moved)
            if isinstance(attachment, WrittenFrom) and way == "undo":
                self.cursor.move_to(*attachment)
        if isinstance(attachment, PersonalEdit) and (left := attachment.apply(way)):
            self._post(Notice(left, Severity.WARNING))
        self._post_change(f"{way} {label}", dropped)
        return label

    def _puzzle_changed(
        self,
        before: Puzzle,
        *,
        is_another: bool = False,
        keeps_search: bool = False,
        along: Slot | None = None,
        moved: MovedSquares | None = None,
    ) -> run_view.RunView | None:
        """Handle, under the lock, a changed or replaced puzzle; returns the last view of a run that had to end."""
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
        if not is_another and (keeps_search or same_puzzle(before, self.puzzle)):
            self._journal_run()
            return None
        dropped = self.jobs.fill.drop()
        self.jobs.fill.forget(None if is_another else before.grid)
        return dropped

    def _post_change(self, label: str, dropped: run_view.RunView | None = None) -> None:
        """Post a change after the end of the run that it stopped, if any; call it without the lock."""
        if dropped is not None:
            self._post(messages.FillEnded(dropped))
        self._post(messages.PuzzleChanged(label))
        self.jobs.refresh()

    # Files

    def new(self, puzzle: Puzzle, made_by: str = "", *, is_external: bool = False, named: str = "") -> None:
        """Start a document without a file, unsaved if a verb made it (`made_by`); unsaved changes are dropped."""
        is_work = bool(made_by)
        document = Document(puzzle, None, self._storage, is_external=is_external, is_work=is_work, named=named)
        self._replace(document, made_by or "new")

    def open(
        self,
        path: Path,
        read: ReadPuzzle | None = None,
        options: ReadOptions = DEFAULT_READ_OPTIONS,
        *,
        first: Callable[[], object] = lambda: None,
    ) -> None:
        """Open a puzzle file of any format, or use what was already `read` from it; unsaved changes are dropped.

        `first` is called before the document is replaced. A puzzle from a pipe has no file.
        """
        source = full_path(path)
        found, warnings = load_file(source, options) if read is None else read
        kept_at = None if is_pipe(source) else source
        document = Document(found, kept_at, self._storage, is_external=kept_at is None, read_warnings=warnings)
        first()
        self._replace(document, f"open {source.name}")
        for warning in document.opening_words(is_told=read is not None):
            self._post(Notice(warning, Severity.WARNING))

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle to its own file, or to another one that becomes its file; see `Document.save`."""
        with self._lock:
            saved = self.document.save(path, force=force)
            self._journal_run()
        self._post(messages.Saved(saved, self.left_out_words))
        self.jobs.was_saved(keeps_clues=self.settings.keep_clues)
        return saved

    @property
    def left_out_words(self) -> str:
        """The message if a running search shows a fill that is not part of the puzzle yet, or an empty string."""
        found = self.jobs.fill.result_if_stopped()
        if found is None or run_view.edit_of_run(self.puzzle, *found)[0] == self.puzzle:
            return ""
        return "the fill that is shown is not in the file yet: `stop` keeps it, then save again"

    def recoveries(self, files: Collection[Path | None] = ()) -> tuple[Recovery, ...]:
        """Return unsaved work left by processes that have ended, newest first; only that of `files`, if given."""
        return find_recoveries(self.document.journal.folder, files)

    def recover(self, recovery: Recovery) -> None:
        """Continue with recovered work; its edits can be undone one by one, as far as its journal records them."""
        with recovery.taken():
            beginning, is_saved = recovery.beginning()
            document = Document(beginning, recovery.source, self._storage, is_work=not is_saved)
            recovery.bring_back(document, self._journalled)
        self._replace(document, "recover")

    def discard_changes(self) -> None:
        """Drop unsaved changes and what a run has found, so that recovery will not offer them."""
        with self._lock:
            self.jobs.fill.drop()
            self.document.journal.clear()

    def replay(self, path: Path) -> None:
        """Open a trace file's grid and go to the start of its search; raises EngineError if it is not a trace."""
        puzzle, recording, last = read_recording(path)
        self.new(puzzle, named=path.name)
        self.jobs.fill.replay(recording, last)

    def _replace(self, document: Document, label: str) -> None:
        with self._lock:
            before = self.puzzle
            self.document.drop()
            self.document = document
            self.journal_pending(self.puzzle, label)
            dropped = self._puzzle_changed(before, is_another=True)
        self._post_change(label, dropped)
        if self.jobs.live_fill.is_on and not self.settings.live_fill:  # only a design had turned it on
            self.fill_live(False)

    # Results of jobs that go into the puzzle

    def accept(self, squares: Collection[Position] | None = None, name: str = "all") -> bool:
        """Turn what the search shows, or without one the pencil, into pen; returns whether anything changed.

        Only `squares` are accepted, if given; `name` is what the history calls them.
        """
        if (fill := self.jobs.fill).has_found:
            fill.stop()
        shown = fill.shown_squares
        label = "accept" if squares is None else f"accept {name}"
        return self.edit(label, lambda puzzle: run_view.accepted(puzzle, shown, squares))

    def follow(self, proposal: Proposal) -> Proposal:
        """Apply a change that a question has proposed, as one edit; returns the proposal."""
        self.edit(proposal.text, proposal.change)
        return proposal

    def needs_confirmation(self, proposal: Proposal) -> bool:
        """Whether to ask before applying it: it replaces much of the pencil, and a user is there to answer."""
        pencil = pencil_squares(self.puzzle.grid)
        return (
            self.can_ask_user
            and proposal.found is not None
            and is_much(proposal.replaces(self.puzzle.grid), pencil)
        )

    def offer(self, proposal: Proposal) -> bool:
        """Keep a swap that needs confirmation for the user to take; False means it may be applied at once."""
        if proposal.found is None or not self.needs_confirmation(proposal):
            return False
        self.fills.keep(self.puzzle, [proposal.found])
        return True

    def argue(self, argument: SearchArgument) -> None:
        """Argue against the paused search; it may refuse later (ArgumentRefused). Raises VerbError."""
        view = self.jobs.fill.paused_view()
        was_lock = bool(view.arguments) and view.arguments[-1].kind is ArgumentKind.LOCK
        if argument.kind is ArgumentKind.LOCK:
            contents = run_view.decided_squares(view)
            self.edit(_LOCK, lambda puzzle: run_view.with_locked(puzzle, contents), keeps_search=True)
        elif argument.kind is ArgumentKind.BACK and self.document.history.undo_label == _LOCK and was_lock:
            self._step_history(_LOCK, self.document.undo, "undo", keeps_search=True)
        self.jobs.fill.go(Goal(argument=argument))

    def _snapshot(self) -> Snapshot:
        with self._lock:
            document = self.document
            return Snapshot(
                document.puzzle,
                document.path,
                self.revision,
                document.is_external,
                self.settings.repeat_cost,
            )

    def _on_job_message(self, message: Message) -> None:
        """Process a job's message, on the job's thread, and pass it on."""
        if (
            isinstance(message, messages.FillEnded)
            and not message.run.paused
            and not self._write_fill(message.run)
        ):
            return
        if isinstance(message, messages.FillProgress):
            self._journal_run()
        self._post(message)
        is_news = isinstance(message, messages.LexiconReady | messages.LexiconFailed)
        if isinstance(message, messages.EngineState) and message.phase is not self._engine_phase:
            self._engine_phase = message.phase
            # the engine can do more now, or has failed for good
            is_news = message.phase in (messages.EnginePhase.READY, messages.EnginePhase.FAILED)
        if is_news:
            self.jobs.refresh()

    def _journalled(self, change: Callable[[], object]) -> None:
        """Change the document; the first of several failures to journal it is reported."""
        try:
            change()
        except (OSError, XwtuiError) as error:
            if not self._is_backup_broken:
                notice = f"changes are not being backed up, so save soon: {reason_of(error)}"
                self._post(Notice(notice, Severity.WARNING))
            self._is_backup_broken = True
        else:
            self._is_backup_broken = False

    def journal_pending(self, puzzle: Puzzle, label: str) -> None:
        """Journal what the puzzle will become when a pending write completes, in case the process is killed."""
        with self._lock:
            self._journalled(lambda: self.document.journal_pending(puzzle, label))

    def _journal_run(self) -> None:
        """Journal what the current run would leave if it were stopped now, in case the process is killed."""
        with self._lock:
            if (found := self.jobs.fill.result_if_stopped()) is not None:
                self.journal_pending(*run_view.edit_of_run(self.puzzle, *found))

    def _write_fill(self, view: run_view.RunView) -> bool:
        """Write a run's result in pencil as one edit and keep its fills; returns False if the run was dropped."""
        with self._lock:
            if (run := self.jobs.fill.claim(view)) is None:
                return False
            before = self.puzzle
            found, label = run_view.edit_of_run(before, run.options, view)
            if (after := self.jobs.words.with_answers(before, found)) != before:
                self._journalled(lambda: self.document.record(after, label))
                self._puzzle_changed(before)
            else:
                self._journalled(lambda: self.document.journal_pending(before, label))
            self.jobs.fill.note_end(run, view)
            self.document.note_written(run_view.files_written(run.options, view))
            self.fills.keep(after, run.found if view.offered is None else (view.offered,))
        if after != before:
            self._post_change(label)
        return True

    # Jobs

    def start(self) -> None:
        self.jobs.start()

    def remember(self, **choices: Any) -> None:
        """Change settings for this and every future session; raises XwtuiError if they cannot be written."""
        save_settings(replace(load_settings(), **choices))
        self.settings = replace(self.settings, **choices)

    def fill_live(self, is_on: bool) -> None:
        self.settings = replace(self.settings, live_fill=is_on)
        self.jobs.fill_live(is_on)
        if not is_on:
            self._post(messages.LiveFillReady(self.revision, {}))

    def wait_until_ready(self, timeout: float | None = None) -> None:
        """Wait for words and engine; raises XwtuiError if they fail or take longer than `timeout` seconds."""
        self.jobs.wait_until_ready(timeout)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no requested job is running; returns False on timeout."""
        return self.jobs.wait(timeout)

    def stop(self) -> bool:
        """Stop the running jobs, as `Jobs.stop` does; safe in signal handlers and other threads."""
        return self.jobs.stop()

    def close(self) -> None:
        """Stop the jobs and post no more messages; unsaved work and a run's finds stay in the journal."""
        if self.jobs.fill.has_found:
            self.jobs.fill.stop()
        self._is_closed = True
        self.jobs.close()
        with self._lock:  # a run that is just journalling its result would start the journal again
            self.document.close()

    def _post(self, message: Message) -> None:
        if not self._is_closed:
            self._listener(message)
