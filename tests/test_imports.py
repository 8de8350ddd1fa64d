"""The direction of imports, proven by the contracts in pyproject.toml."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import grimp
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


def test_no_imports_run_in_a_circle() -> None:
    """Not within functions, either; only a type may refer back, as that of a puzzle in what a rule says of it."""
    graph = grimp.build_graph("xwtui", exclude_type_checking_imports=True)
    imports = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    assert list(circles(imports)) == []


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"c"}}, [{"c", "d"}, {"a", "b"}]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}, [{"a", "b", "c"}]),
    ],
)
def test_circles_are_seen(imports: dict[str, set[str]], expected: list[set[str]]) -> None:
    assert list(circles(imports)) == expected


def circles(imports: Mapping[str, set[str]]) -> Iterator[frozenset[str]]:
    """The sets of modules each of which leads to all others of its set (Tarjan, SIAM J. Comput. 1, 1972)."""
    order: dict[str, int] = {}
    earliest: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> Iterator[frozenset[str]]:
        order[module] = earliest[module] = len(order)
        stack.append(module)
        for imported in sorted(imports[module]):
            if imported not in order:
                yield from visit(imported)
                earliest[module] = min(earliest[module], earliest[imported])
            elif imported in stack:
                earliest[module] = min(earliest[module], order[imported])
        if earliest[module] == order[module]:
            circle = frozenset(stack[stack.index(module) :])
            del stack[stack.index(module) :]
            if len(circle) > 1:
                yield circle

    for module in sorted(imports):
        if module not in order:
            yield from visit(module)
