"""Cost of tracing: kernels without it, with it off and with it on; and a recording of a million events."""

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from bench.events import million_lines
from bench.fillers.server import Server
from bench.tables import duration, geometric_mean, table
from bench.untraced import copy_untraced
from xwtui.resources import puzzles_folder

_ROOT = Path(__file__).resolve().parents[1]
_TEMPLATES = ("15x15-01", "themeless-15x15", "wide-open-15x15", "wide-open-15x15-05", "21x21-01", "square-6x6")
_NODES = 4000
_PATIENCE = 600.0
WITHOUT, OFF, ON = "without tracing", "tracing off", "tracing on"


class Case(NamedTuple):
    """A search: the rows of a grid, and a seed."""

    template: str
    rows: str
    seed: int


Seconds = Mapping[str, list[float]]
"""For each variant, the processor seconds of each round."""


def lines(words: Path, minimum_score: int, tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Return the tables of this part."""
    rounds = 5 if is_quick else 9
    measured = compare(cases(2 if is_quick else 4), words, minimum_score, rounds, tell)
    explained = (
        f"Processor time of the same searches in all three, at most {_NODES:,} nodes each, {rounds} rounds in "
        f"turns. `{WITHOUT}`: the same kernels, compiled without any check for tracing. "
        "A ratio compares the fastest runs of a search; means are geometric."
    )
    head = ["template", "nodes", WITHOUT, "off / without", "on / off"]
    return [explained, "", *table(head, _rows(measured)), "", *million_lines(tell)]


def cases(seeds: int) -> list[Case]:
    """Return the searches to compare."""
    folder = puzzles_folder() / "templates"
    rows = {name: (folder / f"{name}.txt").read_text() for name in _TEMPLATES}
    return [Case(name, rows[name], seed) for name in _TEMPLATES for seed in range(seeds)]


def compare(
    searches: Sequence[Case], words: Path, minimum_score: int, rounds: int, tell: Callable[[str], None]
) -> dict[Case, tuple[int, Seconds]]:
    """Return each search's nodes and each variant's seconds. The variants take turns, with rotating order.

    Raises RuntimeError if variants do not run the same search.
    """
    found: dict[Case, tuple[int, Seconds]] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tell("compiling the kernels without tracing")
        bare = stack.enter_context(_server(words, minimum_score, copy_untraced(folder), folder / "cache"))
        plain = stack.enter_context(_server(words, minimum_score))
        variants = [(WITHOUT, bare, False), (OFF, plain, False), (ON, plain, True)]
        for search in searches:
            seconds: dict[str, list[float]] = {name: [] for name, _, _ in variants}
            counts: set[tuple[int, int]] = set()
            for number in range(rounds + 1):
                tell(f"{search.template}, seed {search.seed}: round {number} of {rounds}")
                turn = number % len(variants)
                for name, server, trace in variants[turn:] + variants[:turn]:
                    answer = _ask(server, search, trace=trace)
                    counts.add((answer["nodes"], answer["backtracks"]))
                    if number:  # The first round only warms up.
                        seconds[name].append(answer["seconds"])
            if len(counts) != 1:
                raise RuntimeError(f"{search.template}: tracing changes the search: {counts}")
            found[search] = (counts.pop()[0], seconds)
    return found


def _server(words: Path, minimum_score: int, package: Path | None = None, cache: Path | None = None) -> Server:
    """Start a server with the package in a folder, or with the installed one."""
    program = f"import os, sys; sys.path[:0] = {[str(one) for one in (package, _ROOT) if one]!r}; "
    if cache is not None:
        program += f"os.environ['NUMBA_CACHE_DIR'] = {str(cache)!r}; "
    program += f"from bench.tracing_server import main; main({str(words)!r}, {minimum_score})"
    return Server([sys.executable, "-c", program])


def _ask(server: Server, search: Case, *, trace: bool) -> dict[str, Any]:
    request = {"rows": search.rows, "seed": search.seed, "nodes": _NODES, "trace": trace}
    answer = server.ask(request, _PATIENCE)
    if answer is None:
        raise RuntimeError(f"the search of {search.template} did not answer")
    return answer


def _rows(measured: Mapping[Case, tuple[int, Seconds]]) -> list[list[str]]:
    """Return a row per template, and one for all."""
    rows = []
    for name in dict.fromkeys(search.template for search in measured):
        group = [found for search, found in measured.items() if search.template == name]
        nodes = sum(count for count, _ in group)
        least = sum(min(seconds[WITHOUT]) for _, seconds in group)
        rows.append([name, f"{nodes:,}", duration(least), *_ratios([seconds for _, seconds in group])])
    return [*rows, ["all", "", "", *_ratios([seconds for _, seconds in measured.values()])]]


def _ratios(group: Sequence[Seconds]) -> list[str]:
    return [f"{geometric_mean(ratios(group, one, other)):.3f}" for one, other in ((OFF, WITHOUT), (ON, OFF))]


def ratios(group: Sequence[Seconds], one: str, other: str) -> list[float]:
    """Return for each search the ratio of the fastest times of one variant to another."""
    return [min(seconds[one]) / min(seconds[other]) for seconds in group]
