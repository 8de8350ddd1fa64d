"""Machine code stored in our own format and called without numba, and what is refused."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.engine.test_compiled import run_python
from xwtui.engine.kernels.compiler import compiled, drafts, objects
from xwtui.engine.kernels.compiler.compiled import EntryPoint, entry_point, inlined, kernel
from xwtui.engine.kernels.compiler.objects import (
    Native,
    ObjectFile,
    UnusableObjectError,
    cell_types,
    kinds_and_cells,
)
from xwtui.engine.loading_step import EnginePart, LoadingStep
from xwtui.engine.warmup import make_ready, warm_up
from xwtui.errors import EngineError

if not compiled.JIT:
    pytest.skip("plain Python has nothing compiled", allow_module_level=True)


@pytest.fixture(scope="module", autouse=True)
def _fence_is_tried() -> None:
    """Compile the self-check first, so that tests do not see it compile."""
    assert compiled.self_check_failure() is None


class Pair(NamedTuple):
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def total(pair: Pair, scale: float, from_second: bool, extra: np.uint64) -> float:
    """Clear one array and sum the other with weights; fails on a -1 in it."""
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
    """The machine code of an entry point, as compiled by numba."""
    kinds, _ = kinds_and_cells(arguments(1))
    return drafts.object_file(total, arguments(1), kinds)


@pytest.fixture
def kept(made: ObjectFile, tmp_path: Path) -> Path:
    made.write(tmp_path)
    (path,) = tmp_path.iterdir()
    return path


def call(file: ObjectFile, *numbers: int) -> float:
    _, cells = kinds_and_cells(arguments(*numbers))
    result: float = Native(file)(cells)
    return result


def test_stored_code_is_loaded_and_does_what_python_does(made: ObjectFile, kept: Path) -> None:
    assert kept.name == made.name
    assert kept.stat().st_mode & 0o777 == 0o600
    file = ObjectFile.read(kept)
    assert file == made
    assert call(file, 3, 4, 5) == total(*arguments(3, 4, 5)) == 6.0 + (1 << 40)


def test_an_error_in_machine_code_returns_a_status_and_is_raised(made: ObjectFile) -> None:
    with pytest.raises(EngineError, match=r"test_objects\.total failed with status \d"):
        call(made, 3, -1)


@pytest.mark.parametrize("place", [0, 70, 200, -1])
def test_a_damaged_file_is_refused(kept: Path, place: int) -> None:
    content = bytearray(kept.read_bytes())
    content[place] ^= 1
    kept.write_bytes(content)
    with pytest.raises(UnusableObjectError, match="damaged"):
        ObjectFile.read(kept)


@pytest.mark.parametrize("content", [None, b"", b"\n", b"no kernel", b"{}"])
def test_non_kernels_are_refused(kept: Path, content: bytes | None) -> None:
    kept.write_bytes(kept.read_bytes()[:1000] if content is None else content)
    with pytest.raises(UnusableObjectError):
        ObjectFile.read(kept)


def test_a_folder_an_empty_file_and_a_misnamed_file_are_refused(kept: Path) -> None:
    renamed = kept.rename(kept.with_name("other.kernel"))
    for path in (kept.parent, kept, renamed):
        with pytest.raises(UnusableObjectError):
            ObjectFile.read(path)


def test_code_with_missing_symbols_is_not_passed_to_the_linker(made: ObjectFile) -> None:
    """LLVM would abort the process."""
    with pytest.raises(UnusableObjectError, match="mimset"):
        Native(made._replace(needs=("mimset",)))


def power(base: float, exponent: float) -> float:
    return float(base**exponent)


def test_code_lists_the_symbols_it_needs_from_the_process(tmp_path: Path) -> None:
    """Symbols of the C libraries are not listed."""
    kinds, _ = kinds_and_cells((1.5, 2.5))
    drafts.object_file(power, (1.5, 2.5), kinds).write(tmp_path)
    (path,) = tmp_path.iterdir()
    file = ObjectFile.read(path)
    assert set(file.needs) <= {"pow"}
    assert Native(file)(kinds_and_cells((1.5, 2.5))[1]) == power(1.5, 2.5)


def test_a_missing_entry_point_is_refused(made: ObjectFile) -> None:
    with pytest.raises(UnusableObjectError):
        Native(made._replace(name="test.nothing-.kernel"))


def test_arguments_that_compiled_code_cannot_take_are_refused() -> None:
    for argument in (np.arange(6)[::2], "text", None, [1], np.float16(1)):
        with pytest.raises(TypeError, match="compiled code takes"):
            kinds_and_cells((argument,))
    with pytest.raises(ValueError, match="no kind"):
        cell_types(("unheard",))


def test_argument_kinds_distinguish_what_numba_does() -> None:
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


SOURCE = """
def tally(numbers):
    found = 0
    for number in numbers:
        found += number
    return found
"""


@pytest.fixture
def tally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A function that looks like a kernel by its source location, and a folder for its compiled code."""
    names: dict[str, Any] = {"__name__": "kernels.tallies"}
    exec(compile(SOURCE, str(Path(compiled.__file__).parents[1] / "tallies.py"), "exec"), names)
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    function: Callable[..., Any] = names["tally"]
    return function


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The argument types for which numba was called to compile."""
    found: list[tuple[str, ...]] = []
    compile_it = drafts.object_file

    def note(function: Callable[..., Any], arguments: Any, kinds: tuple[str, ...]) -> ObjectFile:
        found.append(kinds)
        return compile_it(function, arguments, kinds)

    monkeypatch.setattr(drafts, "object_file", note)
    monkeypatch.setattr(compiled, "STORED_FILES", set())
    return found


def test_a_kernel_is_compiled_once_and_again_if_its_file_is_unusable(
    tally: Callable[..., Any], tmp_path: Path, asked: list[tuple[str, ...]]
) -> None:
    assert [EntryPoint(tally)(np.arange(5)) for _ in range(2)] == [10, 10]
    assert len(asked) == 1
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    path.write_bytes(good[:-7])
    assert EntryPoint(tally)(np.arange(5)) == 10
    assert len(asked) == 2
    assert len(path.read_bytes()) > len(good) - 7
    assert EntryPoint(tally)(np.arange(5, dtype=np.int32)) == 10
    assert len(set(asked)) == 2
    assert {each.name for each in tmp_path.iterdir()} == compiled.STORED_FILES
    assert len(compiled.STORED_FILES) == 2


def test_functions_outside_the_kernels_folder_are_not_cached(
    tmp_path: Path, asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache folder's name would not change with their source."""
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    names: dict[str, Any] = {"__name__": "elsewhere.tallies"}
    exec(compile(SOURCE, str(tmp_path.parent / "tallies.py"), "exec"), names)
    assert EntryPoint(names["tally"])(np.arange(5)) == 10
    assert list(tmp_path.iterdir()) == []
    assert set() == compiled.STORED_FILES


def test_a_part_is_loaded_from_files_and_recompiled_if_one_is_missing(
    tally: Callable[..., Any], tmp_path: Path, asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "")
    told: list[str] = []

    def start() -> None:
        make_ready(EnginePart.SEARCH, lambda step: told.append(str(step)), rehearse)

    def rehearse(_part: EnginePart) -> None:
        told.append(f"run {EntryPoint(tally)(np.arange(5))}")

    compiles = str(LoadingStep(EnginePart.SEARCH)).replace("loading", "compiling") + ", only once on this machine"
    loads = str(LoadingStep(EnginePart.SEARCH))
    start()
    start()
    assert told == [compiles, "run 10", loads]
    assert len(asked) == 1
    (path,) = tmp_path.glob(f"*{objects.SUFFIX}")
    path.unlink()
    start()
    start()
    assert told[3:] == [compiles, "run 10", loads]


def test_a_start_with_everything_compiled_imports_no_numba() -> None:
    warm_up(improving=True)
    code = """
import sys
from tests.engine.small_problems import HARD_GRID, HARD_WORDS, lexicon_of, problem_of
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
    assert run_python(code).split() == ["None", "False"]


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
    """Whether any specialization of a function has machine code."""
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
