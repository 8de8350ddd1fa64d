"""Delay until a face knows of a word that was banned, scored, wanted, or edited in a list file."""

import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, product
from typing import NamedTuple

from bench.tables import duration, table
from xwtui.engine.candidates.estimate import CandidateEstimate
from xwtui.resources import user_lists_folder
from xwtui.session.messages import CandidatesReady, LexiconReady, Message, OptionsReady, PuzzleChanged
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.tui.insight import Insight
from xwtui.words.list_files import LIST_FILES

_SIDE = 15
_ENTRY = "1A"
_ROUNDS, _FEW_ROUNDS = 8, 3
_PATIENCE = 60.0
_RESTS = 1.5
"""Seconds after which background work that follows a change is done."""
_LINES = ("ban {}", "never {}", "raise {}", "lower {}", "want {}", "score {} 77")
_LAYER_WORDS = 2000
_EDITED = f"a word added to a list file of {_LAYER_WORDS:,}"


class Known(NamedTuple):
    """Processor seconds after a change, summed along threads that wait for each other."""

    words: float
    """Until the lexicon is up to date."""
    row: float
    """Until the candidate list, as the screen reads it, has its new row."""
    counts: float
    """Until each entry's count is known.

    The problem that the next fill uses is ready then, too. This includes the work for `row`: either thread may lay
    out the problem while the other waits.
    """


def lines(tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Measure, and return a table with one row per change."""
    rounds = _FEW_ROUNDS if is_quick else _ROUNDS
    rows = []
    with own_folders(), _session() as (session, face):
        listed = len(face.candidates)
        words = iter([one.word for one in face.candidates[50 : 50 + 60 * len(_LINES) * rounds : 60]])
        for line in _LINES:
            tell(line)
            rows.append(
                _row(f"`{line.format('WORD')}`", [face.known_after(line, next(words)) for _ in range(rounds)])
            )
        tell(_EDITED)
        rows.append(_row(_EDITED, [face.known_after_edit(number) for number in range(rounds + 1)][1:]))
        allowed = len(session.jobs.words.lexicon or ())
    return [
        f"The time from `PuzzleChanged` until a changed word shows, on an empty {_SIDE}×{_SIDE} grid with "
        f"{allowed:,} words, {listed:,} of them in the list of {_ENTRY}: processor time along the threads that "
        f"wait for each other, including work that ends in them, medians of {rounds}. The counts include the row, "
        "whose thread may lay the problem out for both. A banned word leaves the list even earlier, with the "
        "change itself. A list file is read once it has been left alone for 0.4 s, and timed from then.",
        "",
        *table(["change", "words", "row in the list", "counts, next fill"], rows),
    ]


def _row(name: str, found: list[Known]) -> list[str]:
    return [name, *(duration(statistics.median(times)) for times in zip(*found, strict=True))]


@contextmanager
def own_folders() -> Iterator[None]:
    """Use an empty personal list and no layers of the user's."""
    names = [f"XDG_{name}_HOME" for name in ("STATE", "CONFIG", "DATA")]
    before = {name: os.environ.get(name) for name in names}
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(dict.fromkeys(names, folder))
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


@contextmanager
def _session() -> Iterator[tuple[Session, "_Face"]]:
    face = _Face()
    session = Session(face)
    try:
        run_line(session, f"new {_SIDE} --force")
        session.start()
        session.wait_until_ready(_PATIENCE)
        face.listen_to(session)
        yield session, face
    finally:
        session.discard_changes()
        session.close()


class _Face:
    """Receives session messages, requests one entry's candidates as the screen does, and records thread times."""

    def __init__(self) -> None:
        self.candidates: Sequence[CandidateEstimate] = ()
        self._session: Session | None = None
        self._heard = threading.Condition()
        self._began: Mapping[int, float] = {}
        """Processor time of each thread before the change."""
        self._taken: dict[type[Message], float] = {}
        """Processor time from the change until the first message of each type, on the thread that sent it."""

    def __call__(self, message: Message) -> None:
        session = self._session
        if session is None:
            return
        if isinstance(message, LexiconReady | PuzzleChanged):
            session.jobs.candidates.start(_ENTRY)
        is_old = isinstance(message, CandidatesReady) and session.jobs.words.is_loading
        if isinstance(message, CandidatesReady):
            insight = Insight()
            insight.receive(message, message.revision)
            self.candidates = message.candidates
            _ = message.candidates[:40], insight.candidates and insight.candidates.alive
        with self._heard:
            thread = threading.get_ident()
            if not is_old:
                self._taken.setdefault(type(message), _clock(thread) - self._began.get(thread, 0.0))
            self._heard.notify_all()

    def listen_to(self, session: Session) -> None:
        """Attach to a session and wait for its first candidates."""
        self._session = session
        session.jobs.candidates.start(_ENTRY)
        with self._heard:
            self._heard.wait_for(lambda: bool(self.candidates), _PATIENCE)

    def known_after(self, line: str, word: str) -> Known:
        """Run a verb, measure until its effects are known, and undo it."""
        assert self._session is not None
        session = self._session
        known = self._known_after(lambda: run_line(session, line.format(word)))
        run_line(session, "undo")
        return known

    def known_after_edit(self, number: int) -> Known:
        """Write `_LAYER_WORDS + number` words to a user's list file, and measure until the effects are known."""
        assert self._session is not None
        session, path = self._session, user_lists_folder() / "layer.txt"
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        made = ("".join(each) for each in product("QXZ", letters, letters, letters, "QX"))
        text = "".join(f"{word};45\n" for word in islice(made, _LAYER_WORDS + number))

        def edit() -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            LIST_FILES.take(path)
            session.jobs.refresh()

        return self._known_after(edit)

    def _known_after(self, change: Callable[[], object]) -> Known:
        time.sleep(_RESTS)
        with self._heard:
            self._taken.clear()
            self._began = {thread.ident: _clock(thread.ident) for thread in threading.enumerate() if thread.ident}
        change()
        awaited = {CandidatesReady, OptionsReady}
        with self._heard:
            if not self._heard.wait_for(lambda: awaited <= self._taken.keys(), _PATIENCE):
                raise TimeoutError(f"heard of {[one.__name__ for one in self._taken]} alone")
            words, row = self._taken.get(LexiconReady, 0.0), self._taken[CandidatesReady]
            return Known(words, words + row, words + row + self._taken[OptionsReady])


def _clock(thread: int) -> float:
    return time.clock_gettime(time.pthread_getcpuclockid(thread))
