"""The PyPI package `blacksquare` as a server: `python -m bench.fillers.blacksquare_server WORDS SCORE`.

Seconds cover its `fill` alone, with default arguments.
"""

import sys
from typing import Any

from blacksquare import Crossword, WordList

from bench.fillers.clock import now
from bench.fillers.server import serve


def main() -> None:
    """Read the words, all at or above the minimum score, then answer fill requests."""
    words = WordList(sys.argv[1])
    serve(lambda request: fill(words, request), sys.stdin, sys.stdout)


def fill(words: WordList, request: dict[str, Any]) -> dict[str, Any]:
    """Fill rows of `.` and `#`; without rows in the answer if it gave up."""
    rows = request["rows"]
    squares = [["#" if square == "#" else " " for square in row] for row in rows]
    crossword = Crossword(grid=squares, word_list=words)
    started = now()
    filled = crossword.fill(timeout=float(request["seconds"]), show_progress=False)
    seconds = now() - started
    return {"rows": _filled_rows(filled, rows) if filled else [], "seconds": seconds}


def _filled_rows(filled: Crossword, rows: list[str]) -> list[str]:
    return [
        "".join("#" if square == "#" else filled[row, column].str for column, square in enumerate(line))
        for row, line in enumerate(rows)
    ]


if __name__ == "__main__":
    main()
