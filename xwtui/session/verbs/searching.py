"""The search for verbs and keys by what constructors type who do not know their names.

What is typed is compared with names, summaries, help, and the phrases of phrases.toml. The fewer things have a
word, the more it weighs (inverse document frequency; Spärck Jones, Journal of Documentation 28, 1972). A synonym
counts less than the word itself, and so does a word that is nearly the same.
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

from xwtui.lazy import lazy_pattern
from xwtui.named_tuples import NamedTuple
from xwtui.session.verbs.verb import Verb, help_of

_NAME, _PHRASE, _SUMMARY, _HELP = 1.0, 0.8, 0.6, 0.3
"""What a word counts that stands in the name, in a phrase, in the summary, in the help."""
_SYNONYM, _BEGUN, _MISSPELT = 0.6, 0.85, 0.55
"""What a word counts that is a synonym of the one typed, that begins so, that may have been meant."""
_UNTYPED = 0.35
"""What the words of a phrase weigh that nobody typed, beside those that were."""
_LITTLE = 0.25
"""What a word weighs that says little by itself, beside others."""
_NAMED, _CALLED, _NAME_BEGUN, _SUMMED_UP, _NAMES = 2.5, 1.4, 0.8, 0.6, 0.3
"""What it adds that all that is typed stands in the name, is a phrase, begins the name, stands in the summary, and
that the whole name is among the words typed."""
_MATTERS = 0.06
"""What it adds that a thing is one of those that matter most."""
_LEAST = 0.45
"""The score from which something is found."""
_SHORTEST_MISSPELT = 4
_LETTERS_APART = 2
_ALIKE = 0.78
"""How much like the word that may have been meant, from 0 to 1."""
_LITTLE_WORDS = """
a all an and any are as at be but by can can't do does don't for from get have how i in into is it its just
let make me my not of off on one only onto or out please put set show see so some than that the their the them
then there these this through to too two up us use want was what when where which who why will with without
won't wont add you your
"""
_ENDING = lazy_pattern(r"(?<=\w{3})(?:'?s)?(?:ings?|ers?|ed|es|e|ies|y|ions?|able)?$")


class Sought(NamedTuple):
    """What a search may find; `phrases` are what else it is called, `matters` tells that many look for it."""

    name: str
    phrases: tuple[str, ...]
    summary: str
    help: str
    matters: bool = False

    @property
    def text(self) -> str:
        """All in which each word of a search may stand, in small letters."""
        return " ".join((self.name, self.help, *self.phrases)).lower()


class _Phrase(NamedTuple):
    """What a thing is called: its place among all, the words, and what they weigh."""

    place: int
    words: frozenset[str]
    weight: float


class _Data(NamedTuple):
    """What phrases.toml holds."""

    phrases: Mapping[str, tuple[str, ...]]
    synonyms: Mapping[str, frozenset[str]]


class VerbSearch:
    """A search through things, laid out once for many searches."""

    def __init__(self, things: Sequence[Sought]) -> None:
        self._things = things
        self._counts: dict[str, dict[int, float]] = defaultdict(dict)
        """For each word the places of the things that have it, and what it counts there."""
        self._called: dict[str, list[_Phrase]] = defaultdict(list)
        """For each word the phrases that have it."""
        for place, thing in enumerate(things):
            texts = (_HELP, thing.help), (_SUMMARY, thing.summary), (_PHRASE, " ".join(thing.phrases))
            for counts, text in (*texts, (_NAME, thing.name)):
                for word in words_of(text):
                    self._counts[word][place] = counts
        self._weights: dict[str, float] = {}
        """What each known word weighs: the logarithm of how rare it is, less for a little word."""
        for word, places in self._counts.items():
            rarity = math.log(1 + len(things) / (len(places) + 0.5))
            self._weights[word] = rarity * (_LITTLE if word in _little_words() else 1.0)
        for place, thing in enumerate(things):
            for words in {frozenset(words_of(phrase)) for phrase in (thing.name, *thing.phrases)}:
                phrase = _Phrase(place, words, sum(self._weights[word] for word in words))
                for word in words:
                    self._called[word].append(phrase)

    def found(self, query: str, *, corrects: bool = True, completes: bool = True) -> list[tuple[int, float]]:
        """The places of the things that fit a query, best first, each with how well it fits.

        The last word may go on, as long as somebody types, unless `completes` is False. A misspelt word is taken
        for the ones most like it, unless `corrects` is False.
        """
        words, plain = list(words_of(query)), plainly(query)
        ends = {word: completes and (word == words[-1] or word not in self._counts) for word in words}
        meant = {word: self._meant(word, goes_on=ends[word], corrects=corrects) for word in words}
        # a word that is not known weighs as much as the rarest that it may stand for
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
        """The known words that a word may stand for, and how much of it each counts."""
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
        """What the words weigh in each thing that has any of them, or of what they may stand for."""
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
        """How much the query is like the phrase of each thing that is most like it, from 0 to 1."""
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
        """What the query as it is typed adds, in small letters, for the thing at a place."""
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
    """What constructors call a verb or a key of the screen, in small letters."""
    return _data().phrases.get(name, ())


def sought_verb(verb: Verb, *, matters: bool) -> Sought:
    """A verb as a search may find it, by its options, examples and choices as well."""
    params = (*verb.arguments, *verb.options)
    told = (verb.group.value, verb.usage, verb.command.help or "", *map(help_of, params), *verb.forms)
    phrases = dict.fromkeys((*phrases_for(verb.name), *map(plainly, verb.called)))
    return Sought(verb.name, tuple(phrases), verb.summary, " ".join((*told, *verb.examples)), matters)


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
    """The words of a text without their endings, as searches compare them."""
    for word in re.findall(r"\w[\w'+]*", plainly(text)):
        stem = _ENDING.sub("", word)
        yield stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "sl" else stem


def plainly(text: str) -> str:
    """A text in small letters with single blanks, colors spelled in the American way."""
    return " ".join(text.lower().replace("colour", "color").split())
