"""Compare the search with an earlier commit in one run: `python -m bench.earlier COMMIT [--seeds N]`.

Both fill the same templates with the same words and seeds, alternating, on one thread each, and report processor
seconds. The earlier commit is checked out into a temporary folder and compiles its kernels there. Fills should be
identical, square by square: a seed is a promise. No time is a pass/fail threshold.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from bench.fillers import clock
from bench.fillers.server import Server
from bench.kinds import chosen
from bench.tables import duration, geometric_mean, table
from xwtui.resources import default_word_list

CHECKOUT = Path(__file__).resolve().parents[1]
MODULES = ("bench.fillers.xwtui_server", "tests.bench.fillers.xwtui_server")
"""Module of the filler server: now, and before `bench/` was a top-level folder."""
_SLACK = 10.0
_SKIPPED = ("squares", "small")
"""Kinds of templates that fill too quickly to compare."""


@dataclass
class Comparison:
    """Results for one kind of templates."""

    earlier: list[float] = field(default_factory=list)
    """Seconds of each search that both finished."""
    now: list[float] = field(default_factory=list)
    unsettled: int = 0
    """Searches that at least one of the two did not finish in time."""
    different: int = 0
    """Searches that both finished, with different fills."""

    def note(self, earlier: dict[str, Any] | None, now: dict[str, Any] | None) -> None:
        """Record the two answers to one request."""
        if earlier is None or now is None or not (_is_settled(earlier) and _is_settled(now)):
            self.unsettled += 1
            return
        self.earlier.append(earlier["seconds"])
        self.now.append(now["seconds"])
        self.different += earlier["rows"] != now["rows"]

    def cells(self) -> list[str]:
        """Return the comparison as table cells."""
        if not self.now:
            return ["0", str(self.unsettled), "", "", "", ""]
        ratios = [now / earlier for now, earlier in zip(self.now, self.earlier, strict=True)]
        return [
            str(len(ratios)),
            str(self.unsettled),
            str(self.different),
            duration(statistics.median(self.now)),
            f"{geometric_mean(ratios):.3f}",
            f"{sum(self.now) / sum(self.earlier):.3f}",
        ]


def _is_settled(answer: dict[str, Any]) -> bool:
    return bool(answer["rows"] or answer["proof"])


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check out an earlier commit into a temporary folder. Raises CalledProcessError for an unknown commit."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "earlier"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", str(place), commit], cwd=CHECKOUT, check=True)
        try:
            yield place
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(place)], cwd=CHECKOUT, check=True)


@contextmanager
def filling(checkout: Path, words: Path, minimum_score: int) -> Iterator[Server]:
    """Start the filler server of a checkout, with its own kernel cache."""
    module = next(name for name in MODULES if (checkout / Path(*name.split("."))).with_suffix(".py").exists())
    start = f"cd '{checkout}' && exec '{sys.executable}' -m {module} '{words}' {minimum_score}"
    with Server(["env", f"XDG_CACHE_HOME={checkout}/build/cache", "sh", "-c", start]) as server:
        yield server


@click.command()
@click.argument("commit")
@click.option("--seeds", type=int, default=3, show_default=True, help="Searches of each template.")
@click.option("--time", "seconds", type=float, default=8.0, show_default=True, help="Longest search in seconds.")
@click.option(
    "--templates", "most", type=int, default=8, show_default=True, help="Templates of each kind at most."
)
@click.option("--min-score", "minimum_score", type=int, default=40, show_default=True)
def main(commit: str, seeds: int, seconds: float, most: int, minimum_score: int) -> None:
    """Fill templates with this checkout and with an earlier COMMIT."""
    clock.use_processor_time()
    os.environ.pop("NUMBA_CACHE_DIR", None)
    words = default_word_list()
    found: dict[str, Comparison] = {}
    with (
        checked_out(commit) as place,
        filling(place, words, minimum_score) as earlier,
        filling(CHECKOUT, words, minimum_score) as now,
    ):
        for kind, templates in chosen(("*.txt",), most):
            if kind.name in _SKIPPED:
                continue
            comparison = found[kind.name] = Comparison()
            for turn, template in enumerate(templates):
                for seed in range(seeds):
                    request = {"rows": template.read_text().split(), "seed": seed, "seconds": seconds}
                    pair = (earlier, now) if (turn + seed) % 2 else (now, earlier)
                    answers = {id(server): server.ask(request, seconds + _SLACK) for server in pair}
                    comparison.note(answers[id(earlier)], answers[id(now)])
    everything = Comparison()
    for comparison in found.values():
        everything.earlier += comparison.earlier
        everything.now += comparison.now
        everything.unsettled += comparison.unsettled
        everything.different += comparison.different
    head = ["templates", "searches", "open", "other fills", "median", "geometric mean", "in all"]
    rows = [[name, *comparison.cells()] for name, comparison in {**found, "all": everything}.items()]
    print("\n".join(table(head, rows)))


if __name__ == "__main__":
    main()
