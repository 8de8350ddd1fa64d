"""The program's statements are true: each kind, about random problems, checked against all their fills."""

import threading
from pathlib import Path

import pytest

from tests.examples import is_deep
from tests.naive.problem import Problem
from tests.oracle.asking import Program
from tests.oracle.kinds import KINDS, report, run

DEEP, QUICK = 500, 3
"""Problems per kind."""
AT_ONCE = 50 if is_deep() else QUICK


@pytest.mark.parametrize("first", range(0, DEEP if is_deep() else QUICK, AT_ONCE))
@pytest.mark.parametrize("kind", KINDS)
def test_no_statement_is_false(kind: str, first: int) -> None:
    tally = run(kind, range(first, first + AT_ONCE))
    assert tally.checked, "nothing was said"
    assert not tally.wrong, "\n\n".join(report(kind, seed, one) for seed, one in tally.wrong[:3])


def test_a_command_leaves_no_thread(tmp_path: Path) -> None:
    program = Program(Problem(tuple(tuple("...") for _ in range(3)), {"ABC": 50, "CAB": 50}), tmp_path)
    program.ask("count")
    left = [thread for thread in threading.enumerate() if thread.name == "engine clock"]
    for thread in left:
        thread.join(300)
    assert not [thread for thread in left if thread.is_alive()]
