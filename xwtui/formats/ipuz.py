"""ipuz v2, the native format: JSON with the standard's fields for everything that the standard covers.

Standard: http://www.ipuz.org. Everything else is in fields named `net.xwtui:…`, which other programs ignore.
Fields of other programs, and unknown styles and clue details, are kept in `Puzzle.foreign` and written back. The
standard defines clues and title page as HTML. The reader accepts clues in all forms of the standard and of other
programs; a clue with `continued` belongs to an answer of linked lights.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from msgspec import Struct, field

from xwtui.errors import PuzzleFormatError
from xwtui.formats import ipuz_extensions as extensions
from xwtui.formats.base import Losses, Written, check_clue_count
from xwtui.formats.clues import CluePlacer, FoundClue, bare_clue_runs, slot_of_squares
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.ipuz_cells import Cells, puzzle_rows, read_cells, solution_rows
from xwtui.formats.json_document import document_bytes, parse_document
from xwtui.formats.plain_text import from_html, markup_from_html, runs_to_html, shown, to_html
from xwtui.model import Direction, Grid, Position, Puzzle
from xwtui.model.clues import AnswerEnumeration, Clue
from xwtui.model.grid import LARGEST_SIDE
from xwtui.model.markup import as_markup
from xwtui.model.slots import SlotKey

VERSION = "http://ipuz.org/v2"
KIND = "http://ipuz.org/crossword#1"
_CROSSWORD = "ipuz.org/crossword"

SHOWS_ENUMERATIONS = "showenumerations"

INTRO = "intro"
"""Text that solving programs show; it repeats the notes unless another program set it."""

STYLES = "net.xwtui:styles"
CLUE_DETAILS = "net.xwtui:clue-details"
_KEPT_INSIDE = (STYLES, CLUE_DETAILS, extensions.UNPLACED, "clues", extensions.SNAPSHOTS)
"""Keys of `Puzzle.foreign` whose values go back to their original places instead of the top level."""

_HTML_FIELDS = ("title", "author", "notes")
_STANDARD_FIELDS = ("version", "dimensions", "puzzle", "solution", "clues", "block", "empty", "copyright")
_OWN_FIELDS = extensions.EXTENSIONS | {*_STANDARD_FIELDS, *_HTML_FIELDS, STYLES, CLUE_DETAILS}


ENUMERATION = "enumeration"
"""A clue's field, in which a space separates words, `3 4`. With `showenumerations`, solving programs show it."""

CONTINUED = "continued"
"""A clue's field that names the other lights of its answer, each by direction and number."""

_DIRECTIONS = {"across": Direction.ACROSS, "down": Direction.DOWN}
_ENDS_OF_NUMBERS = ".): "
"""Characters that may follow the number of a clue."""

_OWN_CLUE_FIELDS = ("number", "label", "clue", "cells", "answer")
"""Fields of a clue that follow from the puzzle and so are not kept."""

TextReader = Callable[[str], str]
"""Converts a text in a file to plain text, or to clue markup."""


def read(data: bytes, intake: Intake) -> Puzzle:
    """Read an ipuz file; raises as `Format.read` does for anything else."""
    document = parse_document(data)
    kinds = document.get("kind", [])
    named = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]
    if named and not any(_CROSSWORD in kind for kind in named):
        raise PuzzleFormatError(f"this ipuz file holds no crossword; its kind is {shown(named[0][-20:])}")
    puzzle = _puzzle(document, intake)
    by_name, unread = extensions.read_snapshots(document.get(extensions.SNAPSHOTS), _snapshot)
    return replace(
        puzzle,
        snapshots=by_name,
        foreign={**puzzle.foreign, extensions.SNAPSHOTS: unread} if unread else puzzle.foreign,
    )


def _snapshot(document: Mapping[str, Any]) -> Puzzle:
    """Read the puzzle of a snapshot written by xwtui; raises PuzzleFormatError for any deviation."""
    intake = Intake()
    puzzle = _puzzle(document, intake)
    if intake.warnings:
        raise PuzzleFormatError(intake.warnings[0].words)
    return puzzle


def _puzzle(document: Mapping[str, Any], intake: Intake) -> Puzzle:
    cells = read_cells(document, intake)
    for name in extensions.unknown_rules(document.get(extensions.RULES)):
        intake.note(Deviation.LEFT_OUT, "the rule", name)
    text_of, copyright_of, clue_of = _text_readers(document)
    clues = read_clues(document.get("clues"), cells, clue_of, intake)
    kept_of = str if extensions.MARKUP in document else as_markup
    unplaced, strays = extensions.read_unplaced(document.get(extensions.UNPLACED), cells.grid, kept_of)
    check_clue_count(len(clues.unplaced) + len(strays))  # all of them are written to one list
    kept = extensions.read_kept_clues(document.get(extensions.KEPT_CLUES), cells.grid, kept_of)
    placed = extensions.with_markup(clues.by_slot, document.get(extensions.MARKUP), cells.grid)
    told = clues.enumerations
    grid = extensions.read_links(document.get(extensions.LINKS), clues.grid)
    own = {key: Clue(placed.get(key, ""), "", told.get(key)) for key in {**placed, **told}}
    notes = _title_text(document, "notes", text_of, intake, intake.text)
    texts: dict[str, Any] = {
        name: _title_text(document, name, text_of, intake, intake.line) for name in ("title", "author")
    }
    texts["copyright"] = _title_text(document, "copyright", copyright_of, intake, intake.line)
    intro = _title_text(document, INTRO, text_of, intake, intake.text)
    texts["notes"] = notes or intro
    known: dict[str, Any] = {"kind": [KIND], **({INTRO: document.get(INTRO)} if intro == texts["notes"] else {})}
    if clues.enumerations:
        known[SHOWS_ENUMERATIONS] = True
    foreign = {key: value for key, value in document.items() if key not in _OWN_FIELDS and known.get(key) != value}
    kept_inside = {
        STYLES: cells.styles,
        CLUE_DETAILS: clues.details,
        extensions.UNPLACED: (*clues.unplaced, *strays),
        "clues": clues.other_groups,
    }
    return Puzzle(
        extensions.with_ink(grid, document.get(extensions.INK)),
        extensions.with_kept_clues({**unplaced, **own}, kept),
        **texts,
        **extensions.read_puzzle_fields(document, cells.grid),
        foreign={**foreign, **{key: value for key, value in kept_inside.items() if value}},
    )


def _text_readers(document: Mapping[str, Any]) -> tuple[TextReader, TextReader, TextReader]:
    """Return readers for this file's HTML texts, its copyright, and its clues.

    The first version of xwtui wrote plain text, with `&amp;` where it would be misread. The standard defines the
    copyright as plain text, but other programs write HTML there, too.
    """
    if document.get(extensions.FILE_VERSION) == extensions.VERSION_WITH_HTML:
        return from_html, str, markup_from_html
    if extensions.INK in document:
        return html.unescape, html.unescape, lambda text: as_markup(html.unescape(text))
    return from_html, from_html, markup_from_html


def _title_text(
    document: Mapping[str, Any], name: str, text_of: TextReader, intake: Intake, clean: Callable[[str, str], str]
) -> str:
    value = document.get(name)
    if value is None:
        return ""
    if not isinstance(value, str | int | float):
        intake.note(Deviation.LEFT_OUT, f"the {name}")
        return ""
    return clean(text_of(str(value)), f"the {name}")


def publish(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write an ipuz file for solvers and editors, without any data on the work in progress.

    Clues of other answers are a loss, as in every other format.
    """
    warnings = Losses(".ipuz for others", puzzle).settle(lossy=lossy)
    document = extensions.public_fields(_document(puzzle, published=True), puzzle)
    return Written(document_bytes(document), warnings, extensions.kept_back(puzzle))


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write an ipuz file of the whole puzzle; nothing is ever lost."""
    document = _document(puzzle)
    if snapshots := extensions.snapshots_field(puzzle, _document):
        document[extensions.SNAPSHOTS] = snapshots
    return Written(document_bytes(document), ())


def _document(puzzle: Puzzle, *, published: bool = False) -> dict[str, Any]:
    """Return the puzzle without its snapshots; `published` in the form that all kinds of readers accept."""
    foreign = puzzle.foreign
    document: dict[str, Any] = {"version": VERSION, "kind": [KIND]}
    for name in _HTML_FIELDS:
        if text := getattr(puzzle, name):
            document[name] = to_html(text)
    if puzzle.copyright:
        document["copyright"] = puzzle.copyright
    if puzzle.notes:
        document[INTRO] = to_html(puzzle.notes)
    document |= {key: value for key, value in foreign.items() if key not in _KEPT_INSIDE}
    document["dimensions"] = {"width": puzzle.grid.width, "height": puzzle.grid.height}
    document["puzzle"] = puzzle_rows(puzzle.grid, foreign.get(STYLES, {}), published=published)
    document["solution"] = solution_rows(puzzle.grid)
    if any(puzzle.enumeration(slot) is not None for slot in puzzle.grid.slots):
        document.setdefault(SHOWS_ENUMERATIONS, True)
    document["clues"] = clue_lists(puzzle, foreign.get(CLUE_DETAILS, {}), foreign.get("clues", {}))
    return {**document, **extensions.extension_fields(puzzle, foreign.get(extensions.UNPLACED, ()))}


class Clues(Struct, frozen=True):
    """The clues as read: those of slots, and what is kept to be written back."""

    by_slot: Mapping[SlotKey, str]
    grid: Grid
    """The grid with the links given by clues."""
    enumerations: Mapping[SlotKey, AnswerEnumeration] = field(default_factory=dict)
    unplaced: tuple[extensions.Unplaced, ...] = ()
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    other_groups: Mapping[str, Any] = field(default_factory=dict)


_CellList = Sequence[tuple[int, ...]]
"""A clue's squares as in the file, column first."""


class _Clue(NamedTuple):
    clue: FoundClue
    cells: _CellList
    details: Mapping[str, Any]
    enumeration: AnswerEnumeration | None = None
    continued: tuple[tuple[Direction, str], ...] = ()
    """The other lights of its answer, by direction and number."""


def read_clues(field_value: Any, cells: Cells, clue_of: TextReader, intake: Intake) -> Clues:
    """Parse the `clues` field; raises PuzzleFormatError if there are too many clues.

    `clue_of` converts this file's clue texts. Lists of other directions are kept unchanged.
    """
    if field_value is None:
        return Clues({}, cells.grid)
    if not isinstance(field_value, dict):
        intake.note(Deviation.LEFT_OUT, "the clues")
        return Clues({}, cells.grid)
    other_groups: dict[str, Any] = {}
    check_clue_count(sum(len(clues) for clues in field_value.values() if isinstance(clues, list)))
    found: list[_Clue] = []
    for group, clues in field_value.items():
        direction = _DIRECTIONS.get(group.partition(":")[0].strip().lower())
        if not isinstance(clues, list):
            intake.note(Deviation.LEFT_OUT, "the clues of the list", group)
        elif direction is None:
            other_groups[group] = clues
            if clues:
                intake.note(Deviation.UNPLACED, "the list", group)
        else:
            found += (clue for raw in clues if (clue := _clue(raw, direction, clue_of, intake)) is not None)
    return _placed(found, cells, intake, other_groups)


def _placed(found: Sequence[_Clue], cells: Cells, intake: Intake, other_groups: Mapping[str, Any]) -> Clues:
    """Match the clues to entries, and collect the links that they specify."""
    details: dict[str, Mapping[str, Any]] = {}
    enumerations: dict[SlotKey, AnswerEnumeration] = {}
    continued: dict[SlotKey, list[SlotKey | None]] = {}

    def squares(clue: _Clue, first: int) -> list[Position]:
        return [Position(row - first, column - first) for column, row in clue.cells]

    # the standard counts squares from 1, some programs from 0: use what matches more clues to entries
    placed = [clue for clue in found if len(clue.cells) > 1]
    at_one, at_zero = (
        sum(slot_of_squares(cells.grid, squares(clue, first)) is not None for clue in placed) for first in (1, 0)
    )
    placer = CluePlacer(cells.grid, intake, cells.labels)
    for clue in found:
        slot = placer.place(clue.clue._replace(squares=squares(clue, 1 if at_one >= at_zero else 0)))
        if slot is None:
            continue
        if clue.details:
            details[f"{slot.start}{slot.direction.value}"] = clue.details
        if clue.enumeration is not None:
            enumerations[slot.key] = clue.enumeration
        if clue.continued:
            others = [placer.entry(direction, number) for direction, number in clue.continued]
            continued[slot.key] = [None if other is None else other.key for other in others]
    linked = placer.linked(continued)
    for start, direction in (link[0] for link in linked.grid.links):
        kept = details.pop(f"{start}{direction.value}", {})
        if extra := {name: value for name, value in kept.items() if name != CONTINUED}:
            details[f"{start}{direction.value}"] = extra
    return Clues(linked.texts, linked.grid, enumerations, tuple(intake.unplaced), details, other_groups)


def _clue(raw: Any, direction: Direction, clue_of: TextReader, intake: Intake) -> _Clue | None:
    """Parse a clue in any of its forms; None if it is malformed."""

    def found(number: Any, text: Any) -> FoundClue:
        is_number = isinstance(number, int | str) and not isinstance(number, bool)
        told = intake.line(str(number)[:20], "a clue number") if is_number else ""
        name = told.rstrip(_ENDS_OF_NUMBERS) or None
        what = f"the clue of {name or '?'}{direction.value}"
        return FoundClue(direction, name, intake.line(clue_of(text if isinstance(text, str) else ""), what))

    match raw:
        case str():
            return _Clue(found(None, raw), (), {})
        case [number, str(text), *_]:
            return _Clue(found(number, text), (), {})
        case dict():
            number = raw.get("number", raw.get("label"))
            if number is None and isinstance(raw.get("numbers"), list) and raw["numbers"]:
                number = raw["numbers"][0]
            told = extensions.read_enumeration(raw.get(ENUMERATION))
            own = _OWN_CLUE_FIELDS if told is None else (*_OWN_CLUE_FIELDS, ENUMERATION)
            details = {key: value for key, value in raw.items() if key not in own}
            cells = _cell_list(raw.get("cells"))
            return _Clue(found(number, raw.get("clue", "")), cells, details, told, _continued(raw))
    intake.note(Deviation.LEFT_OUT, f"a clue of the {direction.word} list")
    return None


def _continued(raw: Mapping[str, Any]) -> tuple[tuple[Direction, str], ...]:
    """Return the other lights of a clue's answer; empty unless all have a direction and number."""
    listed = raw.get(CONTINUED)
    found = []
    for each in listed if isinstance(listed, list) and len(listed) <= LARGEST_SIDE else ():
        match each:
            case {"direction": str(group), "number": int() | str() as number}:
                direction = _DIRECTIONS.get(group.partition(":")[0].strip().lower())
                if direction is None or isinstance(number, bool):
                    return ()
                found.append((direction, str(number)))
            case _:
                return ()
    return tuple(found)


def _cell_list(value: Any) -> _CellList:
    """Return a clue's squares as columns and rows, limited in number; empty if any is malformed."""
    pairs = value[: LARGEST_SIDE * 2] if isinstance(value, list) else []
    whole = [tuple(pair) for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    ends = [end for pair in whole for end in pair]
    is_good = len(whole) == len(pairs) and all(type(end) is int and 0 <= end <= LARGEST_SIDE for end in ends)
    return whole if is_good else ()


def clue_lists(puzzle: Puzzle, details: Mapping[str, Any], other_groups: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `clues` field: every entry with its answer's clue, `""` if it has none."""
    lists: dict[str, Any] = {direction.word.title(): [] for direction in Direction}
    for slot in puzzle.grid.clue_slots:
        text = runs_to_html(bare_clue_runs(puzzle, slot))
        kept = dict(details.get(f"{slot.start}{slot.direction.value}", {}))
        if (enumeration := puzzle.enumeration(slot)) is not None:
            kept[ENUMERATION] = enumeration.joined(" ")
        if (told := puzzle.entered_answer(slot)) is not None:
            kept["answer"] = told.answer
        if slot.lights:
            others = ((light.direction.word.title(), light.number) for light in slot.lights[1:])
            kept[CONTINUED] = [{"direction": direction, "number": number} for direction, number in others]
        lists[slot.direction.word.title()].append(
            {"number": slot.number, "clue": text, **kept} if kept else [slot.number, text]
        )
    return {**lists, **other_groups}
