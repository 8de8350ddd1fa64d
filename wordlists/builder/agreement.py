"""Weigh what the sources know of an entry against what the Collaborative Word List gives it.

The numbers come from a logistic regression on the answers of published puzzles, rounded; PROVENANCE.md says how.
"""

from builder.collaborative import is_roman_numeral
from builder.evidence import UNKNOWN_SIZE
from builder.segmentation import Word


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Least score of the Collaborative Word List, and what it is worth on our scale: of six letters and more …
_Steps = tuple[tuple[int, int], ...]
_OPINIONS: _Steps = (
    *(
        (90, 54),
        (80, 54),
        (75, 50),
        (70, 55),
        (60, 53),
        (55, 51),
        (51, 49),
        (50, 50),
        (46, 38),
        (45, 48),
        (40, 51),
    ),
    *((30, 34), (20, 22), (0, 15)),
)
# … in shorter ones that another source knows as well …
_SHORT_OPINIONS: _Steps = (
    *(
        (90, 56),
        (80, 56),
        (75, 52),
        (70, 57),
        (60, 55),
        (55, 53),
        (50, 52),
        (46, 34),
        (40, 40),
        (30, 32),
        (20, 22),
    ),
    (0, 15),
)
# … and in those of up to six letters that no other source knows: mostly scraps and strangers.
_STRANGE_OPINIONS: _Steps = (*((90, 51), (80, 50), (75, 39), (70, 50), (40, 39), (30, 34), (20, 15), (0, 10)),)
_SHORT, _LONGEST_STRANGER = 5, 6
_LONG = ((16, -3), (10, -1), (0, 0))
_ROMAN_NUMERAL, _ROMAN_WORD = 34, 45
_NUMBER_WORDS = _words(
    "ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN "
    "EIGHTEEN NINETEEN TWENTY THIRTY FORTY FIFTY SIXTY SEVENTY EIGHTY NINETY HUNDRED THOUSAND AND FIRST SECOND "
    "THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TWENTIETH THIRTIETH FORTIETH FIFTIETH SIXTIETH SEVENTIETH "
    "EIGHTIETH NINETIETH HUNDREDTH THOUSANDTH"
)
_COUNTED = 20
_UNFINISHED_ENDS = _words(
    "A AN THE MY HIS HER YOUR OUR THEIR ITS AND OR BUT OF TO FOR WITH FROM AT AS IS ARE WAS WERE I WE HE SHE THAT "
    "IF NOT NO BE SO INTO THAN"
)
_BROKEN_OFF, _ARTICLES = frozenset({"THE", "MY", "YOUR", "THEIR", "OF"}), frozenset({"A", "AN"})
_COMMON_SIZE, _COMMONEST_SIZE = 40, 10
_TORN_STARTS = _words(
    "OF AND OR BUT THAN AS WERE ARE WAS IS THEIR ITS HIS HER WITH FROM INTO IF THAT NOT BE HAS HAVE HAD"
)
_UNREADABLE, _RARE, _UNFINISHED, _TORN, _SCRAP, _LONGER = -4, -2, -5, -4, -4, 1
_RARE_SIZE, _SEVERAL = 60, 3
_SHORT_WORDS = _words("A I OF TO IN ON UP NO IT AT BY GO DO MY ME WE HE IS AS SO OR US BE AN IF AM")
_BEST_ALONE, _BEST = 54, 66
_AGREED = 5
# What we think of as glue that list has for having met it often: it pleases nobody more for that.
_LONGEST_GLUE, _BEST_GLUE = 4, 52
_DECENT, _GOOD = 40, 50
# From where an entry of so many letters counts as good: of these lengths it held too few of a curated list.
_GOOD_ENOUGH = {5: 47, 6: 48, 7: 47}
# What that list has at 90 and we below 40 are phrases of the Moby thesaurus, which both read: no second opinion.
_OF_MOBY, _SHORTEST_OF_MOBY, _MOBY_AGAIN = 90, 9, 36


def opinion(entry: str, score: int, reading: tuple[Word, ...] | None, own: int | None) -> int:
    """Return on our scale what the Collaborative Word List's score and the entry's form say of it.

    `own` is the score of the other sources, None where none knows the entry.
    """
    if is_roman_numeral(entry) and (own or 0) < _ROMAN_WORD:
        return _ROMAN_NUMERAL
    if _is_number(reading):
        return _COUNTED
    if own is None and len(entry) <= _LONGEST_STRANGER:
        return _worth(_STRANGE_OPINIONS, score)
    if len(entry) <= _SHORT:
        return _worth(_SHORT_OPINIONS, score)
    if own is not None and own < _DECENT and score >= _OF_MOBY and len(entry) >= _SHORTEST_OF_MOBY:
        return _MOBY_AGAIN
    return _worth(_OPINIONS, score) + _worth(_LONG, len(entry)) + _form_change(reading)


def _is_number(reading: tuple[Word, ...] | None) -> bool:
    """Tell `six thousand sixty one` from `fifty fifty`."""
    return reading is not None and len(reading) > 2 and all(word.spelling in _NUMBER_WORDS for word in reading)


def _worth(steps: _Steps, number: int) -> int:
    return next(worth for least, worth in steps if number >= least)


def _form_change(reading: tuple[Word, ...] | None) -> int:
    """Return what an entry's words add: a whole phrase of known words is likelier good than a piece of one."""
    if reading is None:
        return _UNREADABLE
    change = _RARE if max(word.size for word in reading) >= _RARE_SIZE else 0
    if len(reading) == 1:
        return change
    words = [word.spelling for word in reading]
    change += _UNFINISHED if words[-1] in _UNFINISHED_ENDS else 0
    change += _TORN if words[0] in _TORN_STARTS else 0
    change += _SCRAP if any(len(word) < 3 and word not in _SHORT_WORDS for word in words) else 0
    return change + (_LONGER if len(words) >= _SEVERAL else 0)


def is_unfinished(reading: tuple[Word, ...]) -> bool:
    """Whether a reading breaks off, such as TAKE A and ONE OF THE: constructors call it a partial."""
    *rest, last = reading
    largest = max((word.size for word in rest), default=UNKNOWN_SIZE)
    if any(len(word.spelling) < 3 and word.spelling not in _SHORT_WORDS for word in rest):
        return False
    return (last.spelling in _BROKEN_OFF and largest <= _COMMON_SIZE) or (
        last.spelling in _ARTICLES and largest <= _COMMONEST_SIZE
    )


def weighed(entry: str, own: int | None, other: int | None) -> int:
    """Return the score of an entry that our sources give `own`, and the Collaborative Word List `other`."""
    score = _weighed(entry, own, other)
    return max(score, _GOOD) if score >= _GOOD_ENOUGH.get(len(entry), _GOOD) else score


def _weighed(entry: str, own: int | None, other: int | None) -> int:
    if own is None or other is None:
        return own if own is not None else min(other or 0, _BEST_ALONE)
    is_glue = len(entry) <= _LONGEST_GLUE and own <= _BEST_GLUE
    return min((own + other + 1) // 2 + _AGREED, _BEST_ALONE if is_glue else _BEST)
