"""Third-party readers and what each sees in a file; they produce the table in docs/formats.md.

`python -m tests.formats.readers` writes the table, and a test checks it against the readers.
"""

import html
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import ipuz
import puz
import pypuz
import pytest
from cursewords import cursewords

from tests.formats.test_round_trips import nanny
from tests.formats.torture import TORTURE, clued
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Direction, Kind, Puzzle, Square
from xwtui.text import listed

NPM = Path(__file__).parent / "npm"
NODE = shutil.which("node")
HAS_NPM = NODE is not None and (NPM / "node_modules" / "puzjs").is_dir()
needs_npm = pytest.mark.skipif(
    not HAS_NPM, reason="needs node, and 'npm ci' in npm/ (make test does that where npm is installed)"
)
PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
_MARKED = re.compile(r"(<!-- table: readers -->\n).*?(<!-- end of table -->)", re.DOTALL)


class Seen(NamedTuple):
    """What a reader sees of a puzzle. None if it does not report a field, as in a program that only validates."""

    letters: Sequence[str | None] | None = None
    circles: Sequence[bool] | None = None
    shades: Sequence[bool] | None = None
    bars: int | None = None
    voids: Sequence[bool] | None = None
    numbers: Sequence[str] | None = None
    clues: Mapping[tuple[Direction, str], str] | None = None
    title: str | None = None
    notes: str | None = None
    author: str | None = None
    copyright: str | None = None


Look = Callable[[Sequence[Path]], Sequence[Seen | None]]
"""Reads files; None for a refused file."""


def each(look: Callable[[Path], Seen]) -> Look:
    """Apply a reader to one file after another; any exception counts as refusal."""

    def tried(path: Path) -> Seen | None:
        try:
            return look(path)
        except Exception:
            return None

    return lambda paths: [tried(path) for path in paths]


def see_puzpy(path: Path) -> Seen:
    file = puz.read(str(path))
    numbering = file.clue_numbering()
    entries = ((Direction.ACROSS, numbering.across), (Direction.DOWN, numbering.down))
    squares = range(len(file.solution))
    letters = [file.rebus().get_rebus_solution(at) or file.solution[at] for at in squares]
    return Seen(
        [None if letter == "." else letter for letter in letters],
        [file.markup().is_markup_square(at, puz.GridMarkup.Circled) for at in squares],
        clues={(way, str(entry.number)): entry.text for way, listed in entries for entry in listed},
        title=file.title,
        notes=file.notes,
        author=file.author,
        copyright=file.copyright,
    )


def see_pypuz(path: Path) -> Seen:
    read = load_pypuz(path)
    cells = sorted(read.grid.cells, key=lambda cell: (cell.y, cell.x))
    return Seen(
        [cell.solution if not cell.isBlock and not cell.isEmpty else None for cell in cells],
        [cell.style.get("shapebg") == "circle" for cell in cells],
        [bool(cell.style.get("color")) for cell in cells],
        sum(len(cell.style.get("barred", "")) for cell in cells),
        [bool(cell.isEmpty) for cell in cells],
        [str(cell.number or "") for cell in cells],
        {
            (way, str(clue.number)): html.unescape(clue.clue)
            for way, clues in zip(Direction, read.clues, strict=True)
            for clue in clues["clues"]
        },
        html.unescape(read.metadata.title or ""),
        html.unescape(read.metadata.notes or getattr(read.metadata, "intro", "") or ""),
        html.unescape(read.metadata.author or ""),
        html.unescape(read.metadata.copyright or ""),
    )


def load_pypuz(path: Path) -> Any:
    if hasattr(pypuz, "load"):
        return pypuz.load(str(path))
    readers = {".puz": "fromPuz", ".ipuz": "fromIPuz", ".jpz": "fromJPZ"}
    return getattr(pypuz.Puzzle(), readers[path.suffix])(str(path))


def see_cursewords(path: Path) -> Seen:
    grid = cursewords.Grid(0, 0, SimpleNamespace(height=50))
    grid.load(puz.read(str(path)))
    cells = [grid.cells[column, row] for row in range(grid.row_count) for column in range(grid.column_count)]
    return Seen(
        [cell.solution if cell.is_letter else None for cell in cells],
        [bool(cell.circled) for cell in cells],
        clues={(way, str(entry.number)): entry.text for way in Direction for entry in grid.clues[way.word]},
        title=grid.title,
        author=grid.author,
    )


def see_ipuz(path: Path) -> Seen:
    ipuz.read(path.read_text(encoding="utf-8"))
    return Seen()


def opened(package: str, paths: Sequence[Path]) -> list[Any]:
    """Return what an npm package reads from files, as JSON; `{"error": …}` for a refused file."""
    assert NODE is not None
    command = [NODE, str(NPM / "read.js"), package, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=120)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _node(package: str, make: Callable[[Any], Seen]) -> Look:
    return lambda paths: [
        None if "error" in one or one.get("report", {}).get("errors") else make(one)
        for one in opened(package, paths)
    ]


def see_readpuz(read: Any) -> Seen:
    """Convert its JSON. Its clues are ordered but unnumbered, so they are compared as texts."""
    letters = [None if letter == "." else letter for letter in read["solution"]]
    for section in read["sections"]:
        if section["title"] == "RTBL":
            table = dict(part.strip().split(":", 1) for part in section["data"].split(";") if part)
            keys = next(each["data"] for each in read["sections"] if each["title"] == "GRBS")
            letters = [
                table.get(str(keys[str(at)] - 1), letter) if keys[str(at)] else letter
                for at, letter in enumerate(letters)
            ]
    clues = {(Direction.ACROSS, str(at)): clue for at, clue in enumerate(read["clues"])}
    told = {"title": read["title"], "notes": read["note"], "author": read["author"]}
    return Seen(letters, clues=clues, copyright=read["copyright"], **told)


def see_xd(read: Any) -> Seen:
    tiles = [tile for row in read["tiles"] for tile in row]
    width = len(read["tiles"][0])
    doubled: dict[str, list[str]] = {}
    for key, value in re.findall(r"(\S)=(\S+)", "".join(re.findall("(?im)^rebus:(.*)$", read["xd"]))):
        doubled.setdefault(key, []).append(value)
    positions = read.get("design", {}).get("positions") or []
    styles = (
        [
            read["design"]["styles"].get(row[column] if column < len(row) else None, {})
            for row in (positions[at] if at < len(positions) else [] for at in range(len(read["tiles"])))
            for column in range(width)
        ]
        if positions
        else [{}] * len(tiles)
    )
    return Seen(
        [_of_tile(tile, doubled) for tile in tiles],
        [style.get("background") == "circle" for style in styles],
        ["background" in style and style["background"] != "circle" for style in styles],
        sum(("bar-left" in style) + ("bar-top" in style) for style in styles),
        None,
        None,
        {
            (way, str(clue["number"])): html.unescape(re.sub(r"\{([/*])(.*?)\1\}", r"\2", clue["body"]))
            for way in Direction
            for clue in read["clues"][way.word]
        },
        read["meta"].get("title"),
        read["notes"] or read["meta"].get("intro") or read["meta"].get("description", ""),
        read["meta"].get("author"),
        read["meta"].get("copyright"),
    )


def _of_tile(tile: Mapping[str, Any], rebus: Mapping[str, Sequence[str]]) -> str | None:
    """Return a square's content; a duplicate key means two answers, as the version 14 parser reads it."""
    if tile["type"] == "rebus":
        return "/".join(rebus.get(tile["symbol"], [tile["word"]]))
    return str(tile["letter"]).upper() if tile["type"] == "letter" else None


def see_xdformat(path: Path) -> Seen:
    """Read with xd's own library, which converts other formats to .xd; small letters are marked squares."""
    if path.suffix == ".xd":
        read = import_module("xdformat.xdfile").parse(path)
    else:
        suffix = path.suffix[1:]
        read = getattr(import_module(f"xdformat.{suffix}2xd"), f"parse_{suffix}")(path.read_bytes(), str(path))
    special, keys = read.get_header("Special"), read.rebus()
    signs = [sign for row in read.grid for sign in row]
    marked = [sign != sign.upper() and bool(special) for sign in signs]
    return Seen(
        [None if sign in "#_" else keys.get(sign, sign.upper()) for sign in signs],
        [mark and special == "circle" for mark in marked],
        [mark and special == "shaded" for mark in marked],
        bars=0,
        voids=[sign == "_" for sign in signs],
        clues={(Direction(way), str(number)): clue for (way, number), clue, _ in read.clues if way},
        title=read.get_header("Title"),
        notes=read.notes or read.get_header("Notes"),
    )


def see_puzjs(read: Any) -> Seen:
    """Convert what Down for a Cross reads; its lists of marks extend past the grid."""
    squares = [square for row in read["grid"] for square in row]
    letters = [square["solution"] if isinstance(square, dict) else square for square in squares]
    return Seen(
        [None if letter == "." else letter for letter in letters],
        [at in read["circles"] for at in range(len(squares))],
        [at in read["shades"] for at in range(len(squares))],
        clues={
            (way, str(number)): clue
            for way in Direction
            for number, clue in enumerate(read["clues"][way.word])
            if clue is not None
        },
        title=read["meta"]["title"],
        notes=read["meta"]["description"],
    )


def see_xword_parser(read: Any) -> Seen:
    squares = [square for row in read["grid"]["cells"] for square in row]
    return Seen(
        [
            None if square["isBlack"] else read["rebus"].get(str(square.get("rebusKey")), square.get("solution"))
            for square in squares
        ],
        [square.get("isCircled", False) for square in squares],
        [False] * len(squares),
        bars=0,
        voids=[False] * len(squares),
        numbers=[str(square.get("number") or "") for square in squares],
        clues={(way, str(clue["number"])): clue["text"] for way in Direction for clue in read["clues"][way.word]},
        title=read.get("title"),
        notes=read.get("notes", ""),
    )


class ReadingProgram(NamedTuple):
    """A program: its name in the table, the suffixes it opens, and what it sees."""

    name: str
    suffixes: tuple[str, ...]
    look: Look


PROGRAMS = (
    ReadingProgram("puzpy", (".puz", ".utf8.puz"), each(see_puzpy)),
    ReadingProgram("pypuz (Crossword Nexus)", (".puz", ".utf8.puz", ".jpz", ".ipuz"), each(see_pypuz)),
    ReadingProgram("cursewords", (".puz", ".utf8.puz"), each(see_cursewords)),
    ReadingProgram("readpuz", (".puz", ".utf8.puz"), _node("@confuzzle/readpuz", see_readpuz)),
    ReadingProgram(
        "xd-crossword-tools 12", (".puz", ".utf8.puz", ".jpz", ".xd"), _node("xd-crossword-tools", see_xd)
    ),
    ReadingProgram(
        "xd-crossword-tools 14 (Puzzmo)",
        (".puz", ".utf8.puz", ".jpz", ".xd", ".ipuz", ".al.txt"),
        _node("xd-crossword-tools-14", see_xd),
    ),
    ReadingProgram("xdformat (xd)", (".puz", ".utf8.puz", ".xd", ".ipuz"), each(see_xdformat)),
    ReadingProgram("puzjs (Down for a Cross)", (".puz", ".utf8.puz"), _node("puzjs", see_puzjs)),
    ReadingProgram(
        "xword-parser",
        (".puz", ".utf8.puz", ".jpz", ".xd", ".ipuz"),
        _node("@xwordly/xword-parser", see_xword_parser),
    ),
    ReadingProgram("ipuz", (".ipuz",), each(see_ipuz)),
)

FORMS = (
    (".puz", ""),
    (".utf8.puz", ""),
    (".al.txt", ""),
    (".jpz", ""),
    (".xd", ""),
    (".xd", "puzzmo"),
    (".ipuz", ""),
    (".ipuz", "crossword-nexus"),
    (".ipuz", "puzzmo"),
)
"""Written forms: a suffix, and the recipient."""

Check = Callable[[Seen, Puzzle], bool]


class Feature(NamedTuple):
    """A feature that a reader may or may not see: a puzzle that has it, and the check."""

    name: str
    puzzle: Puzzle
    is_seen: Check


def _contents(puzzle: Puzzle) -> list[str | None]:
    return [str(square.content).strip("[]") if square.content else None for square in puzzle.grid.squares]


def _letters(seen: Seen, puzzle: Puzzle) -> bool:
    return seen.letters is None or list(seen.letters) == _contents(puzzle)


def _told(seen: Seen, puzzle: Puzzle) -> bool:
    """Whether the clues match the puzzle's, at their numbers."""
    if seen.clues is None:
        return True
    texts = {(slot.direction, str(slot.number)): puzzle.printed_clue(slot) for slot in puzzle.grid.slots}
    return seen.clues == texts or sorted(seen.clues.values()) == sorted(texts.values())


def _says(*words: str) -> Check:
    """Whether words occur in the number or the text of a clue."""

    def is_said(seen: Seen, puzzle: Puzzle) -> bool:
        said = [f"{number} {text}" for (_, number), text in (seen.clues or {}).items()]
        return seen.clues is None or all(any(word in each for each in said) for word in words)

    return is_said


def _squares(field: str, wanted: Callable[[Puzzle], object]) -> Check:
    """Whether a field of the squares is as wanted; False if the reader lacks the field."""

    def is_so(seen: Seen, puzzle: Puzzle) -> bool:
        return seen == Seen() or getattr(seen, field) == wanted(puzzle)

    return is_so


def _features() -> Iterator[Feature]:
    linked = nanny()
    bare = replace(linked, grid=linked.grid.with_links(()))
    first = linked.grid.slots_by_name["1A"]
    marks = TORTURE["circles with shade"]
    plain = clued(replace(marks.grid, squares=tuple(map(_unmarked, marks.grid.squares))), "Plain")
    squares = marks.grid.squares
    bare_of = {
        "circle": [replace(square, circle=False) for square in squares],
        "shade": [replace(square, shade=False) for square in squares],
    }
    without = {
        name: replace(marks, clues={}, grid=replace(marks.grid, squares=tuple(kept)))
        for name, kept in bare_of.items()
    }
    accents = TORTURE["5x5 with accents"]
    yield Feature("letters", TORTURE["23x23"], _letters)
    yield Feature("clues", plain, _told)
    yield Feature("rebus", TORTURE["rebus"], _letters)
    yield Feature("two answers in a square", TORTURE["two answers in a square"], _letters)
    yield Feature("circles", without["shade"], _squares("circles", lambda p: [s.circle for s in p.grid.squares]))
    yield Feature("shade", without["circle"], _squares("shades", lambda p: [s.shade for s in p.grid.squares]))
    apart = [replace(square, shade=square.shade and not square.circle) for square in squares]
    beside = replace(marks, clues={}, grid=replace(marks.grid, squares=tuple(apart)))
    yield Feature("circles beside shade", beside, _marks)
    yield Feature("bars", TORTURE["bars"], _squares("bars", lambda p: len(p.grid.bars)))
    yield Feature(
        "voids", TORTURE["voids"], _squares("voids", lambda p: [s.kind is Kind.VOID for s in p.grid.squares])
    )
    yield Feature("numbers in marked squares", replace(marks, clues={}), _numbered)
    yield Feature("accents", replace(accents, notes=""), lambda seen, p: seen.title in (None, p.title))
    yield Feature("notes", replace(plain, notes="Mind the gap"), _noted)
    yield Feature("enumerations", bare.with_enumeration(first, linked.enumeration(first)), _says("(4,6)"))
    yield Feature("linked lights", linked, _says("3D", "See 1"))


def _unmarked(square: Square) -> Square:
    return replace(square, circle=False, shade=False)


def _marks(seen: Seen, puzzle: Puzzle) -> bool:
    circles = [square.circle for square in puzzle.grid.squares]
    shades = [square.shade for square in puzzle.grid.squares]
    return seen == Seen() or (list(seen.circles or ()), list(seen.shades or ())) == (circles, shades)


def _numbered(seen: Seen, puzzle: Puzzle) -> bool:
    numbers = [str(puzzle.grid.numbers.get(at, "")) for at in puzzle.grid.positions()]
    return seen.numbers is None or [number.strip("#") for number in seen.numbers] == numbers


def _noted(seen: Seen, puzzle: Puzzle) -> bool:
    return seen.notes is None or puzzle.notes in seen.notes


def cells() -> Iterator[tuple[tuple[str, str], str, str]]:
    """Yield for each written form and program the cell of the table."""
    features = tuple(_features())
    with tempfile.TemporaryDirectory() as folder:
        for number, (suffix, taker) in enumerate(FORMS):
            paths: list[tuple[Feature, Path]] = []
            for at, feature in enumerate(features):
                written = puzzle_bytes(feature.puzzle, suffix, lossy=True, published=True, taker=taker)
                if not _is_lost(written.warnings):
                    paths.append((feature, Path(folder) / f"{number}-{at}{suffix}"))
                    paths[-1][1].write_bytes(written.data)
            for program in PROGRAMS:
                if suffix in program.suffixes:
                    yield (suffix, taker), program.name, _cell(program, paths)


def _is_lost(warnings: Iterable[str]) -> bool:
    """Whether a warning says that the format cannot represent a feature."""
    return any("cannot hold" in warning and "signs" not in warning for warning in warnings)


def _cell(program: ReadingProgram, paths: Sequence[tuple[Feature, Path]]) -> str:
    seen_in = program.look([path for _, path in paths])
    found = [(feature, seen) for (feature, _), seen in zip(paths, seen_in, strict=True)]
    refused = [feature.name for feature, seen in found if seen is None]
    missed = [one.name for one, seen in found if seen is not None and not one.is_seen(seen, one.puzzle)]
    if len(refused) == len(found):
        return "refused"
    told = [f"no {listed(missed, 'nor')}"] if missed else []
    told += [f"refuses {listed(refused, 'and')}"] if refused else []
    return "; ".join(told) or "all"


def table() -> str:
    """Return the table in Markdown: a row per written form, a column per program."""
    rows: dict[tuple[str, str], dict[str, str]] = {form: {} for form in FORMS}
    for form, program, said in cells():
        rows[form][program] = said
    names = [program.name for program in PROGRAMS]
    lines = [f"| Written | {' | '.join(names)} |", "| --- |" + " --- |" * len(names)]
    for (suffix, taker), by_name in rows.items():
        called = f"`{suffix}`" + (f" `--for {taker}`" if taker else "")
        lines.append(f"| {called} | {' | '.join(by_name.get(name, '') for name in names)} |")
    return "\n".join(lines)


def with_table(text: str) -> str:
    """Return the page with its table of readers replaced."""
    return _MARKED.sub(lambda found: f"{found[1]}\n{table()}\n\n{found[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
