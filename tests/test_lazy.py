"""Names that are imported lazily: nothing is loaded before they are used, and then all is as after an import."""

from __future__ import annotations

import builtins
import importlib
import json
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from xwtui.lazy import lazy_imports

Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes modules that can be imported; they are forgotten after the test."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)

    def written(name: str, text: str) -> None:
        path = (tmp_path / name.replace(".", "/")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        importlib.invalidate_caches()

    yield written
    for name in set(sys.modules) - before:
        del sys.modules[name]


def imported(statement: str) -> dict[str, Any]:
    """What a module knows that imports so."""
    names: dict[str, Any] = {"lazy_imports": lazy_imports}
    exec(f"with lazy_imports():\n    {statement}", names)
    return names


def test_nothing_is_loaded_before_it_is_used(write: Write) -> None:
    write("late_one", "def double(x): return 2 * x")
    write("late_package.__init__", "")
    write("late_package.inner", "FIVE = 5")
    names = imported("import late_one; from late_one import double as twice; from late_package import inner")
    assert not {"late_one", "late_package", "late_package.inner"} & set(sys.modules)
    assert names["twice"](4) == names["late_one"].double(4) == 8
    assert "late_package" not in sys.modules
    assert names["inner"].FIVE == 5
    assert repr(names["twice"]) == "<lazy late_one.double>"


def test_imports_of_other_modules_load() -> None:
    before = builtins.__import__
    with lazy_imports():
        assert builtins.__import__("json", {}).dumps is json.dumps
    assert builtins.__import__ is before


def test_a_class_knows_its_values_and_makes_them() -> None:
    lazily = imported("from decimal import Decimal")["Decimal"]
    assert isinstance(Decimal(1), lazily)
    assert isinstance(Decimal(1), (str, lazily))
    assert not isinstance(1, lazily)
    assert lazily("1.5") == Decimal("1.5")
    assert lazily.from_float(0.5) == Decimal("0.5")


def test_a_module_that_fails_tells_so_whole_and_each_time(write: Write) -> None:
    write("late_broken", "def f():\n    raise ValueError('not today')\nf()")
    names = imported("from late_broken import f; from late_lacking import g; from json import no_such")
    for _ in range(2):
        with pytest.raises(ValueError, match="not today") as told:
            names["f"]()
        assert told.traceback[-1].name == "f"
        with pytest.raises(ModuleNotFoundError, match="late_lacking"):
            names["g"]()
        with pytest.raises(ImportError, match="cannot import name 'no_such' from 'json'"):
            names["no_such"].x  # noqa: B018
    write("late_broken", "def f():\n    return 'mended, and longer'")
    assert names["f"]() == "mended, and longer"


def test_what_takes_the_place_of_a_name_is_seen(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("late_changing", "def f(): return 1")
    f = imported("from late_changing import f")["f"]
    assert f() == 1
    with monkeypatch.context() as held:
        held.setattr("late_changing.f", lambda: 2)
        assert f() == 2
    write("late_changing", "def f(): return 'read again'")
    importlib.reload(sys.modules["late_changing"])
    assert f() == "read again"


def test_a_lazy_name_is_pickled_by_its_name() -> None:
    again = pickle.loads(pickle.dumps(imported("from json import dumps")["dumps"]))
    assert repr(again) == "<lazy json.dumps>"
    assert again([1]) == "[1]"


@pytest.mark.parametrize(
    "statement", ["import os.path", "import os.path as p", "from os import *", "from . import x"]
)
def test_other_forms_are_refused(statement: str) -> None:
    before = builtins.__import__
    with pytest.raises(ImportError, match="is to be imported lazily as"):
        imported(statement)
    assert builtins.__import__ is before


def test_threads_wait_until_a_module_is_loaded(write: Write) -> None:
    """Of twenty that use it at once, none sees it half loaded, and it is loaded once."""
    write("late_slow", "import time\nLOADED = []\ntime.sleep(0.1)\nLOADED.append(1)\ndef f(): return len(LOADED)")
    names = imported("import late_slow; from late_slow import f")
    ready = threading.Barrier(20)
    found: list[int] = []

    def use(number: int) -> None:
        ready.wait()
        found.append(names["f"]() if number % 2 else names["late_slow"].f())

    threads = [threading.Thread(target=use, args=[number]) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 20


def test_blocks_of_threads_take_turns() -> None:
    """While one thread is in a block, what others import loads, and their own blocks wait."""
    before = builtins.__import__
    entered = threading.Barrier(8)
    found: list[bool] = []

    def enter() -> None:
        entered.wait()
        for _ in range(100):
            names = imported("from json import dumps")
            found.append(repr(names["dumps"]) == "<lazy json.dumps>" and __import__("json") is json)

    threads = [threading.Thread(target=enter) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 800
    assert builtins.__import__ is before
