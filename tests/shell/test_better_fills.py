"""`xwtui improve`, and `fill` for the best, a part, several, or as much as can be filled."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.shell.process import xwtui
from xwtui.formats.registry import read_puzzle

WIDE = (
    "BAG;50",
    "ICE;60",
    "TEN;70",
    "BIT;55",
    "ACE;45",
    "GEN;50",
    "CAB;90",
    "ARE;80",
    "BED;90",
    "CAR;95",
    "ERE;20",
)
"""Two fills of a blank 3x3: BAG ICE TEN and BIT ACE GEN are one turned over."""


@pytest.fixture
def list_of_words(tmp_path: Path) -> Path:
    path = tmp_path / "wide.txt"
    path.write_text("\n".join(WIDE) + "\n")
    return path


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    path = tmp_path / "blank.txt"
    path.write_text("...\n...\n...\n")
    return path


def found(environment: Mapping[str, str], *arguments: str | Path, status: int = 0) -> dict[str, Any]:
    done = xwtui(*map(str, arguments), "--json", environment=environment)
    assert done.returncode == status, done.stderr
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


def test_improve_makes_a_faulty_fill_good_and_writes_it(
    tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.ipuz"
    source.write_text("XXX\nXXX\nXXX\n")
    words = ("--words", list_of_words, "--min-score", "0", "--time", "60", "-o", target)
    refused = xwtui("improve", str(source), *map(str, words), environment=environment)
    assert refused.returncode == 2
    assert "pencil all" in refused.stderr
    assert not target.exists()
    document = found(environment, "improve", source, *words, "--do", "pencil all", "--by", "lowest")
    assert (document["status"], document["mode"], document["proved"]) == ("filled", "improve", True)
    assert (document["lowest_score"], document["value"], document["gap"]) == (45, 45, 0)
    assert document["grid"] in (["BAG", "ICE", "TEN"], ["BIT", "ACE", "GEN"])
    grid = read_puzzle(target).grid
    assert [grid.answer(slot) for slot in grid.slots[:3]] == document["grid"]


def test_the_best_fill(blank: Path, list_of_words: Path, environment: Mapping[str, str]) -> None:
    document = found(environment, "fill", blank, "--words", list_of_words, "--min-score", "0", "--best")
    assert (document["status"], document["mode"], document["lowest_score"]) == ("filled", "best fill", 45)


def test_several_fills_go_to_files_of_their_own(
    blank: Path, tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    """Only a file that would be written over is refused, and `out.txt` is none."""
    target = tmp_path / "out.txt"
    target.write_text("Monday: rain.\n")
    options = ("--words", list_of_words, "--count", "3", "--differ", "40%", "-o", target)
    document = found(environment, "fill", blank, *options)
    assert (document["status"], document["wanted"], len(document["fills"])) == ("filled", 3, 2)
    assert "no other fill" in document["reason"]
    written = [(tmp_path / f"out-{number}.txt").read_text().split() for number in (1, 2)]
    assert written == [fill["grid"] for fill in document["fills"]]
    assert sorted(written) == [["BAG", "ICE", "TEN"], ["BIT", "ACE", "GEN"]]
    assert not (tmp_path / "out-3.txt").exists()
    assert target.read_text() == "Monday: rain.\n"


def test_a_partial_fill_names_what_stopped_it(
    tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("Q..\n...\n...\n")
    options = ("--words", list_of_words, "--partial", "-o", target, "--force")
    document = found(environment, "fill", source, *options, status=1)
    assert document["status"] == "impossible"
    assert {"1A", "1D"} <= {one["entry"] for one in document["stopped"]}
    assert all(one["reason"] for one in document["stopped"])
    assert document["filled"] + document["open"] == 9
    assert target.read_text().split() == document["grid"]
    shown = xwtui("fill", str(source), *map(str, options), environment=environment)
    assert "  1A: no word fits Q??" in shown.stdout


def test_a_part_is_filled_alone(blank: Path, list_of_words: Path, environment: Mapping[str, str]) -> None:
    document = found(environment, "fill", blank, "--words", list_of_words, "--only", "4A")
    assert document["status"] == "filled"
    assert document["grid"][0] == document["grid"][2] == "..."
    assert document["grid"][1] in ("ICE", "ACE")
    whole = found(environment, "fill", blank, "--words", list_of_words, "--around", "4A")
    assert whole["grid"] in (["BAG", "ICE", "TEN"], ["BIT", "ACE", "GEN"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fill", "--best", "--partial"), "ask for one of them"),
        (("fill", "--differ", "140"), "no share in percent"),
        (("fill", "--only", "99A"), "no entry"),
        (("fill", "--around", "r1c1"), "no entry"),
        (("improve", "--avoid", "Q", "--by", "fresh"), "--by"),
        (("improve", "--avoid", "?"), "letters are expected"),
        (("improve", "--by", "luck"), "luck"),
        (("improve", "--exponent", "2"), "--by flat"),
        (("improve", "--by", "flat", "--exponent", "0"), "no exponent"),
    ],
)
def test_wrong_use_is_told(
    blank: Path, list_of_words: Path, environment: Mapping[str, str], arguments: tuple[str, ...], said: str
) -> None:
    command, *options = arguments
    done = xwtui(command, str(blank), "--words", str(list_of_words), *options, environment=environment)
    assert done.returncode == 2
    assert said in done.stderr
