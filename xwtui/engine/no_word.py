"""Why no word fits an entry, in the words of a constructor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.model import Slot
from xwtui.text import listed

if TYPE_CHECKING:
    from xwtui.engine.problem.task import Task


def no_word_fits(task: Task, entry: Slot) -> str:
    """Say that no word fits an entry: `17A: no word fits Q?J`, or what its rule and squares ask beside that."""
    return f"{entry.name}: {why_no_word(task, entry)}"


def why_no_word(task: Task, entry: Slot) -> str:
    """The same without the entry's name."""
    pattern = task.pattern(entry)
    rule = task.entry_rules(entry).asked_words
    squares = _narrow_squares(task, entry)
    if not rule and not squares and set(pattern) == {"?"}:
        return f"the word list has no word of {len(entry)} letters"
    asked = f" {rule}" if rule else ""
    return f"no word{asked} fits {pattern}{squares}"


def _narrow_squares(task: Task, entry: Slot) -> str:
    """The squares of an entry whose contents a rule narrows: `, with A or E at r1c2`."""
    narrow = {
        position: [str(content) for content in task.rules.squares[position]]
        for position in entry.positions
        if position in task.rules.squares and position not in task.given
    }
    told = [
        f"{listed(allowed, 'or') if allowed else 'nothing'} at {position}" for position, allowed in narrow.items()
    ]
    return f", with {listed(told, 'and')}" if told else ""
