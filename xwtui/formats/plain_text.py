"""Sanitizing of text from other programs: no terminal escapes, and HTML converted to plain text or markup."""

import codecs
import html
import re
import unicodedata
from collections.abc import Iterator, Sequence

from xwtui.errors import PuzzleError, PuzzleFormatError, failing_as
from xwtui.lazy import lazy_pattern
from xwtui.model.markup import TextRun, source_of
from xwtui.model.puzzle import check_length
from xwtui.text import printable

_ESCAPE_SEQUENCE = lazy_pattern(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colors, cursor
    r"|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and similar: titles, links
    r"|[ -/]*[0-~])?"
)
_SPACES = lazy_pattern(r"[^\S\n]+")
_BIDI_CONTROLS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
_DROPPED_CATEGORIES = frozenset(("Cc", "Cs", "Cn"))
_NEW_LINES = str.maketrans({"\r": "\n", "\v": "\n", "\f": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"})


def decode(data: bytes) -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark; raises PuzzleFormatError for other and binary files."""
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise PuzzleFormatError(f"this is not UTF-8 text (byte {error.start + 1} is invalid)") from None
    if "\0" in text:
        raise PuzzleFormatError("this is a binary file, not text")
    return text


def decode_windows_too(data: bytes) -> str:
    """Decode a file that may be in Windows-1252, as spreadsheets write it; refuses only binary files."""
    try:
        return decode(data)
    except PuzzleFormatError:
        if b"\0" in data:
            raise
        return data.decode("cp1252", errors="replace")


def clean_line(text: str, what: str) -> str:
    """Return one line of sanitized text: no control characters, no terminal escapes, single spaces.

    Raises PuzzleFormatError, with `what` as its subject, if the text is too long.
    """
    return " ".join(clean_text(text, what).split())


def clean_text(text: str, what: str) -> str:
    """Return sanitized text with its line breaks; raises PuzzleFormatError as `clean_line` does."""
    unescaped = _ESCAPE_SEQUENCE.sub("", text).replace("\r\n", "\n").translate(_NEW_LINES)
    harmless = unescaped
    if not unescaped.isprintable():
        harmless = "".join(
            character
            for character in unescaped
            if character in "\t\n"
            or (character not in _BIDI_CONTROLS and unicodedata.category(character) not in _DROPPED_CATEGORIES)
        )
    cleaned = "\n".join(_SPACES.sub(" ", line).strip() for line in harmless.split("\n")).strip("\n")
    with failing_as(PuzzleFormatError, of=PuzzleError):
        check_length(what, cleaned)
    return cleaned


def shown(text: str) -> str:
    """Return a short, sanitized quotation of untrusted text for messages."""
    return f"'{printable(text, 24)}'"


_BREAKS = "br|p|div|li|tr|h[1-6]|hr|blockquote"
_OTHERS = (
    "a|abbr|b|bdi|bdo|big|center|cite|code|dd|del|dfn|dl|dt|em|font|i|img|ins|kbd|mark|ol|pre|q|rp|rt|ruby|s|samp"
    "|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tt|u|ul|var|wbr"
)
_BREAK = lazy_pattern(rf"</?(?:{_BREAKS})(?=[\s/>])[^<>]*>[ \t]*\r?\n?", re.I)
_TAG = lazy_pattern(rf"</?(?:{_OTHERS})(?=[\s/>])[^<>]*>", re.I)
_TAGS = lazy_pattern(rf"(?P<breaks>{_BREAK.pattern})|(?P<tag>{_TAG.pattern})", re.I)
_NAME = lazy_pattern(r"<(/?)(\w+)")
ITALIC_TAGS, BOLD_TAGS = ("i", "em", "cite", "dfn", "var"), ("b", "strong")


def to_html(text: str) -> str:
    """Return HTML that shows the text literally; line breaks survive even if a reader drops the tags."""
    return html.escape(text, quote=False).replace("\n", "<br>\n")


def from_html(source: str) -> str:
    """Convert HTML to plain text: tags are removed, and block tags become line breaks.

    Text that only looks like a tag (`<BLANK>`, `<3`) is kept, and so is an `&` that does not begin an entity.
    """
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", source)))


def runs_to_html(runs: Sequence[TextRun]) -> str:
    """Return HTML that shows the runs of a clue."""
    parts = []
    for run in runs:
        text = to_html(run.text)
        text = f"<b>{text}</b>" if run.bold else text
        parts.append(f"<i>{text}</i>" if run.italic else text)
    return "".join(parts)


def markup_from_html(source: str) -> str:
    """Convert HTML to clue markup, keeping text, italics and bold."""
    return source_of(_runs(source))


def _runs(source: str) -> Iterator[TextRun]:
    italic = bold = at = 0
    for found in _TAGS.finditer(source):
        yield TextRun(html.unescape(source[at : found.start()]), italic > 0, bold > 0)
        at = found.end()
        if found["breaks"]:
            yield TextRun("\n", italic > 0, bold > 0)
            continue
        name = _NAME.match(found[0])
        assert name is not None
        change = -1 if name[1] else 1
        italic = max(italic + change * (name[2].lower() in ITALIC_TAGS), 0)
        bold = max(bold + change * (name[2].lower() in BOLD_TAGS), 0)
    yield TextRun(html.unescape(source[at:]), italic > 0, bold > 0)
