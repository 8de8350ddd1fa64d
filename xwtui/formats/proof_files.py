"""The file that a proof is kept in, and beside one in DRAT its formula, as its checkers want it."""

from __future__ import annotations

from pathlib import Path

from xwtui.formats.base import write_atomically

_FORMULA = ".cnf"


def write_proof(path: Path, steps: str, formula: str = "") -> None:
    """Write the steps of a proof, and its formula beside them as `.cnf`; each file is there whole or not at all.

    Raises PuzzleFormatError where that fails.
    """
    if formula:
        write_atomically(path.with_suffix(_FORMULA), formula.encode())
    write_atomically(path, steps.encode())


def files_of_proof(path: Path) -> tuple[Path, ...]:
    """The files that a proof may be written to: its own, and that of its formula."""
    return (path, path.with_suffix(_FORMULA)) if path.suffix.lower() == ".drat" else (path,)
