"""Text from files and users made safe for the terminal, and text fitted or joined for display."""

import codecs
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import shorten, wrap

from xwtui.lazy import lazy_pattern

ELLIPSIS = "…"
MOST_NAMED = 12
"""Names listed in a sentence by default."""

_LONGEST_LINE = 2_000
_MOST_LINES = 40

_JOINERS = "\u200c\u200d"
"""The zero-width non-joiner and joiner, used by emoji and by scripts whose letters join."""


_DRAWN_AS = {
    "-": "─═▬–—‐‑‒―−",
    "|": "│┃║▐▌▏▎▍▕",
    "+": "┌┐└┘├┤┬┴┼╭╮╰╯",
    "#": "█▋▊▉▀▄▅▆▇▞▚▟▙▛▜▓",
    ":": "░▒",
    "_": "▁▂▃▖▗▘▝",
    ".": "·…",
    "*": "•●✓⠋⠹⠼⠦⠇",
    "o": "◦○°",
    "x": "×",
    "~": "≈",
    "=": "≡",
    "@": "↻",
    "<": "‹«←◂≤",
    ">": "›»→▸≥",
    "^": "↑",
    "v": "↓▾",
    "&": "§",
    "'": "‘’‚",
    '"': "“”„",
    "/": "⠙⠸⠴⠧⠏",
}
_PLAIN = {drawn: plain for plain, many in _DRAWN_AS.items() for drawn in many}
_PLAIN |= dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
"""The characters that we draw with, and the ASCII character that replaces each where an encoding lacks it."""

PLAIN_ERRORS = "xwtui-plain"
"""The name under which `_plain_characters` is registered as a codec error handler."""


def _plain_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace unencodable characters one for one, so that drawings stay aligned."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


codecs.register_error(PLAIN_ERRORS, _plain_characters)


def writable(text: str, encoding: str | None) -> str:
    """Return a text with the characters that an encoding lacks replaced by plain ones."""
    return text.encode(encoding, PLAIN_ERRORS).decode(encoding) if encoding else text


def printable(text: str, limit: int = 80) -> str:
    r"""Return text that a terminal may show: one line, no control characters, `limit` characters at most.

    Control, formatting and unassigned characters are shown as Python escapes (`\x1b`, `\u202e`), except joiners
    within one glyph. An ellipsis marks where the text is cut off.
    """
    head = text[: limit + 1]
    shown = "".join(
        c if c.isprintable() or _joins(head, index) else c.encode("unicode_escape").decode("ascii")
        for index, c in enumerate(head)
    )
    if len(text) > limit or len(shown) > limit:
        return shown[: max(limit - 1, 0)] + ELLIPSIS
    return shown


def shortened(text: str, width: int) -> str:
    """Return printable text cut in the middle to `width` characters: similar names often differ at the end."""
    shown = printable(text, len(text) + 1)
    if len(shown) <= width:
        return shown
    tail = max(width - 1, 0) // 2
    return f"{shown[: max(width - 1, 0) - tail]}{ELLIPSIS}{shown[len(shown) - tail :]}" if width > 0 else ""


def printable_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines that a terminal may show, each `printable` and at most 2,000 characters long."""
    return tuple(printable(line, _LONGEST_LINE) for line in lines)


def printable_text(text: str, limit: int) -> str:
    """Return the first non-empty lines of a text, each `printable`."""
    lines = (line.rstrip() for line in text.splitlines() if line.strip())
    return "\n".join(printable(line, limit) for line in islice(lines, _MOST_LINES))


def without_accents(text: str) -> str:
    """Return a text without accents and other combining marks: `Crème` becomes `Creme`."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def typed(text: str) -> str:
    """Return one line of user input without control characters.

    Joiners within one glyph stay, as in a family emoji.
    """
    visible = "".join(c for c in text if c.isprintable() or c in _JOINERS)
    return "".join(c for index, c in enumerate(visible) if c.isprintable() or _joins(visible, index)).strip()


def _joins(text: str, index: int) -> bool:
    """Whether the character at an index joins its neighbors into one glyph; between ASCII characters none does."""
    if text[index] not in _JOINERS:
        return False
    before, after = text[max(index - 1, 0)], text[index + 1 : index + 2]
    return all(c.isprintable() and not c.isascii() for c in (before, after or " "))


_COLUMN = lazy_pattern(r" *(?:\S+(?: \S+)* {2,})?")
"""What precedes the text of a line: an indent, and the first column of a table."""


def wrapped(line: str, width: int) -> list[str]:
    """Wrap a line between words to at most `width` characters; later lines are indented to align with its text."""
    found = _COLUMN.match(line)
    indent = found.end() if found is not None and found.end() <= width // 2 else len(line) - len(line.lstrip())
    hanging = " " * min(indent, width // 2)
    return wrap(line, max(width, 1), subsequent_indent=hanging, break_on_hyphens=False) or [line]


def split_at_width(text: str, width: int) -> tuple[str, str]:
    """Split a text into the words that fit in `width` characters and the rest; an overlong word is cut."""
    whole = text.strip()
    first = next(iter(wrap(whole, max(width, 1))), "")
    return first, whole[len(first) :].lstrip()


_COMMA = lazy_pattern(", ")
_CLAUSE_END = lazy_pattern(r"[:;] |,? \(|, (?=(?:and|as|changing|each|even|if|in|or|so|with|which)\b)")
"""Where a sentence may be cut off: before a clause, not within a list."""


def clauses_within(text: str, room: int) -> str:
    """Return as many clauses of a sentence as fit in `room` cells, or as many words if no clause does."""
    ends = [len(text), *(found.start() for found in _CLAUSE_END.finditer(text))]
    first = next((found.start() for found in _COMMA.finditer(text)), len(text))
    end = max((end for end in ends if end <= room), default=first)
    return text[:end] if end <= room else shorten(text, max(room, 1), placeholder=ELLIPSIS)


def listed(texts: Iterable[str], last: str) -> str:
    """Return `A`, `A and B`, `A, B and C`, with `last` as the conjunction; `texts` must not be empty."""
    *head, tail = texts
    return f"{', '.join(head)} {last} {tail}" if head else tail


def first_named(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return `A, B, C`, or with more than `most` names `A, B and 3 more`."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 node`, `2 nodes`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def in_quotes(name: str) -> str:
    """Return a name as one word of a command line, in quotes if it has blanks."""
    if " " not in name:
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'
