"""From a word list file's bytes to text: gzip, byte order marks, UTF-8 and the Windows form of Latin-1."""

import codecs
import gzip
import io
import zlib

from xwtui.errors import WordListError
from xwtui.text import printable

MAX_LIST_BYTES = 64 * 1024 * 1024
"""Bytes that a word list may have, packed and unpacked."""

_GZIP_MAGIC = b"\x1f\x8b"
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f"))
_MOST_CONTROLS = 0.1


def decode_list(data: bytes, name: str) -> str:
    """Return the text of a word list's bytes.

    Gzip is unpacked. A byte order mark tells UTF-8, UTF-16 or UTF-32; else each line is UTF-8 where it
    can be, and Windows-1252 (which holds Latin-1) where it cannot.
    Raises WordListError for data that is too large, damaged or binary.
    """
    shown = printable(name)
    if data.startswith(_GZIP_MAGIC):
        data = _unpack(data, shown)
    if len(data) > MAX_LIST_BYTES:
        raise WordListError(f"{shown} is too large: a word list has {MAX_LIST_BYTES >> 20} MB at most")
    text = _decode_marked(data, shown)
    if text is None:
        _refuse_binary(data, shown)
        return _decode_unmarked(data)
    if "\0" in text:
        raise WordListError(f"{shown} is binary, not text (it has NUL characters)")
    return text


def _unpack(data: bytes, shown: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read(MAX_LIST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise WordListError(f"{shown} is a damaged gzip file: {printable(str(error))}") from error


def _decode_marked(data: bytes, shown: str) -> str | None:
    """The text after a byte order mark of UTF-16 or UTF-32, or None without one."""
    if data.startswith(_UTF_32_MARKS):
        encoding = "utf-32"
    elif data.startswith(_UTF_16_MARKS):
        encoding = "utf-16"
    else:
        return None
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise WordListError(f"{shown} is damaged {encoding.upper()} text, or not text") from error


def _refuse_binary(data: bytes, shown: str) -> None:
    if b"\0" in data:
        raise WordListError(f"{shown} is binary, not text (it has NUL bytes)")
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls > _MOST_CONTROLS * len(data):
        raise WordListError(f"{shown} is binary, not text ({controls:,} of {len(data):,} bytes are controls)")


def _decode_unmarked(data: bytes) -> str:
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(map(_decode_line, data.splitlines()))


def _decode_line(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")
