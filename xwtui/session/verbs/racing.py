"""The verbs that race strategies against each other, and their answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.shell_completion import CompletionItem

from xwtui.batch.races import DEFAULT_SECONDS, DEFAULT_SEEDS, MOST_SEEDS
from xwtui.engine.budget import threads_of
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.parameters import CORES, HIGHEST_SEED, SECONDS, SEED
from xwtui.session.answers import FilesWritten, VerbAnswer
from xwtui.session.verbs.fill import strategy_names
from xwtui.session.verbs.kinds import Item, asked, file_kind, number_kind, offered, parameter_kind
from xwtui.session.verbs.verb import Answer, FromShell, Group, Writes, argument, option, verbs_of

with lazy_imports():
    from xwtui.batch.races.export import check_target, race_as_json, status, write_race
    from xwtui.batch.races.report import report_lines
    from xwtui.batch.races.task import RaceOrder, RaceView, read_entrants
    from xwtui.engine.events.event import Outcome
    from xwtui.session.document import full_path
    from xwtui.session.jobs import race_job
    from xwtui.session.session import Session

verb = verbs_of(Group.FILL)

_REPORT_WIDTH = 76
_WIDEST_REPORT = 100
_SUFFIXES = (".json", ".csv", ".svg")


def _entrants_offers(session: Session, beginning: str) -> list[Item]:
    head, comma, last = beginning.rpartition(",")
    return [CompletionItem(f"{head}{comma}{one.value}", help=one.help) for one in offered(strategy_names(), last)]


@parameter_kind("strategies", _entrants_offers)
def ENTRANTS(text: str, session: Session) -> str:
    """Strategies with their options, separated by commas."""
    read_entrants([text])
    return text


def _check_file(path: Path) -> None:
    check_target(path)


class RaceAnswer(VerbAnswer):
    """A race that has ended or was stopped."""

    view: RaceView
    work = "race"
    stopped = "this is the race so far"

    @property
    def verdict(self) -> Outcome:
        return Outcome(status(self.view))

    @property
    def seconds(self) -> float:
        return self.view.seconds

    @property
    def lines(self) -> Sequence[str]:
        return self.report("", _REPORT_WIDTH)

    @property
    def as_json(self) -> dict[str, Any]:
        return race_as_json(self.view)

    def report(self, times: str, columns: int) -> Sequence[str]:
        return report_lines(self.view, min(columns, _WIDEST_REPORT))

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        write_race(path, self.view)
        return FilesWritten((path,))


@verb(
    asks=True,
    examples=("race", "race xwtui xwtui:order=score top-ten", "race --seeds 5 --time 2"),
    from_shell=FromShell(writes=Writes.OWN, check_file=_check_file),
)
def race(
    session: Session,
    strategies: tuple[str, ...] = argument("the strategies to race (default: all but sat)", ENTRANTS),
    named: tuple[str, ...] = option("the strategies to race, as an option", ENTRANTS, name="--strategies"),
    seeds: int = option("number of runs for each", number_kind(1, MOST_SEEDS), default=str(DEFAULT_SEEDS)),
    seed: int = asked(SEED.with_help("the first seed"), default="0"),
    seconds: float = asked(
        SECONDS.with_help("time limit for each run, in seconds"), default=f"{DEFAULT_SECONDS:g}"
    ),
    threads: int = asked(CORES, default="0"),
) -> Answer:
    """Race search strategies on the grid, with the same words, rules and seeds for each.

    Each run has its own processor time. `stop` ends the race with the results so far, `race show` shows them
    again, and `race save FILE` writes them.
    """
    if seconds == math.inf:
        raise VerbError("a race needs a time limit: --time SECONDS")
    if seed + seeds - 1 > HIGHEST_SEED:
        raise VerbError(f"race: the last seed would exceed {HIGHEST_SEED:,}; use a smaller --seed")
    order = RaceOrder(
        read_entrants((*strategies, *named)), tuple(range(seed, seed + seeds)), seconds, threads_of(threads)
    )
    session.jobs.race.start(order)

    def answer() -> RaceAnswer:
        view = session.jobs.race.view
        assert view is not None
        return RaceAnswer(view)

    return answer


@verb(examples=("race show",))
def race_show(session: Session) -> Answer:
    """Show the results of the last race, or of the current one so far."""
    return RaceAnswer(_last_race(session))


def _last_race(session: Session) -> RaceView:
    if (view := session.jobs.race.view) is None:
        raise VerbError(race_job.NO_RACE)
    return view


@verb(examples=("race save race.csv", "race save race.svg"))
def race_save(
    session: Session,
    file: Path = argument("a .json, .csv or .svg file", file_kind(*_SUFFIXES)),
    force: bool = option("overwrite a file that this session did not write"),
) -> Answer:
    """Write the results of the last race as JSON, CSV or a plot."""
    view, target = _last_race(session), full_path(file)
    check_target(target)
    with session.document.exported.guard("race save --force", file, force=force)(target):
        write_race(target, view)
    return f"the race is in {file}"
