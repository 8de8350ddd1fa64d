"""xwtui: a workbench for crossword constructors, in the terminal.

It is also a Python library: `xwtui.open_puzzle`, `fill`, `count` and the rest are documented in `xwtui.api` and
docs/api.md. Each name is loaded on first use, so `import xwtui` is nearly instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.3.0"

if TYPE_CHECKING:
    from xwtui import errors, insight
    from xwtui.api import (
        FilledPuzzle,
        ImprovedPuzzle,
        candidates,
        count,
        explain,
        export,
        fill,
        improve,
        open_puzzle,
        open_words,
        problem_of,
        save,
        what_if,
    )
    from xwtui.engine.events.event import Outcome
    from xwtui.engine.improve.improvement import Objective
    from xwtui.model import Puzzle
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.word_list import WordList

__all__ = [
    "FilledPuzzle",
    "ImprovedPuzzle",
    "Lexicon",
    "Objective",
    "Outcome",
    "Puzzle",
    "WordList",
    "__version__",
    "candidates",
    "count",
    "errors",
    "explain",
    "export",
    "fill",
    "improve",
    "insight",
    "open_puzzle",
    "open_words",
    "problem_of",
    "save",
    "what_if",
]

_HOMES = {
    "Lexicon": "xwtui.words.lexicon",
    "Objective": "xwtui.engine.improve.improvement",
    "Outcome": "xwtui.engine.events.event",
    "Puzzle": "xwtui.model",
    "WordList": "xwtui.words.word_list",
}
"""Modules of the public names that are not defined in `xwtui.api`."""
_MODULES = ("errors", "insight")


def __getattr__(name: str) -> Any:
    """Load a name on first use and cache it."""
    if name not in __all__:
        raise AttributeError(f"module 'xwtui' has no attribute {name!r}")
    if name in _MODULES:
        return import_module(f"xwtui.{name}")
    globals()[name] = value = getattr(import_module(_HOMES.get(name, "xwtui.api")), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
