"""The cases of a bench come back in their order, from this process or from a cluster's workers."""

import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, Self

import pytest

from bench.side_by_side import sharing


class HereClient:
    """Takes the place of Dask's client."""

    def __init__(self, address: str, **_: Any) -> None:
        assert address == "tcp://there:1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get_executor(self, **_: Any) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(2)


@pytest.mark.parametrize("scheduler", ["", "tcp://there:1"])
def test_answers_come_in_the_order_of_the_cases(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=HereClient))
    with sharing(scheduler) as ask_each:
        assert list(ask_each(str, range(9))) == list("012345678")
