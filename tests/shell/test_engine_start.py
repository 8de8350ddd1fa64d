"""What a command says of the engine's start."""

from pathlib import Path

import pytest

from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.cache_folder import CacheDoubt, CacheRefusal, KernelCache
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.session.messages import EnginePhase, EngineState
from xwtui.shell.progress import ProgressTeller


@pytest.mark.parametrize("doubt", [None, *CacheDoubt])
def test_a_cache_that_is_not_used_is_told_in_one_line(
    doubt: CacheDoubt | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    refusal = doubt and CacheRefusal(doubt, tmp_path, tmp_path)
    monkeypatch.setattr(compiled, "kernel_cache", lambda: KernelCache(None if refusal else tmp_path, refusal))
    monkeypatch.setattr(compiled, "JIT", True)
    monkeypatch.setattr(compiled, "is_fence_untried", lambda: False)
    monkeypatch.setattr("xwtui.engine.warmup.warm_up", lambda *_, **__: 0.0)
    monkeypatch.setattr("xwtui.engine.warmup.step_at_first_start", lambda: None)
    EngineLoader(ProgressTeller(is_json=False).hear, Scheduler(), looks_ahead=False).wait(lambda: False)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (f"xwtui: {refusal}\n" if refusal else "")


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_first_start_says_that_it_compiles_before_the_compiler_is_tried(
    is_kept: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told: list[str] = []
    monkeypatch.setattr(compiled, "kernel_cache", lambda: KernelCache(tmp_path if is_kept else None))
    monkeypatch.setattr(compiled, "JIT", True)
    monkeypatch.setattr("xwtui.engine.warmup.cache_refusal", lambda: told.append(capsys.readouterr().err))
    monkeypatch.setattr("xwtui.engine.warmup.warm_up", lambda *_, **__: 0.0)
    EngineLoader(ProgressTeller(is_json=False).hear, Scheduler(), looks_ahead=False).wait(lambda: False)
    once = ", once on this machine" if is_kept else ""
    assert told == [f"xwtui: compiling the fill engine{once}; all of the engine takes about half a minute\n"]


@pytest.mark.parametrize("is_json", [False, True])
def test_off_a_terminal_compiling_is_told_once(is_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    teller = ProgressTeller(is_json=is_json)
    for part in (EnginePart.SEARCH, EnginePart.COUNTING):
        for stage in (LoadingStage.LOADING, LoadingStage.COMPILING, LoadingStage.COMPILING):
            teller.hear(EngineState(EnginePhase.COMPILING, LoadingStep(part, stage, is_kept=True)))
    told = capsys.readouterr().err
    if is_json:
        assert len(told.splitlines()) == 6
    else:
        assert told == (
            "xwtui: compiling the fill engine, once on this machine; all of the engine takes about half a minute\n"
        )
