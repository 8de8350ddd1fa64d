"""What callers may ask for, on every face: in words, within which bounds, and what it is if nobody says.

Each is an `Asked`, and said once. An option of a verb is made of it (`asked`, in `session/verbs/kinds.py`), and a
keyword from Python, too: a field of a typed dictionary, `seed: Annotated[int, SEED]`, which a function `takes`.
What is out of bounds is refused in the same words; docstrings and docs/api.md tell of it.
"""

import inspect
import math
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from numbers import Integral, Real
from typing import Annotated, Any, ForwardRef, NamedTuple, TypedDict, TypeVar, cast

from xwtui.errors import PuzzleError

HIGHEST_SEED = 2**32 - 1
MOST_THREADS = 256
MOST_SECONDS = 7 * 86_400


class Asked(NamedTuple):
    """Something that callers may ask for: its help, and its bounds where it is a number."""

    help: str
    low: int = 0
    high: int | None = None
    """None for what is no whole number."""
    is_time: bool = False
    option: str = ""
    """What the option of a verb is called, where that is not the parameter's name."""

    def said(self, help: str) -> "Asked":
        """The same in the words of a verb for which it means something narrower."""
        return self._replace(help=help)

    def check(self, value: object) -> None:
        """Raise PuzzleError for what is out of bounds; None is what nobody has said."""
        if value is None:
            return
        if self.is_time:
            is_within = isinstance(value, Real) and (0 <= float(value) <= MOST_SECONDS or value == math.inf)
        else:
            is_within = self.high is None or (isinstance(value, Integral) and self.low <= int(value) <= self.high)
        if not is_within:
            raise self.refusal(value)

    def refusal(self, value: object) -> PuzzleError:
        """Why a number is refused."""
        if self.is_time:
            return PuzzleError(f"{value!r} is not a time in seconds such as 5 or 0.5")
        return PuzzleError(f"{value!r} is not a whole number from {self.low} to {self.high:,}")

    def keyword_help(self, usual: object = None) -> str:
        """The help of a keyword from Python, with its bounds, and with what is usual where that is told."""
        bounds = "" if self.high is None else f"; {self.low} to {self.high:,}"
        none = ", None for none" if self.is_time else ""
        return f"{self.help}{none}{bounds}" + ("" if usual is None else f" (default: {usual:g})")


SECONDS = Asked("time limit in seconds", is_time=True, option="--time")
SEED = Asked("the same seed gives the same search on every machine, with one thread", 0, HIGHEST_SEED)
THREADS = Asked("parallel searches, 0 for one per core", 0, MOST_THREADS)
CORES = THREADS.said("cores to use, 0 for all")
FIRST = Asked("stop at the first fill, without improving its words")
ALLOW_REPEATS = Asked("allow a word to appear twice in the grid")
MIN_SCORE = Asked("minimum word score", 0, 100)

SIZE = Asked("rows and columns (default: 15x15)", option="--size")
PROFILE = Asked("an outlet's requirements (default: the usual profile for the size)")
SYMMETRY = Asked("symmetry of the blocks (default: the profile's)")
MAX_WORDS = Asked("maximum number of entries", 1, 1000)
MIN_WORDS = Asked("minimum number of entries", 1, 1000)
MAX_BLOCKS = Asked("maximum number of blocks", 0, 1600)
MIN_BLOCKS = Asked("minimum number of blocks", 0, 1600)

DIRECTION = Asked("direction of the theme answers (default: across, or both if that gives no design)")
REVEALER = Asked("an answer that must come last")
CHOOSE = Asked("use only this many of the answers, the ones that fit together best", 1, 20)
DESIGN_COUNT = Asked("how many to keep (default: 10)", 1, 500)
QUICK = Asked("stop once there are enough, without improving their fills")


class Limits(TypedDict, total=False):
    """What callers may say of how long something takes; all of it may be left out."""

    seconds: Annotated[float | None, SECONDS]
    seed: Annotated[int, SEED]
    threads: Annotated[int, THREADS]
    cancelled: Annotated[
        Callable[[], bool], Asked("asked often; soon after it says True, it ends with what there is")
    ]


def keywords_of(kind: type[Any]) -> Mapping[str, Asked]:
    """What the fields of a typed dictionary are declared to be."""
    found: dict[str, Asked] = {}
    for name, annotation in kind.__annotations__.items():
        told = annotation
        if isinstance(told, ForwardRef):  # of a module that keeps annotations as text
            told = eval(told.__forward_arg__, vars(sys.modules[str(told.__forward_module__)]))
        [found[name]] = told.__metadata__
    return found


Function = TypeVar("Function", bound=Callable[..., Any])


def takes(kind: type[Any], **usual: float) -> Callable[[Function], Function]:
    """Declare that a function takes the keywords of a typed dictionary, and what some of them usually are.

    It is called with them checked: PuzzleError is raised for what is out of bounds, TypeError for an unknown name.
    Its docstring goes on with what they are.
    """
    keywords = keywords_of(kind)

    def declare(function: Function) -> Function:
        code = function.__code__
        known = {*keywords, *code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}

        @wraps(function)
        def call(*args: Any, **said: Any) -> Any:
            if unknown := sorted(said.keys() - known):
                raise TypeError(f"there is no keyword argument {unknown[0]!r}")
            for name in keywords.keys() & said.keys():
                try:
                    keywords[name].check(said[name])
                except PuzzleError as error:
                    raise PuzzleError(f"{name}: {error}") from None
            return function(*args, **(usual | said))

        told = [f"    {name}: {asked.keyword_help(usual.get(name))}" for name, asked in keywords.items()]
        call.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Args:", *told])
        return cast(Function, call)

    return declare
