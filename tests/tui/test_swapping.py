"""Swaps, rejections and the live fill on the screen."""

from dataclasses import replace

import pytest

from tests.known import known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.events.event import Outcome
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.session.fill_options import Mode
from xwtui.session.jobs.question import Findings, Proposal, SwapQuestion
from xwtui.session.messages import FillEnded, FillProgress, FindingsReady, LiveFillReady
from xwtui.session.run_view import EntryChange, FoundFill, LoweredScore, RunView
from xwtui.tui.screens.findings import FindingsScreen
from xwtui.tui.widgets.grid_view import GridView

CORNER, BESIDE, MIDDLE = Position(0, 0), Position(0, 1), Position(2, 2)


def pencilled(puzzle: Puzzle) -> Puzzle:
    """The puzzle with an A in each square, in pencil."""
    return edits.write_fill(puzzle, dict.fromkeys(puzzle.grid.open_positions(), Content.of("A")))


async def test_a_rejection_stays_where_it_is_and_says_what_has_changed(stage: OpenStage, small: Puzzle) -> None:
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
async def test_the_letters_stay_until_a_change_is_found(stage: OpenStage, small: Puzzle, mode: Mode) -> None:
    async with stage(pencilled(small)) as on:
        going = RunView(Outcome.RUNNING, mode=mode, seconds=1.9)
        on.bench.pretended = going
        await on.tell(FillProgress(going))
        assert {on.letter_at(at) for at in on.grid.open_positions()} == {"A"}
        found = replace(going, squares=dict.fromkeys(on.grid.open_positions(), Content.of("B")))
        on.bench.pretended = found
        await on.tell(FillProgress(found))
        assert {on.letter_at(at) for at in on.grid.open_positions()} == {"B"}


async def test_what_a_run_has_done_gives_way_once_another_verb_was_done(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        for outcome, mode, told in (
            (Outcome.FILLED, Mode.REJECT, "1 square changed: 1A CAT (was AAA)"),
            (Outcome.IMPOSSIBLE, Mode.REJECT, "no other word"),
            (Outcome.IMPOSSIBLE, Mode.FILL, "no fill"),
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


async def test_what_has_no_room_in_its_line_goes_on_in_the_free_one_below(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        ended = RunView(Outcome.FILLED, mode=Mode.REJECT, changes=LONG, found=25, lowered=LoweredScore(50, 42))
        told = "25 squares changed, lowest 42 (was 50): " + ", ".join(
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


async def test_a_list_of_swaps_that_is_not_finished_is_looked_at_longer(stage: OpenStage, small: Puzzle) -> None:
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


async def test_the_swaps_are_walked_through_as_ghosts_and_one_is_taken(stage: OpenStage, small: Puzzle) -> None:
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
        on.bench.jobs.question.take(on.bench.asked_question, findings)
        await on.tell(FindingsReady(on.bench.revision, findings, is_last=True))
        screen = on.app.screen
        assert isinstance(screen, FindingsScreen)
        picture = known(screen.query_one(GridView).picture)
        assert picture.changed == {CORNER}
        assert (str(picture.content(CORNER)), str(picture.content(BESIDE))) == ("B", "A"), "the rest stays visible"
        assert [picture.shows_search(at) for at in (CORNER, BESIDE)] == [True, False]
        await on.press("down", "enter")
        assert str(on.grid[CORNER].content) == "C"
        assert on.line("message").startswith("done: 1A CAA: 1 square, mean 50.0; Ctrl+Z")
        await on.press("ctrl+z", "ctrl+x")
        on.bench.jobs.question.take(on.bench.asked_question, findings)
        await on.tell(FindingsReady(on.bench.revision, findings, is_last=True))
        await on.press("escape")
        assert str(on.grid[CORNER].content) == "A"


async def test_a_swap_that_takes_much_of_the_pencil_is_asked_about(stage: OpenStage, small: Puzzle) -> None:
    def proposing(letter: str, count: int) -> Proposal:
        squares = dict.fromkeys(list(small.grid.open_positions())[:count], Content.of(letter))
        found = FoundFill(squares, 60.0, 40)
        return Proposal(
            letter, f"1A {letter * 3}", "mean 60", lambda p: edits.write_fill(p, squares), squares, found=found
        )

    async with stage(pencilled(small)) as on:
        await on.press("ctrl+x")
        findings = Findings("other words", proposals=(proposing("B", 7), proposing("C", 1)), is_complete=True)
        on.bench.jobs.question.take(on.bench.asked_question, findings)
        await on.tell(FindingsReady(on.bench.revision, findings, is_last=True))
        asked = "1A BBB would replace 7 squares of pencil: press Enter again to take it mean 60"
        await on.press("enter")
        assert asked in " ".join(on.text().split())
        assert "Enter take it" in on.text()
        assert str(on.grid[CORNER].content) == "A", "not before it is taken"
        await on.press("down", "up")
        assert "again" not in on.text(), "one is asked about each anew"
        await on.press("enter", "enter")
        assert str(on.grid[CORNER].content) == "B"


async def test_the_live_fill_is_a_ghost_that_no_edit_writes(on: Stage) -> None:
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


async def test_fill_and_refill_have_a_key_each(on: Stage) -> None:
    await on.press("shift+f5")
    await on.press("shift+right", "f5", "f17", "ctrl+n")
    assert [asked for asked in on.bench.asked if asked.startswith("fill")] == [
        "fill",
        *["fill of the selection"] * 3,
    ]


async def test_replaced_pencil_is_told(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        view = RunView(Outcome.FILLED, changes=(EntryChange("1A", "AAA", "CAT"),), found=2)
        await on.tell(FillEnded(view))
        assert "2 squares of pencil in 1 entry replaced: 1A CAT (was AAA)" in on.line("run")
        await on.tell(FillEnded(replace(view, changes=LONG)))
        assert f"in {len(LONG)} entries replaced; the double-quote key shows which" in on.line("run")
        await on.press("quotation_mark")
        assert LONG[-1].after in on.text()
