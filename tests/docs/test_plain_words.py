"""What users read is plain American English: no phrase that has stopped a native reader comes back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.docs.test_readme import LINKED, ROOT
from xwtui.session.verbs.registry import VERBS

FIGURES = re.compile(r"bench|calibration|public-grids|switches|improving-notes")
"""Pages of measurements, whose readers know the words of search."""
PAGES = [page for page in LINKED if not FIGURES.match(page.name)]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->", re.MULTILINE | re.DOTALL)
STRANGE = re.compile(
    r"\b(or shows? (it|them)|what is asked about|about a GRID|what is to be done|will stand here|used no more"
    r"|rather not|lists rather|read otherwise|no sample was|of late|(?<!-)anew|likewise|dearer|reckon\w*|tells? of"
    r"|told of|as one likes|near-duplicates?|prospects?|inquir(y|ies)|tapes?|kicks?|trails?|islands?"
    r"|colour(?!s\b|-blind)\w*|behaviour|favour\w*|neighbour\w*|licences?|centre|optimis\w+|organis\w+)\b",
    re.IGNORECASE,
)
"""Words of a translation, private words of the code that DESIGN.md names, and British spellings."""
KNOWN = re.compile("near-duplicate answers|island breeding|exolve-colour|package licence words")
"""Names in JSON and in files of others; batches of earlier versions."""


def strange(text: str) -> list[str]:
    """What of a text a native reader would stop at; code does not count."""
    return [found[0] for found in STRANGE.finditer(KNOWN.sub("", CODE.sub("", text)))]


def messages(path: Path) -> Iterator[str]:
    """The texts of a module that have several words, but for docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    passed = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in passed)
    yield from (text for text in texts if isinstance(text, str) and " " in text.strip())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_plain(page: Path) -> None:
    assert strange(page.read_text(encoding="utf-8")) == []


def test_help_and_messages_are_plain() -> None:
    said = [(verb.name, verb.command.get_help(click.Context(verb.command))) for verb in VERBS.values()]
    said += [(path.name, text) for path in sorted((ROOT / "xwtui").rglob("*.py")) for text in messages(path)]
    assert [(where, found) for where, text in said if (found := strange(text))] == []


@pytest.mark.parametrize("text", ["Set the title, or show it.", "what is asked about theme", "anew"])
def test_what_stopped_a_reader_is_found(text: str) -> None:
    assert strange(text)
    assert not strange(f"`{text}`")
