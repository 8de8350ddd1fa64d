"""What rules may say, and how much of it: they come from lines typed in haste and from files from elsewhere."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from xwtui.errors import PuzzleError
from xwtui.model.answer_pattern import check_pattern
from xwtui.model.puzzle import HIGHEST_SCORE
from xwtui.model.rules import EntryRule, RebusPlacing, Rules

LONGEST_WORD = 40
MOST_STRINGS = 20
"""Strings that one entry must or must not have in it."""
MOST_BARRED = 1000
MOST_CONTENTS = 64
"""Contents that one square may be restricted to."""
MOST_WANTED = 1000
MOST_GROUPS = 200
MOST_IN_GROUP = 50
MOST_LIMITS = 20
MOST_PLACINGS = 8
MOST_NEW_SQUARES = 999

_WORD = re.compile(rf"[A-Z0-9]{{1,{LONGEST_WORD}}}")
_TAG = re.compile(r"[a-z][a-z0-9-]{0,29}")
_LETTERS = re.compile(r"[A-Z0-9]*")


def check_rules(rules: Rules) -> None:
    """Raise PuzzleError for the first thing in rules that no puzzle can have."""
    for (start, direction), rule in rules.entries.items():
        try:
            check_entry_rule(rule)
        except PuzzleError as error:
            raise PuzzleError(f"{start} {direction.word}: {error}") from None
    for contents in rules.squares.values():
        _check_count(len(contents), MOST_CONTENTS, "contents of one square")
    if rules.shared_substring != 0 and not 2 <= rules.shared_substring <= LONGEST_WORD:
        raise PuzzleError(f"shared letters are counted from 2 to {LONGEST_WORD}, not {rules.shared_substring}")
    _check_count(len(rules.stem_groups), MOST_GROUPS, "groups of words of one stem")
    for group in rules.stem_groups:
        _check_count(len(group), MOST_IN_GROUP, "words in one group")
        _check_words(sorted(group))
    _check_limits(rules)
    _check_count(len(rules.wanted), MOST_WANTED, "wanted words")
    _check_words(rules.wanted)
    _check_distinct(rules.wanted, "wanted")
    if rules.wanted_least < 0:
        raise PuzzleError("a number of wanted words is 0 or more")
    if _LETTERS.fullmatch(rules.letters) is None:
        raise PuzzleError("the letters that are to stand in the grid are A-Z and 0-9")
    _check_distinct(rules.letters, "named")
    _check_count(len(rules.placings), MOST_PLACINGS, "kinds of new rebus squares")
    for placing in rules.placings:
        _check_placing(placing)


def check_entry_rule(rule: EntryRule) -> None:
    """Raise PuzzleError for what an entry cannot be asked."""
    if rule.minimum_score is not None and not 0 <= rule.minimum_score <= HIGHEST_SCORE:
        raise PuzzleError(f"scores run from 0 to {HIGHEST_SCORE}; {rule.minimum_score} is outside")
    check_pattern(rule.pattern)
    for strings in (rule.contains, rule.lacks):
        _check_count(len(strings), MOST_STRINGS, "strings that an answer must or must not contain")
        _check_words(strings)
    _check_count(len(rule.barred), MOST_BARRED, "words barred from one entry")
    _check_words(rule.barred)


def _check_limits(rules: Rules) -> None:
    _check_count(len(rules.tag_limits), MOST_LIMITS, "limits")
    for tag, limit in rules.tag_limits.items():
        _check_each([tag], lambda text: _TAG.fullmatch(text) is not None, "tag, such as `abbreviation` or `name`")
        if limit < 0:
            raise PuzzleError(f"at most {limit} words with the tag {tag} cannot be kept; 0 is the lowest limit")


def _check_placing(placing: RebusPlacing) -> None:
    _check_count(len(placing.contents), 28, "contents of new rebus squares")
    _check_distinct(placing.contents, "named")
    _check_count(placing.most, MOST_NEW_SQUARES, "new rebus squares")


def _check_words(words: Iterable[str]) -> None:
    _check_each(
        words, lambda word: _WORD.fullmatch(word) is not None, f"word of 1 to {LONGEST_WORD} of A-Z and 0-9"
    )


def _check_each(texts: Iterable[str], is_good: Callable[[str], bool], what: str) -> None:
    for text in texts:
        if not is_good(text):
            raise PuzzleError(f"{text[:40]!r} is no {what}")


def _check_count(count: int, most: int, what: str) -> None:
    if count > most:
        raise PuzzleError(f"{count:,} {what} are too many; {most:,} are allowed")


def _check_distinct(things: Collection[object], how: str) -> None:
    for thing, times in Counter(things).items():
        if times > 1:
            raise PuzzleError(f"{thing} is {how} twice")
