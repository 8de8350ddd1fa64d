"""The search for verbs and keys in constructors' own words, for those who do not know their names.

A query is compared with names, summaries, help texts, and the phrases in phrases.toml. The fewer items contain a
word, the more it weighs (inverse document frequency; Spärck Jones, Journal of Documentation 28, 1972). Synonyms
and similar words count less than the word itself.
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from xwtui.lazy import lazy_pattern
from xwtui.session.verbs.verb import Verb, help_of

_NAME, _PHRASE, _SUMMARY, _HELP = 1.0, 0.8, 0.6, 0.3
"""Factor for a word in the name, in a phrase, in the summary, and in the help."""
_SYNONYM, _BEGUN, _MISSPELT = 0.6, 0.85, 0.55
"""Factor for a synonym of the typed word, for a word that starts with it, and for a similar word."""
_UNTYPED = 0.35
"""Weight of a phrase's words that were not typed, relative to those that were."""
_LITTLE = 0.25
"""Weight of a very common word, relative to others."""
_NAMED, _CALLED, _NAME_BEGUN, _SUMMED_UP, _NAMES = 2.5, 1.4, 0.8, 0.6, 0.3
"""Bonuses: the whole query is in the name, is a phrase, starts the name, or is in the summary; the query contains
the whole name."""
_MATTERS = 0.06
"""Bonus for an item of the main set."""
_LEAST = 0.45
"""Lowest score of a result."""
_SHORTEST_MISSPELT = 4
_LETTERS_APART = 2
_ALIKE = 0.78
"""Least similarity, 0 to 1, of a word to a misspelled one."""
_LITTLE_WORDS = """
a all an and any are as at be but by can can't do does don't for from get have how i in into is it its just
let make me my not of off on one only onto or out please put set show see so some than that the their the them
then there these this through to too two up us use want was what when where which who why will with without
won't wont add you your
"""
_ENDING = lazy_pattern(r"(?<=\w{3})(?:'?s)?(?:ings?|ers?|ed|es|e|ies|y|ions?|able)?$")


class Sought(NamedTuple):
    """An item that a search can find; `phrases` are other names for it, and `matters` marks the main set."""

    name: str
    phrases: tuple[str, ...]
    summary: str
    help: str
    matters: bool = False

    @property
    def text(self) -> str:
        """The text in which each word of a search may occur, in lower case."""
        return " ".join((self.name, self.help, *self.phrases)).lower()


class _Phrase(NamedTuple):
    """A phrase for an item: the item's index, the words, and their total weight."""

    place: int
    words: frozenset[str]
    weight: float


class _Data(NamedTuple):
    phrases: Mapping[str, tuple[str, ...]]
    synonyms: Mapping[str, frozenset[str]]


class VerbSearch:
    """A search index over items, built once for many searches."""

    def __init__(self, things: Sequence[Sought]) -> None:
        self._things = things
        self._counts: dict[str, dict[int, float]] = defaultdict(dict)
        """For each word, the indexes of the items with it, and its factor there."""
        self._called: dict[str, list[_Phrase]] = defaultdict(list)
        """For each word, the phrases with it."""
        for place, thing in enumerate(things):
            texts = (_HELP, thing.help), (_SUMMARY, thing.summary), (_PHRASE, " ".join(thing.phrases))
            for counts, text in (*texts, (_NAME, thing.name)):
                for word in words_of(text):
                    self._counts[word][place] = counts
        self._weights: dict[str, float] = {}
        """For each known word, the logarithm of its rarity, reduced for very common words."""
        for word, places in self._counts.items():
            rarity = math.log(1 + len(things) / (len(places) + 0.5))
            self._weights[word] = rarity * (_LITTLE if word in _little_words() else 1.0)
        for place, thing in enumerate(things):
            for words in {frozenset(words_of(phrase)) for phrase in (thing.name, *thing.phrases)}:
                phrase = _Phrase(place, words, sum(self._weights[word] for word in words))
                for word in words:
                    self._called[word].append(phrase)

    def found(self, query: str, *, corrects: bool = True, completes: bool = True) -> list[tuple[int, float]]:
        """Return the indexes and scores of the items that match a query, best first.

        The last word may be incomplete, as in a search while typing, unless `completes` is False. A misspelled
        word stands for the most similar ones, unless `corrects` is False.
        """
        words, plain = list(words_of(query)), plainly(query)
        ends = {word: completes and (word == words[-1] or word not in self._counts) for word in words}
        meant = {word: self._meant(word, goes_on=ends[word], corrects=corrects) for word in words}
        # an unknown word weighs as much as the rarest word that it may stand for
        weights = {
            word: self._weights.get(word) or max((self._weights[one] for one in others), default=0.0)
            for word, others in meant.items()
        }
        total = sum(weights.values())
        if not total:
            return []
        fits = self._fits(meant, weights)
        called = self._best_phrases(meant, weights, total)
        scores = {
            place: fit / total + called.get(place, 0.0) + self._by_name(place, plain)
            for place, fit in fits.items()
        }
        found = [(place, score) for place, score in scores.items() if score >= _LEAST]
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def _meant(self, word: str, *, goes_on: bool, corrects: bool) -> dict[str, float]:
        """Return the known words that a word may stand for, with a factor for each."""
        synonyms = () if word in _little_words() else _data().synonyms.get(word, ())
        meant = dict.fromkeys(synonyms, _SYNONYM) | {word: 1.0}
        if goes_on:
            meant = dict.fromkeys((known for known in self._counts if known.startswith(word)), _BEGUN) | meant
        known = {one: counts for one, counts in meant.items() if one in self._counts}
        if known or not corrects or len(word) < _SHORTEST_MISSPELT:
            return known
        near = [one for one in self._counts if one[0] == word[0] and abs(len(one) - len(word)) <= _LETTERS_APART]
        return dict.fromkeys(difflib.get_close_matches(word, near, cutoff=_ALIKE), _MISSPELT)

    def _fits(self, meant: Mapping[str, Mapping[str, float]], weights: Mapping[str, float]) -> dict[int, float]:
        """Return for each item the total weight of the query's words, or of those that they may stand for."""
        fits: dict[int, float] = defaultdict(float)
        for word, others in meant.items():
            best: dict[int, float] = {}
            for other, share in others.items():
                for place, counts in self._counts[other].items():
                    best[place] = max(best.get(place, 0.0), share * counts)
            for place, counts in best.items():
                fits[place] += weights[word] * counts
        return fits

    def _best_phrases(
        self, meant: Mapping[str, Mapping[str, float]], weights: Mapping[str, float], total: float
    ) -> dict[int, float]:
        """Return for each item the similarity, 0 to 1, of the query and the item's most similar phrase."""
        best: dict[int, float] = {}
        near = {phrase for others in meant.values() for other in others for phrase in self._called[other]}
        for phrase in near:
            shared, untyped = 0.0, phrase.weight
            for word, others in meant.items():
                share, other = max(((others[one], one) for one in phrase.words & others.keys()), default=(0.0, ""))
                if other:
                    shared += weights[word] * share
                    untyped -= self._weights[other]
            like = shared / (total + _UNTYPED * max(untyped, 0.0))
            best[phrase.place] = max(best.get(phrase.place, 0.0), like)
        return best

    def _by_name(self, place: int, plain: str) -> float:
        """Return the bonuses for an item; `plain` is the query in lower case."""
        thing, typed = self._things[place], {*plain.split()}
        named = {*thing.name.split()}
        is_called = plain == thing.name or plain in thing.phrases
        adds = _MATTERS * thing.matters + _CALLED * is_called + _NAMES * (named <= typed)
        if typed <= named:
            return adds + _NAMED * len(typed) / len(named)
        if is_called:
            return adds
        adds += _NAME_BEGUN * thing.name.startswith(plain)
        return adds + _SUMMED_UP * (f" {plain}" in thing.summary.lower())


def phrases_for(name: str) -> tuple[str, ...]:
    """Return constructors' other names for a verb or a screen action, in lower case."""
    return _data().phrases.get(name, ())


def sought_verb(verb: Verb, *, matters: bool) -> Sought:
    """Return a verb as a search item, with its options, examples and choices."""
    params = (*verb.arguments, *verb.options)
    texts = (verb.group.value, verb.usage, verb.command.help or "", *map(help_of, params), *verb.forms)
    called = (*verb.keywords, *verb.aliases, *verb.choices)
    phrases = dict.fromkeys((*phrases_for(verb.name), *map(plainly, called)))
    return Sought(verb.name, tuple(phrases), verb.summary, " ".join((*texts, *verb.examples)), matters)


@cache
def _data() -> _Data:
    data = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))
    phrases = {
        name: tuple(plainly(phrase) for phrase in phrases.split(",")) for name, phrases in data["phrases"].items()
    }
    synonyms: dict[str, frozenset[str]] = defaultdict(frozenset)
    for group in data["synonyms"]["groups"].strip().splitlines():
        words = frozenset(words_of(group))
        for word in words:
            synonyms[word] |= words - {word}
    return _Data(phrases, synonyms)


@cache
def _little_words() -> frozenset[str]:
    return frozenset(words_of(_LITTLE_WORDS))


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text without their endings, as searches compare them."""
    for word in re.findall(r"\w[\w'+]*", plainly(text)):
        stem = _ENDING.sub("", word)
        yield stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "sl" else stem


def plainly(text: str) -> str:
    """Return a text in lower case with single spaces and the American spelling of colors."""
    return " ".join(text.lower().replace("colour", "color").split())
