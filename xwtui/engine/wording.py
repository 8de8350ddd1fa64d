"""Lists of things in a sentence."""

from __future__ import annotations

from collections.abc import Iterable


def listed(texts: Iterable[str], last: str) -> str:
    """`A`, `A and B`, `A, B and C`, where `last` is the word before the last one; there is one at least."""
    *head, tail = texts
    return f"{', '.join(head)} {last} {tail}" if head else tail
