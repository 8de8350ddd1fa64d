"""Runs a verb as a process: opens a session on the grid, calls the verb, prints and writes the answer."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from xwtui.dataclasses import replace
from xwtui.engine.events.event import Outcome
from xwtui.errors import PencilMissingError, PuzzleFormatError, VerbError, WordListError, XwtuiError
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.intake import ReadOptions, ReadWarning
from xwtui.interrupts import Exit, interrupt_flag, stopped_by
from xwtui.lazy import lazy_imports
from xwtui.memory import note_loaded
from xwtui.model import Puzzle
from xwtui.model.edits import set_alphabet
from xwtui.printing import draw_grid, paint, wants_colours, warn
from xwtui.resources import puzzles_folder
from xwtui.session.answers import FilesWritten, ImmediateAnswer, VerbAnswer
from xwtui.session.fill_answer import STATUSES
from xwtui.session.overwriting import check_free
from xwtui.session.presence import Presence
from xwtui.session.recent import unreported_notices
from xwtui.session.session import Session
from xwtui.session.settings import Overrides
from xwtui.session.verbs.kinds import ParameterKind
from xwtui.session.verbs.verb import FromShell, Group, Needs, Reply, Verb, Writes, reply_of
from xwtui.shell.progress import ProgressReporter
from xwtui.shell.root import print_object
from xwtui.shell.streams import STDIN, read_source
from xwtui.text import counted, first_named, printable, printable_lines
from xwtui.words.alphabets import find_alphabet
from xwtui.words.normalise import folds_words, recording_folds

with lazy_imports():
    from xwtui.session.verbs.parsing import find_verb_of
    from xwtui.session.verbs.registry import run_line
    from xwtui.words.rule_findings import rule_notes

_TICK_SECONDS = 0.05
_MOST_FILES = 3
"""File names listed per folder."""
_OVERWRITES = "overwrites"
"""The option that a verb which writes its own files shares with the process."""
_EDITING = (Group.GRID, Group.WORDS, Group.RULES)


class Process(NamedTuple):
    """Values of the process-level options."""

    lists: tuple[str, ...] = ()
    minimum_score: int | None = None
    is_graded: bool = False
    allow_repeats: bool = False
    lines: tuple[str, ...] = ()
    as_json: bool = False
    progress_form: str = "line"
    outputs: tuple[Path, ...] = ()
    overwrites: bool = False
    lossy: bool = False
    strict_reading: bool = False
    key: str = ""
    alphabet: str = ""

    @property
    def overrides(self) -> Overrides:
        """The session's settings that the options replace; it does no background work."""
        words = self.lists, self.minimum_score, self.is_graded
        return Overrides(*words, self.allow_repeats, looks_ahead=False, holds_files=False)

    def in_alphabet(self, puzzle: Puzzle) -> Puzzle:
        """Return a puzzle in the alphabet that is named, if any; raises WordListError for an unknown one."""
        return set_alphabet(puzzle, find_alphabet(self.alphabet)) if self.alphabet else puzzle


def run_verb(verb: Verb, use: FromShell, source: str | None, values: dict[str, Any], *, started: float) -> Exit:
    """Call a verb on a grid, print its answer, and write its results.

    Without a source, the verb runs on an empty grid. Raises XwtuiError as the verb does.
    """
    own = {param.name for param in verb.command.params}
    process = Process(**{name: value for name, value in values.items() if name not in own - {_OVERWRITES}})
    given = {name: value for name, value in values.items() if name in own}
    is_about_grid = use.takes_grid and use.needs_grid(given)
    for path in process.outputs:
        use.check_file(path)
        if not (process.overwrites or use.numbers_files(given)):
            check_free(path, source=source)
    progress = ProgressReporter(is_json=process.progress_form == "json")
    with progress, _session(progress, process) as session:
        progress.show("reading the puzzle and the words")
        if source is not None:
            try:
                _open(session, source, process)
            except PuzzleFormatError as error:
                raise PuzzleFormatError(f"{error}{_hint(source, verb, given)}") from error
        elif process.alphabet:
            session.new(process.in_alphabet(session.puzzle))
        needs = use.needs if is_about_grid or not use.takes_grid else Needs.NOTHING
        times = _loaded(session, needs, process, progress)
        note_loaded()
        try:
            reply = _called(session, verb, given)
        except PencilMissingError as error:
            raise PencilMissingError(error.entry, '--do "{}"') from error
        is_stopped = reply.started and _waited(session, progress)
        progress.clear()
        if progress.failures:
            raise XwtuiError("; ".join(progress.failures))
        answer = _answer(reply, is_stopped=is_stopped)
        answer = _written_answer(answer, use, session, process)
        times = times._replace(compile=times.compile + session.jobs.engine.seconds_waited)
        _deliver(answer, times.ended(answer, started), process, use, session.document.read_warnings)
    if is_stopped:
        if answer.stopped:
            warn(f"stopped by {stopped_by()}: {answer.stopped}")
        return Exit.INTERRUPTED
    return STATUSES.get(answer.verdict, Exit.UNKNOWN)


@contextmanager
def _session(progress: ProgressReporter, process: Process) -> Iterator[Session]:
    """Yield a session without background work that leaves nothing behind."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as passing:
        session = Session(progress.receive, journal_folder=Path(passing), overrides=process.overrides)
        try:
            yield session
        finally:
            session.discard_changes()
            session.close()


def _hint(source: str, verb: Verb, given: Mapping[str, Any]) -> str:
    """Return what may be meant by a grid that does not exist: another word of the line, or a template."""
    if source == STDIN or Path(source).exists():
        return ""
    words = (each for value in given.values() for each in (value if isinstance(value, tuple) else [value]))
    later = next((each for each in words if isinstance(each, str) and Path(each).is_file()), None)
    if later is not None:
        return f"; the GRID comes first: `xwtui {verb.name} {printable(later, 200)} {printable(source, 200)}`"
    template = puzzles_folder() / "templates" / f"{source}.txt"
    return f"; the template with that name is {template}" if template.is_file() else ""


def _open(session: Session, source: str, process: Process) -> None:
    """Open a grid in the alphabet given, and run the `--do` lines; raises WordListError and VerbError."""
    read = read_source(source, ReadOptions(process.strict_reading, process.key))
    if source == STDIN:
        session.new(read.puzzle, is_external=True)
    else:
        session.open(Path(source), read)
    if process.alphabet:
        session.edit(f"alphabet {find_alphabet(process.alphabet).name}", process.in_alphabet)
    for line in process.lines:
        words = line.split()
        if words:
            verb = find_verb_of(words)
            if verb.group not in _EDITING:
                groups = ", ".join(group.value.lower() for group in _EDITING)
                name = printable(verb.name)
                raise VerbError(f"--do {name}: --do allows only verbs of these groups: {groups}")
            run_line(session, line)


def _loaded(session: Session, needs: Needs, process: Process, progress: ProgressReporter) -> Times:
    """Load the words, and the engine if the verb needs it; raises WordListError and EngineError."""
    begun = time.perf_counter()
    if needs is Needs.ENGINE:
        session.jobs.engine.start()  # in parallel with the words; if it must be compiled, that is reported at once
    if needs is not Needs.NOTHING:
        request = session.jobs.word_request()
        session.jobs.words.start(request)
        try:
            vocabulary = session.jobs.words.wait(progress.refresh)
        except WordListError as error:
            if needs is Needs.ENGINE or process.lists:
                raise
            warn(f"no scores: {error}")
        else:
            assert vocabulary is not None
            notes = rule_notes(session.puzzle, vocabulary.lexicon) if process.lines else ()
            known = ("", "") if process.lists else request.lists_and_state()
            for warning in (*unreported_notices(vocabulary.warnings, *known), *notes):
                warn(warning)
    loaded = time.perf_counter()
    if needs is Needs.ENGINE:
        session.jobs.engine.wait(progress.refresh)
    return Times(load=loaded - begun, compile=time.perf_counter() - loaded)


def _called(session: Session, verb: Verb, given: Mapping[str, Any]) -> Reply:
    """Call the verb, after parsing the values that depend on the puzzle."""
    kinds = {param.name: param.type for param in verb.command.params}
    with recording_folds() as folds, click.Context(verb.command, obj=session):
        values = {name: _read(kinds[name], value, session) for name, value in given.items()}
        assert verb.command.callback is not None
        answer = verb.command.callback(**values)
    if folds:
        warn(folds_words(folds, session.puzzle.alphabet))
    return reply_of(answer)


def _read(kind: Any, value: Any, session: Session) -> Any:
    if type(value) is tuple:  # several words; a named tuple is already parsed
        return tuple(_read(kind, one, session) for one in value)
    is_late = isinstance(kind, ParameterKind) and (kind.reads_puzzle or kind.reads_letters)
    is_typed = isinstance(value, str) and is_late
    return kind.read(value, session) if is_typed else value


def _waited(session: Session, progress: ProgressReporter) -> bool:
    """Wait for the verb's job; returns whether a signal stopped it."""
    with interrupt_flag() as is_cancelled:
        is_told = False
        while not session.wait(_TICK_SECONDS):
            progress.refresh()
            if is_cancelled() and not is_told:
                is_told = True
                session.stop()
        return is_cancelled()


def _answer(reply: Reply, *, is_stopped: bool) -> VerbAnswer:
    """Return the verb's answer; raises KeyboardInterrupt if it was stopped before it had one."""
    if reply.answer is None:
        return ImmediateAnswer(reply.lines)
    try:
        return reply.answer()
    except VerbError:
        if is_stopped:
            raise KeyboardInterrupt from None
        raise


def _written_answer(answer: VerbAnswer, use: FromShell, session: Session, process: Process) -> VerbAnswer:
    """Return the answer of a verb that only changes the puzzle with that puzzle, if files are named for it.

    Other answers are returned as they are. Raises UsageError if the change would be lost.
    """
    if not use.is_lost_unwritten:
        return answer
    if process.outputs and isinstance(answer, ImmediateAnswer):
        return replace(answer, made=session.puzzle)
    if session.document.is_modified and not process.outputs:
        raise click.UsageError(
            "nothing would be saved: name the puzzle file to write with -o FILE, the GRID or another."
        )
    return answer


def _deliver(
    answer: VerbAnswer, times: Times, process: Process, use: FromShell, read_warnings: Sequence[ReadWarning]
) -> None:
    """Write an answer's results to the named files, even if signals arrive, and print it."""
    is_folder = use.writes is Writes.FOLDER
    written: list[FilesWritten] = []
    try:  # write before printing, so that the answer can name the files, and they exist even if nobody reads it
        with interrupt_flag():
            for path in process.outputs:
                if not (is_folder or answer.has_choice):
                    _warn_of_others(path)
                written.append(answer.write(path, lossy=process.lossy))
                for warning in written[-1].warnings:
                    warn(warning)
    finally:  # even if a file could not be written
        if process.as_json:
            files = [str(path) for one in written for path in one.paths]
            document: dict[str, Any] = as_json(answer, times)
            if is_folder and process.outputs:
                document["files"] = files
            if read_warnings:  # the verb `warnings` has the details
                document.setdefault("warnings", [warning.words for warning in read_warnings])
            print_object(document)
        else:
            is_piped = not (process.outputs or sys.stdout.isatty())
            print_answer(answer, times, is_piped=is_piped, is_saved=bool(process.outputs))
            if is_folder and answer.verdict is Outcome.FILLED:
                print("\n".join(printable_lines(_folder_lines(process.outputs, written))))
        sys.stdout.flush()


def _folder_lines(folders: Sequence[Path], written: Sequence[FilesWritten]) -> Sequence[str]:
    """Return how many files were written and where, or how to save the results if no folder was named."""
    if not folders:
        return ["-o FOLDER writes each to a file, and `xwtui FILE` opens one"]
    named = [first_named([path.name for path in one.paths], _MOST_FILES) for one in written]
    return [
        f"{counted(len(one.paths), 'file')} written to {folder}: {names}"
        for folder, one, names in zip(folders, written, named, strict=False)  # the last may have failed
    ]


def _warn_of_others(path: Path) -> None:
    presence = Presence(path)
    if presence.other is not None:
        warn(f"{path.name} {presence.other.words}")
    presence.release()


_COLUMNS = 80
"""Width without a terminal."""


class Times(NamedTuple):
    """Times in seconds: of loading, of compiling, of the work itself, and the total."""

    load: float
    compile: float
    search: float = 0.0
    total: float = 0.0
    parts: Mapping[str, float] = MappingProxyType({})
    """Additional times of some answers: the layout, and the parts of the search."""

    def ended(self, answer: VerbAnswer, started: float) -> Times:
        total = time.perf_counter() - started
        return self._replace(search=answer.seconds, total=total, parts=answer.parts)

    def named(self, work: str) -> dict[str, float]:
        """Return each time by name, rounded; the work is called `search` or `race`."""
        times = {"load": self.load, "compile": self.compile, work: self.search, **self.parts, "total": self.total}
        return {name: round(seconds, 6) for name, seconds in times.items()}

    @property
    def words(self) -> str:
        times = {"load": self.load, "compile": self.compile, "search": self.search, **self.parts}
        return ", ".join(f"{name.replace('_', ' ')} {seconds:.2f} s" for name, seconds in times.items())


def as_json(answer: VerbAnswer, times: Times) -> dict[str, Any]:
    """Return the fields of an answer for `--json`."""
    return {**answer.as_json, **({"seconds": times.named(answer.work)} if answer.work else {})}


def print_answer(answer: VerbAnswer, times: Times, *, is_piped: bool, is_saved: bool) -> None:
    """Print an answer in words, after the puzzles that it made."""
    made, colours = answer.puzzles, wants_colours(sys.stdout)
    for puzzle in made or ():
        if is_piped:
            print(grid_to_text(puzzle.grid))
        for line in () if is_piped else draw_grid(puzzle.grid):
            print(paint(line, colours=colours, marks_pencil=False))
        if made is not None and len(made) > 1:
            print()
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else _COLUMNS
    is_beside = made is not None and is_piped
    lines = printable_lines(answer.report(times.words, columns - 1, is_saved=is_saved))
    print("\n".join(lines), file=sys.stderr if is_beside else sys.stdout)
