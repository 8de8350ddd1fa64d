"""The files that a proof is kept in: the formula beside it, so that any checker of DRAT proofs can read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from xwtui.errors import EngineError

if TYPE_CHECKING:
    from xwtui.strategies.protocol import Proof

SUFFIX = ".drat"
"""The proof; the formula has the same name with `.cnf`."""


def write_proof(path: Path, proof: Proof) -> None:
    """Write a proof, and its formula beside it; raises EngineError where that fails."""
    try:
        path.with_suffix(".cnf").write_text(proof.formula, encoding="utf-8")
        path.write_text(proof.steps, encoding="utf-8")
    except OSError as error:
        raise EngineError(f"cannot write {path}: {error.strerror}") from error
