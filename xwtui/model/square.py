"""A single square: its kind, its content and the ink that the content is written in."""

import enum

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.letters import KNOWN, are_known, capital
from xwtui.model.where import Direction

LONGEST_REBUS = 12
"""Characters that a rebus square may hold at most."""

_READING = lazy_pattern(rf"[{KNOWN}]{{1,{LONGEST_REBUS}}}")


class Ink(enum.IntEnum):
    """Who wrote a square's content, and so who may change it."""

    PENCIL = 0
    """The filler's: a fill may replace it."""
    PEN = 1
    """The constructor's: every fill keeps it."""
    LOCKED = 2
    """Kept by every fill and guarded against edits."""


class Kind(enum.Enum):
    """What a square is."""

    OPEN = "open"
    BLOCK = "block"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Content:
    """What an open square holds: one character, or a rebus of 2 to 12, read across and down.

    The two readings are equal but for a Schrödinger (slash) square. Raises PuzzleError
    where a reading has other characters than capital letters and 0-9, none, or more than 12.
    """

    across: str
    down: str

    def __post_init__(self) -> None:
        for reading in (self.across, self.down):
            if _READING.fullmatch(reading) is None:
                raise PuzzleError(_fault(reading))

    @classmethod
    def of(cls, reading: str) -> "Content":
        """The content that reads the same across and down."""
        return cls(reading, reading)

    @classmethod
    def parse(cls, text: str) -> "Content":
        """Read `A`, `[HEART]`, `HEART` or `X/TIMES` (across/down), in either case.

        Raises PuzzleError where the text has another form.
        """
        bare = capital(text.strip())
        if bare.startswith("[") and bare.endswith("]"):
            bare = bare[1:-1]
        if bare.count("/") > 1:
            raise PuzzleError(f"use one / at most, between the across and down contents, not {bare[:40]!r}")
        across, slash, down = bare.partition("/")
        return cls(across, down if slash else across)

    def reading(self, direction: Direction) -> str:
        """The characters that the entry of this direction takes from the square."""
        return self.across if direction is Direction.ACROSS else self.down

    @property
    def is_rebus(self) -> bool:
        """Whether the square holds more than one plain character."""
        return len(self.across) > 1 or len(self.down) > 1 or self.is_schroedinger

    @property
    def is_schroedinger(self) -> bool:
        """Whether the square reads differently across and down."""
        return self.across != self.down

    @property
    def is_letter_pair(self) -> bool:
        """Whether it is one letter across and another one down."""
        return self.is_schroedinger and len(self.across) == len(self.down) == 1

    @property
    def text(self) -> str:
        """`A`, `HEART` or `X/TIMES`: what stands in the square, without brackets."""
        return f"{self.across}/{self.down}" if self.is_schroedinger else self.across

    def __str__(self) -> str:
        """`A`, `[HEART]` or `[X/TIMES]`, the form that `parse` reads."""
        return f"[{self.text}]" if self.is_rebus else self.text


def _fault(reading: str) -> str:
    """Why no square can hold a reading."""
    stranger = next((sign for sign in reading if not are_known(sign)), "")
    if stranger:
        sign = stranger if stranger.isprintable() and not stranger.isspace() else repr(stranger)
        return f"{sign} is not a letter or digit, so no square can hold {reading[:40]!r}"
    if not reading:
        return f"a square holds 1 to {LONGEST_REBUS} letters or digits"
    return f"a square holds up to {LONGEST_REBUS} letters or digits, and {reading[:40]} has {len(reading)}"


@dataclass(frozen=True, slots=True)
class Square:
    """One square of a grid; only an open one has content, ink, circle or shade."""

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
        """Whether a fill keeps what stands here: content in PEN or LOCKED."""
        return self.content is not None and self.ink is not Ink.PENCIL


OPEN = Square()
BLOCK = Square(Kind.BLOCK)
VOID = Square(Kind.VOID)
