"""The template library: layouts that ship with xwtui, found by size, words, blocks and room for theme answers.

A template has room for theme answers where entries of their lengths, in squares, are together their own mirror
image: two of one length stand in a pair of mirrored entries, one alone in the middle.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, islice, product
from pathlib import Path
from typing import NamedTuple

from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, Grid, Position, Puzzle, Slot, Symmetry
from xwtui.resources import puzzles_folder

MOST_NEAR = 12
"""Templates that are told where none has all that is wanted."""
DAILY = (15, 15)
"""The size that puzzles of theme answers usually have."""
_UNUSUAL = ("british",)
"""Profiles of templates that would miss what is usual, in names of templates."""
_MOST_WAYS = 300
"""Ways of lengths into entries that are compared, and of each length by itself."""


class OpenRun(NamedTuple):
    """A run of open squares: its line (row of an across one), where it begins there, and its squares."""

    line: int
    start: int
    squares: int

    def is_stacked_on(self, other: OpenRun) -> bool:
        """Whether two stand in neighbouring lines with squares side by side."""
        is_beside = self.start < other.start + other.squares and other.start < self.start + self.squares
        return abs(self.line - other.line) == 1 and is_beside


@dataclass(frozen=True)
class Template:
    """A layout with its name; what it counts up to is reckoned when first asked for."""

    name: str
    grid: Grid

    @property
    def puzzle(self) -> Puzzle:
        """A puzzle to begin with."""
        return Puzzle(self.grid, symmetry=Symmetry.ROTATION_180, profile=self.profile)

    @property
    def profile(self) -> str:
        """The name of the profile that its own name begins with; empty for none, which means that all is usual."""
        return next((name for name in _UNUSUAL if self.name.startswith(name)), "")

    @property
    def blocks(self) -> int:
        """How many blocks it has."""
        return self.grid.block_count

    @cached_property
    def words(self) -> int:
        """How many entries it has."""
        return sum(len(self.runs(direction)) for direction in Direction)

    def runs(self, direction: Direction) -> tuple[OpenRun, ...]:
        """Its entries of a direction, line by line."""
        return self._runs[direction]

    @cached_property
    def _runs(self) -> dict[Direction, tuple[OpenRun, ...]]:
        rows = ["".join("." if square.is_open else "#" for square in row) for row in self.grid.rows()]
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        return {Direction.ACROSS: tuple(_runs_of(rows)), Direction.DOWN: tuple(_runs_of(columns))}

    @cached_property
    def mirrored(self) -> dict[Direction, tuple[tuple[OpenRun, ...], ...]]:
        """For each direction, its runs that are mirror images of each other: pairs, and the middle one alone."""
        height, width = self.grid.height, self.grid.width
        sides = {Direction.ACROSS: (height, width), Direction.DOWN: (width, height)}
        return {direction: tuple(_mirrored(self.runs(direction), *sides[direction])) for direction in Direction}

    def slot(self, run: OpenRun, direction: Direction) -> Slot:
        """The slot that a run is."""
        is_across = direction is Direction.ACROSS
        at = Position(run.line, run.start) if is_across else Position(run.start, run.line)
        slot = self.grid.slot_at(at, direction)
        assert slot is not None
        return slot


def _runs_of(lines: Sequence[str]) -> Iterator[OpenRun]:
    for number, line in enumerate(lines):
        for found in re.finditer(r"\.{2,}", line):
            yield OpenRun(number, found.start(), found.end() - found.start())


def _mirrored(runs: Sequence[OpenRun], lines: int, squares: int) -> Iterator[tuple[OpenRun, ...]]:
    known = frozenset(runs)
    for run in runs:
        image = OpenRun(lines - 1 - run.line, squares - run.start - run.squares, run.squares)
        if image in known and run <= image:
            yield (run, image) if run < image else (run,)


@cache
def template_library() -> tuple[Template, ...]:
    """All templates that ship with xwtui, by name."""
    return tuple(map(_template, sorted((puzzles_folder() / "templates").glob("*.txt"))))


def _template(path: Path) -> Template:
    return Template(path.stem, grid_from_text(path.read_text(encoding="ascii")))


@dataclass(frozen=True)
class TemplateWanted:
    """What a template is to be; what is None or empty does not matter."""

    size: tuple[int, int] | None = None
    """Rows and columns."""
    fewest_words: int | None = None
    most_words: int | None = None
    fewest_blocks: int | None = None
    most_blocks: int | None = None
    across: tuple[int, ...] = ()
    """The squares of theme answers that stand across."""
    down: tuple[int, ...] = ()
    """The squares of those that stand down."""
    in_order: bool = False
    """Whether they stand in this order, from top to bottom (from left to right), rather than in any."""
    names: tuple[str, ...] = ()
    """Parts of its name."""

    @property
    def query(self) -> str:
        """The same as `read_query` reads it."""
        parts = [
            "" if self.size is None else f"{self.size[0]}x{self.size[1]}",
            ",".join(map(str, self.across)),
            f"{','.join(map(str, self.down))}d" if self.down else "",
            *(f"{sign}{number}{what}" for sign, number, what in self._bounds if number is not None),
            *self.names,
        ]
        return " ".join(filter(None, parts))

    @property
    def _bounds(self) -> tuple[tuple[str, int | None, str], ...]:
        return (
            (">=", self.fewest_words, ""),
            ("<=", self.most_words, ""),
            (">=", self.fewest_blocks, "b"),
            ("<=", self.most_blocks, "b"),
        )


_SIZE = re.compile(r"(\d{1,2})[xX×](\d{1,2})")
_LENGTHS = re.compile(r"\d{1,2}[ad]?(?:,\d{1,2}[ad]?)*,?")
_BOUND = re.compile(r"(<=|>=|≤|≥|<|>|=)(\d{1,4})([bBwW]?)")


def read_query(text: str) -> TemplateWanted:
    """What is typed to find templates: `15x15 11,13,11 <78 <=38b british`.

    A size; squares of theme answers across, with a `d` down; bounds of the words, with a `b` of the blocks;
    anything else is part of the name.
    """
    wanted = TemplateWanted()
    for word in text.split():
        if found := _SIZE.fullmatch(word):
            wanted = replace(wanted, size=(int(found[1]), int(found[2])))
        elif _LENGTHS.fullmatch(word.lower()):
            lengths = tuple(map(int, re.findall(r"\d+", word)))
            if "d" in word.lower():
                wanted = replace(wanted, down=(*wanted.down, *lengths))
            else:
                wanted = replace(wanted, across=(*wanted.across, *lengths))
        elif found := _BOUND.fullmatch(word):
            wanted = _bounded(wanted, found[1], int(found[2]), of_blocks=found[3].lower() == "b")
        elif not set(word) <= set("<>=≤≥,"):  # a bound that is not finished yet
            wanted = replace(wanted, names=(*wanted.names, word.lower()))
    return wanted


def is_query_word(text: str) -> bool:
    """Whether a text reads as a size or a bound, and not as a word."""
    return any(form.fullmatch(text) for form in (_SIZE, _BOUND)) or set(text) <= set("<>=≤≥")


def _bounded(wanted: TemplateWanted, sign: str, number: int, *, of_blocks: bool) -> TemplateWanted:
    most = {"<": number - 1, "<=": number, "≤": number, "=": number}.get(sign)
    fewest = {">": number + 1, ">=": number, "≥": number, "=": number}.get(sign)
    if of_blocks:
        return replace(
            wanted,
            fewest_blocks=wanted.fewest_blocks if fewest is None else fewest,
            most_blocks=wanted.most_blocks if most is None else most,
        )
    return replace(
        wanted,
        fewest_words=wanted.fewest_words if fewest is None else fewest,
        most_words=wanted.most_words if most is None else most,
    )


@dataclass(frozen=True)
class TemplateLacks:
    """What a template has not of what is wanted; nothing where it fits."""

    across: tuple[int, ...] = ()
    """Theme answers across, in squares, for which it has no symmetric entry."""
    down: tuple[int, ...] = ()
    order: bool = False
    """Whether it has entries for all, but not in the order asked for."""
    words: int = 0
    """Entries that it has too many; too few where negative."""
    blocks: int = 0
    """Blocks that it has too many; too few where negative."""
    size: int = 0
    """By how many rows and columns it is too large or too small."""

    @property
    def is_of_theme(self) -> bool:
        """Whether theme answers are without an entry."""
        return bool(self.across or self.down or self.order)

    @property
    def measure(self) -> tuple[int, int, int]:
        """How much it is, for comparisons: another size matters most, then answers without an entry."""
        missing = len(self.across) + len(self.down) + self.order
        return self.size, missing, abs(self.words) + abs(self.blocks)


NO_LACKS = TemplateLacks()


@dataclass(frozen=True)
class FoundTemplate:
    """A template with the entries that theme answers of the lengths wanted may have."""

    template: Template
    across: tuple[OpenRun, ...] = ()
    """From top to bottom."""
    down: tuple[OpenRun, ...] = ()
    """From left to right."""
    lacks: TemplateLacks = NO_LACKS

    @property
    def fits(self) -> bool:
        """Whether it has all that is wanted."""
        return self.lacks == NO_LACKS

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots for theme answers, those across first."""
        across = (self.template.slot(run, Direction.ACROSS) for run in self.across)
        return (*across, *(self.template.slot(run, Direction.DOWN) for run in self.down))


def find_templates(wanted: TemplateWanted, library: Sequence[Template] | None = None) -> tuple[FoundTemplate, ...]:
    """The templates that have all that is wanted; where none has, the nearest ones, with what they lack.

    Those come first whose theme entries are not stacked, and then those in which no other entry is as long; where
    theme answers may stand in any size, the daily one is before others.
    """
    templates = template_library() if library is None else library
    named = [one for one in templates if all(part in one.name for part in wanted.names)]
    layouts = [(one, _lacks_of_layout(one, wanted)) for one in named]
    nearest = min((lacks.size for _, lacks in layouts), default=0)
    tried = [(one, _placed(one, wanted), lacks) for one, lacks in layouts if lacks.size == nearest]
    found = [
        _Tried(one, placing, replace(lacks, across=missing.across, down=missing.down, order=missing.order))
        for one, (placing, missing), lacks in tried
    ]
    fitting = [one for one in found if one.lacks == NO_LACKS]
    is_any_size = wanted.size is None and bool(wanted.across or wanted.down)
    chosen = sorted(
        fitting or found,
        key=lambda one: (
            one.lacks.measure,
            _off(one.template, DAILY) if is_any_size else 0,
            one.placing.stacked,
            one.placing.rivals,
        ),
    )[: None if fitting else MOST_NEAR]
    return tuple(FoundTemplate(one.template, one.placing.across, one.placing.down, one.lacks) for one in chosen)


def _lacks_of_layout(template: Template, wanted: TemplateWanted) -> TemplateLacks:
    """What it lacks but for theme answers."""
    return TemplateLacks(
        words=_excess(template.words, wanted.fewest_words, wanted.most_words),
        blocks=_excess(template.blocks, wanted.fewest_blocks, wanted.most_blocks),
        size=_off(template, wanted.size) if wanted.size is not None else 0,
    )


def _off(template: Template, size: tuple[int, int]) -> int:
    """By how many rows and columns a template is of another size."""
    return abs(template.grid.height - size[0]) + abs(template.grid.width - size[1])


def _excess(number: int, fewest: int | None, most: int | None) -> int:
    if most is not None and number > most:
        return number - most
    return number - fewest if fewest is not None and number < fewest else 0


class _Placing(NamedTuple):
    """Runs for theme answers, how many of them are stacked, and how many others are as long."""

    across: tuple[OpenRun, ...]
    down: tuple[OpenRun, ...]
    stacked: int
    rivals: int


class _Tried(NamedTuple):
    template: Template
    placing: _Placing
    lacks: TemplateLacks


def _placed(template: Template, wanted: TemplateWanted) -> tuple[_Placing, TemplateLacks]:
    """The entries for theme answers, and what it lacks of them."""
    directions = {Direction.ACROSS: wanted.across, Direction.DOWN: wanted.down}
    ways = {one: _best_way(template, one, lengths, wanted.in_order) for one, lengths in directions.items()}
    across, down = ways[Direction.ACROSS], ways[Direction.DOWN]
    missing = {one: _missing(lengths, ways[one]) for one, lengths in directions.items()}
    is_ordered = not wanted.in_order or all(
        missing[one] or tuple(run.squares for run in ways[one]) == lengths for one, lengths in directions.items()
    )
    lacks = TemplateLacks(missing[Direction.ACROSS], missing[Direction.DOWN], not is_ordered)
    rivals = sum(_rivals(template, one, ways[one]) for one in directions)
    return _Placing(across, down, _stacked(across) + _stacked(down), rivals), lacks


def _missing(lengths: Sequence[int], placed: Sequence[OpenRun]) -> tuple[int, ...]:
    return tuple(sorted((Counter(lengths) - Counter(run.squares for run in placed)).elements()))


def _stacked(runs: Sequence[OpenRun]) -> int:
    return sum(one.is_stacked_on(other) for one, other in combinations(runs, 2))


def _rivals(template: Template, direction: Direction, placed: Sequence[OpenRun]) -> int:
    """Other entries that are as long as the shortest of these."""
    shortest = min((run.squares for run in placed), default=0)
    return sum(run.squares >= shortest for run in template.runs(direction)) - len(placed) if placed else 0


def _best_way(
    template: Template, direction: Direction, lengths: tuple[int, ...], in_order: bool
) -> tuple[OpenRun, ...]:
    """Symmetric entries for as many of the lengths as there are: in order if that can be, then well apart."""

    def rank(runs: tuple[OpenRun, ...]) -> tuple[bool, int, int]:
        is_out_of_order = in_order and tuple(run.squares for run in runs) != lengths
        gaps = [abs(one.line - other.line) for one, other in combinations(runs, 2)]
        return is_out_of_order, _stacked(runs), -min(gaps, default=0)

    ways = islice(_ways(template, direction, lengths), _MOST_WAYS)
    return min(ways, key=rank, default=())


def _ways(template: Template, direction: Direction, lengths: Sequence[int]) -> Iterator[tuple[OpenRun, ...]]:
    """Every choice of mirrored entries for the lengths, or for as many of them as there are entries."""
    if not lengths:
        return
    choices: list[list[tuple[OpenRun, ...]]] = []
    for length, number in Counter(lengths).items():
        families = [family for family in template.mirrored[direction] if family[0].squares == length]
        own = [family for family in families if len(family) == 2]
        paired = min(number // 2, len(own))
        alone = [family[0] for family in families if len(family) == 1][: number - 2 * paired]
        choices.append(
            [
                (*(run for pair in chosen for run in pair), *alone)
                for chosen in islice(combinations(own, paired), _MOST_WAYS)
            ]
        )
    for way in product(*choices):
        yield tuple(sorted(run for part in way for run in part))
