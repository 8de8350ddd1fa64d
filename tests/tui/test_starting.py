"""The start screen: recent puzzles, template search, a theme."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.examples import is_deep
from tests.known import known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from xwtui import start
from xwtui.errors import XwtuiError
from xwtui.formats.registry import write_puzzle
from xwtui.grids.library import own_layouts
from xwtui.grids.templates import find_templates, read_query
from xwtui.model import Bar, Direction, Grid, Ink, Position, Puzzle
from xwtui.resources import puzzles_folder
from xwtui.session.recent import RecentPuzzles
from xwtui.tui import app
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.layouts import LayoutList, LayoutScreen
from xwtui.tui.screens.start import StartOption, StartOptionList, StartScreen
from xwtui.tui.widgets.small_grids import GridPanes, GridPreview, SmallGrid


def rows(screen: object) -> list[StartOption]:
    assert isinstance(screen, StartScreen)
    return list(screen.query_one(StartOptionList).rows)


async def test_lay_out_is_selected_and_one_key_opens_the_last_puzzle(
    stage: OpenStage, small: Puzzle, tmp_path: Path
) -> None:
    """Control characters in a name do not affect the terminal; a missing file is not offered."""
    odd, gone = tmp_path / "he\x1b[31mart.ipuz", tmp_path / "gone.ipuz"
    shutil.copy(puzzles_folder() / "heart-to-heart.ipuz", odd)
    shutil.copy(odd, gone)
    recent = RecentPuzzles()
    recent.note(odd)
    recent.note(gone)
    gone.unlink()
    async with stage(small, offers_start=True) as on:
        assert [row.path for row in rows(on.app.screen) if row.kind == "recent"] == [odd]
        assert [row.kind for row in rows(on.app.screen)[:2]] == ["lay out", "blank"]
        assert "he\\x1b[31mart.ipuz" in on.text()
        assert "\x1b[31mart" not in on.text()
        assert on.app.screen.query_one(StartOptionList).current == 0
        assert "R last puzzle" in on.text()
        await on.press("r")
        assert isinstance(on.app.screen, Editor)
        assert on.bench.document.path == odd


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_all_start_options_are_visible_if_they_fit(
    stage: OpenStage, small: Puzzle, tmp_path: Path, size: tuple[int, int]
) -> None:
    for name in ("a", "b", "c", "d", "e", "f"):
        shutil.copy(puzzles_folder() / "heart-to-heart.ipuz", tmp_path / f"{name}.ipuz")
        RecentPuzzles().note(tmp_path / f"{name}.ipuz")
    async with stage(small, offers_start=True, size=size) as on:
        listed = on.app.screen.query_one(StartOptionList)
        assert listed.size.height == min(len(listed.rows), size[1] - 1 - 7)
        assert all(row.name in on.text() for row in listed.rows[: listed.size.height])


async def test_a_saved_puzzle_is_offered_at_the_next_start(on: Stage, tmp_path: Path) -> None:
    await on.type("cat")
    await on.verb(f"save {tmp_path / 'mine.ipuz'}")
    assert RecentPuzzles().files == (tmp_path / "mine.ipuz",)


async def test_an_unreadable_recent_puzzle_is_explained(stage: OpenStage, small: Puzzle, tmp_path: Path) -> None:
    broken = tmp_path / "broken.ipuz"
    broken.write_text("{")
    RecentPuzzles().note(broken)
    async with stage(small, offers_start=True) as on:
        await on.press("r")
        assert isinstance(on.app.screen, StartScreen), "one may choose another"
        await on.press("down", "enter")
        assert isinstance(on.app.screen, Editor)


async def test_a_template_is_found_by_typing_and_opened(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press("enter")
        screen = on.showing(LayoutScreen)
        await on.type("15x15 11,11 <78")
        expected = find_templates(read_query("15x15 11,11 <78"))
        assert [row.name for row in screen.query_one(LayoutList).rows] == [one.template.name for one in expected]
        assert expected[0].template.name in on.text()
        await on.press("down")
        shown = known(next(iter(screen.query(SmallGrid))).picture)
        assert shown.grid == expected[1].template.grid, "the picture follows"
        await on.press("enter")
        assert isinstance(on.app.screen, Editor)
        assert on.grid == expected[1].template.grid


async def test_leaving_the_templates_returns_to_the_start(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press("enter", "escape")
        assert isinstance(on.app.screen, StartScreen)
        await on.press("enter" if rows(on.app.screen) else "escape")


async def test_nothing_is_counted_before_a_grid_is_chosen(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        assert on.bench.jobs.is_inactive
        await on.press("enter")
        assert on.bench.jobs.is_inactive, "the layouts cover it"
        await on.press("escape")
        await until(on, lambda: on.bench.jobs.is_inactive, "the start screen")
        assert isinstance(on.app.screen, StartScreen)
        await on.press("escape")
        await until(on, lambda: not on.bench.jobs.is_inactive, "the editor")
        assert isinstance(on.app.screen, Editor)
    async with stage(small, offers_start=True) as on:
        await on.press("enter", "colon", *"help", "enter")
        await on.press("escape")
        await until(on, lambda: not on.bench.jobs.is_inactive, "the editor")


async def test_a_verb_typed_in_the_room_runs_as_a_verb(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press("enter", "colon", *"title", "space", "x", "enter")
        assert isinstance(on.app.screen, Editor)
        assert (on.grid, on.bench.puzzle.title) == (small.grid, "x")


async def test_a_theme_is_typed_and_locked_in_a_matching_template(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True, size=(120, 40)) as on:
        await on.press("enter")
        screen = on.showing(LayoutScreen)
        await on.type("dog catchers, lo[cat")
        assert "is not an answer" in on.text()
        await on.type("]ionscout")
        assert screen.query_one(LayoutList).rows[0].is_wanted
        picture = known(next(iter(screen.query(SmallGrid))).picture)
        assert "DOGCATCHERS" in map(picture.grid.answer, picture.grid.slots)
        await on.press("enter", "enter", "enter")
        grid = on.grid
        given = [
            grid.pattern(slot) for slot in grid.slots if all(grid[at].ink is Ink.LOCKED for at in slot.positions)
        ]
        assert given == ["DOGCATCHERS", "LO[CAT]IONSCOUT"]


async def test_no_layouts_are_generated_for_invalid_queries(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        await on.press("enter")
        await on.type("13x15 down & across")
        asked = len(on.bench.asked)
        await on.press("f5")
        assert "'&' has no letters or digits" in on.text()
        assert (len(on.bench.asked), on.showing(LayoutScreen).query_one(LayoutList).rows) == (asked, ())


async def test_a_theme_that_does_not_fit_entirely_is_refused(stage: OpenStage, small: Puzzle) -> None:
    """Same refusal as the verb's, and the list stays; no answer is left out without a message."""
    async with stage(small, offers_start=True, size=(80, 24)) as on:
        await on.press("enter")
        await on.type("braveheart, heartthrob, kindred")
        assert "no 15×15 template fits them, but a 19×19 one does; Enter designs" in " ".join(on.text().split())
        await on.type(" 15x15")
        screen = on.showing(LayoutScreen)
        assert not screen.query_one(LayoutList).rows[0].is_wanted
        assert "no template fits them all; Enter designs grids around them" in " ".join(on.text().split())
        await on.press("down", "enter")
        assert screen.is_current
        assert not screen.query_one(LayoutList).rows, "around a theme none is listed that has no room for it"


async def test_the_verb_shows_results_with_pictures(on: Stage) -> None:
    """The chosen one opens as with `new`, next to an edited puzzle, which loses nothing."""
    await on.verb("templates --size 13x13 --max-words 60")
    on.showing(LayoutScreen)
    assert "13x13 <=60" in on.text()
    await on.press("enter")
    assert on.grid.height == 13
    await on.type("cat")
    begun = on.bench.puzzle
    await on.verb("templates british")
    await on.press("enter")
    assert begun in [session.puzzle for session in on.app.puzzles.sessions], "it stays open"
    assert on.app.puzzles.current.puzzle != begun


async def test_generated_layouts_have_pictures_and_can_be_stored_and_opened(
    stage: OpenStage, small: Puzzle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    async with stage(small) as on:
        await on.verb("layouts 7x7 --profile mini --count 2")
        await until(on, lambda: "2 layouts drawn" in on.text(), "the layouts")
        screen = on.app.screen
        drawn = [row.grid for row in screen.query_one(LayoutList).rows if row.drawn]
        assert "2 layouts drawn" in on.text()
        await on.press("down", "ctrl+k")
        assert "1 layout added to your library" in on.text()
        assert [one.grid for one in own_layouts()] == [drawn[1]]
        await on.press("enter")
        assert on.app.puzzles.current.puzzle.grid == drawn[1]


def preview(on: Stage, grid: Grid) -> GridPreview:
    """Return the room's picture of a grid too large for two-cell squares."""
    screen = on.app.screen
    picture: GridPreview = screen.query_one(GridPreview)
    picture.display, screen.query_one(GridPanes).display = True, False
    picture.grid_shown = grid
    return picture


async def test_a_barred_templates_picture_has_bars(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(80, 24)) as on:
        await on.verb("templates barred-12x12-01")
        grid = on.app.screen.query_one(LayoutList).rows[0].grid
        picture = preview(on, grid)
        await on.pilot.pause()
        for row in range(grid.height):
            cells = [cell for segment in picture.render_line(row) for cell in [segment] * len(segment.text)]
            text = picture.render_line(row).text
            for column in range(grid.width):
                at = Position(row, column)
                has_bar, has_bar_below = (Bar(at, at.step(way)) in grid.bars for way in Direction)
                assert (text[2 * column + 1] == "┃") == has_bar
                style = cells[2 * column].style
                assert bool(style and style.underline) == has_bar_below


async def test_a_barred_templates_large_picture_has_lines_between_squares(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(120, 40)) as on:
        await on.verb("templates barred-12x12-01")
        grid = on.app.screen.query_one(LayoutList).rows[0].grid
        picture = preview(on, grid)
        await on.pilot.pause()
        lines = [picture.render_line(y).text.rstrip() for y in range(picture.size.height)]
        assert not any(lines[2 * grid.height + 1 :])
        for at in grid.positions():
            has_bar, has_bar_below = (Bar(at, at.step(way)) in grid.bars for way in Direction)
            y, x = 2 * at.row + 1, 2 * at.column + 1
            assert lines[y][x + 1] == ("┃" if has_bar else "│")
            assert lines[y + 1][x] == ("━" if has_bar_below else "─")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("theme", ["dark", "no-colour"] if is_deep() else ["dark"])
async def test_every_template_has_a_picture(
    stage: OpenStage, small: Puzzle, size: tuple[int, int], theme: str
) -> None:
    async with stage(small, size=size, theme=theme) as on:
        await on.verb("templates 25x25")
        room = on.app.screen
        grid = room.query_one(LayoutList).rows[0].grid
        picture = room.query_one(GridPreview)
        if not picture.display:
            assert next(iter(room.query(SmallGrid))).picture is not None
            return
        drawn = [picture.render_line(y).text.rstrip() for y in range(picture.size.height)]
        lines = [line for line in drawn if line]
        assert len(lines) in (grid.height, (grid.height + 1) // 2)


async def test_a_half_cell_picture_notes_that_bars_are_omitted(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(80, 24)) as on:
        await on.verb("templates barred-12x12-01")
        blank = Grid.blank(20, 25)
        picture = preview(on, blank.with_bars([Bar(Position(0, 0), Position(0, 1))]))
        await on.pilot.pause()
        assert [picture.render_line(y).text.strip() for y in (9, 10, 11)][1:] == ["bars not shown", ""]
        picture.grid_shown = blank
        assert picture.render_line(10).text.strip() == ""


def test_an_unreadable_file_does_not_prevent_opening_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Sequence[Path]] = []
    monkeypatch.setattr(start, "_is_terminal", lambda: True)
    monkeypatch.setattr(start, "_can_draw", lambda: True)
    monkeypatch.setattr(app, "run_screen", lambda paths, options: shown.append(paths))
    good, missing = tmp_path / "good.ipuz", tmp_path / "nofile.ipuz"
    write_puzzle(good, Puzzle.blank(3, 3))
    start.screen.main([str(good), str(missing)], standalone_mode=False)
    assert shown == [(good, missing)]
    with pytest.raises(XwtuiError, match="nofile"):
        start.screen.main([str(missing), str(missing)], standalone_mode=False)


async def test_an_unreadable_file_is_reported_with_those_opened(stage: OpenStage, tmp_path: Path) -> None:
    good, missing = tmp_path / "good.ipuz", tmp_path / "nofile.ipuz"
    write_puzzle(good, Puzzle.blank(3, 3))
    async with stage(Puzzle.blank(5, 5), path=[missing, good], size=(160, 24)) as on:
        assert [one.document.path for one in on.app.puzzles.sessions] == [good]
        assert "cannot read" in on.line("message")


async def test_a_message_for_the_editor_is_kept_once(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, offers_start=True) as on:
        for text in ("one", "two", "one"):
            on.app.add_problem(text)
        on.app.show_editor(True)
        await on.settle()
        assert on.line("message") == "one; two"
