"""The nine kinds of statement, and a run over seeded problems."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.naive.problem import Fill, Problem
from tests.oracle import changes, figures
from tests.oracle.asking import Program, Statement, folder, told
from tests.oracle.problems import problem_of

Check = Callable[[Problem, list[Fill], Program], Iterator[Statement]]

KINDS: Mapping[str, Check] = {
    "counts": figures.counts,
    "candidates": figures.candidates,
    "shares": figures.shares,
    "bounds": figures.bounds,
    "best": figures.best,
    "fills": figures.statuses,
    "why": changes.why,
    "swaps": changes.swaps,
    "what-ifs": changes.what_ifs,
}


@dataclass
class Tally:
    """Number of statements checked by claim, and the false ones."""

    kind: str
    checked: Counter[str] = field(default_factory=Counter)
    false: list[tuple[int, Statement]] = field(default_factory=list)
    """Each with its seed."""

    @property
    def wrong(self) -> list[tuple[int, Statement]]:
        """The false ones; those of a 19-of-20 claim only if more of them are false."""
        missed = Counter(one.claim for _, one in self.false)
        return [
            (seed, one)
            for seed, one in self.false
            if one.is_sure or missed[one.claim] > 1 + self.checked[one.claim] / 20
        ]


def run(kind: str, seeds: Iterable[int]) -> Tally:
    """Check the statements about each seed's problem."""
    tally = Tally(kind)
    for seed in seeds:
        for statement in statements(kind, seed):
            tally.checked[statement.claim] += 1
            if not statement.is_true:
                tally.false.append((seed, statement))
    return tally


def statements(kind: str, seed: int) -> Iterator[Statement]:
    """Yield the program's statements about a problem, each with its command."""
    problem, fills = problem_of(kind, seed)
    with folder() as name:
        program = Program(problem, Path(name))
        for statement in KINDS[kind](problem, fills, program):
            yield replace(statement, command=program.last)


def report(kind: str, seed: int, statement: Statement) -> str:
    """Describe a false statement with everything needed to reproduce it."""
    problem, _ = problem_of(kind, seed)
    return f"{kind}, seed {seed}: {statement.claim}: {statement.detail}\n{told(problem)}\n{statement.command}"
