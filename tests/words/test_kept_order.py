"""What is kept in order while it comes, beside sorting it anew."""

from hypothesis import given
from hypothesis import strategies as st

from xwtui.words.kept_order import KeptOrder

steps = st.lists(st.tuples(st.sampled_from("ABCDEFG"), st.integers(0, 4), st.booleans()), max_size=30)


def in_order(rows: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(rows.items(), key=lambda row: row[1])


@given(steps)
def test_rows_that_come_and_move_stand_as_if_they_were_sorted_anew(steps: list[tuple[str, int, bool]]) -> None:
    kept, rows = KeptOrder[int](lambda row: row), dict[str, int]()
    for key, row, is_offer in steps:
        if is_offer:
            is_better = key not in rows or row < rows[key]
            assert kept.offer(key, row) is is_better
            rows[key] = row if is_better else rows[key]
        else:
            kept.put(key, row)
            rows[key] = row
        assert list(kept.items()) == in_order(rows)
        assert list(kept) == [row for _, row in in_order(rows)]
        assert kept.first(3) == list(kept)[:3]
        assert (len(kept), kept.get(key)) == (len(rows), rows[key])


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_so_many_are_kept(rows: list[int], most: int) -> None:
    kept = KeptOrder[int](lambda row: row, most)
    for row in rows:
        kept.add(row)
    assert list(kept) == sorted(rows)[:most]
