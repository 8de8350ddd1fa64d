"""JSON from untrusted files, and JSON formatted for people and version control."""

import json
from collections import Counter
from typing import Any

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.plain_text import decode, shown
from xwtui.user_files import DEEPEST, is_too_deep

_TOO_DEEP = f"this JSON is nested more than {DEEPEST} levels deep, so it is not a puzzle"
_WHAT_THEN = "open an earlier copy of it; `recover` finds work that was not saved"
_LONGEST_LINE = 100


def parse_document(data: bytes) -> dict[str, Any]:
    """Parse the object in a JSON (or legacy JSONP) file; raises PuzzleFormatError for anything else.

    Rejects duplicate keys, NaN, infinities, and nesting deeper than 50 levels.
    """
    text = decode(data).strip()
    if text.startswith("ipuz(") and text.endswith((")", ");")):
        text = text[len("ipuz(") : text.rindex(")")]
    try:
        document = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_finite_number, parse_float=_finite_number
        )
    except json.JSONDecodeError as error:
        if text and not text.startswith(("{", "[")):
            raise PuzzleFormatError("this is not an ipuz file, nor any other JSON") from None
        is_cut = error.pos >= len(text) or error.msg.startswith("Unterminated string")
        told = "ends in the middle" if is_cut else "is damaged"
        raise PuzzleFormatError(f"this file {told}, at line {error.lineno}; {_WHAT_THEN}") from None
    except RecursionError:
        raise PuzzleFormatError(_TOO_DEEP) from None
    except ValueError:
        raise PuzzleFormatError("a number in this JSON file is too large") from None
    if not isinstance(document, dict):
        raise PuzzleFormatError("this JSON file holds no puzzle: it is not an object with fields")
    if is_too_deep(document):
        raise PuzzleFormatError(_TOO_DEEP)
    return document


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = Counter(key for key, _ in pairs)
        twice = next(key for key, times in keys.items() if times > 1)
        raise PuzzleFormatError(f"the JSON key {shown(twice)} appears twice in one object")
    return fields


def _finite_number(text: str) -> float:
    if not abs(number := float(text)) < float("inf"):
        told = f"the number {shown(text)} is too large" if text[-1:].isdigit() else f"{text} is not a JSON number"
        raise PuzzleFormatError(told)
    return number


def document_bytes(document: dict[str, Any]) -> bytes:
    """Return the object as UTF-8 JSON with one line for each field, grid row and clue, so that diffs are small.

    If that would be too large to read again, because of other programs' fields, all of it is on one line.
    """
    laid_out = _encoded(_laid_out(document, levels=3))
    if len(laid_out) <= MAX_FILE_BYTES:
        return laid_out
    return _encoded(json.dumps(document, ensure_ascii=False, separators=(",", ":")))


def _encoded(text: str) -> bytes:
    """Encode as UTF-8; a lone surrogate, in another program's field, becomes its JSON escape."""
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _laid_out(value: Any, *, levels: int) -> str:
    """Return JSON text broken into lines down to this many levels; lists within lists stay on one line."""
    compact = json.dumps(value, ensure_ascii=False)
    if not levels or not value or (len(compact) <= _LONGEST_LINE and levels < 3):
        return compact
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {_laid_out(child, levels=levels - 1)}"
            for key, child in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(json.dumps(child, ensure_ascii=False) for child in value) + "\n]"
    return compact
