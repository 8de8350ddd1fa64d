"""Repeats: answers that share a word or its root with another answer, as an editor sees it.

This is the one meaning of the term: the filler keeps repeats apart by it, the rule `distinct --stems on` forbids
them, and the header, `check`, candidates and designs tell of them. Two answers repeat each other where they have a
root in common. An answer's roots are itself, what it may be made of, and the roots of that:

- what -S, -ED, -ING, -ER or -EST was added to (BAKE of BAKERS), by the rules of spelling. Those that are words
  count, or all where none is: BAKE and not BAK. MENUS and TAXIS are plurals where MENU and TAXI are words;
- a word of four letters or more that another ending was added to (`ENDINGS`): LOCATE of LOCATION. Before an ending
  that many words have by chance it needs two vowels, so that STATION is not made of STATE;
- the words of a phrase or compound, of four letters at least each: DATA and BASE of DATABASE, also with little
  ones such as OF and THE between them (PIECEOFCAKE). Shorter words, and those that many phrases have (WITH), are
  no roots, for spelling alone finds them by chance: RANT is in WARRANT;
- the word before a little one that ends a phrase, NOSES of NOSESIN, where the list has it without its -S, or with
  one, before the same one (NOSEIN), so that GALLON is not made of GALL; or where it has five letters and no -S;
- a word of four letters at least behind UN-, DIS-, OVER- or the like: ARMED of DISARMED, not FORM of UNIFORM.

Our lists write no spaces, and hold many scraps with low scores (TAINS, REAKS): a word is what is listed with the
ordinary score at least, whatever a puzzle allows. What spelling misleads about (CORNER, MOTHER, DISPATCH) is
listed by hand, and no parts are cut out of its forms either (DISPATCHED). What a rebus square of the grid holds is
its theme, and no word that answers repeat: SWEET[HEART] and BRAVE[HEART] do not. `repeat_rows.py` finds the roots
of a whole list at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import Protocol, TypeVar

from xwtui.model import Content, Direction, Ink, Puzzle
from xwtui.model.rules import SharedStems
from xwtui.named_tuples import NamedTuple

SHORTEST = 3
"""Letters of the shortest root."""
PART = 4
"""Letters of a word that is a root by being a part of another one."""
BEFORE_PARTICLE = 5
"""Letters of a word without an -S that needs no other form before a little word."""
VOWELS = frozenset("AEIOUY")
HISSING = ("S", "X", "Z", "CH", "SH", "O")
"""Ends after which a plural takes -ES."""
NEVER_DOUBLED = frozenset("AEIOUWXYH")
RARE_PLURALS = ("IS", "US")
"""Ends of words that are seldom plurals."""


class Stem(IntEnum):
    """What stands before -ED, -ER, -ING or -EST, and so what that may have been added to."""

    NO_VOWEL = 0
    DOUBLED = 1
    """A consonant that stands twice ends it: STOPP, FILL."""
    SHORT = 2
    """It would double its last letter, with one vowel before it: HOP."""
    OTHER = 3


class Inflection(NamedTuple):
    """What is added to a word by the rules of spelling."""

    letters: str
    instead_of: tuple[str, ...] = ("",)
    """What stood there before."""
    stems: tuple[Stem, ...] = ()
    """Those that it is added to; any, if none is named."""
    dropped: int = 0
    """Letters before it that were added with it."""
    unless: tuple[str, ...] = ()
    """Ends of words that are not made so."""


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
"""All that is taken off, word by word here and of a whole list in `repeat_rows.py`."""


class Ending(NamedTuple):
    """What may have been added to a word."""

    letters: str
    instead_of: tuple[str, ...] = ("",)
    """What stood there before."""
    vowels: int = 1
    """Of the word it was added to, without a last E."""


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
"""What is put before words that go on meaning what they mean: not PRE-, TRANS- and INTER-, as in PREPARED."""
ARTICLE = "THE"
"""What begins a phrase that one word of `BEFORE_PARTICLE` letters ends."""
_INSIDE_PHRASES = """
    A AN AND AS AT BY FOR IN IS IT MY NO NOT OF OFF ON OR OUT THE TO UP YOUR WITH FROM INTO
    INA OFA ONA ATTHE FORTHE INTHE OFTHE ONTHE TOTHE UPTHE
"""
LITTLE_WORDS = tuple(_INSIDE_PHRASES.split())
"""Words inside a phrase that are no roots."""
BY_CHANCE = ("A", "AN", "AS", "IS", "OF", "OFF", "OR")
"""Those of them that other words begin with by chance: ISLAND, ORDEAL."""
PARTICLES = ("UP", "IN", "ON", "OFF", "OUT", "TO", "AT", "BY", "IT", "FOR")
"""Little words that end phrases."""
_BY_CHANCE = """
    ABLE IBLE NESS LESS MENT SHIP HOOD WARD LIKE SOME SELF SELVES INGS IONS TION ABILITY ABLY FULLY LING ALLY TING
    THAT THIS THESE THOSE THEM THEY THEN THAN WITH FROM INTO ONTO YOUR YOURE HAVE WHAT WHEN WERE WILL JUST
    VERY EVER MORE MOST INTER POLY FORE
"""
NO_PARTS = frozenset(_BY_CHANCE.split())
"""Words that many others hold by chance, or by grammar."""
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
"""What is no word where an answer ends with it: EST of STRONGEST."""
NOT_MADE = frozenset(_LOOK_MADE.split())
"""Words that look made of others (MOTH, CORN, EVEN), and are not."""

_MOST_KNOWN = 5_000
"""Words of which the roots are kept."""

_Added = TypeVar("_Added", Inflection, Ending)


def _by_last_letter(added: Iterable[_Added]) -> Mapping[str, Sequence[_Added]]:
    """What may stand at the end of a word, by its last letter: most words end with none of the others."""
    found: defaultdict[str, list[_Added]] = defaultdict(list)
    for one in added:
        found[one.letters[-1]].append(one)
    return dict(found)


_INFLECTIONS_BY_LETTER = _by_last_letter(INFLECTIONS)
_ENDINGS_BY_LETTER = _by_last_letter(ENDINGS)


def _is_no_word(_word: str) -> bool:
    return False


class Roots:
    """Finds the roots of words, as letters A-Z, by what is known to be a word and by groups of one's own."""

    def __init__(
        self, is_word: Callable[[str], bool] = _is_no_word, groups: Collection[Collection[str]] = ()
    ) -> None:
        """Take what tells words, and groups of words that have a root in common."""
        self.is_word = is_word
        self._known: dict[str, frozenset[str]] = {}
        self._groups: dict[str, list[str]] = {}
        for number, group in enumerate(groups, 1):
            for word in group:
                self._groups.setdefault(word, []).append(f"group {number}")

    def of(self, word: str) -> frozenset[str]:
        """The word, what it may be made of, and the names of the groups that any of these is in."""
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
        """What a word may be made of; what is none, but may be inflected, is taken apart no further than that.

        What an ending was added to is cut as it is: no MISSAL is in DISMISSAL.
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
        """The words that one inflection may have been added to: those that are words, or all if none is."""
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
        """The words that a phrase or compound is made of."""
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
    """What a word may be without its inflection, by the rules of spelling."""
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


class KnowsRoots(Protocol):
    """What knows ordinary words, and the roots of all: a lexicon."""

    def is_ordinary(self, word: str) -> bool:
        """Whether it is listed with the ordinary score at least."""

    @property
    def roots(self) -> Roots:
        """What finds them."""


def roots_by(
    lexicon: KnowsRoots | None,
    *,
    contents: Iterable[Content | None] = (),
    groups: Collection[Collection[str]] = (),
) -> Roots:
    """The roots of words in a grid that has some contents, by the words of a lexicon, if there is one yet."""
    rebuses = rebus_words(contents)
    if lexicon is None:
        return Roots(groups=groups)
    if not rebuses and not groups:
        return lexicon.roots
    is_ordinary = lexicon.is_ordinary
    return Roots(lambda word: word not in rebuses and is_ordinary(word), groups)


def rebus_words(contents: Iterable[Content | None]) -> frozenset[str]:
    """What rebus squares hold, which is no word that answers repeat."""
    rebuses = [content for content in contents if content is not None and content.is_rebus]
    return frozenset(content.reading(way) for content in rebuses for way in Direction)


def repeating(answers: Iterable[str], words: Iterable[str], roots: Roots) -> frozenset[str]:
    """The words that repeat any of some answers; quick for all words of a list, for few have a sign of it."""
    text = "\n".join(("", *words, ""))
    found = set[str]()
    for answer in answers:
        signs = {sign for root in roots.of(answer) for sign in _signs(root)}
        bearing = {word for sign in signs for word in _bearing(sign, text)}
        found |= {word for word in bearing if roots.are_repeats(word, answer)}
    return frozenset(found)


def _signs(root: str) -> Iterator[str]:
    """What each word that has a root has one of: the root, or it changed before an ending."""
    yield root
    if len(root) >= PART:
        for before in {before for ending in ENDINGS for before in ending.instead_of if before}:
            if root.endswith(before):
                yield root.removesuffix(before)
    for before, after in (("E", "I"), ("Y", "I"), ("IE", "YI"), ("F", "V"), ("FE", "V")):
        if root.endswith(before):
            yield root.removesuffix(before) + after


def _bearing(sign: str, text: str) -> Iterator[str]:
    """The words of a text, each in a line, that have a sign somewhere."""
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
    """The finished answers of a grid, asked which of them a word repeats."""

    def __init__(self, answers: Mapping[str, str], roots: Roots, locked: Collection[str] = ()) -> None:
        """Take the answers by entry, and which of these are meant to be as they are."""
        self.answers = answers
        self._locked = frozenset(locked)
        self._roots = roots
        self._by_root: defaultdict[str, list[str]] = defaultdict(list)
        for name, answer in answers.items():
            for root in roots.of(answer):
                self._by_root[root].append(name)

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle, lexicon: KnowsRoots | None) -> AnswerRepeats:
        """Those of all entries that are complete; none where a rule lets stems be shared.

        What rebus squares hold is meant to be in several.
        """
        rule = puzzle.rules.one(SharedStems) or SharedStems()
        grid, answers = puzzle.grid, puzzle.answers if rule.is_asked else {}
        locked = [name for name in answers if all(grid[at].ink is Ink.LOCKED for at in grid.entry(name).positions)]
        contents = (grid[at].content for at in grid.open_positions())
        return cls(answers, roots_by(lexicon, contents=contents, groups=rule.groups), locked)

    def of(self, word: str, entry: str = "") -> tuple[str, ...]:
        """The entries, but for one, whose answers a word repeats."""
        may = {name for root in self._roots.of(word) for name in self._by_root.get(root, ())} - {entry}
        if not may:
            return ()
        return tuple(name for name, answer in self.answers.items() if name in may and answer != word)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every two entries whose answers repeat each other, but for two that are locked: these are meant."""
        return tuple(pair for pair in self._by_roots if not self._is_meant(pair))

    @property
    def possible(self) -> tuple[PossibleRepeat, ...]:
        """Pairs that are no repeats by their roots, and that an editor may still mind, but for two locked ones."""
        return tuple(each for each in self._by_ends if not self._is_meant((each.one, each.other)))

    @property
    def meant(self) -> tuple[tuple[str, str], ...]:
        """Every two locked entries that would else be among `pairs` or `possible`."""
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

        One begins or ends with the other, or both begin or end with a word, before or behind an ordinary word.
        Fills do not avoid these: spelling alone finds many by chance.
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
        """What an answer begins or ends with, where the rest is a word."""
        if answer in NOT_MADE:
            return
        for cut in range(SHORTEST, len(answer) - SHORTEST + 1):
            for part, rest in ((answer[:cut], answer[cut:]), (answer[cut:], answer[:cut])):
                if not {part, rest} & _NO_ENDS and self._roots.is_word(rest):
                    yield part
