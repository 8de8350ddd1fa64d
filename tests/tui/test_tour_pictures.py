"""Screenshots for the tour wait until they show their subject, however long that takes."""

from dataclasses import replace
from threading import Event

import pytest

from docs.screenshots import has_no_suggestions, shows_suggestions, shows_swaps
from tests.tui.conftest import OpenStage
from tests.tui.still import pencilled, until
from xwtui.clues.suggestions import Suggestion, SuggestionKind
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Puzzle
from xwtui.session.jobs.question import Findings
from xwtui.tui.widgets import clue_pane

FULL = Puzzle(grid_from_text("CAT\nO#O\nTEN"))


async def test_the_clue_screenshot_waits_for_suggestions(
    stage: OpenStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_found = Event()

    def slowly(answer: str) -> tuple[Suggestion, ...]:
        is_found.wait()
        return (Suggestion(f"What {answer} means", SuggestionKind.GLOSS),)

    monkeypatch.setattr(clue_pane, "suggestions", slowly)
    async with stage(FULL) as on:
        try:
            await on.press("f2")
            assert not shows_suggestions(on.app)
        finally:
            is_found.set()
        await until(on, lambda: shows_suggestions(on.app), "the suggestions")
        assert "What CAT means" in on.text()
        assert not has_no_suggestions(on.app)


async def test_the_swap_screenshot_waits_for_the_last_words(stage: OpenStage, small: Puzzle) -> None:
    async with stage(pencilled(small)) as on:
        await on.press("ctrl+x")
        findings = Findings("other words at 1A", is_complete=False)
        for told, is_last in ((findings, False), (replace(findings, is_complete=True), True)):
            assert not shows_swaps(on.app)
            await on.answer(told, is_last=is_last)
        assert shows_swaps(on.app)
