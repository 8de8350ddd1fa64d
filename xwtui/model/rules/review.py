"""The rules of a puzzle in words, and those that its grid breaks, as far as no word list is needed to tell."""

from collections.abc import Iterator

from xwtui.model.puzzle import Puzzle
from xwtui.model.rules.allowed_contents import allowed_breaches, allowed_lines, idle_squares
from xwtui.model.rules.edits import idle_entry_rules
from xwtui.model.rules.kinds import Answers, Breach
from xwtui.model.slots import LinkedLights, Slot, SlotKey
from xwtui.text import listed


def breaches(puzzle: Puzzle) -> Iterator[Breach]:
    """All of them; what must stand somewhere is judged once all entries are written, as a fill is done then."""
    answers = written_answers(puzzle)
    yield from _entry_breaches(puzzle, answers)
    yield from allowed_breaches(puzzle.grid, puzzle.rules.squares)
    is_done = len(answers) == len(puzzle.grid.entries)
    for waits in (False, True) if is_done else (False,):
        for rule in puzzle.rules.grid:
            if rule.waits_for_full_grid is waits:
                yield from rule.breaches(puzzle, answers)


def idle_rules(puzzle: Puzzle) -> Iterator[Breach]:
    """The rules that wait for an entry to begin where they are for, or for a square to be open."""
    for key in idle_entry_rules(puzzle):
        yield Breach(f"{key_words(puzzle, key)} has a waiting rule: {puzzle.rules.entries[key].words}")
    yield from idle_squares(puzzle.grid, puzzle.rules.squares)


def written_answers(puzzle: Puzzle) -> dict[Slot, str]:
    """The answers of the entries that are written out."""
    found = {slot: puzzle.answer(slot) for slot in puzzle.grid.entries}
    return {slot: answer for slot, answer in found.items() if answer is not None}


def _entry_breaches(puzzle: Puzzle, answers: Answers) -> Iterator[Breach]:
    for slot, answer in answers.items():
        if broken := puzzle.rules.asked((slot.start, slot.direction)).broken(answer):
            yield Breach(f"{slot.name} {answer} {' and '.join(broken)}", slot.positions)


def rule_lines(puzzle: Puzzle) -> list[str]:
    """All rules of a puzzle, entries first; nothing where there are none."""
    rules = puzzle.rules
    whole = [line for rule in rules.grid for line in rule.lines()]
    every = [] if rules.every.is_empty else [f"every answer: {rules.every.words}"]
    return [*_entry_lines(puzzle), *every, *allowed_lines(rules.squares), *whole]


def key_words(puzzle: Puzzle, key: SlotKey) -> str:
    """An entry by its name, or by its first square where no entry begins there now."""
    if (slot := puzzle.grid.slot_of(key)) is not None:
        return slot.name
    return f"{key[0]} {key[1].word} (no entry now)"


def link_words(puzzle: Puzzle) -> list[str]:
    """The linked lights of a puzzle, a text each link: `1A and 5D`."""
    return [listed([key_words(puzzle, light) for light in link], "and") for link in puzzle.grid.links]


def waiting_link_words(puzzle: Puzzle) -> dict[LinkedLights, str]:
    """What is said of each link of which a light begins nowhere at the moment."""
    waiting = puzzle.grid.waiting_links
    named = zip(puzzle.grid.links, link_words(puzzle), strict=True)
    return {
        link: f"{names}: the link waits until all of them exist again" for link, names in named if link in waiting
    }


def _entry_lines(puzzle: Puzzle) -> Iterator[str]:
    for key, rules in sorted(puzzle.rules.entries.items(), key=lambda entry: (entry[0][0], entry[0][1].value)):
        yield f"{key_words(puzzle, key)}: {rules.words}"
