"""Watching a search: forward and backward replay, and the cause of a dead end."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.known import known
from tests.session.saying import PATIENCE_SECONDS, Ear, do, refuses, rows, run_of, said, timed_out
from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.events.timeline import Timeline
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError, VerbError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position, edits
from xwtui.session.messages import FillEnded, FillProgress, JobFailed
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.search_text import event_context, format_context
from xwtui.session.session import Session
from xwtui.session.wording import remarks


def test_replay_repeats_events_without_searching_again(small: Session) -> None:
    forth = []
    for _ in range(6):
        do(small, "step")
        forth.append((run_of(small).event, run_of(small).event_number))
    nodes, last = run_of(small).nodes, run_of(small)
    back = []
    for _ in range(5):
        do(small, "back")
        back.append((run_of(small).event, run_of(small).event_number))
    assert back == forth[-2::-1]
    assert run_of(small).is_past
    assert run_of(small).last_event == 5
    again = []
    for _ in range(5):
        do(small, "step")
        again.append((run_of(small).event, run_of(small).event_number))
    assert again == forth[1:]
    assert run_of(small).nodes == nodes
    assert run_of(small).squares == last.squares
    do(small, "step")
    assert run_of(small).event_number == 6


def test_the_past_grid_matches_its_decisions(small: Session) -> None:
    do(small, "step 1")
    first = run_of(small)
    assert first.moment is not None
    do(small, "until solved")
    do(small, "event 1")
    assert run_of(small).event == first.event
    assert run_of(small).squares == dict(first.moment.decisions[0].squares)
    assert run_of(small).paused


def test_stepping_past_the_recorded_end_runs_the_search(endless: Session) -> None:
    do(endless, "step 20")
    do(endless, "back 5")
    do(endless, "step 8")
    assert (run_of(endless).event_number, run_of(endless).last_event) == (22, 22)
    do(endless, "step 2")
    assert run_of(endless).event_number == 24


def test_until_looks_in_the_recording_first(endless: Session) -> None:
    do(endless, "until backtrack")
    first = run_of(endless).event_number
    do(endless, "until backtrack")
    second, nodes = run_of(endless).event_number, run_of(endless).nodes
    do(endless, "event 1")
    do(endless, "until backtrack")
    assert (run_of(endless).event_number, run_of(endless).last_event) == (first, second)
    do(endless, "until backtrack")
    assert (run_of(endless).event_number, run_of(endless).nodes) == (second, nodes)
    do(endless, "until backtrack")
    assert run_of(endless).event_number > second


def test_a_search_that_ran_fast_can_be_replayed(endless: Session) -> None:
    """Many thousand events, none of which was recorded during the search."""
    stood = timed_out(endless, "fill --seed 3", 1, lambda run: run.nodes > 2_000)
    assert endless.jobs.fill.recording is None
    endless.jobs.fill.go_to_end(first=False)
    assert endless.wait(PATIENCE_SECONDS)
    assert run_of(endless).nodes == stood.nodes
    assert run_of(endless).squares == stood.squares
    first, last = run_of(endless).first_event, run_of(endless).last_event
    assert last > 2_000
    middle = (first + last) // 2
    do(endless, f"event {middle + 1}")
    at = run_of(endless)
    assert at.event_number == middle
    assert at.moment is not None
    do(endless, "step")
    assert run_of(endless).event_number == middle + 1


def test_the_problem_is_rebuilt_when_a_search_is_replayed(small: Session) -> None:
    do(small, "fill --seed 1")
    run = small.jobs.fill._ended
    assert not any(isinstance(part, Problem) for part in known(run))
    do(small, "back")
    assert run_of(small).is_past


def test_a_finished_search_can_be_replayed_and_left(small: Session, ear: Ear) -> None:
    do(small, "fill --seed 1")
    filled = rows(small)
    do(small, "back")
    assert run_of(small).is_past
    do(small, "step")
    event = known(run_of(small).event)
    assert event.kind is EventKind.SOLVED
    with pytest.raises(VerbError, match="over"):
        small.jobs.fill.step()
    small.stop()
    assert rows(small) == filled
    assert "decide" in said(small, "events")


def test_a_plain_fill_is_not_recorded_but_replayed_from_its_seed(small: Session, tmp_path: Path) -> None:
    path = tmp_path / "written.trace"
    do(small, f"fill --seed 5 --trace {path}")
    log = said(small, "events")
    small.undo()
    do(small, "fill --seed 5")
    assert small.jobs.fill.recording is None
    filled = rows(small)
    assert said(small, "events") == log
    do(small, "event 1")
    assert run_of(small).event_number == 0
    small.stop()
    assert rows(small) == filled


def test_a_trace_is_overwritten_only_in_this_session_or_with_force(small: Session, tmp_path: Path) -> None:
    path = tmp_path / "written.trace"
    do(small, f"fill --seed 5 --trace {path}")
    written = path.read_text(encoding="utf-8")
    small.undo()
    do(small, f"fill --seed 5 --trace {path}")
    small.undo()
    path.write_text("Monday: rain.\n", encoding="utf-8")
    with pytest.raises(
        ExistsAlreadyError, match=f"{path} already exists: choose another name, or --force overwrites"
    ):
        do(small, f"fill --seed 5 --trace {path}")
    do(small, f"fill --seed 5 --force --trace {path}")
    assert path.read_text(encoding="utf-8") == written


def test_stepping_an_unrecorded_fill_records_from_there(endless: Session) -> None:
    do(endless, "fill --time 0.2 --seed 3")
    nodes = run_of(endless).nodes
    do(endless, "step 3")
    stands = run_of(endless)
    assert (stands.event_number, stands.last_event) == (2, 2)
    assert stands.nodes >= nodes
    assert (
        dict(stands.squares).items()
        >= {at: content for one in known(stands.moment).decisions for at, content in one.squares}.items()
    )
    do(endless, "back")
    assert run_of(endless).event_number == 1


def test_a_stopped_fill_can_be_watched_up_to_its_stop(endless: Session, ear: Ear) -> None:
    said(endless, "fill --seed 3")
    ear.wait_for(FillProgress, lambda message: message.run.nodes > 100)
    assert endless.stop()
    endless.jobs.fill.make_watchable()
    assert endless.wait(PATIENCE_SECONDS)
    assert run_of(endless).nodes > 100
    assert run_of(endless).event is not None


def test_an_edit_drops_the_search(small: Session) -> None:
    do(small, "fill --seed 1")
    small.edit("X", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("X")))
    with pytest.raises(VerbError, match="began from a different grid"):
        small.jobs.fill.back()


def test_unrecorded_searches_are_refused_with_a_reason(small: Session) -> None:
    with pytest.raises(VerbError, match="`step` or `fill` starts one"):
        small.jobs.fill.back()
    do(small, "step 3")
    with pytest.raises(VerbError, match="events 1 to 3 are recorded"):
        small.jobs.fill.go_to_event(4)
    do(small, "back 3")
    assert run_of(small).event_number == 0
    with pytest.raises(VerbError, match="first recorded event"):
        small.jobs.fill.back()
    with pytest.raises(VerbError, match="no search is running"):
        small.jobs.fill.pause()


def test_watching_continues_until_paused(endless: Session, ear: Ear) -> None:
    said(endless, "watch --speed 1000")
    ear.wait_for(FillProgress, lambda message: message.run.event_number > 3)
    said(endless, "pause")
    assert endless.wait(PATIENCE_SECONDS)
    here = run_of(endless)
    assert here.paused
    said(endless, "back 2", "watch --speed 1000")
    ear.forget()
    ear.wait_for(FillProgress, lambda message: message.run.event_number > here.event_number)
    endless.stop()


def test_watching_to_the_end_writes_the_fill(small: Session, ear: Ear) -> None:
    do(small, "watch --speed 100000")
    assert ear.wait_for(FillEnded).run.outcome.name == "FILLED"
    assert "?" not in "".join(rows(small))


def test_events_are_listed_with_their_numbers_and_filtered(endless: Session) -> None:
    do(endless, "step 8")
    lines = said(endless, "events").splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(1, 9))
    assert len(said(endless, "events --last 3").splitlines()) == 3
    decided = said(endless, "events --match decide").splitlines()
    assert decided
    assert all("decide" in line for line in decided)
    assert "no event" in said(endless, "events --match nonsense")
    do(endless, "back 6")
    assert len(said(endless, "events").splitlines()) == 2


def test_events_are_chosen_by_kind_and_entry_and_saved_as_text(endless: Session, tmp_path: Path) -> None:
    do(endless, "until backtrack")
    decided = said(endless, "events --kind decide --last 10000").splitlines()
    assert decided
    assert all(" decide " in line for line in decided)
    place = decided[-1].split()[2]
    about = said(endless, f"events --at {place} --last 10000").splitlines()
    assert about
    assert all(place in line for line in about)
    refuses(endless, "events --kind nonsense", "the kinds of events are decide, prune")
    assert said(endless, "events --kind restart") == "there is no such event"
    path = tmp_path / "log.txt"
    assert f"{len(decided)} event" in said(endless, f"events save {path} --kind decide")
    assert path.read_text(encoding="utf-8").splitlines() == decided
    refuses(endless, f"events save {tmp_path / 'a.trace'} --kind decide", "a trace is complete")


@pytest.mark.parametrize("line", ["events save 'my log.txt' --match de", "events save hard.trace"])
def test_events_are_not_saved_over_a_foreign_file(
    endless: Session, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (path,) = [Path(name) for name in ("my log.txt", "hard.trace") if name in line]
    do(endless, "step 3")
    said(endless, line)
    written = path.read_text(encoding="utf-8")
    said(endless, line)
    path.write_text("Monday: rain.\n", encoding="utf-8")
    with pytest.raises(ExistsAlreadyError, match=f"{path} already exists: choose another name, or `") as caught:
        said(endless, line)
    assert path.read_text(encoding="utf-8") == "Monday: rain.\n"
    said(endless, caught.value.remedy.strip("`"))
    assert path.read_text(encoding="utf-8") == written


def test_events_are_saved_and_replayed_from_the_file(endless: Session, tmp_path: Path) -> None:
    endless.edit("I", lambda puzzle: edits.set_square(puzzle, Position(0, 1), Content.of("I")))
    do(endless, "step 6")
    before, log = run_of(endless), said(endless, "events")
    path = tmp_path / "a.trace"
    assert "6 events" in said(endless, f"events save {path}")
    endless.stop()
    endless.replay(path)
    assert endless.wait(PATIENCE_SECONDS)
    assert endless.puzzle.grid[Position(0, 1)].content == Content.of("I")
    assert (run_of(endless).event_number, run_of(endless).last_event) == (0, 5)
    do(endless, "event 6")
    assert said(endless, "events") == log
    assert run_of(endless).moment == before.moment


def test_a_replay_is_named_after_its_trace_and_unsaved_after_an_edit(mini: Session, tmp_path: Path) -> None:
    mini.edit("I", lambda puzzle: edits.set_square(puzzle, Position(0, 1), Content.of("I")))
    do(mini, "step 2")
    path = tmp_path / "a.trace"
    said(mini, f"events save {path}")
    mini.stop()
    mini.save(tmp_path / "mini.ipuz")
    do(mini, f"watch {path}")
    assert (mini.document.name, mini.document.is_modified) == ("a.trace", False)
    said(mini, "set r3c1 A")
    assert (mini.document.name, mini.document.is_modified) == ("a.trace", True)


def test_a_file_that_is_not_a_trace_changes_nothing(small: Session, tmp_path: Path) -> None:
    path = tmp_path / "no.trace"
    head = '{"xwtui":"trace","version":1,"grid":["...","...","..."]}\n'
    for text, said_why in (("nonsense\n", "JSON"), (head, "no event"), (head.replace("...", "~~", 1), "grid")):
        path.write_text(text, encoding="utf-8")
        before = small.puzzle
        with pytest.raises(EngineError, match=said_why):
            small.replay(path)
        assert small.puzzle == before


def test_accept_in_the_past_keeps_the_grid_of_that_time(small: Session) -> None:
    do(small, "step 1")
    first = run_of(small)
    do(small, "step 5")
    do(small, "event 1")
    said(small, "accept")
    grid = small.puzzle.grid
    written = dict(known(first.moment).decisions[0].squares)
    assert {at: grid[at].content for at in grid.positions() if grid[at].content} == written
    assert grid == replace(grid_from_text("...\n...\n..."), squares=grid.squares)


def test_a_trace_is_written_during_the_fill(small: Session, tmp_path: Path) -> None:
    path = tmp_path / "fill.trace"
    do(small, f"fill --seed 1 --trace {path}")
    filled, log = small.puzzle.grid, said(small, "events")
    small.replay(path)
    assert small.wait(PATIENCE_SECONDS)
    do(small, "until solved")
    assert said(small, "events") == log
    squares = run_of(small).squares
    assert squares
    assert {at: filled[at].content for at in squares} == squares


def test_a_trace_covers_one_plain_fill(small: Session, tmp_path: Path) -> None:
    for more in ("--threads 2", "--partial", "--count 3"):
        refuses(small, f"fill --trace {tmp_path / 'a.trace'} {more}", "--trace records only one plain fill")


def test_an_unwritable_trace_ends_the_search(small: Session, ear: Ear, tmp_path: Path) -> None:
    said(small, f"fill --trace {tmp_path / 'nowhere' / 'a.trace'}")
    assert "cannot be written" in ear.wait_for(JobFailed).message
    assert "?" in "".join(rows(small))


def test_a_paused_search_explains_itself(endless: Session) -> None:
    refuses(endless, "explain", "no search is paused")
    do(endless, "step")
    told = said(endless, "explain")
    first = run_of(endless)
    assert first.decision_report is not None
    assert known(first.event).describe() in told
    assert f"1. {first.decision_report.ranking[0].name}" in told
    assert first.decision_report.words[0].word in told
    do(endless, "until backtrack")
    assert "backtrack from" in said(endless, "explain")
    do(endless, "back")
    assert run_of(endless).decision_report is None, "what came next then is an event further on"
    assert "decided, the latest first" in said(endless, "explain")


def test_a_recording_lives_as_long_as_its_starting_grid(small: Session) -> None:
    do(small, "fill --seed 1")
    log = said(small, "events")
    assert said(small, "undo", "events") == log
    small.edit("A", lambda puzzle: edits.set_square(puzzle, Position(0, 1), Content.of("A")))
    refuses(small, "events", "began from a different grid; undo or redo")
    assert small.jobs.fill.can_be_argued_with, "another one may begin here"
    assert said(small, "undo", "events") == log


def test_a_search_ended_by_undo_is_replayed_after_redo(small: Session) -> None:
    small.edit("B", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("B")))
    do(small, "step 3")
    seen = run_of(small).event
    small.undo()
    refuses(small, "back", "began from a different grid; undo or redo")
    small.redo()
    do(small, "back")
    assert run_of(small).is_past
    do(small, "step")
    assert run_of(small).event == seen


AT = Position(2, 1)
DECIDED = Event(EventKind.DECIDE, 2, "4A", "ICE", before=9)
PRUNED = Event(EventKind.PRUNE, 2, "1D", crossing=Position(1, 0), before=8, after=4, other="4A")
CUT = Event(EventKind.PRUNE, 2, "2D", crossing=Position(1, 1), before=8, after=1, other="4A")
EMPTY = Event(EventKind.WIPE_OUT, 2, "2D", crossing=AT, other="5A", wanted=("E",))
JUMPED = Event(EventKind.JUMP, 1, "4A", "ICE")
BACK = Event(EventKind.BACKTRACK, 0, "1A", "BAG", before=8, after=7)


def line() -> Timeline:
    timeline = Timeline(Grid.blank(3, 3))
    first = Event(EventKind.DECIDE, 1, "1A", "BAG", before=8)
    timeline.extend([first, PRUNED, DECIDED, PRUNED, CUT, EMPTY, JUMPED, BACK])
    return timeline


def test_pruned_since_the_last_decision() -> None:
    """Nothing from before it is included."""
    assert event_context(line(), 4).pruned == (PRUNED, CUT)
    assert event_context(line(), 2).pruned == ()
    assert format_context(event_context(line(), 4))[0] == "2D: 8 → 1 through r2c2 (4A)"


def test_a_dead_end_reports_its_cause_and_the_way_back() -> None:
    """The same from the dead end and from each event on the way back."""
    for number in (5, 6, 7):
        context = event_context(line(), number)
        assert context.pruned == (PRUNED,)
        assert context.dead_end is not None
        assert context.dead_end.failure == EMPTY
        assert context.dead_end.emptied_by == (CUT,)
        assert context.dead_end.undone == (JUMPED, BACK)
    assert format_context(event_context(line(), 5))[:4] == [
        "2D has no options left: r3c2 allows none of E",
        "jumps back over 4A",
        "undoes 1A = BAG, continues from the start",
        "before that: 8 → 1 through r2c2 (4A)",
    ]


def test_the_last_of_several_backtracks_shows_where_the_search_continues() -> None:
    timeline = Timeline(Grid.blank(3, 3))
    back = Event(EventKind.BACKTRACK, 1, "4A", "ICE", before=1, after=0, other="1A")
    timeline.extend([DECIDED, EMPTY, back, BACK])
    assert (
        format_context(event_context(timeline, 3))[1] == "undoes 4A = ICE and 1A = BAG, continues from the start"
    )


def test_unrecorded_events_are_not_reported() -> None:
    """At the end of the timeline nothing is marked as undone."""
    timeline = Timeline(Grid.blank(3, 3))
    timeline.extend([DECIDED, CUT, EMPTY])
    context = event_context(timeline, 2)
    assert known(context.dead_end).undone == ()


def test_a_stepped_search_reports_repeated_stems_and_their_resolution(bench: Session, tmp_path: Path) -> None:
    """The fill has TUBES or HARP in place of one of them."""
    (tmp_path / "mine.txt").write_text("WAFTS;90\nWAFT;90\nTUBES;50\nHARP;50\n", encoding="utf-8")
    (tmp_path / "grid.txt").write_text(".....\n#####\n....#\n", encoding="utf-8")
    said(bench, f"open {tmp_path / 'grid.txt'}", f"words {tmp_path / 'mine.txt'}")
    seen = {}
    for line, end in (("step", "until solved"), ("fill", "")):
        do(bench, line)
        if end:
            do(bench, end)
        answers = {bench.puzzle.answer(slot) for slot in bench.puzzle.grid.entries}
        seen[line] = {"WAFTS", "WAFT"} <= answers, remarks(run_of(bench))
        bench.undo()
    apart = "a search in steps keeps no repeats apart, `refill` does: 1A WAFTS and 2A WAFT"
    assert seen == {"step": (True, [apart]), "fill": (False, [])}
