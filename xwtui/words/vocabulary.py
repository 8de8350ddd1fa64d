"""The words of one puzzle: the lexicon of the whole grid, and the lists that single entries have of their own."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from xwtui.errors import WordListError
from xwtui.model.puzzle import WordChoice
from xwtui.resources import default_word_list, wordlists_folder
from xwtui.text import printable
from xwtui.words.lexicon import Lexicon, Preferences
from xwtui.words.reader import BadLine
from xwtui.words.sharing import Shared
from xwtui.words.store import open_word_list
from xwtui.words.word_list import WordList

DEFAULT_LIST = "default"
"""The name of the list that ships with xwtui."""

_LINES_TOLD = 5


@dataclass(frozen=True)
class Layer:
    """A list that a lexicon is made of, with what was wrong in its file."""

    name: str
    """As the puzzle names it."""
    path: Path
    words: int
    """The number of words in the list, before bans and lowest score."""
    bad_lines: tuple[BadLine, ...]
    """The first bad lines."""
    bad_count: int
    """All bad lines."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """A line for each of the first bad lines, and one for how many more there are."""
        name = printable(self.name)
        told = [f"{name}: skipped {line}" for line in self.bad_lines[:_LINES_TOLD]]
        more = self.bad_count - len(told)
        if more > 0:
            told.append(f"{name}: skipped {more:,} more {'line' if more == 1 else 'lines'}")
        return tuple(told)


@dataclass(frozen=True)
class LoadedLexicon:
    """A lexicon with the layers that it was made of, the first one first."""

    lexicon: Lexicon
    layers: tuple[Layer, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """The lines that tell what was skipped, layer after layer."""
        return tuple(warning for layer in self.layers for warning in layer.warnings)


def load_lexicon(
    choice: WordChoice, folder: Path | None = None, cache: Path | None = None, recent: Collection[str] = ()
) -> LoadedLexicon:
    """Read the lists of a choice, the default list if it names none, and make its lexicon.

    `folder` is the puzzle's: names are looked up there first; `cache` as `open_word_list` takes it; `recent`
    are the answers of the puzzles in `choice.recent`, for whoever can read puzzles. Raises
    WordListError where a list is not found or cannot be used, and for bad words and scores.
    """
    names = tuple(dict.fromkeys(choice.lists)) or (DEFAULT_LIST,)
    paths = [find_list(name, folder) for name in names]
    results = [open_word_list(path, cache) for path in paths]
    preferred = [open_word_list(find_list(name, folder), cache).word_list for name in choice.preferred]
    lexicon = _shared_lexicon(choice, [result.word_list for result in results], preferred, frozenset(recent))
    layers = (
        Layer(name, path, len(result.word_list), result.bad_lines, result.bad_count)
        for name, path, result in zip(names, paths, results, strict=True)
    )
    return LoadedLexicon(lexicon, tuple(layers))


_lexicons: Shared[Hashable, Lexicon] = Shared()
"""By all that they were made of."""


def _shared_lexicon(
    choice: WordChoice, lists: Sequence[WordList], preferred: Sequence[WordList], recent: frozenset[str]
) -> Lexicon:
    """The lexicon of a choice; the very one that another puzzle of this process uses, if one asks for the same."""

    def build() -> Lexicon:
        avoided = WordList.from_scores("recent", dict.fromkeys(recent, 0)) if recent else None
        return Lexicon.build(
            lists,
            minimum_score=choice.minimum_score,
            banned=choice.banned,
            scores=choice.scores,
            preferences=Preferences(tuple(preferred), avoided),
        )

    made_of = (
        tuple(map(id, lists)),  # a lexicon in use keeps its lists, and so their ids
        choice.minimum_score,
        choice.banned,
        frozenset(choice.scores.items()),
        tuple(map(id, preferred)),
        recent,
    )
    return _lexicons.get(made_of, build)


def find_list(name: str, folder: Path | None = None) -> Path:
    """Return the path of a list named in a puzzle: in the puzzle's folder, else a file, else one that ships.

    Raises WordListError where there is none, and tells where it was looked for.
    """
    tried = []
    for path in dict.fromkeys(_places(name, folder)):
        try:
            if path.is_file() or path.is_fifo():
                return path
            if path.exists():
                raise WordListError(f"{printable(str(path), 200)} is no ordinary file, so no word list")
        except (OSError, ValueError) as error:
            raise WordListError(f"'{printable(name)}' cannot be a word list's name") from error
        tried.append(printable(str(path), 200))
    if not tried:
        raise WordListError("a word list has an empty name")
    raise WordListError(f"there is no word list '{printable(name)}'; looked for {' and '.join(tried)}")


def _places(name: str, folder: Path | None) -> Iterator[Path]:
    """Where a list may be, the first choice first."""
    if not name.strip():
        return
    path = Path(name)
    if folder is not None and not path.is_absolute():
        yield folder.absolute() / path
    if name.startswith("~"):
        yield _expand_home(path)
    else:
        yield path.absolute()
    if name == DEFAULT_LIST:
        yield default_word_list()
    elif path.name == name and not path.suffix:
        yield wordlists_folder() / f"{name}.dict"


def _expand_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        return path


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A lexicon, and by name the lexicons of the lists that only some entries use."""

    lexicon: Lexicon
    own_lists: Mapping[str, Lexicon] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    """What was skipped in the lists' files, a line each."""

    def with_minimum(self, score: int) -> Vocabulary:
        """The same words with another lowest score, 0 to 100."""
        own = {name: lexicon.with_minimum(score) for name, lexicon in self.own_lists.items()}
        return replace(self, lexicon=self.lexicon.with_minimum(score), own_lists=own)


def load_vocabulary(
    choice: WordChoice,
    own_lists: Collection[str] = (),
    folder: Path | None = None,
    cache: Path | None = None,
    recent: Collection[str] = (),
) -> Vocabulary:
    """Read the lists of a choice, and each list of `own_lists` by itself with the same bans and scores.

    Raises WordListError as `load_lexicon` does, which also tells of `folder`, `cache` and `recent`.
    """
    return vocabulary_of(load_lexicon(choice, folder, cache, recent), choice, own_lists, folder, cache)


def vocabulary_of(
    loaded: LoadedLexicon,
    choice: WordChoice,
    own_lists: Collection[str] = (),
    folder: Path | None = None,
    cache: Path | None = None,
) -> Vocabulary:
    """The same where the lists of the choice itself have been read, perhaps from another folder."""
    plain = replace(choice, preferred=())
    own = {name: load_lexicon(replace(plain, lists=(name,)), folder, cache) for name in sorted(own_lists)}
    warnings = [warning for lists in (loaded, *own.values()) for warning in lists.warnings]
    lexicons = {name: lists.lexicon for name, lists in own.items()}
    return Vocabulary(loaded.lexicon, lexicons, tuple(dict.fromkeys(warnings)))
