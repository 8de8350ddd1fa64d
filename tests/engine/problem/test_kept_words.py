"""What is kept of words for the next problem is bounded, however many there are."""

import pytest

from xwtui.engine.problem import word_stock
from xwtui.engine.problem.segmentation import FREE
from xwtui.engine.problem.word_stock import word_stock_of
from xwtui.model.rules import NO_ENTRY_RULES, MinimumScore
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

WORDS = {"CAB": 50, "ACE": 60, "BED": 70, "DECK": 40}
CHOICES = (FREE,) * 3


def lexicon(minimum_score: int = 0) -> Lexicon:
    return Lexicon.build([WordList.from_scores("small", WORDS)], minimum_score=minimum_score)


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_stock, "_kept", type(word_stock._kept)())


def test_few_lists_are_kept_and_those_used_last() -> None:
    for score in range(10):
        word_stock_of(lexicon(score), {}, ())
    assert len(word_stock._kept) == word_stock._STOCKS_KEPT
    last = word_stock_of(lexicon(9), {}, ())
    assert word_stock_of(lexicon(9), {}, ()) is last


def test_tables_are_kept_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    stock = word_stock_of(lexicon(), {}, ())
    rules = [NO_ENTRY_RULES.with_all(MinimumScore, [MinimumScore(score)]) for score in range(20)]
    one = stock.table(CHOICES, 0, rules[0]).bytes
    monkeypatch.setattr(word_stock, "_BYTES_KEPT", 3 * one)
    tables = [stock.table(CHOICES, 0, asked) for asked in rules]
    assert sum(table.bytes for table in stock._tables.values()) == stock._bytes <= 3 * one
    assert stock.table(CHOICES, 0, rules[-1]) is tables[-1]
    assert stock.table(CHOICES, 0, rules[0]) is not tables[0]
