"""What the options of `fill` and `improve` ask for, as requests."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from xwtui.errors import PuzzleError
from xwtui.session.fill_options import DEFAULT_COUNT, DEFAULT_DIFFERENCE, Aim, Goodness, Mode
from xwtui.shell.options import search_request
from xwtui.shell.requests import FillRequest, Part


class ReadBy(click.ParamType[Any]):
    """What a function reads; the PuzzleError that it raises says what is wrong."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What the text means."""
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except PuzzleError as error:
            self.fail(str(error), param, ctx)


class Percent(click.ParamType[float]):
    """A share in percent, with its sign or without."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The share, 0 to 1."""
        match = re.fullmatch(r"(\d{1,3}(?:\.\d{0,3})?)%?", str(value).strip())
        if match is None or float(match[1]) > 100:
            self.fail(f"{value!r} is no share in percent, such as 30%", param, ctx)
        return float(match[1]) / 100


def is_list_of_strategies(strategy: str) -> bool:
    """Whether `--strategy` asks which strategies there are, for which no grid is needed."""
    return strategy.strip().lower() == "list"


def fill_request(
    started: float,
    *,
    outputs: tuple[Path, ...],
    lossy: bool,
    only: str,
    around: str,
    partial: bool,
    best: bool,
    count: int | None,
    diverse: bool,
    differ: float | None,
    strategy: str,
    wants_all: bool,
    trace: Path | None = None,
    **search: Any,
) -> FillRequest:
    """The request of `fill`; raises UsageError for options that contradict each other."""
    several = count is not None or diverse or differ is not None
    if partial + best + several > 1:
        raise click.UsageError("--partial, --best and several fills are three things; ask for one of them")
    if (strategy or wants_all) and (partial or best or several):
        raise click.UsageError("--strategy and --all belong to a plain fill, not to --partial, --best or --count")
    mode = Mode.PARTIAL if partial else Mode.BEST if best else Mode.DIVERSE if several else Mode.FILL
    default = DEFAULT_DIFFERENCE if diverse else 0.0
    if trace is not None:
        search = _traced(mode, search)
    return FillRequest(
        search_request(started, **search),
        outputs,
        lossy,
        Part(only, around),
        mode,
        count=DEFAULT_COUNT if count is None else count,
        difference=default if differ is None else differ,
        trace=trace,
        strategy=strategy,
        wants_all=wants_all,
    )


def _traced(mode: Mode, search: dict[str, Any]) -> dict[str, Any]:
    """The options of a search that is written down: raises UsageError where more than one is asked for."""
    if mode is not Mode.FILL:
        raise click.UsageError("--trace writes down one plain fill; leave the other kinds of fill away")
    if search["threads"] > 1:
        raise click.UsageError("--trace writes down one search; leave --threads away")
    return {**search, "threads": 1}


def improve_request(
    started: float,
    *,
    outputs: tuple[Path, ...],
    lossy: bool,
    only: str,
    around: str,
    by: Goodness,
    mark: int | None,
    exponent: float | None,
    avoid: str | None,
    **search: Any,
) -> FillRequest:
    """The request of `improve`; raises VerbError for two aims."""
    return FillRequest(
        search_request(started, **search),
        outputs,
        lossy,
        Part(only, around),
        Mode.IMPROVE,
        aim=Aim.of(by, mark, avoid, exponent),
    )
