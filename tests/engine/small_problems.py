"""Small problems over a short alphabet, quick for naive twins; and invariants of a search's state."""

import zlib
from collections import Counter
from collections.abc import Collection
from itertools import product

from hypothesis import strategies as st

from tests.known import known
from xwtui.engine.budget import never
from xwtui.engine.candidates.find import CandidateBoard
from xwtui.engine.candidates.rows import CandidateRows
from xwtui.engine.count.belief import Beliefs, believe
from xwtui.engine.count.estimator import LogInterval, lognormal_mean_interval
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.count.particles import Populations
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import NEVER, SearchSettings
from xwtui.engine.kernels.network import DOMAIN, PLACES, SQUARE, TABLE
from xwtui.engine.kernels.search.decisions import PHASE
from xwtui.engine.kernels.search.search import BACK_UP, DONE
from xwtui.engine.kernels.state import QUEUE_COUNT, TRAIL_TOP
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, OPEN, Content, Grid, Ink, Position, Square
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

LETTERS = "ABC"
REBUSES = [Content.of("AB"), Content.of("CA"), Content("B", "C"), Content("AB", "CA"), Content.of("2B")]


def lexicon_of(words: dict[str, int]) -> Lexicon:
    """Return a lexicon of exactly these words."""
    return Lexicon.build([WordList.from_scores("small", words)])


@st.composite
def word_lists(draw: st.DrawFn, longest: int = 5) -> dict[str, int]:
    """Words of 2 to `longest` letters, with scores."""
    rng = draw(st.randoms(use_true_random=True))
    return {
        "".join(rng.choices(LETTERS, k=rng.randint(2, longest))): rng.randint(0, 100)
        for _ in range(draw(st.integers(1, 60)))
    }


@st.composite
def small_grids(draw: st.DrawFn, largest: int = 5, *, rebuses: bool = True) -> Grid:
    """Grids of 3x3 up to 5x5: mostly open squares, some blocks, and squares in pencil, pen or locked."""
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
    """Return the problem of filling a grid with these words."""
    return Problem.build(grid, lexicon_of(words), allow_repeats=allow_repeats)


Squares = frozenset[tuple[Position, Content]]
"""The squares of a fill, without gaps."""


ONE_BY_ONE = SearchSettings(first_restart=NEVER, backjump=False)
"""Settings of a search that visits every fill once."""


def fills_passed(problem: Problem, seed: int) -> list[Squares]:
    """Return every fill of a search that passes over the fills it has found."""
    filler, found = Filler(problem, seed=seed, settings=ONE_BY_ONE), list[Squares]()
    while filler.advance(nodes=100_000) is Outcome.FILLED:
        found.append(frozenset(filler.fill().items()))
        filler.reject_fill()
    assert filler.outcome is Outcome.IMPOSSIBLE
    return found


def check_fills(problem: Problem, expected: Collection[Squares], seed: int) -> Filler:
    """Check verdict, fill, count and all fills against those expected; return the finished search."""
    filler = Filler(problem, seed=seed)
    outcome = filler.advance(nodes=100_000)
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), filler.reason
    if expected:
        assert frozenset(filler.fill().items()) in expected
    assert fills_counted(problem) == len(expected)
    assert Counter(fills_passed(problem, seed)) == Counter(expected)
    return filler


def fills_counted(problem: Problem) -> int:
    """Return the exact number of fills, by enumeration."""
    if not problem.root.is_possible:
        assert why_impossible(problem)
        return 0
    enumeration = FillEnumeration(problem)
    assert enumeration.advance(nodes=1_000_000)
    return enumeration.fills


def interval_of_runs(problem: Problem, particles: int, seed: int) -> LogInterval:
    """Return the interval of eight particle runs, where the counter would count exactly."""
    populations = Populations(problem, believe(problem), particles, seed=seed)
    populations.advance(1, 8, never)
    fertile = [log10 for log10 in populations.log10_fills if log10 is not None]
    return known(lognormal_mean_interval(fertile, 8 - len(fertile)))


def check_state(filler: Filler) -> None:
    """Check sizes, sparse sets and (if nothing is pending) the squares' symbols against the domain bitsets."""
    problem, state = filler.problem, filler.state
    network = problem.network
    slots = len(problem.slots)
    limits = state.memory[int(network.slots[-1, DOMAIN]) :][:slots]
    sizes = problem.domain_sizes(state)
    masks = problem.masks(state)
    is_dead_end = filler.search.progress[PHASE] in (BACK_UP, DONE) and filler.outcome is not Outcome.FILLED
    for slot in range(slots):
        rows = problem.rows_left(state, slot).tolist()
        assert len(rows) == sizes[slot]
        start, end = int(network.slots[slot, DOMAIN]), int(network.slots[slot + 1, DOMAIN])
        sparse = state.sparse[start:end].tolist()
        assert sorted(sparse) == list(range(end - start))
        for word in sparse[int(limits[slot]) :]:
            assert state.memory[start + word] == 0
        if state.control[QUEUE_COUNT] == 0 and all(sizes) and not is_dead_end:
            _check_masks(filler, slot, rows, masks)
    assert state.control[TRAIL_TOP] * 2 <= len(state.trail)
    assert (state.control[QUEUE_COUNT] > 0) == bool(state.pending.any())


def _check_masks(filler: Filler, slot: int, rows: list[int], masks: list[int]) -> None:
    """Check that, outside a dead end, a square's symbols are exactly those supported by the slot's rows."""
    network = filler.problem.network
    symbols = filler.problem.tables[slot].symbols
    assert network.slots[slot, TABLE] >= 0
    for index, place in enumerate(range(int(network.slots[slot, PLACES]), int(network.slots[slot + 1, PLACES]))):
        shown = sum(1 << symbol for symbol in set(symbols[rows, index].tolist()))
        assert masks[int(network.places[place, SQUARE])] == shown


def hash_of(word: str) -> int:
    """Return a pseudo-random number that is the same in every process."""
    return zlib.crc32(word.encode())


HARD_GRID = grid_from_text("....#\n.....\n.....\n.....\n#....\n")


HARD_WORDS = {
    "".join(letters): 50
    for length in (3, 4, 5)
    for letters in product("AEST", repeat=length)
    if hash_of("".join(letters)) % 3 == 0
}


ALL_WORDS = {
    first + second + third + fourth: 50
    for first in "ABCD"
    for second in "ABCD"
    for third in "ABCD"
    for fourth in "ABCD"
}


def endless_problem() -> Problem:
    """Return a problem that no search settles soon: twelve entries and eleven words, so one would repeat."""
    rows = ["....", "####"] * 12
    words = dict(list(ALL_WORDS.items())[:11])
    return problem_of(grid_from_text("\n".join(rows)), words)


def candidates_left(problem: Problem, slot_name: str) -> CandidateRows:
    """Return the words that match an entry, and whether they survive propagation."""
    return _propagated(problem, slot_name).candidate_rows()


def estimated_board(problem: Problem, slot_name: str, beliefs: Beliefs) -> CandidateBoard:
    """Return the board of an entry with no word placed."""
    board = _propagated(problem, slot_name)
    board.apply_beliefs(beliefs, None)
    return board


def _propagated(problem: Problem, slot_name: str) -> CandidateBoard:
    board = CandidateBoard.of(problem, slot_name)
    board.propagate()
    return board
