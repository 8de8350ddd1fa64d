"""The kernel cache, and kernels run as plain Python."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.examples import is_deep
from tests.known import known
from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.compiled import JIT, SelfCheckFailure, SelfCheckFault, run_self_check
from xwtui.engine.loading_step import EnginePart, LoadingStep
from xwtui.engine.warmup import SOURCES, compile_in_subprocess, is_warm, make_ready, seconds_spent, warm_up

ROOT = Path(__file__).parents[2]


def run_python(code: str, **environment: str) -> str:
    """Run code in a new process, and return its output."""
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


def test_warm_up_reports_progress_and_runs_once() -> None:
    told: list[LoadingStep] = []
    assert warm_up(told.append, improving=True) == seconds_spent()
    assert is_warm(improving=True)
    assert {step.part for step in told} <= set(EnginePart)
    told.clear()
    warm_up(told.append, improving=True)
    assert told == []


def test_a_new_process_finds_the_kernels_in_the_cache() -> None:
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
def test_a_first_compile_runs_in_another_process(tmp_path: Path) -> None:
    cold, warm = (run_python(COLD, NUMBA_CACHE_DIR=str(tmp_path)).splitlines() for _ in range(2))
    assert cold == ["None", "compiling the fill engine, only once on this machine", "0"]
    assert warm == ["None", "loading the fill engine", "0"]


@pytest.mark.skipif(not is_deep(), reason="compiles: make test-deep")
def test_the_recorder_detects_a_compile(tmp_path: Path) -> None:
    begun = "import sys; sys.executable = ''\n"
    assert int(run_python(begun + COLD, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()[-1]) > 0


def test_the_cache_folder_name_depends_on_the_sources(tmp_path: Path) -> None:
    before = compiled.source_fingerprint()
    assert before == compiled.source_fingerprint()
    copies = tmp_path / "kernels"
    kernels = Path(compiled.__file__).parents[1]
    shutil.copytree(kernels, copies, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(kernels.parent / "rehearsal.py", tmp_path)
    assert compiled.source_fingerprint(copies) == before
    (copies / "search" / "search.py").write_text("# edited\n")
    assert compiled.source_fingerprint(copies) != before


def test_the_cache_folder_name_depends_on_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    find = compiled.kernel_cache.__wrapped__
    here = known(find().folder)
    assert here == find().folder
    monkeypatch.setattr(compiled, "machine", lambda: "another")
    assert find().folder not in {here, None}


def test_without_a_writable_folder_kernels_still_compile(tmp_path: Path) -> None:
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


A_FILL = """
from tests.engine.fill.test_filler import HASTY
from tests.engine.small_problems import HARD_GRID, HARD_WORDS, problem_of
from xwtui.engine.fill.filler import Filler
for seed in range(2):
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=seed, settings=HASTY)
    filler.advance(nodes=40)
    taken = filler.statistics
    print(filler.outcome.value, taken.nodes, taken.backtracks, taken.restarts, taken.depth)
    print(sorted(filler.answers().items()))
"""


def test_plain_python_makes_the_same_search() -> None:
    assert run_python(A_FILL, NUMBA_DISABLE_JIT="1") == run_python(A_FILL)


PATIENCE = 300
COMPILED_WITHIN = ["compiling the fill engine, only once on this machine", "run"]


def begun(folder: Path | None, *rest: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "xwtui.engine.warmup", str(folder), *rest],
        stdin=subprocess.PIPE,
        text=True,
    )


def test_it_compiles_the_requested_parts() -> None:
    warm_up(counting=False)  # loads what is already compiled
    with begun(compiled.cache_folder(), SOURCES, "search") as process:
        assert process.wait(PATIENCE) == 0


def test_it_ends_when_its_input_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even while it is compiling."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    told = "from xwtui.engine.kernels.compiler.compiled import cache_folder; print(cache_folder())"
    folder = Path(run_python(told).strip())
    with begun(folder, SOURCES, "improving") as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
    assert not list(folder.glob("*.ready"))


def test_it_refuses_another_folder_or_other_sources(tmp_path: Path) -> None:
    for folder, sources in ((tmp_path, SOURCES), (compiled.cache_folder(), str(tmp_path))):
        with begun(folder, sources) as process:
            assert process.wait(PATIENCE) == 1


@pytest.fixture
def make_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Prepare the search with a script in place of the Python program; return the messages."""
    if sys.platform == "win32":
        pytest.skip("it is a script of the shell")

    def make(script: str) -> list[str]:
        program = tmp_path / "python-script"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)
        monkeypatch.setattr(sys, "executable", str(program))
        monkeypatch.setattr(compiled, "JIT", True)
        monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
        told: list[str] = []
        make_ready(EnginePart.SEARCH, lambda step: told.append(str(step)), lambda _: told.append("run"))
        return told

    return make


@pytest.mark.parametrize("script", ["exit 1", "exit 0", "echo nonsense", "kill -9 $$"])
def test_the_part_is_always_prepared_in_this_process(script: str, make_search: Callable[[str], list[str]]) -> None:
    assert make_search(script) == COMPILED_WITHIN


def test_a_program_that_cannot_be_started_is_skipped(
    make_search: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert make_search("exit 1") == COMPILED_WITHIN


@pytest.mark.parametrize("program", ["", "/opt/editor/editor", "C:/Tools/blender.exe"])
def test_an_executable_with_embedded_python_is_not_started_again(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("begun"))
    assert not compile_in_subprocess(Path())


needs_jit = pytest.mark.skipif(not JIT, reason="plain Python has nothing compiled")

WITHOUT_DRAFTS = """
import sys
sys.executable = ""
sys.modules["xwtui.engine.kernels.compiler.drafts"] = None
"""

A_RUN = """
from tests.engine.test_records import fresh_notes, fresh_sources, move
from xwtui.engine.warmup import cache_refusal
notes = fresh_notes()
print([move(notes, fresh_sources(), row, column) for row in range(5) for column in range(3)])
print([getattr(notes, name).tolist() for name in notes.fields if name != "words"])
print(cache_refusal())
"""


@needs_jit
def test_a_working_numba_is_marked_as_such(tmp_path: Path) -> None:
    assert run_self_check(tmp_path) is None
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]
    assert compiled.has_passed_self_check(tmp_path)


@needs_jit
def test_a_marked_numba_is_not_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_self_check(tmp_path) is None
    monkeypatch.setattr(compiled, "compiled_self_check", lambda *_: pytest.fail("compiled again"))
    assert run_self_check(tmp_path) is None


@needs_jit
def test_a_wrong_result_is_a_failure_and_not_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "plain_self_check", lambda: [0, [], []])
    assert run_self_check(tmp_path) == SelfCheckFailure(SelfCheckFault.DIFFERS)
    assert list(tmp_path.iterdir()) == []


@needs_jit
def test_a_compiler_error_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("add_linking_library() takes 3 arguments\nand more")

    monkeypatch.setattr(compiled, "compiled_self_check", fail)
    failure = run_self_check(None)
    assert failure == SelfCheckFailure(SelfCheckFault.FAILED, "add_linking_library() takes 3 arguments")
    assert len(str(failure).splitlines()) == 1


@needs_jit
def test_without_numba_internals_kernels_work_with_plain_numba(tmp_path: Path) -> None:
    *fenced, nothing = run_python(A_RUN).splitlines()
    *plain, notice = run_python(WITHOUT_DRAFTS + A_RUN, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()
    assert nothing == "None"
    assert "lacks what the engine's compiler needs" in notice
    assert plain == fenced


@needs_jit
@pytest.mark.skipif(not is_deep(), reason="plain numba compiles for a minute")
def test_plain_and_fenced_numba_make_the_same_fill(tmp_path: Path) -> None:
    expected = run_python(A_FILL)
    assert run_python(WITHOUT_DRAFTS + A_FILL, NUMBA_CACHE_DIR=str(tmp_path)) == expected
