"""What other programs put into a square, as Content."""

import unicodedata

from xwtui.errors import PuzzleError, PuzzleFormatError, WordListError
from xwtui.formats.plain_text import shown
from xwtui.model import Content, Position
from xwtui.words.normalise import normalise


def content_of(text: str, position: Position) -> Content | None:
    """The content of a square as another program wrote it: `A`, `heart`, `É`, `X/TIMES`; None if blank.

    Raises PuzzleFormatError, naming the square, where the text is none that a square can hold.
    """
    if not text.strip():
        return None
    try:
        return Content.parse(text)
    except PuzzleError:
        return _plain_content(text, position)


def _plain_content(text: str, position: Position) -> Content:
    """Content once diacritics and punctuation are dropped (`É` becomes E); a symbol is more than that."""
    try:
        if any(unicodedata.category(character).startswith("S") for character in text):
            raise PuzzleError("a symbol is no letter")
        across, slash, down = text.partition("/")
        return Content(normalise(across), normalise(down if slash else across))
    except (PuzzleError, WordListError):
        raise PuzzleFormatError(
            f"{position} holds {shown(text)}; a square holds one character A-Z or 0-9, or 2 to 12 of them"
        ) from None
