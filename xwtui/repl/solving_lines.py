"""Lines that are meant for the test-solving while it goes on: `17A OREO`, `check`, `note 17A ...`."""

import re

from xwtui.session.session import Session

_SHORT = frozenset(("check", "reveal", "erase", "note", "clues", "pause", "leave"))
"""Verbs of two words of which the second alone is typed while one solves."""
_ENTRY = re.compile(r"\d{1,3}[AaDd]")


def meant_line(session: Session, line: str) -> str:
    """The line of a verb that a line means: what is said to the solver's grid goes there, all else is as typed."""
    words = line.split()
    if not words or not session.document.is_solving:
        return line
    if words[0].lower() in _SHORT:
        return f"solve {line.strip()}"
    if _ENTRY.fullmatch(words[0]):
        return f"solve write {line.strip()}" if len(words) > 1 else f"solve clues {words[0]}"
    return line
