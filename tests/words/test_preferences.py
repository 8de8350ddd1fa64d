"""Preferences raise and lower what words weigh, and never what they score or whether they are allowed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.words.strategies import scored_words, words
from xwtui.errors import WordListError
from xwtui.model import WordChoice
from xwtui.words.lexicon import FAVOUR, Lexicon, Preferences
from xwtui.words.vocabulary import load_lexicon
from xwtui.words.word_list import WordList


def list_of(found: set[str]) -> WordList:
    return WordList.from_scores("some", dict.fromkeys(found, 0))


@given(scored_words, st.lists(st.sets(words, max_size=10), max_size=2), st.sets(words, max_size=10))
def test_appeal_is_the_score_raised_and_lowered(
    scores: dict[str, int], preferred: list[set[str]], recent: set[str]
) -> None:
    preferences = Preferences(tuple(map(list_of, preferred)), list_of(recent))
    layer = WordList.from_scores("layer", scores)
    lexicon = Lexicon.build([layer], minimum_score=20, preferences=preferences)
    plain = Lexicon.build([layer], minimum_score=20)
    for length in range(1, 7):
        table = lexicon.table(length)
        assert table.words() == plain.table(length).words()
        assert table.scores.tolist() == plain.table(length).scores.tolist() == plain.appeal(length).tolist()
        expected = [
            max(scores[word] + FAVOUR * any(word in each for each in preferred) - FAVOUR * (word in recent), 0)
            for word in table.words()
        ]
        assert lexicon.appeal(length).tolist() == expected


def test_what_a_repeat_costs_can_be_said_anew() -> None:
    layer, recent = WordList.from_scores("layer", {"OREO": 40, "ETUI": 60}), list_of({"ETUI"})
    lexicon = Lexicon.build([layer], preferences=Preferences(recent=recent))
    costs = [lexicon.with_repeat_cost(cost) for cost in (0, 15, 50, 100)]
    assert [one.appeal(4).tolist() for one in costs] == [[60, 40], [45, 40], [10, 40], [0, 40]]
    assert len({one.fingerprint for one in costs}) == 4
    assert costs[2] is lexicon
    plain = Lexicon.build([layer])
    assert plain.with_repeat_cost(0) is plain


def test_preferences_make_another_lexicon() -> None:
    layer = WordList.from_scores("layer", {"OREO": 40})
    kinds = [Preferences(), Preferences((layer,)), Preferences(recent=layer), Preferences((layer, layer))]
    assert len({Lexicon.build([layer], preferences=kind).fingerprint for kind in kinds}) == len(kinds)
    narrowed = Lexicon.build([layer], preferences=kinds[1]).with_minimum(30)
    assert narrowed.appeal(4).tolist() == [40 + FAVOUR]


def test_a_choice_names_lists_to_prefer(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("OREO;40\nETUI;60\nEPEE;50\n")
    (tmp_path / "dear.txt").write_text("EPEE;1\nOTHER;1\n")
    choice = WordChoice(lists=("all.txt",), minimum_score=0, preferred=("dear.txt",), recent="mine")
    lexicon = load_lexicon(choice, tmp_path, recent={"ETUI"}).lexicon
    assert dict(zip(lexicon.table(4).words(), lexicon.appeal(4).tolist(), strict=True)) == {
        "ETUI": 10,
        "EPEE": 100,
        "OREO": 40,
    }
    assert not lexicon.allows("OTHER")


def test_a_preferred_list_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("OREO;40\n")
    with pytest.raises(WordListError, match="there is no word list 'dear"):
        load_lexicon(WordChoice(lists=("all.txt",), preferred=("dear.txt",)), tmp_path)
