"""Words learned of puzzles: scored by how many puzzles have them, and by how many hands."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.words.learned import HIGHEST, AnswerCounts
from xwtui.words.reader import read_word_list
from xwtui.words.scales import AUTO


def counted(*puzzles: tuple[set[str], str, int | None]) -> AnswerCounts:
    counts = AnswerCounts()
    for answers, author, year in puzzles:
        counts.add(answers, author, year)
    return counts


@pytest.mark.parametrize(
    ("times", "score"), [(1, 20), (2, 35), (3, 44), (4, 50), (8, 65), (16, 80), (200, HIGHEST)]
)
def test_a_score_tells_how_many_puzzles_have_a_word(times: int, score: int) -> None:
    counts = counted(*(({"OREO", f"WORD{n}"}, f"author {n}", 1990 + n) for n in range(times)))
    assert counts.score("OREO") == score
    assert counts.score("WORD0") == 20


def test_of_one_author_three_puzzles_count_and_unknown_ones_all() -> None:
    pet = counted(*(({"OREO", f"WORD{n}"}, " Ann  Other" if n % 2 else "ann other", None) for n in range(50)))
    assert pet.score("OREO") == 44
    unknown = counted(*(({"OREO", f"WORD{n}"}, "", None) for n in range(8)))
    assert unknown.score("OREO") == 65


def test_the_same_puzzle_counts_once() -> None:
    counts = AnswerCounts()
    assert counts.add(["OREO", "AXLE"], "Ann", 1999)
    assert not counts.add(["AXLE", "OREO", "OREO"], "Ann Other", 2001)
    assert (counts.puzzles, len(counts), counts.score("OREO")) == (1, 2, 20)


def test_the_lines_tell_puzzles_authors_and_years() -> None:
    counts = counted(
        ({"OREO", "AXLE", "é", "A", "TWO WORDS"}, "Ann", 2001),
        ({"OREO"}, "Bob", 1994),
        ({"OREO", "ETUI"}, "", None),
    )
    assert list(counts.lines())[2:] == [
        "# WORD;SCORE;;puzzles;authors;first year;last year",
        "OREO;44;;3;2;1994;2001",
        "AXLE;20;;1;1;2001;2001",
        "ETUI;20;;1;0;;",
    ]


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from(["OREO", "AXLE", "ETUI", "ERNE"])), st.sampled_from(["A", "B", ""]))
    )
)
def test_any_order_of_puzzles_gives_the_same_list_of_words(puzzles: list[tuple[set[str], str]]) -> None:
    by_answers = {frozenset(answers): (answers, author, None) for answers, author in puzzles}
    whole = list(by_answers.values())
    shuffled = random.Random(1).sample(whole, len(whole))
    lines = list(counted(*whole).lines())
    assert list(counted(*shuffled).lines()) == lines
    if any(answers for answers, _, _ in whole):
        counts = counted(*whole)
        read = read_word_list("\n".join(lines).encode(), "learned", AUTO)
        assert not read.bad_count
        assert dict(read.word_list) == {word: counts.score(word) for word, _ in read.word_list}
