"""How words are loaded, and the answers of recent puzzles."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.known import known
from tests.session.saying import PATIENCE_SECONDS, do, found, on_three_by_three, refuses, rows, said
from xwtui.errors import XwtuiError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle, WordChoice
from xwtui.resources import user_lists_folder
from xwtui.session import own_puzzles as module
from xwtui.session.jobs.word_loader import VocabularyRequest
from xwtui.session.own_puzzles import recent_answers
from xwtui.session.session import Session
from xwtui.session.settings import load_settings
from xwtui.session.verbs.registry import run_line
from xwtui.words.sources import Vocabulary

NOT_LOADED = "words: not loaded yet, so answers and rules were not checked against the lists"


def test_a_check_says_that_no_words_are_there_yet(bench: Session) -> None:
    assert NOT_LOADED in run_line(bench, "check").lines


def test_a_check_waits_for_the_list_of_an_entry_before_it_holds_an_answer_against_it(
    small: Session, tmp_path: Path
) -> None:
    own = tmp_path / "own.dict"
    own.write_text("OXO;95\n", encoding="utf-8")
    small.wait_until_ready(PATIENCE_SECONDS)
    run_line(small, "set 1A OXO")
    run_line(small, f"rule 1A --list {own} --min 90")
    for _ in range(2):
        lines = found(small, "check").lines
        assert not [line for line in lines if line.startswith("broken rule: 1A")]
        assert NOT_LOADED not in lines


def test_a_check_waits_for_words_that_load(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    load = VocabularyRequest.load

    def late(request: VocabularyRequest) -> Vocabulary:
        assert may_go_on.wait(PATIENCE_SECONDS)
        return load(request)

    monkeypatch.setattr(VocabularyRequest, "load", late)
    small.start()
    run_line(small, "set 1A BAX")
    reply = run_line(small, "check")
    assert reply.started
    assert not small.wait(0.05)
    may_go_on.set()
    assert small.wait(PATIENCE_SECONDS)
    assert reply.answer is not None
    lines = reply.answer().lines
    assert NOT_LOADED not in lines
    assert any(line.startswith("missing clue") for line in lines)


def test_what_was_said_of_a_grid_in_earlier_words_is_let_go(small: Session) -> None:
    """Else each change of a score would keep the words before it, in each tab."""
    words = small.jobs.words
    small.wait_until_ready(PATIENCE_SECONDS)
    for score in (60, 70):
        run_line(small, f"score OXO {score}")
        words.repeats(small.puzzle)
        small.wait_until_ready(PATIENCE_SECONDS)
        assert all(lexicon is words.lexicon for _, lexicon, _ in words._repeats)


def puzzle_of(text: str) -> Puzzle:
    return puzzle_of_grid(grid_from_text(text))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two puzzles, one of them half done, and other files."""
    folder = tmp_path / "published"
    folder.mkdir()
    write_puzzle(folder / "one.ipuz", puzzle_of("BAG\nI#E\nTEN\n"))
    write_puzzle(folder / "two.puz", puzzle_of("TAG\n###\nOX.\n"), lossy=True)
    (folder / "notes.txt").write_text("no puzzle")
    return folder


def test_finished_entries_are_read(folder: Path) -> None:
    found = recent_answers(str(folder), None)
    assert found.answers == {"BAG", "TEN", "BIT", "GEN", "TAG"}
    assert (found.puzzles, found.notices) == (2, ())


def test_the_folder_is_named_from_the_puzzles_own(folder: Path) -> None:
    assert recent_answers("published", folder.parent / "new.ipuz").puzzles == 2
    assert recent_answers("", folder.parent / "new.ipuz").puzzles == 0


def test_the_puzzle_itself_is_left_out(folder: Path) -> None:
    found = recent_answers(".", folder / "one.ipuz")
    assert found.answers == {"TAG"}


def test_what_cannot_be_read_is_told(folder: Path) -> None:
    for number in range(5):
        (folder / f"bad{number}.puz").write_bytes(b"not a puzzle")
    found = recent_answers(str(folder), None)
    assert found.puzzles == 2
    assert len(found.notices) == 4
    assert "bad" in found.notices[0]
    assert found.notices[-1] == "recent puzzles: 2 more cannot be read"
    missing = recent_answers(str(folder / "missing"), None)
    assert (missing.puzzles, len(missing.notices)) == (0, 1)
    assert "there is no folder" in missing.notices[0]


def test_a_file_is_read_again_only_when_it_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(path: Path) -> Puzzle:
        read.append(path.name)
        return puzzle_of("ICE\n###\n...\n")

    monkeypatch.setattr(module, "read_puzzle", counting)
    assert recent_answers(str(folder), None).answers == {"ICE"}
    recent_answers(str(folder), None)
    assert sorted(read) == ["one.ipuz", "two.puz"]
    os.utime(folder / "two.puz", ns=(1, 1))
    recent_answers(str(folder), None)
    assert sorted(read) == ["one.ipuz", "two.puz", "two.puz"]


def test_only_the_newest_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECENT", 1)
    os.utime(folder / "two.puz", ns=(1, 1))
    found = recent_answers(str(folder), None)
    assert found.answers == {"BAG", "TEN", "BIT", "GEN"}
    assert found.notices == ("recent puzzles: only the newest 1 of 2 are used",)


def test_a_request_loads_words_that_know_them(folder: Path, small_list: Path) -> None:
    (folder / "bad.puz").write_bytes(b"not a puzzle")
    choice = WordChoice(lists=(str(small_list),), recent="published")
    request = VocabularyRequest.of(replace(Puzzle.blank(3, 3), words=choice), folder.parent / "new.ipuz")
    words = request.load()
    appeals = dict(zip(words.lexicon.table(3).words(), words.lexicon.appeal(3).tolist(), strict=True))
    assert appeals == {"TEN": 20, "ICE": 60, "BIT": 5, "BAG": 0, "GEN": 0, "ACE": 45}
    assert len(words.warnings) == 1


USED, NEW = ("BAG", "ICE", "TEN"), ("ABC", "DEF", "GHI")


def test_a_learned_list_takes_the_place_of_a_folder_and_each_run_says_what_a_repeat_costs(
    bench: Session, tmp_path: Path
) -> None:
    used, new = ([*rows, *map("".join, zip(*rows, strict=True))] for rows in (USED, NEW))
    layers = user_lists_folder()
    layers.mkdir(parents=True)
    (layers / "past.txt").write_text("".join(f"{word};50\n" for word in used), encoding="utf-8")
    on_three_by_three(
        bench, "".join([*(f"{word};70\n" for word in used), *(f"{word};60\n" for word in new)]), tmp_path
    )
    said(bench, "prefer --recent past")

    def best(line: str) -> tuple[str, ...]:
        do(bench, line)
        found = min(rows(bench), tuple(map("".join, zip(*rows(bench), strict=True))), key=lambda one: one[0][1:])
        run_line(bench, "undo")
        return found

    for verb in ("improve --time 60", "fill --best --time 60"):
        assert best(f"{verb} --repeat-cost 0") == USED
        assert best(f"{verb} --repeat-cost 100") == best(verb) == NEW
    said(bench, "prefer --repeat-cost 5")
    assert load_settings().repeat_cost == 5
    assert best("improve --time 60") == USED, "as the settings have it"
    vocabulary = known(bench.jobs.words.wait(lambda: False))
    assert vocabulary.lexicon.preferences.repeat_cost == 5, "so that swaps, steps and the live fill have it, too"
    assert best("improve --time 60 --repeat-cost 50") == NEW
    refuses(bench, "fill --repeat-cost 101", "from 0 to 100", XwtuiError)
