"""Compiled and shared lists, learned lists, and trusted lists."""

import gc
import os
import random
import stat
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier, Event

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
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
from xwtui.words import compiled_lists, reader
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.learned import HIGHEST, AnswerCounts
from xwtui.words.list_files import check_trusted, is_trusted, trust
from xwtui.words.reader import ReadResult, read_word_list
from xwtui.words.scales import AUTO
from xwtui.words.sharing import Shared


@pytest.fixture(autouse=True)
def _none_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not share lists with earlier tests, whose lists may not be collected yet."""
    monkeypatch.setattr(compiled_lists, "_lists", Shared())


@pytest.mark.parametrize("words", [50, 9_000])
def test_two_rules_that_read_the_same_words_share_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: int
) -> None:
    """A small list is read each time; a large one is compiled per rule."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "list.dict"
    text = "".join(f"A{number:05};{number % 101}\n" for number in range(words))
    path.write_text(text, encoding="utf-8")
    for _ in range(2):
        one, other = (open_word_list(path, rule) for rule in ("0-100", AUTO))
        assert one.is_guessed != other.is_guessed
        assert one.word_list is not other.word_list
        assert one.word_list.table(6) is other.word_list.table(6)
        assert one.word_list.by_score(6) is other.word_list.by_score(6)
        assert one.word_list.fingerprint == other.word_list.fingerprint


class Thing:
    """Something large."""


def test_concurrent_requests_share_one_result() -> None:
    shared: Shared[str, Thing] = Shared()
    made: list[int] = []
    barrier = Barrier(4)

    def make() -> Thing:
        made.append(1)
        return Thing()

    def ask() -> Thing:
        barrier.wait()
        return shared.get("a", make)

    with ThreadPoolExecutor(4) as pool:
        found = [future.result() for future in [pool.submit(ask) for _ in range(4)]]
    assert len(set(map(id, found))) == len(made) == 1
    found.clear()
    gc.collect()
    assert shared.in_use() == ()


def test_another_key_does_not_wait() -> None:
    shared: Shared[str, Thing] = Shared()
    begun, may_end = Event(), Event()

    def slowly() -> Thing:
        begun.set()
        may_end.wait()
        return Thing()

    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(shared.get, "slow", slowly)
        begun.wait()
        assert shared.get("quick", Thing) is not None
        may_end.set()
        assert slow.result() is not None


def test_a_failed_build_is_retried() -> None:
    shared: Shared[str, Thing] = Shared()

    def fails() -> Thing:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shared.get("a", fails)
    assert shared.get("a", Thing) is not None


LIST = b"".join(b"WORD%d;%d\n" % (number, number % 101) for number in range(7000)) + b"AXLE;200\nB;50\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "xwtui" / "words"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.dict"
    path.write_bytes(LIST)
    return path


def assert_same(result: ReadResult, data: bytes = LIST) -> None:
    expected = read_word_list(data, "mine.dict")
    assert result.word_list.name == "mine.dict"
    assert dict(result.word_list) == dict(expected.word_list)
    assert result.word_list.fingerprint == expected.word_list.fingerprint
    assert result.bad_lines == expected.bad_lines
    assert result.bad_count == expected.bad_count


def never(*_: object) -> ReadResult:
    raise AssertionError("the list was read again")


def test_a_list_is_read_once(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(open_word_list(path))
    monkeypatch.setattr(compiled_lists, "read_word_list", never)
    assert_same(open_word_list(path))
    renamed = path.rename(path.with_name("other.dict"))
    assert open_word_list(renamed).word_list.name == "other.dict"


def test_a_list_in_use_is_shared(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_word_list(path)
    with monkeypatch.context() as unread:
        unread.setattr(compiled_lists, "_opened", never)
        again = open_word_list(path)
        assert again.word_list is first.word_list
        assert_same(again)
    del first, again
    assert not compiled_lists._lists.in_use()
    assert_same(open_word_list(path))


def test_a_compiled_list_is_immutable(path: Path, cache: Path) -> None:
    open_word_list(path)
    table = open_word_list(path).word_list.table(7)
    with pytest.raises(ValueError, match="read-only"):
        table.letters[0, 0] = 1


def test_an_edited_list_is_reread(path: Path, cache: Path) -> None:
    open_word_list(path)
    path.write_bytes(LIST + b"OREO;40\n")
    assert_same(open_word_list(path), LIST + b"OREO;40\n")
    assert len(list(cache.iterdir())) == 2


def test_the_users_cache_folder_is_the_default(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_lists, "cache_folder", lambda: tmp_path / "users")
    open_word_list(path)
    assert [file.name.startswith("v") for file in (tmp_path / "users").iterdir()] == [True]


def test_a_small_list_is_not_compiled(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "small.txt"
    path.write_bytes(b"OREO;40\n")
    assert dict(open_word_list(path).word_list) == {"OREO": 40}
    assert not cache.exists()


@given(data=st.data())
@examples(30, HealthCheck.function_scoped_fixture)
def test_a_damaged_compiled_list_is_rebuilt(data: st.DataObject, path: Path, cache: Path) -> None:
    open_word_list(path)
    (compiled,) = cache.iterdir()
    good = compiled.read_bytes()
    where = data.draw(st.integers(0, len(good) - 1))
    damaged = data.draw(
        st.sampled_from(
            [
                b"",
                good[:where],
                good[:where] + bytes([good[where] ^ 1]) + good[where + 1 :],
                good + b"\0",
                good[:where] + b"\0" + good[where:],
                bytes(len(good)),
                b"PK\x03\x04",
            ]
        )
    )
    compiled.write_bytes(damaged)
    assert_same(open_word_list(path))
    assert compiled.read_bytes()[:16] == good[:16]


def test_a_folder_in_place_of_the_compiled_list_is_tolerated(path: Path, cache: Path) -> None:
    open_word_list(path)
    (compiled,) = cache.iterdir()
    compiled.unlink()
    compiled.mkdir()
    assert_same(open_word_list(path))
    assert list(cache.iterdir()) == [compiled]


def test_a_file_in_place_of_the_cache_folder_is_tolerated(path: Path, cache: Path) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_text("in the way")
    assert_same(open_word_list(path))
    assert cache.read_text() == "in the way"


def test_an_unwritable_cache_folder_is_tolerated(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir(parents=True)
    cache.chmod(stat.S_IRUSR | stat.S_IXUSR)

    def refuse(*_: object, **__: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert_same(open_word_list(path))
    cache.chmod(stat.S_IRWXU)
    assert list(cache.iterdir()) == []


def test_a_full_disk_leaves_nothing_behind(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert_same(open_word_list(path))
    assert list(cache.iterdir()) == []


def test_old_compiled_lists_are_removed(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_lists, "MAX_COMPILED_LISTS", 2)
    for age in range(4):
        path.write_bytes(LIST + b"OREO;%d\n" % age)
        before = set(cache.glob("*"))
        open_word_list(path)
        for new in set(cache.glob("*")) - before:
            os.utime(new, (1_000_000 + age, 1_000_000 + age))
    assert sorted(file.stat().st_mtime for file in cache.iterdir()) == [1_000_002, 1_000_003]


def open_often(path: Path, cache: Path) -> str:
    fingerprints = set()
    for _ in range(10):
        for compiled in cache.glob("v*"):
            compiled.unlink(missing_ok=True)
        fingerprints.add(open_word_list(path).word_list.fingerprint)
    (fingerprint,) = fingerprints
    return fingerprint


def test_concurrent_writers_do_not_interfere(path: Path, cache: Path) -> None:
    expected = read_word_list(LIST, "mine").word_list.fingerprint
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(open_often, [path] * 4, [cache] * 4)) == {expected}
    with get_context("spawn").Pool(2) as processes:
        assert set(processes.starmap(open_often, [(path, cache)] * 2)) == {expected}
    assert all(file.name.startswith("v") for file in cache.iterdir())
    assert_same(open_word_list(path))


@pytest.mark.parametrize(
    ("name", "message"), [("gone.dict", "no word list .*gone.dict"), (".", "not a file"), ("a\x1bb", r"a\\x1bb")]
)
def test_an_unreadable_file_is_reported(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(WordListError, match=message) as caught:
        open_word_list(tmp_path / name)
    assert str(caught.value).isprintable()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WordListError, match="nothing is writing to this pipe"):
        open_word_list(tmp_path / "pipe")


def test_a_failing_disk_is_reported(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(WordListError, match=r"cannot be read: Permission denied"):
        open_word_list(path)


def test_an_oversized_file_is_refused(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (compiled_lists, reader):
        monkeypatch.setattr(module, "MAX_LIST_BYTES", 1000)
    with pytest.raises(WordListError, match="too large"):
        open_word_list(path)


def counted(*puzzles: tuple[set[str], str, int | None]) -> AnswerCounts:
    counts = AnswerCounts()
    for answers, author, year in puzzles:
        counts.add(answers, author, year)
    return counts


@pytest.mark.parametrize(
    ("times", "score"), [(1, 20), (2, 35), (3, 44), (4, 50), (8, 65), (16, 80), (200, HIGHEST)]
)
def test_a_learned_score_reflects_how_many_puzzles_have_a_word(times: int, score: int) -> None:
    counts = counted(*(({"OREO", f"WORD{n}"}, f"author {n}", 1990 + n) for n in range(times)))
    assert counts.score("OREO") == score
    assert counts.score("WORD0") == 20


def test_at_most_three_puzzles_per_author_count_but_all_unknown_ones() -> None:
    pet = counted(*(({"OREO", f"WORD{n}"}, " Ann  Other" if n % 2 else "ann other", None) for n in range(50)))
    assert pet.score("OREO") == 44
    unknown = counted(*(({"OREO", f"WORD{n}"}, "", None) for n in range(8)))
    assert unknown.score("OREO") == 65


def test_the_same_puzzle_counts_once() -> None:
    counts = AnswerCounts()
    assert counts.add(["OREO", "AXLE"], "Ann", 1999)
    assert not counts.add(["AXLE", "OREO", "OREO"], "Ann Other", 2001)
    assert (counts.puzzles, len(counts), counts.score("OREO")) == (1, 2, 20)


def test_header_lines_give_puzzles_authors_and_years() -> None:
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
def test_a_learned_list_does_not_depend_on_the_order_of_puzzles(puzzles: list[tuple[set[str], str]]) -> None:
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
    """A list outside the puzzle's folder, for a user without settings."""
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


def test_lists_next_to_the_puzzle_and_user_lists_are_trusted(folder: Path, elsewhere: Path) -> None:
    mine = user_lists_folder() / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text(WORDS)
    check_trusted(["own.txt", str(mine), "default"], folder)
    for name in (str(elsewhere), "../elsewhere/secret.txt"):
        with pytest.raises(WordListError, match="neither next to it nor one of yours: `trust /"):
            check_trusted([name], folder)


def test_a_link_is_judged_by_its_target(folder: Path, elsewhere: Path) -> None:
    (folder / "link.txt").symlink_to(elsewhere)
    with pytest.raises(WordListError, match=f"names the word list {elsewhere}, which is neither next to it"):
        check_trusted(["link.txt"], folder)


def test_a_list_name_with_spaces_is_shown_as_it_must_be_typed(folder: Path, elsewhere: Path) -> None:
    blank = elsewhere.rename(elsewhere.with_name("not mine.txt"))
    with pytest.raises(WordListError, match=f'`trust "{blank}"` allows it'):
        check_trusted([str(blank)], folder)


def test_trust_persists(folder: Path, elsewhere: Path) -> None:
    assert not is_trusted(elsewhere, folder)
    trust(elsewhere)
    trust(elsewhere)
    assert is_trusted(elsewhere, folder)
    assert trusted_lists_path().read_text() == f"{elsewhere.resolve()}\n"


def test_two_processes_do_not_write_trusted_lists_at_once(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_the_shell_refuses_with_a_hint_and_trust_allows_it(folder: Path, elsewhere: Path, tmp_path: Path) -> None:
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


def test_a_puzzle_read_as_a_template_does_not_trust_its_lists(
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


def test_a_list_named_in_a_session_is_trusted(folder: Path, elsewhere: Path, tmp_path: Path) -> None:
    session = Session(journal_folder=tmp_path / "journal")
    try:
        session.open(puzzle_file(folder, elsewhere))
        assert session.jobs.word_request().untrusted == ((str(elsewhere), elsewhere),)
        run_line(session, f"words {elsewhere}")
        assert session.jobs.word_request().untrusted == ()
    finally:
        session.close()


def asked_of(puzzle: Puzzle, folder: Path, answer: TrustAnswer, tmp_path: Path) -> Puzzle:
    """Return a puzzle that names a foreign list, after an answer to the trust question."""
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


def test_the_answer_about_a_list_is_applied(folder: Path, elsewhere: Path, tmp_path: Path) -> None:
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
