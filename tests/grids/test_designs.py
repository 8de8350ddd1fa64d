"""Designs: each has its theme answers in a legal layout, and a fill that passes a naive judge."""

from dataclasses import replace
from itertools import product

import pytest

from tests.naive.layouts import naive_shortfalls
from tests.naive.model import naive_slots
from xwtui.engine.budget import Budget
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.design_search import blamed, design
from xwtui.grids.designs import Design, DesignProgress, DesignWanted, DesignWords
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.placements import Themer
from xwtui.grids.profiles import find_profile
from xwtui.model import Content, Direction, Ink, Position, Symmetry
from xwtui.model.answers import pieces
from xwtui.model.square import OPEN
from xwtui.model.statistics import grid_statistics
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.repeats import roots_by
from xwtui.words.word_list import WordList

ALL_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""A word too long for any grid here, so that every letter occurs in some word."""


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=40)


def themer(text: str) -> Themer:
    return Themer(tuple(content.across for content in pieces(text)))


def wanted(*answers: str, count: int = 2) -> DesignWanted:
    return DesignWanted(
        tuple(map(themer, answers)), LayoutWanted(15, 15, find_profile("american-15")), count=count
    )


def designed(what: DesignWanted, lexicon: Lexicon, seed: int = 0, threads: int = 1) -> DesignProgress:
    return design(replace(what, is_quick=True), lexicon, Budget(seed=seed, threads=threads))


def judge(one: Design, what: DesignWanted, lexicon: Lexicon) -> None:
    """Check a design against a constructor's expectations, square by square."""
    profile = replace(what.layout.profile, symmetries=(what.layout.symmetry,))
    assert naive_shortfalls(one.grid, profile) == set()
    slots = naive_slots(one.grid)
    answers = {
        name: "".join(
            one.fill[Position(*at)].reading(Direction.ACROSS if name.endswith("A") else Direction.DOWN)
            for at in run
        )
        for name, run in slots.items()
    }
    assert len(set(answers.values())) == len(answers)
    themers = {name: text.replace("[", "").replace("]", "") for name, text in one.themers.items()}
    rebuses = {content for asked in what.themers for content in asked.contents if len(content) > 1}
    roots = roots_by(lexicon, contents=map(Content.of, rebuses))

    for name, answer in answers.items():
        assert themers.get(name, answer) == answer
        if name not in themers:
            assert lexicon.allows(answer)
            assert not any(roots.are_repeats(answer, other) for other in themers.values())
            if not any(one.fill[Position(*at)].is_rebus for at in slots[name]):
                assert not any(answer == rebus or lexicon.roots.are_repeats(answer, rebus) for rebus in rebuses)
    figures = grid_statistics(one.filled, lexicon.score)
    assert one.mean_score == pytest.approx(figures.mean_score)
    assert one.lowest_score == figures.lowest_score, "as the editor and `check` tell it of the same grid"
    for at in one.grid.open_positions():
        content = one.grid[at].content
        assert content is None or (content == one.fill[at] and one.grid[at].ink is Ink.LOCKED)
    assert one.filled.is_filled


@pytest.mark.parametrize(
    "answers",
    [
        ("HEARTTOHEARTS", "CONGRATULATIONS", "UNFORGETTABLE"),
        ("SWEET[HEART]S", "[HEART]THROBS", "KINDRED"),
    ],
)
def test_designs_pass_a_naive_judge(answers: tuple[str, ...], lexicon: Lexicon) -> None:
    what = wanted(*answers)
    found = designed(what, lexicon)
    assert len(found.designs) == 2
    assert found.tried >= found.found >= 2
    for one in found.designs:
        assert sorted(one.themers.values()) == sorted(answers)
        judge(one, what, lexicon)
    first, second = (set(one.grid.open_positions()) for one in found.designs)
    assert first != second


def test_words_of_a_fill_repeat_no_theme_answer() -> None:
    listed = ("SKY", "SKIES", "SKYLINE", "TYING", "HEART", "HEARTS", "HEARTED", "PEN", "LION")
    few = Lexicon.build([WordList.from_scores("few", dict.fromkeys(listed, 50))])

    def taken(*themers: str) -> list[str]:
        return [word for word in listed if DesignWords.of(wanted(*themers), few).lexicon.allows(word)]

    assert taken("SKY", "TIE") == ["SKY", "SKYLINE", "HEART", "HEARTS", "HEARTED", "PEN", "LION"]
    assert taken("LIONHEARTED") == ["SKY", "SKIES", "SKYLINE", "TYING", "PEN"]
    assert taken("[HEART]THROB") == list(listed), "what crosses the rebus square has its letters"


def test_a_fill_does_not_spell_a_rebus_out() -> None:
    few = Lexicon.build([WordList.from_scores("few", dict.fromkeys(("HEARTS", "TOHEART", "TO"), 50))])
    words = DesignWords.of(wanted("[HEART]BROKEN"), few)

    def takes(first: str, *, is_given: bool = False) -> bool:
        filled = grid_from_text("\n".join((first, *["#" * len(pieces(first.replace("#", "X")))] * 2)))
        grid = filled if is_given else filled.with_squares(dict.fromkeys(filled.open_positions(), OPEN))
        return words.take(grid, {at: content for at in grid.positions() if (content := filled[at].content)})

    assert takes("TO[HEART]")
    assert takes("[HEART]S#PENS")
    assert not takes("[HEART]S#HEARTS")
    assert not takes("HEART")
    assert takes("HEART", is_given=True)


def test_theme_answers_without_equal_lengths_find_a_design(lexicon: Lexicon) -> None:
    """Five answers of five lengths. A search that leaves a placement after one dead layout rarely finds any."""
    what = replace(
        wanted("STARFISH", "MOONSHINE", "SUNGLASSES", "EARTHSHAKER", "PLANETARIUMS", count=1), is_quick=True
    )
    told = list[DesignProgress]()
    found = design(
        what,
        lexicon,
        Budget(seed=1, stop=lambda: bool(told) and told[-1].tried >= 60),
        found=told.append,
    )
    judge(found.designs[0], what, lexicon)


def test_entries_with_few_words_are_blamed_for_a_dead_grid() -> None:
    many = ["".join(letters) for letters in product("ABCDE", repeat=4)]
    downs = ["AAXX", "BBXX", "VAXQ", "VBXQ", "WAXZ", "WBXZ", "AAXY", "BBXY"]
    words = WordList.from_scores("few", dict.fromkeys((*many, *downs), 50))
    problem = Problem.of(Task(grid_from_text("....\n....\nXXXX\nXQZY"), Lexicon.build([words])))
    assert not problem.root.is_possible
    assert {slot.name for slot in blamed(problem)} <= {"1D", "2D", "3D", "4D"}, (
        "neither rows of 600 words nor given"
    )
    assert blamed(problem)


def test_a_seed_is_reproducible(lexicon: Lexicon) -> None:
    what = DesignWanted((themer("SMILE"), themer("KINDRED")), LayoutWanted(13, 13, find_profile("midi")), count=2)
    first, again = (designed(what, lexicon, seed=3).designs for _ in range(2))
    assert [one.grid for one in first] == [one.grid for one in again]


def test_threads_share_their_results(lexicon: Lexicon) -> None:
    what = wanted("BRAVEHEART", "KINDRED", "HEARTTHROB", count=3)
    found = designed(what, lexicon, threads=2)
    assert len(found.designs) == 3
    assert [one.rank for one in found.designs] == sorted((one.rank for one in found.designs), reverse=True)


def test_a_subset_of_many_answers_is_chosen(lexicon: Lexicon) -> None:
    named = ("SUNSHINE", "RAINDROP", "SNOWBALL", "WINDFALL", "QZXJQZXJ")
    what = replace(wanted(*named, count=1), choose=2)
    one = designed(what, lexicon).designs[0]
    assert len(one.themers) == 2
    judge(one, what, lexicon)


def test_an_earlier_run_contributes_better_designs_that_still_hold() -> None:
    def told(rows: str, mean: float) -> Design:
        grid = grid_from_text(rows)
        fill = {at: content for at in grid.open_positions() if (content := grid[at].content) is not None}
        return Design(grid_from_text("...\n...\n...\n"), fill, {}, mean, 40)

    words = {"BIT": 50, "ICE": 60, "TEN": 40, "LAG": 50, "ALE": 50, "GEL": 50}
    known = Lexicon.build([WordList.from_scores("some", {one: n for one, n in words.items() if one != "GEL"})])
    bit, lag = told("BIT\nICE\nTEN\n", 99.0), told("LAG\nALE\nGEL\n", 99.0)
    judged = DesignProgress((bit, lag), found=5).judged_by(known)
    assert [(one.mean_score, one.lowest_score) for one in judged.designs] == [(50.0, 40)], "by the words of today"
    anew = replace(judged.designs[0], mean_score=55.0)
    both = DesignProgress((anew,), found=2, tried=3, is_impossible=True).after(judged, 2)
    assert [one.mean_score for one in both.designs] == [55.0], "no layout twice, and its best fill"
    assert (both.found, both.tried, both.is_impossible) == (7, 3, False)
    assert DesignProgress(reason="none").after(DesignProgress(), 2).reason == "none"


def test_lengths_without_a_partner_suit_another_symmetry() -> None:
    odd = tuple(Themer(("A",) * squares) for squares in (7, 9, 11, 13, 15))
    plain = wanted("BRAVEHEART", "HEARTTHROB")
    mirrored = replace(plain, themers=odd).suited().layout
    assert mirrored.symmetry is Symmetry.LEFT_RIGHT
    placed = (replace(odd[0], start=Position(3, 0)), *odd[1:])
    mated = (*odd, *odd[1:])
    even = tuple(Themer(("A",) * squares) for squares in (14, 13, 12, 11))
    for themers in (plain.themers, placed, mated, even, odd[:4]):
        asked = replace(plain, themers=themers)
        assert asked.suited() is asked
    rotated = replace(plain.layout, profile=replace(plain.layout.profile, symmetries=(Symmetry.ROTATION_180,)))
    asked = replace(plain, themers=odd, layout=rotated)
    assert asked.suited() is asked


def test_an_answer_with_a_required_number_gets_it(lexicon: Lexicon) -> None:
    plain = wanted("BRAVEHEART", "HEARTTHROB", count=1)
    numbered = (replace(plain.themers[0], number=20, direction=Direction.ACROSS), plain.themers[1])
    one = designed(replace(plain, themers=numbered), lexicon).designs[0]
    assert one.themers["20A"] == "BRAVEHEART"


@pytest.mark.parametrize("size", [5, 13])
def test_designs_work_with_a_profile_without_limits(size: int, lexicon: Lexicon) -> None:
    layout = LayoutWanted(size, size, find_profile("mini" if size == 5 else "midi"))
    what = DesignWanted((themer("SMILE"),), layout, count=1)
    assert what.limits[0, 0] == 0
    judge(designed(what, lexicon).designs[0], what, lexicon)


def test_an_answer_that_fits_nowhere_is_proved_to(lexicon: Lexicon) -> None:
    found = designed(wanted("A" * 16), lexicon)
    assert found.is_impossible
    assert "does not fit in a grid of 15x15" in found.reason


@pytest.mark.parametrize("answer", ["X", "OX", "HEARTTOHEART"])
def test_an_answer_of_a_length_outside_the_profile_is_proved_to_fit_nowhere(answer: str, lexicon: Lexicon) -> None:
    profile = replace(find_profile("american-15"), longest_entry=9)
    found = designed(DesignWanted((themer("GRAPEVINE"), themer(answer)), LayoutWanted(15, 15, profile)), lexicon)
    assert (found.is_impossible, found.tried) == (True, 0)
    assert found.reason.startswith(f"{answer} (")
    assert found.reason.endswith(
        "does not fit in a grid of 15x15: entries have 3 to 9 squares under the profile american-15"
    )


def test_an_answer_that_does_not_fit_its_required_place_is_reported_with_all_conditions(
    lexicon: Lexicon,
) -> None:
    straightedge = replace(themer("STRAIGHTEDGE"), start=Position(7, 2))
    what = DesignWanted((straightedge,), LayoutWanted(15, 15, find_profile("american-15")))
    assert designed(what, lexicon).reason == (
        "STRAIGHTEDGE (12 squares) does not fit at r8c3 across in a grid of 15x15 with "
        "the profile american-15 and rot180 symmetry"
    )


@pytest.mark.parametrize(
    ("answers", "choose", "reason"),
    [
        (("TIMETABL3",), None, "TIMETABL3 has 3, and no usable word"),
        (("TIMETABLE", "CATCH22"), None, "CATCH22 has 2, and no usable word"),
        (("TIMETABLE", "BRAVEHEART"), None, ""),
        (("TIMETABL3", "3D"), None, "TIMETABL3 crosses 3D, perhaps"),
        (("TIMETABL3", "CATCH22"), 1, "others may be chosen"),
        (("TIMETABL[3D]",), None, "a word may spell it"),
    ],
)
def test_an_uncrossable_answer_is_refused_immediately(
    answers: tuple[str, ...], choose: int | None, reason: str, lexicon: Lexicon
) -> None:
    what = replace(wanted(*answers), choose=choose)
    told = what.uncrossable(lexicon)
    assert told.startswith(reason) if "no usable word" in reason else not told
    if told:
        assert (designed(what, lexicon).reason, designed(what, lexicon).tried) == (told, 0)


@pytest.mark.parametrize("choose", [1, 2])
def test_answers_that_fit_nowhere_are_not_chosen(choose: int, lexicon: Lexicon) -> None:
    what = replace(wanted("BRAVEHEART", "X", "A" * 16, count=1), choose=choose)
    found = designed(what, lexicon)
    assert found.is_impossible == (choose == 2)
    if choose == 1:
        assert list(found.designs[0].themers.values()) == ["BRAVEHEART"]
    else:
        assert found.reason.startswith("X (1 square) does not fit")


def test_designs_respect_the_longest_entry(lexicon: Lexicon) -> None:
    profile = replace(find_profile("american-15"), longest_entry=7)
    what = DesignWanted((themer("SMILE"),), LayoutWanted(15, 15, profile), count=4)
    for one in designed(what, lexicon).designs:
        judge(one, what, lexicon)


def test_answers_that_cross_no_words_are_proved_to_have_no_design() -> None:
    words = ("CAT", "COT", "TACT", "ACTOR", ALL_LETTERS)
    few = Lexicon.build([WordList.from_scores("few", dict.fromkeys(words, 50))])
    found = designed(wanted("QUIZZICAL", "QUICKSAND"), few)
    assert not found.designs
    assert found.is_impossible
    assert "words across" in found.reason


def test_answers_run_down_if_across_fails() -> None:
    words = ("CAT", "COT", "TACT", "ACTOR", ALL_LETTERS)
    few = Lexicon.build([WordList.from_scores("few", dict.fromkeys(words, 50))])
    layout = LayoutWanted(5, 5, find_profile("mini"))
    first = Themer(tuple("ABCDE"), start=Position(0, 0), direction=Direction.ACROSS)
    across = DesignWanted((first, themer("AZZZZ")), layout)
    both = replace(across, fallback_directions=((Direction.ACROSS, Direction.DOWN),))
    assert designed(across, few).reason == (
        "the answers cannot be placed in a grid of 5x5, with ABCDE at r1c1 across, with the profile mini and "
        "rot180 symmetry with words across that repeat none of them"
    )
    assert designed(both, few).is_impossible


def test_every_square_of_a_design_is_checked() -> None:
    with pytest.raises(PuzzleError, match="leaves squares unchecked"):
        DesignWanted((), LayoutWanted(15, 15, find_profile("british")))


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (("WALNUTS", "CHERRIES", "PISTACHIOS"), "7, 8 and 10 squares"),
        (("WALNUTS", "CASHEWS", "CHERRIES", "PISTACHIO"), ""),
    ],
)
def test_answers_without_a_partner_are_reported(answers: tuple[str, ...], told: str, lexicon: Lexicon) -> None:
    found = design(wanted(*answers), lexicon, Budget(stop=lambda: True))
    assert not found.designs
    assert (told in found.reason, bool(told)) == (True, bool(found.reason))


def test_fills_are_improved_before_the_list_is_full(lexicon: Lexicon) -> None:
    what = wanted("HEARTTOHEARTS", "CONGRATULATIONS", "UNFORGETTABLE", count=500)
    found = list[DesignProgress]()
    design(
        what,
        lexicon,
        Budget(stop=lambda: bool(found) and any(one.is_improved for one in found[-1].designs)),
        found=found.append,
    )
    assert len(found[-1].designs) < 500
