"""How each question about the grid is answered, and the findings as texts for all faces."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import NamedTuple, Protocol, TypeVar, assert_never

from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.explain.explain import explain
from xwtui.engine.explain.explanation import (
    Answer,
    Certainty,
    ChangeSquare,
    Conflict,
    EmptyEntry,
    Explanation,
    Remedy,
    TriedWord,
)
from xwtui.engine.explain.judge import Judge, Judgement, OutOfTimeError
from xwtui.engine.improve.plain_fill import repair_apart
from xwtui.engine.problem.no_fill import LimitedReason
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.engine.problem.task import Task
from xwtui.engine.repair.repair import Repair, RepairWanted
from xwtui.engine.what_if.ranking import (
    Arrangement,
    Fillability,
    Outlook,
    Ranked,
    Ranking,
    block_changes,
    heat,
    theme_arrangements,
    theme_candidates,
)
from xwtui.model import Content, Grid, Ink, Position, Puzzle, edits
from xwtui.model.answers import contents_for
from xwtui.model.statistics import pencil_squares
from xwtui.model.where import Symmetry
from xwtui.session.answers import JsonShape
from xwtui.session.jobs.fills.kept_fills import current_contents
from xwtui.session.jobs.fills.swapping import WITH_THE_REST, leaves_open, lowered_score, note_of_mean
from xwtui.session.jobs.question import (
    BlocksQuestion,
    Findings,
    HeatQuestion,
    IsOver,
    Proposal,
    Question,
    Report,
    SwapQuestion,
    ThemersQuestion,
    WhyQuestion,
)
from xwtui.session.run_view import EntryChange, FoundFill, PenIn, entry_changes
from xwtui.session.wording import changes_words, lowered_words, pen_words
from xwtui.text import counted, first_named, listed
from xwtui.worded import in_words
from xwtui.wording import about, conflicting_entries, how_sure, tried_words


def explain_why(question: WhyQuestion, task: Task, is_over: IsOver, report: Report) -> Findings:
    """Answer the question, reporting each better explanation."""
    trying = (question.entry, question.word) if question.word else None
    has_pencil = not question.word and any(square.content and not square.is_given for square in task.grid.squares)
    answers = Puzzle(task.grid, rules=task.rules, entered=task.entered).answers
    asked = {question.entry: question.word} if question.word else answers
    words = {name: word for name, word in asked.items() if task.lexicon.score(word) is None}
    unlisted = first_named([f"{name} {word}" for name, word in words.items()], _MOST_UNLISTED)
    findings_for = partial(_findings, question, unlisted, has_pencil)
    explanation = explain(
        task,
        Budget(question.seconds, stop=is_over),
        trying=trying,
        found=lambda so_far: report(findings_for(so_far)),
    )
    findings = findings_for(explanation)
    if question.word and explanation.fill:
        offer = _fill_with_word(question, task, explanation.fill)
        fewest = (f"`swap {question.entry} {question.word}` changes as few squares as possible",)
        is_whole = len(answers) == len(task.grid.entries)
        return replace(findings, proposals=(offer,), lines=findings.lines + fewest * is_whole, is_of_word=True)
    clash = _clash(task) if _may_replace(has_pencil, explanation) else ()
    is_full = not question.word and len(answers) == len(task.grid.entries)
    if is_full and not clash and explanation.answer is Answer.FILLABLE:
        mends = _mends(task, words, Judge(Budget(question.seconds, stop=is_over)))
        return _nothing_to_fill(findings, unlisted, task, tuple(mends))
    return replace(findings, lines=(*findings.lines, *clash))


def _fill_with_word(question: WhyQuestion, task: Task, squares: Mapping[Position, Content]) -> Proposal:
    found = FoundFill.of(task, squares)
    proposal = Proposal(
        ("fill", question.entry, question.word),
        f"fill the grid with {question.word} at {question.entry}",
        "",
        lambda puzzle: edits.write_fill(puzzle, squares).with_entered(found.entered),
        squares,
        found=found,
    )
    pencil, replaced = pencil_squares(task.grid), proposal.replaces(task.grid)
    changes = f"; replaces {replaced} of {counted(pencil, 'square')} of pencil" if pencil else ""
    return replace(proposal, remark=f"in pencil{changes}")


def _nothing_to_fill(findings: Findings, unlisted: str, task: Task, mends: tuple[Proposal, ...]) -> Findings:
    judged = f"in no list: {unlisted}" if unlisted else "every entry is in the lists"
    is_given = all(task.given_answer(slot) is not None for slot in task.grid.entries)
    first = "`clear ENTRY`, then " if is_given else ""
    text = f"the grid is full; {judged}; {first}`why ENTRY WORD` asks about a word"
    lines = ("unless the answers in no list are meant, these changes mend them",) if mends else ()
    return replace(findings, title="the grid is full", answer=text, lines=lines, proposals=mends)


def _mends(task: Task, unlisted: Mapping[str, str], judge: Judge) -> Sequence[Proposal]:
    """Return remedies for answers of a full grid that are in no list; locked squares stay.

    A remedy puts another word there, changing only squares of that entry. If there are no such remedies, the
    proposals clear such answers.
    """
    grid = _in_pen(task.grid)
    other, clearing = dict[tuple[Position, ...], Proposal](), list[Proposal]()
    for name, answer in unlisted.items():
        squares = [at for at in grid.entry(name).positions if task.grid[at].ink is not Ink.LOCKED]
        if not squares:
            continue
        without = EmptyEntry(name=name, answer=answer, squares=tuple(squares))
        asked = replace(task, grid=without.grid(grid))
        try:
            verdict = judge.judge(asked, _NODES_OF_A_MEND)
        except OutOfTimeError:
            break
        if verdict.finding is Judgement.FILLED:
            found = FoundFill.of(asked, verdict.fill)
            changed = {at: found.squares[at] for at in squares if found.squares[at] != grid[at].content}
            proposal = Proposal(
                ("mend", name),
                f"write {verdict.answers[name]} at {name} instead of {answer}",
                f"changes {counted(len(changed), 'square')}",
                partial(_rewritten, changed, found),
                changed,
                brief=f"{verdict.answers[name]} at {name}",
            )
            other.setdefault(tuple(changed), proposal)
        else:
            remark = "`fill` then replaces as little pencil as possible"
            clearing.append(
                Proposal(without, f"clear {answer} from {name}", remark, without.apply, brief=without.brief())
            )
    return [*other.values()] or clearing


def _rewritten(squares: Mapping[Position, Content], found: FoundFill, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with other contents in some squares, in pencil, whatever their ink was."""
    return edits.write_fill(edits.clear_squares(puzzle, squares), squares).with_entered(found.entered)


def _may_replace(has_pencil: bool, explanation: Explanation) -> bool:
    """Whether a fill exists, possibly one that replaces pencil."""
    return has_pencil and explanation.answer is Answer.FILLABLE


def _clash(task: Task) -> tuple[str, ...]:
    """Return a line that says why not all contents can stay, if propagation alone shows it; else none."""
    reason = in_words(why_impossible(Problem.of(replace(task, grid=_in_pen(task.grid)))))
    return (f"if all of it stayed: {reason}",) if reason else ()


def _in_pen(grid: Grid) -> Grid:
    return edits.set_ink(Puzzle(grid), [*current_contents(grid)], Ink.PEN).grid


_MOST_UNLISTED = 5
_NODES_OF_A_MEND = 1000
_PENCIL_MAY_GO = "some pencil may have to go: `fill` replaces as little as possible"


def _findings(question: WhyQuestion, unlisted: str, has_pencil: bool, explanation: Explanation) -> Findings:
    if question.is_proved and explanation.answer is Answer.UNKNOWN:
        explanation = replace(explanation, answer=Answer.IMPOSSIBLE)
    conflicts = explanation.conflicts
    is_of_word_that_fails = bool(question.word) and explanation.answer is not Answer.FILLABLE
    return Findings(
        title=_title(question, explanation),
        answer=_answer(question, explanation),
        lines=(
            *([f"in no list: {unlisted}"] if unlisted and not is_of_word_that_fails else []),
            *([_PENCIL_MAY_GO] * _may_replace(has_pencil, explanation)),
            *(line for number, conflict in enumerate(conflicts, 1) for line in _lines(number, conflict)),
            *filter(None, [tried_words(explanation)]),
        ),
        proposals=tuple(map(_proposal, explanation.remedies)),
        entries=tuple(dict.fromkeys(name for conflict in conflicts for name in conflict.entries)),
        proved=tuple(filter(_is_proved, conflicts)),
        is_possible={Answer.FILLABLE: True, Answer.IMPOSSIBLE: False}.get(explanation.answer),
        progress=_progress(explanation),
        seconds=explanation.seconds,
        is_complete=explanation.is_complete,
        as_json=_EXPLANATION.of(explanation),
    )


def _is_proved(conflict: Conflict) -> bool:
    """Whether a conflict is proved for the contents of the grid, rather than for a word on trial."""
    is_tried = any(isinstance(choice, TriedWord) for choice in conflict.choices)
    return conflict.certainty in (Certainty.BY_PROPAGATION, Certainty.PROVED) and not is_tried


def _title(question: WhyQuestion, explanation: Explanation) -> str:
    word, entry = question.word, question.entry
    match explanation.answer:
        case Answer.FILLABLE:
            return f"{word} fits at {entry}" if word else "the grid can be filled"
        case Answer.IMPOSSIBLE:
            return f"why {word} does not fit at {entry}" if word else "why the grid cannot be filled"
    return question.title


def _answer(question: WhyQuestion, explanation: Explanation) -> str:
    subject = f"{question.word} at {question.entry}" if question.word else "the grid"
    number = len(explanation.conflicts)
    count = counted(number, "conflict")
    match explanation.answer:
        case Answer.FILLABLE:
            return f"{subject}: a fill was found" if question.word else f"{subject} can be filled"
        case Answer.IMPOSSIBLE if number and question.word and not explanation.blames_word:
            return f"the grid cannot be filled with or without {subject}: {count}"
        case Answer.IMPOSSIBLE:
            where = f"{question.word} cannot go at {question.entry}"
            return (where if question.word else "the grid cannot be filled") + (f": {count}" if number else "")
        case Answer.UNKNOWN if number:
            return f"time ran out with neither a fill nor a proof; {count} suspected"
        case _:
            return "time ran out with neither a fill nor a proof"


def _lines(number: int, conflict: Conflict) -> list[str]:
    where = conflicting_entries(conflict)
    lines = [f"{number}. {conflict.describe()}{f', {where}' if where else ''}"]
    if conflict.reason:
        lines.append(f"   {conflict.reason}")
    if not conflict.is_smallest:
        lines.append("   perhaps only part of it conflicts; time ran out before a proof")
    return lines


def _proposal(remedy: Remedy) -> Proposal:
    """Return a proposal for a remedy; if several letters would do for a square, it uses the first."""
    remark = "a fill was found" if remedy.settles_all else "settles this conflict, not the others"
    if isinstance(remedy, ChangeSquare) and len(remedy.single) > 1:
        others = listed(map(str, remedy.choices[1:]), "and")
        remark += f"; also with {others}"
        remedy = remedy.single[0]
    fill = remedy.fill if remedy.settles_all else {}
    return Proposal(remedy, remedy.describe(), remark, remedy.apply, fill, brief=remedy.brief())


def _progress(explanation: Explanation) -> str:
    if explanation.is_complete or explanation.answer is Answer.CANCELLED:
        return ""
    return "looking for changes that help" if explanation.conflicts else "looking for a conflict"


def _reason_json(one: Conflict | Outlook) -> dict[str, str]:
    return {"reason": in_words(one.reason)}


_EXPLANATION = JsonShape(
    "answer complete=is_complete seconds~3",
    (
        "conflicts",
        JsonShape(
            ("choices", JsonShape("kind text=describe")), "certainty smallest=is_smallest entries", _reason_json
        ),
    ),
    ("remedies", JsonShape("kind text=describe settles_all answers")),
)
_PROPOSAL = JsonShape("text remark fill")
_MOST_PROPOSALS = 60
_MOST_NAMED = 6


class _Described(Hashable, Protocol):
    def describe(self) -> str: ...
    def brief(self) -> str: ...


What = TypeVar("What", bound=_Described)
Change = Callable[[Puzzle], Puzzle]


def rank_blocks(
    question: BlocksQuestion, task: Task, symmetry: Symmetry, is_over: IsOver, report: Report
) -> Findings:
    """Rank the possible changes of blocks."""
    findings_for = partial(_ranked_findings, question.title, "no block can change", lambda one: one.apply)
    ranking = block_changes(
        task,
        symmetry,
        Budget(question.seconds, stop=is_over),
        limits=question.limits,
        found=lambda so_far: report(findings_for(so_far)),
    )
    return findings_for(ranking)


def rank_themers(
    question: ThemersQuestion, task: Task, symmetry: Symmetry, is_over: IsOver, report: Report
) -> Findings:
    """Rank the ways to place theme answers in the grid."""
    findings_for = partial(_ranked_findings, question.title, "none of them fits an entry", _written)
    budget, answers = Budget(question.seconds, stop=is_over), question.answers

    def found(so_far: Ranking[Arrangement]) -> None:
        report(findings_for(so_far))

    if question.together:
        return findings_for(theme_arrangements(task, answers, symmetry, budget, size=question.size, found=found))
    ranking = theme_candidates(task, answers, budget, found=found)
    return replace(findings_for(ranking), lines=_without_place(question.answers, ranking))


def _without_place(answers: Sequence[str], ranking: Ranking[Arrangement]) -> tuple[str, ...]:
    placed = {answer for item in ranking.items for answer in item.what.answers.values()}
    left = [answer for answer in answers if answer not in placed]
    if not left or ranking.total is None:
        return ()
    rest = len(left) - _MOST_NAMED
    named = [*left[:_MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])]
    return (f"no open across entry fits {listed(named, 'or')}",)


def measure_heat(question: HeatQuestion, task: Task, is_over: IsOver) -> Findings:
    """Find out where the grid is hard to fill."""
    begin = perf_counter()
    found = heat(Problem.of(task), seconds=question.seconds, cancelled=is_over)
    seconds = perf_counter() - begin
    hardest = ", ".join(f"{at} ({found.heat[at]:.2f})" for at in found.hardest())
    return Findings(
        title=question.title,
        answer=f"hardest: {hardest}" if hardest else "no square is empty",
        lines=(f"from a search of {found.nodes:,} nodes",),
        heat=found.heat,
        is_possible=True,
        seconds=seconds,
        is_complete=True,
        as_json={
            "complete": True,
            "seconds": round(seconds, 3),
            "nodes": found.nodes,
            "squares": {
                str(at): {"heat": round(value, 4), "agreement": found.agreement.get(at), "blame": found.blame[at]}
                for at, value in found.heat.items()
            },
        },
    )


def _written(arrangement: Arrangement) -> Change:
    def write(puzzle: Puzzle) -> Puzzle:
        for name, answer in arrangement.answers.items():
            slot = puzzle.grid.entry(name)
            contents = contents_for(puzzle.grid, slot, answer, given_only=True)
            for at, content in zip(slot.reading, contents, strict=True):
                puzzle = edits.set_square(puzzle, at, content)
        return puzzle

    return write


def _ranked_findings(
    title: str, nothing: str, change: Callable[[What], Change], ranking: Ranking[What]
) -> Findings:
    best = ranking.items[:_MOST_PROPOSALS]
    return Findings(
        title=title,
        answer=_ranked_answer(ranking, nothing),
        proposals=tuple(_ranked_proposal(item, change(item.what)) for item in best),
        is_possible=_is_possible(ranking),
        progress=_ranking_progress(ranking),
        seconds=ranking.seconds,
        is_complete=ranking.is_complete,
        as_json=_RANKING.of(ranking),
    )


def _ranked_answer(ranking: Ranking[What], nothing: str) -> str:
    filled = sum(item.outlook.fillability is Fillability.FILLED for item in ranking.items)
    dead = [item.outlook.reason for item in ranking.items if item.outlook.fillability is Fillability.IMPOSSIBLE]
    if ranking.total is None:
        return f"{ranking.looked_at} tried so far" + (f": {filled} with a fill found" if filled else "")
    if not ranking.total:
        return nothing
    untried = next((reason.untried for reason in dead if isinstance(reason, LimitedReason)), None)
    none = f"{len(dead)} {'proved to have none' if untried is None else f'with none {how_sure(untried)}'}"
    return f"{ranking.total} possible: {filled} with a fill found, {none}"


def _is_possible(ranking: Ranking[What]) -> bool | None:
    known = {item.outlook.fillability for item in ranking.items}
    if Fillability.FILLED in known:
        return True
    return False if ranking.is_complete and known <= {Fillability.IMPOSSIBLE} else None


def _ranked_proposal(item: Ranked[What], change: Change) -> Proposal:
    outlook = item.outlook
    is_dead = outlook.fillability is Fillability.IMPOSSIBLE
    figure = "" if is_dead or outlook.log10 is None else about(outlook.log10)
    what = item.what
    return Proposal(what, what.describe(), outlook.describe(), change, outlook.fill, is_dead, what.brief(), figure)


def _ranking_progress(ranking: Ranking[What]) -> str:
    if ranking.is_complete or ranking.was_cancelled:
        return ""
    is_looking = ranking.total is None and not ranking.searched
    return f"trying each: {ranking.looked_at}" if is_looking else "trying to fill the best"


_RANKING = JsonShape(
    "complete=is_complete seconds~3",
    (
        "changes=items",
        JsonShape(
            "text=what.describe *what fillability=outlook.fillability.name.lower outlook.log10",
            lambda one: _reason_json(one.outlook),
        ),
    ),
)


# Swaps


class _Swap(NamedTuple):
    """Another word for the entry, its smallest change, and the resulting fill."""

    word: str
    made: Repair
    fill: FoundFill
    changed: tuple[EntryChange, ...]


_SWAP = JsonShape(
    "word squares=made.changed",
    ("changed", JsonShape("entry from=before to=after")),
    "made.lowest_changed fill.mean_score fill.lowest_score smallest=made.is_smallest",
)


def rank_swaps(question: SwapQuestion, task: Task, is_over: IsOver, report: Report) -> Findings:
    """Rank the other words for an entry by the size of the change that each needs."""
    begin = perf_counter()
    problem, grid = Problem.of(task), task.grid
    current = {at: content for slot in grid.slots for at in slot.positions if (content := grid[at].content)}
    own = grid.entry(question.entry).positions

    def told(repairs: Sequence[Repair], reason: str = "") -> Findings:
        seconds = perf_counter() - begin
        swaps = [_swap(problem, question.entry, made) for made in repairs]
        answer = f"no other word fits: {reason}" if reason else ""
        if swaps and not reason:
            words = counted(len(swaps), "other word")
            answer = f"{words} for {question.entry}, fewest squares changed first"
        pen = pen_words(PenIn.of(grid, question.entry)) if reason and not repairs else ""
        return Findings(
            title=question.title,
            answer=answer,
            lines=(pen,) if pen else (),
            proposals=tuple(_swap_proposal(question, swap, problem, grid, own) for swap in swaps),
            most_listed=question.most,
            seconds=seconds,
            as_json={
                "entry": question.entry,
                "seconds": round(seconds, 3),
                "swaps": _SWAP.convert(swaps),
                **({"reason": reason} if reason else {}),
            },
        )

    wanted = RepairWanted(
        question.entry, most=question.most, found=lambda repairs: report(told(repairs[: question.most]))
    )
    result = repair_apart(problem, current, Budget(question.seconds, stop=is_over), wanted)
    is_complete = result.is_complete or len(result.repairs) >= question.most
    findings = told(result.repairs, in_words(result.reason) if result.outcome is Outcome.IMPOSSIBLE else "")
    return replace(
        findings,
        answer=findings.answer or "time ran out before another word was found",
        is_possible=True if result.repairs else False if is_complete else None,
        is_complete=is_complete,
        as_json={**findings.as_json, "complete": result.is_complete},
    )


def _swap(problem: Problem, entry: str, made: Repair) -> _Swap:
    changed = entry_changes(problem.grid, {at: made.squares[at] for at in made.changed})
    return _Swap(made.answers[entry], made, FoundFill.of(problem.task, made.squares), changed)


def _swap_proposal(
    question: SwapQuestion, swap: _Swap, problem: Problem, grid: Grid, own: Sequence[Position]
) -> Proposal:
    """Return a proposal that writes the changed squares and the entry's empty squares, and nothing else."""
    word, made, mean = swap.word, swap.made, f"{swap.fill.mean_score:.1f}"
    squares = {at: made.squares[at] for at in (*made.changed, *own)}
    others = [one for one in entry_changes(grid, squares) if one.entry != question.entry]
    size = counted(len(made.changed), "square")
    lowered = lowered_score(problem, grid, swap.fill, made)
    weakest = lowered_words(lowered) if lowered else f"lowest changed {made.lowest_changed}"
    remark = f"{size}, {weakest}, mean {mean}"
    remark += f" {WITH_THE_REST}" if leaves_open(grid, made, squares) else ""
    remark += "" if made.is_smallest else ", perhaps not the smallest"
    return Proposal(
        question.proposing(word),
        f"{question.entry} {word}",
        remark + (f"; {changes_words(others)}" if others else ""),
        lambda puzzle: edits.write_fill(puzzle, squares),
        {at: made.squares[at] for at in made.changed},
        brief=word,
        figure=f"{len(made.changed)} sq  ≥{made.lowest_changed}  {mean}",
        found=swap.fill._replace(squares=squares, note=note_of_mean(problem, grid, made, squares)),
    )


def answer(question: Question, task: Task, symmetry: Symmetry, is_over: IsOver, report: Report) -> Findings:
    """Answer a question, reporting each better answer; raises XwtuiError for an invalid question."""
    found = _answered(question, task, symmetry, is_over, report)
    return replace(found, limit=None if found.is_complete or is_over() else question.seconds)


def _answered(question: Question, task: Task, symmetry: Symmetry, is_over: IsOver, report: Report) -> Findings:
    match question:
        case WhyQuestion():
            found = explain_why(question, task, is_over, report)
            return replace(found, as_json={**found.as_json, "proposals": _PROPOSAL.convert(found.proposals)})
        case BlocksQuestion():
            return rank_blocks(question, task, symmetry, is_over, report)
        case ThemersQuestion():
            return rank_themers(question, task, symmetry, is_over, report)
        case HeatQuestion():
            return measure_heat(question, task, is_over)
        case SwapQuestion():
            return rank_swaps(question, task, is_over, report)
        case _:
            assert_never(question)
