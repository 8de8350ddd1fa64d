"""The keys that score a word for every puzzle: the candidate at which the keyboard is, or the answer here."""

import pytest

from tests.candidates import candidate
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.model import Puzzle
from xwtui.model.edits import place_answer
from xwtui.resources import personal_list_path
from xwtui.session.messages import CandidatesReady

ROWS = (candidate("CAT", 50, True), candidate("DOG", 40, True))


def own_scores() -> list[str]:
    return [line for line in personal_list_path().read_text(encoding="utf-8").splitlines() if line[0] != "#"]


@pytest.mark.parametrize(
    ("key", "line"), [("greater_than_sign", "DOG;50"), ("less_than_sign", "DOG;30"), ("underscore", "DOG;0")]
)
async def test_a_key_scores_the_candidate_that_the_keyboard_is_at(on: Stage, key: str, line: str) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", ROWS))
    await on.press("enter", "down", key)
    assert own_scores() == [line]
    assert on.editor.desk.candidates.has_focus
    await on.press("escape", "ctrl+z")
    assert own_scores() == []


async def test_a_key_scores_the_answer_at_the_cursor(stage: OpenStage, small: Puzzle) -> None:
    async with stage(place_answer(small, small.grid.slot("1A"), "EMU")) as on:
        await on.press("greater_than_sign")
        assert own_scores() == ["EMU;40"]
        await on.press("down", "underscore")
        assert own_scores() == ["EMU;40"]
