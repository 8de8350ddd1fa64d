"""The program `xwtui`: the shell's commands, and those that open another face, which is loaded only then."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click
from click.shell_completion import get_completion_class

from xwtui.errors import XwtuiError
from xwtui.interrupts import Exit
from xwtui.lazy import lazy_imports
from xwtui.plugins import install_hint
from xwtui.reading import is_pipe
from xwtui.shell import shell
from xwtui.shell.root import SCREEN_COMMAND
from xwtui.shell.verb_commands import reading_options
from xwtui.text import printable

with lazy_imports():
    from xwtui.formats.intake import ReadOptions
    from xwtui.formats.registry import load_file
    from xwtui.formats.trace import read_trace
    from xwtui.repl.dialogue import start_repl
    from xwtui.repl.scripting import run_script
    from xwtui.session.recording import read_recording
    from xwtui.session.search_text import numbered_event
    from xwtui.tui.app import run_screen

_FILE = click.Path(path_type=Path)
_COMPLETE = "_XWTUI_COMPLETE"
"""The environment variable through which click is asked for completions."""


__all__ = ["main", "shell"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command, by default the one in the program's arguments; never returns."""
    shell.main(arguments, prog_name="xwtui")


@shell.command(SCREEN_COMMAND, hidden=True)
@click.argument("puzzles", type=_FILE, nargs=-1)
@reading_options
def screen(puzzles: tuple[Path, ...], strict_reading: bool, key: str) -> int:
    """Open the screen with puzzles, each in a tab, or with an empty grid.

    It says which of several puzzles cannot be read; where none can, it is not opened.
    """
    options = ReadOptions(strict_reading, key)
    refusals: list[str] = []
    for puzzle in puzzles:
        if is_pipe(puzzle):
            raise XwtuiError(
                f"{printable(str(puzzle), 200)} is a pipe, but the screen opens only files; "
                "`xwtui convert` writes it to one"
            )
        try:
            load_file(puzzle, options)
        except XwtuiError as error:
            refusals.append(str(error))
    if refusals and len(refusals) == len(puzzles):
        raise XwtuiError("; ".join(refusals))
    if not _is_terminal():
        raise XwtuiError(
            "the screen needs a terminal; without one, use `xwtui fill`, `count`, `check` or `convert`, "
            "`xwtui run SCRIPT`, or `xwtui repl` with lines on stdin"
        )
    if not _can_draw():
        name = f" {printable(str(puzzles[0]), 200)}" if puzzles else ""
        raise XwtuiError(f"this terminal (TERM=dumb) cannot show the screen: use `xwtui repl{name}`")
    return run_screen(puzzles, options=options)


@shell.command()
@click.argument("puzzle", type=_FILE, required=False)
@reading_options
def repl(puzzle: Path | None, strict_reading: bool, key: str) -> int:
    """Work line by line with the same verbs as the screen.

    Lines are taken from stdin where that is no terminal. The exit status is 2 then where they leave work that they
    neither save nor discard with `quit --force`.
    """
    return start_repl(puzzle, ReadOptions(strict_reading, key))


@shell.command()
@click.argument("script")
def run(script: str) -> int:
    """Run a SCRIPT of verbs, one per line (`-` reads stdin).

    Empty lines and lines that begin with # are skipped. The first error ends the run: its line
    number is reported and the exit status is 2. So does a line `fill`, `improve` or `continue` without a
    whole fill, with the status of `xwtui fill` (1, 3); `fill --no-strict` goes on in any case. The exit
    status is 130 after Ctrl+C, 143 after SIGTERM, 129 after SIGHUP. What was not saved by then is kept:
    the REPL and the screen offer it.
    """
    return run_script(script)


@shell.command(short_help="Open the screen in a web browser.")
@click.argument("puzzles", type=_FILE, nargs=-1)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port (default: a free one).")
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Address (default: 127.0.0.1).")
@click.option("--expose", is_flag=True, help="Allow an ADDRESS that other machines can reach, without encryption.")
def serve(puzzles: tuple[Path, ...], port: int, host: str, *, expose: bool) -> int:
    """Open the screen in a web browser, with puzzles or an empty grid, until Ctrl+C.

    The address that is printed has a secret word in it: whoever knows it can do all that the screen can. A page
    that is closed ends its screen; unsaved work is offered at the next start. In the checkout of xwtui,
    `.venv/bin/pip install '.[serve]'` installs what it needs.
    """
    try:
        from xwtui.shell.serving import is_local, serve_screen  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "xwtui":
            raise
        raise XwtuiError(f"serve needs {error.name}: {install_hint('serve')}") from None

    if not is_local(host) and not expose:
        name = printable(host, 60)
        raise XwtuiError(f"{name} would let other machines in without encryption: --expose allows that")
    return serve_screen(puzzles, host, port)


@shell.command(short_help="Replay the search recorded in a trace FILE.")
@click.argument("file", type=_FILE)
@click.option(
    "--list",
    "as_list",
    is_flag=True,
    help="List its events instead, as when the terminal cannot show the screen.",
)
def watch(file: Path, *, as_list: bool) -> int:
    """Replay the search recorded in a trace FILE, written by `fill --trace FILE` or `events save`.

    No words are needed. The exit status is 0, or 2 for a file that is no trace.
    """
    if as_list or not (_is_terminal() and _can_draw()):
        _, events = read_trace(file)
        for number, event in enumerate(events):
            print(numbered_event(number, event))
        return Exit.OK
    read_recording(file)
    return run_screen(trace=file)


@shell.command(short_help="Print Tab completion for bash, zsh or fish.")
@click.argument("kind", metavar="bash|zsh|fish", type=click.Choice(["bash", "zsh", "fish"]))
def completion(kind: str) -> None:
    """Print what makes the Tab key of bash, zsh or fish complete commands, options and files.

    For bash: `xwtui completion bash > ~/.local/share/bash-completion/completions/xwtui`, or
    `eval "$(xwtui completion bash)"` in ~/.bashrc; for zsh the same line in ~/.zshrc; for fish
    `xwtui completion fish > ~/.config/fish/completions/xwtui.fish`.
    """
    maker = get_completion_class(kind)
    assert maker is not None
    print(maker(shell, {}, "xwtui", _COMPLETE).source())


def _is_terminal() -> bool:
    return _is_page() or (sys.stdin.isatty() and sys.stdout.isatty())


def _is_page() -> bool:
    """Whether `serve` shows the screen in a browser, connected through pipes."""
    return "TEXTUAL_DRIVER" in os.environ


def _can_draw() -> bool:
    """Whether the terminal can do more than print lines."""
    return _is_page() or os.environ.get("TERM") != "dumb"
