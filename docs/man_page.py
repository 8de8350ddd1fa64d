"""Write the manual page and the completions that the wheel installs: `python -m docs.man_page`."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from xwtui import __version__
from xwtui.interrupts import Exit
from xwtui.shell.root import SECTIONS, Shell
from xwtui.start import shell

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "xwtui.1"
COMPLETIONS = {"bash": "xwtui", "zsh": "_xwtui", "fish": "xwtui.fish"}
"""The file of each shell, by the name under which that shell looks for it."""

_STATUSES = {
    Exit.OK: "Done: there is what was asked for.",
    Exit.IMPOSSIBLE: "There is provably no fill; for check: an editor would object to something.",
    Exit.BAD_INPUT: "Wrong use, or a file that cannot be read or written; one line on stderr says why.",
    Exit.UNKNOWN: "Time was up with neither an answer nor a proof.",
    Exit.INTERRUPTED: "Stopped with Ctrl+C or another signal.",
}


def manual(root: Shell) -> str:
    """The manual page in roff (man(7)): each command with its arguments and options, by task."""
    with click.Context(root, info_name="xwtui") as context:
        return "\n".join(_lines(root, context)) + "\n"


def completion(name: str) -> str:
    """The text that makes a shell complete `xwtui`; asks a process, as its user would."""
    command = [sys.executable, "-m", "xwtui", "completion", name]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def _lines(root: Shell, context: click.Context) -> Iterator[str]:
    yield f'.TH XWTUI 1 "" "xwtui {__version__}" "User Commands"'
    yield from (".SH NAME", r"xwtui \- construct crosswords in the terminal")
    yield from (
        ".SH SYNOPSIS",
        ".B xwtui",
        r"[\fIPUZZLE\fR]...",
        ".br",
        ".B xwtui",
        r"\fICOMMAND\fR [\fIARGUMENT\fR]...",
    )
    yield ".SH DESCRIPTION"
    yield _roff((root.help or "").replace("\n\n", "\n.PP\n"))
    for heading, names in SECTIONS.items():
        yield f'.SH "{heading.upper()}"'
        for name in names.split():
            yield from _command(name, root.get_command(context, name), context)
    yield ".SH EXIT STATUS"
    for status, meaning in _STATUSES.items():
        yield from (".TP", f".B {status.value}", _roff(meaning))
    yield from (".SH SEE ALSO", r"\fBxwtui COMMAND \-\-help\fR, \fBxwtui help VERB\fR")


def _command(name: str, command: click.Command | None, parent: click.Context) -> Iterator[str]:
    assert command is not None, name
    with click.Context(command, info_name=name, parent=parent) as context:
        yield from (
            f'.SS "{_roff(" ".join([name, *command.collect_usage_pieces(context)]))}"',
            _roff(_summary(command)),
        )
        if isinstance(command, click.Group):
            for word in command.list_commands(context):
                one = command.get_command(context, word)
                yield from (".TP", rf"\fB{name} {word}\fR", _roff(_summary(one) if one else ""))
        for param in command.get_params(context):
            if "--help" not in param.opts and (record := param.get_help_record(context)):
                yield from (".TP", rf"\fB{_roff(record[0])}\fR", _roff(record[1]))


def _summary(command: click.Command) -> str:
    return (command.help or "").split("\n\n")[0].replace("\n", " ").replace("\b", "")


def _roff(text: str) -> str:
    """A text for man(7): no line that reads as a request, no blank line, hyphens that can be copied."""
    lines = [
        re.sub(r"\s+", " ", line).strip() for line in text.replace("\\", r"\e").replace("-", r"\-").splitlines()
    ]
    return "\n".join(rf"\&{line}" if line[:1] in ("'", ".") and line != ".PP" else line for line in lines if line)


@click.command(help=__doc__)
def main() -> None:
    """Write the page and the completions."""
    PAGE.write_text(manual(shell), encoding="utf-8")
    for name, file in COMPLETIONS.items():
        (ROOT / "completions" / file).write_text(completion(name), encoding="utf-8")


if __name__ == "__main__":
    main()
