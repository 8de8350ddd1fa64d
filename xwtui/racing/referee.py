"""The referee: whether a fill is one, by the grid, the words and the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from xwtui.model import Content, Position, Puzzle, Slot
from xwtui.model.edits import clear_pencil, write_fill
from xwtui.model.review import Rule
from xwtui.model.rule_review import breaches
from xwtui.racing.course import Course
from xwtui.racing.measure import read_answers
from xwtui.words.rule_findings import rule_findings


def foul(course: Course, fill: Mapping[Position, Content]) -> str:
    """What is wrong with a fill, in a constructor's words; empty where it is legal.

    The places of new rebus squares are not held against the symmetry that a rule may ask for.
    """
    return next(_fouls(course, fill), "")


def _fouls(course: Course, fill: Mapping[Position, Content]) -> Iterator[str]:
    """The first foul of each kind; each kind takes for granted that there was none before."""
    empty = sorted(course.squares - fill.keys())
    if empty:
        yield f"{empty[0]} is empty, and {len(empty) - 1:,} more" if empty[1:] else f"{empty[0]} is empty"
        return
    yield from _wrong_squares(course, fill)
    answers = read_answers(course, fill)
    for slot in course.task.grid.slots:
        if course.task.given_answer(slot) is None and not _is_allowed(course, slot, answers[slot.name]):
            yield f"{slot.name} {answers[slot.name]} is no word that may stand there"
    if not course.task.allow_repeats:
        word, count = Counter(answers.values()).most_common(1)[0] if answers else ("", 0)
        if count > 1:
            yield f"{word} stands {count} times"
    yield from _broken_rules(course, fill)


def _wrong_squares(course: Course, fill: Mapping[Position, Content]) -> Iterator[str]:
    """Given squares that are changed, and rebus squares that nothing asks for."""
    task = course.task
    for at in sorted(course.squares):
        given = task.given.get(at)
        if given is not None and given != fill[at]:
            yield f"{at} was given as {given}, and is {fill[at]}"
        elif given is None and fill[at].is_rebus and fill[at] not in _asked(course, at):
            yield f"{at} holds {fill[at]}, which is not asked for"
    for placing in task.rules.placings:
        count = sum(fill[at] in placing.contents for at in course.squares - task.given.keys())
        if count > placing.most:
            contents = ", ".join(map(str, placing.contents))
            yield f"{count} new squares hold {contents}, and {placing.most} may"


def _asked(course: Course, at: Position) -> set[Content]:
    """The rebus contents that the rules let a square have."""
    rules = course.task.rules
    placed = {content for placing in rules.placings for content in placing.contents}
    return placed | set(rules.squares.get(at, ()))


def _is_allowed(course: Course, slot: Slot, answer: str) -> bool:
    """Whether a word may stand in an entry, by the lists, the scores and the bans."""
    task = course.task
    rule = task.rule(slot)
    words = task.own_lists[rule.word_list] if rule.word_list else task.lexicon
    lowest = words.minimum_score if rule.minimum_score is None else rule.minimum_score
    score = words.score(answer)
    is_listed = score is not None and score >= lowest and answer not in words.banned
    return is_listed or answer in task.rules.wanted


def _broken_rules(course: Course, fill: Mapping[Position, Content]) -> Iterator[str]:
    """What the review says against the filled puzzle, as far as rules go, and not against what is given."""
    if course.puzzle.rules.is_empty:
        return
    given = set(_review(course, clear_pencil(course.puzzle)))
    yield from (message for message in _review(course, write_fill(course.puzzle, fill)) if message not in given)


def _review(course: Course, puzzle: Puzzle) -> Iterator[str]:
    yield from (breach.message for breach in breaches(puzzle))
    for finding in rule_findings(puzzle, course.vocabulary):
        if finding.rule is Rule.BROKEN_RULE:
            yield finding.message
