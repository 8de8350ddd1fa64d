"""The fills of a small grid, counted by listing them: letter after letter, as long as words begin like that."""

from collections.abc import Collection

from xwtui.model import Content, Grid


def listed_fills(grid: Grid, words: Collection[str], *, allow_repeats: bool, most: int) -> int:
    """Count the fills; one more than `most` where they are more. Slots that are given whole must be words, too."""
    return _Listing(grid, words, allow_repeats, most).count()


class _Listing:
    """A search square by square, row by row; `read` is what each slot reads so far."""

    def __init__(self, grid: Grid, words: Collection[str], allow_repeats: bool, most: int) -> None:
        self._words = frozenset(words)
        self._beginnings = frozenset(word[:end] for word in words for end in range(len(word) + 1))
        letters = [Content.of(letter) for letter in sorted({letter for word in words for letter in word})]
        squares = sorted({at for slot in grid.slots for at in slot.positions})
        self._choices = [
            [content] if (content := grid[at].content) is not None and grid[at].is_given else letters
            for at in squares
        ]
        self._through = [
            [
                (number, slot.direction, slot.positions[-1] == at)
                for number, slot in enumerate(grid.slots)
                if at in slot.positions
            ]
            for at in squares
        ]
        self._read = ["" for _ in grid.slots]
        self._ended: list[str] = []
        self._allow_repeats = allow_repeats
        self._most = most
        self._found = 0

    def count(self, square: int = 0) -> int:
        """Count on from a square."""
        if square == len(self._choices):
            self._found += 1
            return self._found
        before, ended = [self._read[slot] for slot, _, _ in self._through[square]], len(self._ended)
        for content in self._choices[square]:
            if self._found <= self._most and self._place(square, content):
                self.count(square + 1)
            for (slot, _, _), text in zip(self._through[square], before, strict=True):
                self._read[slot] = text
            del self._ended[ended:]
        return self._found

    def _place(self, square: int, content: Content) -> bool:
        for slot, direction, ends in self._through[square]:
            text = self._read[slot] = self._read[slot] + content.reading(direction)
            if text not in self._beginnings:
                return False
            if ends:
                if text not in self._words or (not self._allow_repeats and text in self._ended):
                    return False
                self._ended.append(text)
        return True
