"""The shell face: the commands that answer once. Its declarations load neither the engine nor the screen."""

from xwtui.shell import commands, question_commands  # noqa: F401  (they declare the commands)
from xwtui.shell.root import shell

__all__ = ["shell"]
