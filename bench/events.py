"""Record a search of up to a million events, as the screen does: memory, time per event, time per view."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bench.measured import measured
from bench.tables import duration, table
from xwtui.engine.budget import Budget
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import WordChoice
from xwtui.resources import puzzles_folder
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.stepped import record as take_events
from xwtui.session.recording import Recording
from xwtui.session.run_view import view_of
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.sources import load_lexicon

_MILESTONES = (10_000, 100_000, 200_000, 500_000, 1_000_000)
_SEARCHES = {"xwtui": "wide-open-15x15", "trie": "wide-open-15x15"}
"""Searchers, each with a template on which it runs long."""
_SLICE_SECONDS = 0.03
_LOOKS = 20


def million_lines(tell: Callable[[str], None]) -> list[str]:
    """Return a table of the cost of a search and its recording, up to a million events."""
    rows = []
    for name in _SEARCHES:
        tell(f"a million events of {name}")
        taken = measured([sys.executable, "-m", "bench.events", name])
        if taken is None or taken.status:
            raise RuntimeError(f"the search of {name} was not recorded")
        rows += [_row(name, json.loads(line)) for line in taken.output.splitlines()]
    explained = (
        "A search recorded as on the screen, where you can go to any event: processor time per event of search "
        "and recording together, memory of the whole process, and the time to show the latest event and one in "
        "the middle. At least the latest 131,072 events are kept."
    )
    head = ["search", "events", "an event", "of it recording", "memory", "latest", "middle"]
    return [explained, "", *table(head, rows)]


def _row(name: str, found: dict[str, Any]) -> list[str]:
    microseconds = [f"{found[key] * 1e6:.2f} µs" for key in ("event", "recording")]
    looks = [duration(found["latest"]), duration(found["middle"])]
    return [name, f"{found['events']:,}", *microseconds, f"{found['megabytes']:.0f} MB", *looks]


def record(name: str) -> None:
    """Search and record, printing a line of JSON at each milestone."""
    template = puzzles_folder() / "templates" / f"{_SEARCHES[name]}.txt"
    task = Task(grid_from_text(template.read_text()), load_lexicon(WordChoice()).lexicon)
    search = _search(name, task)
    recording = Recording(task.grid, strategy=name)
    searching = taking = 0.0
    for milestone in _MILESTONES:
        while recording.length < milestone and not search.has_ended:
            begin = time.process_time()
            search.advance(Budget(_SLICE_SECONDS))
            middle = time.process_time()
            take_events(search, recording)
            searching += middle - begin
            taking += time.process_time() - middle
        found = {
            "events": recording.length,
            "event": (searching + taking) / recording.length,
            "recording": taking / recording.length,
            "megabytes": _megabytes(),
            "latest": _look_seconds(recording, search),
        }
        recording.move(Goal(place=(recording.first + recording.length) // 2))
        found["middle"] = _look_seconds(recording, search)
        recording.move(Goal(place=recording.length))
        print(json.dumps(found), flush=True)


def _search(name: str, task: Task) -> Strategy:
    strategy = StrategyChoice.parse(name).make(task)
    strategy.record()
    return strategy


def _look_seconds(recording: Recording, search: Strategy) -> float:
    """Return the processor seconds needed to view the recording's current position."""
    view = view_of(search)
    begin = time.process_time()
    for _ in range(_LOOKS):
        recording.seen(view)
    return (time.process_time() - begin) / _LOOKS


def _megabytes() -> float:
    """Return the current memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


@click.command()
@click.argument("name", type=click.Choice(list(_SEARCHES)))
def main(name: str) -> None:
    """Record one of the searches in a process of its own, and print the cost as JSON."""
    record(name)


if __name__ == "__main__":
    main()
