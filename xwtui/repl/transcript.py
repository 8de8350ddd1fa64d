"""Transcripts: a dialogue's lines in a file that `xwtui run` replays to the same puzzle.

A line whose outcome follows from the puzzle alone is kept as typed. The results of long jobs, which another run
might not reproduce, are kept as a change below the line that requested them, and so are the effects of undo and
redo. File names in a transcript are relative to its folder: it can be run from anywhere, even after the folder was
moved.
"""

import json
from itertools import count
from pathlib import Path

from xwtui.errors import VerbError, XwtuiError, failing_as
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.session.document import full_path
from xwtui.session.journal import change_between
from xwtui.session.overwriting import check_free
from xwtui.session.session import Session
from xwtui.session.verbs.parsing import file_words, find_verb, find_verb_of, words_of
from xwtui.session.verbs.registry import LONGEST_LINE
from xwtui.session.verbs.verb import Group, Verb
from xwtui.text import in_quotes, printable

SUFFIX = ".xwt"

_REPEATABLE = (Group.GRID, Group.RULES, Group.CLUES, Group.WORDS)
_TRAVELS = ("undo", "redo")
_EXPORTS = ("export", "clues export")
_SAVES = ("save", *_EXPORTS)
_LONGEST_SHOWN = 400


def lists_beside(puzzle: Puzzle, folder: Path) -> bool:
    """Whether a puzzle names word lists, or a folder of puzzles, that exist next to its file."""
    words = puzzle.words
    named = {*words.lists, *words.preferred, words.recent, *puzzle.rules.own_lists} - {""}
    return any(not Path(name).is_absolute() and (folder / name).exists() for name in named)


class Transcript:
    """A transcript being recorded; every method may raise XwtuiError if the file cannot be written."""

    def __init__(self, path: Path, session: Session, *, overwrites: bool = False) -> None:
        """Start with a copy of the puzzle in its own file; raises ExistsAlreadyError, unless it `overwrites`."""
        if path.suffix not in ("", SUFFIX):
            raise VerbError(f"transcript: the file name must end in {SUFFIX}")
        self.path = full_path(path.with_suffix(SUFFIX))
        if '"' in str(self.path) or not str(self.path).isprintable():
            raise VerbError("transcript: the file name must not contain quotes or control characters")
        if not overwrites:
            shown = str(path.with_suffix(SUFFIX))
            check_free(self.path, shown=shown, remedy=f"`transcript --force {in_quotes(shown)}`")
        self._session = session
        self._numbers = count(1)
        self._known = session.puzzle
        self._edits = session.document.history.edits
        self._place = session.cursor.place
        """Where the cursor will be after replaying what is written so far."""
        self._write("# a transcript of xwtui; `xwtui run` replays this file", begins=True)
        copy = self._open_copy()
        self.begun_words = f"recording lines in {self.path}, starting from the puzzle in {copy}"
        """The message shown when recording starts."""

    def note(self, line: str, session: Session) -> None:
        """Record a line that was run, and its effect on the puzzle that is now in front."""
        words, is_another = words_of(line), session is not self._session
        self._session = session
        if not words or words[0].text.startswith("#"):
            return
        history, before = session.document.history, self._known
        verb = find_verb_of([word.text for word in words])
        is_changed = session.puzzle != before
        is_one_edit = history.edits - self._edits == is_changed
        self._known, self._edits = session.puzzle, history.edits
        is_plain = printable(line, len(line)) == line
        if is_another:
            self._write(f"# {printable(line, _LONGEST_SHOWN)}")
            self._open_copy()
        elif verb.name in _SAVES and not is_changed:
            self._note_save(verb.name, line)
        elif (
            verb.group in _REPEATABLE
            and verb.name not in _TRAVELS
            and is_one_edit
            and is_plain
            and not (is_changed and self._names_files(verb, line))
        ):
            self._write(line)
            self._place = session.cursor.place
        else:
            self._write(f"# {printable(line, _LONGEST_SHOWN)}")
            if is_changed:
                self._note_change(before)
            if session.cursor.place != self._place:
                self._note_cursor()

    def _names_files(self, verb: Verb, line: str) -> bool:
        """Whether a line names existing files, which may be missing where the transcript is replayed."""
        folders = [Path(), *filter(None, [self._session.document.folder])]
        return any((folder / word.text).exists() for word in file_words(verb, line) for folder in folders)

    def _note_save(self, name: str, line: str) -> None:
        """Record a save: a replay opens a copy, so the line must name the file, which may exist already."""
        path = self._session.document.path
        if name == "save" and path is not None:
            line = f"save --force {self._named(path)}"
        for word in reversed(file_words(find_verb(name), line) if name in _EXPORTS else []):
            line = f"{line[: word.start]}{self._named(full_path(Path(word.text)))}{line[word.end :]}"
        if name in _EXPORTS and "--force" not in line:
            line = f"{line} --force"
        self._write(line)

    def _named(self, path: Path) -> str:
        """Return a file as a line should name it: relative to the transcript's folder, if it is below it."""
        is_there = path.is_relative_to(self.path.parent)
        return f'"{path.relative_to(self.path.parent) if is_there else path}"'

    def _note_change(self, before: Puzzle) -> None:
        change = change_between(before, self._session.puzzle)
        line = f"change {json.dumps(change, ensure_ascii=False)}"
        if change is None or len(line) > LONGEST_LINE:
            self._open_copy()
        else:
            self._write(line)

    def _open_copy(self) -> Path:
        """Save the whole puzzle to a new file, record its opening, and return the file."""
        folder = self.path.parent
        beside = self._session.document.folder
        if beside is not None and lists_beside(self._session.puzzle, beside):
            folder = beside
        names = (folder / f"{self.path.stem}-{number}.ipuz" for number in self._numbers)
        copy = next(path for path in names if not path.exists())
        if copy == self._session.document.path:
            raise VerbError(f"transcript: {copy} is the open puzzle; name another file")
        write_puzzle(copy, self._session.puzzle)
        self._write(f"open --force {self._named(copy)}")
        self._note_cursor()
        if squares := self._session.selection.squares:
            self._write(f"select {' '.join(map(str, sorted(squares)))}")
        return copy

    def _note_cursor(self) -> None:
        """Record the cursor: its entry first, which sets the direction."""
        cursor = self._session.cursor
        self._place = cursor.place
        slot = self._session.puzzle.grid.slot_at(*cursor.place)
        if slot is not None:
            self._write(f"goto {slot.name}")
        self._write(f"goto {cursor.position}")

    def _write(self, line: str, *, begins: bool = False) -> None:
        failing = failing_as(XwtuiError, f"cannot write {self.path}")
        with failing, self.path.open("w" if begins else "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
