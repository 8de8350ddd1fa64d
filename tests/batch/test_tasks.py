"""Tasks, named by a hash of their input and serialized; and the judge, which accepts only valid results."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.batch.batches import BLANK, SETTINGS, STUCK, WORDS, packed, subject_of, task_of, vocabulary_of
from xwtui.batch.judge import judged, layout_digest
from xwtui.batch.packed_words import pack_list, pack_words, unpack_list, unpack_words
from xwtui.batch.subjects import design_text, fill_problem_text, race_task, read_design_text, read_puzzle_text
from xwtui.batch.tasks import BatchKind, BatchTask, Find, TaskResult, TaskState, canonical
from xwtui.batch.work import do_task, find_of_design, hold
from xwtui.errors import WordListError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.grids.design_search import design
from xwtui.grids.designs import DesignWanted
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.placements import Themer
from xwtui.grids.profiles import find_profile
from xwtui.model import Content, Direction, Ink, Position, Rules, WordChoice
from xwtui.model.edits import set_square
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules.constraints import AlteredEntries
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.words.alphabets import find_alphabet
from xwtui.words.lexicon import Lexicon, Preferences
from xwtui.words.sources import Vocabulary, load_lexicon
from xwtui.words.word_list import WordList


def test_a_task_round_trips() -> None:
    task = task_of(seed=7)
    again = BatchTask.from_bytes(task.to_bytes())
    assert again == task
    assert again.name == task.name


def test_any_relevant_input_makes_another_task() -> None:
    task = task_of()
    others = [
        task_of(seed=1),
        task_of("A..\n...\n..."),
        task_of("#..\n...\n..."),
        task_of(kind=BatchKind.COUNT),
        replace(task, vocabulary="other"),
        replace(task, settings=replace(task.settings, seconds=1)),
        replace(task, settings=replace(task.settings, allow_repeats=True)),
    ]
    assert len({task.name, *(one.name for one in others)}) == len(others) + 1


def test_title_and_pencil_do_not_change_the_task() -> None:
    plain = puzzle_of_grid(grid_from_text(BLANK))
    dressed = replace(
        set_square(plain, Position(0, 0), Content.of("A"), Ink.PENCIL), title="Other", notes="new", author="me"
    )
    assert fill_problem_text(dressed) == fill_problem_text(plain)
    assert read_puzzle_text(fill_problem_text(plain)).grid == plain.grid
    assert subject_of(title="one").digest == subject_of(title="other").digest


def test_given_squares_are_part_of_the_task() -> None:
    puzzle = puzzle_of_grid(grid_from_text("A..\n.#.\n..."))
    task = race_task(fill_problem_text(puzzle), vocabulary_of(), False)
    assert task.engine_task.given == {Position(0, 0): Content.of("A")}


def words_with_all() -> Vocabulary:
    tagged = WordList.from_scores("tagged", WORDS, {"verb": ["ABC", "DEF"], "noun": ["CAB"]})
    lists = (tagged, WordList.from_scores("other", {"ZYX": 5, "LONGER": 77}))
    preferences = Preferences((lists[1],), WordList.from_scores("recent", {"ABC": 0}))
    lexicon = Lexicon.build(lists, minimum_score=4, banned=["CAB"], scores={"OWN": 90}, preferences=preferences)
    return Vocabulary(lexicon, {"own": Lexicon.build([lists[1]])})


def test_words_round_trip() -> None:
    words = words_with_all()
    again = unpack_words(packed_again := pack_words(words))
    assert again.lexicon.fingerprint == words.lexicon.fingerprint
    assert again.own_lists["own"].fingerprint == words.own_lists["own"].fingerprint
    assert again.lexicon.tags_of("ABC") == words.lexicon.tags_of("ABC") == ("verb",)
    assert list(again.lexicon.layers[1]) == list(words.lexicon.layers[1])
    assert pack_words(again).digest == packed_again.digest


def test_the_alphabet_is_sent_with_words_and_puzzle() -> None:
    swedish = find_alphabet("swedish")
    list_ = WordList.from_scores("ord", dict.fromkeys(("ÅÄÖ", "ABC", "DEF", "ÅAD", "ÄBE", "ÖCF"), 50))
    words = Vocabulary(Lexicon.build([list_], alphabet=swedish))
    again = unpack_words(pack_words(words))
    assert again.lexicon.alphabet == swedish
    assert again.lexicon.fingerprint == words.lexicon.fingerprint
    blank = puzzle_of_grid(grid_from_text(BLANK))
    puzzle = replace(blank, words=replace(blank.words, alphabet=swedish))
    assert fill_problem_text(puzzle) != fill_problem_text(blank)
    task = BatchTask(BatchKind.FILL, fill_problem_text(puzzle), pack_words(words).digest, 0, SETTINGS)
    hold(pack_words(words))
    result = judged(task, TaskResult.from_bytes(do_task(task).to_bytes()), again)
    assert result.state is TaskState.FOUND, result.reason
    assert "".join(result.finds[0].rows) in ("ÅÄÖABCDEF", "ÅADÄBEÖCF")


def test_other_words_have_another_digest() -> None:
    assert packed().digest == packed(dict(reversed(WORDS.items()))).digest
    assert packed().digest != packed({**WORDS, "ABC": 51}).digest


@pytest.mark.parametrize("damage", ["cut", "flip", "other", "empty"])
def test_damaged_words_are_refused(damage: str) -> None:
    [(fingerprint, data)] = packed().lists.items()
    middle = len(data) // 2
    changed = {
        "cut": data[:middle],
        "flip": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
        "other": pack_list(WordList.from_scores("other", {"ABC": 1})),
        "empty": b"",
    }[damage]
    with pytest.raises(WordListError):
        unpack_list(changed, fingerprint)


@pytest.mark.parametrize("count", [-1, 2, 1 << 61, 10**30])
@pytest.mark.parametrize("shapes", ["tables", "tags"])
def test_a_list_that_claims_more_words_than_it_has_is_refused(shapes: str, count: int) -> None:
    told = {"tables": [3, count], "tags": ["food", 3, count]}
    head = {"name": "short", "tables": [], "tags": []} | {shapes: [told[shapes]]}
    with pytest.raises(WordListError, match="it is too short"):
        unpack_list(zlib.compress(canonical(head).encode() + b"\nABC"), "")


def test_a_missing_list_is_reported() -> None:
    with pytest.raises(WordListError, match="missing"):
        unpack_words(replace(packed(), lists={}))


def test_plain_data_serializes_the_same_in_any_order() -> None:
    assert (
        canonical({"b": "É", "a": [1, None]}) == canonical({"a": [1, None], "b": "É"}) == '{"a":[1,null],"b":"É"}'
    )


def test_all_tasks_except_designs_are_about_puzzles() -> None:
    assert [kind for kind in BatchKind if not kind.is_about_puzzles] == [BatchKind.DESIGN]


GOOD = ("ABC", "DEF", "GHI")


def result_of(*rows: str, state: TaskState = TaskState.FOUND) -> TaskResult:
    return TaskResult(task_of().name, state, (Find(rows),) if rows else ())


def test_a_fill_is_accepted_with_the_judges_figures() -> None:
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
def test_invalid_results_are_foul(spoil: Callable[[TaskResult], TaskResult], why: str) -> None:
    found = judged(task_of(), spoil(result_of(*GOOD)), vocabulary_of())
    assert found.state is TaskState.INVALID
    assert found.finds == ()
    assert why.lower() in found.reason.lower()


def test_given_squares_must_be_kept() -> None:
    task = task_of("D..\n...\n...")
    found = judged(task, replace(result_of(*GOOD), name=task.name), vocabulary_of())
    assert "was given as D" in found.reason


def test_results_without_a_fill_are_unchanged() -> None:
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
def test_figures_of_a_count_must_agree(figures: dict[str, object], is_sound: bool) -> None:
    task = task_of(kind=BatchKind.COUNT)
    found = judged(task, TaskResult(task.name, TaskState.FOUND, figures=figures), vocabulary_of())
    assert (found.state is TaskState.FOUND) is is_sound


def test_a_count_tells_what_latent_left_untried() -> None:
    """Both answers enter AB, of which the better alone is tried."""
    words = packed({"CAB": 50, "ACB": 60})
    hold(words)
    rule = EnteredOtherwise(AlteredEntries(Treatment(Entering.DROP)))
    puzzle = replace(puzzle_of_grid(grid_from_text("..#\n###\n#..")), rules=Rules(grid=(rule,)))
    task = replace(task_of(kind=BatchKind.COUNT), asked=fill_problem_text(puzzle), vocabulary=words.digest)
    assert "only the best" in do_task(task).figures["untried"]


@pytest.mark.parametrize("kind", [BatchKind.FILL, BatchKind.COUNT])
@pytest.mark.parametrize(("text", "state"), [("...\n...\n...", TaskState.FOUND), (STUCK, TaskState.IMPOSSIBLE)])
def test_real_results_pass_the_judge(text: str, state: TaskState, kind: BatchKind) -> None:
    hold(packed())
    task = task_of(text, kind=kind)
    found = judged(task, TaskResult.from_bytes(do_task(task).to_bytes()), vocabulary_of())
    assert found.state is state, found.reason
    if kind is BatchKind.FILL and state is TaskState.FOUND:
        assert found.finds[0].rows in (GOOD, ("ADG", "BEH", "CFI"))
    if kind is BatchKind.COUNT and state is TaskState.FOUND:
        assert found.figures["exact"] == "2"


def test_a_race_passes_the_judge() -> None:
    hold(packed())
    task = task_of(kind=BatchKind.RACE)
    task = replace(task, settings=replace(task.settings, entrant="emogic-letters"))
    found = judged(task, do_task(task), vocabulary_of())
    assert found.state is TaskState.FOUND, found.reason
    assert found.figures["entrant"] == "emogic-letters"
    assert found.finds[0].rows in (GOOD, ("ADG", "BEH", "CFI"))


def test_impossible_tasks_are_refused_with_a_reason() -> None:
    hold(packed())
    task = task_of(kind=BatchKind.RACE)
    found = do_task(replace(task, settings=replace(task.settings, entrant="nobody")))
    assert found.state is TaskState.REFUSED
    assert "nobody" in found.reason


@pytest.fixture(scope="module")
def designed() -> tuple[BatchTask, Vocabulary, TaskResult]:
    """A design around three answers, with its task and words."""
    words = Vocabulary(load_lexicon(WordChoice(minimum_score=40)).lexicon)
    layout = LayoutWanted(15, 15, find_profile("american-15"), most_words=78)
    answers = ("HEARTTOHEARTS", "CONGRATULATIONS", "UNFORGETTABLE")
    wanted = DesignWanted(tuple(Themer(tuple(one)) for one in answers), layout, count=1)
    packed_words = pack_words(words)
    task = BatchTask(BatchKind.DESIGN, design_text(wanted), packed_words.digest, 0, SETTINGS)
    [found] = design(replace(wanted, is_quick=True), words.lexicon).designs
    return task, words, TaskResult(task.name, TaskState.FOUND, (find_of_design(found),))


def test_a_design_passes_the_judge(designed: tuple[BatchTask, Vocabulary, TaskResult]) -> None:
    task, words, result = designed
    found = judged(task, result, words)
    assert found.state is TaskState.FOUND, found.reason
    assert found.finds[0].lowest_score is not None
    assert found.finds[0].lowest_score >= 40
    assert found.finds[0].words <= 78


@pytest.mark.parametrize("place", [{"number": 99}, {"start": Position(0, 0)}, {"direction": Direction.DOWN}])
def test_a_theme_answer_must_be_at_its_required_place(
    place: dict[str, Any], designed: tuple[BatchTask, Vocabulary, TaskResult]
) -> None:
    task, words, result = designed
    wanted = read_design_text(task.asked, 1)
    first, *others = wanted.themers
    elsewhere = replace(wanted, themers=(replace(first, **place), *others))
    other = replace(task, asked=design_text(elsewhere))
    found = judged(other, replace(result, name=other.name), words)
    assert (found.state, found.finds) == (TaskState.INVALID, ())
    assert "is not where" in found.reason


@pytest.mark.parametrize(
    ("mate", "state"), [("UNFORGETTABLE", TaskState.FOUND), ("CONGRATULATIONS", TaskState.INVALID)]
)
def test_a_pair_must_be_symmetric(
    mate: str, state: TaskState, designed: tuple[BatchTask, Vocabulary, TaskResult]
) -> None:
    task, words, result = designed
    wanted = read_design_text(task.asked, 1)
    pair = ("HEARTTOHEARTS", mate)
    themers = tuple(replace(one, partner=0 if one.answer in pair else None) for one in wanted.themers)
    paired = replace(task, asked=design_text(replace(wanted, themers=themers)))
    found = judged(paired, replace(result, name=paired.name), words)
    assert found.state is state, found.reason
    assert ("must mirror each other" in found.reason) == (state is TaskState.INVALID)


def without_answer(one: Find) -> tuple[str, ...]:
    return tuple(row.replace("UNFORGETTABLE", "." * 13) for row in one.grid)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda one: replace(one, themers={}), "theme answers"),
        (lambda one: replace(one, themers=dict.fromkeys(one.themers, "KINDRED")), "KINDRED"),
        (lambda one: replace(one, grid=without_answer(one)), "is not"),
        (lambda one: replace(one, grid=one.rows), "theme answer"),
        (lambda one: replace(one, grid=("." * 15,) * 15), ""),
        (lambda one: replace(one, grid=("." * 14,) * 14), "size"),
        (lambda one: replace(one, rows=tuple(row[::-1] for row in one.rows)), ""),
    ],
)
def test_invalid_designs_are_foul(
    spoil: Callable[[Find], Find], why: str, designed: tuple[BatchTask, Vocabulary, TaskResult]
) -> None:
    task, words, result = designed
    found = judged(task, replace(result, finds=(spoil(result.finds[0]),)), words)
    assert found.state is TaskState.INVALID
    assert why in found.reason


def test_a_design_counts_once(designed: tuple[BatchTask, Vocabulary, TaskResult]) -> None:
    task, words, result = designed
    found = judged(task, replace(result, finds=result.finds * 2), words)
    assert "same layout" in found.reason


def test_rotated_or_mirrored_layouts_count_as_one() -> None:
    one = layout_digest(grid_from_text("..#\n...\n..."))
    assert {layout_digest(grid_from_text(text)) for text in ("#..\n...\n...", "...\n...\n#..")} == {one}
    assert layout_digest(grid_from_text(".#.\n...\n...")) != one
