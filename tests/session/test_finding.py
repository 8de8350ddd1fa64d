"""Finding words and names, and the wording of results."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import found, refuses, said
from xwtui.errors import PuzzleError, VerbError, XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle, WordChoice
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.words.finding import WordQuery, find_words
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

LIST = "CAT;50\nCATALOG;60\nCOTTONS;55\nSCATTER;45\nTIMESUP;70\nEXIT;65\nLOCATE;30\nHEWNART;52\nHEART;80\n"


@pytest.fixture
def words(bench: Session, tmp_path: Path) -> Session:
    """A session whose puzzle allows these words that score 40 or more."""
    (tmp_path / "words.dict").write_text(LIST, encoding="ascii")
    bench.new(replace(Puzzle.blank(5, 5), words=WordChoice(lists=(str(tmp_path / "words.dict"),))))
    return bench


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("find c?t*", ["CATALOG", "COTTONS", "CAT"]),
        ("find --contains cat", ["CATALOG", "CAT", "SCATTER"]),
        ("find --contains cat --min-score 0", ["CATALOG", "CAT", "SCATTER", "LOCATE"]),
        ("find --contains cat --length 4-9", ["CATALOG", "SCATTER"]),
        ("find --starts C --ends S", ["COTTONS"]),
        ("find --between HEART", ["HEWNART"]),
        ("find --between C,G", ["CATALOG"]),
        ("find --anagram TIXE", ["EXIT"]),
        ("find --anagram TAC*", ["CATALOG", "CAT", "SCATTER"]),
        ("find --match .*[AEI]{2}.*", ["HEART"]),
        ("find --match .*T.* --match .*A.* --match (?!.*O).*", ["HEART", "HEWNART", "CAT", "SCATTER"]),
        ("find --contains T --contains S --ends S --ends ?S", ["COTTONS"]),
        ("find --length 3-7 --length 5-9 --anagram E* --anagram T*", ["HEART", "TIMESUP", "HEWNART", "SCATTER"]),
        ("find * --limit 2", ["HEART", "TIMESUP"]),
        ("find ZZ*", []),
    ],
)
def test_words_are_found(words: Session, line: str, expected: list[str]) -> None:
    answer = found(words, line).as_json
    assert [one["word"] for one in answer["words"]] == expected


def test_results_show_how_many_there_are(words: Session) -> None:
    assert said(words, "find c* --limit 2") == "3 words\n   60  CATALOG\n   55  COTTONS\n  and 1 more"
    assert said(words, "find zz") == "no word matches"
    told = "no word with a score from 40 matches; with --min-score 0, 1 word does"
    assert said(words, "find locate") == told


def test_rebus_answers_are_grouped_by_squares(words: Session) -> None:
    assert said(words, "find --contains CAT --squares all --min-score 0").splitlines() == [
        "3 answers with [CAT]",
        "across or down, 4 squares: 1",
        "   30  LO[CAT]E                            square 3",
        "across or down, 5 squares: 2",
        "   60  [CAT]ALOG                           square 1",
        "   45  S[CAT]TER                           square 2",
    ]
    sections = found(words, "find --contains X/TIMES --squares 3-9").as_json["sections"]
    assert [(one["direction"], one["squares"], one["answers"][0]["answer"]) for one in sections] == [
        ("across", 4, "E[X/TIMES]IT"),
        ("down", 3, "[X/TIMES]UP"),
    ]
    assert said(words, "find --contains OXO --squares 3") == "no answer has OXO in a square"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("find", "give a pattern"),
        ("find --squares 5 cat", "--contains CAT"),
        ("find --contains X/TIMES", "add --squares 11"),
        ("find --contains C --squares 5", "not a rebus"),
        ("find --contains CAT --contains DOG --squares 5", "--squares takes one --contains"),
        ("find --contains CAT --squares 5 --in .", "excludes --squares"),
        ("find --between C", "two or more letters"),
        ("find --match (A*)*", "repeats"),
        ("find C! --words nowhere", "no word list"),
        ("find CAT --in nowhere", "no folder nowhere"),
        ("find r3c5", "is a place"),
    ],
)
def test_impossible_searches_are_refused(words: Session, line: str, reason: str) -> None:
    with pytest.raises(XwtuiError, match=reason):
        found(words, line)


def test_the_wait_for_words_is_short(words: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.session.verbs.word_choice._PATIENCE_SECONDS", -1.0)
    with pytest.raises(VerbError, match="still being loaded"):
        found(words, "find CAT")


def test_another_list_is_searched(words: Session, small_list: Path) -> None:
    assert said(words, f"find ?A? --words {small_list}").splitlines()[1:] == ["   50  BAG"]


def test_answers_of_the_users_puzzles(words: Session, tmp_path: Path) -> None:
    puzzle = replace(Puzzle(grid_from_text("CAT\nO.E\nGEN\n")), title="Cats")
    puzzle = puzzle.with_clue(puzzle.grid.slot("1A"), "Pet")
    (tmp_path / "own" / "old").mkdir(parents=True)
    write_puzzle(tmp_path / "own" / "old" / "cats.ipuz", puzzle)
    (tmp_path / "own" / "broken.puz").write_bytes(b"ACROSS&DOWN")
    (tmp_path / "own" / "._cats.ipuz").write_bytes(b"what another system keeps beside a file")
    (tmp_path / "own" / "list.txt").write_text("CAT\n", encoding="ascii")
    answer = found(words, f"find C?T --in {tmp_path / 'own'}").as_json
    assert (answer["matches"], answer["puzzles"], answer["unread"]) == (1, 1, ["broken.puz"])
    (place,) = answer["places"]
    assert (place["word"], place["entry"], place["title"], place["clue"]) == ("CAT", "1A", "Cats", "Pet")
    assert place["file"].endswith("old/cats.ipuz")
    said(words, f"prefer --recent {tmp_path / 'own'}")
    assert found(words, "find C?T --in recent").as_json["matches"] == 1
    assert found(words, f"find ZZZ --in {tmp_path / 'own'}").headline == "never in 1 puzzle"
    write_puzzle(tmp_path / "own" / "old" / "cats.ipuz", Puzzle(grid_from_text("DOG\n...\n...\n")))
    assert not found(words, f"find C?T --in {tmp_path / 'own'}").as_json["matches"], "it was read again"


def test_words_are_found_in_the_puzzles_current_lists(words: Session, tmp_path: Path) -> None:
    assert said(words, "find CAT").splitlines()[1:] == ["   50  CAT"]
    (tmp_path / "other.dict").write_text("DOG;50\n", encoding="ascii")
    said(words, f"words {tmp_path / 'other.dict'}")
    assert said(words, "find ???").splitlines()[1:] == ["   50  DOG"]


def test_backreferences_work_in_find_and_in_rules(small: Session) -> None:
    words = WordList.from_scores("words", {"ONION": 50, "OCTET": 50, "DODO": 50})
    lexicon = Lexicon.build([words])
    assert [one.word for one in find_words(lexicon, WordQuery(matches=(r"(..).*\1",)), 9).words] == [
        "DODO",
        "ONION",
    ]
    refuses(small, r"find (..).*\1", "--match takes expressions", XwtuiError)
    assert r"matches (.)\1." in said(small, r"rule 1A --match (.)\1.")
    refuses(small, r"rule 1A --match (.)\2.", "invalid group reference 2", XwtuiError)


def test_a_name_is_found_and_circled(small: Session) -> None:
    said(small, "set 1A SAM", "set r3c1 M", "set r2c1 A")
    assert said(small, "circle find sam") == "  1  r1c1 r1c2 r1c3\n  2  r1c1 r2c1 r3c1"
    assert said(small, "circle find SAM --take 2") == "SAM is circled: r1c1 r2c1 r3c1"
    circled = [str(at) for at in small.puzzle.grid.positions() if small.puzzle.grid[at].circle]
    assert circled == ["r1c1", "r2c1", "r3c1"]
    said(small, "circle find SAM --take 1")
    assert small.undo() == "circle SAM"
    said(small, "circle r1c1")
    assert not next(iter(small.puzzle.grid.squares)).circle


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("circle find TOM", "no row or column has the letters of TOM in this order"),
        ("circle find SAM --take 3", "there are places 1 to 1"),
        ("circle r1c1 --take 1", "--take needs `find`"),
        ("circle nowhere", "nowhere"),
    ],
)
def test_an_impossible_name_search_gives_its_reason(small: Session, line: str, told: str) -> None:
    run_line(small, "set 1A SAM")
    refuses(small, line, told, (PuzzleError, XwtuiError))
