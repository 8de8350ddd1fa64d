"""What leans on numba's insides is tried before it is used, and plain numba does the same without it."""

import os
from pathlib import Path

import pytest

from tests.engine.test_compiled import run_python
from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.compiled import JIT, FenceDoubt, FenceFailure, tried_fence

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python has nothing compiled")

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

A_FILL = """
from tests.engine.small_problems import problem_of
from tests.engine.small_problems import HARD_GRID, HARD_WORDS
from xwtui.engine.fill.filler import Filler
filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1)
filler.advance(nodes=40)
print(filler.outcome.value, filler.statistics.nodes, sorted(filler.answers().items()))
"""


def test_a_numba_as_expected_is_marked_as_such(tmp_path: Path) -> None:
    assert tried_fence(tmp_path) is None
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]
    assert compiled.is_known_to_hold(tmp_path)


def test_what_is_marked_is_not_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tried_fence(tmp_path) is None
    monkeypatch.setattr(compiled, "by_the_fence", lambda *_: pytest.fail("compiled again"))
    assert tried_fence(tmp_path) is None


def test_another_result_is_a_failure_and_not_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "by_python", lambda: [0, [], []])
    assert tried_fence(tmp_path) == FenceFailure(FenceDoubt.DIFFERS)
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_compiler_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("add_linking_library() takes 3 arguments\nand more")

    monkeypatch.setattr(compiled, "by_the_fence", fail)
    failure = tried_fence(None)
    assert failure == FenceFailure(FenceDoubt.FAILED, "add_linking_library() takes 3 arguments")
    assert len(str(failure).splitlines()) == 1


def test_without_numbas_insides_kernels_do_the_same_by_plain_numba(tmp_path: Path) -> None:
    *fenced, nothing = run_python(A_RUN).splitlines()
    *plain, notice = run_python(WITHOUT_DRAFTS + A_RUN, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()
    assert nothing == "None"
    assert "lacks what the engine's compiler needs" in notice
    assert plain == fenced


@pytest.mark.skipif(os.environ.get("HYPOTHESIS_PROFILE") != "deep", reason="plain numba compiles for a minute")
def test_numba_plain_or_fenced_makes_the_very_same_fill(tmp_path: Path) -> None:
    expected = run_python(A_FILL)
    assert run_python(WITHOUT_DRAFTS + A_FILL, NUMBA_CACHE_DIR=str(tmp_path)) == expected
