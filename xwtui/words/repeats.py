"""Repeated stems: answers that share a word or its root with another answer, as an editor sees it.

Our words have no spaces, so what is told is what spelling alone makes all but sure. Two answers repeat each other

- where one is a plural, -ED, -ING or -ER form of the other, or both have one stem in Porter's English stemmer:
  LOCATE and LOCATION, but not NATION and STATION;
- where they have a word of five letters at least in common, with which both begin or end, common beginnings and
  endings being left out: SWEETHEART and HEARTTOHEART, LOCATE and LOCATIONSCOUT, but not LOTTERIES and POTTERED;
- where one, of four letters at least, begins or ends the other, and what is left is a word of four letters at
  least: BASE and DATABASE, but not RANT and WARRANT;
- where one is a phrase of words of four letters at least, with little ones such as OF and THE between them, and
  one of these has the stem of the other answer: SWIM and SWIMMINGPOOLS, POKE and POKERHANDS;
- where one, or both, are a word of four letters at least behind UN-, DIS-, OVER- or the like, and that has the
  stem of the other: ARMING and DISARMED, but not FORM and UNIFORM.

What a rebus square of the grid holds is its theme, and no word that answers repeat: SWEET[HEART] and BRAVE[HEART]
do not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import product, takewhile
from typing import NamedTuple

from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Ink, Puzzle
from xwtui.words.stems import Stemmer

with lazy_imports():
    import snowballstemmer

_SHARED = 5
"""Letters of a word that two answers have in common by no chance."""
_PART = 4
"""Letters of an answer, and of the rest, where one is a part of the other."""
_BEGINNING = 3
"""Letters that words of one stem begin with."""
_BODY = 3
"""Letters before the endings of a word, at least."""
_KEPT = 2_000
"""Words of which it is kept what they are made of."""

_BEGINNINGS = re.compile(
    "INTER|INTRA|TRANS|SUPER|HYPER|ULTRA|MULTI|MICRO|MACRO|COUNTER|ANTI|OVER|UNDER|NON|PRE|DIS"
)
_PUT_BEFORE = "UNDER|UN|DIS|NON|OVER|SUPER|HYPER|ULTRA|MULTI|MICRO|MACRO|COUNTER|ANTI"
"""What is put before words that go on meaning what they mean: not PRE-, TRANS- and INTER-, as in PREPARED."""
_WORD_BEHIND = re.compile(f"(?:{_PUT_BEFORE})(.{{{_PART},}})")
_ENDINGS = re.compile(
    "(?:S|ES|ED|ING|ER|OR|EST|LY|ION|ATION|ITION|TION|SION|NESS|MENT|ABLE|IBLE|ILITY|ENT|ANT|ENCE|ANCE|ENCY|ANCY|"
    "FUL|LESS|IVE|ATIVE|ITIVE|OUS|IOUS|AL|IAL|ICAL|IC|IST|ISM|ITY|IZE|ISE|ATE|SHIP|HOOD|WARD|LIKE|SOME|OLOGY|"
    "OGRAPHY|OGRAPHER|METER|SELF|SELVES)$"
)
_LITTLE_WORDS = frozenset(
    [
        "A",
        "AN",
        "AND",
        "AS",
        "AT",
        "BY",
        "FOR",
        "IN",
        "IS",
        "IT",
        "MY",
        "NO",
        "NOT",
        "OF",
        "OFF",
        "ON",
        "OR",
        "OUT",
        "THE",
        "TO",
        "UP",
    ]
)
"""Words of a phrase that are too short to be told by their length; they neither begin nor end it."""
_ONLY_ENDINGS = frozenset({"ABLE", "IBLE", "NESS", "LESS", "MENT", "SHIP", "HOOD", "WARD", "LIKE", "SOME", "SELF"})
_FORMS = Stemmer()


class _Bare(NamedTuple):
    """A word without a common beginning, and where its common endings begin."""

    letters: str
    endings: int


@lru_cache(_KEPT)
def _bare(word: str) -> _Bare:
    beginning = _BEGINNINGS.match(word)
    if beginning and len(word) - beginning.end() >= _BODY:
        word = word[beginning.end() :]
    rest = word
    while (ending := _ENDINGS.search(rest, _BODY)) is not None:
        rest = rest[: ending.start()]
    return _Bare(word, len(rest))


@lru_cache(_KEPT)
def _runs(word: str) -> frozenset[str]:
    letters = _bare(word).letters
    return frozenset(letters[start : start + _SHARED] for start in range(len(letters) - _SHARED + 1))


@lru_cache(_KEPT)
def _forms(word: str) -> frozenset[str]:
    return _FORMS.stems(word)


@lru_cache(_KEPT)
def _stem(word: str) -> str:
    return _porter()(word.lower())


@cache
def _porter() -> Callable[[str], str]:
    stem: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem


def are_repeats(one: str, other: str, is_word: Callable[[str], bool]) -> bool:
    """Whether two different answers repeat each other; `is_word` tells whether what is left of one is a word."""
    if one == other:
        return False
    if one[:_BEGINNING] == other[:_BEGINNING] and _stem(one) == _stem(other):
        return True
    if one in _forms(other) or other in _forms(one):
        return True
    if _have_word_behind(one, other, is_word):
        return True
    if any(is_word(run) or is_word(f"{run}E") for run in _shared_runs(one, other)):
        return True
    short, long = sorted((one, other), key=len)
    if short in long and any(part == short and is_word(rest) for part, rest in _parts(long)):
        return True
    return _is_in_phrase(one, other, is_word) or _is_in_phrase(other, one, is_word)


def _is_in_phrase(word: str, phrase: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a phrase is made of words of which one has the stem of a word."""
    if len(word) < _PART:
        return False
    beginning, at = word[:_BEGINNING], -1
    while (at := phrase.find(beginning, at + 1)) >= 0:
        if not _are_words(phrase[:at], is_word, may_end_little=True):
            continue
        for end in range(at + _PART, len(phrase) + (at > 0)):
            part = phrase[at:end]
            has_stem = part == word or word in _forms(part) or part in _forms(word) or _stem(part) == _stem(word)
            if has_stem and is_word(part) and _are_words(phrase[end:], is_word, may_begin_little=True):
                return True
    return False


def _are_words(
    text: str, is_word: Callable[[str], bool], *, may_begin_little: bool = False, may_end_little: bool = False
) -> bool:
    """Whether some letters, or none, are words one after the other."""
    if not text:
        return True
    for cut in range(1, len(text) + 1):
        word, rest = text[:cut], text[cut:]
        is_little = word in _LITTLE_WORDS and may_begin_little and bool(rest or may_end_little)
        is_long = cut >= _PART and word not in _ONLY_ENDINGS and is_word(word)
        if (is_little or is_long) and _are_words(
            rest, is_word, may_begin_little=True, may_end_little=may_end_little
        ):
            return True
    return False


def _behind(word: str) -> str:
    """A word without what may be put before words."""
    found = _WORD_BEHIND.fullmatch(word)
    return found[1] if found is not None else word


def _have_word_behind(one: str, other: str, is_word: Callable[[str], bool]) -> bool:
    """Whether two words have one stem once what is put before words is left out of them."""
    first, second = _behind(one), _behind(other)
    if first[:_BEGINNING] != second[:_BEGINNING] or (first == one and second == other):
        return False
    behind = [short for short, word in ((first, one), (second, other)) if short != word]
    return all(map(is_word, behind)) and _stem(first) == _stem(second)


def _shared_runs(one: str, other: str) -> Iterator[str]:
    """The longest runs that two words have in common, if both begin or end with it, endings aside."""
    shared = _runs(one) & _runs(other)
    if not shared:
        return
    first, second = _bare(one), _bare(other)
    starts = [
        [at for at in range(len(bare.letters)) if bare.letters[at : at + _SHARED] in shared]
        for bare in (first, second)
    ]
    for here, there in product(*starts):
        pairs = zip(first.letters[here:], second.letters[there:], strict=False)
        length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        is_inside = here > 0 and there > 0 and first.letters[here - 1] == second.letters[there - 1]
        if length < _SHARED or is_inside:
            continue
        ends = [(first, here, here + length), (second, there, there + length)]
        if all(
            min(end, bare.endings) - start >= _BODY and (start == 0 or end in (bare.endings, len(bare.letters)))
            for bare, start, end in ends
        ):
            yield first.letters[here : here + length]


def _parts(word: str) -> Iterator[tuple[str, str]]:
    """What a word begins or ends with, and the rest of it."""
    for cut in range(_PART, len(word) - _PART + 1):
        if word[:cut] not in _ONLY_ENDINGS and word[cut:] not in _ONLY_ENDINGS:
            yield word[:cut], word[cut:]
            yield word[cut:], word[:cut]


def repeating(answers: Iterable[str], words: Iterable[str], is_word: Callable[[str], bool]) -> frozenset[str]:
    """The words that repeat any of some answers; quick for all words of a list, for few have a sign of it."""
    text = "\n".join(("", *words, ""))
    return frozenset(
        word
        for answer in answers
        for word in {word for sign in _signs(answer) for word in _bearing(sign, text)}
        if are_repeats(word, answer, is_word)
    )


def _signs(answer: str) -> Iterator[str]:
    """What each word that repeats an answer has one of, with a line break before the word and one after it."""
    changed = 2 if answer.endswith(("IE", "FE")) else 1 if answer.endswith(("E", "F", "Y")) else 0
    yield f"\n{answer[: min(_BEGINNING, max(len(answer) - changed, 1))]}"
    behind = _behind(answer)[:_BEGINNING]
    yield from (f"\n{before}{behind}" for before in ("", *_PUT_BEFORE.split("|")))
    yield from _runs(answer)
    yield from (f"\n{part}\n" for part in (*_forms(answer), *(part for part, _ in _parts(answer))))
    if len(answer) >= _PART:
        yield from (answer, answer[:_BEGINNING])
    yield from (f"\n{beginning}" for beginning in _inner_beginnings(answer))


def _inner_beginnings(answer: str) -> Iterator[str]:
    """What a word of a phrase begins with that is not its first one."""
    return (answer[at : at + _BEGINNING] for at in range(_PART, len(answer) - _PART + 1))


def _bearing(sign: str, text: str) -> Iterator[str]:
    """The words of a text, each in a line, that have a sign somewhere."""
    at = text.find(sign)
    while at >= 0:
        end = text.index("\n", at + 1)
        yield text[text.rindex("\n", 0, end) + 1 : end]
        at = text.find(sign, end)


class AnswerRepeats:
    """The finished answers of a grid, asked which of them a word repeats."""

    def __init__(
        self, answers: Mapping[str, str], is_word: Callable[[str], bool], locked: Collection[str] = ()
    ) -> None:
        """Take the answers by entry, and which of these are locked; `is_word` as in `are_repeats`."""
        self.answers = answers
        self._locked = frozenset(locked)
        self._is_word = is_word
        self._by_key: defaultdict[str, set[str]] = defaultdict(set)
        """The entries whose answers may repeat a word that has a key in common with them."""
        self._kept: dict[str, tuple[str, ...]] = {}
        for name, answer in answers.items():
            for key in _keys(answer):
                self._by_key[key].add(name)

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle, is_word: Callable[[str], bool]) -> AnswerRepeats:
        """Those of all entries that are complete; what rebus squares hold is meant to be in several."""
        grid, answers = puzzle.grid, puzzle.answers
        squares = (grid[at].content for at in grid.open_positions())
        rebuses = {
            content.reading(way)
            for content in squares
            if content is not None and content.is_rebus
            for way in Direction
        }
        locked = [name for name in answers if all(grid[at].ink is Ink.LOCKED for at in grid.entry(name).positions)]
        return cls(answers, lambda word: word not in rebuses and is_word(word), locked)

    def of(self, word: str, entry: str = "") -> tuple[str, ...]:
        """The entries, but for one, whose answers a word repeats."""
        found = self._kept.get(word)
        if found is None:
            may = {name for key in _keys(word) for name in self._by_key.get(key, ())}
            names = (name for name in self.answers if name in may)
            found = tuple(name for name in names if are_repeats(word, self.answers[name], self._is_word))
            self._kept[word] = found
        return tuple(name for name in found if name != entry) if entry else found

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every two entries whose answers repeat each other, but for two that are locked: these are meant."""
        found: list[tuple[str, str]] = []
        seen: set[str] = set()
        for one, answer in self.answers.items():
            found += [
                (other, one) for other in self.of(answer) if other in seen and not {one, other} <= self._locked
            ]
            seen.add(one)
        return tuple(found)


@lru_cache(_KEPT)
def _keys(word: str) -> frozenset[str]:
    """What two words that repeat each other have in common: a beginning, a run, or the whole of one of them."""
    parts = (part for part, _ in _parts(word))
    beginnings = {f"{one[:_BEGINNING]}-" for one in (word, _behind(word), *_inner_beginnings(word))}
    return frozenset({*beginnings, *_runs(word), *_forms(word), word, *parts})
