"""The files that a proof is kept in: the formula beside it, so that any checker of DRAT proofs can read them."""

from __future__ import annotations

from pathlib import Path

from xwtui.errors import EngineError


def write_proof(path: Path, formula: str, steps: str) -> None:
    """Write the steps of a proof, and its formula beside them as `.cnf`; raises EngineError where that fails."""
    try:
        path.with_suffix(".cnf").write_text(formula, encoding="utf-8")
        path.write_text(steps, encoding="utf-8")
    except OSError as error:
        raise EngineError(f"cannot write {path}: {error.strerror}") from error
