"""The filler compared with plain backtracking for all settings and slices; its next decisions, and restarts."""

from collections import Counter
from dataclasses import replace
from itertools import islice, product
from math import log, prod
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.small_problems import (
    HARD_GRID,
    HARD_WORDS,
    check_state,
    endless_problem,
    hash_of,
    lexicon_of,
    problem_of,
    small_grids,
    word_lists,
)
from tests.examples import examples
from tests.known import known
from tests.naive.engine import check_fill, naive_fills, naive_propagation, read_answer
from tests.ruled import ruled
from xwtui.engine.events.event import MOST, EventKind, Outcome
from xwtui.engine.fill.filler import Filler, decision_report_of
from xwtui.engine.fill.search_settings import NEVER, WORKERS, Branching, Restarts, SearchSettings
from xwtui.engine.kernels.propagate.propagate import NOBODY, SURVIVES, UNTRIED, try_rows
from xwtui.engine.kernels.search import choose, decisions
from xwtui.engine.kernels.search.decisions import NO_RESTART, RESTART_AT, RESTART_STRIDE, UNIT
from xwtui.engine.problem.no_fill import EntryEmptied, NoFit, WordlessEntry
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid, Position, Slot
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.xwtui_engine import XwtuiEngine
from xwtui.worded import in_words

HASTY = SearchSettings(noise=1.0, score_weight=0.3, first_restart=1, restart_growth=1.01)
"""Restarts after nearly every dead end, so that small problems exercise them."""

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
"""Every search switch in its unusual position."""
STEERINGS = (*WORKERS, HASTY, BY_SQUARES, BY_WORDS, *SWITCHED)


@examples(300)
@given(small_grids(), word_lists(), st.booleans(), st.sampled_from(STEERINGS), st.integers(0, 5))
def test_verdict_and_fill_agree_with_plain_backtracking(
    grid: Grid, words: dict[str, int], allow_repeats: bool, search_settings: SearchSettings, seed: int
) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    filler = Filler(problem, seed=seed, settings=search_settings)
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
    grid: Grid, words: dict[str, int], seed: int, search_settings: SearchSettings, rng: Random
) -> None:
    problem = problem_of(grid, words)
    whole = Filler(problem, seed=seed, settings=search_settings)
    whole.advance(nodes=1_000_000)
    cut = Filler(problem, seed=seed, settings=search_settings)
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


def test_the_state_stays_consistent_through_many_dead_ends() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    for seed, search_settings in product(range(5), (HASTY, BY_SQUARES)):
        filler = Filler(problem, seed=seed, settings=search_settings)
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


def test_undo_restores_every_word_of_each_domain() -> None:
    """Domains with many live words are saved whole, others change by change, and some both ways."""
    words = {word: 50 for word in map("".join, product("AEST", repeat=6)) if hash_of(word) % 3 == 0}
    problem = problem_of(grid_from_text(6 * "......\n"), words)
    state = problem.new_state()
    before = state.memory.copy()
    rows, killers = np.arange(len(words)), np.full(len(words), UNTRIED, np.int32)
    assert try_rows(problem.network, state, 0, rows, killers, 0, len(rows)) == len(rows)
    assert {SURVIVES, NOBODY} & set(killers.tolist())
    assert UNTRIED not in killers
    assert (state.memory == before).all()


def test_a_seed_is_reproducible_and_seeds_differ() -> None:
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


def test_a_no_fit_reason_is_true() -> None:
    """In every random grid refuted by propagation, no word fits the pattern and letters given in the reason."""
    seen = Counter[tuple[bool, bool]]()
    for seed in range(400):
        draw = Random(seed)
        words = ["".join(draw.choices("ABCDE", k=draw.choice((3, 4, 4)))) for _ in range(draw.randint(4, 40))]
        shape = draw.choice(("....\n....\n....\n....", "...#\n....\n....\n#...", "....\n...#\n..##\n..##"))
        problem = problem_of(grid_from_text(shape), dict.fromkeys(words, 50))
        match Filler(problem).reason:
            case EntryEmptied(what=WordlessEntry(entry=name, why=NoFit(pattern=pattern))) as reason:
                reading = problem.task.grid.slot(name).positions
                choices = {reading.index(at): contents for at, contents in reason.allowed}
                fit = [
                    word
                    for word in words
                    if len(word) == len(pattern)
                    and all(mark in ("?", letter) for mark, letter in zip(pattern, word, strict=True))
                    and all(word[index] in contents for index, contents in choices.items())
                ]
                assert reason.wanted or set(fit) == set(reason.taken), (seed, in_words(reason), fit)
                seen[bool(reason.allowed), bool(reason.taken)] += 1
    assert len(seen) == 4, seen


def test_repeats_are_not_blamed_where_they_are_allowed() -> None:
    """If answers may repeat, a wipe-out is never explained by another entry having the word."""
    refuted = 0
    for seed in range(200):
        draw = Random(seed)
        words = {"".join(draw.choices("ABCD", k=3)): 1 for _ in range(draw.randint(2, 12))}
        filler = Filler(problem_of(grid_from_text("...\n...\n..."), words, allow_repeats=True))
        if isinstance(filler.reason, EntryEmptied):
            refuted += 1
            assert not filler.reason.taken, (seed, in_words(filler.reason))
    assert refuted > 20


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
        (
            "...\n.#.\n.##\n",
            {"QAX": 1, "HAJ": 1, "JO": 1},
            "1D: no word fits H?? but HAJ, which another entry takes; its crossings force H",
        ),
    ],
)
def test_reasons_use_terms_of_constructors(text: str, words: dict[str, int], reason: str) -> None:
    filler = Filler(problem_of(grid_from_text(text), words))
    assert filler.outcome is Outcome.IMPOSSIBLE
    assert in_words(filler.reason) == reason
    assert filler.step() is None


def test_exhausted_search_counts_its_nodes() -> None:
    words = dict.fromkeys(["AAB", "ABA", "BAA", "BBC", "CCA"], 1)
    filler = Filler(problem_of(grid_from_text("...\n...\n...\n"), words))
    assert filler.advance(nodes=10_000) is Outcome.IMPOSSIBLE
    assert filler.reason


def test_a_grid_without_entries_is_filled_immediately() -> None:
    filler = Filler(problem_of(grid_from_text("###\n#.#\n###\n"), {"CAT": 1}))
    assert filler.advance() is Outcome.FILLED
    assert filler.fill() == {}


def test_answers_differ_even_through_a_rebus() -> None:
    grid = grid_from_text("C[AT]S#\n####\n....\n")
    assert str(Filler(problem_of(grid, {"CATS": 50})).reason) == "1A and 2A would both be CATS"
    filler = Filler(problem_of(grid, {"CATS": 90, "DOGS": 10}))
    assert filler.advance() is Outcome.FILLED
    assert filler.answers() == {"1A": "CATS", "2A": "DOGS"}
    repeating = Filler(problem_of(grid, {"CATS": 90, "DOGS": 10}, allow_repeats=True))
    assert repeating.advance() is Outcome.FILLED
    assert repeating.answers()["2A"] == "CATS"


def test_a_dead_end_in_one_part_is_not_repeated_for_fills_of_another() -> None:
    """The part above has no fill, which takes search to find out; the parts below have many fills."""
    words = {"".join(letters): 50 for letters in product("ABCD", repeat=4)}
    words |= {"".join(letters): 50 for letters in product("AESTR", repeat=3) if hash_of("".join(letters)) % 8 == 3}
    alone = grid_from_text("...\n...\n...\n")
    parts = grid_from_text("...#....\n...#....\n...#....\n####....\n....####\n....####\n....####\n....####\n")
    for seed, search_settings in product(range(3), (BY_WORDS, BY_SQUARES)):
        never = replace(search_settings, first_restart=NEVER)
        by_itself = Filler(problem_of(alone, words), seed=seed, settings=never)
        whole = Filler(problem_of(parts, words), seed=seed, settings=never)
        assert by_itself.advance(nodes=1_000_000) is Outcome.IMPOSSIBLE
        assert whole.advance(nodes=1_000_000) is Outcome.IMPOSSIBLE
        squares_below = 32
        assert whole.statistics.nodes <= by_itself.statistics.nodes + 2 * squares_below
        plodding = Filler(problem_of(parts, words), seed=seed, settings=replace(never, backjump=False))
        assert plodding.advance(nodes=1_000_000) is Outcome.IMPOSSIBLE
        assert plodding.statistics.nodes > 1000 or search_settings is BY_WORDS


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
def test_a_proof_names_the_rules_of_the_problem(rules: dict[str, Any], exists: str) -> None:
    words = {word: 50 for word in map("".join, product("AEST", repeat=3)) if hash_of(f"76{word}") % 3 == 0}
    grid = grid_from_text("...\n...\n...")
    filler = Filler(Problem.build(grid, lexicon_of(words), rules=ruled(**rules)), seed=0)
    filler.advance(nodes=10_000)
    searched, told = str(filler.reason).split(": ", 1)
    assert searched == f"searched all {filler.statistics.nodes} nodes"
    assert told == exists


def strides(settings: SearchSettings, runs: int) -> list[int]:
    """Return for each of the first runs its dead-end limit and the dead ends it had at least."""
    filler = Filler(endless_problem(), settings=settings)
    planned: list[int] = []
    begin = 0
    while len(planned) < runs:
        planned.append(int(filler.search.progress[RESTART_STRIDE]))
        assert filler.run_until([EventKind.RESTART]) is not None
        assert filler.statistics.backtracks >= begin + planned[-1]
        begin = filler.statistics.backtracks
    return planned


@pytest.mark.parametrize(
    ("policy", "growth", "expected"),
    [
        (Restarts.GEOMETRIC, 1.5, [4, 7, 11, 17, 26]),
        (Restarts.LUBY, 1.0, [4, 4, 8, 4, 4, 8, 16, 4, 4, 8, 4, 4, 8, 16, 32, 4]),
        (Restarts.NESTED, 2.0, [4, 4, 9, 4, 9, 19, 4, 9, 19, 39, 4]),
    ],
)
def test_each_policy_restarts_on_schedule(policy: Restarts, growth: float, expected: list[int]) -> None:
    settings = replace(BY_WORDS, restarts=policy, first_restart=4, restart_growth=growth)
    assert strides(settings, len(expected)) == expected


def test_a_search_restarts_once_early_and_then_by_its_policy() -> None:
    assert (WORKERS[0].first_run, WORKERS[0].first_restart) == (100, 400)
    filler = Filler(
        endless_problem(), settings=replace(BY_WORDS, first_run=5, first_restart=40, restart_growth=1.5)
    )
    ends: list[int] = []
    while len(ends) < 3:
        assert filler.run_until([EventKind.RESTART]) is not None
        ends.append(filler.statistics.backtracks)
    assert ends[0] in range(5, 40)
    assert ends[1] - ends[0] in range(61, 92)
    assert ends[2] - ends[1] in range(92, 139)


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ("", 100),
        ("patience=40", 10),
        ("patience=1", 1),
        ("restart=luby,patience=40", 40),
        ("restart=never", NO_RESTART),
    ],
)
def test_growing_runs_begin_with_a_quarter_of_the_patience(options: str, first: int) -> None:
    strategy = StrategyChoice.parse(f"xwtui:{options}" if options else "xwtui").make(endless_problem().task, 1)
    assert isinstance(strategy, XwtuiEngine)
    assert strategy.filler.search.progress[RESTART_AT] == first


def test_square_and_word_branching_alternate_with_equal_dead_ends() -> None:
    settings = replace(BY_WORDS, branching=Branching.IN_TURNS, first_restart=10, first_turn=25, restart_growth=1.0)
    filler = Filler(endless_problem(), settings=settings)
    turns: list[tuple[bool, int]] = []
    while len(turns) < 9 and (event := filler.run_until([EventKind.DECIDE])) is not None:
        is_square = event.slot is None
        if not turns or turns[-1][0] != is_square:
            turns.append((is_square, filler.statistics.backtracks))
    assert [is_square for is_square, _ in turns] == [False, True] * 4 + [False]
    begins = [begin for is_square, begin in turns if is_square]
    ends = [begin for is_square, begin in turns if not is_square][1:]
    for begin, end in zip(begins, ends, strict=True):
        assert end >= 2 * begin
    for end, begin in zip(ends, begins[1:], strict=False):
        assert begin >= 2 * end


def test_squares_at_last_keeps_the_search_without_a_restart() -> None:
    settings = replace(
        BY_WORDS, branching=Branching.SQUARES_AT_LAST, first_restart=10, first_turn=25, restart_growth=1.0
    )
    filler = Filler(endless_problem(), settings=settings)
    restarts: list[int] = []
    while filler.run_until([EventKind.RESTART], nodes=1000) is not None:
        restarts.append(filler.statistics.backtracks)
    assert len(restarts) > 1
    assert all(begin < 25 for begin in restarts[:-1])
    assert restarts[-1] >= 25
    for _ in range(50):
        event = known(filler.run_until([EventKind.DECIDE]))
        assert event.slot is None


QUIET = SearchSettings(noise=0.0)
SQUARES = SearchSettings(noise=0.0, branching=Branching.ON_SQUARES, last_conflict=False)


@pytest.mark.parametrize("seed", range(3))
def test_the_first_ranked_entry_and_word_are_decided_next(seed: int) -> None:
    """Without randomness, before each of many decisions, through dead ends and restarts."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=seed, settings=QUIET)
    seen = judged = 0
    while seen < 150:
        filler.reject_fill()
        filler.advance(nodes=1)
        if filler.outcome.is_final:
            continue
        report = decision_report_of(filler)
        event = filler.step()
        while event is not None and event.kind is EventKind.RESTART:
            report = decision_report_of(filler)
            event = filler.step()
        if event is None or event.kind is not EventKind.DECIDE:
            continue
        seen += 1
        assert event.slot == report.ranking[0].name
        assert report.ranking[0].figures.startswith(f"log({event.before:,})/")
        likely = [one.word for one in report.words if one.room == report.words[0].room]
        if len(likely) < MOST:
            judged += 1
            assert event.word in likely, "all have the same score"
    assert judged > 50


def test_blame_is_relative_to_the_most_blamed_square() -> None:
    """Zero at first; after dead ends, one square has 1."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=0)
    assert set(decision_report_of(filler).blame.values()) == {0.0}
    while filler.square_weights.max() == 1.0:
        filler.reject_fill()
        filler.advance(nodes=1)
    blame = decision_report_of(filler).blame
    assert max(blame.values()) == 1.0
    assert min(blame.values()) == 0.0


def test_squares_are_ranked_when_branching_on_squares() -> None:
    """By letters left and blame; the first decision is on the first square."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1, settings=SQUARES)
    report = decision_report_of(filler)
    event = filler.step()
    while event is not None and event.kind is not EventKind.DECIDE:
        event = filler.step()
    assert event is not None
    assert event.slot is None
    assert str(event.crossing) == report.ranking[0].name
    assert report.ranking[0].figures.startswith(f"{event.before} / ")


BY_ROOM = SearchSettings(noise=0, score_weight=0)
BY_SCORE = SearchSettings(noise=0, score_weight=100)


def contents_at(grid: Grid, slot: Slot, words: set[str], position: Position) -> list[str]:
    """Return the letters that words put on a square, with repetition; for grids without rebus squares."""
    return [word[slot.positions.index(position)] for word in words]


def open_crossings(grid: Grid, slot: Slot, left: dict[str, set[str]]) -> list[tuple[Position, Slot]]:
    """Return the squares of a slot whose crossing entry is undecided, each with that entry."""
    found = []
    for position in slot.positions:
        other = grid.slot_at(position, slot.direction.other)
        if other is not None and len(left[other.name]) > 1:
            found.append((position, other))
    return found


def test_lookup_tables_match_the_c_library() -> None:
    """Numpy's logarithms may round differently between processors, but a seed's fill must not change."""
    logarithms = [round(log(max(number, 1)) * UNIT) for number in range(len(decisions.LOGARITHMS))]
    count = len(choose._GUMBELS)
    gumbels = [round(-log(-log((index + 0.5) / count)) * UNIT) for index in range(count)]
    assert decisions.LOGARITHMS.tolist() == logarithms
    assert choose._GUMBELS.tolist() == gumbels


@examples(200)
@given(small_grids(rebuses=False), word_lists(), st.integers(0, 3))
def test_the_first_decision_is_the_tightest_entry_and_the_word_that_leaves_most_room(
    grid: Grid, words: dict[str, int], seed: int
) -> None:
    left = naive_propagation(grid, words)
    assume(left is not None)
    assert left is not None
    event = Filler(problem_of(grid, words), seed=seed, settings=BY_ROOM).run_until([EventKind.DECIDE])
    undecided = {slot.name: slot for slot in grid.slots if len(left[slot.name]) > 1}
    if event is None:
        assert not undecided
        return
    tightness = {
        name: log(len(left[name])) / (len(open_crossings(grid, slot, left)) + 1e-6)
        for name, slot in undecided.items()
    }
    assert event.slot is not None
    assert tightness[event.slot] == pytest.approx(min(tightness.values()), rel=0.001)
    slot = undecided[event.slot]
    room = {
        word: prod(
            contents_at(grid, other, left[other.name], at).count(contents_at(grid, slot, {word}, at)[0])
            for at, other in open_crossings(grid, slot, left)
        )
        for word in left[slot.name]
    }
    assert event.word in room
    assert abs(log(room[event.word]) - log(max(room.values()))) < 0.001


@given(small_grids(rebuses=False), word_lists())
def test_with_score_weight_alone_the_best_word_comes_first(grid: Grid, words: dict[str, int]) -> None:
    filler = Filler(problem_of(grid, words), settings=BY_SCORE)
    left = naive_propagation(grid, words)
    event = filler.run_until([EventKind.DECIDE])
    if event is not None:
        assert left is not None
        assert words[known(event.word)] == max(words[word] for word in left[event.slot or ""])


def test_noise_favors_words_that_leave_room_but_allows_others() -> None:
    grid = Grid.blank(3, 3)
    words = {a + b + c: 50 for a in "AAB" for b in "ABC" for c in "ABC"} | {"CAB": 50}
    problem = problem_of(grid, words)
    first = [
        event.word
        for seed in range(300)
        if (event := Filler(problem, seed=seed, settings=SearchSettings(noise=1)).run_until([EventKind.DECIDE]))
    ]
    assert len(set(first)) > 5
    assert sum(word == "CAB" for word in first) < 300 / len(words)
