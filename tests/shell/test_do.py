"""Verbs that a command does before its work."""

from collections.abc import Mapping
from pathlib import Path

from tests.shell.process import xwtui
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Puzzle


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


def test_lists_are_sought_beside_the_puzzle(tmp_path: Path, words: Path, environment: Mapping[str, str]) -> None:
    source = tmp_path / "mini.ipuz"
    write_puzzle(source, Puzzle.blank(3, 3))
    (tmp_path / "own.txt").write_text("ADG\n")
    asked = ("--do", "rule 1A --list own.txt", "--do", "")
    done = xwtui("fill", source, "--words", words, *asked, environment=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "ADG"
    assert read_puzzle(source).rules.is_empty
