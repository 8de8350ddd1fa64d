"""Golden results of the engine and the strategies on fixed templates, words and seeds.

`python -m tests.engine.golden_cases` rewrites `goldens.json`. That is needed when the shipped word list or a
template changes, or when a search changes on purpose; never when code is only moved.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from tests.known import known
from tests.ruled import ruled
from xwtui.engine.budget import Budget
from xwtui.engine.candidates.find import candidates
from xwtui.engine.candidates.options import letter_table
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.explain.explain import explain
from xwtui.engine.fill.diverse import diverse_fills
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.partial import partial_fill
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.fill.search_settings import WORKERS, Branching, Restarts, SearchSettings
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import improve
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.what_if.ranking import block_changes, heat, theme_arrangements
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules import RebusPlacing, Rules
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import AlteredEntries, TwoReadings
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.model.where import Symmetry
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.strategies.registry import STRATEGIES, StrategyChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list
from xwtui.words.word_list import WordList

GOLDENS = Path(__file__).with_name("goldens.json")
_FIGURES = 6
"""Digits kept of a number, since sums of floats may differ slightly between machines."""

_SMALL = {
    first + second + third + fourth: ord(first) + ord(third) - 130
    for first in "ABCDE"
    for second in "AEB"
    for third in "ACDE"
    for fourth in "ABE"
}
"""Words of four letters with scores; few enough for strategies without propagation."""

_RULES = ruled(
    shared_substring=4, distinct_stems=True, letters="XZ", tag_limits={"abbreviation": 2}, wanted=("OREO",)
)
_REBUS = ruled(placings=(RebusPlacing((Content.of("IN"), Content.of("ER")), 1, 3),))
_CLASH = Rules(grid=(ClashSquares(TwoReadings(message="CLASH")),))
_LATENT = Rules(grid=(EnteredOtherwise(AlteredEntries(Treatment(Entering.DROP), message="LATENT")),))
_STUCK = "QQ...#....#....\n...............\n....#.....#...."


def cases() -> dict[str, Callable[[], object]]:
    """Return for each case's name a function that computes its answer, ready for JSON."""
    found: dict[str, Callable[[], object]] = {
        "words": lambda: _words(40).fingerprint,
        "exact count": _exact_count,
        "particle count": _particle_count,
        "why": _why,
        "what if blocks": _what_if_blocks,
        "what if themers": _what_if_themers,
        "heat": _heat,
        "candidates": _candidates,
        "shares": _shares,
        "partial fill": _partial_fill,
        "diverse": _diverse,
        "improve mean": lambda: _improve("13x13-02", Objective(), 30),
        "improve lowest": lambda: _improve("11x11-01", Objective.lowest(), 20),
        "events": _events,
    }
    for template, seed, nodes in (("15x15-01", 1, 1_000), ("13x13-04", 2, 3_000), ("15x15-12", 5, 3_000)):
        found[f"fill {template}"] = partial(_fill_of, template, 50, seed, nodes)
    steered = {
        "squares, Luby": replace(WORKERS[4], restarts=Restarts.LUBY, first_restart=20),
        "words, nested, no jumps": SearchSettings(
            branching=Branching.ON_WORDS, restarts=Restarts.NESTED, first_restart=20, backjump=False
        ),
        "in turns, all words": SearchSettings(breadth=0, first_turn=50, loyalty=1.0, shared_blame=False),
    }
    for name, settings in steered.items():
        found[f"fill steered: {name}"] = partial(_fill_of, "15x15-12", 55, 3, 2_000, settings)
    found["fill under rules"] = partial(_fill_of, "13x13-01", 50, 1, 800, None, _RULES)
    found["fill placing rebuses"] = partial(_fill_of, "11x11-03", 45, 1, 800, None, _REBUS)
    found["fill with clash squares"] = partial(_fill_of, "11x11-03", 45, 1, 800, None, _CLASH)
    found["fill with latent letters"] = partial(_fill_of, "9x9-01", 40, 1, 400, None, _LATENT)
    found["fill"] = _fill
    for name in [one for one in STRATEGIES if one != "sat"]:  # its solver is a third-party library
        found[f"strategy {name}"] = partial(_strategy, name)
    return found


@cache
def _words(minimum: int) -> Lexicon:
    path = default_word_list()
    return Lexicon.build([read_word_list(path.read_bytes(), path.name).word_list], minimum_score=minimum)


def _grid(template: str) -> Grid:
    return grid_from_text((puzzles_folder() / "templates" / f"{template}.txt").read_text(encoding="ascii"))


def _problem(template: str, minimum: int = 40, rules: Rules | None = None) -> Problem:
    return Problem.build(_grid(template), _words(minimum), rules=rules or Rules())


def _small() -> Lexicon:
    return Lexicon.build([WordList.from_scores("small", _SMALL)])


def _text(squares: Mapping[Position, Content]) -> str:
    """Return the contents square by square, in grid order."""
    return " ".join(str(squares[at]) for at in sorted(squares))


def _event(event: Event) -> str:
    """Return what an event is about, independent of its wording."""
    parts = event.kind.name, event.depth, event.slot, event.word, event.crossing, event.before, event.after
    return " ".join(str(part) for part in (*parts, event.other, *event.wanted) if part is not None)


def _number(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{_FIGURES}g}")


def _fill_of(
    template: str,
    minimum: int,
    seed: int,
    nodes: int,
    settings: SearchSettings | None = None,
    rules: Rules | None = None,
) -> object:
    filler = Filler(_problem(template, minimum, rules), seed=seed, settings=settings)
    outcome = filler.advance(nodes=nodes)
    taken = filler.statistics
    return {
        "outcome": outcome.value,
        "nodes": taken.nodes,
        "backtracks": taken.backtracks,
        "restarts": taken.restarts,
        "deepest": taken.deepest,
        "squares": _text(filler.current()),
        "sizes": sum(filler.domain_sizes()),
        "weights": _number(float(filler.square_weights.sum())),
    }


def _fill() -> object:
    result = fill(_problem("15x15-03"), Budget(seed=4))
    return {"outcome": result.outcome.value, "nodes": result.statistics.nodes, "answers": dict(result.answers)}


def _events() -> object:
    filler = Filler(_problem("11x11-02", minimum=50), seed=1, trace=True)
    filler.advance(nodes=40)
    return [_event(event) for event in filler.take_recorded().latest(60)]


def _exact_count() -> object:
    counted = known(Counter(Problem.build(Grid.blank(4, 4), _small())).exact())
    sparse = known(Counter(Problem.build(grid_from_text("ABLE\n....\n....\n...."), _words(50))).exact())
    return [counted.exact, sparse.exact]


def _particle_count() -> object:
    counter = Counter(_problem("11x11-01"), seed=3)
    quick, bethe = counter.quick(), counter.bethe(Budget())
    refined = counter.refine(runs=3)
    return [[_number(one.log10), _number(one.low), _number(one.high)] for one in (quick, bethe, refined)]


def _why() -> object:
    explanation = explain(Task(grid_from_text(_STUCK), _words(40)), Budget(seed=1))
    return {
        "answer": explanation.answer.value,
        "conflicts": [
            [one.certainty.value, one.is_smallest, one.entries, [_text(choice.squares) for choice in one.choices]]
            for one in explanation.conflicts
        ],
        "remedies": [[one.kind, one.settles_all, _text(one.fill)] for one in explanation.remedies],
    }


def _what_if_blocks() -> object:
    ranking = block_changes(Task(Grid.blank(4, 7), _words(40)), Symmetry.ROTATION_180, Budget(seed=1))
    return [
        [sorted(map(str, item.what.added)), item.outlook.fillability.name, _number(item.outlook.log10)]
        for item in ranking.items
    ]


def _what_if_themers() -> object:
    grid = grid_from_text("....#....\n....#....\n.........\n....#....\n....#....")
    ranking = theme_arrangements(Task(grid, _words(40)), ["HARE", "LION"], Symmetry.ROTATION_180, Budget(seed=1))
    return [
        [dict(item.what.answers), item.outlook.fillability.name, _number(item.outlook.log10)]
        for item in ranking.items
    ]


def _heat() -> object:
    found = heat(_problem("13x13-03", minimum=50), nodes=300, seed=2)
    return [[str(at), _number(found.heat[at])] for at in found.hardest(12)]


def _candidates() -> object:
    in_view = ["BADE", "CADE", "ABCA"]
    problem = Problem.build(grid_from_text("....\nA...\n....\n...."), _small())
    found = candidates(problem, "1A", in_view=lambda: in_view, seed=1)
    return [[one.word, one.standing.value, one.killed_by, _number(one.log10)] for one in found[:40]]


def _shares() -> object:
    counter = Counter(_problem("11x11-04", minimum=50))
    table = letter_table(counter.beliefs(Budget()))
    return {
        str(at): [[str(content), _number(share)] for content, share in list(shares.items())[:2]]
        for at, shares in list(table.shares.items())[:20]
    }


def _partial_fill() -> object:
    problem = Problem.build(grid_from_text(_STUCK), _words(40))
    found = partial_fill(problem, Budget(seed=1), rounds=6)
    return [found.outcome.value, found.filled, found.open, dict(found.answers), _number(found.mean_score)]


def _diverse() -> object:
    found = diverse_fills(_problem("11x11-05"), Budget(seed=1), count=3, difference=0.5)
    return [[_number(each.mean_score), _text(each.squares)] for each in found.fills]


def _improve(template: str, objective: Objective, rounds: int) -> object:
    problem = _problem(template)
    first = fill(problem, Budget(seed=1))
    result = improve(problem, first.squares, Budget(seed=1), objective=objective, rounds=rounds)
    return {
        "kept": [[each.round, _number(each.value), _number(each.mean_score)] for each in result.kept],
        "bound": _number(result.bound),
        "rounds": result.rounds,
        "answers": {} if result.best is None else dict(result.best.answers),
    }


def _strategy(name: str) -> object:
    strategy = StrategyChoice.parse(name).make(Task(Grid.blank(4, 5), _words(50)), 3)
    trail: list[Event] = []
    for event in strategy.run():
        trail.append(event)
        if event.kind is EventKind.SOLVED or len(trail) >= 2_000:
            break
    counters = strategy.counters
    return {
        "outcome": strategy.outcome.value,
        "nodes": counters.nodes,
        "backtracks": counters.backtracks,
        "placements": counters.placements,
        "events": len(trail),
        "squares": _text(strategy.squares),
        "last": [_event(event) for event in trail[-5:]],
    }


if __name__ == "__main__":
    GOLDENS.write_text(
        json.dumps({name: case() for name, case in cases().items()}, indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
    )
