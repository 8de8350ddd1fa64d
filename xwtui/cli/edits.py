"""Verbs that a command does before its work: `--do 'rebus place HEART --squares 4..6'`."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.text import printable
from xwtui.workbench.verbs.lookup import find_verb_of
from xwtui.workbench.verbs.registry import run_line
from xwtui.workbench.verbs.verb import Group
from xwtui.workbench.workbench import Workbench

_EDITING = (Group.GRID, Group.WORDS, Group.RULES)


def edited(puzzle: Puzzle, source: Path | None, lines: Sequence[str]) -> Puzzle:
    """The puzzle after some lines of verbs; lists that they name are sought beside its file, if it has one.

    Raises VerbError for a verb that does not edit, and XwtuiError as the verbs do.
    """
    if not lines:
        return puzzle
    with tempfile.TemporaryDirectory() as passing:
        workbench = Workbench(journal_folder=Path(passing))
        try:
            if source is not None:
                workbench.open(source, puzzle)
            else:
                workbench.new(puzzle)
            for line in lines:
                _check_edits(line)
                run_line(workbench, line)
            return workbench.puzzle
        finally:
            workbench.discard_changes()
            workbench.close()


def _check_edits(line: str) -> None:
    words = line.split()
    if not words:
        return
    verb = find_verb_of(words)
    if verb.group not in _EDITING:
        groups = ", ".join(group.value.lower() for group in _EDITING)
        raise VerbError(f"--do {printable(verb.name)}: only verbs of these groups can be done first: {groups}")
