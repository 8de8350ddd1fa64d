"""Penalties for forms that a dictionary's inflection rules make and hardly anybody writes."""

from collections.abc import Mapping

from builder.evidence import Evidence

_COMPARATIVE_PENALTY, _SUPERLATIVE_PENALTY = 7, 11
_UNKNOWN_PENALTY, _UNTAGGED_NESS_PENALTY = 8, 7
_MASS_PLURAL_PENALTY, _NAME_PLURAL_PENALTY = 17, 14
_SELDOM_COUNTED = {"nesses": "ness", "isms": "ism", "ilities": "ility"}
_DEMONYM_ENDINGS = ("an", "ese", "ite", "er", "ish", "i", "ic", "en")
_OFTEN_TAGGED = 3
_COMMON_SIZE = 20


def artefact_penalty(written: str, evidence: Evidence, rises: Mapping[str, int]) -> int:
    """Return by how much a word of scowl, as written, is lowered for its form.

    `rises` has every lemma of WordNet with its inflections; what stands in neither is a form made by rule.
    """
    if written[:1].isupper():
        return _NAME_PLURAL_PENALTY if _is_plural_name(written, evidence) else 0
    if evidence.sizes[written.lower()] <= _COMMON_SIZE:
        return 0
    if _is_mass_plural(written, evidence):
        return _MASS_PLURAL_PENALTY
    if written in rises:
        return _UNTAGGED_NESS_PENALTY if written.endswith("ness") and not evidence.tags[written] else 0
    if _compares(written, "er", evidence):
        return _COMPARATIVE_PENALTY
    return _SUPERLATIVE_PENALTY if _compares(written, "est", evidence) else _UNKNOWN_PENALTY


def _is_plural_name(written: str, evidence: Evidence) -> bool:
    """Tell `Augusts` from `Belgians`."""
    singular = written.removesuffix("s")
    return singular != written and singular.lower() in evidence.sizes and not singular.endswith(_DEMONYM_ENDINGS)


def _compares(written: str, ending: str, evidence: Evidence) -> bool:
    """Find an adjective under `clumsier` and `clumsiest`."""
    stem = written.removesuffix(ending)
    bases = {stem, stem + "e", stem[:-1], stem[:-1] + "y"}
    return stem != written and not bases.isdisjoint(evidence.adjectives)


def _is_mass_plural(written: str, evidence: Evidence) -> bool:
    for plural, singular in _SELDOM_COUNTED.items():
        if written.endswith(plural):
            return evidence.tags[written.removesuffix(plural) + singular] < _OFTEN_TAGGED
    return False
