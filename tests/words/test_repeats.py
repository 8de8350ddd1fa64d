"""Stems, and repeats of them."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Ink, Puzzle
from xwtui.words.repeats import AnswerRepeats, are_repeats, repeating
from xwtui.words.stems import Stemmer

FAMILIES = [
    ["OBOE", "OBOES"],
    ["BAKE", "BAKES", "BAKED", "BAKING", "BAKER", "BAKERS"],
    ["STOP", "STOPS", "STOPPED", "STOPPING", "STOPPER"],
    ["FILL", "FILLS", "FILLED", "FILLER", "FILLINGS"],
    ["VISIT", "VISITED", "VISITING"],
    ["BOX", "BOXES", "BOXED", "BOXER"],
    ["BERRY", "BERRIES"],
    ["HAPPY", "HAPPIER"],
    ["TRY", "TRIED", "TRIES", "TRYING"],
    ["DIE", "DIED", "DYING"],
    ["WOLF", "WOLVES"],
    ["KNIFE", "KNIVES"],
    ["AGREE", "AGREED", "AGREEING"],
    ["CANCEL", "CANCELLED", "CANCELED"],
    ["ECHO", "ECHOES"],
]
STRANGERS = [
    ("CAT", "CAR"),
    ("HOP", "HOPED"),
    ("STAR", "STARED"),
    ("GLASS", "GLAS"),
    ("BRING", "BRED"),
    ("THIS", "THI"),
    ("STRING", "STRED"),
    ("AND", "ANDES"),
    ("FILED", "FILLED"),
]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("knows", [False, True])
def test_a_word_and_its_forms_share_a_stem(family: list[str], knows: bool) -> None:
    stemmer = Stemmer(is_known={word for each in FAMILIES for word in each if knows}.__contains__)
    for first, second in combinations(family, 2):
        assert stemmer.share_stem(first, second), f"{first} and {second}"
        assert stemmer.share_stem(second, first)


@pytest.mark.parametrize(("first", "second"), STRANGERS)
def test_words_that_only_look_alike_do_not(first: str, second: str) -> None:
    known = ["HOP", "HOPE", "STAR", "STARE", "FILE", "FILL", "AND", "ANDES", "CAT", "CAR"]
    assert not Stemmer(is_known=known.__contains__).share_stem(first, second)


@pytest.mark.parametrize(("plural", "singular"), [("MENUS", "MENU"), ("TAXIS", "TAXI"), ("EMUS", "EMU")])
def test_rare_plurals_are_told_by_a_vocabulary_that_knows_the_singular(plural: str, singular: str) -> None:
    assert Stemmer(is_known={singular}.__contains__).stems(plural) == {singular, plural}
    assert not Stemmer(is_known={plural}.__contains__).share_stem(plural, singular)


def test_no_two_families_share_a_stem() -> None:
    stemmer = Stemmer(is_known={word for family in FAMILIES for word in family}.__contains__)
    for family, other in combinations(FAMILIES, 2):
        assert not any(stemmer.share_stem(first, second) for first in family for second in other)


def test_groups_of_ones_own_count_as_one_stem() -> None:
    stemmer = Stemmer([{"MOUSE", "MICE"}, {"GO", "WENT", "GONE"}])
    assert stemmer.share_stem("MICE", "MOUSE")
    assert stemmer.share_stem("MICE", "MOUSED")
    assert stemmer.share_stem("WENT", "GONE")
    assert not stemmer.share_stem("MICE", "WENT")
    assert not Stemmer().share_stem("MICE", "MOUSE")


LISTED = """
    LOCATE DATA BASE HEART ESTER LOTTERY OTTER LIGHT INTER NATION GIST TION WARR ANTS CRAFT SPACE PINE APPLE GLASS
    HOUSE ABLE ARMED ARMING PARED SWIM SWIMMING POOLS POKE POKER HANDS HOPE HOPING PIECE CAKE FORM STAR
"""
WORDS = frozenset(LISTED.split())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LOCATE", "LOCATION"),
        ("LOCATE", "LOCATIONSCOUT"),
        ("LOCATES", "LOCATED"),
        ("ONE", "ONES"),
        ("BAKE", "BAKER"),
        ("SWEETHEART", "BRAVEHEART"),
        ("HEART", "HEARTTOHEART"),
        ("LIGHTENS", "TWILIGHT"),
        ("BASE", "DATABASE"),
        ("PINE", "PINEAPPLE"),
        ("GLASSES", "GLASSHOUSE"),
        ("ARMING", "DISARMED"),
        ("UNARMED", "DISARMED"),
        ("SWIM", "SWIMMINGPOOLS"),
        ("POOL", "SWIMMINGPOOLS"),
        ("POKE", "POKERHANDS"),
        ("PIECES", "PIECEOFCAKE"),
        ("CAKED", "PIECEOFCAKE"),
        ("HOPED", "STARHOPING"),
    ],
)
def test_the_same_word_or_root_is_told(one: str, other: str) -> None:
    assert are_repeats(one, other, WORDS.__contains__)
    assert are_repeats(other, one, WORDS.__contains__)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NATION", "STATION"),
        ("RESTING", "TESTING"),
        ("HAPPINESS", "SADNESS"),
        ("CREATION", "STATIONS"),
        ("INTERNET", "INTERVAL"),
        ("LOTTERIES", "POTTERED"),
        ("EATON", "EATEN"),
        ("TEAM", "STEAM"),
        ("LOVE", "GLOVE"),
        ("RANT", "WARRANT"),
        ("ABLE", "CAPABLE"),
        ("FRIENDSHIP", "HARDSHIP"),
        ("FORMED", "UNIFORM"),
        ("FORMED", "INFORMATION"),
        ("HANDED", "OFFHANDS"),
        ("DISTANCES", "TANCE"),
        ("PREPARED", "PARES"),
        ("STARE", "STARTLE"),
        ("CAT", "CAT"),
        ("A", "B"),
    ],
)
def test_what_is_alike_by_chance_or_by_a_common_ending_is_not(one: str, other: str) -> None:
    assert not are_repeats(one, other, WORDS.__contains__)
    assert not are_repeats(other, one, WORDS.__contains__)


def test_without_words_only_stems_tell() -> None:
    assert are_repeats("LOCATE", "LOCATION", lambda word: False)
    assert not are_repeats("SWEETHEART", "BRAVEHEART", lambda word: False)


def test_a_grid_tells_which_entries_a_word_repeats() -> None:
    """Rebus squares count in full; the look-up finds what a look at each pair does."""
    grid = grid_from_text("LO[CAT]ION\n......\nLOCATE\n......\nSTATED")
    repeats = AnswerRepeats.of_puzzle(Puzzle(grid), WORDS.__contains__)
    names = {answer: name for name, answer in repeats.answers.items()}
    assert repeats.of("LOCATED") == (names["LOCATION"], names["LOCATE"])
    assert repeats.of("LOCATED", names["LOCATE"]) == (names["LOCATION"],)
    assert repeats.pairs == ((names["LOCATION"], names["LOCATE"]),)


def test_theme_answers_that_are_locked_may_repeat_each_other() -> None:
    grid = grid_from_text("LOCATION\n........\nLOCATING\n........\nLOCATION")
    locked = [at for name in ("1A", "10A") for at in grid.slot(name).positions]
    grid = grid.with_squares({at: replace(grid[at], ink=Ink.LOCKED) for at in locked})
    assert AnswerRepeats.of_puzzle(Puzzle(grid), WORDS.__contains__).pairs == (("10A", "12A"),)


def test_what_rebus_squares_hold_is_no_word_that_answers_repeat() -> None:
    themed = grid_from_text("SWEET[HEART]\n......\nBRAVE[HEART]")
    assert AnswerRepeats.of_puzzle(Puzzle(themed), WORDS.__contains__).pairs == ()
    plain = grid_from_text("SWEETHEART\n..........\nBRAVEHEART")
    assert len(AnswerRepeats.of_puzzle(Puzzle(plain), WORDS.__contains__).pairs) == 1


def test_the_look_up_misses_nothing() -> None:
    answers = [
        *WORDS,
        "LOCATIONS",
        "LOCATED",
        "DATABASE",
        "SWEETHEART",
        "HEARTTOHEART",
        "TWILIGHT",
        "LIGHTEN",
        "ONES",
        "DISARMED",
    ]
    repeats = AnswerRepeats({answer: answer for answer in answers}, WORDS.__contains__)
    for one, other in combinations(answers, 2):
        assert (other in repeats.of(one)) is are_repeats(one, other, WORDS.__contains__)


BUILT = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "UN", "OVER", "SWEET", "TO", "X"]),
        st.sampled_from(
            ["HEART", "LOCAT", "TIE", "TY", "LIFE", "LIV", "LEAF", "BAKE", "BAK", "RUN", "DATA", "ELF", "ELV"]
        ),
        st.sampled_from(["", "S", "ES", "ED", "ING", "N", "NING", "ER", "ERS", "E", "ION", "BASE", "LY", "HEART"]),
    ),
)


@given(st.lists(BUILT, min_size=1, max_size=3), st.lists(BUILT, max_size=12))
def test_all_words_that_repeat_an_answer_are_found(answers: list[str], words: list[str]) -> None:
    found = repeating(answers, words, WORDS.__contains__)
    assert found == {
        word for word in words if any(are_repeats(word, answer, WORDS.__contains__) for answer in answers)
    }
