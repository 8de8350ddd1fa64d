"""Fills under rules, treated entries and clash squares compared with naive twins: equal counts, and legal."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice, permutations
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, whole_grid_case
from tests.engine.small_problems import Squares, candidates_left, check_fills, fills_counted, lexicon_of
from tests.examples import examples, is_deep
from tests.known import known
from tests.naive import constraints as naive
from tests.naive.agreeing import TooManyTriesError
from tests.naive.constraints import clash_fills, contents_of, may_stand, obeys
from tests.naive.partial import asked_slots, given_squares, is_whole_given, letters_read
from tests.naive.rules import Case, fills, slot_rows
from tests.ruled import Ruled, asked, ruled
from tests.strategies.judging import all_fills
from xwtui.engine.candidates.options import exact_letter_table, letter_table, slot_options
from xwtui.engine.count.belief import believe
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import WORKERS
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import improve
from xwtui.engine.problem import altered_words, reasons, segmentation, task
from xwtui.engine.problem.altered_words import row_numbers
from xwtui.engine.problem.constraints import GlobalConstraints
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.recorded_answers import with_fill
from xwtui.engine.problem.task import Task
from xwtui.engine.problem.word_stock import WordStock
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Ink, Position, Puzzle, Square
from xwtui.model.edits import set_square
from xwtui.model.entering import Entering, Treatment
from xwtui.model.review import breaches, rule_lines
from xwtui.model.rules import EntryRules, RebusPlacing, Rules
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import AlteredEntries, EntryGroup, TwoReadings
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.model.rules.wanted import WantedWords
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

MOST_TRIES = 4_000
"""Words that the naive twin tries per case; larger cases are skipped."""


def naive_squares(case: Case) -> list[Squares]:
    """Return the squares of every fill, without gaps."""
    return [
        frozenset((at, content) for (at, side), content in squares.items() if side is None)
        for squares, _ in fills(case, most_tries=MOST_TRIES)
    ]


def check_case(case: Case, seed: int) -> None:
    """Check the engine's count, verdict and fill against the naive twin; raises TooManyTriesError."""
    expected = naive_squares(case)
    filler = check_fills(problem_of(case), expected, seed)
    if expected:
        assert filler.answers().keys() == {slot.name for slot in case.grid.slots}


MAKERS = [local_case, placing_case, whole_grid_case]


@examples(300)
@given(st.integers(0, 1 << 32), st.sampled_from(MAKERS))
def test_fills_obey_the_rules(seed: int, make: Callable[[Random], Case]) -> None:
    with suppress(TooManyTriesError):
        check_case(make(Random(seed)), seed % 7)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", range(3))
def test_many_seeded_cases(make: Callable[[Random], Case], seed: int) -> None:
    rng = Random(seed)
    cases, passed_over = 200 if is_deep() else 30, 0
    for _ in range(cases):
        try:
            check_case(make(rng), seed)
        except TooManyTriesError:
            passed_over += 1
    assert passed_over < cases / 4


START = (Position(0, 0), Direction.ACROSS)
GRID = grid_from_text("...\n###\n###\n")
WORDS = {"CAT": 80, "COT": 20, "DOG": 50}


@pytest.mark.parametrize("seed", range(3))
def test_candidates_list_each_word_that_the_rule_allows_once(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        case = (local_case if rng.random() < 0.5 else placing_case)(rng)
        problem = problem_of(case)
        options = slot_options(problem)
        for slot in case.grid.slots:
            listed = candidates_left(problem, slot.name)
            expected = {word for word, _ in slot_rows(case, slot)}
            assert {candidate.word for candidate in listed} <= expected
            assert len({candidate.word for candidate in listed}) == len(listed)
            assert options[slot.name].pattern_matches == len(listed)
            assert options[slot.name].after_propagation == sum(candidate.alive for candidate in listed)
            if not case.rules.of(RebusPlacing):
                assert {candidate.word for candidate in listed} == expected


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (ruled(entries={START: asked(pattern="Q.*")}), "1A: no word that matches Q.* fits ???"),
        (ruled(entries={START: asked(minimum_score=90)}), "1A: no word that scores 90 or more fits ???"),
        (
            ruled(entries={START: asked(60, contains=("O",), lacks=("D", "X"))}),
            "1A: no word that scores 60 or more, contains O and lacks D and X fits ???",
        ),
        (ruled(entries={START: asked(word_list="cities")}), "1A: no word from cities fits ???"),
        (
            ruled(squares={Position(0, 1): (Content.of("U"), Content.of("E"))}),
            "1A: no word fits ???, with U or E at r1c2",
        ),
    ],
)
def test_reasons_name_the_rule(rules: Rules, reason: str) -> None:
    problem = Problem.build(GRID, lexicon_of(WORDS), rules=rules, own_lists={"cities": lexicon_of({"ROME": 50})})
    assert str(Filler(problem).reason) == reason


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (asked(pattern="(A"), r"1A: the pattern '\(A' cannot be read: .*"),
        (asked(word_list="nowhere"), "1A: its word list 'nowhere' does not exist"),
    ],
)
def test_malformed_rules_raise(rule: EntryRules, message: str) -> None:
    with pytest.raises(EngineError, match=f"^{message}$"):
        Problem.build(GRID, lexicon_of(WORDS), rules=ruled(entries={START: rule}))


def test_an_entrys_minimum_score_may_be_below_the_puzzles() -> None:
    grid = grid_from_text("...\n###\nCOT\n")
    lexicon = lexicon_of(WORDS)
    strict = type(lexicon).build(lexicon.layers, minimum_score=60)
    low = ruled(entries={START: asked(minimum_score=10)})
    assert {found.word for found in candidates_left(Problem.build(grid, strict), "1A")} == {"CAT"}
    problem = Problem.build(grid, strict, rules=low)
    alive = {found.word: found.alive for found in candidates_left(problem, "1A")}
    assert alive == {"CAT": True, "COT": False, "DOG": True}


def test_too_many_ways_to_enter_an_answer_raise_with_the_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "MOST_WAYS", 3)
    placing = RebusPlacing((Content.of("AA"),), 1, 9)
    with pytest.raises(EngineError, match="1A: words divide into its squares in more than 3 ways"):
        Problem.build(Grid.blank(4, 4), lexicon_of({"AAAAAA": 50}), rules=ruled(placings=(placing,)))


def test_a_pattern_that_matches_too_slowly_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "PATTERN_SECONDS", -1.0)
    rules = ruled(entries={START: asked(pattern=".*.*X")})
    with pytest.raises(EngineError, match=r"1A: its pattern \.\*\.\*X takes too long to try on words such as"):
        Problem.build(GRID, lexicon_of({"RAT": 50, "SAT": 50}), rules=rules)


TWO_ENTRIES = grid_from_text("...\n###\n...\n")
TOP = [Position(0, column) for column in range(3)]
LEXICON = lexicon_of({"CAT": 50, "COT": 50, "DOG": 50, "EMU": 50})


def constraints(
    grid: Grid, rules: Rules, *, selection: list[Position] | None = None, repeats: bool = False
) -> GlobalConstraints:
    return Problem.build(grid, LEXICON, rules=rules, selection=selection, allow_repeats=repeats).constraints


def test_wanted_words_have_a_cardinality_each_when_all_are_wanted() -> None:
    cardinalities = constraints(TWO_ENTRIES, ruled(wanted=("CAT", "DOG"), wanted_least=2)).slot_cardinalities
    assert [(cardinality.name, cardinality.least) for cardinality in cardinalities] == [
        ("the wanted word CAT", 1),
        ("the wanted word DOG", 1),
    ]
    (cardinality,) = constraints(
        TWO_ENTRIES, ruled(wanted=("CAT", "DOG", "EMU"), wanted_least=2)
    ).slot_cardinalities
    assert (cardinality.name, cardinality.least) == ("a wanted word", 2)


def test_remaining_answers_are_counted_only_up_to_the_rules_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are spelled out only if there are too few."""
    monkeypatch.delattr(WordStock, "spelled")
    words, grid = ("CAT", "EMU", "GOAT"), grid_from_text("...#\n####\n....\n")
    rules = ruled(wanted=words, wanted_least=1)
    problem = Problem.build(grid, lexicon_of(dict.fromkeys(words, 50)), rules=rules)
    (cardinality,) = problem.constraints.slot_cardinalities
    counted = [len(problem.answers_left(problem.root.state, replace(cardinality, least=one))) for one in (0, 1, 3)]
    assert counted == [0, 2, 3]


def test_a_wanted_word_counts_once_when_repeats_are_allowed() -> None:
    rules = ruled(wanted=("CAT", "DOG"), wanted_least=1)
    assert constraints(TWO_ENTRIES, rules).word_keys == ()
    assert [keys.name for keys in constraints(TWO_ENTRIES, rules, repeats=True).word_keys] == [
        "are the same wanted word"
    ]


@pytest.mark.parametrize(("grid", "asked"), [("...\n###\n...\n", 0), ("...\n###\nEMU\n", 1)])
def test_wanted_words_bind_a_selection_only_if_no_other_square_stays_empty(grid: str, asked: int) -> None:
    wanted = constraints(grid_from_text(grid), ruled(wanted=("CAT",), wanted_least=1), selection=TOP)
    assert [cardinality.least for cardinality in wanted.slot_cardinalities] == [1] * asked
    letters = constraints(grid_from_text(grid), ruled(letters="D"), selection=TOP)
    assert [cardinality.least for cardinality in letters.square_cardinalities] == [1] * asked
    placing = RebusPlacing((Content.of("AT"),), 1, 2, each=True)
    placed = constraints(grid_from_text(grid), ruled(placings=(placing,)), selection=TOP)
    assert [(cardinality.least, cardinality.most) for cardinality in placed.square_cardinalities] == [(asked, 2)]


def test_a_barred_word_matches_whole_answers_only() -> None:
    grid = grid_from_text("..[AT]\n###\n###\n")
    words = lexicon_of({"CAAT": 50, "CAT": 50})
    barred = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(barred=("CAT",))})
    assert Problem.build(grid, words, rules=barred).root.is_possible
    only_two = grid_from_text(".[AT]#\n###\n###\n")
    assert not Problem.build(only_two, words, rules=barred).root.is_possible


MOST_FILLS = 100
"""Most fills that the naive twin lists for a case; with more, the engine must find at least one."""

GRIDS = ["...\n...\n...", "..#\n...\n#..", ".#.\n...\n.#.", "...\n.#.\n...", "....\n.##.\n...."]


def random_words(rng: Random, most: int) -> dict[str, int]:
    """Return some words of 2 to 6 letters with distinct scores, so that one is best."""
    words = {"".join(rng.choices(naive.LETTERS, k=rng.randint(2, 6))) for _ in range(most)}
    return dict(zip(sorted(words), rng.sample(range(101), len(words)), strict=True))


def random_rule(rng: Random) -> AlteredEntries:
    """Return a treatment of all or some lights, possibly with letters that must spell a text."""
    how = rng.choice(list(Entering))
    where: EntryGroup = rng.choice([None, None, Direction.ACROSS, Direction.DOWN])
    treatment = Treatment(how, rng.choice(["A", "AB", "CC"]) if how is Entering.REMOVE else "")
    letters = rng.choice([naive.LETTERS, naive.LETTERS, "A", "BC"]) if how.has_letter else ""
    if how.has_letter and rng.random() < 0.4:
        return AlteredEntries(treatment, where, None, "", "".join(rng.choices(naive.LETTERS, k=rng.randint(1, 6))))
    return AlteredEntries(treatment, where, rng.choice([None, None, 0, 1, 2, 3]), letters)


def task_of(grid: Grid, words: dict[str, int], asked: AlteredEntries, *, allow_repeats: bool = False) -> Task:
    lexicon = Lexicon.build([WordList.from_scores("words", words)])
    return Task(grid, lexicon, allow_repeats, Rules(grid=(EnteredOtherwise(asked),)))


def check_treated(grid: Grid, words: dict[str, int], asked: AlteredEntries, *, allow_repeats: bool) -> None:
    """Check the verdict, the number of fills, and that the fill is one of the naive twin's."""
    task = task_of(grid, words, asked, allow_repeats=allow_repeats)
    lights = sum(map(asked.is_about, grid.slots))
    if len(asked.message) > lights:
        return
    every = naive.fills(grid, words, asked, allow_repeats=allow_repeats)
    expected = list(islice(every, MOST_FILLS))
    filler = Filler(Problem.of(task), seed=1)
    outcome = filler.advance(nodes=100_000)
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), (filler.reason, asked)
    if not expected:
        assert filler.reason
        return
    told = with_fill(task, Puzzle(grid, rules=task.rules), filler.fill())
    assert not list(breaches(told))
    answers = list(told.answers.values())
    assert len(answers) == len(grid.slots)
    assert allow_repeats or len(set(answers)) == len(answers)
    entered = {slot: told.grid.answer(slot) for slot in grid.slots}
    is_listed = any(entered == {slot: read[0] for slot, read in fill.items()} for fill in expected)
    assert is_listed or len(expected) == MOST_FILLS
    if len(expected) < MOST_FILLS:
        assert fills_counted(filler.problem) == len(expected)
        listed = all_fills(StrategyChoice.parse("xwtui:all=yes").make(task, 1))
        found = [tuple(slot.spell(squares) for slot in grid.slots) for squares in listed]
        assert Counter(found) == Counter({tuple(fill[slot][0] for slot in grid.slots) for fill in expected})


def treated_case(rng: Random, fewest: int) -> tuple[Grid, dict[str, int], AlteredEntries]:
    """Return a grid, at least `fewest` words, and a rule."""
    return grid_from_text(rng.choice(GRIDS)), random_words(rng, rng.randint(fewest, 20)), random_rule(rng)


@examples(60)
@given(st.integers(0, 1 << 32))
def test_fills_obey_the_treatment(seed: int) -> None:
    rng = Random(seed)
    check_treated(*treated_case(rng, 4), allow_repeats=rng.random() < 0.3)


@pytest.mark.parametrize("exactly", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_a_reversed_palindrome_counts_as_untreated(seed: int, exactly: int | None) -> None:
    rng = Random(seed)
    words = {"".join(rng.choices("AB", k=rng.randint(2, 4))): rng.choice([20, 50]) for _ in range(12)}
    asked = AlteredEntries(Treatment(Entering.REVERSE), rng.choice([None, *Direction]), exactly)
    check_treated(grid_from_text(rng.choice(GRIDS)), words, asked, allow_repeats=rng.random() < 0.5)


SHORT = [
    "EE",
    "BB",
    "BA",
    "EB",
    "AA",
    "EA",
    "EBB",
    "BEA",
    "EAA",
    "EBE",
    "ABA",
    "BBE",
    "BAE",
    "AEAE",
    "AAEB",
    "BBBB",
]


@pytest.mark.parametrize("minimum", [0, 40])
@pytest.mark.parametrize("seed", range(6))
def test_answers_follow_the_rule_even_if_they_repeat_or_score_low(seed: int, minimum: int) -> None:
    """The answers are derived for the puzzle's own task, which may require a higher score than the fill did."""
    words = {word: 20 if len(word) == 2 else 50 for word in SHORT}
    asked = AlteredEntries(Treatment(Entering.DROP), Direction.ACROSS, 2)
    task = task_of(grid_from_text("..#\n#..\n..."), words, asked, allow_repeats=True)
    filler = Filler(Problem.of(task), seed=seed)
    assert filler.advance() is Outcome.FILLED
    posed = replace(task, allow_repeats=False, lexicon=task.lexicon.with_minimum(minimum))
    assert not list(breaches(with_fill(posed, Puzzle(task.grid, rules=task.rules), filler.fill())))


@pytest.mark.parametrize("seed", range(60, 75))
def test_the_answers_of_a_fill_are_jointly_the_best(seed: int) -> None:
    """If it is open which entries are treated, the best choice counts, not the first."""
    rng = Random(seed)
    grid, how = grid_from_text(rng.choice(GRIDS)), rng.choice([Entering.DROP, Entering.ADD, Entering.CHANGE])
    words = {"".join(rng.choices("AB", k=rng.randint(2, 4))) for _ in range(16)}
    scores = dict(zip(sorted(words), rng.sample(range(101), len(words)), strict=True))
    asked = AlteredEntries(Treatment(how), rng.choice([None, *Direction]), rng.randint(1, 3), naive.LETTERS)
    best: dict[tuple[str, ...], int] = {}
    for fill in islice(naive.fills(grid, scores, asked), MOST_TRIED):
        entered = tuple(fill[slot][0] for slot in grid.slots)
        best[entered] = max(best.get(entered, 0), sum(scores[answer] for _, answer, _ in fill.values()))
    task = task_of(grid, scores, asked)
    for entered, score in islice(best.items(), MOST_FILLS):
        read = zip(grid.slots, entered, strict=True)
        squares = {
            at: Content.of(each) for slot, word in read for at, each in zip(slot.positions, word, strict=True)
        }
        told = with_fill(task, Puzzle(grid, rules=task.rules), squares)
        assert sum(scores[answer] for answer in told.answers.values()) == score


@pytest.mark.parametrize("how", Entering)
def test_entered_forms_match_the_naive_twin(how: Entering) -> None:
    rng = Random(how.value)
    words = random_words(rng, 60)
    grid = grid_from_text("...\n...\n...")
    letters = naive.LETTERS if how.has_letter else ""
    asked = AlteredEntries(Treatment(how, "A" if how is Entering.REMOVE else ""), None, 2, letters)
    table = Problem.of(task_of(grid, words, asked)).tables[0]
    lexicon = Lexicon.build([WordList.from_scores("words", words)])
    assert table.marks is not None
    found = Counter(
        ("".join("ABC"[code] for code in row), int(score), bool(mark))
        for row, score, mark in zip(table.symbols.tolist(), table.scores, table.marks, strict=True)
    )
    reads = (read for read in naive.readings(asked, words, is_in=True) if len(read[0]) == 3)
    assert found == Counter((entered, lexicon.score(answer), bool(letter)) for entered, answer, letter in reads)


def test_equal_rows_have_equal_numbers() -> None:
    rng = Random(5)
    for high in (3, 200):
        rows = np.array([[rng.randrange(high) % 200 for _ in range(23)] for _ in range(300)] * 2, np.uint8)
        numbers = row_numbers(rows)
        assert len(set(numbers.tolist())) == len({row.tobytes() for row in rows})


def test_a_rule_is_worded_as_intended() -> None:
    asked = AlteredEntries(Treatment(Entering.DROP), Direction.DOWN, None, "", "AB")
    puzzle = Puzzle(Grid.blank(3, 3), rules=Rules(grid=(EnteredOtherwise(asked),)))
    assert rule_lines(puzzle) == [
        "latent: exactly 2 of the down entries entered with a letter dropped, these letters spell AB"
    ]


CORNER = grid_from_text("...\n.##\n.##")


def added_to(words: dict[str, int], monkeypatch: pytest.MonkeyPatch, ways: int) -> Problem:
    """Return the problem of two entries with a letter added, limited to `ways` ways to enter an answer."""
    monkeypatch.setattr(altered_words, "MOST_WAYS", ways)
    return Problem.of(task_of(CORNER, words, AlteredEntries(Treatment(Entering.ADD), None, None, "A")))


def test_answers_dropped_for_lack_of_space_score_low_and_are_spread_over_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = {f"{first}X": 50 for first in "BCDEFGHIJKLM"} | {"ZY": 60, "NY": 40}
    problem = added_to(words, monkeypatch, ways=3 * 5)
    answers = {problem.answer(0, row) for row in range(problem.tables[0].rows)}
    assert answers == {"ZY", "BX", "EX", "HX", "KX"}


def test_a_proof_names_entries_whose_ways_were_not_all_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {f"{first}Q": 50 for first in "BCDEFGHIJKLM"}
    grid = set_square(Puzzle(CORNER), Position(0, 0), Content.of("Z")).grid
    asked = AlteredEntries(Treatment(Entering.ADD), None, None, "A")
    left = "; only the 15 best ways to alter an answer were tried, in 1A, 1D"
    for ways, told in ((15, left), (300_000, "")):
        monkeypatch.setattr(altered_words, "MOST_WAYS", ways)
        monkeypatch.setattr(reasons, "MOST_WAYS", ways)
        filler = Filler(Problem.of(task_of(grid, words | {"RQ": ways % 100}, asked)))
        assert filler.advance(nodes=100) is Outcome.IMPOSSIBLE
        assert str(filler.reason) == f"1A: no word fits Z??{told}"


ENTERED_ALIKE = {"ABEC": 90, "ADBC": 50, "DEFX": 50, "GHXI": 50, "ADG": 50, "BEH": 50, "CFI": 50}
"""In a 3x3 grid whose across entries drop a letter, ABEC and ADBC are both entered as ABC."""


def test_a_wanted_answer_beats_a_better_one_entered_the_same() -> None:
    grid = grid_from_text("...\n...\n...")
    asked = AlteredEntries(Treatment(Entering.DROP), Direction.ACROSS, None, "")
    task = task_of(grid, ENTERED_ALIKE, asked)
    assert fills_counted(Problem.of(task)) == 1  # Of answers entered the same, only the best counts.
    task = replace(task, rules=task.rules.with_all(WantedWords, [WantedWords(("ADBC",), 1)]))
    filler = Filler(Problem.of(task), seed=1)
    assert filler.advance(nodes=1000) is Outcome.FILLED, filler.reason
    assert fills_counted(filler.problem) == 1
    told = with_fill(task, Puzzle(grid, rules=task.rules), filler.fill())
    assert "ADBC" in told.answers.values(), told.answers
    assert not list(breaches(told))


@examples(40)
@given(st.integers(0, 1 << 32))
def test_any_answer_with_the_entered_form_may_be_a_wanted_one(seed: int) -> None:
    rng = Random(seed)
    grid, words, asked = treated_case(rng, 8)
    every = list(islice(naive.fills(grid, words, asked, has_every=True), MOST_TRIED))
    if not every or len(every) == MOST_TRIED:
        return
    answers = [{word for _, word, _ in fill.values()} for fill in every]
    wanted = min(sorted(rng.choice(answers)), key=words.__getitem__)
    obeying = sum(wanted in some for some in answers)
    task = task_of(grid, words, asked)
    task = replace(task, rules=task.rules.with_all(WantedWords, [WantedWords((wanted,), 1)]))
    filler = Filler(Problem.of(task), seed=1)
    assert filler.advance(nodes=100_000) is Outcome.FILLED, (filler.reason, asked)
    assert not list(breaches(with_fill(task, Puzzle(grid, rules=task.rules), filler.fill())))
    if obeying < MOST_FILLS:
        assert fills_counted(filler.problem) == obeying


MOST_TRIED = 3_000
"""Fills that the naive twin tries for such a case; larger cases are skipped."""


def test_a_proof_names_entries_for_which_only_the_best_answers_were_tried() -> None:
    """AABD is entered as AAB, and so is AABC, which must be the answer of 1A."""
    words = {"AABC": 90, "AABD": 50, "XYZQ": 50, "AAX": 50, "BAY": 50, "CBZ": 50, "DDDD": 50}
    grid = grid_from_text("...\n...\n...")
    asked = AlteredEntries(Treatment(Entering.DROP), Direction.ACROSS, None, "")
    reasons_told = []
    for rules in ((), (WantedWords(("AABD",), 1),)):
        task = task_of(grid, words, asked)
        filler = Filler(Problem.of(replace(task, rules=Rules(grid=(*task.rules.grid, *rules)))), seed=1)
        filler.advance(nodes=1000)
        reasons_told.append(str(filler.reason or ""))
    left = "; of answers that enter the same letters, only the best was tried, in 1A, 4A, 5A"
    assert reasons_told[0].endswith(left)
    assert reasons_told[1] == ""


def test_letter_orders_are_left_out_for_lack_of_space(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = AlteredEntries(Treatment(Entering.JUMBLE), None, None, "")
    for ways, is_whole in ((17, False), (18, True)):
        monkeypatch.setattr(altered_words, "MOST_WAYS", ways)
        problem = Problem.of(task_of(CORNER, {"BAT": 50, "TAM": 40, "ODD": ways}, asked))
        assert all(table.is_whole is is_whole for table in problem.tables)


LETTERS = "ABC"
SHAPES = ["...\n.#.\n...", "..\n..\n##".replace("\n", "#\n") + "#", "...\n...\n.##", "....\n.#..\n...."]
MOST_CLASHING_FILLS = 2_000


def random_asked(rng: Random, grid: Grid) -> TwoReadings:
    """Return a rule that some or all squares clash: a number of them, each of them, or those that spell a text."""
    squares = frozenset(rng.sample(list(grid.open_positions()), rng.randint(1, 4)))
    pairs = tuple(rng.sample(["AB", "BA", "BC", "CA"], rng.randint(1, 3))) if rng.random() < 0.4 else ()
    some = squares if rng.random() < 0.5 else frozenset()
    match rng.randrange(5):
        case 0:
            return TwoReadings(squares, pairs=pairs)
        case 1:
            by = rng.choice([Direction.ACROSS, Direction.DOWN])
            return TwoReadings(
                some, message="".join(rng.choices(LETTERS, k=rng.randint(1, 3))), by=by, pairs=pairs
            )
        case 2:
            return TwoReadings(some, message=rng.choice(["AB", "BA", "ABCA", "BCAB"]), by=None, pairs=pairs)
        case 3:
            least = rng.randint(0, 3)
            return TwoReadings(some, least, rng.choice([None, least, least + 1]), pairs)
        case _:
            return TwoReadings(some, None, rng.randint(0, 3), pairs)


def random_case(rng: Random) -> tuple[Grid, list[str], list[TwoReadings]]:
    """Return a small grid with some given squares, words, and one or two rules."""
    grid = grid_from_text(rng.choice(SHAPES))
    contents = [*map(Content.of, LETTERS), Content("A", "B"), Content("C", "A")]
    given = {
        at: Square(content=rng.choice(contents), ink=Ink.PEN)
        for at in grid.open_positions()
        if rng.random() < 0.08
    }
    words = {"".join(rng.choices(LETTERS, k=rng.randint(2, 4))) for _ in range(rng.randint(4, 16))}
    return (
        grid.with_squares(given),
        sorted(words),
        [random_asked(rng, grid) for _ in range(rng.choice([1, 1, 1, 2]))],
    )


def clashing_problem(
    grid: Grid, words: list[str], asked: list[TwoReadings], *, allow_repeats: bool = False
) -> Problem:
    """Return the engine's problem for a case."""
    rules = Rules(grid=tuple(map(ClashSquares, asked)))
    return Problem.build(grid, lexicon_of(dict.fromkeys(words, 50)), rules=rules, allow_repeats=allow_repeats)


def check_clashes(seed: int) -> None:
    """Check the engine's verdict, fill and count against the naive twin."""
    rng = Random(seed)
    grid, words, asked = random_case(rng)
    allow_repeats = rng.random() < 0.5
    expected = list(islice(clash_fills(grid, words, asked, allow_repeats=allow_repeats), MOST_CLASHING_FILLS))
    problem = clashing_problem(grid, words, asked, allow_repeats=allow_repeats)
    filler = Filler(problem, seed=seed, worker=rng.randrange(len(WORKERS)))
    outcome = filler.advance(nodes=200_000)
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), filler.reason
    if expected:
        fill = dict(filler.fill())
        assert fill == contents_of(grid, filler.answers())
        assert may_stand(grid, fill, asked)
        assert all(obeys(grid, fill, one) for one in asked)
    if len(expected) < MOST_CLASHING_FILLS:
        assert fills_counted(problem) == len(expected)
        open_squares = {at for slot in grid.slots for at in slot.positions if not grid[at].is_given}
        held = {at: Counter(fill[at] for fill, _ in expected) for at in open_squares if expected}
        letters = known(exact_letter_table(problem))
        assert letters.shares == {
            at: {content: count / len(expected) for content, count in each.items()} for at, each in held.items()
        }
        assert letters.forced == {at: next(iter(each)) for at, each in held.items() if len(each) == 1}
        check_estimated_letters(problem, held)


@pytest.mark.parametrize("seed", range(100, 130))
def test_a_clash_square_counts_once_for_unwanted_letters(seed: int) -> None:
    rng = Random(seed)
    grid, words, asked = random_case(rng)
    fills = [fill for fill, _ in islice(clash_fills(grid, words, asked, allow_repeats=True), MOST_CLASHING_FILLS)]
    if not 0 < len(fills) < MOST_CLASHING_FILLS:
        return
    problem = clashing_problem(grid, words, asked, allow_repeats=True)

    def unwanted(fill: Mapping[Position, Content]) -> int:
        return sum(not set("AB").isdisjoint(letters_read(grid, at, content)) for at, content in fill.items())

    least, start = min(map(unwanted, fills)), rng.choice(fills)
    result = improve(problem, start, objective=Objective.avoiding("AB"), rounds=30)
    best = known(result.best)
    assert best.value == unwanted(best.squares)
    assert result.bound <= least <= best.value
    assert result.outcome is not Outcome.FILLED or best.value == least
    values = [each.value for each in result.kept]
    assert values == sorted(values, reverse=True)


def check_estimated_letters(problem: Problem, held: Mapping[Position, Counter[Content]]) -> None:
    """Check that estimates include every letter found in some fill, and every word left by propagation."""
    beliefs = believe(problem, seconds=None)
    estimated = letter_table(beliefs)
    assert estimated.shares.keys() >= held.keys()
    for at, shares in estimated.shares.items():
        assert sum(shares.values()) == pytest.approx(1)
        assert min(shares.values()) > 0
        assert list(shares.values()) == sorted(shares.values(), reverse=True)
        for content in held.get(at, ()):
            assert shares.keys() >= halves(problem, at, content)
    for at, content in estimated.forced.items():
        assert set(held.get(at, (content,))) == {content}
    for slot in range(len(problem.slots)) if held else ():
        left = problem.rows_left(problem.root.state, slot)
        assert np.flatnonzero(beliefs.row_shares(slot)).tolist() == left.tolist()


def halves(problem: Problem, at: Position, content: Content) -> set[Content]:
    """Return the contents to look up in estimates: each letter of a square that may read two ways."""
    return {Content.of(content.across), Content.of(content.down)} if at in problem.task.split else {content}


@pytest.mark.parametrize(("least", "most"), [(0, None), (0, 0), (1, 1), (0, 1), (1, None), (None, None)], ids=str)
def test_estimated_letters_of_one_crossing_match_all_fills(least: int | None, most: int | None) -> None:
    grid = grid_from_text("...\n.##\n.##")
    words = ["ABC", "ABD", "BBC", "AXY", "BXY", "CXY", "CAB"]
    asked = [TwoReadings(frozenset({Position(0, 0)}), least, most)]
    held = [fill[Position(0, 0)] for fill, _ in clash_fills(grid, words, asked, allow_repeats=True)]
    letters = Counter(letter for content in held for letter in (content.across, content.down))
    problem = clashing_problem(grid, words, asked, allow_repeats=True)
    found = letter_table(believe(problem, seconds=None)).shares[Position(0, 0)]
    naive_shares = {letter: count / letters.total() for letter, count in letters.items()}
    assert {content.across: share for content, share in found.items()} == pytest.approx(naive_shares, abs=0.2)
    if (least, most) in ((0, None), (0, 0), (0, 1)):
        assert {content.across: share for content, share in found.items()} == pytest.approx(naive_shares, abs=1e-6)


@examples(300)
@given(st.integers(0, 1 << 32))
def test_fills_have_the_required_clashes(seed: int) -> None:
    check_clashes(seed)


@pytest.mark.parametrize("seed", range(4))
def test_many_seeded_cases_of_clashes(seed: int) -> None:
    for number in range(100 if is_deep() else 8):
        check_clashes(1000 * seed + number)


def test_any_number_of_pairs_may_be_given() -> None:
    """All 36 pairs are different, more than the symbols a square has in addition to letters."""
    pairs = [Content(one, other) for one, other in permutations("ABCDEFG", 2)][:36]
    grid = Grid.blank(6, 6)
    given = {at: Square(content=pair, ink=Ink.PEN) for at, pair in zip(grid.positions(), pairs, strict=True)}
    filler = Filler(clashing_problem(grid.with_squares(given), ["ABCDEF"], []))
    assert filler.advance(nodes=1) is Outcome.FILLED
    assert filler.fill() == dict(zip(grid.positions(), pairs, strict=True))


def naive_rank(case: Case, answers: Mapping[str, str], objective: Objective) -> tuple[int, ...]:
    """Return the sort key of fills: the total score, or the lowest score first."""
    scores = []
    for slot in case.grid.slots:
        rule = case.rules.entries.get((slot.start, slot.direction), asked())
        words = case.own_lists[rule.word_list] if rule.word_list else case.words
        if not is_whole_given(case, slot):
            scores.append(words.get(answers[slot.name], 0))
    if objective == Objective():
        return (sum(scores),)
    return min(scores, default=100), sum(scores)


def with_listed_wishes(case: Case) -> Case:
    """Return the case with only those wanted words that its list scores."""
    rules = Ruled.of(case.rules)
    wanted = tuple(word for word in rules.wanted if word in case.words)
    wishes = replace(rules, wanted=wanted, wanted_least=min(rules.wanted_least, len(wanted)))
    return replace(case, rules=wishes.rules())


@examples(100)
@given(
    st.integers(0, 1 << 32),
    st.sampled_from([local_case, placing_case, whole_grid_case]),
    st.sampled_from([Objective(), Objective.lowest()]),
)
def test_the_best_fill_under_rules_is_found(
    seed: int, make: Callable[[Random], Case], objective: Objective
) -> None:
    rng = Random(seed)
    case = with_listed_wishes(make(rng))
    with suppress(TooManyTriesError):
        found = list(fills(case, most_tries=MOST_TRIES))
        assume(found)
        squares, answers = rng.choice(found)
        start = {at: content for (at, side), content in squares.items() if side is None}
        result = improve(problem_of(case), start, objective=objective, rounds=3000)
        assert result.outcome is Outcome.FILLED
        assert result.best is not None
        best = frozenset(result.best.squares.items())
        legal = [{(at, held) for (at, side), held in each.items() if side is None} for each, _ in found]
        assert best in legal
        ranks = [naive_rank(case, each, objective) for _, each in found]
        assert naive_rank(case, result.best.answers, objective) == max(ranks)
        if not case.holes:
            assert known(result.first).answers == answers


@examples(60)
@given(st.integers(0, 1 << 32), st.sampled_from([local_case, placing_case]))
def test_only_the_selection_is_improved(seed: int, make: Callable[[Random], Case]) -> None:
    rng = Random(seed)
    case = make(rng)
    chosen = frozenset(at for at in case.grid.open_positions() if rng.random() < 0.5)
    selected = replace(case, selection=chosen, holes=frozenset())
    problem = problem_of(selected)
    filler = Filler(problem, seed=1)
    assume(filler.advance(nodes=10_000) is Outcome.FILLED)
    result = improve(problem, filler.fill(), rounds=200)
    assert result.best is not None
    assert result.best.squares.keys() == filler.fill().keys() <= chosen
    known = chosen | given_squares(selected).keys()
    is_complete = all(known.issuperset(slot.positions) for slot in asked_slots(selected))
    assert result.first is not None or not is_complete
    assert result.kept[0].squares == filler.fill()
    assert result.best.value >= result.kept[0].value
