"""The verbs as shell commands: their own arguments and options after the GRID, and process-level options."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from xwtui.dataclasses import replace
from xwtui.lazy import lazy_imports
from xwtui.session.verbs import MODULES
from xwtui.session.verbs.kinds import HERE, ParameterKind
from xwtui.session.verbs.verb import BOOK, Declared, DeclaredTogether, FromShell, Verb, Writes, declared_parameters
from xwtui.text import listed, printable

with lazy_imports():
    from xwtui.shell.verb_run import run_verb

Function = TypeVar("Function", bound=Callable[..., Any])

GRID = "grid"
_HELP = frozenset(("-h", "--help"))
STRICT = "--strict"
FORCE = "--force"

_GRID_HELP = "GRID is a file in any format that xwtui reads, or `-` for stdin."
_STATUSES_HELP = (
    "The exit status is 0 for success, 1 if provably nothing exists or if there are findings, 3 if time ran out, "
    "2 for wrong use or bad input, and 130, 143 or 129 after Ctrl+C, SIGTERM or SIGHUP, with the results so far."
)
STATUSES = f"{_GRID_HELP} {_STATUSES_HELP}"

HOMES: Mapping[str, str] = {word: module for module, words in MODULES.items() for word in words.split()}
"""For words that start the commands of exactly one module of `session/verbs`, that module."""


def add_verbs_of(group: click.Group, word: str) -> bool:
    """Add the verbs whose commands start with a word, loading no others; False if their module is not known."""
    if word not in HOMES:
        return False
    import_module(f"xwtui.session.verbs.{HOMES[word]}")
    add_verbs(group, BOOK.verbs, word)
    return True


def add_verbs(group: click.Group, verbs: Mapping[str, Verb], word: str = "") -> None:
    """Add the verbs that answer from the shell: all, or those whose commands start with a word.

    The GRID of `whatif blocks` comes between its two words.
    """
    uses = [(verb, verb.from_shell) for verb in verbs.values() if verb.from_shell is not None]
    each = [(name, verb, use) for verb, use in uses for name in use.names or (verb.name,)]
    named = [one for one in each if word in {"", one[0].split()[0]}]
    # a command precedes those that it is the first word of
    for name, verb, use in sorted(named, key=lambda one: " " in one[0]):
        first, _, second = name.partition(" ")
        if not second:
            command = _command(verb, use, first, has_grid=use.takes_grid)
            begins_others = any(other.startswith(f"{first} ") for other, _, _ in named)
            group.add_command(_AloneOrFirst(command) if begins_others else command)
            continue
        if first not in group.commands:
            params, statuses = ([click.Argument([GRID])], f"\n\n{STATUSES}") if use.takes_grid else ([], "")
            group.add_command(
                _Topic(first, params=params, help=_GROUPS[first] + statuses, short_help=_GROUPS[first])
            )
        inner = group.commands[first]
        assert isinstance(inner, click.Group)
        inner.add_command(_command(verb, use, second, has_grid=False))


class _Topic(click.Group):
    """A command of two words, possibly with the GRID between them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the GRID, if any; refuse a line that has no second word, or that has the GRID elsewhere."""
        if ctx.resilient_parsing or any(name in ctx.help_option_names for name in args):
            return super().parse_args(ctx, args)
        are_given = [name in self.commands for name in args]
        if self.params and any(are_given[:1]) and not any(are_given[1:2]):
            grid = args[1] if len(args) > 1 and not args[1].startswith("-") else "GRID"
            ctx.fail(f"the GRID comes first: `xwtui {self.name} {printable(grid, 200)} {args[0]}`")
        if not (any(are_given) if self.params else args):
            between = "GRID " if self.params else ""
            known = listed([f"`xwtui {self.name} {between}{name}`" for name in self.commands], "or")
            ctx.fail(f"{self.name} needs more: {known}; --help explains each")
        return super().parse_args(ctx, args)


_GROUPS = {
    "clue": "Suggest clues for an entry of a puzzle: `xwtui clue GRID suggest 17A`.",
    "clues": "Write all clues to a text file for editing, or read them back.",
    "colours": "List the screen's color themes, or choose one.",
    "keys": "Show, choose or check the screen's keys.",
    "snapshot": "Save a puzzle's state under a name, compare it, or return to it.",
    "theme": "Start a puzzle with theme answers placed.",
    "whatif": "Rank changes of blocks, or places for theme answers, by the room they leave.",
}
"""Help of first words that are not commands by themselves."""


class _AloneOrFirst(click.Group):
    """A command that is also the first word of others: `layouts 15x15 --count 3`, and `layouts import FOLDER`.

    The next word decides: it is one of the others, or else the line belongs to the command alone.
    """

    def __init__(self, alone: click.Command) -> None:
        super().__init__(alone.name, params=alone.params, help=alone.help, short_help=alone.short_help)
        self._alone = alone
        self._first = click.Group(alone.name, commands=self.commands, help=alone.help)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Parse the words as the right command; with only --help, show the help of all."""
        if args and args[0] in self.commands:
            return self._first.make_context(info_name, args, parent, **extra)
        if not _HELP.isdisjoint(args):
            return super().make_context(info_name, args, parent, **extra)
        return self._alone.make_context(info_name, args, parent, **extra)


def _command(verb: Verb, use: FromShell, name: str, *, has_grid: bool = True) -> click.Command:
    params = [param for param in verb.command.params if param.name in use.hidden]
    # parameters that the shell replaces with its own options, for reading and writing files
    fixed = {param.name: param.default for param in params if not {STRICT, FORCE}.isdisjoint(param.opts)}
    own = [_parameter(param, use) for param in verb.command.params if param.name not in fixed]
    # a verb's own option replaces the process option of the same name
    taken = {"minimum_score" if param.name == "min_score" else param.name for param in own}
    process_options = _options_of_all(
        use.takes_grid, use.takes_long, use.takes_words, use.takes_alphabet, use.writes
    )
    grid = click.Argument([GRID], required=False)

    @click.pass_context
    def call(context: click.Context, /, **values: Any) -> int:
        source = values.pop(GRID, None)
        if use.takes_grid and not has_grid and context.parent is not None:
            source = context.parent.params[GRID]
        if source is None and use.takes_grid and use.needs_grid(values):
            raise click.MissingParameter(ctx=context, param=grid)
        return run_verb(verb, use, source, {**values, **fixed}, started=context.find_root().obj)

    return click.Command(
        name,
        callback=call,
        params=[
            *([grid] if has_grid else []),
            *own,
            *(option for option in process_options if option.name not in taken),
        ],
        help=f"{verb.command.help}\n\n{STATUSES if use.takes_grid else _STATUSES_HELP}",
        short_help=f"{verb.summary}.",
    )


def _parameter(param: click.Parameter, use: FromShell) -> click.Parameter:
    """Return a parameter adapted to the shell, which has no cursor."""
    own = _early(param)
    if own.name in use.defaults:
        text = use.defaults[own.name]
        own.default = (text,) if own.nargs == -1 else text
    if isinstance(own, click.Argument) and isinstance(own.type, ParameterKind) and own.type.takes_rest:
        own.nargs, own.callback = -1, _joined
    if own.default == HERE and own.name is not None:
        return click.Argument([own.name], type=own.type, required=True)
    if isinstance(own, click.Option):
        own.hidden = own.hidden or own.name in use.hidden
        own.show_default = isinstance(own.default, str) and bool(own.default)
    return own


def _joined(context: click.Context, param: click.Parameter, words: Sequence[str]) -> str | None:
    """Join the rest of a line, which the shell has split into words."""
    return " ".join(words) if words else None


def _early(param: click.Parameter) -> click.Parameter:
    """Return a parameter that parses what it can without a puzzle, with its help as a sentence."""
    own = copy.copy(param)
    if isinstance(own.type, ParameterKind):
        own.type = replace(own.type, is_early=True)
    if isinstance(own, click.Option) and own.help:
        own.help = f"{own.help[:1].upper()}{own.help[1:]}."
    return own


class Options(tuple[click.Parameter, ...]):
    """Options in the order of the help; as a decorator, declares them for a command."""

    def __call__(self, function: Function) -> Function:
        command: Any = function
        command.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(self)]
        return function


def early(**declared: Declared | DeclaredTogether) -> Options:
    """Return options of verbs, by name, for a command that is not a verb."""
    return Options(map(_early, declared_parameters(declared)))


def process_option(names: str, help: str, kind: Any = None, *, shown: Any = None, **more: Any) -> Options:
    """Return an option of the process: its names, separated by blanks; `shown` is a default shown in the help."""
    more |= {"is_flag": True} if kind is bool else {"type": kind}
    more |= {} if shown is None else {"default": shown, "show_default": True}
    return Options([click.Option(names.split(), help=help, **more)])


def together(*options: Options) -> Options:
    """Combine options, in the order of the help."""
    return Options(one for each in options for one in each)


json_option = process_option("--json as_json", "Print one JSON object and nothing else.", bool)
force_option = process_option(f"{FORCE} overwrites", "Overwrite an existing file.", bool)
lossy_option = process_option(
    "--lossy", "Leave out what OUT's format cannot hold, with a warning for each item.", bool
)
alphabet_option = process_option(
    "--alphabet",
    "Read letters in this alphabet: swedish, german, spanish, …  [default: the puzzle's own, or english]",
    metavar="NAME",
    default="",
)
word_options = together(
    process_option(
        "--words lists",
        "Word list; repeatable: the first list that has a word sets its score.  "
        "[default: the puzzle's own, or xwtui's list]",
        metavar="FILE",
        multiple=True,
    ),
    process_option(
        "--scale is_graded",
        "Score words from lists without scores by how many lists have them and by length.",
        bool,
    ),
    alphabet_option,
    process_option(
        "--min-score minimum_score",
        "Minimum word score.  [default: the puzzle's own, or 40]",
        click.IntRange(0, 100),
        metavar="N",
    ),
)
repeats_option = process_option("--allow-repeats", "Allow an answer to appear twice in the grid.", bool)
do_option = process_option(
    "--do lines",
    "Edit the grid, words or rules first, as in --do 'want OBOE'; repeatable.",
    metavar="VERB",
    multiple=True,
)
progress_option = process_option(
    "--progress progress_form",
    "Show progress on stderr: a line on a terminal, or one JSON object per line.",
    click.Choice(["line", "json"]),
    default="line",
)
reading_options = together(
    process_option(
        f"{STRICT} strict_reading",
        "Refuse a file that cannot be read exactly, rather than read it as closely as possible with a warning.",
        bool,
    ),
    process_option(
        "--key",
        "Unlock a .puz solution with its four-digit key, or `any` to try every key.",
        default="",
        metavar="KEY",
    ),
)
_output_options = together(
    process_option(
        "-o --output outputs",
        "Write the resulting puzzle in the format of the file's ending; repeatable. An existing file is "
        "overwritten if it is the GRID, or with --force.",
        click.Path(path_type=Path, dir_okay=False),
        multiple=True,
        metavar="OUT",
    ),
    force_option,
    lossy_option,
)
_folder_option = process_option(
    "-o --output outputs",
    "Write each to its own file in this folder, without overwriting; repeatable.",
    click.Path(path_type=Path),
    multiple=True,
    metavar="FOLDER",
)


@cache
def _options_of_all(
    takes_grid: bool, takes_long: bool, takes_words: bool, takes_alphabet: bool, writes: Writes
) -> Sequence[click.Parameter]:
    """Return the options shared by all commands declared alike."""
    options: list[Options] = []
    if writes is not Writes.NOTHING:
        options += [_folder_option, lossy_option] if writes is Writes.FOLDER else [_output_options]
    if takes_alphabet:
        options += [alphabet_option]
    if takes_grid:
        options += [reading_options, word_options, repeats_option, do_option, progress_option]
    elif takes_long:
        options += [word_options, progress_option] if takes_words else [progress_option]
    return together(*options, json_option)
