"""Fresh virtual environments that xwtui is installed into, and what is installed."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.packaging.pythons import CHECKOUT

TEMPLATE = "puzzles/templates/mini-5x5.txt"
PATIENCE = 1200
"""Seconds before a command counts as hung; the engine may have to compile."""


@dataclass(frozen=True)
class Environment:
    """A fresh virtual environment with the wheel in it, and folders that are nobody's home."""

    folder: Path
    elsewhere: Path

    @property
    def site_packages(self) -> Path:
        return next(self.folder.glob("lib/python*/site-packages"))

    @property
    def data(self) -> Path:
        return self.site_packages / "xwtui" / "_data"

    def run(
        self, *arguments: str, home: Path | None = None, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        home = home or self.elsewhere / "home"
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG_", "NUMBA_"))
        }
        return subprocess.run(
            [str(self.folder / "bin" / "xwtui"), *arguments],
            cwd=self.elsewhere,
            env={**kept, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", **variables},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def files(self) -> set[tuple[Path, int]]:
        """Everything installed, with the time of its last change."""
        return {(path, path.stat().st_mtime_ns) for path in self.site_packages.rglob("*")}


def call(*command: str) -> None:
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def build(kind: str, folder: Path) -> Path:
    call(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", str(folder), ".")
    return next(folder.iterdir())
