"""The forms of a Hunspell dictionary: its words, and what its suffixes make of them.

A dictionary is two files, `sv_SE.dic` of words with flags, and `sv_SE.aff` that says what flags mean, as in
https://man.archlinux.org/man/hunspell.5. Suffixes are followed, also those of forms with a suffix; prefixes and
compounds are not, as they make what nobody has in a list of words (`l'ami`, `Donaudampfschiff`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass, field
from xwtui.errors import WordListError
from xwtui.reading import read_at_most
from xwtui.text import printable

_MOST_BYTES = 64 << 20
_MOST_SUFFIXES = 2
"""Suffixes one after the other."""
_NOTHING = "0"
_FIELD = re.compile(r"[a-z]{2}:\S+")


class SpelledForm(NamedTuple):
    """A word, or what a suffix makes of one."""

    text: str
    is_base: bool
    """Whether it is the word as the dictionary has it, before any suffix."""
    is_offensive: bool
    """Whether the dictionary would not suggest it."""
    fields: tuple[str, ...]
    """What it says of its kind, such as `po:nom`."""


class _Suffix(NamedTuple):
    strip: str
    add: str
    fits: re.Pattern[str]
    flags: frozenset[str]
    fields: tuple[str, ...]


@dataclass
class _Affixes:
    """What an .aff file says."""

    encoding: str = "utf-8"
    flag_form: str = ""
    special: dict[str, str] = field(default_factory=dict)
    """The flags of NOSUGGEST, FORBIDDENWORD, NEEDAFFIX and ONLYINCOMPOUND."""
    aliases: list[str] = field(default_factory=list)
    suffixes: defaultdict[str, list[_Suffix]] = field(default_factory=lambda: defaultdict(list))

    def flags(self, text: str) -> frozenset[str]:
        """The flags after a word's slash."""
        if self.aliases and text.isdecimal() and 0 < int(text) <= len(self.aliases):
            text = self.aliases[int(text) - 1]
        if self.flag_form == "long":
            return frozenset(text[at : at + 2] for at in range(0, len(text), 2))
        return frozenset(text.split(",") if self.flag_form == "num" else text)

    def has(self, flags: Collection[str], *names: str) -> bool:
        """Whether some flags have one of those with a special meaning."""
        return any(self.special.get(name, "") in flags for name in names if name in self.special)


_SPECIAL = ("NOSUGGEST", "FORBIDDENWORD", "NEEDAFFIX", "ONLYINCOMPOUND")


def read_forms(dictionary: Path) -> Iterator[SpelledForm]:
    """All forms of a dictionary, some of them perhaps twice; raises WordListError where it cannot be read.

    `dictionary` is its .dic file, beside which its .aff file lies; in other files each line is a form.
    """
    if dictionary.suffix != ".dic":
        text = _text(dictionary, "utf-8")
        return (SpelledForm(line.strip(), True, False, ()) for line in text.splitlines() if line.strip())
    rules_file = dictionary.with_suffix(".aff")
    data = _bytes(rules_file)
    match = re.search(rb"^\s*SET\s+(\S+)", data, re.MULTILINE)
    encoding = match[1].decode("ascii", "replace") if match else "latin-1"
    affixes = _read_affixes(_decoded(data, encoding, rules_file), encoding)
    return _forms(affixes, _text(dictionary, encoding).splitlines()[1:])


def _bytes(path: Path) -> bytes:
    shown = printable(str(path), 200)
    try:
        data = read_at_most(path, _MOST_BYTES + 1)
    except OSError as error:
        raise WordListError(f"{shown} cannot be read: {error.strerror or error}") from error
    if len(data) > _MOST_BYTES:
        raise WordListError(f"{shown} is too large: {_MOST_BYTES >> 20} MB is the most")
    return data


def _text(path: Path, encoding: str) -> str:
    return _decoded(_bytes(path), encoding, path)


def _decoded(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except (UnicodeDecodeError, LookupError):
        raise WordListError(f"{printable(str(path), 200)} is no text in {printable(encoding, 20)}") from None


def _read_affixes(text: str, encoding: str) -> _Affixes:
    affixes = _Affixes(encoding)
    waiting: list[list[str]] = []
    for line in text.splitlines():
        parts = line.split()
        if len(parts) < 2:
            continue
        name, value, *rest = parts
        if name == "FLAG":
            affixes.flag_form = value
        elif name in _SPECIAL:
            affixes.special[name] = value
        elif name == "AF" and not (value.isdecimal() and not affixes.aliases and not rest):
            affixes.aliases.append(value)
        elif name == "SFX" and len(parts) >= 5:
            waiting.append(parts)
    for _, flag, strip, added, condition, *fields in waiting:
        suffix = _suffix(affixes, strip, added, condition, fields)
        if suffix is not None:
            affixes.suffixes[flag].append(suffix)
    return affixes


def _suffix(affixes: _Affixes, strip: str, added: str, condition: str, fields: Sequence[str]) -> _Suffix | None:
    add, _, flags = added.partition("/")
    strip = "" if strip == _NOTHING else strip
    try:
        fits = re.compile(f"(?:{condition})$")
    except re.error:
        return None
    said = tuple(each for each in fields if _FIELD.fullmatch(each))
    return _Suffix(strip, "" if add == _NOTHING else add, fits, affixes.flags(flags), said)


def _forms(affixes: _Affixes, lines: Sequence[str]) -> Iterator[SpelledForm]:
    for line in lines:
        if not line or line[0] in "\t#":
            continue
        head, *fields = line.split("\t") if "\t" in line else _split(line)
        text, _, flag_text = head.replace("\\/", "\0").partition("/")
        text, flags = text.replace("\0", "/").strip(), affixes.flags(flag_text.strip())
        said = tuple(part for each in fields for part in each.split() if _FIELD.fullmatch(part))
        if not text or affixes.has(flags, "FORBIDDENWORD"):
            continue
        is_offensive = affixes.has(flags, "NOSUGGEST")
        if not affixes.has(flags, "NEEDAFFIX", "ONLYINCOMPOUND"):
            yield SpelledForm(text, True, is_offensive, said)
        for made, more in _with_suffixes(affixes, text, flags, _MOST_SUFFIXES):
            yield SpelledForm(made, made == text, is_offensive, (*said, *more))


def _split(line: str) -> list[str]:
    """A line's word with its flags, and its fields, which begin with two letters and a colon."""
    match = re.search(r"\s[a-z]{2}:", line)
    return [line] if match is None else [line[: match.start()], line[match.start() :]]


def _with_suffixes(
    affixes: _Affixes, text: str, flags: frozenset[str], depth: int
) -> Iterator[tuple[str, tuple[str, ...]]]:
    table: Mapping[str, list[_Suffix]] = affixes.suffixes
    for flag in flags & table.keys():
        for suffix in table[flag]:
            if not text.endswith(suffix.strip) or suffix.fits.search(text) is None:
                continue
            made = text[: len(text) - len(suffix.strip)] + suffix.add
            if not affixes.has(suffix.flags, "NEEDAFFIX", "ONLYINCOMPOUND", "FORBIDDENWORD"):
                yield made, suffix.fields
            if depth > 1 and suffix.flags:
                yield from _with_suffixes(affixes, made, suffix.flags, depth - 1)
