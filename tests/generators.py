"""Random squares, grids, block patterns, whole puzzles, words and scores for hypothesis."""

import string
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from tests.ruled import asked, ruled
from xwtui.model import (
    BLOCK,
    OPEN,
    VOID,
    Bar,
    Content,
    Direction,
    Grid,
    Ink,
    Kind,
    Position,
    Puzzle,
    RebusPlacing,
    Rules,
    SlotKey,
    Square,
    Symmetry,
    WordChoice,
)
from xwtui.model.clues import AnswerEnumeration, Clue, EntryClues, PartBreak

SYMBOLS = string.ascii_uppercase + string.digits
AWKWARD_PIECES = ["&", "&amp;", "<i>", "]]>", "~", "A1.", "##", "\\", '"', "[HEART]", "Title:", "; :", "é", "½"]
MARKUP_PIECES = ["*Jaws*", "**b**", "***c***", "*un*{}said", "{1A}", "{2D-}", "\\*", "*", "M*A*S*H"]
"""Clue markup, and text that looks like it."""


def readings(longest: int = 12) -> st.SearchStrategy[str]:
    """Readings of a square in one direction: one character, or a rebus."""
    return st.one_of(st.sampled_from(SYMBOLS), st.text(SYMBOLS, min_size=2, max_size=longest))


def contents(*, schroedinger: bool = True) -> st.SearchStrategy[Content]:
    """Contents of squares: mostly letters, also rebus strings and squares that read two ways."""
    letters = st.sampled_from(SYMBOLS).map(Content.of)
    kinds = [letters, letters, readings().map(Content.of)]
    if schroedinger:
        kinds.append(st.builds(Content, readings(), readings()))
    return st.one_of(kinds)


@st.composite
def squares(
    draw: st.DrawFn,
    *,
    voids: bool = True,
    empty: bool = True,
    schroedinger: bool = True,
    marks: tuple[str, ...] = ("circle", "shade"),
) -> Square:
    """Blocks, voids, and open squares with any content, ink and marks."""
    if draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from([BLOCK, VOID] if voids else [BLOCK]))
    chosen = contents(schroedinger=schroedinger)
    content = draw(st.none() | chosen if empty else chosen)
    ink = Ink.PENCIL if content is None else draw(st.sampled_from(Ink))
    dress: dict[str, Any] = {mark: draw(st.integers(0, 4)) == 0 for mark in marks}
    return Square(content=content, ink=ink, **dress)


@st.composite
def grids(draw: st.DrawFn, /, *, largest: int = 7, bars: bool = True, **square_options: Any) -> Grid:
    """Grids from 3x3 to largest x largest."""
    height, width = draw(st.integers(3, largest)), draw(st.integers(3, largest))
    drawn = draw(st.lists(squares(**square_options), min_size=height * width, max_size=height * width))
    grid = Grid(height, width, tuple(drawn))
    if not bars:
        return grid
    neighbours = [
        Bar(position, position.step(direction))
        for position in grid.positions()
        for direction in Direction
        if position.step(direction) in grid
    ]
    return grid.with_bars(draw(st.sets(st.sampled_from(neighbours), max_size=4)))


def one_liners(**characters: Any) -> st.SearchStrategy[str]:
    """Titles and clues: text without repeated or outer blanks, some of it awkward for file formats."""
    words = st.text(st.characters(categories=("L", "N", "P", "S"), **characters), min_size=1, max_size=8)
    pieces = st.sampled_from(AWKWARD_PIECES) | st.sampled_from(MARKUP_PIECES) | words
    return st.lists(pieces, max_size=5).map(" ".join)


@st.composite
def enumerations(draw: st.DrawFn) -> AnswerEnumeration:
    """Enumerations of one to five parts."""
    lengths = draw(st.lists(st.integers(1, 99), min_size=1, max_size=5))
    breaks = draw(st.tuples(*(st.sampled_from(PartBreak) for _ in lengths[1:])))
    return AnswerEnumeration(tuple(lengths), breaks)


@st.composite
def puzzles(
    draw: st.DrawFn,
    /,
    *,
    lines: st.SearchStrategy[str] | None = None,
    word_choice: bool = True,
    **grid_options: Any,
) -> Puzzle:
    """Puzzles with clues, title page and symmetry.

    With `word_choice` also everything that only ipuz holds, such as rules.
    """
    lines = one_liners() if lines is None else lines
    grid = draw(grids(**grid_options))
    clues: dict[SlotKey, EntryClues] = {}
    told = st.none() | enumerations() if word_choice else st.none()
    for slot in grid.slots:
        clue = Clue(draw(lines), "", draw(told))
        if clue.text or clue.enumeration:
            clues[slot.start, slot.direction] = EntryClues((clue,))
    if word_choice:
        keys = st.tuples(st.sampled_from(list(grid.positions())), st.sampled_from(Direction))
        kept = st.builds(Clue, lines.filter(bool), st.text(SYMBOLS, min_size=1, max_size=8), told)
        for key, clue_kept in draw(st.lists(st.tuples(keys, kept), max_size=3, unique=True)):
            own = clues[key].clues if key in clues else ()
            clues[key] = EntryClues((clue_kept, *own))
    solver_notes: dict[SlotKey, str] = {}
    if word_choice:
        solver_notes = draw(st.dictionaries(keys, lines.filter(bool), max_size=2))
    notes = "\n".join(line for line in draw(st.lists(lines, max_size=3)) if line)
    fitting = [each for each in Symmetry if grid.height == grid.width or not each.needs_square_grid]
    return Puzzle(
        grid,
        clues,
        title=draw(lines),
        author=draw(lines),
        copyright=draw(lines),
        notes=notes,
        symmetry=draw(st.sampled_from(fitting)),
        words=draw(word_choices()) if word_choice else WordChoice(),
        rules=draw(rule_sets(grid)) if word_choice else ruled(),
        solver_notes=solver_notes,
        profile=draw(st.sampled_from(("", "british", "one of my own"))) if word_choice else "",
    )


def word_choices() -> st.SearchStrategy[WordChoice]:
    """Choices of word lists, bans and scores."""
    words = st.text(SYMBOLS, min_size=1, max_size=8)
    names = st.text(string.ascii_letters + "./", min_size=1, max_size=8)
    scores: st.SearchStrategy[Mapping[str, int]] = st.dictionaries(words, st.integers(0, 100), max_size=2)
    return st.builds(
        WordChoice,
        st.lists(names, max_size=2).map(tuple),
        st.integers(0, 100),
        st.frozensets(words, max_size=2),
        scores,
        st.lists(names, max_size=2).map(tuple),
        st.just("") | names,
        is_graded=st.booleans(),
    )


@st.composite
def rule_sets(draw: st.DrawFn, grid: Grid) -> Rules:
    """Rules of every kind, for entries that exist and for some that do not."""
    words = st.text(SYMBOLS, min_size=1, max_size=8)
    strings = st.lists(words, max_size=2).map(tuple)
    patterns = st.sampled_from(["", ".*ING", "[AEIOU].{2,5}", "(?!UN).*(ED|S)?"])
    scores = st.none() | st.integers(0, 100)
    entry_rules = st.builds(
        asked, scores, st.sampled_from(["", "themes.dict"]), patterns, strings, strings, strings
    )
    keys = st.tuples(st.sampled_from(list(grid.positions())), st.sampled_from(Direction))
    entries = draw(st.dictionaries(keys, entry_rules.filter(lambda rule: not rule.is_empty), max_size=2))
    allowed = st.lists(contents(), min_size=1, max_size=3, unique=True).map(tuple)
    wanted = draw(st.lists(words, max_size=3, unique=True).map(tuple))
    return ruled(
        entries,
        draw(st.dictionaries(st.sampled_from(list(grid.positions())), allowed, max_size=2)),
        draw(st.just(0) | st.integers(2, 6)),
        draw(st.booleans()),
        draw(st.lists(st.frozensets(words, min_size=2, max_size=3), max_size=2).map(tuple)),
        draw(st.dictionaries(st.sampled_from(["abbreviation", "name"]), st.integers(0, 5), max_size=2)),
        wanted,
        draw(st.integers(0, len(wanted))),
        draw(st.sampled_from(["", string.ascii_uppercase, "JQ"])),
        draw(st.lists(placings(), max_size=2).map(tuple)),
    )


@st.composite
def placings(draw: st.DrawFn) -> RebusPlacing:
    """Rebus placings of every kind."""
    chosen = draw(st.lists(contents(), min_size=1, max_size=3, unique=True))
    least = draw(st.integers(0, 4))
    most = draw(st.integers(max(least, len(chosen)), 8))
    return RebusPlacing(tuple(chosen), least, most, draw(st.booleans()), draw(st.booleans()))


def shape(grid: Grid) -> list[list[Kind]]:
    """Return the kinds of the squares, row by row."""
    return [[grid[Position(row, column)].kind for column in range(grid.width)] for row in range(grid.height)]


_SQUARES = st.sampled_from([OPEN, OPEN, OPEN, OPEN, BLOCK, BLOCK, VOID])


@st.composite
def layouts(draw: st.DrawFn, *, largest: int = 7, square: bool = False) -> Grid:
    """Grids of open squares, blocks, voids and a few bars."""
    height = draw(st.integers(3, largest))
    width = height if square else draw(st.integers(3, largest))
    grid = Grid(height, width, tuple(draw(st.lists(_SQUARES, min_size=height * width, max_size=height * width))))
    bars = [Bar(at, at.step(way)) for at in grid.positions() for way in Direction if at.step(way) in grid]
    return grid.with_bars(draw(st.sets(st.sampled_from(bars), max_size=4)))


words = st.text("ABZ09", min_size=2, max_size=5)
scores = st.integers(0, 100)
scored_words = st.dictionaries(words, scores, max_size=40)
patterns = st.text("ABZ09?", min_size=1, max_size=6)


@st.composite
def scores_and_patterns(draw: st.DrawFn) -> tuple[dict[str, int], list[str]]:
    """Words of a few lengths with scores, and patterns that contain letters of some of them."""
    length = st.integers(3, 6)
    alike = length.flatmap(lambda size: st.text("ABZ0", min_size=size, max_size=size))
    words_of_list = draw(st.dictionaries(alike, scores, min_size=1, max_size=60))
    chosen = draw(
        st.lists(st.tuples(st.sampled_from(sorted(words_of_list)), st.text("y?", min_size=6, max_size=6)))
    )
    masked = [
        "".join("?" if mark == "?" else letter for letter, mark in zip(word, mask, strict=False))
        for word, mask in chosen
    ]
    return words_of_list, [*masked, draw(patterns)]
