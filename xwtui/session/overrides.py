"""What stands above a puzzle for as long as a session lasts, and is not written into it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Overrides:
    """Words and figures for one call of the program; what is empty or None is left to the puzzle.

    Lists are sought from the current folder. A session that does not look ahead counts nothing by itself, and
    loads of the engine only what is asked for.
    """

    lists: tuple[str, ...] = ()
    minimum_score: int | None = None
    allow_repeats: bool = False
    looks_ahead: bool = True


NO_OVERRIDES = Overrides()
