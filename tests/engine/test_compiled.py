"""The compiled cache, and the same code as plain Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import is_deep
from tests.known import known
from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.loading_step import EnginePart, LoadingStep
from xwtui.engine.warmup import is_warm, seconds_spent, warm_up

ROOT = Path(__file__).parents[2]


def run_python(code: str, **environment: str) -> str:
    """Run code in a fresh process, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_warm_up_tells_what_it_does_and_is_done_once() -> None:
    told: list[LoadingStep] = []
    assert warm_up(told.append, improving=True) == seconds_spent()
    assert is_warm(improving=True)
    assert {step.part for step in told} <= set(EnginePart)
    told.clear()
    warm_up(told.append, improving=True)
    assert told == []


def test_a_fresh_process_finds_the_kernels_in_the_cache() -> None:
    warm_up(improving=True)
    told = run_python("from xwtui.engine.warmup import warm_up; warm_up(print, improving=True)")
    assert told.splitlines() == [
        "loading the fill engine",
        "loading the fill counter",
        "loading the improver and rules",
    ]


COLD = """
from numba.core import event
with event.install_recorder("numba:compile") as within:
    from xwtui.engine.warmup import cache_refusal, warm_up
    print(cache_refusal())
    warm_up(print, counting=False)
print(len(within.buffer))
"""


@pytest.mark.skipif(not is_deep(), reason="compiles: make test-deep")
def test_a_first_compile_is_none_of_this_process(tmp_path: Path) -> None:
    cold, warm = (run_python(COLD, NUMBA_CACHE_DIR=str(tmp_path)).splitlines() for _ in range(2))
    assert cold == ["None", "compiling the fill engine, only once on this machine", "0"]
    assert warm == ["None", "loading the fill engine", "0"]


@pytest.mark.skipif(not is_deep(), reason="compiles: make test-deep")
def test_the_recorder_sees_a_compile(tmp_path: Path) -> None:
    begun = "import sys; sys.executable = ''\n"
    assert int(run_python(begun + COLD, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()[-1]) > 0


def test_the_cache_folder_is_named_by_the_sources(tmp_path: Path) -> None:
    before = compiled.source_fingerprint()
    assert before == compiled.source_fingerprint()
    copies = tmp_path / "kernels"
    kernels = Path(compiled.__file__).parents[1]
    shutil.copytree(kernels, copies, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(kernels.parent / "warmup.py", tmp_path)
    assert compiled.source_fingerprint(copies) == before
    (copies / "search" / "search.py").write_text("# edited\n")
    assert compiled.source_fingerprint(copies) != before


def test_the_cache_folder_is_named_by_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    find = compiled.kernel_cache.__wrapped__
    here = known(find().folder)
    assert here == find().folder
    monkeypatch.setattr(compiled, "machine", lambda: "another")
    assert find().folder not in {here, None}


def test_without_a_folder_to_write_to_kernels_still_compile(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = """
import numpy as np
from xwtui.engine.kernels.compiler.compiled import cache_folder
from xwtui.engine.kernels.network import FIRST_ROWS
from xwtui.engine.kernels.setup import build_supports
supports = np.zeros(2 * 26, np.uint64)
counts, first_rows = np.zeros(52, np.int32), np.zeros(52 * FIRST_ROWS, np.int32)
build_supports(np.array([0, 1, 2, 1], np.uint8), 2, 26, supports, counts, first_rows)
print(cache_folder(), supports[0], supports[2], supports[27])
"""
    printed = run_python(code, NUMBA_CACHE_DIR=str(blocked / "below"))
    assert printed.split() == ["None", "1", "2", "3"]


def test_plain_python_makes_the_very_same_search() -> None:
    code = """
from tests.engine.small_problems import problem_of
from tests.engine.fill.test_filler import HARD_GRID, HARD_WORDS, HASTY
from xwtui.engine.fill.filler import Filler
for seed in range(2):
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=seed, settings=HASTY)
    filler.advance(nodes=40)
    taken = filler.statistics
    print(filler.outcome.value, taken.nodes, taken.backtracks, taken.restarts, taken.depth)
    print(sorted(filler.answers().items()))
"""
    assert run_python(code, NUMBA_DISABLE_JIT="1") == run_python(code)
