"""The verbs of the rules."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ruled import asked, ruled
from tests.session.conftest import SMALL_LIST
from tests.session.listening import PATIENCE_SECONDS, Ear
from tests.session.saying import refuses, said
from xwtui.errors import XwtuiError
from xwtui.formats.ipuz_extensions import RULES, read_rules, rules_field
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Content, Direction, EntryRules, Position, Puzzle, RebusPlacing, Symmetry, WordChoice
from xwtui.session.problem_specification import ProblemSpecification
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line

CORNER, NEXT = Position(0, 0), Position(0, 1)
ACROSS_1 = (CORNER, Direction.ACROSS)
HEART, CLUB = Content.of("HEART"), Content.of("CLUB")


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        (["rule 1A --min 60"], asked(60)),
        (["rule --min 60"], asked(60)),
        (["rule 1a --match .*ing"], asked(pattern=".*ING")),
        (["rule 1A --contains x --contains yz --lacks q"], asked(contains=("X", "YZ"), lacks=("Q",))),
        (["rule 1A --lacks a,e,,ing --lacks A"], asked(lacks=("A", "E", "ING"))),
        (["rule 1A --bar oboe,Tuba"], asked(barred=("OBOE", "TUBA"))),
        (["rule 1A --min 60 --contains X", "rule 1A --contains Y"], asked(60, contains=("Y",))),
        (["rule 1A --min 60 --contains X", 'rule 1A --contains ""'], asked(60)),
        (["rule 1A --min 60 --match A.*", 'rule 1A --match "" --min none'], asked()),
        (["rule 1A --min 60", "rule 1A off"], asked()),
        (["rule 1A --list default"], asked(word_list="default")),
        (["rule 1A --list default", 'rule 1A --list ""'], asked()),
    ],
)
def test_a_rule_of_an_entry(mini: Session, lines: list[str], rule: EntryRules) -> None:
    said(mini, *lines)
    assert mini.puzzle.rules == ruled({} if rule.is_empty else {ACROSS_1: rule})


def test_the_rule_of_an_entry_is_shown(mini: Session) -> None:
    assert said(mini, "rule 1A") == "1A: no rule of its own"
    asked = "rule 1A --min 60 --list default --match .*S --contains A --lacks Q --lacks ZZ"
    told = "1A: from default, scores 60 or more, matches .*S, contains A, lacks Q and ZZ in a row"
    assert said(mini, asked) == said(mini, "rule 1A") == told
    assert mini.document.history.edits == 1


def test_a_list_of_ones_own_is_kept_by_its_full_path_unless_it_lies_beside_the_puzzle(
    mini: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here.txt").write_text("OBOE\n")
    monkeypatch.chdir(tmp_path)
    said(mini, "rule 1A --list here.txt")
    assert mini.puzzle.rules.own_lists == {str(tmp_path / "here.txt")}
    mini.save(tmp_path / "a.ipuz")
    said(mini, "rule 1A --list here.txt")
    assert mini.puzzle.rules.own_lists == {"here.txt"}


@pytest.mark.parametrize(
    ("line", "squares"),
    [
        ("letters r1c1 aei", {CORNER: ("A", "E", "I")}),
        ("letters A E I", {CORNER: ("A", "E", "I")}),
        ("letters r1c1 r1c2 AA", {CORNER: ("A",), NEXT: ("A",)}),
        ("letters 1A X", {Position(0, column): ("X",) for column in range(5)}),
        ("may r1c1 HEART e [AB]", {CORNER: ("HEART", "E", "AB")}),
        ("may HEART", {CORNER: ("HEART",)}),
    ],
)
def test_squares_that_take_only_some_contents(
    mini: Session, line: str, squares: dict[Position, tuple[str, ...]]
) -> None:
    said(mini, line)
    expected = {at: tuple(map(Content.of, texts)) for at, texts in squares.items()}
    assert mini.puzzle.rules == ruled(squares=expected)
    mini.undo()
    assert mini.puzzle.rules.is_empty


def test_what_a_square_may_hold_is_shown_and_taken_back(mini: Session) -> None:
    assert said(mini, "may r1c1 HEART X/TIMES E") == "r1c1: only [HEART] [X/TIMES] E"
    assert said(mini, "letters r1c1 r1c2") == "r1c1: only [HEART] [X/TIMES] E\nr1c2: any letter"
    assert said(mini, "letters 1A AB") == "r1c1, r1c2, r1c3, r1c4, r1c5: only A B"
    assert said(mini, "may 1A off") == "r1c1, r1c2, r1c3, r1c4, r1c5: any letter"
    assert mini.puzzle.rules.is_empty


def test_wanted_words(mini: Session) -> None:
    assert said(mini, "want") == "no words are wanted"
    assert said(mini, "want oboe tuba") == "wanted: all of OBOE, TUBA"
    assert said(mini, "want HARP --least 1") == "wanted: at least 1 of OBOE, TUBA, HARP"
    assert said(mini, "want --least 2") == "wanted: at least 2 of OBOE, TUBA, HARP"
    assert said(mini, "want TUBA off") == "wanted: all of OBOE, HARP"
    assert said(mini, "want off") == "no words are wanted"
    assert mini.document.history.edits == 5


def test_what_is_odd_about_a_wanted_word_is_told(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    told = said(small, "ban ICE", "want BAG ICE OXO NEW NOVEL")
    assert told.splitlines()[1:] == [
        "wanted ICE is banned, so no fill uses it; `allow ICE` allows it",
        "wanted OXO scores 20, below 40; fills may still use it",
        "wanted NEW is in no word list; fills may still use it, with score 50",
        "wanted NOVEL has 5 letters, and no entry has that many squares",
    ]
    small.wait_until_ready(PATIENCE_SECONDS)
    assert "NOVEL" in said(small, "check")


def test_answers_that_are_to_differ_by_more(mini: Session) -> None:
    said(mini, "distinct --substring 5 --group 'DATA DATUM' --group 'OX OXEN'")
    groups = (frozenset({"DATA", "DATUM"}), frozenset({"OX", "OXEN"}))
    expected = ruled(shared_substring=5, distinct_stems=True, stem_groups=groups)
    assert mini.puzzle.rules == expected
    told = said(mini, "distinct --stems off")
    assert "no two answers share 5 letters in a row" in told
    assert "DATA, DATUM count as one stem when stems must differ" in told
    said(mini, "distinct --substring off")
    assert mini.puzzle.rules == ruled(stem_groups=groups)
    assert said(mini, "distinct off") == "answers differ, and fills avoid repeats where possible"
    assert mini.puzzle.rules.is_empty


def test_limits(mini: Session) -> None:
    assert said(mini, "limit") == "no limits"
    assert said(mini, "limit Name 2") == "limit: at most 2 answers with the tag name"
    assert said(mini, "limit name 0") == "limit: no answer with the tag name"
    assert mini.puzzle.rules == ruled(tag_limits={"name": 0})
    assert said(mini, "limit name off") == "no limits"


@pytest.mark.parametrize(
    ("line", "placing", "told"),
    [
        ("HEART --squares 4..6", RebusPlacing((HEART,), 4, 6), "4..6 new squares with [HEART]"),
        ("heart --squares 4-6", RebusPlacing((HEART,), 4, 6), "4..6 new squares with [HEART]"),
        (
            "--squares 4 --symmetric HEART",
            RebusPlacing((HEART,), 4, 4, True),
            "4 new squares with [HEART], in symmetry",
        ),
        ("HEART", RebusPlacing((HEART,), 1, 1), "1 new square with [HEART]"),
        (
            "HEART CLUB --squares 2..8 --each",
            RebusPlacing((HEART, CLUB), 2, 8, each=True),
            "2..8 new squares with [HEART] or [CLUB], each at least once",
        ),
        ("X/TIMES --squares 2", RebusPlacing((Content("X", "TIMES"),), 2, 2), "2 new squares with [X/TIMES]"),
    ],
)
def test_new_rebus_squares(mini: Session, line: str, placing: RebusPlacing, told: str) -> None:
    assert said(mini, f"rebus place {line}") == f"rebus place: {told}"
    assert mini.puzzle.rules == ruled(placings=(placing,))
    assert mini.puzzle.grid.squares == Puzzle.blank(5, 5).grid.squares


def test_new_rebus_squares_are_shown_and_taken_back(mini: Session) -> None:
    assert said(mini, "rebus place") == "there is no rule for new rebus squares"
    said(mini, "rebus place HEART", "REBUS Place CLUB --squares 2")
    assert said(mini, "rebus place").count("\n") == 1
    assert said(mini, "rebus place heart off") == "rebus place: 2 new squares with [CLUB]"
    assert said(mini, "rebus place off") == "there is no rule for new rebus squares"


def test_all_rules_together(mini: Session) -> None:
    assert said(mini, "rules").startswith("no rules")
    lines = ["rule 1A --min 60", "may r2c2 HEART", "want OBOE", "limit name 1", "pangram on", "rebus place CLUB"]
    assert [line.partition(":")[0] for line in said(mini, *lines, "rules").splitlines()] == [
        *("1A", "r2c2", "wanted", "limit", "pangram", "rebus place")
    ]
    assert said(mini, "rules off").startswith("no rules")
    assert said(mini, "undo", "rules").count("\n") == len(lines) - 1


def test_a_rule_whose_entry_is_gone_waits_and_check_says_so(mini: Session) -> None:
    told = said(mini, "symmetry none", "rule 2D --min 60", "block r1c2", "check")
    assert "idle rule: r1c2 down (no entry now) has a waiting rule: scores 60 or more" in told
    assert "idle rule" not in said(mini, "block r1c2", "check")
    assert "2D: scores 60 or more" in said(mini, "rules")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rule 1A --list nowhere.txt", "there is no word list 'nowhere.txt'"),
        ("want OBOE --least 2", "2 words are required"),
    ],
)
def test_mistakes_that_are_not_recorded_are_told(mini: Session, line: str, message: str) -> None:
    refuses(mini, line, message, XwtuiError)
    assert mini.document.history.edits == 0


def test_the_rebus_of_a_square_is_still_its_own_verb(mini: Session) -> None:
    assert said(mini, "rebus r1c1 PLACE") == "r1c1: [PLACE]"
    assert said(mini, "rebus placebo") == "r1c1: [PLACEBO]"


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


def test_a_run_over_rules_of_every_kind_survives_the_file(mini: Session, tmp_path: Path) -> None:
    said(
        mini,
        "symmetry left-right",
        "rule 1A --min 60 --match .*S --lacks Q",
        "may r2c2 HEART X/TIMES E",
        "want OBOE TUBA --least 1",
        "distinct --substring 5 --group 'DATA DATUM'",
        "limit name 2",
        "pangram JQ",
        "rebus place HEART CLUB --squares 2..4 --symmetric --each",
    )
    rules = mini.puzzle.rules
    path = mini.save(tmp_path / "ruled.ipuz")
    mini.open(path)
    assert mini.puzzle.rules == rules
    assert mini.puzzle.symmetry is Symmetry.LEFT_RIGHT


def test_candidates_wait_for_a_list_of_the_entrys_own(small: Session, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("TAG\nXYZ\n")
    small.wait_until_ready(PATIENCE_SECONDS)
    rule = asked(word_list=str(tmp_path / "own.txt"))
    loading = replace(small.puzzle, rules=ruled({ACROSS_1: rule}))
    assert small.jobs.words.vocabulary is not None
    assert not ProblemSpecification.of(loading, small.jobs.words.vocabulary).has_all_lists
    small.edit("rule", lambda _: loading)
    small.jobs.candidates.start("1A")
    small.wait_until_ready(PATIENCE_SECONDS)
    assert [candidate.word for candidate in small.jobs.candidates.find("1A")] == ["TAG", "XYZ"]
    assert [candidate.word for candidate in small.jobs.candidates.find("1D")][:2] == ["TEN", "ICE"]


def test_that_stems_may_be_shared_is_kept_in_the_file(mini: Session) -> None:
    assert said(mini, "distinct --stems off") == "distinct: answers may repeat each other"
    rules = mini.puzzle.rules
    assert not rules.is_empty
    assert read_rules(rules_field(rules), mini.puzzle.grid) == rules
    said(mini, "distinct off")
    assert mini.puzzle.rules.is_empty


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
