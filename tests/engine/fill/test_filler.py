"""The filler against plain backtracking: same verdict, legal fills, whatever the settings and slices."""

import zlib
from dataclasses import replace
from itertools import islice, product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, problem_of, small_grids, word_lists
from tests.engine.state_checks import check_state
from tests.examples import examples
from tests.naive.engine import check_fill, naive_fills, read_answer
from tests.ruled import ruled
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import NEVER, WORKERS, Branching, Restarts, SearchSettings
from xwtui.engine.kernels.propagate.propagate import NOBODY, SURVIVES, UNTRIED, try_rows
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.worded import said

HASTY = SearchSettings(noise=1.0, score_weight=0.3, first_restart=1, restart_growth=1.01)
"""Restarts after nearly every dead end, so that small problems exercise restarts."""

BY_SQUARES = replace(HASTY, branching=Branching.ON_SQUARES)
BY_WORDS = replace(HASTY, branching=Branching.ON_WORDS)
SWITCHED = (
    replace(BY_WORDS, backjump=False),
    replace(BY_WORDS, first_restart=NEVER),
    replace(BY_SQUARES, backjump=False),
    replace(BY_SQUARES, last_conflict=False),
    replace(BY_SQUARES, first_restart=NEVER),
    replace(HASTY, branching=Branching.IN_TURNS, first_turn=1),
    replace(HASTY, branching=Branching.SQUARES_AT_LAST, first_turn=1),
    replace(BY_WORDS, loyalty=1.0, fading=0.0, shared_blame=False),
    replace(BY_WORDS, breadth=0),
    replace(BY_WORDS, fullest_first=False),
    replace(BY_WORDS, breadth=1, first_restart=3),
    replace(BY_WORDS, restarts=Restarts.LUBY, first_restart=1),
    replace(BY_WORDS, restarts=Restarts.NESTED, first_restart=1, restart_growth=1.5),
)
"""Every switch of the search, the other way."""
STEERINGS = (*WORKERS, HASTY, BY_SQUARES, BY_WORDS, *SWITCHED)


@examples(300)
@given(small_grids(), word_lists(), st.booleans(), st.sampled_from(STEERINGS), st.integers(0, 5))
def test_verdict_and_fill_agree_with_plain_backtracking(
    grid: Grid, words: dict[str, int], allow_repeats: bool, steering: SearchSettings, seed: int
) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    filler = Filler(problem, seed=seed, settings=steering)
    outcome = filler.advance(nodes=1_000_000)
    exists = any(True for _ in islice(naive_fills(grid, words, allow_repeats=allow_repeats), 1))
    assert outcome is (Outcome.FILLED if exists else Outcome.IMPOSSIBLE)
    if exists:
        check_fill(grid, filler.fill(), words, allow_repeats=allow_repeats)
        assert dict(filler.answers()) == {slot.name: read_answer(filler.fill(), slot) for slot in grid.slots}
    else:
        assert filler.reason
        assert filler.fill() == {}


@examples(100)
@given(
    small_grids(4),
    word_lists(4),
    st.integers(0, 3),
    st.sampled_from(STEERINGS),
    st.randoms(use_true_random=True),
)
def test_slices_and_steps_make_the_same_search(
    grid: Grid, words: dict[str, int], seed: int, steering: SearchSettings, rng: Random
) -> None:
    problem = problem_of(grid, words)
    whole = Filler(problem, seed=seed, settings=steering)
    whole.advance(nodes=1_000_000)
    cut = Filler(problem, seed=seed, settings=steering)
    while not cut.outcome.is_final:
        match rng.choice(["slice", "step", "until", "seconds"]):
            case "slice":
                cut.advance(nodes=rng.randrange(4))
            case "step":
                cut.step()
            case "until":
                cut.run_until([EventKind.BACKTRACK], nodes=5)
            case _:
                cut.advance(seconds=0.001)
        if cut.outcome is not Outcome.IMPOSSIBLE:
            check_state(cut)
    assert cut.outcome is whole.outcome
    assert cut.fill() == whole.fill()
    assert (cut.statistics.nodes, cut.statistics.backtracks, cut.statistics.restarts) == (
        whole.statistics.nodes,
        whole.statistics.backtracks,
        whole.statistics.restarts,
    )


def hash_of(word: str) -> int:
    """A number that looks random, and is the same in every process."""
    return zlib.crc32(word.encode())


HARD_GRID = grid_from_text("....#\n.....\n.....\n.....\n#....\n")
HARD_WORDS = {
    "".join(letters): 50
    for length in (3, 4, 5)
    for letters in product("AEST", repeat=length)
    if hash_of("".join(letters)) % 3 == 0
}


def test_state_stays_sound_through_many_dead_ends() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    for seed, steering in product(range(5), (HASTY, BY_SQUARES)):
        filler = Filler(problem, seed=seed, settings=steering)
        for _ in range(300):
            if filler.step() is None:
                break
            check_state(filler)
        filler.advance(nodes=100_000)
        assert filler.outcome.is_final


def test_backtracking_restores_the_state_exactly() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    filler = Filler(problem, seed=1)
    levels: dict[int, tuple[int, ...]] = {}
    while (event := filler.step()) is not None:
        if event.kind is EventKind.DECIDE:
            levels[event.depth] = filler.domain_sizes()
        if event.kind is EventKind.BACKTRACK and event.depth > 0:
            at_decision = levels[event.depth]
            assert all(now <= then for now, then in zip(filler.domain_sizes(), at_decision, strict=True))
            check_state(filler)


def test_what_is_tried_is_taken_back_word_for_word_of_each_domain() -> None:
    """Of domains with many live words all are saved at once, of others those that change, of some both."""
    words = {word: 50 for word in map("".join, product("AEST", repeat=6)) if hash_of(word) % 3 == 0}
    problem = problem_of(grid_from_text(6 * "......\n"), words)
    state = problem.new_state()
    before = state.memory.copy()
    rows, killers = np.arange(len(words)), np.full(len(words), UNTRIED, np.int32)
    assert try_rows(problem.network, state, 0, rows, killers, 0, len(rows)) == len(rows)
    assert {SURVIVES, NOBODY} & set(killers.tolist())
    assert UNTRIED not in killers
    assert (state.memory == before).all()


def test_one_seed_makes_one_fill_and_seeds_differ() -> None:
    problem = problem_of(grid_from_text("...\n...\n...\n"), {
        first + second + third: 50 for first in "ABCD" for second in "ABCD" for third in "ABCD"
    })  # fmt: skip
    fills = []
    for seed in (0, 0, 1, 2, 3):
        filler = Filler(problem, seed=seed)
        assert filler.advance(nodes=1000) is Outcome.FILLED
        fills.append(tuple(sorted((at, str(content)) for at, content in filler.fill().items())))
    assert fills[0] == fills[1]
    assert len(set(fills)) > 1


def test_an_easy_grid_gets_the_best_words() -> None:
    spelled = map("".join, product("ABCDEF", repeat=3))
    words = {word: 90 if set(word) <= set("ABC") else 10 for word in spelled}
    problem = problem_of(grid_from_text("...##\n...##\n...##\n"), words)
    for seed in range(5):
        filler = Filler(problem, seed=seed)
        assert filler.advance() is Outcome.FILLED
        assert {words[answer] for answer in filler.answers().values()} == {90}


@pytest.mark.parametrize(
    ("text", "words", "reason"),
    [
        ("...\n###\n...\n", {"CAT": 1}, "1A and 2A would both be CAT"),
        ("Q?J\n###\n...\n".replace("?", "."), {"CAT": 1, "DOG": 1}, "1A: no word fits Q?J"),
        ("....\n####\n####\n", {"CAT": 1}, "1A: the word list has no word of 4 letters"),
        ("ERA\n###\nERA\n", {"CAT": 1}, "1A and 2A would both be ERA"),
        (
            "Q.J\n#.#\n#.#\n",
            {"QAJ": 1, "CAT": 1},
            "1A: no word fits Q?J; it needs A at r1c2, and 2D does not allow it",
        ),
        ("...\n.#.\n.##\n", {"QAX": 1, "HAJ": 1, "JO": 1}, "1D: no word fits H??; its crossings force H"),
    ],
)
def test_reasons_are_in_a_constructors_words(text: str, words: dict[str, int], reason: str) -> None:
    filler = Filler(problem_of(grid_from_text(text), words))
    assert filler.outcome is Outcome.IMPOSSIBLE
    assert said(filler.reason) == reason
    assert filler.step() is None


def test_exhausted_search_counts_its_nodes() -> None:
    words = dict.fromkeys(["AAB", "ABA", "BAA", "BBC", "CCA"], 1)
    filler = Filler(problem_of(grid_from_text("...\n...\n...\n"), words))
    assert filler.advance(nodes=10_000) is Outcome.IMPOSSIBLE
    assert filler.reason


def test_a_grid_without_entries_is_filled_at_once() -> None:
    filler = Filler(problem_of(grid_from_text("###\n#.#\n###\n"), {"CAT": 1}))
    assert filler.advance() is Outcome.FILLED
    assert filler.fill() == {}


def test_answers_differ_also_when_one_goes_through_a_rebus() -> None:
    grid = grid_from_text("C[AT]S#\n####\n....\n")
    assert str(Filler(problem_of(grid, {"CATS": 50})).reason) == "1A and 2A would both be CATS"
    filler = Filler(problem_of(grid, {"CATS": 90, "DOGS": 10}))
    assert filler.advance() is Outcome.FILLED
    assert filler.answers() == {"1A": "CATS", "2A": "DOGS"}
    repeating = Filler(problem_of(grid, {"CATS": 90, "DOGS": 10}, allow_repeats=True))
    assert repeating.advance() is Outcome.FILLED
    assert repeating.answers()["2A"] == "CATS"


def test_a_dead_end_of_one_part_is_not_met_again_for_every_fill_of_another() -> None:
    """The part above cannot be filled, which takes search; the parts below can, in many ways."""
    words = {"".join(letters): 50 for letters in product("ABCD", repeat=4)}
    words |= {"".join(letters): 50 for letters in product("AESTR", repeat=3) if hash_of("".join(letters)) % 8 == 3}
    alone = grid_from_text("...\n...\n...\n")
    parts = grid_from_text("...#....\n...#....\n...#....\n####....\n....####\n....####\n....####\n....####\n")
    for seed, steering in product(range(3), (BY_WORDS, BY_SQUARES)):
        never = replace(steering, first_restart=NEVER)
        by_itself = Filler(problem_of(alone, words), seed=seed, settings=never)
        whole = Filler(problem_of(parts, words), seed=seed, settings=never)
        assert by_itself.advance(nodes=1_000_000) is Outcome.IMPOSSIBLE
        assert whole.advance(nodes=1_000_000) is Outcome.IMPOSSIBLE
        squares_below = 32
        assert whole.statistics.nodes <= by_itself.statistics.nodes + 2 * squares_below
        plodding = Filler(problem_of(parts, words), seed=seed, settings=replace(never, backjump=False))
        assert plodding.advance(nodes=1_000_000) is Outcome.IMPOSSIBLE
        assert plodding.statistics.nodes > 1000 or steering is BY_WORDS


NO_FILL = "no fill exists with the words in use, none used twice"


@pytest.mark.parametrize(
    ("rules", "exists"),
    [
        ({}, NO_FILL),
        (
            {"distinct_stems": True},
            f"{NO_FILL}, that obeys the rule “distinct: no two answers repeat each other”",
        ),
        (
            {"distinct_stems": True, "shared_substring": 4},
            f"{NO_FILL}, that obeys the rules “distinct: no two answers share 4 letters in a row”, "
            "“distinct: no two answers repeat each other”",
        ),
    ],
)
def test_a_proof_names_the_rules_that_were_asked(rules: dict[str, Any], exists: str) -> None:
    words = {word: 50 for word in map("".join, product("AEST", repeat=3)) if hash_of(f"76{word}") % 3 == 0}
    grid = grid_from_text("...\n...\n...")
    filler = Filler(Problem.build(grid, lexicon_of(words), rules=ruled(**rules)), seed=0)
    filler.advance(nodes=10_000)
    searched, told = str(filler.reason).split(": ", 1)
    assert searched == f"searched all {filler.statistics.nodes} nodes"
    assert told == exists
