"""The verbs of the rules."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ruled import asked, ruled
from tests.session.conftest import SMALL_LIST
from tests.session.saying import PATIENCE_SECONDS, Ear, refuses, said
from xwtui.engine.problem.task import Task
from xwtui.errors import XwtuiError
from xwtui.formats.ipuz_extensions import RULES, read_rules
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Content, Direction, Position, Puzzle, WordChoice
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line

CORNER, NEXT = Position(0, 0), Position(0, 1)
ACROSS_1 = (CORNER, Direction.ACROSS)
HEART, CLUB = Content.of("HEART"), Content.of("CLUB")


def test_a_users_list_is_stored_by_full_path_unless_next_to_the_puzzle(
    mini: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here.txt").write_text("OBOE\n")
    monkeypatch.chdir(tmp_path)
    said(mini, "rule 1A --list here.txt")
    assert mini.puzzle.rules.own_lists == {str(tmp_path / "here.txt")}
    mini.save(tmp_path / "a.ipuz")
    said(mini, "rule 1A --list here.txt")
    assert mini.puzzle.rules.own_lists == {"here.txt"}
    refuses(mini, "rule 1A --list nowhere.txt", "there is no word list 'nowhere.txt'", XwtuiError)


def test_completion_of_the_rules(small: Session) -> None:
    def texts(line: str) -> list[str]:
        return [offer.text for offer in complete(small, line)]

    assert "rebus place" in texts("reb")
    assert texts("rebus pl") == ["place"]
    assert texts("rebus place --s") == ["--squares", "--symmetric"]
    assert texts("rule 1A --m") == ["--min", "--match", "--most"]
    assert texts("distinct --stems o") == ["on", "off"]
    assert "default" in texts("rule 1A --list def")
    assert texts("help rebus") == ["rebus", '"rebus place"']
    assert said(small, 'help "rebus place"') == said(small, "help rebus place")


def test_candidates_wait_for_the_entrys_own_list(small: Session, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("TAG\nXYZ\n")
    small.wait_until_ready(PATIENCE_SECONDS)
    rule = asked(word_list=str(tmp_path / "own.txt"))
    loading = replace(small.puzzle, rules=ruled({ACROSS_1: rule}))
    assert small.jobs.words.vocabulary is not None
    assert not Task.of(loading, small.jobs.words.vocabulary).has_all_lists
    small.edit("rule", lambda _: loading)
    small.jobs.candidates.start("1A")
    small.wait_until_ready(PATIENCE_SECONDS)
    assert [candidate.word for candidate in small.jobs.candidates.find("1A")] == ["TAG", "XYZ"]
    assert [candidate.word for candidate in small.jobs.candidates.find("1D")][:2] == ["TEN", "ICE"]


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
rules off | symmetry none | clear all | rule 1A --lacks a,e,,ing --lacks A | rule 1A --min 60 --contains x
rule 1A --contains "" | rule 1A --match A.* | rule 1A --match "" --min none --lacks ""
rule 1A --list default --min 60 --match .*S | letters A E I | letters r1c1 r1c2 AA | may r1c1 HEART e [AB]
may HEART | may 1A off | want oboe tuba | want HARP --least 1 | want --least 2 | want TUBA off | want off
want ICE | ban ICE
distinct --stems off | distinct --substring 5 --group 'DATA DATUM' | distinct --substring off | distinct off
limit Name 2 | limit name 0 | limit name off | rebus place heart --squares 4-6 | rebus place HEART off
rebus place --squares 4 --symmetric HEART | REBUS Place CLUB | rebus place | rebus place off
rebus place X/TIMES --squares 2 | rebus r1c1 PLACE | rebus placebo | rule 2D --min 60 | block r1c2 | check
block r1c2 | rules | check
"""
"""Lines run in order; each may affect the later ones."""


def _lines() -> list[str]:
    return [line.strip() for row in ASKED.splitlines() for line in row.split(" | ")]


def replies(folder: Path) -> list[dict[str, Any]]:
    """Run each line on a blank 3x3 puzzle with the small list; return its answer and the rules as ipuz."""
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


def test_answers_match_the_recorded_ones(tmp_path: Path) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert [each["line"] for each in recorded] == _lines()
    for told, before in zip(replies(tmp_path), recorded, strict=True):
        assert told == before


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as found:
        told_now = [json.dumps(each, ensure_ascii=False) for each in replies(Path(found))]
    RECORDED.write_text("[\n" + ",\n".join(told_now) + "\n]\n", encoding="utf-8")
