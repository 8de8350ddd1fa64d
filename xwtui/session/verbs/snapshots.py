"""The verbs for snapshots: states of the puzzle that are kept in it under names."""

from __future__ import annotations

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, snapshots
from xwtui.model.snapshots import NOW
from xwtui.session.verbs.kinds import ParameterKind, offered
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Writes, answered, argument, option, verbs_of
from xwtui.text import in_quotes

with lazy_imports():
    from xwtui.formats.ipuz_extensions import unread_snapshots, without_unread
    from xwtui.session.session import Session
    from xwtui.session.snapshot_answers import ComparisonAnswer, SnapshotAnswer, SnapshotsAnswer

verb = verbs_of(Group.FILE)


def snapshot_kind(*words: str) -> ParameterKind[str]:
    """The name of a snapshot, or another word that is offered with them."""
    return ParameterKind(
        "name",
        lambda text, session: snapshots.check_name(text),
        lambda session, beginning: offered((*session.puzzle.snapshots, *words), beginning),
    )


_LOOKS = FromShell(needs=Needs.NOTHING)
_WRITES = FromShell(writes=Writes.PUZZLE, needs=Needs.NOTHING)
_KEEPS = FromShell(writes=Writes.PUZZLE, needs=Needs.NOTHING, is_lost_unwritten=True)


@verb(examples=("snapshot save corner-1",), asks=True, from_shell=_KEEPS)
def snapshot_save(
    session: Session,
    name: str = argument("a name, which may contain spaces", snapshot_kind()),
    replace: bool = option("replace the snapshot with this name"),
) -> Answer:
    """Save the puzzle's current state under a name.

    A snapshot holds letters, pencil and pen, clues, blocks, rules and titles, and is saved in the puzzle's file.
    Undo does not remove snapshots; `snapshot drop` does.
    """
    _check_free(session, name, replaces=replace)

    def kept(puzzle: Puzzle) -> Puzzle:
        return snapshots.with_snapshot(without_unread(puzzle, name), name, replaces=replace)

    session.amend(f"snapshot save {name}", kept)
    way_back = f"`snapshot return {in_quotes(name)}` brings it back"
    return answered(SnapshotAnswer(name, session.puzzle, f"kept as {in_quotes(name)}; {way_back}"))


def _check_free(session: Session, name: str, *, replaces: bool) -> None:
    if name == NOW:
        raise VerbError(f"{NOW} means the current puzzle: choose another name")
    if name in unread_snapshots(session.puzzle) and not replaces:
        raise VerbError(f"the file has an unreadable snapshot {in_quotes(name)}; `--replace` replaces it")


@verb(examples=("snapshot list",), from_shell=_LOOKS)
def snapshot_list(session: Session) -> Answer:
    """List the snapshots, with how each differs from the current puzzle."""
    return answered(SnapshotsAnswer(session.puzzle))


@verb(examples=("snapshot show v1",), asks=True, from_shell=_WRITES)
def snapshot_show(session: Session, name: str = argument("the snapshot", snapshot_kind())) -> Answer:
    """Show a snapshot without changing the puzzle."""
    return answered(SnapshotAnswer(name, snapshots.snapshot(session.puzzle, name)))


@verb(examples=("snapshot compare v1", "snapshot compare v1 v2"), asks=True, from_shell=_LOOKS)
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
    return answered(ComparisonAnswer(name, other, snapshots.snapshot(puzzle, name), later))


@verb(examples=("snapshot return v1",), asks=True, from_shell=_WRITES)
def snapshot_return(session: Session, name: str = argument("the snapshot", snapshot_kind())) -> Answer:
    """Return the whole puzzle to a snapshot, as one edit that undo reverts."""
    is_other = session.edit(f"snapshot return {name}", lambda puzzle: snapshots.returned(puzzle, name))
    called = in_quotes(name)
    done = f"restored {called}; undo reverts that" if is_other else f"the puzzle already matches {called}"
    return answered(SnapshotAnswer(name, session.puzzle, done))


@verb(examples=("snapshot drop v1",), asks=True, from_shell=_KEEPS)
def snapshot_drop(session: Session, name: str = argument("the snapshot", snapshot_kind())) -> Answer:
    """Delete a snapshot for good; the puzzle is unchanged."""

    def dropped(puzzle: Puzzle) -> Puzzle:
        if name in unread_snapshots(puzzle):
            return without_unread(puzzle, name)
        return snapshots.without_snapshot(puzzle, name)

    session.amend(f"snapshot drop {name}", dropped)
    return answered(SnapshotAnswer(name, session.puzzle, f"dropped {in_quotes(name)}"))
