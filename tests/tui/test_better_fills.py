"""Runs that look for good fills, and the fills to choose from, on the screen."""

from dataclasses import replace

import pytest

from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.events.event import Outcome
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.session.fill_options import Mode
from xwtui.session.kept_out import KeptOut
from xwtui.session.keys.key_map import own_map
from xwtui.session.messages import FillEnded, FillProgress, PuzzleChanged
from xwtui.session.run_view import EntryChange, FoundFill, Quality, RunView
from xwtui.tui.screens.choosing import FillsScreen
from xwtui.tui.themes import PLAIN
from xwtui.tui.title_and_status import run_line, waiting_words
from xwtui.tui.widgets.small_grids import GridPane, SmallGrid

QUALITY = Quality(60.5, 41, value=60.5, first=55.0, bound=71.0, gap=10.5, rounds=1204, better=3)


def all_of(puzzle: Puzzle, letter: str) -> dict[Position, Content]:
    return {at: Content.of(letter) for slot in puzzle.grid.slots for at in slot.positions}


def improving(puzzle: Puzzle, letter: str) -> RunView:
    return RunView(
        Outcome.RUNNING, squares=all_of(puzzle, letter), mode=Mode.IMPROVE, quality=QUALITY, seconds=3.2
    )


def kept(puzzle: Puzzle, letter: str, mean: float) -> FoundFill:
    return FoundFill(all_of(puzzle, letter), mean, 40)


async def test_a_better_fill_is_shown_with_its_figures_and_its_entries(stage: OpenStage, small: Puzzle) -> None:
    start = edits.write_fill(small, all_of(small, "A"))
    async with stage(start, size=(110, 30)) as on:
        for letter in "AB":
            on.bench.pretended = improving(small, letter)
            await on.tell(FillProgress(on.bench.pretended))
        corner = Position(4, 4)
        assert on.letter_at(corner) == "B"
        assert on.style_at(corner).bgcolor == on.app.look.palette.better.bgcolor, "what is new stands out"
        assert on.grid[corner].content == Content.of("A"), "nothing is written yet"
        assert "improving 3.2 s  mean 60.5 (from 55, limit 71), lowest 41, 1,204 rounds" in on.line("run")
        assert "BBB" in on.line("entry")
        assert "BBBBB" in on.text()
        on.bench.pretended = None
        ended = replace(improving(small, "B"), outcome=Outcome.CANCELLED)
        await on.tell(FillEnded(ended))
        assert "stopped; the best fill stays: mean 60.5" in on.line("run")
        assert on.letter_at(corner) == "A"


async def test_what_a_stopped_improvement_came_to_is_told_until_another_verb_is_done(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = replace(improving(small, "B"), outcome=Outcome.CANCELLED)
    async with stage(small, size=(110, 30)) as on:
        on.bench.pretended = improving(small, "B")
        await on.tell(FillProgress(on.bench.pretended))

        def stop() -> bool:
            on.bench.pretended = ended
            return True

        monkeypatch.setattr(on.bench, "stop", stop)
        await on.press("f6")
        await on.tell(FillEnded(ended))
        assert "mean 60.5 (from 55" in on.line("run")
        await on.verb("goto 1D")
        assert "mean 60.5" not in on.line("run")


async def test_an_edit_that_ends_an_improvement_says_what_it_came_to(stage: OpenStage, small: Puzzle) -> None:
    ended = replace(improving(small, "B"), outcome=Outcome.CANCELLED)
    told = "improve ended: stopped; the best fill stays: mean 60.5 (from 55, limit 71), lowest 41, 1,204 rounds"
    async with stage(small, size=(120, 30)) as on:
        await on.press("x")
        await on.tell(FillEnded(ended), PuzzleChanged("r1c1 = X"))
        assert on.line("message") == told
        on.bench.pretended = ended
        await on.press("y")
        await on.tell(FillEnded(ended))
        assert told not in on.line("message"), "its own line tells it"
        on.bench.pretended = None
        await on.press("ctrl+z")
        await on.tell(FillEnded(ended))
        assert told not in on.line("message"), "what was undone did not stay"


async def test_accepting_while_improving_says_once_that_it_has_stopped(stage: OpenStage, small: Puzzle) -> None:
    ended = replace(improving(small, "B"), outcome=Outcome.CANCELLED)
    async with stage(edits.write_fill(small, all_of(small, "A")), size=(160, 30)) as on:
        on.bench.pretended = improving(small, "B")
        await on.press("f8")
        on.bench.pretended = None
        await on.tell(FillEnded(ended), PuzzleChanged("accept"))
        assert on.line("message").count("stopped") == 1
        assert "made pen, which every fill keeps; Ctrl+Z undoes it; improve ended: stopped; " in on.line("message")


async def test_the_title_has_the_figures_of_the_best_fill_so_far(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(140, 30)) as on:
        assert " 0/10 entries" in on.text().splitlines()[0]
        on.bench.pretended = improving(small, "A")
        await on.tell(FillProgress(on.bench.pretended))
        assert " 10/10 entries" in on.text().splitlines()[0]


async def test_only_the_newest_view_of_a_run_is_drawn(on: Stage, small: Puzzle) -> None:
    older, newest = improving(small, "A"), improving(small, "B")
    on.bench.pretended = newest
    await on.tell(FillProgress(older))
    assert on.letter_at(Position(4, 4)) == "·"
    await on.tell(FillProgress(newest))
    assert on.letter_at(Position(4, 4)) == "B"


async def test_a_fill_that_cannot_be_had_leads_to_a_partial_one(on: Stage) -> None:
    await on.tell(FillEnded(RunView(Outcome.IMPOSSIBLE, reason="1A: no word fits")))
    assert "fill --partial" in on.line("message")


async def test_several_fills_are_shown_when_they_are_there_and_one_is_taken(on: Stage, small: Puzzle) -> None:
    on.bench.fills.kept = (kept(small, "A", 60.0), kept(small, "B", 59.0))
    await on.tell(FillEnded(RunView(Outcome.FILLED, mode=Mode.DIVERSE, found=2, wanted=2)))
    assert isinstance(on.app.screen, FillsScreen)
    assert "60.0" in on.text()
    assert "2 to choose from" in on.text()
    first, second = (" ".join(line.split()[:5]) for line in on.text().splitlines()[2:4])
    assert first.startswith("1 60.0 40 ")
    assert second.startswith("2 59.0 40 100%")
    before = on.bench.document.history.edits
    await on.press("down", "enter")
    assert not isinstance(on.app.screen, FillsScreen)
    assert on.letter_at(Position(4, 4)) == "B"
    assert on.bench.document.history.edits == before + 1
    assert "fill 2: mean 59.0, lowest 40" in on.line("message")


@pytest.mark.parametrize("key", ["enter", "escape", "ctrl+w"])
async def test_a_fill_that_takes_much_of_the_pencil_is_shown_to_be_taken_or_left(
    on: Stage, small: Puzzle, key: str
) -> None:
    on.bench.edit("pencil", lambda puzzle: edits.write_fill(puzzle, {Position(4, 4): Content.of("Z")}))
    on.bench.fills.kept = (kept(small, "A", 60.0),)
    offered = FoundFill(all_of(small, "A"), 60.0, 40)
    await on.tell(FillEnded(RunView(Outcome.FILLED, found=20, offered=offered)))
    assert isinstance(on.app.screen, FillsScreen)
    assert "not written: it would replace 1 square of 1 in pencil" in on.text()
    await on.press(key)
    assert not isinstance(on.app.screen, FillsScreen)
    assert (on.letter_at(Position(4, 4)) == "A") is (key == "enter")


@pytest.mark.parametrize("key", ["enter", "escape"])
async def test_a_rejection_that_takes_much_of_the_pencil_is_shown_with_the_mean_before(
    on: Stage, small: Puzzle, key: str
) -> None:
    on.bench.edit("pencil", lambda puzzle: edits.write_fill(puzzle, {Position(4, 4): Content.of("Z")}))
    offered = kept(small, "A", 60.0)._replace(note="mean was 62.5")
    on.bench.fills.kept = (offered,)
    run = RunView(
        Outcome.FILLED,
        mode=Mode.REJECT,
        found=1,
        offered=offered,
        changes=(EntryChange("1A", "ZZZ", "AAA"),),
        kept_out=KeptOut("1A", "ZZZ"),
        means=(62.5, 60.0),
    )
    await on.tell(FillEnded(run))
    assert isinstance(on.app.screen, FillsScreen)
    assert "mean 60.0, lowest 40, mean was 62.5" in on.text()
    await on.press(key)
    assert (on.letter_at(Position(4, 4)) == "A") is (key == "enter")
    assert "banned" not in on.text()


async def test_the_pencil_is_seen_while_a_fill_looks_for_the_smallest_change_of_it(
    on: Stage, small: Puzzle
) -> None:
    for seconds in (0.1, 3.2):
        on.bench.pretended = RunView(Outcome.RUNNING, squares=all_of(small, "A"), seconds=seconds)
        await on.tell(FillProgress(on.bench.pretended))
        assert f"mending {seconds} s  no fill yet; F6 stops" in on.line("run")
    on.bench.pretended = RunView(Outcome.RUNNING, squares=all_of(small, "A"), seconds=7.0, found=12)
    await on.tell(FillProgress(on.bench.pretended))
    told = "mending 7.0 s  replaces 12 squares so far, trying fewer; F6 stops and asks"
    assert told in on.line("run")
    on.bench.pretended = RunView(Outcome.RUNNING, squares=all_of(small, "A"), seconds=7.0, found=2)
    await on.tell(FillProgress(on.bench.pretended))
    assert "replaces 2 squares so far, trying fewer; F6 stops and keeps it" in on.line("run")
    assert on.letter_at(Position(4, 4)) == "A"


async def test_leaving_the_fills_leaves_the_grid(on: Stage, small: Puzzle) -> None:
    await on.press("ctrl+f")
    assert "no fills to choose from" in on.line("message")
    on.bench.fills.kept = (kept(small, "A", 60.0),)
    await on.verb("fills")
    below = on.app.screen
    assert isinstance(below, FillsScreen)
    for key in ("f1", "question_mark"):
        await on.press(key, "escape")
        assert on.app.screen is below, "help opens over it"
    await on.press("escape")
    assert on.bench.puzzle == small


async def test_as_many_grids_as_there_is_room_for_stand_side_by_side(stage: OpenStage) -> None:
    puzzle = Puzzle.blank(15, 15)
    fills = tuple(kept(puzzle, letter, 60.0) for letter in "ABCDEFGH")
    for width, height, shown in ((80, 24, 1), (100, 24, 2), (200, 24, 5), (120, 40, 4), (200, 60, 6)):
        async with stage(puzzle, size=(width, height)) as on:
            on.bench.fills.kept = fills
            await on.press("ctrl+f")
            panes = [pane for pane in on.app.screen.query(GridPane) if pane.display]
            assert len(panes) == shown
            assert all(pane.region.right <= width for pane in panes)
            assert all(pane.region.bottom <= height - 1 for pane in panes)
            await on.press("end")
            assert "8  mean 60.0" in on.text(), "the last one is in view too"


async def test_a_few_fills_are_drawn_large_where_there_is_room(stage: OpenStage) -> None:
    puzzle = Puzzle.blank(15, 15)
    async with stage(puzzle, size=(200, 60)) as on:
        on.bench.fills.kept = tuple(kept(puzzle, letter, 60.0) for letter in "AB")
        await on.press("ctrl+f")
        await on.pilot.pause()
        grids = list(on.app.screen.query(SmallGrid))
        assert [grid.size.width for grid in grids] == [5 * 15 + 1] * 2


async def test_fills_that_changed_meanwhile_are_not_taken(on: Stage, small: Puzzle) -> None:
    on.bench.fills.kept = (kept(small, "A", 60.0),)
    await on.press("ctrl+f")
    on.bench.fills.kept = (kept(small, "B", 50.0),)
    await on.press("enter")
    assert on.bench.puzzle == small
    assert "have changed" in on.line("message")


def test_a_run_that_waits_for_the_engine_says_so() -> None:
    said = "".join(text for text, _ in run_line(None, 0, PLAIN, own_map(), waits=waiting_words(None, 100)).left)
    assert "starts when the engine is ready" in said


async def test_a_fill_with_a_word_that_may_be_used_no_more_says_so(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage(small, size=(120, 40)) as on:
        on.bench.fills.kept = (kept(small, "A", 60.0), kept(small, "B", 59.0))
        monkeypatch.setattr(on.bench.jobs.words, "allows", lambda word: word != "BBB")
        await on.press("ctrl+f")
        assert "no longer allowed" not in on.text()
        await on.press("down")
        assert " 2 uses BBB, BBB, no longer allowed" in on.text()
