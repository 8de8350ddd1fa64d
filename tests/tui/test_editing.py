"""Keys and clicks in the grid, also with a user's key map."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.known import candidate, known
from tests.session.saying import said
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, StillWords, until
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.model import Bar, Content, Direction, Ink, Kind, Position, Puzzle
from xwtui.model.edits import place_answer, set_ink, set_square
from xwtui.resources import personal_list_path, user_key_file
from xwtui.session.messages import CandidatesReady
from xwtui.session.settings import load_settings
from xwtui.session.verbs.registry import run_line
from xwtui.tui.screens.help import HelpScreen
from xwtui.tui.widgets.grid_view import GridView
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


async def test_letters_are_written_in_pen_and_advance(on: Stage) -> None:
    await on.type("aB3")
    squares = [on.grid[Position(0, column)] for column in range(3)]
    assert [str(square.content) for square in squares] == ["A", "B", "3"]
    assert {square.ink for square in squares} == {Ink.PEN}
    assert on.here == "r1c3 across", "the entry ends here"
    assert on.line("title").startswith("untitled *")


async def test_letters_past_the_end_of_an_entry_are_refused(on: Stage) -> None:
    await on.type("catsx")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"
    assert "SX was not written: 1A has 3 squares" in on.line("message"), "all of it, not the last letter alone"
    await on.press("escape", "k")
    assert on.line("message").startswith("K was not written"), "Esc ends that"
    await on.press("escape")
    await on.paste("yz")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"
    assert "the last 2 letters have no room" in on.line("message")


@pytest.mark.parametrize("keys", [["backspace"], ["delete"], ["end"], ["left", "right"], ["ctrl+z"]])
async def test_the_last_square_can_be_rewritten_after_any_other_key(on: Stage, keys: list[str]) -> None:
    await on.type("cat")
    await on.press(*keys, "r")
    assert on.grid.answer(on.grid.slot("1A")) == "CAR"


async def test_letters_do_not_continue_past_the_end_of_a_paste(on: Stage) -> None:
    await on.paste("cat")
    await on.press("s")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"


async def test_a_rebus_may_replace_the_last_letter(on: Stage) -> None:
    await on.type("cat")
    await on.press("ctrl+r", "x", "y", "enter")
    assert on.grid[Position(0, 2)].content == Content.of("XY")


async def test_a_diacritic_is_folded_and_another_alphabet_is_refused(on: Stage) -> None:
    await on.press("é")
    assert on.grid[Position(0, 0)].content == Content.of("E")
    await on.press("ж")
    assert on.grid[Position(0, 1)].content is None
    assert on.line("message")


_PLACES: tuple[tuple[list[str], str], ...] = (
    (["right"], "r1c2 across"),
    (["down"], "r1c1 down"),
    (["down", "down"], "r2c1 down"),
    (["space"], "r1c1 down"),
    (["space", "space"], "r1c1 across"),
    (["left"], "r1c1 across"),
    (["right", "right", "right"], "r1c4 across"),
    (["end"], "r1c3 across"),
    (["end", "home"], "r1c1 across"),
    (["pagedown"], "r5c1 across"),
    (["pagedown", "pageup"], "r1c1 across"),
    (["ctrl+end"], "r1c5 across"),
    (["ctrl+end", "ctrl+home"], "r1c1 across"),
    (["ctrl+right"], "r1c5 across"),
    (["ctrl+right", "ctrl+left"], "r1c3 across"),
    (["ctrl+down"], "r5c1 down"),
    (["ctrl+down", "ctrl+up"], "r1c1 down"),
    (["tab"], "r2c1 across"),
    (["shift+tab"], "r2c4 down"),
    (["tab", "shift+tab"], "r1c1 across"),
)
"""Cursor positions after keys pressed in the first square, across."""


async def test_the_cursor_moves_as_the_key_says(on: Stage) -> None:
    for keys, place in _PLACES:
        on.bench.cursor.move_to(Position(0, 0), Direction.ACROSS)
        await on.press(*keys)
        assert (keys, on.here) == (keys, place)
        assert isinstance(on.app.focused, GridView)


async def test_tab_cycles_through_all_entries(on: Stage) -> None:
    seen = []
    for _ in on.grid.slots:
        slot = on.bench.cursor.slot
        seen.append(slot.name if slot else None)
        await on.press("tab")
    assert seen == [slot.name for slot in on.grid.slots]
    assert on.here == "r1c1 across"


async def test_tab_goes_to_the_first_empty_square(stage: OpenStage, small: Puzzle) -> None:
    puzzle = set_square(small, Position(1, 0), Content.of("X"))
    async with stage(puzzle) as on:
        await on.press("tab")
        assert on.here == "r2c2 across"


async def test_backspace_and_delete(on: Stage) -> None:
    await on.type("ab")
    await on.press("backspace")
    assert (on.grid[Position(0, 1)].content, on.here) == (None, "r1c2 across")
    await on.press("home", "delete")
    assert (on.grid[Position(0, 0)].content, on.here) == (None, "r1c1 across")
    await on.press("backspace")
    assert on.here == "r1c1 across"


async def test_full_stop_sets_a_block_and_its_mirror(on: Stage) -> None:
    await on.press("full_stop")
    assert on.grid[Position(0, 0)].kind is on.grid[Position(4, 4)].kind is Kind.BLOCK
    await on.press("full_stop")
    assert on.grid[Position(0, 0)].kind is on.grid[Position(4, 4)].kind is Kind.OPEN


async def test_backtick_circles(on: Stage) -> None:
    await on.press("grave_accent")
    assert on.grid[Position(0, 0)].circle
    assert "(·)" in on.text()


@pytest.mark.parametrize("key", ["insert", "ctrl+r"])
async def test_a_rebus_is_typed_and_stored(on: Stage, key: str) -> None:
    await on.press(key)
    assert "rebus at r1c1" in on.text()
    await on.type("heart")
    await on.press("enter")
    assert on.grid[Position(0, 0)].content == Content.of("HEART")
    assert on.here == "r1c2 across"
    await on.press("left")
    assert "[HEART] pen r1c1" in on.line("entry"), "the whole content is told"
    assert isinstance(on.app.focused, GridView)


async def test_a_square_may_read_differently_across_and_down(on: Stage) -> None:
    await on.press("ctrl+r")
    await on.type("x/times")
    await on.press("enter")
    assert on.grid[Position(0, 0)].content == Content("X", "TIMES")
    assert "X/T" in on.text()


async def test_escape_leaves_the_rebus_and_nothing_changes(on: Stage) -> None:
    await on.press("ctrl+r")
    await on.type("heart")
    await on.press("escape")
    assert on.grid[Position(0, 0)].content is None
    assert isinstance(on.app.focused, GridView)
    assert on.line("message") == "heart was not written"


async def test_a_bad_rebus_stays_in_the_prompt_to_be_corrected(on: Stage) -> None:
    await on.press("ctrl+r")
    await on.type("a-b")
    await on.press("enter")
    assert on.grid[Position(0, 0)].content is None
    assert "- is not a letter or digit" in on.text()
    assert "rebus at r1c1: a-b" in on.text()
    await on.press("end", "backspace", "backspace")
    assert "- is not a letter or digit" not in on.text()
    await on.press("enter")
    assert on.grid[Position(0, 0)].content == Content.of("A")
    await on.press("ctrl+r", *"b-c", "enter", *"bc", "enter")
    assert Content.of("BC") in [on.grid[Position(0, column)].content for column in (0, 1)]


async def test_a_rebus_with_two_slashes_is_refused_each_time(on: Stage) -> None:
    await on.press("ctrl+r", *"a/b/c", "enter")
    assert "one / at most" in on.text()
    await on.press("enter")
    assert "one / at most" in on.text()
    assert "rebus at r1c1: a/b/c" in on.text()


@pytest.mark.parametrize("standing", ["C", "HEART", "X/TIMES"])
async def test_the_prompt_starts_with_the_square_and_empty_input_clears_nothing(on: Stage, standing: str) -> None:
    await on.verb(f"set r1c1 {standing}")
    await on.press("home", "insert")
    field = on.prompt.field
    assert field.value == standing
    await on.press("enter")
    assert on.grid[Position(0, 0)].content == Content.parse(standing)
    await on.press("home", "insert", "backspace", "enter")
    assert on.grid[Position(0, 0)].content == Content.parse(standing)
    assert on.line("message") == "nothing typed: r1c1 is unchanged; Delete clears it"
    await on.press("home", "insert", *"ox", "enter")
    assert on.grid[Position(0, 0)].content == Content.of("OX"), "typing replaces it"


async def test_typing_and_rebus_on_a_block_are_refused(on: Stage) -> None:
    await on.press("right", "right", "right", "a")
    assert "r1c4 is a block" in on.line("message")
    await on.press("ctrl+r")
    assert "r1c4 is a block" in on.line("message")
    assert "rebus at" not in on.text()


async def test_escape_only_cancels(on: Stage) -> None:
    await on.press("a", "escape")
    assert not on.editor.has_class("-asking")
    await on.press("b")
    assert [on.grid[Position(0, column)].content for column in range(2)] == [Content.of("A"), Content.of("B")]


async def test_ctrl_l_toggles_a_lock_which_protects_the_square(on: Stage) -> None:
    await on.type("cat")
    await on.press("ctrl+l")
    assert {on.grid[Position(0, column)].ink for column in range(3)} == {Ink.LOCKED}
    assert "locked" in on.text()
    await on.press("x")
    assert "r1c3 is locked" in on.line("message")
    assert on.line("message").endswith("unlock it first (the ~ key)")
    assert on.grid[Position(0, 2)].content == Content.of("T")
    await on.press("ctrl+l")
    assert {on.grid[Position(0, column)].ink for column in range(3)} == {Ink.PEN}


async def test_locking_nothing_gives_one_notice(on: Stage) -> None:
    await on.press("ctrl+l")
    assert "nothing to lock" in on.line("message")
    await on.press("right")
    assert on.line("message") == ""


async def test_undo_and_redo(on: Stage, small: Puzzle) -> None:
    await on.type("cat")
    await on.press("ctrl+z", "ctrl+z", "ctrl+z")
    assert on.bench.puzzle == small
    await on.press("ctrl+y", "ctrl+y")
    assert [str(on.grid[Position(0, column)].content) for column in range(3)] == ["C", "A", "None"]


async def test_letters_typed_in_a_row_are_undone_together(on: Stage, small: Puzzle) -> None:
    on.bench.between_letters = 0.5
    await on.type("cat")
    await on.press("ctrl+z")
    assert on.bench.puzzle == small
    assert on.line("message").endswith("r1c1 = C to r1c3 = T")
    await on.press("ctrl+y")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"


async def test_clicks_move_the_cursor_and_change_direction(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(60, 14)) as on:
        view = on.editor.desk.grid
        target = view._drawing.region(Position(2, 1))
        offset = (target.x + 1 + view.gutter.left, target.y + view.gutter.top)
        await on.click("#grid", offset=offset)
        assert on.here == "r3c2 across"
        await on.click("#grid", offset=offset)
        assert on.here == "r3c2 down"


async def test_a_click_on_an_entry_moves_there_and_focus_stays_in_the_grid(on: Stage) -> None:
    await on.press("f3")
    await on.click("#entries", offset=(2, 1))
    slot = known(on.bench.cursor.slot)
    assert slot.name == on.grid.slots[1].name
    assert isinstance(on.app.focused, GridView)


async def test_a_slash_square_keeps_its_other_reading_when_a_word_is_placed(
    stage: OpenStage, small: Puzzle
) -> None:
    puzzle = set_square(small, Position(0, 0), Content("C", "CH"))
    async with stage(puzzle) as on:
        slot = on.grid.slot("1A")
        on.bench.edit("place", lambda before: place_answer(before, slot, "CAT"))
        await on.pilot.pause()
        assert on.grid[Position(0, 0)].content == Content("C", "CH")


async def test_ink_is_shown_in_the_second_line(stage: OpenStage, small: Puzzle) -> None:
    puzzle = set_ink(place_answer(small, small.grid.slot("1A"), "CAT"), [Position(0, 1)], Ink.LOCKED)
    async with stage(puzzle) as on:
        assert "pen r1c1" in on.line("entry")
        await on.press("right")
        assert "locked r1c2" in on.line("entry")
        assert "CAT  50" in on.line("entry"), "a finished entry tells its score"


async def test_direction_is_that_of_the_only_entry_through_the_square(stage: OpenStage) -> None:
    puzzle = Puzzle(grid_from_text(".#.\n.#.\n.#.\n"))
    async with stage(puzzle) as on:
        await on.type("abc")
        assert on.grid.answer(on.grid.slot("1D")) == "ABC"
        assert on.editor.context.grid_editor.direction is Direction.DOWN


async def test_keys_sent_at_once_are_handled_in_order(on: Stage) -> None:
    """As over a slow connection, without waiting between keys."""
    await on.burst("a", "right", "b", "down", "down", "c", "colon", *"title", "space", *"AB", "enter")
    assert [str(square.content) for square in on.grid.squares if square.content] == ["A", "B", "C"]
    assert on.bench.puzzle.title == "AB"


async def test_a_paste_is_written_along_the_entry_as_one_edit(on: Stage, small: Puzzle) -> None:
    await on.press("down", "down")
    await on.press("right")
    await on.paste("Sné [ail]!s x")
    assert on.grid.pattern(on.grid.slot("5A")) == "SNE[AIL]S"
    assert on.here == "r2c5 across"
    assert "the last letter has no room" in on.line("message")
    await on.press("ctrl+z")
    assert on.grid == small.grid
    assert on.here == "r2c1 across", "where it was pasted"


async def test_a_pasted_grid_opens_a_new_puzzle(on: Stage) -> None:
    await on.type("c")
    begun = on.bench.puzzle
    rows = "CAT#S\nO...E\nW...N\n....D\nS#..."
    await on.paste(f"{rows}\n")
    assert grid_to_text(on.app.puzzles.current.puzzle.grid).strip() == rows
    assert begun in [session.puzzle for session in on.app.puzzles.sessions], "it stays open"


async def test_a_paste_without_letters_and_one_on_a_block_change_nothing(on: Stage, small: Puzzle) -> None:
    await on.paste("\n ☃ ")
    await on.press("right", "right", "right")
    await on.paste("abc")
    assert on.grid == small.grid
    assert "r1c4 is a block" in on.line("message")


async def test_tab_after_letters_cycles_through_possible_words(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = Lexicon.build([WordList.from_scores("few", {"BOA": 40, "BIB": 60, "CAT": 90})])
    monkeypatch.setattr(StillWords, "lexicon", lexicon)
    slot, first, second = on.grid.slot("1A"), "BIB", "BOA"
    await on.type("b")
    await on.press("tab")
    assert on.grid.answer(slot) == first
    assert f"{first} 60; Tab and Shift+Tab show others" in on.line("message")
    await on.press("tab")
    assert on.grid.answer(slot) == second
    await on.press("shift+tab")
    assert on.grid.answer(slot) == first
    await on.press("escape")
    assert [on.grid[at].content for at in slot.positions] == [Content.of("B"), None, None]
    assert on.bench.document.history.undo_label == "r1c1 = B", "one edit, whichever word it is"


async def test_tab_moves_to_the_next_entry_if_nothing_was_typed_just_before(on: Stage) -> None:
    await on.type("b")
    await on.press("left", "tab")
    assert on.grid.answer(on.grid.slot("1A")) is None
    assert on.here != "r1c1 across"


async def test_a_rectangular_grid_is_drawn_rotated_and_back(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(5, 12)) as on:
        run_line(on.bench, "set 1A ABCDEFGHIJKL")
        on.bench.cursor.move_to(Position(4, 11))
        await on.pilot.pause()
        run_line(on.bench, "rotate left")
        await on.pilot.pause()
        assert (on.grid.height, on.grid.width) == (12, 5)
        assert on.bench.cursor.position == Position(0, 4)
        await on.press("z")
        assert str(on.bench.puzzle.grid[Position(0, 4)].content) == "Z"
        said(on.bench, "undo", "undo")
        await on.pilot.pause()
        assert (on.grid.height, on.grid.width) == (5, 12)
        assert on.bench.cursor.position in on.grid


async def test_a_grid_of_another_size_can_be_drawn_and_edited(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(5, 5)) as on:
        on.bench.cursor.move_to(Position(4, 4))
        run_line(on.bench, "resize 4")
        await on.pilot.pause()
        assert (on.grid.height, on.here) == (4, "r4c4 across")
        run_line(on.bench, "resize 6x8")
        await on.press("right", "right", "z")
        assert str(on.bench.puzzle.grid[Position(3, 5)].content) == "Z"
        said(on.bench, "undo", "undo", "undo")
        await on.pilot.pause()
        assert (on.grid.height, on.grid.width) == (5, 5)
        assert on.bench.cursor.position in on.grid


async def test_a_refusal_of_letters_disappears_once_others_narrow_the_candidates(on: Stage) -> None:
    await on.press(*"tacx")
    assert "not written" in on.line("message")
    await on.tell(
        CandidatesReady(on.bench.revision, "1A", (candidate("CAT", 60, True), candidate("DOG", 50, True)))
    )
    await on.press("enter")
    assert on.line("message") == ""
    on.editor.show_message("something else")
    await on.press("c")
    assert on.line("message") == ""


OwnKeys = Callable[[str], Path]


@pytest.fixture
def own_keys() -> OwnKeys:
    """A function that writes the user's key map."""

    def written(text: str) -> Path:
        path = user_key_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


async def test_user_keys_work_and_are_shown(stage: OpenStage, small: Puzzle, own_keys: OwnKeys) -> None:
    own_keys('[keys]\n"ctrl+d" = "fill"\n"F9" = "block r1c1"\n"tab" = "turn"\n"." = ""\n"f7" = "set"\n')
    async with stage(small, size=(120, 40)) as on:
        assert "^D fill" in on.text().splitlines()[-1]
        await on.press("ctrl+d")
        assert "fill" in on.bench.asked
        await on.press("tab")
        assert on.here == "r1c1 down"
        await on.press("full_stop")
        assert on.grid[Position(0, 0)].kind is Kind.OPEN
        await on.press("f9")
        assert on.grid[Position(0, 0)].kind is Kind.BLOCK
        await on.press("f7")
        assert on.prompt.field.value == "set ", "what needs words is asked for them"
        await on.press("escape", "f1", *"block")
        assert isinstance(on.app.screen, HelpScreen)
        assert "F9" in on.text()
        await on.press("escape", "ctrl+p", *"fill", "home")
        await until(on, lambda: "^D  fill" in on.text(), "the row")


async def test_a_broken_map_is_reported_and_default_keys_work(
    stage: OpenStage, small: Puzzle, own_keys: OwnKeys
) -> None:
    path = own_keys('[keys]\n"ctrl+d" = "nonsense"\n')
    async with stage(small, size=(200, 60)) as on:
        assert f"{path}, line 2: there is no verb 'nonsense'" in on.line("message")
        await on.press("f5")
        assert "fill" in on.bench.asked


async def test_actions_on_reserved_browser_keys_have_others(on: Stage) -> None:
    before = on.app.colour_theme
    await on.press("right_parenthesis")
    assert on.app.colour_theme is not before
    await on.press("left_parenthesis")
    assert "fill of the selection" in on.bench.asked


async def test_user_keys_stay_while_their_file_is_being_written(
    stage: OpenStage, small: Puzzle, own_keys: OwnKeys
) -> None:
    own_keys('[keys]\n"ctrl+d" = "fill"\n')
    async with stage(small, size=(200, 60)) as on:
        own_keys('[keys]\n"ctrl+d" = "fil')
        await on.press("f3", "ctrl+t")
        await on.verb("tint off")
        await on.press("ctrl+d")
        assert on.bench.asked.count("fill") == 1, "nobody chose another map"


async def test_errors_in_the_users_map_are_reported_when_a_map_is_chosen(
    stage: OpenStage, small: Puzzle, own_keys: OwnKeys
) -> None:
    async with stage(small, size=(200, 60)) as on:
        path = own_keys('[keys]\n"ctrl+d" = "nonsense"\n')
        await on.verb("keys use crosshare")
        assert f"{path}, line 2: there is no verb 'nonsense'" in on.line("message")
        await on.press("enter")
        assert "fill" in on.bench.asked, "the map works without them"


async def test_a_map_can_be_switched_and_is_stored(on: Stage) -> None:
    await on.verb("keys use crosshare")
    assert load_settings().key_map == "crosshare"
    await on.press("escape")
    assert on.prompt.mode == "rebus"
    await on.press("escape", "shift+right", "escape")
    assert not on.app.session.selection.squares, "a selection is let go of first"
    assert on.prompt.mode == ""
    await on.press("enter")
    assert "fill" in on.bench.asked
    await on.verb("keys use xwtui")
    await on.press("escape")
    assert on.prompt.mode == ""


@pytest.mark.parametrize(("keys", "neighbour"), [(["comma"], (0, 1)), (["space", "comma"], (1, 0))])
async def test_a_bar_ahead_follows_the_cursors_direction(
    on: Stage, keys: list[str], neighbour: tuple[int, int]
) -> None:
    await on.press(*keys[:-1], "vertical_line")
    assert Bar(Position(0, 0), Position(*neighbour)) in on.grid.bars
    await on.press("vertical_line")
    assert not on.grid.bars
    await on.verb("keys use crosshare")
    await on.press(keys[-1])
    assert Bar(Position(0, 0), Position(*neighbour)) in on.grid.bars


ROWS = (candidate("CAT", 50, True), candidate("DOG", 40, True))


def own_scores() -> list[str]:
    return [line for line in personal_list_path().read_text(encoding="utf-8").splitlines() if line[0] != "#"]


@pytest.mark.parametrize(
    ("key", "line"), [("greater_than_sign", "DOG;50"), ("less_than_sign", "DOG;30"), ("underscore", "DOG;0")]
)
async def test_a_key_scores_the_selected_candidate(on: Stage, key: str, line: str) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", ROWS))
    await on.press("enter", "down", key)
    assert own_scores() == [line]
    assert on.editor.desk.candidates.has_focus
    await on.press("escape", "ctrl+z")
    assert own_scores() == []


async def test_a_key_scores_the_answer_at_the_cursor(stage: OpenStage, small: Puzzle) -> None:
    async with stage(place_answer(small, small.grid.slot("1A"), "EMU")) as on:
        await on.press("greater_than_sign")
        assert own_scores() == ["EMU;40"]
        await on.press("down", "underscore")
        assert own_scores() == ["EMU;40"]
