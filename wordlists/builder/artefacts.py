"""Penalties for forms that a dictionary's inflection rules make and hardly anybody writes."""

from collections.abc import Mapping

from builder.evidence import Evidence

_SUPERLATIVE_PENALTY, _PREFIX_PENALTY, _MASS_PLURAL_PENALTY, _NAME_PLURAL_PENALTY = 7, 5, 14, 14
_SELDOM_COUNTED = {"nesses": "ness", "isms": "ism", "ilities": "ility"}
_DEMONYM_ENDINGS = ("an", "ese", "ite", "er", "ish", "i", "ic", "en")
_PREFIXES = ("un", "re", "non", "over", "out", "mis", "de", "pre")
_OFTEN_TAGGED = 3


def artefact_penalty(written: str, evidence: Evidence, rises: Mapping[str, int]) -> int:
    """Return by how much a word of scowl, as written, is lowered for its form.

    `rises` has the forms of the lemmas that other sources know; such a form is no artefact.
    """
    if written[:1].isupper():
        return _NAME_PLURAL_PENALTY if _is_plural_name(written, evidence) else 0
    if _is_superlative(written, evidence):
        return _SUPERLATIVE_PENALTY
    if _is_mass_plural(written, evidence):
        return _MASS_PLURAL_PENALTY
    return _PREFIX_PENALTY if rises.get(written, 0) < 2 and _is_prefixed(written, evidence) else 0


def _is_plural_name(written: str, evidence: Evidence) -> bool:
    """Tell `Augusts` from `Belgians`."""
    singular = written.removesuffix("s")
    return singular != written and singular.lower() in evidence.sizes and not singular.endswith(_DEMONYM_ENDINGS)


def _is_superlative(written: str, evidence: Evidence) -> bool:
    """Tell `clumsiest` from `honest`: without -est there is a word, and the whole is nobody's lemma."""
    if not written.endswith("est") or len(written) < 6 or evidence.tags[written] or evidence.mentions[written]:
        return False
    stem = written[:-3]
    return any(base in evidence.sizes for base in (stem, stem + "e", stem[:-1], stem[:-1] + "y"))


def _is_mass_plural(written: str, evidence: Evidence) -> bool:
    for plural, singular in _SELDOM_COUNTED.items():
        if written.endswith(plural):
            return evidence.tags[written.removesuffix(plural) + singular] < _OFTEN_TAGGED
    return False


def _is_prefixed(written: str, evidence: Evidence) -> bool:
    """Find a prefix put before another word: `rehang`, `unsewed`."""
    return any(
        len(written) > len(prefix) + 2
        and written.startswith(prefix)
        and written[len(prefix) :] in evidence.sizes
        and evidence.sizes[written] > evidence.sizes[written[len(prefix) :]]
        for prefix in _PREFIXES
    )
