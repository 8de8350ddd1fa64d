"""A contest on the templates: every filler, interleaved, every fill judged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.fillers.filler import Filler, Running
from bench.judge import objection
from bench.result import Run, median_seconds


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

    def has_filled(self, filler: str) -> bool:
        """Whether some run of the filler ended with a fill, none of them faulty."""
        return any(run.rows for run in self.runs.get(filler, [])) and filler not in self.objections

    def is_proved_empty(self, filler: str) -> bool:
        """Whether the filler says that there is no fill."""
        return any(run.is_proof for run in self.runs.get(filler, []))

    def counted(self, filler: str) -> float:
        """The median seconds of a filler; where it gave up, those that it was given."""
        seconds = self.seconds(filler)
        return max(run.seconds for run in self.runs[filler] if not run.rows) if seconds is None else seconds


@dataclass(frozen=True)
class Rules:
    """What all fillers get: the words that may be used, seeds to try and a limit for each search.

    A filler that has searched a template for the limit in all, or gave up on it, is spared the other seeds.
    """

    words: Mapping[str, int]
    minimum_score: int
    seeds: Sequence[int]
    seconds: float
    """The longest search."""

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
    """Run the contest on the templates of each kind."""
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
        for filler, filling in running.items():
            if number >= filler.most_runs or _is_spared(standing, filler.name, rules):
                continue
            tell(f"{template.stem}, seed {seed}: {filler.name}")
            run = filling.fill(template, seed, rules.seconds)
            if not run.rows and not run.is_proof:
                run = run._replace(seconds=rules.seconds)
            standing.runs.setdefault(filler.name, []).append(run)
            if run.rows and (wrong := objection(rows, run.rows, rules.words)):
                standing.objections[filler.name] = wrong
    return standing


def _is_spared(standing: Standing, filler: str, rules: Rules) -> bool:
    """Whether a filler has had its time on a template."""
    searched = sum(run.seconds for run in standing.runs.get(filler, []))
    return standing.has_given_up(filler) or searched >= rules.seconds


def entries_of(rows: Sequence[str]) -> int:
    """The number of entries of a block pattern."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    return sum(len(run) > 1 for line in [*rows, *columns] for run in line.split("#"))
