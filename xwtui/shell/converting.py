"""`xwtui convert`: from one format into another."""

from pathlib import Path

from xwtui.exits import Exit
from xwtui.formats.registry import write_puzzle
from xwtui.printing import warn
from xwtui.shell.sources import read_source


def run_convert(source: str, target: Path, *, lossy: bool) -> Exit:
    """Read a puzzle and write it; raises PuzzleFormatError for what cannot be read or held."""
    puzzle = read_source(source)
    for warning in write_puzzle(target, puzzle, lossy=lossy):
        warn(f"{target}: {warning}")
    return Exit.OK
