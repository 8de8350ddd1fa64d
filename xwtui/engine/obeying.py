"""Which words have what the rules of an entry ask of their letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter

from xwtui.errors import EngineError, PuzzleError
from xwtui.model.rules import EntryRules, Pattern

PATTERN_SECONDS = 5.0
"""How long a rule may take with the words of one length, whatever its pattern."""


def obeying(words: Iterable[str], rules: EntryRules) -> Iterator[bool]:
    """Whether each word has what rules ask of its letters; raises EngineError where that takes too long."""
    tests = rules.tests
    deadline = perf_counter() + PATTERN_SECONDS
    for word in words:
        try:
            is_obeying = all(test(word) for test in tests)
        except PuzzleError as error:
            raise EngineError(str(error)) from None
        yield is_obeying
        if perf_counter() > deadline:
            patterns = " and ".join(pattern.text for pattern in rules.of(Pattern))
            raise EngineError(f"its pattern {patterns} takes too long to try on words such as {word}")
