"""The lines of docs/traditions.md about linked lights: what they say is what is answered."""

from pathlib import Path

from tests.session.saying import said
from xwtui.session.session import Session

PAGE = Path(__file__).parents[2] / "docs" / "traditions.md"


def test_the_lines_about_linked_lights_answer_what_they_show(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Linked lights")[2]
    dialogue = section.split("```")[1].strip()
    session = Session(journal_folder=tmp_path)
    answers = [f": {line}\n{said(session, line)}" for line in _lines(dialogue)]
    session.close()
    assert "\n".join(answers).splitlines() == [line.rstrip() for line in dialogue.splitlines()]


def _lines(dialogue: str) -> list[str]:
    return [line.removeprefix(": ") for line in dialogue.splitlines() if line.startswith(": ")]
