"""The shell face: the verbs that answer, and what only a process does, as commands.

Its declarations load neither the engine nor the screen; for one command of verbs, only its own are loaded.
"""

from xwtui.lazy import lazy_imports
from xwtui.shell.root import shell
from xwtui.shell.verb_commands import add_verbs, add_verbs_of

with lazy_imports():
    from xwtui.session.verbs import registry


def _declare(word: str | None) -> None:
    """Declare the commands that begin with a word, and all where it tells too little."""
    if word is None or not add_verbs_of(shell, word):
        from xwtui.shell import batch_commands, commands  # noqa: F401, PLC0415  (they declare the commands)

        add_verbs(shell, registry.VERBS)


shell.declare = _declare

__all__ = ["shell"]
