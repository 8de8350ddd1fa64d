"""Snapshots: states of a puzzle that are kept in it under names, to look back at or to return to.

They are puzzles in `Puzzle.snapshots`, without snapshots of their own and without the fields of other programs,
which no edit changes. They are no part of what undo takes back: a state that was named outlives the edits around
it. What differs between two states of a puzzle is told square by square and entry by entry.
"""

import enum
from collections.abc import Callable, Iterator

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import PuzzleError
from xwtui.model.puzzle import Puzzle
from xwtui.model.review import link_words, rule_lines
from xwtui.model.slots import Slot
from xwtui.model.square import Square
from xwtui.model.where import Position
from xwtui.text import in_quotes, listed, printable

NOW = "now"
"""What stands for the puzzle as it is, in the place of a name."""
MOST_SNAPSHOTS = 20
LONGEST_NAME = 40
"""Characters that the name of a snapshot may have."""


def check_name(name: str) -> str:
    """The name of a snapshot as it is kept; raises PuzzleError where it is empty, long or odd."""
    kept = " ".join(name.split())
    if not kept or printable(kept, LONGEST_NAME) != kept:
        raise PuzzleError(f"a snapshot's name has 1 to {LONGEST_NAME} plain characters: not {printable(name)!r}")
    return kept


def with_snapshot(puzzle: Puzzle, name: str, *, replaces: bool = False) -> Puzzle:
    """The puzzle that keeps itself as it is under a name.

    Raises PuzzleError where the name is none, is taken (unless it `replaces`), or there is no room for another.
    """
    kept = check_name(name)
    others = {known: state for known, state in puzzle.snapshots.items() if known != kept}
    if kept in puzzle.snapshots and not replaces:
        raise PuzzleError(f"the snapshot {in_quotes(kept)} already exists; `--replace` replaces it")
    if len(others) >= MOST_SNAPSHOTS:
        raise PuzzleError(f"a puzzle keeps at most {MOST_SNAPSHOTS} snapshots; drop one first")
    return puzzle.with_snapshots({**others, kept: replace(puzzle, snapshots={}, foreign={})})


def without_snapshot(puzzle: Puzzle, name: str) -> Puzzle:
    """The puzzle without a snapshot; raises PuzzleError where there is none of that name."""
    snapshot(puzzle, name)
    return puzzle.with_snapshots({known: state for known, state in puzzle.snapshots.items() if known != name})


def snapshot(puzzle: Puzzle, name: str) -> Puzzle:
    """The puzzle as it was when it was kept under a name; raises PuzzleError where it never was."""
    if name in puzzle.snapshots:
        return puzzle.snapshots[name]
    there = (
        f"there are {listed(map(in_quotes, puzzle.snapshots), 'and')}"
        if puzzle.snapshots
        else "there are none yet"
    )
    raise PuzzleError(f"there is no snapshot {in_quotes(printable(name, LONGEST_NAME))}; {there}")


def returned(puzzle: Puzzle, name: str) -> Puzzle:
    """The whole puzzle as a snapshot has it, with the snapshots of now; raises PuzzleError where there is none."""
    return replace(snapshot(puzzle, name), snapshots=puzzle.snapshots, foreign=puzzle.foreign)


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
        return self == Differences()

    def squares_with(self, aspect: Aspect) -> tuple[Position, ...]:
        return tuple(square.at for square in self.squares if aspect in square.aspects)


def differences_between(then: Puzzle, now: Puzzle) -> Differences:
    """What a puzzle has otherwise than an earlier state of it."""
    rules_then, rules_now = rule_lines(then), rule_lines(now)
    old, new = ({at: puzzle.grid[at] for at in puzzle.grid.positions()} for puzzle in (then, now))
    squares = (SquareDifference(at, old.get(at), new.get(at)) for at in sorted({*old, *new}))
    settings = zip(_settings_of(then).items(), _settings_of(now).values(), strict=True)
    return Differences(
        tuple(square for square in squares if square.then != square.now),
        tuple(sorted({at for bar in then.grid.bars ^ now.grid.bars for at in bar})),
        tuple(_by_entry(then, now, lambda puzzle, slot: puzzle.told_pattern(slot))),
        tuple(_by_entry(then, now, lambda puzzle, slot: puzzle.whole_clue(slot))),
        tuple(line for line in rules_then if line not in rules_now),
        tuple(line for line in rules_now if line not in rules_then),
        tuple(ValueDifference(name, was, is_now) for (name, was), is_now in settings if was != is_now),
    )


def _by_entry(then: Puzzle, now: Puzzle, value: Callable[[Puzzle, Slot], str]) -> Iterator[ValueDifference]:
    """The entries of the later state, then those that the earlier one alone has, where the value differs."""
    old, new = ({slot.key: slot for slot in puzzle.grid.slots} for puzzle in (then, now))
    for key in {**new, **old}:
        was, is_now = old.get(key), new.get(key)
        text_then = value(then, was) if was is not None else ""
        text_now = value(now, is_now) if is_now is not None else ""
        if text_then != text_now:
            slot = is_now or was
            assert slot is not None
            yield ValueDifference(slot.name, text_then, text_now, tuple(slot.positions))


def _settings_of(puzzle: Puzzle) -> dict[str, str]:
    """The title page, the symmetry and the choice of words, in words."""
    words = puzzle.words
    notes = sorted(f"{at} {way.word}: {note}" for (at, way), note in puzzle.solver_notes.items())
    return {
        "title": puzzle.title,
        "author": puzzle.author,
        "copyright": puzzle.copyright,
        "notes": puzzle.notes,
        "size": f"{puzzle.grid.height}×{puzzle.grid.width}",
        "linked lights": "; ".join(link_words(puzzle)),
        "symmetry": puzzle.symmetry.value,
        "profile": puzzle.profile,
        "alphabet": words.alphabet.name,
        "lists": ", ".join(words.lists),
        "scores for lists without any": "yes" if words.is_graded else "no",
        "minimum score": str(words.minimum_score),
        "banned": ", ".join(sorted(words.banned)),
        "scores": ", ".join(f"{word} {score}" for word, score in sorted(words.scores.items())),
        "preferred": ", ".join(words.preferred),
        "recent": words.recent,
        "solver's notes": ", ".join(notes),
    }
