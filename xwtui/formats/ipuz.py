"""ipuz v2, the native format: JSON with the standard's fields for all that the standard has.

Standard: http://www.ipuz.org. What it has no field for is in fields named `net.xwtui:…`, which other
programs ignore. Fields of other programs, and styles and clue details that xwtui does not know, are
kept in `Puzzle.foreign` and written back. Clues and title page are HTML by the standard.
"""

import html
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import Losses, Written, add_stale_clues, check_clue_count
from xwtui.formats.intake import Deviation, Intake
from xwtui.formats.ipuz_cells import puzzle_rows, read_cells, solution_rows
from xwtui.formats.ipuz_clues import TextReader, clue_lists, read_clues
from xwtui.formats.ipuz_extensions import (
    ENTERED,
    FILE_VERSION,
    INK,
    KEPT_CLUES,
    LINKS,
    MARKUP,
    PROFILE,
    RULES,
    SNAPSHOTS,
    SOLVER_NOTES,
    SYMMETRY,
    UNPLACED,
    VERSION_WITH_HTML,
    WORDS,
    extension_fields,
    kept_back,
    public_fields,
    read_entered,
    read_kept_clues,
    read_links,
    read_profile_name,
    read_rules,
    read_snapshots,
    read_solver_notes,
    read_symmetry,
    read_unplaced,
    read_words,
    snapshots_field,
    with_ink,
    with_kept_clues,
    with_markup,
)
from xwtui.formats.json_document import document_bytes, parse_document
from xwtui.formats.plain_text import from_html, markup_from_html, shown, to_html
from xwtui.model import Puzzle
from xwtui.model.clues import Clue
from xwtui.model.markup import as_markup

VERSION = "http://ipuz.org/v2"
KIND = "http://ipuz.org/crossword#1"
_CROSSWORD = "ipuz.org/crossword"

SHOWS_ENUMERATIONS = "showenumerations"

INTRO = "intro"
"""What solving programs show; it repeats the notes unless another program gave it a text of its own."""

STYLES = "net.xwtui:styles"
CLUE_DETAILS = "net.xwtui:clue-details"
_KEPT_INSIDE = (STYLES, CLUE_DETAILS, UNPLACED, "clues", SNAPSHOTS)
"""Keys of `Puzzle.foreign` whose values go back to where they came from, not to the top of the file."""

_HTML_FIELDS = ("title", "author", "notes")
_OWN_FIELDS = frozenset(
    (
        *("version", "dimensions", "puzzle", "solution", "clues", "block", "empty"),
        *_HTML_FIELDS,
        "copyright",
        *(
            ENTERED,
            FILE_VERSION,
            INK,
            SOLVER_NOTES,
            SYMMETRY,
            PROFILE,
            WORDS,
            RULES,
            MARKUP,
            UNPLACED,
            KEPT_CLUES,
            LINKS,
            STYLES,
            CLUE_DETAILS,
            SNAPSHOTS,
        ),
    )
)


def read(data: bytes, intake: Intake) -> Puzzle:
    """Read an ipuz file; raises PuzzleFormatError on anything else."""
    document = parse_document(data)
    _check_kind(document)
    try:
        puzzle = _puzzle(document, intake)
    except PuzzleError as error:
        raise PuzzleFormatError(str(error)) from None
    by_name, unread = read_snapshots(document.get(SNAPSHOTS), _snapshot)
    return replace(
        puzzle, snapshots=by_name, foreign={**puzzle.foreign, SNAPSHOTS: unread} if unread else puzzle.foreign
    )


def _snapshot(document: Mapping[str, Any]) -> Puzzle:
    """The puzzle of a snapshot, which xwtui has written; raises PuzzleFormatError where it is no whole one."""
    intake = Intake()
    puzzle = _puzzle(document, intake)
    if intake.warnings:
        raise PuzzleFormatError(intake.warnings[0].words)
    return puzzle


def _check_kind(document: Mapping[str, Any]) -> None:
    kinds = document.get("kind", [])
    named = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]
    if named and not any(_CROSSWORD in kind for kind in named):
        raise PuzzleFormatError(f"this ipuz file holds no crossword; its kind is {shown(named[0][-20:])}")


def _puzzle(document: Mapping[str, Any], intake: Intake) -> Puzzle:
    cells = read_cells(document, intake)
    text_of, copyright_of, clue_of = _text_readers(document)
    clues = read_clues(document.get("clues"), cells, clue_of, intake)
    kept_of = str if MARKUP in document else as_markup
    unplaced, strays = read_unplaced(document.get(UNPLACED), cells.grid, kept_of)
    check_clue_count(len(clues.unplaced) + len(strays))  # all of them are written in one list
    kept = read_kept_clues(document.get(KEPT_CLUES), cells.grid, kept_of)
    placed = with_markup(clues.by_slot, document.get(MARKUP), cells.grid)
    told = clues.enumerations
    grid = read_links(document.get(LINKS), clues.grid)
    own = {key: Clue(placed.get(key, ""), "", told.get(key)) for key in {**placed, **told}}
    notes = _title_text(document, "notes", text_of, intake, intake.text)
    texts = {name: _title_text(document, name, text_of, intake, intake.line) for name in ("title", "author")}
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
        UNPLACED: (*clues.unplaced, *strays),
        "clues": clues.other_groups,
    }
    return Puzzle(
        with_ink(grid, document.get(INK)),
        with_kept_clues({**unplaced, **own}, kept),
        title=texts["title"],
        author=texts["author"],
        copyright=texts["copyright"],
        notes=texts["notes"],
        symmetry=read_symmetry(document.get(SYMMETRY), cells.grid),
        profile=read_profile_name(document.get(PROFILE)),
        words=read_words(document.get(WORDS)),
        rules=read_rules(document.get(RULES), cells.grid),
        solver_notes=read_solver_notes(document.get(SOLVER_NOTES), cells.grid),
        entered=read_entered(document.get(ENTERED), cells.grid),
        foreign={**foreign, **{key: value for key, value in kept_inside.items() if value}},
    )


def _text_readers(document: Mapping[str, Any]) -> tuple[TextReader, TextReader, TextReader]:
    """How the texts of this file are read: those that are HTML by the standard, the copyright, and the clues.

    The first version of xwtui wrote text as it stood, with `&amp;` where it would be misread. The
    standard has plain text as copyright; other programs put HTML there too.
    """
    if document.get(FILE_VERSION) == VERSION_WITH_HTML:
        return from_html, str, markup_from_html
    if INK in document:
        return html.unescape, html.unescape, lambda text: as_markup(html.unescape(text))
    return from_html, from_html, markup_from_html


def _title_text(
    document: Mapping[str, Any],
    name: str,
    text_of: TextReader,
    intake: Intake,
    clean: Callable[[str, str], str],
) -> str:
    value = document.get(name)
    if value is None:
        return ""
    if not isinstance(value, str | int | float):
        intake.note(Deviation.LEFT_OUT, f"the {name}")
        return ""
    return clean(text_of(str(value)), f"the {name}")


def publish(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write an ipuz file for solvers and editors: nothing of the work on the puzzle is in it.

    Clues of other answers are a loss, as in every other format.
    """
    losses = Losses(".ipuz for others")
    add_stale_clues(puzzle, losses)
    warnings = losses.settle(lossy=lossy)
    return Written(document_bytes(public_fields(_document(puzzle), puzzle)), warnings, kept_back(puzzle))


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write an ipuz file; it holds the whole puzzle, so nothing is ever lost."""
    document = _document(puzzle)
    if snapshots := snapshots_field(puzzle, _document):
        document[SNAPSHOTS] = snapshots
    return Written(document_bytes(document), ())


def _document(puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle as it is now, without its snapshots."""
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
    document["puzzle"] = puzzle_rows(puzzle.grid, foreign.get(STYLES, {}))
    document["solution"] = solution_rows(puzzle.grid)
    if any(puzzle.enumeration(slot) is not None for slot in puzzle.grid.slots):
        document.setdefault(SHOWS_ENUMERATIONS, True)
    document["clues"] = clue_lists(puzzle, foreign.get(CLUE_DETAILS, {}), foreign.get("clues", {}))
    return {**document, **extension_fields(puzzle, foreign.get(UNPLACED, ()))}
