"""Small grids and word lists over a short alphabet, where everything can happen and naive twins are quick."""

from hypothesis import strategies as st

from xwtui.engine.problem.problem import Problem
from xwtui.model import BLOCK, OPEN, Content, Grid, Ink, Square
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

LETTERS = "ABC"
REBUSES = [Content.of("AB"), Content.of("CA"), Content("B", "C"), Content("AB", "CA"), Content.of("2B")]


def lexicon_of(words: dict[str, int]) -> Lexicon:
    """A lexicon of these words and no others."""
    return Lexicon.build([WordList.from_scores("small", words)])


@st.composite
def word_lists(draw: st.DrawFn, longest: int = 5) -> dict[str, int]:
    """Some words of 2 to `longest` letters, with scores."""
    rng = draw(st.randoms(use_true_random=True))
    return {
        "".join(rng.choices(LETTERS, k=rng.randint(2, longest))): rng.randint(0, 100)
        for _ in range(draw(st.integers(1, 60)))
    }


@st.composite
def small_grids(draw: st.DrawFn, largest: int = 5, *, rebuses: bool = True) -> Grid:
    """Grids of 3x3 up to 5x5: open squares above all, blocks, and squares in pencil, pen or locked."""
    height, width = draw(st.integers(3, largest)), draw(st.integers(3, largest))
    letters = [Content.of(letter) for letter in LETTERS]
    contents = st.sampled_from(letters + (REBUSES if rebuses else []))
    dressed = st.builds(Square, content=contents, ink=st.sampled_from(Ink))
    kinds = st.integers(0, 9).flatmap(
        lambda kind: st.just(BLOCK) if kind < 3 else dressed if kind == 3 else st.just(OPEN)
    )
    squares = draw(st.lists(kinds, min_size=height * width, max_size=height * width))
    return Grid(height, width, tuple(squares))


def problem_of(grid: Grid, words: dict[str, int], *, allow_repeats: bool = False) -> Problem:
    """The problem of filling a grid with these words."""
    return Problem.build(grid, lexicon_of(words), allow_repeats=allow_repeats)
