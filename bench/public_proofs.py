"""Proofs that public grids have no fill: written by `fill --proof`, checked by `bench.check_proof`."""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.public_table import CheckedProof

UNFILLABLE = ("23.01", "23.10")
"""The grids that have no fill with the dictionary `words`."""


def checked_proofs(folder: Path, wanted: str) -> Iterator[CheckedProof]:
    """Prove and check each grid whose name starts with `wanted`, in separate processes without a time limit."""
    words = folder / "dicts" / "words.txt"
    for name in UNFILLABLE:
        if not name.startswith(wanted):
            continue
        grid = folder / "grids" / f"{name}.txt"
        with tempfile.TemporaryDirectory() as temporary:
            proof = Path(temporary) / "none.proof"
            options: list[str | Path] = ["--words", words, "--min-score", "0", "--time", "0", "--proof", proof]
            wrote, _ = _processor_seconds("xwtui", "fill", grid, *options)
            checked, said = _processor_seconds("bench.check_proof", grid, words, proof)
            yield CheckedProof("words", name, said.strip(), proof.stat().st_size, wrote, checked)


def _processor_seconds(module: str, *arguments: str | Path) -> tuple[float, str]:
    """Run a module and return its processor seconds and output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", module, *arguments], check=False, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout or done.stderr
