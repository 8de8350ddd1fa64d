"""Naive twins of the rules, square by square: allowed contents, and all fills."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from tests.naive.agreeing import agreeing
from tests.naive.model import naive_squares
from tests.ruled import EntryRequirements, Ruled, asked
from xwtui.model import Content, Direction, Grid, Position, Slot, SlotKey, Symmetry
from xwtui.model.answers import pieces
from xwtui.model.rules import EntryRules, Initials, Nina, Pangram, RebusPlacing, Rules

PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

Square = tuple[Position, Direction | None]
"""A square; in a gap, one of two."""
Fill = Mapping[Square, Content]


@dataclass(frozen=True)
class Case:
    """A grid to fill under rules."""

    grid: Grid
    words: Mapping[str, int]
    """All words of the puzzle's lists with scores."""
    minimum: int = 0
    banned: frozenset[str] = frozenset()
    rules: Rules = field(default_factory=Rules)
    own_lists: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    holes: frozenset[Position] = frozenset()
    selection: frozenset[Position] | None = None
    symmetry: Symmetry = Symmetry.NONE
    allow_repeats: bool = False
    tags: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Words with each tag."""
    own_words: Mapping[SlotKey, str] = field(default_factory=dict)
    """Words allowed in single entries regardless of the lists."""


def given(case: Case, position: Position) -> Content | None:
    """Return the content that every fill keeps at a square, if any."""
    square = case.grid[position]
    outside = case.selection is not None and position not in case.selection
    return square.content if (square.is_given or outside) and position not in case.holes else None


def may_be_new(case: Case, position: Position, placing: RebusPlacing) -> bool:
    """Whether a placing may use a square."""
    if not _is_new(case, position):
        return False
    mirrors = case.symmetry.orbit(position, case.grid.height, case.grid.width) if placing.symmetric else ()
    return all(_is_new(case, at) or _holds(case, at, placing) for at in mirrors)


def _holds(case: Case, position: Position, placing: RebusPlacing) -> bool:
    return case.grid[position].is_open and given(case, position) in placing.contents


def _is_new(case: Case, position: Position) -> bool:
    """Whether a square is to be filled and is in two entries."""
    entries = [slot for slot in case.grid.slots if position in slot.positions]
    is_asked = position not in case.holes and (case.selection is None or position in case.selection)
    return len(entries) == 2 and given(case, position) is None and is_asked


def contents(case: Case, position: Position, letter: str) -> list[Content]:
    """Return what a square may hold if the rest of an answer begins with `letter`."""
    kept = given(case, position)
    if kept is not None:
        return [kept]
    if position in case.rules.squares:
        return list(dict.fromkeys(case.rules.squares[position]))
    found = [Content.of(letter)] if letter in PLAIN else []
    for placing in case.rules.of(RebusPlacing):
        if may_be_new(case, position, placing):
            found += placing.contents
    return list(dict.fromkeys(found))


def ways(case: Case, slot: Slot, answer: str) -> list[tuple[Content, ...]]:
    """Return every way to put an answer in a slot's squares."""

    def on(index: int, rest: str) -> Iterator[tuple[Content, ...]]:
        if index == len(slot):
            if not rest:
                yield ()
            return
        for content in contents(case, slot.positions[index], rest[:1] or " "):
            reading = content.reading(slot.direction)
            if rest.startswith(reading):
                for others in on(index + 1, rest[len(reading) :]):
                    yield content, *others

    return list(on(0, answer))


def slot_rows(case: Case, slot: Slot) -> list[tuple[str, tuple[Content, ...]]]:
    """Return each answer of a slot with each way to enter it."""
    kept = [given(case, position) for position in slot.positions]
    if all(kept):
        answer = "".join(content.reading(slot.direction) for content in kept if content)
        return [(answer, tuple(content for content in kept if content))]
    rule = case.rules.entries.get((slot.start, slot.direction), asked())
    words = allowed_words(case, rule) | ({case.own_words[slot.key]} if slot.key in case.own_words else set())
    return [(word, way) for word in sorted(words) for way in ways(case, slot, word)]


def allowed_words(case: Case, rule: EntryRules) -> set[str]:
    """Return the words that an entry with this rule may take."""
    lowest = case.minimum if rule.minimum_score is None else rule.minimum_score
    if rule.word_list:
        own = case.own_lists[rule.word_list]
        words = {word for word, score in own.items() if score >= (rule.minimum_score or 0)}
    else:
        words = {word for word, score in case.words.items() if score >= lowest} - case.banned
        for word in set(case.rules.wanted) - case.banned:
            if case.words.get(word, 50) >= (rule.minimum_score or 0):
                words.add(word)
    asked = EntryRequirements.of(rule)
    words = {word for word in words if re.fullmatch(asked.pattern or ".*", word)}
    words = {word for word in words if all(part in word for part in asked.contains)}
    return {word for word in words if all(part not in word for part in asked.lacks)} - set(asked.barred)


def key(case: Case, slot: Slot, position: Position) -> Square:
    """Return the key on which two slots must agree."""
    return position, slot.direction if position in case.holes else None


def fills(
    case: Case, slots: tuple[Slot, ...] | None = None, *, most_tries: int = 1 << 62
) -> Iterator[tuple[Fill, dict[str, str]]]:
    """Yield all fills, with answers, of some slots or of all.

    Raises TooManyTriesError after `most_tries` words.
    """
    options = {}
    for slot in case.grid.slots if slots is None else slots:
        keys = [key(case, slot, position) for position in slot.positions]
        options[slot.name] = [(word, dict(zip(keys, way, strict=True))) for word, way in slot_rows(case, slot)]
    found = agreeing(options, allow_repeats=case.allow_repeats, most_tries=most_tries)
    return ((squares, answers) for squares, answers in found if obeys_all(case, squares, answers))


def obeys_all(case: Case, squares: Fill, answers: Mapping[str, str]) -> bool:
    """Whether a fill obeys the rules that concern several entries."""
    rules = Ruled.of(case.rules)
    held = {at: content for (at, hole_side), content in squares.items() if hole_side is None}
    held = {at: content for at, content in held.items() if case.selection is None or at in case.selection}
    asks_for_least = leaves_nothing_empty(case)
    standing = [word for word in answers.values() if word in rules.wanted]
    if asks_for_least and len(set(standing)) < rules.wanted_least:
        return False
    if rules.wanted_least and len(standing) > len(set(standing)):
        return False
    loners = [content for at in case.grid.open_positions() if (content := given(case, at)) is not None]
    shown = {letter for content in (*held.values(), *loners) for letter in content.across + content.down}
    if asks_for_least and not set(rules.letters) <= shown:
        return False
    whole = {slot.name for slot in case.grid.slots if all(given(case, at) for at in slot.positions)}
    for tag, most in rules.tag_limits.items():
        bearing = {name for name, word in answers.items() if word in case.tags[tag]}
        if len(bearing) > max(most, len(bearing & whole)):
            return False
    for one, other in combinations(answers, 2):
        shares = common_run(answers[one], answers[other]) >= rules.shared_substring > 0
        if shares and not {one, other} <= whole:
            return False
    return all(obeys_placing(case, placing, held) for placing in rules.placings)


def leaves_nothing_empty(case: Case) -> bool:
    """Whether all entries are full once the selection is, so that missing contents count."""
    squares = {position for slot in case.grid.slots for position in slot.positions} - case.holes
    return all(given(case, at) or case.selection is None or at in case.selection for at in squares)


def common_run(one: str, other: str) -> int:
    """Return the length of the longest run of letters that two words share."""
    runs = [one[first:end] for first in range(len(one)) for end in range(first + 1, len(one) + 1)]
    return max((len(run) for run in runs if run in other), default=0)


def obeys_placing(case: Case, placing: RebusPlacing, held: Mapping[Position, Content]) -> bool:
    """Whether new squares have the number, mix and symmetry that a placing requires."""
    free = {at for at in case.grid.open_positions() if _is_new(case, at)}
    new = {at: content for at, content in held.items() if content in placing.contents and at in free}
    if case.selection is not None:
        for at in case.grid.open_positions():
            content = given(case, at)
            if content in placing.contents and content is not None and not case.grid[at].is_given:
                new[at] = content
    asks_for_least = leaves_nothing_empty(case)
    if not (placing.least if asks_for_least else 0) <= len(new) <= max(placing.most, len(new.keys() - free)):
        return False
    if asks_for_least and placing.each and set(new.values()) != set(placing.contents):
        return False
    if not placing.symmetric:
        return True
    for at in new:
        for mirror in case.symmetry.orbit(at, case.grid.height, case.grid.width):
            is_asked = at in free or mirror in free
            if is_asked and mirror not in new and not _holds(case, mirror, placing):
                return False
    return True


def is_counted(case: Case, slot: Slot) -> bool:
    """Whether a slot is to be filled, or given whole."""
    is_asked = case.selection is None or any(at in case.selection for at in slot.positions)
    return is_asked or all(given(case, at) for at in slot.positions)


def partial_fills(case: Case, *, most_tries: int) -> tuple[list[Fill], list[Fill]]:
    """Return fills of the selection that leave each other slot a word, and those that leave all a joint fill.

    A search with lookahead finds all of the latter, and some of the former.
    """
    counted = tuple(slot for slot in case.grid.slots if is_counted(case, slot))

    def taken(answers: Mapping[str, str]) -> set[str]:
        return set() if case.allow_repeats else set(answers.values())

    others = {slot: rows for slot in case.grid.slots if slot not in counted and (rows := slot_rows(case, slot))}
    loose = [
        squares
        for squares, answers in fills(case, counted, most_tries=most_tries)
        if all(_has_room(slot, rows, squares, taken(answers)) for slot, rows in others.items())
    ]
    wholes = (squares for squares, _ in fills(case, (*counted, *others), most_tries=most_tries))
    keys = {(position, None) for slot in counted for position in slot.positions}
    strict = {frozenset((at, content) for at, content in squares.items() if at in keys) for squares in wholes}
    return loose, [squares for squares in loose if frozenset(squares.items()) in strict]


def _has_room(slot: Slot, rows: list[tuple[str, tuple[Content, ...]]], squares: Fill, taken: set[str]) -> bool:
    """Whether a slot has an unused answer that agrees with these squares."""
    return any(
        word not in taken
        and all(
            squares.get((at, None), content) == content for at, content in zip(slot.positions, way, strict=True)
        )
        for word, way in rows
    )


STEPS = {"row": [(0, 1)], "column": [(1, 0)], "diagonal": [(1, 1), (-1, 1)]}


def keeps_shapes(case: Case, squares: Fill, answers: Mapping[str, str]) -> bool:
    """Whether a fill meets the required messages, initials and checked letters."""
    standing: dict[Position, Content] = {at: content for (at, side), content in squares.items() if side is None}
    kept = {at: content for at in case.grid.open_positions() if (content := given(case, at)) is not None}
    standing = {**standing, **kept}
    is_whole = leaves_nothing_empty(case)
    if is_whole and not all(stands(nina, case.grid, standing) for nina in case.rules.of(Nina)):
        return False
    for pangram in case.rules.of(Pangram):
        if is_whole and pangram.checked and not set(pangram.letters) <= checked_letters(case.grid, standing):
            return False
    whole = {slot.name for slot in case.grid.slots if all(given(case, at) for at in slot.positions)}
    for rule in case.rules.of(Initials):
        if is_whole and not set(rule.each) <= {answer[0] for answer in answers.values()}:
            return False
        for one, other in combinations(answers, 2):
            start = case.grid.slot(one).start
            is_one_square = start == case.grid.slot(other).start and start not in case.holes
            if answers[one][0] == answers[other][0] and not is_one_square and not {one, other} <= whole:
                return False
    return True


def checked_letters(grid: Grid, standing: Mapping[Position, Content]) -> set[str]:
    """Return the letters in squares of two entries."""
    entries = [slot.positions for slot in grid.slots]
    checked = [at for at in standing if sum(at in squares for squares in entries) == 2]
    return {letter for at in checked for letter in standing[at].across + standing[at].down}


def stands(nina: Nina, grid: Grid, standing: Mapping[Position, Content]) -> bool:
    """Whether a message is at its required place."""
    wanted = list(pieces(nina.text))
    spelled = [wanted, wanted[::-1]] if nina.backward else [wanted]
    return any(
        [standing.get(at) for at in way] in spelled
        for way in (_along(nina, grid, len(wanted)) if nina.along else _straight(nina, grid, len(wanted)))
    )


def _along(nina: Nina, grid: Grid, length: int) -> Iterator[list[Position]]:
    """Yield each stretch of a place; the perimeter is cyclic."""
    squares = [at for part in nina.along.split(",") for at in naive_squares(grid, part) if grid[at].is_open]
    if len(squares) >= length:
        around = squares * 2 if nina.along == "perimeter" else squares
        yield from (around[start : start + length] for start in range(len(around) - length + 1))


def _straight(nina: Nina, grid: Grid, length: int) -> Iterator[list[Position]]:
    """Yield runs of `length` open squares from each square in each direction, skipping or ending at blocks."""
    for kind in nina.lines_taken:
        for down, right in STEPS[kind]:
            for start in grid.open_positions():
                way, here = [start], start
                while len(way) < length:
                    here = Position(here.row + down, here.column + right)
                    if here not in grid:
                        break
                    if grid[here].is_open:
                        way.append(here)
                    elif not nina.over_blocks:
                        break
                if len(way) == length:
                    yield way
