"""What the sources together tell about how familiar a term is."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from builder import moby, scowl, wordnet
from builder.spelling import tokens

UNKNOWN_SIZE = 95


@dataclass(frozen=True)
class Evidence:
    """The sources as look-up tables; all keys are lower case, phrases with spaces and no hyphens."""

    scowl_lists: tuple[scowl.ScowlList, ...]
    sizes: dict[str, int]
    lemmas: tuple[wordnet.Lemma, ...]
    adjectives: frozenset[str]
    tags: Counter[str]
    verb_tags: Counter[str]
    glosses: Counter[str]
    mentions: Counter[str]
    written_in_moby: tuple[str, ...]
    verb_forms: dict[str, tuple[str, ...]]
    noun_forms: dict[str, tuple[str, ...]]

    def is_mostly_verb(self, word: str) -> bool:
        """Tell `take` from `ice`: whether at least half of the tagged uses are of the verb."""
        return 2 * self.verb_tags[word] >= self.tags[word]

    def rarest_size(self, term: str) -> int:
        """Return the scowl size of the term's rarest word; 95 when scowl has it not."""
        return max((self.sizes.get(token, UNKNOWN_SIZE) for token in tokens(term)), default=UNKNOWN_SIZE)


def plain(term: str) -> str:
    """Return a term as the tables know it."""
    return " ".join(tokens(term))


def _added_by_plain(counts: Counter[str]) -> Counter[str]:
    added: Counter[str] = Counter()
    for term, count in counts.items():
        added[plain(term)] += count
    return added


def gather(sources: dict[str, Path]) -> Evidence:
    """Read the unpacked packages, given by name."""
    scowl_lists = scowl.read_scowl(sources["scowl"])
    princeton = sources["wordnet-base"]
    lemmas = wordnet.read_lemmas(princeton)
    mentions = moby.mention_counts(sources["moby"])
    tags, verb_tags = wordnet.tag_counts(princeton)
    return Evidence(
        scowl_lists=scowl_lists,
        sizes=scowl.word_sizes(scowl_lists),
        lemmas=lemmas,
        adjectives=frozenset(lemma.term for lemma in lemmas if lemma.part_of_speech == "adj"),
        tags=_added_by_plain(tags),
        verb_tags=_added_by_plain(verb_tags),
        glosses=wordnet.gloss_counts(princeton),
        mentions=_added_by_plain(mentions),
        written_in_moby=tuple(mentions),
        verb_forms=wordnet.irregular_forms(princeton, "verb"),
        noun_forms=wordnet.irregular_forms(princeton, "noun"),
    )
