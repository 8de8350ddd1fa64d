"""Word tables cached between problems: bounded in size, and identical to newly built ones."""

from itertools import product
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import PLAIN_SYMBOLS
from xwtui.engine.problem import word_stock
from xwtui.engine.problem.altered_words import MOST_WAYS, PLAIN, EnteredWords, Words
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.recorded_answers import with_fill
from xwtui.engine.problem.segmentation import ANY, FREE, SquareChoice
from xwtui.engine.problem.tables import Table
from xwtui.engine.problem.task import Task
from xwtui.engine.problem.word_stock import WordStock, word_stock_of
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Puzzle
from xwtui.model.entering import Entering, SlotTreatment, Treatment
from xwtui.model.rules import NO_ENTRY_RULES, EntryRules, MinimumScore, Rules
from xwtui.model.rules.base import GridRule
from xwtui.model.rules.constraints import AlteredEntries
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

WORDS = {"CAB": 50, "ACE": 60, "BED": 70, "DECK": 40}
CHOICES = (FREE,) * 3
LENGTHS = range(2, 6)
RULED = EntryRules(MinimumScore(50))
DROPPED = SlotTreatment(Treatment(Entering.DROP), "", may_be_plain=False, tells_letter=True)
CHANGED = SlotTreatment(Treatment(Entering.CHANGE), "AB", may_be_plain=True, tells_letter=False)
REBUS = SquareChoice(ANY, ((PLAIN_SYMBOLS, b"\0\1"),))
"""Any letter, or AB."""


def lexicon(minimum_score: int = 0) -> Lexicon:
    return Lexicon.build([WordList.from_scores("small", WORDS)], minimum_score=minimum_score)


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_stock, "_kept", type(word_stock._kept)())
    word_stock.forget()


def test_only_the_most_recently_used_lists_are_cached() -> None:
    for score in range(10):
        word_stock_of(lexicon(score), {}, ()).table(CHOICES, 0, NO_ENTRY_RULES)
    assert len(word_stock._kept) == word_stock._STOCKS_KEPT
    assert {key.stock for key in word_stock._made} == {stock.name for stock in word_stock._kept.values()}
    last = word_stock_of(lexicon(9), {}, ())
    assert word_stock_of(lexicon(9), {}, ()) is last


def test_cached_entered_forms_hold_only_their_problems_bitsets() -> None:
    plain, treated = (
        word_stock_of(lexicon(), {}, ()).table(CHOICES, 0, NO_ENTRY_RULES, how) for how in (None, DROPPED)
    )
    assert plain.kept_supports is plain.supports
    assert treated.kept_supports is None
    rows = [int(part).bit_count() for part in treated.supports]
    assert sum(rows) == treated.symbols.size
    assert len(treated.supports) == len(treated.row_counts) * treated.width
    again = Table.of_rows(treated.symbols, treated.words, treated.scores, (3,), is_plain=False)
    assert (again.supports == treated.supports).all()


def test_word_tables_are_cached_up_to_a_size_limit_and_while_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit applies to all stocks together."""
    used = word_stock_of(lexicon(), {}, ()).table(CHOICES, 0, NO_ENTRY_RULES)
    made = word_stock._Kept(9 * used.bytes)
    monkeypatch.setattr(word_stock, "_made", made)
    rules = [NO_ENTRY_RULES.with_all(MinimumScore, [MinimumScore(score)]) for score in range(20)]
    last, gone = list[Table](), list[ref[Table]]()
    for stock in (word_stock_of(lexicon(score), {}, ()) for score in (0, 1)):
        gone.append(ref(stock.table(CHOICES, 0, rules[1])))
        last = [stock.table(CHOICES, 0, asked) for asked in rules[2:]]
        assert 0 < made.bytes <= made.most_bytes
    assert stock.table(CHOICES, 0, rules[-1]) is last[-1]
    assert word_stock_of(lexicon(), {}, ()).table(CHOICES, 0, NO_ENTRY_RULES) is used
    assert [table() for table in gone] == [None, None]


def test_shared_tables_count_once() -> None:
    every = lexicon()
    every.everything(3)
    stock = word_stock_of(every, {}, ())
    stock.table(CHOICES, 0, NO_ENTRY_RULES)
    things, size = len(word_stock._made), word_stock._made.bytes
    word_stock_of(every.without(["DECK"]), {}, ())
    assert len(word_stock._made) == 2 * things
    assert word_stock._made.bytes == size


def test_entered_forms_are_stored_once_and_freed_when_unused() -> None:
    stock = word_stock_of(lexicon(), {}, ())
    table = stock.table(CHOICES, 0, NO_ENTRY_RULES, CHANGED)
    some = stock.table((SquareChoice(1 << 2), *CHOICES[1:]), 0, NO_ENTRY_RULES, CHANGED)
    held = next(iter(word_stock._entered.values()))
    assert table.symbols is held.words.letters
    assert table.rows == len(held.marks) > some.rows > 0
    gone = ref(table.symbols)
    del table, some, held
    word_stock.forget_entered()
    word_stock._made.forget()
    assert gone() is None


def test_the_cache_holds_one_treatment_in_all_usual_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entered forms take long to find, and each edit needs some lengths."""
    made: list[int] = []

    def most(_: SlotTreatment, squares: int, *others: object) -> EnteredWords:
        made.append(squares)
        nothing = np.zeros(MOST_WAYS, np.uint8)
        letters = np.zeros((MOST_WAYS, squares), np.uint8)
        return EnteredWords(Words(letters, np.zeros(MOST_WAYS, np.int32), nothing, nothing), nothing, ())

    monkeypatch.setattr(word_stock, "entered_words", most)
    stock = word_stock_of(lexicon(), {}, ())
    for _, length in product(range(2), range(3, 16)):
        assert stock.answers_entered_as("B" * length, NO_ENTRY_RULES, CHANGED) == []
    assert made == list(range(3, 16))


Row = tuple[str, bytes, int, int]


def rows_of(stock: WordStock) -> list[list[Row]]:
    """Return answers, symbols, scores and marks of free, ruled and treated tables, row by row."""
    found = list[list[Row]]()
    treatments = (None, DROPPED, CHANGED)
    for length, rules, treatment, first in product(LENGTHS, (NO_ENTRY_RULES, RULED), treatments, (FREE, REBUS)):
        table = stock.table((first, *(FREE,) * (length - 1)), 1, rules, treatment)
        marks = table.marks if table.marks is not None else np.full(table.rows, PLAIN)
        symbols = map(bytes, table.symbols)
        scores, marked = table.scores.tolist(), marks.tolist()
        found.append(list(zip(stock.spelled(table.words), symbols, scores, marked, strict=True)))
    for length in LENGTHS:
        assert stock.table((FREE,) * length, 0, NO_ENTRY_RULES) is stock.free_table(length)
    return found


few_words = st.text("ABC", min_size=min(LENGTHS), max_size=max(LENGTHS))


@examples(60)
@given(st.dictionaries(few_words, st.integers(0, 100), min_size=1, max_size=12), st.data())
def test_a_stock_taken_over_equals_a_new_one(scored: dict[str, int], data: st.DataObject) -> None:
    word_stock.forget()
    every = Lexicon.build([WordList.from_scores("words", scored)])
    banned = st.frozensets(st.sampled_from(sorted(scored)), max_size=3)
    wanted = st.lists(few_words, max_size=1)
    for length in LENGTHS:
        every.everything(length)
    for lexicon in [every, every.without(data.draw(banned)), every.without(data.draw(banned))]:
        for length in LENGTHS:
            lexicon.everything(length)
        asked = data.draw(wanted)
        assert rows_of(word_stock_of(lexicon, {}, asked)) == rows_of(WordStock(lexicon, {}, asked))


def test_a_banned_word_keeps_the_forms_of_squares_that_drop_a_letter_correct() -> None:
    words = {"ABCDE": 50, "FGHIJ": 40, "ABCDEF": 60, "GHIJKL": 55, "MNOPQR": 45}
    every = Lexicon.build([WordList.from_scores("words", words)])
    every.everything(5)
    rules = Rules(grid=(EnteredOtherwise(AlteredEntries(DROPPED.treatment, None)),))
    for banned, answer in (("ABCDEF", "GHIJKL"), ("GHIJKL", "ABCDEF")):
        lexicon = every.without([banned])
        lexicon.everything(6)
        task = Task(grid_from_text(".....\n#####\n#####"), lexicon, rules=rules)
        filler = Filler(Problem.of(task), seed=1)
        filler.advance(nodes=1000)
        assert list(with_fill(task, Puzzle(task.grid, rules=rules), filler.fill()).answers.values()) == [answer]


@pytest.mark.parametrize("banned", [[], ["DECK"]])
def test_a_permanent_free_table_has_no_duplicate(banned: list[str]) -> None:
    """Neither after eviction, nor after another stock has taken it over."""
    every = lexicon()
    stock = word_stock_of(every, {}, ())
    free = stock.free_table(3)
    word_stock._made.forget()
    assert word_stock_of(every.without(banned), {}, ()).table(CHOICES, 0, NO_ENTRY_RULES) is free


@pytest.mark.parametrize("treated", [[], [EnteredOtherwise(AlteredEntries(DROPPED.treatment, None))]])
def test_problems_with_equal_tables_share_arrays_after_one_between_is_gone(
    treated: list[GridRule],
) -> None:
    task = Task(grid_from_text("...\n###\n###"), lexicon(), rules=Rules(grid=tuple(treated)))
    problem = Problem.of(task)
    between = problem.rebuilt_with(problem.constraints)
    gone = ref(between)
    del between
    assert gone() is None
    assert Problem.of(task).network.supports is problem.network.supports
