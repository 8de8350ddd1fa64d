"""Snapshots: named states of a puzzle, kept inside it for comparison or restoring.

They are puzzles in `Puzzle.snapshots`, without snapshots of their own and without other programs' fields, which no
edit changes. Undo does not affect them: a named state outlives the edits around it. Two states are compared square
by square and entry by entry.
"""

import enum
from collections.abc import Callable, Iterator

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import PuzzleError
from xwtui.model.puzzle import Puzzle, with_item
from xwtui.model.review import link_words, rule_lines
from xwtui.model.slots import Slot
from xwtui.model.square import Square
from xwtui.model.where import Position
from xwtui.text import in_quotes, listed, printable

NOW = "now"
"""Stands for the current puzzle where a snapshot's name is expected."""
MOST_SNAPSHOTS = 20
LONGEST_NAME = 40
"""Maximum number of characters in a snapshot's name."""


def check_name(name: str) -> str:
    """Return a snapshot's name in normalized form; raises PuzzleError if it is empty, too long or unprintable."""
    kept = " ".join(name.split())
    if not kept or printable(kept, LONGEST_NAME) != kept:
        raise PuzzleError(f"a snapshot's name has 1 to {LONGEST_NAME} plain characters: not {printable(name)!r}")
    return kept


def with_snapshot(puzzle: Puzzle, name: str, *, replaces: bool = False) -> Puzzle:
    """Return the puzzle with a snapshot of its current state.

    Raises PuzzleError if the name is invalid or taken (unless `replaces`), or if there are too many snapshots.
    """
    kept = check_name(name)
    others = {known: state for known, state in puzzle.snapshots.items() if known != kept}
    if kept in puzzle.snapshots and not replaces:
        raise PuzzleError(f"the snapshot {in_quotes(kept)} already exists; `--replace` replaces it")
    if len(others) >= MOST_SNAPSHOTS:
        raise PuzzleError(f"a puzzle keeps at most {MOST_SNAPSHOTS} snapshots; drop one first")
    return puzzle.with_snapshots({**others, kept: replace(puzzle, snapshots={}, foreign={})})


def without_snapshot(puzzle: Puzzle, name: str) -> Puzzle:
    """Return the puzzle without a snapshot; raises PuzzleError if there is none of that name."""
    snapshot(puzzle, name)
    return puzzle.with_snapshots(with_item(puzzle.snapshots, name, None))


def snapshot(puzzle: Puzzle, name: str) -> Puzzle:
    """Return the state kept under a name; raises PuzzleError if there is none."""
    if name in puzzle.snapshots:
        return puzzle.snapshots[name]
    there = (
        f"there are {listed(map(in_quotes, puzzle.snapshots), 'and')}"
        if puzzle.snapshots
        else "there are none yet"
    )
    raise PuzzleError(f"there is no snapshot {in_quotes(printable(name, LONGEST_NAME))}; {there}")


def returned(puzzle: Puzzle, name: str) -> Puzzle:
    """Return the state kept under a name, with the current snapshots; raises PuzzleError if there is none."""
    return replace(snapshot(puzzle, name), snapshots=puzzle.snapshots, foreign=puzzle.foreign)


class Aspect(enum.Enum):
    """The aspect in which a square differs. The value is its name in JSON."""

    KIND = "kind"
    CONTENT = "content"
    INK = "ink"
    MARK = "mark"


@dataclass(frozen=True)
class SquareDifference:
    """A square that differs; None stands for a state whose grid lacks it."""

    at: Position
    then: Square | None
    now: Square | None

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """The aspects that differ: only the kind if the square is open in just one state."""
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
    """A value that differs, as text: an entry's pattern or clue, the title, or a setting of the word choice.

    The text is empty if a state lacks the value. `positions` are the entry's squares, or none for a value of the
    whole puzzle.
    """

    name: str
    then: str
    now: str
    positions: tuple[Position, ...] = ()


@dataclass(frozen=True)
class Differences:
    """All differences between two states."""

    squares: tuple[SquareDifference, ...] = ()
    bars: tuple[Position, ...] = ()
    """The squares next to bars that only one state has."""
    entries: tuple[ValueDifference, ...] = ()
    """Entry patterns that differ."""
    clues: tuple[ValueDifference, ...] = ()
    """Entry clues that differ."""
    rules_then: tuple[str, ...] = ()
    """The rules that only the first state has, in words."""
    rules_now: tuple[str, ...] = ()
    """The rules that only the second state has, in words."""
    settings: tuple[ValueDifference, ...] = field(default=())
    """The title page, symmetry, profile and word choice."""

    @property
    def is_none(self) -> bool:
        return self == Differences()

    def squares_with(self, aspect: Aspect) -> tuple[Position, ...]:
        return tuple(square.at for square in self.squares if aspect in square.aspects)


def differences_between(then: Puzzle, now: Puzzle) -> Differences:
    """Return the differences between an earlier state and a later one."""
    rules_then, rules_now = rule_lines(then), rule_lines(now)
    old, new = ({at: puzzle.grid[at] for at in puzzle.grid.positions()} for puzzle in (then, now))
    squares = (SquareDifference(at, old.get(at), new.get(at)) for at in sorted({*old, *new}))
    settings = zip(_settings_of(then).items(), _settings_of(now).values(), strict=True)
    return Differences(
        tuple(square for square in squares if square.then != square.now),
        tuple(sorted({at for bar in then.grid.bars ^ now.grid.bars for at in bar})),
        tuple(_by_entry(then, now, lambda puzzle, slot: puzzle.shown_pattern(slot))),
        tuple(_by_entry(then, now, lambda puzzle, slot: puzzle.whole_clue(slot))),
        tuple(line for line in rules_then if line not in rules_now),
        tuple(line for line in rules_now if line not in rules_then),
        tuple(ValueDifference(name, was, is_now) for (name, was), is_now in settings if was != is_now),
    )


def _by_entry(then: Puzzle, now: Puzzle, value: Callable[[Puzzle, Slot], str]) -> Iterator[ValueDifference]:
    """Yield the entries whose value differs: those of the later state, then those only in the earlier one."""
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
