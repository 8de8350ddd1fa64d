"""ipuz v2, the native format: JSON with the standard's fields for all that the standard has.

Standard: http://www.ipuz.org. What it has no field for is in fields named `net.xwtui:…`, which other
programs ignore. Fields of other programs, and styles and clue details that xwtui does not know, are
kept in `Puzzle.foreign` and written back.
"""

from collections.abc import Callable, Mapping
from typing import Any

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import Format, Written
from xwtui.formats.ipuz_cells import puzzle_rows, read_cells, solution_rows
from xwtui.formats.ipuz_clues import clue_lists, read_clues
from xwtui.formats.ipuz_extensions import (
    FILE_VERSION,
    INK,
    SYMMETRY,
    UNPLACED,
    WORDS,
    extension_fields,
    read_symmetry,
    read_unplaced,
    read_words,
    text_readers,
    with_ink,
)
from xwtui.formats.ipuz_rules import RULES, read_rules
from xwtui.formats.ipuz_text import TextReader, to_html
from xwtui.formats.json_document import document_bytes, parse_document
from xwtui.formats.plain_text import clean_line, clean_text, shown
from xwtui.model import Puzzle

VERSION = "http://ipuz.org/v2"
KIND = "http://ipuz.org/crossword#1"
_CROSSWORD = "ipuz.org/crossword"

INTRO = "intro"
"""What solving programs show; it repeats the notes unless another program gave it a text of its own."""

STYLES = "net.xwtui:styles"
CLUE_DETAILS = "net.xwtui:clue-details"
_KEPT_INSIDE = (STYLES, CLUE_DETAILS, UNPLACED, "clues")
"""Keys of `Puzzle.foreign` whose values go back to where they came from, not to the top of the file."""

_HTML_FIELDS: Mapping[str, Callable[[str, str], str]] = {
    "title": clean_line,
    "author": clean_line,
    "notes": clean_text,
}
_OWN_FIELDS = frozenset(
    (
        *("version", "dimensions", "puzzle", "solution", "clues", "block", "empty"),
        *_HTML_FIELDS,
        "copyright",
        *(FILE_VERSION, INK, SYMMETRY, WORDS, RULES, UNPLACED, STYLES, CLUE_DETAILS),
    )
)


def read(data: bytes) -> Puzzle:
    """Read an ipuz file; raises PuzzleFormatError on anything else."""
    document = parse_document(data)
    _check_kind(document)
    try:
        return _puzzle(document)
    except PuzzleError as error:
        raise PuzzleFormatError(str(error)) from None


def _check_kind(document: Mapping[str, Any]) -> None:
    kinds = document.get("kind", [])
    named = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]
    if named and not any(_CROSSWORD in kind for kind in named):
        raise PuzzleFormatError(f"this ipuz file holds no crossword; its kind is {shown(named[0][-20:])}")


def _puzzle(document: Mapping[str, Any]) -> Puzzle:
    cells = read_cells(document)
    text_of, copyright_of = text_readers(document)
    clues = read_clues(document.get("clues"), cells, text_of)
    unplaced, strays = read_unplaced(document.get(UNPLACED), cells.grid)
    texts = {name: _title_text(document, name, clean, text_of) for name, clean in _HTML_FIELDS.items()}
    texts["copyright"] = _title_text(document, "copyright", clean_line, copyright_of)
    intro = _title_text(document, INTRO, clean_text, text_of)
    texts["notes"] = texts["notes"] or intro
    known = {"kind": [KIND], **({INTRO: document.get(INTRO)} if intro == texts["notes"] else {})}
    foreign = {key: value for key, value in document.items() if key not in _OWN_FIELDS and known.get(key) != value}
    kept_inside = {
        STYLES: cells.styles,
        CLUE_DETAILS: clues.details,
        UNPLACED: (*clues.unplaced, *strays),
        "clues": clues.other_groups,
    }
    return Puzzle(
        with_ink(cells.grid, document.get(INK)),
        {**unplaced, **clues.by_slot},
        title=texts["title"],
        author=texts["author"],
        copyright=texts["copyright"],
        notes=texts["notes"],
        symmetry=read_symmetry(document.get(SYMMETRY), cells.grid),
        words=read_words(document.get(WORDS)),
        rules=read_rules(document.get(RULES), cells.grid),
        foreign={**foreign, **{key: value for key, value in kept_inside.items() if value}},
    )


def _title_text(
    document: Mapping[str, Any], name: str, clean: Callable[[str, str], str], text_of: TextReader
) -> str:
    value = document.get(name)
    if value is None:
        return ""
    if not isinstance(value, str | int | float):
        raise PuzzleFormatError(f"the {name} of this ipuz file is no text")
    return clean(text_of(str(value)), f"the {name}")


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write an ipuz file; it holds the whole puzzle, so nothing is ever lost."""
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
    document["clues"] = clue_lists(puzzle, foreign.get(CLUE_DETAILS, {}), foreign.get("clues", {}))
    document |= extension_fields(puzzle, foreign.get(UNPLACED, ()))
    return Written(document_bytes(document), ())


def _looks_like(data: bytes) -> bool:
    start = data[:100].removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith((b"{", b"ipuz(", b"\xff\xfe{", b"\xfe\xff\x00{"))


FORMAT = Format("ipuz", (".ipuz", ".json"), read, write, _looks_like)
