"""The pairwise estimate of the number of fills: at once, from the domains of crossing slots."""

from __future__ import annotations

import math

import numpy as np

from xwtui.engine.kernels.network import SYMBOLS
from xwtui.engine.kernels.shares import Domains, Shares, update_shares
from xwtui.engine.problem import Problem


def pairwise_log10(problem: Problem) -> float:
    """The pairwise estimate of the number of fills, as a logarithm to base 10; the root must be possible."""
    places = len(problem.network.places)
    shares = Shares(
        counts=np.zeros(places * SYMBOLS, np.int32),
        sizes=np.zeros(len(problem.slots), np.int32),
        agreement=np.zeros(places, np.float64),
    )
    none_yet = Domains(np.zeros(0, np.int32), np.zeros(0, np.uint64), np.zeros(0, np.int32))
    return float(update_shares(problem.network, problem.root.state, shares, none_yet)) / math.log(10)
