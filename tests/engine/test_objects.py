"""Machine code that is kept in our own form and called without numba, and what of it is refused."""

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.engine.test_records import fresh_notes, fresh_sources, move
from xwtui.engine import compiling
from xwtui.engine.compiling import make_ready
from xwtui.engine.kernels.compiler import compiled, drafts, fence, objects
from xwtui.engine.kernels.compiler.compiled import EntryPoint, LoadedKernels
from xwtui.engine.kernels.compiler.objects import (
    Native,
    ObjectFile,
    Target,
    UnusableObjectError,
    cell_types,
    kinds_and_cells,
)
from xwtui.engine.loading_step import EnginePart, LoadingStep
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError

ROOT = Path(__file__).parents[2]

if not (compiled.JIT and objects.can_load()):
    pytest.skip("nothing is loaded here but by numba", allow_module_level=True)


class Pair(NamedTuple):
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def total(pair: Pair, scale: float, from_second: bool, extra: np.uint64) -> float:
    """Clear one array and weigh the other; fails with -1 in it."""
    kept = pair.second if from_second else pair.first
    found = 0
    for row in range(len(kept)):
        if kept[row] == -1:
            raise ValueError("negative")
        found += kept[row]
    pair.first[:] = 0
    return scale * found + float(extra)


def arguments(*numbers: int) -> tuple[Any, ...]:
    return Pair(np.array(numbers), np.arange(3)), 0.5, False, np.uint64(1 << 40)


@pytest.fixture(scope="module")
def made() -> ObjectFile:
    """An entry point's machine code, as numba has made it."""
    kinds, _ = kinds_and_cells(arguments(1))
    return drafts.object_file(total, arguments(1), Target("test.total", kinds, "machine"))


@pytest.fixture
def kept(made: ObjectFile, tmp_path: Path) -> Path:
    """The file that it is kept in."""
    made.write(tmp_path)
    (path,) = tmp_path.iterdir()
    return path


def call(file: ObjectFile, *numbers: int) -> float:
    _, cells = kinds_and_cells(arguments(*numbers))
    result: float = Native(file)(cells)
    return result


def test_what_was_kept_is_read_and_does_what_python_does(made: ObjectFile, kept: Path) -> None:
    assert kept.name == made.target.file_name
    assert kept.stat().st_mode & 0o777 == 0o600
    file = ObjectFile.read(kept)
    assert file == made
    assert call(file, 3, 4, 5) == total(*arguments(3, 4, 5)) == 6.0 + (1 << 40)


def test_an_error_in_machine_code_is_a_status_and_told(made: ObjectFile) -> None:
    with pytest.raises(EngineError, match=r"test\.total failed with status \d"):
        call(made, 3, -1)


@pytest.mark.parametrize("place", [0, 70, 200, -1])
def test_a_damaged_file_is_refused(kept: Path, place: int) -> None:
    content = bytearray(kept.read_bytes())
    content[place] ^= 1
    kept.write_bytes(content)
    with pytest.raises(UnusableObjectError, match="damaged"):
        ObjectFile.read(kept)


@pytest.mark.parametrize("content", [b"", b"\n", b"no kernel", b"{}"])
def test_what_is_no_kernel_is_refused(kept: Path, content: bytes) -> None:
    kept.write_bytes(kept.read_bytes()[:1000] if content == b"" else content)
    with pytest.raises(UnusableObjectError):
        ObjectFile.read(kept)
    kept.write_bytes(objects._digest(content) + b"\n" + content)
    with pytest.raises(UnusableObjectError):
        ObjectFile.read(kept)


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_to_is_refused(kept: Path, mode: int) -> None:
    kept.chmod(mode)
    with pytest.raises(UnusableObjectError, match="other users"):
        ObjectFile.read(kept)


def test_a_file_of_another_user_is_refused(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    with pytest.raises(UnusableObjectError, match="another user"):
        ObjectFile.read(kept)


def test_a_link_a_folder_and_nothing_are_refused(kept: Path) -> None:
    link = kept.with_name("link")
    link.symlink_to(kept)
    for path in (link, kept.parent, kept.with_name("nothing")):
        with pytest.raises(UnusableObjectError):
            ObjectFile.read(path)


def test_code_that_needs_what_is_not_here_is_not_given_to_the_linker(made: ObjectFile) -> None:
    """LLVM would end the process."""
    with pytest.raises(UnusableObjectError, match="mimset"):
        Native(made._replace(needs=("mimset",)))


def power(base: float, exponent: float) -> float:
    return float(base**exponent)


def test_code_tells_what_it_leaves_to_the_process(tmp_path: Path) -> None:
    """What C's own libraries have is not asked for."""
    kinds, _ = kinds_and_cells((1.5, 2.5))
    drafts.object_file(power, (1.5, 2.5), Target("test.power", kinds, "")).write(tmp_path)
    (path,) = tmp_path.iterdir()
    file = ObjectFile.read(path)
    assert set(file.needs) <= {"pow"}
    assert Native(file)(kinds_and_cells((1.5, 2.5))[1]) == power(1.5, 2.5)


def test_a_name_that_the_code_lacks_is_refused(made: ObjectFile) -> None:
    with pytest.raises(UnusableObjectError):
        Native(made._replace(target=made.target._replace(entry="test.nothing")))


def test_what_compiled_code_cannot_take_is_refused() -> None:
    for argument in (np.arange(6)[::2], "text", None, [1], np.float16(1)):
        with pytest.raises(TypeError, match="compiled code takes"):
            kinds_and_cells((argument,))
    with pytest.raises(ValueError, match="no kind"):
        cell_types(("unheard",))


def test_kinds_tell_apart_what_numba_does() -> None:
    array = np.zeros((2, 3), np.int32)
    frozen = array.copy()
    frozen.flags.writeable = False
    given = (
        1,
        True,
        1.5,
        np.uint64(2),
        array,
        frozen,
        array.ravel(),
        Pair(*2 * [np.zeros(3, np.int64)]),
        (array,),
    )
    kinds = [kinds_and_cells((argument,))[0] for argument in given]
    assert len(set(kinds)) == len(given)
    _, cells = kinds_and_cells((array, frozen))
    assert cells[2:4] == cells[11:13] == [6, 4]
    assert cells[4] == array.ctypes.data
    assert cells[5:9] == cells[14:18] == [2, 3, 12, 4]
    assert len(cell_types(kinds_and_cells(given)[0])) == len(kinds_and_cells(given)[1])


def test_numba_itself_calls_a_kernel_to_the_same_end() -> None:
    notes, by_numbas, sources = fresh_notes(), fresh_notes(), fresh_sources(np.arange(6, dtype=np.int32))
    notes.words[:] = by_numbas.words[:] = 0
    itself: Any = move
    for row in range(3):
        assert move(notes, sources, row, 1) == itself.by_numba(by_numbas, sources, row, 1)
    for name in notes.fields:
        assert getattr(notes, name).tolist() == getattr(by_numbas, name).tolist()


SOURCE = """
def tally(numbers):
    found = 0
    for number in numbers:
        found += number
    return found
"""


@pytest.fixture
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A function that is a kernel's for who looks where its source is, and a folder for what is compiled of it."""
    names: dict[str, Any] = {"__name__": "kernels.tallies"}
    exec(compile(SOURCE, str(Path(compiled.__file__).parents[1] / "tallies.py"), "exec"), names)
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    function: Callable[..., Any] = names["tally"]
    return function


class Compiled:
    """What numba was asked to compile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.targets: list[Target] = []
        self._compile = drafts.object_file
        monkeypatch.setattr(drafts, "object_file", self._note)

    def _note(self, function: Callable[..., Any], arguments: Any, target: Target) -> ObjectFile:
        self.targets.append(target)
        return self._compile(function, arguments, target)


def tallied(function: Callable[..., Any], kernels: LoadedKernels) -> int:
    arguments = (np.arange(5),)
    kinds, cells = kinds_and_cells(arguments)
    native = kernels.get(function, kinds, arguments)
    assert native is not None
    result: int = native(cells)
    return result


def test_a_kernel_is_compiled_once_and_anew_where_its_file_cannot_be_used(
    tally: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Compiled(monkeypatch)
    assert [tallied(tally, LoadedKernels()) for _ in range(2)] == [10, 10]
    assert len(asked.targets) == 1
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    path.write_bytes(good[:-7])
    assert tallied(tally, LoadedKernels()) == 10
    assert len(asked.targets) == 2
    assert len(path.read_bytes()) > len(good) - 7
    monkeypatch.setattr(compiled, "machine", lambda: "another")
    assert tallied(tally, LoadedKernels()) == 10
    assert [target.machine for target in asked.targets[2:]] == ["another"]
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_not_in_the_kernels_folder_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder's name would not change with its source."""
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    names: dict[str, Any] = {"__name__": "elsewhere.tallies"}
    exec(compile(SOURCE, str(tmp_path.parent / "tallies.py"), "exec"), names)
    kernels = LoadedKernels()
    assert tallied(names["tally"], kernels) == 10
    assert list(tmp_path.iterdir()) == []
    assert kernels.names() == []


def test_what_cannot_be_loaded_is_called_by_numba_and_told_at_the_next_start(
    tally: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: ObjectFile) -> Native:
        raise UnusableObjectError("tally needs svml, which is not here")

    monkeypatch.setattr(compiled, "Native", fail)
    monkeypatch.setattr(drafts, "kept_by_numba", lambda function, _: function)
    assert EntryPoint(tally)(np.arange(5)) == 10
    failure = fence.loading_failure(tmp_path)
    assert failure is not None
    assert "svml" in str(failure)
    assert len(str(failure).splitlines()) == 1


def test_the_loader_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fence, "by_python", fence.by_the_loader)
    assert fence.loading_failure(tmp_path) is None
    monkeypatch.setattr(fence, "by_the_loader", lambda *_: pytest.fail("tried again"))
    assert fence.loading_failure(tmp_path) is None


def test_a_loader_that_does_something_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fence, "by_python", lambda: (0, (b"", b"")))
    monkeypatch.setattr(fence, "by_the_loader", lambda *_: (1, (b"", b"")))
    for _ in range(2):
        assert "something else" in str(fence.loading_failure(tmp_path))


def test_a_part_is_loaded_from_its_files_and_compiled_anew_where_one_is_gone(
    tally: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "_is_python", lambda: False)
    asked = Compiled(monkeypatch)
    told: list[str] = []

    def start() -> None:
        monkeypatch.setattr(compiled, "LOADED", LoadedKernels())
        make_ready(EnginePart.SEARCH, rehearse, lambda step: told.append(str(step)))

    def rehearse() -> None:
        told.append(f"run {EntryPoint(tally)(np.arange(5))}")

    compiles = str(LoadingStep(EnginePart.SEARCH)).replace("loading", "compiling") + ", once on this machine"
    loads = str(LoadingStep(EnginePart.SEARCH))
    start()
    start()
    assert told == [compiles, "run 10", loads]
    assert len(asked.targets) == 1
    (path,) = tmp_path.glob(f"*{objects.SUFFIX}")
    path.unlink()
    start()
    assert told[3:] == [loads, loads, compiles, "run 10"]
    told.clear()
    start()
    assert told == [loads]
    monkeypatch.setattr(compiled, "machine", lambda: "another")
    start()
    assert told[1:] == [compiles, "run 10"]


def test_what_is_loaded_is_linked_when_it_is_called(
    tally: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Compiled(monkeypatch)
    before = LoadedKernels()
    tallied(tally, before)
    linked: list[ObjectFile] = []

    def link(file: ObjectFile) -> Native:
        linked.append(file)
        return Native(file)

    monkeypatch.setattr(compiled, "Native", link)
    kernels = LoadedKernels()
    kernels.load(tmp_path, before.names())
    assert kernels.names() == before.names()
    assert not linked
    assert [tallied(tally, kernels) for _ in range(2)] == [10, 10]
    assert len(linked) == len(asked.targets) == 1
    kernels.load(tmp_path, before.names())
    assert kernels.names() == before.names()


def test_a_file_under_another_ones_name_is_refused(
    tally: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = LoadedKernels()
    tallied(tally, kernels)
    (name,) = kernels.names()
    (tmp_path / "other.kernel").write_bytes((tmp_path / name).read_bytes())
    (tmp_path / "other.kernel").chmod(0o600)
    with pytest.raises(UnusableObjectError):
        LoadedKernels().load(tmp_path, ["other.kernel"])
    monkeypatch.setattr(compiled, "machine", lambda: "another")
    with pytest.raises(UnusableObjectError, match="another machine"):
        LoadedKernels().load(tmp_path, [name])


def test_threads_compile_a_kernel_once(
    tally: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Compiled(monkeypatch)
    monkeypatch.setattr(compiled, "LOADED", LoadedKernels())
    entry, results = EntryPoint(tally), list[int]()
    threads = [threading.Thread(target=lambda: results.append(entry(np.arange(5)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == 4 * [10]
    assert len(asked.targets) == 1


def _tallied_in_a_fork(entry: EntryPoint, numbers: NDArray[np.int64], results: Any) -> None:
    results.put(entry(numbers))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_calls_what_was_loaded_while_a_thread_was_loading(
    tally: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "LOADED", LoadedKernels())
    entry = EntryPoint(tally)
    assert entry(np.arange(5)) == 10
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with compiled.LOADED._lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    process = context.Process(target=_tallied_in_a_fork, args=(EntryPoint(tally), np.arange(6), results))
    process.start()
    assert results.get() == 15
    process.join()
    done.set()
    thread.join()


def test_a_start_with_all_compiled_imports_no_numba() -> None:
    warm_up(improving=True)
    code = """
import sys
from tests.engine.small_problems import problem_of
from tests.engine.fill.test_filler import HARD_GRID, HARD_WORDS
from tests.engine.small_problems import lexicon_of
from xwtui.engine.candidates.find import candidates
from xwtui.engine.count.estimator import Counter
from xwtui.engine.fill.filler import Filler
from xwtui.engine.warmup import cache_refusal, warm_up
print(cache_refusal())
warm_up(improving=True)
from xwtui.engine.count.particles import Populations
from xwtui.engine.problem.problem import Problem
from xwtui.model import Rules
from xwtui.model.rules import Pangram
plain = problem_of(HARD_GRID, HARD_WORDS)
for problem in (plain, Problem.build(plain.grid, lexicon_of(HARD_WORDS), rules=Rules(grid=(Pangram("A"),)))):
    Filler(problem, seed=1).advance(nodes=40)
    counter = Counter(problem, particles=2)
    counter.quick()
    Populations(problem, counter.beliefs(), 2, seed=0).advance(1, 1, lambda: False)
    candidates(problem, "1A")
print("numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["None", "False"]
