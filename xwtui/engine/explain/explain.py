"""Why a grid cannot be filled, or why a word is impossible in an entry: conflicts first, then remedies.

Every remedy is verified by a fill before it is offered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from xwtui.dataclasses import replace
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.explain.explanation import (
    AllChoices,
    AllowRepeats,
    AllowWord,
    Answer,
    Bans,
    Certainty,
    ChangeSquare,
    Conflict,
    DropRule,
    EmptyEntry,
    EmptySquares,
    EntryRuleChoice,
    EveryAnswerChoice,
    Explanation,
    GivenChoice,
    GivenEntry,
    GivenLayout,
    GivenSquare,
    GridRuleChoice,
    LowerLowest,
    LowerMinimum,
    Minimum,
    NoRepeats,
    Remedy,
    SeveralChanges,
    SquareRuleChoice,
    SwapEntries,
    TriedWord,
    only,
)
from xwtui.engine.explain.judge import Cores, Judge, Judgement, OutOfTimeError, Verdict, shrink
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import limited_reason, why_impossible
from xwtui.engine.problem.task import Task, is_length_only
from xwtui.engine.problem.variants import Relaxer
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position

with lazy_imports():
    from xwtui.engine.problem.no_fill import LimitedReason, Reason

_WHOLE_NODES = 20_000
"""Nodes of the search for a fill or a proof, before anything is explained."""
_PART_NODES = 2_000
"""Nodes of a search for a part of an explanation."""
_SUSPECTS = 6
"""Number of suspected entries if nothing is proved."""


Property = Callable[[Sequence[GivenChoice]], bool]


class ConflictFinder:
    """Finds a conflict in any set of choices."""

    def __init__(self, every: AllChoices, judge: Judge) -> None:
        self._every = every
        self._judge = judge

    def examine(self, choices: Sequence[GivenChoice]) -> tuple[Verdict, Conflict | None]:
        """Fill the grid with these choices kept, or find a conflict among them; raises OutOfTimeError."""
        problem = Problem.of(self._every.keeping(choices))
        if not problem.root.is_possible:
            return Verdict(Judgement.REFUTED), self._refuted(choices)
        filler = Filler(problem)
        verdict = self._judge.resume(filler, _WHOLE_NODES)
        if verdict.finding is Judgement.FILLED:
            return verdict, None
        cores = Cores(problem, self._judge)
        entries = cores.by_search(filler, _PART_NODES)
        if entries:
            return Verdict(Judgement.PROVED), self._proved(choices, entries)
        if verdict.finding is Judgement.PROVED:
            return verdict, self._proved(choices, ())
        # The search has not finished: suspect the contents of the entries where it fails, and the tried word.
        entries = cores.most_blamed(filler, _SUSPECTS)
        touched = {at for name in entries for at in self._every.task.grid.entry(name).positions}
        members = [one for one in choices if isinstance(one, TriedWord) or not touched.isdisjoint(one.squares)]
        return verdict, self._conflict(members, Certainty.SUSPECTED, False, entries)

    def _refuted(self, choices: Sequence[GivenChoice]) -> Conflict:
        """Return a conflict that propagation shows, unless a search finds a smaller one."""

        def is_refuted(kept: Sequence[GivenChoice]) -> bool:
            return self._judge.is_refuted(self._every.keeping(kept))

        members, certainty, is_smallest = self._smallest(choices, is_refuted, Certainty.BY_PROPAGATION)
        problem = Problem.of(self._every.keeping(members))
        entries = self._searched_entries(problem)
        refuted = _of_entries(problem, entries)
        reason = why_impossible(refuted)
        if not members and not reason:
            certainty = Certainty.PROVED
        return self._conflict(members, certainty, is_smallest, entries, reason or limited_reason(refuted, None))

    def _proved(self, choices: Sequence[GivenChoice], entries: tuple[str, ...]) -> Conflict:
        """Return a conflict that takes a search; only among the given entries, if any are named."""

        def is_proved(kept: Sequence[GivenChoice]) -> bool:
            problem = Problem.of(self._every.keeping(kept))
            return self._judge.finding(Filler(_of_entries(problem, entries)), _PART_NODES).is_impossible

        members, certainty, is_smallest = self._smallest(choices, is_proved, Certainty.PROVED)
        problem = Problem.of(self._every.keeping(members))
        entries = self._searched_entries(problem) or entries
        return self._conflict(members, certainty, is_smallest, entries, limited_reason(problem, None))

    def _smallest(
        self, choices: Sequence[GivenChoice], has_property: Property, certainty: Certainty
    ) -> tuple[list[GivenChoice], Certainty, bool]:
        """Return a smallest subset that has a property; bans are narrowed down to single words that matter.

        A member stays if a fill is found without it. One that a search proves unnecessary is removed.
        """
        members = shrink(choices, has_property)
        for bans in [member for member in members if isinstance(member, Bans) and len(member.words) > 1]:
            others = [member for member in members if member is not bans]
            single = self._every.splitting(bans)

            def has_it(kept: Sequence[GivenChoice], others: Sequence[GivenChoice] = others) -> bool:
                return has_property([*others, *kept])

            members = [*others, *shrink(single, has_it)]
        left, is_smallest = list(members), True
        for member in members:
            rest = [other for other in left if other is not member]
            verdict = self._judge.judge(self._every.keeping(rest), _PART_NODES)
            if verdict.finding.is_impossible:
                left = rest
                certainty = Certainty.PROVED if verdict.finding is Judgement.PROVED else certainty
            elif verdict.finding is Judgement.OPEN:
                is_smallest = False
        return left, certainty, is_smallest

    def _searched_entries(self, problem: Problem) -> tuple[str, ...]:
        """Return entries that a search refutes together."""
        if not problem.root.is_possible:
            return Cores(problem, self._judge).by_propagation(_PART_NODES)
        filler = Filler(problem)
        self._judge.resume(filler, _PART_NODES)
        return Cores(problem, self._judge).by_search(filler, _PART_NODES)

    def _conflict(
        self,
        members: Sequence[GivenChoice],
        certainty: Certainty,
        is_smallest: bool,
        entries: tuple[str, ...],
        reason: Reason | None = None,
    ) -> Conflict:
        how_sure = Certainty.AS_TRIED if isinstance(reason, LimitedReason) else certainty
        if members and (is_smallest or list(members) != [NoRepeats()]):
            return Conflict(tuple(members), how_sure, is_smallest, entries, reason)
        problem = Problem.of(self._every.keeping(()))
        wordless = (slot for slot, table in zip(problem.slots, problem.tables, strict=True) if not table.rows)
        too_long = next((slot for slot in wordless if is_length_only(problem.task, slot)), None)
        if too_long is not None:
            layout = GivenLayout((too_long.name,), len(too_long))
            return Conflict((layout,), certainty, True, layout.entries)
        layout = GivenLayout(entries or tuple(slot.name for slot in self._every.task.grid.entries))
        is_smallest = is_smallest and Cores(problem, self._judge).are_smallest(entries, _PART_NODES)
        return Conflict((layout,), how_sure, is_smallest, entries, reason)


def _of_entries(problem: Problem, entries: Collection[str]) -> Problem:
    """Return the problem with only some of its entries, if any are named."""
    loose = [number for name, number in problem.slot_numbers.items() if name not in entries]
    return Relaxer(problem).relax(loose, {}) if entries else problem


_MOST_CONFLICTS = 8


def explain(
    task: Task,
    budget: Budget = NO_LIMIT,
    *,
    trying: tuple[str, str] | None = None,
    found: Callable[[Explanation], None] | None = None,
) -> Explanation:
    """Explain why a task has no fill: smallest conflicts among what was chosen, and verified remedies.

    With `trying`, an entry's name and a word, it explains why that word is impossible there. `found` is called
    with each better explanation, and the last one is returned. It ends after its time limit, or within 100 ms
    after `stop` returns True, with what it has found so far. Raises EngineError for a task that the engine cannot
    handle, and for a word that does not fit its entry's squares.
    """
    every, judge, tried = AllChoices(task, trying), Judge(budget), Counter[type[Remedy]]()
    so_far = Explanation(Answer.UNKNOWN)

    def report(**better: Any) -> Explanation:
        now = replace(so_far, seconds=judge.limit.seconds, tried=dict(tried), **better)
        if found is not None:
            found(now)
        return now

    try:
        for better in _findings(every, judge, tried):
            so_far = report(**better)
    except OutOfTimeError:
        is_open = so_far.answer is Answer.UNKNOWN
        so_far = report(**({"answer": Answer.CANCELLED} if is_open and judge.limit.was_cancelled else {}))
    return so_far


def _findings(every: AllChoices, judge: Judge, tried: Counter[type[Remedy]]) -> Iterator[dict[str, Any]]:
    """Yield findings: conflicts, each among choices not in an earlier one, then remedies; update `tried`.

    A tried word may be in several conflicts, each about something else that excludes it, unless it is one on its
    own.
    """
    finder, conflicts = ConflictFinder(every, judge), list[Conflict]()
    while len(conflicts) < _MOST_CONFLICTS:
        spent = {
            choice
            for conflict in conflicts
            for choice in conflict.choices
            if not isinstance(choice, TriedWord) or len(conflict.choices) == 1
        }
        verdict, conflict = finder.examine([choice for choice in every.choices if choice not in spent])
        is_impossible = verdict.finding.is_impossible
        if not conflicts and verdict.finding is Judgement.FILLED:
            yield {"answer": Answer.FILLABLE, "fill": verdict.fill}
        elif not conflicts:
            yield {"answer": Answer.IMPOSSIBLE if is_impossible else Answer.UNKNOWN}
        if conflict is None or (conflicts and not is_impossible):
            break
        conflicts.append(conflict)
        yield {"conflicts": tuple(conflicts)}
        if isinstance(conflict.choices[0], GivenLayout):
            break
    remedies: list[Remedy] = []
    firsts: list[Remedy] = []
    for conflict in conflicts:
        others = [other for other in conflicts if other is not conflict]
        before = len(remedies)
        for remedy in RemedyFinder(every, conflict, others, judge, tried).remedies():
            remedies.append(remedy)
            yield {"remedies": tuple(remedies)}
        firsts += remedies[before : before + 1]
    if len(firsts) == len(conflicts) > 1:
        choices = dict.fromkeys(choice for conflict in conflicts for choice in conflict.choices)
        whole = Conflict(tuple(choices), Certainty.PROVED, is_smallest=False)
        for remedy in RemedyFinder(every, whole, (), judge, tried).together(firsts):
            yield {"remedies": (remedy, *remedies)}
    yield {"is_complete": True}


_NODES = 3_000
"""Node limit of a fill that verifies a remedy."""
_MOST_CONTENTS = 8
"""Maximum number of letters offered for one square."""
_MOST_WORDS = 3
"""Maximum number of helpful words reported for one entry."""
_MOST_TRIES = 12
"""Maximum number of low words tried for one entry."""

RemedyKind = TypeVar("RemedyKind", bound=Remedy)


def _as_part(remedy: Remedy, answers: Mapping[str, str]) -> Remedy:
    """Return a remedy as part of a larger one whose fill has these answers, which are reported with the whole."""
    if isinstance(remedy, ChangeSquare):
        return replace(remedy, choices=remedy.choices[:1], single=(), answers={})
    if isinstance(remedy, LowerMinimum):
        return replace(remedy, words=(answers[remedy.name],), answers={})
    return replace(remedy, answers={})


class RemedyFinder:
    """Finds remedies for one conflict; other conflicts of the grid are ignored."""

    def __init__(
        self,
        every: AllChoices,
        conflict: Conflict,
        others: Sequence[Conflict],
        judge: Judge,
        tried: Counter[type[Remedy]],
    ) -> None:
        """Counts attempts in `tried` by kind: for letters the squares, for lower scores the entries."""
        self._every = every
        self._conflict = conflict
        self._judge = judge
        self._tried = tried
        elsewhere = {choice for other in others for choice in other.choices} - set(conflict.choices)
        self._settles_all = not others
        self._kept = [choice for choice in every.choices if choice not in elsewhere]
        self._task = every.keeping(self._kept) if others else every.task

    def remedies(self) -> Iterator[Remedy]:
        """Yield remedies, those that change least for a constructor first; raises OutOfTimeError."""
        is_healed = False
        for remedy in self._single_remedies():
            is_healed = True
            yield remedy
        if not is_healed:
            yield from self._without_all_given()

    def together(self, changes: Sequence[Remedy]) -> Iterator[Remedy]:
        """Yield several changes as one if they allow a fill, else the removal of all givens in the conflict."""
        found = self._verify(SeveralChanges(parts=tuple(changes)))
        if found is None:
            yield from self._without_all_given()
            return
        yield replace(found, parts=tuple(_as_part(change, found.answers) for change in changes))

    def _without_all_given(self) -> Iterator[Remedy]:
        """Yield the removal of everything given in the conflict, if it is more than one item."""
        given = [choice for choice in self._conflict.choices if isinstance(choice, GivenSquare | GivenEntry)]
        if len(given) > 1:
            held = {at for choice in self._kept if choice not in given for at in choice.squares}
            squares = tuple(dict.fromkeys(at for choice in given for at in choice.squares if at not in held))
            yield from self._verified([EmptySquares(what=tuple(given), squares=squares)])

    def _single_remedies(self) -> Iterator[Remedy]:
        for choice in self._conflict.choices:
            if isinstance(choice, GivenSquare):
                changed = self._for_square(choice)
                self._tried[ChangeSquare] += 1
                yield from filter(None, [changed])
            elif isinstance(choice, Bans):
                score = self._every.task.lexicon.allowed_score
                yield from self._verified(AllowWord(word=word, score=score(word)) for word in choice.words)
            elif isinstance(choice, Minimum):
                lowered = list(self._for_minimum())
                yield from lowered or self._for_all_entries(choice)
            elif isinstance(choice, NoRepeats) and self._settles_all:
                yield from self._verified([AllowRepeats()])
            elif isinstance(choice, EntryRuleChoice | SquareRuleChoice | EveryAnswerChoice | GridRuleChoice):
                yield from self._verified([DropRule(choice=choice)])
        entries = [choice for choice in self._conflict.choices if isinstance(choice, GivenEntry)]
        for entry in entries:
            held = {at for choice in self._without(entry) for at in choice.squares}
            squares = tuple(at for at in entry.positions if at not in held)
            is_locked = entry.locked_squares > 0
            yield from self._verified(
                [EmptyEntry(name=entry.name, answer=entry.answer, squares=squares, is_locked=is_locked)]
            )
        for entry in entries:
            yield from self._swaps(entry)

    def _verify(self, remedy: RemedyKind) -> RemedyKind | None:
        """Return the remedy with a fill of the grid after it, or None if none is found."""
        verdict = self._judge.judge(remedy.on(self._task), _NODES)
        if not isinstance(remedy, ChangeSquare):
            self._tried[type(remedy)] += 1
        if verdict.finding is not Judgement.FILLED:
            return None
        return replace(remedy, fill=verdict.fill, answers=verdict.answers, settles_all=self._settles_all)

    def _verified(self, remedies: Iterator[Remedy] | Sequence[Remedy]) -> Iterator[Remedy]:
        for remedy in remedies:
            found = self._verify(remedy)
            if found is not None:
                yield found

    def _without(self, choice: GivenChoice) -> list[GivenChoice]:
        return [kept for kept in self._kept if kept != choice]

    def _for_square(self, choice: GivenSquare) -> ChangeSquare | None:
        """Return other contents for a square, all verified ones in one remedy."""
        problem = Problem.of(self._every.keeping(self._without(choice)))
        if not problem.root.is_possible:
            return None
        mask = problem.masks(problem.root.state)[problem.positions.index(choice.position)]
        found: list[ChangeSquare] = []
        for content in problem.symbols.in_mask(mask):
            change = ChangeSquare(position=choice.position, old=choice.content, choices=(content,))
            verified = self._verify(change)
            if verified is not None:
                found.append(verified)
            if len(found) == _MOST_CONTENTS:
                break
        contents = tuple(content for change in found for content in change.choices)
        return replace(found[0], choices=contents, single=tuple(found)) if found else None

    def _for_minimum(self) -> Iterator[Remedy]:
        """Yield, for each entry at fault, the highest lower minimum score at which some word helps."""
        for name in self._conflict.entries:
            slot = self._task.grid.entry(name)
            if self._task.given_answer(slot) is not None or self._task.entry_rules(slot).minimum_score is not None:
                continue
            lowest = LowerMinimum(name=name, key=slot.key, score=0, words=())
            found = self._low_words(lowest)
            self._tried[LowerMinimum] += 1
            if found is not None:
                yield found

    def _for_all_entries(self, minimum: Minimum) -> Iterator[Remedy]:
        """Yield the highest lower minimum score for the whole grid at which a fill is found, if any."""
        lengths = {len(slot) for slot in self._task.grid.entries}
        known = {score for length in lengths for score in self._task.lexicon.everything(length).scores.tolist()}
        scores = sorted((score for score in known if score < minimum.score), reverse=True)
        found: Remedy | None = None
        while scores:
            middle = len(scores) // 2
            verified = self._verify(LowerLowest(score=scores[middle]))
            scores = scores[middle + 1 :] if verified is None else scores[:middle]
            found = verified or found
        if found is not None:
            yield found

    def _low_words(self, lowest: LowerMinimum) -> LowerMinimum | None:
        """Lower an entry's minimum score no more than needed, trying a few words one by one."""
        problem = Problem.of(lowest.on(self._task))
        if not problem.root.is_possible:
            return None
        slot, minimum = problem.slot_numbers[lowest.name], self._task.lexicon.minimum_score
        rows = problem.rows_left(problem.root.state, slot).tolist()
        low = sorted(
            ((problem.score(slot, row), row) for row in rows if problem.score(slot, row) < minimum),
            key=lambda scored: -scored[0],
        )
        words: list[str] = []
        found: LowerMinimum | None = None
        for score, row in low[:_MOST_TRIES]:
            word = problem.word(slot, row)
            task = replace(self._task, rules=self._task.rules.with_entry(lowest.key, only(word, score)))
            verdict = self._judge.judge(task, _NODES)
            if verdict.finding is Judgement.FILLED and (found is None or score == found.score):
                words.append(word)
                found = found or replace(lowest, score=score, fill=verdict.fill, answers=verdict.answers)
            if len(words) == _MOST_WORDS:
                break
        return found and replace(found, words=tuple(dict.fromkeys(words)), settles_all=self._settles_all)

    def _swaps(self, entry: GivenEntry) -> Iterator[Remedy]:
        """Yield swaps with other given answers of the same length, if both fit in each other's place."""
        done = self._conflict.choices[: self._conflict.choices.index(entry)]
        for other in self._kept:
            if not isinstance(other, GivenEntry) or other is entry or other in done:
                continue
            if len(other.positions) != len(entry.positions) or other.answer == entry.answer:
                continue
            contents: dict[Position, Content] = dict(zip(entry.positions, other.contents, strict=True))
            contents.update(zip(other.positions, entry.contents, strict=True))
            changes_others = not set(entry.positions).isdisjoint(other.positions) or any(
                contents.get(at, content) != content
                for choice in self._kept
                if choice not in (entry, other)
                for at, content in choice.squares.items()
            )
            if not changes_others:
                names, answers = (entry.name, other.name), (entry.answer, other.answer)
                yield from self._verified([SwapEntries(names=names, answers_swapped=answers, contents=contents)])
