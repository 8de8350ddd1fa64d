"""Untrusted XML: parsing without custom entities and within a puzzle's size, and elements as text and runs."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from xwtui.errors import PuzzleFormatError
from xwtui.formats.plain_text import BOLD_TAGS, ITALIC_TAGS
from xwtui.model.markup import TextRun

_MOST_ELEMENTS = 100_000
_DEEPEST = 50
_LINE_BREAKS = ("br", "p", "div", "li")


class _BoundedTree(ElementTree.TreeBuilder):
    """Builds a tree with limits on its size and depth."""

    def __init__(self) -> None:
        super().__init__()
        self._count = self._depth = 0

    def start(self, tag: Any, attrs: dict[Any, Any], /) -> ElementTree.Element:
        """Begin an element; raises PuzzleFormatError if there are too many or they are nested too deeply."""
        self._count, self._depth = self._count + 1, self._depth + 1
        if self._count > _MOST_ELEMENTS or self._depth > _DEEPEST:
            raise PuzzleFormatError(
                f"XML of more than {_MOST_ELEMENTS:,} elements, or nested over {_DEEPEST} deep, is not a puzzle"
            )
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> ElementTree.Element:
        self._depth -= 1
        return super().end(tag)


def parsed_xml(data: bytes) -> ElementTree.Element:
    """Parse XML without custom entities and within a puzzle's size; raises PuzzleFormatError."""
    parser = DefusedXMLParser(target=_BoundedTree())
    try:
        parser.feed(data)
        root: ElementTree.Element = parser.close()
    except DefusedXmlException:
        raise PuzzleFormatError("this XML defines entities of its own, which no puzzle needs") from None
    except ElementTree.ParseError as error:
        line, column = error.position
        raise PuzzleFormatError(
            f"this XML file is incomplete or damaged (line {line}, column {column + 1})"
        ) from None
    except (LookupError, ValueError):
        raise PuzzleFormatError("this XML has an unknown encoding") from None
    return root


def name_of(element: ElementTree.Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def children_of(element: ElementTree.Element | None, name: str) -> list[ElementTree.Element]:
    """Return the children with a name, in any namespace."""
    return [child for child in element if name_of(child) == name] if element is not None else []


def child_of(element: ElementTree.Element | None, name: str) -> ElementTree.Element | None:
    """Return the first child with a name, in any namespace, or None."""
    return next(iter(children_of(element, name)), None)


def text_of(element: ElementTree.Element | None) -> str:
    """Return the text of an element and its descendants, with a line break for each HTML line break."""
    if element is None:
        return ""
    parts = [element.text or ""]
    for child in element:
        parts += ["\n" if name_of(child) in _LINE_BREAKS else "", text_of(child), child.tail or ""]
    return "".join(parts)


def runs_of(element: ElementTree.Element, italic: bool = False, bold: bool = False) -> Iterator[TextRun]:
    """Yield a clue's text in runs of italic, bold and plain text."""
    italic, bold = italic or name_of(element) in ITALIC_TAGS, bold or name_of(element) in BOLD_TAGS
    yield TextRun(element.text or "", italic, bold)
    for child in element:
        yield TextRun("\n" if name_of(child) in _LINE_BREAKS else "")
        yield from runs_of(child, italic, bold)
        yield TextRun(child.tail or "", italic, bold)
