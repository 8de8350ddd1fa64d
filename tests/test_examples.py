"""The hypothesis profiles: the deep one runs all the examples a test requests, the quick one a share."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
ASK = """
import tests.conftest
from hypothesis import settings
from tests.examples import examples
print(settings().max_examples, examples(400).max_examples, examples(1).max_examples)
"""


@pytest.mark.parametrize(("profile", "counts"), [("", "7 28 1"), ("quick", "7 28 1"), ("deep", "100 400 1")])
def test_the_profile_sets_the_number_of_examples(profile: str, counts: str) -> None:
    done = ask(profile)
    assert (done.returncode, done.stdout.strip()) == (0, counts), done.stderr


def test_every_profile_in_use_is_declared() -> None:
    assert ask("depe").returncode != 0


def ask(profile: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=CHECKOUT,
        env={**os.environ, "HYPOTHESIS_PROFILE": profile},
        capture_output=True,
        text=True,
        check=False,
    )
