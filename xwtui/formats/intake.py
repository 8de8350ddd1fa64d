"""One reading of a file: what its reader was told, and what it read otherwise than it stands there.

A reader takes what a puzzle here cannot hold as nearly as possible and notes it; `--strict` refuses it.
"""

import enum
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError, PuzzleFormatError, WordListError
from xwtui.formats.plain_text import clean_line, clean_text, shown
from xwtui.model import OPEN, Content, Ink, Position, Puzzle, Square
from xwtui.model.markup import as_markup, joined
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.model.square import LONGEST_REBUS
from xwtui.named_tuples import NamedTuple
from xwtui.text import first_named
from xwtui.words.normalise import normalise

ANY_KEY = "any"
"""What is said in place of a key where it is not known."""

_MOST_NAMED = 8


class Deviation(enum.Enum):
    """How a puzzle differs from its file; the value says it, before the squares, entries or texts are named.

    What is lost comes first, what may be wrong last: one that is told alone is the first.
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
"""What has been told, but leaves nothing out."""


class Deviant(NamedTuple):
    """One thing that was read otherwise: the square, entry, clue or part; what the file has; what it is now."""

    where: str
    was: str = ""
    now: str = ""

    @property
    def words(self) -> str:
        """`r3c4 '$' as [DOLLAR]`, of the three what there is."""
        return " ".join(part for part in (self.where, self.was and shown(self.was), self.now) if part)


class ReadWarning(NamedTuple):
    """All things of one kind that were read otherwise than they stand in the file; one at least."""

    deviation: Deviation
    deviants: tuple[Deviant, ...]

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(deviant.where for deviant in self.deviants)

    @property
    def words(self) -> str:
        """The warning as a sentence, which names the first places."""
        return f"{self.deviation.value}: {first_named([each.words for each in self.deviants], _MOST_NAMED)}"


class ReadPuzzle(NamedTuple):
    """A puzzle as it was read, with a warning for each way in which it differs from its file."""

    puzzle: Puzzle
    warnings: tuple[ReadWarning, ...]


@dataclass(frozen=True)
class ReadOptions:
    """How files are to be read: whether what deviates is refused, and the key of a locked solution.

    `key` has four digits, is `ANY_KEY` for one that is to be found, or empty.
    """

    strict: bool = False
    key: str = ""

    def __post_init__(self) -> None:
        if self.key not in ("", ANY_KEY) and not (
            len(self.key) == 4 and self.key.isascii() and self.key.isdigit()
        ):
            raise PuzzleFormatError(f"a key is four digits or `{ANY_KEY}`, not {shown(self.key)}")


PLAINLY = ReadOptions()


class Intake:
    """What a reader was told and what it notes; every text and square from outside comes in through it."""

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.unplaced: list[tuple[str, str, str]] = []
        """Clues that no entry takes: the number in the file or a square, `A` or `D`, the text."""
        self._found: dict[Deviation, dict[Deviant, None]] = {}

    def note(self, deviation: Deviation, where: str, was: str = "", now: str = "") -> None:
        """Note something that was read otherwise than it stands."""
        self._found.setdefault(deviation, {})[Deviant(where, was, now)] = None

    def leave(self, number: str, letter: str, text: str) -> None:
        """Keep a clue apart that no entry takes."""
        if text:
            self.unplaced.append((number, letter, text))
            self.note(Deviation.UNPLACED, f"{number}{letter}", text)

    @property
    def warnings(self) -> tuple[ReadWarning, ...]:
        """What was noted, a warning for each kind, in the order of the kinds."""
        return tuple(ReadWarning(kind, tuple(self._found[kind])) for kind in Deviation if kind in self._found)

    def line(self, text: str, what: str) -> str:
        """One line of harmless text; where it is too long, its beginning."""
        return self._cut(text, what, clean_line)

    def text(self, text: str, what: str) -> str:
        """Harmless text that keeps its line breaks; where it is too long, its beginning."""
        return self._cut(text, what, clean_text)

    def _cut(self, text: str, what: str, clean: Callable[[str, str], str]) -> str:
        try:
            return clean(text, what)
        except PuzzleFormatError:
            self.note(Deviation.TEXTS, what)
            return clean(clean(text[:LONGEST_TEXT], what)[:LONGEST_TEXT], what)

    def clue(self, text: str, what: str) -> str:
        """The markup of a clue in plain text."""
        return self.line(as_markup(self.line(text, what)), what)

    def joined(self, clues: Sequence[str], where: str) -> tuple[str, Sequence[str]]:
        """The clues of one entry as one, and those that are too many for it."""
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
        """An open square with content as another program wrote it: `A`, `heart`, `É`, `X/TIMES`, or blank."""
        content = self.content(text, at)
        return OPEN if content is None else Square(content=content, ink=Ink.PEN)

    def content(self, text: str, at: Position) -> Content | None:
        """The content of a square, or the nearest that a square can hold: `$` is DOLLAR, `É` is E."""
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
"""What signs are called where they stand alone in a square, or among letters."""

_SIGNS_ALONE = frozenset("!'\"<>/,:;|#~")
"""Signs that are spelled out only where there is no letter beside them, such as the apostrophe of I'M."""

_UNKNOWN = ("?", "-", "_", ".")
"""What stands alone in a square that nobody has filled."""


def _spelled(text: str) -> str:
    """Letters and digits for a text, no more than a square holds; signs by their names."""
    has_letters = any(character.isalnum() for character in text)
    named = "".join(
        f"{_SPELLED[c]}" if c in _SPELLED and not (has_letters and c in _SIGNS_ALONE) else c for c in text[:200]
    )
    from anyascii import anyascii  # noqa: PLC0415  (only where a file has such squares)

    for spelling in (str, anyascii):
        with suppress(WordListError):
            return normalise(spelling(named))[:LONGEST_REBUS]
    return ""


def taken_in(puzzle: Puzzle, intake: Intake, *, strict: bool) -> ReadPuzzle:
    """The puzzle with its warnings; raises PuzzleFormatError where anything deviates that is not to."""
    warnings = intake.warnings
    losses = [warning.words for warning in warnings if warning.deviation not in _HARMLESS]
    if strict and losses:
        raise PuzzleFormatError(f"refused by --strict: {'; '.join(losses)}"[:_LONGEST_REFUSAL])
    return ReadPuzzle(puzzle, warnings)


_LONGEST_REFUSAL = 390
