"""What the verbs of the rules answer, refuse and write, word by word and field by field, as it was recorded.

`python -m tests.session.test_rule_goldens` records it anew, for changes that are meant.
"""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.session.conftest import SMALL_LIST
from tests.session.listening import PATIENCE_SECONDS, Ear
from xwtui.errors import XwtuiError
from xwtui.formats.ipuz_extensions import RULES, read_rules
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Puzzle, WordChoice
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

RECORDED = Path(__file__).parent / "rule_goldens.json"
ASKED = """\
rules | rule | rule 1A | help rule | help letters | help may | help want | help distinct | help limit
help pangram | help rebus place | help rules
rule 1A --min 60 | rule --match .*g | rule 1A --contains a --contains bc --lacks q,z --lacks ing | rule 1A
rule 1A --bar oboe,tuba | rules | rule 1D --list default --lacks Q | rule 1A --min none | rule 1D --list ""
rule 1A off | undo | undo | rule 3D --min 101 | rule 1A --match ( | rule 1A --match (A|AA)*B
rule 1A of | rule r1c1 --min 50 | rule 1A --contains é? | rule 1A --min
letters r1c1 aei | letters r1c1 ? | letters r9c9 A | letters 1D XYZ | may r1c1 HEART X/TIMES E | may r1c1 H-
may HEART r1c1 | letters r1c1 r1c2 | may 2D off | may r3c3 off | rules
want | want bag tag | want ICE --least 1 | want ice off | want --least 9 | want TUBA off | want OXO NEW NOVEL
distinct | distinct --substring 2 | distinct --group 'TEN TENS' --group 'OX OXEN' | distinct --stems off
distinct --stems maybe | distinct --substring 1 | distinct --group DATA | distinct --stems on | rules
limit | limit name 2 | limit abbreviation 0 | limit name | limit 'a b' 2 | limit name x | rules
pangram | pangram on | pangram jqj | pangram é?
rebus place | rebus place HEART --squares 4..6 --symmetric | rebus place HEART CLUB --squares 2..3 --each
rebus place HEART CLUB --squares 1 --each | rebus place --squares 4 | rebus place Q --squares 4
rebus place STAR off | rebus place off HEART | rebus place X/TIMES | rebus place heart off
rebus place HEART --squares 6..4
rules | ban ICE | check | set 1A BAG | set 4A ICE | set 5A BAGS | set 5A OXO
rule 1A --match .*X --lacks G --contains Q --bar BAG
rule 4A --min 90 | rule 5A --list default --min 90 | letters r1c1 XY | check
block r3c1 | rules | check | block r3c1 | undo | rule 1A off | limit name off | distinct off | pangram off
pangram on | rebus place off | rules | check | want off | rules | rules off | rules | undo | rules | rules of
check
"""
"""Lines, of which each may change what the later ones find."""


def _lines() -> list[str]:
    return [line.strip() for row in ASKED.splitlines() for line in row.split(" | ")]


def replies(folder: Path) -> list[dict[str, Any]]:
    """Each line said to a blank 3x3 puzzle over the small list, its answer, and the rules as ipuz has them."""
    words = folder / "small.dict"
    words.write_text(SMALL_LIST, encoding="utf-8")
    bench = Session(Ear(), journal_folder=folder / "journals")
    try:
        choice = WordChoice(lists=(str(words),), minimum_score=40)
        bench.new(replace(Puzzle.blank(3, 3), words=choice))
        bench.wait_until_ready(PATIENCE_SECONDS)
        told: list[dict[str, Any]] = []
        written: Any = None
        for line in _lines():
            told.append({"line": line, **_reply(bench, line)})
            before, written = written, _written(bench.puzzle)
            if written != before:
                told[-1]["ipuz"] = written
            assert read_rules(written, bench.puzzle.grid) == bench.puzzle.rules
        return told
    finally:
        bench.discard_changes()
        bench.close()


def _written(puzzle: Puzzle) -> Any:
    return json.loads(puzzle_bytes(puzzle, ".ipuz").data).get(RULES)


def _reply(bench: Session, line: str) -> dict[str, Any]:
    try:
        reply = run_line(bench, line)
    except XwtuiError as error:
        return {"refused": type(error).__name__, "message": str(error)}
    assert bench.wait(PATIENCE_SECONDS)
    bench.wait_until_ready(PATIENCE_SECONDS)
    return {"lines": list(reply.lines)}


def recorded() -> list[dict[str, Any]]:
    """What was recorded, line by line."""
    read: list[dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize("at", range(len(_lines())))
def test_the_verbs_of_the_rules_answer_as_recorded(at: int, told: list[dict[str, Any]]) -> None:
    assert told[at] == recorded()[at]


def test_the_record_is_of_these_lines() -> None:
    assert [each["line"] for each in recorded()] == _lines()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return replies(tmp_path_factory.mktemp("goldens"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as found:
        told_now = [json.dumps(each, ensure_ascii=False) for each in replies(Path(found))]
    RECORDED.write_text("[\n" + ",\n".join(told_now) + "\n]\n", encoding="utf-8")
