"""The engine has no sentences: what it finds are values, and `xwtui.wording` has words for every kind of them."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import xwtui.engine
import xwtui.wording
from xwtui import worded
from xwtui.engine.problem.no_fill import WordNotAllowed
from xwtui.worded import _BRIEF, _WORDS, Worded

ENGINE = Path(xwtui.engine.__file__).parent

PIECE = re.compile(r"[a-z]+,? [a-z]|^[,;]? [a-z]|[a-z] $")
"""Words that stand beside each other, or are put beside something."""
NAMES = {
    "explain/judge.py": "names in reports of how a conflict is known",
    "fill/recorded.py": "the lines of a proof file",
    "improve/improvement.py": "names of aims in reports",
    "kernels/compiler/objects.py": "names of compiled types",
    "problem/rule_constraints.py": "names of constraints, from the rules that ask for them",
    "problem/symbols.py": "what the message of an error counts",
    "problem/task.py": "the patterns that the message of an error names",
    "problem/treated_words.py": "names of constraints, from the rules that ask for them",
}
"""Where phrases are no sentences of a face, and what they are."""


def phrases(tree: ast.AST) -> Iterator[str]:
    """The texts that read like pieces of a sentence, but for docstrings and what errors and assertions say."""
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_error = isinstance(node, ast.Call) and named(node.func).endswith("Error")
        if is_error or isinstance(node, ast.Raise | ast.Assert):
            passed |= {id(part) for part in ast.walk(node)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in passed)
    yield from (node.value for node in texts if isinstance(node.value, str) and PIECE.search(node.value))


def named(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def test_the_words_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    value = WordNotAllowed("BAG", "1A")
    told = str(value)
    monkeypatch.setattr(worded, "import_module", None)
    assert str(value) == told == "BAG is not a word that 1A may have"


def test_the_engine_has_no_sentences() -> None:
    found = {
        path.relative_to(ENGINE).as_posix(): told
        for path in sorted(ENGINE.rglob("*.py"))
        if (told := list(phrases(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert {path: told for path, told in found.items() if path not in NAMES} == {}
    assert NAMES.keys() <= found.keys(), "these have none any more"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def reason(self):\n    return f'{self.place} cannot be anything else'", [" cannot be anything else"]),
        ("def one():\n    '''Say so.'''\n    raise EngineError('it is too large')", []),
        ("error = EngineError('it is too large')\nkind = 'not-own'", []),
    ],
)
def test_sentences_are_seen(source: str, expected: list[str]) -> None:
    assert list(phrases(ast.parse(source))) == expected


def kinds(kind: type[object]) -> Iterator[type[object]]:
    for below in kind.__subclasses__():
        yield from kinds(below)
        yield below


def test_every_value_of_the_engine_has_words() -> None:
    for module in pkgutil.walk_packages(xwtui.engine.__path__, "xwtui.engine."):
        importlib.import_module(module.name)
    engines = [one for one in kinds(Worded) if one.__module__.startswith("xwtui.engine")]
    named_kinds = {one.__name__ for one in engines}
    assert named_kinds - _WORDS.keys() == {"Reason", "GivenChoice", "Remedy"}, (
        "these alone have kinds of their own"
    )
    assert _WORDS.keys() <= named_kinds
    for kind in engines:
        for table in (_WORDS, _BRIEF):
            phrase = getattr(table.get(kind.__name__), "__self__", "")
            fields = {re.split(r"[.[]", field)[1] for _, field, *_ in Formatter().parse(phrase) if field}
            assert all(hasattr(kind, name) or name in fields_of(kind) for name in fields), (kind, phrase)


def fields_of(kind: type[object]) -> set[str]:
    return {name for each in kind.__mro__ for name in getattr(each, "__annotations__", {})}
