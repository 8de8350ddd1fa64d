"""Output between lines: the toolbar, completion, runs, and the grid in large squares."""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from tests.repl.conftest import Talk
from tests.session.saying import PATIENCE_SECONDS
from tests.writing import written
from xwtui.engine.candidates.options import SlotOptions
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Bar, Content, Grid, Ink, Position, edits
from xwtui.printing import paint
from xwtui.repl.dialogue import toolbar_text
from xwtui.repl.line_runner import Inbox, describe_events, describe_progress, describe_run
from xwtui.repl.lines import VerbCompleter, open_history
from xwtui.repl.output import LARGE, MEDIUM, Frame, draw_framed, frame_that_fits
from xwtui.session import messages
from xwtui.session.jobs.counts import LiveCountJob, LiveCounts
from xwtui.session.jobs.job import JobContext
from xwtui.session.run_view import RunView
from xwtui.session.session import Session

COMPILING = LoadingStep(EnginePart.SEARCH, LoadingStage.COMPILING)


@pytest.fixture
def session(mini: Path, journals: Path) -> Iterator[Session]:
    bench = Session(journal_folder=journals)
    bench.open(mini)
    yield bench
    bench.discard_changes()
    bench.close()


def completed(session: Session, line: str) -> list[str]:
    """Return the lines that completions make of a line."""
    document = Document(line)
    offers = VerbCompleter(lambda: session).get_completions(document, CompleteEvent(completion_requested=True))
    return [line[: len(line) + offer.start_position] + offer.text for offer in offers]


def test_verbs_and_entries_are_completed(session: Session) -> None:
    assert "symmetry" in completed(session, "sym")
    assert {"lock 1A", "lock 1D"} <= set(completed(session, "lock 1"))
    assert completed(session, "nonsense ") == []


@pytest.mark.parametrize(
    ("verb", "found"),
    [
        ("open", {"a.ipuz", "a.puz", "a.cfp"}),
        ("new", {"a.ipuz", "a.puz", "a.cfp"}),
        ("export", {"a.ipuz", "a.puz", "a.pdf", "a.svg"}),
    ],
)
def test_a_verb_completes_files_it_can_take(session: Session, tmp_path: Path, verb: str, found: set[str]) -> None:
    """Files in formats that it reads or writes."""
    for suffix in ("ipuz", "puz", "cfp", "pdf", "svg", "doc"):
        (tmp_path / f"a.{suffix}").touch()
    lines = completed(session, f"{verb} {tmp_path}/a")
    assert {line.rpartition("/")[2] for line in lines} == found


def test_files_are_completed(session: Session, tmp_path: Path) -> None:
    assert f"open {tmp_path}/mini.ipuz" in completed(session, f"open {tmp_path}/mi")


def test_the_toolbar_counts(session: Session) -> None:
    session.wait_until_ready(PATIENCE_SECONDS)
    inbox = Inbox()
    inbox.engine = "engine ready"
    text = toolbar_text(session, inbox, 200)  # room for any estimate, too
    assert "0/6 entries" in text
    assert text.endswith("engine ready")


class PretendedCounts(LiveCountJob):
    """Fixed figures."""

    def __init__(self, context: JobContext, figures: LiveCounts) -> None:
        super().__init__(context)
        self._figures = figures

    @property
    def view(self) -> LiveCounts:
        return self._figures


def counted(options: Mapping[str, SlotOptions], reason: str = "") -> LiveCounts:
    return LiveCounts(messages.OptionsReady(0, options, reason))


@pytest.mark.parametrize(
    ("figures", "known"),
    [
        (LiveCounts(), []),
        (
            counted({"1A": SlotOptions(9, 1), "4A": SlotOptions(9, 4), "5A": SlotOptions(9, 3)}),
            ["emptiest 5A: 3"],
        ),
        (
            LiveCounts(estimate=Estimate(Instrument.PARTICLES, 38.4, 37.9, 38.8), stale=False),
            ["fills ≈ 10^38.4 (37.9–38.8)"],
        ),
        (
            LiveCounts(estimate=Estimate(Instrument.EXACT, 0.3, exact=2), stale=True),
            ["exactly 2 fills (proved) (before the last change)"],
        ),
        (counted({}, "5A: no word fits Q??"), ["no fill: 5A: no word fits Q??"]),
    ],
)
def test_the_toolbar_shows_what_is_known(session: Session, figures: LiveCounts, known: list[str]) -> None:
    grid = session.puzzle.grid
    session.edit("set", lambda puzzle: edits.place_answer(puzzle, grid.slot("1A"), "ABC"))
    session.jobs.live_counts = PretendedCounts(session.jobs.fill.context, figures)
    inbox = Inbox()
    inbox.engine = "engine ready"
    whole = " " + "  ·  ".join(["1/6 entries", *known, "engine ready"])
    assert toolbar_text(session, inbox, len(whole)) == whole
    least = [one for one in known if not one.startswith("emptiest")]
    assert toolbar_text(session, inbox, len(whole) - 1) == " " + "  ·  ".join(["1/6 entries", *known])
    assert toolbar_text(session, inbox, 5) == " " + "  ·  ".join(["1/6 entries", *least])


def test_a_narrow_toolbar_cuts_a_long_estimate_at_a_clause(session: Session) -> None:
    figures = LiveCounts(estimate=Estimate(Instrument.PARTICLES, None), stale=False)
    session.jobs.live_counts = PretendedCounts(session.jobs.fill.context, figures)
    told = " 0/6 entries  ·  no estimate yet: none of the samples was completed"
    assert toolbar_text(session, Inbox(), 80) == told
    assert "(this proves nothing)" in toolbar_text(session, Inbox(), 100)
    session.jobs.live_counts = PretendedCounts(session.jobs.fill.context, replace(figures, stale=True))
    told = " 0/6 entries  ·  no estimate yet (before the last change)  ·  engine starting"
    assert toolbar_text(session, Inbox(), 80) == told, "what the figure is about is not cut off"


def test_history_persists_across_sessions(tmp_path: Path) -> None:
    path = tmp_path / "state" / "history"
    open_history(path).append_string("set 1A ABC")
    assert "set 1A ABC" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    assert list(open_history(path).load_history_strings()) == ["set 1A ABC"]


def test_an_unwritable_history_is_no_error(tmp_path: Path) -> None:
    in_the_way = written(tmp_path / "file", "")
    history = open_history(in_the_way / "history")
    history.append_string("set 1A ABC")
    assert history.get_strings() == ["set 1A ABC"]


def test_a_full_disk_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "history"
    history = open_history(path)
    path.unlink()
    path.mkdir()
    history.append_string("set 1A ABC")
    assert history.get_strings() == ["set 1A ABC"]


def test_messages_are_kept_until_taken() -> None:
    inbox = Inbox()
    heard: list[str] = []
    inbox.refresh = lambda: heard.append(inbox.engine)
    inbox.receive(messages.EngineState(messages.EnginePhase.COMPILING, COMPILING))
    inbox.receive(messages.Notice("saved\x1b[2J", messages.Severity.INFORMATION))
    inbox.receive(messages.LexiconReady(9, 0.1, ("words.txt: 1 line skipped",)))
    inbox.receive(messages.JobFailed("no memory"))
    inbox.receive(messages.JobFailed("no words\nof 4 letters\x1b[2J"))
    assert heard == ["compiling the fill engine"] * 5
    news = inbox.take()
    assert news.notes == [
        messages.Notice("saved\\x1b[2J"),
        messages.Notice("words.txt: 1 line skipped", messages.Severity.WARNING),
    ]
    assert news.failures == ["no memory", "no words\nof 4 letters\\x1b[2J"]
    assert inbox.take().notes == []


def test_a_paused_search_has_not_ended() -> None:
    inbox = Inbox()
    run = RunView(Outcome.RUNNING, paused=True)
    inbox.receive(messages.FillProgress(run))
    assert inbox.latest.run is run
    late = RunView(Outcome.UNKNOWN, paused=True)
    inbox.receive(messages.FillEnded(late))
    news = inbox.take()
    assert news.run is late
    assert news.ended is None
    ended = RunView(Outcome.FILLED)
    inbox.receive(messages.FillEnded(ended))
    news = inbox.take()
    assert news.run is None
    assert news.ended is ended


@pytest.mark.parametrize(
    ("run", "part"),
    [
        (RunView(Outcome.FILLED, nodes=1), "filled: 1 node, 0 backtracks"),
        (RunView(Outcome.IMPOSSIBLE, reason="17A: no word fits Q?J"), "impossible: 17A: no word fits Q?J"),
        (RunView(Outcome.IMPOSSIBLE), "impossible: there is no fill"),
        (RunView(Outcome.UNKNOWN, paused=True), "`continue` goes on"),
        (RunView(Outcome.CANCELLED), "the grid is unchanged"),
        (RunView(Outcome.RUNNING, paused=True, depth=3), "the search is paused at depth 3"),
    ],
)
def test_every_outcome_is_reported(run: RunView, part: str) -> None:
    assert part in "".join(span.text for span in describe_run(run))


def test_a_job_without_news_says_what_it_waits_for() -> None:
    inbox = Inbox()
    inbox.receive(messages.EngineState(messages.EnginePhase.LOADING))
    assert describe_progress(inbox) == "loading the engine"
    inbox.receive(messages.EngineState(messages.EnginePhase.READY))
    assert describe_progress(inbox) == "preparing the grid"


def test_events_are_printed_for_stepped_searches_not_after_timeouts() -> None:
    event = Event(EventKind.DECIDE, 1, slot="1A", word="ABC", before=3)
    led, late = (RunView(outcome, paused=True, recent=(event,)) for outcome in (Outcome.RUNNING, Outcome.UNKNOWN))
    told = ["".join(span.text for span in line) for line in describe_events(led, -1)]
    assert [line.strip() for line in told] == ["decide 1A = ABC, 3 options"]
    assert list(describe_events(late, -1)) == []


def drawn(grid: Grid, frame: Frame) -> list[str]:
    run = {Position(2, 2): Content.of("Z")}
    ruled = {Position(2, 1)}
    return [paint(line, colours=False) for line in draw_framed(grid, frame, run=run, ruled=ruled)]


def test_a_medium_grid() -> None:
    grid = grid_from_text("A[HEART]#\n..[ON]\n_..")
    marked = {
        Position(0, 0): {"circle": True},
        Position(1, 0): {"shade": True},
        Position(1, 2): {"ink": Ink.LOCKED},
    }
    grid = grid.with_squares({at: replace(grid[at], **changes) for at, changes in marked.items()})  # type: ignore[arg-type]
    grid = grid.with_bars([Bar.between(Position(1, 0), Position(1, 1))])
    assert drawn(grid, MEDIUM) == [
        "      1    2    3",
        "   ┌1───┬2───┬────┐",
        " 1 │(A) │HEA…│████│",
        "   ├────┼3───┼4───┤",
        " 2 │░·░░┃ ·  │ON' │",
        "   └────┼5───┼────┤",
        " 3      │ ◦  │ z  │",
        "        └────┴────┘",
        "    [HEART] at r1c2",
    ]


def test_a_large_grid_shows_a_rebus_in_full() -> None:
    assert drawn(grid_from_text("A[HEART].\n##.\n..."), LARGE)[1:9] == [
        "   ┌1─────┬──────┬2─────┐",
        " 1 │  A   │HEART │  ·   │",
        "   │      │      │      │",
        "   ├──────┼──────┼──────┤",
        " 2 │█████████████│  ·   │",
        "   │█████████████│      │",
        "   ├3─────┼──────┼──────┤",
        " 3 │  ·   │  ◦   │  z   │",
    ]


def test_the_width_selects_the_size() -> None:
    fifteen, large = Grid.blank(15, 15), Grid.blank(21, 21)
    fitting = [frame_that_fits(fifteen, columns) for columns in (80, 119, 120, 179, 180)]
    assert fitting == [None, None, MEDIUM, MEDIUM, LARGE]
    assert [frame_that_fits(large, columns) for columns in (120, 180)] == [MEDIUM, LARGE]
    assert frame_that_fits(Grid.blank(40, 40), 180) is None


def test_show_draws_the_grid_and_sets_the_size(piped: Talk) -> None:
    said = piped("show", "show --size medium", "set 1A ABC", "show --size auto", "show --size huge")
    assert said.text.count("┌1───┬2───┬3───┐") == 2
    assert said.text.count("   ┌─────────┐") == 3
    assert "! show: --size: 'huge' is not a size; use auto, small, medium, large" in said.text


def test_empty_squares_with_a_rule_are_drawn_differently(piped: Talk) -> None:
    said = piped("letters r1c2 DX", "set r1c1 A")
    assert said.rows() == ["A◦·", "···", "···"]
