"""Statements about all fills together: counts, candidates, shares, bounds, best fills, and fills."""

from collections.abc import Iterator
from math import log10
from unittest.mock import patch

from tests.naive.problem import Entry, Fill, Problem, Square, reading, square_name
from tests.oracle.asking import Program, Statement
from xwtui.engine.count.estimate import Estimate
from xwtui.engine.count.estimator import Counter

NEARLY = 1e-6


RUNS = 10
"""Particle runs per interval."""


def counts(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check counts: exact ones are true, intervals contain the truth, zero is claimed only without a fill.

    Small counts are always exact; to test intervals, exact counting is turned off.
    """
    number = len(fills)
    for arguments in ((), ("--exact",)):
        told = program.ask("count", *arguments)
        if told["exact"] is not None:
            yield Statement("exactly so many", told["exact"] == number, f"{told['text']}, and there are {number}")
        yield Statement("at least so many", (told["at_least"] or 0) <= number, f"{told['at_least']} of {number}")
        if number and told["log10"] is not None:
            low, high = told["low"], told["high"]
            if low is not None and high is not None:
                yield Statement("the interval", *_inside(low, high, number))
    with patch.multiple(Counter, is_countable=False, estimates=_of_some_runs):
        sampled = program.ask("count")
    if number and sampled["instrument"] == "particles" and sampled["low"] is not None:
        inside = _inside(sampled["low"], sampled["high"], number)
        yield Statement("an interval of 95 % by sampling", *inside, is_sure=False)
    for name, options in told["slots"].items():
        entry = problem.by_name[name]
        fitting = {word for word, _ in problem.options(entry)}
        standing = {fill.answers[name] for fill in fills}
        yield Statement(
            "words that match", options["matches"] == len(fitting), f"{name}: {options}, {len(fitting)} fit"
        )
        yield Statement(
            "options left", options["options"] >= len(standing), f"{name}: {options}, {len(standing)} in fills"
        )


def _inside(low: float, high: float, number: int) -> tuple[bool, str]:
    """Return whether an interval of powers of ten contains a number, and a description."""
    return low - NEARLY <= log10(number) <= high + NEARLY, f"10^{low} to 10^{high}, and there are {number}"


def _of_some_runs(counter: Counter, _seconds: float, **_: object) -> Iterator[Estimate]:
    yield counter.refine(runs=RUNS)


def candidates(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check candidates: words of any fill are listed as alive, a dead word has no fill, a proved one its fill."""
    for entry in problem.entries:
        fitting = {word for word, _ in problem.options(entry)}
        standing = {fill.answers[entry.name] for fill in fills}
        for arguments in ((), ("--prove",)):
            told = program.ask("candidates", entry.name, "--limit", "1000", *arguments)
            listed = {one["word"] for one in told["candidates"]}
            yield Statement("words that match", listed == fitting, f"{entry.name}: {sorted(listed ^ fitting)}")
            for one in told["candidates"]:
                word, standing_told = one["word"], one["standing"]
                about = f"{entry.name} {word}: {standing_told}"
                if standing_told == "dead":
                    yield Statement("a dead candidate", word not in standing, about)
                if standing_told == "proved":
                    is_fill = _has_fill(problem, fills, one["fill"], entry.name, word)
                    yield Statement("a candidate with a fill", is_fill, f"{about}\n{one['fill']}")
                if one["score"] != problem.score(word) and not problem.is_whole(entry):
                    yield Statement("a score", False, f"{about}: {one['score']}, listed {problem.score(word)}")
            alive = sum(one["standing"] != "dead" for one in told["candidates"])
            yield Statement("how many may stand", told["alive"] == alive, f"{told['alive']} and {alive}")


def _has_fill(problem: Problem, fills: list[Fill], text: str, name: str, word: str) -> bool:
    squares = squares_of_rows(problem, text.splitlines())
    return any(fill.squares == squares and fill.answers[name] == word for fill in fills)


def squares_of_rows(problem: Problem, lines: list[str]) -> dict[tuple[int, int], str]:
    """Return the contents of entry squares in rows as the program writes them."""
    rows = [cells_of(line) for line in lines]
    return {at: rows[at[0]][at[1]] for entry in problem.entries for at in entry.squares}


def cells_of(line: str) -> list[str]:
    """Return the squares of a row of grid text."""
    cells: list[str] = []
    for sign in line:
        if cells and cells[-1].startswith("[") and not cells[-1].endswith("]"):
            cells[-1] += sign
        else:
            cells.append(sign)
    return cells


def shares(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check shares: forced contents are in every fill, listed ones in some, and none is missing."""
    told = program.ask("shares")
    if fills:
        free = {at for entry in problem.entries for at in entry.squares if problem.given(at) is None}
        named = {square_name(at) for at in free}
        yield Statement(
            "squares with letters", set(told["squares"]) == named, f"{sorted(set(told['squares']) ^ named)}"
        )
    else:
        free = set()
    for at in free:
        one = told["squares"].get(square_name(at), {"forced": None, "shares": {}})
        true = {content: 0 for fill in fills for content in [fill.squares[at]]}
        for fill in fills:
            true[fill.squares[at]] += 1
        about = f"{square_name(at)}: {one}, and in {len(fills)} fills {true}"
        if one["forced"] is not None:
            yield Statement("a forced letter", set(true) == {one["forced"]}, about)
            continue
        yield Statement("all letters that fills have", set(true) <= set(one["shares"]), about)
        yield Statement("letters that some fill has", set(one["shares"]) <= set(true), about)
        yield Statement("shares add up", abs(sum(one["shares"].values()) - 1) < 1e-4, about)
        whole = {content for content, share in one["shares"].items() if share == 1}
        yield Statement("100 %", not whole or whole == set(true), about)
        nothing = {content for content, share in one["shares"].items() if share == 0}
        yield Statement("0 %", nothing.isdisjoint(true), about)
        if one.get("exact") or told.get("exact"):
            is_right = all(abs(one["shares"].get(c, 0) - n / len(fills)) < 1e-5 for c, n in true.items())
            yield Statement("an exact share", is_right, about)


AIMS: dict[str, tuple[str, ...]] = {
    "mean score": (),
    "lowest score": ("--by", "lowest"),
    "flattened": ("--by", "flat"),
    "below": ("--by", "below", "--mark", "50"),
    "fresh": ("--by", "fresh"),
    "avoid": ("--avoid", "AB"),
}


def value_of(aim: str, problem: Problem, fill: Fill) -> float:
    """Return a fill's value; for `below` and `avoid`, less is better."""
    scores = problem.scores(fill)
    match aim:
        case "mean score":
            return sum(scores) / len(scores) if scores else 0.0
        case "lowest score":
            return min(scores, default=100)
        case "flattened":
            return sum(100 * (score / 100) ** 0.5 for score in scores) / len(scores) if scores else 0.0
        case "below":
            return sum(score < 50 for score in scores)
        case "fresh":
            return len(set("".join(_read(problem, fill).values())))
        case _:
            return sum(bool(set(letters) & set("AB")) for letters in _read(problem, fill).values())


def _read(problem: Problem, fill: Fill) -> dict[Square, str]:
    """Return the letters that entries read at each square; a reading without an entry does not count."""
    letters: dict[Square, str] = {}
    for at, way in (part for entry in problem.entries for part in entry.path):
        letters[at] = letters.get(at, "") + reading(fill.squares[at], way)
    return letters


def bounds(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check bounds: no fill beats the bound, the value is the fill's, and a proved best is best."""
    if all(map(problem.is_whole, problem.entries)):
        return
    for aim, arguments in AIMS.items():
        told = program.ask("improve", *arguments, "--time", "1", "--threads", "1")
        less = aim in ("below", "avoid")
        yield from _status(told, fills)
        found = fill_in(problem, fills, told)
        if found is None or "value" not in told:
            continue
        values = [value_of(aim, problem, fill) for fill in fills]
        best = min(values) if less else max(values)
        about = f"{aim}: value {told['value']}, bound {told['bound']}, proved {told['proved']}; the best is {best}"
        if aim != "flattened":
            value = value_of(aim, problem, found)
            yield Statement("the value of a fill", abs(told["value"] - value) < 1e-4, f"{about}; it has {value}")
            if told["bound"] is not None:
                beaten = best < told["bound"] - 1e-4 if less else best > told["bound"] + 1e-4
                yield Statement("a bound", not beaten, about)
        if told["proved"]:
            is_best = abs(value_of(aim, problem, found) - best) < 1e-4
            yield Statement("a proof that none is better", is_best, about)
        yield from _figures(problem, found, told)


def best(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check that `fill --best` has the highest lowest score, and the best mean among such fills."""
    told = program.ask("fill", "--best", "--time", "2", "--threads", "1")
    yield from _status(told, fills)
    found = fill_in(problem, fills, told)
    if found is None:
        return

    def rank(fill: Fill) -> tuple[float, float]:
        scores = problem.scores(fill)
        return min(scores, default=100), round(sum(scores) / len(scores), 5) if scores else 0.0

    top = max(map(rank, fills))
    about = f"lowest and mean {rank(found)}, the best has {top}; proved {told.get('proved')}"
    if "bound" in told and told["bound"] is not None and told["aim"] == "lowest score":
        yield Statement("a bound", told["bound"] >= top[0] - NEARLY, f"{about}, bound {told['bound']}")
    if told.get("proved"):
        yield Statement("the highest lowest score", rank(found)[0] == top[0], about)
        yield Statement("then the best mean", rank(found)[0] < top[0] or rank(found) == top, about)
    yield from _figures(problem, found, told)


def statuses(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check statuses: a fill is valid, none is claimed only without a fill, and the most pencil is kept."""
    for arguments in ((), ("--from-pencil",)) if problem.pencil else ((),):
        told = program.ask("fill", "--time", "2", "--threads", "1", *arguments)
        if told["status"] == "unknown" and "pencil" in told.get("reason", ""):
            continue
        yield from _status(told, fills)
        found = fill_in(problem, fills, told)
        if found is None:
            continue
        yield from _figures(problem, found, told)
        fewest = min(map(problem.changed, fills))
        about = f"{problem.changed(found)} squares of pencil changed, {fewest} would do; told {told}"
        if "squares_changed" in told:
            yield Statement("how many squares change", told["squares_changed"] == problem.changed(found), about)
            if told["smallest"]:
                yield Statement("the smallest change of pencil", problem.changed(found) == fewest, about)
            entries = {one["entry"] for one in told["changed"]}
            true = {entry.name for entry in problem.entries if _reads_anew(problem, entry, found)}
            yield Statement("which entries change", entries == true, f"{told['changed']}, and {true} do")
        else:
            yield Statement("pencil is kept", problem.changed(found) == 0, about)
    told = program.ask("fill", "--all", "--time", "2")
    if told.get("all_fills"):
        yield Statement("all fills", told["fills"] == len(fills), f"{told['fills']}, and there are {len(fills)}")
    refilled = program.ask("fill", "--partial", "--time", "1", "--threads", "1")
    if refilled["status"] == "impossible":
        yield Statement("no fill", not fills, f"{refilled}")


def _reads_anew(problem: Problem, entry: Entry, fill: Fill) -> bool:
    """Whether a fill changes an entry's reading in pencil squares: `A` for `[A/B]` is unchanged across."""
    return any(
        at in problem.pencil and reading(problem.cell(at), way) != reading(fill.squares[at], way)
        for at, way in entry.path
    )


def _status(told: dict[str, object], fills: list[Fill]) -> Iterator[Statement]:
    about = f"{told['status']} ({told.get('reason', told.get('message', ''))}), and there are {len(fills)}"
    if told["status"] == "impossible":
        yield Statement("no fill", not fills, about)
    elif told["status"] == "filled":
        yield Statement("a fill", bool(fills), about)
    elif told["status"] == "error":
        yield Statement("refused", False, about)


def fill_in(problem: Problem, fills: list[Fill], told: dict[str, object]) -> Fill | None:
    """Return the fill shown in an answer, if it is one."""
    rows = told.get("grid")
    if told["status"] != "filled" or not isinstance(rows, list):
        return None
    squares = squares_of_rows(problem, rows)
    return next((fill for fill in fills if fill.squares == squares), None)


def _figures(problem: Problem, found: Fill, told: dict[str, object]) -> Iterator[Statement]:
    """Check the answers and scores reported with a fill."""
    answers = told["answers"]
    assert isinstance(answers, dict)
    words = {name: one["word"] for name, one in answers.items()}
    yield Statement("the answers", words == dict(found.answers), f"{words} and {found.answers}")
    listed = [score for word in found.answers.values() if (score := problem.score(word)) is not None]
    if listed:
        mean = told["mean_score"]
        assert isinstance(mean, float)
        is_right = abs(mean - sum(listed) / len(listed)) < 1e-4 and told["lowest_score"] == min(listed)
        yield Statement("mean and lowest", is_right, f"{mean}, {told['lowest_score']} of {listed}")
