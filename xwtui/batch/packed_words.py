"""Words in a portable form: lists by content hash, without pickles, verified when unpacked.

A word list is identified by the fingerprint of its words, scores and tags. A vocabulary is a recipe that names its
lists by fingerprint, along with minimum scores, bans, preferences and alphabets. The recipe's digest identifies
the vocabulary.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from xwtui.batch.tasks import canonical, digest_of
from xwtui.dataclasses import astuple, dataclass, field
from xwtui.errors import WordListError, failing_as
from xwtui.model.alphabet import Alphabet
from xwtui.words.lexicon import FAVOUR, Lexicon, Preferences
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList, pack, unpack

MAX_LIST_BYTES = 1 << 29
"""Maximum size of an unpacked list, far more than any list has."""
_QUICK = 1
"""Compression level that takes little time and halves the size."""


@dataclass(frozen=True)
class PackedWords:
    """A vocabulary as bytes, to send to another process or write to a file."""

    recipe: str
    """JSON that names the lists by their fingerprints."""
    lists: Mapping[str, bytes] = field(repr=False, compare=False)
    """Each packed list, by fingerprint."""

    @cached_property
    def digest(self) -> str:
        """Identifies the vocabulary: equal digests mean equal words with equal scores."""
        return digest_of(self.recipe)

    @property
    def size(self) -> int:
        return len(self.recipe) + sum(map(len, self.lists.values()))


def pack_words(vocabulary: Vocabulary) -> PackedWords:
    """Pack a puzzle's words."""
    own = {name: _recipe_of(lexicon) for name, lexicon in sorted(vocabulary.own_lists.items())}
    lexicons = (vocabulary.lexicon, *vocabulary.own_lists.values())
    lists: dict[str, WordList] = {}
    for lexicon in lexicons:
        chosen = lexicon.preferences
        recent = () if chosen.recent is None else (chosen.recent,)
        lists |= {one.fingerprint: one for one in (*lexicon.layers, *chosen.preferred, *recent)}
    recipe = canonical({"lexicon": _recipe_of(vocabulary.lexicon), "own_lists": own})
    return PackedWords(recipe, {fingerprint: pack_list(one) for fingerprint, one in lists.items()})


def unpack_words(packed: PackedWords) -> Vocabulary:
    """Return the packed vocabulary; raises WordListError if a list is missing or does not match its name."""
    recipe = json.loads(packed.recipe)
    lists = {fingerprint: unpack_list(data, fingerprint) for fingerprint, data in packed.lists.items()}
    with failing_as(WordListError, "a word list of the batch is missing", of=KeyError):
        own = {name: _lexicon(values, lists) for name, values in recipe["own_lists"].items()}
        return Vocabulary(_lexicon(recipe["lexicon"], lists), own)


def lists_named(recipe: str) -> frozenset[str]:
    """Return the fingerprints of the lists that a recipe names."""
    values = json.loads(recipe)
    found: set[str] = set()
    for one in (values["lexicon"], *values["own_lists"].values()):
        recent = [one["recent"]] if one["recent"] else []
        found.update((*one["layers"], *one["preferred"], *recent))
    return frozenset(found)


def _recipe_of(lexicon: Lexicon) -> Mapping[str, Any]:
    preferences = lexicon.preferences
    return {
        "layers": [one.fingerprint for one in lexicon.layers],
        "minimum": lexicon.minimum_score,
        "banned": sorted(lexicon.banned),
        "preferred": [one.fingerprint for one in preferences.preferred],
        "recent": None if preferences.recent is None else preferences.recent.fingerprint,
        **({} if preferences.repeat_cost == FAVOUR else {"repeat_cost": preferences.repeat_cost}),
        "alphabet": list(astuple(lexicon.alphabet)),
    }


def _lexicon(values: Mapping[str, Any], lists: Mapping[str, WordList]) -> Lexicon:
    preferred = tuple(lists[one] for one in values["preferred"])
    recent = None if values["recent"] is None else lists[values["recent"]]
    layers = [lists[one] for one in values["layers"]]
    banned = frozenset(values["banned"])
    preferences = Preferences(preferred, recent, values.get("repeat_cost", FAVOUR))
    name, title, letters, folds, *others = values["alphabet"]
    alphabet = Alphabet(name, title, tuple(letters), tuple((one, other) for one, other in folds), *others)
    return Lexicon(layers, values["minimum"], banned, preferences, alphabet)


def pack_list(words: WordList) -> bytes:
    """Return a word list as bytes."""
    return zlib.compress(pack(words), _QUICK)


def unpack_list(data: bytes, fingerprint: str) -> WordList:
    """Return the packed list; raises WordListError if it is damaged or does not match its fingerprint."""
    opened = zlib.decompressobj()
    with failing_as(
        WordListError, "a word list of the batch is damaged", of=(ValueError, KeyError, TypeError, zlib.error)
    ):
        raw = opened.decompress(data, MAX_LIST_BYTES)
        if opened.unconsumed_tail or not opened.eof:
            raise ValueError("it does not end where it should")
        words, _ = unpack(raw)
    if words.fingerprint != fingerprint:
        raise WordListError("a word list of the batch does not match its name")
    return words
