"""The context of reading one file: the caller's options, and the deviations from the file.

A reader converts what the model cannot hold to the nearest equivalent and notes it; `--strict` refuses it.
"""

import enum
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError, PuzzleFormatError, WordListError
from xwtui.formats.plain_text import clean_line, clean_text, shown
from xwtui.model import OPEN, Content, Ink, Position, Puzzle, Square
from xwtui.model.markup import as_markup, joined
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.model.square import LONGEST_REBUS
from xwtui.text import first_named
from xwtui.words.normalise import normalise

ANY_KEY = "any"
"""The value in place of a key that is not known."""

_MOST_NAMED = 8


class Deviation(enum.Enum):
    """How a puzzle differs from its file.

    The value is the message, before the squares, entries or texts concerned.

    Losses come first and possible errors last, so that the first one is the most important.
    """

    LEFT_OUT = "parts that cannot be read were left out"
    SQUARES = "squares with content that xwtui cannot hold"
    ROWS = "rows of the wrong length were padded or cut"
    ENCODING = "text that is not valid UTF-8 was read as Latin-1"
    LOCKED = "the solution is locked and was left out: `--key 1234` unlocks it, `--key any` tries every key"
    KEY_FOUND = "the solution was locked and was read with a key that fits"
    CLUE_COUNT = "the numbers of clues and entries differ, so check that the clues match"
    MOVED = "clues were placed by their squares, not their numbers"
    JOINED = "several clues of one entry were joined with slashes"
    UNPLACED = "clues that match no entry were set aside"
    NUMBERS = "entries with different numbers here"
    TEXTS = f"texts were cut after {LONGEST_TEXT:,} characters"
    CHECKSUMS = "checksums do not match, so the file may be damaged; check it"


_HARMLESS = (Deviation.KEY_FOUND,)
"""Deviations that lose nothing."""


class DeviationDetail(NamedTuple):
    """One deviation: the square, entry, clue or part, what the file has, and what it was read as."""

    where: str
    was: str = ""
    now: str = ""

    @property
    def words(self) -> str:
        """The available parts as text: `r3c4 '$' as [DOLLAR]`."""
        return " ".join(part for part in (self.where, self.was and shown(self.was), self.now) if part)


class ReadWarning(NamedTuple):
    """All deviations of one kind; at least one."""

    deviation: Deviation
    deviants: tuple[DeviationDetail, ...]

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(deviant.where for deviant in self.deviants)

    @property
    def words(self) -> str:
        """The warning as a sentence, which names the first places."""
        return f"{self.deviation.value}: {first_named([each.words for each in self.deviants], _MOST_NAMED)}"


class ReadPuzzle(NamedTuple):
    """A puzzle as read, with a warning for each kind of deviation from its file."""

    puzzle: Puzzle
    warnings: tuple[ReadWarning, ...]


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading files: whether to refuse deviations, and the key of a locked solution.

    `key` has four digits, is `ANY_KEY` to find one, or is empty.
    """

    strict: bool = False
    key: str = ""

    def __post_init__(self) -> None:
        if self.key not in ("", ANY_KEY) and not (
            len(self.key) == 4 and self.key.isascii() and self.key.isdigit()
        ):
            raise PuzzleFormatError(f"a key is four digits or `{ANY_KEY}`, not {shown(self.key)}")


DEFAULT_READ_OPTIONS = ReadOptions()


class Intake:
    """A reader's options and notes. Every text and square from outside passes through it."""

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.unplaced: list[tuple[str, str, str]] = []
        """Clues without an entry: the number in the file or a square, `A` or `D`, and the text."""
        self._found: dict[Deviation, dict[DeviationDetail, None]] = {}

    def note(self, deviation: Deviation, where: str, was: str = "", now: str = "") -> None:
        """Note a deviation."""
        self._found.setdefault(deviation, {})[DeviationDetail(where, was, now)] = None

    def leave(self, number: str, letter: str, text: str) -> None:
        """Set aside a clue that belongs to no entry."""
        if text:
            self.unplaced.append((number, letter, text))
            self.note(Deviation.UNPLACED, f"{number}{letter}", text)

    @property
    def warnings(self) -> tuple[ReadWarning, ...]:
        """One warning for each kind of deviation, in the order of the kinds."""
        return tuple(ReadWarning(kind, tuple(self._found[kind])) for kind in Deviation if kind in self._found)

    def line(self, text: str, what: str) -> str:
        """Return one line of sanitized text, truncated if too long."""
        return self._cut(text, what, clean_line)

    def text(self, text: str, what: str) -> str:
        """Return sanitized text with its line breaks, truncated if too long."""
        return self._cut(text, what, clean_text)

    def _cut(self, text: str, what: str, clean: Callable[[str, str], str]) -> str:
        try:
            return clean(text, what)
        except PuzzleFormatError:
            self.note(Deviation.TEXTS, what)
            return clean(clean(text[:LONGEST_TEXT], what)[:LONGEST_TEXT], what)

    def clue(self, text: str, what: str) -> str:
        """Return a plain-text clue as markup."""
        return self.line(as_markup(self.line(text, what)), what)

    def joined(self, clues: Sequence[str], where: str) -> tuple[str, Sequence[str]]:
        """Join the clues of one entry; returns also those that do not fit."""
        if len(clues) == 1:
            return clues[0], ()
        lengths = accumulate(len(clue) for clue in clues)
        taken = max(sum(length <= LONGEST_TEXT for length in lengths), 1)
        while len(text := joined(clues[:taken])) > LONGEST_TEXT:
            taken = max(1, min(taken - 1, taken * LONGEST_TEXT // len(text)))
        if taken > 1:
            self.note(Deviation.JOINED, where)
        return text, clues[taken:]

    def square(self, text: str, at: Position) -> Square:
        """Return an open square with content as another program wrote it: `A`, `heart`, `É`, `X/TIMES`, blank."""
        content = self.content(text, at)
        return OPEN if content is None else Square(content=content, ink=Ink.PEN)

    def content(self, text: str, at: Position) -> Content | None:
        """Return a square's content, or the nearest that a square can hold: DOLLAR for `$`, E for `É`."""
        if not text.strip():
            return None
        try:
            return Content.parse(text)
        except PuzzleError:
            content = None
            if text.strip() not in _UNKNOWN:
                across, _, down = text.strip().strip("[]").partition("/")
                first, second = _spelled(across), _spelled(down)
                if letters := first or second or _spelled(text):
                    content = Content(first, second) if first and second else Content.of(letters)
        self.note(Deviation.SQUARES, str(at), text, "left empty" if content is None else f"as {content}")
        return content


_SPELLED = {
    **{"&": "AND", "@": "AT", "$": "DOLLAR", "%": "PERCENT", "+": "PLUS", "*": "STAR", "=": "EQUALS"},
    **{"€": "EURO", "£": "POUND", "¢": "CENT", "¥": "YEN", "#": "HASH", "°": "DEGREE", "~": "TILDE"},
    **{"★": "STAR", "☆": "STAR", "♥": "HEART", "♡": "HEART", "♦": "DIAMOND", "♣": "CLUB", "♠": "SPADE"},
    **{"♀": "FEMALE", "♂": "MALE", "✓": "CHECK", "×": "TIMES", "÷": "DIVIDE", "∞": "INFINITY", "√": "ROOT"},
    **{"½": "HALF", "¼": "QUARTER", "Ω": "OMEGA", "π": "PI", "©": "C", "®": "R", "™": "TM"},
    **{"!": "BANG", "'": "APOSTROPHE", '"': "QUOTE", "<": "LESS", ">": "GREATER", "/": "SLASH", ",": "COMMA"},
    **{":": "COLON", ";": "SEMICOLON", "|": "BAR"},
}
"""Names of signs that are alone in a square, or among letters."""

_SIGNS_ALONE = frozenset("!'\"<>/,:;|#~")
"""Signs that are spelled out only without letters next to them; I'M drops its apostrophe."""

_UNKNOWN = ("?", "-", "_", ".")
"""Values of a square that nobody has filled."""


def _spelled(text: str) -> str:
    """Spell a text in letters and digits, at most as many as a square holds, with signs by name."""
    has_letters = any(character.isalnum() for character in text)
    named = "".join(
        f"{_SPELLED[c]}" if c in _SPELLED and not (has_letters and c in _SIGNS_ALONE) else c for c in text[:200]
    )
    from anyascii import anyascii  # noqa: PLC0415  (only where a file has such squares)

    for spelling in (str, anyascii):
        with suppress(WordListError):
            return normalise(spelling(named))[:LONGEST_REBUS]
    return ""


def checked_result(puzzle: Puzzle, intake: Intake, *, strict: bool) -> ReadPuzzle:
    """Return the puzzle with its warnings; raises PuzzleFormatError for deviations if `strict`."""
    warnings = intake.warnings
    losses = [warning.words for warning in warnings if warning.deviation not in _HARMLESS]
    if strict and losses:
        raise PuzzleFormatError(f"refused by --strict: {'; '.join(losses)}"[:_LONGEST_REFUSAL])
    return ReadPuzzle(puzzle, warnings)


_LONGEST_REFUSAL = 390
