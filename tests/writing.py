"""Files for tests."""

from pathlib import Path


def written(path: Path, text: str) -> Path:
    """Write a text to a file, in UTF-8; returns the file."""
    path.write_text(text, encoding="utf-8")
    return path
