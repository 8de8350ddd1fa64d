"""Updates docs/bench.md: a run replaces the part that it measured and keeps the others."""

import platform
import re
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "bench.md"

_HEAD = """# Figures

Written by `make bench` and `make plots`; do not edit.
Seconds depend on the machine of each run: compare them only within a part.
"""


def with_part(text: str, title: str, lines: Sequence[str]) -> str:
    """Return the document with one part replaced, or appended."""
    part = "\n".join([f"## {title}", "", *lines, ""])
    known = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
    text = text or _HEAD
    if known.search(text):
        return known.sub(lambda _: part + "\n", text, count=1).rstrip("\n") + "\n"
    return text.rstrip("\n") + "\n\n" + part


def write_part(title: str, lines: Sequence[str], path: Path = DOCUMENT) -> None:
    """Replace one part of the document on disk."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(with_part(before, title, lines), encoding="utf-8")


def circumstances() -> str:
    """Return one line on the date and machine of a measurement."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    day = datetime.now(UTC).date()
    return f"{day}, {cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, commit {commit}"
