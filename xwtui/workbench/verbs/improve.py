"""The verb that makes a fill better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from xwtui.errors import PuzzleError, VerbError
from xwtui.text import printable
from xwtui.workbench.orders import DEFAULT_MARK, Aim, Goodness, Mode
from xwtui.workbench.verbs.fill_types import LettersType
from xwtui.workbench.verbs.run_options import run_options, run_order
from xwtui.workbench.verbs.types import NumberType, VerbType
from xwtui.workbench.verbs.verb import Answer, Group, Reply, verb

if TYPE_CHECKING:
    from xwtui.workbench.workbench import Workbench

_MEANINGS = {
    Goodness.MEAN: "the mean score",
    Goodness.LOWEST: "the lowest score first, then the mean",
    Goodness.FLAT: "the mean of scores that are flattened, so that low ones weigh more",
    Goodness.BELOW: "few entries below --mark, then the mean",
    Goodness.FRESH: "many different letters (a pangram), then the mean",
}


class GoodnessType(VerbType[Goodness]):
    """What makes a fill better."""

    name = "what"

    def read(self, text: str, workbench: Workbench) -> Goodness:
        """One of the aims; raises PuzzleError, naming them, for another word."""
        try:
            return Goodness(text.strip().lower())
        except ValueError:
            names = ", ".join(one.value for one in Goodness)
            raise PuzzleError(f"{printable(text, 30)!r} is none of {names}") from None

    def offers(self, workbench: Workbench, beginning: str) -> list[CompletionItem[str]]:
        """The aims."""
        found = (one for one in Goodness if one.value.startswith(beginning.lower()))
        return [CompletionItem(one.value, help=_MEANINGS[one]) for one in found]


@verb(
    Group.FILL,
    key="ctrl+g",
    examples=(
        "improve",
        "improve --time 30",
        "improve --by lowest",
        "improve --by below --mark 45",
        "improve --avoid Q",
    ),
)
@click.option("--by", type=GoodnessType(), default="mean", help="mean (if not given), lowest, flat, below, fresh")
@click.option("--mark", type=NumberType(0, 100), help=f"the score for `--by below`, {DEFAULT_MARK} if not given")
@click.option("--avoid", type=LettersType(), help="letters to get rid of, before all else")
@run_options
def improve(workbench: Workbench, by: Goodness, mark: int | None, avoid: str | None, **options: Any) -> Answer:
    """Make the fill on the grid better and better, until it is stopped; what is in pen or locked stays.

    Every better fill is shown at once; `stop` keeps the best, and one undo leads back. Entries that
    are unfinished or not in the word list are replaced first.
    """
    if mark is not None and by is not Goodness.BELOW:
        raise VerbError("improve: --mark belongs to --by below")
    if avoid and by is not Goodness.MEAN:
        raise VerbError("improve: --avoid is an aim of its own; leave --by away")
    aim = Aim(by, DEFAULT_MARK if mark is None else mark, avoid or "")
    workbench.begin(run_order(workbench, Mode.IMPROVE, aim=aim, **options))
    return Reply(started=True)
