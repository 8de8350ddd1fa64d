"""The referee: whether a fill is one, by the grid, the words and the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from xwtui.model import Content, Position, Puzzle, Slot
from xwtui.model.edits import clear_pencil, write_fill
from xwtui.model.review import Rule
from xwtui.model.rules.review import breaches
from xwtui.racing.course import Course
from xwtui.racing.measure import read_answers
from xwtui.racing.placings import asked_rebuses, wrong_placings
from xwtui.words.reader import DEFAULT_SCORE
from xwtui.words.rule_findings import rule_findings

Fill = Mapping[Position, Content]


def foul(course: Course, fill: Fill) -> str:
    """What is wrong with a fill of the entries' squares, in a constructor's words; empty where it is legal."""
    return next(_fouls(course, fill), "")


def _fouls(course: Course, fill: Fill) -> Iterator[str]:
    """What is wrong, one thing after the other; what comes later takes for granted that all before is right."""
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
    yield from wrong_placings(course, fill)
    yield from _broken_rules(course, fill)


def _wrong_squares(course: Course, fill: Fill) -> Iterator[str]:
    """Given squares that are changed, and rebus squares that nothing asks for."""
    for at in sorted(course.squares):
        given = course.task.given.get(at)
        if given is not None and given != fill[at]:
            yield f"{at} was given as {given}, and is {fill[at]}"
        elif given is None and fill[at].is_rebus and fill[at] not in asked_rebuses(course, at):
            yield f"{at} holds {fill[at]}, which is not asked for"


def _is_allowed(course: Course, slot: Slot, answer: str) -> bool:
    """Whether a word may stand in an entry, by the lists, the scores and the bans."""
    task = course.task
    rules = task.entry_rules(slot)
    words = task.own_lists[rules.word_list] if rules.word_list else task.lexicon
    if answer in words.banned:
        return False
    lowest = words.minimum_score if rules.minimum_score is None else rules.minimum_score
    score = words.score(answer)
    if score is not None and score >= lowest:
        return True
    is_wanted = answer in task.rules.wanted and not rules.word_list
    return is_wanted and (DEFAULT_SCORE if score is None else score) >= (rules.minimum_score or 0)


def _broken_rules(course: Course, fill: Fill) -> Iterator[str]:
    """What the review says against the filled puzzle, as far as rules go, and not against what is given."""
    if course.puzzle.rules.is_empty:
        return
    given = clear_pencil(course.puzzle)
    before = set(_review(course, given))
    yield from (message for message in _review(course, write_fill(given, fill)) if message not in before)


def _review(course: Course, puzzle: Puzzle) -> Iterator[str]:
    yield from (breach.message for breach in breaches(puzzle))
    for finding in rule_findings(puzzle, course.vocabulary):
        if finding.rule is Rule.BROKEN_RULE:
            yield finding.message
