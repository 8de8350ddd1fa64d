"""The tour does what its page says: its blocks, as one script, make the puzzle; other programs read it."""

import re
from pathlib import Path

import puz
import pytest

from tests.shell.process import user_folders, xwtui
from xwtui.formats.registry import read_puzzle
from xwtui.model import Kind

PAGE = Path(__file__).parents[2] / "docs" / "tour.md"
_BLOCK = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_whole_tour_runs(tmp_path: Path) -> None:
    lines = "".join(_BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    done = xwtui("run", "-", environment=user_folders(tmp_path / "home"), stdin=lines, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    grid = read_puzzle(tmp_path / "two-hearts.ipuz").grid
    contents = [square.content for square in grid.squares if square.kind is Kind.OPEN]
    assert None not in contents
    exported = puz.read(str(tmp_path / "two-hearts.puz"))
    assert exported.title == "Two Hearts"
    assert exported.rebus().get_rebus_squares() == [5 * 11 + 9]
    assert exported.solution.replace(".", "") == "".join(str(content).strip("[")[0] for content in contents)


@pytest.mark.parametrize(
    "verb", ["new", "block", "set", "lock", "fill", "improve", "why", "clue", "save", "export"]
)
def test_the_tour_shows_what_a_constructor_does(verb: str) -> None:
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert [line for block in blocks for line in block.splitlines() if line.startswith(f"{verb} ")]
