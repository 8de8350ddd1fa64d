"""Edits of a puzzle's rules: pure functions from a puzzle to another one, as in `edits`.

Each raises PuzzleError for a rule that no puzzle can have, with nothing changed.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from xwtui.errors import PuzzleError
from xwtui.model.puzzle import Puzzle
from xwtui.model.rule_limits import check_entry_rule, check_rules
from xwtui.model.rules import EntryRule, RebusPlacing, Rules
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.square import Content
from xwtui.model.where import Position

Key = TypeVar("Key")
Value = TypeVar("Value")


def with_rules(puzzle: Puzzle, **parts: Any) -> Puzzle:
    """The puzzle with some fields of its `Rules` replaced."""
    rules = replace(puzzle.rules, **parts)
    check_rules(rules)
    return replace(puzzle, rules=rules)


def without_rules(puzzle: Puzzle) -> Puzzle:
    """The puzzle without any rule."""
    return replace(puzzle, rules=Rules())


def entry_rule(puzzle: Puzzle, slot: Slot) -> EntryRule:
    """The rule of an entry; an empty one where there is none."""
    return puzzle.rules.entries.get((slot.start, slot.direction), EntryRule())


def with_entry_rule(puzzle: Puzzle, slot: Slot, rule: EntryRule) -> Puzzle:
    """The puzzle with the rule of an entry replaced, or taken away if the rule is empty."""
    check_entry_rule(rule)
    return with_rules(
        puzzle, entries=_set(puzzle.rules.entries, (slot.start, slot.direction), rule, rule.is_empty)
    )


def idle_entry_rules(puzzle: Puzzle) -> tuple[SlotKey, ...]:
    """Where rules wait for an entry: none begins there at the moment. They are kept, and ask for nothing."""
    slots = {(slot.start, slot.direction) for slot in puzzle.grid.slots}
    return tuple(sorted(puzzle.rules.entries.keys() - slots, key=lambda key: (key[0], key[1].value)))


def with_allowed_contents(puzzle: Puzzle, squares: Iterable[Position], contents: Collection[Content]) -> Puzzle:
    """The puzzle with the contents that some open squares may take; all, where none are named."""
    allowed = tuple(dict.fromkeys(contents))
    rules: Mapping[Position, tuple[Content, ...]] = puzzle.rules.squares
    for square in squares:
        if not puzzle.grid[square].is_open:
            raise PuzzleError(f"{square} is a {puzzle.grid[square].kind.value}; only open squares take letters")
        rules = _set(rules, square, allowed, not allowed)
    return with_rules(puzzle, squares=rules)


def with_wanted(puzzle: Puzzle, words: Iterable[str], least: int | None = None) -> Puzzle:
    """The puzzle with more wanted words, `least` of all of them at least.

    Without `least` all are wanted if all were so far, else as many as before.
    """
    rules = puzzle.rules
    wanted = tuple(dict.fromkeys((*rules.wanted, *words)))
    if least is None:
        least = len(wanted) if rules.wanted_least == len(rules.wanted) else rules.wanted_least
    return with_rules(puzzle, wanted=wanted, wanted_least=least)


def without_wanted(puzzle: Puzzle, words: Collection[str]) -> Puzzle:
    """The puzzle with some words no longer wanted; raises PuzzleError for one that is not."""
    rules = puzzle.rules
    missing = [word for word in words if word not in rules.wanted]
    if missing:
        raise PuzzleError(f"not wanted: {', '.join(missing)}")
    wanted = tuple(word for word in rules.wanted if word not in words)
    return with_rules(puzzle, wanted=wanted, wanted_least=min(rules.wanted_least, len(wanted)))


def with_tag_limit(puzzle: Puzzle, tag: str, most: int | None) -> Puzzle:
    """The puzzle with `most` answers at most that bear a tag; None for no limit."""
    limits = _set(puzzle.rules.tag_limits, tag, 0 if most is None else most, most is None)
    return with_rules(puzzle, tag_limits=limits)


def with_placing(puzzle: Puzzle, placing: RebusPlacing) -> Puzzle:
    """The puzzle with new rebus squares to find; they take the place of those with the same contents."""
    return with_rules(puzzle, placings=(*_other_placings(puzzle, placing.contents), placing))


def without_placing(puzzle: Puzzle, contents: Collection[Content]) -> Puzzle:
    """The puzzle without the new rebus squares of these contents; raises PuzzleError where there are none."""
    others = _other_placings(puzzle, contents)
    if len(others) == len(puzzle.rules.placings):
        raise PuzzleError(f"no new squares with {' '.join(map(str, contents))} are asked for")
    return with_rules(puzzle, placings=others)


def _other_placings(puzzle: Puzzle, contents: Collection[Content]) -> tuple[RebusPlacing, ...]:
    return tuple(placing for placing in puzzle.rules.placings if set(placing.contents) != set(contents))


def with_found(puzzle: Puzzle, found: Iterable[Content]) -> Puzzle:
    """The puzzle after the constructor took over squares that the filler found: they need not be found again."""
    rest = Counter(found)
    placings = [_without_found(placing, rest) for placing in puzzle.rules.placings]
    return replace(puzzle, rules=replace(puzzle.rules, placings=tuple(filter(None, placings))))


def _without_found(placing: RebusPlacing, found: Counter[Content]) -> RebusPlacing | None:
    """What is left to place; the squares that count for it are taken out of `found`."""
    left, missing = placing.most, []
    for content in placing.contents:
        here = min(found[content], left)
        found[content] -= here
        left -= here
        if not here:
            missing.append(content)
    if left == 0:
        return None
    least = max(placing.least - (placing.most - left), 0)
    if placing.each and missing:
        needed = len(missing)
        return replace(placing, contents=tuple(missing), least=max(least, needed), most=max(left, needed))
    return replace(placing, least=least, most=left, each=False)


def _set(mapping: Mapping[Key, Value], key: Key, value: Value, is_removed: bool) -> dict[Key, Value]:
    """A copy of a mapping with one key set or removed."""
    others = {known: old for known, old in mapping.items() if known != key}
    return others if is_removed else {**others, key: value}
