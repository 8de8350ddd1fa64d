"""The sources of a puzzle's words: layered lists, the lexicon built from them, and lists for single entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import WordListError
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.puzzle import WordChoice
from xwtui.text import counted, first_named, printable
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.layers import NO_USER_LISTS, UserList, UserLists
from xwtui.words.lexicon import MOST_CHANGES, Lexicon, Preferences
from xwtui.words.list_files import DEFAULT_LIST, find_list, is_default
from xwtui.words.personal_list import MINE, NEVER, PersonalList
from xwtui.words.reader import ReadResult
from xwtui.words.scales import OWN_SCALE
from xwtui.words.sharing import Shared
from xwtui.words.word_list import WordList, WordTable, differing_words, frozen_table, rows_in

_LINES_TOLD = 5


@dataclass(frozen=True)
class Layer:
    """A list in a lexicon, together with what was wrong in its file."""

    name: str
    """The name that the puzzle uses."""
    path: Path
    read: ReadResult
    """The list's words, before bans and minimum score, and what was skipped or changed in its file."""
    alphabet: Alphabet
    """The alphabet in which it was read."""
    chosen: str = ""
    """The alphabet that the user chose for it, if any."""
    problem: str = ""
    """Why the file cannot be used as it is; the layer is then omitted or keeps its previous content."""

    @property
    def word_list(self) -> WordList:
        return self.read.word_list

    @property
    def words(self) -> int:
        return len(self.word_list)

    @property
    def language(self) -> str:
        """The language of the alphabet chosen for it or named by its file, or of the shipped list; else empty."""
        return language_of(self.path, self.read, self.chosen)

    @property
    def folds(self) -> Mapping[str, str]:
        """The letters that the alphabet lacks and that no convention replaces, with their replacements."""
        fold_of = self.alphabet.fold_of
        return {each.letter: each.written for each in self.read.folded if each.letter not in fold_of}

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line for each of the first bad lines, and one with the number of further ones."""
        if self.problem:
            return (printable(self.problem, 400),)
        name, read, told = printable(self.name), self.read, list[str]()
        if read.is_guessed and (read.capped or read.scale.changes_scores):
            capped = f"; {read.capped}" if read.capped else ""
            told.append(f"scores read as {read.scale.words} (guessed){capped}; `lists scale {name} RULE` sets it")
        if is_default(self.path) and self.language != self.alphabet.language:
            told.append(f"its words are {ENGLISH.title}: `lists build` makes lists for other languages")
        elif folded := folded_words(read, self.alphabet):
            told.append(folded)
        told += [f"skipped {line}" for line in read.bad_lines[:_LINES_TOLD]]
        more = read.bad_count - len(read.bad_lines[:_LINES_TOLD])
        told += [f"skipped {counted(more, 'more line')}"] if more > 0 else []
        return tuple(f"{name}: {line}" for line in told)


def language_of(path: Path, read: ReadResult, chosen: str = "") -> str:
    """Return a list's language: that of the alphabet chosen for it or named by its file, or empty."""
    return ENGLISH.language if is_default(path) else (chosen or read.alphabet).partition("-")[0]


def folded_words(read: ReadResult, alphabet: Alphabet) -> str:
    """Return a sentence on replaced letters that an alphabet lacks; empty if there are none."""
    told = [each for each in read.folded if each.letter not in alphabet.fold_of]
    if not told:
        return ""
    changed = [
        f"{letter} to {written or 'nothing'} in {counted(words, 'word')}" for letter, written, words in told
    ]
    named = first_named(changed, 6)
    own = f"; the list says it is {read.alphabet}" if read.alphabet not in ("", alphabet.name) else ""
    return f"letters outside {alphabet.title} were changed: {named}{own}"


IN_ALL_LISTS = 60
"""The score of a three-letter word that all lists contain; a word in some lists gets that share of it."""

A_LETTER_MORE = 2
SHORTEST_GRADED, LONGEST_GRADED = 3, 13
"""Range of lengths, in letters, over which a longer word gets a higher grade."""


def has_no_scores(words: WordList) -> bool:
    """Whether all words have the same score, as in a file without scores, other than 0, which bans."""
    tables = (scores for length in words.lengths if len(scores := words.table(length).scores))
    found = {int(end) for scores in tables for end in (scores.min(), scores.max())}
    return len(found) == 1 and 0 not in found


def graded(lists: Sequence[WordList]) -> list[WordList]:
    """Return the lists, with graded scores for those without any.

    A word's grade depends on its length and on how many lists contain it. Lists with scores are unchanged but are
    counted. The same input returns the same objects while these are in use.
    """
    key = tuple(sorted(each.fingerprint for each in lists))

    def graded_table(table: WordTable) -> WordTable:
        length = table.letters.shape[1]
        having = np.zeros(len(table.letters), np.int64)
        for each in lists:
            having += rows_in(table, [each.table(length).letters])
        more = A_LETTER_MORE * (min(max(length, SHORTEST_GRADED), LONGEST_GRADED) - SHORTEST_GRADED)
        return frozen_table(table.letters, (having * IN_ALL_LISTS // len(lists) + more).astype(np.uint8))

    def with_scores(words: WordList) -> WordList:
        tables = {length: graded_table(words.table(length)) for length in words.lengths}
        return WordList(words.name, tables, words.tag_rows, words.parted_rows)

    return [
        _graded.get((each.name, each.fingerprint, key), partial(with_scores, each))
        if has_no_scores(each)
        else each
        for each in lists
    ]


_graded: Shared[tuple[str, str, tuple[str, ...]], WordList] = Shared()
"""By a list's name and hash, and the hashes of all lists."""


class LoadedLexicon(NamedTuple):
    """A lexicon with its layers, topmost first."""

    lexicon: Lexicon
    layers: tuple[Layer, ...]
    problem: str = ""
    """What is wrong with the user's choices for the layers."""

    @property
    def personal(self) -> WordList | None:
        return next((layer.word_list for layer in self.layers if layer.name == MINE), None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Lines on everything that was skipped, layer by layer."""
        problem = (printable(self.problem, 400),) if self.problem else ()
        return (*problem, *(warning for layer in self.layers for warning in layer.warnings))


def load_lexicon(
    choice: WordChoice,
    folder: Path | None = None,
    recent: Collection[str] = (),
    user: UserLists = NO_USER_LISTS,
    wanted: Collection[str] = (),
) -> LoadedLexicon:
    """Read the lists of a choice, by default the default list, and build the lexicon.

    `folder` is the puzzle's folder, which is searched first for names. `recent`
    holds the answers of the puzzles in `choice.recent`, which the caller reads. Of the layers in `user`, the
    personal list goes on top and the others replace the default list, except those in another language. A word
    banned by the personal list stays allowed if the puzzle scores it or it is in `wanted`. An unusable layer of
    the user's is reported and omitted. Raises WordListError if a list of the choice is missing or unusable, and
    for invalid words and scores.
    """
    layers = list(_layers_of(choice, folder, user))
    personal = _personal_layer(user.personal, choice.alphabet)
    preferred = [
        open_word_list(find_list(name, folder), alphabet=choice.alphabet).word_list for name in choice.preferred
    ]
    if choice.is_graded:
        scored = graded([one.word_list for one in layers])
        pairs = zip(layers, scored, strict=True)
        layers = [replace(layer, read=layer.read._replace(word_list=words)) for layer, words in pairs]
    lists = [one.word_list for one in layers]
    own = None if personal is None else personal.word_list
    lexicon = _shared_lexicon(choice, lists, preferred, frozenset(recent), own, wanted)
    return LoadedLexicon(lexicon, (*([personal] if personal else ()), *layers), user.problem)


def _layers_of(choice: WordChoice, folder: Path | None, user: UserLists) -> Iterator[Layer]:
    """Yield the lists of a choice, each once; the user's layers, if any, replace the shipped list."""
    seen: set[Path] = set()
    for name in tuple(dict.fromkeys(choice.lists)) or (DEFAULT_LIST,):
        path = find_list(name, folder)
        own = user.below_personal if is_default(path) else ()
        known = user.at(path)
        rule = str(OWN_SCALE) if known is None else known.rule
        own_layers = (_user_layer(one, choice.alphabet) for one in own)
        layers = [layer for layer in own_layers if layer.language in ("", choice.alphabet.language)]
        if not layers:
            read = open_word_list(path, rule, alphabet=choice.alphabet)
            layers = [Layer(name, path, read, choice.alphabet)]
        yield from (layer for layer in layers if layer.path not in seen)
        seen.update(layer.path for layer in layers)


_good: dict[Path, tuple[str, Alphabet, ReadResult]] = {}
"""The last readable state of each of the user's layers, and the rule and alphabet that it was last read with: each
alphabet that a puzzle ever had would keep twelve megabytes."""


def _latest(one: UserList, alphabet: Alphabet, read: Callable[[], ReadResult]) -> tuple[ReadResult | None, str]:
    """Return what `read` finds in a layer's file, or its last readable state if any, and why it is unusable."""
    try:
        found = read()
    except WordListError as error:
        *read_with, known = _good.get(one.path, (None,))
        return known if read_with == [one.rule, alphabet] else None, str(error)
    _good[one.path] = one.rule, alphabet, found
    return found, ""


def _user_layer(one: UserList, alphabet: Alphabet) -> Layer:
    """Return a user's layer. If its file is unusable, return its last readable state, or an empty layer."""
    read, fault = _latest(one, alphabet, lambda: open_word_list(one.path, one.rule, one.mark, alphabet))
    if read is None:
        left_out = f"layer {one.name} was left out: {fault}"
        return Layer(one.name, one.path, ReadResult(WordList(one.name, {})), alphabet, problem=left_out)
    problem = f"{fault}; layer {one.name} is unchanged" if fault else ""
    return Layer(one.name, one.path, read, alphabet, one.alphabet, problem)


def _personal_layer(one: UserList | None, alphabet: Alphabet) -> Layer | None:
    """Return the personal list if it is on and not empty; if it is unreadable, its last readable state."""
    if one is None:
        return None
    read, fault = _latest(one, alphabet, lambda: PersonalList(one.path).read(alphabet))
    read = read or ReadResult(WordList(one.name, {}))
    is_shown = fault or len(read.word_list) or read.bad_count
    return Layer(one.name, one.path, read, alphabet, problem=fault) if is_shown else None


_lexicons: Shared[Hashable, Lexicon] = Shared()
"""By everything that a lexicon is built from."""
_newest: WeakValueDictionary[Hashable, Lexicon] = WeakValueDictionary()
"""The most recently requested lexicon among those that differ only in their words."""


def _shared_lexicon(
    choice: WordChoice,
    lists: Sequence[WordList],
    preferred: Sequence[WordList],
    recent: frozenset[str],
    personal: WordList | None,
    wanted: Collection[str] = (),
) -> Lexicon:
    """Return the lexicon of a choice, sharing the one of another puzzle in this process if it is the same."""
    zeros = (word for word, score in personal or () if score == NEVER)
    never = frozenset(word for word in zeros if word not in choice.scores and word not in wanted)

    def build() -> Lexicon:
        avoided = WordList.from_scores("recent", dict.fromkeys(recent, 0)) if recent else None
        made = Lexicon.build(
            lists if personal is None else [personal, *lists],
            minimum_score=choice.minimum_score,
            banned=choice.banned | never,
            scores=choice.scores,
            preferences=Preferences(tuple(preferred), avoided),
            alphabet=choice.alphabet,
        )
        before = _newest.get(alike)
        changed = None if before is None else changed_words(before, made)
        if before is not None and changed is not None:
            made.take_over(before, changed)
        return made

    # a lexicon in use keeps its lists alive, so their ids stay unique
    alike = choice.minimum_score, tuple(map(id, preferred)), recent, choice.alphabet
    personal_hash = None if personal is None else personal.fingerprint
    own = choice.banned, frozenset(choice.scores.items()), personal_hash, never
    made_of = *alike, tuple(map(id, lists)), *own
    lexicon = _newest[alike] = _lexicons.get(made_of, build)
    return lexicon


def changed_words(before: Lexicon, after: Lexicon) -> frozenset[str] | None:
    """Return the words in which two lexicons may differ, or None if there are too many to update in place."""
    old, new = ({layer.name: layer for layer in words.layers} for words in (before, after))
    is_named_once = (len(old), len(new)) == (len(before.layers), len(after.layers))
    if not is_named_once or [name for name in old if name in new] != [name for name in new if name in old]:
        return None
    changed = set(before.banned ^ after.banned)
    for name in {**old, **new}:
        one, other = old.get(name, _NOTHING), new.get(name, _NOTHING)
        if one is not other and abs(len(one) - len(other)) > MOST_CHANGES:
            return None
        for length in () if one is other else {*one.lengths, *other.lengths}:
            changed.update(differing_words(one.table(length), other.table(length)))
    return frozenset(changed) if len(changed) <= MOST_CHANGES else None


_NOTHING = WordList("", {})


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A lexicon, and by name the lexicons of lists that only some entries use."""

    lexicon: Lexicon
    own_lists: Mapping[str, Lexicon] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    """One line for everything that was skipped in the lists' files."""

    def with_minimum(self, score: int) -> Vocabulary:
        """Return the same words with another minimum score, 0 to 100."""
        own = {name: lexicon.with_minimum(score) for name, lexicon in self.own_lists.items()}
        return replace(self, lexicon=self.lexicon.with_minimum(score), own_lists=own)

    def with_repeat_cost(self, cost: int) -> Vocabulary:
        """Return the same words with another penalty for recently used ones, 0 to 100."""
        return replace(self, lexicon=self.lexicon.with_repeat_cost(cost))


def vocabulary_of(
    loaded: LoadedLexicon,
    choice: WordChoice,
    own_lists: Collection[str] = (),
    folder: Path | None = None,
) -> Vocabulary:
    """Build the vocabulary of a choice whose own lists are already loaded, perhaps from another folder."""
    plain, personal = replace(choice, preferred=()), loaded.personal
    own = {name: _own_list(replace(plain, lists=(name,)), folder, personal) for name in sorted(own_lists)}
    warnings = [warning for lists in (loaded, *own.values()) for warning in lists.warnings]
    lexicons = {name: lists.lexicon for name, lists in own.items()}
    return Vocabulary(loaded.lexicon, lexicons, tuple(dict.fromkeys(warnings)))


def _own_list(choice: WordChoice, folder: Path | None, personal: WordList | None) -> LoadedLexicon:
    """Load an entry's own list; the personal list overrides the scores of its words but adds none."""
    layers = tuple(_layers_of(choice, folder, NO_USER_LISTS))
    lists = [layer.word_list for layer in layers]
    known = {word: score for word, score in personal or () if any(word in words for words in lists)}
    over = WordList.from_scores(MINE, known) if known else None
    return LoadedLexicon(_shared_lexicon(choice, lists, (), frozenset(), over), layers)
