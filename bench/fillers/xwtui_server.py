"""xwtui as a server: `python -m bench.fillers.xwtui_server WORDS MINIMUM_SCORE`.

Seconds cover problem layout and search, on one thread unless `threads` is given. With `start` rows, the server
instead improves that fill for the given seconds, toward the named `aim`.
"""

import sys
from pathlib import Path
from typing import Any

from bench.fillers.clock import is_processor_time, now
from bench.fillers.server import serve
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import improve
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

_AIMS = {"mean": Objective(), "lowest": Objective.lowest()}


def main() -> None:
    """Load the words and the engine, then answer requests."""
    path, minimum_score = sys.argv[1:]
    lexicon = Lexicon.build([open_word_list(Path(path)).word_list], minimum_score=int(minimum_score))
    warm_up(counting=False, improving=True)
    serve(lambda request: answer(lexicon, request), sys.stdin, sys.stdout)


def answer(lexicon: Lexicon, request: dict[str, Any]) -> dict[str, Any]:
    """Fill rows of `.` and `#`, or improve a fill; without rows in the answer if it gave up."""
    grid = grid_from_text("\n".join(request["rows"]))
    grid.slots  # noqa: B018  computed once per grid and before timing, as the peers do
    proof = False
    started = now()
    problem = Problem.build(grid, lexicon)
    options = {key: request[key] for key in ("seed", "seconds", "threads") if key in request}
    if "start" in request:
        start = {Position(r, c): Content.of(x) for r, c, x in _letters(request["start"])}
        deadline = started + options.pop("seconds") * options.get("threads", 1) ** is_processor_time()
        objective = _AIMS[request["aim"]]
        budget = Budget(**options, stop=lambda: now() >= deadline)
        best = improve(problem, start, budget, objective=objective).best
        squares = {} if best is None else best.squares
    else:
        result = fill(problem, Budget(**options))
        squares, proof = result.squares, result.outcome is Outcome.IMPOSSIBLE
    seconds = now() - started
    return {"rows": _rows(request["rows"], squares), "seconds": seconds, "proof": proof}


def _letters(rows: list[str]) -> list[tuple[int, int, str]]:
    return [(r, c, letter) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter.isalnum()]


def _rows(rows: list[str], squares: Any) -> list[str]:
    if not squares:
        return []
    return [
        "".join("#" if square == "#" else squares[Position(r, c)].across for c, square in enumerate(row))
        for r, row in enumerate(rows)
    ]


if __name__ == "__main__":
    main()
