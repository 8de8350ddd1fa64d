"""Measuring and page-writing scripts print help on request, and then do nothing else."""

import importlib
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_BEGUN_BY_OTHERS = {"bench.launcher"}
"""Started by another benchmark program, with any arguments."""
TOOLS = sorted(
    name
    for room in ("bench", "docs")
    for path in (ROOT / room).glob("*.py")
    if "__main__" in path.read_text(encoding="utf-8") and (name := f"{room}.{path.stem}") not in _BEGUN_BY_OTHERS
)


@pytest.mark.parametrize("name", TOOLS)
def test_help_is_printed_and_nothing_done(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(name, run_name="__main__")
    assert not ended.value.code
    told = capsys.readouterr().out
    assert f"python -m {name}" in told or "Usage" in told or "usage" in told


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.py")), ids=lambda path: path.stem)
def test_imports_of_page_scripts_exist(path: Path) -> None:
    """Including scripts that are only imported; type checkers do not cover this folder."""
    importlib.import_module(f"docs.{path.stem}")


def test_tools_are_detected() -> None:
    assert {"bench.words_bench", "bench.check_proof", "docs.strategy_race", "docs.verb_tables"} <= {*TOOLS}
