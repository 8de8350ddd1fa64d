"""The referee: how far a board has come, and whether a fill is one, by the grid, the words and the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from xwtui.engine.problem.told_answers import with_fill
from xwtui.model import Content, Direction, Position, Puzzle, Slot
from xwtui.model.edits import clear_pencil
from xwtui.model.review import Check, breaches
from xwtui.model.rules.constraints import NewSquares
from xwtui.named_tuples import NamedTuple
from xwtui.racing.task import RaceTask
from xwtui.words.reader import DEFAULT_SCORE
from xwtui.words.rule_findings import rule_findings

Fill = Mapping[Position, Content]


class Measure(NamedTuple):
    """Squares of entries with content; scores of the entries that are whole and listed, None without any."""

    squares: int
    mean_score: float | None
    lowest_score: int | None


def measure(task: RaceTask, standing: Mapping[Position, Content]) -> Measure:
    """Measure what stands on a board."""
    score_of = task.engine_task.lexicon.score
    answers = read_answers(task, standing).values()
    scores = [score for answer in answers if (score := score_of(answer)) is not None]
    return Measure(
        squares=len(task.squares & standing.keys()),
        mean_score=sum(scores) / len(scores) if scores else None,
        lowest_score=min(scores, default=None),
    )


def read_answers(task: RaceTask, standing: Mapping[Position, Content]) -> dict[str, str]:
    """The answers of the entries that are whole, by name."""
    answers: dict[str, str] = {}
    for slot in task.engine_task.grid.entries:
        if all(at in standing for at in slot.positions):
            answers[slot.name] = slot.spell(standing)
    return answers


def asked_rebuses(task: RaceTask, at: Position) -> set[Content]:
    """The rebus contents that the rules let a square have that is not given."""
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
    """The placings whose new squares are too few or too many, lack a content, or lie without symmetry."""
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
    """The square, with its images where the placing is symmetric."""
    grid = task.engine_task.grid
    return task.engine_task.symmetry.orbit(at, grid.height, grid.width) if placing.symmetric else frozenset((at,))


def _is_free(task: RaceTask, at: Position) -> bool:
    """Whether a square is the filler's, and in two entries."""
    grid = task.engine_task.grid
    return at not in task.engine_task.given and all(grid.slot_at(at, direction) for direction in Direction)


def _is_given_one_of(task: RaceTask, at: Position, placing: NewSquares) -> bool:
    """Whether a square is given with one of the contents."""
    return task.engine_task.given.get(at) in placing.contents


def foul(task: RaceTask, fill: Fill) -> str:
    """What is wrong with a fill of the entries' squares, in a constructor's words; empty where it is legal."""
    return next(_fouls(task, fill), "")


def _fouls(task: RaceTask, fill: Fill) -> Iterator[str]:
    """What is wrong, one thing after the other; what comes later takes for granted that all before is right."""
    empty = sorted(task.squares - fill.keys())
    if empty:
        yield f"{empty[0]} is empty, and {len(empty) - 1:,} more" if empty[1:] else f"{empty[0]} is empty"
        return
    yield from _wrong_squares(task, fill)
    asked = task.engine_task  # the entries may enter something else than their answers
    written = with_fill(asked, task.puzzle, fill).answers if asked.treatments else read_answers(task, fill)
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
    """Given squares that are changed, and rebus squares that nothing asks for."""
    for at in sorted(task.squares):
        given = task.engine_task.given.get(at)
        if given is not None and given != fill[at]:
            yield f"{at} was given as {given} but is {fill[at]}"
        elif given is None and fill[at].is_rebus:
            may_clash = fill[at].is_letter_pair and at in task.engine_task.split
            if not may_clash and fill[at] not in asked_rebuses(task, at):
                yield f"{at} holds {fill[at]}, which no rule allows"


def _is_allowed(task: RaceTask, slot: Slot, answer: str) -> bool:
    """Whether a word may stand in an entry, by the lists, the scores and the bans."""
    asked = task.engine_task
    rules = asked.entry_rules(slot)
    words = asked.own_lists[rules.word_list] if rules.word_list else asked.lexicon
    if answer in words.banned:
        return False
    lowest = words.minimum_score if rules.minimum_score is None else rules.minimum_score
    score = words.score(answer)
    if score is not None and score >= lowest:
        return True
    is_wanted = answer in asked.rules.wanted and not rules.word_list
    return is_wanted and (DEFAULT_SCORE if score is None else score) >= (rules.minimum_score or 0)


def _broken_rules(task: RaceTask, fill: Fill) -> Iterator[str]:
    """What the review says against the filled puzzle, as far as rules go, and not against what is given."""
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
