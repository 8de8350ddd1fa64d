"""Repeated stems are avoided if possible and reported otherwise; the search itself is unchanged."""

from dataclasses import replace

import pytest

import xwtui
from xwtui.engine.improve.improver import improve
from xwtui.engine.improve.plain_fill import (
    StemWatch,
    finish,
    repair_apart,
    shared_stems,
    stems_apart,
    with_stem_rule,
    with_stems_apart,
)
from xwtui.engine.improve.worth import code_start
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.repair.repair import RepairWanted, repair
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Ink, Position, Puzzle, Rules
from xwtui.model.rules import Barred, EntryRules, RebusPlacing, SharedStems
from xwtui.words.alphabets import find_alphabet
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

GRID = grid_from_text("\n".join([".....#....", "#" * 10, "#" * 10]))
FORMS = {"WAFTS": 90, "WAFT": 90}
OTHERS = {"TUBES": 50, "HARP": 50}


def lexicon(words: dict[str, int]) -> Lexicon:
    return Lexicon.build([WordList.from_scores("test", words)])


def letters(text: str) -> dict[Position, Content]:
    return {Position(0, at): Content.of(letter) for at, letter in enumerate(text) if letter != "#"}


def problem_of(words: dict[str, int], rules: Rules | None = None, *, allow_repeats: bool = False) -> Problem:
    return Problem.of(Task(GRID, lexicon(words), allow_repeats, rules or Rules()))


def test_a_fill_with_a_repeated_stem_is_replaced_by_one_without() -> None:
    problem = problem_of(FORMS | OTHERS)
    twice = letters("WAFTS#WAFT")
    [shared] = shared_stems(problem.task, twice)
    assert shared == (("1A", "2A"), ("WAFTS", "WAFT"))
    apart = stems_apart(problem, twice)
    assert not shared_stems(problem.task, apart.squares)
    assert apart.problem.task.rules.of(SharedStems)
    assert not shared_stems(problem.task, with_stems_apart(problem, twice))


def test_better_words_that_would_repeat_a_stem_are_skipped() -> None:
    """`finished` checks each better fill with `shared_stems`, but the problem itself lacks the rule."""
    problem = problem_of(FORMS | OTHERS)
    for text in ("TUBES#HARP", "TUBES#WAFT", "WAFTS#HARP"):
        assert not shared_stems(problem.task, finish(problem, letters(text)))
    watch = StemWatch(problem)
    for text in ("WAFTS#WAFT", "TUBES#WAFT", "WAFTS#HARP", "TUBES#HARP"):
        squares = letters(text)
        assert watch.keeps_apart(code_start(problem, squares)) is not bool(shared_stems(problem.task, squares))


def test_contents_of_new_rebus_squares_are_not_shared_stems() -> None:
    heart, grid = Content.of("HEART"), grid_from_text("\n".join([".....", *[".####"] * 4]))
    words = {"HEARTRATE": 90, "HEARTBEAT": 90, "RATE": 60, "BEAT": 60, "HEART": 60}
    rules = Rules().with_all(RebusPlacing, [RebusPlacing((heart,), 1, 1)])
    problem = Problem.of(Task(grid, lexicon(words), rules=rules))
    down = {Position(at, 0): Content.of(letter) for at, letter in enumerate("BEAT", 1)}
    squares = {Position(0, 0): heart} | letters("#RATE") | down
    assert not shared_stems(problem.task, squares)
    assert StemWatch(problem).keeps_apart(code_start(problem, squares))
    assert finish(problem, squares) == squares


def test_an_inadmissible_start_is_not_the_first_fill() -> None:
    problem = problem_of(FORMS)
    made = improve(problem, letters("WAFTS#WAFT"), rounds=3, admits=StemWatch(problem).keeps_apart)
    assert (made.first, made.best) == (None, None)


def test_the_preference_is_dropped_if_there_is_no_other_fill() -> None:
    problem, twice = problem_of(FORMS), letters("WAFTS#WAFT")
    assert stems_apart(problem, twice) == (problem, twice)
    for part in ("", "W", "WAFTS", "TUBES#WAFT"):  # the last one's TUBES is not in the list
        assert stems_apart(problem, letters(part)).problem is problem
    found = xwtui.fill(Puzzle(GRID), words=lexicon(FORMS))
    assert found.answers == {"1A": "WAFTS", "2A": "WAFT"}
    assert found.shared_stems == ((("1A", "2A"), ("WAFTS", "WAFT")),)


def test_the_python_api_avoids_repeated_stems() -> None:
    for seed in range(4):
        found = xwtui.fill(Puzzle(GRID), words=lexicon(FORMS | OTHERS), seed=seed)
        assert found.shared_stems == ()
        assert set(found.answers.values()) != set(FORMS)


@pytest.mark.parametrize("is_asked", [True, False])
def test_an_explicit_stem_rule_takes_precedence(is_asked: bool) -> None:
    rules = Rules(grid=(SharedStems(is_asked),))
    assert with_stem_rule(problem_of(FORMS | OTHERS, rules)) is None
    found = xwtui.fill(Puzzle(GRID, rules=rules), words=lexicon(FORMS))
    assert bool(found.answers) is not is_asked
    assert found.shared_stems == ()


def test_stems_are_ignored_with_repeats_allowed_and_in_other_alphabets() -> None:
    assert with_stem_rule(problem_of(FORMS, allow_repeats=True)) is None
    german = Lexicon.build([WordList.from_scores("test", FORMS)], alphabet=find_alphabet("german"))
    assert with_stem_rule(Problem.of(Task(GRID, german))) is None


def test_two_given_answers_may_share_a_stem() -> None:
    squares = {
        at: replace(GRID[at], content=content, ink=Ink.PEN) for at, content in letters("WAFTS#WAFT").items()
    }
    task = Task(GRID.with_squares(squares), lexicon(FORMS))
    assert shared_stems(task, {}) == ()


def test_a_swap_repeats_no_stem_either() -> None:
    problem = problem_of(FORMS | OTHERS | {"WART": 40})
    standing = letters("WAFTS#WART")
    assert repair(problem, standing, wanted=RepairWanted("2A")).repairs[0].answers["2A"] == "WAFT"
    assert repair_apart(problem, standing, wanted=RepairWanted("2A")).repairs[0].answers == {
        "1A": "WAFTS",
        "2A": "HARP",
    }
    few = problem_of({"WAFTS": 90, "WAFT": 90, "WART": 40})
    assert repair_apart(few, standing, wanted=RepairWanted("2A")).repairs[0].answers["2A"] == "WAFT"


FOUR = grid_from_text("\n#####\n".join([".....", "....#", ".....", "....."]))
MANY = FORMS | OTHERS | {"DARES": 60, "DARE": 10, "DARED": 60, "CARED": 60, "HOTEL": 40, "LEMON": 70}
STANDING = {
    at: Content.of(letter)
    for slot, word in zip(FOUR.entries, ("WAFTS", "WAFT", "DARES", "CARED"), strict=True)
    for at, letter in zip(slot.positions, word, strict=True)
}


def test_a_swap_repeats_no_stem_even_if_others_do_already() -> None:
    problem = Problem.of(Task(FOUR, lexicon(MANY)))
    assert repair(problem, STANDING, wanted=RepairWanted("4A")).repairs[0].answers["4A"] == "DARED"
    assert repair_apart(problem, STANDING, wanted=RepairWanted("4A")).repairs[0].answers["4A"] != "DARED"


CROSSED = grid_from_text("...##\n.####\n.####\n.####\n#####\n.....\n#####\n....#")


def test_a_repair_with_barred_words_is_smallest_only_if_proved() -> None:
    """BAT is barred, which shares a stem with BATS; with BARS it would change three squares."""
    words = {
        "COT": 50,
        "CAPS": 50,
        "BAT": 90,
        "BATS": 90,
        "BARS": 30,
        "DUG": 50,
        "DIPS": 50,
        "WAFTS": 50,
        "WAFT": 50,
    }
    full = grid_from_text("COT##\nA####\nP####\nS####\n#####\nWAFTS\n#####\nWAFT#")
    standing = {at: content for at in full.open_positions() if (content := full[at].content)}
    (made,) = repair_apart(Problem.of(Task(CROSSED, lexicon(words))), standing, wanted=RepairWanted("1A")).repairs
    assert len(made.changed) == 3 or not made.is_smallest, made.answers


def test_barred_words_are_added_to_those_already_barred() -> None:
    rules = Rules({FOUR.entries[3].key: EntryRules(Barred(("LEMON",)))})
    problem = Problem.of(Task(FOUR, lexicon(MANY), rules=rules))
    found = repair_apart(problem, STANDING, wanted=RepairWanted("4A")).repairs[0].answers["4A"]
    assert found not in ("DARED", "LEMON")
