"""Lists that are learned, and which are trusted."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.known import known
from tests.ruled import ruled
from tests.shell.process import user_folders, xwtui
from xwtui.errors import WordListError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import write_puzzle
from xwtui.model import Direction, EntryRules, Position, Puzzle, WordChoice
from xwtui.model.rules import OwnList
from xwtui.reading import changing_alone
from xwtui.resources import trusted_lists_path, user_lists_folder
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.word_choice import TrustAnswer, TrustQuestion, answer_trust, trust_question
from xwtui.words.learned import HIGHEST, AnswerCounts
from xwtui.words.list_files import check_trusted, is_trusted, trust
from xwtui.words.reader import read_word_list
from xwtui.words.scales import AUTO


def counted(*puzzles: tuple[set[str], str, int | None]) -> AnswerCounts:
    counts = AnswerCounts()
    for answers, author, year in puzzles:
        counts.add(answers, author, year)
    return counts


@pytest.mark.parametrize(
    ("times", "score"), [(1, 20), (2, 35), (3, 44), (4, 50), (8, 65), (16, 80), (200, HIGHEST)]
)
def test_a_score_tells_how_many_puzzles_have_a_word(times: int, score: int) -> None:
    counts = counted(*(({"OREO", f"WORD{n}"}, f"author {n}", 1990 + n) for n in range(times)))
    assert counts.score("OREO") == score
    assert counts.score("WORD0") == 20


def test_of_one_author_three_puzzles_count_and_unknown_ones_all() -> None:
    pet = counted(*(({"OREO", f"WORD{n}"}, " Ann  Other" if n % 2 else "ann other", None) for n in range(50)))
    assert pet.score("OREO") == 44
    unknown = counted(*(({"OREO", f"WORD{n}"}, "", None) for n in range(8)))
    assert unknown.score("OREO") == 65


def test_the_same_puzzle_counts_once() -> None:
    counts = AnswerCounts()
    assert counts.add(["OREO", "AXLE"], "Ann", 1999)
    assert not counts.add(["AXLE", "OREO", "OREO"], "Ann Other", 2001)
    assert (counts.puzzles, len(counts), counts.score("OREO")) == (1, 2, 20)


def test_the_lines_tell_puzzles_authors_and_years() -> None:
    counts = counted(
        ({"OREO", "AXLE", "é", "A", "TWO WORDS"}, "Ann", 2001),
        ({"OREO"}, "Bob", 1994),
        ({"OREO", "ETUI"}, "", None),
    )
    assert list(counts.lines())[2:] == [
        "# WORD;SCORE;;puzzles;authors;first year;last year",
        "OREO;44;;3;2;1994;2001",
        "AXLE;20;;1;1;2001;2001",
        "ETUI;20;;1;0;;",
    ]


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from(["OREO", "AXLE", "ETUI", "ERNE"])), st.sampled_from(["A", "B", ""]))
    )
)
def test_any_order_of_puzzles_gives_the_same_list_of_words(puzzles: list[tuple[set[str], str]]) -> None:
    by_answers = {frozenset(answers): (answers, author, None) for answers, author in puzzles}
    whole = list(by_answers.values())
    shuffled = random.Random(1).sample(whole, len(whole))
    lines = list(counted(*whole).lines())
    assert list(counted(*shuffled).lines()) == lines
    if any(answers for answers, _, _ in whole):
        counts = counted(*whole)
        read = read_word_list("\n".join(lines).encode(), "learned", AUTO)
        assert not read.bad_count
        assert dict(read.word_list) == {word: counts.score(word) for word, _ in read.word_list}


WORDS = "ABC\nDEF\nGHI\nADG\nBEH\nCFI\n"


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list that lies beside no puzzle, of a user without settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "elsewhere" / "secret.txt"
    path.parent.mkdir()
    path.write_text(WORDS)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles"
    path.mkdir()
    (path / "own.txt").write_text(WORDS)
    return path


def test_lists_beside_the_puzzle_and_of_the_user_are_trusted(folder: Path, elsewhere: Path) -> None:
    mine = user_lists_folder() / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text(WORDS)
    check_trusted(["own.txt", str(mine), "default"], folder)
    for name in (str(elsewhere), "../elsewhere/secret.txt"):
        with pytest.raises(WordListError, match="neither next to it nor one of yours: `trust /"):
            check_trusted([name], folder)


def test_a_link_beside_the_puzzle_is_where_it_leads(folder: Path, elsewhere: Path) -> None:
    (folder / "link.txt").symlink_to(elsewhere)
    with pytest.raises(WordListError, match="neither next to it"):
        check_trusted(["link.txt"], folder)


def test_what_is_trusted_stays_so(folder: Path, elsewhere: Path) -> None:
    assert not is_trusted(elsewhere, folder)
    trust(elsewhere)
    trust(elsewhere)
    assert is_trusted(elsewhere, folder)
    assert trusted_lists_path().read_text() == f"{elsewhere.resolve()}\n"


def test_no_two_processes_keep_trusted_lists_at_once(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.reading._LOCK_SECONDS", 0.0)
    kept = trusted_lists_path()
    with changing_alone(kept), pytest.raises(WordListError, match="another program is writing it"):
        trust(elsewhere)
    trust(elsewhere)
    assert kept.read_text().splitlines() == [str(elsewhere)]


def puzzle_file(folder: Path, words: Path) -> Path:
    path = folder / "p.ipuz"
    write_puzzle(path, Puzzle(grid_from_text("ABC\n...\n..."), words=WordChoice(lists=(str(words),))))
    return path


def test_the_shell_refuses_with_a_hint_and_trust_lets_it(folder: Path, elsewhere: Path, tmp_path: Path) -> None:
    puzzle, environment = puzzle_file(folder, elsewhere), user_folders(tmp_path)

    def status(*arguments: str) -> int:
        return xwtui(*arguments, environment=environment).returncode

    refused = xwtui("candidates", str(puzzle), "1D", environment=environment)
    assert refused.returncode == 2
    assert f"`trust {elsewhere}` allows it" in refused.stderr
    piped = xwtui("candidates", "-", "1D", environment=environment, stdin=puzzle.read_bytes())
    assert (piped.returncode, piped.stderr) == (2, refused.stderr)
    assert status("candidates", str(puzzle), "1D", "--words", str(elsewhere)) == 0
    assert status("trust", str(elsewhere)) == 0
    assert status("candidates", str(puzzle), "1D") == 0


def test_what_is_read_and_has_no_file_is_trusted_no_more(
    folder: Path, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    session = Session(journal_folder=tmp_path / "journal")
    try:
        path = puzzle_file(folder, elsewhere)
        session.new(Puzzle(grid_from_text("ABC\n...\n..."), words=WordChoice(lists=(str(elsewhere),))))
        assert session.jobs.word_request().untrusted == (), "it was made here"
        run_line(session, f"new --force {path}")
        assert session.jobs.word_request().untrusted == ((str(elsewhere), elsewhere),)
        monkeypatch.setattr("xwtui.session.session.is_pipe", lambda path: True)
        session.open(path)
        assert session.document.path is None
        assert session.jobs.word_request().untrusted == ((str(elsewhere), elsewhere),)
        run_line(session, f"words {elsewhere}")
        assert session.jobs.word_request().untrusted == ()
    finally:
        session.close()


def test_a_list_that_is_named_in_a_session_is_trusted(folder: Path, elsewhere: Path, tmp_path: Path) -> None:
    session = Session(journal_folder=tmp_path / "journal")
    try:
        session.open(puzzle_file(folder, elsewhere))
        assert session.jobs.word_request().untrusted == ((str(elsewhere), elsewhere),)
        run_line(session, f"words {elsewhere}")
        assert session.jobs.word_request().untrusted == ()
    finally:
        session.close()


def asked_of(puzzle: Puzzle, folder: Path, answer: TrustAnswer, tmp_path: Path) -> Puzzle:
    """A puzzle that names a list elsewhere, after an answer to whether it is to be read."""
    session = Session(journal_folder=tmp_path / "journal")
    write_puzzle(folder / "p.ipuz", puzzle)

    def question() -> TrustQuestion | None:
        session.jobs.words.start(session.jobs.word_request())
        return trust_question(session)

    try:
        session.open(folder / "p.ipuz")
        asked = known(question())
        assert "neither next to it" in asked.words
        assert (TrustAnswer.DROP in asked.answers) is not bool(session.puzzle.rules.own_lists)
        answer_trust(session, asked, answer)
        assert (question() is None) is (answer is not TrustAnswer.LEAVE)
        return session.puzzle
    finally:
        session.close()


def test_what_is_answered_about_a_list_is_done(folder: Path, elsewhere: Path, tmp_path: Path) -> None:
    both = WordChoice(lists=("own.txt", str(elsewhere)), preferred=(str(elsewhere),))
    puzzle = Puzzle(grid_from_text("ABC\n...\n..."), words=both)
    assert asked_of(puzzle, folder, TrustAnswer.LEAVE, tmp_path).words == both
    dropped = asked_of(puzzle, folder, TrustAnswer.DROP, tmp_path).words
    assert (dropped.lists, dropped.preferred) == (("own.txt",), ())
    first = (Position(0, 0), Direction.ACROSS)
    own = replace(puzzle, words=WordChoice(), rules=ruled(entries={first: EntryRules(OwnList(str(elsewhere)))}))
    assert not is_trusted(elsewhere, folder)
    asked_of(own, folder, TrustAnswer.READ, tmp_path)
    assert is_trusted(elsewhere, folder)
