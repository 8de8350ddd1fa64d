"""Templates from the shell: found by what they are, or the nearest ones with what they lack."""

import json
from collections.abc import Mapping

import pytest

from tests.shell.process import xwtui
from xwtui.interrupts import Exit


def test_templates_with_room_for_theme_answers(environment: Mapping[str, str]) -> None:
    answers = "LO[CAT]IONSCOUT,DOGCATCHERS,11,11"
    asked = ("--size", "15x15", "--max-words", "76", "--blocks", "36", "--across", answers)
    done = xwtui("templates", *asked, "--json", environment=environment)
    assert done.returncode == Exit.OK
    document = json.loads(done.stdout)
    assert document["schema"] == 1
    assert document["fitting"] == len(document["templates"]) > 0
    for one in document["templates"]:
        assert (one["height"], one["width"], one["fits"]) == (15, 15, True)
        assert [entry["squares"] for entry in one["across"]] == [11] * 4
        assert one["words"] <= 76
        assert one["blocks"] <= 36
    told = xwtui("templates", "15x15", "11,11,11,11", "<=76", "<=36b", environment=environment)
    assert told.stdout.splitlines()[0].startswith(f"{document['fitting']} template")


def test_the_nearest_templates_say_what_they_lack(environment: Mapping[str, str]) -> None:
    done = xwtui("templates", "15x15", "11,11,14", "--limit", "2", environment=environment)
    assert done.returncode == Exit.IMPOSSIBLE
    assert "the nearest are" in done.stdout
    assert "no symmetric entry for 14 across" in done.stdout


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--size", "99"), "grids are 3x3 to 40x40"),
        (("--size", "large"), "is no size"),
        (("--across", "1,11"), "2 to 40 squares"),
        (("--across", "A[B"), "no answer"),
    ],
)
def test_what_is_no_template_is_refused(asked: tuple[str, ...], said: str, environment: Mapping[str, str]) -> None:
    done = xwtui("templates", *asked, environment=environment)
    assert done.returncode == Exit.BAD_INPUT
    assert said in done.stderr
