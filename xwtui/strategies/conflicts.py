"""The conflict marks of TheF#WORD, and the filters that they make: which letters of a word failed together."""

from __future__ import annotations

from collections.abc import Collection

from xwtui.strategies.board import Board


class Conflicts:
    """The squares of inconsistent slots, marked until a slot through them is filled again."""

    def __init__(self, board: Board) -> None:
        """No square is marked at first."""
        self._board = board
        self.marked: set[int] = set()
        """The marked squares."""

    def mark(self, slot: int) -> None:
        """Mark all squares of an inconsistent slot."""
        self.marked.update(self._board.slots[slot].squares)

    def clear(self, slot: int) -> None:
        """Clear the marks of a slot that is filled."""
        self.marked.difference_update(self._board.slots[slot].squares)

    def filters(self, kind: str, target: int, undone: Collection[int]) -> list[list[int]]:
        """The places of a target whose letters failed together: `one` filter, `independent` ones or `none`."""
        match kind:
            case "one":
                return self.joint_filter(target)
            case "independent":
                return self.independent_filters(target, undone)
            case _:
                return []

    def joint_filter(self, target: int) -> list[list[int]]:
        """The places of all marked squares of a slot, as one filter: the article's own."""
        places = [at for at, square in enumerate(self._board.slots[target].squares) if square in self.marked]
        return [places] if places else []

    def independent_filters(self, target: int, undone: Collection[int]) -> list[list[int]]:
        """A filter for each group of conflicts of a slot that depend on each other.

        They do if slots that are undone together with the target link them.
        """
        squares = self._board.slots[target].squares
        crossings = self._board.crossings[target]
        conflicts = [(at, other) for at, other, _ in crossings if squares[at] in self.marked]
        links = {*undone, *(other for _, other in conflicts)} - {target}
        groups: dict[frozenset[int], list[int]] = {}
        for at, other in conflicts:
            groups.setdefault(self._linked(other, links), []).append(at)
        return list(groups.values())

    def _linked(self, slot: int, links: Collection[int]) -> frozenset[int]:
        """A slot, those of `links` that cross it, those that cross these, and so on."""
        found = [slot]
        for one in found:
            crossing = dict.fromkeys(other for _, other, _ in self._board.crossings[one])
            found += [other for other in crossing if other in links and other not in found]
        return frozenset(found)
