"""Phrases of WordNet and Moby, scored by the familiarity of their words and by who knows them."""

from collections.abc import Iterable, Iterator

from builder.evidence import UNKNOWN_SIZE, Evidence, plain
from builder.inflection import plural_forms, verb_forms
from builder.spelling import tokens
from builder.wordnet import Lemma

_PART_SCORES = {"noun": 40, "verb": 46, "adj": 41, "adv": 46}
_FIELD_PENALTIES = {"animal": 10, "plant": 13, "substance": 7, "person": 3, "location": 2, "body": 5}
_SIZE_CHANGES = ((20, 3), (35, 1), (50, -3), (60, -8), (70, -15), (95, -26))
_MOBY_SCORE = 35
_LEAST = 2
_BEST_PHRASE, _BEST_OF_MOBY_ALONE = 55, 39
_LEAST_INFLECTED, _VERB_FORM_PENALTY, _PLURAL_PENALTY = 38, 2, 5
_LARGEST_FORM_SIZE = 50
_STILTED_STARTS = frozenset({"be", "not", "the", "a", "an", "made", "get", "make", "most", "so", "very"})
_STILTED_ENDS = frozenset({"like", "shaped", "being", "of", "to", "with", "colored", "up", "for"})
_PARTICLES = frozenset(
    {
        "about",
        "across",
        "after",
        "against",
        "ahead",
        "along",
        "apart",
        "around",
        "as",
        "aside",
        "at",
        "away",
        "back",
    }
    | {
        "behind",
        "by",
        "down",
        "for",
        "forth",
        "forward",
        "from",
        "in",
        "into",
        "it",
        "of",
        "off",
        "on",
        "onto",
        "out",
    }
    | {"over", "round", "through", "to", "together", "under", "up", "upon", "with", "without"}
)
_RANKS = frozenset(
    {"genus", "family", "order", "class", "phylum", "suborder", "subfamily", "subclass", "superfamily"}
)
_PLURAL_FIELDS = frozenset({"artifact", "food", "person", "act", "animal", "other"})


def scored_phrases(evidence: Evidence) -> Iterator[tuple[str, int]]:
    """Yield each phrase and its inflections as they are written, with their scores."""
    for lemma in evidence.lemmas:
        if _is_phrase(lemma.term):
            score = _wordnet_score(lemma, evidence)
            yield lemma.term, max(score, _LEAST)
            for inflected, penalty in _inflected(lemma, evidence, score):
                yield inflected, max(score - penalty, _LEAST)
    for term in evidence.written_in_moby:
        if _is_phrase(term):
            yield term, max(_moby_score(term, evidence), _LEAST)


def _is_phrase(term: str) -> bool:
    return " " in term or "-" in term


def _wordnet_score(lemma: Lemma, evidence: Evidence) -> int:
    if _is_scientific_name(lemma, evidence):
        return 3
    known = plain(lemma.term)
    score = _PART_SCORES[lemma.part_of_speech] - _FIELD_PENALTIES.get(lemma.field, 0)
    score += _size_change(lemma.term, evidence) + _mention_bonus(known, evidence)
    if "-" in lemma.term and lemma.part_of_speech == "adj" and tokens(lemma.term)[-1] in _STILTED_ENDS:
        score -= 8
    return min(score, _BEST_PHRASE)


def _moby_score(term: str, evidence: Evidence) -> int:
    words = tokens(term)
    score = _MOBY_SCORE + _size_change(term, evidence) + _mention_bonus(plain(term), evidence) - 4
    if words and (words[0] in _STILTED_STARTS or words[-1] in _STILTED_ENDS):
        score -= 10
    return min(score, _BEST_OF_MOBY_ALONE) - (4 if len(words) > 3 else 0)


def _size_change(term: str, evidence: Evidence) -> int:
    rarest = evidence.rarest_size(term)
    return next(change for size, change in _SIZE_CHANGES if rarest <= size)


def _mention_bonus(known: str, evidence: Evidence) -> int:
    bonus = 4 if evidence.mentions[known] else 0
    bonus += 4 if evidence.tags[known] else 0
    return bonus + min(evidence.glosses[known], 3)


def _is_scientific_name(lemma: Lemma, evidence: Evidence) -> bool:
    """Tell `Canis lupus` and `genus Canis` from `Boston fern` and `Irish setter`."""
    first, *rest = lemma.term.split(" ")
    if first in _RANKS:
        return bool(rest) and rest[0][:1].isupper()
    if lemma.field not in {"animal", "plant", "other"} or not first[:1].isupper():
        return False
    return any(token.islower() and evidence.sizes.get(token, 95) > 60 for token in rest)


def _inflected(lemma: Lemma, evidence: Evidence, score: int) -> Iterator[tuple[str, int]]:
    words = lemma.term.split(" ")
    if score < _LEAST_INFLECTED or len(words) < 2 or lemma.is_instance:
        return
    if lemma.part_of_speech == "verb":
        for form in _inflections(words, evidence):
            yield form, _VERB_FORM_PENALTY
    elif (
        lemma.part_of_speech == "noun"
        and lemma.field in _PLURAL_FIELDS
        and lemma.term.islower()
        and len(words) == 2
    ):
        for form in _known(plural_forms(words[1], evidence.noun_forms), evidence):
            yield f"{words[0]} {form}", _PLURAL_PENALTY


def _inflections(words: list[str], evidence: Evidence) -> Iterator[str]:
    """Inflect the verb of a phrase: the first word of `take place`, the last of `ice skate`."""
    if len(words) == 2 and words[1] not in _PARTICLES and not evidence.is_mostly_verb(words[0]):
        forms = _known(verb_forms(words[1], evidence.verb_forms), evidence)
        return (f"{words[0]} {form}" for form in forms)
    forms = _known(verb_forms(words[0], evidence.verb_forms), evidence)
    return (" ".join((form, *words[1:])) for form in forms)


def _known(forms: Iterable[str], evidence: Evidence) -> Iterator[str]:
    return (form for form in forms if evidence.sizes.get(form, UNKNOWN_SIZE) <= _LARGEST_FORM_SIZE)
