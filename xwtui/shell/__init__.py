"""The shell face: one-shot verbs and process-level functions as commands.

Declaring the commands loads neither the engine nor the screen; a single verb's command loads only its own module.
"""

from xwtui.lazy import lazy_imports
from xwtui.shell.root import shell
from xwtui.shell.verb_commands import add_verbs, add_verbs_of

with lazy_imports():
    from xwtui.session.verbs import registry


def _declare(word: str | None) -> None:
    """Declare the commands that start with a word, or all if the word does not determine a module."""
    if word is None or not add_verbs_of(shell, word):
        from xwtui.shell import batch_commands, commands  # noqa: F401, PLC0415  (they declare the commands)

        add_verbs(shell, registry.VERBS)


shell.declare = _declare

__all__ = ["shell"]
