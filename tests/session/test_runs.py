"""Background fill runs: with the engine, with a strategy, and with a proof."""

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from weakref import ref

import pytest

from bench.check_proof import check
from tests.known import known
from tests.naive.drat import refutes
from tests.session.conftest import FILLS, SMALL_LIST
from tests.session.saying import PATIENCE_SECONDS, Ear, do, refuses, rows, run_of, timed_out, write
from xwtui.engine import warmup
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.errors import VerbError, XwtuiError
from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Ink, Position
from xwtui.session.fill_options import FillOptions
from xwtui.session.messages import FillEnded, FillProgress, JobFailed, LexiconFailed, PuzzleChanged
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import ending_words, proof_words


def rest(bench: Session) -> None:
    """Wait until the fill job's thread is idle."""
    changed, worker = bench.jobs.scheduler.changed, bench.jobs.fill.worker
    with changed:
        assert changed.wait_for(lambda: not worker._is_working, PATIENCE_SECONDS)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_fill_is_one_edit_in_pencil(small: Session, ear: Ear, threads: int) -> None:
    do(small, f"fill --seed 1 --threads {threads}")
    assert rows(small) in FILLS
    assert {square.ink for square in small.puzzle.grid.squares} == {Ink.PENCIL}
    ended = ear.of(FillEnded)[0].run
    assert (ended.outcome, ended.paused, ended.seed, ended.threads) == (Outcome.FILLED, False, 1, threads)
    assert small.jobs.fill.view == ended
    assert PuzzleChanged("fill") in ear.messages
    assert small.undo() == "fill"
    assert rows(small) == ("???", "???", "???")
    assert small.jobs.fill.view is None


def test_a_finished_run_is_freed_despite_its_reference_cycle(small: Session) -> None:
    """Run and search hold megabytes that the garbage collector does not see."""
    small.jobs.fill.start(FillOptions())
    run = small.jobs.fill._run
    assert run is not None
    assert small.wait(PATIENCE_SECONDS)
    rest(small)
    gone, search = ref(run), run.search
    assert search is not None
    del run
    small.jobs.fill.forget(None)
    assert gone() is None


def test_a_seed_is_reproducible_and_without_one_fills_vary(small: Session, ear: Ear) -> None:
    seeds = []
    for line in ("fill --seed 7", "fill --seed 7", "fill", "fill"):
        ear.forget()
        do(small, line)
        seeds.append((ear.of(FillEnded)[0].run.seed, rows(small)))
    assert seeds[0] == seeds[1]
    assert seeds[2][0] != seeds[3][0]


def test_pen_is_kept(small: Session) -> None:
    run_line(small, "set r1c2 I")
    do(small, "fill")
    assert rows(small) == ("BIT", "ACE", "GEN")
    assert small.puzzle.grid[Position(0, 1)].ink is Ink.PEN


@pytest.mark.parametrize("line", ["fill", "fill --strategy emogic-words"])
def test_an_impossible_fill_gives_its_reason_and_changes_nothing(small: Session, ear: Ear, line: str) -> None:
    run_line(small, "set r1c1 Q")
    before = small.puzzle
    do(small, line)
    ended = ear.of(FillEnded)[0].run
    assert ended.outcome is Outcome.IMPOSSIBLE
    assert ended.reason.startswith(("1A: no word fits Q??", "1D: no word fits Q??")), ended.reason
    assert small.puzzle == before
    assert not small.jobs.fill.is_running


def test_steps_are_shown_but_not_written(small: Session, ear: Ear) -> None:
    do(small, "step")
    run = run_of(small)
    assert (run.paused, run.outcome) == (True, Outcome.RUNNING)
    assert run.event is not None
    assert run.event.kind.value == "decide"
    assert set(run.domain_sizes) == {"1A", "4A", "5A", "1D", "2D", "3D"}
    assert rows(small) == ("???", "???", "???")
    do(small, "step 2")
    assert run_of(small).recent[0] == run.event
    assert len(run_of(small).recent) == 3
    assert run_line(small, "stop").lines == ("stopped",)
    assert ear.of(FillEnded)[-1].run.outcome is Outcome.CANCELLED
    assert not run_of(small).squares
    assert rows(small) == ("???", "???", "???")
    with pytest.raises(VerbError):
        small.jobs.fill.resume()


def test_single_steps_equal_one_long_step(small: Session) -> None:
    for _ in range(3):
        do(small, "step")
    one_by_one = run_of(small)
    small.stop()
    do(small, "step 3")
    at_once = run_of(small)
    assert (one_by_one.recent, one_by_one.squares) == (at_once.recent, at_once.squares)


def test_a_paused_search_continues_to_the_end(small: Session, ear: Ear) -> None:
    do(small, "step 2")
    do(small, "continue")
    assert rows(small) in FILLS
    small.undo()
    do(small, "until solved")
    assert rows(small) in FILLS
    assert [message.run.outcome for message in ear.of(FillEnded)] == [Outcome.FILLED, Outcome.FILLED]


def test_until_an_event_or_an_entry(endless: Session) -> None:
    for target in ("backtrack", "restart"):
        do(endless, f"until {target}")
        assert known(run_of(endless).event).kind.value == target
        assert run_of(endless).paused
    do(endless, "until 1A")
    assert known(run_of(endless).event).slot == "1A"


def test_accept_inks_the_shown_search(small: Session) -> None:
    do(small, "step 2")
    shown = dict(run_of(small).squares)
    assert shown
    run_line(small, "accept")
    grid = small.puzzle.grid
    assert {at: grid[at].content for at in shown} == shown
    assert {grid[at].ink for at in shown} == {Ink.PEN}
    assert {grid[at].content for at in grid.positions() if at not in shown} <= {None}
    assert small.jobs.fill.view is None


def test_accept_does_not_ink_pencil_of_an_earlier_fill(small: Session) -> None:
    do(small, "fill")
    filled = small.puzzle.grid
    do(small, "step 2 --strategy emogic-words")
    shown = dict(run_of(small).squares)
    run_line(small, "accept")
    grid = small.puzzle.grid
    assert {at for at in grid.positions() if grid[at].ink is Ink.PEN} == set(shown)
    assert all(grid[at] == filled[at] for at in grid.positions() if at not in shown)


def test_another_document_drops_the_search_even_if_equal(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.start(FillOptions())
    ear.wait_for(FillProgress)
    endless.new(endless.puzzle)
    assert not endless.jobs.fill.is_running
    assert ear.of(FillEnded)[-1].run.outcome is Outcome.CANCELLED


def test_accept_of_an_entry_inks_only_its_squares(small: Session) -> None:
    do(small, "fill")
    run_line(small, "accept 1A")
    grid = small.puzzle.grid
    assert [grid[at].ink for at in grid.positions()] == [Ink.PEN] * 3 + [Ink.PENCIL] * 6


@pytest.mark.parametrize("threads", [1, 2])
def test_an_edit_drops_a_search(endless: Session, ear: Ear, threads: int) -> None:
    endless.jobs.fill.start(FillOptions(threads=threads))
    ear.wait_for(FillProgress, lambda progress: progress.run.nodes > 0)
    write(endless, "A")
    assert not endless.jobs.fill.is_running
    assert ear.of(FillEnded)[-1].run.outcome is Outcome.CANCELLED
    before = endless.puzzle
    rest(endless)
    told = len(ear.of(FillProgress))
    assert endless.puzzle == before
    assert endless.document.history.edits == 1
    assert endless.wait(PATIENCE_SECONDS)
    assert len(ear.of(FillProgress)) == told


def test_a_clue_or_title_edit_keeps_the_search(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.start(FillOptions())
    ear.wait_for(FillProgress)
    run_line(endless, "title On the way")
    run_line(endless, "clue 1A Still going")
    assert endless.jobs.fill.is_running
    assert not ear.of(FillEnded)
    endless.stop()


def search_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name in ("search", "race")]


def test_a_timed_out_fill_pauses_and_can_continue(endless: Session, ear: Ear) -> None:
    timed_out(endless, "fill", 0.2, lambda run: run.nodes > 0)
    ended = ear.of(FillEnded)[-1].run
    assert (ended.outcome, ended.paused) == (Outcome.UNKNOWN, True)
    assert ended.nodes > 0
    endless.jobs.fill.resume()
    assert endless.jobs.fill.is_running
    ear.wait_for(FillProgress, lambda progress: progress.run.nodes > ended.nodes)
    endless.jobs.fill.step()
    assert endless.wait(PATIENCE_SECONDS)
    assert run_of(endless).paused
    assert endless.stop()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("fill --count 2", "found 0 of 2 before the time ran out"),
        ("fill --best", "time ran out before a fill was found; the grid is unchanged"),
        ("fill --all", "at least 0 fills: time ran out"),
    ],
)
def test_a_timed_out_search_is_not_called_impossible(endless: Session, ear: Ear, line: str, said: str) -> None:
    do(endless, f"{line} --time 0.2")
    ended = ear.of(FillEnded)[0].run
    assert (ended.outcome, ending_words(ended)) == (Outcome.UNKNOWN, said)


def test_several_threads_end_at_the_time_limit(endless: Session, ear: Ear) -> None:
    do(endless, "fill --time 0.2 --threads 2")
    ended = ear.of(FillEnded)[0].run
    assert (ended.outcome, ended.paused) == (Outcome.UNKNOWN, False)
    assert endless.jobs.fill.view == ended
    assert all(square.content is None for square in endless.puzzle.grid.squares)


def test_several_threads_cannot_be_stepped(endless: Session) -> None:
    endless.jobs.fill.start(FillOptions(threads=2))
    refuses(endless, "step", "stop")
    assert endless.jobs.fill.is_running
    endless.stop()


def test_cancelling_from_another_thread_ends_the_wait(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.start(FillOptions())
    ear.wait_for(FillProgress)
    threading.Timer(0.05, endless.stop).start()
    assert endless.wait(PATIENCE_SECONDS)
    assert not endless.jobs.fill.is_running


def test_waiting_ends_at_its_timeout(endless: Session) -> None:
    endless.jobs.fill.start(FillOptions())
    assert not endless.wait(0.05)
    endless.stop()
    assert endless.wait(PATIENCE_SECONDS)


def test_closing_ends_all_threads(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.start(FillOptions())
    ear.wait_for(FillProgress)
    endless.close()
    for thread in search_threads():
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


def test_an_error_in_a_search_ends_in_a_message(small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Filler, "advance", broken)
        do(small, "fill")
    (failed,) = ear.of(JobFailed)
    assert "the search stopped: ZeroDivisionError: a bug" in failed.message
    assert not small.jobs.fill.is_running
    do(small, "fill")
    assert rows(small) in FILLS


def test_a_multiline_error_is_shown_in_lines(small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        raise ZeroDivisionError("a bug\n\n  in line 3\x1b[2J")

    monkeypatch.setattr(Filler, "advance", broken)
    do(small, "fill")
    (failed,) = ear.of(JobFailed)
    assert failed.headline == "the search stopped: ZeroDivisionError: a bug"
    assert failed.message.splitlines()[1:] == ["  in line 3\\x1b[2J"]


def test_words_that_fail_to_load_are_reported(small: Session, ear: Ear) -> None:
    small.edit("words", lambda puzzle: replace(puzzle, words=replace(puzzle.words, lists=("nowhere",))))
    with pytest.raises(XwtuiError, match="nowhere"):
        small.wait_until_ready(PATIENCE_SECONDS)
    assert "nowhere" in ear.wait_for(LexiconFailed).message
    do(small, "fill")
    assert "nowhere" in ear.of(JobFailed)[0].message
    refuses(small, "candidates 1A", "nowhere", XwtuiError)
    small.undo()
    do(small, "fill")
    assert rows(small) in FILLS


def test_a_start_without_enough_time_is_reported(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()

    def slow(
        progress: Callable[[str], None] = lambda _: None, *, counting: bool = True, improving: bool = False
    ) -> float:
        compiled.wait(PATIENCE_SECONDS)
        return 0.0

    monkeypatch.setattr(warmup, "warm_up", slow)
    with pytest.raises(XwtuiError, match="not ready"):
        small.wait_until_ready(0)
    compiled.set()
    small.wait_until_ready(PATIENCE_SECONDS)


@pytest.mark.parametrize(
    "strategy", ["emogic-letters:walk=snake", "emogic-words", "trie", "sorted-index", "xwtui"]
)
def test_a_strategy_fills_in_pencil_as_one_edit(small: Session, ear: Ear, strategy: str) -> None:
    do(small, f"fill --strategy {strategy} --seed 3")
    assert rows(small) in FILLS
    assert ear.of(FillEnded)[0].run.outcome is Outcome.FILLED
    assert small.undo() == "fill"


def test_a_strategy_is_stepped_on_and_back(small: Session) -> None:
    do(small, "step --strategy double-trie")
    run = run_of(small)
    assert run.event is not None
    assert run.paused
    here = run.event_number
    do(small, "step 3")
    assert run_of(small).event_number == here + 3
    do(small, "back 2")
    assert run_of(small).event_number == here + 1
    do(small, "continue")
    assert rows(small) in FILLS


def test_until_runs_up_to_a_backtrack(small: Session) -> None:
    do(small, "until backtrack --strategy emogic-letters:letters=alphabetical")
    run = run_of(small)
    assert known(run.event).kind is EventKind.BACKTRACK


IMPROVE = "fill --strategy copeland:improve=sections"


def test_an_improving_strategy_ends_with_its_best_fill_after_its_rounds(small: Session, ear: Ear) -> None:
    do(small, f"{IMPROVE},rounds=3")
    run = ear.of(FillEnded)[0].run
    assert (run.outcome, run.verdict) == (Outcome.FILLED, Outcome.FILLED)
    assert run.quality is not None
    assert ending_words(run) == "all rounds done; nothing better was found: mean 55, lowest 45, 3 rounds"
    assert rows(small) in FILLS
    assert [(fill.mean_score, fill.is_in(small.puzzle.grid)) for fill in small.fills.kept] == [(55.0, True)]


def test_an_improving_strategy_keeps_its_best_fill_at_the_time_limit(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.session.jobs.fills.stepped.SLICE_SECONDS", 1000)
    do(small, f"{IMPROVE} --time 0.000001")
    run = ear.of(FillEnded)[0].run
    assert (run.outcome, run.verdict) == (Outcome.UNKNOWN, Outcome.FILLED)
    assert rows(small) in FILLS


def test_an_improving_strategy_keeps_its_best_fill_when_stopped(small: Session, ear: Ear) -> None:
    run_line(small, IMPROVE)
    ear.wait_for(FillProgress, lambda message: message.run.quality is not None)
    run_line(small, "stop")
    assert ear.of(FillEnded)[0].run.outcome is Outcome.CANCELLED
    assert rows(small) in FILLS


def test_an_improving_strategy_steps_from_fill_to_fill(small: Session) -> None:
    do(small, "until solved --strategy copeland:improve=sections")
    run = run_of(small)
    assert known(run.event).kind is EventKind.SOLVED
    do(small, "step 5")
    assert run_of(small).event_number == run.event_number + 5
    run_line(small, "stop")
    assert rows(small) in FILLS


@pytest.mark.parametrize("strategy", ["copeland", "emogic-letters", "xwtui"])
def test_a_strategy_starts_from_the_current_pencil(small: Session, strategy: str) -> None:
    for fill in sorted(FILLS):
        run_line(small, f"set 1A {fill[0]}")
        run_line(small, "pencil all")
        do(small, f"fill --strategy {strategy} --from-pencil")
        assert rows(small) == fill


@pytest.mark.parametrize("fill", sorted(FILLS))
def test_an_improving_strategy_starts_from_the_full_grid(small: Session, ear: Ear, fill: tuple[str, ...]) -> None:
    for number, word in enumerate(fill, start=1):
        run_line(small, f"set {number if number == 1 else number + 2}A {word}")
    run_line(small, "pencil all")
    do(small, f"{IMPROVE},rounds=3")
    assert rows(small) == fill
    assert ear.of(FillEnded)[0].run.quality is not None


def test_strategy_names_are_completed(small: Session) -> None:
    offered = {completion.text for completion in complete(small, "fill --strategy emogic-")}
    assert {"emogic-letters", "emogic-words"} <= offered


def test_a_proof_is_written_with_its_formula(small: Session, tmp_path: Path) -> None:
    pytest.importorskip("pysat")
    run_line(small, "set r1c1 T")
    do(small, f"fill --strategy sat --proof {tmp_path / 'none.drat'}")
    formula, steps = ((tmp_path / name).read_text(encoding="utf-8") for name in ("none.cnf", "none.drat"))
    assert refutes(formula, steps)


def said(ear: Ear) -> str:
    """Return the message about the proof at the end of the last run."""
    return proof_words(ear.of(FillEnded)[-1].run)


def test_a_proof_is_written_and_accepted(small: Session, ear: Ear, tmp_path: Path) -> None:
    run_line(small, "set r1c1 Q")
    path = tmp_path / "none.proof"
    do(small, f"fill --proof {path}")
    assert said(ear) == f"the proof is in {path}"
    assert check(grid_to_text(small.puzzle.grid), SMALL_LIST, path.read_text().splitlines()) >= 1


def test_only_files_of_this_session_are_overwritten_without_force(
    small: Session, ear: Ear, tmp_path: Path
) -> None:
    run_line(small, "set r1c1 Q")
    line, formula = f"fill --strategy sat --proof {tmp_path / 'none.drat'}", tmp_path / "none.cnf"
    do(small, line)
    do(small, line)
    assert said(ear) == f"the proof is in {tmp_path / 'none.drat'}"
    formula.write_text("Monday: rain.\n", encoding="utf-8")
    refuses(small, line, r"none\.cnf already exists", ExistsAlreadyError)
    do(small, f"{line} --force")
    assert formula.read_text(encoding="utf-8") != "Monday: rain.\n"


def test_no_proof_file_is_left_if_there_is_a_fill(small: Session, ear: Ear, tmp_path: Path) -> None:
    do(small, f"fill --proof {tmp_path / 'none.proof'}")
    assert rows(small) in FILLS
    assert said(ear) == f"no proof was written to {tmp_path / 'none.proof'}: there is a fill"
    assert not list(tmp_path.glob("*.proof"))


def test_rules_are_refused(small: Session, ear: Ear, tmp_path: Path) -> None:
    run_line(small, "rule --most A 1")
    do(small, f"fill --proof {tmp_path / 'none.proof'}")
    assert "cannot cover rules" in ear.of(JobFailed)[-1].message
    assert not list(tmp_path.glob("*.proof"))


def test_a_full_disk_is_reported(
    small: Session, ear: Ear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_line(small, "set r1c1 Q")

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "write", full)
    do(small, f"fill --proof {tmp_path / 'none.proof'}")
    monkeypatch.undo()
    assert "No space left on device" in ear.of(JobFailed)[-1].message
    assert not list(tmp_path.glob("*.proof"))
