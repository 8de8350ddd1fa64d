"""Drawing of the grid at each size: it always matches the grid, and only changes are redrawn."""

import itertools
import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from textual.geometry import Size

from tests.tui.conftest import OpenStage
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Bar, Content, Direction, Grid, Ink, Kind, Position, Puzzle, Square
from xwtui.session.messages import LexiconReady
from xwtui.tui.drawings import (
    BOXES,
    Arms,
    CompactDrawing,
    Drawing,
    RuledDrawing,
    Weight,
    drawings_for,
    largest_drawing,
)
from xwtui.tui.picture import Band, Picture, Tint, tints
from xwtui.tui.square_style import COMING_BLOCK, Brush, has_colours, reading, readings, square_face
from xwtui.tui.themes import (
    FEW_COLOURS_THEME,
    NO_COLOUR_THEME,
    ColourTheme,
    Palette,
    load_themes,
    load_user_themes,
    suitable_theme,
)
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import sparkline

DRAWINGS = drawings_for(Size(200, 60))
LOOKS = load_themes()
DARK = LOOKS["dark"].palette

_contents = st.one_of(
    st.none(),
    st.sampled_from(["A", "7", "QU", "THE", "HEART"]).map(Content.of),
    st.just(Content("X", "TIMES")),
)
_squares = st.one_of(
    st.just(Square(Kind.BLOCK)),
    st.just(Square(Kind.VOID)),
    st.builds(
        Square,
        kind=st.just(Kind.OPEN),
        content=_contents,
        ink=st.sampled_from(list(Ink)),
        circle=st.booleans(),
        shade=st.booleans(),
    ),
)


@st.composite
def pictures(draw: st.DrawFn, height: int = 4, width: int = 5) -> Picture:
    grid = Grid(height, width, tuple(draw(_squares) for _ in range(height * width)))
    bars = draw(st.frozensets(st.sampled_from(_all_bars(height, width)), max_size=4))
    position = Position(draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1)))
    places = st.sampled_from(list(grid.positions()))
    searching = draw(st.booleans())
    search = draw(st.dictionaries(places, st.just(Content.of("S")), max_size=4)) if searching else {}
    undone = draw(st.frozensets(places, max_size=3)) if searching else frozenset()
    direction = draw(st.sampled_from(list(Direction)))
    return Picture(
        grid.with_bars(bars),
        position,
        direction,
        search,
        undone,
        searching,
        changed=draw(st.frozensets(places, max_size=3)),
        faults=draw(st.frozensets(places, max_size=3)),
        heat=draw(st.dictionaries(places, st.floats(0, 1), max_size=4)),
        is_ghost=draw(st.booleans()),
        hinted=draw(st.frozensets(places, max_size=3)),
    )


def test_a_hint_shows_its_blocks_only_in_empty_squares() -> None:
    square = Square(Kind.OPEN, Content.of("A"))
    grid = Grid.blank(3, 3).with_squares({Position(0, 0): square})
    picture = Picture(grid, Position(2, 2), hinted=frozenset((Position(0, 0), Position(0, 1))))
    texts = ["".join(text for text, _ in square_face(picture, Position(0, at), DARK, 3)[0]) for at in range(3)]
    assert texts == [" A ", COMING_BLOCK * 3, " · "]


def _all_bars(height: int, width: int) -> list[Bar]:
    grid = Grid.blank(height, width)
    steps = [(at, at.step(direction)) for at in grid.positions() for direction in Direction]
    return [Bar.between(at, near) for at, near in steps if near in grid]


@pytest.mark.parametrize("drawing", DRAWINGS, ids=repr)
@given(picture=pictures())
def test_every_line_has_the_width_of_the_grid(drawing: Drawing, picture: Picture) -> None:
    size = drawing.size(picture.grid)
    brush = Brush(picture, DARK, DARK.open)
    for y in range(size.height):
        text = "".join(segment.text for segment in drawing.line(brush, y))
        assert cell_len(text) == size.width
        assert all(unicodedata.east_asian_width(character) not in "WF" for character in text)


@pytest.mark.parametrize("drawing", DRAWINGS, ids=repr)
@given(before=pictures(), after=pictures())
def test_rows_not_reported_as_changed_look_the_same(drawing: Drawing, before: Picture, after: Picture) -> None:
    after = replace(after, grid=_with_layout_of(before.grid, after.grid))
    changed = after.changed_squares(before)
    if changed is None:
        return
    rows = {position.row for position in changed}
    brush, anew = Brush(before, DARK, DARK.open), Brush(after, DARK, DARK.open)
    lines = range(drawing.size(after.grid).height)
    old = [list(drawing.line(brush, y)) for y in lines]
    brush.update(after, changed)
    regions = [drawing.region(Position(row, 0)) for row in rows]
    named = {y for region in regions for y in range(region.y, region.bottom)}
    for y in lines:
        assert drawing.line(brush, y) == drawing.line(anew, y)
        assert y in named or drawing.line(anew, y) == old[y]


def _with_layout_of(layout: Grid, grid: Grid) -> Grid:
    """Return one grid's letters in another's blocks and bars, so that most pictures differ in few rows."""
    squares = {
        at: square if square.is_open and layout[at].is_open else layout[at]
        for at, square in zip(grid.positions(), grid.squares, strict=True)
    }
    return layout.with_squares(squares)


@pytest.mark.parametrize("drawing", DRAWINGS, ids=repr)
def test_a_square_is_found_from_its_middle(drawing: Drawing) -> None:
    grid = Grid.blank(4, 5)
    for at in grid.positions():
        region = drawing.region(at)
        assert drawing.position_at(grid, region.x + region.width // 2, region.y + region.height // 2) == at
    assert drawing.position_at(grid, 1000, 0) is None
    assert drawing.position_at(grid, 0, 1000) is None


def test_every_combination_of_lines_has_a_box_character() -> None:
    assert len(BOXES) == 3**4
    assert BOXES[Arms(*[Weight.LIGHT] * 4)] == "┼"
    assert BOXES[Arms(Weight.HEAVY, Weight.LIGHT, Weight.LIGHT, Weight.LIGHT)] == "╀"
    assert BOXES[Arms(right=Weight.LIGHT, down=Weight.HEAVY)] == "┎"


@pytest.mark.parametrize(
    ("content", "width", "shown"),
    [
        (Content.of("A"), 3, "A"),
        (Content.of("THE"), 3, "THE"),
        (Content.of("HEART"), 3, "HE…"),
        (Content.of("HEART"), 2, "H…"),
        (Content("X", "TIMES"), 3, "X/T"),
        (Content("X", "TIMES"), 2, "X…"),
    ],
)
def test_content_is_shown_as_far_as_it_fits(content: Content, width: int, shown: str) -> None:
    assert reading(content, width) == shown


@pytest.mark.parametrize(
    ("content", "last", "shown"),
    [
        (Content.of("A"), 6, ["A"]),
        (Content.of("HEARTS"), 6, ["HEARTS"]),
        (Content.of("HEARTS"), 5, ["HEART", "S"]),
        (Content.of("ABCDEFGHIJKL"), 6, ["ABCDEF", "GHIJKL"]),
        (Content.of("ABCDEFGHIJKL"), 5, ["ABCDEF", "GHIJ…"]),
        (Content("X", "MANY"), 6, ["X/MANY"]),
        (Content("X", "TIMES"), 6, ["X/", "TIMES"]),
    ],
)
def test_a_large_square_has_two_lines_of_content(content: Content, last: int, shown: list[str]) -> None:
    assert readings(content, [6, last]) == shown


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_inks_differ_by_more_than_color(look: ColourTheme) -> None:
    palette = look.palette
    ways = [_ways(style) for style in (palette.pencil, palette.pen, palette.locked)]
    assert len(set(ways)) == 3


def _ways(style: Style) -> tuple[bool, ...]:
    return bool(style.bold), bool(style.italic), bool(style.underline), bool(style.dim), bool(style.reverse)


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_states_in_the_grid_are_distinguishable(look: ColourTheme) -> None:
    palette: Palette = look.palette
    grounds = [palette.block, palette.open, palette.open + palette.entry, palette.open + palette.cursor]
    assert len({(_ways(style), style.bgcolor) for style in grounds}) == len(grounds)
    hands = [palette.open + style for style in (palette.pencil, palette.search, palette.undone)]
    assert len({(_ways(style), style.color, style.bgcolor) for style in hands}) == len(hands)


_ELSEWHERE = Position(2, 1)
_HERE = Position(0, 1)
_PLACES: Mapping[str, Callable[[Picture], Picture]] = {
    "plain": replace,
    "cursor": partial(replace, cursor=_HERE),
    "entry": partial(replace, cursor=Position(0, 0)),
    "crossing": partial(replace, cursor=Position(1, 1)),
    "selection": partial(replace, selection=frozenset((_HERE,))),
    "fault": partial(replace, faults=frozenset((_HERE,))),
    "stopped": partial(replace, stopped=frozenset((_HERE,))),
    "change": partial(replace, changed=frozenset((_HERE,))),
    "better": partial(replace, better=frozenset((_HERE,))),
    "undone": partial(replace, undone=frozenset((_HERE,))),
    **{f"heat {step}": partial(replace, heat={_HERE: step / 5 + 0.1}) for step in range(5)},
    **{f"tint {band}": partial(replace, tints={_HERE: Tint(band, 31)}) for band in Band},
    "search": partial(replace, search={_HERE: Content.of("S")}, searching=True),
    "ghost": partial(replace, search={_HERE: Content.of("S")}, searching=True, is_ghost=True),
    "live": partial(replace, live={_HERE: Content.of("S")}),
}
"""States that a picture of a 3x3 grid can show for the middle square of the first row."""


def _square_of_every_kind() -> Iterator[tuple[str, Picture]]:
    """Yield circled squares in every ink, shaded or not, in each state, in the current entry or not."""
    for ink, shade in itertools.product((None, *Ink), (False, True)):
        content = None if ink is None else Content.of("A")
        square = Square(Kind.OPEN, content, ink or Ink.PENCIL, circle=True, shade=shade)
        squares = [square if at == 1 else Square(Kind.OPEN) for at in range(9)]
        for (name, place), where in itertools.product(_PLACES.items(), ("", "entry")):
            picture = place(Picture(Grid(3, 3, tuple(squares)), _ELSEWHERE._replace(column=0)))
            named = f"{name} {where} {ink} {shade=}"
            yield named, picture if not where or name == "cursor" else _PLACES[where](picture)


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_square_contents_are_legible_in_every_ink_on_every_background(look: ColourTheme) -> None:
    """WCAG 2 contrast: 4.5 for letters and digits, 3 for marks; 7 for pen in high contrast."""
    pale = set()
    for name, picture in _square_of_every_kind():
        if picture.tints and not has_colours(look.palette):
            continue  # it has no tints
        is_pen = picture.grid[_HERE].ink in (Ink.PEN, Ink.LOCKED) and look.name.startswith("contrast")
        for text, style in itertools.chain(*square_face(picture, _HERE, look.palette, 6, 2)):
            is_text = any(character.isalnum() for character in text)
            wanted = (7.0 if is_pen and name.startswith(("plain ", "entry ")) else 4.5) if is_text else 3.0
            shown = look.palette.open + style
            is_rough = not is_text and look.name in _WITH_GROUNDS
            ratio = min(_contrast(shown), _contrast(_in_256(shown)) if is_rough else wanted)
            if text.strip() and ratio < wanted:
                pale.add(f"{text.strip()} {name}: {ratio:.2f}")
    assert not pale


_WITH_GROUNDS = [name for name, look in LOOKS.items() if (look.theme.background or "").startswith("#")]
_WORDS = ("text", "muted", "heading", "accent", "good", "warning", "bad", "search")


@pytest.mark.parametrize("name", _WITH_GROUNDS)
def test_text_colors_are_legible_on_every_background(name: str) -> None:
    """At least 4.5; the highlighted row has its own test."""
    look = LOOKS[name]
    pale = set()
    for where, word in itertools.product(("background", "surface"), _WORDS):
        color, ground = getattr(look.palette, word).color, Color.parse(getattr(look.theme, where))
        if (ratio := _contrast(Style(color=color, bgcolor=ground))) < 4.5:
            pale.add(f"{word} on {where}: {ratio:.2f}")
    title = Color.parse(look.theme.accent or ""), Color.parse(look.theme.surface or "")
    assert _contrast(Style(color=title[0], bgcolor=title[1])) >= 4.5, "the titles of boxes"
    assert not pale


@pytest.mark.parametrize("keys", [(), ("tab",)], ids=["pointed at", "with the keyboard"])
@pytest.mark.parametrize("name", _WITH_GROUNDS)
async def test_the_highlighted_row_is_legible(stage: OpenStage, name: str, keys: tuple[str, ...]) -> None:
    async with stage(Puzzle(grid_from_text("CAT\n...\n...")), theme=name) as on:
        for _ in range(2):
            await on.press(*keys)
            for rows in (on.editor.desk.entries, on.editor.desk.candidates, on.editor.desk.clues):
                line = rows.render_line(max(rows.current - rows.top, 0)) if rows.rows else ()
                written = [segment for segment in line if any(map(str.isalnum, segment.text))]
                assert all(_contrast(segment.style or Style()) >= 4.5 for segment in written)
            await on.press("escape", "down", "right")  # from a finished entry to an unfinished one


def _in_256(style: Style) -> Style:
    color, ground = (one.downgrade(ColorSystem.EIGHT_BIT) if one else None for one in (style.color, style.bgcolor))
    return Style(color=color, bgcolor=ground)


@pytest.mark.parametrize("name", ["dark", "light", "contrast", "contrast-light", "colour-blind"])
def test_heat_backgrounds_form_one_scale(name: str) -> None:
    """Lightness, visible to all eyes, changes monotonically, away from the background of open squares."""
    palette = LOOKS[name].palette
    shades = [_luminance(step.bgcolor.get_truecolor()) for step in palette.heats if step.bgcolor is not None]
    assert len(shades) == len(palette.heats)
    assert shades == sorted(shades, reverse=not LOOKS[name].theme.dark)
    ratios = [(max(pair) + 0.05) / (min(pair) + 0.05) for pair in itertools.pairwise(shades)]
    assert min(ratios) > 1.25
    assert all(_contrast(palette.open + step) >= 4.5 for step in palette.heats)
    assert _contrast(palette.open + palette.ghost) >= 4.0


@pytest.mark.parametrize("eye", ["protanopia", "deuteranopia", "tritanopia"])
def test_backgrounds_of_the_color_blind_theme_differ_for_every_eye(eye: str) -> None:
    palette = LOOKS["colour-blind"].palette
    styles = (palette.open, palette.block, palette.entry, palette.cursor, palette.selection, palette.undone)
    seen = [_seen_by(eye, style) for style in (*styles, palette.better)]
    for one, other in itertools.combinations(seen, 2):
        assert math.dist(one, other) > 10, (one, other)


EYES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
}
"""Linear RGB as seen without one type of cones (Machado and others, IEEE TVCG 2009)."""


def _seen_by(eye: str, style: Style) -> tuple[float, float, float]:
    """Return a style's background as an eye sees it, in CIE L*a*b* under D65."""
    assert style.bgcolor is not None
    linear = _linear(style.bgcolor.get_truecolor())
    red, green, blue = (sum(a * b for a, b in zip(row, linear, strict=True)) for row in EYES[eye])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (math.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


OWN = """base = "dark"
summary = "mine"
[theme]
primary = "#123456"
[palette]
pen = "bold #ffffff"
"""


def test_a_users_theme_lists_only_its_differences(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(OWN, encoding="utf-8")
    (tmp_path / "wrong.toml").write_text('base = "nowhere"', encoding="utf-8")
    (tmp_path / "half.toml").write_text('summary = "half"\n[palette]\npen = "bold"\n', encoding="utf-8")
    (tmp_path / "torn.toml").write_text("[palette\n", encoding="utf-8")
    own, problems = load_user_themes(LOOKS, tmp_path)
    assert list(own) == ["mine"]
    assert own["mine"].theme.primary == "#123456"
    assert own["mine"].theme.background == LOOKS["dark"].theme.background
    assert own["mine"].palette == replace(DARK, pen=Style.parse("bold #ffffff"))
    assert sorted(problem.split(":")[1].split()[0] for problem in problems) == [
        "half.toml",
        "torn.toml",
        "wrong.toml",
    ]


@pytest.mark.parametrize(
    "text",
    [
        b"# \xff\xfe\n",
        b'base = "dark"\n[theme]\nprimary = "no colour"\n',
        b'base = "dark"\n[theme]\nprimary = 7\n',
        b'base = "dark"\n[theme]\nluminosity_spread = "wide"\n',
        b'base = "dark"\n[theme]\nvariables = 7\n',
        b'base = "dark"\n[theme.variables]\nborder = "no colour"\n',
        b'base = "dark"\n[theme.variables]\nborder = 7\n',
        b'base = ["dark"]\n',
        b"base = " + b"[" * 5_000,
    ],
)
def test_an_unusable_theme_is_left_out_and_reported_once(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "bad.toml").write_bytes(text)
    (tmp_path / "mine.toml").write_text(OWN, encoding="utf-8")
    own, problems = load_user_themes(LOOKS, tmp_path)
    assert list(own) == ["mine"]
    (problem,) = problems
    assert problem.count("bad.toml") == 1
    assert problem.isprintable()


def test_a_missing_theme_folder_is_ignored(tmp_path: Path) -> None:
    assert load_user_themes(LOOKS, tmp_path / "none") == ({}, ())


WHITE = (255, 255, 255)
_XTERM = TerminalTheme(
    (0, 0, 0),
    (229, 229, 229),
    [
        (0, 0, 0),
        (205, 0, 0),
        (0, 205, 0),
        (205, 205, 0),
        (0, 0, 238),
        (205, 0, 205),
        (0, 205, 205),
        (229, 229, 229),
    ],
    [(127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255), WHITE],
)
"""Colors of xterm, for themes that leave them to the terminal."""


def _contrast(style: Style) -> float:
    colour, ground = style.color or Color.default(), style.bgcolor or Color.default()
    shown = colour.get_truecolor(_XTERM), ground.get_truecolor(_XTERM, foreground=False)
    dark, light = sorted(map(_luminance, shown))
    return (light + 0.05) / (dark + 0.05)


def _linear(colour: tuple[int, int, int]) -> list[float]:
    parts = [value / 255 for value in colour]
    return [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _luminance(colour: tuple[int, int, int]) -> float:
    linear = _linear(colour)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_terminal_gets_a_theme_it_can_show() -> None:
    assert suitable_theme(LOOKS, "light", "truecolor", no_colour=False).name == "light"
    assert suitable_theme(LOOKS, "gone", "256", no_colour=False).name == "dark"
    assert suitable_theme(LOOKS, "light", "standard", no_colour=False).name == FEW_COLOURS_THEME
    assert suitable_theme(LOOKS, "light", "truecolor", no_colour=True).name == NO_COLOUR_THEME
    assert suitable_theme(LOOKS, "light", None, no_colour=False).name == NO_COLOUR_THEME


def test_a_sparkline_scales_to_its_highest_value() -> None:
    assert sparkline([0, 7, 3], 10) == "▁█▄"
    assert sparkline([1, 2, 3], 2) == "▅█"
    assert sparkline([0, 0], 5) == "▁▁"
    assert sparkline([], 5) == ""


def test_a_circle_surrounds_the_letter() -> None:
    grid = Grid.blank(3, 3).with_squares({Position(0, 0): Square(content=Content.of("A"), circle=True)})
    picture = Picture(grid, Position(2, 2))
    for size, wanted in {(3, 1): ["(A)"], (4, 1): ["(A) "], (6, 2): [" (A)  ", "      "]}.items():
        lines = square_face(picture, Position(0, 0), DARK, *size)
        assert ["".join(part for part, _ in line) for line in lines] == wanted


@pytest.mark.parametrize("width", [2, 3])
def test_a_bar_leaves_letters_in_their_columns(width: int) -> None:
    grid = grid_from_text("ABCD\n....\n....")
    barred = grid.with_bars(frozenset({Bar(Position(0, 1), Position(0, 2))}))
    columns = []
    for each in (grid, barred):
        line = CompactDrawing(width).line(Brush(Picture(each, Position(0, 0)), DARK, DARK.open), 0)
        columns.append(
            [at for at, character in enumerate("".join(part.text for part in line)) if character in "ABCD"]
        )
    assert columns[0] == columns[1]


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (40, 12)])
async def test_the_cursor_stays_in_view_in_the_largest_grid(stage: OpenStage, size: tuple[int, int]) -> None:
    async with stage(Puzzle.blank(40, 40), size=size) as on:
        view = on.editor.desk.grid
        for keys in (["ctrl+end"], ["pagedown"], ["ctrl+home"], ["pageup"], ["tab"]):
            await on.press(*keys)
            assert view.content_region.contains_region(view.cursor_region()), keys


async def test_typing_a_letter_redraws_at_most_two_rows(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(15, 15)) as on:
        view = on.editor.desk.grid
        before = view.lines_drawn
        await on.press("a")
        assert view.lines_drawn - before <= 2 + 15, "the row, and the crossing entry that the cursor went to"
        await on.press("end")
        before = view.lines_drawn
        await on.press("b")
        assert view.lines_drawn - before == 1


async def test_the_editor_is_laid_out_once_at_the_start(stage: OpenStage, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms: list[tuple[int, int]] = []
    fit = GridView.fit

    def counted(self: GridView, width: int, height: int) -> Size:
        rooms.append((width, height))
        return fit(self, width, height)

    monkeypatch.setattr(GridView, "fit", counted)
    async with stage(Puzzle.blank(15, 15), size=(120, 40)) as on:
        assert len(rooms) == 1
        await on.pilot.resize_terminal(80, 24)
        await on.pilot.pause()
        assert len(rooms) == 2


async def test_the_terminal_can_be_resized(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(15, 15)) as on:
        for size in ((120, 40), (50, 20), (200, 60), (80, 24)):
            await on.pilot.resize_terminal(*size)
            await on.pilot.pause()
            view = on.editor.desk.grid
            assert view.content_region.contains_region(view.cursor_region()), size
            assert view.region.right <= size[0]


FILLED = """\
CAT#.
O.O#.
W[HEARTOFGOLD]P..
"""


@pytest.mark.parametrize(
    ("side", "size", "wanted"),
    [
        (15, (80, 24), CompactDrawing(3)),
        (21, (100, 30), CompactDrawing(3)),
        (15, (100, 40), RuledDrawing(3)),
        (15, (120, 40), RuledDrawing(4)),
        (21, (120, 40), CompactDrawing(3)),
        (5, (80, 24), RuledDrawing(3)),
        (5, (120, 40), RuledDrawing(10, 4)),
        (9, (119, 60), RuledDrawing(3)),
        (9, (120, 40), RuledDrawing(6, 2)),
        (15, (180, 50), RuledDrawing(6, 2)),
        (21, (180, 50), RuledDrawing(4)),
        (15, (200, 60), RuledDrawing(6, 2)),
        (21, (200, 60), RuledDrawing(4)),
        (25, (200, 60), RuledDrawing(4)),
    ],
)
async def test_a_grid_is_drawn_as_large_as_fits(
    stage: OpenStage, side: int, size: tuple[int, int], wanted: Drawing
) -> None:
    async with stage(Puzzle.blank(side, side), size=size) as on:
        view = on.editor.desk.grid
        assert view._drawing == wanted
        taken = wanted.size(on.grid)
        assert taken.width <= view.content_size.width
        assert taken.height <= view.content_size.height
        panel = on.editor.desk.entries.region
        assert view.region.right <= panel.x
        assert panel.right <= size[0]
        assert panel.width >= 30
        assert on.editor.desk.candidates.region.height >= 3
        lines = on.text().splitlines()
        assert any(f"{side}×{side}" in line for line in lines[:2]), "the title is seen"
        assert any(" 1A " in line and "across" in line for line in lines[:2]), "and the entry"
        assert any("ENTRIES" in line for line in lines)
        assert "F5" in lines[-1]


def test_a_size_that_does_not_fit_falls_back_to_the_next_smaller() -> None:
    grid, screen = Grid.blank(15, 15), Size(300, 100)
    drawings = drawings_for(screen)
    for larger, smaller in pairwise(drawings):
        assert largest_drawing(grid, larger.size(grid).width + larger.frame, 200, screen) == larger
        assert largest_drawing(grid, larger.size(grid).width + larger.frame - 1, 200, screen) == smaller
    assert largest_drawing(grid, 10, 10, screen) is None


async def test_a_rebus_is_shown_in_full_in_large_squares(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text(FILLED)), size=(200, 60)) as on:
        text = on.text()
    assert "HEARTOFGOLD" in text


SCORES = {"CAT": 60, "COW": 55, "TOP": 41, "WHEARTOFGOLDP": None}


def test_a_square_is_tinted_by_its_weakest_entry() -> None:
    found = tints(Puzzle(grid_from_text(FILLED)), SCORES.get)
    assert found[Position(0, 1)] == Tint(Band.GOOD, 60)
    assert found[Position(0, 0)] == found[Position(1, 0)] == Tint(Band.FAIR, 55)
    assert found[Position(0, 2)] == found[Position(1, 2)] == Tint(Band.WEAK, 41)
    assert Position(1, 1) not in found, "its entry is not finished"
    assert [found[at].sign for at in ((Position(0, 1)), Position(0, 0), Position(0, 2))] == ["", "", "41"]


def _tinted(view: GridView) -> bool:
    return view.picture is not None and bool(view.picture.tints)


async def test_tints_appear_with_large_squares_and_can_be_toggled(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text(FILLED)), size=(200, 60)) as on:
        await on.tell(LexiconReady(126_000, 0.1))
        assert _tinted(on.editor.desk.grid)
        assert "weakest entry: below 50, 50 to 59, from 60" in on.text()
        await on.press("dollar_sign")
        assert not _tinted(on.editor.desk.grid)
        assert "weakest entry" not in on.text()
        await on.press("dollar_sign")
        assert _tinted(on.editor.desk.grid)
        await on.pilot.resize_terminal(80, 24)
        await on.pilot.pause()
        assert not _tinted(on.editor.desk.grid)
        await on.pilot.resize_terminal(200, 60)
        await on.pilot.pause()
        assert _tinted(on.editor.desk.grid)
    async with stage(Puzzle(grid_from_text(FILLED)), size=(80, 24)) as on:
        await on.tell(LexiconReady(126_000, 0.1))
        assert not _tinted(on.editor.desk.grid)


async def test_nothing_is_tinted_without_colors(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text(FILLED)), size=(200, 60), theme="mono") as on:
        await on.tell(LexiconReady(126_000, 0.1))
        assert not _tinted(on.editor.desk.grid)
        assert "weakest entry" not in on.text()


async def test_a_smaller_puzzle_changes_the_layout_however_it_is_shown_first(stage: OpenStage) -> None:
    open_grid = [grid_from_text("\n".join(["." * side] * side)) for side in (9, 5)]
    async with stage(Puzzle(open_grid[0]), size=(120, 40)) as on:
        on.bench.new(Puzzle(open_grid[1]))
        on.editor.show_picture()  # as when a count or a run reports something
        await on.pilot.pause()
        drawn = on.editor.desk.grid
        assert drawn.virtual_size == drawn._drawing.size(open_grid[1])
