"""A clue book as a list in memory, to compare with the database."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from xwtui.clues.book import ClueSource, NewClue


class Row(NamedTuple):
    answer: str
    text: str
    date: str
    source: ClueSource


class NaiveBook:
    def __init__(self) -> None:
        self.rows: list[Row] = []

    def keep(self, source: ClueSource, clues: Iterable[NewClue]) -> None:
        """Store the newest date of each answer and text; clues that the source already had keep their date."""
        before = {(row.answer, row.text): row.date for row in self.rows if row.source.name == source.name}
        self.rows = [row for row in self.rows if row.source.name != source.name]
        wanted: dict[tuple[str, str], str] = {}
        for answer, text, date, *_ in clues:
            if text.strip():
                wanted[answer, text.strip()] = max(date, wanted.get((answer, text.strip()), ""))
        self.rows += [Row(*pair, before.get(pair, date), source) for pair, date in wanted.items()]

    def forget(self, name: str) -> int:
        kept = [row for row in self.rows if not f"{row.source.name}/".startswith(f"{name}/")]
        removed = len(self.rows) - len(kept)
        self.rows = kept
        return removed

    def clues_of(self, answer: str) -> list[tuple[str, str, str, int]]:
        return self._told(row for row in self.rows if row.answer == answer)

    def search(self, text: str) -> list[tuple[str, str, str, int]]:
        return self._told(row for row in self.rows if matches(row.text, text))

    def _told(self, rows: Iterable[Row]) -> list[tuple[str, str, str, int]]:
        """Return answer, text, path of the newest source (others before own), and number of sources.

        A source by an author of the user's own puzzles is not counted as someone else's.
        """
        mine = {row.source.author for row in self.rows if row.source.is_own} - {""}
        rows = list(rows)
        whose = {row: 1 if row.source.is_own else 0 if row.source.author in mine else 2 for row in rows}
        grouped: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            grouped.setdefault((row.answer, row.text), []).append(row)
        found = []
        for (answer, text), same in grouped.items():
            same.sort(key=lambda row: row.source.name, reverse=True)
            same.sort(key=lambda row: row.date or row.source.date, reverse=True)
            same.sort(key=lambda row: whose[row], reverse=True)
            first = same[0]
            found.append((first.source.is_own, len(same), first.date or first.source.date, text, answer, first))
        found.sort(key=lambda one: (one[3].encode(), one[4]))
        found.sort(key=lambda one: one[2], reverse=True)
        found.sort(key=lambda one: (not one[0], -one[1]))
        return [(answer, text, first.source.name, times) for _, times, _, text, answer, first in found]


def matches(text: str, sought: str) -> bool:
    """Whether each query phrase occurs in a text as consecutive words; the last word may be a prefix."""
    pieces = [words(piece) for piece in sought.split() if any(map(str.isalnum, piece))]
    if not pieces:
        return bool(sought.strip()) and sought.strip() in text
    *whole, last = pieces
    own = words(text)
    return all(stands(piece, own) for piece in whole) and stands(last, own, is_beginning=True)


def stands(piece: list[str], own: list[str], *, is_beginning: bool = False) -> bool:
    for start in range(len(own) - len(piece) + 1):
        run = own[start : start + len(piece)]
        if run[:-1] == piece[:-1] and (run[-1].startswith(piece[-1]) if is_beginning else run == piece):
            return True
    return False


def words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text)
    return re.findall(r"[^\W_]+", "".join(c for c in plain if not unicodedata.combining(c)).lower())
