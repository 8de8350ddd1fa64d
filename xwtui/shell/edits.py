"""Verbs that a command does before its work: `--do 'rebus place HEART --squares 4..6'`."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.session.session import Session
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.verb import Group
from xwtui.text import printable

_EDITING = (Group.GRID, Group.WORDS, Group.RULES)


def edited(puzzle: Puzzle, source: Path | None, lines: Sequence[str]) -> Puzzle:
    """The puzzle after some lines of verbs; lists that they name are sought beside its file, if it has one.

    Raises VerbError for a verb that does not edit, and XwtuiError as the verbs do.
    """
    if not lines:
        return puzzle
    with tempfile.TemporaryDirectory() as passing:
        session = Session(journal_folder=Path(passing))
        try:
            if source is not None:
                session.open(source, puzzle)
            else:
                session.new(puzzle)
            for line in lines:
                _check_edits(line)
                run_line(session, line)
            return session.puzzle
        finally:
            session.discard_changes()
            session.close()


def _check_edits(line: str) -> None:
    words = line.split()
    if not words:
        return
    verb = find_verb_of(words)
    if verb.group not in _EDITING:
        groups = ", ".join(group.value.lower() for group in _EDITING)
        raise VerbError(f"--do {printable(verb.name)}: only verbs of these groups can be done first: {groups}")
