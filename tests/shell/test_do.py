"""Verbs that a command does before its work."""

from collections.abc import Mapping
from pathlib import Path

from tests.ruled import asked
from tests.shell.process import xwtui
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Content, Direction, Position, Puzzle
from xwtui.shell.edits import edited

CORNER = Position(0, 0)


def test_a_fill_obeys_what_is_done_first(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    before = mini.read_bytes()
    done = xwtui(
        "fill", mini, "--words", words, "--do", "clear all", "--do", "rule 1A --lacks C", environment=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:3] == ["ADG", "BEH", "CFI"]
    assert mini.read_bytes() == before


def test_a_count_obeys_it_too(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("count", mini, "--words", words, "--do", "letters r2c2 XY", environment=environment)
    assert done.returncode == 0, done.stderr
    assert "no fill (proved)" in done.stdout


def test_only_edits_are_done(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    for line, told in (("fill", "only verbs of these groups"), ("rul 1A", "did you mean"), ("rule 9A", "9A")):
        done = xwtui("fill", mini, "--words", words, "--do", line, environment=environment)
        assert done.returncode == 2
        assert told in done.stderr
        assert done.stderr.count("\n") == 1


def test_what_is_odd_about_its_rules_is_told(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    lines = ("clear all", "want XYZ", "ban XYZ", "limit nonsense 0")
    done = xwtui(
        "fill",
        mini,
        "--words",
        words,
        *(part for line in lines for part in ("--do", line)),
        "--json",
        environment=environment,
    )
    assert "xwtui: wanted XYZ is banned, so no fill places it; `allow XYZ` lets it in\n" in done.stderr
    assert "xwtui: no word in the lists has the tag nonsense; the lists have no tags\n" in done.stderr


def test_lists_are_sought_beside_the_puzzle(tmp_path: Path) -> None:
    source = tmp_path / "mini.ipuz"
    write_puzzle(source, Puzzle.blank(3, 3))
    (tmp_path / "own.txt").write_text("ABC\n")
    puzzle = edited(read_puzzle(source), source, ["rule 1A --list own.txt", "", "may r1c1 HEART"])
    assert puzzle.rules.entries == {(CORNER, Direction.ACROSS): asked(word_list="own.txt")}
    assert puzzle.rules.squares == {CORNER: (Content.of("HEART"),)}
    assert read_puzzle(source).rules.is_empty


def test_nothing_to_do_leaves_the_puzzle_as_it_was() -> None:
    puzzle = Puzzle.blank(3, 3)
    assert edited(puzzle, None, []) is puzzle
    assert edited(puzzle, None, ["block r1c1"]).grid != puzzle.grid
