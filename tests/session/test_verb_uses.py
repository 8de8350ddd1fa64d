"""How often each verb was used, kept from start to start."""

from pathlib import Path

import pytest

from xwtui.session.recent import VerbUses


def test_uses_are_kept_and_counted_together_with_those_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "state" / "verb-uses.json"
    one, other = VerbUses(path), VerbUses(path)
    one.note("fill")
    other.note("fill")
    other.note("check")
    assert (VerbUses(path).of("fill"), VerbUses(path).of("check"), VerbUses(path).of("save")) == (2, 1, 0)


def test_old_uses_fade(tmp_path: Path) -> None:
    uses = VerbUses(tmp_path / "uses.json")
    for verb in ["check"] * 400 + ["fill"] * 101:
        uses.note(verb)
    assert (uses.of("check"), uses.of("fill")) == (200, 50)


@pytest.mark.parametrize("text", ["", "[1]", '{"fill": "x", "nonsense": 3, "check": true, "save": -1}', "\0"])
def test_what_cannot_be_read_is_forgotten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "uses.json"
    path.write_text(text, encoding="utf-8")
    uses = VerbUses(path)
    assert (uses.of("fill"), uses.of("nonsense"), uses.of("save")) == (0, 0, 0)
    uses.note("fill")
    assert VerbUses(path).of("fill") == 1


def test_uses_that_cannot_be_kept_count_for_now(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    uses = VerbUses(blocked / "uses.json")
    uses.note("fill")
    uses.note("fill")
    assert uses.of("fill") == 2


def test_what_another_program_is_writing_is_left_alone(tmp_path: Path) -> None:
    theirs = tmp_path / "uses.part"
    theirs.write_text("half")
    VerbUses(tmp_path / "uses.json").note("fill")
    assert theirs.read_text() == "half"
    assert {path.name for path in tmp_path.iterdir()} == {"uses.json", "uses.part"}
