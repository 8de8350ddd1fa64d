"""Import direction, proven by contracts; placement of imports; and lazy loading."""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import pickle
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.cli import lint_imports

from xwtui.lazy import LazyPattern, lazy_imports

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "xwtui").rglob("*.py"))

MOST_IMPORTS_ELSEWHERE = 60
"""Upper limit for TYPE_CHECKING blocks and function-level imports in total."""


def lint(config: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("logging.config.dictConfig", lambda _: None)  # It would shut down all other loggers.
    return lint_imports(config_filename=str(config), no_cache=True)


def test_import_contracts_hold(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status = lint(ROOT / "pyproject.toml", monkeypatch)
    assert status == 0, capsys.readouterr().out


def test_the_linter_detects_a_wrong_direction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upside_down = tmp_path / "contracts.toml"
    upside_down.write_text(
        '[tool.importlinter]\nroot_package = "xwtui"\n'
        '[[tool.importlinter.contracts]]\nname = "upside down"\ntype = "layers"\n'
        'layers = ["xwtui.model", "xwtui.words"]\n'
    )
    assert lint(upside_down, monkeypatch) != 0


def test_there_are_no_import_cycles() -> None:
    """Includes imports within functions and for type checking only."""
    graph = grimp.build_graph("xwtui", cache_dir=None)
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
def test_cycles_are_detected(imports: dict[str, set[str]], expected: list[set[str]]) -> None:
    assert list(circles(imports)) == expected


def circles(imports: Mapping[str, set[str]]) -> Iterator[frozenset[str]]:
    """Yield the strongly connected components of several modules (Tarjan, SIAM J. Comput. 1, 1972)."""
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


def test_imports_are_at_the_top() -> None:
    elsewhere = [f"{path}:{line}" for path in SOURCES for line in not_at_the_top(ast.parse(path.read_text()))]
    assert len(elsewhere) <= MOST_IMPORTS_ELSEWHERE, elsewhere


def test_lazy_names_are_used_only_as_supported() -> None:
    """A lazy name is a proxy, so it cannot be a constant, be caught by `except`, or be passed on."""
    wrong = []
    for path in SOURCES:
        tree = ast.parse(path.read_text())
        allowed = {"type", "value"} if keeps_annotations(tree) else {"value"}
        wrong += [
            f"{path}:{line} {name}" for name, use, line in uses(tree, lazy_names(tree)) if use not in allowed
        ]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("x: late", "type"),
        ("x: dict[str, late | None] = {}", "type"),
        ("def f(x: late) -> None: ...", "type"),
        ("def f() -> list[late]: ...", "type"),
        ("late(1)", "value"),
        ("late.x", "value"),
        ("isinstance(1, late)", "value"),
        ("isinstance(1, (str, late))", "value"),
        ("f(late)", "other"),
        ("late + 1", "other"),
        ("class A(late): ...", "other"),
        ("try: f()\nexcept late: ...", "other"),
        ("x = late", "other"),
        ("@late\ndef f() -> None: ...", "other"),
        ("isinstance(1, str | late)", "other"),
    ],
)
def test_uses_of_lazy_names_are_classified(line: str, use: str) -> None:
    assert [found for _, found, _ in uses(ast.parse(line), {"late"})] == [use]


def not_at_the_top(tree: ast.AST) -> set[int]:
    """Return the lines of TYPE_CHECKING blocks and of import statements in functions."""
    blocks = {each.lineno for each in ast.walk(tree) if isinstance(each, ast.If) and is_for_types(each)}
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    imports = (
        each for one in functions for each in ast.walk(one) if isinstance(each, ast.Import | ast.ImportFrom)
    )
    return blocks | {each.lineno for each in imports}


def is_for_types(condition: ast.If) -> bool:
    return "TYPE_CHECKING" in ast.unparse(condition.test)


def lazy_names(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Return the names that are imported lazily, each with its module and original name."""
    return {
        one.asname or one.name: (each.module or "" if isinstance(each, ast.ImportFrom) else "", one.name)
        for block in tree.body
        if isinstance(block, ast.With) and ast.unparse(block.items[0]) == "lazy_imports()"
        for each in block.body
        if isinstance(each, ast.Import | ast.ImportFrom)
        for one in each.names
    }


def keeps_annotations(tree: ast.Module) -> bool:
    return any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in tree.body)


def uses(node: ast.AST, names: Iterable[str], use: str = "other") -> Iterator[tuple[str, str, int]]:
    """Yield each use of a name: `type` (annotation), `value` (supported by lazy names), or `other`."""
    if isinstance(node, ast.Name) and node.id in names and is_loaded(node):
        yield node.id, use, node.lineno
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        names = set(names) - bound_in(node)
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from uses(child, names, use_of_part(node, field, use))


def bound_in(function: ast.AST) -> set[str]:
    found = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    return found | {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and not is_loaded(each)}


def is_loaded(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def use_of_part(node: ast.AST, field: str, use: str) -> str:
    if use == "type" or field in {"annotation", "returns"}:
        return "type"
    if isinstance(node, ast.Call):
        asks = field == "args" and ast.unparse(node.func) in {"isinstance", "issubclass"}
        return "value" if asks or field == "func" else "other"
    if isinstance(node, ast.Tuple):
        return use
    return "value" if isinstance(node, ast.Attribute) else "other"


Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write importable modules, and unload them after the test."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)

    def written(name: str, text: str) -> None:
        path = (tmp_path / name.replace(".", "/")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        importlib.invalidate_caches()

    yield written
    for name in set(sys.modules) - before:
        del sys.modules[name]


def imported(statement: str) -> dict[str, Any]:
    """Return the namespace of a module that runs this import statement lazily."""
    names: dict[str, Any] = {"lazy_imports": lazy_imports}
    exec(f"with lazy_imports():\n    {statement}", names)
    return names


def test_modules_load_on_first_use(write: Write) -> None:
    write("late_one", "def double(x): return 2 * x")
    write("late_package.__init__", "")
    write("late_package.inner", "FIVE = 5")
    names = imported("import late_one; from late_one import double as twice; from late_package import inner")
    assert not {"late_one", "late_package", "late_package.inner"} & set(sys.modules)
    assert names["twice"](4) == names["late_one"].double(4) == 8
    assert "late_package" not in sys.modules
    assert names["inner"].FIVE == 5
    assert repr(names["twice"]) == "<lazy late_one.double>"


def test_imports_of_other_modules_load() -> None:
    before = builtins.__import__
    with lazy_imports():
        assert builtins.__import__("json", {}).dumps is json.dumps
    assert builtins.__import__ is before


def test_a_lazy_class_supports_isinstance_and_calls() -> None:
    lazily = imported("from decimal import Decimal")["Decimal"]
    assert isinstance(Decimal(1), lazily)
    assert isinstance(Decimal(1), (str, lazily))
    assert not isinstance(1, lazily)
    assert lazily("1.5") == Decimal("1.5")
    assert lazily.from_float(0.5) == Decimal("0.5")


def test_a_failing_module_raises_its_full_error_each_time(write: Write) -> None:
    write("late_broken", "def f():\n    raise ValueError('not today')\nf()")
    names = imported("from late_broken import f; from late_lacking import g; from json import no_such")
    for _ in range(2):
        with pytest.raises(ValueError, match="not today") as told:
            names["f"]()
        assert told.traceback[-1].name == "f"
        with pytest.raises(ModuleNotFoundError, match="late_lacking"):
            names["g"]()
        with pytest.raises(ImportError, match="cannot import name 'no_such' from 'json'"):
            names["no_such"].x  # noqa: B018
    write("late_broken", "def f():\n    return 'mended, and longer'")
    assert names["f"]() == "mended, and longer"


def test_patched_and_reloaded_names_are_seen(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("late_changing", "def f(): return 1")
    f = imported("from late_changing import f")["f"]
    assert f() == 1
    with monkeypatch.context() as held:
        held.setattr("late_changing.f", lambda: 2)
        assert f() == 2
    write("late_changing", "def f(): return 'read again'")
    importlib.reload(sys.modules["late_changing"])
    assert f() == "read again"


def test_all_lazy_patterns_can_be_compiled() -> None:
    found = []
    for source in SOURCES:
        if "lazy_pattern(" in source.read_text():
            module = importlib.import_module(".".join(source.relative_to(ROOT).with_suffix("").parts))
            found += [value for value in vars(module).values() if isinstance(value, LazyPattern)]
    assert [each.pattern for each in found if each.groups < 0] == []
    assert len(found) > 100


def test_a_lazy_pattern_is_compiled_on_first_use() -> None:
    unclosed = LazyPattern("(")
    assert unclosed.pattern == "("
    with pytest.raises(re.error, match="missing"):
        unclosed.match("")
    letters = LazyPattern("[a-z]+", re.IGNORECASE)
    assert [letters.sub("-", text) for text in ("1Ox2", "ox")] == ["1-2", "-"]


def test_a_lazy_name_is_pickled_by_name() -> None:
    again = pickle.loads(pickle.dumps(imported("from json import dumps")["dumps"]))
    assert repr(again) == "<lazy json.dumps>"
    assert again([1]) == "[1]"


@pytest.mark.parametrize(
    "statement", ["import os.path", "import os.path as p", "from os import *", "from . import x"]
)
def test_other_forms_of_import_are_refused(statement: str) -> None:
    before = builtins.__import__
    with pytest.raises(ImportError, match="is to be imported lazily as"):
        imported(statement)
    assert builtins.__import__ is before


def test_threads_wait_until_a_module_is_loaded(write: Write) -> None:
    """Of twenty concurrent threads, none sees the module half loaded, and it is loaded once."""
    write("late_slow", "import time\nLOADED = []\ntime.sleep(0.1)\nLOADED.append(1)\ndef f(): return len(LOADED)")
    names = imported("import late_slow; from late_slow import f")
    ready = threading.Barrier(20)
    found: list[int] = []

    def use(number: int) -> None:
        ready.wait()
        found.append(names["f"]() if number % 2 else names["late_slow"].f())

    threads = [threading.Thread(target=use, args=[number]) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 20


def test_lazy_import_blocks_of_threads_take_turns() -> None:
    """While one thread is in a block, other threads' imports load eagerly, and their own blocks wait."""
    before = builtins.__import__
    entered = threading.Barrier(8)
    found: list[bool] = []

    def enter() -> None:
        entered.wait()
        for _ in range(100):
            names = imported("from json import dumps")
            found.append(repr(names["dumps"]) == "<lazy json.dumps>" and __import__("json") is json)

    threads = [threading.Thread(target=enter) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 800
    assert builtins.__import__ is before
