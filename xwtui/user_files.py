"""Reading the user's small files safely: settings, profiles, themes, keys and the like.

Each is UTF-8 text of a bounded size, TOML or JSON of a bounded depth, and may have been damaged, edited by hand or
written by another version. Any fault raises a `UserFileError` with a one-line message.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from xwtui.errors import XwtuiError, reason_of
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.reading import read_at_most, write_whole
from xwtui.resources import settings_path
from xwtui.text import printable

with lazy_imports():
    import tomllib

MOST_BYTES = 1 << 20
"""Size limit of a file that a program or a person writes bit by bit."""

DEEPEST = 50
"""Maximum nesting of tables and lists."""

_LONG_KEY = lazy_pattern(rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{DEEPEST}}}""")
"""A TOML key with this many parts: tomllib keeps every prefix of it, gigabytes for some 10,000 parts."""


class UserFileError(XwtuiError):
    """A user's file that cannot be read, with its path and the fault."""

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(f"{printable(str(path), 200)}: {printable(fault, 200)}")
        self.path = path
        self.fault = fault


class MissingUserFileError(UserFileError):
    """The file does not exist."""


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file; raises UserFileError if it cannot be read or has more than `most` bytes."""
    try:
        data = read_at_most(path, most + 1)
    except FileNotFoundError:
        raise MissingUserFileError(path, "there is no such file") from None
    except (OSError, ValueError) as error:
        raise UserFileError(path, f"cannot be read: {reason_of(error)}") from error
    if len(data) > most:
        size = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} KB"
        raise UserFileError(path, f"this is too large: the limit is {size}")
    return data


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file; raises UserFileError, with the line, if it is not UTF-8."""
    return _text(path, read_bytes(path, most))


def read_toml(path: Path, most: int = MOST_BYTES) -> dict[str, Any]:
    """Return the table of a TOML file; raises UserFileError."""
    return parse_toml(path, read_text(path, most))


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """Return the table of TOML text; raises UserFileError, with the path that it came from."""
    if _LONG_KEY.search(text):
        raise _too_deep(path)
    table: dict[str, Any] = _checked(path, partial(tomllib.loads, text))
    return table


def read_json(path: Path) -> Any:
    """Return the value of a JSON file, with finite numbers only; raises UserFileError."""
    return parse_json(path, read_bytes(path))


Kind = TypeVar("Kind", dict[str, Any], list[Any])


def read_kept(path: Path, kind: type[Kind]) -> Kind:
    """Return the program's own data from a JSON file, or an empty value if it cannot be read."""
    with suppress(UserFileError):
        if isinstance(found := read_json(path), kind):
            return found
    return kind()


def keep(path: Path, value: object) -> None:
    """Write data for `read_kept`, in a folder private to the user; a failed write is ignored."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, json.dumps(value))


def parse_json(path: Path, data: bytes) -> Any:
    """Return the value of JSON text from a file, a whole file or one line; raises UserFileError."""
    text = _text(path, data)
    return _checked(path, partial(json.loads, text, parse_constant=_finite, parse_float=_finite))


def _checked(path: Path, parse: Callable[[], Any]) -> Any:
    """Return what a parser returns, unless it is nested too deeply; raises UserFileError."""
    try:
        value = parse()
    except ValueError as error:
        raise UserFileError(path, str(error)) from error
    except RecursionError:
        raise _too_deep(path) from None
    if is_too_deep(value):
        raise _too_deep(path)
    return value


def _text(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserFileError(path, f"line {line} is not UTF-8 text") from error


def _finite(text: str) -> float:
    number = float(text)
    if not abs(number) < float("inf"):
        raise ValueError(f"the number {text} is not finite")
    return number


def is_too_deep(value: object) -> bool:
    """Whether a JSON or TOML value nests more than `DEEPEST` tables and lists."""
    level: list[Any] = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, dict | list)
        ]
    return bool(level)


def _too_deep(path: Path) -> UserFileError:
    return UserFileError(path, f"nested more than {DEEPEST} levels deep")


def sender() -> str:
    """Return the name and address from the settings, or an empty string if none can be read."""
    try:
        found = read_toml(settings_path()).get("address", "")
    except UserFileError:
        return ""
    return found if isinstance(found, str) else ""
