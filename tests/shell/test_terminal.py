"""What happens on a terminal: the prompt, progress, and Ctrl+C in the middle of a fill."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.process import NO_UNICODE
from tests.shell.pseudo_terminal import Terminal
from tests.writing import written

ENDLESS = "\n".join(["." * 10] * 10)
"""A word square of order ten: no search ends on it in the life of a test."""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    return written(tmp_path / "endless.txt", ENDLESS)


def test_ctrl_c_stops_a_fill_in_the_repl_and_keeps_the_prompt(
    endless: Path, environment: Mapping[str, str]
) -> None:
    with Terminal("repl", endless, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("fill\r")
        terminal.expect(" nodes, ")
        terminal.interrupt()
        terminal.expect("stopped; the grid is unchanged")
        terminal.expect("endless.txt>")
        terminal.press("symmetry none\r")
        terminal.expect("endless.txt*>")
        terminal.press("\x04")
        terminal.expect("unsaved changes")
        terminal.expect("endless.txt*>")
        terminal.press("\x04")
        assert terminal.end() == 0


def test_ctrl_c_stops_the_fill_command(endless: Path, environment: Mapping[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out.ipuz"
    with Terminal("fill", endless, "-o", out, environment=environment) as terminal:
        terminal.expect("filling: ")
        terminal.interrupt()
        terminal.expect("stopped, no file was written")
        assert terminal.end() == 130
    assert not out.exists()
    assert "Traceback" not in terminal.seen


def test_ctrl_c_stops_a_count_with_what_it_has(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal("count", endless, "--time", "0", environment=environment) as terminal:
        terminal.expect("counting: ")
        terminal.interrupt()
        terminal.expect("stopped by Ctrl+C")
        assert terminal.end() == 130


def test_ctrl_c_stops_a_script(endless: Path, environment: Mapping[str, str], tmp_path: Path) -> None:
    script = written(tmp_path / "script.xwtui", f"open {endless}\nfill\nexport {tmp_path}/out.puz --lossy\n")
    with Terminal("run", script, environment=environment) as terminal:
        terminal.expect(" nodes, ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert not (tmp_path / "out.puz").exists()
    assert "Traceback" not in terminal.seen


def test_a_killed_repl_offers_the_work_at_the_next_start(endless: Path, environment: Mapping[str, str]) -> None:
    before = endless.read_bytes()
    with Terminal("repl", endless, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("set 1A ABCDEFGHIJ\r")
        terminal.expect("endless.txt*>")
        terminal.press("fill\r")
        terminal.kill()
    assert endless.read_bytes() == before
    with Terminal("repl", endless, environment={**environment, "NO_COLOR": "1"}) as terminal:
        terminal.expect("unsaved work on endless.txt")
        terminal.expect("recover it?")
        terminal.press("delete 1A\r")
        terminal.expect("recover it?")
        terminal.press("yes\r")
        terminal.expect("¹A  ²B  ³C")
        terminal.expect("endless.txt*>")
        terminal.press("quit --force\r")
        assert terminal.end() == 0


def test_the_prompt_has_a_toolbar_and_completes_by_tab(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal("repl", endless, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.expect("0/20 entries")
        terminal.press("symm\t")
        terminal.expect("etry")
        terminal.press(" diagonal\r")
        terminal.expect("endless.txt*>")
        terminal.press("quit --force\r")
        assert terminal.end() == 0


def test_no_color_leaves_colours_out(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal("check", endless, environment={**environment, "NO_COLOR": "1"}) as terminal:
        assert terminal.end() == 1
    assert "\x1b" not in terminal.seen


def test_the_screen_opens_and_quits(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal(endless, environment=environment) as terminal:
        terminal.expect("endless")
        terminal.press("\x11")
        assert terminal.end() == 0
    assert "\x1b[?1049l" in terminal.seen


def test_a_puzzle_that_cannot_be_read_opens_no_screen(tmp_path: Path, environment: Mapping[str, str]) -> None:
    with Terminal(tmp_path / "missing.puz", environment=environment) as terminal:
        assert terminal.end() == 2
    assert "missing.puz: No such file" in terminal.seen
    assert "\x1b" not in terminal.seen


def test_a_puzzle_from_a_pipe_opens_no_screen(tmp_path: Path, environment: Mapping[str, str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(pipe, os.O_WRONLY)
    os.write(writer, b"A..\n...\n...\n")
    with Terminal(pipe, environment=environment) as terminal:
        assert terminal.end() == 2
    assert len(terminal.seen.splitlines()) == 1
    assert "is a pipe, but the screen opens only files" in terminal.seen
    os.close(writer)
    os.close(reader)


def test_the_repl_draws_in_ascii_where_there_is_nothing_else(
    endless: Path, environment: Mapping[str, str]
) -> None:
    with Terminal("repl", endless, environment={**environment, **NO_UNICODE}) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("quit\r")
        assert terminal.end() == 0
    assert terminal.seen.isascii()
    assert "?" not in terminal.seen.replace("\x1b[?", "")
