"""Writing files in tests."""

from pathlib import Path


def written(path: Path, text: str) -> Path:
    """Write a UTF-8 text file and return its path."""
    path.write_text(text, encoding="utf-8")
    return path
