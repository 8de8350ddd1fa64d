"""A contest on the templates: every filler, interleaved, every fill judged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.fillers.filler import Filler, Running
from tests.bench.judge import objection
from tests.bench.result import Run, median_seconds


@dataclass
class Standing:
    """The runs of each filler on one template, and what the referee objected to."""

    template: str
    entries: int
    kind: str = ""
    runs: dict[str, list[Run]] = field(default_factory=dict)
    objections: dict[str, str] = field(default_factory=dict)

    def seconds(self, filler: str) -> float | None:
        """The median of a filler, whatever the referee says; None where it gave up."""
        return median_seconds(self.runs.get(filler, []))

    def is_filled(self, filler: str) -> bool:
        """Whether every run of the filler ended with a fill to which the referee has no objection."""
        return self.seconds(filler) is not None and filler not in self.objections

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

    def write_words(self, folder: Path) -> Path:
        """The words as a list that all fillers read."""
        path = folder / "words.dict"
        path.write_text("".join(f"{word};{score}\n" for word, score in self.words.items()))
        return path


def hold(
    templates: Mapping[str, Sequence[Path]],
    fillers: Sequence[Filler],
    rules: Rules,
    words: Path,
    tell: Callable[[str], None],
) -> Iterator[Standing]:
    """Run the contest on the templates of each kind; who gave up on a template once is spared the other seeds."""
    with ExitStack() as stack:
        tell("starting the fillers")
        running = {each: stack.enter_context(each.start(words, rules.minimum_score)) for each in fillers}
        for kind, paths in templates.items():
            for path in paths:
                yield _on_template(kind, path, running, rules, tell)


def _on_template(
    kind: str, template: Path, running: Mapping[Filler, Running], rules: Rules, tell: Callable[[str], None]
) -> Standing:
    rows = template.read_text().split()
    standing = Standing(template.stem, entries_of(rows), kind)
    for number, seed in enumerate(rules.seeds):
        for filler, process in running.items():
            if standing.has_given_up(filler.name) or number >= filler.most_runs:
                continue
            tell(f"{template.stem}, seed {seed}: {filler.name}")
            run = process.fill(template, seed, rules.seconds)
            standing.runs.setdefault(filler.name, []).append(run)
            if run.rows and (wrong := objection(rows, run.rows, rules.words)):
                standing.objections[filler.name] = wrong
    return standing


def entries_of(rows: Sequence[str]) -> int:
    """The number of entries of a block pattern."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    return sum(len(run) > 1 for line in [*rows, *columns] for run in line.split("#"))
