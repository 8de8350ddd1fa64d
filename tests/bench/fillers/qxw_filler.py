"""Debian's `qxw` in its batch mode: each slot is a line of square labels, words have no scores."""

import shutil
import tempfile
from pathlib import Path

from tests.bench.fillers.process import run
from tests.bench.result import Run
from tests.naive_model import naive_slots
from xwtui.formats.grid_text import grid_from_text

NAME = "qxw"
_PLACES = ("/usr/games/qxw", "/usr/bin/qxw")


def _program() -> str | None:
    return shutil.which("qxw") or next((place for place in _PLACES if Path(place).exists()), None)


def is_installed() -> bool:
    """Whether the program is there (`apt install qxw`)."""
    return _program() is not None


def fill(template: Path, words: Path, minimum_score: int, seed: int, seconds: float) -> Run:
    """Fill a template; the list holds only words of the minimum score."""
    del minimum_score, seed
    slots = list(naive_slots(grid_from_text(template.read_text())).values())
    with tempfile.TemporaryDirectory() as folder:
        deck, plain = Path(folder) / "deck.qxd", Path(folder) / "words.txt"
        deck.write_text("".join(" ".join(f"{r:02}{c:02}" for r, c in slot) + "\n" for slot in slots))
        plain.write_text("".join(line.partition(";")[0] + "\n" for line in words.read_text().splitlines()))
        done = run([_program() or NAME, "-b", "-d", str(plain), str(deck)], seconds)
    if done.output is None or done.status != 0:
        return Run((), None, done.seconds)
    return Run(_rows(template.read_text().split(), slots, done.output), None, done.seconds)


def _rows(template: list[str], slots: list[tuple[tuple[int, int], ...]], output: str) -> tuple[str, ...]:
    squares = {(row, column): "#" for row, line in enumerate(template) for column, _ in enumerate(line)}
    for line in output.splitlines():
        label, _, word = line.partition(" ")
        if label.startswith("W") and label[1:].isdigit():
            squares |= dict(zip(slots[int(label[1:])], word, strict=True))
    return tuple(
        "".join(squares[row, column] for column, _ in enumerate(line)) for row, line in enumerate(template)
    )
