"""Improving runs, swaps, rejections and the live fill on the screen."""

from dataclasses import replace

import pytest

from tests.known import known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, pencilled
from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.session.exclusions import Exclusion
from xwtui.session.fill_options import Mode
from xwtui.session.jobs.question import Findings, Proposal, SwapQuestion
from xwtui.session.keys.key_map import own_map
from xwtui.session.messages import FillEnded, FillProgress, FindingsReady, LiveFillReady, PuzzleChanged
from xwtui.session.run_view import EntryChange, FoundFill, LoweredScore, Quality, RunView
from xwtui.tui.editing.display import run_line, waiting_words
from xwtui.tui.screens.choosing import FillsScreen
from xwtui.tui.screens.findings import FindingsScreen
from xwtui.tui.themes import PLAIN
from xwtui.tui.widgets.grid_view import GridView
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


async def test_a_better_fill_is_shown_with_its_figures_and_entries(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small), size=(110, 30)) as on:
        for letter in "AB":
            await on.show_run(improving(small, letter))
        corner = Position(4, 4)
        assert on.letter_at(corner) == "B"
        assert on.style_at(corner).bgcolor == on.app.colour_theme.palette.better.bgcolor, "what is new stands out"
        assert on.grid[corner].content == Content.of("A"), "nothing is written yet"
        assert "improving 3.2 s  mean 60.5 (from 55, limit 71), lowest 41, 1,204 rounds" in on.line("run")
        assert "BBB" in on.line("entry")
        assert "BBBBB" in on.text()
        on.bench.pretended = None
        ended = replace(improving(small, "B"), outcome=Outcome.CANCELLED)
        await on.tell(FillEnded(ended))
        assert "stopped; the best fill stays: mean 60.5" in on.line("run")
        assert on.letter_at(corner) == "A"


async def test_the_result_of_a_stopped_improvement_is_shown_until_another_verb_runs(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = replace(improving(small, "B"), outcome=Outcome.CANCELLED)
    async with stage(small, size=(110, 30)) as on:
        await on.show_run(improving(small, "B"))

        def stop() -> bool:
            on.bench.pretended = ended
            return True

        monkeypatch.setattr(on.bench, "stop", stop)
        await on.press("f6")
        await on.tell(FillEnded(ended))
        assert "mean 60.5 (from 55" in on.line("run")
        await on.verb("goto 1D")
        assert "mean 60.5" not in on.line("run")


async def test_the_clue_table_uses_the_shown_answers(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small), size=(110, 30)) as on:
        await on.show_run(improving(small, "B"))
        await on.press("f2")
        assert "stop" in on.bench.asked


async def test_an_edit_that_ends_an_improvement_reports_its_result(stage: OpenStage, small: Puzzle) -> None:
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


async def test_accepting_during_improvement_reports_once_that_it_stopped(stage: OpenStage, small: Puzzle) -> None:
    ended = replace(improving(small, "B"), outcome=Outcome.CANCELLED)
    async with stage(pencilled(small), size=(160, 30)) as on:
        on.bench.pretended = improving(small, "B")
        await on.press("f8")
        on.bench.pretended = None
        await on.tell(FillEnded(ended), PuzzleChanged("accept"))
        assert on.line("message").count("stopped") == 1
        assert "made pen, which every fill keeps; Ctrl+Z undoes it; improve ended: stopped; " in on.line("message")


async def test_the_title_shows_figures_of_the_best_fill_so_far(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small, size=(140, 30)) as on:
        assert " 0/10 entries" in on.text().splitlines()[0]
        await on.show_run(improving(small, "A"))
        assert " 10/10 entries" in on.text().splitlines()[0]


async def test_only_the_newest_view_of_a_run_is_drawn(on: Stage, small: Puzzle) -> None:
    older, newest = improving(small, "A"), improving(small, "B")
    on.bench.pretended = newest
    await on.tell(FillProgress(older))
    assert on.letter_at(Position(4, 4)) == "·"
    await on.tell(FillProgress(newest))
    assert on.letter_at(Position(4, 4)) == "B"


async def test_an_impossible_fill_suggests_a_partial_one(on: Stage) -> None:
    await on.tell(FillEnded(RunView(Outcome.IMPOSSIBLE, reason="1A: no word fits")))
    assert "fill --partial" in on.line("message")


async def test_undo_is_suggested_first_if_the_last_edit_left_no_word(on: Stage) -> None:
    ended = FillEnded(RunView(Outcome.IMPOSSIBLE, reason="1A: no word fits Q??"))
    await on.press("q")
    await on.tell(ended)
    assert on.line("message").startswith("Ctrl+Z undoes what was written last; :fill --partial fills")
    await on.verb("title Q")
    await on.tell(ended)
    assert on.line("message").startswith(":fill --partial fills"), "a title is not to blame"


async def test_undo_is_suggested_if_a_linked_entry_lost_its_words(stage: OpenStage) -> None:
    grid = grid_from_text("Z..\n###\n..Z\n")
    linked = grid.with_links([tuple(slot.key for slot in grid.slots)])
    async with stage(Puzzle(linked)) as on:
        await on.press("right", "a")
        await on.tell(FillEnded(RunView(Outcome.IMPOSSIBLE, reason="1A: no word fits ZA???Z")))
        assert on.line("message").startswith("Ctrl+Z undoes what was written last")


async def test_a_stopped_run_is_reported_only_in_its_line(on: Stage, small: Puzzle) -> None:
    await on.show_run(improving(small, "B"))
    await on.press("f6")
    assert "stop" in on.bench.asked
    assert not on.line("message")


async def test_several_fills_are_shown_when_ready_and_one_is_taken(on: Stage, small: Puzzle) -> None:
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
async def test_a_fill_that_replaces_much_pencil_is_offered(on: Stage, small: Puzzle, key: str) -> None:
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
async def test_a_rejection_that_replaces_much_pencil_is_offered_with_the_mean_before(
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
        excluded=Exclusion("1A", "ZZZ"),
        means=(62.5, 60.0),
    )
    await on.tell(FillEnded(run))
    assert isinstance(on.app.screen, FillsScreen)
    assert "mean 60.0, lowest 40, mean was 62.5" in on.text()
    await on.press(key)
    assert (on.letter_at(Position(4, 4)) == "A") is (key == "enter")
    assert "banned" not in on.text()


async def test_pencil_stays_visible_while_a_fill_seeks_the_smallest_change(on: Stage, small: Puzzle) -> None:
    for seconds in (0.1, 3.2):
        await on.show_run(RunView(Outcome.RUNNING, squares=all_of(small, "A"), seconds=seconds))
        assert f"mending {seconds} s  no fill yet; F6 stops" in on.line("run")
    await on.show_run(RunView(Outcome.RUNNING, squares=all_of(small, "A"), seconds=7.0, found=12))
    told = "mending 7.0 s  replaces 12 squares so far, trying fewer; F6 stops and asks"
    assert told in on.line("run")
    await on.show_run(RunView(Outcome.RUNNING, squares=all_of(small, "A"), seconds=7.0, found=2))
    assert "replaces 2 squares so far, trying fewer; F6 stops and keeps it" in on.line("run")
    assert on.letter_at(Position(4, 4)) == "A"


async def test_leaving_the_fills_keeps_the_grid(on: Stage, small: Puzzle) -> None:
    await on.press("ctrl+f")
    assert "no fills to choose from" in on.line("message")
    on.bench.fills.kept = (kept(small, "A", 60.0),)
    await on.verb("fills")
    below = on.showing(FillsScreen)
    for key in ("f1", "question_mark"):
        await on.press(key, "escape")
        assert on.app.screen is below, "help opens over it"
    await on.press("escape")
    assert on.bench.puzzle == small


async def test_as_many_grids_as_fit_are_shown_side_by_side(stage: OpenStage) -> None:
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


async def test_a_few_fills_are_drawn_large_if_they_fit(stage: OpenStage) -> None:
    puzzle = Puzzle.blank(15, 15)
    async with stage(puzzle, size=(200, 60)) as on:
        on.bench.fills.kept = tuple(kept(puzzle, letter, 60.0) for letter in "AB")
        await on.press("ctrl+f")
        await on.pilot.pause()
        grids = list(on.app.screen.query(SmallGrid))
        assert [grid.size.width for grid in grids] == [5 * 15 + 1] * 2


async def test_outdated_fills_are_not_taken(on: Stage, small: Puzzle) -> None:
    on.bench.fills.kept = (kept(small, "A", 60.0),)
    await on.press("ctrl+f")
    on.bench.fills.kept = (kept(small, "B", 50.0),)
    await on.press("enter")
    assert on.bench.puzzle == small
    assert "have changed" in on.line("message")


def test_a_run_that_waits_for_the_engine_shows_it() -> None:
    said = "".join(text for text, _ in run_line(None, 0, PLAIN, own_map(), waits=waiting_words(None, 100)).left)
    assert "starts when the engine is ready" in said


async def test_a_fill_with_a_word_no_longer_allowed_is_marked(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage(small, size=(120, 40)) as on:
        on.bench.fills.kept = (kept(small, "A", 60.0), kept(small, "B", 59.0))
        monkeypatch.setattr(on.bench.jobs.words, "allows", lambda word: word != "BBB")
        await on.press("ctrl+f")
        assert "no longer allowed" not in on.text()
        await on.press("down")
        assert " 2 uses BBB, BBB, no longer allowed" in on.text()


CORNER, BESIDE, MIDDLE = Position(0, 0), Position(0, 1), Position(2, 2)


async def test_a_rejection_keeps_the_cursor_and_reports_changes(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        where = on.here
        await on.press("minus")
        assert on.bench.asked[-1] == "reject"
        assert on.here == where
        changes = (EntryChange("1A", "AAA", "CAT"), EntryChange("1D", "AAAAA", "CAAAA"))
        await on.tell(FillEnded(RunView(Outcome.FILLED, mode=Mode.REJECT, changes=changes, found=2)))
        assert on.line("run") == "2 squares changed: 1A CAT (was AAA), 1D CAAAA (was AAAAA)"
        unproved = RunView(Outcome.FILLED, mode=Mode.REJECT, changes=changes[:1], found=1, is_smallest=False)
        await on.tell(FillEnded(unproved))
        assert on.line("run") == "1 square changed (perhaps not the smallest): 1A CAT (was AAA)"
        assert on.here == where
        await on.press("ctrl+l", "minus")
        assert on.line("message") == "1A is locked; unlock it first (the ~ key)"


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.FILL])
async def test_letters_stay_until_a_change_is_found(stage: OpenStage, small: Puzzle, mode: Mode) -> None:
    async with stage(pencilled(small)) as on:
        going = RunView(Outcome.RUNNING, mode=mode, seconds=1.9)
        await on.show_run(going)
        assert {on.letter_at(at) for at in on.grid.open_positions()} == {"A"}
        found = replace(going, squares=dict.fromkeys(on.grid.open_positions(), Content.of("B")))
        await on.show_run(found)
        assert {on.letter_at(at) for at in on.grid.open_positions()} == {"B"}


async def test_the_result_of_a_run_is_replaced_after_another_verb(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        for outcome, mode, told in (
            (Outcome.FILLED, Mode.REJECT, "1 square changed: 1A CAT (was AAA)"),
            (Outcome.IMPOSSIBLE, Mode.REJECT, "no other word"),
            (Outcome.IMPOSSIBLE, Mode.FILL, "proved in"),
        ):
            run = RunView(outcome, mode=mode, changes=(EntryChange("1A", "AAA", "CAT"),), found=1)
            on.bench.still.still_fill.pretended = run
            await on.tell(FillEnded(run))
            assert told in on.line("run")
            await on.press("right")
            assert told in on.line("run"), "it stays while nothing else is done"
            await on.verb("goto 1D")
            assert (told in on.line("run")) == (mode is Mode.FILL)


LONG = tuple(EntryChange(f"{number}A", "ABCDE", "FGHIJ") for number in range(1, 5))


async def test_text_too_long_for_its_line_continues_in_the_free_one_below(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        lowered = LoweredScore(50, 42, "1A FGHIJ")
        ended = RunView(Outcome.FILLED, mode=Mode.SWAP, changes=LONG, found=25, lowered=lowered)
        told = "25 squares changed, lowest was 50, now 42: 1A FGHIJ; now " + ", ".join(
            f"{n}A FGHIJ (was ABCDE)" for n in range(1, 5)
        )
        await on.tell(FillEnded(ended))
        assert told in " ".join(on.text().split())
        await on.press("quotation_mark", "escape", "*")
        assert f"{told} 1 square selected" in " ".join(on.text().split()), "beside what is said then"
        await on.press("escape", "escape", "colon")
        assert not on.editor.query_one("#message-whole").display, "a verb is typed there"
        await on.press("escape", "escape")
        assert told in " ".join(on.text().split())
        await on.tell(FillEnded(replace(ended, changes=LONG[:1])))
        assert not on.editor.query_one("#message-whole").display


async def test_an_unfinished_list_of_swaps_can_be_extended(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        await on.press("ctrl+x")
        first = on.bench.asked_question
        asked = first.question
        assert isinstance(asked, SwapQuestion)
        write = Proposal("B", "1A BAA", "1 square", lambda puzzle: puzzle, {CORNER: Content.of("B")})
        findings = Findings("other words at 1A", proposals=(write,), seconds=5.4)
        on.bench.jobs.question.take(first, findings)
        await on.tell(FindingsReady(on.bench.revision, findings, is_last=True))
        screen = on.app.screen
        assert "+ look longer" in on.text()
        await on.press("plus")
        assert on.app.screen is screen
        assert on.bench.asked_question.question == replace(asked, seconds=4 * asked.seconds)
        assert "look longer" not in on.text()
        assert "1A BAA" in on.text()
        await on.press("c", "q")
        assert "no proposal has CQ: Backspace takes a letter back" in on.text()
        assert "do it" not in on.text()
        await on.press("enter", "backspace", "backspace")
        assert "Enter do it" in on.text()


async def test_swaps_are_previewed_as_ghosts_and_one_is_taken(stage: OpenStage, small: Puzzle) -> None:
    def proposing(letter: str) -> Proposal:
        squares = {CORNER: Content.of(letter)}
        return Proposal(
            letter,
            f"1A {letter}AA",
            "1 square, mean 50.0",
            lambda puzzle: edits.write_fill(puzzle, squares),
            squares,
        )

    async with stage(pencilled(small)) as on:
        await on.press("ctrl+x")
        assert on.bench.asked[-1] == "other words at 1A"
        findings = Findings("other words at 1A", proposals=(proposing("B"), proposing("C")), is_complete=True)
        await on.answer(findings)
        screen = on.showing(FindingsScreen)
        picture = known(screen.query_one(GridView).picture)
        assert picture.changed == {CORNER}
        assert (str(picture.content(CORNER)), str(picture.content(BESIDE))) == ("B", "A"), "the rest stays visible"
        assert [picture.shows_search(at) for at in (CORNER, BESIDE)] == [True, False]
        await on.press("down", "enter")
        assert str(on.grid[CORNER].content) == "C"
        assert on.line("message").startswith("done: 1A CAA: 1 square, mean 50.0; Ctrl+Z")
        await on.press("ctrl+z", "ctrl+x")
        await on.answer(findings)
        await on.press("escape")
        assert str(on.grid[CORNER].content) == "A"


async def test_a_swap_that_replaces_much_pencil_asks_first(stage: OpenStage, small: Puzzle) -> None:
    def proposing(letter: str, count: int) -> Proposal:
        squares = dict.fromkeys(list(small.grid.open_positions())[:count], Content.of(letter))
        found = FoundFill(squares, 60.0, 40)
        return Proposal(
            letter, f"1A {letter * 3}", "mean 60", lambda p: edits.write_fill(p, squares), squares, found=found
        )

    async with stage(pencilled(small)) as on:
        await on.press("ctrl+x")
        findings = Findings("other words", proposals=(proposing("B", 7), proposing("C", 1)), is_complete=True)
        await on.answer(findings)
        asked = "1A BBB would replace 7 squares of pencil: press Enter again to take it mean 60"
        await on.press("enter")
        assert asked in " ".join(on.text().split())
        assert "Enter take it" in on.text()
        assert str(on.grid[CORNER].content) == "A", "not before it is taken"
        again = Findings("other words", proposals=(proposing("B", 7), proposing("C", 1)), is_complete=True)
        await on.tell(FindingsReady(on.bench.revision, again, is_last=True))
        assert asked in " ".join(on.text().split()), "a report that has the same change leaves the question"
        smaller = Findings("other words", proposals=(proposing("B", 6), proposing("C", 1)), is_complete=True)
        await on.tell(FindingsReady(on.bench.revision, smaller, is_last=True))
        assert "again" not in on.text(), "another change is asked about anew"
        await on.tell(FindingsReady(on.bench.revision, again, is_last=True))
        await on.press("enter", "down", "up")
        assert "again" not in on.text(), "one is asked about each anew"
        await on.press("enter", "enter")
        assert str(on.grid[CORNER].content) == "B"


async def test_the_live_fill_is_a_ghost_and_never_written_by_an_edit(on: Stage) -> None:
    await on.verb("live on")
    assert on.line("run") == "live fill …"
    ghosts = {CORNER: Content.of("C"), BESIDE: Content.of("A"), MIDDLE: Content.of("S")}
    await on.tell(LiveFillReady(on.bench.revision, ghosts))
    assert [on.letter_at(at) for at in (CORNER, BESIDE)] == ["C", "A"]
    assert on.style_at(CORNER) != on.style_at(Position(4, 4))
    assert on.line("run") == "live fill  F5 writes the preview"
    assert on.grid[CORNER].content is None
    await on.press("c")
    assert [on.letter_at(at) for at in ghosts] == ["C", "A", "S"], "the last ones stay meanwhile"
    await on.press("left", "x")
    assert [on.letter_at(at) for at in ghosts] == ["X", "·", "S"], "but those that a letter contradicts"
    await on.tell(LiveFillReady(on.bench.revision, {BESIDE: Content.of("E")}, is_searching=True))
    assert on.letter_at(BESIDE) == "E", "what agrees, until the whole is found"
    assert on.line("run") == "live fill …  looks for one"
    await on.tell(LiveFillReady(on.bench.revision, {}, "there is no fill (proved)"))
    assert on.letter_at(BESIDE) == "·"
    assert on.line("run") == "live fill: there is no fill (proved)"
    await on.verb("live off")
    assert "live" not in on.line("run")
    assert on.bench.settings == replace(on.bench.settings, live_fill=False)


async def test_fill_and_refill_have_separate_keys(on: Stage) -> None:
    await on.press("shift+f5")
    await on.press("shift+right", "f5", "f17", "ctrl+n")
    assert [asked for asked in on.bench.asked if asked.startswith("fill")] == [
        "fill",
        *["fill of the selection"] * 3,
    ]


async def test_replaced_pencil_is_reported(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        view = RunView(Outcome.FILLED, changes=(EntryChange("1A", "AAA", "CAT"),), found=2, seconds=4.22)
        await on.tell(FillEnded(view))
        told = "filled in 4.22 s  2 squares of pencil in 1 entry replaced: 1A CAT (was AAA), perhaps"
        assert on.line("run") == told.partition(", perhaps")[0]
        await on.tell(FillEnded(replace(view, changes=LONG)))
        assert f"in {len(LONG)} entries replaced; the double-quote key shows which" in on.line("run")
        await on.press("quotation_mark")
        assert LONG[-1].after in on.text()
