"""Ended by a signal, at any moment: no traceback, the terminal given back, no file damaged, no edit lost."""

from pathlib import Path
from random import Random

import pytest
from textual.events import Resize

from bench.signals import CLOSED, FACES, KILL, SIGNALS, run_once
from tests.examples import is_deep
from tests.tui.still import Stage
from xwtui.model import Puzzle
from xwtui.tui.screens.overlays import ReplyScreen

RUNS = 300 if is_deep() else 1


@pytest.mark.parametrize("number", range(RUNS))
@pytest.mark.parametrize("face", FACES)
def test_a_signal_at_a_random_moment_leaves_all_whole(face: str, number: int, tmp_path: Path) -> None:
    ending = run_once(Random(number), tmp_path, [face], [*SIGNALS, KILL, CLOSED])
    assert not ending.failure, ending


async def test_a_reply_that_comes_as_the_program_ends_breaks_nothing(on: Stage) -> None:
    """Textual puts nothing into it any more, and tells it its size."""
    on.app.exit()
    reply = ReplyScreen("check", ["no findings"])
    on.app.push_screen(reply)
    reply.post_message(Resize(on.app.size, on.app.size))


async def test_an_editor_that_comes_as_the_program_ends_breaks_nothing(on: Stage, small: Puzzle) -> None:
    on.app.exit()
    on.app.begin(small)
