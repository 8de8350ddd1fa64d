"""The process that is timed: `python -m tests.bench.fillers.blacksquare_process GRID WORDS SECONDS`."""

import json
import sys
import time
from pathlib import Path

from blacksquare import Crossword, WordList


def _main() -> None:
    template, words, seconds = sys.argv[1:]
    rows = Path(template).read_text().split()
    squares = [["#" if square == "#" else " " for square in row] for row in rows]
    crossword = Crossword(grid=squares, word_list=WordList(words))
    started = time.perf_counter()
    filled = crossword.fill(timeout=float(seconds), show_progress=False)
    search = time.perf_counter() - started
    print(json.dumps({"rows": _rows(filled, rows) if filled else [], "search": search}))


def _rows(filled: object, rows: list[str]) -> list[str]:
    value = {
        (row, column): filled[row, column].str  # type: ignore[index]
        for row in range(len(rows))
        for column in range(len(rows[0]))
        if rows[row][column] != "#"
    }
    return ["".join(value.get((row, column), "#") for column in range(len(rows[0]))) for row in range(len(rows))]


if __name__ == "__main__":
    _main()
