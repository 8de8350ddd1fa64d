"""A search on the screen: messages of workers in any order, candidates, and the entry list."""

import threading
from dataclasses import replace

import pytest

from tests.known import candidate, known
from tests.tui.conftest import OpenStage
from tests.tui.still import PATIENCE_SECONDS, Stage
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, CandidateStanding
from xwtui.engine.candidates.options import LetterTable, SlotOptions
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Ink, Position, Puzzle
from xwtui.model.edits import set_square, write_fill
from xwtui.session.fill_options import Mode
from xwtui.session.messages import (
    CandidatesReady,
    CountEnded,
    EnginePhase,
    EngineState,
    EstimateReady,
    EstimatesChanged,
    FillEnded,
    FillProgress,
    JobFailed,
    LettersReady,
    LexiconReady,
    LookAhead,
    OptionsReady,
    PuzzleChanged,
)
from xwtui.session.run_view import RunView
from xwtui.session.settings import load_settings
from xwtui.tui.insight import Insight
from xwtui.tui.keys import KeyFooter
from xwtui.tui.screens.editor import Reported
from xwtui.tui.themes import legible
from xwtui.tui.widgets.candidate_list import REPEAT_SIGN
from xwtui.tui.widgets.entry_list import EntryList, EntryOrder, entry_rows, faulty_first

COMPILING = LoadingStep(EnginePart.SEARCH, LoadingStage.COMPILING)


TOP = {Position(0, 0): Content.of("C"), Position(0, 1): Content.of("A"), Position(0, 2): Content.of("T")}
RUNNING = RunView(Outcome.RUNNING, squares=TOP, nodes=12, depth=3, deepest=4, depth_history=(1, 2, 3))
ROUGH = Estimate(Instrument.PAIRWISE, log10=12.0)
EXACT = Estimate(Instrument.EXACT, log10=0.0, exact=1)
UNSEEN = Estimate(Instrument.PARTICLES, log10=None)


async def test_squares_of_a_running_search_have_its_color_and_are_not_written(on: Stage, small: Puzzle) -> None:
    await on.press("pagedown")
    await on.show_run(RUNNING)
    assert on.style_at(Position(0, 1)).color == on.app.colour_theme.palette.search.color
    assert on.letter_at(Position(0, 1)) == "A"
    assert on.bench.puzzle == small
    assert "12 nodes" in on.line("run")


async def test_a_search_hides_replaceable_pencil(stage: OpenStage, small: Puzzle) -> None:
    puzzle = write_fill(small, {Position(4, 4): Content.of("Z")})
    async with stage(puzzle) as on:
        assert on.letter_at(Position(4, 4)) == "Z"
        await on.show_run(RUNNING)
        assert on.letter_at(Position(4, 4)) == "·"
        on.bench.pretended = None
        await on.tell(FillEnded(replace(RUNNING, outcome=Outcome.CANCELLED, squares={})))
        assert on.letter_at(Position(4, 4)) == "Z"
        assert on.letter_at(Position(0, 1)) == "·"
        assert "stopped" in on.line("run")


async def test_a_backtrack_is_shown(on: Stage, small: Puzzle) -> None:
    event = Event(EventKind.BACKTRACK, 2, slot="8A", word="DOG", other="1A", after=3)
    slot = small.grid.slot("8A")
    undone = on.app.colour_theme.palette.undone
    before = replace(RUNNING, paused=True, squares=TOP | dict.fromkeys(slot.positions, Content.of("D")))
    after = replace(before, squares=TOP, event=event)
    for view in (before, after):
        await on.show_run(view)
    assert on.style_at(slot.positions[1]).bgcolor == undone.bgcolor
    assert on.style_at(Position(0, 1)).bgcolor != undone.bgcolor
    assert "backtrack from 8A to 1A" in on.line("run")
    await on.show_run(replace(after, event=None))
    assert on.style_at(slot.positions[1]).bgcolor != undone.bgcolor


async def test_progress_after_the_end_is_dropped(on: Stage) -> None:
    await on.tell(FillProgress(RUNNING))
    assert on.letter_at(Position(0, 1)) == "·"
    assert "nodes" not in on.line("run")


async def test_typing_works_while_search_messages_flood_the_screen(on: Stage) -> None:
    """A worker sends two hundred views; the letters typed meanwhile are all written, in order."""
    views = [replace(RUNNING, nodes=number) for number in range(200)]
    on.bench.pretended = RUNNING
    worker = threading.Thread(target=lambda: [on.app.post_message(Reported(FillProgress(v))) for v in views])
    worker.start()
    await on.press("tab")
    for letter in "ALOES":
        await on.press(letter.lower())
    assert on.grid.answer(on.grid.slots[1]) == "ALOES"
    worker.join()
    await on.pilot.pause()
    assert on.line("run")


async def test_figures_for_an_older_puzzle_are_dropped(on: Stage) -> None:
    now = on.bench.revision
    await on.tell(OptionsReady(now, {"1A": SlotOptions(77, 66)}), EstimateReady(now, EXACT))
    assert "66" in on.text()
    assert "exactly 1 fill (proved)" in on.line("estimate")
    await on.tell(
        OptionsReady(now - 1, {"1A": SlotOptions(55, 44)}),
        EstimateReady(now - 1, ROUGH),
        CandidatesReady(now - 1, "1A", (candidate("OLD", 50, True),)),
    )
    assert "44" not in on.text()
    assert "OLD" not in on.text()
    assert "exactly 1 fill (proved)" in on.line("estimate")


async def test_an_estimate_is_marked_outdated_until_the_next(on: Stage) -> None:
    await on.tell(EstimateReady(on.bench.revision, ROUGH))
    assert on.line("estimate").startswith("fills ≈ 10^12 (rough estimate)")
    assert "…" not in on.line("estimate")
    await on.press("x")
    assert "…" in on.line("estimate")


async def test_copelands_estimate_is_shown_with_the_requested_count(on: Stage) -> None:
    now = on.bench.revision
    await on.tell(CountEnded(now, ROUGH, LookAhead(2, 12_345)))
    assert on.line("estimate").startswith("fills ≈ 10^12 (rough estimate)  look-ahead 2: 12,345 options")
    await on.tell(EstimateReady(now, ROUGH))
    assert "look-ahead 2: 12,345 options" in on.line("estimate")
    await on.press("x")
    assert "look-ahead" not in on.line("estimate")
    await on.tell(EstimateReady(on.bench.revision, ROUGH))
    assert "look-ahead" not in on.line("estimate")


def test_counts_by_name_are_forgotten_when_the_slots_change(small: Puzzle) -> None:
    insight = Insight()
    insight.puzzle_changed(small.grid, 1)
    assert insight.receive(OptionsReady(1, {"1A": SlotOptions(5, 4)}), 1)
    insight.puzzle_changed(small.grid, 1)
    assert insight.entries.options
    insight.puzzle_changed(Puzzle.blank(5, 5).grid, 2)
    assert not insight.entries.options


async def test_an_impossible_grid_gives_its_reason(on: Stage) -> None:
    await on.tell(OptionsReady(on.bench.revision, {}, reason="1A: no word fits Q?J"))
    assert "no fill (proved)" in on.line("estimate")
    assert "1A: no word fits Q?J" in on.line("estimate")


DEAD = {"1A": SlotOptions(7, 0), "5A": SlotOptions(90, 0), "7A": SlotOptions(40, 0)}


async def test_a_dead_grid_names_its_culprit_and_the_panels_agree(on: Stage) -> None:
    reason = "7A: no word fits ?J?Q?"
    now = on.bench.revision
    await on.tell(OptionsReady(now, DEAD, reason, culprits=("7A",)), EstimateReady(now, UNSEEN))
    first, *others = on.editor.desk.entries.rows
    assert (first.name, first.options) == ("7A", 0)
    assert {row.options for row in others} == {None}, "of the others only the patterns tell anything"
    assert on.text().count("×") == 2, "the size of the grid, and the culprit"
    await on.press("exclamation_mark")
    assert on.here == "r3c1 across"
    assert reason in on.line("message")
    assert "not proved" not in on.text()
    assert on.style_at(Position(2, 1)).bgcolor == on.app.colour_theme.palette.stopped.bgcolor
    await on.tell(CandidatesReady(now, "7A", (candidate("ALOES", 60, False),)))
    assert "dead" not in on.text()


async def test_a_count_names_unlisted_answers_of_a_full_grid(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text("CAT\n###\nDO."))) as on:
        await on.tell(EstimateReady(on.bench.revision, EXACT))
        assert "in no list" not in on.line("estimate")
        await on.verb("set r3c3 X")
        await on.tell(EstimateReady(on.bench.revision, EXACT))
        assert on.line("estimate").startswith("exactly 1 fill (proved)  in no list: 2A DOX")
        footer = on.editor.query_one(KeyFooter)
        assert footer.steps[0] == "improve", "it is all the constructor's own"
        await on.verb("pencil 2A")
        assert footer.steps[0] == "fill", "which mends it"


async def test_the_first_message_of_a_count_hides_no_result(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text("CAT\n###\nDO."))) as on:
        await on.verb("set r3c3 X")
        await on.verb("pencil 1A")
        await on.verb("count")
        assert on.app.screen is on.editor
        assert "pencil counted as empty: 3 squares; in no list: 2A DOX" in on.line("message")


async def test_no_estimate_is_shown_with_a_proof(on: Stage) -> None:
    await on.tell(EstimateReady(on.bench.revision, UNSEEN))
    assert "proves nothing" in on.line("estimate")
    await on.show_run(RunView(Outcome.IMPOSSIBLE, seconds=1.5))
    assert "no fill (proved)" in on.line("estimate")
    assert on.line("run").startswith("proved in 1.50 s")
    assert on.text().count("no fill") == 1, "the line above says it"
    assert "proves nothing" not in on.text()


@pytest.mark.parametrize("mode", [Mode.IMPROVE, Mode.BEST])
async def test_improving_modes_also_prove_that_there_is_no_fill(on: Stage, mode: Mode) -> None:
    await on.tell(EstimateReady(on.bench.revision, UNSEEN))
    await on.show_run(RunView(Outcome.IMPOSSIBLE, mode=mode, reason="searched everything"))
    assert "no fill (proved)" in on.line("estimate")
    assert on.line("run") == "impossible: searched everything"


async def test_a_restricted_run_proves_nothing_about_the_rest(on: Stage) -> None:
    await on.tell(EstimateReady(on.bench.revision, ROUGH))
    estimate = "fills ≈ 10^12"
    assert estimate in on.line("estimate")
    await on.show_run(RunView(Outcome.IMPOSSIBLE, confined_to=5, is_for_all=False))
    assert "no fill for the 5 squares to fill (proved)" in on.line("run")
    await on.show_run(
        RunView(Outcome.FILLED, confined_to=5, is_for_all=False, part="the selection", filled_there=1)
    )
    assert on.line("run").startswith("filled 1 square, inside the selection")
    assert estimate in on.line("estimate")


async def test_less_than_one_fill_is_not_shown_as_a_power_of_ten(on: Stage) -> None:
    few = replace(candidate("CAT", 60, True, log10=-363.7), is_refined=True, spread=1.0)
    await on.tell(
        EstimateReady(on.bench.revision, replace(ROUGH, log10=-363.7, low=-370.0, high=-360.0)),
        CandidatesReady(on.bench.revision, "1A", (few,)),
    )
    assert "probably no fill (estimate)" in on.line("estimate")
    assert "< 1" in on.text()
    assert "^-" not in on.text()


async def test_no_candidate_shows_more_fills_than_the_grid(on: Stage) -> None:
    sure, unsure = (with_room(word, log10) for word, log10 in (("CAT", 126.4), ("DOG", 8.7)))
    listed = (sure, replace(unsure, spread=None))
    await on.tell(CandidatesReady(on.bench.revision, "1A", listed))
    assert "≈10^126.4" in on.text()
    interval = replace(ROUGH, log10=23.8, low=23.1, high=24.6)
    await on.tell(EstimateReady(on.bench.revision, interval))
    assert "≤10^24.6" in on.text(), "as the line of the estimate has it"
    assert "?10^8 " in on.text()
    await on.tell(EstimateReady(on.bench.revision, replace(interval, log10=-1.0, low=-2.0, high=-0.5)))
    assert "10^" not in on.text()
    on.bench.edit("r3c3 = A", lambda puzzle: set_square(puzzle, Position(2, 2), Content.of("A")))
    await on.tell(CandidatesReady(on.bench.revision, "1A", listed))
    assert "≈10^126.4" in on.text(), "what the grid has now is not known yet"


async def test_a_count_shows_progress_and_its_end(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("xwtui.tui.editing.display.monotonic", lambda: now)
    await on.press("f7")
    on.bench.still.still_count.is_counting = True
    on.editor._spin()
    assert "counting 0.0 s  fills ≈ …" in on.line("estimate")
    now += 2.0
    await on.tell(EstimateReady(on.bench.revision, ROUGH))
    on.editor._spin()
    assert f"counting 2.0 s  {ROUGH.describe()}" in on.line("estimate")
    on.bench.still.still_count.is_counting = False
    told = replace(ROUGH, low=1.0, high=2.0)
    await on.tell(CountEnded(on.bench.revision, told))
    on.editor._spin()
    assert on.line("estimate").startswith(told.describe())
    assert on.line("message") == f"counted: {told.describe()}"


async def test_a_runs_seconds_advance_between_reports(on: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("xwtui.tui.editing.display.monotonic", lambda: now)
    await on.show_run(RunView(Outcome.RUNNING, seconds=1.0))
    for later, told in ((0.0, "1.0 s"), (1.5, "2.5 s"), (0.5, "3.0 s")):
        now += later
        on.editor._spin()
        assert told in on.line("run")
    await on.show_run(RunView(Outcome.RUNNING, seconds=2.9))
    assert "3.0 s" in on.line("run"), "a report that comes late takes nothing back"
    await on.show_run(RunView(Outcome.RUNNING, seconds=0.5))
    assert "0.5 s" in on.line("run"), "another run"


async def test_loading_of_the_engine_is_shown_and_editing_continues(on: Stage) -> None:
    await on.tell(EngineState(EnginePhase.COMPILING, COMPILING))
    assert "compiling the fill engine" in on.line("estimate")
    await on.press("x")
    assert on.grid[Position(0, 0)].content == Content.of("X")
    await on.tell(EngineState(EnginePhase.READY), LexiconReady(1234, 0.1, ("line 3: no word",)))
    assert "1,234 words" in on.line("estimate")
    assert "line 3" in on.line("message")


async def test_a_multiline_failure_shows_its_first_line_and_a_key_the_others(on: Stage) -> None:
    await on.tell(JobFailed("the search stopped: a bug\n  in line 3"))
    key = on.app.keys.named("what was said")
    assert on.line("message") == f"the search stopped: a bug ({key} shows the details)"
    await on.press("quotation_mark")
    lines = [line.strip("│ ") for line in on.text().splitlines()]
    assert lines[lines.index("the search stopped: a bug") + 1] == "in line 3"


async def test_an_unlisted_candidate_has_no_score(on: Stage) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", (candidate("QZX", None, True),)))
    row = next(line for line in on.text().splitlines() if "QZX" in line)
    assert "–" in row.partition("QZX")[2]
    assert "0" not in row.partition("QZX")[2]


async def test_a_candidates_repeats_are_shown_in_its_row(stage: OpenStage) -> None:
    """In words if they fit, otherwise by a symbol and the entry; figures keep their place."""
    puzzle = Puzzle(grid_from_text("LO[CAT]ERS\n......\n######\n......\n......"))
    words = (candidate("LOCATE", 50, True), candidate("PLANET", 50, True))
    entry = next(slot.name for slot in puzzle.grid.slots if slot.start == Position(3, 0))
    async with stage(puzzle) as on:
        await on.verb(f"goto {entry}")
        await on.tell(CandidatesReady(on.bench.revision, entry, words))
        listed = on.editor.desk.candidates
        told_by_width = {24: f"50         {REPEAT_SIGN}", 32: f"LOCATE {REPEAT_SIGN}1A ", 44: "LOCATE repeats 1A "}
        for width, said in told_by_width.items():
            told = ["".join(text for text, _ in listed.fragments(row, width, is_current=False)) for row in words]
            assert said in told[0]
            assert REPEAT_SIGN not in told[1]
            assert "repeats" not in told[1]
            assert told[0].index("50") == told[1].index("50")


async def test_candidates_are_chosen_with_enter(on: Stage) -> None:
    words = (
        candidate("CAT", 50, True, log10=12.34),
        candidate("DOG", 40, True),
        candidate("EMU", 30, False, killed_by="3D"),
    )
    assert "candidates 1A" in on.bench.asked
    await on.tell(CandidatesReady(on.bench.revision, "1A", words))
    assert "2 of 3" in on.text()
    assert "dead 3D" in on.text()
    assert "?10^12 " in on.text()
    await on.press("enter", "down", "enter")
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"
    await on.press("x")
    assert on.here == "r1c2 across", "the keyboard is back in the grid"


async def test_a_proved_candidate_is_marked_and_its_fill_written_as_one_edit(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.tui.typeahead._SHORTEST_HOLD", 0.0)
    words = (candidate("CAT", 50, True), candidate("DOG", 40, True), candidate("EMU", 30, True))
    fill = {at: Content.of("X") for at in small.grid.open_positions()}
    fill |= TOP
    async with stage(small) as on:
        now = on.bench.revision
        await on.tell(CandidatesReady(now, "1A", words))
        assert on.bench.asked[-1] == "look at CAT DOG EMU"
        await on.press("enter", "down")
        await on.press("plus")
        assert "DOG: no fill with it is known yet" in on.line("message")
        assert on.bench.puzzle == small
        await on.press("up")
        await on.tell(
            EstimatesChanged(
                now,
                "1A",
                (
                    CandidateEstimate(
                        "CAT", 50, CandidateStanding.PROVED, log10=3.21, is_refined=True, fill=fill, spread=0.5
                    ),
                    CandidateEstimate("EMU", 30, CandidateStanding.DEAD, "3D"),
                ),
            )
        )
        row = next(line for line in on.text().splitlines() if "CAT" in line)
        assert "≈1,600 ✓ fill" in row
        assert "dead 3D" in on.text()
        assert "2 of 3" in on.text()
        assert on.bench.asked[-1] == "look at CAT DOG"
        assert [row.word for row in on.editor.desk.candidates.rows] == ["CAT", "DOG", "EMU"], "nothing jumps"
        await on.press("plus")
        assert "fill through 1A = CAT" in on.line("message")
        assert {on.grid[at].content for at in fill} == set(fill.values())
        assert {on.grid[at].ink for at in fill} == {Ink.PENCIL}
        await on.press("ctrl+z")
        assert on.grid == small.grid


async def test_letters_of_a_square_are_shown_and_forced_ones_are_ghosts(on: Stage) -> None:
    first, second, third = (Position(0, column) for column in range(3))
    letters = LetterTable(
        {
            first: {Content.of("E"): 0.62, Content.of("A"): 0.377, Content.of("Q"): 0.003},
            second: {Content.of("U"): 1.0},
        },
        {second: Content.of("U")},
    )
    paint = on.app.colour_theme.palette
    await on.tell(LettersReady(on.bench.revision, letters))
    assert on.line("letters") == "r1c1  about E 62%  A 38%  Q <1%"
    assert on.letter_at(second) == "U"
    assert "U=" in on.text()
    assert on.style_at(second).color == legible(paint.open + paint.entry, paint.ghost).color
    assert on.letter_at(third) == "·"
    await on.press("right")
    assert on.line("letters") == "r1c2  U is forced"
    await on.press("x")
    assert on.letter_at(second) == "X"
    assert "U=" not in on.text()
    await on.press("left")
    assert on.line("letters") == "r1c2  is yours"
    on.bench.pretended = RUNNING
    await on.tell(
        LettersReady(on.bench.revision, LetterTable({}, {third: Content.of("Z")})), FillProgress(RUNNING)
    )
    assert on.letter_at(third) == "T", "what the search has there"


async def test_late_letters_are_dropped(on: Stage) -> None:
    await on.tell(LettersReady(on.bench.revision - 1, LetterTable({}, {Position(0, 1): Content.of("U")})))
    assert "U=" not in on.text()


async def test_candidates_are_sorted_by_a_key(on: Stage) -> None:
    words = (candidate("CAT", 50, True, log10=1.0), candidate("DOG", 40, True, log10=2.0))
    now = on.bench.revision
    await on.tell(CandidatesReady(now, "1A", words))
    await on.press("enter", "f3")
    assert on.bench.asked[-1] == "candidates 1A by room"
    assert load_settings().candidate_order == "room", "the next start sorts so too"
    await on.tell(CandidatesReady(now, "1A", words[::-1], CandidateOrder.ROOM))
    assert "by room" in on.text()
    assert [row.word for row in on.editor.desk.candidates.rows] == ["DOG", "CAT"]
    await on.press("f3")
    await on.tell(CandidatesReady(now, "1A", words, CandidateOrder.BOTH))
    await on.press("f3")
    assert on.bench.asked[-1] == "candidates 1A"


def many(*dead: str) -> tuple[CandidateEstimate, ...]:
    """Return a long list of words, with dead ones at the end."""
    words = [f"{letter}{end}T" for letter in "ABCDEFGH" for end in "AEIOU"]
    alive = [candidate(word, 50, True) for word in words if word not in dead]
    return (*alive, *(candidate(word, 50, False) for word in dead))


async def test_the_selected_candidate_stays_selected_after_sorting(on: Stage) -> None:
    now, listed = on.bench.revision, on.editor.desk.candidates
    await on.tell(CandidatesReady(now, "1A", many()))
    await on.press("enter", "end", "up", "up")
    word, line = listed.chosen_word, listed.current - listed.top
    await on.tell(CandidatesReady(now, "1A", many("AAT", "BAT", "CAT")))
    assert (listed.chosen_word, listed.current - listed.top) == (word, line)
    resorted = many()[::-1]
    await on.tell(CandidatesReady(now, "1A", resorted, CandidateOrder.ROOM))
    assert (listed.chosen_word, listed.top) == (resorted[0].word, 0), "another order is asked for to see its first"
    listed.current, listed.top = 0, 12
    await on.tell(CandidatesReady(now, "1A", resorted[4:] + resorted[:4], CandidateOrder.ROOM))
    assert listed.rows[listed.top].word == resorted[12].word, "one who has scrolled away goes on reading"
    assert listed.chosen_word == resorted[0].word


def with_room(word: str, log10: float) -> CandidateEstimate:
    return CandidateEstimate(word, 50, CandidateStanding.SURVIVES, log10=log10, spread=0.5)


async def test_later_estimates_keep_the_order_and_the_selected_word(on: Stage) -> None:
    now, listed = on.bench.revision, on.editor.desk.candidates
    first = (with_room("AAT", 9.0), with_room("BAT", 8.0), with_room("CAT", 7.0))
    await on.tell(CandidatesReady(now, "1A", first, CandidateOrder.ROOM))
    await on.press("enter", "down")
    await on.tell(EstimatesChanged(now, "1A", (with_room("AAT", 2.0), with_room("BAT", 3.0))))
    assert [row.word for row in listed.rows] == ["CAT", "BAT", "AAT"]
    assert listed.chosen_word == "BAT"


async def test_words_found_dead_move_below_living_ones(on: Stage) -> None:
    now, listed = on.bench.revision, on.editor.desk.candidates
    await on.tell(CandidatesReady(now, "1A", many()))
    dead = [candidate(word, 50, False) for word in ("AAT", "AET", "AOT")]
    await on.tell(EstimatesChanged(now, "1A", tuple(dead)))
    words = [row.word for row in listed.rows]
    assert (words[:2], words[-3:]) == (["AIT", "AUT"], ["AAT", "AET", "AOT"])
    await on.press("enter", "down")
    await on.tell(EstimatesChanged(now, "1A", (candidate("AIT", 50, False),)))
    assert (listed.chosen_word, listed.rows[0].word) == ("AUT", "AUT"), "one who is on a word stays there"


async def test_figures_of_a_changed_puzzle_keep_the_list_position(
    on: Stage,
) -> None:
    now, listed = on.bench.revision, on.editor.desk.candidates
    await on.tell(CandidatesReady(now, "1A", many()))
    await on.press("enter", "b", "down", "down")
    await on.tell(PuzzleChanged("never CAT"), OptionsReady(now, {"1A": SlotOptions(40, 39)}))
    assert (listed.chosen_word, listed.typed) == ("BIT", "B")
    await on.tell(CandidatesReady(now, "1A", many()))
    assert (listed.chosen_word, listed.typed) == ("BIT", "B")


async def test_letters_that_narrow_the_candidates_are_shown(on: Stage) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", many()))
    await on.press("enter", "b", "a")
    assert "1A  1 with BA… by score" in on.text()
    await on.press("backspace")
    assert "1A  5 with B… by score" in on.text()
    await on.tell(CandidatesReady(on.bench.revision, "1A", many()[6:]))
    assert "1A  4 with B… by score" in on.text(), "BAT has gone"
    await on.tell(CandidatesReady(on.bench.revision, "1A", many(), CandidateOrder.ROOM))
    assert "1A  5 with B… by room" in on.text()
    await on.tell(CandidatesReady(on.bench.revision, "1A", many()))
    await on.press("backspace")
    assert "40 of 40 by score" in on.text()


@pytest.mark.parametrize("is_inside", [False, True])
async def test_the_top_word_scrolls_the_list_only_if_it_has_focus(on: Stage, is_inside: bool) -> None:
    now, listed = on.bench.revision, on.editor.desk.candidates
    await on.tell(CandidatesReady(now, "1A", many()))
    if is_inside:
        await on.press("enter")
    await on.tell(CandidatesReady(now, "1A", many("AAT")))
    assert listed.chosen_word == ("AAT" if is_inside else "AET")
    assert (listed.top == 0) is not is_inside


async def test_messages_about_other_candidates_are_dropped(on: Stage) -> None:
    now = on.bench.revision
    await on.tell(CandidatesReady(now, "1A", (candidate("CAT", 50, True),)))
    await on.tell(EstimatesChanged(now, "5A", (CandidateEstimate("CAT", 50, CandidateStanding.DEAD, "3D"),)))
    await on.tell(EstimatesChanged(now - 1, "1A", (CandidateEstimate("CAT", 50, CandidateStanding.DEAD, "3D"),)))
    assert "dead" not in on.text()


async def test_typing_narrows_the_candidates(on: Stage, small: Puzzle) -> None:
    words = (candidate("CAT", 50, True), candidate("DOG", 40, True))
    await on.tell(CandidatesReady(on.bench.revision, "1A", words))
    await on.press("enter", "d")
    assert on.editor.desk.candidates.chosen_word == "DOG"
    await on.press("x")
    assert "none starts with DX" in on.text()
    await on.press("backspace", "backspace", "escape")
    assert len(on.editor.desk.candidates.rows) == 2
    assert on.bench.puzzle == small


async def test_a_click_chooses_a_candidate_and_a_double_click_places_it(on: Stage, small: Puzzle) -> None:
    words = (candidate("CAT", 50, True), candidate("DOG", 40, True))
    await on.tell(CandidatesReady(on.bench.revision, "1A", words))
    await on.pilot.click("#candidates", offset=(2, 1))
    assert on.grid == small.grid
    await on.double_click("#candidates", offset=(2, 1))
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"


async def test_candidates_of_another_entry_are_not_placed(on: Stage, small: Puzzle) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", (candidate("CAT", 50, True),)))
    await on.press("tab", "enter", "enter")
    assert on.bench.puzzle == small
    assert "still finding" in on.line("message")


async def test_without_candidates_enter_gives_a_notice(on: Stage) -> None:
    await on.press("enter")
    assert "1A" in on.line("message")


async def test_the_hardest_entry_is_found(on: Stage, small: Puzzle) -> None:
    slots = small.grid.slots
    options = {slot.name: SlotOptions(90, 50) for slot in slots} | {slots[3].name: SlotOptions(9, 2)}
    await on.tell(OptionsReady(on.bench.revision, options))
    await on.press("exclamation_mark")
    assert on.bench.cursor.slot == slots[3]
    assert on.editor.desk.entries.rows[0].name == slots[3].name, "the emptiest stands first"


async def test_the_hardest_entry_uses_counts_after_the_last_letter(on: Stage, small: Puzzle) -> None:
    first, second, *_, last = small.grid.slots
    counts = {slot.name: SlotOptions(90, 50) for slot in small.grid.slots}
    await on.tell(EngineState(EnginePhase.READY), LexiconReady(5, 0.1))
    await on.tell(OptionsReady(on.bench.revision, counts | {second.name: SlotOptions(9, 2)}))
    with pytest.MonkeyPatch.context() as patience:
        patience.setattr("xwtui.tui.typeahead._SHORTEST_HOLD", PATIENCE_SECONDS)
        on.post("c", "exclamation_mark", "x")
        await on.pilot.pause()
        before = on.bench.puzzle
        await on.tell(OptionsReady(on.bench.revision, counts, "nothing fits", culprits=(last.name,)))
        await on.settle()
    assert on.bench.puzzle.grid[last.start].content == Content.of("X"), "the next key waited, too"
    assert before.grid[first.start].content == Content.of("C")
    await on.press("y", "exclamation_mark")
    await on.settle()
    assert on.bench.cursor.slot == last, "where no counts come, those that stand have to do"


async def test_a_full_grid_has_no_hardest_entry(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text("CAT\n###\n###"))) as on:
        await on.press("f4")
        assert "every entry is filled" in on.line("message")


async def test_the_hardest_entry_of_a_full_grid_is_a_non_word(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text("CAT#XYX\n#######\n#XXX###"))) as on:
        for entry in ("2A XYX", "3A XXX", "2A XYX"):
            await on.press("f4")
            assert f"{entry} is not listed; Ctrl+W says more" in on.line("message")
            assert on.bench.cursor.slot == on.bench.puzzle.grid.slot(entry.split()[0])


async def test_the_search_shows_its_remaining_words(on: Stage) -> None:
    await on.show_run(replace(RUNNING, paused=True, domain_sizes={"1A": 321}))
    assert "321" in on.text()
    on.bench.pretended = None
    await on.press("x")
    assert "321" not in on.text()


async def test_narrowing_letters_disappear_with_the_list(on: Stage) -> None:
    words = (candidate("CAT", 60, True), candidate("DOG", 50, True))
    await on.tell(CandidatesReady(on.bench.revision, "1A", words))
    await on.press("enter", "d")
    assert [row.word for row in on.editor.desk.candidates.rows] == ["DOG"]
    await on.press("escape")
    assert [row.word for row in on.editor.desk.candidates.rows] == ["CAT", "DOG"]
    assert on.editor.desk.candidates.chosen_word == "DOG"
    await on.press("enter", "d", "tab")
    on.editor.grid_keys.go_to("5A")
    await on.tell(CandidatesReady(on.bench.revision, "5A", (candidate("SNAIL", 60, True),)))
    assert [row.word for row in on.editor.desk.candidates.rows] == ["SNAIL"]


async def test_clues_next_to_the_grid_follow_the_cursor(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(15, 15), size=(120, 40)) as on:
        for _ in range(len(on.grid.slots)):
            await on.press("tab")
            slot = known(on.app.session.cursor.slot)
            shown = on.text().split("CLUES", 1)[1]
            assert f" {slot.name} " in shown


SCORES = {"BAT": 50, "TEN": 41, "ARE": 60}


def puzzle() -> Puzzle:
    """Across BAT 50, TEN 41 and the unlisted XYZ; ARE is locked, the others are open."""
    grid = grid_from_text("BAT#TEN\n...#...\nXYZ#ARE")
    are = next(slot for slot in grid.slots if grid.answer(slot) == "ARE")
    changes = {at: replace(grid[at], ink=Ink.LOCKED) for at in are.positions}
    return Puzzle(grid.with_squares(changes))


def test_worst_first_sorts_by_score_then_options_with_locked_entries_last() -> None:
    made = puzzle()
    grid = made.grid
    unfinished = [slot.name for slot in grid.slots if grid.answer(slot) is None]
    options = {name: SlotOptions(90, 50 - number) for number, name in enumerate(unfinished)}
    rows = entry_rows(made, options, SCORES.get, EntryOrder.WORST)
    answers = {slot.name: grid.answer(slot) for slot in grid.slots}
    assert [answers[row.name] for row in rows[:3]] == ["XYZ", "TEN", "BAT"]
    assert [row.name for row in rows[3:-1]] == unfinished[::-1]
    assert answers[rows[-1].name] == "ARE"


def test_a_banned_answer_is_marked_and_sorted_before_other_words() -> None:
    rows = entry_rows(puzzle(), {}, SCORES.get, EntryOrder.WORST, banned={"ARE", "TEN"})
    grid = puzzle().grid
    answers = {slot.name: grid.answer(slot) for slot in grid.slots}
    assert [answers[row.name] for row in rows if row.is_banned] == ["TEN", "ARE"]
    assert [answers[row.name] for row in rows[:3]] == ["TEN", "ARE", "XYZ"], "though ARE is locked"


def test_entries_that_prevent_every_fill_come_first() -> None:
    rows = entry_rows(puzzle(), {}, SCORES.get, EntryOrder.WORST, culprits=["2D"], is_dead=True)
    assert rows[0].name == "2D"


def test_entries_to_fix_come_first_in_any_order() -> None:
    """Repeats and unlisted answers; nothing counts as unlisted while words load."""
    rows = entry_rows(puzzle(), {}, SCORES.get, EntryOrder.CLUE)
    names = [row.name for row in rows]
    unlisted = {row.name for row in rows if row.is_filled and row.score is None and not row.is_locked}
    assert unlisted, "or this shows nothing"
    first, count = faulty_first(rows, ["3D"], are_words_known=True)
    assert {row.name for row in first[:count]} == unlisted | {"3D"}
    assert [row.name for row in first[count:]] == [name for name in names if name not in unlisted | {"3D"}]
    first, count = faulty_first(rows, (), are_words_known=False)
    assert (count, [row.name for row in first]) == (0, names)


async def test_pinned_rows_stay_in_view_while_others_scroll(stage: OpenStage) -> None:
    """A click hits the row drawn there."""
    async with stage(Puzzle.blank(15, 15), size=(80, 24)) as on:
        entries = on.app.screen.query_one(EntryList)
        entries.pinned = 2
        entries.action_edge(1)
        first = entries.rows[0].name
        assert entries.top > 0
        drawn = ["".join(part.text for part in entries.render_line(y)) for y in range(entries.size.height)]
        assert drawn[0].split()[0] == first
        assert drawn[-1].split()[0] == entries.rows[-1].name
        await on.pilot.click(entries, offset=(2, entries.size.height - 1))
        assert entries.current == len(entries.rows) - 1
        await on.pilot.click(entries, offset=(2, 0))
        assert entries.current == 0
