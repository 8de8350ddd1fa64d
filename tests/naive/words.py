"""Naive twins of the word part: plain dictionaries and scans, slow and plainly right."""

from collections.abc import Collection, Mapping, Sequence


def alphabetically(word: str) -> list[tuple[bool, str]]:
    """A sort key: letters first, digits after them."""
    return [(character.isdigit(), character) for character in word]


def best_first(words: Mapping[str, int]) -> list[str]:
    return sorted(words, key=lambda word: (-words[word], alphabetically(word)))


def fits(word: str, pattern: str) -> bool:
    return len(word) == len(pattern) and all(
        wanted in ("?", character) for character, wanted in zip(word, pattern, strict=True)
    )


def matches(words: Mapping[str, int], pattern: str) -> list[str]:
    return [word for word in best_first(words) if fits(word, pattern)]


def listed(layers: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """All words of the layers; the first layer that has a word decides its score."""
    words: dict[str, int] = {}
    for layer in layers:
        for word, score in layer.items():
            words.setdefault(word, score)
    return words


def allowed(words: Mapping[str, int], minimum_score: int, banned: Collection[str]) -> dict[str, int]:
    return {word: score for word, score in words.items() if score >= minimum_score and word not in banned}
