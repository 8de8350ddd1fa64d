"""What a command says of the engine's start."""

from pathlib import Path

import pytest

from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.cache_folder import CacheDoubt, CacheRefusal, KernelCache
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.shell.progress import ProgressTeller


@pytest.mark.parametrize("doubt", [None, *CacheDoubt])
def test_a_cache_that_is_not_used_is_told_in_one_line(
    doubt: CacheDoubt | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    refusal = doubt and CacheRefusal(doubt, tmp_path, tmp_path)
    monkeypatch.setattr(compiled, "kernel_cache", lambda: KernelCache(None if refusal else tmp_path, refusal))
    monkeypatch.setattr(compiled, "JIT", True)
    monkeypatch.setattr("xwtui.engine.warmup.warm_up", lambda *_, **__: 0.0)
    EngineLoader(ProgressTeller(is_json=False).hear, Scheduler(), looks_ahead=False).wait(lambda: False)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (f"xwtui: {refusal}\n" if refusal else "")
