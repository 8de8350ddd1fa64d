"""Kernels with object files of their own: compiled once, by whichever process, and linked with what calls them."""

import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xwtui.engine.compiling import READY, SOURCES
from xwtui.engine.kernels.compiler import by_numba, compiled, linking
from xwtui.engine.kernels.compiler.arguments import kinds_and_cells
from xwtui.engine.kernels.compiler.compiled import LoadedKernels, linked
from xwtui.engine.kernels.compiler.objects import SUFFIX, ObjectFile, Target, can_load, linked_symbols
from xwtui.engine.kernels.compiler.records import argument_types
from xwtui.engine.rehearsal import LINKED, LINKED_KERNELS
from xwtui.engine.warmup import warm_up

if not (compiled.JIT and can_load()):
    pytest.skip("nothing is loaded here but by numba", allow_module_level=True)

PATIENCE = 300

SOURCE = """
def triangle(number: int) -> int:
    return number * (number + 1) // 2

def is_large(number: int) -> bool:
    return linked_triangle(number) > 50

def once(number):
    return linked_triangle(number)

def twice(number):
    return 2 * linked_triangle(number) if linked_is_large(number) else 0
"""


class Kernels:
    """Two linked kernels and what calls them, whose sources the cache folder is of; and what was compiled."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.made: list[str] = []
        self.names: dict[str, Any] = {"__name__": "kernels.tallies"}
        exec(compile(SOURCE, str(Path(compiled.__file__).parents[1] / "tallies.py"), "exec"), self.names)
        for name in ("triangle", "is_large"):
            self.names[f"linked_{name}"] = linked(self.names[name])
        self._compile = by_numba._object_file
        monkeypatch.setattr(by_numba, "_object_file", self._note)
        monkeypatch.setattr(compiled, "cache_folder", lambda: folder)
        monkeypatch.setattr(linking, "CALLED", {})

    def _note(self, function: Callable[..., Any], kinds: Any, target: Target) -> ObjectFile:
        self.made.append(function.__name__)
        return self._compile(function, kinds, target)

    def call(self, name: str, number: int, kernels: LoadedKernels | None = None) -> int:
        """Call an entry point, as a process does that has nothing loaded yet unless `kernels` are told."""
        kinds, cells = kinds_and_cells((number,))
        native = (kernels or LoadedKernels()).get(self.names[name], kinds, (number,))
        assert native is not None
        result: int = native(cells)
        return result

    def file(self, name: str) -> Path:
        (path,) = self.folder.glob(f"kernels.tallies.{name}-*{SUFFIX}")
        return path


@pytest.fixture
def tallies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernels:
    return Kernels(tmp_path, monkeypatch)


def test_what_several_lead_to_is_compiled_once(tallies: Kernels) -> None:
    for _ in range(2):
        assert tallies.call("once", 4) == 10
        assert [tallies.call("twice", number) for number in (4, 10)] == [0, 110]
    assert sorted(tallies.made) == ["is_large", "once", "triangle", "twice"]
    assert linked_symbols(ObjectFile.read(tallies.file("once")).code) == [
        ObjectFile.read(tallies.file("triangle")).target.symbol
    ]


def test_all_of_it_is_named_and_loaded_together(tallies: Kernels) -> None:
    first = LoadedKernels()
    assert tallies.call("twice", 10, first) == 110
    assert first.names() == sorted(path.name for path in tallies.folder.iterdir())
    second = LoadedKernels()
    second.load(tallies.folder, first.names())
    assert second.names() == first.names()
    for path in tallies.folder.iterdir():
        path.unlink()
    assert tallies.call("twice", 10, second) == 110
    assert len(tallies.made) == 3


@pytest.mark.parametrize("content", [None, b"damaged"])
@pytest.mark.parametrize("is_known", [True, False])
def test_one_that_is_gone_is_compiled_again(
    tallies: Kernels, content: bytes | None, is_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a process that has compiled what calls it, or one that has to do so, too."""
    tallies.call("once", 4)
    path = tallies.file("triangle")
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    if not is_known:
        monkeypatch.setattr(linking, "CALLED", {})
    assert tallies.call("once", 5) == 15
    assert tallies.made[2:] == (["triangle"] if is_known else ["once", "triangle"])
    assert ObjectFile.read(path)


def test_what_another_process_is_about_to_keep_is_waited_for(tallies: Kernels) -> None:
    tallies.call("once", 4)
    path = tallies.file("triangle")
    kept = path.read_bytes()
    path.unlink()
    kernels = LoadedKernels()
    kernels.wait_for_linked = lambda: path.write_bytes(kept)
    assert tallies.call("once", 5, kernels) == 15
    assert tallies.made == ["once", "triangle"]


def test_it_is_compiled_once_where_nothing_can_be_kept(tallies: Kernels, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda: None)
    kernels = LoadedKernels()
    assert (tallies.call("once", 10, kernels), tallies.call("twice", 10, kernels)) == (55, 110)
    assert sorted(tallies.made) == ["is_large", "once", "triangle", "twice"]


def test_what_tests_compile_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    names: dict[str, Any] = {"__name__": "elsewhere.tallies"}
    exec(compile(SOURCE, str(tmp_path.parent / "tallies.py"), "exec"), names)
    names["linked_triangle"] = linked(names["triangle"])
    kinds, cells = kinds_and_cells((3,))
    kernels = LoadedKernels()
    native = kernels.get(names["once"], kinds, (3,))
    assert native is not None
    assert native(cells) == 6
    assert list(tmp_path.iterdir()) == []
    assert kernels.names() == []


def test_the_engine_links_what_is_compiled_ahead_for_it() -> None:
    """Their types come from annotations there, and here from the calls."""
    warm_up(improving=True)
    folder = compiled.cache_folder()
    assert folder is not None
    machine = compiled.machine()
    ahead = {
        linking.linked_call(inspect.unwrap(kernel), argument_types(kernel, lacking), machine).target.symbol
        for lacking in LINKED.values()
        for kernel in LINKED_KERNELS
    }
    files = [ObjectFile.read(path) for path in folder.glob(f"*{SUFFIX}")]
    called = {symbol for file in files if file.target.machine == machine for symbol in linked_symbols(file.code)}
    assert called == ahead


def test_a_process_of_its_own_compiles_them_and_ends_with_its_input() -> None:
    warm_up(counting=False)  # what is compiled already, it only reads
    command = [
        sys.executable,
        "-P",
        "-m",
        "xwtui.engine.compiling",
        str(compiled.cache_folder()),
        SOURCES,
        "linked",
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == f"{READY}\n"
        process.stdin.write("search\n")
        process.stdin.flush()
        assert process.stdout.readline() == "search\n"
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
