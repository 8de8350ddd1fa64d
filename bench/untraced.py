"""A copy of the package whose kernels cannot trace: the baseline for the cost of tracing that is off."""

import shutil
from pathlib import Path

import xwtui

_PACKAGE = Path(xwtui.__file__).parent
_KERNELS = Path("engine") / "kernels"
_TAKEN_OUT = {
    "state.py": "state.control[TRACING] != 0",
    "propagate/propagate.py": "control[states.PAUSED] != 0",
    "search/search.py": "control[states.PAUSED] != 0",
}
"""Conditions in the kernels, by file, that decide whether to trace an event or to pause at one."""


def copy_untraced(folder: Path) -> Path:
    """Copy the package into a folder with every tracing condition replaced by False; return the folder.

    Raises ValueError if a kernel no longer has the condition to replace.
    """
    package = folder / "xwtui"
    shutil.copytree(_PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "_data"))
    for name, question in _TAKEN_OUT.items():
        path = package / _KERNELS / name
        text = path.read_text(encoding="utf-8")
        if question not in text:
            raise ValueError(f"{name} does not ask {question!r} any more: bench/untraced.py is out of date")
        path.write_text(text.replace(question, "False"), encoding="utf-8")
    return folder
