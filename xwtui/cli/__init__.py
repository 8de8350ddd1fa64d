"""The shell face: the `xwtui` command. Its declarations load neither the engine nor the screen."""

from xwtui.cli import commands, question_commands  # noqa: F401  (they declare the commands)
from xwtui.cli.root import shell


def main() -> None:
    """Run the `xwtui` command; never returns."""
    shell.main(prog_name="xwtui")


__all__ = ["main", "shell"]
