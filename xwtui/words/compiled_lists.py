"""Word list files with a cache: parsed lists are stored in compiled form in the user's cache folder.

Within a process, lists in use are shared: puzzles with other minimum scores or bans do not read them again.

A compiled list is a checksum followed by a packed list (`word_list.pack`). Its name contains a hash of the list
file's bytes, so an edited list gets a new one. A compiled list that is missing, damaged or of another version is
rebuilt. If the folder is not writable, the list is parsed each time.
"""

import contextlib
import hashlib
import os
import zlib
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np
import platformdirs
from numpy.typing import NDArray

from xwtui.errors import WordListError, reason_of
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.reading import HOUR, DiskMark, read_at_most, remove_stale, write_whole
from xwtui.text import printable
from xwtui.words.reader import MAX_LIST_BYTES, BadLine, CappedScores, FoldedLetter, ReadResult, read_word_list
from xwtui.words.scales import OWN_SCALE, Scale
from xwtui.words.sharing import Shared
from xwtui.words.word_list import WordList, pack, unpack

FORMAT_VERSION = 10
"""Increase with every change to the reader or to the compiled form."""

SMALLEST_COMPILED = 64 * 1024
"""File size in bytes below which a list is not cached, because parsing is fast enough."""

MAX_COMPILED_LISTS = 24
"""Number of compiled lists to keep, newest first."""

_DIGEST_BYTES = 16
_CHECKSUM_BYTES = 4
_SUFFIX = ".words"


def cache_folder() -> Path | None:
    """Return the folder of the compiled lists, which may not exist yet, or None if the system names none.

    A relative path in XDG_CACHE_HOME is ignored, since it would mean a different folder in each working directory.
    """
    folder = platformdirs.user_cache_path("xwtui", appauthor=False)
    return folder / "words" if folder.is_absolute() else None


_lists: Shared[tuple[str, bytes], WordList] = Shared()
"""Lists in use, by file name and hash."""
_others: WeakKeyDictionary[WordList, tuple[Any, ...]] = WeakKeyDictionary()
"""The rest of each list's ReadResult."""

_unchanged: WeakValueDictionary[tuple[Path, DiskMark, str, Alphabet], WordList] = WeakValueDictionary()
"""Lists in use that need not even be hashed again, by path, mark, rule and alphabet."""


def open_word_list(
    path: Path,
    rule: str = str(OWN_SCALE),
    mark: DiskMark | None = None,
    alphabet: Alphabet = ENGLISH,
) -> ReadResult:
    """Read a word list file, or its compiled form; the list is named after the file.

    A list that this process already uses, for instance in another puzzle, is returned as is. `rule` and `alphabet`
    are as in `read_word_list`. With the `mark` of a file known to be unchanged, a list in use is returned without
    hashing the file. Raises WordListError if the file cannot be read or is not a word list.
    """
    known = None if mark is None else _unchanged.get((path, mark, rule, alphabet))
    if known is not None:
        return ReadResult(known, *_others[known])
    data, folder = _read_file(path), cache_folder()
    key = path.name, _digest(data, rule, alphabet)
    words = _lists.get(key, lambda: _noted(_opened(data, key, folder, rule, alphabet)))
    if mark is not None:
        _unchanged[path, mark, rule, alphabet] = words
    return ReadResult(words, *_others[words])


def _noted(result: ReadResult) -> WordList:
    """Record the rest of a ReadResult and return its list.

    If another rule or alphabet led to the same words, the two lists share their tables.
    """
    words = result.word_list
    same = next((other for other in list(_others) if other.fingerprint == words.fingerprint), None)
    if same is not None:
        words = words.sharing(same)
    _others[words] = result[1:]
    return words


def _opened(data: bytes, key: tuple[str, bytes], folder: Path | None, rule: str, alphabet: Alphabet) -> ReadResult:
    """Return a file's compiled list by its bytes, compiling it now if it is missing and large enough."""
    name, digest = key
    if folder is None or len(data) < SMALLEST_COMPILED:
        return read_word_list(data, name, rule, alphabet)
    compiled = folder / f"v{FORMAT_VERSION}-{digest.hex()}{_SUFFIX}"
    result = _load(compiled, name)
    if result is None:
        result = read_word_list(data, name, rule, alphabet)
        with contextlib.suppress(OSError):
            _save(compiled, result)
            _prune(folder)
    return result


def _read_file(path: Path) -> bytes:
    shown = printable(str(path), 200)
    try:
        if not path.exists():
            raise WordListError(f"there is no word list {shown}")
        data = read_at_most(path, MAX_LIST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise WordListError(f"the word list {shown} cannot be read: {printable(reason)}") from error
    if len(data) > MAX_LIST_BYTES:
        raise WordListError(f"{shown} is too large: a word list has at most {MAX_LIST_BYTES >> 20} MB")
    return data


def _digest(data: bytes, rule: str, alphabet: Alphabet) -> bytes:
    """Return a hash of a file's data that is distinct for each score rule and alphabet."""
    hashed = hashlib.sha256(data)
    hashed.update(b"" if rule == str(OWN_SCALE) else rule.encode())
    hashed.update(b"" if alphabet == ENGLISH else f" {alphabet}".encode())
    return hashed.digest()[:_DIGEST_BYTES]


def _checksum(payload: bytes | memoryview) -> bytes:
    """Return a checksum that detects damage; it is seeded, so that all zeros are not valid."""
    return zlib.crc32(payload, FORMAT_VERSION).to_bytes(_CHECKSUM_BYTES, "little")


def _load(compiled: Path, name: str) -> ReadResult | None:
    """Return a compiled list, or None if it is missing or damaged."""
    try:
        with compiled.open("rb", buffering=0) as stream:  # buffering would copy everything once more
            size = max(os.fstat(stream.fileno()).st_size - _CHECKSUM_BYTES, 0)
            payload = np.empty(size, np.uint8)  # numpy uses huge pages, which fault in quickly
            checksum, length = stream.read(_CHECKSUM_BYTES), stream.readinto(payload.data)
    except OSError:
        return None
    payload.flags.writeable = False
    return _read(payload, name) if length == size and checksum == _checksum(payload.data) else None


def _save(compiled: Path, result: ReadResult) -> None:
    compiled.parent.mkdir(parents=True, exist_ok=True)
    notes = {
        "fingerprint": result.word_list.fingerprint,
        **{name: getattr(result, name) for name in ReadResult._fields if name != "word_list"},
        "scale": str(result.scale),
    }
    payload = pack(result.word_list, notes)
    write_whole(compiled, _checksum(payload) + payload)


def _prune(folder: Path) -> None:
    """Remove the oldest compiled lists beyond MAX_COMPILED_LISTS, and partial files of killed processes."""
    remove_stale(folder, f"*{_SUFFIX}-*", HOUR)
    compiled = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in compiled[MAX_COMPILED_LISTS:]:
        path.unlink(missing_ok=True)


def _read(payload: NDArray[np.uint8], name: str) -> ReadResult:
    """Return the result for a payload whose checksum has been verified."""
    words, notes = unpack(payload.data, name)
    words.fingerprint = notes["fingerprint"]
    return ReadResult(
        words,
        tuple(BadLine(*line) for line in notes["bad_lines"]),
        notes["bad_count"],
        Scale.parse(notes["scale"]),
        notes["is_guessed"],
        tuple(FoldedLetter(*each) for each in notes["folded"]),
        notes["alphabet"],
        None if notes["capped"] is None else CappedScores(*notes["capped"]),
    )
