"""The app over a session without running threads: tests post the workers' messages."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

from tests.examples import is_deep
from tests.shell.process import user_folders
from tests.tui.still import Stage, StillSession, leave_painting
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Puzzle
from xwtui.session.settings import Settings
from xwtui.tui.app import XwtuiApp

SMALL = """\
...#.
.....
.....
.....
.#...
"""

_parse_rules = Stylesheet._parse_rules
_parsed: dict[object, list[RuleSet]] = {}


def _parsed_once(styles: Stylesheet, *args: Any, **kwargs: Any) -> list[RuleSet]:
    """Cache parsed stylesheets: an app parses all of its styles twice, and each test starts an app."""
    key = (args, tuple(kwargs.items()), frozenset(styles._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(styles, *args, **kwargs)
    return _parsed[key]


Stylesheet._parse_rules = _parsed_once  # type: ignore[method-assign, assignment]

OpenStage = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze the clock, so that elapsed times do not depend on the machine's speed."""
    monkeypatch.setattr("xwtui.tui.editing.display.monotonic", lambda: 0.0)


@pytest.fixture(autouse=True)
def _usual_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def small() -> Puzzle:
    """A 5x5 grid with two blocks."""
    return Puzzle(grid_from_text(SMALL))


@pytest.fixture
def small_file(tmp_path: Path) -> Path:
    """The same puzzle in a file."""
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    return path


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """Environment of a process with separate user folders."""
    return user_folders(tmp_path / "home")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenStage:
    """A function that opens the app on a puzzle in an `async with`.

    The pilot repaints; timers do so in deep tests.
    """
    if not is_deep():
        monkeypatch.setattr(Screen, "_compositor_refresh", leave_painting)

    @asynccontextmanager
    async def opened(
        puzzle: Puzzle,
        *,
        size: tuple[int, int] = (80, 24),
        theme: str = "dark",
        offers_start: bool = False,
        path: Path | Sequence[Path] = (),
    ) -> AsyncIterator[Stage]:
        app = XwtuiApp(
            *([path] if isinstance(path, Path) else path),
            session=lambda listener: StillSession(
                puzzle, listener, settings=Settings(), journal_folder=tmp_path / "journals"
            ),
            theme=theme,
            offers_start=offers_start,
        )
        async with app.run_test(size=size):
            on = Stage(app)
            await on.pilot.pause()
            yield on
        for session in app.puzzles.sessions:
            session.discard_changes()
        app.puzzles.end()

    return opened


@pytest.fixture
async def on(stage: OpenStage, small: Puzzle) -> AsyncIterator[Stage]:
    """The app on the small puzzle, for tests that need no other size or setup."""
    async with stage(small) as opened:
        yield opened
