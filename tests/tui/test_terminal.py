"""The screen whose terminal is closed: it ends, and keeps what was found."""

import errno
import io
import re
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.process import user_folders
from tests.shell.pseudo_terminal import Terminal
from xwtui.resources import puzzles_folder
from xwtui.session.recovery import find_recoveries
from xwtui.tui.terminal import LastingTerminal

_F5, _CTRL_G = "\x1b[15~", "\x07"


class _Gone(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.EIO, "Input/output error")

    def flush(self) -> None:
        raise OSError(errno.EIO, "Input/output error")


def test_a_terminal_that_is_gone_takes_everything() -> None:
    terminal = LastingTerminal(_Gone())
    assert terminal.write("abc") == 3
    terminal.flush()


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    return user_folders(tmp_path / "home")


def _is_better(seen: str) -> bool:
    """Whether the line of the run has told of a mean above that of the start."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
    return any(mean != start for mean, start in re.findall(r"mean ([\d.]+) *\(from ([\d.]+),", plain))


@pytest.mark.parametrize("closes", [True, False], ids=["closed", "SIGTERM"])
def test_a_better_fill_is_kept_when_the_screen_has_to_end(
    tmp_path: Path, environment: Mapping[str, str], *, closes: bool
) -> None:
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_bytes((puzzles_folder() / "templates" / "15x15-01.txt").read_bytes())
    with Terminal(puzzle, environment=environment) as terminal:
        terminal.expect("fills ≈")
        terminal.press(_F5)
        terminal.expect("nodes")
        terminal.press(_CTRL_G)
        terminal.wait_for(lambda: _is_better(terminal.seen), "a better fill")
        if closes:
            status = terminal.close()
        else:
            terminal.process.send_signal(signal.SIGTERM)
            status = terminal.end()
    assert status == 128 + (signal.SIGHUP if closes else signal.SIGTERM)
    journal = Path(environment["XDG_STATE_HOME"]) / "xwtui" / "journal"
    (kept,) = find_recoveries(journal)
    assert kept.label == "improve"
