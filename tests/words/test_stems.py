"""Which words share a stem."""

from itertools import combinations

import pytest

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
