"""The dialogue: lines, questions, test-solving, several puzzles."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.repl.conftest import CTRL_C, CTRL_D, ENTER, Talk
from tests.session.saying import open_elsewhere
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import WordChoice
from xwtui.session.recent import RecentPuzzles
from xwtui.session.recovery import discarded_copies, find_recoveries


def test_set_fill_and_save(typed: Talk, mini: Path) -> None:
    said = typed("set 1A ABC\r" + "lock 1A\r" + "save\r" + CTRL_D)
    assert said.rows()[0] == "A'B'C'"
    assert read_puzzle(mini).grid == said.session.puzzle.grid
    assert not said.session.document.is_modified


def test_files_opened_or_saved_at_a_prompt_become_recent(
    typed: Talk, piped: Talk, mini: Path, journals: Path, tmp_path: Path
) -> None:
    recent = RecentPuzzles(journals / "recent.json")
    piped("check")
    assert not recent.files, "a pipe is nobody's work"
    typed(f"save {tmp_path / 'other.ipuz'}\r" + CTRL_D)
    assert recent.files == (tmp_path / "other.ipuz", mini)


def test_the_grid_is_printed_only_after_changes(typed: Talk) -> None:
    start = typed(CTRL_D).text.count("┌")
    changed = typed("set 1A ABC\r" + "undo\r" + "check\r" + "set 1A\r" + CTRL_D).text.count("┌")
    assert changed - start == 2


def test_a_foreign_list_is_asked_about_once(
    typed: Talk, mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    puzzle = tmp_path / "from a friend" / "p.ipuz"
    puzzle.parent.mkdir()
    write_puzzle(puzzle, replace(read_puzzle(mini), words=WordChoice(lists=("../words.txt",), minimum_score=0)))
    question = "The puzzle names the word list"
    left = typed("what\r" + "\r" + "no\r" + "check\r" + CTRL_D, puzzle)
    assert (left.text.count(question), left.session.jobs.words.vocabulary) == (1, None)
    assert "what was not run: answer this question first" in left.text
    assert "allows it" not in left.text, "it was asked"
    dropped = typed("without\r" + "words\r" + "undo\r" + "save\r" + CTRL_D, puzzle)
    assert "words: default" in dropped.text
    read = typed("yes\r" + "set 1A ABC\r" + "fill\r" + "save\r" + CTRL_D, puzzle)
    assert read.rows() == ["ABC", "def", "ghi"]
    assert question not in typed(CTRL_D, puzzle).text


def test_enter_alone_prints_the_grid(typed: Talk) -> None:
    assert typed(ENTER + CTRL_D).text.count("┌") == typed(CTRL_D).text.count("┌") + 1


def test_fill_waits_and_writes_pencil(typed: Talk) -> None:
    said = typed("set 1A ABC\r" + "fill\r" + "save\r" + CTRL_D)
    assert "filled: " in said.text
    assert said.rows() == ["ABC", "def", "ghi"]
    assert said.session.puzzle.grid.is_filled


def test_a_restricted_fill_reports_it(typed: Talk) -> None:
    said = typed("set 1A XXX\r" + "fill --around 1D\r" + CTRL_D + CTRL_D)
    assert "impossible, of the " in said.text
    assert " squares alone: " in said.text


def test_steps_print_events_and_show_the_run(typed: Talk) -> None:
    said = typed("step\r" + "continue\r" + "save\r" + CTRL_D)
    assert "decide " in said.text
    assert "is paused at depth 1" in said.text
    assert "filled: " in said.text


def test_a_stopped_search_keeps_the_grid(typed: Talk) -> None:
    said = typed("step 2\r" + "stop\r" + ENTER + CTRL_D)
    assert "stopped; the grid is unchanged" in said.text
    assert said.rows() == ["···", "···", "···"]


def test_errors_are_reported_and_the_dialogue_continues(typed: Talk) -> None:
    said = typed("sett 1A ABC\r" + "set 9A ABC\r" + "set 1A ABCD\r" + "set 1A ABC\r" + CTRL_D + CTRL_D)
    complaints = [line for line in said.lines if line.startswith("! ")]
    assert len(complaints) == 3
    assert "`set`" in complaints[0]
    assert "9A" in complaints[1]
    assert said.rows()[0] == "ABC"


def test_ctrl_d_warns_of_unsaved_changes_once(typed: Talk) -> None:
    said = typed("set 1A ABC\r" + CTRL_D + CTRL_D)
    assert said.text.count("unsaved changes") == 1
    again = typed("yes\r" + "set 1A DEF\r" + CTRL_D + "check\r" + CTRL_D + CTRL_D, puzzle=None)
    assert again.text.count("unsaved changes") == 2


def test_quit_asks_to_save_first(typed: Talk) -> None:
    said = typed("set 1A ABC\r" + "quit\r" + "d\r" + "check\r" + "discard\r" + "set 1A DEF\r" + CTRL_D + CTRL_D)
    assert [line for line in said.lines if line.startswith("! ")] == [
        "! d was not run: answer this question first",
        "! check was not run: answer this question first",
    ]
    assert "mini.ipuz has unsaved changes" in said.lines
    assert "mini.ipuz is not saved; `discarded` brings it back for 30 days, without undo" in said.lines
    assert said.rows()[0] == "ABC"


def test_quitting_asks_once_for_all_puzzles(typed: Talk, mini: Path, other: Path) -> None:
    work = f"set 1A BAG\rtab open {other}\rset 1A ICE\rquit\r"
    said = typed(f"{work}cancel\rquit\rsave\rset 1A DEF\r" + CTRL_D + CTRL_D)
    assert said.text.count("mini.ipuz and other.ipuz have unsaved changes") == 2
    assert said.rows()[0] == "ICE", "nothing was run after it"
    assert [read_puzzle(path).answers["1A"] for path in (mini, other)] == ["BAG", "ICE"]


def test_work_can_be_left_for_later_at_the_end(typed: Talk) -> None:
    said = typed("set 1A ABC\r" + "quit\r" + "later\r")
    assert "mini.ipuz is not saved; the next start offers it again" in said.lines
    assert "unsaved work on mini.ipuz" in typed("later\r" + CTRL_D).text


def test_quit_asks_for_a_file_name_before_saving(typed: Talk) -> None:
    said = typed("new 3\rset 1A BAG\rquit\rsave\rset 1A ICE\r" + CTRL_D + CTRL_D)
    assert "! this puzzle has no file yet" in said.text
    assert said.rows()[0] == "ICE", "it goes on"


def test_ctrl_c_at_the_prompt_drops_only_the_line(typed: Talk) -> None:
    said = typed("set 1A ABC" + CTRL_C + "set 1A DEF\r" + "save\r" + CTRL_D)
    assert said.rows()[0] == "DEF"
    assert "Ctrl+D quits" in said.text


@pytest.mark.parametrize(
    ("answer", "rows"),
    [
        ("yes", "ABC"),
        ("set 1A X\ry", "ABC"),
        ("later", "···"),
        ("discard", "···"),
        ("delete 1A\r\rlater", "···"),
    ],
)
def test_unsaved_work_is_offered_at_the_next_start(answer: str, rows: str, typed: Talk) -> None:
    typed("set 1A ABC\r" + CTRL_D + CTRL_D)
    said = typed(answer + ENTER + ENTER + CTRL_D + CTRL_D)
    assert "unsaved work on mini.ipuz" in said.text
    assert said.rows()[0] == rows
    is_offered_again = "unsaved work on" in typed("later\r" + CTRL_D + CTRL_D).text
    assert is_offered_again == (answer != "discard")


def test_work_on_another_puzzle_is_not_offered(typed: Talk, other: Path) -> None:
    typed("set 1A ABC\r" + CTRL_D + CTRL_D)
    assert "unsaved work" not in typed(CTRL_D, puzzle=other).text


def test_a_pipe_gets_no_escape_codes_and_no_prompt(piped: Talk) -> None:
    said = piped("set 1A ABC", "", "nonsense", "fill", "candidates 2D", "save")
    assert "\x1b" not in said.text
    assert "> " not in said.text
    assert said.rows() == ["ABC", "def", "ghi"]
    assert any(line.startswith("! there is no verb 'nonsense'") for line in said.lines)


def test_answers_of_jobs_have_no_escape_codes(
    piped: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "puzzles"
    folder.mkdir()
    (folder / "bad\x1b[2J.puz").write_bytes(b"?")
    assert "bad\\x1b[2J.puz: this is not a .puz file" in piped(f"book import {folder}").text


@pytest.mark.parametrize(
    ("answer", "rows", "name"),
    [("yes", "ABC", "mini.ipuz"), ("set 1A XXX\rcopy", "ABC", "untitled"), ("quit", "", "")],
)
def test_a_puzzle_open_in_another_process_opens_after_confirmation(
    answer: str, rows: str, name: str, typed: Talk, mini: Path, journals: Path
) -> None:
    with open_elsewhere(mini, journals) as other:
        said = typed(answer + "\rset 1A ABC\r" + CTRL_D + CTRL_D)
    assert f"mini.ipuz is open in another xwtui: process {other.pid} of" in said.text
    if name:
        assert said.rows()[0] == rows
        assert said.session.document.name == name
    else:
        assert "┌" not in said.text


def test_over_a_pipe_another_process_only_causes_a_warning(
    piped: Talk, mini: Path, journals: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_elsewhere(mini, journals):
        assert piped("set 1A ABC", "save").rows()[0] == "ABC"
    assert "mini.ipuz is open in another xwtui" in capsys.readouterr().err


def test_a_pipe_ends_silently_and_keeps_unsaved_work(piped: Talk) -> None:
    piped("set 1A ABC")
    assert "unsaved work on mini.ipuz" in piped("check").text


BAD_LINE = "words.txt: skipped line 10"


def test_only_a_start_on_a_terminal_omits_repeated_notices(typed: Talk, piped: Talk, mini: Path) -> None:
    with (mini.parent / "words.txt").open("a") as words:
        words.write("HALF;\n")
    again = f"words {mini.parent / 'words.txt'}\rcount\r"
    told = [typed(f"count\r{more}{CTRL_D}{CTRL_D}").text for more in ("", "", again)]
    assert [text.count(BAD_LINE) for text in told] == [1, 0, 1]
    assert [piped("count", "quit").text.count(BAD_LINE) for _ in range(2)] == [1, 1]


def test_short_lines_are_for_test_solving(piped: Talk) -> None:
    edits = ("set 1A ABC", "set 4A DEF", "set 5A GHI", "solve")
    said = piped(*edits, "1A ABX", "check", "1a", "reveal r1c3", "note 1A hm", "erase 4A", "clue 1A", "5A GHI")
    assert "0 of 9 squares" in said.text
    assert "wrong: r1c3; 2 right" in said.text
    assert "  1A  ABX  no clue yet" in said.text
    assert "r1c3: 1 revealed" in said.text
    assert "1A: hm" in said.text
    assert "1A, noted while solving: hm" in said.text
    assert said.rows() == ["A'B'C'", "···", "GHI"]
    grid = said.session.puzzle.grid
    assert [grid.answer(grid.slot(name)) for name in ("1A", "4A", "5A")] == ["ABC", "DEF", "GHI"]


def test_after_leaving_test_solving_lines_are_verbs_again(piped: Talk) -> None:
    said = piped("set 1A ABC", "solve", "1A XXX", "leave", "1A ABX", "show")
    assert "! there is no verb '1A'" in said.text
    assert said.rows()[0] == "ABC"


def test_the_prompt_shows_test_solving(typed: Talk) -> None:
    said = typed("solve\n4A DEF\nquit --force\n")
    assert "3 of 9 squares" in said.text
    assert said.session.document.solving.is_on


def test_no_solving_state_is_read_before_it_is_needed(typed: Talk) -> None:
    said = typed("set 1A ABC\nshow\nquit --force\n")
    assert "solving" not in vars(said.session.document)


def test_unsaved_work_is_not_replaced(piped: Talk, tmp_path: Path) -> None:
    said = piped("set 1A BAG", f"save {tmp_path / 'other.ipuz'}", "set 4A ICE", "new 5")
    assert "! other.ipuz has unsaved changes: `save` first, `tab open FILE` opens another" in said.text
    assert said.rows()[:2] == ["BAG", "ICE"]


def test_a_fill_goes_to_the_front_puzzle(piped: Talk, other: Path) -> None:
    said = piped("set 1A BAG", f"tab open {other}", "fill", "tab", "tab next")
    assert "filled:" in said.text
    assert "  1 mini.ipuz*" in said.text
    assert "▸ 2 other.ipuz*" in said.text
    assert "tab 1 of 2: mini.ipuz" in said.text
    assert said.rows()[0] == "BAG"


def test_quitting_covers_every_puzzle(piped: Talk, other: Path, journals: Path) -> None:
    said = piped("set 1A BAG", f"tab open {other}", "set 1A ICE", "quit")
    assert "! mini.ipuz and other.ipuz have unsaved changes" in said.text
    assert not find_recoveries(journals)
    assert {one.path.name[:5] for one in discarded_copies(journals)} == {"mini-", "other"}


def test_work_of_every_dead_puzzle_is_offered(typed: Talk, piped: Talk, other: Path) -> None:
    piped("set 1A BAG", f"tab open {other}", "set 1A ICE")
    said = typed("yes\ntab\n" + CTRL_D + CTRL_D, None)
    assert "  1 mini.ipuz*" in said.text
    assert "▸ 2 other.ipuz*" in said.text, "which was worked on last"
    said = typed("each\nlater\nyes\ntab\nquit --force\n", None)
    assert "▸ 1 mini.ipuz*" in said.text
    assert "other.ipuz*" not in said.text
