"""The process that compiles for another one, and what happens where it cannot."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.loading_step import EnginePart
from xwtui.engine.warmup import SOURCES, compiles_elsewhere, make_ready, warm_up

PATIENCE = 300
COMPILED_WITHIN = ["compiling the fill engine, only once on this machine", "run"]

if sys.platform == "win32":
    pytest.skip("what stands in for Python is a script of the shell", allow_module_level=True)


def begun(folder: Path | None, *rest: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "xwtui.engine.warmup", str(folder), *rest],
        stdin=subprocess.PIPE,
        text=True,
    )


def test_it_compiles_what_it_is_asked_for() -> None:
    warm_up(counting=False)  # what is compiled already, it only loads
    with begun(compiled.cache_folder(), SOURCES, "search") as process:
        assert process.wait(PATIENCE) == 0


def test_it_ends_with_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the midst of compiling, too."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    told = "from xwtui.engine.kernels.compiler.compiled import cache_folder; print(cache_folder())"
    folder = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    ).stdout.strip()
    with begun(Path(folder), SOURCES, "improving") as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
    assert not list(Path(folder).glob("*.ready"))


def test_it_compiles_for_no_other_folder_and_no_other_sources(tmp_path: Path) -> None:
    for folder, sources in ((tmp_path, SOURCES), (compiled.cache_folder(), str(tmp_path))):
        with begun(folder, sources) as process:
            assert process.wait(PATIENCE) == 1


@pytest.fixture
def make_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Make the search ready where the program that stands in for Python is a script; returns what was told."""

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
def test_in_any_case_the_part_is_made_ready_here(script: str, make_search: Callable[[str], list[str]]) -> None:
    assert make_search(script) == COMPILED_WITHIN


def test_a_program_that_cannot_be_begun_is_none(
    make_search: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert make_search("exit 1") == COMPILED_WITHIN


@pytest.mark.parametrize("program", ["", "/opt/editor/editor", "C:/Tools/blender.exe"])
def test_a_program_with_python_in_it_is_not_begun_again(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("begun"))
    assert not compiles_elsewhere(Path())
