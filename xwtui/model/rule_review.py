"""The rules that what stands in the grid breaks, as far as no word list is needed to tell."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from xwtui.model.puzzle import Puzzle
from xwtui.model.rule_edits import idle_entry_rules
from xwtui.model.rule_words import entry_words, key_words, placing_words
from xwtui.model.rules import EntryRule
from xwtui.model.slots import Slot
from xwtui.model.where import Position
from xwtui.text import first_named


class Breach(NamedTuple):
    """A rule that is not kept: what is wrong, and the squares it is about."""

    message: str
    where: tuple[Position, ...] = ()


def breaches(puzzle: Puzzle) -> Iterator[Breach]:
    """All of them; what the whole grid is asked is judged once no square is empty."""
    answers = written_answers(puzzle)
    yield from _entry_breaches(puzzle, answers)
    yield from _square_breaches(puzzle)
    yield from _substring_breaches(puzzle.rules.shared_substring, answers)
    if puzzle.grid.is_filled:
        yield from _whole_breaches(puzzle, answers)


def idle_rules(puzzle: Puzzle) -> Iterator[Breach]:
    """The rules that wait for an entry to begin where they are for, or for a square to be open."""
    for key in idle_entry_rules(puzzle):
        yield Breach(
            f"{key_words(puzzle, key)} has a rule that waits: {entry_words(puzzle.rules.entries[key])}", ()
        )
    for square in sorted(puzzle.rules.squares):
        if not puzzle.grid[square].is_open:
            yield Breach(
                f"{square} has a rule for its letters, and is a {puzzle.grid[square].kind.value}", (square,)
            )


def written_answers(puzzle: Puzzle) -> dict[Slot, str]:
    """The answers of the entries that are written out."""
    found = {slot: puzzle.grid.answer(slot) for slot in puzzle.grid.slots}
    return {slot: answer for slot, answer in found.items() if answer is not None}


def _entry_breaches(puzzle: Puzzle, answers: dict[Slot, str]) -> Iterator[Breach]:
    for slot, answer in answers.items():
        rule = puzzle.rules.entries.get((slot.start, slot.direction), EntryRule())
        if broken := broken_demands(rule, answer):
            yield Breach(f"{slot.name} {answer} {' and '.join(broken)}", slot.positions)


def broken_demands(rule: EntryRule, answer: str) -> list[str]:
    """What an answer does against the rule of its entry, scores and lists aside: `does not match .*ING`."""
    broken = [f"does not contain {part}" for part in rule.contains if part not in answer]
    broken += [f"contains {part}" for part in rule.lacks if part in answer]
    broken += ["is barred there"] * (answer in rule.barred)
    if rule.pattern and re.fullmatch(rule.pattern, answer) is None:
        broken.append(f"does not match {rule.pattern}")
    return broken


def _square_breaches(puzzle: Puzzle) -> Iterator[Breach]:
    for square, allowed in sorted(puzzle.rules.squares.items()):
        content = puzzle.grid[square].content
        if content is not None and content not in allowed:
            yield Breach(f"{square} holds {content}; allowed are {' '.join(map(str, allowed))}", (square,))


def _substring_breaches(length: int, answers: dict[Slot, str]) -> Iterator[Breach]:
    if not length:
        return
    for (one, first), (other, second) in combinations(answers.items(), 2):
        shared = next((run for run in runs(first, length) if run in second), None)
        if shared is not None and first != second:
            message = f"{one.name} {first} and {other.name} {second} share {shared}"
            yield Breach(message, (*one.positions, *other.positions))


def runs(word: str, length: int) -> list[str]:
    """All runs of so many letters of a word."""
    return [word[start : start + length] for start in range(len(word) - length + 1)]


def _whole_breaches(puzzle: Puzzle, answers: dict[Slot, str]) -> Iterator[Breach]:
    rules, grid = puzzle.rules, puzzle.grid
    missing = [word for word in rules.wanted if word not in answers.values()]
    if len(rules.wanted) - len(missing) < rules.wanted_least:
        yield Breach(f"of the wanted words, {rules.wanted_least} must stand; there is no {first_named(missing)}")
    contents = [square.content for square in grid.squares if square.content is not None]
    written = {letter for content in contents for letter in content.across + content.down}
    if absent := [letter for letter in rules.letters if letter not in written]:
        yield Breach(f"these letters stand nowhere: {' '.join(absent)}")
    for placing in rules.placings:
        count = sum(content in placing.contents for content in contents)
        if count < placing.least or (placing.each and not set(placing.contents) <= set(contents)):
            yield Breach(f"asked for: {placing_words(placing)}; there {'is' if count == 1 else 'are'} {count}")
