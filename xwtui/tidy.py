"""Removing what earlier runs left behind: temporary files of a killed program, caches of old versions."""

import contextlib
import shutil
import time
from pathlib import Path

HOUR = 3600.0
DAY = 24 * HOUR


def remove_stale(folder: Path, pattern: str, seconds: float) -> None:
    """Remove the files and folders directly in a folder that match a pattern and were not touched for so long.

    Links are left alone, and so is whatever cannot be removed.
    """
    oldest = time.time() - seconds
    with contextlib.suppress(OSError):
        for path in folder.glob(pattern):
            with contextlib.suppress(OSError):
                if path.is_symlink() or path.stat().st_mtime >= oldest:
                    continue
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()
