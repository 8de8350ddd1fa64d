"""Word lists of other languages, made on the user's machine from the dictionaries of Hunspell that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.errors import WordListError
from xwtui.model.alphabet import Alphabet
from xwtui.text import listed, printable
from xwtui.words.hunspell import SpelledForm, read_forms
from xwtui.words.normalise import spell

LONGEST = 25
"""Letters of a word: more fit no grid that is common."""

BASE, INFLECTED, LITERARY, NAME, ABBREVIATION, OFFENSIVE = 60, 50, 35, 30, 20, 10
"""The scores: of a word as dictionaries have it, and of what suffixes make of it; the others are below the lowest
score of puzzles, if nothing else is said."""

MARK = "# built by `lists build`"
"""How a file begins that may be built anew."""

_LITERARY_FIELDS = frozenset({"is:ipsi", "is:simp"})
"""Tenses that the French dictionary tells, and that nobody speaks: passé simple, imparfait du subjonctif."""
_NAME_FIELDS = frozenset({"po:npr", "po:prn", "po:patr"})
_FORMS_A_LOOK = 5_000


@dataclass(frozen=True)
class Language:
    """A language that lists are built of, where its dictionary may lie, and what of Debian puts it there."""

    code: str
    alphabet: str
    files: tuple[str, ...]
    package: str
    licence: str
    has_capital_nouns: bool = False
    """Whether a capital says nothing of a name."""

    @property
    def source(self) -> Path:
        """The first of its dictionaries that is there; raises WordListError where none is."""
        found = next(
            (path for folder in _FOLDERS for name in self.files if (path := folder / name).is_file()), None
        )
        if found is None:
            raise WordListError(
                f"no dictionary of {self.code} is installed: `apt install {self.package}` does that on Debian and "
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
    """The language of a code such as `sv`, or of an alphabet; raises WordListError."""
    wanted = code.strip().lower()
    found = next((one for one in LANGUAGES.values() if wanted in (one.code, one.alphabet)), None)
    if found is None:
        raise WordListError(f"there is no language {printable(code, 30)!r}; there are {listed(LANGUAGES, 'and')}")
    return found


class BuiltList(NamedTuple):
    """The words of a list that was built, with their scores, and how many forms could not be words of a grid."""

    scores: dict[str, int]
    passed_over: int


def build(
    language: Language, source: Path, alphabet: Alphabet, is_stopped: Callable[[], bool] = lambda: False
) -> BuiltList | None:
    """The words of a dictionary, spelled in an alphabet, each with the score that it tells; None where stopped.

    Words with digits, hyphens, dots and blanks are passed over. Raises WordListError where the dictionary cannot
    be read, or holds no word.
    """
    scores: dict[str, int] = {}
    passed_over = 0
    for number, form in enumerate(read_forms(source)):
        if number % _FORMS_A_LOOK == 0 and is_stopped():
            return None
        word = _word(form.text, alphabet)
        if word is None:
            passed_over += 1
            continue
        score = _score(form, language)
        if score > scores.get(word, -1):
            scores[word] = score
    if not scores:
        raise WordListError(f"{printable(str(source), 200)} has no word of {alphabet.title}")
    return BuiltList(scores, passed_over)


def _word(text: str, alphabet: Alphabet) -> str | None:
    bare = text.replace("'", "").replace("’", "")
    if not bare.isalpha():
        return None
    try:
        word = spell(bare, alphabet).word
    except WordListError:
        return None
    return word if 2 <= len(word) <= LONGEST else None


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
    """The lines of the file that a list becomes, which tells its alphabet and where its words are from."""
    yield f"{MARK} from {printable(str(source), 200)}"
    yield f"# Words of {language.package} ({language.licence}): pass them on under its licence alone."
    yield f"# alphabet: {language.alphabet}"
    yield "# scores: 0-100"
    yield from (f"{word};{score}" for word, score in sorted(built.scores.items()))
