"""A command that is over leaves no thread behind, for the sake of whoever runs many in one process."""

import threading
from pathlib import Path

from tests.naive.problem import Problem
from tests.oracle.asking import Program


def test_a_command_leaves_no_thread(tmp_path: Path) -> None:
    program = Program(Problem(tuple(tuple("...") for _ in range(3)), {"ABC": 50, "CAB": 50}), tmp_path)
    program.ask("count")
    left = [thread for thread in threading.enumerate() if thread.name == "engine clock"]
    for thread in left:
        thread.join(5)
    assert not [thread for thread in left if thread.is_alive()]
