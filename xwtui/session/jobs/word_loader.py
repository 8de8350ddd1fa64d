"""The words in use: loads the lists that a puzzle names, on a thread of its own."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, WordChoice
from xwtui.model.rules.constraints import AlteredEntries
from xwtui.model.statistics import GridStatistics, grid_statistics
from xwtui.reading import DiskMark
from xwtui.session.fill_options import DEFAULT_REPEAT_COST
from xwtui.session.jobs.scheduler import IsStopped, Priority, Scheduler, Worker
from xwtui.session.messages import LexiconFailed, LexiconReady, Message
from xwtui.session.own_puzzles import recent_answers
from xwtui.session.settings import NO_OVERRIDES, Overrides
from xwtui.text import printable
from xwtui.words.layers import NO_USER_LISTS, UserLists, find_user_lists
from xwtui.words.list_files import LIST_FILES, check_trusted, find_list, untrusted_lists

with lazy_imports():
    from xwtui.engine.problem.recorded_answers import with_recorded_answers
    from xwtui.engine.problem.task import Task
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.repeats import AnswerRepeats
    from xwtui.words.sources import Vocabulary, load_lexicon, vocabulary_of

_GRIDS_AT_ONCE = 2
"""Number of grids whose repeats are cached: the puzzle's, and the one shown while a run has a better fill."""


class VocabularyRequest(NamedTuple):
    """A puzzle's word choice, the lists of single entries, and its file, to whose folder paths are relative."""

    choice: WordChoice
    own_lists: frozenset[str]
    path: Path | None
    instead: tuple[str, ...] = ()
    """Lists, relative to the current folder, that replace those of the choice."""
    user: UserLists = NO_USER_LISTS
    """The user's layers in their present state."""
    marks: tuple[tuple[str, DiskMark | None], ...] = ()
    """The files of all named lists in their present state."""
    untrusted: tuple[tuple[str, Path], ...] = ()
    """Lists that the puzzle's file names without being allowed to, each with its file; none is read."""
    wanted: frozenset[str] = frozenset()
    """Words that the puzzle wants, so that the personal list does not ban them here."""
    repeat_cost: int = DEFAULT_REPEAT_COST
    """How much less than its score an answer of recent puzzles counts."""

    @classmethod
    def of(
        cls,
        puzzle: Puzzle,
        path: Path | None,
        overrides: Overrides = NO_OVERRIDES,
        *,
        is_external: bool = False,
        repeat_cost: int = DEFAULT_REPEAT_COST,
    ) -> VocabularyRequest:
        """Build the request for a puzzle's words under some overrides; it differs once a list's file has changed.

        A puzzle without a file was made here, and its lists were named here, unless it `is_external`.
        """
        choice = puzzle.words
        if overrides.minimum_score is not None:
            choice = replace(choice, minimum_score=overrides.minimum_score)
        if overrides.is_graded:
            choice = replace(choice, is_graded=True)
        asked = cls(
            choice, puzzle.rules.own_lists, path, overrides.lists, find_user_lists(), repeat_cost=repeat_cost
        )
        personal = asked.user.personal
        has_bans = personal is not None and personal.mark is not None
        wanted = frozenset(puzzle.rules.wanted if has_bans else ())
        untrusted = untrusted_lists(asked._from_puzzle, asked._folder) if path or is_external else {}
        return asked._replace(marks=tuple(asked._named_marks()), untrusted=tuple(untrusted.items()), wanted=wanted)

    @property
    def _from_puzzle(self) -> tuple[str, ...]:
        lists = () if self.instead else self.choice.lists
        return (*lists, *self.choice.preferred, *sorted(self.own_lists))

    @property
    def _folder(self) -> Path | None:
        """The folder that paths are relative to; None for the current folder."""
        return None if self.path is None else self.path.parent

    def _named_marks(self) -> Iterator[tuple[str, DiskMark | None]]:
        for name in dict.fromkeys((*self.instead, *self._from_puzzle)):
            with suppress(WordListError):
                yield name, LIST_FILES.mark(find_list(name, None if name in self.instead else self._folder))

    def is_equivalent(self, other: VocabularyRequest) -> bool:
        """Whether both requests name the same lists, regardless of the state of their files."""
        return self._replace(user=NO_USER_LISTS, marks=()) == other._replace(user=NO_USER_LISTS, marks=())

    def news_since(self, before: VocabularyRequest) -> tuple[str, ...]:
        """Return a line for each list file that changed since, except changes written by this program."""
        old, new = (dict(request._files()) for request in (before, self))
        changed = [
            f"word list {printable(name, 60)} has changed and was read again"
            if name in old
            else f"word list {printable(name, 60)} is a new layer: `lists` shows how it is read"
            for name, mark in new.items()
            if old.get(name) != mark and not LIST_FILES.has_written(mark)
        ]
        return (*changed, *(f"word list {printable(name, 60)} is gone" for name in old if name not in new))

    def _files(self) -> Iterator[tuple[str, DiskMark | None]]:
        yield from self.marks
        yield from ((one.name, one.mark) for one in self.user.lists)

    def lists_and_state(self) -> tuple[str, str]:
        """Return a name for all lists together, and a line of name, tab and mark for each list's file."""
        files = sorted(self._files(), key=str)
        state = "\n".join(f"{name}\t{mark}" for name, mark in files)
        return repr((self._folder if self.marks else None, [name for name, _ in files])), state

    def load(self) -> Vocabulary:
        """Read the lists and the recent puzzles; raises WordListError."""
        if self.untrusted:
            check_trusted(self._from_puzzle, self._folder)
        choice, folder = self.choice, self._folder
        if self.instead:
            preferred = tuple(str(find_list(name, folder)) for name in choice.preferred)
            choice = replace(choice, lists=self.instead, preferred=preferred)
        recent = recent_answers(choice.recent, self.path)
        loaded = load_lexicon(
            choice, None if self.instead else folder, recent=recent.answers, user=self.user, wanted=self.wanted
        )
        words = vocabulary_of(loaded, choice, self.own_lists, folder).with_repeat_cost(self.repeat_cost)
        return replace(words, warnings=(*words.warnings, *recent.notices))


class WordLoader:
    """The puzzle's words, once they are loaded; None if loading fails."""

    def __init__(self, post: Callable[[Message], None], scheduler: Scheduler) -> None:
        self.vocabulary: Vocabulary | None = None
        self.failure = ""
        self._post, self._scheduler = post, scheduler
        self._prepared: Lexicon | None = None
        self._repeats: deque[tuple[Puzzle, Lexicon | None, AnswerRepeats]] = deque(maxlen=_GRIDS_AT_ONCE)
        self._first: VocabularyRequest | None = None
        self._wanted: VocabularyRequest | None = None
        self._settled: VocabularyRequest | None = None
        self._warned: frozenset[str] = frozenset()
        """The last load's warnings, which are not repeated for the same lists."""
        self._worker = Worker(
            scheduler, "words", self._load, self._fail, Priority.LIVE, is_compiled=False, delay=0.0
        )

    @property
    def lexicon(self) -> Lexicon | None:
        return self.vocabulary.lexicon if self.vocabulary is not None else None

    @property
    def is_loading(self) -> bool:
        """Whether the last requested words are still loading."""
        return self._settled != self._wanted

    @property
    def request(self) -> VocabularyRequest | None:
        """The last request, without the puzzle's file, which saving may change; None before the first."""
        return None if self._wanted is None else self._wanted._replace(path=None)

    @property
    def view(self) -> Vocabulary | None:
        """The last requested words; None while they are loading or if they could not be loaded."""
        return None if self.is_loading else self.vocabulary

    @property
    def untrusted(self) -> Mapping[str, Path]:
        """Lists that the puzzle's file names without being allowed to, each with its file; none is read."""
        return dict(self._wanted.untrusted) if self._wanted is not None else {}

    def score(self, word: str) -> int | None:
        """Return a word's score; None if no list has it, or while no words are loaded."""
        return self.lexicon.score(word) if self.lexicon is not None else None

    def allows(self, word: str) -> bool:
        """Whether a fill may use a word; all may while no words are loaded."""
        return self.lexicon is None or self.lexicon.allows(word)

    def banned(self, puzzle: Puzzle) -> frozenset[str]:
        """Return the words that no fill of a puzzle may use despite their listed scores: banned or scored 0."""
        return puzzle.words.never | (self.lexicon.banned if self.lexicon is not None else frozenset())

    def with_answers(self, before: Puzzle, after: Puzzle) -> Puzzle:
        """Return a changed puzzle with the answers its entries stand for, where rules alter what is entered."""
        vocabulary = self.view
        if vocabulary is None or not any(isinstance(each, AlteredEntries) for each in after.rules.constraints):
            return after
        return with_recorded_answers(Task.of(after, vocabulary), before, after)

    def repeats(self, puzzle: Puzzle) -> AnswerRepeats:
        """Return the index of a puzzle's complete answers for finding repeats; cached for puzzle and words."""
        lexicon = self.lexicon
        for known, words, repeats in tuple(self._repeats):
            if known is puzzle and words is lexicon:
                return repeats
        repeats = AnswerRepeats.of_puzzle(puzzle, lexicon)
        self._repeats.append((puzzle, lexicon, repeats))
        return repeats

    def statistics(self, puzzle: Puzzle) -> GridStatistics:
        """Return the grid's statistics, with the answers' scores and repeats."""
        repeats = self.repeats(puzzle).pairs
        return grid_statistics(puzzle.grid, self.score, repeats, puzzle.answers, puzzle.alphabet)

    def unlisted(self, puzzle: Puzzle) -> tuple[tuple[str, str], ...]:
        """Return the answers of a full grid that no list has, with their entries; none while words are loading."""
        if not puzzle.grid.is_filled or self.view is None:
            return ()
        return tuple((name, answer) for name, answer in puzzle.answers.items() if self.score(answer) is None)

    def prepare_completion(self) -> None:
        """Build the lexicon's sorted index in the background, before completion needs it."""
        lexicon = self.lexicon
        if lexicon is not None and lexicon is not self._prepared:
            self._prepared = lexicon
            self._scheduler.thread("completion", lexicon.prepare_sorted_index)

    def start(self, request: VocabularyRequest) -> None:
        """Load the requested words, unless they are those of the last request."""
        if request != self._wanted:
            self._first, self._wanted = self._first or request, request
            self._worker.submit(request)

    def wait(self, is_stopped: IsStopped) -> Vocabulary | None:
        """Wait for the last requested words, None if stopped first; raises WordListError if they failed."""
        while self.is_loading:
            if is_stopped():
                return None
            time.sleep(0.01)
        if self.failure or self.vocabulary is None:
            raise WordListError(self.failure or "no words are loaded")
        return self.vocabulary

    def _load(self, request: VocabularyRequest, is_stopped: IsStopped) -> None:
        started, before = time.perf_counter(), self._settled
        is_again = before is not None and request.is_equivalent(before)
        news = request.news_since(before) if before is not None and is_again else ()
        try:
            loaded = request.load()
        except WordListError as error:
            if self.vocabulary is None or not is_again:
                raise
            loaded, news = replace(self.vocabulary, warnings=()), (f"{error}; the old words stay in use",)
        words = len(loaded.lexicon)
        if is_stopped():
            return
        new_warnings = [warning for warning in loaded.warnings if warning not in self._warned]
        self.vocabulary, self.failure, self._warned = loaded, "", frozenset(loaded.warnings)
        self._repeats.clear()
        self._settled = request
        read_first = request.lists_and_state() if request is self._first else ("", "")
        self._post(LexiconReady(words, time.perf_counter() - started, (*new_warnings, *news), *read_first))

    def _fail(self, message: str) -> None:
        self.vocabulary, self.failure = None, message
        self._settled = self._wanted
        self._post(LexiconFailed(message, bool(self.untrusted)))
