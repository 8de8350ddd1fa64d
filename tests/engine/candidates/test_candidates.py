"""Candidates and letters compared with all fills: a dead word has no fill, a proved word has the fill shown."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import (
    candidates_left,
    estimated_board,
    lexicon_of,
    problem_of,
    small_grids,
    word_lists,
)
from tests.examples import examples, is_deep
from tests.known import known
from tests.naive import constraints as naive
from tests.naive.engine import check_fill, naive_fills, naive_propagation, read_answer, slot_words
from tests.naive.worlds import World, random_world
from xwtui.engine.budget import Budget
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, CandidateStanding, sort_candidates
from xwtui.engine.candidates.find import CandidateBoard, candidates
from xwtui.engine.candidates.options import (
    LetterTable,
    exact_letter_table,
    letter_table,
    sampled_letter_table,
    summed_options,
)
from xwtui.engine.candidates.rows import CandidateRows, ListedWords
from xwtui.engine.count.belief import believe
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.recorded_answers import puzzle_of_fill
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Position
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules import Rules
from xwtui.model.rules.constraints import AlteredEntries
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.session.verbs.counts import shares_answer
from xwtui.session.wording import share_words
from xwtui.wording import about

WORDS = dict.fromkeys(["ABC", "BAB", "CAB", "ABA", "BBB", "CCA", "ACC", "BCA", "AAB", "CBC"], 50)


def stages(
    problem: Problem, entry: str, *, view: Sequence[str] = (), prove: bool = True
) -> list[tuple[CandidateEstimate, ...]]:
    """Return every intermediate answer, ending with the final one."""
    seen: list[tuple[CandidateEstimate, ...]] = []
    last = candidates(problem, entry, in_view=lambda: view, prove=prove, found=seen.append)
    assert seen[-1] == last
    return seen


def test_a_candidate_list_does_not_keep_the_problem_alive() -> None:
    problem = problem_of(Grid.blank(3, 3), WORDS)
    rows, gone, told = candidates_left(problem, "1A"), ref(problem), tuple(candidates_left(problem, "1A"))
    del problem
    assert gone() is None
    assert tuple(rows) == told


REVERSED = {"TEN": 80, "NET": 40, "POD": 70, "DOP": 30, "NIL": 50, "TAR": 50, "DIP": 50, "PIT": 50}


@pytest.mark.parametrize("prove", [False, True])
@pytest.mark.parametrize("exactly", range(3))
def test_a_candidates_answer_is_an_answer_of_a_fill(exactly: int, prove: bool) -> None:
    grid = grid_from_text("...\n.##\n.##")
    asked = AlteredEntries(Treatment(Entering.REVERSE), None, exactly)
    task = Task(grid, lexicon_of(REVERSED), rules=Rules(grid=(EnteredOtherwise(asked),)))
    fills = [{slot.name: read for slot, read in fill.items()} for fill in naive.fills(grid, REVERSED, asked)]
    meant = {(fill["1A"][0], fill["1A"][1]) for fill in fills}
    told = candidates(Problem.of(task), "1A", in_view=lambda: tuple(REVERSED), prove=prove)
    alive = [one for one in told if one.alive]
    assert alive
    for one in alive:
        answer = one.answer or one.word
        assert (one.word, answer) in meant
        assert one.score == REVERSED[answer]
        if one.fill is not None:
            assert puzzle_of_fill(task, one.fill).answers["1A"] == answer


@examples(25)
@given(small_grids(4), word_lists(4), st.booleans(), st.data())
def test_dead_words_have_no_fill_and_proved_ones_have_one(
    grid: Grid, words: dict[str, int], allow_repeats: bool, data: st.DataObject
) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    if not problem.slots:
        return
    slot = data.draw(st.sampled_from(problem.slots))
    fills = list(naive_fills(grid, words, allow_repeats=allow_repeats))
    fillable = {read_answer(fill, slot) for fill in fills}
    matching = slot_words(grid, slot, words)
    seen = stages(problem, slot.name, view=list(matching))
    for found in seen:
        assert {one.word for one in found} == set(matching)
        assert not {one.word for one in found if one.standing is CandidateStanding.DEAD} & fillable
    is_plain = problem.tables[problem.slot_numbers[slot.name]].is_plain
    for one in seen[-1]:
        assert (one.standing is CandidateStanding.PROVED) == (one.word in fillable) or not is_plain
        assert one.killed_by is None or one.killed_by != slot.name
        assert one.log10 is None or math.isfinite(one.log10)
        if one.fill is not None:
            check_fill(grid, one.fill, words, allow_repeats=allow_repeats)
            assert read_answer(one.fill, slot) == one.word


def test_each_stage_refines_the_one_before() -> None:
    problem = problem_of(Grid.blank(3, 3), WORDS, allow_repeats=True)
    seen = stages(problem, "1A", view=["ABA"])
    assert {one.standing for one in seen[0]} == {CandidateStanding.MATCHES}
    assert {one.standing for one in seen[1]} <= {CandidateStanding.SURVIVES, CandidateStanding.DEAD}
    assert all((one.log10 is not None) == one.alive for one in seen[2])
    proved = [one for one in seen[-1] if one.standing is CandidateStanding.PROVED]
    assert [one.word for one in proved] == ["ABA"]
    assert proved[0].is_refined


def test_estimates_of_visible_words_are_near_their_fill_counts() -> None:
    problem = problem_of(Grid.blank(3, 3), WORDS, allow_repeats=True)
    fills = [
        read_answer(fill, problem.slots[0]) for fill in naive_fills(Grid.blank(3, 3), WORDS, allow_repeats=True)
    ]
    last = stages(problem, problem.slots[0].name, view=list(WORDS), prove=False)[-1]
    for one in last:
        if one.alive and one.word in fills:
            assert one.log10 == pytest.approx(math.log10(fills.count(one.word)), abs=0.7)


def test_a_dead_word_names_the_crossing_that_rules_it_out() -> None:
    grid = grid_from_text("...\n...\n..C")
    problem = problem_of(grid, {"ABC": 9, "BCA": 8, "CAC": 7, "ACB": 6, "BAA": 5})
    dead = [one for one in stages(problem, "1A")[1] if one.standing is CandidateStanding.DEAD]
    assert dead
    assert all(one.killed_by is not None and one.killed_by.endswith("D") for one in dead)


def test_an_unknown_entry_raises() -> None:
    with pytest.raises(EngineError, match="no entry"):
        candidates(problem_of(Grid.blank(3, 3), WORDS), "99A")


def test_cancelled_at_once_it_still_lists_matching_words() -> None:
    problem = problem_of(Grid.blank(3, 3), WORDS)
    found = candidates(problem, "1A", cancelled=lambda: True)
    assert {one.word for one in found} == set(WORDS)


def test_sort_orders() -> None:
    listed = [
        CandidateEstimate("HIGH", 90, CandidateStanding.SURVIVES, log10=1.0, spread=1.0),
        CandidateEstimate("ROOMY", 50, CandidateStanding.SURVIVES, log10=9.0, spread=1.0),
        CandidateEstimate("FAIR", 80, CandidateStanding.SURVIVES, log10=8.5, spread=1.0),
        CandidateEstimate("GONE", 99, CandidateStanding.DEAD, "2D"),
    ]
    assert [one.word for one in sort_candidates(listed, CandidateOrder.SCORE)] == ["HIGH", "FAIR", "ROOMY", "GONE"]
    assert [one.word for one in sort_candidates(listed, CandidateOrder.ROOM)] == ["ROOMY", "FAIR", "HIGH", "GONE"]
    assert [one.word for one in sort_candidates(listed, CandidateOrder.BOTH)] == ["FAIR", "ROOMY", "HIGH", "GONE"]


def test_an_uncertain_estimate_never_decides_the_order_alone() -> None:
    """An estimate can be off by eighteen powers of ten. If estimates read the same, the score decides."""
    survives = CandidateStanding.SURVIVES
    mere_share = CandidateEstimate("BUZZWORD", 50, survives, log10=8.9)
    wide = CandidateEstimate("FAIR", 80, survives, log10=8.5, is_refined=True, spread=2.5)
    counted = CandidateEstimate("COUNTED", 30, survives, log10=9.2, is_refined=True, spread=1.9)
    assert [one.is_sure for one in (mere_share, wide, counted)] == [False, False, True]
    ranked = sort_candidates([mere_share, wide, counted], CandidateOrder.ROOM)
    assert [one.word for one in ranked] == ["COUNTED", "FAIR", "BUZZWORD"]
    told = [about(one.log10 or 0.0, is_sure=one.is_sure) for one in ranked]
    assert told == ["≈10^9.2", "?10^8", "?10^8"]  # the order is consistent with the estimates shown
    assert [about(log10, is_sure=False) for log10 in (0.9, 1.1, 2.7, 20.5)] == ["?1", "?100", "?100", "?10^20"]
    assert [about(-2.0, is_sure=is_sure) for is_sure in (True, False)] == ["< 1", "?"]


standings = st.sampled_from([CandidateStanding.SURVIVES, CandidateStanding.DEAD])
spreads = st.none() | st.sampled_from([0.0, 9.0])
rooms = st.none() | st.sampled_from([0.5, 1.0, 2.0])
figures = st.tuples(st.integers(0, 3), standings, rooms, spreads)


def made(
    word: str, score: int, standing: CandidateStanding, log10: float | None, spread: float | None = None
) -> CandidateEstimate:
    return CandidateEstimate(word, score * 10, standing, None, log10, spread=spread)


tables = st.dictionaries(st.text("AB", min_size=3, max_size=3), figures, max_size=8).map(
    lambda rows: sorted(
        (made(word, *row) for word, row in rows.items()), key=lambda one: (-(one.score or 0), one.word)
    )
)


@given(
    tables, st.sampled_from(CandidateOrder), st.text("AB", max_size=2), st.frozensets(st.text("AB", max_size=3))
)
def test_candidate_rows_behave_like_a_plain_list(
    table: list[CandidateEstimate], order: CandidateOrder, letters: str, banned: frozenset[str]
) -> None:
    rows = CandidateRows.of(table).in_order(order)
    naive = sort_candidates(table, order)
    if order is CandidateOrder.SCORE:
        naive = [one for one in table if one.alive] + [one for one in table if not one.alive]
    assert list(rows) == naive == list(rows[:])
    assert rows.alive == sum(one.alive for one in naive)
    assert rows.longest == max((len(one.shown) for one in naive), default=0)
    assert rows.dead_words() == {one.word for one in naive if not one.alive}
    assert list(rows.starting_with(letters)) == [one for one in naive if one.word.startswith(letters)]
    assert list(rows.without(banned)) == [one for one in naive if one.word not in banned]
    narrowed = rows.starting_with(letters)
    for word in ("AAA", "BAB", *(one.word for one in naive)):
        assert narrowed.place(word) == next((at for at, one in enumerate(narrowed) if one.word == word), None)


@given(tables, st.sampled_from([CandidateOrder.ROOM, CandidateOrder.BOTH]), st.data())
def test_updated_rows_keep_their_place_or_move_by_estimate(
    table: list[CandidateEstimate], order: CandidateOrder, data: st.DataObject
) -> None:
    first, now = CandidateRows.of(table), {one.word: one for one in table}
    for _ in range(3):
        some = st.lists(st.sampled_from(table), max_size=3, unique=True) if table else st.just([])
        news = [
            made(one.word, (one.score or 0) // 10, *data.draw(st.tuples(standings, rooms, spreads)))
            for one in data.draw(some)
        ]
        now |= {one.word: one for one in news}
        first = first.updated(news)
        assert list(first) == list(now.values())
        assert first.alive == sum(one.alive for one in now.values())
        moved = first.updated([made("CCC", 1, CandidateStanding.DEAD, None)]).in_order(order)
        assert list(moved) == sort_candidates(now.values(), order)


def test_rows_are_created_only_when_viewed() -> None:
    words = [f"A{number:04}" for number in range(10_000)]
    asked: list[int] = []

    def make(row: int) -> CandidateEstimate:
        asked.append(row)
        return made(words[row], 5, CandidateStanding.SURVIVES, None)

    listed = ListedWords(words, np.full(len(words), 50.0))
    unknown = np.full(len(words), np.nan)
    rows = CandidateRows(listed, np.arange(len(words)) > 0, unknown, np.isnan(unknown), make)
    kept = rows.without({words[1]}).in_order(CandidateOrder.SCORE).starting_with("A0")
    assert (kept.alive, kept.longest, kept.place(words[2])) == (998, 5, 0)
    assert not asked
    assert [one.word for one in kept[:2]] == words[2:4]
    assert asked == [2, 3]


@pytest.mark.parametrize("message", ["", "CB"])
def test_candidates_with_treated_answers_are_created_only_when_viewed(
    message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a message, a word has a row for each letter that may be dropped."""
    words = ["".join(letters) for length in (2, 3) for letters in product("ABC", repeat=length)]
    lexicon = lexicon_of({word: 40 + 5 * (place % 4) for place, word in enumerate(words)})
    asked = AlteredEntries(Treatment(Entering.DROP), Direction.ACROSS, None, "", message)
    rules = Rules(grid=(EnteredOtherwise(asked),))
    problem = Problem.build(grid_from_text("..#\n#..\n#.C"), lexicon, rules=rules)
    board = estimated_board(problem, "1A", believe(problem))
    assert (len(board.words) > len(set(board.words))) == bool(message)
    naive = CandidateRows.of([board.estimate(word) for word in dict.fromkeys(board.words)])
    assert any(one.answer for one in naive)
    found = board.candidate_rows()
    for order in CandidateOrder:
        assert list(found.in_order(order)) == list(naive.in_order(order))
    assert found.longest == naive.longest
    assert list(found.without({"ABC"})) == list(naive.without({"ABC"}))
    if not message:
        monkeypatch.setattr(CandidateBoard, "_estimate", None)
    assert len(board.candidate_rows()) == len(naive)


@examples(40)
@given(small_grids(4), word_lists(4), st.booleans())
def test_forced_letters_and_listed_letters_match_every_fill(
    grid: Grid, words: dict[str, int], allow_repeats: bool
) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    letters = letter_table(believe(problem, seconds=None))
    assert not letters.shares.keys() & problem.task.given.keys()
    for at, shares in letters.shares.items():
        assert sum(shares.values()) == pytest.approx(1.0)
        assert list(shares.values()) == sorted(shares.values(), reverse=True)
        assert (at in letters.forced) <= (list(shares) == [letters.forced.get(at)])
    for fill in naive_fills(grid, words, allow_repeats=allow_repeats):
        for at, shares in letters.shares.items():
            assert fill[at] in shares
        for at, content in letters.forced.items():
            assert fill[at] == content


def test_shares_match_the_fills_where_entries_form_a_tree() -> None:
    grid = grid_from_text("...\n.##\n.##")
    words = {"ABC": 50, "ABD": 50, "BBC": 50, "AXY": 50, "BXY": 50}
    fills = list(naive_fills(grid, words, allow_repeats=True))
    letters = letter_table(believe(problem_of(grid, words, allow_repeats=True), seconds=None))
    corner = letters.shares[Position(0, 0)]
    for content, share in corner.items():
        assert share == pytest.approx(
            sum(fill[Position(0, 0)] == content for fill in fills) / len(fills), abs=0.01
        )


def test_without_any_fill_there_are_no_shares() -> None:
    letters = letter_table(believe(problem_of(grid_from_text("Q..\n...\n..."), {"ABC": 50})))
    assert not letters.shares
    assert not letters.forced


def test_a_square_with_one_letter_left_is_forced() -> None:
    letters = letter_table(believe(problem_of(grid_from_text("A..\n###\n###"), {"ABC": 50, "ABD": 40})))
    assert letters.forced == {Position(0, 1): Content.of("B")}
    assert set(letters.shares) == {Position(0, 1), Position(0, 2)}


def naive_shares(world: World) -> dict[Position, dict[Content, float]]:
    """Return the share of each content over all fills, for squares that are not given."""
    fills, found = world.fills, dict[Position, dict[Content, float]]()
    for at in {at for path in world.paths.values() for at, _ in path}:
        if fills and not world.grid[at].is_given:
            held = Counter(fill[at] for fill in fills)
            found[at] = {content: count / len(fills) for content, count in held.items()}
    return found


@examples(200)
@given(st.integers(0, 1 << 32))
def test_exact_shares_match_all_fills(seed: int) -> None:
    world = random_world(Random(seed))
    letters = known(exact_letter_table(world.problem))
    assert letters.fills == len(world.fills)
    assert letters.shares == naive_shares(world)
    assert letters.forced == {at: next(iter(held)) for at, held in naive_shares(world).items() if len(held) == 1}


@pytest.mark.parametrize("runs", [3, 20] if is_deep() else [3])
def test_intervals_of_sampled_shares_cover_the_truth_in_95_of_100(runs: int) -> None:
    held = told = 0
    for seed in range(40):
        world = random_world(Random(seed))
        letters = sampled_letter_table(believe(world.problem, seconds=None), Budget(seed=seed), runs)
        exact = naive_shares(world)
        assert not letters.intervals or not letters.is_exact
        for at, intervals in letters.intervals.items():
            assert exact[at].keys() <= letters.shares[at].keys()
            assert list(intervals) == list(letters.shares[at])
            for content, (low, high) in intervals.items():
                held += low - 1e-6 <= exact[at].get(content, 0.0) <= high + 1e-6
                told += 1
    assert told > 500
    assert held >= 0.95 * told


def test_equal_seeds_and_runs_give_equal_shares() -> None:
    beliefs = believe(random_world(Random(1)).problem, seconds=None)
    one, other = (sampled_letter_table(beliefs, Budget(seed=7, threads=n), 5) for n in (1, 2))
    assert one.intervals
    assert (one.shares, one.intervals) == (other.shares, other.intervals)


def test_without_time_shares_are_not_called_exact() -> None:
    words = [first + second + third for first in "ABCD" for second in "ABCD" for third in "ABCD"]
    problem = problem_of(Grid.blank(3, 3), dict.fromkeys(words, 50))
    assert exact_letter_table(problem, Budget(0)) is None
    estimated = letter_table(believe(problem))
    assert not estimated.is_exact
    shares = next(iter(estimated.shares.values()))
    assert share_words(shares, is_exact=estimated.is_exact).startswith("about ")


def test_an_estimate_never_shows_0_or_100_percent() -> None:
    shares = {Content.of("I"): 0.9999999, Content.of("A"): 0.0000001}
    assert share_words(shares, is_exact=False) == "about I >99%  A <1%"
    ends = {Content.of("I"): (0.941, 1.0), Content.of("A"): (0.0, 0.058)}
    assert share_words(shares, is_exact=False, intervals=ends) == "about I >99% (94-100)  A <1% (0-6)"
    table = LetterTable({Position(0, 0): shares}, {})
    told = shares_answer(table, (Position(0, 0),)).as_json["squares"]["r1c1"]["shares"]
    assert told == {"I": 0.999999, "A": 1e-6}


@examples(50)
@given(small_grids(4), word_lists(4))
def test_propagated_candidates_match_naive_propagation(grid: Grid, words: dict[str, int]) -> None:
    left = naive_propagation(grid, words)
    expected = 0 if left is None else sum(map(len, left.values()))
    assert summed_options(problem_of(grid, words)) == expected
