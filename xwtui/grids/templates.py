"""Templates: layouts to start from, found by size, words, blocks and room for theme answers.

A template has room for theme answers if entries of their lengths, in squares, form a symmetric set: two answers of
one length go in a pair of mirrored entries, a single one goes in a central entry.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations, islice, product
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.intake import Intake
from xwtui.formats.ipuz_cells import read_cells
from xwtui.formats.json_document import parse_document
from xwtui.lazy import lazy_pattern
from xwtui.memory import kept_while_used
from xwtui.model import Direction, Grid, Ink, Position, Puzzle, Slot, Symmetry
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import square_count
from xwtui.model.edits import place_answer, set_alphabet
from xwtui.resources import puzzles_folder
from xwtui.words.theme_answers import theme_answer


@dataclass(frozen=True)
class TemplateWanted:
    """Requirements for a template; None or empty means no requirement."""

    size: tuple[int, int] | None = None
    """Rows and columns."""
    fewest_words: int | None = None
    most_words: int | None = None
    fewest_blocks: int | None = None
    most_blocks: int | None = None
    across: tuple[int, ...] = ()
    """Lengths, in squares, of across theme answers."""
    down: tuple[int, ...] = ()
    """Lengths, in squares, of down theme answers."""
    in_order: bool = False
    """Whether they must appear in this order from top to bottom (left to right)."""
    names: tuple[str, ...] = ()
    """Substrings of its name."""

    @property
    def query(self) -> str:
        """The query text from which `read_query` rebuilds these requirements."""
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
"""Signs of bounds, with the phrases for them before or after the number."""
_SIGN_OF = {said: sign for sign, ways in _SIGNS.items() for said in ways}
_BOUND_IN_WORDS = lazy_pattern(
    rf"(?<!\S)(?:(?P<sign>{'|'.join(_SIGN_OF)}) *|(?:from |between )?(?P<fewest>\d{{1,3}}) ?(?:to|and|[-–]) ?)?"
    r"(?P<number>\d{1,3})(?: (?P<between>or (?:less|fewer|more)))? ?(?P<what>word|block)s?"
    r"(?: (?P<behind>or (?:less|fewer|more)))?(?![^\s,])",
    re.IGNORECASE,
)
"""Matches bounds in words: `70 words`, `at most 38 blocks`, `70 to 74 words`, `70 words or less`."""
_BOUND_AFTER = lazy_pattern(r"(?<!\S)(word|block)s? ?(<=|>=|≤|≥|<|>|=) ?(\d{1,3})(?![^\s,])", re.IGNORECASE)
"""Matches the form `words<=70`."""


def with_bounds(text: str) -> str:
    """Return a text with bounds in words converted to signs: `=70w`."""

    def signs(found: re.Match[str]) -> str:
        said, what = found["sign"] or found["between"] or found["behind"] or "=", found["what"][0]
        if found["fewest"]:
            return f">={found['fewest']}{what} <={found['number']}{what}"
        return f"{_SIGN_OF[said.lower()]}{found['number']}{what}"

    return _BOUND_IN_WORDS.sub(signs, _BOUND_AFTER.sub(r"\2\3 \1", text))


def read_query(text: str) -> TemplateWanted:
    """Parse a template query: `15x15 11,13,11 <78 <=38b british`.

    Its parts are a size, lengths of across theme answers (down with a `d`), and bounds on words (on blocks with a
    `b`), also in words. Anything else is part of the name.
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
        elif not set(word) <= set("<>=≤≥,"):  # ignore an unfinished bound
            wanted = replace(wanted, names=(*wanted.names, word.lower()))
    return wanted


def is_query_word(text: str) -> bool:
    """Whether a text is a size or a bound, rather than a word."""
    return any(form.fullmatch(text) for form in (_SIZE, _BOUND)) or set(text) <= set("<>=≤≥")


def is_filter_word(text: str) -> bool:
    """Whether a text is a size, a bound or a list of theme answer lengths."""
    return is_query_word(text) or _LENGTHS.fullmatch(text.lower()) is not None


MOST_NEAR = 12
"""Maximum number of templates to return if none meets all requirements."""
DAILY = (15, 15)
"""The usual size of themed puzzles."""
_UNUSUAL = ("british", "barred")
"""Name prefixes of templates that belong to a special profile."""
OWN_WORD = "mine"
"""The query word for the user's own layouts."""
_MOST_WAYS = 300
"""Maximum number of combinations of entries compared, in total and for each length."""


class OpenRun(NamedTuple):
    """A run of open squares: its line (the row for across), its start within the line, and its length."""

    line: int
    start: int
    squares: int


@dataclass(frozen=True)
class Template:
    """A named layout; its figures are computed on first use."""

    name: str
    grid: Grid
    symmetry: Symmetry = Symmetry.ROTATION_180
    profile: str = ""
    """The profile that it was made under; empty for the default."""
    origin: str = ""
    """The puzzle that it was taken from."""
    is_own: bool = False
    """Whether it belongs to the user's library."""

    @property
    def puzzle(self) -> Puzzle:
        return Puzzle(self.grid, symmetry=self.symmetry, profile=self.profile)

    @property
    def description(self) -> str:
        """The text that name searches match against."""
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
        """Its entries by direction, line by line. The grid keeps no slots: all templates would take 2 MB more."""
        passing = replace(self.grid)
        return {
            way: tuple(sorted(OpenRun(*slot.start.along(way), len(slot)) for slot in passing.slots_of(way)))
            for way in Direction
        }

    @cached_property
    def mirrored(self) -> dict[Direction, tuple[tuple[OpenRun, ...], ...]]:
        """For each direction, the orbits of its runs: mirrored pairs and single central runs.

        Every run is single if the symmetry maps across entries to down entries, or if there is none.
        """
        height, width = self.grid.height, self.grid.width
        rows, columns = _TURNS.get(self.symmetry, (False, False))
        across = _mirrored(self.runs[Direction.ACROSS], height, width, turns_lines=rows, turns_squares=columns)
        down = _mirrored(self.runs[Direction.DOWN], width, height, turns_lines=columns, turns_squares=rows)
        return {Direction.ACROSS: tuple(across), Direction.DOWN: tuple(down)}

    def slot(self, run: OpenRun, direction: Direction) -> Slot:
        slot = self.grid.slot_at(Position(run.line, run.start).along(direction), direction)
        assert slot is not None
        return slot


def _mirrored(
    runs: Sequence[OpenRun], lines: int, squares: int, *, turns_lines: bool, turns_squares: bool
) -> Iterator[tuple[OpenRun, ...]]:
    """Yield runs with their images when the order of lines, of squares within a line, or both are reversed."""
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
"""Whether a symmetry reverses the order of rows and of columns; absent symmetries do not map rows to rows."""


@kept_while_used
@cache
def template_library() -> tuple[Template, ...]:
    """Return all shipped templates by name."""
    return tuple(
        Template(
            path.stem,
            template_grid(path),
            profile=next((name for name in _UNUSUAL if path.stem.startswith(name)), ""),
        )
        for path in template_files()
    )


def template_files() -> tuple[Path, ...]:
    """Return the template files by name: grid text, or ipuz for those with bars."""
    folder = puzzles_folder() / "templates"
    return tuple(sorted((*folder.glob("*.txt"), *folder.glob("*.ipuz")), key=lambda path: path.stem))


def template_grid(path: Path) -> Grid:
    """Return the grid in a template's file; of ipuz, only squares and bars are read, for speed."""
    if path.suffix == ".txt":
        return grid_from_text(path.read_text(encoding="ascii"))
    return read_cells(parse_document(path.read_bytes()), Intake()).grid


@dataclass(frozen=True)
class TemplateLacks:
    """The requirements that a template does not meet; the default value means that it fits."""

    across: tuple[int, ...] = ()
    """Lengths of across theme answers without a symmetric entry."""
    down: tuple[int, ...] = ()
    order: bool = False
    """Whether it has entries for all answers, but not in the requested order."""
    words: int = 0
    """Number of entries too many; negative if too few."""
    blocks: int = 0
    """Number of blocks too many; negative if too few."""
    size: int = 0
    """Total difference in rows and columns."""

    @property
    def is_of_theme(self) -> bool:
        return bool(self.across or self.down or self.order)

    @property
    def measure(self) -> tuple[int, int, int]:
        """Sort key for closeness: size first, then missing entries."""
        missing = len(self.across) + len(self.down) + self.order
        return self.size, missing, abs(self.words) + abs(self.blocks)


NO_LACKS = TemplateLacks()


@dataclass(frozen=True)
class FoundTemplate:
    """A template with the entries for theme answers of the requested lengths."""

    template: Template
    across: tuple[OpenRun, ...] = ()
    """From top to bottom."""
    down: tuple[OpenRun, ...] = ()
    """From left to right."""
    lacks: TemplateLacks = NO_LACKS
    stacked: int = 0
    """Number of pairs of these entries in adjacent lines that overlap."""
    rivals: int = 0
    """Number of other entries as long as these."""

    @property
    def fits(self) -> bool:
        return self.lacks == NO_LACKS

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots for theme answers, across first."""
        across = (self.template.slot(run, Direction.ACROSS) for run in self.across)
        return (*across, *(self.template.slot(run, Direction.DOWN) for run in self.down))


def find_templates(wanted: TemplateWanted, library: Sequence[Template] | None = None) -> tuple[FoundTemplate, ...]:
    """Return the templates that meet all requirements; if none does, the nearest ones and what they lack.

    Templates without stacked theme entries come first, then those without other entries of that length. If theme
    answers are given without a size, the daily size precedes others. Grids with bars come last.
    """
    templates = template_library() if library is None else library
    named = [one for one in templates if all(part in one.description for part in wanted.names)]
    layouts = [(one, _lacks_of_layout(one, wanted)) for one in named]
    nearest = min((lacks.size for _, lacks in layouts), default=0)
    found = [_placed(one, wanted, lacks) for one, lacks in layouts if lacks.size == nearest]
    fitting = [one for one in found if one.fits]
    is_any_size = wanted.size is None and bool(wanted.across or wanted.down)
    chosen = sorted(
        fitting or found,
        key=lambda one: (
            one.lacks.measure,
            bool(one.template.grid.bars),
            _off(one.template, DAILY) if is_any_size else 0,
            one.stacked,
            one.rivals,
        ),
    )
    return tuple(chosen[: None if fitting else MOST_NEAR])


def _lacks_of_layout(template: Template, wanted: TemplateWanted) -> TemplateLacks:
    return TemplateLacks(
        words=_excess(template.words, wanted.fewest_words, wanted.most_words),
        blocks=_excess(template.blocks, wanted.fewest_blocks, wanted.most_blocks),
        size=_off(template, wanted.size) if wanted.size is not None else 0,
    )


def _off(template: Template, size: tuple[int, int]) -> int:
    """Return the total difference in rows and columns from a size."""
    return abs(template.grid.height - size[0]) + abs(template.grid.width - size[1])


def _excess(number: int, fewest: int | None, most: int | None) -> int:
    if most is not None and number > most:
        return number - most
    return number - fewest if fewest is not None and number < fewest else 0


def _placed(template: Template, wanted: TemplateWanted, lacks: TemplateLacks) -> FoundTemplate:
    """Return a template with the entries for theme answers; `lacks` is what its layout lacks."""
    if not wanted.across and not wanted.down:
        return FoundTemplate(template, lacks=lacks)
    directions = {Direction.ACROSS: wanted.across, Direction.DOWN: wanted.down}
    ways = {one: _best_way(template, one, lengths, wanted.in_order) for one, lengths in directions.items()}
    across, down = ways.values()
    missing = {
        one: tuple(sorted((Counter(lengths) - Counter(run.squares for run in ways[one])).elements()))
        for one, lengths in directions.items()
    }
    is_ordered = not wanted.in_order or all(
        missing[one] or tuple(run.squares for run in ways[one]) == lengths for one, lengths in directions.items()
    )
    lacks = replace(lacks, across=missing[Direction.ACROSS], down=missing[Direction.DOWN], order=not is_ordered)
    rivals = sum(_rivals(template, one, ways[one]) for one in directions)
    return FoundTemplate(template, across, down, lacks, _stacked(across) + _stacked(down), rivals)


def _stacked(runs: Sequence[OpenRun]) -> int:
    """Count pairs of runs in adjacent lines that overlap."""
    return sum(
        abs(one.line - other.line) == 1
        and one.start < other.start + other.squares
        and other.start < one.start + one.squares
        for one, other in combinations(runs, 2)
    )


def _rivals(template: Template, direction: Direction, placed: Sequence[OpenRun]) -> int:
    """Count the other entries at least as long as the shortest of these."""
    shortest = min((run.squares for run in placed), default=0)
    return sum(run.squares >= shortest for run in template.runs[direction]) - len(placed) if placed else 0


def _best_way(
    template: Template, direction: Direction, lengths: tuple[int, ...], in_order: bool
) -> tuple[OpenRun, ...]:
    """Return symmetric entries for as many lengths as possible, preferably in order and then far apart."""

    def rank(runs: tuple[OpenRun, ...]) -> tuple[bool, int, int]:
        is_out_of_order = in_order and tuple(run.squares for run in runs) != lengths
        gaps = [abs(one.line - other.line) for one, other in combinations(runs, 2)]
        return is_out_of_order, _stacked(runs), -min(gaps, default=0)

    ways = islice(_ways(template, direction, lengths), _MOST_WAYS)
    return min(ways, key=rank, default=())


def _ways(template: Template, direction: Direction, lengths: Sequence[int]) -> Iterator[tuple[OpenRun, ...]]:
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
"""Matches a space between the sign of a bound and its number."""


class TypedTheme(NamedTuple):
    """Theme answers, and the requirements for their template."""

    answers: tuple[str, ...]
    wanted: TemplateWanted


def read_theme(text: str, alphabet: Alphabet) -> TypedTheme:
    """Parse answers separated by commas, semicolons or line breaks: `heart to heart, LO[CAT]ION 15x15 <78`.

    Answers are spelled in `alphabet`. A word that is a size or a bound is never part of an answer. Raises
    WordListError for an invalid answer.
    """
    parts = [part.split() for part in _BETWEEN.split(_APART.sub("", text))]
    typed = [" ".join(word for word in words if not is_query_word(word)) for words in parts]
    answers = tuple(theme_answer(answer, alphabet) for answer in typed if answer)
    wanted = read_query(" ".join(word for words in parts for word in words if is_query_word(word)))
    return TypedTheme(answers, replace(wanted, across=tuple(map(square_count, answers))))


def themed_puzzle(found: FoundTemplate, answers: tuple[str, ...], alphabet: Alphabet) -> Puzzle:
    """Return a template's puzzle with theme answers locked in their entries, from top to bottom.

    Answers without an entry are omitted. The puzzle uses the answers' alphabet.
    """
    waiting: defaultdict[int, deque[str]] = defaultdict(deque)
    for answer in answers:
        waiting[square_count(answer)].append(answer)
    puzzle = set_alphabet(found.template.puzzle, alphabet)
    for slot in found.slots:
        if waiting[len(slot)]:
            puzzle = place_answer(puzzle, slot, waiting[len(slot)].popleft(), Ink.LOCKED)
    return puzzle
