"""What a format cannot hold: gathered while writing, then one error, or a warning for each."""

from collections.abc import Iterable

from xwtui.errors import PuzzleFormatError
from xwtui.text import first_named


class Losses:
    """The things that a puzzle would lose in a format."""

    def __init__(self, format_name: str) -> None:
        self._format_name = format_name
        self._found: list[tuple[str, str]] = []
        self._expected: list[str] = []

    def expect(self, what: str) -> None:
        """Note what nobody thinks the format could hold: a warning, never an error."""
        self._expected.append(f"{self._format_name} has no place for {what}")

    def add(self, what: str, places: Iterable[object], remedy: str) -> None:
        """Note a loss at some squares or entries, if there are any; `remedy` tells what a lossy file has."""
        if named := name_places(places):
            self._found.append((f"{what} at {named}", remedy))

    def settle(self, *, lossy: bool) -> tuple[str, ...]:
        """Return the warnings if the loss is accepted; else raise PuzzleFormatError where there is any."""
        if self._found and not lossy:
            told = "; nor ".join(f"{what} (with --lossy: {remedy})" for what, remedy in self._found)
            raise PuzzleFormatError(f"{self._format_name} cannot hold {told}")
        found = (f"{self._format_name} cannot hold {what}: {remedy}" for what, remedy in self._found)
        return (*found, *self._expected)


def name_places(places: Iterable[object]) -> str:
    """`r1c1, r1c2 and 3 more`; the empty string for no places."""
    return first_named([str(place) for place in places])
