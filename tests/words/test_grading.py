"""Lists without scores, graded by how many lists have a word and by its length."""

from pathlib import Path

import numpy as np

from xwtui.model.puzzle import WordChoice
from xwtui.words.grading import graded, has_no_scores
from xwtui.words.reader import read_word_list
from xwtui.words.vocabulary import load_lexicon
from xwtui.words.word_list import WordList


def words_of(text: str, name: str = "mine") -> WordList:
    return read_word_list(text.encode(), name).word_list


ONE = words_of("AXLE\nOXEN\nUSSR;;abbreviation\nICE CREAM\nCONSTITUTIONALLY\n", "one")
TWO = words_of("AXLE\nOXEN\nYAK\n", "two")
SCORED = words_of("AXLE;90\nUSSR;30\n", "scored")


def test_by_how_many_lists_and_length() -> None:
    lists = [ONE, TWO, SCORED]
    one, two, scored = graded(lists)
    assert scored is SCORED
    assert dict(one) == {"AXLE": 62, "OXEN": 42, "USSR": 42, "ICECREAM": 30, "CONSTITUTIONALLY": 40}
    assert dict(two) == {"AXLE": 62, "OXEN": 42, "YAK": 20}
    assert (one.tags("USSR"), one.enumerations("ICECREAM")) == (("abbreviation",), ("3,5",))
    for word, score in one:  # the same, reckoned word by word
        share = 60 * sum(word in each for each in lists) // 3
        assert score == share + 2 * (min(max(len(word), 3), 13) - 3)
    assert graded(lists)[0] is one, "shared, as long as it is in use"


def test_which_lists_have_scores() -> None:
    assert [has_no_scores(each) for each in (ONE, SCORED, words_of("AHSO;0\nETUI;0\n"))] == [True, False, False]


def test_a_minimum_grades_them(tmp_path: Path) -> None:
    for name, text in (("one.txt", "AXLE\nOXEN\n"), ("two.txt", "AXLE\nUSSR\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    choice = WordChoice(("one.txt", "two.txt"), minimum_score=50)
    assert load_lexicon(choice, tmp_path).lexicon.table(4).words() == ["AXLE", "OXEN", "USSR"]
    loaded = load_lexicon(WordChoice(choice.lists, minimum_score=50, is_graded=True), tmp_path)
    assert loaded.lexicon.table(4).words() == ["AXLE"]
    assert [np.unique(layer.word_list.table(4).scores).tolist() for layer in loaded.layers] == [[32, 62]] * 2
