"""Letters tinted by the score of their weakest entry: three bands, of which the weakest tells its score too."""

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import NamedTuple

from rich.style import Style

from xwtui.model import Position, Puzzle
from xwtui.tui.fragments import Fragment
from xwtui.tui.themes import Palette

_FAIR, _GOOD = 10, 20
"""How far above the puzzle's minimum score the upper two bands begin."""
_UNLISTED = "?"

ScoreOf = Callable[[str], int | None]


class Band(IntEnum):
    """How good an entry is."""

    WEAK = 0
    FAIR = 1
    GOOD = 2


class Tint(NamedTuple):
    """What a square's letters are tinted by."""

    band: Band
    score: int | None
    """The score of its weakest entry; None where the lists have no such word."""

    @property
    def sign(self) -> str:
        if self.band is not Band.WEAK:
            return ""
        return _UNLISTED if self.score is None else str(self.score)

    def style(self, palette: Palette) -> Style:
        """The colour, which leaves all else of a square's style as it is."""
        return Style(color=_styles(palette)[self.band].color)


def _styles(palette: Palette) -> tuple[Style, Style, Style]:
    return palette.bad, palette.warning, palette.good


def tints(puzzle: Puzzle, score_of: ScoreOf) -> Mapping[Position, Tint]:
    """The tint of each square that is in a finished entry."""
    grid, minimum = puzzle.grid, puzzle.words.minimum_score
    found: dict[Position, Tint] = {}
    for slot in grid.entries:
        answer = puzzle.answer(slot)
        if answer is None:
            continue
        tint = _tint(score_of(answer), minimum)
        for at in slot.positions:
            found[at] = _weaker(tint, found.get(at, tint))
    return found


def _tint(score: int | None, minimum: int) -> Tint:
    if score is None or score < minimum + _FAIR:
        return Tint(Band.WEAK, score)
    return Tint(Band.FAIR if score < minimum + _GOOD else Band.GOOD, score)


def _weaker(one: Tint, other: Tint) -> Tint:
    return min(one, other, key=lambda tint: -1 if tint.score is None else tint.score)


def tint_legend(puzzle: Puzzle, palette: Palette) -> list[Fragment]:
    """What the tints mean."""
    fair, good = puzzle.words.minimum_score + _FAIR, puzzle.words.minimum_score + _GOOD
    said = (f"below {fair} ", f"{fair} to {good - 1} ", f"from {good} ")
    pairs: Iterable[Fragment] = zip(said, _styles(palette), strict=True)
    return [("weakest entry: ", palette.muted), *pairs, (" ", palette.muted)]


class Tinting:
    """The tints of the newest puzzle, reckoned once for each."""

    def __init__(self) -> None:
        self._key: tuple[object, object] = (None, None)
        self._tints: Mapping[Position, Tint] = {}

    def of(self, puzzle: Puzzle, score_of: ScoreOf, lexicon: object) -> Mapping[Position, Tint]:
        """The tints of a puzzle by the words of a lexicon."""
        if self._key[0] is not puzzle or self._key[1] is not lexicon:
            self._key, self._tints = (puzzle, lexicon), tints(puzzle, score_of)
        return self._tints
