"""The fill problem and its fills as a constructor would state them, independent of the program.

A problem is a grid as text, words with scores, and further requirements. Entries, names and fills are found
naively, from the documentation alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from tests.naive.agreeing import agreeing

Square = tuple[int, int]
"""Row and column, from 0."""
Key = tuple[Square, str]
"""Start of a light, and `A` or `D`."""

EMPTY, BLOCK = ".", "#"
DEFAULT_SCORE = 50
"""Score of a wanted word that is not listed."""


def square_name(at: Square) -> str:
    """Return a square's name as the program writes it: `r1c1`."""
    return f"r{at[0] + 1}c{at[1] + 1}"


def square_of(name: str) -> Square:
    row, column = re.fullmatch(r"r(\d+)c(\d+)", name).groups()  # type: ignore[union-attr]
    return int(row) - 1, int(column) - 1


def reading(content: str, way: str) -> str:
    """Return what a square such as `A`, `[AB]` or `[A/BC]` reads across or down."""
    parts = content.strip("[]").split("/")
    return parts[0] if way == "A" else parts[-1]


@dataclass(frozen=True)
class EntryRule:
    """Requirements on one entry's answer."""

    minimum: int | None = None
    match: str = ""
    lacks: str = ""

    def allows(self, word: str) -> bool:
        """Whether a word meets them, ignoring scores."""
        fits = not self.match or re.fullmatch(self.match, word) is not None
        return fits and not (self.lacks and self.lacks in word)


@dataclass(frozen=True)
class Entry:
    """The place of one answer: the squares that it reads, each with its direction."""

    name: str
    path: tuple[tuple[Square, str], ...]
    lights: tuple[Key, ...]

    @property
    def key(self) -> Key:
        """Its start."""
        return self.lights[0]

    @property
    def squares(self) -> tuple[Square, ...]:
        return tuple(dict.fromkeys(at for at, _ in self.path))

    def read(self, squares: Mapping[Square, str]) -> str:
        """Return its answer in these squares."""
        return "".join(reading(squares[at], way) for at, way in self.path)


@dataclass(frozen=True)
class Fill:
    """Contents of all squares in entries, and the answers."""

    squares: Mapping[Square, str]
    answers: Mapping[str, str]


@dataclass(frozen=True)
class Problem:
    """A grid to fill, with its requirements."""

    rows: tuple[tuple[str, ...], ...]
    """A text per square: `.`, `#`, `A`, `[AB]`."""
    words: Mapping[str, int]
    bars: frozenset[tuple[Square, str]] = frozenset()
    """Bars, each as a square and its side: `right` or `below`."""
    links: tuple[tuple[Key, ...], ...] = ()
    pencil: frozenset[Square] = frozenset()
    """Squares whose content a fill may replace."""
    locked: frozenset[Square] = frozenset()
    minimum: int = 0
    banned: frozenset[str] = frozenset()
    entry_rules: Mapping[Key, EntryRule] = field(default_factory=dict)
    square_rules: Mapping[Square, tuple[str, ...]] = field(default_factory=dict)
    most: tuple[str, int] | None = None
    """A letter limit for every answer."""
    wanted: tuple[str, ...] = ()
    wanted_least: int = 0
    shared: int = 0
    """No two answers share a run of this many letters."""
    group: frozenset[str] = frozenset()
    """Words of one stem, at most one of which may occur."""
    allow_repeats: bool = False
    symmetry: str = "none"
    always_allowed: Mapping[Key, str] = field(default_factory=dict)
    """For each entry, a word allowed despite scores and bans."""

    def cell(self, at: Square) -> str:
        """Return the text of a square; a block beyond the edge."""
        row, column = at
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0])
        return self.rows[row][column] if inside else BLOCK

    @property
    def all_squares(self) -> list[Square]:
        """All squares, row by row."""
        return [(row, column) for row in range(len(self.rows)) for column in range(len(self.rows[0]))]

    def given(self, at: Square) -> str | None:
        """Return the content that every fill keeps at a square, if any."""
        cell = self.cell(at)
        return None if cell in (EMPTY, BLOCK) or at in self.pencil else cell

    def with_cells(self, cells: Mapping[Square, str]) -> "Problem":
        """Return the problem with other squares, in pen if they have content."""
        rows = tuple(
            tuple(cells.get((row, column), cell) for column, cell in enumerate(line))
            for row, line in enumerate(self.rows)
        )
        return replace(self, rows=rows, pencil=self.pencil.difference(cells), locked=self.locked.difference(cells))

    # ---- entries

    def _goes_on(self, at: Square, way: str) -> Square | None:
        """Return the next square of a run, unless it ends here."""
        after = (at[0], at[1] + 1) if way == "A" else (at[0] + 1, at[1])
        is_parted = (at, "right" if way == "A" else "below") in self.bars
        return None if is_parted or BLOCK in (self.cell(at), self.cell(after)) else after

    @cached_property
    def lights(self) -> dict[Key, tuple[str, tuple[Square, ...]]]:
        """Name and squares of each run of two or more squares."""
        runs: dict[Key, tuple[Square, ...]] = {}
        for way, back in (("A", (0, -1)), ("D", (-1, 0))):
            for at in self.all_squares:
                before = (at[0] + back[0], at[1] + back[1])
                if self.cell(at) != BLOCK and self._goes_on(before, way) != at:
                    run, here = [at], at
                    while (here_next := self._goes_on(here, way)) is not None:
                        here = here_next
                        run.append(here)
                    if len(run) > 1:
                        runs[at, way] = tuple(run)
        numbers = {at: number for number, at in enumerate(sorted({at for at, _ in runs}), start=1)}
        return {key: (f"{numbers[key[0]]}{key[1]}", run) for key, run in runs.items()}

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries; linked lights are named by the first."""
        lights = self.lights
        linked = [link for link in self.links if all(key in lights for key in link)]
        later = {key for link in linked for key in link[1:]}
        parts = {link[0]: link for link in linked}
        made = []
        for key in lights:
            if key not in later:
                keys = parts.get(key, (key,))
                path = tuple((at, one[1]) for one in keys for at in lights[one][1])
                made.append(Entry(lights[key][0], path, keys))
        return tuple(made)

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        return {entry.name: entry for entry in self.entries}

    def is_whole(self, entry: Entry) -> bool:
        """Whether every square is given: then its answer is allowed, listed or not, and no rule applies."""
        return all(self.given(at) is not None for at in entry.squares)

    # ---- words

    def score(self, word: str) -> int | None:
        """Return the score of a word; an unlisted wanted word has the default score."""
        return self.words.get(word, DEFAULT_SCORE if word in self.wanted else None)

    def allowed(self, entry: Entry) -> list[str]:
        """Return the words that an entry may take, regardless of its squares."""
        rule = self.entry_rules.get(entry.key, EntryRule())
        lowest = self.minimum if rule.minimum is None else rule.minimum
        words = {word for word, score in self.words.items() if score >= lowest} - self.banned
        wanted = set(self.wanted) - self.banned
        words |= {word for word in wanted if (self.score(word) or 0) >= (rule.minimum or 0)}
        words |= {self.always_allowed[entry.key]} if entry.key in self.always_allowed else set()
        if self.most is not None:
            letter, most = self.most
            words = {word for word in words if word.count(letter) <= most}
        return sorted(word for word in words if rule.allows(word))

    def ways(self, entry: Entry, word: str) -> Iterator[dict[Square, str]]:
        """Yield every way to put a word in an entry's squares."""
        given = {at: content for at in entry.squares if (content := self.given(at)) is not None}

        def on(index: int, rest: str, placed: dict[Square, str]) -> Iterator[dict[Square, str]]:
            if index == len(entry.path):
                if not rest:
                    yield placed
                return
            at, way = entry.path[index]
            if at in placed:
                options: tuple[str, ...] = (placed[at],)
            elif at in self.square_rules:
                options = self.square_rules[at]
            else:
                options = tuple(rest[:1])
            for content in options:
                if rest.startswith(reading(content, way)):
                    yield from on(index + 1, rest[len(reading(content, way)) :], {**placed, at: content})

        yield from on(0, word, given)

    def options(self, entry: Entry) -> list[tuple[str, dict[Square, str]]]:
        """Return each answer of an entry with each way to enter it."""
        if self.is_whole(entry):
            kept = {at: self.given(at) or "" for at in entry.squares}
            return [(entry.read(kept), kept)]
        return [(word, way) for word in self.allowed(entry) for way in self.ways(entry, word)]

    # ---- fills

    def fills(self, most_tries: int = 1 << 62, only: tuple[str, ...] | None = None) -> Iterator[Fill]:
        """Yield all fills, of only some entries if they are named.

        Raises TooManyTriesError after `most_tries` words.
        """
        named = [entry for entry in self.entries if only is None or entry.name in only]
        options = {entry.name: self.options(entry) for entry in named}
        for squares, answers in agreeing(options, allow_repeats=self.allow_repeats, most_tries=most_tries):
            if self._obeys(answers, is_all=only is None):
                yield Fill(squares, answers)

    def is_fillable(self, only: tuple[str, ...] | None = None) -> bool:
        """Whether there is a fill, of only some entries if they are named."""
        return any(True for _ in self.fills(only=only))

    def _obeys(self, answers: Mapping[str, str], *, is_all: bool) -> bool:
        """Whether answers meet the requirements on all of them together."""
        if is_all and len(set(self.wanted) & set(answers.values())) < self.wanted_least:
            return False
        for one, other in combinations(answers, 2):
            if self.is_whole(self.by_name[one]) and self.is_whole(self.by_name[other]):
                continue
            first, second = answers[one], answers[other]
            if first == second and self.wanted_least and first in self.wanted:
                return False
            if self.shared and any(run in second for run in runs(first, self.shared)):
                return False
            if self.group and (first == second or {first, second} <= self.group):
                return False
        return True

    # ---- figures of a fill

    def scores(self, fill: Fill) -> list[int]:
        """Return the scores of a fill's answers, except entries given whole."""
        return [self.score(fill.answers[entry.name]) or 0 for entry in self.entries if not self.is_whole(entry)]

    def changed(self, fill: Fill) -> int:
        """Return how many penciled squares a fill replaces."""
        return sum(fill.squares.get(at, self.cell(at)) != self.cell(at) for at in self.pencil)

    # ---- input for the program

    @property
    def grid_text(self) -> str:
        """Return the grid in the program's format."""
        return "\n".join("".join(line) for line in self.rows) + "\n"

    @property
    def words_text(self) -> str:
        """Return the words in the program's format."""
        return "".join(f"{word};{score}\n" for word, score in self.words.items())

    def name_of(self, key: Key) -> str:
        return self.lights[key][0]

    @property
    def lines(self) -> list[str]:
        """Return verb lines for what grid and words do not express."""
        told = ["symmetry none"]
        told += [f"bar {square_name(at)} {side}" for at, side in sorted(self.bars)]
        told += [f"symmetry {self.symmetry}"] if self.symmetry != "none" else []
        told += [f"link {' '.join(map(self.name_of, link))}" for link in self.links]
        told += [f"pencil {square_name(at)}" for at in sorted(self.pencil)]
        told += [f"lock {square_name(at)}" for at in sorted(self.locked)]
        for at, contents in sorted(self.square_rules.items()):
            told.append(f"may {square_name(at)} {' '.join(one.strip('[]') for one in contents)}")
        for key, rule in self.entry_rules.items():
            asked = [f"--min {rule.minimum}"] if rule.minimum is not None else []
            asked += [f"--match {rule.match}"] if rule.match else []
            asked += [f"--lacks {rule.lacks}"] if rule.lacks else []
            told.append(f"rule {' '.join(asked)} {self.name_of(key)}")
        told += [f"rule --most {self.most[0]} {self.most[1]}"] if self.most else []
        told += [f"ban {' '.join(sorted(self.banned))}"] if self.banned else []
        told += [f"want {' '.join(self.wanted)} --least {self.wanted_least}"] if self.wanted else []
        told += [f"distinct --substring {self.shared}"] if self.shared else []
        told += [f'distinct --group "{" ".join(sorted(self.group))}"'] if self.group else []
        return told

    @property
    def arguments(self) -> list[str]:
        """Return the command-line arguments after the grid, except the words."""
        told = ["--min-score", str(self.minimum), *(["--allow-repeats"] if self.allow_repeats else [])]
        return told + [part for line in self.lines for part in ("--do", line)]


def runs(word: str, length: int) -> list[str]:
    """Return all runs of `length` letters of a word."""
    return [word[start : start + length] for start in range(len(word) - length + 1)]
