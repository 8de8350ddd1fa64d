"""What a command says of the engine's start."""

from pathlib import Path

import pytest

from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.cache_folder import CacheDoubt, CacheRefusal, KernelCache
from xwtui.shell.engine_start import warn_of_cache


@pytest.mark.parametrize("doubt", [None, *CacheDoubt])
def test_a_cache_that_is_not_used_is_told_in_one_line(
    doubt: CacheDoubt | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    refusal = doubt and CacheRefusal(doubt, tmp_path, tmp_path)
    monkeypatch.setattr(compiled, "kernel_cache", lambda: KernelCache(None if refusal else tmp_path, refusal))
    monkeypatch.setattr(compiled, "JIT", True)
    warn_of_cache()
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (f"xwtui: {refusal}\n" if refusal else "")
