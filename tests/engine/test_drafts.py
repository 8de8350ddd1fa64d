"""Kernels have no machine code of their own: an entry point has that of all that it leads to."""

import importlib
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.compiler_machinery import PassManager

from xwtui.engine.kernels.compiler import fence
from xwtui.engine.kernels.compiler.compiled import JIT, entry_point, inlined, kernel
from xwtui.engine.kernels.compiler.objects import Target

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python has no machine code")


@inlined
def _twice(number: int) -> int:
    return 2 * number


@kernel
def _collatz_steps(number: int) -> int:
    steps = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else _twice(number) + number + 1
        steps += 1
    return steps


@kernel
def _most_steps(numbers: Any) -> int:
    most = 0
    for number in numbers:
        most = max(most, _collatz_steps(number))
    return most


def _has_machine_code(function: Any) -> bool:
    """Whether any of a function's versions has it."""
    results = function.dispatcher.overloads.values()
    addresses = [result.library.get_pointer_to_function(result.fndesc.llvm_func_name) for result in results]
    assert addresses
    return any(addresses)


def test_only_the_entry_point_becomes_machine_code() -> None:
    @entry_point
    def most_steps_of_two(first: Any, second: Any) -> int:
        return max(_most_steps(first), _most_steps(second))

    assert most_steps_of_two(np.arange(1, 10), np.arange(1, 28)) == 111
    assert not any(map(_has_machine_code, (_twice, _collatz_steps, _most_steps)))


def test_what_is_left_out_has_the_names_that_numba_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    drafts = importlib.import_module("xwtui.engine.kernels.compiler.drafts")
    run: set[str] = set()
    run_pass = PassManager._runPass

    def note(self: Any, index: int, each: Any, state: Any) -> None:
        run.add(each.name())
        run_pass(self, index, each, state)

    def passes() -> set[str]:
        def most(numbers: Any) -> int:
            return _most_steps(numbers)

        run.clear()
        compiled = numba.njit(**fence.object_options(drafts))(most)
        assert drafts.machine_code(compiled, (np.arange(1, 28),), Target("most", (), "")).code
        return set(run)

    monkeypatch.setattr(PassManager, "_runPass", note)
    brief = passes()
    left_out = drafts._IDLE_PASSES
    monkeypatch.setattr(drafts, "_IDLE_PASSES", frozenset())
    whole = passes()
    assert left_out < whole
    assert brief == whole - left_out
