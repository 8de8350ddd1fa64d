"""Entries altered from their answers: letters dropped, added, changed, jumbled or removed.

Everything works on whole arrays of words of one length. An altered entry refers to its answer: it has the answer's
id, score and appeal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from math import factorial
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.problem.constraints import Chain, SlotCardinality, rows_among
from xwtui.engine.problem.tables import Table
from xwtui.engine.problem.task import Task
from xwtui.model import Slot
from xwtui.model.entering import Entering, SlotTreatment, Treatment, is_vowel
from xwtui.model.rules.constraints import altered_entries
from xwtui.words.normalise import codes_word, word_codes

Letters = NDArray[np.uint8]

PLAIN = 0
"""The mark of an unaltered entry. Other marks are OTHERWISE, or the code of a letter plus one."""
OTHERWISE = 255

MOST_WAYS = 300_000
"""Maximum number of altered entries for answers of one length; beyond it, only the best answers are used."""

_FEWEST_ANSWERS = 2_000
"""Minimum number of answers to be jumbled; each gets as many orders as there is space for."""


class Words(NamedTuple):
    """Words of one length, best first; arrays over rows."""

    letters: Letters
    """Letter codes, shape (rows, characters)."""
    numbers: NDArray[np.int32]
    """Ids of the words. For altered entries, ids, scores and appeals are those of the answers."""
    scores: NDArray[np.uint8]
    appeals: NDArray[np.uint8]
    """How strongly the filler prefers each word: its score, adjusted by preferences."""

    @property
    def bytes(self) -> int:
        return sum(array.nbytes for array in self)

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Words:
        return Words(self.letters[rows], self.numbers[rows], self.scores[rows], self.appeals[rows])

    @classmethod
    def joined(cls, parts: Sequence[Words], characters: int) -> Words:
        """Concatenate parts with this many characters; no parts give no rows, a single part shares its arrays."""
        if len(parts) == 1:
            return parts[0]
        nothing = np.zeros(0, np.uint8)
        parts = [cls(np.zeros((0, characters), np.uint8), np.zeros(0, np.int32), nothing, nothing), *parts]
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


class EnteredWords(NamedTuple):
    """The possible entries for a number of squares, best answer first."""

    words: Words
    marks: NDArray[np.uint8]
    lengths: tuple[int, ...]
    """The possible numbers of characters of an answer."""
    is_whole: bool = True
    """Whether all alterations of all answers are included, none left out for lack of space."""
    has_best_alone: bool = False
    """Whether answers are left out that are entered like a better one."""

    @property
    def bytes(self) -> int:
        return self.marks.nbytes + self.words.bytes

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> EnteredWords:
        return self._replace(words=self.words.take(rows), marks=self.marks[rows])

    @classmethod
    def joined(cls, parts: Sequence[EnteredWords], squares: int) -> EnteredWords:
        """Concatenate several parts; no parts give no rows, and a single part shares its arrays."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            Words.joined([part.words for part in parts], squares),
            np.concatenate([np.zeros(0, np.uint8), *(part.marks for part in parts)]),
            tuple(sorted({length for part in parts for length in part.lengths})),
            all(part.is_whole for part in parts),
            any(part.has_best_alone for part in parts),
        )

    @property
    def in_order(self) -> EnteredWords:
        """The same sorted by descending score, otherwise in order; itself if already sorted."""
        if (self.words.scores[1:] <= self.words.scores[:-1]).all():
            return self
        return self.take(np.argsort(-self.words.scores.astype(np.int16), kind="stable"))


Source = Callable[[int], Words]
"""Returns the answers of a length."""


def entered_words(
    spec: SlotTreatment, squares: int, source: Source, alphabet: Letters, longest: int
) -> EnteredWords:
    """Return all possible entries for this many squares.

    `alphabet` is the codes of the letters that may be added, `longest` the length of the longest answer. Of
    answers that are entered alike (and with the same letter, if the letter matters), only the best is kept, or
    each of them if it matters which answer it is.
    """
    parts: list[EnteredWords] = []
    for length in _lengths(spec.treatment, squares, longest):
        every = source(length)
        room = _WaysTried.of(spec, squares, len(every.scores), alphabet)
        words = every.take(_best(every.scores, room.answers))
        for rows, letters, marks in _made(spec, squares, words, room, alphabet) if len(words.scores) else ():
            made = Words(letters, words.numbers[rows], words.scores[rows], words.appeals[rows])
            parts.append(EnteredWords(made, marks, (length,), room.is_enough))
    if spec.may_be_plain:
        words = source(squares)
        parts.append(EnteredWords(words, np.full(len(words.scores), PLAIN, np.uint8), (squares,)))
    whole = EnteredWords.joined(parts, squares)
    parts.clear()  # free them before the whole is sorted
    return _distinct(whole, spec)


def _lengths(treatment: Treatment, squares: int, longest: int) -> Iterable[int]:
    match treatment.how:
        case Entering.DROP:
            return [squares + 1]
        case Entering.ADD:
            return [squares - 1]
        case Entering.REMOVE:
            return range(squares, longest + 1, len(treatment.text))
        case Entering.VOWELS:
            return range(squares, longest + 1)
    return [squares]


def mark_of(treatment: Treatment, answer: str, entered: str) -> int:
    """Return the mark of an answer that is entered this way."""
    if answer == entered:
        return PLAIN
    letter = treatment.letter(answer, entered)
    return int(word_codes(letter)[0]) + 1 if letter else OTHERWISE


_Made = Iterator[tuple[NDArray[np.intp], Letters, NDArray[np.uint8]]]
"""Rows of words, their altered entries, and the marks of these."""


class _WaysTried(NamedTuple):
    """How many answers of one length are altered, and how many orders of their letters are tried."""

    answers: int
    orders: int
    is_enough: bool
    """Whether that covers everything."""

    @classmethod
    def of(cls, spec: SlotTreatment, squares: int, count: int, alphabet: Letters) -> _WaysTried:
        """Return the limits for `count` answers."""
        if spec.treatment.how in (Entering.ADD, Entering.CHANGE):
            answers = max(MOST_WAYS // (len(_added_letters(spec, alphabet)) * squares), 1)
            return cls(min(answers, count), 0, answers >= count)
        if spec.treatment.how is Entering.JUMBLE and count:
            every = factorial(squares)
            orders = min(max(MOST_WAYS // min(count, _FEWEST_ANSWERS), 1), every)
            answers = max(MOST_WAYS // orders, 1)
            return cls(min(answers, count), orders, answers >= count and orders == every)
        return cls(count, 0, is_enough=True)


def _best(scores: NDArray[np.uint8], room: int) -> NDArray[np.intp]:
    """Return the rows of the best answers by descending score, spreading those of the lowest score evenly.

    Words of equal score are in alphabetical order, and the first letters should not be favored.
    """
    if room >= len(scores):
        return np.arange(len(scores))
    tied = np.flatnonzero(scores == scores[room - 1])
    better, alike = int(tied[0]), len(tied)
    chosen = room - better
    return np.concatenate([np.arange(better), better + np.arange(chosen) * alike // chosen])


def _added_letters(spec: SlotTreatment, alphabet: Letters) -> Letters:
    """Return the letters that may be added, or substituted for another."""
    return word_codes(spec.letters) if spec.letters else alphabet


def _made(spec: SlotTreatment, squares: int, words: Words, room: _WaysTried, alphabet: Letters) -> _Made:
    """Alter words of one length. Results equal to the word are included only if every entry must be altered."""
    letters = words.letters
    match spec.treatment.how:
        case Entering.DROP:
            made = _dropped(letters, word_codes(spec.letters))
        case Entering.ADD:
            made = _added(letters, _added_letters(spec, alphabet))
        case Entering.CHANGE:
            made = _changed(letters, _added_letters(spec, alphabet))
        case Entering.JUMBLE:
            made = _jumbled(letters, room.orders)
        case Entering.REVERSE:
            made = _kept_from(letters[:, ::-1], letters, np.arange(len(letters)), spec)
        case Entering.REMOVE | Entering.VOWELS:
            text = spec.treatment.text
            kept = _outside(letters, word_codes(text)) if text else ~np.isin(letters, _vowels(letters))
            rows = np.flatnonzero(kept.sum(axis=1) == squares)
            left = letters[rows][kept[rows]].reshape(len(rows), squares)
            made = _kept_from(left, letters, rows, spec)
    return made


def _dropped(letters: Letters, allowed: Letters) -> _Made:
    """Drop each letter in turn; of two equal neighbors only the first."""
    for at in range(letters.shape[1]):
        chosen = letters[:, at]
        is_new = np.ones(len(letters), np.bool_) if at == 0 else chosen != letters[:, at - 1]
        if len(allowed):
            is_new &= np.isin(chosen, allowed)
        rows = np.flatnonzero(is_new)
        yield rows, np.delete(letters[rows], at, axis=1), chosen[rows] + np.uint8(1)


def _added(letters: Letters, allowed: Letters) -> _Made:
    """Insert each letter in each place, except after the same letter."""
    for at in range(letters.shape[1] + 1):
        for code in allowed.tolist():
            rows = np.arange(len(letters)) if at == 0 else np.flatnonzero(letters[:, at - 1] != code)
            yield rows, np.insert(letters[rows], at, code, axis=1), np.full(len(rows), code + 1, np.uint8)


def _changed(letters: Letters, allowed: Letters) -> _Made:
    """Replace each letter by each other letter."""
    for at in range(letters.shape[1]):
        for code in allowed.tolist():
            rows = np.flatnonzero(letters[:, at] != code)
            entered = letters[rows]
            entered[:, at] = code
            yield rows, entered, np.full(len(rows), code + 1, np.uint8)


def _jumbled(letters: Letters, room: int) -> _Made:
    """Reorder the letters: in all orders if `room` allows, else in `room` orders, the same on every machine."""
    for order in _orders(letters.shape[1], room):
        entered = letters[:, order]
        rows = np.flatnonzero((entered != letters).any(axis=1))
        yield rows, entered[rows], np.full(len(rows), OTHERWISE, np.uint8)


def _orders(length: int, room: int) -> Iterator[Sequence[int]]:
    if factorial(length) <= room:
        yield from permutations(range(length))
        return
    chance = Random(length)
    for _ in range(room):
        yield chance.sample(range(length), length)


def _outside(letters: Letters, text: Letters) -> NDArray[np.bool_]:
    """Return what is left of each word after removing a text, searching from the left; shape (words, letters)."""
    kept = np.ones(letters.shape, np.bool_)
    free_from = np.zeros(len(letters), np.int64)
    size = len(text)
    for at in range(letters.shape[1] - size + 1):
        found = (letters[:, at : at + size] == text).all(axis=1) & (free_from <= at)
        kept[found, at : at + size] = False
        free_from[found] = at + size
    return kept


def _vowels(letters: Letters) -> Letters:
    codes = np.unique(letters)
    return codes[[is_vowel(letter) for letter in codes_word(codes)]]


def _kept_from(entered: Letters, letters: Letters, rows: NDArray[np.intp], spec: SlotTreatment) -> _Made:
    """Yield altered entries; if unaltered ones are allowed too, only those that differ from the word."""
    if spec.may_be_plain and entered.shape[1] == letters.shape[1]:
        other = np.flatnonzero((entered != letters[rows]).any(axis=1))
        entered, rows = entered[other], rows[other]
    yield rows, entered, np.full(len(rows), OTHERWISE, np.uint8)


def _distinct(words: EnteredWords, spec: SlotTreatment) -> EnteredWords:
    """Sort by descending score, otherwise in order, and keep only the first of those that are entered alike.

    An answer may be entered alike in two ways. If it matters which answer it is, each answer is kept once.
    """
    keys = row_numbers(words.words.letters)
    if spec.may_be_plain or spec.tells_letter:
        marks = words.marks if spec.tells_letter else (words.marks != PLAIN).astype(np.uint8)
        keys = keys << np.uint64(8) | marks.astype(np.uint64)
    order = np.argsort(-words.words.scores.astype(np.int16), kind="stable")
    keys, answers = keys[order], words.words.numbers[order]
    alike = np.lexsort((answers, keys) if spec.tells_answer else (keys,))
    is_same = keys[alike][1:] == keys[alike][:-1]
    is_other = answers[alike][1:] != answers[alike][:-1]
    again = is_same & ~is_other if spec.tells_answer else is_same
    left = words.take(np.delete(order, alike[1:][again]))
    return left._replace(has_best_alone=bool((again & is_other).any()))


def row_numbers(letters: Letters) -> NDArray[np.uint64]:
    """Return a number of at most 56 bits for each of up to sixteen million rows, equal only for equal rows."""
    bits = 6 if letters.max(initial=0) < 64 else 8
    at_once, after = 54 // bits, 32 // bits
    numbers = _packed(letters[:, :at_once], bits)
    for start in range(at_once, letters.shape[1], after):
        _, ranks = np.unique(numbers, return_inverse=True)
        part = letters[:, start : start + after]
        numbers = ranks.astype(np.uint64) << np.uint64(bits * part.shape[1]) | _packed(part, bits)
    return numbers


def _packed(letters: Letters, bits: int) -> NDArray[np.uint64]:
    numbers = np.zeros(len(letters), np.uint64)
    for column in letters.T:
        numbers = numbers << np.uint64(bits) | column.astype(np.uint64)
    return numbers


def entered_constraints(
    task: Task, slots: Sequence[Slot], tables: Sequence[Table]
) -> tuple[tuple[SlotCardinality, ...], tuple[Chain, ...]]:
    """Return the constraints on how many entries are altered, and on what their letters spell.

    Given entries count, but are never too many. While other entries stay empty, there is no minimum and no
    message.
    """
    cardinalities, messages = list[SlotCardinality](), list[Chain]()
    groups = altered_entries(task.rules.constraints, task.grid.entries)
    marks = tuple(_row_marks(task, slot, table) for slot, table in zip(slots, tables, strict=True) if groups)
    for rule, entries in groups.items():
        if rule.count is not None:
            rows = tuple(
                has != PLAIN if slot in entries else np.zeros(len(has), np.bool_)
                for slot, has in zip(slots, marks, strict=True)
            )
            least = rule.count if task.completes_grid else 0
            most = max(rule.count, rows_among(rows, task.are_given(slots)))
            cardinalities.append(SlotCardinality(f"answers {rule.treatment.words}", rows, least, most))
        if rule.message and task.completes_grid:
            numbers = tuple(number for number, slot in enumerate(slots) if slot in entries)
            steps = tuple((word_codes(rule.message).astype(np.int64) + 1).tolist())
            messages.append(Chain(f"the message {rule.message}", numbers, marks, steps))
    return tuple(cardinalities), tuple(messages)


def _row_marks(task: Task, slot: Slot, table: Table) -> NDArray[np.uint8]:
    """Return how each row of a slot is altered; for a given slot, by comparing its answer with its squares."""
    if table.marks is not None:
        return table.marks
    marks = np.zeros(table.rows, np.uint8)
    contents, treatment = task.given_answer(slot), task.treatment(slot)
    if contents is not None and treatment is not None:
        entered = "".join(content.reading(slot.direction) for content in contents)
        marks[:] = mark_of(treatment.treatment, task.given_word(slot) or "", entered)
    return marks
