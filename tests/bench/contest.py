"""A contest on the templates: every filler, interleaved, every fill judged."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.bench.judge import objection
from tests.bench.result import Run, Summary, summary


class Filler(Protocol):
    """A program that fills grids: one module of `fillers` each."""

    NAME: str

    def is_installed(self) -> bool:
        """Whether it can be run on this machine."""

    def fill(self, template: Path, words: Path, minimum_score: int, seed: int, seconds: float) -> Run:
        """Run it once."""


@dataclass
class Standing:
    """The runs of each filler on one template, and what the referee objected to."""

    template: str
    entries: int
    runs: dict[str, list[Run]] = field(default_factory=dict)
    objections: dict[str, str] = field(default_factory=dict)

    def summary(self, filler: str) -> Summary:
        """Medians of a filler, whatever the referee says; None where it gave up."""
        return summary(self.runs.get(filler, []))

    def is_filled(self, filler: str) -> bool:
        """Whether every run of the filler ended with a fill to which the referee has no objection."""
        return self.summary(filler).whole is not None and filler not in self.objections

    def has_given_up(self, filler: str) -> bool:
        """Whether a run of the filler ended without a fill."""
        return any(not run.rows for run in self.runs.get(filler, []))


@dataclass(frozen=True)
class Rules:
    """What all fillers get: the words that may be used, seeds to try and a limit for each search."""

    words: Mapping[str, int]
    minimum_score: int
    seeds: Sequence[int]
    seconds: float


def hold(
    templates: Sequence[Path], fillers: Sequence[Filler], rules: Rules, tell: Callable[[str], None]
) -> Iterator[Standing]:
    """Run the contest, template by template; who gave up on a template once is spared the other seeds."""
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "words.dict"
        words.write_text("".join(f"{word};{score}\n" for word, score in rules.words.items()))
        tell("warming up")
        for filler in fillers:
            filler.fill(templates[0], words, rules.minimum_score, 0, rules.seconds)
        for template in templates:
            yield _on_template(template, fillers, words, rules, tell)


def _on_template(
    template: Path, fillers: Sequence[Filler], words: Path, rules: Rules, tell: Callable[[str], None]
) -> Standing:
    rows = template.read_text().split()
    standing = Standing(template.stem, entries=_entries(rows))
    for seed in rules.seeds:
        for filler in fillers:
            if standing.has_given_up(filler.NAME):
                continue
            tell(f"{template.stem}, seed {seed}: {filler.NAME}")
            run = filler.fill(template, words, rules.minimum_score, seed, rules.seconds)
            standing.runs.setdefault(filler.NAME, []).append(run)
            if run.rows and (wrong := objection(rows, run.rows, rules.words)):
                standing.objections[filler.NAME] = wrong
    return standing


def _entries(rows: Sequence[str]) -> int:
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    return sum(len(run) > 1 for line in [*rows, *columns] for run in line.split("#"))
