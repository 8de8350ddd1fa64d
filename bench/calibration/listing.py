"""Count the fills of a small grid by listing them: square by square, pruned by word prefixes."""

from collections.abc import Collection, Iterator, Sequence

from xwtui.model import Content, Grid, Slot

Beginnings = dict[tuple[int, str], set[str]]
"""Maps a word length and a prefix to the letters that may follow; to the empty set for a whole word."""


def listed_fills(grid: Grid, words: Collection[str], *, allow_repeats: bool, most: int) -> int:
    """Count the fills, stopping at `most` + 1. Slots whose squares are all given must be words, too."""
    return _Listing(grid, words, allow_repeats, most).count()


def letters_after(words: Collection[str]) -> Beginnings:
    """Build the lookup table of the letters that may follow each prefix of the words."""
    beginnings: Beginnings = {}
    for word in words:
        for end in range(len(word)):
            beginnings.setdefault((len(word), word[:end]), set()).add(word[end])
        beginnings[len(word), word] = set()
    return beginnings


class _Listing:
    """A depth-first search over the squares in row order. `_read` is the prefix read so far in each slot."""

    def __init__(self, grid: Grid, words: Collection[str], allow_repeats: bool, most: int) -> None:
        self._beginnings = letters_after(words)
        squares = sorted({at for slot in grid.slots for at in slot.positions})
        self._given = [grid[at].content if grid[at].is_given else None for at in squares]
        self._through = [
            [
                (number, slot.direction, slot.positions[-1] == at)
                for number, slot in enumerate(grid.slots)
                if at in slot.positions
            ]
            for at in squares
        ]
        self._lengths = [_length(grid, slot) for slot in grid.slots]
        self._read = ["" for _ in grid.slots]
        self._ended: list[str] = []
        self._allow_repeats = allow_repeats
        self._most = most
        self._found = 0

    def count(self, square: int = 0) -> int:
        """Count the fills from this square on."""
        if square == len(self._given):
            self._found += 1
            return self._found
        before, ended = [self._read[slot] for slot, _, _ in self._through[square]], len(self._ended)
        for content in self._choices(square):
            if self._found <= self._most and self._place(square, content):
                self.count(square + 1)
            for (slot, _, _), text in zip(self._through[square], before, strict=True):
                self._read[slot] = text
            del self._ended[ended:]
        return self._found

    def _choices(self, square: int) -> Sequence[Content]:
        """Return the given content, or the letters that extend the prefixes of all slots through the square."""
        given = self._given[square]
        if given is not None:
            return [given]
        return [Content.of(letter) for letter in sorted(set.intersection(*self._following(square)))]

    def _following(self, square: int) -> Iterator[set[str]]:
        for slot, _, _ in self._through[square]:
            yield self._beginnings.get((self._lengths[slot], self._read[slot]), set())

    def _place(self, square: int, content: Content) -> bool:
        for slot, direction, ends in self._through[square]:
            text = self._read[slot] = self._read[slot] + content.reading(direction)
            if (self._lengths[slot], text) not in self._beginnings:
                return False
            if ends:
                if not self._allow_repeats and text in self._ended:
                    return False
                self._ended.append(text)
        return True


def _length(grid: Grid, slot: Slot) -> int:
    """Return the answer's length: one letter per open square, and the full reading of given squares."""
    contents = [grid[at].content if grid[at].is_given else None for at in slot.positions]
    return sum(1 if content is None else len(content.reading(slot.direction)) for content in contents)
