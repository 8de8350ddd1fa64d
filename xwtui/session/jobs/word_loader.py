"""The words in use: loads the lists that a puzzle names, off the face's thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import WordListError
from xwtui.model import Puzzle, WordChoice
from xwtui.session.jobs.scheduler import IsStopped, Priority, Scheduler
from xwtui.session.messages import LexiconFailed, LexiconReady, Message
from xwtui.session.overrides import NO_OVERRIDES, Overrides
from xwtui.session.recent_answers import recent_answers

if TYPE_CHECKING:
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.vocabulary import Vocabulary


class VocabularyRequest(NamedTuple):
    """A puzzle's choice of words, the lists that single entries have, and its file: paths start beside it."""

    choice: WordChoice
    own_lists: frozenset[str]
    path: Path | None
    instead: tuple[str, ...] = ()
    """Lists from the current folder that stand in for those of the choice."""

    @classmethod
    def of(cls, puzzle: Puzzle, path: Path | None, overrides: Overrides = NO_OVERRIDES) -> VocabularyRequest:
        """The words that a puzzle asks for, but for what is said over it."""
        choice = puzzle.words
        if overrides.minimum_score is not None:
            choice = replace(choice, minimum_score=overrides.minimum_score)
        return cls(choice, puzzle.rules.own_lists, path, overrides.lists)

    def load(self) -> Vocabulary:
        """Read the lists and the recent puzzles; raises WordListError."""
        from xwtui.words.vocabulary import find_list, load_lexicon, vocabulary_of  # noqa: PLC0415  (loads numpy)

        choice = self.choice
        folder = None if self.path is None else self.path.parent
        if self.instead:
            preferred = tuple(str(find_list(name, folder)) for name in choice.preferred)
            choice = replace(choice, lists=self.instead, preferred=preferred)
        recent = recent_answers(choice.recent, self.path)
        loaded = load_lexicon(choice, None if self.instead else folder, recent=recent.answers)
        words = vocabulary_of(loaded, choice, self.own_lists, folder)
        return replace(words, warnings=(*words.warnings, *recent.notices))


class WordLoader:
    """The words of the puzzle, once they are loaded; none where its choice fails."""

    def __init__(self, post: Callable[[Message], None], scheduler: Scheduler) -> None:
        self.vocabulary: Vocabulary | None = None
        self.failure = ""
        self._post = post
        self._wanted: VocabularyRequest | None = None
        self._settled: VocabularyRequest | None = None
        self._worker = scheduler.worker("words", self._load, self._fail, Priority.LIVE, is_compiled=False)

    @property
    def lexicon(self) -> Lexicon | None:
        """The words for the whole grid."""
        return self.vocabulary.lexicon if self.vocabulary is not None else None

    @property
    def is_loading(self) -> bool:
        """Whether the words asked for are still on their way."""
        return self._settled != self._wanted

    @property
    def view(self) -> Vocabulary | None:
        """The words asked for last; None while they are on their way, and where they could not be loaded."""
        return None if self.is_loading else self.vocabulary

    def score(self, word: str) -> int | None:
        """A word's score, or None where no list has it, or none is loaded yet."""
        return self.lexicon.score(word) if self.lexicon is not None else None

    def allows(self, word: str) -> bool:
        """Whether a fill may use a word; while no words are loaded, all may."""
        return self.lexicon is None or self.lexicon.allows(word)

    def start(self, request: VocabularyRequest) -> None:
        """Load the words of a choice, unless it is the one asked for last."""
        if request != self._wanted:
            self._wanted = request
            self._worker.submit(request)

    def wait(self, is_stopped: IsStopped) -> Vocabulary | None:
        """Wait until the words asked for last are there; returns None if `is_stopped` was first.

        Raises WordListError where they cannot be loaded.
        """
        while self.is_loading:
            if is_stopped():
                return None
            time.sleep(0.01)
        if self.failure or self.vocabulary is None:
            raise WordListError(self.failure or "no words are loaded")
        return self.vocabulary

    def stop(self) -> bool:
        """Nothing: words are always wanted; returns False."""
        return False

    def _load(self, request: VocabularyRequest, is_stopped: IsStopped) -> None:
        begun = time.perf_counter()
        loaded = request.load()
        words = len(loaded.lexicon)
        if is_stopped():
            return
        self.vocabulary, self.failure = loaded, ""
        self._settled = request
        self._post(LexiconReady(words, time.perf_counter() - begun, loaded.warnings))

    def _fail(self, message: str) -> None:
        self.vocabulary, self.failure = None, message
        self._settled = self._wanted
        self._post(LexiconFailed(message))
