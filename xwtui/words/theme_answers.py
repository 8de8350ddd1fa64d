"""Theme answers as a constructor names them: words, or files that list words, with rebus squares in brackets."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from xwtui.errors import PuzzleError, WordListError, XwtuiError, failing_as
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import pieces
from xwtui.words.normalise import normalise, normalise_answer, note_folds

with lazy_imports():
    from xwtui.words.compiled_lists import open_word_list
    from xwtui.words.reader import decode_list

MOST_TOGETHER = 7
"""Maximum number of theme answers arranged together."""
LIST_SUFFIXES = (".txt", ".dict", ".csv", ".tsv", ".list")
"""Suffixes of word files; other files are recognized by a slash in the name."""

_AFTER_WORD = lazy_pattern(r"[;,\t].*|\s+\d+\s*$")


def read_answers(named: Iterable[str], alphabet: Alphabet) -> tuple[str, ...]:
    """Return the distinct answers in an alphabet: words as given, and those of a file by descending score.

    Replacements of letters that the alphabet lacks are recorded for `recording_folds`. Raises WordListError for an
    item that is neither a word nor a readable file, and for a file without words.
    """
    return tuple(dict.fromkeys(answer for text in named for answer in _answers(text, alphabet)))


def is_file_name(text: str) -> bool:
    """Whether the text names a file of words and not an answer, which has slashes only with brackets."""
    return text.lower().endswith(LIST_SUFFIXES) or ("/" in text and "[" not in text)


def theme_answer(text: str, alphabet: Alphabet) -> str:
    """Return an answer as the grid takes it, `LO[CAT]IONSCOUT`; raises WordListError for a malformed one."""
    answer = normalise_answer(text, alphabet).replace(" ", "")
    with failing_as(WordListError, of=PuzzleError):
        pieces(answer)
    return answer


def _answers(text: str, alphabet: Alphabet) -> Iterator[str]:
    if not is_file_name(text):
        yield theme_answer(text, alphabet)
        return
    path = Path(text).expanduser()
    read = open_word_list(path, alphabet=alphabet)
    note_folds({each.letter: each.written for each in read.folded})
    listed = sorted(read.word_list, key=lambda entry: -entry[1])
    with_rebus = _with_rebus(path, alphabet) if path.is_file() else {}
    yield from (with_rebus.get(word) or alphabet.in_squares(word) for word, _ in listed)


def _with_rebus(path: Path, alphabet: Alphabet) -> Mapping[str, str]:
    """Return a file's answers with rebus squares, by the letters that the list reader gives for them."""
    found: dict[str, str] = {}
    for line in decode_list(path.read_bytes(), path.name).splitlines():
        if "[" in line:
            try:
                answer = theme_answer(_AFTER_WORD.sub("", line), alphabet)
                found[normalise(answer, alphabet)] = answer
            except XwtuiError:
                continue  # a comment or another line that the reader skips, too
    return found
