"""What a command was asked to do, as plain values: the declarations make them, the work takes them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WordRequest:
    """Which words to use; what is None or empty is left to the puzzle."""

    lists: tuple[str, ...]
    minimum_score: int | None


@dataclass(frozen=True)
class SearchRequest:
    """A search over a grid: `seconds` of search at most (None: no limit), `threads` at least 1.

    `lines` are verbs to do first; `started` is when the command was called, as `perf_counter` tells it.
    """

    started: float
    grid: str
    words: WordRequest
    seed: int
    seconds: float | None
    threads: int
    allow_repeats: bool
    lines: tuple[str, ...]
    json: bool
