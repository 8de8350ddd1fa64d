"""Debian's `qxw` in batch mode: each slot is a line of square labels, and words have no scores.

It reports no times and reads its words at each start. Its search time is therefore the time of the process minus
that of the same process on a deck of one word.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.fillers.clock import is_processor_time
from bench.measured import measured
from bench.result import Run
from tests.naive.model import naive_slots
from xwtui.formats.grid_text import grid_from_text

_PLACES = ("/usr/games/qxw", "/usr/bin/qxw")
_ONE_WORD = "0000 0001 0002\n"
_STARTS = 3
_SHORTEST = 0.001
"""Minimum seconds reported for a search, when startup took as long as the whole run."""


def program() -> str | None:
    """Return the path of the program (`apt install qxw`), if it is installed."""
    return shutil.which("qxw") or next((place for place in _PLACES if Path(place).exists()), None)


class Qxw:
    """Starts one process per template."""

    def __init__(self, words: Path) -> None:
        self._words = words
        self._deck = words.with_name("deck.qxd")
        self._start_seconds = statistics.median(self._batch(_ONE_WORD, 60.0)[1] for _ in range(_STARTS))

    def fill(self, template: Path, seed: int, seconds: float) -> Run:
        """Fill a template once, within a time limit. The seed is ignored."""
        del seed
        slots = list(naive_slots(grid_from_text(template.read_text())).values())
        deck = "".join(" ".join(f"{r:02}{c:02}" for r, c in slot) + "\n" for slot in slots)
        output, whole = self._batch(deck, seconds + self._start_seconds)
        if output is None:
            return Run((), seconds)
        filled = filled_rows(template.read_text().split(), slots, output)
        return Run(filled, max(whole - self._start_seconds, _SHORTEST))

    def _batch(self, deck: str, seconds: float) -> tuple[str | None, float]:
        """Return the output (None if it gave up or was stopped) and the seconds of the whole process."""
        self._deck.write_text(deck)
        command = [program() or "qxw", "-b", "-d", str(self._words), str(self._deck)]
        if is_processor_time():
            done = measured(command, processor_seconds=seconds)
        else:
            done = measured(command, seconds=seconds)
        if done is None:
            return None, seconds
        whole = done.cpu_seconds if is_processor_time() else done.seconds
        return (done.output if done.status == 0 and whole <= seconds else None), whole


@contextmanager
def starting(words: Path, minimum_score: int) -> Iterator[Qxw]:
    """Write the words without scores; the list holds only words at or above the minimum score."""
    del minimum_score
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "words.txt"
        plain.write_text("".join(line.partition(";")[0] + "\n" for line in words.read_text().splitlines()))
        yield Qxw(plain)


def filled_rows(
    template: Sequence[str], slots: Sequence[tuple[tuple[int, int], ...]], output: str
) -> tuple[str, ...]:
    """Return the filled rows, from output lines such as `W3 WORD` for the slot on line 3 of the deck."""
    squares = {(row, column): "#" for row, line in enumerate(template) for column, _ in enumerate(line)}
    for line in output.splitlines():
        label, _, word = line.partition(" ")
        if label.startswith("W") and label[1:].isdigit():
            squares |= dict(zip(slots[int(label[1:])], word, strict=True))
    return tuple(
        "".join(squares[row, column] for column, _ in enumerate(line)) for row, line in enumerate(template)
    )
