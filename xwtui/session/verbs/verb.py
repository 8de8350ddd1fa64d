"""How a verb is declared, and what it returns."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial, wraps
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import click

from xwtui.dataclasses import dataclass, field
from xwtui.errors import PuzzleFormatError
from xwtui.lazy import lazy_imports
from xwtui.session.verbs import MODULES

with lazy_imports():
    from xwtui.formats.registry import check_suffix
    from xwtui.session.answers import VerbAnswer


class Group(enum.Enum):
    """The topic of a verb; the value is its heading in help texts and tables."""

    FILE = "File"
    GRID = "Grid"
    FILL = "Fill"
    COUNT = "Count"
    WORDS = "Words"
    RULES = "Rules"
    CLUES = "Clues and title"
    REVIEW = "Review"
    SOLVE = "Test-solving"
    SESSION = "Session"


def check_puzzle_file(path: Path) -> None:
    """Check whether a puzzle can be written to a path; raises PuzzleFormatError if not."""
    check_suffix(path)
    if not path.parent.is_dir():
        raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


class Needs(enum.Enum):
    """What must be loaded before a verb can run; jobs themselves wait for what they need."""

    NOTHING = enum.auto()
    WORDS = enum.auto()
    ENGINE = enum.auto()


class Writes(enum.Enum):
    """What `-o` writes to files for a verb."""

    NOTHING = enum.auto()
    PUZZLE = enum.auto()
    OWN = enum.auto()
    """Files of the answer's own formats."""
    FOLDER = enum.auto()
    """One file for each result, in a folder that may exist already."""


@dataclass(frozen=True)
class FromShell:
    """How a verb works as a shell command: one call, with no user to stop it.

    `defaults` maps parameters to the texts that replace their defaults in the shell. `names` are the command's
    names; empty means the verb's own name.
    """

    defaults: Mapping[str, str] = field(default_factory=dict)
    writes: Writes = Writes.NOTHING
    check_file: Callable[[Path], None] = check_puzzle_file
    """Checks a path before the work starts; raises XwtuiError if it cannot be written."""
    needs: Needs = Needs.ENGINE
    names: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    """Parameters that make no sense in the shell."""
    takes_grid: bool = True
    """Whether the command takes a grid; if not, it has neither a GRID argument nor the word-list options."""
    needs_grid: Callable[[Mapping[str, Any]], bool] = field(default=lambda values: True)
    """Whether the grid is required, given the parameters' values."""
    takes_words: bool = False
    """Whether a command without a grid still takes word lists."""
    takes_alphabet: bool = False
    """Whether a command without grid and word lists reads letters, so that an alphabet can be named."""
    takes_long: bool = False
    """Whether a command without a grid reports its progress; one with a grid always can."""
    numbers_files: Callable[[Mapping[str, Any]], bool] = field(default=lambda values: False)
    """Whether the results go to numbered files, skipping numbers in use, given the parameters' values."""
    is_lost_unwritten: bool = False
    """Whether a change that is not written to a file is refused, because the command has no other effect."""


WITHOUT_GRID = FromShell(needs=Needs.NOTHING, takes_grid=False)
"""For verbs that need neither a grid nor words."""
OF_GRID = FromShell(needs=Needs.NOTHING)
"""For verbs that look at a grid, without words."""
MAKES_PUZZLE = FromShell(needs=Needs.NOTHING, writes=Writes.PUZZLE)
"""For verbs that show a puzzle, which can also be written to a file."""
EDITS_PUZZLE = FromShell(needs=Needs.NOTHING, writes=Writes.PUZZLE, is_lost_unwritten=True)
"""For verbs that only change the puzzle, which must be written to a file."""


@dataclass(frozen=True)
class Reply:
    """The result of a line with a verb.

    `lines` are safe to print. With `started`, a job is running, and scripts and the REPL wait for it. With
    `is_strict`, a script continues only if that job finds a fill. With `quit`, the face ends. Three fields are for
    line-based faces: `shows_grid` draws the grid, `transcript` starts keeping the lines in a file, and
    `ends_transcript` stops that.
    """

    lines: tuple[str, ...] = ()
    verb: str = ""
    """The name of the line's verb; empty if the line had none."""
    started: bool = False
    answer: Callable[[], VerbAnswer] | None = None
    """Returns the answer as data, once the started job has ended."""
    is_strict: bool = False
    is_in_vain: bool = False
    """Whether the started job has nothing to do because the grid has no empty square to fill."""
    quit: bool = False
    shows_grid: bool = False
    solves: bool = False
    """Whether the line concerns test-solving, which the face should then show."""
    opened: bool = False
    """Whether a file was opened, about which a face may have questions."""
    transcript: Path | None = None
    overwrites: bool = False
    """Whether the transcript may overwrite an existing file."""
    ends_transcript: bool = False


def reply_of(answer: Answer) -> Reply:
    """Convert the return value of a verb's function to a reply."""
    if isinstance(answer, Reply):
        return answer
    if answer is None or isinstance(answer, str | list):
        return Reply((answer,) if isinstance(answer, str) else tuple(answer or ()))
    if isinstance(answer, VerbAnswer):
        return Reply(tuple(answer.lines), answer=lambda: answer)
    return Reply(started=True, answer=answer)


STARTED = Reply(started=True)
"""The reply of a verb that has no answer other than its job's messages."""


Answer: TypeAlias = "Reply | VerbAnswer | Callable[[], VerbAnswer] | str | list[str] | None"
"""What a verb's function returns: an answer or lines, if known at once; a function that returns the answer once
the started job has ended; or a reply."""


class Verb(NamedTuple):
    """A verb as declared.

    With `asks`, the verb's name alone is not enough, so a face asks for the arguments when its key is pressed.
    """

    name: str
    command: click.Command
    group: Group
    summary: str
    examples: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    asks: bool = False
    from_shell: FromShell | None = None
    """None for a verb that makes no sense in the shell."""
    keywords: tuple[str, ...] = ()
    """Other terms that constructors and other programs use for it, in lower case: searches match them."""

    @property
    def words(self) -> int:
        return len(self.name.split())

    @property
    def arguments(self) -> tuple[click.Argument, ...]:
        return tuple(param for param in self.command.params if isinstance(param, click.Argument))

    @property
    def options(self) -> tuple[click.Option, ...]:
        """The options, in order, without those that are hidden."""
        options = (param for param in self.command.params if isinstance(param, click.Option))
        return tuple(option for option in options if not option.hidden)

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(choice for argument in self.arguments for choice in getattr(argument.type, "choices", ()))

    @property
    def forms(self) -> tuple[str, ...]:
        """The accepted forms of its arguments and options, for types that describe them."""
        forms = (getattr(param.type, "forms", "") for param in (*self.arguments, *self.options))
        return tuple(dict.fromkeys(filter(None, forms)))

    @property
    def usage(self) -> str:
        with click.Context(self.command, info_name=self.name) as context:
            return " ".join([self.name, *self.command.collect_usage_pieces(context)]).strip()


class Declared(NamedTuple):
    """The declaration of a verb's parameter, apart from its name and type, which the function's signature has.

    The type determines more: a `bool` is a flag, a tuple of any length takes several words, and what may be None
    is optional.
    """

    makes: type[click.Parameter]
    help: str
    kind: click.ParamType[Any] | None
    names: tuple[str, ...]
    """The option's names, if they differ from the parameter's."""
    more: dict[str, Any]

    def parameter(self, name: str, annotation: str = "") -> click.Parameter:
        """Create the click parameter; `annotation` is its type as written in the signature."""
        takes_several = annotation.startswith("tuple[") and annotation.endswith(", ...]")
        keywords: dict[str, Any] = {"type": self.kind, "help": self.help}
        if self.makes is click.Argument:
            keywords |= {"required": False} if annotation.endswith("| None") else {}
            keywords |= {"nargs": -1} if takes_several else {}
            return click.Argument([name], **keywords | self.more)
        keywords |= {"is_flag": True} if annotation == "bool" and "default" not in self.more else {}
        keywords |= {"multiple": True} if takes_several else {}
        return click.Option([*(self.names or (f"--{name.replace('_', '-')}",)), name], **keywords | self.more)


def option(help: str, kind: click.ParamType[Any] | None = None, *, name: str = "", **more: Any) -> Any:
    """Declare a verb's parameter as an option; `name` is its other names, separated by spaces."""
    return Declared(click.Option, help, kind, tuple(name.split()), more)


def argument(help: str, kind: click.ParamType[Any] | None = None, **more: Any) -> Any:
    """Declare a verb's parameter as an argument."""
    return Declared(click.Argument, help, kind, (), more)


def options(values: type[Any], **declared: Any) -> Any:
    """Declare a verb's parameter that holds several options.

    The options are the fields of a named tuple, with its defaults as their declarations, or those of a typed
    dictionary, with the declarations in `declared`.
    """
    return DeclaredTogether(values, declared or values._field_defaults)


class DeclaredTogether(NamedTuple):
    """Several options that a verb takes as one value."""

    values: type[Any]
    declared: Mapping[str, Any]

    def value(self, given: dict[str, Any]) -> Any:
        """Combine the given options into one value; a typed dictionary omits those that are None."""
        if issubclass(self.values, tuple):
            return self.values(**given)
        return {name: value for name, value in given.items() if value is not None}


def declared_parameters(defaults: Mapping[str, Any], annotations: Mapping[str, Any] = {}) -> list[click.Parameter]:
    """Return the click parameters that the defaults declare, with the types in the annotations."""
    found: list[click.Parameter] = []
    for name, value in defaults.items():
        if isinstance(value, DeclaredTogether):
            found += declared_parameters(value.declared, value.values.__annotations__)
        elif isinstance(value, Declared):
            found.append(value.parameter(name, _written(annotations.get(name, ""))))
    return found


def _written(annotation: Any) -> str:
    """Return a type as written in the source; a named tuple stores it as a forward reference."""
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return annotation if isinstance(annotation, str) else getattr(annotation, "__forward_arg__", str(annotation))


def _called_by_click(
    function: Callable[..., Answer], together: Mapping[str, DeclaredTogether]
) -> Callable[..., Answer]:
    """Wrap a verb's function for click: pass the session from the context, combine options into values."""

    @wraps(function)
    def call(**values: Any) -> Answer:
        for name, declared in together.items():
            values[name] = declared.value({field: values.pop(field) for field in declared.declared})
        return function(click.get_current_context().obj, **values)

    return call


@dataclass
class VerbBook:
    """The verbs declared so far, by name, in order of declaration."""

    verbs: dict[str, Verb] = field(default_factory=dict)

    @cached_property
    def all(self) -> Mapping[str, Verb]:
        """All verbs in the order of the help, by group and module; loads the modules that declare them."""
        groups = {group: place for place, group in enumerate(Group)}
        homes = {
            import_module(f"xwtui.session.verbs.{name}").__name__: place for place, name in enumerate(MODULES)
        }

        def place(verb: Verb) -> tuple[int, int]:
            return groups[verb.group], homes.get(getattr(verb.command.callback, "__module__", ""), len(homes))

        return MappingProxyType({verb.name: verb for verb in sorted(self.verbs.values(), key=place)})

    def verb(
        self,
        *examples: str,
        group: Group,
        aliases: str = "",
        name: str = "",
        asks: bool = False,
        from_shell: FromShell | None = None,
        keywords: str = "",
        more: Sequence[click.Parameter] = (),
    ) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
        """Declare a function as a verb: its docstring is the help, its parameters those of the verb.

        `examples` are lines with the verb. It is named after the function: `solve_write` declares `solve write`.
        Aliases and keywords are separated by commas. `more` holds parameters that are not in the signature.
        """

        def declare(function: Callable[..., Answer]) -> Callable[..., Answer]:
            called = name or function.__name__.rstrip("_").replace("_", " ")
            # parsed by hand: at every start, `inspect.signature` would take ten times as long
            values = function.__defaults__ or ()
            names = function.__code__.co_varnames[: function.__code__.co_argcount]
            defaults = dict(zip(names[len(names) - len(values) :], values, strict=True))
            params = [*declared_parameters(defaults, function.__annotations__), *more]
            together = {each: value for each, value in defaults.items() if isinstance(value, DeclaredTogether)}
            text = inspect.cleandoc(function.__doc__ or "")
            command = click.Command(
                called,
                callback=_called_by_click(function, together),
                params=params,
                help=text,
                add_help_option=False,
                options_metavar=" ".join(
                    _option_metavar(one) for one in params if isinstance(one, click.Option) and not one.hidden
                ),
            )
            summary = text.splitlines()[0].rstrip(".") if text else called
            self.verbs[called] = Verb(
                called, command, group, summary, examples, _parts(aliases), asks, from_shell, _parts(keywords)
            )
            return function

        return declare


def _option_metavar(option: click.Option) -> str:
    value: Any = "" if option.is_flag else f" {option.metavar or option.type.name.upper()}"
    return f"[{names_of(option)[0]}{value}]"


def help_of(param: click.Parameter) -> str:
    """The help text of an argument or option; empty if it has none."""
    return getattr(param, "help", None) or ""


def names_of(option: click.Option) -> list[str]:
    """All names of an option; for an on/off option, the name that changes the default comes first."""
    off = option.secondary_opts
    return [*off, *option.opts] if option.default is True else [*option.opts, *off]


def _parts(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


BOOK = VerbBook()


def verbs_of(
    group: Group, from_shell: FromShell | None = None
) -> Callable[..., Callable[[Callable[..., Answer]], Callable[..., Answer]]]:
    """Return a decorator that declares a module's verbs, with this group and use in the shell by default."""
    return partial(BOOK.verb, group=group, from_shell=from_shell)
