"""The words of one puzzle: the lexicon of the whole grid, and the lists that single entries have of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from xwtui.model.puzzle import WordChoice
from xwtui.words.layers import LoadedLexicon, load_lexicon
from xwtui.words.lexicon import Lexicon


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
