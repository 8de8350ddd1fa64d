r"""The rule that the whole answer matches a regular expression, restricted so that no word takes long to match.

A puzzle file from elsewhere may bring its own pattern, and `(A|AA)*B` takes exponential time on a few letters. So
a repeated part may contain neither alternatives nor repeats, and their numbers are limited. A match that still
takes too long is aborted and reported. `\1` matches the text of the first group: `(..).*\1` is any answer whose
first two letters are also its last two.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError, failing_as
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.letters import KNOWN
from xwtui.model.rules.base import TextRule
from xwtui.model.rules.grammar import Reads, RuleOption, Value
from xwtui.text import printable

with lazy_imports():
    import regex

LONGEST_PATTERN = 200
MOST_REPEATS = 6
"""Maximum number of repeated parts in a pattern: `.*`, `[AE]+`, `X{2,5}`."""
MOST_CHOICES = 20
"""Maximum number of optional parts and alternatives."""

_LARGEST_COUNT = 40
ANSWER_SECONDS = 1.0
"""Maximum time in seconds for matching one answer; a few microseconds are typical."""
_ALPHABET = lazy_pattern(rf"(?:\\[1-9]|[{KNOWN}.\[\]^\-()|*+?{{}},:=!])*")
_ODD_SET = lazy_pattern(r"\[.*(\[|--|\|\||\\)")
"""Character sets that a future Python may parse differently and warns about, and those with back references."""
_TOKEN = lazy_pattern(r"\[\^?\]?[^\]]*\]?|\(\?[:=!]|\{[0-9]*,?[0-9]*\}|\\.|.")


@dataclass(frozen=True)
class Pattern(TextRule):
    """The whole answer matches a regular expression in capitals, such as `.*ING`."""

    field: ClassVar[str] = "pattern"
    option: ClassVar[RuleOption] = RuleOption(
        "--match", Value(Reads.PATTERN), "a regular expression for the whole answer: .*ING", name="pattern"
    )
    is_slow: ClassVar[bool] = True

    def check(self) -> None:
        check_pattern(self.text)

    def words(self) -> str:
        return f"matches {self.text}"

    def allows(self) -> Callable[[str], bool]:
        """Return a predicate that raises PuzzleError if matching an answer takes too long."""
        matches = regex.compile(self.text).fullmatch

        def is_allowed(answer: str) -> bool:
            try:
                return matches(answer, timeout=ANSWER_SECONDS) is not None
            except TimeoutError:
                shown = printable(self.text, 40)
                raise PuzzleError(f"the pattern '{shown}' takes too long to try on {answer}") from None

        return is_allowed

    def broken(self, answer: str) -> str:
        try:
            return "" if self.allows()(answer) else f"does not match {self.text}"
        except PuzzleError:
            return f"takes too long to match with {self.text}"


def check_pattern(text: str) -> None:
    """Raise PuzzleError unless a text is a regular expression, in capitals, that a rule may have."""
    shown = f"the pattern '{printable(text, 40)}'"
    if len(text) > LONGEST_PATTERN:
        raise PuzzleError(f"a pattern has at most {LONGEST_PATTERN} characters; {shown}… has {len(text)}")
    odd = _ALPHABET.sub("", text)
    if odd:
        signs = ". [ ] ( ) | * + ? { } and \\1 to \\9"
        raise PuzzleError(f"{shown} has {odd[0]!r}; use capitals, digits and {signs}")
    tokens = _TOKEN.findall(text)
    if odd := next((token for token in tokens if _ODD_SET.match(token)), ""):
        raise PuzzleError(f"{shown} cannot be read: {odd} is not a set of letters")
    with failing_as(PuzzleError, f"{shown} cannot be read", of=(re.error, OverflowError, RecursionError)):
        re.compile(text)
    _check_effort(shown, tokens)


def sure_letters(text: str) -> tuple[str, ...]:
    """Return substrings that every match must contain, `CAT` for `.*CAT`; empty if none are certain."""
    runs: list[str] = []
    run, depth = "", 0
    for token in [*_TOKEN.findall(text), ""]:
        if depth == 0 and token == "|":
            return ()
        if depth == 0 and token.isalnum():
            run += token
            continue
        may_be_missing = token in ("?", "*") or token.startswith("{")
        runs.append(run[:-1] if may_be_missing else run)
        run = ""
        depth += token.startswith("(") - (token == ")")
    return tuple(filter(None, runs))


def _check_effort(shown: str, tokens: list[str]) -> None:
    """Raise PuzzleError for repeats of ambiguous parts, and for too many repeats and choices."""
    repeats = choices = 0
    open_groups: list[int] = []
    """For each open group, the number of repeats and choices before it."""
    closed: int | None = None
    """The same number for a group that has just been closed."""
    for token in tokens:
        before, closed = closed, None
        if token.startswith("("):
            open_groups.append(repeats + choices)
        elif token == ")":
            closed = open_groups.pop()
        elif token in "|?":
            choices += 1
        elif token in "*+" or token.startswith("{"):
            if before is not None and repeats + choices > before:
                raise PuzzleError(f"{shown} repeats a part with repeats or choices; write it another way")
            if any(int(count) > _LARGEST_COUNT for count in re.findall("[0-9]+", token)):
                raise PuzzleError(f"{shown} repeats a part more than {_LARGEST_COUNT} times")
            repeats += 1
    if repeats > MOST_REPEATS or choices > MOST_CHOICES:
        raise PuzzleError(
            f"{shown} has {repeats} repeats and {choices} choices; the most are {MOST_REPEATS} and {MOST_CHOICES}"
        )
