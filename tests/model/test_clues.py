"""Clues belong to answers through edits, undo and returning answers, compared with a naive twin."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.known import known
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Direction, Ink, Kind, Position, Puzzle, Slot
from xwtui.model.clues import Clue
from xwtui.model.edits import clear_entry, clear_squares, place_answer, set_kind, write_fill
from xwtui.model.puzzle import History
from xwtui.model.review import Check, review
from xwtui.model.square import Content
from xwtui.session.journal import change_between, changed


def puzzle(text: str) -> Puzzle:
    return puzzle_of_grid(grid_from_text(text))


def slot(made: Puzzle, name: str = "1A") -> Slot:
    return made.grid.slot(name)


def with_answer(made: Puzzle, answer: str, name: str = "1A") -> Puzzle:
    return place_answer(made, slot(made, name), answer)


PONTI = puzzle("PONTI\n.....\n.....")
CLUED = PONTI.with_clue(slot(PONTI), "Gio the designer")


@pytest.mark.parametrize("suffix", [".puz", ".xd", ".txt"])
def test_clues_of_removed_entries_are_named(suffix: str) -> None:
    made = set_kind(CLUED, Position(0, 0), Kind.BLOCK)
    (gone,) = made.orphaned_clues
    assert gone.words == "r1c1 across (of PONTI)"
    (told,) = [one for one in puzzle_bytes(made, suffix, lossy=True).warnings if "r1c1" in one]
    assert told.endswith("clues of entries that no longer exist: r1c1 across (of PONTI)")
    assert any("r1c1 across (of PONTI)" in finding.message for finding in review(made))
    back = set_kind(made, Position(0, 0), Kind.OPEN)
    assert back.orphaned_clues == ()


def test_a_clue_stays_with_its_answer_and_returns_with_it() -> None:
    cider = with_answer(CLUED, "CIDER")
    assert cider.clue(slot(cider)) == ""
    (stale,) = cider.stale_clues
    assert (stale.slot.name, stale.answer, stale.clue) == ("1A", "CIDER", Clue("Gio the designer", "PONTI"))
    assert stale == cider.stale_clue(slot(cider))
    assert with_answer(cider, "PONTI") == CLUED


def test_both_answers_keep_their_own_clues() -> None:
    both = with_answer(CLUED, "CIDER").with_clue(slot(CLUED), "Apple drink")
    assert (both.clue(slot(both)), both.stale_clues) == ("Apple drink", ())
    back = with_answer(both, "PONTI")
    assert (back.clue(slot(back)), back.stale_clues) == ("Gio the designer", ())
    third = with_answer(back, "AXLES")
    assert [stale.clue.answer for stale in third.stale_clues] == ["PONTI"], "the one that stood last"
    assert with_answer(third, "CIDER").clue(slot(third)) == "Apple drink"


def test_a_clue_without_an_answer_goes_to_the_first_answer() -> None:
    empty = puzzle("P.NTI\n.....\n.....")
    waiting = empty.with_clue(slot(empty), "Gio the designer")
    assert waiting.clue(slot(waiting)) == "Gio the designer"
    filled = write_fill(waiting, {Position(0, 1): Content.of("O")})
    assert filled.clue(slot(filled)) == "Gio the designer"
    assert [stale.clue.answer for stale in with_answer(filled, "CIDER").stale_clues] == ["PONTI"]


def test_an_emptied_entry_has_no_clue_until_it_is_complete_again() -> None:
    open_again = clear_squares(CLUED, [Position(0, 0)])
    assert open_again.clue(slot(open_again)) == ""
    assert [(stale.answer, stale.clue.answer) for stale in open_again.stale_clues] == [(None, "PONTI")]
    assert with_answer(open_again, "PONTI") == CLUED


def test_a_later_clue_takes_precedence_and_the_earlier_is_kept() -> None:
    waiting = clear_squares(CLUED, [Position(0, 0)]).with_clue(slot(CLUED), "Architect Gio")
    back = with_answer(waiting, "PONTI")
    assert back.clue(slot(back)) == "Architect Gio"
    assert back.offered_clues(slot(back)) == ("Gio the designer",)


def test_a_clue_of_the_same_answer_elsewhere_is_offered_not_set() -> None:
    moved = with_answer(with_answer(CLUED, "CIDER"), "PONTI", "6A")
    row = slot(moved, "6A")
    assert moved.clue(row) == ""
    assert moved.offered_clues(row) == ("Gio the designer",)
    taken = moved.with_clue(row, moved.offered_clues(row)[0])
    assert (taken.clue(row), taken.offered_clues(row)) == ("Gio the designer", ())
    assert taken.stale_clue(slot(taken)) is not None, "and 1A keeps its own"


def test_clearing_removes_only_the_clue_of_the_current_answer() -> None:
    both = with_answer(CLUED, "CIDER").with_clue(slot(CLUED), "Apple drink")
    cleared = both.with_clue(slot(both), "")
    assert cleared == with_answer(CLUED, "CIDER")
    assert cleared.without_stale_clue(slot(cleared)).clues == {}
    assert both.without_stale_clue(slot(both)) is both


def test_a_block_keeps_the_clue_of_a_temporarily_removed_slot() -> None:
    full = puzzle("CATS\nAREA\nTEEN\nSANS").with_clue(slot(puzzle("CATS\nAREA\nTEEN\nSANS"), "6A"), "Teenager")
    key = (slot(full, "6A").start, Direction.ACROSS)
    gone = set_kind(full, key[0], Kind.BLOCK)
    assert gone.grid.slot_at(*key) is None
    assert gone.stale_clues == ()
    back = set_kind(gone, key[0], Kind.OPEN)
    assert back.stale_clue(slot(back, "6A")) is not None
    assert with_answer(back, "TEEN", "6A").clue(slot(full, "6A")) == "Teenager"


def test_the_clue_of_a_rebus_answer_belongs_to_its_reading() -> None:
    rebus = puzzle("S[HEART]S\n...\n...")
    clued = rebus.with_clue(slot(rebus), "Card suit")
    other = place_answer(clued, slot(clued), "[SHE]A[RTS]")
    assert other.grid.answer(slot(other)) == "SHEARTS"
    assert other.clue(slot(other)) == "Card suit"


def test_the_review_names_stale_clues_once() -> None:
    cider = with_answer(CLUED, "CIDER")
    told = [found.message for found in review(cider) if found.rule is Check.STALE_CLUE]
    assert told == ["1A CIDER has the clue of PONTI"]
    (missing,) = [found.message for found in review(cider) if found.rule is Check.MISSING_CLUE]
    assert "1A," not in missing


def test_the_review_groups_entries_without_an_answer() -> None:
    two = with_answer(CLUED, "CIDER", "6A").with_clue(slot(CLUED, "6A"), "Apple drink")
    open_again = clear_squares(two, two.grid.open_positions())
    told = [found.message for found in review(open_again) if found.rule is Check.STALE_CLUE]
    assert told == ["2 entries that are not complete have clues of earlier answers: 1A PONTI, 6A CIDER"]
    one = clear_entry(CLUED, slot(CLUED))
    told = [found.message for found in review(one) if found.rule is Check.STALE_CLUE]
    assert told == ["1A, not complete, has the clue of PONTI"]


@pytest.mark.parametrize("suffix", [".puz", ".xd"])
def test_other_formats_refuse_stale_clues_by_entry(suffix: str) -> None:
    full = puzzle("ABC\nDEF\nGHI").with_clue(slot(puzzle("ABC\nDEF\nGHI")), "Letters")
    stale = with_answer(full, "XBC")
    with pytest.raises(PuzzleFormatError, match=r"clues of other answers at 1A \(of ABC\) \(with --lossy"):
        puzzle_bytes(stale, suffix)
    data, warnings, _ = puzzle_bytes(stale, suffix, lossy=True)
    assert any("1A (of ABC)" in warning for warning in warnings)
    assert read_bytes(data, suffix).clues == {}


def test_ipuz_stores_everything_and_shows_others_only_current_clues() -> None:
    stale = with_answer(CLUED, "CIDER")
    data = puzzle_bytes(stale, ".ipuz").data
    fields = json.loads(data)
    assert fields["clues"]["Across"][0] == [1, ""]
    assert fields["net.xwtui:kept-clues"] == [["r1c1", "A", "PONTI", "Gio the designer"]]
    assert read_bytes(data, ".ipuz") == stale
    del fields["net.xwtui:kept-clues"]
    fields["clues"]["Across"][0] = [1, "Apple drink"]
    other = read_bytes(json.dumps(fields).encode(), ".ipuz")
    assert with_answer(with_answer(other, "AXLES"), "CIDER").clue(slot(other)) == "Apple drink"


@pytest.mark.parametrize(
    "damage",
    [None, {}, [1], [["r1c1", "A", "ponti", "x"]], [["r9c9", "A", "PONTI", "x"]], [["r1c1", "A", "X"]]],
)
def test_a_damaged_list_of_stale_clues_does_not_prevent_reading(damage: object) -> None:
    fields = json.loads(puzzle_bytes(CLUED, ".ipuz").data)
    fields["net.xwtui:kept-clues"] = damage
    assert read_bytes(json.dumps(fields).encode(), ".ipuz") == CLUED


# A naive twin

Moves = list[tuple[str, str, str]]
_ANSWERS = ["CAT", "COT", "CAR", "TAR", "C.T", "...", "RAT"]
_TEXTS = ["one", "two", "three"]
_NAMES = ["1A", "1D", "2D", "3D", "4A", "5A"]
moves = st.lists(
    st.tuples(st.just("set"), st.sampled_from(_NAMES), st.sampled_from(_ANSWERS))
    | st.tuples(st.just("clue"), st.sampled_from(_NAMES), st.sampled_from(_TEXTS))
    | st.tuples(st.just("clear"), st.sampled_from(_NAMES), st.just(""))
    | st.tuples(st.sampled_from(["undo", "redo", "save", "crash"]), st.just(""), st.just("")),
    max_size=25,
)
BLANK = puzzle("...\n...\n...")


class Twin:
    """Maps each entry to a dict from answers to clues (None for a waiting one), with a copy per state."""

    def __init__(self) -> None:
        self.rows = [["."] * 3 for _ in range(3)]
        self.clues: dict[str, dict[str | None, str]] = {name: {} for name in _NAMES}

    def copy(self) -> "Twin":
        other = Twin()
        other.rows = [list(row) for row in self.rows]
        other.clues = {name: dict(clues) for name, clues in self.clues.items()}
        return other

    def squares(self, name: str) -> list[tuple[int, int]]:
        if name in ("1D", "2D", "3D"):
            return [(row, int(name[0]) - 1) for row in range(3)]
        return [({"1A": 0, "4A": 1, "5A": 2}[name], column) for column in range(3)]

    def answer(self, name: str) -> str | None:
        word = "".join(self.rows[row][column] for row, column in self.squares(name))
        return None if "." in word else word

    def set(self, name: str, answer: str) -> None:
        for (row, column), letter in zip(self.squares(name), answer, strict=True):
            self.rows[row][column] = letter
        for each in _NAMES:
            if (word := self.answer(each)) is not None and None in self.clues[each]:
                self.clues[each][word] = self.clues[each].pop(None)

    def clue(self, name: str) -> str:
        return self.clues[name].get(self.answer(name), "")


def written(made: Puzzle, name: str, answer: str) -> Puzzle:
    """Return the puzzle with an answer written, or its `.` squares emptied, in one edit as by `with_grid`."""
    squares = dict(zip(slot(made, name).positions, answer, strict=True))
    grid = made.grid
    found = {
        at: type(grid[at])(content=None if letter == "." else Content.of(letter), ink=Ink.PENCIL)
        for at, letter in squares.items()
    }
    return made.with_grid(grid.with_squares(found))


@given(moves)
@examples(150)
def test_any_sequence_of_edits_matches_a_naive_twin(line: Moves) -> None:
    history, twin = History(BLANK), Twin()
    past: list[Twin] = []
    future: list[Twin] = []
    for what, name, text in line:
        before = history.present
        if what == "undo":
            if history.undo() is not None:
                future.append(twin)
                twin = past.pop()
        elif what == "redo":
            if history.redo() is not None:
                past.append(twin)
                twin = future.pop()
        elif what == "save":
            assert read_bytes(puzzle_bytes(before, ".ipuz").data, ".ipuz") == before
        elif what == "crash":
            change = known(change_between(BLANK, before))
            assert changed(BLANK, change) == before
        else:
            past.append(twin)
            future.clear()
            twin = twin.copy()
            if what == "set":
                history.record(written(before, name, text), what)
                twin.set(name, text)
            else:
                history.record(before.with_clue(slot(before, name), text if what == "clue" else ""), what)
                twin.clues[name].pop(twin.answer(name), None)
                if what == "clue":
                    twin.clues[name][twin.answer(name)] = text
        check(history.present, twin)


def check(made: Puzzle, twin: Twin) -> None:
    stale = {each.slot.name: each for each in made.stale_clues}
    for name in _NAMES:
        assert made.clue(slot(made, name)) == twin.clue(name)
        kept = twin.clues[name]
        assert (name in stale) == (bool(kept) and not twin.clue(name))
        if name in stale:
            assert kept[stale[name].clue.answer] == stale[name].clue.text
        key = (slot(made, name).start, slot(made, name).direction)
        has = {clue.answer or None for clue in made.clues[key].clues} if key in made.clues else set()
        assert has == set(kept), "no clue is lost, and none comes from nowhere"
