"""The `xwtui` command itself, to which the commands are added."""

import click

from xwtui import __version__
from xwtui.cli.shell import Shell


@click.group(
    cls=Shell,
    subcommand_metavar="[PUZZLE] | COMMAND [ARGUMENTS]...",
    options_metavar="",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def shell() -> None:
    """A workbench for people who construct crosswords, in the terminal.

    `xwtui` or `xwtui PUZZLE` opens the screen. The commands do the same work without it.
    """
