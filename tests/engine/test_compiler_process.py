"""The process that compiles for another one, and what happens where it cannot."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from xwtui.engine import compiling
from xwtui.engine.compiling import READY, SOURCES, compiler_process, make_ready
from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.loading_step import EnginePart
from xwtui.engine.warmup import warm_up

PATIENCE = 300
COMPILED_WITHIN = ["compiling the fill engine, once on this machine", "run"]

if sys.platform == "win32":
    pytest.skip("what stands in for Python is a script of the shell", allow_module_level=True)


def begun(folder: Path, sources: str = SOURCES) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "xwtui.engine.compiling", str(folder), sources],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_it_answers_each_part_and_ends_with_its_input() -> None:
    warm_up(counting=False)  # what is compiled already, it only loads
    folder = compiled.cache_folder()
    assert folder is not None
    with begun(folder) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == f"{READY}\n"
        for _ in range(2):
            process.stdin.write("search\n")
            process.stdin.flush()
            assert process.stdout.readline() == "search\n"
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_the_loader_is_tried_before_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The face would have to try it, and import numba for that."""
    told: list[str] = []
    monkeypatch.setattr(compiled, "fence_failure", lambda: None)
    monkeypatch.setattr(compiled, "loading_failure", lambda: told.append(capsys.readouterr().out))
    assert compiling._compile_parts(tmp_path, iter(())) == 0
    assert told == [""]
    assert capsys.readouterr().out == f"{READY}\n"


def test_it_compiles_for_no_other_folder_and_no_other_sources(tmp_path: Path) -> None:
    folder = compiled.cache_folder()
    assert folder is not None
    refuses(begun(tmp_path))
    refuses(begun(folder, str(tmp_path)))


def refuses(begun_process: "subprocess.Popen[str]") -> None:
    with begun_process as process:
        assert process.stdout is not None
        assert process.stdout.read() == ""
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
        make_ready(EnginePart.SEARCH, lambda: told.append("run"), lambda step: told.append(str(step)))
        return told

    return make


@pytest.mark.parametrize(
    "script",
    [
        "exit 1",
        "echo nonsense; exec cat",
        "echo ready",
        "echo ready; read -r part; exit 1",
        "echo ready; read -r part; echo else; exec cat",
        "echo ready; read -r part; echo $part; exec cat",
    ],
)
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
    assert not compiling._is_python()


def test_one_process_serves_all_who_use_it_meanwhile() -> None:
    with compiler_process() as first:
        with compiler_process() as second:
            assert second is first
        with compiler_process() as third:
            assert third is first
    with compiler_process() as fourth:
        assert fourth is not first
