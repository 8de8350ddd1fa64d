"""The file that a proof is kept in, and beside one in DRAT its formula, as its checkers want it."""

from __future__ import annotations

from pathlib import Path

from xwtui.formats.base import write_atomically


def write_proof(path: Path, steps: str, formula: str = "") -> None:
    """Write the steps of a proof, and its formula beside them as `.cnf`; each file is there whole or not at all.

    Raises PuzzleFormatError where that fails.
    """
    if formula:
        write_atomically(path.with_suffix(".cnf"), formula.encode())
    write_atomically(path, steps.encode())
