"""Completions at the end of a line."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.saying import PATIENCE_SECONDS, opened, refuses, said
from xwtui.errors import XwtuiError
from xwtui.model import Puzzle
from xwtui.session.recent import RecentPuzzles
from xwtui.session.session import Session
from xwtui.session.verbs import kinds
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import MAIN_SET, VERBS, run_line


def texts(bench: Session, line: str) -> list[str]:
    return [offer.text for offer in complete(bench, line)]


def test_verbs(bench: Session) -> None:
    assert texts(bench, "") == [verb.name for verb in MAIN_SET], "of all others some letters have to be typed"
    assert texts(bench, "  cle") == ["clear"]
    (offer,) = complete(bench, "  cle")
    assert (offer.start, offer.description) == (2, VERBS["clear"].summary)
    assert texts(bench, "nonsense ") == []


def test_entries_and_squares(bench: Session) -> None:
    bench.new(Puzzle.blank(5, 5))
    run_line(bench, "set 1A HEART")
    assert texts(bench, "lock ")[:2] == ["1A", "6A"]
    assert complete(bench, "lock 1a")[0] == ("1A", "HEART", 5)
    assert "all" in texts(bench, "lock a")
    assert texts(bench, "block r3c") == [f"r3c{column}" for column in range(1, 6)]
    assert texts(bench, "set r3c1") == ["r3c1"]
    assert texts(bench, "circle dia") == texts(bench, "fill --only dia") == ["diagonal"]
    assert texts(bench, "lock 1A,per") == ["1A,perimeter"]
    assert {"1A,row", "1A,r1c1"} <= {*texts(bench, "clear 1A,r")}
    assert texts(bench, "goto 5") == ["5D"]
    assert texts(bench, "goto r1c1 ") == []


def test_options_and_choices(bench: Session) -> None:
    assert texts(bench, "fill --t") == ["--trace", "--time", "--threads"]
    assert texts(bench, "fill --only 15") == ["15D"]
    assert texts(bench, "fill --only 1A,15") == ["1A,15D"]
    assert texts(bench, "symmetry rot") == ["rot180", "rot90"]
    assert texts(bench, "new 15 15 --symmetry left") == ["left-right"]
    assert texts(bench, "new 12x12 barr") == texts(bench, "new 12 12 barr") == ["barred"]
    assert texts(bench, "until re") == ["restart"]
    assert texts(bench, "step --strategy tri") == ["trie"]
    assert texts(bench, "help se") == ["set", "select", "serve"]
    assert "15x15-01" in texts(bench, "new 15x")
    assert texts(bench, "words def") == ["default"]


def test_files(bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "two words.ipuz").touch()
    (tmp_path / "heart.puz").touch()
    (tmp_path / "photo.jpg").touch()
    (tmp_path / ".hidden.puz").touch()
    assert texts(bench, "open ") == ["folder/", "heart.puz"]
    assert texts(bench, "open folder/") == ['"folder/two words.ipuz"']
    (tmp_path / "folder" / "two wishes.ipuz").touch()
    offered = [('"folder/two wishes.ipuz"', 14), ('"folder/two words.ipuz"', 14)]
    assert [(one.text, one.start) for one in complete(bench, "open --strict folder/two w")] == offered
    assert [(one.text, one.start) for one in complete(bench, "open --strict folder/two ")] == offered
    assert texts(bench, "open folder/two wo") == [offered[1][0]]
    assert texts(bench, "open .h") == [".hidden.puz"]
    assert texts(bench, "open nowhere/") == []


def test_a_folder_is_listed_once_without_a_call_per_file(
    bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(30):
        (tmp_path / f"heart-{number:02}.txt").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "linked").symlink_to("folder")
    (tmp_path / "round").symlink_to("round")
    asked: list[str] = []
    for name in ("scandir", "listdir", "stat"):
        monkeypatch.setattr(os, name, noting(asked, name, getattr(os, name)))
    assert texts(bench, "open ")[:3] == ["folder/", "heart-00.txt", "heart-01.txt"]
    assert texts(bench, "save ") == ["folder/", "linked/"]
    assert asked == ["stat", "scandir", "scandir"], "the list of recent puzzles, and the folder for each line"


def noting(asked: list[str], name: str, call: Callable[..., object]) -> Callable[..., object]:
    """Wrap a function of `os` so that each call by this thread is recorded."""
    this = threading.get_ident()

    def noted(*arguments: object, **options: object) -> object:
        if threading.get_ident() == this:
            asked.append(name)
        return call(*arguments, **options)

    return noted


def test_an_endless_folder_is_read_within_a_time_limit(
    bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(9):
        (tmp_path / f"{number}.ipuz").touch()
    monkeypatch.setattr(kinds, "MOST_READ", 4)
    found = texts(bench, "save ")
    assert (len(found), found) == (4, sorted(found))


def test_words_that_fit_are_offered(small: Session) -> None:
    assert texts(small, "set 1A ") == []
    small.wait_until_ready(PATIENCE_SECONDS)
    assert texts(small, "set 1A ") == ["TEN", "ICE", "BIT", "BAG", "GEN", "ACE"]
    assert complete(small, "set 1A b")[0] == ("BIT", "55", 7)
    assert texts(small, "set b") == ["BIT", "BAG"]
    run_line(small, "set r1c2 I")
    assert texts(small, "set 1A ") == ["BIT"]
    assert texts(small, "set 1A ba") == []
    assert texts(small, "set 1A [") == []


def test_listed_words_are_offered(small: Session) -> None:
    assert texts(small, "ban b") == []
    small.wait_until_ready(PATIENCE_SECONDS)
    assert texts(small, "ban ") == []
    assert texts(small, "ban BIT b") == ["BIT", "BAG"]
    assert complete(small, "define b")[0] == ("BIT", "55", 7)
    assert texts(small, "find b") == texts(small, "design b") == ["BIT", "BAG"]
    assert texts(small, "find b?") == []
    assert {"BIT", "BAG"} <= {*texts(small, "whatif themers b")}
    assert texts(small, "ban zzz") == []


WORD_KINDS = {"answer", "word", "words", "word or file", "message", "lengths"}
"""Kinds of parameters that are or contain words."""
OF_WORDS = {
    "find.pattern", "find.starts", "find.ends", "find.anagram", "find.between", "theme answers.words",
    "design.revealer", "book search.words", "latent.message", "clash.message",
}  # fmt: skip
"""Word parameters of other kinds."""
AS_THE_SEARCH_HAS_THEM = {"argue choose.word", "argue forbid.word"}
BEFORE = {"solve write": "1A", "swap": "1A", "why": "1A", "set": "1A", "rebus": "r1c1", "spell": "1A", "score": ""}
"""Arguments that precede the word, where that is more than the verb."""


def arguments_of_words() -> Iterator[tuple[str, str]]:
    """Yield a line up to each word parameter, and the parameter's name."""
    for verb in VERBS.values():
        for param in verb.command.params:
            name = f"{verb.name}.{param.name}"
            if param.type.name in WORD_KINDS or name in OF_WORDS:
                flag = max(param.opts, key=len) if isinstance(param, click.Option) else BEFORE.get(verb.name, "")
                yield f"{verb.name} {flag}".strip(), name


def test_every_argument_that_is_a_word_is_completed(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    lines = {name: line for line, name in arguments_of_words() if name not in AS_THE_SEARCH_HAS_THEM}
    assert lines.keys() >= OF_WORDS
    without = [name for name, line in lines.items() if "BIT" not in texts(small, f"{line} bi")]
    assert without == []
    for line in ("theme answers GEN,bi", "design 1A=bi", "templates --across GEN,bi", "whatif themers ice bi"):
        assert [text.endswith("BIT") for text in texts(small, line)] == [True], line


def test_words_for_an_entry_fit_it_if_any_do(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    run_line(small, "set r1c2 I")
    assert texts(small, "swap 1A b") == texts(small, "why 1A b") == ["BIT"]
    assert texts(small, "why 1A ba") == ["BAG"], "why it cannot stand is asked of words that do not fit, too"


def test_a_solver_is_not_shown_the_answer(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    said(small, "set 1A BIT", "solve")
    assert texts(small, "solve write 1A b") == ["BIT", "BAG"]
    run_line(small, "solve write 1D BAG")
    assert texts(small, "solve write 4A ") == ["ACE"]


def test_goto_takes_the_beginning_of_an_answer(small: Session) -> None:
    said(small, "set 1A BIT", "set 4A ACE", "set 5A GEN", "goto ac")
    assert small.cursor.entry is not None
    assert small.cursor.entry.name == "4A"
    refuses(small, "goto b", "several answers begin with B: 1A BIT, 1D BAG", XwtuiError)
    run_line(small, "goto bag")
    assert small.cursor.entry.name == "1D"
    refuses(small, "goto zz", "or an answer in the grid", XwtuiError)


PIECES = st.sampled_from([*VERBS, "1A", "r1c1", "--", "--time", '"', "./", "~", "/nonexistent/"])


@given(line=st.one_of(st.text(), st.lists(PIECES | st.text(max_size=5), max_size=5).map(" ".join)))
def test_completions_of_any_line_can_be_typed(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    with opened(tmp_path_factory.mktemp("journals")) as bench:
        bench.new(Puzzle.blank(3, 3))
        for offer in complete(bench, line):
            assert 0 <= offer.start <= len(line)
            assert offer.description.isprintable()


def test_recent_files_are_offered_before_anything_is_typed(
    bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in ("a b.ipuz", "old.ipuz"):
        (tmp_path / name).write_text("{}")
        RecentPuzzles().note(tmp_path / name)
    assert texts(bench, "open ") == [str(tmp_path / "old.ipuz"), f'"{tmp_path / "a b.ipuz"}"']
    assert complete(bench, "open ")[0].description == "recent: old.ipuz"
    assert texts(bench, "open o") == [], "what is typed is looked for where it says"
    run_line(bench, f"save {tmp_path / 'old.ipuz'} --force")
    assert texts(bench, "open ") == [f'"{tmp_path / "a b.ipuz"}"'], "the one in front is open already"
