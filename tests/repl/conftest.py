import io
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle, Symmetry, WordChoice
from xwtui.repl.dialogue import Dialogue, puzzles_reporting_to, toolbar_text
from xwtui.repl.line_runner import Inbox
from xwtui.repl.lines import Lines, PipedLines, PromptLines, VerbCompleter
from xwtui.repl.output import Output
from xwtui.session.open_puzzles import OpenPuzzles
from xwtui.session.recent import RecentPuzzles
from xwtui.session.session import Session

WORDS = ("ABC", "DEF", "GHI", "ADG", "BEH", "CFI", "ABX", "CAB", "FED")
"""The only fills of a blank 3x3 with these are ABC/DEF/GHI and its transpose."""

ENTER, CTRL_C, CTRL_D = "\r", "\x03", "\x04"


@dataclass
class Said:
    """A finished dialogue."""

    text: str
    session: Session

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def rows(self) -> list[str]:
        """Return the rows of the last grid drawn, without frame and spaces."""
        rows = re.findall(r"^ ?\d+ │(.*)│$", self.text, flags=re.MULTILINE)
        height = self.session.puzzle.grid.height
        return [row.replace(" ", "") for row in rows[-height:]]


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    """A blank 3x3 with a small word list."""
    words = tmp_path / "words.txt"
    words.write_text("".join(f"{word};{50 + number}\n" for number, word in enumerate(WORDS)))
    path = tmp_path / "mini.ipuz"
    choice = WordChoice(lists=("words.txt",), minimum_score=0)
    write_puzzle(path, Puzzle(grid_from_text("...\n...\n..."), symmetry=Symmetry.NONE, words=choice))
    return path


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    return tmp_path / "journals"


@pytest.fixture
def other(tmp_path: Path, mini: Path) -> Path:
    """The same in another file."""
    return Path(shutil.copy(mini, tmp_path / "other.ipuz"))


def held(journals: Path, puzzle: Path | None, lines: Callable[[OpenPuzzles, Inbox], Lines]) -> Said:
    """Run a whole dialogue about a puzzle."""
    inbox, stream = Inbox(), io.StringIO()
    puzzles = puzzles_reporting_to(inbox, lambda listener: Session(listener, journal_folder=journals))
    recent = RecentPuzzles(journals / "recent.json")
    try:
        Dialogue(puzzles, inbox, lines(puzzles, inbox), Output(stream), recent).run(puzzle)
    finally:
        inbox.refresh = lambda: None
        puzzles.end()
    return Said(stream.getvalue(), puzzles.current)


Talk = Callable[..., Said]


@pytest.fixture
def typed(mini: Path, journals: Path) -> Talk:
    """A function that runs a dialogue with lines typed at a prompt."""

    def talk(keys: str, puzzle: Path | None = mini) -> Said:
        def prompt(puzzles: OpenPuzzles, inbox: Inbox) -> Lines:
            lines = PromptLines(
                VerbCompleter(lambda: puzzles.current),
                InMemoryHistory(),
                lambda: toolbar_text(puzzles.current, inbox, 80),
                terminal_input=pipe,
                terminal_output=DummyOutput(),
            )
            inbox.refresh = lines.refresh
            return lines

        with create_pipe_input() as pipe:
            pipe.send_text(keys)
            return held(journals, puzzle, prompt)

    return talk


@pytest.fixture
def piped(mini: Path, journals: Path) -> Talk:
    """A function that runs a dialogue over a pipe, line by line."""

    def talk(*lines: str, puzzle: Path | None = mini) -> Said:
        return held(journals, puzzle, lambda *_: PipedLines(io.StringIO("\n".join(lines) + "\n")))

    return talk
