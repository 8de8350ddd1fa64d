"""The puzzle's profile: what it forbids is a finding, what it allows is not, and it is stored in the puzzle."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import found, found_as, refuses, said
from xwtui.engine.events.event import Outcome
from xwtui.errors import PuzzleError, XwtuiError
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.grids.profiles import profile_files, read_profile
from xwtui.grids.templates import template_library
from xwtui.model import Content, Position, Puzzle
from xwtui.model.edits import write_fill
from xwtui.model.review import Check
from xwtui.resources import settings_path, user_profiles_folder
from xwtui.session.journal import change_between
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.review import ReviewAnswer, findings_of

ABOUT_WORDS = {Check.MISSING_CLUE, Check.EMPTY}


def own_profile(name: str, text: str) -> Path:
    path = user_profiles_folder() / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def rules(session: Session, line: str = "check") -> set[Check]:
    answer = found_as(ReviewAnswer, session, line)
    return {finding.rule for finding in answer.findings} - ABOUT_WORDS


@pytest.mark.parametrize("name", ["british", "barred"])
def test_each_template_passes_only_under_its_profile(name: str) -> None:
    lattices = [one for one in template_library() if one.name.startswith(name)]
    assert len(lattices) > 10
    for template in lattices:
        puzzle = template.puzzle
        assert puzzle.profile == name
        assert {finding.rule for finding in findings_of(puzzle, puzzle.profile)} == ABOUT_WORDS
        assert Check.UNCHECKED in {finding.rule for finding in findings_of(puzzle, "")}


def test_a_puzzle_is_judged_by_its_profile(bench: Session) -> None:
    said(bench, "new british-15x15-13 --force")
    assert rules(bench) == set()
    assert rules(bench, "check --profile none") == {Check.UNCHECKED}
    assert rules(bench, "check --profile mini") == {Check.UNCHECKED, Check.SIZE}
    assert bench.puzzle.profile == "british", "that was for one run"
    assert said(bench, "profile none") == "profile: none"
    assert rules(bench) == {Check.UNCHECKED}
    said(bench, "undo")
    assert bench.puzzle.profile == "british"
    assert "the grid meets it" in said(bench, "profile")


def test_a_violation_is_reported_once_in_words_and_as_data(bench: Session) -> None:
    own_profile("tiny", 'sizes = ["5x5"]\nmost-blocks = 1\nlongest-entry = 4\nsymmetries = ["none"]\n')
    said(bench, "new 5 --profile tiny --force", "block r1c1 r1c5 r5c1")
    answer = found_as(ReviewAnswer, bench, "check")
    told = [finding.message for finding in answer.findings]
    assert "3 blocks; the limit is 1" in told
    assert "4A has 5 squares; at most 4" in told
    assert [each["rule"] for each in answer.as_json["findings"]].count("number of blocks") == 1
    assert answer.as_json["profile"] == "tiny"
    shown = found(bench, "profile").as_json
    assert {each["message"] for each in shown["shortfalls"]} <= set(told)


def test_the_profiles_symmetries_apply_not_the_one_of_block_edits(bench: Session) -> None:
    said(bench, "new 5 --profile mini --force", "symmetry none", "block r1c1", "symmetry rot180")
    assert Check.SYMMETRY not in rules(bench), "a mini may have none"
    assert Check.SYMMETRY in rules(bench, "check --profile none")


def test_a_profile_is_saved_in_the_file_and_the_journal(bench: Session) -> None:
    said(bench, "new 13 --profile british --force")
    puzzle = bench.puzzle
    assert not puzzle.grid[Position(1, 1)].is_open
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz") == puzzle
    assert b"net.xwtui:profile" not in puzzle_bytes(replace(puzzle, profile=""), ".ipuz").data
    assert change_between(puzzle, replace(puzzle, profile="free")) is None, "then the whole puzzle is written"


def test_a_new_puzzle_has_the_profiles_default_size(bench: Session) -> None:
    sizes = {"american-21": (21, 21), "mini": (8, 8), "barred": (12, 12), "free": (15, 15)}
    for name, size in sizes.items():
        said(bench, f"new --profile {name} --force")
        grid = bench.puzzle.grid
        assert ((grid.height, grid.width), bench.puzzle.profile) == (size, name)
    with pytest.raises(PuzzleError, match="the profile mini allows sides of 4 to 8, not 15x15"):
        run_line(bench, "new 15 --profile mini --force")
    with pytest.raises(PuzzleError, match="does not allow the symmetry none"):
        run_line(bench, "new 15 --profile american-15 --symmetry none --force")


@pytest.mark.parametrize(
    "line", ["new 12x12 barred", "new 12 barred", "new 12 12 barred", "new 12 --profile barred"]
)
def test_a_profile_may_be_named_after_the_size(bench: Session, line: str) -> None:
    assert said(bench, f"{line} --force") == "new: 12×12, rot180 symmetry, profile barred"
    refuses(bench, f"{line} british --force", None)
    refuses(bench, "new 12x12 13", "'12x12' is not a number of rows")


def test_taken_layouts_keep_their_profile(bench: Session) -> None:
    found(bench, "layouts 7x7 --profile mini --count 1")
    said(bench, "layouts take 1 --force")
    assert bench.puzzle.profile == "mini"


def test_an_unknown_or_damaged_profile_is_one_finding(bench: Session) -> None:
    bench.new(Puzzle.blank(5, 5))
    bench.edit("profile", lambda puzzle: replace(puzzle, profile="klingon"))
    unknown = [one for one in findings_of(bench.puzzle, "klingon") if one.rule is Check.UNKNOWN_PROFILE]
    assert ["there is no profile 'klingon'" in one.message for one in unknown] == [True]
    path = own_profile("klingon", "most-words = [")
    damaged = [one for one in findings_of(bench.puzzle, "klingon") if one.rule is Check.UNKNOWN_PROFILE]
    assert [str(path) in one.message for one in damaged] == [True]
    refuses(bench, "profile klingon", r"klingon\.toml", XwtuiError)
    assert run_line(bench, "profile british").lines, "the others are there as before"
    answer = found(bench, "profiles")
    assert answer.verdict is Outcome.IMPOSSIBLE
    assert [str(path) in each for each in answer.as_json["damaged"]] == [True]
    assert {each["name"] for each in answer.as_json["profiles"]} == profile_files().keys() - {"klingon"}
    own_profile("klingon", "most-words = 70\nmost-blocks = 30")
    answer = found(bench, "profiles")
    assert answer.verdict is Outcome.FILLED
    (own,) = (line for line in answer.lines if line.endswith("; yours"))
    assert own.split()[0] == "klingon"
    assert "70 words and 30 blocks at most" in own


def test_an_unreadable_profile_names_its_file() -> None:
    for text in ("symmetries = ['round']", "least-checked = 2", "most-words = -1"):
        path = own_profile("odd", text)
        with pytest.raises(PuzzleError, match=r"odd\.toml"):
            read_profile(path)


def test_lights_are_summarized_if_not_all_are_checked(bench: Session) -> None:
    told = said(bench, "new british-15x15-13 --force", "stats --lights").splitlines()
    assert any(line.startswith("lights: 2") or line.startswith("lights: 3") for line in told)
    assert "profile: british" in told
    slot = bench.puzzle.grid.slots[0]
    assert any(line.split()[:2] == [slot.name, str(len(slot))] for line in told)
    lights = found(bench, "stats").as_json["lights"]
    assert len(lights) == len(bench.puzzle.grid.slots)
    assert "lights" not in said(bench, "new 5 --force", "stats --lights")


def test_check_also_summarizes_the_lights(bench: Session) -> None:
    told = said(bench, "new barred-12x12-01 --force", "check --lights").splitlines()
    grid = bench.puzzle.grid
    for slot in grid.slots:
        checked = sum(grid.slot_at(at, slot.direction.other) is not None for at in slot.positions)
        (line,) = (line for line in told if line.split()[:2] == [slot.name, str(len(slot))])
        assert f"{checked} checked" in line
    answer = found(bench, "check")
    assert answer.as_json["lights"] == found(bench, "stats").as_json["lights"]
    assert not any(line.startswith("lights") for line in answer.lines), "unless that is asked"
    assert any(line.startswith("lights: 40 of 4 to ") for line in answer.report("", 80))


@pytest.mark.parametrize("name", ["british-15x15-13", "barred-12x12-01"])
def test_a_finished_template_has_no_findings(name: str) -> None:
    """Filled with letters so that no two answers are equal, and with clues and enumerations, it passes."""
    puzzle = next(one for one in template_library() if one.name == name).puzzle
    letters = random.Random(1).choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=len(puzzle.grid.squares))
    contents = zip(puzzle.grid.positions(), letters, strict=True)
    written = {at: Content.of(letter) for at, letter in contents if puzzle.grid[at].is_open}
    finished = write_fill(puzzle, written)
    for number, slot in enumerate(finished.grid.slots):
        finished = finished.with_clue(slot, f"Clue number {number} ({len(slot)})")
    assert findings_of(finished, name.partition("-")[0]) == ()


def test_a_british_profile_requires_enumerations(bench: Session) -> None:
    said(bench, "new 5 --force", "set 1A ABBEY", "clue 1A Church")
    assert Check.ENUMERATION not in rules(bench)
    assert Check.ENUMERATION in rules(bench, "check --profile british")
    bench.edit("profile", lambda puzzle: replace(puzzle, profile="british"))
    assert (
        "enumeration: the clue of 1A does not end in an enumeration such as (5)"
        in said(bench, "check").splitlines()
    )
    assert "    enumeration: the clue of 1A does not end in an" in said(bench, "clue 1A")
    (remark,) = found(bench, "check").as_json["clue_remarks"][:1]
    assert remark["fault"] == "enumeration"
    run_line(bench, "clue 1A Church (5)")
    assert Check.ENUMERATION not in rules(bench)


def test_an_outlet_profile_reports_what_a_submission_lacks(bench: Session) -> None:
    said(bench, "new --profile la-times-sunday --force", "set r1c4 [CHE]")

    def lacks() -> list[str]:
        told = (Check.SUBMISSION, Check.REBUS)
        return [one.message for one in findings_of(bench.puzzle, "la-times-sunday") if one.rule in told]

    asked = "the profile la-times-sunday requires"
    assert lacks() == [
        "the profile la-times-sunday allows one letter per square: r1c4",
        f"{asked} a title",
        f"{asked} a byline (`author NAME`)",
        f"{asked} your name and address (`address` in the settings)",
    ]
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text('address = "Ann Author\\nTown"\n')
    said(bench, "title T", "author Ann Author", "set r1c4 C")
    assert lacks() == []


@pytest.mark.parametrize("text", ['submission = ["money"]', "submission = 3", "rebus = 1"])
def test_requirements_of_no_outlet_are_reported(text: str) -> None:
    with pytest.raises(PuzzleError, match=r"odd\.toml: (submission|rebus) must be"):
        read_profile(own_profile("odd", text))
