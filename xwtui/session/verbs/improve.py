"""The verb that makes a fill better."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from xwtui.session.fill_options import (
    DEFAULT_MARK,
    FLATTENING,
    Goodness,
    ImproveAim,
    Mode,
    exponent_of,
    goodness_named,
    letters_of,
)
from xwtui.session.verbs.run_options import run_options, run_order, start_run, strict_option
from xwtui.session.verbs.types import NumberType, VerbType
from xwtui.session.verbs.verb import Answer, FromShell, Group, Writes, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


class ReadBy(VerbType[Any]):
    """What a function reads, whatever the session holds."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def read(self, text: str, session: Session) -> Any:
        """What the text means; raises PuzzleError where it means nothing."""
        return self._read(text)


class GoodnessType(VerbType[Goodness]):
    """What makes a fill better."""

    name = "what"

    def read(self, text: str, session: Session) -> Goodness:
        """One of the aims; raises PuzzleError, naming them, for another word."""
        return goodness_named(text)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The aims."""
        found = (one for one in Goodness if one.value.startswith(beginning.lower()))
        return [CompletionItem(one.value, help=one.meaning) for one in found]


_BY = "; ".join(
    ["mean: the best mean score, if nothing else is asked for"]
    + [f"{one.value}: {one.meaning}" for one in Goodness if one is not Goodness.MEAN]
)


@verb(
    Group.FILL,
    key="ctrl+g",
    examples=(
        "improve",
        "improve --time 30",
        "improve --by lowest",
        "improve --by below --mark 45",
        "improve --by flat --exponent 0.3",
        "improve --avoid Q",
    ),
    from_shell=FromShell({"seconds": "10", "seed": "0", "threads": "0"}, writes=Writes.PUZZLE, hidden=("strict",)),
)
@click.option("--by", type=GoodnessType(), default="mean", help=_BY)
@click.option("--mark", type=NumberType(0, 100), help=f"the score for `--by below`, {DEFAULT_MARK} if not given")
@click.option(
    "--exponent",
    type=ReadBy("number", exponent_of),
    help=f"for `--by flat`, {FLATTENING} if not given; below 1, low scores weigh more",
)
@click.option("--avoid", type=ReadBy("letters", letters_of), help="letters to get rid of, before all else")
@run_options
@strict_option
def improve(
    session: Session,
    by: Goodness,
    mark: int | None,
    exponent: float | None,
    avoid: str | None,
    strict: bool,
    **options: Any,
) -> Answer:
    """Make the fill on the grid better and better, until it is stopped; what is in pen or locked stays.

    Every better fill is shown at once and kept (`fills` lists them); `stop` keeps the best, and one undo leads
    back. Entries that are unfinished or not in the word list are replaced first. What it says after `at best`,
    no fill exceeds.
    """
    aim = ImproveAim.of(by, mark, avoid, exponent)
    return start_run(session, run_order(session, Mode.IMPROVE, aim=aim, **options), is_strict=strict)
