"""The input of a fill: a grid, words, rules, and assumptions made while exploring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from time import perf_counter

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import EngineError, PuzzleError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, Grid, Position, Puzzle, Slot, SlotKey, Symmetry
from xwtui.model.entering import EnteredAnswer, SlotTreatment
from xwtui.model.grid import MOST_LINKED
from xwtui.model.rules import NO_ENTRY_RULES, EntryRules, Pattern, Rules
from xwtui.model.rules.constraints import AnswerCount, WordsPresent, altered_entries

with lazy_imports():
    from xwtui.engine.problem.no_fill import LengthMisfit, NoFit, NoLength, ProofTerms, Reason, WordlessEntry
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.sources import Vocabulary


@dataclass(frozen=True, eq=False)
class Assumptions:
    """Restrictions to part of a task's fills. Unlike given squares, they never turn a non-word into an answer."""

    contents: Mapping[Position, Content] = field(default_factory=dict)
    """Squares with their assumed contents."""
    entries: Mapping[str, frozenset[tuple[Content, ...]]] = field(default_factory=dict)
    """For each entry by name, contents, square by square, that it must not have."""
    squares: Mapping[Position, frozenset[Content]] = field(default_factory=dict)
    """Contents that squares must not have."""

    @property
    def is_empty(self) -> bool:
        return not (self.contents or self.entries or self.squares)


NO_ASSUMPTIONS = Assumptions()

NO_RULES = Rules()
"""The rules of a task that has none."""


def placing_symmetry(puzzle: Puzzle) -> Symmetry:
    """Return the puzzle's symmetry if a rule places squares by it; otherwise it does not affect a fill."""
    return puzzle.symmetry if any(new.symmetric for new in puzzle.rules.new_squares) else Symmetry.NONE


@dataclass(frozen=True, eq=False)
class Task:
    """The specification of a fill. `Problem.of` builds it; `dataclasses.replace` varies it."""

    grid: Grid
    lexicon: Lexicon
    allow_repeats: bool = False
    rules: Rules = NO_RULES
    own_lists: Mapping[str, Lexicon] = field(default_factory=dict)
    """The word lists that rules name for single entries."""
    selection: frozenset[Position] | None = None
    """The squares to fill, or None for the whole grid. Entries that touch none of them need no word."""
    holes: frozenset[Position] = frozenset()
    """Squares whose across and down letters need not agree, and which stay empty."""
    symmetry: Symmetry = Symmetry.NONE
    """The symmetry for new rebus squares, if the rules require one."""
    assumptions: Assumptions = NO_ASSUMPTIONS
    """The part of the fills to consider."""
    entered: Mapping[SlotKey, EnteredAnswer] = field(default_factory=dict)
    """Answers that are entered in altered form, where that form still stands; used for given slots."""
    uses_outside_entries: bool = True
    """Whether entries outside the selection rule out letters that none of their words allow, as given ones do."""
    own_words: Mapping[SlotKey, str] = field(default_factory=dict)
    """A word that a single entry may have regardless of the lists, to test it there."""

    @classmethod
    def of(cls, puzzle: Puzzle, vocabulary: Vocabulary, *, allow_repeats: bool = False) -> Task:
        """Return the task to fill a puzzle with these words; pencil counts as empty."""
        return cls(
            puzzle.grid,
            vocabulary.lexicon,
            allow_repeats,
            puzzle.rules,
            vocabulary.own_lists,
            symmetry=placing_symmetry(puzzle),
            entered=puzzle.entered,
        )

    @property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.lexicon, self.own_lists)

    @property
    def has_all_lists(self) -> bool:
        """Whether the lists named for single entries are loaded."""
        return self.rules.own_lists <= self.own_lists.keys()

    @property
    def proof_terms(self) -> ProofTerms:
        """What a proof depends on: the words in use, whether repeats are allowed, and the grid's rules."""
        rules = tuple(next(rule.lines()) for rule in self.rules.grid if rule.constraints)
        return ProofTerms(self.lexicon.minimum_score, self.allow_repeats, rules)

    @cached_property
    def given(self) -> Mapping[Position, Content]:
        """The contents that every fill keeps, row by row: pen, locked and outside a selection pencil; no holes."""
        return {
            position: square.content
            for number, square in enumerate(self.grid.squares)
            if square.content is not None
            and (position := Position(*divmod(number, self.grid.width))) not in self.holes
            and (square.is_given or (self.selection is not None and position not in self.selection))
        }

    @cached_property
    def split(self) -> frozenset[Position]:
        """The squares where each entry has only its own reading.

        These are given pairs of letters, given rebuses with a reading that belongs to no entry, and squares not
        given that a rule lets read two ways.
        """
        two_ways = {at: content for at, content in self.given.items() if content.is_schroedinger}
        through = self.grid.slot_at
        pairs = {
            at
            for at, content in two_ways.items()
            if content.is_letter_pair or None in (through(at, Direction.ACROSS), through(at, Direction.DOWN))
        }
        open_places = {at for rule in self.rules.two_readings for at in rule.places(self.grid, self.rules.squares)}
        found = pairs | (open_places - self.given.keys() - self.holes)
        crossed = [Counter(slot.reading) for slot in self.grid.entries if found and slot.reads_twice]
        return frozenset(found.difference(at for reads in crossed for at, times in reads.items() if times > 1))

    def shown(self, at: Position, direction: Direction) -> Content:
        """Return what a given square shows to an entry in a direction: all of it, or if split, that reading."""
        content = self.given[at]
        return Content.of(content.reading(direction)) if at in self.split else content

    @cached_property
    def may_agree(self) -> frozenset[Position]:
        """The split squares whose two letters may be the same."""
        must_differ = [rule.squares for rule in self.rules.two_readings if rule.is_each and self.completes_grid]
        return self.split.difference(self.given.keys(), *must_differ)

    @cached_property
    def completes_grid(self) -> bool:
        """Whether no square outside the selection stays empty: then a whole grid's requirements apply."""
        if self.selection is None:
            return True
        squares = {position for slot in self.grid.entries for position in slot.positions}
        return squares <= self.selection | self.given.keys() | self.holes

    def check(self) -> None:
        """Raise EngineError for linked lights that are too long, and for rules of entries that cannot be read.

        Also for an entry whose own list is missing, for an altered entry that is linked at a crossing, and for a
        message that is longer than the number of entries to spell it.
        """
        for slot in self.grid.entries if self.grid.links else ():
            if len(slot) > MOST_LINKED:
                raise EngineError(
                    f"{slot.label} has {len(slot)} squares; linked entries have at most {MOST_LINKED}"
                )
            if slot.reads_twice and self.treatment(slot) is not None:
                raise EngineError(f"{slot.label}: entries linked at a crossing cannot be altered")
        for slot in self.grid.entries if self.rules.entries else ():
            rules = self.entry_rules(slot)
            if rules.word_list and rules.word_list not in self.own_lists:
                raise EngineError(f"{slot.name}: its word list {rules.word_list!r} does not exist")
            with failing_as(EngineError, slot.name, of=PuzzleError):
                rules.check()
        for rule, entries in altered_entries(self.rules.constraints, self.grid.entries).items():
            if len(rule.message) > len(entries):
                raise EngineError(
                    f"the message {rule.message} has {len(rule.message)} letters, and there are {len(entries)} "
                    "entries to spell it"
                )

    def is_required(self, slot: Slot) -> bool:
        """Whether a fill must decide a word for the slot."""
        return self.selection is None or not self.selection.isdisjoint(slot.positions)

    def is_laid_out(self, slot: Slot) -> bool:
        """Whether the slot affects the fill at all."""
        return self.uses_outside_entries or self.is_in_fill(slot)

    def is_in_fill(self, slot: Slot) -> bool:
        """Whether every fill has a word in the slot, decided or given."""
        return self.is_required(slot) or self.given_answer(slot) is not None

    @property
    def without_outside_entries(self) -> Task | None:
        """The same task without entries that need no word; None if that makes no difference."""
        alone = replace(self, uses_outside_entries=False)
        return None if all(map(alone.is_laid_out, self.grid.entries)) or not self.uses_outside_entries else alone

    def are_given(self, slots: Sequence[Slot]) -> list[bool]:
        """Return whether each slot has all its squares given."""
        return [all(at in self.given for at in slot.positions) for slot in slots]

    def entry_rules(self, slot: Slot) -> EntryRules:
        """Return all rules for a slot's answer; empty if there are none."""
        rules = self.rules
        return rules.asked(slot.key) if rules.asks_entries else NO_ENTRY_RULES

    def given_answer(self, slot: Slot) -> tuple[Content, ...] | None:
        """Return the contents of a slot whose squares are all given, or None."""
        given = self.given
        return tuple(given[at] for at in slot.positions) if all(at in given for at in slot.positions) else None

    @cached_property
    def treatments(self) -> Mapping[SlotKey, SlotTreatment]:
        """How entries may be altered from their answers, for the slots that a rule covers."""
        groups = altered_entries(self.rules.constraints, self.grid.entries) if self.rules.is_about_grid else {}
        is_told = any(isinstance(each, WordsPresent | AnswerCount) for each in self.rules.constraints)
        return {
            slot.key: treatment._replace(tells_answer=is_told)
            for rule, entries in groups.items()
            for slot, treatment in zip(entries, rule.slot_treatments(len(entries)), strict=True)
        }

    def treatment(self, slot: Slot) -> SlotTreatment | None:
        """Return how a slot's entry may be altered from its answer, if a rule covers it."""
        return self.treatments.get(slot.key) if self.treatments else None

    def given_word(self, slot: Slot) -> str | None:
        """Return the answer of a slot whose squares are all given, which may differ from its entry; else None."""
        if self.given_answer(slot) is None:
            return None
        entered, known = slot.spell(self.given), self.entered.get(slot.key)
        return known.answer if known is not None and known.entered == entered else entered

    def pattern(self, slot: Slot) -> str:
        """Return a slot as text: `SWEET[HEART]?`, with `?` for a square that is not given."""
        readings = [
            self.given[position].reading(direction) if position in self.given else "?"
            for position, direction in zip(slot.reading, slot.directions, strict=True)
        ]
        return "".join(reading if len(reading) == 1 else f"[{reading}]" for reading in readings)


PATTERN_SECONDS = 5.0
"""Time limit for a rule on the words of one length, in seconds, whatever its pattern."""


def obeying(words: Iterable[str], rules: EntryRules) -> Iterator[bool]:
    """Yield whether each word obeys rules on its letters; raises EngineError if that takes too long."""
    tests = rules.tests
    deadline = perf_counter() + PATTERN_SECONDS
    for word in words:
        try:
            is_obeying = all(test(word) for test in tests)
        except PuzzleError as error:
            raise EngineError(str(error)) from None
        yield is_obeying
        if perf_counter() > deadline:
            patterns = " and ".join(pattern.text for pattern in rules.of(Pattern))
            raise EngineError(f"its pattern {patterns} takes too long to try on words such as {word}")


def length_misfit(task: Task, entry: Slot, word: str) -> LengthMisfit | None:
    """Return the misfit of a word with too few or too many letters for an entry; None if their number fits."""
    if task.rules.finds_rebuses:  # any square may get a rebus
        return None
    if entry.key in task.treatments:
        return None
    units = task.lexicon.alphabet.units
    letters = longest = len(units(word))
    least = most = 0
    for position, direction in zip(entry.reading, entry.directions, strict=True):
        given = task.given.get(position)
        allowed = (given,) if given is not None else task.rules.squares.get(position, ())
        sizes = [len(units(content.reading(direction))) for content in allowed] or [1]
        least, most = least + min(sizes), most + max(sizes)
        if allowed:
            longest = len(word)  # given squares may split its digraphs
    return None if least <= longest and letters <= most else LengthMisfit(word, letters, entry.label, least, most)


def no_word_fits(task: Task, entry: Slot) -> WordlessEntry:
    """Return an entry without a fitting word, and the rule and squares that exclude all words."""
    return WordlessEntry(entry.label, why_no_word(task, entry))


def why_no_word(task: Task, entry: Slot) -> Reason:
    """Return the same without the entry's name."""
    if is_length_only(task, entry):
        return NoLength(len(entry), task.lexicon.minimum_score)
    return nothing_fits(task, entry, task.pattern(entry), _narrow_squares(task, entry))


def nothing_fits(
    task: Task, entry: Slot, pattern: str, narrow: tuple[tuple[Position, tuple[Content, ...]], ...] = ()
) -> NoFit:
    """Return the reason that none of the words allowed for an entry fits."""
    rules = task.entry_rules(entry)
    only = next((rule.text for rule in rules.of(Pattern) if rule.text.isalnum()), "")
    return NoFit(pattern, rules.asked_words, only, narrow)


def is_length_only(task: Task, entry: Slot) -> bool:
    """Whether an entry is empty and only its length restricts its words."""
    rule = task.entry_rules(entry).asked_words
    return not rule and not _narrow_squares(task, entry) and set(task.pattern(entry)) == {"?"}


def _narrow_squares(task: Task, entry: Slot) -> tuple[tuple[Position, tuple[Content, ...]], ...]:
    """Return the squares of an entry whose contents a rule restricts, with the allowed contents."""
    narrow = task.rules.squares
    return tuple((at, tuple(narrow[at])) for at in entry.positions if at in narrow and at not in task.given)
