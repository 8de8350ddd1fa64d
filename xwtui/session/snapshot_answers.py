"""What verbs answer about snapshots: which there are, how one looks, and what differs from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.ipuz_extensions import unread_snapshots, unread_words
from xwtui.model import Position, Puzzle
from xwtui.model.snapshots import NOW, Aspect, Differences, differences_between
from xwtui.session.answers import VerbAnswer, bars_as_json
from xwtui.session.json_shape import JsonShape
from xwtui.session.wording import counted
from xwtui.text import first_named, in_quotes, listed, printable

_LONGEST_VALUE = 60


_SQUARE = JsonShape(
    "kind content",
    lambda square: {"ink": square.ink.name.lower() if square.content is not None else None},
    "circle shade",
)


class DifferenceLine(NamedTuple):
    """One difference in words, and the squares that it is about, if any."""

    text: str
    positions: tuple[Position, ...]


class ComparisonAnswer(VerbAnswer):
    """What a puzzle has otherwise than a snapshot of it."""

    name: str
    other: str
    """The name of the later state, `NOW` for the puzzle as it is."""
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
    told = {at for entry in found.entries for at in entry.positions}
    for entry in found.entries:
        yield DifferenceLine(
            f"{entry.name}: {entry.then or 'no entry'} → {entry.now or 'no entry'}", entry.positions
        )
    blocks = found.squares_with(Aspect.KIND)
    letters = tuple(at for at in found.squares_with(Aspect.CONTENT) if at not in told)
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


class SnapshotsAnswer(VerbAnswer):
    """The snapshots of a puzzle."""

    puzzle: Puzzle
    json = JsonShape(
        (
            "snapshots=compared",
            JsonShape(
                "name same=differences.is_none squares=differences.squares.__len__ "
                "entries=differences.entries.__len__ clues=differences.clues.__len__ rules=changed_rules"
            ),
        ),
        lambda answer: {"unread": list(unread_snapshots(answer.puzzle))},
    )

    @property
    def compared(self) -> Sequence[ComparisonAnswer]:
        states = self.puzzle.snapshots.items()
        return [ComparisonAnswer(name, NOW, state, self.puzzle) for name, state in states]

    @property
    def lines(self) -> Sequence[str]:
        puzzle = self.puzzle
        told = [one.headline for one in self.compared]
        unread = list(filter(None, [unread_words(puzzle)]))
        return [*told, *unread] or ["there are no snapshots yet; `snapshot save NAME` saves one"]


class SnapshotAnswer(VerbAnswer):
    """A puzzle as a snapshot has it, or with what became of one."""

    name: str
    shown: Puzzle
    done: str = ""
    """What was done with it; empty where it is only shown."""
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

    def report(self, times: str, columns: int) -> Sequence[str]:
        return [self.done or self._figures]
