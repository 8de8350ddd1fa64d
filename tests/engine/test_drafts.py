"""Kernels have no machine code of their own: an entry point has that of all that it leads to."""

from typing import Any

import numpy as np
import pytest

from xwtui.engine.kernels.compiler.compiled import JIT, entry_point, inlined, kernel

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
    addresses = [
        result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
        for result in function._dispatcher.overloads.values()
    ]
    assert addresses
    return any(addresses)


def test_only_the_entry_point_becomes_machine_code() -> None:
    @entry_point
    def most_steps_of_two(first: Any, second: Any) -> int:
        return max(_most_steps(first), _most_steps(second))

    assert most_steps_of_two(np.arange(1, 10), np.arange(1, 28)) == 111
    assert not any(map(_has_machine_code, (_twice, _collatz_steps, _most_steps)))
