"""Undo and redo, by a machine that makes edits at random."""

from hypothesis import given
from hypothesis import strategies as st

from xwtui.model import Content, Position, Puzzle
from xwtui.model.edits import set_square
from xwtui.model.history import History

MOVES = st.lists(st.sampled_from([*"ABC", "undo", "redo"]), max_size=40)


def test_a_new_history_has_nothing_to_undo_or_redo() -> None:
    history = History(Puzzle.blank(3, 3))
    assert (history.undo(), history.redo(), history.edits) == (None, None, 0)


@given(MOVES)
def test_history_behaves_as_a_list_with_a_mark(moves: list[str]) -> None:
    """The model of the model: all puzzles in a list, and the index of the present one."""
    states, at = [Puzzle.blank(3, 3)], 0
    labels: list[str] = []
    history = History(states[0])
    for move in moves:
        if move == "undo":
            assert history.undo() == (labels[at - 1] if at else None)
            at = max(at - 1, 0)
        elif move == "redo":
            assert history.redo() == (labels[at] if at < len(labels) else None)
            at = min(at + 1, len(labels))
        else:
            edited = set_square(history.present, Position(0, 0), Content.of(move))
            label = f"edit {len(labels)}"
            history.record(edited, label)
            del states[at + 1 :], labels[at:]
            states.append(edited)
            labels.append(label)
            at += 1
        assert history.present is states[at]
        assert history.edits == at


def test_a_thousand_edits_can_all_be_undone() -> None:
    first = Puzzle.blank(3, 3)
    history = History(first)
    for index in range(1000):
        history.record(set_square(history.present, Position(0, 0), Content.of("AB"[index % 2])), "set")
    while history.undo():
        pass
    assert history.present is first
