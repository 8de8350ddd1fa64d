"""Statements about changes: why there is no fill, swaps, and what-if."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.naive.problem import BLOCK, EMPTY, EntryRule, Fill, Problem, Square, reading, square_of
from tests.oracle.asking import Program, Statement
from tests.oracle.figures import cells_of

Choice = tuple[str, str]
"""Kind and wording of a choice."""


def why(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check each conflict: no fill, a fill for every part, unfillable entries, a reason that names only them.

    Each remedy must help.
    """
    told = program.ask("why", "--time", "5")
    if "answer" not in told:
        yield Statement("refused", False, str(told))
        return
    about = f"{told['answer']}, and there are {len(fills)} fills"
    if told["answer"] in ("fillable", "impossible"):
        yield Statement("whether there is a fill", (told["answer"] == "fillable") == bool(fills), about)
    for conflict in told["conflicts"]:
        yield from _conflict(problem, conflict)
    for remedy in told["remedies"]:
        yield from _remedy(problem, remedy)


def _conflict(problem: Problem, conflict: dict[str, Any]) -> Iterator[Statement]:
    members = [(choice["kind"], choice["text"]) for choice in conflict["choices"]]
    about = f"{conflict['certainty']}: {[text for _, text in members]}"
    if conflict["certainty"] == "suspected":
        return
    is_layout = members[0][0] == "layout"
    kept = keeping(problem, [] if is_layout else members)
    yield Statement("a conflict", not kept.is_fillable(), about)
    if conflict["smallest"] and not is_layout:
        for left_out in members:
            part = keeping(problem, [one for one in members if one != left_out])
            yield Statement("a smallest conflict", part.is_fillable(), f"{about}, also without {left_out[1]}")
    if conflict["entries"]:
        entries = tuple(conflict["entries"])
        yield Statement("entries that cannot be filled", not kept.is_fillable(entries), f"{about} at {entries}")
        if conflict["smallest"] and is_layout:
            for name in entries:
                rest = tuple(other for other in entries if other != name)
                yield Statement("smallest entries", kept.is_fillable(rest), f"{about}, also without {name}")
        told = set(re.findall(r"\b\d+[AD]\b", f"{conflict['reason']} {[text for _, text in members]}"))
        others = told.difference(entries, (text.split()[0] for _, text in members))
        yield Statement("a reason of its own entries", not others, f"{about} at {entries}: {conflict['reason']}")


def keeping(problem: Problem, kept: list[Choice]) -> Problem:
    """Return the problem with only some choices; answers in the grid stay allowed."""
    texts = [text for _, text in kept]
    held: set[Square] = set()
    for kind, text in kept:
        if kind == "entry":
            held |= set(problem.by_name[text.split()[0]].squares)
        elif kind in ("letter", "rebus"):
            held.add(square_of(text.split(" at ")[1]))
    whole = [entry for entry in problem.entries if problem.is_whole(entry)]
    freed = {at: EMPTY for at in problem.all_squares if problem.given(at) is not None and at not in held}
    banned = {
        word for kind, text in kept if kind == "ban" for word in re.findall("[A-Z]+", text[len("the ban of") :])
    }
    more = any(kind == "ban" and " more" in text for kind, text in kept)
    entry_rules: dict[Any, EntryRule] = {}
    for entry in problem.entries:
        if entry.key in problem.entry_rules and entry not in whole:
            is_kept = any(text.startswith(f"the rule that {entry.name} ") for text in texts)
            entry_rules[entry.key] = problem.entry_rules[entry.key] if is_kept else EntryRule(minimum=0)
    square_rules = {}
    for at, allowed in problem.square_rules.items():
        if problem.given(at) is None:
            is_kept = any(text.startswith(f"the rule that r{at[0] + 1}c{at[1] + 1} ") for text in texts)
            square_rules[at] = allowed if is_kept else tuple(dict.fromkeys((*allowed, *"ABC")))
    return replace(
        problem.with_cells(freed),
        always_allowed={entry.key: entry.read({at: problem.cell(at) for at in entry.squares}) for entry in whole},
        banned=problem.banned if more else frozenset(banned),
        allow_repeats=problem.allow_repeats or not any("used twice" in text for text in texts),
        minimum=problem.minimum if any(kind == "minimum" for kind, _ in kept) else 0,
        entry_rules=entry_rules,
        square_rules=square_rules,
        most=problem.most if any("every answer" in text for text in texts) else None,
        wanted_least=problem.wanted_least if any("“wanted" in text for text in texts) else 0,
        shared=problem.shared if any("in a row" in text for text in texts) else 0,
        group=problem.group if any("repeat each other" in text for text in texts) else frozenset(),
    )


def _remedy(problem: Problem, remedy: dict[str, Any]) -> Iterator[Statement]:
    about = f"{remedy['text']} (settles all: {remedy['settles_all']}, answers {remedy['answers']})"
    changed = [problem]
    is_several = remedy["kind"] == "several changes"
    for part in remedy["text"].split(", and ") if is_several else [remedy["text"]]:
        kind = _kind(part) if is_several else remedy["kind"]
        changed = [after for one in changed for after in _after(one, part, kind)]
    if not changed:
        yield Statement("a remedy that is understood", False, about)
    if not remedy["settles_all"]:
        return
    for one in changed:
        fills = list(one.fills())
        yield Statement("a remedy", bool(fills), about)
    if len(changed) == 1:
        answers = remedy["answers"]
        yield Statement("the fill of a remedy", any(dict(fill.answers) == answers for fill in fills), about)


def _after(problem: Problem, text: str, kind: str) -> Iterator[Problem]:
    """Yield the problem after each change that a remedy names."""
    match kind:
        case "change square":
            where, contents = _parts(r"change \S+ at (\S+) to (.*)", text)
            for content in re.split(", | or ", contents):
                yield problem.with_cells({square_of(where): content})
        case "empty entry":
            yield without_entries(problem, _parts(r"(?:unlock and )?remove \S+ from (\w+).*", text), [])
        case "empty squares":
            parts = re.split(", | and ", _parts("remove (.*)", text)[0])
            names = [part.split()[0] for part in parts if " at " not in part]
            yield without_entries(
                problem, names, [square_of(part.split(" at ")[1]) for part in parts if " at " in part]
            )
        case "swap entries":
            names = _parts(r"swap \S+ at (\w+) and \S+ at (\w+)", text)
            first, second = (problem.by_name[name].squares for name in names)
            pairs = zip((*first, *second), (*second, *first), strict=True)
            yield problem.with_cells({at: problem.cell(other) for at, other in pairs})
        case "lower minimum":
            yield from _lowered(problem, text)
        case "allow word":
            yield replace(problem, banned=problem.banned.difference(_parts(r"allow (\w+) again.*", text)))
        case "lower lowest":
            yield replace(problem, minimum=int(*_parts(r".* (\d+)", text)))
        case "drop rule" | "allow repeats":
            yield _without_rule(problem, text)


def _kind(text: str) -> str:
    """Return the kind of one of several changes."""
    verb = text.split(maxsplit=1)[0]
    if verb == "remove":
        return "empty entry" if " from " in text else "empty squares"
    if verb == "lower":
        return "lower lowest" if "whole grid" in text else "lower minimum"
    kinds = {"change": "change square", "unlock": "empty entry", "swap": "swap entries", "allow": "allow word"}
    return kinds.get(verb, "drop rule")


def _parts(pattern: str, text: str) -> list[str]:
    """Return a pattern's groups in a remedy's text."""
    found = re.fullmatch(pattern, text)
    assert found, text
    return list(found.groups())


def _lowered(problem: Problem, text: str) -> Iterator[Problem]:
    """Yield the problem with an entry's lowered minimum score, and with each word said to help there."""
    name, score, words = _parts(r"lower the minimum score of (\w+) to (\d+): (.*) would help", text)
    key = problem.by_name[name].key
    rule = replace(problem.entry_rules.get(key, EntryRule()), minimum=int(score))
    helping = re.split(", | or ", words)
    for word in helping:
        only = rule if len(helping) == 1 or rule.match else replace(rule, match=word)
        yield replace(problem, entry_rules={**problem.entry_rules, key: only})


def without_entries(problem: Problem, names: list[str], squares: list[Square]) -> Problem:
    """Return the problem without some answers and letters, except squares of other given answers."""
    gone = [problem.by_name[name] for name in names]
    out = {at for entry in gone for at in entry.squares} | set(squares)
    kept = {
        at for entry in problem.entries if entry not in gone and problem.is_whole(entry) for at in entry.squares
    }
    return problem.with_cells(dict.fromkeys(out - kept, EMPTY))


def _without_rule(problem: Problem, text: str) -> Problem:
    if found := re.match(r"drop the rule that (r\d+c\d+) ", text):
        at = square_of(found[1])
        return replace(problem, square_rules={k: v for k, v in problem.square_rules.items() if k != at})
    if "repeated words" in text:
        return replace(problem, allow_repeats=True)
    if "every answer" in text:
        return replace(problem, most=None)
    if found := re.match(r"drop the rule that (\w+) ", text):
        key = problem.by_name[found[1]].key
        return replace(problem, entry_rules={k: v for k, v in problem.entry_rules.items() if k != key})
    if "“wanted" in text:
        return replace(problem, wanted=(), wanted_least=0)
    return replace(problem, shared=0) if "in a row" in text else replace(problem, group=frozenset())


def swaps(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check each swap: number of changed squares, a real fill, the best mean of these; and none is missing."""
    for entry in problem.entries:
        cells = {at: problem.cell(at) for at in entry.squares}
        if EMPTY in cells.values() or problem.is_whole(entry):
            continue
        here = entry.read(cells)
        told = program.ask("swap", entry.name, "--limit", "1000", "--time", "5")
        if "swaps" not in told:
            yield Statement("refused", False, str(told))
            continue
        true: dict[str, list[Fill]] = {}
        for fill in fills:
            if fill.answers[entry.name] != here:
                true.setdefault(fill.answers[entry.name], []).append(fill)
        words = [swap["word"] for swap in told["swaps"]]
        yield Statement("each swap once", len(set(words)) == len(words), str(words))
        if told["complete"]:
            left_out = set(true) - set(words)
            yield Statement("there are no others", not left_out, f"{entry.name}: not listed are {left_out}")
        if told.get("reason"):
            yield Statement("no fill", not true, f"{entry.name}: {told['reason']}, and {sorted(true)} would do")
        ranks = [(len(swap["squares"]), -swap["mean_score"]) for swap in told["swaps"]]
        yield Statement("fewest squares first, then the best mean", ranks == sorted(ranks), str(ranks))
        for swap in told["swaps"]:
            yield from _swap(problem, true.get(swap["word"], []), entry.name, swap)


def _swap(problem: Problem, fills: list[Fill], name: str, swap: dict[str, Any]) -> Iterator[Statement]:
    about = f"{name}: {swap}"
    fewest = min(map(problem.changed, fills), default=None)
    if fewest is None:
        yield Statement("a swap", False, f"{about}, and no fill has {swap['word']} there")
        return
    yield Statement("how many squares change", len(swap["squares"]) >= fewest, f"{about}, {fewest} would do")
    if swap["smallest"]:
        yield Statement("a smallest change", len(swap["squares"]) == fewest, f"{about}, {fewest} would do")
    as_few = [fill for fill in fills if problem.changed(fill) == len(swap["squares"])]
    after = {one["entry"]: cells_of(one["to"]) for one in swap["changed"]}

    def agrees(fill: Fill) -> bool:
        """Whether a fill agrees with the answer; formerly empty squares may stay empty."""
        return all(
            cell.strip("[]") in (reading(fill.squares[at], way), "?")
            for entry, cells in after.items()
            for (at, way), cell in zip(problem.by_name[entry].path, cells, strict=True)
        )

    def figures(fill: Fill) -> tuple[float, int]:
        scores = [problem.score(word) or 0 for word in fill.answers.values() if problem.score(word) is not None]
        return (round(sum(scores) / len(scores), 4), min(scores)) if scores else (0.0, 0)

    fitting = [fill for fill in as_few if agrees(fill)]
    yield Statement("a swap", bool(fitting), f"{about}: {len(as_few)} fills change so few squares")
    told = round(swap["mean_score"], 4), swap["lowest_score"]
    is_right = any(figures(fill) == told for fill in fitting)
    yield Statement("mean and lowest", is_right, f"{about}, the fills have {set(map(figures, fitting))}")
    if swap["smallest"] and len(as_few) <= 200:
        top = max(figures(fill)[0] for fill in as_few) if as_few else 0
        yield Statement("the best mean of these", told[0] >= top - 1e-3, f"{about}, the best mean is {top}")


def what_ifs(problem: Problem, fills: list[Fill], program: Program) -> Iterator[Statement]:
    """Check block and theme answers: filled ones have a fill, impossible ones none, and all are listed."""
    told = program.ask("whatif blocks", "--time", "5")
    if "changes" not in told:
        yield Statement("refused", False, str(told))
        return
    seen = set()
    for change in told["changes"]:
        added, removed = (frozenset(map(square_of, change[part])) for part in ("added", "removed"))
        seen.add((added, removed))
        cells = {**dict.fromkeys(added, BLOCK), **dict.fromkeys(removed, EMPTY)}
        yield from _outlook(problem.with_cells(cells), change)
    yield Statement("each change once", len(seen) == len(told["changes"]), str(told["changes"]))
    if told["complete"]:
        true = set(_block_changes(problem))
        yield Statement("all changes of blocks", seen == true, f"{seen ^ true}")
    across = [entry for entry in problem.entries if entry.key[1] == "A"]
    words = sorted(problem.words)[:2]
    if across and words:
        told = program.ask("whatif themers", *words, "--each", "--time", "5")
        for change in told.get("changes", ()):
            free = replace(problem, square_rules={})
            ways = [next(free.ways(problem.by_name[name], word), None) for name, word in change["answers"].items()]
            yield Statement("an answer that its entry takes", None not in ways, change["text"])
            cells = {at: content for way in ways if way for at, content in way.items()}
            yield from _outlook(problem.with_cells(cells), change)


def _outlook(after: Problem, change: dict[str, Any]) -> Iterator[Statement]:
    about = f"{change['text']}: {change['fillability']} ({change['reason']})"
    if change["fillability"] == "filled":
        yield Statement("a change that leaves a fill", after.is_fillable(), about)
    if change["fillability"] == "impossible":
        yield Statement("a change that leaves none", not after.is_fillable(), about)


def mirrored(problem: Problem, at: Square) -> frozenset[Square]:
    row, column = at
    bottom, right = len(problem.rows) - 1, len(problem.rows[0]) - 1
    images = {"none": at, "rot180": (bottom - row, right - column), "left-right": (row, right - column)}
    return frozenset({at, images[problem.symmetry]})


def _block_changes(problem: Problem) -> Iterator[tuple[frozenset[Square], frozenset[Square]]]:
    """Yield legal block changes: no run under three squares, no part cut off, no unchecked square."""
    orbits = {mirrored(problem, at) for at in problem.all_squares}
    free = [o for o in orbits if all(problem.cell(at) != BLOCK and problem.given(at) is None for at in o)]
    walls = [orbit for orbit in orbits if all(problem.cell(at) == BLOCK for at in orbit)]
    nowhere: frozenset[Square] = frozenset()
    pairs = [(come, nowhere) for come in free] + [(nowhere, go) for go in walls]
    pairs += [(come, go) for come in free for go in walls if len(come) == len(go)]
    before = _faults(problem)
    for come, go in pairs:
        after = problem.with_cells({**dict.fromkeys(come, BLOCK), **dict.fromkeys(go, EMPTY)})
        faults = _faults(after)
        if after.lights and all(new <= old for new, old in zip(faults, before, strict=True)):
            yield come, go


def _faults(problem: Problem) -> tuple[int, int, int]:
    """Count short entries, unchecked squares and separate parts."""
    runs = [run for _, run in problem.lights.values()]
    covered = [at for run in runs for at in run]
    open_squares = {at for at in problem.all_squares if problem.cell(at) != BLOCK}
    unchecked = sum(covered.count(at) < 2 for at in open_squares)
    parts, left = 0, set(open_squares)
    while left:
        parts += 1
        reached = {left.pop()}
        while reached:
            row, column = reached.pop()
            for beside, bar in (
                ((row, column + 1), ((row, column), "right")),
                ((row + 1, column), ((row, column), "below")),
                ((row, column - 1), ((row, column - 1), "right")),
                ((row - 1, column), ((row - 1, column), "below")),
            ):
                if beside in left and bar not in problem.bars:
                    left.discard(beside)
                    reached.add(beside)
    return sum(len(run) < 3 for run in runs), unchecked, parts
