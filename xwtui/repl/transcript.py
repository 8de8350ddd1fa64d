"""The transcript: the lines of a dialogue in a file that `xwtui run` runs again, to the same puzzle.

A line whose outcome follows from the puzzle alone is kept as it was typed. What long work came to, which another
run might not find again, is kept as a change below the line that asked for it, and so is what undo and redo did.
"""

import json
from pathlib import Path

from xwtui.errors import VerbError, XwtuiError
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.session.document import full_path
from xwtui.session.journal import change_between
from xwtui.session.session import Session
from xwtui.session.verbs.parsing import find_verb_of, words_of
from xwtui.session.verbs.registry import LONGEST_LINE
from xwtui.session.verbs.verb import Group
from xwtui.text import printable

SUFFIX = ".xwt"

_REPEATABLE = (Group.GRID, Group.RULES, Group.CLUES, Group.WORDS)
_TRAVELS = ("undo", "redo")
_SAVES = ("save", "export")
_LONGEST_SHOWN = 400


class Transcript:
    """A transcript that is being written; each method may raise XwtuiError where the file cannot be."""

    def __init__(self, path: Path, session: Session) -> None:
        """Begin it with a copy of the puzzle as it is, beside the puzzle's own file, or beside the transcript."""
        named = path if path.suffix else path.with_suffix(SUFFIX)
        self.path = full_path(named)
        if '"' in str(self.path) or not str(self.path).isprintable():
            raise VerbError("transcript: a name without quotes and control characters is needed")
        self._session = session
        self._copies = 0
        self._known = session.puzzle
        self._edits = session.document.history.edits
        self._place = session.cursor.place
        """Where the cursor is when what is written so far is run."""
        self._folder = session.document.folder or self.path.parent
        self._write("# a transcript of xwtui; `xwtui run` with this file runs it again", begins=True)
        self._open_copy()

    def note(self, line: str, session: Session) -> None:
        """Keep a line that was run, and what it did to the puzzle that is in front now."""
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
        elif verb.group in _REPEATABLE and verb.name not in _TRAVELS and is_one_edit and is_plain:
            self._write(line)
            self._place = session.cursor.place
        else:
            self._write(f"# {printable(line, _LONGEST_SHOWN)}")
            if is_changed:
                self._note_change(before)
            if session.cursor.place != self._place:
                self._note_cursor()

    def _note_save(self, name: str, line: str) -> None:
        """A copy is opened where the transcript is run: so the file must be named, and may stand there already."""
        path = self._session.document.path
        if name == "export" or path is None:
            self._write(line)
        else:
            self._write(f'save --force "{path}"')

    def _note_change(self, before: Puzzle) -> None:
        change = change_between(before, self._session.puzzle)
        line = f"change {json.dumps(change, ensure_ascii=False)}"
        if change is None or len(line) > LONGEST_LINE:
            self._open_copy()
        else:
            self._write(line)

    def _open_copy(self) -> None:
        """Keep the puzzle as a whole in a file of its own."""
        self._copies += 1
        copy = self._folder / f"{self.path.stem}-{self._copies}.ipuz"
        if copy == self._session.document.path:
            raise VerbError(f"transcript: {copy} is the puzzle that is open; name another file")
        write_puzzle(copy, self._session.puzzle)
        self._write(f'open --force "{copy}"')
        self._note_cursor()
        if squares := self._session.selection.squares:
            self._write(f"select {' '.join(map(str, sorted(squares)))}")

    def _note_cursor(self) -> None:
        """Put the cursor where it is: on its entry first, for the direction."""
        cursor = self._session.cursor
        self._place = cursor.place
        slot = self._session.puzzle.grid.slot_at(*cursor.place)
        if slot is not None:
            self._write(f"goto {slot.name}")
        self._write(f"goto {cursor.position}")

    def _write(self, line: str, *, begins: bool = False) -> None:
        try:
            with self.path.open("w" if begins else "a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise XwtuiError(f"cannot write {self.path}: {error.strerror}") from error
