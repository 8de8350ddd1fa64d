"""Foreign scores: scales, grades, and merged lists."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import scored_words
from tests.naive import words as naive_words
from xwtui.errors import WordListError
from xwtui.model.puzzle import WordChoice
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import merged
from xwtui.words.reader import read_word_list
from xwtui.words.scales import AUTO, OWN_SCALE, Scale, guessed
from xwtui.words.sources import graded, has_no_scores, load_lexicon
from xwtui.words.word_list import WordList

BASE = WordList.from_scores("base", {"ETUI": 30, "OREO": 60, "AXLE": 70})
OVER = WordList.from_scores("over", {"OREO": 40, "EPEE": 50})


@given(st.lists(scored_words, max_size=4))
def test_merged_layers_agree_with_dictionaries(layers: list[dict[str, int]]) -> None:
    whole = merged([WordList.from_scores(str(number), layer) for number, layer in enumerate(layers)])
    listed = naive_words.listed(layers)
    for length in range(1, 7):
        words = sorted((word for word in listed if len(word) == length), key=naive_words.alphabetically)
        assert whole.table(length).words() == words
        assert whole.table(length).scores.tolist() == [listed[word] for word in words]
        best = [word for word in naive_words.best_first(listed) if len(word) == length]
        assert whole.by_score(length).words() == best


def test_a_list_on_top_keeps_the_merged_layers_below() -> None:
    first = merged([WordList.from_scores("mine", {"AXLE": 0}), OVER, BASE])
    other = merged([WordList.from_scores("mine", {"AXLES": 9}), OVER, BASE])
    below = merged([OVER, BASE])
    assert other.table(4) is below.table(4)
    assert other.by_score(4) is below.by_score(4)
    assert first.table(4).words() == ["AXLE", "EPEE", "ETUI", "OREO"]
    assert first.table(4).scores.tolist() == [0, 50, 30, 40]


def words_of(text: str, name: str = "mine") -> WordList:
    return read_word_list(text.encode(), name).word_list


ONE = words_of("AXLE\nOXEN\nUSSR;;abbreviation\nICE CREAM\nCONSTITUTIONALLY\n", "one")
TWO = words_of("AXLE\nOXEN\nYAK\n", "two")
SCORED = words_of("AXLE;90\nUSSR;30\n", "scored")


def test_grades_depend_on_the_number_of_lists_and_length() -> None:
    lists = [ONE, TWO, SCORED]
    one, two, scored = graded(lists)
    assert scored is SCORED
    assert dict(one) == {"AXLE": 62, "OXEN": 42, "USSR": 42, "ICECREAM": 30, "CONSTITUTIONALLY": 40}
    assert dict(two) == {"AXLE": 62, "OXEN": 42, "YAK": 20}
    assert (one.tags("USSR"), one.enumerations("ICECREAM")) == (("abbreviation",), ("3,5",))
    for word, score in one:  # the same, computed word by word
        share = 60 * sum(word in each for each in lists) // 3
        assert score == share + 2 * (min(max(len(word), 3), 13) - 3)
    assert graded(lists)[0] is one, "shared, as long as it is in use"


def test_which_lists_have_scores() -> None:
    assert [has_no_scores(each) for each in (ONE, SCORED, words_of("AHSO;0\nETUI;0\n"))] == [True, False, False]


def test_a_minimum_sets_the_grades(tmp_path: Path) -> None:
    for name, text in (("one.txt", "AXLE\nOXEN\n"), ("two.txt", "AXLE\nUSSR\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    choice = WordChoice(("one.txt", "two.txt"), minimum_score=50)
    assert load_lexicon(choice, tmp_path).lexicon.table(4).words() == ["AXLE", "OXEN", "USSR"]
    loaded = load_lexicon(WordChoice(choice.lists, minimum_score=50, is_graded=True), tmp_path)
    assert loaded.lexicon.table(4).words() == ["AXLE"]
    assert [np.unique(layer.word_list.table(4).scores).tolist() for layer in loaded.layers] == [[32, 62]] * 2


@pytest.mark.parametrize(
    ("scores", "rule"),
    [
        ([], "=50"),
        ([0, 0], "=50"),
        ([1] * 9, "=50"),
        ([60, 60, 0], "=50"),
        ([10, 30, 50], "0-50"),
        ([30, 50], "0-100"),
        ([10, 20, 45], "0-100"),
        ([20, 30, 45] * 200, "0-50"),
        ([1, 3, 5], "0-5"),
        ([2, 4, 9, 10], "0-10"),
        ([25, 50, 60, 100], "0-100"),
        ([1, 12, 255], "0-255"),
        ([*range(1, 101)] * 20 + [500], "0-100"),
        ([40, 50, 60] * 30 + [999], "0-100"),
        ([10, 30, 50] * 4 + [999], "0-50"),
        ([10, 30, 50] * 100 + [999, 250, 300], "0-50"),
        ([40, 60, 255] * 30, "0-255"),
        ([40, 60, 255] * 40 + [9999], "0-255"),
    ],
)
def test_a_scale_is_guessed_from_the_scores(scores: list[int], rule: str) -> None:
    assert str(guessed(scores)) == rule


@pytest.mark.parametrize(
    ("rule", "ours"),
    [
        ("0-50", {0: 0, 25: 50, 50: 100, 49: 98}),
        ("0-100", {0: 0, 37: 37, 100: 100}),
        ("=60", {0: 0, 1: 60, 99: 60}),
        ("0=0,25=40,50=90", {0: 0, 25: 40, 30: 50, 50: 90, 60: 90}),
        ("10=40, 20=60", {0: 0, 5: 40, 15: 50}),
    ],
)
def test_a_rule_converts_scores_to_ours(rule: str, ours: dict[int, int]) -> None:
    scale = Scale.parse(rule)
    assert {score: scale.ours(score) for score in ours} == ours
    assert Scale.parse(str(scale)) == scale
    assert scale.words


@given(
    st.lists(st.tuples(st.integers(0, 999), st.integers(0, 100)), min_size=2, max_size=5, unique_by=lambda p: p[0])
)
def test_a_rule_stays_in_range_and_reads_back(points: list[tuple[int, int]]) -> None:
    scale = Scale(tuple(sorted(points)))
    assert Scale.parse(str(scale)) == scale
    assert all(0 <= scale.ours(score) <= 100 for score in range(0, 1100, 7))
    assert all(scale.ours(theirs) == ours for theirs, ours in points if theirs)


@pytest.mark.parametrize(
    "text", ["", "0-0", "5-50", "=101", "1=2", "2=1,1=2", "1=1,1=2", "50", "0=0,50=200", "\x1b"]
)
def test_invalid_rules_are_refused(text: str) -> None:
    with pytest.raises(WordListError, match="is not a rule for scores; use `0-50`") as refused:
        Scale.parse(text)
    assert str(refused.value).isprintable()


def test_a_list_is_read_with_a_rule() -> None:
    data = b"AXLE;50\nOREO;25\nETUI;0\nEPEE\nERNE;10\n"
    auto = read_word_list(data, "auto", AUTO)
    assert dict(auto.word_list) == {"AXLE": 100, "OREO": 50, "ETUI": 0, "EPEE": 50, "ERNE": 20}
    assert str(auto.scale) == "0-50"
    plain = read_word_list(data, "plain")
    assert dict(plain.word_list) == {"AXLE": 50, "OREO": 25, "ETUI": 0, "EPEE": 50, "ERNE": 10}
    assert plain.scale == OWN_SCALE
    low = read_word_list(data, "low", "0-25")
    assert [str(line) for line in low.bad_lines] == ["line 1: scores go from 0 to 25, not 50"]
    assert low.word_list.score("OREO") == 100


@pytest.mark.parametrize(
    ("slips", "told"),
    [
        ("SLIP;700\n", "SLIP;700 counts as 100"),
        ("SLIP;700\nLAPSE;101\n", "2 words above that count as 100, such as SLIP;700"),
    ],
)
def test_a_typo_is_not_a_scale_and_is_reported(slips: str, told: str) -> None:
    data = "".join(f"WORD{n};{n % 100 + 1}\n" for n in range(200)) + slips
    read = read_word_list(data.encode(), "long", AUTO)
    assert str(read.scale) == "0-100"
    assert read.word_list.score("SLIP") == 100
    assert (str(read.capped), read.bad_lines) == (told, ())
    assert read_word_list(data.encode(), "long", "0-100").word_list.score("SLIP") is None


def test_a_file_may_declare_its_scale() -> None:
    assert dict(read_word_list(b"# learned\n# scores: 0-100\nAXLE;20\n", "own", AUTO).word_list) == {"AXLE": 20}
    assert dict(read_word_list(b"AXLE;20\n", "other", AUTO).word_list) == {"AXLE": 50}
    with pytest.raises(WordListError, match="is not a rule"):
        read_word_list(b"# scores: many\nAXLE;20\n", "odd", AUTO)


def test_compiled_lists_depend_on_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.words.compiled_lists.cache_folder", lambda: tmp_path / "cache")
    path = tmp_path / "long.dict"
    path.write_text("".join(f"WORD{n};{n % 50 + 1}\n" for n in range(9000)) + "SLIP;700\n", encoding="utf-8")
    for _ in range(2):
        for rule, expected in ((AUTO, 98), ("0-100", 49), ("=70", 70)):
            read = open_word_list(path, rule)
            assert read.word_list.score("WORD48") == expected
            assert str(read.scale) == ("0-50" if rule == AUTO else rule)
            assert read.is_guessed == (rule == AUTO)
            assert str(read.capped) == ("SLIP;700 counts as 100" if rule == AUTO else "None")
            del read
    assert len(list((tmp_path / "cache").iterdir())) == 3
