"""Naive twins of the words package and the letter searches: plain dictionaries and scans."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain, combinations, pairwise

from tests.naive.engine import given_content
from xwtui.model import Grid, Position, Slot


def alphabetically(word: str) -> list[tuple[bool, str]]:
    """Return a sort key: letters first, then digits."""
    return [(character.isdigit(), character) for character in word]


def best_first(words: Mapping[str, int]) -> list[str]:
    return sorted(words, key=lambda word: (-words[word], alphabetically(word)))


def fits(word: str, pattern: str) -> bool:
    return len(word) == len(pattern) and all(
        wanted in ("?", character) for character, wanted in zip(word, pattern, strict=True)
    )


def matches(words: Mapping[str, int], pattern: str) -> list[str]:
    return [word for word in best_first(words) if fits(word, pattern)]


class NaiveIndex:
    """Words with scores, scanned in order for each query."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self.scores = dict(words)

    def of(self, length: int) -> list[str]:
        return sorted(word for word in self.scores if len(word) == length)

    def matches(self, pattern: str) -> list[str]:
        return [word for word in self.of(len(pattern)) if fits(word, pattern)]

    def begins(self, beginning: str) -> list[str]:
        found = (word for word in self.scores if word.startswith(beginning))
        return sorted(found, key=lambda word: (len(word), word))

    def in_order(self, letters: str, length: int) -> list[str]:
        return [word for word in self.of(length) if fits_gaps(word, f"*{'*'.join(letters)}*")]

    def made_of(self, letters: str, length: int) -> list[str]:
        def lacking(word: str) -> int:
            return sum(max(word.count(letter) - letters.count(letter), 0) for letter in set(word))

        return [word for word in self.of(length) if lacking(word) <= letters.count("?")]

    def inside(self, row: str) -> list[tuple[int, str]]:
        spans = [(start, end) for start in range(len(row)) for end in range(start + 1, len(row) + 1)]
        return [(start, word) for start, end in spans for word in self.matches(row[start:end])]


def listed(layers: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return all words of the layers; the first layer with a word sets its score."""
    words: dict[str, int] = {}
    for layer in layers:
        for word, score in layer.items():
            words.setdefault(word, score)
    return words


def allowed(words: Mapping[str, int], minimum_score: int, banned: Collection[str]) -> dict[str, int]:
    return {word: score for word, score in words.items() if score >= minimum_score and word not in banned}


def fits_gaps(word: str, pattern: str) -> bool:
    """Whether a word matches a pattern of letters, `?` and `*`."""
    if not pattern:
        return not word
    if pattern[0] == "*":
        return any(fits_gaps(word[start:], pattern[1:]) for start in range(len(word) + 1))
    return bool(word) and pattern[0] in ("?", word[0]) and fits_gaps(word[1:], pattern[1:])


def is_anagram(word: str, letters: str) -> bool:
    """Whether a word is an anagram of letters; `?` adds one letter, `*` any number."""
    left = list(word)
    for letter in letters.replace("?", "").replace("*", ""):
        if letter not in left:
            return False
        left.remove(letter)
    more = letters.count("?")
    return len(left) >= more if "*" in letters else len(left) == more


def rebus_forms(words: Mapping[str, int], text: str) -> dict[int, list[tuple[str, tuple[int, ...]]]]:
    """Return each way to put a text in rebus squares, at one or several separate positions, by word."""
    found: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
    for word in best_first(words):
        starts = [start for start in range(len(word)) if word.startswith(text, start)]
        together = chain.from_iterable(combinations(starts, count) for count in range(1, len(starts) + 1))
        forms = sorted(form for form in together if all(b >= a + len(text) for a, b in pairwise(form)))
        for form in forms:
            marked = word
            for start in reversed(form):
                marked = f"{marked[:start]}[{marked[start : start + len(text)]}]{marked[start + len(text) :]}"
            places = tuple(marked_at(marked))
            found.setdefault(len(word) - len(form) * (len(text) - 1), []).append((marked, places))
    return found


def marked_at(answer: str) -> list[int]:
    """Return which squares of an answer are in brackets."""
    squares: list[bool] = []
    rest = answer
    while rest:
        if rest[0] == "[":
            squares.append(True)
            rest = rest[rest.index("]") + 1 :]
        else:
            squares.append(False)
            rest = rest[1:]
    return [number for number, is_marked in enumerate(squares, 1) if is_marked]


def naive_placements(grid: Grid, words: Sequence[str], walk: Sequence[Position]) -> int:
    """Count the letters that a naive letter search places along a walk, with repeats and without rebus squares.

    Given letters do not count.
    """
    slots = {at: [slot for slot in grid.slots if at in slot.positions] for at in walk}
    return _place(grid, words, walk, slots, {})


def _place(
    grid: Grid,
    words: Sequence[str],
    walk: Sequence[Position],
    slots: Mapping[Position, Sequence[Slot]],
    placed: dict[Position, str],
) -> int:
    if len(placed) == len(walk):
        return 0
    at = walk[len(placed)]
    content = given_content(grid, at)
    total = 0
    for letter in sorted(set("".join(words)) | ({content.across} if content else set())):
        if content is not None and letter != content.across:
            continue
        board = placed | {at: letter}
        if all(_begins(grid, slot, at, board, words) for slot in slots[at]):
            total += (content is None) + _place(grid, words, walk, slots, board)
    return total


def _begins(grid: Grid, slot: Slot, at: Position, board: Mapping[Position, str], words: Sequence[str]) -> bool:
    """Whether a slot's letters up to a square are a prefix of a word or of its given answer."""
    given = [given_content(grid, position) for position in slot.positions]
    if all(given):
        return True
    prefix = "".join(board[position] for position in slot.positions[: slot.positions.index(at) + 1])
    return any(len(word) == len(slot) and word.startswith(prefix) for word in words)
