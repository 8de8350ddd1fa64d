"""Fill quality: our first fill, our fill improved for some seconds, and the fills of our peers."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench.contest import Rules
from bench.fillers.field import FILLERS, OURS
from bench.fillers.filler import Filler
from bench.fillers.served import Served, serving
from bench.judge import objection
from bench.result import Scores, scores
from bench.tables import table

AIMS = ("mean", "lowest")
_PATIENCE = 30
"""Timeout factor over an improver's own limit, for shared machines."""
MODULE = "bench.fillers.xwtui_server"


@dataclass(frozen=True)
class Quality:
    """Scores of the fills of one template by filler; missing if it gave up or was faulty."""

    template: str
    fills: Mapping[str, Scores]


def columns(fillers: Sequence[Filler]) -> list[str]:
    """Return the column names of the fills, ours first."""
    return [OURS, *(f"{OURS}, {aim}" for aim in AIMS), *(each.name for each in fillers if each.name != OURS)]


def compare(
    templates: Sequence[Path],
    rules: Rules,
    words: Path,
    improving: float,
    threads: int,
    tell: Callable[[str], None],
) -> Iterator[Quality]:
    """Fill each template with every installed filler, and improve our own fill for `improving` seconds."""
    with ExitStack() as stack:
        present = [each for each in FILLERS if each.is_installed()]
        running = {each: stack.enter_context(each.start(words, rules.minimum_score)) for each in present}
        improver = stack.enter_context(serving(MODULE, words, rules.minimum_score))
        for path in templates:
            rows = path.read_text().split()
            filled: dict[str, Sequence[str]] = {}
            for filler, process in running.items():
                tell(f"{path.stem}: {filler.name}")
                filled[filler.name] = process.fill(path, rules.seeds[0], rules.seconds).rows
            for aim in AIMS if filled[OURS] else ():
                tell(f"{path.stem}: improving the {aim} score")
                filled[f"{OURS}, {aim}"] = improved(improver, rows, filled[OURS], aim, improving, threads)
            legal = {
                name: fill for name, fill in filled.items() if fill and not objection(rows, fill, rules.words)
            }
            yield Quality(path.stem, {name: scores(fill, rules.words) for name, fill in legal.items()})


def improved(
    improver: Served, rows: Sequence[str], start: Sequence[str], aim: str, seconds: float, threads: int
) -> tuple[str, ...]:
    """Improve a fill and return its rows; empty if the improver died."""
    request = {"rows": rows, "start": start, "aim": aim, "seed": 0, "seconds": seconds, "threads": threads}
    return improver.ask(request, _PATIENCE * seconds).rows


def quality_lines(qualities: Sequence[Quality], names: Sequence[str]) -> list[str]:
    """Return the table of averages, and one with each fill's mean and lowest score per template."""
    rows = [[each.template, *(_cell(each.fills.get(name)) for name in names)] for each in qualities]
    return [*_mean_lines(qualities, names), "", *table(["template", *names], rows)]


def _mean_lines(qualities: Sequence[Quality], names: Sequence[str]) -> list[str]:
    """Return our averages over the templates that we filled, and over those that each peer filled too."""
    ours = [name for name in names if name.startswith(OURS)]
    rows = []
    for peer in ["", *(name for name in names if name not in ours)]:
        wanted = [*ours, peer] if peer else ours
        shared = [each for each in qualities if all(name in each.fills for name in wanted)]
        if shared:
            means = [_mean([each.fills[name] for each in shared]) for name in wanted]
            rows.append([peer or "all that we fill", str(len(shared)), *means, *([] if peer else [""])])
    return table(["means over", "templates", *ours, "theirs"], rows)


def _cell(found: Scores | None) -> str:
    return "-" if found is None else f"{found.mean:.1f} / {found.lowest}"


def _mean(found: Sequence[Scores]) -> str:
    mean, lowest = (statistics.mean(values) for values in zip(*found, strict=True))
    return f"{mean:.1f} / {lowest:.1f}"
