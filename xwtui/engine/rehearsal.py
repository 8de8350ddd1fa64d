"""Tiny runs that make numba compile every kernel, or load it from the cache."""

from __future__ import annotations

import numpy as np

from xwtui.engine.annealing import Annealer, free_orbits, run_costs
from xwtui.engine.budget import Budget, never
from xwtui.engine.candidates.find import candidates
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.particles import Populations
from xwtui.engine.fill.search_settings import WORKERS
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.rounds import Refill
from xwtui.engine.improve.shared_best import PricedBound
from xwtui.engine.improve.worth import Cut, Worth, code_start
from xwtui.engine.kernels.layouts import count_runs, split_cost
from xwtui.engine.kernels.search.search import advance
from xwtui.engine.loading_step import EnginePart
from xwtui.engine.problem.arrays import fresh_search
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid, Rules, Symmetry
from xwtui.model.rules import Pangram
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

_WORDS = tuple(first + second + third for first in "ABC" for second in "ABC" for third in "ABC")


_NONE = Rules()
_FOR_THE_GRID = Rules(grid=(Pangram("A"),))


def rehearse(part: EnginePart) -> None:
    """Run the kernels of a part; those of IMPROVING include search and counting under constraints."""
    {
        EnginePart.SEARCH: _search,
        EnginePart.COUNTING: _count,
        EnginePart.IMPROVING: _improve,
        EnginePart.DRAWING: _draw,
    }[part]()


def _search() -> None:
    problem = _problem(_NONE)
    state = problem.new_state()
    advance(problem.network, state, fresh_search(problem.network, WORKERS[0], 0, 0), 2)


def _count(rules: Rules = _NONE) -> None:
    problem = _problem(rules)
    counter = Counter(problem, particles=2)
    counter.quick()
    counter.beliefs().row_shares(0)
    counter.exact(Budget(nodes=1))
    Populations(problem, counter.beliefs(), 2, seed=0).advance(1, 1, never)
    candidates(problem, "1A")


def _improve() -> None:
    problem = _problem(_FOR_THE_GRID)
    worth = Worth(problem, Objective())
    blank = code_start(problem, {})
    everywhere = np.ones(len(blank.symbols), np.bool_)
    refill = Refill(problem, worth)
    refill.run(blank, everywhere, Cut(worth.row_limits(0)), seed=0, nodes=100, stopped=never)
    refill.found()
    PricedBound(worth).step(0)
    _count(_FOR_THE_GRID)


def _draw() -> None:
    annealer = Annealer(
        4,
        4,
        free_orbits(4, 4, Symmetry.ROTATION_180, frozenset()),
        run_costs(4, 4, lambda length: 0.0),
        np.array([(0, 16)] * 4, np.int64),
        np.zeros(16, np.uint8),
        steps=1,
    )
    annealer.draw(0)
    one, none = np.ones(1, np.int64), np.zeros((1, 2), np.int64)
    count_runs(np.ones(1, np.uint64), np.ones(4, np.int64), one, np.arange(2), one.copy(), none)
    costs = np.zeros((1, 2))
    split_cost(costs, one, np.zeros(3), 1.0)
    costs.flags.writeable = False
    split_cost(costs, one, np.zeros(3), 1.0)


def _problem(rules: Rules) -> Problem:
    lexicon = Lexicon.build([WordList.from_scores("rehearsal", dict.fromkeys(_WORDS, 50))])
    return Problem.build(Grid.blank(3, 3), lexicon, rules=rules)
