"""Candidates that are made when looked at, beside a plain list of the same."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, CandidateStanding, sort_candidates
from xwtui.engine.candidates.rows import CandidateRows, ListedWords, RoomOrder

standings = st.sampled_from([CandidateStanding.SURVIVES, CandidateStanding.DEAD])
spreads = st.none() | st.sampled_from([0.0, 9.0])
figures = st.tuples(st.integers(0, 3), standings, st.none() | st.sampled_from([0.5, 1.0, 2.0]), spreads)


def made(
    word: str, score: int, standing: CandidateStanding, log10: float | None, spread: float | None = None
) -> CandidateEstimate:
    return CandidateEstimate(word, score * 10, standing, None, log10, spread=spread)


tables = st.dictionaries(st.text("AB", min_size=3, max_size=3), figures, max_size=8).map(
    lambda rows: sorted(
        (made(word, *row) for word, row in rows.items()), key=lambda one: (-(one.score or 0), one.word)
    )
)


@given(
    tables, st.sampled_from(CandidateOrder), st.text("AB", max_size=2), st.frozensets(st.text("AB", max_size=3))
)
def test_rows_are_as_a_list_of_them_is(
    table: list[CandidateEstimate], order: CandidateOrder, letters: str, banned: frozenset[str]
) -> None:
    rows = CandidateRows.of(table).in_order(order)
    naive = sort_candidates(table, order)
    if order is CandidateOrder.SCORE:
        naive = [one for one in table if one.alive] + [one for one in table if not one.alive]
    assert list(rows) == naive == list(rows[:])
    assert rows.alive == sum(one.alive for one in naive)
    assert rows.longest == max((len(one.told) for one in naive), default=0)
    assert rows.dead_words() == {one.word for one in naive if not one.alive}
    assert list(rows.beginning(letters)) == [one for one in naive if one.word.startswith(letters)]
    assert list(rows.without(banned)) == [one for one in naive if one.word not in banned]
    narrowed = rows.beginning(letters)
    for word in ("AAA", "BAB", *(one.word for one in naive)):
        assert narrowed.place(word) == next((at for at, one in enumerate(narrowed) if one.word == word), None)


@given(tables, st.sampled_from([CandidateOrder.ROOM, CandidateOrder.BOTH]), st.data())
def test_what_more_is_known_stays_in_its_place_or_moves_by_room(
    table: list[CandidateEstimate], order: CandidateOrder, data: st.DataObject
) -> None:
    first = CandidateRows.of(table)
    by_room = RoomOrder(first.in_order(order), order)
    (least, most), now = first.rooms, {one.word: one for one in table}
    for _ in range(3):
        news = [
            made(
                one.word,
                (one.score or 0) // 10,
                *data.draw(st.tuples(standings, st.sampled_from([least, most]), spreads)),
            )
            for one in data.draw(
                st.lists(st.sampled_from(table), max_size=3, unique=True) if table else st.just([])
            )
        ]
        now |= {one.word: one for one in news}
        first = first.renewed(news)
        assert list(first) == list(now.values())
        assert first.alive == sum(one.alive for one in now.values())
        moved = by_room.renewed([*news, made("CCC", 1, CandidateStanding.DEAD, None)])
        ends = [made("ZZZ", 0, CandidateStanding.DEAD, end) for end in (least, most)]
        expected = [one for one in sort_candidates([*now.values(), *ends], order) if one.word != "ZZZ"]
        assert list(moved) == expected


def test_no_row_is_made_that_is_not_looked_at() -> None:
    words = [f"A{number:04}" for number in range(10_000)]
    asked: list[int] = []

    def make(row: int) -> CandidateEstimate:
        asked.append(row)
        return made(words[row], 5, CandidateStanding.SURVIVES, None)

    listed = ListedWords(words, np.full(len(words), 50.0), {})
    unknown = np.full(len(words), np.nan)
    rows = CandidateRows(listed, np.arange(len(words)) > 0, unknown, np.isnan(unknown), make)
    kept = rows.without({words[1]}).in_order(CandidateOrder.SCORE).beginning("A0")
    assert (kept.alive, kept.longest, kept.place(words[2])) == (998, 5, 0)
    assert not asked
    assert [one.word for one in kept[:2]] == words[2:4]
    assert asked == [2, 3]
