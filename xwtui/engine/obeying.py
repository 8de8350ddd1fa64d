"""Which words have what the rule of an entry asks of their letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from time import perf_counter

from xwtui.errors import EngineError
from xwtui.model.rules import EntryRule

PATTERN_SECONDS = 5.0
"""How long a rule may take with the words of one length, whatever its pattern."""


def asks_letters(rule: EntryRule) -> bool:
    """Whether a rule asks anything of the letters of an answer, beside its score and its list."""
    return bool(rule.pattern or rule.contains or rule.lacks or rule.barred)


def obeying(words: Iterable[str], rule: EntryRule) -> Iterator[bool]:
    """Whether each word has what a rule asks of its letters; raises EngineError where that takes too long."""
    matches = re.compile(rule.pattern).fullmatch if rule.pattern else None
    deadline = perf_counter() + PATTERN_SECONDS
    for word in words:
        yield (
            all(part in word for part in rule.contains)
            and not any(part in word for part in rule.lacks)
            and word not in rule.barred
            and (matches is None or matches(word) is not None)
        )
        if perf_counter() > deadline:
            raise EngineError(f"its pattern {rule.pattern} takes too long to try on words such as {word}")
