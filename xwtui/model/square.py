"""One square: its kind, its content and the ink of that content."""

import enum

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.letters import KNOWN, are_known, capital
from xwtui.model.where import Direction

LONGEST_REBUS = 12
"""Maximum number of characters in a rebus square."""

_READING = lazy_pattern(rf"[{KNOWN}]{{1,{LONGEST_REBUS}}}")


class Ink(enum.IntEnum):
    """Who wrote a square's content, which decides who may change it."""

    PENCIL = 0
    """Written by the filler: a fill may replace it."""
    PEN = 1
    """Written by the constructor: every fill keeps it."""
    LOCKED = 2
    """Kept by every fill and guarded against edits."""


class Kind(enum.Enum):
    """The kind of a square."""

    OPEN = "open"
    BLOCK = "block"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Content:
    """The content of an open square: one character, or a rebus of 2 to 12 characters.

    The across and down readings differ only in a Schrödinger (slash) square. Raises PuzzleError for a reading that
    is empty, longer than 12 characters, or has characters other than capital letters and 0-9.
    """

    across: str
    down: str

    def __post_init__(self) -> None:
        for reading in (self.across, self.down):
            if _READING.fullmatch(reading) is None:
                raise PuzzleError(_fault(reading))

    @classmethod
    def of(cls, reading: str) -> "Content":
        """Return the content that reads the same across and down."""
        return cls(reading, reading)

    @classmethod
    def parse(cls, text: str) -> "Content":
        """Parse `A`, `[HEART]`, `HEART` or `X/TIMES` (across/down), in either case; else raises PuzzleError."""
        bare = capital(text.strip())
        if bare.startswith("[") and bare.endswith("]"):
            bare = bare[1:-1]
        if bare.count("/") > 1:
            raise PuzzleError(f"use one / at most, between the across and down contents, not {bare[:40]!r}")
        across, slash, down = bare.partition("/")
        return cls(across, down if slash else across)

    def reading(self, direction: Direction) -> str:
        """Return the characters that the entry in this direction takes from the square."""
        return self.across if direction is Direction.ACROSS else self.down

    @property
    def is_rebus(self) -> bool:
        """Whether either reading has more than one character, or the two readings differ."""
        return len(self.across) > 1 or len(self.down) > 1 or self.is_schroedinger

    @property
    def is_schroedinger(self) -> bool:
        """Whether the square reads differently across and down."""
        return self.across != self.down

    @property
    def is_letter_pair(self) -> bool:
        """Whether the square holds one letter across and a different letter down."""
        return self.is_schroedinger and len(self.across) == len(self.down) == 1

    @property
    def text(self) -> str:
        """The content without brackets: `A`, `HEART` or `X/TIMES`."""
        return f"{self.across}/{self.down}" if self.is_schroedinger else self.across

    def __str__(self) -> str:
        """Return `A`, `[HEART]` or `[X/TIMES]`, the form that `parse` reads."""
        return f"[{self.text}]" if self.is_rebus else self.text


def _fault(reading: str) -> str:
    """Return the reason why no square can hold this reading."""
    stranger = next((sign for sign in reading if not are_known(sign)), "")
    if stranger:
        sign = stranger if stranger.isprintable() and not stranger.isspace() else repr(stranger)
        return f"{sign} is not a letter or digit, so no square can hold {reading[:40]!r}"
    if not reading:
        return f"a square holds 1 to {LONGEST_REBUS} letters or digits"
    return f"a square holds up to {LONGEST_REBUS} letters or digits, and {reading[:40]} has {len(reading)}"


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a grid. Only an open square has content, ink, a circle or a shade."""

    kind: Kind = Kind.OPEN
    content: Content | None = None
    ink: Ink = Ink.PENCIL
    circle: bool = False
    shade: bool = False

    @property
    def is_open(self) -> bool:
        return self.kind is Kind.OPEN

    @property
    def is_given(self) -> bool:
        """Whether every fill keeps this square's content: it is in PEN or LOCKED."""
        return self.content is not None and self.ink is not Ink.PENCIL


OPEN = Square()
BLOCK = Square(Kind.BLOCK)
VOID = Square(Kind.VOID)
