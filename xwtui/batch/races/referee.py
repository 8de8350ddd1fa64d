"""The referee: measures progress and checks fills, using only the grid, the words and the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xwtui.batch.races.task import RaceTask
from xwtui.engine.problem.recorded_answers import with_fill
from xwtui.model import Content, Direction, Position, Puzzle, Slot
from xwtui.model.edits import clear_pencil
from xwtui.model.review import Check, breaches
from xwtui.model.rules.constraints import NewSquares
from xwtui.words.reader import DEFAULT_SCORE
from xwtui.words.rule_findings import rule_findings

Fill = Mapping[Position, Content]


class Measure(NamedTuple):
    """Number of filled squares in entries, and the scores of complete, listed entries (None if there are none)."""

    squares: int
    mean_score: float | None
    lowest_score: int | None


def measure(task: RaceTask, contents: Mapping[Position, Content]) -> Measure:
    """Measure the contents of a grid."""
    score_of = task.engine_task.lexicon.score
    answers = read_answers(task, contents).values()
    scores = [score for answer in answers if (score := score_of(answer)) is not None]
    return Measure(
        squares=len(task.squares & contents.keys()),
        mean_score=sum(scores) / len(scores) if scores else None,
        lowest_score=min(scores, default=None),
    )


def read_answers(task: RaceTask, contents: Mapping[Position, Content]) -> dict[str, str]:
    """Return the answers of the complete entries, by name."""
    answers: dict[str, str] = {}
    for slot in task.engine_task.grid.entries:
        if all(at in contents for at in slot.positions):
            answers[slot.name] = slot.spell(contents)
    return answers


def allowed_rebuses(task: RaceTask, at: Position) -> set[Content]:
    """Return the rebus contents that the rules allow in a square that is not given."""
    rules = task.engine_task.rules
    if at in rules.squares:
        return set(rules.squares[at])
    return {
        content
        for placing in rules.new_squares
        if all(
            _is_free(task, mirror) or _is_given_one_of(task, mirror, placing)
            for mirror in _mirrors(task, at, placing)
        )
        for content in placing.contents
    }


def wrong_placings(task: RaceTask, fill: Mapping[Position, Content]) -> Iterator[str]:
    """Yield the rules whose new squares are too few or too many, lack a content, or are not symmetric."""
    for placing in task.engine_task.rules.new_squares:
        new = {at for at in task.squares if fill[at] in placing.contents and _is_free(task, at)}
        used = {fill[at] for at in new}
        if not placing.least <= len(new) <= placing.most or (placing.each and used != set(placing.contents)):
            yield f"required: {placing.words}; new: {len(new)}"
        for at in sorted(new):
            for mirror in sorted(_mirrors(task, at, placing)):
                if mirror not in new and not _is_given_one_of(task, mirror, placing):
                    yield f"{at} holds {fill[at]}, but its mirror square {mirror} does not"


def _mirrors(task: RaceTask, at: Position, placing: NewSquares) -> frozenset[Position]:
    """Return the square, with its mirror images if the rule is symmetric."""
    grid = task.engine_task.grid
    return task.engine_task.symmetry.orbit(at, grid.height, grid.width) if placing.symmetric else frozenset((at,))


def _is_free(task: RaceTask, at: Position) -> bool:
    """Whether the filler may choose a square, and the square is in two entries."""
    grid = task.engine_task.grid
    return at not in task.engine_task.given and all(grid.slot_at(at, direction) for direction in Direction)


def _is_given_one_of(task: RaceTask, at: Position, placing: NewSquares) -> bool:
    return task.engine_task.given.get(at) in placing.contents


def fault_of(task: RaceTask, fill: Fill) -> str:
    """Return what is wrong with a fill of the entries' squares, in a constructor's words; empty if it is legal."""
    return next(_faults(task, fill), "")


def _faults(task: RaceTask, fill: Fill) -> Iterator[str]:
    """Yield the faults one by one; later checks assume that earlier ones found nothing."""
    empty = sorted(task.squares - fill.keys())
    if empty:
        yield f"{empty[0]} is empty, and {len(empty) - 1:,} more" if empty[1:] else f"{empty[0]} is empty"
        return
    yield from _wrong_squares(task, fill)
    engine_task = task.engine_task  # entries may be altered from their answers
    written = (
        with_fill(engine_task, task.puzzle, fill).answers if engine_task.treatments else read_answers(task, fill)
    )
    answers: Mapping[str, str] = written
    for slot in task.engine_task.grid.entries:
        if task.engine_task.given_answer(slot) is None and not _is_allowed(task, slot, answers[slot.name]):
            yield f"{slot.name} {answers[slot.name]} is not a word that fits there"
    if not task.engine_task.allow_repeats:
        word, count = Counter(answers.values()).most_common(1)[0] if answers else ("", 0)
        if count > 1:
            yield f"{word} appears {count} times"
    yield from wrong_placings(task, fill)
    yield from _broken_rules(task, fill)


def _wrong_squares(task: RaceTask, fill: Fill) -> Iterator[str]:
    """Yield given squares that are changed, and rebus squares that no rule allows."""
    for at in sorted(task.squares):
        given = task.engine_task.given.get(at)
        if given is not None and given != fill[at]:
            yield f"{at} was given as {given} but is {fill[at]}"
        elif given is None and fill[at].is_rebus:
            may_clash = fill[at].is_letter_pair and at in task.engine_task.split
            if not may_clash and fill[at] not in allowed_rebuses(task, at):
                yield f"{at} holds {fill[at]}, which no rule allows"


def _is_allowed(task: RaceTask, slot: Slot, answer: str) -> bool:
    engine_task = task.engine_task
    rules = engine_task.entry_rules(slot)
    words = engine_task.own_lists[rules.word_list] if rules.word_list else engine_task.lexicon
    if answer in words.banned:
        return False
    lowest = words.minimum_score if rules.minimum_score is None else rules.minimum_score
    score = words.score(answer)
    if score is not None and score >= lowest:
        return True
    is_wanted = answer in engine_task.rules.wanted and not rules.word_list
    return is_wanted and (DEFAULT_SCORE if score is None else score) >= (rules.minimum_score or 0)


def _broken_rules(task: RaceTask, fill: Fill) -> Iterator[str]:
    """Yield the rule violations in the review of the filled puzzle, except those caused by given squares."""
    if task.puzzle.rules.is_empty:
        return
    given = clear_pencil(task.puzzle)
    before = set(_review(task, given))
    yield from (
        message for message in _review(task, with_fill(task.engine_task, given, fill)) if message not in before
    )


def _review(task: RaceTask, puzzle: Puzzle) -> Iterator[str]:
    yield from (breach.message for breach in breaches(puzzle))
    for finding in rule_findings(puzzle, task.engine_task.vocabulary):
        if finding.rule is Check.BROKEN_RULE:
            yield finding.message
