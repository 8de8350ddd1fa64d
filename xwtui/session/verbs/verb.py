"""How a verb is declared, and what it answers."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import click

from xwtui.dataclasses import dataclass, field
from xwtui.errors import PuzzleFormatError
from xwtui.lazy import lazy_imports
from xwtui.named_tuples import NamedTuple
from xwtui.session.verbs import MODULES

with lazy_imports():
    from xwtui.formats.registry import check_suffix
    from xwtui.session.answers import VerbAnswer


class Group(enum.Enum):
    """What a verb is for; the value is the heading in help texts and tables."""

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
    """Find a file that no puzzle can be written to; raises PuzzleFormatError."""
    check_suffix(path)
    if not path.parent.is_dir():
        raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


class Needs(enum.Enum):
    """What has to be loaded before a verb can answer; jobs wait for what they need by themselves."""

    NOTHING = enum.auto()
    WORDS = enum.auto()
    ENGINE = enum.auto()


class Writes(enum.Enum):
    """What a verb makes that `-o` writes to files."""

    NOTHING = enum.auto()
    PUZZLE = enum.auto()
    OWN = enum.auto()
    """Files of the answer's own kinds."""
    FOLDER = enum.auto()
    """A file for each thing that was found, in a folder that may be there already."""


@dataclass(frozen=True)
class FromShell:
    """How a verb is used as a command of the shell, called once, with nobody there to stop it.

    `defaults` are the texts that parameters have there if they are not given; `names` are what it is called, its
    own name if none are told.
    """

    defaults: Mapping[str, str] = field(default_factory=dict)
    writes: Writes = Writes.NOTHING
    check_file: Callable[[Path], None] = check_puzzle_file
    """Finds a file that cannot be written before the work, not after it; raises XwtuiError."""
    needs: Needs = Needs.ENGINE
    names: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    """Parameters that mean nothing there."""
    takes_grid: bool = True
    """Whether it is about a grid at all; one that is not has neither GRID nor words for it."""
    needs_grid: Callable[[Mapping[str, Any]], bool] = field(default=lambda values: True)
    """Whether a grid is needed, given what the parameters are."""
    takes_words: bool = False
    """Whether one without a grid takes word lists all the same."""
    takes_alphabet: bool = False
    """Whether one with neither grid nor word lists reads letters, in an alphabet that may be named."""
    takes_long: bool = False
    """Whether one without a grid tells how far it is; one with a grid always can."""
    numbers_files: Callable[[Mapping[str, Any]], bool] = field(default=lambda values: False)
    """Whether what is found goes to files with numbers that are free, given what the parameters are."""
    is_lost_unwritten: bool = False
    """Whether all that it does is lost where no file is named to write the puzzle to."""


WITHOUT_GRID = FromShell(needs=Needs.NOTHING, takes_grid=False)
"""Of the verbs that need neither a grid nor words."""
OF_GRID = FromShell(needs=Needs.NOTHING)
"""Of those that look at a grid, without words."""
MAKES_PUZZLE = FromShell(needs=Needs.NOTHING, writes=Writes.PUZZLE)
"""Of those that show a puzzle, which may be written to a file."""
EDITS_PUZZLE = FromShell(needs=Needs.NOTHING, writes=Writes.PUZZLE, is_lost_unwritten=True)
"""Of those that do nothing but change the puzzle, which must be written to a file."""


@dataclass(frozen=True)
class Reply:
    """What a line of verbs came to.

    `lines` are safe to show as they are. `started` tells that a job runs now, for which scripts
    and the REPL wait, `is_strict` that a script goes on only if that brings a fill; `quit` that the face is to
    end. The last three are for faces that take lines: the grid is to be drawn, the lines are to be kept in a
    file, and no longer.
    """

    lines: tuple[str, ...] = ()
    verb: str = ""
    """The name of the verb that the line was of; empty where it was of none."""
    started: bool = False
    answer: Callable[[], VerbAnswer] | None = None
    """Gives the answer as data, once what was started is over."""
    is_strict: bool = False
    is_in_vain: bool = False
    """Whether what was started has nothing to do: no square is empty that a fill could fill."""
    quit: bool = False
    shows_grid: bool = False
    solves: bool = False
    """Whether it is about the test-solving, which a face is to show."""
    opened: bool = False
    """Whether a file was opened, about which a face may have to ask."""
    transcript: Path | None = None
    overwrites: bool = False
    """Whether the transcript may be written over a file that is there."""
    ends_transcript: bool = False


def reply_of(answer: Answer) -> Reply:
    """What the function of a verb has returned, as a reply."""
    if isinstance(answer, Reply):
        return answer
    if answer is None or isinstance(answer, str | list):
        return Reply((answer,) if isinstance(answer, str) else tuple(answer or ()))
    if isinstance(answer, VerbAnswer):
        return Reply(tuple(answer.lines), answer=lambda: answer)
    return Reply(started=True, answer=answer)


def choices_told(known: Mapping[str, str], used: str) -> tuple[list[str], list[dict[str, object]]]:
    """Names with what they are, in lines and as JSON has them: a star, or `used`, is at the one in use."""
    width = max(map(len, known))
    lines = [f"{'*' if name == used else ' '} {name:{width}}  {told}" for name, told in known.items()]
    return lines, [{"name": name, "summary": told, "used": name == used} for name, told in known.items()]


STARTED = Reply(started=True)
"""That of a verb that has nothing to answer beside what the job tells."""


Answer: TypeAlias = "Reply | VerbAnswer | Callable[[], VerbAnswer] | str | list[str] | None"
"""What the function of a verb returns: its answer, or lines, where it knows these at once; what gives the answer
once the job is over that it has begun; or a reply."""


class Verb(NamedTuple):
    """A verb as declared.

    `asks` tells that its key alone, which a map of keys gives it, does not say enough, so that a face asks for the
    arguments.
    """

    name: str
    command: click.Command
    group: Group
    summary: str
    examples: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    asks: bool = False
    from_shell: FromShell | None = None
    """None for a verb that makes no sense there."""
    keywords: tuple[str, ...] = ()
    """What constructors and other programs call it: searches find it by these, in small letters."""

    @property
    def words(self) -> int:
        return len(self.name.split())

    @property
    def arguments(self) -> tuple[click.Argument, ...]:
        return tuple(param for param in self.command.params if isinstance(param, click.Argument))

    @property
    def options(self) -> tuple[click.Option, ...]:
        """Its options, in order, but for those that are only taken still."""
        options = (param for param in self.command.params if isinstance(param, click.Option))
        return tuple(option for option in options if not option.hidden)

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(choice for argument in self.arguments for choice in getattr(argument.type, "choices", ()))

    @property
    def called(self) -> tuple[str, ...]:
        """Words by which it is found as well: keywords, other names, what its arguments choose from."""
        return tuple(dict.fromkeys((*self.keywords, *self.aliases, *self.choices)))

    @property
    def forms(self) -> tuple[str, ...]:
        """All that may be written for its arguments and options, of those types that tell it."""
        told = (getattr(param.type, "forms", "") for param in (*self.arguments, *self.options))
        return tuple(dict.fromkeys(filter(None, told)))

    @property
    def usage(self) -> str:
        with click.Context(self.command, info_name=self.name) as context:
            return " ".join([self.name, *self.command.collect_usage_pieces(context)]).strip()


class Declared(NamedTuple):
    """What a verb's parameter is, beside its name and type, which the signature of the function tells.

    The type tells more: a `bool` is an option without a value, a tuple of any length takes several words, and what
    may be None can be left out.
    """

    makes: type[click.Parameter]
    help: str
    kind: click.ParamType[Any] | None
    names: tuple[str, ...]
    """Of an option that is not called what the parameter is."""
    more: dict[str, Any]

    def parameter(self, name: str, annotation: str = "") -> click.Parameter:
        """The parameter for click; `annotation` is its type as the signature has it."""
        takes_several = annotation.startswith("tuple[") and annotation.endswith(", ...]")
        said: dict[str, Any] = {"type": self.kind, "help": self.help}
        if self.makes is click.Argument:
            said |= {"required": False} if annotation.endswith("| None") else {}
            said |= {"nargs": -1} if takes_several else {}
            return click.Argument([name], **said | self.more)
        said |= {"is_flag": True} if annotation == "bool" and "default" not in self.more else {}
        said |= {"multiple": True} if takes_several else {}
        return click.Option([*(self.names or (f"--{name.replace('_', '-')}",)), name], **said | self.more)


def option(help: str, kind: click.ParamType[Any] | None = None, *, name: str = "", **more: Any) -> Any:
    """Declare a parameter of a verb to be an option; `name` has other names, with blanks between."""
    return Declared(click.Option, help, kind, tuple(name.split()), more)


def argument(help: str, kind: click.ParamType[Any] | None = None, **more: Any) -> Any:
    """Declare a parameter of a verb to be an argument."""
    return Declared(click.Argument, help, kind, (), more)


def options(values: type[Any], **declared: Any) -> Any:
    """Declare a parameter of a verb to hold several options.

    They are fields of a named tuple, which are declared in it, or of a typed dictionary, with those `declared`.
    """
    return DeclaredTogether(values, declared or values._field_defaults)


class DeclaredTogether(NamedTuple):
    """Options that a verb takes as one value."""

    values: type[Any]
    declared: Mapping[str, Any]

    def value(self, said: dict[str, Any]) -> Any:
        """What is said, put together; a typed dictionary leaves out what nobody says."""
        if issubclass(self.values, tuple):
            return self.values(**said)
        return {name: value for name, value in said.items() if value is not None}


def declared_parameters(defaults: Mapping[str, Any], annotations: Mapping[str, Any] = {}) -> list[click.Parameter]:
    """The parameters that some defaults declare, with the types of their annotations."""
    found: list[click.Parameter] = []
    for name, value in defaults.items():
        if isinstance(value, DeclaredTogether):
            found += declared_parameters(value.declared, value.values.__annotations__)
        elif isinstance(value, Declared):
            found.append(value.parameter(name, _written(annotations.get(name, ""))))
    return found


def _written(annotation: Any) -> str:
    """A type as it is written; a field of a named tuple keeps it as a reference."""
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return annotation if isinstance(annotation, str) else getattr(annotation, "__forward_arg__", str(annotation))


def _called_by_click(
    function: Callable[..., Answer], together: Mapping[str, DeclaredTogether]
) -> Callable[..., Answer]:
    """The function as click calls it: the session from the context, options that are one value put together."""

    @functools.wraps(function)
    def call(**values: Any) -> Answer:
        for name, declared in together.items():
            values[name] = declared.value({field: values.pop(field) for field in declared.declared})
        return function(click.get_current_context().obj, **values)

    return call


@dataclass
class VerbBook:
    """The verbs declared so far, by name, in order."""

    verbs: dict[str, Verb] = field(default_factory=dict)

    def all(self) -> Mapping[str, Verb]:
        """All verbs; the modules that declare them are loaded where they are not."""
        for module in MODULES:
            import_module(f"xwtui.session.verbs.{module}")
        return self.verbs

    def verb(
        self,
        *,
        group: Group,
        examples: tuple[str, ...] = (),
        aliases: str = "",
        name: str = "",
        asks: bool = False,
        from_shell: FromShell | None = None,
        keywords: str = "",
        more: Sequence[click.Parameter] = (),
    ) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
        """Declare a function as a verb: its docstring is the help, its parameters are what a line may say.

        Its name is the function's, `solve_write` for `solve write`. Aliases and keywords have commas between them;
        `more` are parameters that its signature does not tell.
        """

        def declare(function: Callable[..., Answer]) -> Callable[..., Answer]:
            called = name or function.__name__.rstrip("_").replace("_", " ")
            # by hand, for `inspect.signature` takes ten times as long, at each start
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
    """What an argument or option is for; empty where nothing is said."""
    return getattr(param, "help", None) or ""


def names_of(option: click.Option) -> list[str]:
    """All names of an option; of one that says on or off, the name first that changes something."""
    off = option.secondary_opts
    return [*off, *option.opts] if option.default is True else [*option.opts, *off]


def _parts(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


BOOK = VerbBook()


def verbs_of(group: Group) -> Callable[..., Callable[[Callable[..., Answer]], Callable[..., Answer]]]:
    """The decorator that declares the verbs of a module: in this group, where a verb does not say another."""
    return functools.partial(BOOK.verb, group=group)
