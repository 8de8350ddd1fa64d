"""Layers as one list: the first decides, and what lies below a change is not made again."""

from hypothesis import given
from hypothesis import strategies as st

from tests.naive import words as naive_words
from tests.words.strategies import scored_words
from xwtui.words.lexicon import merged
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


def test_another_list_on_top_leaves_the_layers_below_as_they_are_made() -> None:
    first = merged([WordList.from_scores("mine", {"AXLE": 0}), OVER, BASE])
    other = merged([WordList.from_scores("mine", {"AXLES": 9}), OVER, BASE])
    below = merged([OVER, BASE])
    assert other.table(4) is below.table(4)
    assert other.by_score(4) is below.by_score(4)
    assert first.table(4).words() == ["AXLE", "EPEE", "ETUI", "OREO"]
    assert first.table(4).scores.tolist() == [0, 50, 30, 40]
