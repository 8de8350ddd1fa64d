"""An exported .ipuz holds what solvers and editors may see, and nothing of the work on the puzzle."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.session.saying import said
from xwtui.errors import PuzzleFormatError
from xwtui.formats import ipuz_extensions
from xwtui.formats.registry import puzzle_bytes, read_bytes, read_puzzle, write_file
from xwtui.model import Puzzle, WordChoice
from xwtui.session.session import Session

PUBLIC = {"net.xwtui:version", "net.xwtui:clue-markup", "net.xwtui:entered"}
"""Our fields that tell a reader how to read the others, and no more."""

SECRETS = ("GHX", "secret.dict", "SECRETWORD", "a remark", "before the block", "my-state", "nyt", "SECRETNINA")


@pytest.fixture
def worked(bench: Session, tmp_path: Path) -> Puzzle:
    """A full puzzle with something in each field that we add to the standard's."""
    (tmp_path / "secret.dict").write_text("ABC;50\nDEF;50\n")
    lines = (
        "new 3 --force",
        *("set 1A ABC", "clue 1A First", "set 4A DEF", "set 5A GHX", "clue 5A Secret clue", "set 5A GHI"),
        "snapshot save my-state",
    )
    said(bench, *lines)
    made = bench.puzzle
    words = WordChoice((str(tmp_path / "secret.dict"),), 10, frozenset({"SECRETWORD"}))
    slot = made.grid.slots[0]
    return replace(made, words=words, solver_notes={slot.key: "a remark"}, profile="nyt")


def document(puzzle: Puzzle, *, published: bool, lossy: bool = True) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(puzzle_bytes(puzzle, ".ipuz", lossy=lossy, published=published).data)
    return found


def test_none_of_our_fields_is_exported_but_those_that_tell_how_to_read_it(worked: Puzzle) -> None:
    everything = document(worked, published=False)
    known = {value for value in vars(ipuz_extensions).values() if str(value).startswith("net.xwtui:")}
    assert {name for name in everything if name.startswith("net.xwtui:")} <= known
    shown = document(worked, published=True)
    assert {name for name in shown if name.startswith("net.")} <= PUBLIC
    kept, exported = json.dumps(everything), json.dumps(shown)
    assert [secret for secret in SECRETS if secret in exported] == []
    assert len([secret for secret in SECRETS if secret in kept]) >= 5


def test_fields_of_later_versions_of_ours_stay_with_the_puzzle_and_those_of_others_go_with_it(
    worked: Puzzle,
) -> None:
    foreign = {"net.xwtui:later": "mine", "difficulty": "Hard", "org.example:field": 3}
    shown = document(replace(worked, foreign=foreign), published=True)
    assert {name: shown.get(name) for name in foreign} == {**foreign, "net.xwtui:later": None}


def test_what_solvers_see_is_read_back_as_it_was(worked: Puzzle) -> None:
    seen = read_bytes(puzzle_bytes(worked, ".ipuz", lossy=True, published=True).data, ".ipuz")
    assert [square.content for square in seen.grid.squares] == [square.content for square in worked.grid.squares]
    assert [seen.clue(slot) for slot in seen.grid.slots] == [worked.clue(slot) for slot in worked.grid.slots]
    fresh = Puzzle(seen.grid)
    hidden = ("words", "rules", "snapshots", "solver_notes", "profile")
    assert {name: getattr(seen, name) for name in hidden} == {name: getattr(fresh, name) for name in hidden}
    assert {field.name for field in fields(Puzzle)} >= set(hidden)


def test_the_letters_of_another_alphabet_are_read_back(tmp_path: Path) -> None:
    spanish = read_puzzle(Path(__file__).parents[2] / "puzzles" / "spanish-11x11.ipuz")
    write_file(tmp_path / "p.ipuz", spanish, published=True)
    assert read_puzzle(tmp_path / "p.ipuz").alphabet == spanish.alphabet


def test_a_clue_of_another_answer_is_refused_as_in_other_formats(bench: Session) -> None:
    said(bench, "new 3 --force", "set 1A ABC", "clue 1A Secret clue", "set 1A ABD")
    with pytest.raises(PuzzleFormatError, match=r"cannot hold clues of other answers at 1A \(of ABC\)"):
        document(bench.puzzle, published=True, lossy=False)
    assert "Secret clue" not in json.dumps(document(bench.puzzle, published=True))


def test_the_preview_and_the_answer_say_what_stays_here(worked: Puzzle) -> None:
    kept_back = puzzle_bytes(worked, ".ipuz", lossy=True, published=True).kept_back
    assert kept_back == (
        "word lists, bans and scores",
        "the profile",
        "clues of other answers",
        "notes made while solving",
        "snapshots",
    )
    assert puzzle_bytes(worked, ".ipuz", lossy=True).kept_back == ()
    assert puzzle_bytes(Puzzle(worked.grid), ".ipuz", published=True).kept_back == ()
