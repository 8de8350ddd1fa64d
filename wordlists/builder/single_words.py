"""Single words of scowl and WordNet; rare ones rise with what the other sources know of them."""

from collections.abc import Iterator, Mapping

from builder.artefacts import artefact_penalty
from builder.evidence import UNKNOWN_SIZE, Evidence
from builder.inflection import plural_forms, verb_forms
from builder.scowl import ScowlList
from builder.spelling import grid_spelling

_RARE_SIZE = 60
# Of a common word the size says most already; the rise of its lemma only shades it.
_COMMON_CHANGES = ((7, 3), (5, 2), (2, 0), (0, -2))
_LEMMA_SCORES = {"animal": 16, "plant": 12, "substance": 16, "person": 24, "location": 26}


def scored_single_words(evidence: Evidence) -> Iterator[tuple[str, int]]:
    """Yield each single word as it stands in a grid, with its score."""
    rises = _familiar_rarities(evidence)
    for scowl_list in evidence.scowl_lists:
        for written in scowl_list.words:
            word = grid_spelling(written)
            if word is not None:
                yield word, _scowl_score(written, scowl_list, evidence, rises)
    for lemma in evidence.lemmas:
        if " " not in lemma.term and "-" not in lemma.term:
            word = grid_spelling(lemma.term)
            if word is not None:
                yield word, _lemma_score(lemma.term, lemma.field, evidence)


def _scowl_score(written: str, scowl_list: ScowlList, evidence: Evidence, rises: Mapping[str, int]) -> int:
    if scowl_list.kind not in {"words", "upper"}:
        return scowl_list.score
    rise = rises.get(written, 0)
    if scowl_list.size < _RARE_SIZE:
        rise = next(change for least, change in _COMMON_CHANGES if rise >= least)
    score = scowl_list.score + rise
    return max(score - artefact_penalty(written, evidence, rises), 3)


def _lemma_score(term: str, field: str, evidence: Evidence) -> int:
    if field in {"animal", "plant"} and term[:1].isupper():
        return 4
    known = term.lower()
    score = _LEMMA_SCORES.get(field, 22) + (6 if evidence.mentions[known] else 0)
    return score + (6 if evidence.tags[known] else 0) + min(evidence.glosses[known], 6)


def _familiar_rarities(evidence: Evidence) -> dict[str, int]:
    """Return by how much words and their inflections rise for being tagged, glossed with, or listed by Moby."""
    rises: dict[str, int] = {}
    for lemma in evidence.lemmas:
        if lemma.term.islower() and evidence.sizes.get(lemma.term, UNKNOWN_SIZE) < UNKNOWN_SIZE:
            rise = _rise(lemma.term, evidence)
            for form in _forms(lemma.term, lemma.part_of_speech, evidence):
                rises[form] = max(rise - 1, rises.get(form, 0))
            rises[lemma.term] = max(rise, rises.get(lemma.term, 0))
    return rises


def _rise(term: str, evidence: Evidence) -> int:
    rise = 1 + (4 if evidence.tags[term] else 0)
    rise += min(evidence.mentions[term] // 8, 2)
    return rise + min(evidence.glosses[term] // 2, 2)


def _forms(term: str, part: str, evidence: Evidence) -> tuple[str, ...]:
    if part == "verb":
        return verb_forms(term, evidence.verb_forms)
    return plural_forms(term, evidence.noun_forms) if part == "noun" else ()
