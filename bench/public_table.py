"""The public benchmark as text: one line per instance during the run, and a page of Markdown at the end."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.published import SYSTEMS, Published


@dataclass(frozen=True)
class Instance:
    """One grid with one dictionary: outcome, seconds and search nodes for each seed, and published figures."""

    dictionary: str
    grid: str
    outcomes: Sequence[str]
    seconds: Sequence[float]
    nodes: Sequence[int]
    published: Published

    @property
    def is_settled(self) -> bool:
        """Whether every seed ended in a fill or a proof."""
        return all(outcome in ("filled", "impossible") for outcome in self.outcomes)

    @property
    def outcome(self) -> str:
        """The outcome; unknown if a seed ran out of time."""
        return self.outcomes[0] if self.is_settled else "unknown"


@dataclass(frozen=True)
class Square:
    """A word square counted or filled."""

    words: str
    side: int
    task: str
    result: str
    seconds: float


@dataclass(frozen=True)
class CheckedProof:
    """A proof that a grid has no fill, with the processor seconds of writing and checking it."""

    dictionary: str
    grid: str
    said: str
    """Output of the checker."""
    size: int
    """File size in bytes."""
    seconds_written: float
    seconds_checked: float


@dataclass
class Page:
    """Contents of the final page."""

    conditions: str
    instances: list[Instance] = field(default_factory=list)
    squares: list[Square] = field(default_factory=list)
    notes: str = ""
    proofs: list[CheckedProof] = field(default_factory=list)


HEAD = f"{'':6}{'grid':8}{'outcome':11}{'nodes':>12}{'seconds':>10}" + "".join(f"{name:>10}" for name in SYSTEMS)


def line(instance: Instance) -> str:
    """Return an instance's outcome, median nodes and seconds, and the published times."""
    ours = (
        f"{instance.dictionary:6}{instance.grid:8}{instance.outcome:11}"
        f"{statistics.median(instance.nodes):12,.0f}{statistics.median(instance.seconds):10.3f}"
    )
    return ours + "".join(f"{_seconds(instance.published.seconds[name]):>10}" for name in SYSTEMS)


def summary(instances: Sequence[Instance]) -> list[str]:
    """Summarize for each dictionary how many are settled, the median and the slowest."""
    lines = []
    for dictionary in dict.fromkeys(each.dictionary for each in instances):
        own = [each for each in instances if each.dictionary == dictionary]
        settled = [statistics.median(each.seconds) for each in own if each.is_settled]
        others = ", ".join(
            f"{name} {sum(each.published.seconds[name] is not None for each in own)}" for name in SYSTEMS
        )
        times = f", median {statistics.median(settled):.3f} s, slowest {max(settled):.2f} s" if settled else ""
        lines.append(f"{dictionary}: {len(settled)} of {len(own)} settled{times} (settled by others: {others})")
    return lines


def square_line(square: Square) -> str:
    """Return a word square's line."""
    what = f"{square.words:28}{square.side}x{square.side}  {square.task:24}"
    return f"{what}{square.result:>14}{square.seconds:10.2f} s"


def proof_line(proof: CheckedProof) -> str:
    """Return a checked proof's line."""
    seconds = f"{proof.seconds_written:10.1f} s{proof.seconds_checked:10.1f} s"
    return f"{proof.dictionary:6}{proof.grid:8}{proof.size:14,}{seconds}  {proof.said}"


def markdown(page: Page) -> str:
    """Return the page: conditions, the table of instances, the squares, the notes."""
    parts = ["# The public grids", page.conditions]
    if page.instances:
        parts += ["\n".join(f"- {each}" for each in summary(page.instances)), _instance_table(page.instances)]
    if page.squares:
        parts += ["## Word squares", _square_table(page.squares)]
    if page.proofs:
        parts += ["## Proofs, checked", _proof_table(page.proofs)]
    return "\n\n".join([*parts, page.notes]).rstrip() + "\n"


def _instance_table(instances: Sequence[Instance]) -> str:
    head = f"| dictionary | grid | outcome | nodes | seconds | {' | '.join(SYSTEMS)} |"
    rows = [
        f"| {each.dictionary} | {each.grid} | {each.outcome} | {statistics.median(each.nodes):,.0f} "
        f"| {statistics.median(each.seconds):.3f} "
        + "".join(f"| {_seconds(each.published.seconds[name])} " for name in SYSTEMS)
        + "|"
        for each in instances
    ]
    return "\n".join([head, "|---|---|---|" + "---:|" * (2 + len(SYSTEMS)), *rows])


def _square_table(squares: Sequence[Square]) -> str:
    rows = [
        f"| {each.words} | {each.side}×{each.side} | {each.task} | {each.result} | {each.seconds:.2f} |"
        for each in squares
    ]
    return "\n".join(["| words | square | task | result | seconds |", "|---|---|---|---:|---:|", *rows])


def _proof_table(proofs: Sequence[CheckedProof]) -> str:
    rows = [
        f"| {each.dictionary} | {each.grid} | {each.said} | {each.size:,} | {each.seconds_written:.1f} "
        f"| {each.seconds_checked:.1f} |"
        for each in proofs
    ]
    head = "| dictionary | grid | the checker says | bytes | processor seconds to write | to check |"
    return "\n".join([head, "|---|---|---|---:|---:|---:|", *rows])


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
