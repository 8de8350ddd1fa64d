"""XML of unknown origin: without entities of its own, of a puzzle's size, and its elements as text and runs."""

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
    """The elements of a file, of which no more are made than a puzzle has."""

    def __init__(self) -> None:
        super().__init__()
        self._count = self._depth = 0

    def start(self, tag: Any, attrs: dict[Any, Any], /) -> ElementTree.Element:
        """Begin an element; raises PuzzleFormatError where there are too many."""
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
    """The root of an XML file without entities of its own, of a puzzle's size; raises PuzzleFormatError."""
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
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def children_of(element: ElementTree.Element | None, name: str) -> list[ElementTree.Element]:
    """The children of a name, whatever their namespace."""
    return [child for child in element if name_of(child) == name] if element is not None else []


def child_of(element: ElementTree.Element | None, name: str) -> ElementTree.Element | None:
    """The first of them."""
    return next(iter(children_of(element, name)), None)


def text_of(element: ElementTree.Element | None) -> str:
    """The text of an element and all in it, with a line break where its HTML has one."""
    if element is None:
        return ""
    parts = [element.text or ""]
    for child in element:
        parts += ["\n" if name_of(child) in _LINE_BREAKS else "", text_of(child), child.tail or ""]
    return "".join(parts)


def runs_of(element: ElementTree.Element, italic: bool = False, bold: bool = False) -> Iterator[TextRun]:
    """The same of a clue, in runs of italic, bold and plain text."""
    italic, bold = italic or name_of(element) in ITALIC_TAGS, bold or name_of(element) in BOLD_TAGS
    yield TextRun(element.text or "", italic, bold)
    for child in element:
        yield TextRun("\n" if name_of(child) in _LINE_BREAKS else "")
        yield from runs_of(child, italic, bold)
        yield TextRun(child.tail or "", italic, bold)
