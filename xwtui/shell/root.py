"""The root of the command line: it selects the command and handles every failure.

Every failure ends in one line on stderr and an exit status of `Exit`, never in a traceback. With `--json`, stdout
also has one object, `{"status": "error", "message": ...}`.
"""

import errno
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click
from click.shell_completion import CompletionItem

from xwtui import __version__, plugins
from xwtui.engine.loading_step import ENGINE_THREAD
from xwtui.errors import XwtuiError, reason_of
from xwtui.interrupts import (
    Exit,
    Terminated,
    handling_signals,
    is_termination_requested,
    preserving_termination,
    status_of,
    stopped_by,
    stopping_signal,
    wait_for_ending,
)
from xwtui.lazy import lazy_imports
from xwtui.shell.streams import end_output, leave_at_once, prepare_streams
from xwtui.text import printable

with lazy_imports():
    import difflib

    from xwtui.session.verbs import registry
    from xwtui.session.verbs.parsing import verb_called

SCHEMA = 1
"""Version of all JSON objects: increased when a key changes its meaning or is removed; new keys may be added."""

SCREEN_COMMAND = "screen"
"""The hidden command that `xwtui [PUZZLE]` stands for."""
_LONGEST_MESSAGE = 600
_STOPPED = (Exit.HUNG_UP, Exit.INTERRUPTED, Exit.TERMINATED)


SECTIONS = {
    "Start here": "design templates fill improve swap why find check export repl",
    "Lay out": "layouts theme profiles whatif heat",
    "Fill": "refill reject count candidates shares entry link unlink",
    "Words": "lists define trust",
    "Clue": "clue clues book enumeration enumerations enumerate",
    "Send": "convert stats snapshot warnings",
    "Study a search": "watch race batch compose",
    "The program": "help run serve keys colours completion warmup",
}
"""The commands by task, in the order of `--help`."""


_OTHER_SPELLINGS = {"colors": "colours"}
"""Alternative spellings of commands."""


def print_object(fields: Mapping[str, Any], stream: TextIO | None = None) -> None:
    """Print a JSON object with the version of its schema as one line, on stdout by default."""
    print(json.dumps({"schema": SCHEMA, **fields}, ensure_ascii=False), file=stream or sys.stdout, flush=True)


class _ReaderGoneError(Exception):
    """A broken pipe, as an exception that click does not handle itself."""


def _is_path(word: str) -> bool:
    """Whether a word must be a file, regardless of the commands."""
    return bool(Path(word).suffix or os.sep in word)


class Shell(click.Group):
    """A command group whose first argument may be a puzzle instead of a command, and that handles all errors.

    Commands are declared on demand, as declaring all of them takes longer than an easy fill.
    """

    declare: Callable[[str | None], None]
    """Declares at least the commands that start with a word, or all without one. Set by the package."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command, declaring it if needed."""
        cmd_name = _OTHER_SPELLINGS.get(cmd_name, cmd_name)
        if cmd_name not in self.commands and not _is_path(cmd_name):
            self.declare(cmd_name)
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        self.declare(None)
        return super().list_commands(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by task, most important first."""
        known = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        summaries = {name: one.get_short_help_str(200) for name, one in known.items() if one and not one.hidden}
        width = max(map(len, summaries))
        for heading, words in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{word:{width}}", summaries[word]) for word in words.split()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the screen's command before a first argument that is not a command."""
        if ctx.resilient_parsing and not args:
            return super().parse_args(ctx, args)
        if not args or (not args[0].startswith("-") and self.get_command(ctx, args[0]) is None):
            self._check_mistyped(ctx, args)
            args = [SCREEN_COMMAND, *args]
        return super().parse_args(ctx, args)

    def _check_mistyped(self, ctx: click.Context, args: Sequence[str]) -> None:
        word = args[0] if args else ""
        if not word or _is_path(word) or Path(word).exists():
            return
        commands = self.list_commands(ctx)
        nearest = [one for one in [verb_called(word)] if one in commands]
        nearest = nearest or difflib.get_close_matches(word, commands, n=1)
        if any(word in name.split()[:1] for name in registry.VERBS):
            hint = f"`{word}` is a verb for the screen, `xwtui repl` and scripts for `xwtui run`"
        elif nearest:
            hint = f"did you mean `xwtui {nearest[0]}`?"
        else:
            hint = "`xwtui --help` lists the commands"
        ctx.fail(f"{printable(word, 40)!r} is neither a command nor a file; {hint}")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Complete commands, and files of puzzles for the screen."""
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ReaderGoneError from None
        finally:
            for one in plugins.skipped:
                print(f"xwtui: {one.words}", file=sys.stderr)

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        """Run a command line and exit with its status.

        Without `args` this is the process's own command line, and exiting does not wait for threads that may be
        compiling. With `args`, the calling process continues, so all threads of the command are waited for first.
        """
        arguments = sys.argv[1:] if args is None else list(args)
        prepare_streams()
        with handling_signals():
            try:
                status = self._run(arguments, prog_name, extra)
            except (_ReaderGoneError, BrokenPipeError):
                status = _status_without_reader()
            end_output()
            if args is not None:
                wait_for_ending()
            elif status in _STOPPED or any(thread.name == ENGINE_THREAD for thread in threading.enumerate()):
                # a normal exit would stop a compiling thread inside LLVM, whose C++ code aborts
                leave_at_once(status)
        sys.exit(status)

    def _run(self, arguments: list[str], prog_name: str | None, extra: dict[str, Any]) -> int:
        extra |= {"standalone_mode": False, "obj": time.perf_counter()}  # before anything heavy is loaded
        try:
            with preserving_termination():
                status = super().main(arguments, prog_name, **extra)
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            return _fail(arguments, "stopped", Exit(status_of(stopping_signal())))
        except Terminated as end:
            return _fail(arguments, f"stopped by {stopped_by()}", Exit(int(str(end.code))))
        except click.NoSuchOption as error:
            message = _order_hint(error, arguments) or _alike(error) + _file_hint(error)
            return _fail(arguments, message, Exit.BAD_INPUT)
        except click.UsageError as error:
            told = _missing(error) or _extra_words(error) or error.format_message()
            return _fail(arguments, told, Exit.BAD_INPUT)
        except click.ClickException as error:
            return _fail(arguments, error.format_message(), Exit.BAD_INPUT)
        except XwtuiError as error:
            return _fail(arguments, str(error), Exit.BAD_INPUT)
        except BrokenPipeError:
            raise
        except OSError as error:
            # a standard stream whose terminal is closed
            if error.filename is None and (error.errno == errno.EIO or is_termination_requested()):
                return _status_without_reader()
            reason = reason_of(error)
            return _fail(arguments, f"{error.filename}: {reason}" if error.filename else reason, Exit.BAD_INPUT)
        return status_of(stopping_signal()) if status == Exit.INTERRUPTED else int(status or Exit.OK)


def _alike(error: click.NoSuchOption) -> str:
    """Return click's message for an unknown option, suggesting only options that are similar without dashes."""
    name, near = error.option_name, error.possibilities or ()
    alike = [one for one in near if difflib.get_close_matches(name.lstrip("-"), [one.lstrip("-")])]
    return click.NoSuchOption(name, error.message, alike).format_message()


def _file_hint(error: click.NoSuchOption) -> str:
    """Return how to name the output file for a command that takes it as an argument, if `-o` was tried."""
    command = error.ctx.command if error.ctx is not None else None
    takes = {param.name for param in command.params} if command is not None else set()
    if command is None or error.option_name not in ("-o", "--output") or not {"grid", "file"} <= takes:
        return ""
    return f" Name the file after the puzzle: xwtui {command.name} GRID FILE"


def _order_hint(error: click.NoSuchOption, arguments: Sequence[str]) -> str:
    """Return a hint that options come after the command, if one came before it; else empty."""
    shell = error.ctx.command if error.ctx is not None else None
    if not isinstance(shell, Shell) or error.ctx is None or not arguments[0].startswith("-"):
        return ""
    words = (one for one in arguments if not one.startswith("-"))
    command = next((one for one in words if shell.get_command(error.ctx, one) is not None), "")
    return f"options come after the command: `xwtui {command} … {error.option_name}`" if command else ""


def _missing(error: click.UsageError) -> str:
    """Return which argument a command lacks; empty for all other errors."""
    if not isinstance(error, click.MissingParameter) or error.ctx is None or error.param is None:
        return ""
    name = error.param.human_readable_name
    return f"{error.ctx.info_name} needs {name}; `{error.ctx.command_path} --help` explains"


_HINTS = {
    "export": "export writes one file: call it once for each, or use --all FOLDER for all formats",
    "run": "run takes one script; a line `open FILE` in the script opens a puzzle",
}
"""Hints for one argument too many."""


def _extra_words(error: click.UsageError) -> str:
    """Return the hint for a second file of `export` or `run`; empty for all else."""
    command = None if error.ctx is None else error.ctx.info_name
    is_extra = error.message.startswith("Got unexpected extra argument")
    return _HINTS.get(command or "", "") if is_extra else ""


def _status_without_reader() -> int:
    """Return the exit status after the output's reader is gone: that of SIGTERM or SIGHUP if one came."""
    return status_of(stopping_signal()) if is_termination_requested() else Exit.BROKEN_PIPE


def _fail(arguments: Sequence[str], message: str, status: Exit) -> Exit:
    text = printable(" ".join(message.split()), _LONGEST_MESSAGE)
    if "--json" in arguments:
        with suppress(OSError):
            result = "cancelled" if status in _STOPPED else "error"
            print_object({"status": result, "message": text})
    with suppress(OSError):
        print(f"xwtui: {text}", file=sys.stderr)
    return status


@click.group(
    cls=Shell,
    subcommand_metavar="[PUZZLE]... | COMMAND [ARGUMENTS]...",
    options_metavar="",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def shell() -> None:
    """A workbench for people who construct crosswords, in the terminal.

    `xwtui` or `xwtui PUZZLE...` opens the screen. The commands do the same work without it; `xwtui COMMAND --help`
    tells more of one, and `xwtui help VERB` of any verb of the screen.
    """
