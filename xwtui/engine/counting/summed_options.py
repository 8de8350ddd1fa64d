"""The measure that Bob Copeland's filler shows beside a grid: how many options its entries have, all together.

It is no number of fills: a grid with a large sum may have none. What it is good for is to tell two
edits apart at a glance. See https://bobcopeland.com/blog/2020/07/crosswords-redux/.
"""

from __future__ import annotations

from xwtui.engine.options import slot_options
from xwtui.engine.problem import Problem


def summed_options(problem: Problem) -> int:
    """The words left after propagation, added up over the entries; 0 if an entry has none."""
    return sum(options.after_propagation for options in slot_options(problem).values())
