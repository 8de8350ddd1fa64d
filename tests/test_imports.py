"""The direction of imports, proven by the contracts in pyproject.toml."""

from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent


def lint(config: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(ROOT)
    return lint_imports(config_filename=str(config), no_cache=True)


def test_imports_run_one_way(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status = lint(ROOT / "pyproject.toml", monkeypatch)
    assert status == 0, capsys.readouterr().out


def test_the_linter_sees_a_wrong_direction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upside_down = tmp_path / "contracts.toml"
    upside_down.write_text(
        '[tool.importlinter]\nroot_package = "xwtui"\n'
        '[[tool.importlinter.contracts]]\nname = "upside down"\ntype = "layers"\n'
        'layers = ["xwtui.model", "xwtui.words"]\n'
    )
    assert lint(upside_down, monkeypatch) != 0
