"""Word lists in other languages, built on the user's machine from installed Hunspell dictionaries.

A dictionary has two files: `sv_SE.dic` with words and flags, and `sv_SE.aff` with the meaning of the flags, see
https://man.archlinux.org/man/hunspell.5. Suffixes are applied, also to forms that already have one. Prefixes and
compounds are not, because they produce what does not belong in a word list (`l'ami`, `Donaudampfschiff`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass, field
from xwtui.errors import WordListError, failing_as
from xwtui.lazy import lazy_pattern
from xwtui.model.alphabet import Alphabet
from xwtui.reading import read_at_most
from xwtui.text import listed, printable
from xwtui.words.normalise import spell

_MOST_BYTES = 64 << 20
_MOST_SUFFIXES = 2
"""Maximum number of suffixes in a row."""
_NOTHING = "0"
_FIELD = lazy_pattern(r"[a-z]{2}:\S+")
_BEFORE_FIELDS = lazy_pattern(r"\s(?=[a-z]{2}:)")
"""The separator between a word with its flags and its fields, in lines without tabs."""


class SpelledForm(NamedTuple):
    """A word, or a form of one with suffixes."""

    text: str
    is_base: bool
    """Whether it is the dictionary's own word, before any suffix."""
    is_offensive: bool
    """Whether the dictionary would not suggest it."""
    fields: tuple[str, ...]
    """Morphological fields, such as `po:nom`."""


class _Suffix(NamedTuple):
    strip: str
    add: str
    fits: re.Pattern[str]
    flags: frozenset[str]
    fields: tuple[str, ...]


@dataclass
class _Affixes:
    encoding: str = "utf-8"
    flag_form: str = ""
    special: dict[str, str] = field(default_factory=dict)
    """The flags of NOSUGGEST, FORBIDDENWORD, NEEDAFFIX and ONLYINCOMPOUND."""
    aliases: list[str] = field(default_factory=list)
    suffixes: defaultdict[str, list[_Suffix]] = field(default_factory=lambda: defaultdict(list))

    def flags(self, text: str) -> frozenset[str]:
        if self.aliases and text.isdecimal() and 0 < int(text) <= len(self.aliases):
            text = self.aliases[int(text) - 1]
        if self.flag_form == "long":
            return frozenset(text[at : at + 2] for at in range(0, len(text), 2))
        return frozenset(text.split(",") if self.flag_form == "num" else text)

    def has(self, flags: Collection[str], *names: str) -> bool:
        """Whether the flags include one with any of these special meanings."""
        return any(self.special.get(name, "") in flags for name in names if name in self.special)


_SPECIAL = ("NOSUGGEST", "FORBIDDENWORD", "NEEDAFFIX", "ONLYINCOMPOUND")


def read_forms(dictionary: Path) -> Iterator[SpelledForm]:
    """Yield all forms of a dictionary, perhaps repeated; raises WordListError if it cannot be read.

    `dictionary` is a .dic file with its .aff file next to it. In any other file, each line is a form.
    """
    if dictionary.suffix != ".dic":
        lines = map(str.strip, _decoded(_bytes(dictionary), "utf-8", dictionary).splitlines())
        return (SpelledForm(line, True, False, ()) for line in lines if line)
    rules_file = dictionary.with_suffix(".aff")
    rules = _bytes(rules_file)
    match = re.search(rb"^\s*SET\s+(\S+)", rules, re.MULTILINE)
    encoding = match[1].decode("ascii", "replace") if match else "latin-1"
    affixes = _read_affixes(_decoded(rules, encoding, rules_file), encoding)
    return _forms(affixes, _decoded(_bytes(dictionary), encoding, dictionary).splitlines()[1:])


def _bytes(path: Path) -> bytes:
    shown = printable(str(path), 200)
    with failing_as(WordListError, f"{shown} cannot be read"):
        data = read_at_most(path, _MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise WordListError(f"{shown} is too large: {_MOST_BYTES >> 20} MB is the most")
    return data


def _decoded(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except (UnicodeDecodeError, LookupError):
        raise WordListError(f"{printable(str(path), 200)} is not text in {printable(encoding, 20)}") from None


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
    # flags can only be parsed once all aliases are known
    for _, flag, stripped, added, condition, *fields in waiting:
        text, _, flags = added.partition("/")
        strip, add = ("" if each == _NOTHING else each for each in (stripped, text))
        said = tuple(each for each in fields if _FIELD.fullmatch(each))
        with suppress(re.error):
            fits = re.compile(f"(?:{condition})$")
            affixes.suffixes[flag].append(_Suffix(strip, add, fits, affixes.flags(flags), said))
    return affixes


def _forms(affixes: _Affixes, lines: Sequence[str]) -> Iterator[SpelledForm]:
    for line in lines:
        if not line or line[0] in "\t#":
            continue
        head, *fields = line.split("\t") if "\t" in line else _BEFORE_FIELDS.split(line, 1)
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


LONGEST = 25
"""Maximum length of a word; longer ones fit no common grid."""

BASE, INFLECTED, LITERARY, NAME, ABBREVIATION, OFFENSIVE = 60, 50, 35, 30, 20, 10
"""Scores: of dictionary words, of their suffixed forms, and of classes below the default minimum score of
puzzles."""

MARK = "# built by `lists build`"
"""First line of files that may be rebuilt."""

_LITERARY_FIELDS = frozenset({"is:ipsi", "is:simp"})
"""Tenses marked in the French dictionary that nobody speaks: passé simple, imparfait du subjonctif."""
_NAME_FIELDS = frozenset({"po:npr", "po:prn", "po:patr"})
_FORMS_A_LOOK = 5_000


@dataclass(frozen=True)
class Language:
    """A language for which lists can be built, with its dictionary's file names and Debian package."""

    code: str
    alphabet: str
    files: tuple[str, ...]
    package: str
    licence: str
    has_capital_nouns: bool = False
    """Whether nouns are capitalized, so that a capital does not indicate a name."""

    @property
    def source(self) -> Path:
        """The first of its dictionaries that exists; raises WordListError if there is none."""
        found = next(
            (path for folder in _FOLDERS for name in self.files if (path := folder / name).is_file()), None
        )
        if found is None:
            raise WordListError(
                f"no dictionary of {self.code} is installed: use `apt install {self.package}` on Debian and "
                f"Ubuntu, or name its .dic file with --from"
            )
        return found


_FOLDERS = (Path("/usr/share/hunspell"), Path("/usr/share/myspell/dicts"), Path("/usr/local/share/hunspell"))

LANGUAGES = {
    one.code: one
    for one in (
        Language("sv", "swedish", ("sv_SE.dic", "sv_FI.dic"), "hunspell-sv", "LGPL-3"),
        Language(
            "de", "german", ("de_DE.dic", "de_AT.dic", "de_CH.dic"), "hunspell-de-de", "GPL-2 or GPL-3", True
        ),
        Language("es", "spanish", ("es_ES.dic", "es_MX.dic"), "hunspell-es", "GPL-3, LGPL-3 or MPL-1.1"),
        Language("fr", "french", ("fr.dic", "fr_FR.dic"), "hunspell-fr", "MPL-2.0"),
        Language("nl", "dutch", ("nl_NL.dic", "nl.dic"), "hunspell-nl", "BSD or CC-BY-3.0"),
        Language("pl", "polish", ("pl_PL.dic",), "hunspell-pl", "GPL, LGPL, MPL, Apache or CC-SA"),
        Language("pt", "portuguese", ("pt_PT.dic", "pt_BR.dic"), "hunspell-pt-pt", "GPL-2, LGPL-2.1 or MPL-1.1"),
        Language("it", "italian", ("it_IT.dic",), "hunspell-it", "GPL-3"),
        Language("da", "danish", ("da_DK.dic",), "hunspell-da", "GPL-2, LGPL-2.1 or MPL-1.1"),
        Language("no", "norwegian", ("nb_NO.dic",), "hunspell-no", "GPL-2"),
        Language("cs", "czech", ("cs_CZ.dic",), "hunspell-cs", "GPL-2"),
        Language("el", "greek", ("el_GR.dic",), "hunspell-el", "GPL-2, LGPL-2.1 or MPL-1.1"),
        Language("ru", "cyrillic", ("ru_RU.dic",), "hunspell-ru", "BSD"),
        Language("uk", "ukrainian", ("uk_UA.dic",), "hunspell-uk", "GPL-2, LGPL-2.1 or MPL-1.1"),
    )
}


def find_language(code: str) -> Language:
    """Return the language with a code such as `sv`, or with an alphabet's name; raises WordListError."""
    wanted = code.strip().lower()
    found = next((one for one in LANGUAGES.values() if wanted in (one.code, one.alphabet)), None)
    if found is None:
        raise WordListError(f"there is no language {printable(code, 30)!r}; there are {listed(LANGUAGES, 'and')}")
    return found


class BuiltList(NamedTuple):
    """The words of a built list with their scores, and the number of forms that cannot be grid words."""

    scores: dict[str, int]
    passed_over: int


def build(
    language: Language, source: Path, alphabet: Alphabet, is_stopped: Callable[[], bool] = lambda: False
) -> BuiltList | None:
    """Return the words of a dictionary, spelled in an alphabet, with scores; None if stopped.

    Words with digits, hyphens, periods or spaces are ignored. Raises WordListError if the dictionary cannot be
    read or contains no word.
    """
    scores: dict[str, int] = {}
    passed_over = 0
    for number, form in enumerate(read_forms(source)):
        if number % _FORMS_A_LOOK == 0 and is_stopped():
            return None
        word, bare = "", form.text.replace("'", "").replace("’", "")
        with suppress(WordListError):
            word = spell(bare, alphabet).word if bare.isalpha() else ""
        if 2 <= len(word) <= LONGEST:
            scores[word] = max(scores.get(word, 0), _score(form, language))
        else:
            passed_over += 1
    if not scores:
        raise WordListError(f"{printable(str(source), 200)} has no words in {alphabet.title}")
    return BuiltList(scores, passed_over)


def _score(form: SpelledForm, language: Language) -> int:
    if form.is_offensive:
        return OFFENSIVE
    if form.text.isupper() or (form.text[1:] != form.text[1:].lower()):
        return ABBREVIATION
    if not _NAME_FIELDS.isdisjoint(form.fields) or (form.text[:1].isupper() and not language.has_capital_nouns):
        return NAME
    if not _LITERARY_FIELDS.isdisjoint(form.fields):
        return LITERARY
    return BASE if form.is_base else INFLECTED


def list_lines(built: BuiltList, language: Language, source: Path) -> Iterator[str]:
    """Yield the lines of the list's file, which names its alphabet and the source of its words."""
    yield f"{MARK} from {printable(str(source), 200)}"
    yield f"# Words of {language.package} ({language.licence}): pass them on only under its license."
    yield f"# alphabet: {language.alphabet}"
    yield "# scores: 0-100"
    yield from (f"{word};{score}" for word, score in sorted(built.scores.items()))
