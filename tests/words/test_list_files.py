"""List files that are read once they stop changing, and words that change during a session."""

import gc
import os
import weakref
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import scored_words, scores, words
from tests.known import known
from xwtui.engine.problem import word_stock
from xwtui.engine.problem.problem import Problem
from xwtui.model import Puzzle, WordChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.list_files import QUIET_SECONDS, SHRUNK_SECONDS, ListFiles
from xwtui.words.sources import changed_words, load_lexicon
from xwtui.words.word_list import WordList


class Clock:
    """A clock that advances only when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def files(clock: Clock) -> ListFiles:
    return ListFiles(clock)


def test_a_file_counts_when_first_seen_and_again_once_it_is_stable(
    files: ListFiles, clock: Clock, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("AXLE;50\n")
    first = known(files.mark(path))
    path.write_text("AXLE;50\nOREO;50\n")
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS / 2
    path.write_text("AXLE;50\nOREO;50\nETUI;50\n")
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS * 0.9
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS
    second = files.mark(path)
    assert second != first
    assert files.mark(path) == second


def test_a_file_that_shrank_much_is_waited_for(files: ListFiles, clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("AXLE;50\n" * 100)
    first = files.mark(path)
    path.write_text("AX")
    assert files.mark(path) == first
    clock.now += SHRUNK_SECONDS - 0.1
    assert files.mark(path) == first
    path.write_text("AXLE;50\n" * 101)
    clock.now += 0.2
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS
    assert files.mark(path) != first


def test_a_deleted_file_counts_for_a_while_and_returns_immediately(
    files: ListFiles, clock: Clock, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    assert files.mark(path) is None
    path.write_text("AXLE;50\n")
    first = known(files.mark(path))
    path.unlink()
    assert files.mark(path) == first
    assert files.files_in(tmp_path) == (path,)
    clock.now += SHRUNK_SECONDS
    assert files.mark(path) is None
    assert files.files_in(tmp_path) == ()
    path.write_text("OREO;50\n")
    assert files.mark(path) is not None


def test_files_written_by_the_program_count_immediately(files: ListFiles, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("AXLE;50\n" * 100)
    first = files.mark(path)
    path.write_text("OREO;50\n")
    files.take(path)
    assert files.mark(path) not in (first, None)


def test_only_regular_files_have_fingerprints(files: ListFiles, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert files.mark(tmp_path / "pipe") is None
    assert files.mark(tmp_path) is None
    assert files.mark(tmp_path / "no\0where") is None


MINIMUM = 30


def lexicon_of(base: WordList, own: Mapping[str, int], mine: Mapping[str, int], banned: frozenset[str]) -> Lexicon:
    layers = [WordList.from_scores("mine", mine), base] if mine else [base]
    return Lexicon.build(layers, minimum_score=MINIMUM, banned=banned, scores=own)


def look_at(lexicon: Lexicon) -> None:
    """Build everything that a lexicon builds lazily."""
    for length in range(1, 7):
        lexicon.everything(length)
    list(lexicon.sorted_index.begins(""))


def assert_same(one: Lexicon, other: Lexicon) -> None:
    for length in range(1, 7):
        for mine, others in zip(one.everything(length), other.everything(length), strict=True):
            assert np.array_equal(mine, others)
        assert one.table(length).words() == other.table(length).words()
        assert one.matches("?" * length) == other.matches("?" * length)
        found = list(one.sorted_index.begins("", length))
        assert one.scores(length) == {word: one.score(word) for word in found}
    assert len(one) == len(other)
    assert one.lengths == other.lengths


changes = st.tuples(
    st.dictionaries(words, scores, max_size=3),
    st.dictionaries(words, scores, max_size=3),
    st.frozensets(words, max_size=3),
)


@given(scored_words, st.lists(changes, min_size=2, max_size=5), st.data())
def test_a_lexicon_that_takes_over_equals_a_new_one(
    scored: dict[str, int],
    steps: list[tuple[dict[str, int], dict[str, int], frozenset[str]]],
    data: st.DataObject,
) -> None:
    base = WordList.from_scores("base", scored)
    lexicons: list[Lexicon] = []
    for own, mine, few in steps:
        banned = (
            few | data.draw(st.frozensets(st.sampled_from(sorted(scored)), max_size=2)) if scored else frozenset()
        )
        lexicon = lexicon_of(base, own, mine, banned)
        if lexicons:
            changed = known(changed_words(lexicons[-1], lexicon))
            lexicon.take_over(lexicons[-1], changed)
        look_at(lexicon)
        lexicons.append(lexicon)
        assert_same(lexicon, lexicon_of(base, own, mine, banned))
    assert_same(lexicons[0], lexicon_of(base, *steps[0][:2], lexicons[0].banned))


def test_a_change_of_one_word_keeps_tables_of_other_lengths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "list.txt"
    path.write_text("OREO;50\nETUI;50\nEPEES;50\n")
    before = load_lexicon(WordChoice(lists=(str(path),), minimum_score=40))
    look_at(before.lexicon)
    monkeypatch.setattr(Lexicon, "_build_table", lambda *_: pytest.fail("a table is made anew"))
    after = load_lexicon(WordChoice(lists=(str(path),), minimum_score=40, banned=frozenset({"ETUI"}))).lexicon
    assert after.table(4).words() == ["OREO"]
    assert after.table(5) is before.lexicon.table(5)
    assert after.sorted_index.best("E", 9) == ["EPEES"]
    assert before.lexicon.sorted_index.best("E", 9) == ["EPEES", "ETUI"]


GRID = Puzzle.blank(3, 3).grid


@given(
    st.dictionaries(st.text("ABC", min_size=3, max_size=3), st.integers(MINIMUM, 100), min_size=4, max_size=20),
    st.data(),
)
def test_a_problem_after_a_change_equals_a_new_one(scored: dict[str, int], data: st.DataObject) -> None:
    base = WordList.from_scores("base", scored)
    before = lexicon_of(base, {}, {}, frozenset())
    Problem.build(GRID, before)
    banned = data.draw(st.frozensets(st.sampled_from(sorted(scored)), max_size=3))
    after = lexicon_of(base, {}, {}, banned)
    after.take_over(before, banned)
    problem = Problem.build(GRID, after)
    word_stock.forget()
    fresh = Problem.build(GRID, lexicon_of(base, {}, {}, banned))
    for mine, others in zip(problem.tables, fresh.tables, strict=True):
        assert mine.words.tolist() == others.words.tolist()
        assert mine.symbols.tolist() == others.symbols.tolist()
        assert mine.supports.tolist() == others.supports.tolist()


@given(scored_words, scored_words, scored_words)
def test_words_of_edited_added_or_removed_lists_are_reported(
    top: dict[str, int], edited: dict[str, int], base: dict[str, int]
) -> None:
    below = WordList.from_scores("base", base)

    def over(scored: dict[str, int] | None) -> Lexicon:
        return Lexicon.build([below] if scored is None else [WordList.from_scores("mine", scored), below])

    expected = frozenset(word for word, _ in top.items() ^ edited.items())
    assert changed_words(over(top), over(edited)) == expected
    assert changed_words(over(top), over(None)) == changed_words(over(None), over(top)) == frozenset(top)
    assert changed_words(over(top), over(top)) == frozenset()
    two = [WordList.from_scores("mine", top), below]
    assert changed_words(Lexicon.build(two), Lexicon.build(two[::-1])) is None


def test_an_edited_layer_keeps_tables_of_other_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, own = tmp_path / "list.txt", tmp_path / "own.txt"
    base.write_text("OREO;50\nETUI;50\nEPEES;50\n")
    own.write_text("ALOE;60\n")
    choice = WordChoice(lists=(str(own), str(base)), minimum_score=40)
    before = load_lexicon(choice)
    look_at(before.lexicon)
    own.write_text("ALOE;60\nAGUE;70\n")
    monkeypatch.setattr(Lexicon, "_build_table", lambda *_: pytest.fail("a table is made anew"))
    after = load_lexicon(choice).lexicon
    assert after.table(4).words() == ["AGUE", "ALOE", "ETUI", "OREO"]
    assert after.table(5) is before.lexicon.table(5)


def test_only_one_lexicon_has_a_sorted_index() -> None:
    words = WordList.from_scores("words", {"LATE": 60, "LATER": 40})
    some, all_ = Lexicon.build([words], minimum_score=50), Lexicon.build([words])
    held = weakref.ref(some.sorted_index)
    assert list(all_.sorted_index.begins("LA")) == ["LATE", "LATER"]
    gc.collect()
    assert held() is None
    assert list(some.sorted_index.begins("LA")) == ["LATE"]
