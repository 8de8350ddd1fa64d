"""Edits of a puzzle's rules: pure functions from a puzzle to another one, as in `model/edits`.

Each raises PuzzleError for a rule that no puzzle can have, with nothing changed.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from xwtui.errors import PuzzleError
from xwtui.model.puzzle import Puzzle
from xwtui.model.rules.checks import LONGEST_WORD
from xwtui.model.rules.collection import NO_ENTRY_RULES, EntryRules, Rules
from xwtui.model.rules.entry_rules import MOST_BARRED, Barred
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.square import Content
from xwtui.model.where import Position

Key = TypeVar("Key")
Value = TypeVar("Value")


def with_rules(puzzle: Puzzle, rules: Rules) -> Puzzle:
    """The puzzle with other rules."""
    rules.check()
    return replace(puzzle, rules=rules)


def without_rules(puzzle: Puzzle) -> Puzzle:
    """The puzzle without any rule."""
    return replace(puzzle, rules=Rules())


def entry_rules(puzzle: Puzzle, slot: Slot) -> EntryRules:
    """The rules of an entry; empty ones where there are none."""
    return puzzle.rules.entries.get((slot.start, slot.direction), NO_ENTRY_RULES)


def with_entry_rules(puzzle: Puzzle, slot: Slot, rules: EntryRules) -> Puzzle:
    """The puzzle with the rules of an entry replaced, or taken away if there are none."""
    rules.check()
    entries = _set(puzzle.rules.entries, (slot.start, slot.direction), rules, rules.is_empty)
    return with_rules(puzzle, replace(puzzle.rules, entries=entries))


def with_rules_of_every(puzzle: Puzzle, rules: EntryRules) -> Puzzle:
    """The puzzle with other rules for every answer."""
    return with_rules(puzzle, replace(puzzle.rules, every=rules))


def idle_entry_rules(puzzle: Puzzle) -> tuple[SlotKey, ...]:
    """Where rules wait for an entry: none begins there now, or only a later light of a linked answer.

    They are kept, and ask for nothing.
    """
    slots = {slot.key for slot in puzzle.grid.entries}
    return tuple(sorted(puzzle.rules.entries.keys() - slots, key=lambda key: (key[0], key[1].value)))


def with_allowed_contents(puzzle: Puzzle, squares: Iterable[Position], contents: Collection[Content]) -> Puzzle:
    """The puzzle with the contents that some open squares may take; all, where none are named."""
    allowed = tuple(dict.fromkeys(contents))
    rules: Mapping[Position, tuple[Content, ...]] = puzzle.rules.squares
    for square in squares:
        if not puzzle.grid[square].is_open:
            raise PuzzleError(f"{square} is a {puzzle.grid[square].kind.value}; only open squares take letters")
        rules = _set(rules, square, allowed, not allowed)
    return with_rules(puzzle, replace(puzzle.rules, squares=rules))


def with_found(puzzle: Puzzle, found: Iterable[Content]) -> Puzzle:
    """The puzzle after the constructor took over squares that the filler found: they need not be found again."""
    rest = Counter(found)
    left = [rule.after_finding(rest) for rule in puzzle.rules.grid]
    return replace(puzzle, rules=replace(puzzle.rules, grid=tuple(filter(None, left))))


def _set(mapping: Mapping[Key, Value], key: Key, value: Value, is_removed: bool) -> dict[Key, Value]:
    others = {known: old for known, old in mapping.items() if known != key}
    return others if is_removed else {**others, key: value}


def barring(rules: EntryRules, word: str) -> EntryRules:
    """The same with one more word barred, in a rule of that kind; where there are too many, the first goes.

    Words that are longer than any list has stay as they are: none of them comes back.
    """
    if len(word) > LONGEST_WORD:
        return rules
    others = (one for rule in rules.of(Barred) for one in rule.strings if one != word)
    return rules.with_all(Barred, [Barred((*others, word)[-MOST_BARRED:])])
