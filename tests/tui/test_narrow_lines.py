"""How the lines around the grid shrink in narrow terminals: whole items are left out, least important first."""

import re
from dataclasses import replace

import pytest
from rich.style import Style

from tests.ruled import ruled
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateStanding
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.profiles import usual_profile
from xwtui.model import Direction, Puzzle, Symmetry
from xwtui.model.edits import place_answer
from xwtui.model.puzzle import WordChoice
from xwtui.session.keys.key_map import own_map
from xwtui.session.messages import (
    AnswerReady,
    CandidatesReady,
    EnginePhase,
    EngineState,
    EstimateReady,
    LexiconReady,
    OptionsReady,
)
from xwtui.session.run_view import RunView
from xwtui.session.verbs.layouts import LayoutsAnswer
from xwtui.tui.editing.display import engine_line, reason_broken, run_line, title_line
from xwtui.tui.screens.editor import Editor
from xwtui.tui.themes import PLAIN
from xwtui.tui.widgets.entry_list import EntryList, EntryRow
from xwtui.tui.widgets.painted import Line, TwoEnds, line_strip

STYLE = Style()
BUSY = RunView(
    Outcome.RUNNING,
    nodes=1_234_567,
    backtracks=345_678,
    restarts=1_150,
    depth=61,
    deepest=78,
    seconds=123.4,
    depth_history=(3, 1, 4, 1, 5) * 8,
)


def shown(ends: TwoEnds, width: int) -> str:
    left, right, _ = ends.within(width)
    return "".join(segment.text for segment in line_strip(left, width, STYLE, right))


@pytest.mark.parametrize(
    ("width", "text"), [(12, "abcd efgh kl"), (11, "abcd     kl"), (7, "abcd kl"), (6, "a…  kl"), (2, " k")]
)
def test_optional_items_are_dropped_one_by_one_before_truncation(width: int, text: str) -> None:
    spare = (" efgh", STYLE)
    assert shown(TwoEnds([("abcd", STYLE), spare], [(" ", STYLE), ("kl", STYLE)], (spare,)), width) == text


async def test_a_reason_takes_the_line_of_the_word_count(on: Stage) -> None:
    await on.tell(EngineState(EnginePhase.READY), LexiconReady(5, 5))
    assert "words" in on.text().splitlines()[-4]
    reason = "1A: the word list has no word of 3 letters that scores 40 or more"
    await on.tell(OptionsReady(on.bench.revision, {}, reason=reason))
    assert " ".join(on.text().split()).count(reason[:-5]) == 1


@pytest.mark.parametrize(
    ("left", "width", "text"),
    [("abcd", 7, "abcd kl"), ("abcd", 6, "ab… kl"), ("abc ", 6, "abc kl"), ("abc", 6, "abc kl")],
)
def test_left_and_right_ends_never_touch(left: str, width: int, text: str) -> None:
    assert shown(TwoEnds([(left, STYLE)], [("kl", STYLE)]), width) == text


def test_a_waiting_run_shows_what_it_waits_for() -> None:
    loading = EngineState(EnginePhase.READY, LoadingStep(EnginePart.IMPROVING))
    assert "loading the improver and rules" in shown(
        TwoEnds(right=engine_line(loading, 1000, 0, PLAIN, waits=True)), 80
    )
    assert "1,000 words" in shown(TwoEnds(right=engine_line(loading, 1000, 0, PLAIN)), 80)


@pytest.mark.parametrize("stage_", [LoadingStage.COMPILING, LoadingStage.WAITING])
@pytest.mark.parametrize(("number", "told"), [(0, "compiling improver: 123 s"), (3, "compiling 3 of 3: 123 s")])
async def test_no_estimate_is_truncated_while_the_engine_compiles(
    stage: OpenStage, stage_: LoadingStage, number: int, told: str
) -> None:
    async with stage(Puzzle.blank(5, 5), size=(80, 24)) as on:
        estimate = Estimate(Instrument.PARTICLES, log10=38.4, low=37.9, high=38.8, runs=8, at_least=1_234_567)
        step = LoadingStep(EnginePart.IMPROVING, stage_, is_kept=True, seconds=123, number=number, parts=3)
        await on.tell(LexiconReady(126_000, 0.1), EngineState(EnginePhase.READY, step))
        await on.tell(EstimateReady(on.bench.revision, estimate))
        line = next(line for line in on.text().splitlines() if "fills ≈" in line)
    assert "fills ≈ 10^38.4 (37.9–38.8); at least 1,234,567" in line
    assert told in line
    assert "…" not in line


@pytest.mark.parametrize("width", [60, 70, 80, 100, 120])
@pytest.mark.parametrize("outcome", [Outcome.RUNNING, Outcome.UNKNOWN])
def test_no_figure_of_a_search_is_truncated(width: int, outcome: Outcome) -> None:
    ends = run_line(replace(BUSY, outcome=outcome), 0, PLAIN, own_map())
    text = shown(ends, width)
    assert "…" not in text
    assert "1,234,567 nodes" in text
    pieces = {piece.strip() for piece, _ in (*ends.left, *ends.right)}
    assert all(part in " ".join(pieces) for part in text.split())
    if width >= 120:
        assert "1,150 restarts" in text


async def test_a_long_title_leaves_room_for_size_and_filled_count(stage: OpenStage) -> None:
    puzzle = replace(
        Puzzle.blank(15, 15),
        title="A Rather Long Title for a Puzzle of Its Size",
        words=WordChoice(lists=("themewords.dict", "default")),
        rules=ruled(letters="JQXZ"),
    )
    async with stage(puzzle, size=(80, 24)) as on:
        line = on.editor.query_one("#title", Line)
        text = "".join(segment.text for segment in line.render_line(0))
        assert len(text) == 80
        assert "15×15  0/30 entries" in text
        assert puzzle.title in text, "what words may fill it gives way before"
    async with stage(puzzle, size=(140, 40)) as on:
        text = "".join(segment.text for segment in on.editor.query_one("#title", Line).render_line(0))
        assert all(said in text for said in ("0 blocks", "rot180", "themewords.…+ ≥ 40", "1 rule "))


async def test_puzzle_figures_are_shown_as_far_as_they_fit(
    stage: OpenStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All from 140 columns on; the least important go first."""
    grid = grid_from_text("##...\n.....\nBAKES\nBAKED\n...##")
    puzzle = Puzzle(grid, title="Figures")
    async with stage(puzzle, size=(140, 40)) as on:
        on.bench.document.saved_at = 1_000.0
        monkeypatch.setattr(on.bench.jobs.words, "score", {"BAKES": 50, "BAKED": 41}.get)
        ends = title_line(on.bench, PLAIN, now=1_130.0)
        wide = shown(ends, 140)
        assert "5×5  2/10 entries  4 blocks  3s: 2  cheaters: 4  mean 45.5, lowest 41  ↻ 1 repeat" in wide
        assert "default ≥ 40   saved 2 min ago" in wide
        fits = [width for width in range(30, 140) if "saved" in shown(ends, width)]
        assert min(fits) > min(width for width in range(30, 140) if "mean" in shown(ends, width))
        on.bench.amend("british", lambda puzzle: replace(puzzle, profile="british"))
        lattice = shown(title_line(on.bench, PLAIN, now=1_130.0), 140)
        assert "cheaters" not in lattice, "a profile that needs no checked squares has no notion of them"
        assert "mean 45.5 low 41 " in shown(title_line(on.bench, PLAIN, width=80), 80), "figures have their names"
        on.bench.amend("46", lambda puzzle: replace(puzzle, words=replace(puzzle.words, minimum_score=46)))
        below = shown(title_line(on.bench, PLAIN, width=80), 80)
        assert "mean 45.5 low 41: 7A" in below, "an answer below the minimum is named"
        on.bench.amend("40", lambda puzzle: replace(puzzle, words=replace(puzzle.words, minimum_score=40)))
        narrow = title_line(on.bench, PLAIN, now=1_130.0, width=48)
        assert "5×5  2/10 entries  ↻ 1 repeat" in shown(narrow, 48), "a warning stays longer than figures"
        on.bench.amend("title", lambda puzzle: replace(puzzle, title="A Title of Quite Some Length to Be Read"))
        told = shown(title_line(on.bench, PLAIN, now=1_130.0, width=80), 80)
        assert "A Title of Quite" in told
        assert "↻ 1 repeat" in told
        on.bench.amend("XQZ", lambda puzzle: place_answer(puzzle, puzzle.grid.slot("1A"), "XQZ"))
        told = shown(title_line(on.bench, PLAIN, width=90), 90)
        assert "mean 45.5 low 41, 1 not listed" in told, "what the mean leaves out is counted"


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (60, " A Title of Quite Some L… 5×5 2/10 entries ↻ 1 repeat ≡"),
        (70, " A Title of Quit… 5×5 2/10 entries mean 45.5 low 41 ↻ 1 repeat ≡"),
        (80, " A Title of Quite… 5×5 2/10 entries mean 45.5 low 41 ↻ 1 repeat 1 rule ≡"),
        (100, " A Title of Quite Some Length to … 5×5 2/10 entries mean 45.5, lowest 41 ↻ 1 repeat 1 rule ≡"),
    ],
)
async def test_warnings_outlast_list_counts_title_rules_and_scores(
    stage: OpenStage, monkeypatch: pytest.MonkeyPatch, width: int, text: str
) -> None:
    grid = grid_from_text("##...\n.....\nBAKES\nBAKED\n...##")
    title = "A Title of Quite Some Length to Be Read in One Line"
    async with stage(Puzzle(grid, title=title, rules=ruled(letters="JQXZ")), size=(width, 24)) as on:
        monkeypatch.setattr(on.bench.jobs.words, "score", {"BAKES": 50, "BAKED": 41}.get)
        line = title_line(on.bench, PLAIN, width=width)
        assert line.width <= width, "all that is left has room"
        assert re.sub(" +", " ", shown(line, width)) == text


async def test_the_time_since_saving_updates_while_idle(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.tui.app._MINUTE", 0.01)
    async with stage(small, size=(140, 40)) as on:
        on.bench.document.saved_at = 1.0
        await until(on, lambda: "h ago" in on.text().splitlines()[0], "the title")


async def test_the_word_count_gives_way_to_an_estimate(on: Stage) -> None:
    await on.tell(LexiconReady(126_000, 0.1), EngineState(EnginePhase.READY))
    await on.tell(EstimateReady(on.bench.revision, Estimate(Instrument.PARTICLES, log10=None)))
    line = next(line for line in on.text().splitlines() if "no estimate" in line)
    assert "(this proves nothing)" in line
    assert "words" not in line


async def test_both_ends_of_a_full_line_are_separated(on: Stage) -> None:
    line = on.editor.query_one("#estimate", Line)
    line.left, line.right = [("THROBBINGHEART", Style())], [("339,975 words ", Style())]
    on.editor.context.message_line.show_all()
    await on.pilot.pause()
    assert "THROBBINGHEART   339,975 words" in on.text()


def test_a_long_reason_wraps_at_a_word() -> None:
    reason = "17A: no word fits Q?J; it needs E or I at r3c4, and 5D and 12D allows none of these there"
    first, rest = reason_broken(reason, 80)
    assert f"{first} {rest}" == reason
    assert len(" no fill (proved)  ") + len(first) < 80
    assert reason_broken("1A: no word fits Q??", 80) == ("1A: no word fits Q??", "")
    assert reason_broken("", 80) == ("", "")


async def test_a_long_reason_continues_below(on: Stage) -> None:
    reason = "17A: no word fits Q?J; it needs E or I at r3c4, and 5D and 12D allows none of these there"
    await on.tell(OptionsReady(on.bench.revision, {}, reason))
    assert on.line("run") == reason_broken(reason, 80)[1]


async def test_a_message_longer_than_its_line_is_shown_whole(on: Stage) -> None:
    said = "there are fills 1 to 3, " + "and each of them says something else of the grid, " * 4 + "until the end."
    grid = on.editor.desk.grid.size
    on.editor.show_message(said)
    await on.pilot.pause()
    assert said in " ".join(on.text().split()), "no word of it is missing"
    assert "F5 fill" in on.text().splitlines()[-1], "the keys stay"
    assert on.editor.desk.grid.size == grid, "nothing is laid out anew for it"
    await on.pilot.resize_terminal(60, 24)
    await on.pilot.pause()
    assert said in " ".join(on.text().split())
    await on.verb("goto 1D")
    assert "something else" not in on.text()


async def test_a_verbs_message_starts_with_its_name_once(on: Stage) -> None:
    await on.verb("alphabet")
    await on.press("escape")
    on.editor.context.message_line.show_all()
    await on.pilot.pause()
    assert "alphabet: English" in on.text()
    assert "alphabet: alphabet" not in on.text()


async def test_a_key_shows_earlier_messages(on: Stage) -> None:
    for text in ("one thing", "another thing", "another thing"):
        on.editor.show_message(text)
    await on.tell(
        OptionsReady(
            on.bench.revision, {}, "1A: no word fits " + "and so on " * 20 + "to the end", culprits=("1A",)
        )
    )
    await on.press("right", "quotation_mark")
    told = on.text()
    assert told.index("another thing") < told.index("one thing")
    assert told.count("another thing") == 1
    assert "to the end" in told
    await on.press("escape")
    assert "one thing" not in on.text()


async def test_only_the_last_progress_message_of_a_run_is_kept(on: Stage) -> None:
    """Earlier messages stay in the history, and so do replies with a screen of their own."""
    on.editor.show_message("saved heart.ipuz")
    grids = (Puzzle.blank(5, 5).grid,) * 100
    wanted = LayoutWanted(5, 5, usual_profile(5, 5), Symmetry.NONE)
    for number in range(1, 100):
        await on.tell(AnswerReady(on.bench.revision, LayoutsAnswer(wanted, grids[:number], 100)))
        if number == 50:
            on.editor.show_message("something else")
    assert "99 layouts of 100" in on.line("message")
    await on.tell(AnswerReady(on.bench.revision, LayoutsAnswer(wanted, grids, 100), is_last=True))
    await on.press("escape", "quotation_mark")
    told = on.text()
    assert "saved heart.ipuz" in told
    assert "something else" in told
    assert told.count("layouts") - told.count("layouts take") == 1
    assert "100 layouts" in told


async def test_findings_after_an_edit_appear_in_the_message_line(on: Stage) -> None:
    """The user who continues typing sees them, and nothing covers the grid."""
    asked, grids = on.bench.revision, (Puzzle.blank(5, 5).grid,) * 2
    wanted = LayoutWanted(5, 5, usual_profile(5, 5), Symmetry.NONE)
    await on.type("d")
    await on.tell(AnswerReady(asked, LayoutsAnswer(wanted, grids[:1], 2)))
    assert "1 layout of 2" in on.line("message")
    await on.tell(AnswerReady(asked, LayoutsAnswer(wanted, grids, 2), is_last=True))
    assert "2 layouts" in on.line("message")
    assert "before the last edit" in on.line("message")
    assert isinstance(on.app.screen, Editor)


async def test_a_blockless_grid_without_a_fill_shows_what_it_needs(stage: OpenStage) -> None:
    async with stage(Puzzle.blank(15, 15)) as on:
        await on.tell(EstimateReady(on.bench.revision, Estimate(Instrument.EXACT, log10=None, exact=0)))
        assert "no fill (proved)  it has no blocks yet: . sets them" in on.line("estimate")
        await on.tell(EstimateReady(on.bench.revision, Estimate(Instrument.BETHE, log10=-3.0)))
        assert "probably no fill (estimate)  it has no blocks yet: . sets them" in on.line("estimate")
        assert on.line("run") == "", "the footer names the keys that fill"
        await on.press("full_stop")
        await on.tell(EstimateReady(on.bench.revision, Estimate(Instrument.EXACT, log10=None, exact=0)))
        assert "no blocks" not in on.line("estimate")


async def test_a_grid_whose_profile_has_only_bars_is_not_told_to_take_blocks(stage: OpenStage) -> None:
    async with stage(replace(Puzzle.blank(12, 12), profile="barred")) as on:
        await on.tell(EstimateReady(on.bench.revision, Estimate(Instrument.EXACT, log10=None, exact=0)))
        assert "no fill (proved)  it has no bars yet: | sets them" in on.line("estimate")


def test_one_backtrack_is_singular() -> None:
    one = RunView(Outcome.RUNNING, nodes=1, backtracks=1, restarts=1, depth=1, deepest=2)
    told = shown(run_line(one, 0, PLAIN, own_map()), 100)
    assert "1 node  1 backtrack  1 restart" in told
    assert "2 nodes  0 backtracks  2 restarts" in shown(
        run_line(replace(one, nodes=2, backtracks=0, restarts=2), 0, PLAIN, own_map()), 100
    )


@pytest.mark.parametrize("pattern", ["?" * 8, "?" * 9, "?" * 15, "SWEET[HEART]????"])
@pytest.mark.parametrize("matches", [360, 19_849, 99_999, 126_000])
def test_a_pattern_never_touches_its_count(pattern: str, matches: int) -> None:
    rows, row = EntryList(), EntryRow("29A", pattern, matches, 7, False, False, None, "")
    told = "".join(text for text, _ in rows.fragments(row, 30, is_current=False))
    assert re.search(r"[?…] +[\d,]+k? +7 ", told)
    assert len(told) == 29


def test_names_of_linked_lights_leave_room_for_patterns() -> None:
    rows = EntryList()
    plain = EntryRow("1A", "POTATO", 9, 7, False, False, None, "", label="1A")
    rows.show([plain, EntryRow("13A", "RA?IO", 9, 7, False, False, None, "", label="13A,21D")])
    told = ["".join(text for text, _ in rows.fragments(row, 30, is_current=False)) for row in rows.rows]
    assert told[0].startswith(" 1A   POTATO ")
    assert told[1].startswith(" 13A+ RA?IO ")
    wide = "".join(text for text, _ in rows.fragments(rows.rows[1], 80, is_current=False))
    assert wide.startswith(" 13A,21D  RA?IO ")


async def test_filling_is_not_suggested_for_full_or_impossible_grids(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        assert "F5 fill" in on.text()
        proved = Estimate(Instrument.EXACT, log10=None, exact=0)
        await on.tell(EstimateReady(on.bench.revision, proved))
        assert "no fill" in on.line("estimate")
        assert on.line("run") == ""
    full = Puzzle(grid_from_text("BAT\nARE\nTEN"))
    async with stage(full) as on:
        assert "F5 fill" not in on.text()


async def test_no_name_is_truncated_if_it_fits(stage: OpenStage) -> None:
    title = "A title that goes on and on, until there is hardly any room left for it"
    grid = grid_from_text("\n".join(["[HEART]BREAKHOTEL#...", *["." * 15] * 14]))
    puzzle = Puzzle(grid, title=title).with_clue(grid.slot("1A"), "1956 Elvis Presley hit")
    proved, entry = CandidateStanding.PROVED, grid.slots[1].name
    words = tuple(CandidateEstimate(f"WO{n}", 60, proved, log10=34.7, fill={}, spread=1.0) for n in range(10, 50))
    async with stage(puzzle, size=(200, 60)) as on:
        on.bench.cursor.move_to(grid.slot(entry).start, Direction.ACROSS)
        await on.tell(CandidatesReady(on.bench.revision, entry, words))
        shown = on.text()
        assert title in shown
        assert "[HEART]BREAKHOTEL " in shown
        assert "1956 Elvis Presley hit" in shown
        assert "≈10^34.7 ✓ fill ▐" in shown
    async with stage(puzzle, offers_start=True) as on:
        assert "finished match made in heaven" in on.text()


async def test_an_event_longer_than_its_line_is_shown_once(on: Stage) -> None:
    for word in ("OPTOUTS", "OPTOUTSANDOTHERS"):
        event = Event(EventKind.BACKTRACK, 1, "19A", word, before=7, after=6, other="1D")
        run = RunView(Outcome.RUNNING, depth=7, paused=True, event=event, depth_history=(1, 2, 3))
        await on.show_run(run)
        assert on.text().count("backtrack from 19A") == 1
        assert "options left there" in " ".join(on.text().split())


async def test_the_reason_for_no_fill_is_not_shown_twice(on: Stage) -> None:
    reason = "1A: no word fits Q?J"
    await on.tell(OptionsReady(on.bench.revision, {}, reason))
    await on.show_run(RunView(Outcome.IMPOSSIBLE, reason=reason, seconds=2.2))
    assert reason in on.line("estimate")
    assert on.line("run").startswith("proved in 2.20 s")
