"""Repeats: answers that share a word or its root with another answer, as an editor sees it.

This module defines the term for the whole program: the filler keeps repeats apart, the rule `distinct --stems on`
forbids them, and the header, `check`, candidates and designs report them. Two answers repeat each other if they
have a root in common. An answer's roots are the answer itself, what it may be made of, and the roots of those:

- the base of an inflection in -S, -ED, -ING, -ER or -EST (BAKE for BAKERS), by the rules of spelling. Only bases
  that are words count, or all of them if none is: BAKE and not BAK. MENUS and TAXIS are plurals if MENU and TAXI
  are words;
- a word of four letters or more to which another ending was added (`ENDINGS`): LOCATE for LOCATION. Before an
  ending that many words have by chance, it needs two vowels, so that STATION is not made of STATE;
- the words of a phrase or compound, of at least four letters each: DATA and BASE for DATABASE, also with little
  words such as OF and THE between them (PIECEOFCAKE). Shorter words, and those found in many phrases (WITH), are
  not roots, because spelling alone finds them by chance: RANT is in WARRANT;
- the word before a little word that ends a phrase, NOSES for NOSESIN, if the list also has the phrase with the -S
  removed or added (NOSEIN), so that GALLON is not made of GALL; or if the word has five letters or more and no -S;
- a word of at least four letters after UN-, DIS-, OVER- and similar prefixes: ARMED for DISARMED, not FORM for
  UNIFORM.

Our lists have no spaces and contain many low-scoring fragments (TAINS, REAKS). So a word here is anything listed
with at least the ordinary score, whatever the puzzle allows. Words with misleading spelling (CORNER, MOTHER,
DISPATCH) are listed by hand, and their forms are not split into parts either (DISPATCHED). The content of a rebus
square is the puzzle's theme and does not count as a repeat: SWEET[HEART] and BRAVE[HEART] do not repeat each
other. `repeat_rows.py` finds the roots of a whole list at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, Protocol, TypeVar

from xwtui.model import Content, Direction, Ink, Puzzle
from xwtui.model.rules import SharedStems

SHORTEST = 3
"""Minimum length of a root."""
PART = 4
"""Minimum length of a word that is a root because it is part of another."""
BEFORE_PARTICLE = 5
"""Minimum length of a word without -S that may precede a little word although no other form of it does."""
VOWELS = frozenset("AEIOUY")
HISSING = ("S", "X", "Z", "CH", "SH", "O")
"""Endings after which a plural takes -ES."""
NEVER_DOUBLED = frozenset("AEIOUWXYH")
RARE_PLURALS = ("IS", "US")
"""Endings of words that are seldom plurals."""


class Stem(IntEnum):
    """Class of the letters before -ED, -ER, -ING or -EST, which limits the bases that they may come from."""

    NO_VOWEL = 0
    DOUBLED = 1
    """It ends in a double consonant: STOPP, FILL."""
    SHORT = 2
    """Its last letter would double, since one vowel precedes it: HOP."""
    OTHER = 3


class Inflection(NamedTuple):
    """An ending added to a word by the rules of spelling."""

    letters: str
    instead_of: tuple[str, ...] = ("",)
    """The base endings that it replaces."""
    stems: tuple[Stem, ...] = ()
    """The classes of stems that it is added to; empty for any."""
    dropped: int = 0
    """Number of letters before it that were added together with it."""
    unless: tuple[str, ...] = ()
    """Endings of words that are not formed this way."""


_TO_VERBS = ("ED", "ER", "ING", "EST")
INFLECTIONS = (
    Inflection("S", unless=("SS", *RARE_PLURALS)),
    Inflection("IES", ("Y",)),
    Inflection("VES", ("F", "FE")),
    *(Inflection(f"{end}ES", (end,)) for end in HISSING),
    *(Inflection(letters, ("Y",)) for letters in ("IED", "IER", "IEST")),
    Inflection("YING", ("IE",)),
    *(Inflection(letters, ("E",), (Stem.SHORT, Stem.OTHER)) for letters in _TO_VERBS),
    *(Inflection(letters, stems=(Stem.OTHER,)) for letters in _TO_VERBS),
    *(Inflection(letters, stems=(Stem.DOUBLED,), dropped=dropped) for letters in _TO_VERBS for dropped in (0, 1)),
)
"""All inflections, used word by word here and for whole lists in `repeat_rows.py`."""


class Ending(NamedTuple):
    """A derivational ending."""

    letters: str
    instead_of: tuple[str, ...] = ("",)
    """The base endings that it replaces."""
    vowels: int = 1
    """Minimum number of vowels in the base, not counting a final E."""


ENDINGS = (
    *map(Ending, ("LY", "ALLY", "NESS", "MENT", "FUL", "LESS", "DOM", "SHIP", "HOOD", "LIKE", "SOME", "WARD")),
    *(Ending(letters, ("Y",)) for letters in ("ILY", "INESS", "IFUL", "IOUS", "ICATION", "IFICATION")),
    *(Ending(letters, ("", "E")) for letters in ("ABLE", "IBLE", "ATION", "ITION", "ATIVE", "ITIVE")),
    *(Ending(letters, ("", "E"), 2) for letters in ("ION", "OR", "ITY", "IVE", "OUS", "AL", "ENT")),
    *(Ending(letters, ("", "E"), 2) for letters in ("ANCE", "ENCE")),
    *(Ending(letters, ("", "E", "Y"), 2) for letters in ("IST", "ISM", "IZE", "ISE", "IC", "ICAL")),
    Ending("IAL", ("Y",), 3),
    Ending("SION", ("D", "DE")),
    Ending("BLY", ("BLE",)),
    Ending("ILITY", ("LE",)),
)
_PUT_BEFORE = "UNDER UN DIS NON OVER SUPER HYPER ULTRA MULTI MICRO MACRO COUNTER ANTI"
BEGINNINGS = tuple(_PUT_BEFORE.split())
"""Prefixes of words that keep their meaning. PRE-, TRANS- and INTER- are not included because of words like
PREPARED."""
ARTICLE = "THE"
"""The beginning of a phrase that ends in one word of at least `BEFORE_PARTICLE` letters."""
_INSIDE_PHRASES = """
    A AN AND AS AT BY FOR IN IS IT MY NO NOT OF OFF ON OR OUT THE TO UP YOUR WITH FROM INTO
    INA OFA ONA ATTHE FORTHE INTHE OFTHE ONTHE TOTHE UPTHE
"""
LITTLE_WORDS = tuple(_INSIDE_PHRASES.split())
"""Words inside a phrase that are not roots."""
BY_CHANCE = ("A", "AN", "AS", "IS", "OF", "OFF", "OR")
"""Those of them with which other words begin by chance: ISLAND, ORDEAL."""
PARTICLES = ("UP", "IN", "ON", "OFF", "OUT", "TO", "AT", "BY", "IT", "FOR")
"""Little words that end phrases."""
_BY_CHANCE = """
    ABLE IBLE NESS LESS MENT SHIP HOOD WARD LIKE SOME SELF SELVES INGS IONS TION ABILITY ABLY FULLY LING ALLY TING
    THAT THIS THESE THOSE THEM THEY THEN THAN WITH FROM INTO ONTO YOUR YOURE HAVE WHAT WHEN WERE WILL JUST
    VERY EVER MORE MOST INTER POLY FORE
"""
NO_PARTS = frozenset(_BY_CHANCE.split())
"""Words that many others contain by chance or by grammar."""
_LOOK_MADE = """
    AFTER ANGER BANNER BEER BORDER BROTHER BUTTER CANCER CENTER CHARTER COPPER CORNER COVER DANGER DINNER EAGER
    ENTER FEVER FIBER FINGER FLOWER FOSTER GINGER HAMMER HUNGER INNER INTER LADDER LATTER LETTER LITTER LIVER
    MANNER MASTER MATTER MOTHER NUMBER OFFER ORDER OTHER OTTER PAPER PEER PEPPER PONDER PROPER QUARTER RENDER
    RIVER SHEER SISTER SOLDER STEER SUMMER SUPER TEMPER TIGER TOWER TUBER UNDER UPPER UTTER WANDER WATER WONDER
    BREED HUNDRED INDEED KINDRED SACRED SPEED WICKED CEILING DURING EVENING HERRING INNING MORNING NOTHING OFFING
    PUDDING SHILLING STERLING VIKING FOREST HONEST INTEREST MODEST TEMPEST PRIEST
    ALAS ATLAS BIAS CANVAS CHAOS GAS JAMES LENS MARS MOSES SERIES SPECIES WALES
    ADMIRAL APARTMENT AUTOMATE BASEMENT CAPABLE CONSTABLE DEPARTMENT HANDSOME LATERAL LITERAL MINERAL PARABLE
    PARADISE PETITION POSITION RELIC SEVERAL STEWARD TAILOR
    BADGER BITTER BOWER CHATTER CLOVER CONTEST CRATER DEED DEER EARNEST EASTER FEED FLATTER GUTTER HALTER HEED
    HOVER LEDGER LEER MUSTER MUTTER NEED PATTER POWER RAFTER REED SCATTER SEED SHOWER SPATTER TENDER TOTTER
    VEER WEED
    DISASTER DISCORD DISCOURSE DISCRETE DISCURSIVE DISCUSS DISEASE DISGUST DISMANTLE DISMISS DISPATCH DISPERSE
    DISPLAY DISPORT DISPOSE DISSECT DISSENT DISTEMPER DISTEND DISTILL DISTORT DISTRACT DISTRAIN DISTRAIT
    DISTRESS DISTRIBUTE
    ATTACK ATTACKS CARPENTER CHILLAX FORTRESS FORTUNE FORTUNES INSECT INSECTS NORMANDY PARASITE PASTOR
"""
_NO_ENDS = NO_PARTS | {one.letters for one in INFLECTIONS} | {one.letters for one in ENDINGS}
"""Final letters of an answer that are not a word there: EST in STRONGEST."""
NOT_MADE = frozenset(_LOOK_MADE.split())
"""Words that only look as if they were made of others (MOTH, CORN, EVEN)."""

_MOST_KNOWN = 5_000
"""Size of the cache of roots."""

_Added = TypeVar("_Added", Inflection, Ending)


def _by_last_letter(added: Iterable[_Added]) -> Mapping[str, Sequence[_Added]]:
    """Return the endings by their last letter, because a word matches few of them."""
    found: defaultdict[str, list[_Added]] = defaultdict(list)
    for one in added:
        found[one.letters[-1]].append(one)
    return dict(found)


_INFLECTIONS_BY_LETTER = _by_last_letter(INFLECTIONS)
_ENDINGS_BY_LETTER = _by_last_letter(ENDINGS)


class Roots:
    """Finds the roots of words, spelled in A-Z, from a predicate for words and the user's own groups."""

    def __init__(
        self, is_word: Callable[[str], bool] = lambda _: False, groups: Collection[Collection[str]] = ()
    ) -> None:
        """Take a predicate for words, and groups of words that share a root."""
        self.is_word = is_word
        self._known: dict[str, frozenset[str]] = {}
        self._groups: dict[str, list[str]] = {}
        for number, group in enumerate(groups, 1):
            for word in group:
                self._groups.setdefault(word, []).append(f"group {number}")

    def of(self, word: str) -> frozenset[str]:
        """Return the word, everything that it may be made of, and the names of all groups that contain these."""
        known = self._known.get(word)
        if known is None:
            found, waiting = {word}, [word]
            while waiting:
                one = waiting.pop()
                made_of = self._made_of(one, is_whole=one == word or self.is_word(one)) - found
                found |= made_of
                waiting += made_of
            found |= {group for root in found for group in self._groups.get(root, ())}
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[word] = frozenset(found)
        return known

    def are_repeats(self, one: str, other: str) -> bool:
        return one != other and not self.of(one).isdisjoint(self.of(other))

    def _made_of(self, word: str, *, is_whole: bool) -> set[str]:
        """Return what a word may be made of; a non-word is only checked for inflection.

        The base of an ending is not split further: DISMISSAL does not contain MISSAL.
        """
        if word in NOT_MADE:
            return set()
        made_of = self._inflected(word)
        if is_whole:
            made_of = made_of.union(self._derived(word))
            if made_of.isdisjoint(NOT_MADE):
                made_of = made_of.union(self._parts(word))
        return made_of

    def _inflected(self, word: str) -> set[str]:
        """Return the possible bases of one inflection: those that are words, or all of them if none is."""
        bases = {base for base in _taken_apart(word) if len(base) >= SHORTEST}
        known = set(filter(self.is_word, bases))
        if word.endswith(RARE_PLURALS) and len(word) > SHORTEST and self.is_word(word[:-1]):
            known.add(word[:-1])
        return known or bases

    def _derived(self, word: str) -> Iterator[str]:
        for ending in _ENDINGS_BY_LETTER.get(word[-1:], ()):
            if word.endswith(ending.letters):
                rest = word.removesuffix(ending.letters)
                for before in ending.instead_of:
                    base = rest + before
                    vowels = sum(letter in VOWELS for letter in base.removesuffix("E"))
                    if len(base) >= PART and vowels >= ending.vowels and self.is_word(base):
                        yield base

    def _is_part(self, word: str) -> bool:
        return len(word) >= PART and word not in NO_PARTS and self.is_word(word)

    def _parts(self, word: str) -> Iterator[str]:
        for beginning in BEGINNINGS:
            if word.startswith(beginning) and self._is_part(word[len(beginning) :]):
                yield word[len(beginning) :]
        if word.startswith(ARTICLE) and len(word) >= len(ARTICLE) + BEFORE_PARTICLE:
            yield from filter(self._is_part, [word[len(ARTICLE) :]])
        for cut in range(PART, len(word) - 1):
            rest = word[cut:]
            ends_little = rest in PARTICLES
            if len(rest) < PART and not ends_little:
                continue
            first = word[:cut]
            if not self._is_part(first):
                continue
            if ends_little and self._is_before_particle(first, rest):
                yield first
            for little in filter(rest.startswith, ("", *LITTLE_WORDS)):
                is_one_word = rest in NOT_MADE or (little in BY_CHANCE and self.is_word(rest))
                if self._is_part(rest[len(little) :]) and not (little and is_one_word):
                    yield first
                    yield rest[len(little) :]

    def _is_before_particle(self, first: str, particle: str) -> bool:
        if first.endswith("S"):
            return self.is_word(first[:-1] + particle)
        return len(first) >= BEFORE_PARTICLE or self.is_word(f"{first}S{particle}")


def _taken_apart(word: str) -> Iterator[str]:
    """Yield the possible bases of a word's inflection, by the rules of spelling."""
    for letters, instead_of, stems, dropped, unless in _INFLECTIONS_BY_LETTER.get(word[-1:], ()):
        if word.endswith(letters) and not word.endswith(unless):
            rest = word.removesuffix(letters)
            if not stems or _stem(rest) in stems:
                yield from (rest[: len(rest) - dropped] + before for before in instead_of)


def _stem(rest: str) -> Stem:
    vowels = [letter in VOWELS for letter in rest]
    if not any(vowels):
        return Stem.NO_VOWEL
    if len(rest) > 1 and rest[-1] not in NEVER_DOUBLED:
        if rest[-1] == rest[-2]:
            return Stem.DOUBLED
        if sum(vowels) == 1 and vowels[-2]:
            return Stem.SHORT
    return Stem.OTHER


class RootSource(Protocol):
    """The interface of a lexicon that finds ordinary words and roots."""

    def is_ordinary(self, word: str) -> bool:
        """Whether a word is listed with at least the ordinary score."""

    @property
    def roots(self) -> Roots:
        """The finder of roots."""


def roots_by(
    lexicon: RootSource | None,
    *,
    contents: Iterable[Content] = (),
    groups: Collection[Collection[str]] = (),
) -> Roots:
    """Return the finder of roots for a grid with these contents and a lexicon, if there is one yet."""
    rebuses = rebus_words(contents)
    if lexicon is None:
        return Roots(groups=groups)
    if not rebuses and not groups:
        return lexicon.roots
    is_ordinary = lexicon.is_ordinary
    return Roots(lambda word: word not in rebuses and is_ordinary(word), groups)


def rebus_words(contents: Iterable[Content]) -> frozenset[str]:
    """Return the contents of rebus squares, which do not count as repeated words."""
    return frozenset(content.reading(way) for content in contents if content.is_rebus for way in Direction)


def repeating(answers: Iterable[str], words: Iterable[str], roots: Roots) -> frozenset[str]:
    """Return the words that repeat any of some answers; fast for a whole list, since few words contain a sign."""
    text = "\n".join(("", *words, ""))
    found = set[str]()
    for answer in answers:
        signs = {sign for root in roots.of(answer) for sign in _signs(root)}
        bearing = {word for sign in signs for word in _bearing(sign, text)}
        found |= {word for word in bearing if roots.are_repeats(word, answer)}
    return frozenset(found)


def _signs(root: str) -> Iterator[str]:
    """Yield substrings, one of which every word with this root contains: the root or its form before an ending."""
    yield root
    if len(root) >= PART:
        for before in {before for ending in ENDINGS for before in ending.instead_of if before}:
            if root.endswith(before):
                yield root.removesuffix(before)
    for before, after in (("E", "I"), ("Y", "I"), ("IE", "YI"), ("F", "V"), ("FE", "V")):
        if root.endswith(before):
            yield root.removesuffix(before) + after


def _bearing(sign: str, text: str) -> Iterator[str]:
    """Yield the words, one per line of the text, that contain a sign."""
    at = text.find(sign)
    while at >= 0:
        end = text.index("\n", at + 1)
        yield text[text.rindex("\n", 0, end) + 1 : end]
        at = text.find(sign, end)


class PossibleRepeat(NamedTuple):
    """Two entries, by name, whose answers may share a word."""

    one: str
    other: str
    word: str


class AnswerRepeats:
    """The complete answers of a grid, with queries for the entries that a word repeats."""

    def __init__(self, answers: Mapping[str, str], roots: Roots, locked: Collection[str] = ()) -> None:
        """Take the answers by entry, and the names of locked entries."""
        self.answers = answers
        self._locked = frozenset(locked)
        self._roots = roots
        self._by_root: defaultdict[str, list[str]] = defaultdict(list)
        for name, answer in answers.items():
            for root in roots.of(answer):
                self._by_root[root].append(name)

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle, lexicon: RootSource | None) -> AnswerRepeats:
        """Return the repeats among all complete entries; empty if a rule allows shared stems.

        The contents of rebus squares do not count, since they are repeated on purpose.
        """
        rule = puzzle.rules.one(SharedStems) or SharedStems()
        grid, answers = puzzle.grid, puzzle.answers if rule.is_asked else {}
        locked = [name for name in answers if all(grid[at].ink is Ink.LOCKED for at in grid.entry(name).positions)]
        return cls(answers, roots_by(lexicon, contents=grid.contents.values(), groups=rule.groups), locked)

    def of(self, word: str, entry: str = "") -> tuple[str, ...]:
        """Return the entries other than `entry` whose answers a word repeats."""
        may = {name for root in self._roots.of(word) for name in self._by_root.get(root, ())} - {entry}
        if not may:
            return ()
        return tuple(name for name, answer in self.answers.items() if name in may and answer != word)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of entries whose answers repeat each other, except pairs of locked ones, which are intentional."""
        return tuple(pair for pair in self._by_roots if not self._is_meant(pair))

    @property
    def possible(self) -> tuple[PossibleRepeat, ...]:
        """Pairs without a common root that an editor may still mind, except pairs of locked entries."""
        return tuple(each for each in self._by_ends if not self._is_meant((each.one, each.other)))

    @property
    def meant(self) -> tuple[tuple[str, str], ...]:
        """Pairs of locked entries that would otherwise be in `pairs` or `possible`."""
        by_ends = ((each.one, each.other) for each in self._by_ends)
        return tuple(filter(self._is_meant, (*self._by_roots, *by_ends)))

    def _is_meant(self, pair: tuple[str, str]) -> bool:
        return self._locked.issuperset(pair)

    @cached_property
    def _by_roots(self) -> Sequence[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        seen: set[str] = set()
        for one, answer in self.answers.items():
            found += [(other, one) for other in self.of(answer) if other in seen]
            seen.add(one)
        return found

    @cached_property
    def _by_ends(self) -> Collection[PossibleRepeat]:
        """Pairs such as APPLEPIE and APPLE.

        One begins or ends with the other, or both begin or end with a word and the rest of each is an ordinary
        word. Fills do not avoid these, since spelling alone finds many by chance.
        """
        holders: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for name, answer in self.answers.items():
            for part in self._ends_of(answer):
                holders[part].setdefault(answer, name)
        told = {frozenset(pair) for pair in self._by_roots}
        found: dict[frozenset[str], PossibleRepeat] = {}
        whole = {answer: name for name, answer in self.answers.items()}
        for part, by_answer in sorted(holders.items(), key=lambda item: -len(item[0])):
            is_answer = part in whole
            if not is_answer and (len(part) < PART or not self._roots.is_word(part)):
                continue
            names = {*by_answer.values(), *([whole[part]] if is_answer else [])}
            for pair in combinations([name for name in self.answers if name in names], 2):
                if frozenset(pair) not in told:
                    found.setdefault(frozenset(pair), PossibleRepeat(*pair, part))
        return found.values()

    def _ends_of(self, answer: str) -> Iterator[str]:
        """Yield the beginnings and endings of an answer whose rest is a word."""
        if answer in NOT_MADE:
            return
        for cut in range(SHORTEST, len(answer) - SHORTEST + 1):
            for part, rest in ((answer[:cut], answer[cut:]), (answer[cut:], answer[:cut])):
                if not {part, rest} & _NO_ENDS and self._roots.is_word(rest):
                    yield part
