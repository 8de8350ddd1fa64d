"""Nothing in the program reads its own sentences: a walk through the sources for whoever would.

What is said to a constructor is worded at the end, from values. Reading it again breaks with the next better
wording, so the ways of doing that are sought. Where text of others is read so, the place is listed with why.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import xwtui

PACKAGE = Path(xwtui.__file__).parent

SENTENCES = frozenset({"message", "reason", "remark", "summary", "text", "title", "answer", "failure", "progress"})
"""Fields that hold what is said."""
WORDED_BY = frozenset({"brief", "describe", "str", "words"})
"""What makes a sentence of a value."""
CUTTING = frozenset(
    {"endswith", "find", "index", "partition", "removeprefix", "removesuffix", "rfind", "rpartition", "rsplit"}
    | {"split", "startswith"}
)
"""What takes a text apart or looks at its beginning or end."""
PHRASE = re.compile(r"[A-Za-z]{2,} +[a-z]|[a-z]{2,} +$|^ +[a-z]{2,}|^[:;,.] +$")
"""A piece of a sentence, or what stands between two."""
ENUMERATED = frozenset({"value", "name"})

THEIR_WORD = "a word of the line that the user has typed"
ALLOWED = {
    "formats/json_document.py: error.msg.removesuffix(' at')": "json tells what is wrong by its message alone",
    "formats/puz.py: 'checksum' not in error.message": "puzpy tells a wrong checksum by its message alone",
    "repl/transcript.py: words[0].text.startswith('#')": THEIR_WORD,
    "session/verbs/completion.py: word.text.startswith('-')": THEIR_WORD,
    "session/verbs/parsing.py: 'unexpected extra' in error.message": "click tells this by its message alone",
    "session/verbs/parsing.py: word.text.endswith(f'={text}')": THEIR_WORD,
    "session/verbs/parsing.py: word.text.startswith('-')": THEIR_WORD,
    "session/verbs/registry.py: words[0].text.startswith('#')": THEIR_WORD,
    "shell/root.py: error.message.startswith('Got unexpected extra argument')": "click tells it by its message",
    "tui/screens/choosing.py: word.text.partition('=')": THEIR_WORD,
}
"""Places that read sentences of libraries, or what the user has typed, and why."""


def own_sentence(node: ast.expr) -> bool:
    """Whether an expression is something said: a field such as `reason`, `str(error)`, `one.describe()`."""
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
    """Whether it is a literal with letters in it."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and any(map(str.isalpha, node.value))


def is_phrase(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(isinstance(one, ast.Constant) and PHRASE.search(str(one.value)) is not None for one in parts)


def readings(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions that read something said."""
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
    """Whether it is the value or name of a member of an enumeration: `run.outcome.name`, not `verb.name`."""
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


def test_nothing_reads_its_own_sentences() -> None:
    assert set(found()) - ALLOWED.keys() == set()


def test_each_place_that_is_allowed_is_there() -> None:
    assert ALLOWED.keys() - set(found()) == set()


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
def test_what_reads_a_sentence_is_seen(source: str) -> None:
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
def test_what_reads_what_was_typed_is_let_be(source: str) -> None:
    assert found_in(source) == []
