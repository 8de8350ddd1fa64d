"""Rules in words, a line each, as verbs, panes and reports tell them."""

from collections.abc import Iterator

from xwtui.model.puzzle import Puzzle
from xwtui.model.rules.allowed_contents import allowed_lines
from xwtui.model.rules.collection import EntryRules
from xwtui.model.slots import SlotKey


def rule_lines(puzzle: Puzzle) -> list[str]:
    """All rules of a puzzle, entries first; nothing where there are none."""
    rules = puzzle.rules
    whole = [line for rule in rules.grid for line in rule.lines()]
    return [*_entry_lines(puzzle), *every_lines(rules.every), *allowed_lines(rules.squares), *whole]


def every_lines(rules: EntryRules) -> list[str]:
    """What every answer is asked."""
    return [] if rules.is_empty else [f"every answer: {rules.words}"]


def key_words(puzzle: Puzzle, key: SlotKey) -> str:
    """An entry by its name, or by its first square where no entry begins there now."""
    slot = puzzle.grid.slot_at(*key)
    if slot is not None and slot.start == key[0]:
        return slot.name
    return f"{key[0]} {key[1].word} (no entry now)"


def _entry_lines(puzzle: Puzzle) -> Iterator[str]:
    for key, rules in sorted(puzzle.rules.entries.items(), key=lambda entry: (entry[0][0], entry[0][1].value)):
        yield f"{key_words(puzzle, key)}: {rules.words}"
