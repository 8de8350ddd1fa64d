"""From a blank grid to a finished rebus puzzle on the screen, with real words, engine and files."""

from pathlib import Path
from random import Random

import pytest

from tests.known import known
from tests.tui.still import Stage, until
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Ink, Position
from xwtui.session.messages import EnginePhase
from xwtui.session.session import Session
from xwtui.session.settings import Overrides, Settings
from xwtui.tui.app import XwtuiApp
from xwtui.tui.screens.start import StartScreen

CORNER = Position(0, 0)
REBUS = Content.of("AB")


def word_list(path: Path) -> Path:
    """Words over six letters, enough for fills and few enough for dead ends; some begin with the rebus."""
    random = Random(1)
    words = {"".join(random.choices("ABCDEF", k=4)) for _ in range(70)}
    words |= {"AB" + "".join(random.choices("ABCDEF", k=3)) for _ in range(40)}
    path.write_text("".join(f"{word};{random.randint(50, 90)}\n" for word in sorted(words)), encoding="utf-8")
    return path


@pytest.mark.parametrize("size", [(80, 24)])
async def test_the_whole_workflow(tmp_path: Path, size: tuple[int, int]) -> None:
    words = word_list(tmp_path / "six.dict")
    app = XwtuiApp(
        session=lambda listener: Session(
            listener,
            settings=Settings(),
            journal_folder=tmp_path / "journals",
            overrides=Overrides(lists=(str(words),)),
        ),
        theme="dark",
    )
    async with app.run_test(size=size):
        on = Stage(app)
        await on.pilot.pause()
        assert isinstance(app.screen, StartScreen)
        await on.press("escape")
        await _lay_out(on, words)
        await _place_a_theme_answer(on)
        await _step_and_see_a_backtrack(on)
        await _fill(on)
        await _write_a_clue(on)
        await _export(on, tmp_path)
    app.session.discard_changes()
    app.session.close()


async def _lay_out(on: Stage, words: Path) -> None:
    await on.verb("new 4")
    await on.verb(f"words {words} --min-score 0")
    await on.verb("title Six Letters")
    assert on.line("title").startswith("Six Letters *")
    await on.press("ctrl+r")
    await on.type("ab")
    await on.press("enter", "left", "grave_accent")
    assert on.grid[CORNER].content == REBUS
    assert on.grid[CORNER].circle
    bench = on.app.session
    await until(on, lambda: bench.jobs.engine.view.phase is EnginePhase.READY, "the engine")
    counts = bench.jobs.live_counts
    await until(on, lambda: counts.view.entries.propagated and not counts.view.stale, "the counts")
    await until(on, lambda: on.line("estimate").startswith("fills ≈") or "exactly" in on.line("estimate"), "them")


async def _place_a_theme_answer(on: Stage) -> None:
    panel = on.editor.desk.candidates
    await until(on, lambda: on.editor.insight.candidates_for == "1A" and bool(panel.rows), "candidates")
    alive = next(index for index, candidate in enumerate(panel.rows) if candidate.alive)
    word = panel.rows[alive].word
    assert word.startswith("AB")
    await on.press("enter", *["down"] * alive, "enter")
    assert on.grid.answer(on.grid.slot("1A")) == word
    assert on.grid[CORNER].content == REBUS, "the rebus square takes part as what it is"
    await on.press("ctrl+l")
    assert {on.grid[at].ink for at in on.grid.slot("1A").positions} == {Ink.LOCKED}
    await on.press("x")
    assert "locked" in on.line("message")


async def _step_and_see_a_backtrack(on: Stage) -> None:
    bench = on.app.session
    before = bench.puzzle
    told: list[int] = []

    def is_shown() -> bool:
        run = bench.jobs.fill.view
        event = None if run is None or bench.jobs.fill.is_running else run.event
        if run is None or event is None or run.event_number in told or event.describe()[:20] not in on.line("run"):
            return False
        told.append(run.event_number)
        return True

    for _ in range(3):
        await on.press("f10")
        await until(on, is_shown, "a step")
    await on.press("f12")
    await until(on, lambda: "◂ backtrack from" in on.line("run"), "a backtrack")
    undone = on.app.colour_theme.palette.undone
    view = on.editor.desk.grid
    assert view.picture is not None
    assert view.picture.undone
    shown = [on.style_at(at).bgcolor for at in view.picture.undone if at != view.picture.cursor]
    assert set(shown) <= {undone.bgcolor}
    assert bench.puzzle == before, "a stepped search is shown, not written"
    await on.press("f6")
    assert not view.picture.searching
    assert bench.puzzle == before


async def _fill(on: Stage) -> None:
    bench = on.app.session
    await on.press("f5")
    await until(on, lambda: on.grid.is_filled and "filled" in on.line("run"), "a fill")
    assert on.grid[Position(3, 3)].ink is Ink.PENCIL
    assert on.grid[CORNER].ink is Ink.LOCKED
    for slot in on.grid.slots:
        answer = known(on.grid.answer(slot))
        assert bench.jobs.words.score(answer) is not None, f"{slot.name} {answer} is in the list"
    await on.press("ctrl+z")
    assert not on.grid.is_filled
    await on.press("ctrl+y")
    assert on.grid.is_filled


async def _write_a_clue(on: Stage) -> None:
    await on.press("f2", "home", "enter")
    await on.type("begin")
    await on.press("enter", "escape")
    assert on.app.session.puzzle.clue(on.grid.slot("1A")) == "begin"


async def _export(on: Stage, folder: Path) -> None:
    for key, verb, name in (("ctrl+s", "save", "six.ipuz"), ("ctrl+e", "export", "six.puz")):
        await on.press(key)
        on.prompt.field.value = f"{verb} {folder / name}"
        await on.press("enter")
        if on.app.screen is not on.editor:
            await on.press("escape")
        written = read_puzzle(folder / name)
        assert written.grid[CORNER].content == REBUS, on.line("message")
        assert written.grid.is_filled
        assert written.clue(written.grid.slot("1A")) == "begin"
    assert not on.line("title").startswith("Six Letters *")
