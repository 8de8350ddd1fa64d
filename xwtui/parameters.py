"""What callers may request on every face: the help text, bounds and default of each option.

Each option is one `Parameter`, declared once. The options of verbs are made from it (`asked`, in
`session/verbs/kinds.py`). So are the keywords of Python functions: a field of a typed dictionary, `seed:
Annotated[int, SEED]`, that a function declares with `takes`. Values out of bounds are refused in the same words
everywhere, and docstrings and docs/api.md are generated from these declarations.
"""

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from numbers import Integral, Real
from typing import Annotated, Any, ForwardRef, NamedTuple, TypedDict, TypeVar, cast

from xwtui.errors import PuzzleError, failing_as
from xwtui.lazy import lazy_imports

with lazy_imports():
    from difflib import get_close_matches

HIGHEST_SEED = 2**32 - 1
MOST_THREADS = 256
MOST_SECONDS = 7 * 86_400
MOST_DESIGNS = 500


class Parameter(NamedTuple):
    """An option that callers may set: its help, and its bounds if it is a number."""

    help: str
    low: int = 0
    high: int | None = None
    """None if the option is not a number."""
    is_time: bool = False
    option: str = ""
    """The verb's option, if its name differs from the parameter's."""

    def with_help(self, help: str) -> "Parameter":
        """Return a copy with other help text, for a verb where the option has a narrower meaning."""
        return self._replace(help=help)

    def checked(self, value: Any) -> Any:
        """Return the checked value, with any integral number as an int.

        Raises PuzzleError for None and for values out of bounds.
        """
        if self.high is None and value is not None:
            return value
        if self.is_time and isinstance(value, Real) and (0 <= float(value) <= MOST_SECONDS or value == math.inf):
            return value
        if not self.is_time and isinstance(value, Integral) and self.low <= int(value) <= (self.high or 0):
            return int(value)
        raise self.refusal(value)

    def refusal(self, value: object) -> PuzzleError:
        """Return the error for a refused value."""
        if self.high is None:
            return PuzzleError(f"{value!r} is not allowed; leave it out instead")
        if self.is_time:
            return PuzzleError(f"{value!r} is not a time in seconds such as 5 or 0.5 ({self.high:,} at most)")
        return PuzzleError(f"{value!r} is not a whole number from {self.low} to {self.high:,}")

    def keyword_help(self, default: float | None = None) -> str:
        """Return the help of the Python keyword, with its bounds and its default, if any."""
        bounds = "" if self.high is None else f"; {self.low} to {self.high:,}"
        none = ", None for none" if self.is_time else ""
        return f"{self.help}{none}{bounds}" + (f" (default: {default:g})" if default else "")


SECONDS = Parameter("time limit in seconds", 0, MOST_SECONDS, is_time=True, option="--time")
SEED = Parameter("the same seed gives the same search on every machine, with one thread", 0, HIGHEST_SEED)
THREADS = Parameter("parallel searches, 0 for one per core", 0, MOST_THREADS)
CORES = THREADS.with_help("cores to use, 0 for all")
FIRST = Parameter("stop at the first fill, without improving its words")
ALLOW_REPEATS = Parameter("allow a word to appear twice in the grid")
MIN_SCORE = Parameter("minimum word score", 0, 100)

SIZE = Parameter("rows and columns (default: 15x15)", option="--size")
PROFILE = Parameter("an outlet's requirements (default: the usual profile for the size)")
SYMMETRY = Parameter("symmetry of the blocks (default: the profile's)")
MAX_WORDS = Parameter("maximum number of entries", 1, 1000, option="--max-words")
MIN_WORDS = Parameter("minimum number of entries", 1, 1000, option="--min-words")
MAX_BLOCKS = Parameter("maximum number of blocks", 0, 1600, option="--max-blocks")
MIN_BLOCKS = Parameter("minimum number of blocks", 0, 1600, option="--min-blocks")

DIRECTION = Parameter("direction of the theme answers (default: across, or both if that gives no design)")
REVEALER = Parameter("an answer that must come last")
CHOOSE = Parameter("use only this many of the answers, the ones that fit together best", 1, 20)
DESIGN_COUNT = Parameter("how many to keep (default: 10)", 1, MOST_DESIGNS)
QUICK = Parameter("stop once there are enough, without improving their fills")


class Limits(TypedDict, total=False):
    """Keywords that limit a search; all are optional."""

    seconds: Annotated[float | None, SECONDS]
    seed: Annotated[int, SEED]
    threads: Annotated[int, THREADS]
    cancelled: Annotated[
        Callable[[], bool],
        Parameter("called often; soon after it returns True, the function ends with what it has"),
    ]


def keywords_of(kind: type[Any]) -> Mapping[str, tuple[Parameter, Any]]:
    """Return the option and the type of each field of a typed dictionary."""
    found: dict[str, tuple[Parameter, Any]] = {}
    for name, annotation in kind.__annotations__.items():
        resolved = annotation
        if isinstance(resolved, ForwardRef):  # the module has postponed annotations
            resolved = eval(resolved.__forward_arg__, vars(sys.modules[str(resolved.__forward_module__)]))
        [parameter] = resolved.__metadata__
        found[name] = parameter, resolved.__origin__
    return found


Function = TypeVar("Function", bound=Callable[..., Any])


def takes(kind: type[Any], **defaults: float | None) -> Callable[[Function], Function]:
    """Declare that a function takes the keywords of a typed dictionary, with defaults for some of them.

    The keywords are checked before the call: a value out of bounds raises PuzzleError, an unknown name TypeError.
    The function's docstring is extended with a list of the keywords, and its signature shows those with a default.
    """
    keywords = keywords_of(kind)

    def declare(function: Function) -> Function:
        signature = inspect.signature(function)
        *positional, rest = signature.parameters.values()
        known = {*keywords, *(each.name for each in positional)}

        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            if unknown := sorted(given.keys() - known):
                near = [f"; did you mean {one!r}?" for one in get_close_matches(unknown[0], known, n=1)]
                raise TypeError(f"{function.__name__}() has no keyword {unknown[0]!r}{''.join(near)}")
            for name in keywords.keys() & given.keys():
                parameter, type_ = keywords[name]
                with failing_as(PuzzleError, name, of=PuzzleError):
                    if given[name] is not None or "| None" not in str(type_):
                        given[name] = parameter.checked(given[name])
            return function(*args, **(defaults | given))

        lines = [
            f"    {name}: {parameter.keyword_help(defaults.get(name))}"
            for name, (parameter, _) in keywords.items()
        ]
        call.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Args:", *lines])
        optional = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=keywords[name][1])
            for name, value in defaults.items()
        ]
        call.__signature__ = signature.replace(parameters=[*positional, *optional, rest])  # type: ignore[attr-defined]
        return cast(Function, call)

    return declare
