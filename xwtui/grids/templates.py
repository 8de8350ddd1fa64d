"""Templates: layouts to begin on, found by size, words, blocks and room for theme answers.

A template has room for theme answers where entries of their lengths, in squares, are together their own mirror
image: two of one length stand in a pair of mirrored entries, one alone in the middle.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations, islice, product
from pathlib import Path
from typing import Any

from xwtui.dataclasses import dataclass, replace
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.intake import Intake
from xwtui.formats.ipuz_cells import read_cells
from xwtui.formats.json_document import parse_document
from xwtui.lazy import lazy_pattern
from xwtui.model import Direction, Grid, Ink, Position, Puzzle, Slot, Symmetry
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import squares_taken
from xwtui.model.edits import place_answer, set_alphabet
from xwtui.named_tuples import NamedTuple
from xwtui.resources import puzzles_folder
from xwtui.words.theme_answers import theme_answer


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
        bounds = (
            (">=", self.fewest_words, ""),
            ("<=", self.most_words, ""),
            (">=", self.fewest_blocks, "b"),
            ("<=", self.most_blocks, "b"),
        )
        parts = [
            "" if self.size is None else f"{self.size[0]}x{self.size[1]}",
            ",".join(map(str, self.across)),
            f"{','.join(map(str, self.down))}d" if self.down else "",
            *(f"{sign}{number}{what}" for sign, number, what in bounds if number is not None),
            *self.names,
        ]
        return " ".join(filter(None, parts))


_SIZE = lazy_pattern(r"(\d{1,2})[xX×](\d{1,2})")
_LENGTHS = lazy_pattern(r"\d{1,2}[ad]?(?:,\d{1,2}[ad]?)*,?")
_BOUND = lazy_pattern(r"(<=|>=|≤|≥|<|>|=)(\d{1,4})([bBwW]?)")
_SIGNS = {
    "<=": ("<=", "≤", "at most", "up to", "no more than", "max", "maximum", "or less", "or fewer"),
    ">=": (">=", "≥", "at least", "no less than", "no fewer than", "min", "minimum", "or more"),
    "<": ("<", "less than", "fewer than", "under", "below"),
    ">": (">", "more than", "over", "above"),
    "=": ("=", "exactly"),
}
"""Signs of bounds, and how one says them before or behind the number."""
_SIGN_OF = {said: sign for sign, ways in _SIGNS.items() for said in ways}
_BOUND_IN_WORDS = lazy_pattern(
    rf"(?<!\S)(?:(?P<sign>{'|'.join(_SIGN_OF)}) *|(?:from |between )?(?P<fewest>\d{{1,3}}) ?(?:to|and|[-–]) ?)?"
    r"(?P<number>\d{1,3})(?: (?P<between>or (?:less|fewer|more)))? ?(?P<what>word|block)s?"
    r"(?: (?P<behind>or (?:less|fewer|more)))?(?![^\s,])",
    re.IGNORECASE,
)
"""Bounds as one says them: `70 words`, `at most 38 blocks`, `70 to 74 words`, `70 words or less`."""
_BOUND_AFTER = lazy_pattern(r"(?<!\S)(word|block)s? ?(<=|>=|≤|≥|<|>|=) ?(\d{1,3})(?![^\s,])", re.IGNORECASE)
"""The same as in `words<=70`."""


def with_bounds(text: str) -> str:
    """A text with the bounds that are told in words as signs tell them: `=70w`."""

    def signs(found: re.Match[str]) -> str:
        said, what = found["sign"] or found["between"] or found["behind"] or "=", found["what"][0]
        if found["fewest"]:
            return f">={found['fewest']}{what} <={found['number']}{what}"
        return f"{_SIGN_OF[said.lower()]}{found['number']}{what}"

    return _BOUND_IN_WORDS.sub(signs, _BOUND_AFTER.sub(r"\2\3 \1", text))


def read_query(text: str) -> TemplateWanted:
    """What is typed to find templates: `15x15 11,13,11 <78 <=38b british`.

    A size; squares of theme answers across, with a `d` down; bounds of the words, with a `b` of the blocks, or in
    words; anything else is part of the name.
    """
    wanted = TemplateWanted()
    for word in with_bounds(text).split():
        if found := _SIZE.fullmatch(word):
            wanted = replace(wanted, size=(int(found[1]), int(found[2])))
        elif _LENGTHS.fullmatch(word.lower()):
            lengths = tuple(map(int, re.findall(r"\d+", word)))
            if "d" in word.lower():
                wanted = replace(wanted, down=(*wanted.down, *lengths))
            else:
                wanted = replace(wanted, across=(*wanted.across, *lengths))
        elif found := _BOUND.fullmatch(word):
            sign, number, what = found[1], int(found[2]), "blocks" if found[3].lower() == "b" else "words"
            most = {"<": number - 1, "<=": number, "≤": number, "=": number}.get(sign)
            fewest = {">": number + 1, ">=": number, "≥": number, "=": number}.get(sign)
            told: dict[str, Any] = {f"fewest_{what}": fewest, f"most_{what}": most}
            wanted = replace(wanted, **{name: bound for name, bound in told.items() if bound is not None})
        elif not set(word) <= set("<>=≤≥,"):  # a bound that is not finished yet
            wanted = replace(wanted, names=(*wanted.names, word.lower()))
    return wanted


def is_query_word(text: str) -> bool:
    """Whether a text reads as a size or a bound, and not as a word."""
    return any(form.fullmatch(text) for form in (_SIZE, _BOUND)) or set(text) <= set("<>=≤≥")


def is_filter_word(text: str) -> bool:
    """Whether a text reads as a size, a bound or lengths of theme answers."""
    return is_query_word(text) or _LENGTHS.fullmatch(text.lower()) is not None


MOST_NEAR = 12
"""Templates that are told where none has all that is wanted."""
DAILY = (15, 15)
"""The size that puzzles of theme answers usually have."""
_UNUSUAL = ("british", "barred")
"""Profiles of templates that would miss what is usual, in names of templates."""
OWN_WORD = "mine"
"""What finds the user's own layouts among all."""
_MOST_WAYS = 300
"""Ways of lengths into entries that are compared, and of each length by itself."""


class OpenRun(NamedTuple):
    """A run of open squares: its line (row of an across one), where it begins there, and its squares."""

    line: int
    start: int
    squares: int


@dataclass(frozen=True)
class Template:
    """A layout with its name; what it counts up to is reckoned when first asked for."""

    name: str
    grid: Grid
    symmetry: Symmetry = Symmetry.ROTATION_180
    profile: str = ""
    """The name of the one that it is made under; empty for none, which means that all is usual."""
    origin: str = ""
    """The puzzle that it was taken from."""
    is_own: bool = False
    """Whether it is of the user's own library."""

    @property
    def puzzle(self) -> Puzzle:
        return Puzzle(self.grid, symmetry=self.symmetry, profile=self.profile)

    @property
    def description(self) -> str:
        """What a search by name looks through."""
        own = f" {OWN_WORD} {self.profile} {self.origin.lower()}" if self.is_own else ""
        return f"{self.name}{own}"

    @property
    def blocks(self) -> int:
        return self.grid.block_count

    @property
    def words(self) -> int:
        return sum(map(len, self.runs.values()))

    @cached_property
    def runs(self) -> dict[Direction, tuple[OpenRun, ...]]:
        """Its entries by direction, line by line; the slots of all templates would take two megabytes more."""
        passing = replace(self.grid)
        across, down = (passing.slots_of(direction) for direction in Direction)
        return {
            Direction.ACROSS: tuple(OpenRun(*slot.start, len(slot)) for slot in across),
            Direction.DOWN: tuple(sorted(OpenRun(*slot.start[::-1], len(slot)) for slot in down)),
        }

    @cached_property
    def mirrored(self) -> dict[Direction, tuple[tuple[OpenRun, ...], ...]]:
        """For each direction, its runs that are mirror images of each other: pairs, and the middle ones alone.

        Where the symmetry makes across entries of down ones, and where there is none, each stands alone.
        """
        height, width = self.grid.height, self.grid.width
        rows, columns = _TURNS.get(self.symmetry, (False, False))
        across = _mirrored(self.runs[Direction.ACROSS], height, width, turns_lines=rows, turns_squares=columns)
        down = _mirrored(self.runs[Direction.DOWN], width, height, turns_lines=columns, turns_squares=rows)
        return {Direction.ACROSS: tuple(across), Direction.DOWN: tuple(down)}

    def slot(self, run: OpenRun, direction: Direction) -> Slot:
        is_across = direction is Direction.ACROSS
        at = Position(run.line, run.start) if is_across else Position(run.start, run.line)
        slot = self.grid.slot_at(at, direction)
        assert slot is not None
        return slot


def _mirrored(
    runs: Sequence[OpenRun], lines: int, squares: int, *, turns_lines: bool, turns_squares: bool
) -> Iterator[tuple[OpenRun, ...]]:
    """Runs with their images, where the order of lines is turned, that of squares in a line, or both."""
    known = {run: run for run in runs}
    for run in runs:
        line = lines - 1 - run.line if turns_lines else run.line
        start = squares - run.start - run.squares if turns_squares else run.start
        image = known.get(OpenRun(line, start, run.squares))
        if image is not None and run <= image:
            yield (run, image) if run < image else (run,)


_TURNS: Mapping[Symmetry, tuple[bool, bool]] = {
    Symmetry.ROTATION_180: (True, True),
    Symmetry.ROTATION_90: (True, True),
    Symmetry.LEFT_RIGHT: (False, True),
    Symmetry.UP_DOWN: (True, False),
}
"""Whether a symmetry turns the order of rows, and that of columns; the others are not here."""


@cache
def template_library() -> tuple[Template, ...]:
    """All templates that ship with xwtui, by name."""
    return tuple(
        Template(
            path.stem,
            template_grid(path),
            profile=next((name for name in _UNUSUAL if path.stem.startswith(name)), ""),
        )
        for path in template_files()
    )


def template_files() -> tuple[Path, ...]:
    """Their files, by name: grid text, and ipuz for those with bars."""
    folder = puzzles_folder() / "templates"
    return tuple(sorted((*folder.glob("*.txt"), *folder.glob("*.ipuz")), key=lambda path: path.stem))


def template_grid(path: Path) -> Grid:
    """The grid in a template's file; of ipuz nothing but the squares and bars is read, which takes a moment."""
    if path.suffix == ".txt":
        return grid_from_text(path.read_text(encoding="ascii"))
    return read_cells(parse_document(path.read_bytes()), Intake()).grid


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
        return self.lacks == NO_LACKS

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots for theme answers, those across first."""
        across = (self.template.slot(run, Direction.ACROSS) for run in self.across)
        return (*across, *(self.template.slot(run, Direction.DOWN) for run in self.down))


def find_templates(wanted: TemplateWanted, library: Sequence[Template] | None = None) -> tuple[FoundTemplate, ...]:
    """The templates that have all that is wanted; where none has, the nearest ones, with what they lack.

    Those come first whose theme entries are not stacked, and then those in which no other entry is as long; where
    theme answers may stand in any size, the daily one is before others, and grids with bars are behind others.
    """
    templates = template_library() if library is None else library
    named = [one for one in templates if all(part in one.description for part in wanted.names)]
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
            bool(one.template.grid.bars),
            _off(one.template, DAILY) if is_any_size else 0,
            one.placing.stacked,
            one.placing.rivals,
        ),
    )[: None if fitting else MOST_NEAR]
    return tuple(FoundTemplate(one.template, one.placing.across, one.placing.down, one.lacks) for one in chosen)


def _lacks_of_layout(template: Template, wanted: TemplateWanted) -> TemplateLacks:
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


_NONE_PLACED = _Placing((), (), 0, 0)


class _Tried(NamedTuple):
    template: Template
    placing: _Placing
    lacks: TemplateLacks


def _placed(template: Template, wanted: TemplateWanted) -> tuple[_Placing, TemplateLacks]:
    """The entries for theme answers, and what it lacks of them."""
    if not wanted.across and not wanted.down:
        return _NONE_PLACED, NO_LACKS
    directions = {Direction.ACROSS: wanted.across, Direction.DOWN: wanted.down}
    ways = {one: _best_way(template, one, lengths, wanted.in_order) for one, lengths in directions.items()}
    across, down = ways[Direction.ACROSS], ways[Direction.DOWN]
    missing = {
        one: tuple(sorted((Counter(lengths) - Counter(run.squares for run in ways[one])).elements()))
        for one, lengths in directions.items()
    }
    is_ordered = not wanted.in_order or all(
        missing[one] or tuple(run.squares for run in ways[one]) == lengths for one, lengths in directions.items()
    )
    lacks = TemplateLacks(missing[Direction.ACROSS], missing[Direction.DOWN], not is_ordered)
    rivals = sum(_rivals(template, one, ways[one]) for one in directions)
    return _Placing(across, down, _stacked(across) + _stacked(down), rivals), lacks


def _stacked(runs: Sequence[OpenRun]) -> int:
    """How many of them stand in neighbouring lines with squares side by side."""
    return sum(
        abs(one.line - other.line) == 1
        and one.start < other.start + other.squares
        and other.start < one.start + one.squares
        for one, other in combinations(runs, 2)
    )


def _rivals(template: Template, direction: Direction, placed: Sequence[OpenRun]) -> int:
    """Other entries that are as long as the shortest of these."""
    shortest = min((run.squares for run in placed), default=0)
    return sum(run.squares >= shortest for run in template.runs[direction]) - len(placed) if placed else 0


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


_BETWEEN = lazy_pattern(r"[,;\n]")
_APART = lazy_pattern(r"(?<=[<>=≤≥])\s+(?=\d)")
"""Between the sign of a bound and its number."""


class TypedTheme(NamedTuple):
    """Theme answers, and what the template is to be that takes them."""

    answers: tuple[str, ...]
    wanted: TemplateWanted


def read_theme(text: str, alphabet: Alphabet) -> TypedTheme:
    """Read answers with commas, semicolons or line breaks between them: `heart to heart, LO[CAT]ION 15x15 <78`.

    They are spelled in an alphabet. A word that reads as a size or a bound belongs to none of them, wherever it
    stands. Raises WordListError for an answer that cannot be read.
    """
    parts = [part.split() for part in _BETWEEN.split(_APART.sub("", text))]
    typed = [" ".join(word for word in words if not is_query_word(word)) for words in parts]
    answers = tuple(theme_answer(answer, alphabet) for answer in typed if answer)
    wanted = read_query(" ".join(word for words in parts for word in words if is_query_word(word)))
    return TypedTheme(answers, replace(wanted, across=tuple(map(squares_taken, answers))))


def themed_puzzle(found: FoundTemplate, answers: tuple[str, ...], alphabet: Alphabet) -> Puzzle:
    """A template's puzzle with theme answers locked in the entries found for them, from top to bottom.

    Those for which it has no entry are left out. The puzzle is in the alphabet of the answers.
    """
    waiting: defaultdict[int, deque[str]] = defaultdict(deque)
    for answer in answers:
        waiting[squares_taken(answer)].append(answer)
    puzzle = set_alphabet(found.template.puzzle, alphabet)
    for slot in found.slots:
        if waiting[len(slot)]:
            puzzle = place_answer(puzzle, slot, waiting[len(slot)].popleft(), Ink.LOCKED)
    return puzzle
