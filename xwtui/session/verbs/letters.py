"""How what was typed for letters is read: in the alphabet of the puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.errors import PuzzleError
from xwtui.model import Content
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.selection import is_never_letters
from xwtui.text import printable
from xwtui.words.normalise import normalise

if TYPE_CHECKING:
    from xwtui.session.session import Session


def checked_letters(text: str) -> str:
    """A text of letters as it is; raises PuzzleError for one that is plainly a place."""
    if is_never_letters(text.strip()):
        raise PuzzleError(f"{printable(text.strip(), 30)!r} is a place, and here letters are expected")
    return text


def alphabet_of(session: Session | None) -> Alphabet:
    """The letters of a session's puzzle; English while none is read yet."""
    return ENGLISH if session is None else session.puzzle.alphabet


def spelled(text: str, session: Session | None) -> str:
    """A text in the letters of the puzzle's alphabet; raises XwtuiError for a place, and for what has none."""
    return normalise(checked_letters(text), alphabet_of(session))


def content_of(text: str, session: Session | None) -> Content:
    """What a square holds, in the letters of the puzzle's alphabet; raises XwtuiError for what none can."""
    content, alphabet = Content.parse(checked_letters(text)), alphabet_of(session)
    return Content(normalise(content.across, alphabet), normalise(content.down, alphabet))
