"""Time to complete a word with a million words in the list: at the end of a line, and in the grid with Tab."""

import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from bench.big_lists import as_list, resized
from bench.changed_words import own_folders
from bench.tables import duration, table
from xwtui.engine.candidates.rows import CandidateRows
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line

_WORDS = 1_000_000
_SIDE = 15
_LETTERS = "SCBPAT"
_LINES = ("ban {}", "define {}", "find {}", "theme answers {}", "set 1A {}")
_PATIENCE = 300.0
_SHOWN = 10
_FRAME = 0.0167


def lines(words: Mapping[str, int], tell: Callable[[str], None]) -> list[str]:
    """Measure, and return a table with one row per place where a word is typed."""
    tell("making a million words")
    with own_folders(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.dict"
        path.write_text(as_list(resized(words, _WORDS)), encoding="utf-8")
        session = Session()
        try:
            run_line(session, f"new {_SIDE} --force")
            run_line(session, f"words {path}")
            session.start()
            session.wait_until_ready(_PATIENCE)
            tell("completing")
            return _measured(session)
        finally:
            session.discard_changes()
            session.close()


def _measured(session: Session) -> list[str]:
    lexicon = session.jobs.words.lexicon
    assert lexicon is not None
    begun = time.process_time()
    lexicon.prepare_sorted_index()
    prepared = time.process_time() - begun
    complete(session, "")  # as at the start of a line
    beginnings = [*_LETTERS, *(f"{one}O" for one in _LETTERS), *(f"{one}ATI" for one in _LETTERS)]
    gc.collect()  # garbage of building the list
    rows = []
    for line in _LINES:
        taken = [_taken(partial(complete, session, line.format(beginning))) for beginning in beginnings]
        rows.append(_row(f"`{line.format('WORD')}`", taken))
    run_line(session, "set r1c1 S")
    listed = CandidateRows.of(session.jobs.candidates.find("1A"))
    pattern = "S" + "?" * (_SIDE - 1)

    def tab() -> None:
        dead = listed.dead_words()
        _ = list(islice((word for word in lexicon.best(pattern) if word not in dead), _SHOWN))

    rows.append(_row("Tab in the grid", [_taken(tab) for _ in beginnings]))
    return [
        f"{len(lexicon):,} words, from the default list and invented; processor time until completions appear, "
        f"for one, two and four letters. A frame is {_FRAME * 1000:.0f} ms. The words are sorted once, in the "
        f"background, as soon as a line is begun: {duration(prepared)}.",
        "",
        *table(["a word is typed in", "median", "longest"], rows),
    ]


def _row(name: str, taken: Sequence[float]) -> list[str]:
    return [name, duration(statistics.median(taken)), duration(max(taken))]


def _taken(ask: Callable[[], object]) -> float:
    begun = time.thread_time()
    ask()
    return time.thread_time() - begun
