"""No code parses our own sentences, and the engine contains none: `xwtui.wording` words its results."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import xwtui
import xwtui.engine
import xwtui.wording
from xwtui import worded
from xwtui.engine.problem.no_fill import WordNotAllowed
from xwtui.worded import _BRIEF, _WORDS, Worded

PACKAGE = Path(xwtui.__file__).parent

SENTENCES = frozenset({"message", "reason", "remark", "summary", "text", "title", "answer", "failure", "progress"})
"""Fields that hold sentences."""
WORDED_BY = frozenset({"brief", "describe", "str", "words"})
"""Functions that turn a value into a sentence."""
CUTTING = frozenset(
    {"endswith", "find", "index", "partition", "removeprefix", "removesuffix", "rfind", "rpartition", "rsplit"}
    | {"split", "startswith"}
)
"""Operations that take a text apart or test its beginning or end."""
PHRASE = re.compile(r"[A-Za-z]{2,} +[a-z]|[a-z]{2,} +$|^ +[a-z]{2,}|^[:;,.] +$")
"""A piece of a sentence, or text between two pieces."""
ENUMERATED = frozenset({"value", "name"})

THEIR_WORD = "a word of the line that the user has typed"
ALLOWED = {
    "formats/json_document.py: error.msg.startswith('Unterminated string')": "json tells it by its message",
    "formats/puz.py: 'checksum' not in error.message": "puzpy tells a wrong checksum by its message alone",
    "repl/transcript.py: words[0].text.startswith('#')": THEIR_WORD,
    "session/recent.py: text.partition(': ')": "what is told of a list begins with the list's name, by agreement",
    "session/verbs/completion.py: word.text.startswith('-')": THEIR_WORD,
    "session/verbs/parsing.py: 'unexpected extra' in error.message": "click tells this by its message alone",
    "session/verbs/parsing.py: word.text.endswith(f'={text}')": THEIR_WORD,
    "session/verbs/parsing.py: one.text.startswith('-')": THEIR_WORD,
    "session/verbs/parsing.py: word.text.startswith('-')": THEIR_WORD,
    "session/verbs/registry.py: words[0].text.startswith('#')": THEIR_WORD,
    "shell/root.py: error.message.startswith('Got unexpected extra argument')": "click tells it by its message",
    "tui/screens/choosing.py: word.text.partition('=')": THEIR_WORD,
}
"""Places that parse sentences of libraries or input of the user, and why."""


def own_sentence(node: ast.expr) -> bool:
    """Whether an expression is one of our sentences: a field such as `reason`, `str(error)`, `one.describe()`."""
    if isinstance(node, ast.Attribute):
        return node.attr in SENTENCES
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name):
            return called.id == "str" and len(node.args) == 1 and is_error(node.args[0])
        return isinstance(called, ast.Attribute) and called.attr in WORDED_BY
    return False


def is_error(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("error", "e", "exc", "exception")


def is_text(node: ast.expr) -> bool:
    """Whether it is a string literal with letters."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and any(map(str.isalpha, node.value))


def is_phrase(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(isinstance(one, ast.Constant) and PHRASE.search(str(one.value)) is not None for one in parts)


def readings(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that parse a sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING:
            if own_sentence(node.func.value) or any(map(is_phrase, node.args)):
                yield node
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, [right] = node.left, node.comparators
            match node.ops[0]:
                case ast.In() | ast.NotIn() if is_text(left) and own_sentence(right):
                    yield node
                case ast.Eq() | ast.NotEq() if any(
                    (own_sentence(one) or is_member(one)) and is_text(other)
                    for one, other in ((left, right), (right, left))
                ):
                    yield node
                case _:
                    pass


def is_member(node: ast.expr) -> bool:
    """Whether it is the value or name of an enum member: `run.outcome.name`, not `verb.name`."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr in ENUMERATED
        and (node.attr == "value" or isinstance(node.value, ast.Attribute))
    )


def found_in(source: str) -> list[str]:
    return [ast.unparse(node) for node in readings(ast.parse(source))]


def found() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for reading in found_in(path.read_text(encoding="utf-8")):
            yield f"{place}: {reading}"


def test_no_code_parses_our_sentences_except_where_allowed() -> None:
    assert set(found()) == ALLOWED.keys()


@pytest.mark.parametrize(
    "source",
    [
        "why.partition(' ')[2] if why.startswith('you lock') else why",
        "no_word_fits(task, entry).partition(': ')[2]",
        "'compil' in state.text",
        "'timeout' not in str(error)",
        "conflict.reason.split('; ')",
        "remedy.describe().removeprefix(name)",
        "view.reason == 'the time was up'",
        "run.outcome.name == 'FILLED'",
        "'filled' != outcome.value",
        "unit.removesuffix(' score')",
        "view.text.rpartition(end)",
        "line.endswith(('no fill found', 'x'))",
    ],
)
def test_parsing_of_a_sentence_is_detected(source: str) -> None:
    assert found_in(source)


@pytest.mark.parametrize(
    "source",
    [
        "line.startswith('#')",
        "text.partition('=')",
        "given.split(',')",
        "name.endswith('.ipuz')",
        "outcome is Outcome.FILLED",
        "verb.name == 'fill'",
        "'Q' in word",
        "error.args",
        "raise_(str(error))",
        "row.word.startswith(typed)",
    ],
)
def test_parsing_of_user_input_is_not_reported(source: str) -> None:
    assert found_in(source) == []


ENGINE = Path(xwtui.engine.__file__).parent

PIECE = re.compile(r"[a-z]+,? [a-z]|^[,;]? [a-z]|[a-z] $")
"""Adjacent words, or a word next to punctuation."""
NAMES = {
    "explain/judge.py": "names in reports of how a conflict is known",
    "fill/recorded.py": "the lines of a proof file",
    "improve/improvement.py": "names of aims in reports",
    "kernels/compiler/objects.py": "names of compiled types",
    "problem/rule_constraints.py": "names of constraints, from the rules that ask for them",
    "problem/symbols.py": "what the message of an error counts",
    "problem/task.py": "the patterns that the message of an error names",
    "problem/altered_words.py": "names of constraints, from the rules that ask for them",
}
"""Places where phrases are not text for users, and what they are."""


def phrases(tree: ast.AST) -> Iterator[str]:
    """Yield texts that look like pieces of a sentence, except docstrings and messages of errors and assertions."""
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_error = isinstance(node, ast.Call) and named(node.func).endswith("Error")
        if is_error or isinstance(node, ast.Raise | ast.Assert):
            passed |= {id(part) for part in ast.walk(node)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in passed)
    yield from (node.value for node in texts if isinstance(node.value, str) and PIECE.search(node.value))


def named(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def test_wording_is_imported_once(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_sentences_are_detected(source: str, expected: list[str]) -> None:
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
