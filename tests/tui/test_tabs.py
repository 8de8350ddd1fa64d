"""Several puzzles on the screen, each in a tab."""

import os
import random
import shutil
from pathlib import Path

import pytest
from textual.widgets import Static

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Position, Puzzle
from xwtui.session.fill_options import Mode
from xwtui.session.messages import FillEnded, JobFailed, Message
from xwtui.session.recent import RecentPuzzles
from xwtui.session.run_view import FoundFill, RunView
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.tui.screens.editor import Editor, Reported
from xwtui.tui.screens.findings import FindingsScreen
from xwtui.tui.screens.overlays import ChoiceScreen, DecisionScreen
from xwtui.tui.widgets.painted import Line

IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
A, B = "ABC\nDEF\nGHI", "JKL\nMNO\nPQR"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "a.ipuz", tmp_path / "b.ipuz"]
    for path, text in zip(paths, (A, B), strict=True):
        write_puzzle(path, puzzle_of_grid(grid_from_text(text)))
    return paths


async def opened(on: Stage, files: list[Path]) -> tuple[Session, Session]:
    """Open both files; the second is in front."""
    on.bench.open(files[0])
    await on.run(f"open {files[1]}")
    first, second = on.app.puzzles.sessions
    return first, second


async def press(on: Stage, *keys: str) -> None:
    """Press keys, and wait until all their effects are done."""
    await on.press(*keys)
    await on.settle()


async def tell(on: Stage, session: Session, report: Message) -> None:
    on.app.post_message(Reported(report, session))
    await on.pilot.pause()


def first_row(session: Session) -> str:
    return session.puzzle.grid.pattern(session.puzzle.grid.slot("1A"))


async def test_the_title_lists_the_tabs(files: list[Path], on: Stage) -> None:
    first, _ = await opened(on, files)
    assert on.line("title").startswith("1 a.ipuz  2 b.ipuz")
    assert on.line("message") == "b.ipuz: 3×3, 6 entries"
    await press(on, "x", "ctrl+pageup")
    assert on.line("title").startswith("1 a.ipuz  2 b.ipuz*")
    assert on.line("message") == "tab 1 of 2: a.ipuz"
    assert on.app.session is first
    assert on.editor.session is first


async def test_without_colors_the_front_tab_is_in_reverse_video(
    stage: OpenStage, small: Puzzle, files: list[Path]
) -> None:
    async with stage(small, size=(100, 24), path=files, theme="mono") as on:
        line = on.editor.query_one("#title", Line)
        turned = [one.text.strip() for one in line.render_line(0) if one.style is not None and one.style.reverse]
        assert turned == ["1 untitled"]


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (170, "1 untitled  2 a.ipuz  3 b.ipuz  4 march-puzzle-01.ipuz  5 march-puzzle-02.ipuz  6 last-one.ipuz "),
        (80, "1 unt…ed  2 a  3 b  4 mar…-01  5 mar…-02  6 last-one "),
        (62, "1  2 a  3 b  4  5  6 last-one "),
    ],
)
async def test_many_tabs_fit_into_the_title(
    stage: OpenStage, small: Puzzle, files: list[Path], width: int, told: str
) -> None:
    names = ("march-puzzle-01.ipuz", "march-puzzle-02.ipuz", "last-one.ipuz")
    more = [shutil.copy(files[1], files[1].with_name(name)) for name in names]
    async with stage(small, size=(width, 24), path=[*files, *more]) as on:
        on.app.puzzles.show(6)
        await on.pilot.pause()
        assert on.line("title").startswith(told)


async def test_tab_names_stay_while_only_figures_change(
    stage: OpenStage, small: Puzzle, files: list[Path]
) -> None:
    names = ("heart.ipuz", "heartland.ipuz", "a-puzzle-with-a-long-name.ipuz")
    more = [Path(shutil.copy(files[1], files[1].with_name(name))) for name in names]
    async with stage(small, path=more) as on:
        labels = set()
        for key in ("ctrl+pagedown", "a", "b", "c", "ctrl+z"):
            await on.press(key)
            labels.add(on.line("title").partition("×")[0].replace("*", " ").rpartition("  ")[0].rstrip())
        (told,) = labels - {""}
        assert told.count("…") == 1, told
        assert [piece.split()[0] for piece in told.split("  ")] == ["1", "2", "3", "4"]
        assert all(len(piece.split()) == 2 for piece in told.split("  ")), "each has a name"


_CHUNKS: tuple[list[str], ...] = (
    *([key] for key in ("ctrl+pagedown", "ctrl+pageup", "alt+right", "ctrl+z", "down", "space", "f2", "escape")),
    [*"cat"],
    ["colon", *"new", "space", "3", "enter", *"dog"],
    ["colon", *"tab", "space", "1", "enter", "x"],
    ["colon", *"tab", "enter"],
    ["colon", *"tab", "space", *"close", "enter", "down", "enter"],
)
"""What constructors type in one go."""


@pytest.mark.parametrize("seed", range(4 if IS_DEEP else 1))
async def test_a_burst_across_tabs_equals_its_keys_one_by_one(stage: OpenStage, small: Puzzle, seed: int) -> None:
    rng = random.Random(seed)
    keys = [key for _ in range(40 if IS_DEEP else 5) for key in rng.choice(_CHUNKS)]

    def outcome(on: Stage) -> list[tuple[Puzzle, bool, str]]:
        return [(one.puzzle, one is on.app.session, str(one.cursor.position)) for one in on.app.puzzles.sessions]

    async with stage(small) as on:
        for key in keys:
            await on.burst(key)
        slowly = outcome(on)
    async with stage(small) as on:
        await on.burst(*keys)
        assert outcome(on) == slowly


async def test_keys_typed_ahead_reach_their_tab(files: list[Path], on: Stage) -> None:
    first, second = await opened(on, files)
    await press(on, "x", "ctrl+pageup", "y", "z", "alt+right", "w", "colon", *"tab", "space", "1", "enter", "v")
    assert (first_row(first), first_row(second)) == ("YZV", "XWL")


async def test_keys_typed_ahead_of_a_new_tab_are_written_in_it(files: list[Path], on: Stage) -> None:
    on.bench.open(files[0])
    on.editor.line.ask(f"open {files[1]}")
    await on.burst("enter", "x", "y", "ctrl+pageup", "z")
    assert [first_row(session) for session in on.app.puzzles.sessions] == ["ZBC", "XYL"]


async def test_each_tab_has_its_own_undo_and_cursor(files: list[Path], on: Stage) -> None:
    first, second = await opened(on, files)
    await press(on, "down", "x", "ctrl+pageup", "y", "ctrl+z", "ctrl+pagedown")
    assert (first_row(first), str(first.cursor.position)) == ("ABC", "r1c1")
    assert second.puzzle.grid.pattern(second.puzzle.grid.slot("1D")) == "XMP"
    assert on.here == "r2c1 down"


async def test_background_messages_wait_and_the_end_is_reported(files: list[Path], on: Stage) -> None:
    first, _ = await opened(on, files)
    await tell(on, first, JobFailed("there is no count"))
    assert on.line("message") == "a.ipuz: there is no count"
    first.fills.kept = (FoundFill({}, 60.0, 50), FoundFill({}, 59.0, 50))
    await tell(on, first, FillEnded(RunView(Outcome.FILLED, mode=Mode.DIVERSE, found=2, wanted=2)))
    assert on.line("message") == "a.ipuz: found 2 fills"
    assert isinstance(on.app.screen, Editor)
    await press(on, "ctrl+pageup", "x")
    assert isinstance(on.app.screen, Editor), "what opens by itself would swallow what is typed ahead"
    assert first_row(first) == "XBC"


async def test_a_background_change_is_visible_when_the_tab_comes_to_the_front(
    files: list[Path], on: Stage
) -> None:
    first, _ = await opened(on, files)
    await press(on, "ctrl+pageup", "ctrl+pagedown")
    run_line(first, "set 1A XYZ")
    await on.pilot.pause()
    assert on.line("title").startswith("1 a.ipuz* 2 b.ipuz")
    await press(on, "ctrl+pageup")
    assert [on.letter_at(Position(0, column)) for column in range(3)] == ["X", "Y", "Z"]


async def test_another_puzzle_opens_next_to_unsaved_work(files: list[Path], on: Stage) -> None:
    await on.type("cat")
    await press(on, "ctrl+o", *str(files[0]), "enter")
    assert isinstance(on.app.screen, Editor)
    assert first_row(on.app.puzzles.sessions[0]) == "CAT"
    assert len(on.app.puzzles.sessions) == 2


async def test_closing_asks_if_work_is_unsaved(files: list[Path], on: Stage) -> None:
    first, second = await opened(on, files)
    await press(on, "x")
    await on.run("tab close")
    assert isinstance(on.app.screen, ChoiceScreen)
    await press(on, "down", "enter")
    assert on.app.session is second, "it goes on"
    on.editor.verbs.run("tab close")
    await press(on, "enter")
    assert on.app.puzzles.sessions == (first,)
    assert read_puzzle(files[1]).grid.pattern(second.puzzle.grid.slot("1A")) == "XKL"
    assert on.line("title").startswith("untitled") is False
    await on.run("tab close")
    assert "one puzzle is open" in on.line("message")
    await press(on, "y")
    assert first_row(first) == "YBC"


async def test_the_way_to_restore_discarded_work_is_shown(
    stage: OpenStage, small: Puzzle, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_words: list[str | None] = []
    async with stage(small) as on:
        await opened(on, files)
        await press(on, "x")
        on.editor.verbs.run("tab close")
        await press(on, "down", "down", "enter")
        assert on.line("message") == "closed b.ipuz; `discarded` brings it back for 30 days, without undo"
        await press(on, "y")
        with monkeypatch.context() as patch:
            patch.setattr(on.app, "exit", lambda _, message: last_words.append(message))
            on.editor.verbs.run("quit --force")
    assert last_words == ["a.ipuz is not saved; `discarded` brings it back for 30 days, without undo"]
    copies = [read_puzzle(path) for path in (tmp_path / "journals" / "discarded").iterdir()]
    assert sorted(copy.grid.pattern(copy.grid.slot("1A")) for copy in copies) == ["XKL", "YBC"]


async def test_quitting_asks_about_all_puzzles_together(files: list[Path], on: Stage, tmp_path: Path) -> None:
    await opened(on, files)
    on.app.puzzles.new(Puzzle.blank(3, 3))
    await on.pilot.pause()
    await press(on, "z", "ctrl+pageup", "y", "ctrl+pageup", "x")
    await press(on, "ctrl+q")
    assert isinstance(on.app.screen, DecisionScreen)
    assert "3 puzzles have unsaved changes." in on.text()
    assert "without its undo steps" in " ".join(on.text().split())
    assert "saves all 3 and quits" in on.text()
    await press(on, "d", "s", "down", "down", "right")
    assert "saves 2, leaves 1 for later and quits" in on.text()
    await press(on, "right")
    assert "saves 2, discards 1 and quits" in on.text()
    await press(on, "enter")
    assert isinstance(on.app.screen, Editor)
    assert on.prompt.field.value == "untitled.ipuz", "an untitled puzzle needs a name"
    assert on.app.puzzles.sessions[1].document.is_modified, "nothing is discarded before the end is sure"
    assert len(on.app.session.recoveries()) == 0, "these live still"
    await press(on, "escape")
    assert on.line("message") == "untitled was not saved, so it stays open"
    await press(on, "ctrl+q", "left", "enter")
    assert on.app.return_value == 0
    found = [read_puzzle(path) for path in files]
    assert [puzzle.grid.pattern(puzzle.grid.slot("1A")) for puzzle in found] == ["XBC", "JKL"]
    assert on.app.session.recoveries() == ()
    copies = [read_puzzle(path) for path in (tmp_path / "journals" / "discarded").iterdir()]
    assert sorted(copy.grid.pattern(copy.grid.slot("1A")) for copy in copies) == ["YKL", "Z??"]


async def test_names_keep_their_width_and_a_long_folder_is_shortened_in_the_middle(
    stage: OpenStage, tmp_path: Path
) -> None:
    folder = tmp_path.joinpath(*["a-folder-with-a-long-name"] * 6, "the-last-one")
    folder.mkdir(parents=True)
    paths = [folder / f"a-puzzle-of-a-long-name-with-the-number-{number}.ipuz" for number in range(2)]
    for path in paths:
        write_puzzle(path, puzzle_of_grid(grid_from_text(A)))
    async with stage(Puzzle.blank(3, 3)) as on:
        await opened(on, paths)
        await press(on, "x", "ctrl+pageup", "y", "ctrl+q", "down")

        def name() -> tuple[str, str]:
            (row,) = (line for line in on.text().splitlines() if "‹" in line)
            before, _, answer = row.partition("‹")
            return before, answer.split()[0]

        before, answer = name()
        assert "a-puzzle-of" in before
        assert answer == "save"
        await press(on, "right")
        assert name() == (before, "later")
        about = on.app.screen.query_one("#about", Static)
        lines = str(about.content).splitlines()
        assert len(lines) == 2
        assert "…" in "".join(lines)
        assert "the-last-one; last edit" in "".join(lines)


async def test_quitting_names_each_puzzle_and_asks_again_for_a_used_name(
    stage: OpenStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with stage(Puzzle.blank(3, 3)) as on:
        await press(on, "c", "a", "t")
        on.app.puzzles.new(Puzzle.blank(4, 4))
        await on.pilot.pause()
        await press(on, *"bird", "ctrl+q", "enter", "ctrl+u", *"one", "enter")
        assert on.app.session is on.app.puzzles.sessions[1]
        field = on.prompt.field
        assert field.value == "untitled.ipuz"
        await press(on, "ctrl+u", *"one", "enter")
        assert "one.ipuz already exists" in on.text()
        assert (on.app.is_running, field.value) == (True, "one")
        await press(on, "enter", "ctrl+u", *"two", "enter")
        assert on.app.return_value == 0
    files = [tmp_path / "one.ipuz", tmp_path / "two.ipuz"]
    found = [read_puzzle(file) for file in files]
    assert [puzzle.grid.pattern(puzzle.grid.slot("1A")) for puzzle in found] == ["CAT", "BIRD"]
    assert set(files) <= set(RecentPuzzles().files)


async def test_an_unused_name_is_suggested_before_closing(
    stage: OpenStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "untitled.ipuz").touch()
    async with stage(Puzzle.blank(3, 3)) as on:
        on.app.puzzles.new(Puzzle.blank(4, 4))
        await on.pilot.pause()
        await press(on, *"bird")
        on.editor.verbs.run("tab close")
        await press(on, "enter", "enter")
        assert len(on.app.puzzles.sessions) == 1
        assert on.line("message") == "closed untitled-2.ipuz"
    assert (tmp_path / "untitled-2.ipuz").stat().st_size


async def test_puzzles_without_a_file_are_distinguished_before_quitting(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(3, 3)) as on:
        await press(on, "c", "a", "t")
        on.app.puzzles.new(Puzzle.blank(5, 4))
        await on.pilot.pause()
        await press(on, "d", "ctrl+q")
        assert "1 untitled 3×3 CAT" in on.text()
        assert "2 untitled 5×4" in on.text()
        await press(on, "down")
        assert "1A CAT" in on.text()


async def test_the_first_row_answers_for_all_puzzles(files: list[Path], on: Stage) -> None:
    await opened(on, files)
    await press(on, "y", "ctrl+pageup", "x", "ctrl+q", "down", "right")
    assert "each as below" in on.text()
    await press(on, "up", "right")
    assert "saves both and quits" in on.text()
    await press(on, "enter")
    assert on.app.return_value == 0
    found = [read_puzzle(path) for path in files]
    assert [puzzle.grid.pattern(puzzle.grid.slot("1A")) for puzzle in found] == ["XBC", "YKL"]


async def test_cancelling_quit_also_cancels_discarding(files: list[Path], on: Stage) -> None:
    _, second = await opened(on, files)
    await press(on, "y", "ctrl+pageup", "x", "ctrl+pagedown", "ctrl+q", "right", "escape")
    assert on.app.is_running
    assert second.document.journal.path is not None, "the work is kept safe still"


async def test_a_question_whose_answer_was_left_for_another_tab_can_be_asked_again(
    files: list[Path], on: Stage
) -> None:
    """The question whether to quit brings the tab with unsaved work to the front."""
    await opened(on, files)
    await press(on, "x", "ctrl+pageup", "ctrl+w")
    assert isinstance(on.app.screen, FindingsScreen)
    await press(on, "ctrl+q", "escape", "ctrl+pageup")
    assert isinstance(on.app.screen, Editor)
    await press(on, "ctrl+w")
    assert isinstance(on.app.screen, FindingsScreen)


async def test_a_puzzle_that_cannot_be_saved_prevents_quitting(files: list[Path], on: Stage) -> None:
    first, second = await opened(on, files)
    await press(on, "y", "ctrl+pageup", "x")
    write_puzzle(files[1], Puzzle.blank(3, 3))
    await press(on, "ctrl+q", "enter")
    assert on.app.is_running
    assert on.app.session is second
    assert "changed by another program" in on.line("message")
    assert not first.document.is_modified


async def test_work_of_every_dead_tab_is_offered_in_its_own_tab(
    stage: OpenStage, small: Puzzle, files: list[Path]
) -> None:
    async with stage(small) as on:
        await opened(on, files)
        await press(on, "y", "ctrl+pageup", "x")
        for session in on.app.puzzles.sessions:
            session.document.journal.close()
        async with stage(Puzzle.blank(15, 15), offers_start=True) as again:
            assert "There is unsaved work on 2 puzzles." in again.text()
            await press(again, "enter")
            assert isinstance(again.app.screen, Editor)
            rows = {one.document.name: first_row(one) for one in again.app.puzzles.sessions}
            assert rows == {"a.ipuz": "XBC", "b.ipuz": "YKL"}
            assert all(one.document.is_modified for one in again.app.puzzles.sessions)
            assert again.app.session.document.name == "a.ipuz", "which was worked on last"


@pytest.mark.parametrize("line", ["open {}", "tab open {}"])
@pytest.mark.parametrize(("keys", "row", "is_left"), [("enter", "XKL", False), ("escape", "JKL", True)])
async def test_unsaved_work_on_a_file_is_offered_when_it_is_opened(
    stage: OpenStage, files: list[Path], line: str, keys: str, row: str, is_left: bool
) -> None:
    async with stage(Puzzle.blank(3, 3), path=files[1]) as on:
        await press(on, "x")
        on.app.session.document.journal.close()
        on.app.session.document.presence.release()
        async with stage(Puzzle.blank(3, 3)) as again:
            again.editor.verbs.run(line.format(files[1]))
            await again.settle()
            assert "There is unsaved work on b.ipuz" in again.text()
            await press(again, "z", keys)
            assert isinstance(again.app.screen, Editor)
            assert first_row(again.app.session) == row
            assert bool(again.app.session.recoveries()) == is_left


async def test_puzzles_never_in_front_are_also_named_when_quitting(
    stage: OpenStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for side in (3, 4):
        async with stage(Puzzle.blank(side, side)) as on:
            await on.type("abc")
            on.app.session.document.journal.close()
    async with stage(Puzzle.blank(15, 15), offers_start=True) as again:
        await again.burst("enter")
        await again.burst("ctrl+q", "enter", "ctrl+u", *"one", "enter", *"s")
        assert again.app.is_running, "what was typed before a name was asked for is not taken for one"
        assert "(1 of 2) as" in again.text()
        assert again.prompt.field.value == "ones"
        await again.burst("backspace", "enter", "enter")
        assert "(2 of 2) as" in again.text()
        await again.burst("ctrl+u", *"two")
        await again.press("enter")
        assert again.app.return_value == 0
    found = [read_puzzle(tmp_path / name).grid for name in ("one.ipuz", "two.ipuz")]
    assert sorted(grid.pattern(grid.slot("1A")) for grid in found) == ["ABC", "ABC?"]


async def test_work_left_for_later_is_offered_at_the_next_start(
    stage: OpenStage, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    last_words: list[str] = []
    async with stage(Puzzle.blank(3, 3), path=files[1]) as on:
        await press(on, "x")
        monkeypatch.setattr(on.app, "exit", lambda _, message: last_words.append(message))
        await press(on, "ctrl+q", "down", "down", "enter")
        assert last_words == ["b.ipuz is not saved; the next start offers it again"]
        on.app.session.close()
        async with stage(Puzzle.blank(3, 3), offers_start=True) as again:
            assert "There is unsaved work on b.ipuz" in again.text()
