"""User-visible text is plain American English: phrases that confused a native reader do not return."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.docs.test_readme import LINKED, ROOT
from xwtui.session.verbs.registry import VERBS

FIGURES = re.compile(r"bench|calibration|public-grids|switches|improving-notes")
"""Pages of measurements, whose readers know search terms."""
PAGES = [page for page in LINKED if not FIGURES.match(page.name)]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->", re.MULTILINE | re.DOTALL)
STRANGE = re.compile(
    r"\b(or shows? (it|them)|what is asked about|about a GRID|what is to be done|will stand here|used no more"
    r"|rather not|lists rather|read otherwise|no sample was|of late|(?<!-)anew|likewise|dearer|reckon\w*|tells? of"
    r"|told of|as one likes|near-duplicates?|prospects?|inquir(y|ies)|tapes?|kicks?|trails?|islands?"
    r"|colour(?!s\b|-blind)\w*|behaviour|favour\w*|neighbour\w*|licences?|centre|optimis\w+|organis\w+)\b",
    re.IGNORECASE,
)
"""Translated idioms, private code terms listed in DESIGN.md, and British spellings."""
KNOWN = re.compile("near-duplicate answers|island breeding|exolve-colour|package licence words")
"""Names in JSON and third-party files, and batches of earlier versions."""


TRANSLATED = re.compile(r"\b(but for|thereby|by and by|lets? go of|is had|what (stands|is asked))\b", re.I)
"""Idioms of docstrings that were written by people who think in another language."""
TERMS = {"trail", "trails", "island", "islands", "about a grid"}
"""Words that the code uses in the senses of solvers and of grids."""


def strange(text: str) -> list[str]:
    """Return the phrases of a text that would confuse a native reader; code is ignored."""
    return [found[0] for found in STRANGE.finditer(KNOWN.sub("", CODE.sub("", text)))]


def messages(path: Path) -> Iterator[str]:
    """Yield a module's texts of several words, except docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    passed = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in passed)
    yield from (text for text in texts if isinstance(text, str) and " " in text.strip())


def docstrings(path: Path) -> Iterator[str]:
    """Yield a module's docstrings, those of attributes included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value.value


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_plain(page: Path) -> None:
    assert strange(page.read_text(encoding="utf-8")) == []


def test_help_and_messages_are_plain() -> None:
    said = [(verb.name, verb.command.get_help(click.Context(verb.command))) for verb in VERBS.values()]
    said += [(path.name, text) for path in sorted((ROOT / "xwtui").rglob("*.py")) for text in messages(path)]
    assert [(where, found) for where, text in said if (found := strange(text))] == []


@pytest.mark.parametrize("folder", ["xwtui", "tests", "bench"])
def test_docstrings_are_plain(folder: str) -> None:
    said = [(path.name, text) for path in sorted((ROOT / folder).rglob("*.py")) for text in docstrings(path)]
    assert len(said) > 400
    found = [
        (name, word)
        for name, text in said
        for word in [*strange(text), *(each[0] for each in TRANSLATED.finditer(text))]
    ]
    assert [(name, word) for name, word in found if word.lower() not in TERMS] == []


@pytest.mark.parametrize("text", ["Set the title, or show it.", "what is asked about theme", "anew"])
def test_confusing_phrases_are_detected(text: str) -> None:
    assert strange(text)
    assert not strange(f"`{text}`")
