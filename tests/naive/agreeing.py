"""Enumerate all consistent choices of one option per entry, by plain backtracking."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TypeAlias, TypeVar

Place = TypeVar("Place")
Made = TypeVar("Made")
Options: TypeAlias = Mapping[str, Sequence[tuple[str, Mapping[Place, Made]]]]
"""The possible answers of each entry, each with the contents it gives its squares."""


class TooManyTriesError(Exception):
    """A case takes too long to enumerate."""


def agreeing(
    options: Options[Place, Made], *, allow_repeats: bool, most_tries: int = 1 << 62
) -> Iterator[tuple[dict[Place, Made], dict[str, str]]]:
    """Yield every choice that is consistent in each square: the squares' contents and the answers.

    The entry with the fewest remaining options comes first. Raises TooManyTriesError after `most_tries` options.
    """
    tries = count()

    def on(
        left: Options[Place, Made], squares: dict[Place, Made], answers: dict[str, str]
    ) -> Iterator[tuple[dict[Place, Made], dict[str, str]]]:
        if not left:
            yield squares, answers
            return
        entry = min(left, key=lambda name: len(left[name]))
        for answer, way in left[entry]:
            if next(tries) > most_tries:
                raise TooManyTriesError
            if allow_repeats or answer not in answers.values():
                now = {**squares, **way}
                others = {name: own for name, own in left.items() if name != entry}
                rest = {name: [one for one in own if _agree(one[1], now)] for name, own in others.items()}
                yield from on(rest, now, {**answers, entry: answer})

    return on(options, {}, {})


def _agree(way: Mapping[Place, Made], squares: Mapping[Place, Made]) -> bool:
    return all(squares.get(at, made) == made for at, made in way.items())
