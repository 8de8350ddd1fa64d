"""The shell face: the verbs that answer, and what only a process does, as commands.

Its declarations load neither the engine nor the screen.
"""

from xwtui.shell import batch_commands, commands  # noqa: F401  (they declare the commands)
from xwtui.shell.root import shell
from xwtui.shell.verb_commands import add_verbs

add_verbs(shell)

__all__ = ["shell"]
