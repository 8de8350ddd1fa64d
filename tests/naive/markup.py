"""The naive twin of `xwtui.model.markup`: each character is judged by itself, from the beginning of the clue."""

import re
from typing import NamedTuple

SIGN, WORD = ".", "a"


class Letter(NamedTuple):
    """A character, or a whole reference, with its style."""

    text: str
    italic: bool
    bold: bool


def letters(source: str) -> list[Letter]:
    """The characters that a clue shows, those that are no blanks alone with their style."""
    shown: list[Letter] = []
    tokens = _tokens(source)
    for index, (kind, text) in enumerate(tokens):
        if kind in ("text", "reference"):
            shown.append(Letter(text, _is_on(tokens, index, 1), _is_on(tokens, index, 2)))
        elif kind == "stars":
            used = sum(size for size in (1, 2) if _does(tokens, index, size))
            shown += [Letter("*", _is_on(tokens, index, 1, True), _is_on(tokens, index, 2, True))] * (
                len(text) - used
            )
    return [letter if letter.text.strip() else Letter(letter.text, False, False) for letter in shown]


def _tokens(source: str) -> list[tuple[str, str]]:
    if not source:
        return []
    if found := re.match(r"\\([\\*{])", source):
        return [("text", found[1]), *_tokens(source[2:])]
    if found := re.match(r"\*+", source):
        stars = [("stars", found[0])] if len(found[0]) < 4 else [("text", "*")] * len(found[0])
        return [*stars, *_tokens(source[found.end() :])]
    if source.startswith("{}"):
        return [("nothing", ""), *_tokens(source[2:])]
    if found := re.match(r"\{(\d{1,3}[ADad]|r\d{1,2}c\d{1,2}[AD])-?\}", source):
        text = found[0] if found[0].startswith("{r") else found[0].upper()
        return [("reference", text), *_tokens(source[found.end() :])]
    return [("text", source[0]), *_tokens(source[1:])]


def _look(tokens: list[tuple[str, str]], index: int) -> str:
    if not 0 <= index < len(tokens):
        return " "
    kind, text = tokens[index]
    return {"reference": WORD, "nothing": SIGN}.get(kind, text[:1])


def _opens(tokens: list[tuple[str, str]], index: int) -> bool:
    return not _look(tokens, index + 1).isspace() and not _look(tokens, index - 1).isalnum()


def _closes(tokens: list[tuple[str, str]], index: int) -> bool:
    return not _look(tokens, index - 1).isspace() and not _look(tokens, index + 1).isalnum()


def _stars_of(tokens: list[tuple[str, str]], size: int) -> list[int]:
    return [i for i, (kind, text) in enumerate(tokens) if kind == "stars" and len(text) in (size, 3)]


def _pairs(tokens: list[tuple[str, str]], size: int, begin: int = 0) -> list[tuple[int, int]]:
    """The pairs from a token on: the first that ends a style, with the last before it that begins one."""
    stars = [index for index in _stars_of(tokens, size) if index >= begin]
    for end in stars:
        openers = [index for index in stars if index < end and _opens(tokens, index)]
        if openers and _closes(tokens, end):
            return [(openers[-1], end), *_pairs(tokens, size, end + 1)]
    return []


def _does(tokens: list[tuple[str, str]], index: int, size: int) -> bool:
    return any(index in pair for pair in _pairs(tokens, size))


def _is_on(tokens: list[tuple[str, str]], index: int, size: int, is_star: bool = False) -> bool:
    """Whether a token is within a pair; stars that are left over stand outside."""
    return any(first < index < last for first, last in _pairs(tokens, size))
