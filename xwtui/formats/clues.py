"""Clues in files: matching other programs' clues and links to entries, and writing ours.

A puzzle as read from another program's file (`RawPuzzle`) is converted here, noting what the model cannot hold.

A clue of another program is matched by its squares, else by its number, else by its order. Linked entries have
their clue at the first light, headed `1,5D`, and the others say `See 1`. Formats without a field for that have it
before the clue's text, `1,5D: Flying nanny (4,7)`. Headings are in the language of the puzzle's alphabet.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import Losses, check_clue_count, name_places
from xwtui.formats.grid_text import found_symmetry
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.ipuz_extensions import UNPLACED
from xwtui.formats.plain_text import clean_line, from_html, markup_from_html
from xwtui.lazy import lazy_pattern
from xwtui.model import BLOCK, VOID, Bar, Direction, Grid, Position, Puzzle, Slot, SlotKey, Square
from xwtui.model.clues import EntryClues, WholeClue, pointer, unsettled
from xwtui.model.grid import check_size
from xwtui.model.markup import TextRun, normal, parse, plain_text, printed_runs
from xwtui.model.where import all_positions

HEADERS = "net.xwtui:xd-headers"
"""The key in `Puzzle.foreign` of other programs' headers that xwtui does not know."""

_LEADING = lazy_pattern(r"\d{1,4}")
"""Matches the number of the first of several entries, as in `2-3` and `12, 14`."""


class FoundClue(NamedTuple):
    """A clue as a file has it: its list, its number if any, its text, and its squares if given."""

    direction: Direction
    number: str | None
    text: str
    squares: Sequence[Position] = ()

    @property
    def name(self) -> str:
        """The clue's name such as `17A`, with the file's number."""
        return f"{self.number or '?'}{self.direction.value}"


class LinkedClues(NamedTuple):
    """A grid with its links as read from a file, and the clues without the text that specified the links."""

    grid: Grid
    texts: Mapping[SlotKey, str]


class CluePlacer:
    """Assigns clues to the entries of a grid, and notes which were moved, joined or left without an entry.

    `labels` are the file's numbers in the squares. Where they differ from the grid's own numbers, a clue's number
    refers to the file's.
    """

    def __init__(self, grid: Grid, intake: Intake, labels: Mapping[Position, str] | None = None) -> None:
        self._grid = grid
        self._intake = intake
        self._labels = labels or {}
        self._starts = {label: at for at, label in reversed(list(self._labels.items()))}
        self._in_order = {direction: grid.slots_of(direction) for direction in Direction}
        self._unnumbered = dict.fromkeys(Direction, 0)
        self._texts: dict[SlotKey, list[FoundClue]] = {}
        self._numbers: dict[SlotKey, str] = {}
        """The numbers of clues that name several entries, by the first entry."""
        for slot in grid.slots:
            label = self._labels.get(slot.start, "")
            if label and label != str(slot.number):
                intake.note(Deviation.NUMBERS, f"{label}{slot.direction.value}", now=f"is {slot.name}")

    def place(self, clue: FoundClue) -> Slot | None:
        """Assign a clue to its entry; returns None, leaving the clue with the intake, if there is none."""
        slot = slot_of_squares(self._grid, clue.squares) if len(clue.squares) > 1 else self._of_number(clue)
        if slot is None:
            self._intake.leave(clue.number or "?", clue.direction.value, clue.text)
            return None
        if clue.number is not None and _NUMBERS.fullmatch(clue.number.strip()) is not None:
            self._numbers[slot.key] = clue.number
            clue = clue._replace(number=_first_number(clue.number), squares=clue.squares[: len(slot)])
        if clue.text:
            self._texts.setdefault(slot.key, []).append(clue)
            label = f"{self._labels.get(slot.start, '')}{slot.direction.value}"
            if clue.number is not None and clue.name not in (slot.name, label):
                self._intake.note(Deviation.MOVED, clue.name, now=f"at {slot.name}")
            elif len(clue.squares) > 1 and len(clue.squares) != len(slot):
                is_more = "more" if len(clue.squares) > len(slot) else "fewer"
                self._intake.note(Deviation.MOVED, clue.name, now=f"at {slot.name}, of {is_more} squares")
        return slot

    def entry(self, direction: Direction, number: str) -> Slot | None:
        """Return the entry with a number in the file, or None."""
        return self._of_number(FoundClue(direction, number, ""))

    def _of_number(self, clue: FoundClue) -> Slot | None:
        if clue.number is None:
            slots, index = self._in_order[clue.direction], self._unnumbered[clue.direction]
            self._unnumbered[clue.direction] += 1
            return slots[index] if index < len(slots) else None
        for number in dict.fromkeys((clue.number, _first_number(clue.number))):
            start = self._starts.get(number)
            slot = self._grid.slot_at(start, clue.direction) if start is not None else None
            if slot is None or slot.start != start:
                slot = self._grid.slots_by_name.get(f"{number}{clue.direction.value}")
            if slot is not None:
                return slot
        return None

    def linked(self, continued: Mapping[SlotKey, Sequence[SlotKey | None]] | None = None) -> LinkedClues:
        """Return the clues by slot, and the grid with the links given by clue numbers or by `continued`.

        Clue numbers that name several entries which cannot be linked are noted.
        """
        linked = linked_lights(self._grid, self.placed(), continued or {})
        numbers = {key: number for key, number in self._numbers.items() if key not in (continued or {})}
        linked = linked_by_numbers(*linked, numbers)
        first = {link[0] for link in linked.grid.links}
        for start, direction in numbers.keys() - first:
            slot = self._grid.slot_at(start, direction)
            assert slot is not None
            self._intake.note(
                Deviation.MOVED, f"{numbers[start, direction]}{direction.value}", now=f"at {slot.name}"
            )
        return linked

    def placed(self) -> dict[SlotKey, str]:
        """Return the clues by slot; where several are too long to join, the last ones are left over."""
        placed: dict[SlotKey, str] = {}
        for (start, direction), clues in self._texts.items():
            slot = self._grid.slot_at(start, direction)
            assert slot is not None
            placed[start, direction], rest = self._intake.joined([clue.text for clue in clues], slot.name)
            for text in rest:
                self._intake.leave(clues[0].number or str(slot.number), direction.value, text)
        return placed


def _first_number(number: str) -> str:
    """Return the number of the first entry in a clue's number, or all of it if it begins otherwise."""
    leading = _LEADING.match(number)
    return leading[0] if leading else number


def slot_of_squares(grid: Grid, squares: Sequence[Position]) -> Slot | None:
    """Return the slot that a clue's two or more squares match: they are a prefix of it, or begin with it."""
    start, second = squares[:2]
    direction = Direction.ACROSS if start.row == second.row else Direction.DOWN
    slot = grid.slot_at(start, direction)
    if slot is None:
        return None
    common = min(len(slot), len(squares))
    return slot if tuple(squares[:common]) == slot.positions[:common] else None


# spaces belong to what follows; otherwise there would be two ways for each, and 2^n in total
_NUMBER = r"[0-9]{1,3}(?:\s*(?:[Aa]c?|[Dd]n?))?"
_NUMBERS = lazy_pattern(rf"(?P<first>{_NUMBER})(?P<others>(?:\s*[,/&]\s*{_NUMBER})+)")
_BEFORE_CLUE = lazy_pattern(rf"(?P<numbers>{_NUMBERS.pattern}):\s*(?P<clue>.*)", re.DOTALL)
_ENTRY = lazy_pattern(r"([0-9]{1,3})\s*([ADad]?)")
_POINTER = lazy_pattern(r"see [0-9]{1,3}(?:[ -]?(?:a|d|ac|dn|across|down))?\.?", re.IGNORECASE)


def linked_by_texts(grid: Grid, texts: Mapping[SlotKey, str]) -> LinkedClues:
    """Extract links from the beginning of clue texts, if the other lights point to the first."""
    told: dict[SlotKey, str] = {}
    bare = dict(texts)
    for slot in grid.slots:
        found = _BEFORE_CLUE.fullmatch(texts.get(slot.key, ""))
        if found is not None and _ENTRY.findall(found["first"])[0][0] == str(slot.number):
            told[slot.key] = found["numbers"]
            bare[slot.key] = found["clue"]
    linked = linked_by_numbers(grid, bare, told)
    first = {link[0] for link in linked.grid.links}
    others = {key: texts[key] for key in told if key not in first}
    return linked._replace(texts={key: text for key, text in {**linked.texts, **others}.items() if text})


def linked_by_numbers(grid: Grid, texts: Mapping[SlotKey, str], told: Mapping[SlotKey, str]) -> LinkedClues:
    """Extract links from clue numbers, `1,5D`; a number without a letter prefers the clue's own direction."""

    def light(number: str, letter: str, way: Direction) -> SlotKey | None:
        letters = (letter.upper(),) if letter else (way.value, way.other.value)
        found = (grid.slots_by_name.get(f"{int(number)}{each}") for each in letters)
        return next((slot.key for slot in found if slot is not None), None)

    named = {}
    for key, numbers in told.items():
        if (found := _NUMBERS.fullmatch(numbers.strip())) is not None:
            named[key] = [light(number, letter, key[1]) for number, letter in _ENTRY.findall(found["others"])]
    return linked_lights(grid, texts, named)


def linked_lights(
    grid: Grid, texts: Mapping[SlotKey, str], told: Mapping[SlotKey, Sequence[SlotKey | None]]
) -> LinkedClues:
    """Link lights as a file specifies, except those with clues of their own."""
    left = dict(texts)
    for first, others in told.items():
        own = filter(None, (left.get(key, "") for key in others if key is not None))
        if None in others or not all(map(_POINTER.fullmatch, own)):
            continue
        link = (first, *filter(None, others))
        try:
            grid = grid.with_links((*grid.links, link))
        except PuzzleError:  # one of them is already linked
            continue
        left = {key: text for key, text in left.items() if key not in link[1:]}
    return LinkedClues(grid, left)


def clue_runs(puzzle: Puzzle, slot: Slot, grid: Grid | None = None) -> tuple[TextRun, ...]:
    """Return an entry's clue in runs of italic, bold and plain text, followed by its enumeration.

    References use the numbers of `grid` if a format changes the grid.
    """
    runs = bare_clue_runs(puzzle, slot, grid)
    text = plain_text(runs)
    whole = str(WholeClue(text, puzzle.enumeration(slot)))
    return runs if whole == text else normal((*runs, TextRun(whole[len(text) :])))


def bare_clue_runs(puzzle: Puzzle, slot: Slot, grid: Grid | None = None) -> tuple[TextRun, ...]:
    """Return the clue without the enumeration, for formats with a field for it."""
    grid = puzzle.grid if grid is None else grid
    if grid.is_later_light(slot):
        return (TextRun(pointer(grid, slot)),)
    return printed_runs(clean_line(puzzle.clue(slot), f"the clue of {slot.name}"), grid)


def numbered_clue_runs(puzzle: Puzzle, slot: Slot, grid: Grid) -> tuple[TextRun, ...]:
    """Return the clue with its enumeration, preceded by the numbers of linked lights.

    This is for formats without a field for these numbers.
    """
    runs, numbered = clue_runs(puzzle, slot, grid), grid.clue_slot(slot)
    if not numbered.lights:
        return runs
    return normal((TextRun(f"{numbered.clue_number}:{' ' if runs else ''}"), *runs))


def after_number(puzzle: Puzzle, slot: Slot) -> tuple[TextRun, ...]:
    """Return the clue with its enumeration to print after its number; other linked lights' numbers come first."""
    runs = clue_runs(puzzle, slot)
    if not slot.lights:
        return runs
    others = slot.clue_number.partition(",")[2].replace(",", "/")
    return normal((TextRun(f"/{others} ", bold=True), *runs))


def clue_text(puzzle: Puzzle, slot: Slot, grid: Grid) -> str:
    """Return `numbered_clue_runs` as plain text."""
    return plain_text(numbered_clue_runs(puzzle, slot, grid))


def tell_styles(puzzle: Puzzle, losses: Losses) -> None:
    """Warn about clues whose italics or bold are lost."""
    styled = [
        slot.name for slot in puzzle.grid.slots if any(run.italic or run.bold for run in parse(puzzle.clue(slot)))
    ]
    if named := name_places(styled):
        losses.expect(f"italics and bold; the clues of {named} become plain text")


def puzzle_as_read(
    grid: Grid,
    clues: Mapping[SlotKey, str],
    text_of: Callable[[str], str],
    intake: Intake,
    foreign: Mapping[str, Any] | None = None,
) -> Puzzle:
    """Return the puzzle in another program's file; `text_of` returns its title, author, copyright and notes."""
    kept = {**(foreign or {}), UNPLACED: tuple(intake.unplaced)}
    return Puzzle(
        grid,
        unsettled(clues),
        title=intake.line(text_of("title"), "the title"),
        author=intake.line(text_of("author"), "the author"),
        copyright=intake.line(text_of("copyright"), "the copyright"),
        notes=intake.text(text_of("notes"), "the notes"),
        symmetry=found_symmetry(grid),
        foreign={key: value for key, value in kept.items() if value},
    )


@cache
def _languages() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = json.loads(
        Path(__file__).with_name("languages.json").read_text(encoding="utf-8")
    )
    return found


def labels(puzzle: Puzzle) -> Mapping[str, str]:
    """Return the localized labels by name, such as `across` and `solution`, with the language code as `lang`."""
    return _languages().get(puzzle.alphabet.name.partition("-")[0], _languages()["english"])


def heading(puzzle: Puzzle, direction: Direction) -> str:
    """Return the heading of the clue list for a direction."""
    return labels(puzzle)[direction.word]


_DAMAGE = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, OSError)
"""Exceptions raised by missing or malformed fields."""

NOWHERE: frozenset[Position] = frozenset()


class RawPuzzle(NamedTuple):
    """The data in a file: the content of each open square, and everything else if present."""

    height: int
    width: int
    contents: Mapping[Position, str]
    clues: Sequence[FoundClue]
    texts: Mapping[str, str]
    """Title, author, copyright and notes as HTML."""
    headers: Mapping[str, str] = {}
    circled: frozenset[Position] = NOWHERE
    shaded: frozenset[Position] = NOWHERE
    voids: frozenset[Position] = NOWHERE
    bars: frozenset[Bar] = frozenset()
    labels: Mapping[Position, str] = {}
    """The file's clue numbers in the squares, if it has them."""


def read_raw(tell: Callable[[], RawPuzzle], intake: Intake, what: str) -> Puzzle:
    """Build the puzzle from a file's data; raises PuzzleFormatError about `what` if the file is damaged."""
    try:
        told = tell()
        check_size(told.height, told.width)
        squares: list[Square] = []
        for at in all_positions(told.height, told.width):
            if (content := told.contents.get(at)) is None:
                squares.append(VOID if at in told.voids else BLOCK)
            else:
                square = intake.square(content, at)
                squares.append(replace(square, circle=at in told.circled, shade=at in told.shaded))
        grid = Grid(told.height, told.width, tuple(squares))
        grid = grid.with_bars(bar for bar in told.bars if bar.first in grid and bar.second in grid)
        check_clue_count(len(told.clues))
        placer = CluePlacer(grid, intake, told.labels)
        for clue in told.clues:
            placer.place(clue)
        grid, clues = placer.linked()
        headers = {name: intake.line(value, f"the {name}") for name, value in told.headers.items() if value}
        foreign = {HEADERS: headers} if headers else None
        return puzzle_as_read(grid, clues, lambda name: from_html(told.texts.get(name, "")), intake, foreign)
    except _DAMAGE:
        raise PuzzleFormatError(f"{what} is damaged or invalid") from None


def found_clue(
    way: Direction,
    number: object,
    source: str,
    intake: Intake,
    squares: Iterable[Position] = (),
    markup: Callable[[str], str] = markup_from_html,
) -> FoundClue:
    """Return a clue with a number; `source` is HTML, or in the format that `markup` converts."""
    name = intake.line(str(number or "")[:20], "a clue number") or None
    text = intake.line(markup(source), f"the clue of {name or '?'}{way.value}")
    return FoundClue(way, name, text, tuple(squares))


def shaded_in_one(colours: Mapping[Position, str], intake: Intake) -> frozenset[Position]:
    """Return the squares with a color as shaded, noting if there are several colors."""
    found = {at: colour.lower().lstrip("#") for at, colour in colours.items()}
    shaded = {at: colour for at, colour in found.items() if colour not in ("", *_WHITE)}
    if len(kinds := sorted(set(shaded.values()))) > 1:
        intake.note(Deviation.SQUARES, "all shaded ones", ", ".join(kinds[:_MOST_COLOURS]), "in one shade")
    return frozenset(shaded)


_WHITE = ("ffffff", "fff", "white", "transparent")
_MOST_COLOURS = 8


def with_enumerations(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle whose clue texts end in enumerations with these as separate values."""
    parted = {
        key: EntryClues(tuple(clue._replace(**WholeClue.parted(clue.text)._asdict()) for clue in clues.clues))
        for key, clues in puzzle.clues.items()
    }
    return replace(puzzle, clues=parted)
