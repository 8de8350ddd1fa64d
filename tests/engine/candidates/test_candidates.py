"""What candidates cost, judged by all fills: dead words have none, proved ones have the fill that is shown."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill, naive_fills, read_answer, slot_words
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, CandidateStanding, sort_candidates
from xwtui.engine.candidates.find import candidates
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.wording import about

WORDS = dict.fromkeys(["ABC", "BAB", "CAB", "ABA", "BBB", "CCA", "ACC", "BCA", "AAB", "CBC"], 50)


def stages(
    problem: Problem, entry: str, *, view: Sequence[str] = (), prove: bool = True
) -> list[tuple[CandidateEstimate, ...]]:
    """Every answer on the way, the last one included."""
    seen: list[tuple[CandidateEstimate, ...]] = []
    last = candidates(problem, entry, in_view=lambda: view, prove=prove, found=seen.append)
    assert seen[-1] == last
    return seen


@examples(25)
@given(small_grids(4), word_lists(4), st.booleans(), st.data())
def test_dead_words_have_no_fill_and_proved_ones_have_theirs(
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


def test_stages_tell_more_and_more() -> None:
    problem = problem_of(Grid.blank(3, 3), WORDS, allow_repeats=True)
    seen = stages(problem, "1A", view=["ABA"])
    assert {one.standing for one in seen[0]} == {CandidateStanding.MATCHES}
    assert {one.standing for one in seen[1]} <= {CandidateStanding.SURVIVES, CandidateStanding.DEAD}
    assert all((one.log10 is not None) == one.alive for one in seen[2])
    proved = [one for one in seen[-1] if one.standing is CandidateStanding.PROVED]
    assert [one.word for one in proved] == ["ABA"]
    assert proved[0].is_refined


def test_the_room_of_words_in_view_is_about_their_number_of_fills() -> None:
    problem = problem_of(Grid.blank(3, 3), WORDS, allow_repeats=True)
    fills = [
        read_answer(fill, problem.slots[0]) for fill in naive_fills(Grid.blank(3, 3), WORDS, allow_repeats=True)
    ]
    last = stages(problem, problem.slots[0].name, view=list(WORDS), prove=False)[-1]
    for one in last:
        if one.alive and one.word in fills:
            assert one.log10 == pytest.approx(math.log10(fills.count(one.word)), abs=0.7)


def test_a_dead_word_names_the_crossing_that_kills_it() -> None:
    grid = grid_from_text("...\n...\n..C")
    problem = problem_of(grid, {"ABC": 9, "BCA": 8, "CAC": 7, "ACB": 6, "BAA": 5})
    dead = [one for one in stages(problem, "1A")[1] if one.standing is CandidateStanding.DEAD]
    assert dead
    assert all(one.killed_by is not None and one.killed_by.endswith("D") for one in dead)


def test_an_entry_that_is_not_there_is_an_error() -> None:
    with pytest.raises(EngineError, match="no entry"):
        candidates(problem_of(Grid.blank(3, 3), WORDS), "99A")


def test_cancelled_at_once_it_still_lists_what_matches() -> None:
    problem = problem_of(Grid.blank(3, 3), WORDS)
    found = candidates(problem, "1A", cancelled=lambda: True)
    assert {one.word for one in found} == set(WORDS)


def test_orders() -> None:
    listed = [
        CandidateEstimate("HIGH", 90, CandidateStanding.SURVIVES, log10=1.0, spread=1.0),
        CandidateEstimate("ROOMY", 50, CandidateStanding.SURVIVES, log10=9.0, spread=1.0),
        CandidateEstimate("FAIR", 80, CandidateStanding.SURVIVES, log10=8.5, spread=1.0),
        CandidateEstimate("GONE", 99, CandidateStanding.DEAD, "2D"),
    ]
    assert [one.word for one in sort_candidates(listed, CandidateOrder.SCORE)] == ["HIGH", "FAIR", "ROOMY", "GONE"]
    assert [one.word for one in sort_candidates(listed, CandidateOrder.ROOM)] == ["ROOMY", "FAIR", "HIGH", "GONE"]
    assert [one.word for one in sort_candidates(listed, CandidateOrder.BOTH)] == ["FAIR", "ROOMY", "HIGH", "GONE"]


def test_a_figure_that_is_not_sure_never_decides_alone() -> None:
    """A share of all fills can be wrong by eighteen powers of ten: told alike, the score comes first."""
    survives = CandidateStanding.SURVIVES
    mere_share = CandidateEstimate("BUZZWORD", 50, survives, log10=8.9)
    wide = CandidateEstimate("FAIR", 80, survives, log10=8.5, is_refined=True, spread=2.5)
    counted = CandidateEstimate("COUNTED", 30, survives, log10=9.2, is_refined=True, spread=1.9)
    assert [one.is_sure for one in (mere_share, wide, counted)] == [False, False, True]
    ranked = sort_candidates([mere_share, wide, counted], CandidateOrder.ROOM)
    assert [one.word for one in ranked] == ["COUNTED", "FAIR", "BUZZWORD"]
    told = [about(one.log10 or 0.0, is_sure=one.is_sure) for one in ranked]
    assert told == ["≈10^9.2", "?10^8", "?10^8"]  # which reads sorted
    assert [about(log10, is_sure=False) for log10 in (0.9, 1.1, 2.7, 20.5)] == ["?1", "?100", "?100", "?10^20"]
    assert [about(-2.0, is_sure=is_sure) for is_sure in (True, False)] == ["< 1", "?"]
