"""Repairs compared with a naive twin: on small grids the smallest change is found and proved, word by word.

Fills that follow edits: legal if there is one, and unchanged if nothing contradicts them.

The smallest region around a conflict: everything outside is kept, and each fill is closer than the last.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.improve.test_best import Stopper, wide_problem
from tests.engine.small_problems import LETTERS, lexicon_of, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from tests.naive.constraints import clash_fills
from tests.naive.engine import check_fill, given_content, naive_fills, naive_propagation, read_answer
from tests.naive.partial import Cost, naive_changed_scores, naive_cost, naive_repair, naive_swaps
from xwtui.engine.budget import Budget, never
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.search_settings import SearchSettings
from xwtui.engine.improve import rounds
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.rounds import Refill
from xwtui.engine.improve.worth import CodedFill, Cut, Worth, code_start
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair import closest as closest_module
from xwtui.engine.repair import repair as module
from xwtui.engine.repair.closeness import Closeness, ReducedCosts, with_bounded_root
from xwtui.engine.repair.closest import ClosestFill, RepairEffort, closest_fill
from xwtui.engine.repair.repair import Repair, RepairWanted, follow, repair
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Ink, Position, Square
from xwtui.model.rules import Rules
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import TwoReadings

ALL = 10_000


def standing_on(grid: Grid, rng: Random) -> dict[Position, Content]:
    """Return grid contents: given squares, and pencil that need not form words and may have gaps."""
    contents = [*map(Content.of, LETTERS + LETTERS + "Z"), *([None] * rng.randint(0, 3))]
    standing: dict[Position, Content] = {}
    for position in sorted({position for slot in grid.slots for position in slot.positions}):
        content = given_content(grid, position) or rng.choice(contents)
        if content is not None:
            standing[position] = content
    return standing


def cost_of(made: Repair) -> Cost:
    """Return the naive twin's cost of a repair."""
    changed, lowest, mean = made.rank
    return changed, lowest, round(mean, 6)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow proofs unlimited time on a busy machine, and enumerate all fills of a level at once."""
    monkeypatch.setattr(module, "PROOF_NODES", 1 << 40)
    monkeypatch.setattr(module, "_FILLS_AT_ONCE", 1_000_000)


@examples(150)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_the_smallest_change_is_found_and_proved(grid: Grid, words: dict[str, int], rng: Random) -> None:
    standing = standing_on(grid, rng)
    result = repair(problem_of(grid, words), standing)
    best = naive_repair(grid, standing, words)
    if best is None:
        assert (result.outcome, result.repairs) == (Outcome.IMPOSSIBLE, ())
        assert result.reason
        return
    made = result.repairs[0]
    check_fill(grid, made.squares, words)
    assert result.outcome is Outcome.FILLED
    assert made.is_smallest
    assert cost_of(made) == best == naive_cost(grid, standing, made.squares, words)
    assert [at for at in sorted(made.squares) if standing.get(at, made.squares[at]) != made.squares[at]] == [
        *made.changed
    ]


@examples(150)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_each_other_word_of_an_entry_has_its_own_smallest_change(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    assume(grid.slots)
    standing = standing_on(grid, rng)
    entry = rng.choice(grid.slots).name
    told: list[tuple[Repair, ...]] = []
    result = repair(problem_of(grid, words), standing, wanted=RepairWanted(entry, most=ALL, found=told.append))
    wanted = naive_swaps(grid, standing, words, entry)
    assert {made.answers[entry]: cost_of(made) for made in result.repairs} == wanted
    assert result.is_complete
    assert result.outcome is (Outcome.FILLED if wanted else Outcome.IMPOSSIBLE)
    assert [made.rank for made in result.repairs] == sorted(made.rank for made in result.repairs)
    assert all(made.is_smallest for made in result.repairs)
    assert (told[-1] if told else ()) == result.repairs
    few = repair(problem_of(grid, words), standing, wanted=RepairWanted(entry, most=2))
    costs = sorted(wanted.values())
    assert [cost_of(made) for made in few.repairs] == costs[:2]


@examples(100)
@given(small_grids(3), word_lists(3), st.booleans(), st.randoms(use_true_random=False))
def test_a_square_that_may_read_two_ways_changes_once(
    grid: Grid, words: dict[str, int], proves_at_once: bool, rng: Random
) -> None:
    assume(grid.slots)
    asked, standing = TwoReadings(least=0, most=rng.choice([1, 4])), standing_on(grid, rng)
    problem = Problem.build(grid, lexicon_of(words), rules=Rules(grid=(ClashSquares(asked),)))
    entry = rng.choice(grid.slots).name
    every = clash_fills(grid, [*words], [asked], allow_repeats=False)
    fills = [fill for (fill, _), _ in zip(every, range(5_000), strict=False)]
    assume(0 < len(fills) < 5_000)

    def changed(fill: Mapping[Position, Content]) -> int:
        return sum(standing.get(at, content) != content for at, content in fill.items())

    with pytest.MonkeyPatch.context() as patch:
        if not proves_at_once:
            patch.setattr(module._RepairSearch, "_search_levels", lambda *_: False)
        closest = repair(problem, standing).repairs
    swaps = repair(problem, standing, wanted=RepairWanted(entry, most=ALL)).repairs
    least = min(map(changed, fills))
    assert closest
    assert all(len(made.changed) == least for made in closest if made.is_smallest)
    assert all(made.is_smallest for made in (*swaps, *(closest if proves_at_once else ())))
    fewest: dict[str, int] = {}
    for fill in fills:
        word = read_answer(fill, grid.slot(entry))
        fewest[word] = min(changed(fill), fewest.get(word, changed(fill)))
    assert all(len(made.changed) == fewest[made.answers[entry]] for made in swaps)
    most = rng.randint(1, 3)
    near = repair(problem, standing, wanted=RepairWanted(entry, most=ALL, most_squares=most)).repairs
    listed = {made.answers[entry] for made in swaps}
    assert {made.answers[entry] for made in near} == {word for word in listed if fewest[word] <= most}


def test_an_entry_that_keeps_its_reading_of_a_square_does_not_change() -> None:
    """When A/B becomes B, the down entry keeps its word, which scores 10."""
    grid, words = grid_from_text("...\n.##\n.##"), {"ACC": 50, "BCC": 90, "BDD": 10}
    standing = {at: Content.of("C" if at.column else "D") for at in grid.open_positions()}
    standing[Position(0, 0)] = Content("A", "B")
    rules = Rules(grid=(ClashSquares(TwoReadings(least=0, most=1)),))
    problem = Problem.build(grid, lexicon_of(words), rules=rules)
    (swap,) = repair(problem, standing, wanted=RepairWanted("1A")).repairs
    assert (swap.answers["1A"], swap.answers["1D"], swap.changed) == ("BCC", "BDD", (Position(0, 0),))
    assert (swap.lowest_changed, swap.weakest) == (90, "1A")


@examples(100)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_no_changed_answer_scores_below_the_minimum(grid: Grid, words: dict[str, int], rng: Random) -> None:
    assume(grid.slots)
    standing, entry = standing_on(grid, rng), rng.choice(grid.slots).name
    least = rng.choice(sorted({*words.values()}))
    asked = RepairWanted(entry, most=ALL, least_changed=least)
    result = repair(problem_of(grid, words), standing, wanted=asked)
    wanted = naive_swaps(grid, standing, words, entry, least)
    assert {made.answers[entry]: cost_of(made) for made in result.repairs} == wanted
    assert result.is_complete
    for made in result.repairs:
        scores = naive_changed_scores(grid, standing, made.squares, words, entry)
        assert (made.lowest_changed, scores[made.weakest]) == (min(scores.values()),) * 2
    few = repair(problem_of(grid, words), standing, wanted=asked._replace(most_squares=1))
    assert {made.answers[entry] for made in few.repairs} == {
        word for word, (squares, *_) in wanted.items() if squares <= 1
    }


@examples(60)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_requested_word_is_placed(grid: Grid, words: dict[str, int], rng: Random) -> None:
    standing = standing_on(grid, rng)
    assume(grid.slots)
    entry = rng.choice(grid.slots).name
    wanted = naive_swaps(grid, standing, words, entry)
    assume(wanted)
    word = rng.choice(sorted(wanted))
    result = repair(problem_of(grid, words), standing, wanted=RepairWanted(entry, word))
    assert [(made.answers[entry], cost_of(made)) for made in result.repairs] == [(word, wanted[word])]


@examples(60)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_repair_is_returned_even_if_its_proof_takes_too_long(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    standing = standing_on(grid, rng)
    best = naive_repair(grid, standing, words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module._RepairSearch, "_search_levels", lambda *_: False)
        result = repair(problem_of(grid, words), standing)
    assert (result.outcome is Outcome.FILLED) == (best is not None)
    for made in result.repairs:
        assert best is not None
        check_fill(grid, made.squares, words)
        assert len(made.changed) == best[0] or not made.is_smallest


@examples(150)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_an_unproved_repair_also_obeys_the_limit_of_squares(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    assume(grid.slots)
    wanted = RepairWanted(rng.choice(grid.slots).name, most_squares=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module._RepairSearch, "_search_levels", lambda *_: False)
        result = repair(problem_of(grid, words), standing_on(grid, rng), wanted=wanted)
    assert all(len(made.changed) <= 1 for made in result.repairs)


@examples(100)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_no_fill_changes_fewer_squares_than_the_price_bound(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    problem, standing = problem_of(grid, words), standing_on(grid, rng)
    best = naive_repair(grid, standing, words)
    closeness = Closeness(problem, standing)
    near = closeness.within(None) if problem.root.is_possible else None
    if best is None or near is None:
        return
    costs = ReducedCosts(Worth(with_bounded_root(near.problem, None), Objective()), near)
    costs.tighten(best[0] + 1, 50, never)
    assert costs.least <= best[0]
    reduced = costs.within(best[0])
    assert reduced is not None, "rows of the closest fill are left"
    assert reduced.problem.root.is_possible


def test_a_change_beyond_plain_levels_is_proved_by_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, standing = wide_problem()
    overtyped = {**standing, **dict.fromkeys((min(standing), max(standing)), Content.of("Z"))}
    monkeypatch.setattr(module._RepairSearch, "_search_levels", lambda *_: False)
    made = repair(problem, overtyped).repairs[0]
    assert (len(made.changed), made.is_smallest) == (2, True)


class LeastAlone(ReducedCosts):
    """Costs with only a lower bound, and without any closer fill."""

    def __init__(self, least: int) -> None:
        self._least = least

    @property
    def least(self) -> int:
        return self._least

    def tighten(self, most: int, steps: int, stopped: object) -> None:
        """Do nothing."""

    def within(self, most: int) -> None:
        return None


@pytest.mark.parametrize(
    ("enough", "least", "goes_on"), [(10, 4, True), (6, 0, True), (10, 3, False), (20, 9, False), (20, 10, True)]
)
def test_a_proof_is_given_up_only_if_the_bound_is_far_off(enough: int, least: int, goes_on: bool) -> None:
    problem, standing = wide_problem()
    changed = tuple(sorted(standing)[:enough])
    made = Repair(standing, changed, {}, 50.0, 50, is_smallest=False, weakest="", lowest_changed=0, word=-1)
    search = module._RepairSearch(problem, standing, Budget(), RepairWanted())
    assert search._closest_proved(LeastAlone(least), made).is_smallest is goes_on


def test_a_proved_change_stands_when_no_other_fill_is_as_close(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, standing = wide_problem()
    search = module._RepairSearch(problem, standing, Budget(stop=lambda: True), RepairWanted())
    near = search._closeness.within(None)
    changed = tuple(sorted(standing)[:2])
    made = Repair(standing, changed, {}, 50.0, 50, is_smallest=False, weakest="", lowest_changed=0, word=-1)
    costs = LeastAlone(2)
    monkeypatch.setattr(costs, "within", lambda most: near)
    assert search._closest_proved(costs, made) == replace(made, is_smallest=True)


def _letters(text: str) -> Mapping[Position, Content]:
    return {
        Position(row, column): Content.of(letter)
        for row, line in enumerate(text.split())
        for column, letter in enumerate(line)
        if letter.isalpha()
    }


def test_only_the_changed_squares_change() -> None:
    words = dict.fromkeys(["CAT", "ARE", "TED", "COT", "TEN", "ORE", "CAR", "RED"], 50)
    problem = problem_of(grid_from_text("...\n...\n...\n"), words, allow_repeats=True)
    result = repair(problem, _letters("CAT ARE TED"), wanted=RepairWanted("1A", most=ALL))
    changes = {made.answers["1A"]: [str(at) for at in made.changed] for made in result.repairs}
    assert changes == {"COT": ["r1c2"], "CAR": ["r1c3"]}


def test_cancelled_at_once_it_returns_nothing() -> None:
    problem, standing = wide_problem()
    result = repair(problem, standing, Budget(stop=lambda: True), RepairWanted(problem.slots[0].name))
    assert (result.outcome, result.repairs) == (Outcome.CANCELLED, ())


def test_the_search_for_closer_changes_ends_when_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, standing = wide_problem()
    overtyped = {**standing, **dict.fromkeys((min(standing), max(standing)), Content.of("Z"))}
    monkeypatch.setattr(module._RepairSearch, "_search_levels", lambda *_: False)
    looks, asked = 0, list[int]()

    def look() -> bool:
        nonlocal looks
        looks += 1
        return False

    def is_enough() -> bool:
        asked.append(looks)
        return True

    assert repair(problem, overtyped, Budget(stop=look)).repairs
    in_full, looks = looks, 0
    result = repair(problem, overtyped, Budget(stop=look), RepairWanted(is_enough=is_enough))
    assert result.outcome is Outcome.FILLED, "the first one is looked for all the same"
    check = result.repairs[0]
    assert len(check.squares) == len(problem.positions)
    assert asked[0] > 1, "it is asked once there is one"
    assert looks < in_full


def test_an_exhausted_proof_returns_a_repair_not_called_smallest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem, standing = wide_problem()
    monkeypatch.setattr(module, "PROOF_NODES", 0)
    result = repair(problem, standing, wanted=RepairWanted(problem.slots[0].name, "FFFF"))
    assert result.outcome is Outcome.FILLED
    assert result.repairs[0].answers[problem.slots[0].name] == "FFFF"


@examples(100)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_live_fill_is_found_if_any_exists_and_kept_if_possible(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    fills = list(naive_fills(grid, words))
    found = follow(problem_of(grid, words), standing_on(grid, rng))
    assert found.outcome is (Outcome.FILLED if fills else Outcome.IMPOSSIBLE)
    if not fills:
        assert not found.squares
        return
    check_fill(grid, found.squares, words)
    assert follow(problem_of(grid, words), found.squares).squares == found.squares
    fill = rng.choice(fills)
    assert follow(problem_of(grid, words), fill).squares == fill


def check_agrees(grid: Grid, ghosts: Mapping[Position, Content], words: dict[str, int]) -> None:
    """Check a partial fill: given squares are kept, whole entries are words, and propagation finds no wipe-out."""
    assert all(given_content(grid, at) in (None, content) for at, content in ghosts.items())
    full = grid.with_squares(
        {at: replace(grid[at], content=content, ink=Ink.PEN) for at, content in ghosts.items()}
    )
    for slot in grid.slots:
        contents = [given_content(full, at) for at in slot.positions]
        is_given = all(given_content(grid, at) for at in slot.positions)
        answer = "".join(content.reading(slot.direction) for content in contents if content)
        assert is_given or not all(contents) or answer in words, f"{slot.name} {answer} is no word"
    assert naive_propagation(full, words) is not None


@examples(200)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_preview_agrees_with_the_grid_and_with_itself(grid: Grid, words: dict[str, int], rng: Random) -> None:
    last = next(naive_fills(grid, words), {})
    at = rng.choice(sorted(last) or [Position(0, 0)])
    edited = grid.with_squares({at: Square(content=Content.of(rng.choice(LETTERS)), ink=Ink.PEN)})
    told: list[Mapping[Position, Content]] = []
    with pytest.MonkeyPatch.context() as patch:
        # leaves regions undecided that fifty nodes would decide in such small grids
        patch.setattr(rounds, "_MENDING_NODES", 1)
        found = follow(problem_of(edited, words), last, agreed=told.append)
    for ghosts in told:
        check_agrees(edited, ghosts, words)
    for before, after in pairwise(told):
        assert after.items() < before.items(), "it is told again where less of it may stay"
    assert (found.outcome is Outcome.FILLED) == any(True for _ in naive_fills(edited, words))
    if found.squares:
        check_fill(edited, found.squares, words)


def test_the_agreeing_part_is_reported_before_the_whole_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "_MENDING_NODES", 1)
    problem, last = wide_problem()
    grid = problem.grid.with_squares({Position(0, 0): Square(content=Content.of("G"), ink=Ink.PEN)})
    through = [slot for slot in grid.slots if Position(0, 0) in slot.positions]
    words = dict.fromkeys(map("".join, product("ABCDEFG", repeat=4)), 1)
    for slot in through:
        del words["G" + read_answer(last, slot)[1:]]
    told: list[Mapping[Position, Content]] = []
    assert follow(problem_of(grid, words), last, agreed=told.append).outcome is Outcome.FILLED
    freed = {at for slot in through for at in slot.positions[1:]}
    assert told == [{at: grid[at].content or content for at, content in last.items() if at not in freed}]


def test_only_the_invalidated_part_changes() -> None:
    problem, last = wide_problem()
    broken = {at: content for at, content in last.items() if at.row > 0 or at.column > 4}
    found = follow(problem, broken)
    moved = {at for at, content in found.squares.items() if last[at] != content}
    assert moved <= {at for at in last if at.row < 4 and at.column < 4}


def test_words_of_the_last_fill_are_preferred() -> None:
    problem, last = wide_problem()
    worth = Worth(problem, Objective())
    standing, whole = code_start(problem, last), np.ones(len(last), np.bool_)

    def words_of_the_last(preferred: CodedFill | None) -> int:
        refill, cut = Refill(problem, worth), Cut(worth.row_limits(0))
        refill.prefer(preferred)
        refill.run(standing, whole, cut, settings=SearchSettings(), seed=1, nodes=10_000, stopped=never)
        return int(np.isin(refill.found().rows, standing.rows).sum())

    assert words_of_the_last(standing) >= words_of_the_last(None) + 4


def test_cancelled_it_returns_nothing() -> None:
    problem, _ = wide_problem()
    assert follow(problem, {}, Budget(stop=lambda: True)) == (Outcome.UNKNOWN, {})
    assert follow(problem, {}, Budget(0.0)) == (Outcome.UNKNOWN, {})


_EFFORT = RepairEffort(starts=3, each=500, best=1_500)


def closest(
    problem: Problem, standing: Mapping[Position, Content], *, looks: int = 10_000, threads: int = 1
) -> ClosestFill:
    """Return the closest fill found with little work, ranked by squares changed."""
    warm_up(counting=False, improving=True)
    near = known(Closeness(problem, standing).within(None))
    worth = Worth(near.problem, Objective())
    return closest_fill(worth, standing, _EFFORT, Budget(threads=threads, stop=Stopper(looks)))


def changes(problem: Problem, standing: Mapping[Position, Content], found: ClosestFill) -> set[Position]:
    assert found.fill is not None
    return {at for at, content in found.fill.squares(problem).items() if standing.get(at, content) != content}


def test_only_squares_near_the_conflict_change() -> None:
    problem, standing = wide_problem()
    room = {Position(row, column) for row in range(4) for column in range(4)}
    overtyped = {**standing, **{at: Content.of("Z") for at in room if at.row == 0}}
    changed = changes(problem, overtyped, closest(problem, overtyped))
    assert len(changed) == 4
    assert changed <= room


def test_two_conflicts_are_repaired_separately_with_any_number_of_threads() -> None:
    problem, standing = wide_problem()
    ends = {min(standing), max(standing)}
    overtyped = {**standing, **dict.fromkeys(ends, Content.of("Z"))}
    found = [changes(problem, overtyped, closest(problem, overtyped, threads=threads)) for threads in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 2


@pytest.mark.parametrize("threads", [1, 3])
def test_only_a_closer_fill_than_all_before_is_reported(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each start begins with a distant fill; a search stopped there returns the best of all."""
    problem, standing = wide_problem()
    overtyped = {**standing, **{at: Content.of("Z") for at in standing if at.row % 3 == 0}}
    monkeypatch.setattr(module._RepairSearch, "_search_levels", lambda *_: False)
    told = list[tuple[Repair, ...]]()
    made = repair(problem, overtyped, Budget(threads=threads), RepairWanted(found=told.append))
    ranks = [one.rank for (one,) in told]
    assert len(ranks) > 2
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[-1] == made.repairs[0].rank


def test_continuing_from_another_fill_tries_small_regions_first() -> None:
    problem, standing = wide_problem()
    overtyped = {**standing, Position(0, 0): Content.of("Z")}
    near = known(Closeness(problem, overtyped).within(None))
    worth = Worth(near.problem, Objective())
    fill = worth.ranked(code_start(near.problem, standing))
    search = closest_module._ClosestSearch(worth, overtyped, "0", never, lambda _: None)
    search.resume_from(fill)
    search.run(1)
    assert search._nodes == closest_module._NODES


def test_stopped_at_once_it_finds_nothing() -> None:
    problem, standing = wide_problem()
    assert closest(problem, {**standing, Position(0, 0): Content.of("Z")}, looks=0) == (None, False)


def test_without_a_conflict_there_is_nothing_to_do() -> None:
    problem, standing = wide_problem()
    assert closest(problem, standing) == (None, False)


@examples(60)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_fill_called_nearest_is_nearest(grid: Grid, words: dict[str, int], rng: Random) -> None:
    standing, problem = standing_on(grid, rng), problem_of(grid, words)
    if not problem.root.is_possible or Closeness(problem, standing).within(None) is None:
        return
    found = closest(problem, standing)
    best = naive_repair(grid, standing, words)
    if found.fill is not None:
        check_fill(grid, found.fill.squares(problem), words)
        changed = len(changes(problem, standing, found))
        assert best is not None
        assert changed >= best[0]
        assert changed == best[0] or not found.is_proved
    elif found.is_proved:
        assert best is None
