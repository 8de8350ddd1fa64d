"""A contest on the templates: the fillers take turns, and every fill is judged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.fillers.filler import Filler, Running
from bench.judge import objection
from bench.result import Run, median_seconds


@dataclass
class Standing:
    """Each filler's runs on one template, and the referee's objections."""

    template: str
    entries: int
    kind: str = ""
    runs: dict[str, list[Run]] = field(default_factory=dict)
    objections: dict[str, str] = field(default_factory=dict)

    def seconds(self, filler: str) -> float | None:
        """Return the filler's median, regardless of objections; None if it gave up."""
        return median_seconds(self.runs.get(filler, []))

    def is_filled(self, filler: str) -> bool:
        """Whether every run of the filler ended with a fill without objection."""
        return self.seconds(filler) is not None and filler not in self.objections

    def has_given_up(self, filler: str) -> bool:
        """Whether a run of the filler ended without a fill."""
        return any(not run.rows for run in self.runs.get(filler, []))

    def has_filled(self, filler: str) -> bool:
        """Whether some run of the filler ended with a fill, and none was faulty."""
        return any(run.rows for run in self.runs.get(filler, [])) and filler not in self.objections

    def is_proved_empty(self, filler: str) -> bool:
        """Whether the filler claims a proof that there is no fill."""
        return any(run.is_proof for run in self.runs.get(filler, []))

    def counted(self, filler: str) -> float:
        """Return the filler's median seconds, or its longest unsuccessful run if it gave up."""
        seconds = self.seconds(filler)
        return max(run.seconds for run in self.runs[filler] if not run.rows) if seconds is None else seconds


@dataclass(frozen=True)
class Rules:
    """What all fillers are given: the allowed words, the seeds and a time limit per search.

    A filler that gave up on a template, or searched it for the limit in total, skips the other seeds.
    """

    words: Mapping[str, int]
    minimum_score: int
    seeds: Sequence[int]
    seconds: float
    """Time limit per search."""

    def write_words(self, folder: Path) -> Path:
        """Write the words as a list file that all fillers read."""
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
    """Whether a filler skips further seeds on a template."""
    searched = sum(run.seconds for run in standing.runs.get(filler, []))
    return standing.has_given_up(filler) or searched >= rules.seconds


def entries_of(rows: Sequence[str]) -> int:
    """Return the number of entries of a block pattern."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    return sum(len(run) > 1 for line in [*rows, *columns] for run in line.split("#"))
