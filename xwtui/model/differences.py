"""What differs between two states of one puzzle."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping

from xwtui.dataclasses import dataclass, field
from xwtui.model.grid import Grid
from xwtui.model.puzzle import Puzzle
from xwtui.model.rules.review import link_words, rule_lines
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.square import Square
from xwtui.model.where import Position


class Aspect(enum.Enum):
    """What of a square differs; the value is its name in JSON."""

    KIND = "kind"
    CONTENT = "content"
    INK = "ink"
    MARK = "mark"


@dataclass(frozen=True)
class SquareDifference:
    """A square that differs; None where the grid of a state does not have it."""

    at: Position
    then: Square | None
    now: Square | None

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """What of it differs; the kind alone where it is open in one state only."""
        then, now = self.then, self.now
        if then is None or now is None or then.kind is not now.kind:
            return (Aspect.KIND,)
        differs = {
            Aspect.CONTENT: then.content != now.content,
            Aspect.INK: then.content == now.content and then.ink is not now.ink,
            Aspect.MARK: (then.circle, then.shade) != (now.circle, now.shade),
        }
        return tuple(aspect for aspect, is_so in differs.items() if is_so)


@dataclass(frozen=True)
class ValueDifference:
    """A value that differs, as text: the pattern or the clue of an entry, a title, a choice of words.

    Empty where a state has none; `positions` are those of the entry, none for what is of the whole puzzle.
    """

    name: str
    then: str
    now: str
    positions: tuple[Position, ...] = ()


@dataclass(frozen=True)
class Differences:
    """All that two states have otherwise."""

    squares: tuple[SquareDifference, ...] = ()
    bars: tuple[Position, ...] = ()
    """The squares beside bars that one state alone has."""
    entries: tuple[ValueDifference, ...] = ()
    """Patterns by entry."""
    clues: tuple[ValueDifference, ...] = ()
    """Clues by entry."""
    rules_then: tuple[str, ...] = ()
    """The rules of the first state alone, in words."""
    rules_now: tuple[str, ...] = ()
    """Those of the other alone."""
    settings: tuple[ValueDifference, ...] = field(default=())
    """The title page, the symmetry, the profile and the choice of words."""

    @property
    def is_none(self) -> bool:
        """Whether the states are the same."""
        return self == Differences()

    def squares_with(self, aspect: Aspect) -> tuple[Position, ...]:
        """The squares of which this differs."""
        return tuple(square.at for square in self.squares if aspect in square.aspects)


def differences_between(then: Puzzle, now: Puzzle) -> Differences:
    """What a puzzle has otherwise than an earlier state of it."""
    rules_then, rules_now = rule_lines(then), rule_lines(now)
    return Differences(
        tuple(_squares(then.grid, now.grid)),
        tuple(sorted({at for bar in then.grid.bars ^ now.grid.bars for at in bar})),
        tuple(_by_entry(then, now, lambda puzzle, slot: puzzle.told_pattern(slot))),
        tuple(_by_entry(then, now, lambda puzzle, slot: puzzle.whole_clue(slot))),
        tuple(line for line in rules_then if line not in rules_now),
        tuple(line for line in rules_now if line not in rules_then),
        tuple(_settings(then, now)),
    )


def _squares(then: Grid, now: Grid) -> Iterator[SquareDifference]:
    for at in sorted({*then.positions(), *now.positions()}):
        old, new = (grid[at] if grid.height > at.row and grid.width > at.column else None for grid in (then, now))
        if old != new:
            yield SquareDifference(at, old, new)


def _by_entry(then: Puzzle, now: Puzzle, value: Callable[[Puzzle, Slot], str]) -> Iterator[ValueDifference]:
    """The entries of the later state, then those that the earlier one alone has, where the value differs."""
    old, new = _slots(then.grid), _slots(now.grid)
    for key in {**new, **old}:
        was, is_now = old.get(key), new.get(key)
        text_then = value(then, was) if was is not None else ""
        text_now = value(now, is_now) if is_now is not None else ""
        if text_then != text_now:
            slot = is_now or was
            assert slot is not None
            yield ValueDifference(slot.name, text_then, text_now, tuple(slot.positions))


def _slots(grid: Grid) -> Mapping[SlotKey, Slot]:
    return {(slot.start, slot.direction): slot for slot in grid.slots}


def _settings(then: Puzzle, now: Puzzle) -> Iterator[ValueDifference]:
    for (name, old), new in zip(_settings_of(then).items(), _settings_of(now).values(), strict=True):
        if old != new:
            yield ValueDifference(name, old, new)


def _settings_of(puzzle: Puzzle) -> dict[str, str]:
    """The title page, the symmetry and the choice of words, in words."""
    words = puzzle.words
    return {
        "title": puzzle.title,
        "author": puzzle.author,
        "copyright": puzzle.copyright,
        "notes": puzzle.notes,
        "size": f"{puzzle.grid.height}×{puzzle.grid.width}",
        "linked lights": "; ".join(link_words(puzzle)),
        "symmetry": puzzle.symmetry.value,
        "profile": puzzle.profile,
        "lists": ", ".join(words.lists),
        "scores for lists without": "yes" if words.is_graded else "no",
        "minimum score": str(words.minimum_score),
        "banned": ", ".join(sorted(words.banned)),
        "scores": ", ".join(f"{word} {score}" for word, score in sorted(words.scores.items())),
        "preferred": ", ".join(words.preferred),
        "recent": words.recent,
        "solver's notes": ", ".join(puzzle.solver_notes.values()),
    }
