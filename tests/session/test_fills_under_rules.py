"""A fill that the engine finds under rules breaks none of them: the review judges, which knows no engine."""

from dataclasses import replace

from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.ruled import asked, ruled
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.errors import EngineError
from xwtui.model import Content, Position, Puzzle, RebusPlacing, SlotKey, WordChoice, edits
from xwtui.model.review import Check, review
from xwtui.session.problem_specification import ProblemSpecification
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import rule_findings
from xwtui.words.vocabulary import Vocabulary
from xwtui.words.word_list import WordList

LETTERS = "ABCD"
THREES = [a + b + c for a in LETTERS for b in LETTERS for c in LETTERS]
FOURS = [three + letter for three in THREES for letter in "AB"]
WORDS = WordList.from_scores(
    "words",
    {word: 44 + 7 * number % 50 for number, word in enumerate((*THREES, *FOURS))},
    {"name": THREES[::5], "abbreviation": FOURS[::4]},
)
OWN = WordList.from_scores("own", {word: 30 + number % 50 for number, word in enumerate(THREES[::2])})
CHOICE = WordChoice(minimum_score=45)
VOCABULARY = Vocabulary(
    Lexicon.build([WORDS], minimum_score=CHOICE.minimum_score),
    {"own": Lexicon.build([OWN], minimum_score=CHOICE.minimum_score)},
)
REBUS = Content.of("AB")


@st.composite
def ruled_puzzles(draw: st.DrawFn) -> Puzzle:
    """Blank 3x3 grids with one block at most, and a few rules."""
    puzzle = replace(Puzzle.blank(3, 3), words=CHOICE)
    if draw(st.booleans()):
        puzzle = edits.toggle_block(puzzle, Position(0, 0))
    parts = st.text(LETTERS, min_size=1, max_size=2)
    entry_rules = st.builds(
        asked,
        st.none() | st.integers(0, 70),
        st.sampled_from(["", "", "own"]),
        st.sampled_from(["", "A.*", ".*(B|C)", "[^D]+"]),
        st.lists(parts, max_size=1).map(tuple),
        st.lists(parts, max_size=1).map(tuple),
    )
    keys: list[SlotKey] = [(slot.start, slot.direction) for slot in puzzle.grid.slots]
    squares = st.sampled_from(list(puzzle.grid.open_positions()))
    contents = st.lists(st.sampled_from([*map(Content.of, LETTERS), REBUS]), min_size=1, max_size=3, unique=True)
    wanted = draw(st.lists(st.sampled_from(THREES), max_size=3, unique=True).map(tuple))
    placings = st.builds(RebusPlacing, st.just((REBUS,)), st.integers(0, 2), st.integers(2, 3), st.booleans())
    rules = ruled(
        entries=draw(st.dictionaries(st.sampled_from(keys), entry_rules, max_size=1)),
        squares=draw(st.dictionaries(squares, contents.map(tuple), max_size=1)),
        shared_substring=draw(st.sampled_from([0, 0, 0, 3])),
        distinct_stems=draw(st.sampled_from([False, False, True])),
        stem_groups=draw(st.sampled_from([(), (frozenset({"ABC", "DAB"}),)])),
        tag_limits=draw(st.dictionaries(st.sampled_from(["name", "abbreviation"]), st.integers(0, 2), max_size=1)),
        wanted=wanted,
        wanted_least=draw(st.integers(0, len(wanted))),
        letters=draw(st.sampled_from(["", "", "D", "ABCD"])),
        placings=draw(st.just(()) | st.lists(placings, max_size=1).map(tuple)),
    )
    return replace(puzzle, rules=rules)


@examples(60, HealthCheck.filter_too_much)
@given(ruled_puzzles(), st.integers(0, 5))
def test_no_fill_breaks_a_rule(puzzle: Puzzle, seed: int) -> None:
    try:
        problem = ProblemSpecification.of(puzzle, VOCABULARY).problem()
    except EngineError:
        assume(False)
    filler = Filler(problem, seed=seed)
    filler.advance(2_000)
    assume(filler.outcome is Outcome.FILLED)
    filled = edits.write_fill(puzzle, filler.fill())
    findings = (*review(filled), *rule_findings(filled, VOCABULARY))
    told = [finding for finding in findings if finding.rule in (Check.BROKEN_RULE, Check.DUPLICATE)]
    assert told == []
