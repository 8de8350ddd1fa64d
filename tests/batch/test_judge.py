"""The judge lets nothing pass that is no result of the task."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.batch.batches import SETTINGS, STUCK, packed, task_of, vocabulary_of
from xwtui.batch.judge import judged, layout_digest
from xwtui.batch.packed_words import pack_words
from xwtui.batch.subjects import asked_of_design, read_design_text
from xwtui.batch.tasks import BatchKind, BatchTask, Find, TaskResult, TaskState
from xwtui.batch.work import do_task, find_of_design, hold
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.design_search import design
from xwtui.grids.designs import DesignWanted
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.placements import Themer
from xwtui.grids.profiles import find_profile
from xwtui.model import Direction, Position, WordChoice
from xwtui.words.sources import Vocabulary, load_lexicon

GOOD = ("ABC", "DEF", "GHI")


def result_of(*rows: str, state: TaskState = TaskState.FOUND) -> TaskResult:
    return TaskResult(task_of().name, state, (Find(rows),) if rows else ())


def test_a_fill_keeps_its_place_with_the_judges_figures() -> None:
    claimed = replace(result_of(*GOOD), finds=(Find(GOOD, mean_score=99.0, lowest_score=99),))
    [find] = judged(task_of(), claimed, vocabulary_of()).finds
    assert (find.mean_score, find.lowest_score) == (55.0, 30)
    assert (find.words, find.blocks) == (6, 0)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda one: result_of("ABC", "DEF", "GHX"), "is not a word"),
        (lambda one: result_of("ABC", "DEF", "GH."), "is empty"),
        (lambda one: result_of("ABC", "DEF", "GH#"), "blocks"),
        (lambda one: result_of("ABC", "DEF"), "3"),
        (lambda one: result_of("ABC", "DEF", "GH!"), "not a square"),
        (lambda one: result_of(), "shows none"),
        (lambda one: result_of(*GOOD, state=TaskState.IMPOSSIBLE), "shows a result"),
        (lambda one: replace(one, name="other"), "another task"),
        (lambda one: replace(one, seconds=float("nan")), "time is impossible"),
        (lambda one: replace(one, seconds=-1.0), "time is impossible"),
    ],
)
def test_what_is_no_result_is_foul(spoil: Callable[[TaskResult], TaskResult], why: str) -> None:
    found = judged(task_of(), spoil(result_of(*GOOD)), vocabulary_of())
    assert found.state is TaskState.FOUL
    assert found.finds == ()
    assert why.lower() in found.reason.lower()


def test_what_is_given_must_stand() -> None:
    task = task_of("D..\n...\n...")
    found = judged(task, replace(result_of(*GOOD), name=task.name), vocabulary_of())
    assert "was given as D" in found.reason


def test_what_was_not_found_stays_as_it_is() -> None:
    for state in (TaskState.UNKNOWN, TaskState.IMPOSSIBLE, TaskState.REFUSED, TaskState.CRASHED):
        one = result_of(state=state)
        assert judged(task_of(), one, vocabulary_of()) == one


@pytest.mark.parametrize(
    ("figures", "is_sound"),
    [
        ({"log10": 2.0, "low": 1.5, "high": 2.5, "exact": None}, True),
        ({"log10": 2.0, "low": None, "high": None, "exact": None}, True),
        ({"log10": 2.0, "low": None, "high": None, "exact": "100"}, True),
        ({"log10": 2.0, "low": None, "high": None, "exact": "1000"}, False),
        ({"log10": 3.0, "low": 1.5, "high": 2.5, "exact": None}, False),
        ({"log10": float("inf"), "low": None, "high": None, "exact": None}, False),
        ({"log10": None, "low": None, "high": None, "exact": None}, False),
        ({"log10": 2.0}, False),
    ],
)
def test_the_figures_of_a_count_agree(figures: dict[str, object], is_sound: bool) -> None:
    task = task_of(kind=BatchKind.COUNT)
    found = judged(task, TaskResult(task.name, TaskState.FOUND, figures=figures), vocabulary_of())
    assert (found.state is TaskState.FOUND) is is_sound


@pytest.mark.parametrize("kind", [BatchKind.FILL, BatchKind.COUNT])
@pytest.mark.parametrize(("text", "state"), [("...\n...\n...", TaskState.FOUND), (STUCK, TaskState.IMPOSSIBLE)])
def test_work_stands_before_the_judge(text: str, state: TaskState, kind: BatchKind) -> None:
    hold(packed())
    task = task_of(text, kind=kind)
    found = judged(task, TaskResult.from_bytes(do_task(task).to_bytes()), vocabulary_of())
    assert found.state is state, found.reason
    if kind is BatchKind.FILL and state is TaskState.FOUND:
        assert found.finds[0].rows in (GOOD, ("ADG", "BEH", "CFI"))
    if kind is BatchKind.COUNT and state is TaskState.FOUND:
        assert found.figures["exact"] == "2"


def test_a_race_stands_before_the_judge() -> None:
    hold(packed())
    task = task_of(kind=BatchKind.RACE)
    task = replace(task, settings=replace(task.settings, entrant="emogic-letters"))
    found = judged(task, do_task(task), vocabulary_of())
    assert found.state is TaskState.FOUND, found.reason
    assert found.figures["entrant"] == "emogic-letters"
    assert found.finds[0].rows in (GOOD, ("ADG", "BEH", "CFI"))


def test_what_cannot_be_done_is_refused_with_a_reason() -> None:
    hold(packed())
    task = task_of(kind=BatchKind.RACE)
    found = do_task(replace(task, settings=replace(task.settings, entrant="nobody")))
    assert found.state is TaskState.REFUSED
    assert "nobody" in found.reason


@pytest.fixture(scope="module")
def designed() -> tuple[BatchTask, Vocabulary, TaskResult]:
    """A design around three answers, its words and its task."""
    words = Vocabulary(load_lexicon(WordChoice(minimum_score=40)).lexicon)
    layout = LayoutWanted(15, 15, find_profile("american-15"), most_words=78)
    answers = ("HEARTTOHEARTS", "CONGRATULATIONS", "UNFORGETTABLE")
    wanted = DesignWanted(tuple(Themer(tuple(one)) for one in answers), layout, count=1)
    packed_words = pack_words(words)
    task = BatchTask(BatchKind.DESIGN, asked_of_design(wanted), packed_words.digest, 0, SETTINGS)
    [found] = design(replace(wanted, is_quick=True), words.lexicon).designs
    return task, words, TaskResult(task.name, TaskState.FOUND, (find_of_design(found),))


def test_a_design_stands_before_the_judge(designed: tuple[BatchTask, Vocabulary, TaskResult]) -> None:
    task, words, result = designed
    found = judged(task, result, words)
    assert found.state is TaskState.FOUND, found.reason
    assert found.finds[0].lowest_score is not None
    assert found.finds[0].lowest_score >= 40
    assert found.finds[0].words <= 78


@pytest.mark.parametrize("place", [{"number": 99}, {"start": Position(0, 0)}, {"direction": Direction.DOWN}])
def test_a_theme_answer_stands_where_it_is_told_to(
    place: dict[str, Any], designed: tuple[BatchTask, Vocabulary, TaskResult]
) -> None:
    task, words, result = designed
    wanted = read_design_text(task.asked, 1)
    first, *others = wanted.themers
    elsewhere = replace(wanted, themers=(replace(first, **place), *others))
    other = replace(task, asked=asked_of_design(elsewhere))
    found = judged(other, replace(result, name=other.name), words)
    assert (found.state, found.finds) == (TaskState.FOUL, ())
    assert "is not where" in found.reason


@pytest.mark.parametrize(
    ("mate", "state"), [("UNFORGETTABLE", TaskState.FOUND), ("CONGRATULATIONS", TaskState.FOUL)]
)
def test_a_pair_mirrors_each_other(
    mate: str, state: TaskState, designed: tuple[BatchTask, Vocabulary, TaskResult]
) -> None:
    task, words, result = designed
    wanted = read_design_text(task.asked, 1)
    pair = ("HEARTTOHEARTS", mate)
    themers = tuple(replace(one, partner=0 if one.answer in pair else None) for one in wanted.themers)
    paired = replace(task, asked=asked_of_design(replace(wanted, themers=themers)))
    found = judged(paired, replace(result, name=paired.name), words)
    assert found.state is state, found.reason
    assert ("must mirror each other" in found.reason) == (state is TaskState.FOUL)


def without_answer(one: Find) -> tuple[str, ...]:
    return tuple(row.replace("UNFORGETTABLE", "." * 13) for row in one.grid)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda one: replace(one, themers={}), "theme answers"),
        (lambda one: replace(one, themers=dict.fromkeys(one.themers, "KINDRED")), "KINDRED"),
        (
            lambda one: replace(one, grid=tuple(row.replace("UNFORGETTABLE", "." * 13) for row in one.grid)),
            "is not",
        ),
        (lambda one: replace(one, grid=one.rows), "theme answer"),
        (lambda one: replace(one, grid=("." * 15,) * 15), ""),
        (lambda one: replace(one, grid=("." * 14,) * 14), "size"),
        (lambda one: replace(one, rows=tuple(row[::-1] for row in one.rows)), ""),
    ],
)
def test_what_is_no_design_is_foul(
    spoil: Callable[[Find], Find], why: str, designed: tuple[BatchTask, Vocabulary, TaskResult]
) -> None:
    task, words, result = designed
    found = judged(task, replace(result, finds=(spoil(result.finds[0]),)), words)
    assert found.state is TaskState.FOUL
    assert why in found.reason


def test_a_design_counts_once(designed: tuple[BatchTask, Vocabulary, TaskResult]) -> None:
    task, words, result = designed
    found = judged(task, replace(result, finds=result.finds * 2), words)
    assert "same layout" in found.reason


def test_layouts_that_are_turned_or_mirrored_are_one() -> None:
    one = layout_digest(grid_from_text("..#\n...\n..."))
    assert {layout_digest(grid_from_text(text)) for text in ("#..\n...\n...", "...\n...\n#..")} == {one}
    assert layout_digest(grid_from_text(".#.\n...\n...")) != one
