import gc
import weakref

from hypothesis import given

from tests.engine.small_problems import lexicon_of, small_grids, word_lists
from tests.naive.engine import given_content, read_answer, slot_words
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.strategies.board import EMPTY, Board, fits


@given(small_grids(5), word_lists())
def test_spellings_are_the_words_that_fit(grid: Grid, words: dict[str, int]) -> None:
    board = Board(Task(grid, lexicon_of(words)))
    assert [slot.name for slot in board.slots] == [slot.name for slot in grid.slots]
    for number, slot in enumerate(grid.slots):
        pattern = board.pattern(number)
        fitting = [word for word in board.slots[number].words if fits(pattern, word)]
        rows = {board.read(number, spelling): tuple(map(board.content, spelling)) for spelling in fitting}
        assert rows == slot_words(grid, slot, words)
        assert len(rows) == len(fitting)


@given(small_grids(5), word_lists())
def test_what_stands_is_what_was_put(grid: Grid, words: dict[str, int]) -> None:
    board = Board(Task(grid, lexicon_of(words)))
    standing = board.contents()
    assert standing == {at: content for at in board.positions if (content := given_content(grid, at)) is not None}
    before = dict(board.answers)
    written = []
    for slot in range(len(board.slots)):
        word = next((word for word in board.slots[slot].words if fits(board.pattern(slot), word)), None)
        if word is not None:
            written.append(board.put_word(slot, word))
            assert board.pattern(slot) == word
            assert board.is_filled(slot)
    filled = [slot for slot in grid.slots if all(at in board.contents() for at in slot.positions)]
    answers = [read_answer(board.contents(), slot) for slot in filled]
    assert sorted(board.answers.elements()) == sorted(answers)
    assert board.has_repeats == (len(set(answers)) < len(answers))
    for squares in reversed(written):
        board.take_all(squares)
    assert board.contents() == standing
    assert {word: count for word, count in board.answers.items() if count} == before


def test_crossings_name_the_other_slot_and_both_places() -> None:
    board = Board(Task(grid_from_text("..#\n...\n#.."), lexicon_of({"AB": 1})))
    names = [slot.name for slot in board.slots]
    assert names == ["1A", "3A", "5A", "1D", "2D", "4D"]
    found = [(crossing.at, names[crossing.slot], crossing.other_at) for crossing in board.crossings[1]]
    assert found == [(0, "1D", 1), (1, "2D", 1), (2, "4D", 0)]


def test_a_flaw_of_the_given_squares_is_told() -> None:
    words = {"CAT": 50, "ACE": 50}
    assert Board(Task(grid_from_text("Q..\n...\n..."), lexicon_of(words))).flaw() == "1A: no word fits Q??"
    repeated = grid_from_text("CAT\n###\nCAT")
    assert Board(Task(repeated, lexicon_of(words))).flaw() == "CAT is given twice"
    assert Board(Task(repeated, lexicon_of(words), allow_repeats=True)).flaw() == ""


def test_a_selection_keeps_the_pencil_outside() -> None:
    grid = grid_from_text("...\n...\n...")
    pencilled = grid.with_squares(
        {at: type(grid[at])(content=Content.of("X")) for at in map(Position, (2, 2, 2), (0, 1, 2))}
    )
    selection = frozenset({Position(0, 0), Position(0, 1), Position(0, 2)})
    board = Board(Task(pencilled, lexicon_of({"XXX": 1}), selection=selection))
    assert "".join(board.symbols) == EMPTY * 6 + "XXX"
    assert [slot.name for slot in board.slots] == ["1A", "5A", "1D", "2D", "3D"]


def test_a_board_that_nobody_uses_is_gone_at_once() -> None:
    """It holds megabytes, and Python looks for rings of objects by their number, not by their size."""
    gc.disable()
    try:
        board = Board(Task(Grid.blank(3, 3), lexicon_of({"CAB": 50})))
        kept = weakref.ref(board)
        del board
        assert kept() is None
    finally:
        gc.enable()
