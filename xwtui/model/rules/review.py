"""The rules that what stands in the grid breaks, as far as no word list is needed to tell."""

from collections.abc import Iterator

from xwtui.model.puzzle import Puzzle
from xwtui.model.rules.allowed_contents import allowed_breaches, idle_squares
from xwtui.model.rules.edits import idle_entry_rules
from xwtui.model.rules.kinds import Answers, Breach
from xwtui.model.rules.telling import key_words
from xwtui.model.slots import Slot


def breaches(puzzle: Puzzle) -> Iterator[Breach]:
    """All of them; what must stand somewhere is judged once all entries are written, as a fill is done then."""
    answers = written_answers(puzzle)
    yield from _entry_breaches(puzzle, answers)
    yield from allowed_breaches(puzzle.grid, puzzle.rules.squares)
    is_done = len(answers) == len(puzzle.grid.slots)
    for waits in (False, True) if is_done else (False,):
        for rule in puzzle.rules.grid:
            if rule.waits_for_full_grid is waits:
                yield from rule.breaches(puzzle, answers)


def idle_rules(puzzle: Puzzle) -> Iterator[Breach]:
    """The rules that wait for an entry to begin where they are for, or for a square to be open."""
    for key in idle_entry_rules(puzzle):
        yield Breach(f"{key_words(puzzle, key)} has a rule that waits: {puzzle.rules.entries[key].words}")
    yield from idle_squares(puzzle.grid, puzzle.rules.squares)


def written_answers(puzzle: Puzzle) -> dict[Slot, str]:
    """The answers of the entries that are written out."""
    found = {slot: puzzle.grid.answer(slot) for slot in puzzle.grid.slots}
    return {slot: answer for slot, answer in found.items() if answer is not None}


def _entry_breaches(puzzle: Puzzle, answers: Answers) -> Iterator[Breach]:
    for slot, answer in answers.items():
        if broken := puzzle.rules.asked((slot.start, slot.direction)).broken(answer):
            yield Breach(f"{slot.name} {answer} {' and '.join(broken)}", slot.positions)
