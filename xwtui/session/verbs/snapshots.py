"""Named states of the puzzle, stored in it: their verbs, and the differences between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Position, Puzzle, snapshots
from xwtui.model.snapshots import NOW, Aspect, Differences, differences_between
from xwtui.session.answers import ImmediateAnswer, JsonShape, VerbAnswer, bars_as_json
from xwtui.session.verbs.kinds import ParameterKind, offered
from xwtui.session.verbs.verb import EDITS_PUZZLE, MAKES_PUZZLE, OF_GRID, Answer, Group, argument, option, verbs_of
from xwtui.text import counted, first_named, in_quotes, listed, printable

with lazy_imports():
    from xwtui.formats.grid_text import grid_to_text
    from xwtui.formats.ipuz_extensions import unread_snapshots, unread_words, without_unread
    from xwtui.session.session import Session


verb = verbs_of(Group.FILE)


def snapshot_kind(*words: str) -> ParameterKind[str]:
    """Return the kind for a snapshot's name, which also completes some other words."""
    return ParameterKind(
        "name",
        lambda text, session: snapshots.check_name(text),
        lambda session, beginning: offered((*session.puzzle.snapshots, *words), beginning),
    )


@verb("snapshot save corner-1", asks=True, from_shell=EDITS_PUZZLE)
def snapshot_save(
    session: Session,
    name: str = argument("a name, which may contain spaces", snapshot_kind()),
    replace: bool = option("replace the snapshot with this name"),
) -> Answer:
    """Save the puzzle's current state under a name.

    A snapshot holds letters, pencil and pen, clues, blocks, rules and titles, and is saved in the puzzle's file.
    Undo does not remove snapshots; `snapshot drop` does.
    """
    if name == NOW:
        raise VerbError(f"{NOW} means the current puzzle: choose another name")
    if name in unread_snapshots(session.puzzle) and not replace:
        raise VerbError(f"the file has an unreadable snapshot {in_quotes(name)}; `--replace` replaces it")

    def kept(puzzle: Puzzle) -> Puzzle:
        return snapshots.with_snapshot(without_unread(puzzle, name), name, replaces=replace)

    session.amend(f"snapshot save {name}", kept)
    way_back = f"`snapshot return {in_quotes(name)}` brings it back"
    return SnapshotAnswer(name, session.puzzle, f"kept as {in_quotes(name)}; {way_back}")


@verb("snapshot list", from_shell=OF_GRID)
def snapshot_list(session: Session) -> Answer:
    """List the snapshots, with how each differs from the current puzzle."""
    puzzle = session.puzzle
    compared = [ComparisonAnswer(name, NOW, state, puzzle) for name, state in puzzle.snapshots.items()]
    lines = [*(one.headline for one in compared), *filter(None, [unread_words(puzzle)])]
    figures = JsonShape(
        "name same=differences.is_none squares=differences.squares.__len__ "
        "entries=differences.entries.__len__ clues=differences.clues.__len__ rules=changed_rules"
    )
    return ImmediateAnswer(
        lines or ["there are no snapshots yet; `snapshot save NAME` saves one"],
        {"snapshots": figures.convert(compared), "unread": unread_snapshots(puzzle)},
    )


@verb("snapshot show v1", asks=True, from_shell=MAKES_PUZZLE)
def snapshot_show(session: Session, name: str = argument("the snapshot", snapshot_kind())) -> Answer:
    """Show a snapshot without changing the puzzle."""
    return SnapshotAnswer(name, snapshots.snapshot(session.puzzle, name))


@verb("snapshot compare v1", "snapshot compare v1 v2", asks=True, from_shell=OF_GRID)
def snapshot_compare(
    session: Session,
    name: str = argument("the snapshot", snapshot_kind()),
    other: str = argument("another snapshot (default: the current puzzle)", snapshot_kind(NOW), default=NOW),
) -> Answer:
    """Compare with a snapshot: entries, squares, clues, rules, titles and word choice.

    On the screen, the differences are marked in the grid and you can step through them.
    """
    puzzle = session.puzzle
    later = puzzle if other == NOW else snapshots.snapshot(puzzle, other)
    return ComparisonAnswer(name, other, snapshots.snapshot(puzzle, name), later)


@verb("snapshot return v1", asks=True, from_shell=MAKES_PUZZLE)
def snapshot_return(session: Session, name: str = argument("the snapshot", snapshot_kind())) -> Answer:
    """Return the whole puzzle to a snapshot, as one edit that undo reverts."""
    is_other = session.edit(f"snapshot return {name}", lambda puzzle: snapshots.returned(puzzle, name))
    called = in_quotes(name)
    done = f"restored {called}; undo reverts that" if is_other else f"the puzzle already matches {called}"
    return SnapshotAnswer(name, session.puzzle, done)


@verb("snapshot drop v1", asks=True, from_shell=EDITS_PUZZLE)
def snapshot_drop(session: Session, name: str = argument("the snapshot", snapshot_kind())) -> Answer:
    """Delete a snapshot for good; the puzzle is unchanged."""

    def dropped(puzzle: Puzzle) -> Puzzle:
        if name in unread_snapshots(puzzle):
            return without_unread(puzzle, name)
        return snapshots.without_snapshot(puzzle, name)

    session.amend(f"snapshot drop {name}", dropped)
    return SnapshotAnswer(name, session.puzzle, f"dropped {in_quotes(name)}")


_LONGEST_VALUE = 60


_SQUARE = JsonShape(
    "kind content",
    lambda square: {"ink": square.ink.name.lower() if square.content is not None else None},
    "circle shade",
)


class DifferenceLine(NamedTuple):
    """One difference as text, with the squares concerned, if any."""

    text: str
    positions: tuple[Position, ...]


class ComparisonAnswer(VerbAnswer):
    """The differences between a snapshot and a later state."""

    name: str
    other: str
    """Name of the later state; `NOW` for the current puzzle."""
    then: Puzzle
    now: Puzzle
    json = JsonShape(
        "snapshot=name other same=differences.is_none",
        ("differences.squares", JsonShape("square=at differs=aspects", ("then", _SQUARE), ("now", _SQUARE))),
        "differences.bars",
        ("differences.entries", JsonShape("entry=name then now")),
        ("differences.clues", JsonShape("entry=name then now")),
        ("rules=differences", JsonShape("then=rules_then now=rules_now")),
        ("differences.settings", JsonShape("name then now")),
    )

    @cached_property
    def differences(self) -> Differences:
        return differences_between(self.then, self.now)

    @property
    def headline(self) -> str:
        found = self.differences
        if found.is_none:
            return f"{in_quotes(self.name)} and {in_quotes(self.other)}: no difference"
        counts = {
            "square": len(found.squares),
            "entry": len(found.entries),
            "clue": len(found.clues),
            "rule": self.changed_rules,
        }
        plurals = {"entry": "entries"}
        parts = [counted(number, noun, plurals.get(noun, "")) for noun, number in counts.items() if number]
        parts += [one.name for one in found.settings]
        names = f"{in_quotes(self.name)} → {in_quotes(self.other)}"
        return f"{names}: {listed(parts, 'and') if parts else 'bars'}"

    @property
    def changed_rules(self) -> int:
        return len(self.differences.rules_then) + len(self.differences.rules_now)

    @cached_property
    def rows(self) -> tuple[DifferenceLine, ...]:
        return tuple(_rows(self.differences))

    @property
    def lines(self) -> Sequence[str]:
        return [self.headline, *(f"  {row.text}" for row in self.rows)]


def _rows(found: Differences) -> Iterator[DifferenceLine]:
    covered = {at for entry in found.entries for at in entry.positions}
    for entry in found.entries:
        yield DifferenceLine(
            f"{entry.name}: {entry.then or 'no entry'} → {entry.now or 'no entry'}", entry.positions
        )
    blocks = found.squares_with(Aspect.KIND)
    letters = tuple(at for at in found.squares_with(Aspect.CONTENT) if at not in covered)
    for what, squares in (
        ("blocks", blocks),
        ("letters", letters),
        ("ink", found.squares_with(Aspect.INK)),
        ("circles or shade", found.squares_with(Aspect.MARK)),
        ("bars", found.bars),
    ):
        if squares:
            yield DifferenceLine(f"{what} at {first_named([str(at) for at in squares])}", squares)
    for clue in found.clues:
        yield DifferenceLine(f"clue of {clue.name}: {_quoted(clue.then)} → {_quoted(clue.now)}", clue.positions)
    for rule in found.rules_then:
        yield DifferenceLine(f"rule removed: {rule}", ())
    for rule in found.rules_now:
        yield DifferenceLine(f"new rule: {rule}", ())
    for one in found.settings:
        yield DifferenceLine(f"{one.name}: {_quoted(one.then)} → {_quoted(one.now)}", ())


def _quoted(text: str) -> str:
    return printable(text, _LONGEST_VALUE) if text else "none"


class SnapshotAnswer(VerbAnswer):
    """The puzzle of a snapshot, or the result of an operation on one."""

    name: str
    shown: Puzzle
    done: str = ""
    """What was done with it; empty if it is only shown."""
    makes = "shown"
    json = JsonShape(
        "snapshot=name",
        lambda answer: {"grid": grid_to_text(answer.shown.grid), **bars_as_json(answer.shown.grid)},
    )

    @property
    def lines(self) -> Sequence[str]:
        if self.done:
            return [self.done]
        return [self._figures, *(f"  {row}" for row in grid_to_text(self.shown.grid).splitlines())]

    @property
    def _figures(self) -> str:
        grid = self.shown.grid
        filled = sum(grid.answer(slot) is not None for slot in grid.entries)
        figures = f"{filled}/{len(grid.entries)} entries, {counted(grid.block_count, 'block')}"
        return f"{self.name}: {grid.height}×{grid.width}, {figures}"

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        return [self.done or self._figures]
