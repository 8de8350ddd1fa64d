"""What poses the same fill problem, and what another one."""

from dataclasses import replace
from pathlib import Path
from weakref import ref

import pytest

from tests.ruled import asked, ruled
from tests.session.saying import Ear
from xwtui.errors import WordListError
from xwtui.model import Content, Direction, Ink, Position, Puzzle, Symmetry, WordChoice, edits
from xwtui.model.rules import RebusPlacing
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.session.messages import OptionsReady
from xwtui.session.problem_specification import CounterHolder, ProblemHolder, ProblemSpecification
from xwtui.session.session import Session
from xwtui.words.sources import Vocabulary, load_lexicon, vocabulary_of

CORNER = Position(0, 0)
HEARTS = RebusPlacing((Content.of("HEART"),), 1, 2)


@pytest.fixture
def vocabulary(small_list: Path) -> Vocabulary:
    choice = WordChoice(lists=(str(small_list),))
    return vocabulary_of(load_lexicon(choice), choice)


def test_pencil_marks_and_symmetry_pose_the_same(vocabulary: Vocabulary) -> None:
    blank = Puzzle.blank(3, 3)
    marked = edits.toggle_circle(edits.set_square(blank, CORNER, Content.of("B"), Ink.PENCIL), CORNER)
    marked = replace(marked, symmetry=Symmetry.NONE)
    holder = ProblemHolder()
    problem = holder.problem(ProblemSpecification.of(blank, vocabulary))
    assert holder.problem(ProblemSpecification.of(marked, vocabulary)) is problem


@pytest.mark.parametrize(
    "change",
    [
        lambda puzzle: edits.set_square(puzzle, CORNER, Content.of("B")),
        lambda puzzle: replace(puzzle, rules=ruled(shared_substring=3)),
        lambda puzzle: replace(puzzle, rules=ruled(entries={(CORNER, Direction.ACROSS): asked(60)})),
    ],
)
def test_pen_and_rules_pose_another_problem(vocabulary: Vocabulary, change: object) -> None:
    assert callable(change)
    blank = Puzzle.blank(3, 3)
    one, other = ProblemSpecification.of(blank, vocabulary), ProblemSpecification.of(change(blank), vocabulary)
    assert not one.is_same(other)
    assert one.is_same(ProblemSpecification.of(blank, vocabulary))


def test_the_symmetry_matters_where_new_squares_keep_it(vocabulary: Vocabulary) -> None:
    mirrored = replace(Puzzle.blank(3, 3), rules=ruled(placings=(replace(HEARTS, symmetric=True),)))
    free = replace(Puzzle.blank(3, 3), rules=ruled(placings=(HEARTS,)))

    def is_same_without(puzzle: Puzzle) -> bool:
        other = replace(puzzle, symmetry=Symmetry.NONE)
        return ProblemSpecification.of(puzzle, vocabulary).is_same(ProblemSpecification.of(other, vocabulary))

    assert not is_same_without(mirrored)
    assert is_same_without(free)


def test_an_own_list_has_the_bans_and_scores_of_the_puzzle(tmp_path: Path, small_list: Path) -> None:
    (tmp_path / "themes.dict").write_text("HEART\nHEARTH\n", encoding="utf-8")
    choice = WordChoice((str(small_list),), banned=frozenset({"HEARTH"}), scores={"HEART": 90})
    own = vocabulary_of(load_lexicon(choice, tmp_path), choice, ["themes.dict"], tmp_path).own_lists["themes.dict"]
    assert own.table(5).words() == ["HEART"]
    assert own.score("HEART") == 90
    assert not own.table(6).words()


def test_a_missing_own_list_is_told(small_list: Path) -> None:
    choice = WordChoice((str(small_list),))
    loaded = load_lexicon(choice)
    with pytest.raises(WordListError, match=r"no word list 'themes\.dict'"):
        vocabulary_of(loaded, choice, ["themes.dict"])


def test_a_change_of_the_rules_is_a_change_for_the_figures(small: Session, ear: Ear) -> None:
    small.wait_until_ready()
    before = small.revision
    small.edit("rule", lambda puzzle: replace(puzzle, rules=ruled(shared_substring=3)))
    assert small.revision > before
    assert ear.wait_for(OptionsReady, lambda message: message.revision == small.revision).options


def test_a_change_of_the_rules_drops_the_search(small: Session) -> None:
    small.jobs.fill.step()
    assert small.wait(60)
    assert small.jobs.fill.view is not None
    small.edit("rule", lambda puzzle: replace(puzzle, rules=ruled(shared_substring=3)))
    assert small.jobs.fill.view is None


def test_rules_and_own_lists_reach_the_engine(tmp_path: Path, small_list: Path) -> None:
    (tmp_path / "own.dict").write_text("TAG\nOXO\n", encoding="utf-8")
    choice = WordChoice((str(small_list),), minimum_score=40)
    rule = asked(word_list="own.dict", minimum_score=0, lacks=("X",))
    puzzle = replace(Puzzle.blank(3, 3), words=choice, rules=ruled({(CORNER, Direction.ACROSS): rule}))
    vocabulary = vocabulary_of(load_lexicon(choice, tmp_path), choice, puzzle.rules.own_lists, tmp_path)
    problem = ProblemSpecification.of(puzzle, vocabulary).problem()
    assert problem.words(problem.slot_numbers["1A"]) == ["TAG"]
    assert len(problem.words(problem.slot_numbers["1D"])) == 6


class Resting:
    """Stands in for a counter."""

    def __init__(self) -> None:
        self.rests = 0

    def rest(self) -> None:
        self.rests += 1


def test_a_counter_rests_unless_it_is_in_use(vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    holder, counter = CounterHolder(), Resting()
    holder.rest()
    monkeypatch.setattr("xwtui.engine.count.estimator.Counter", lambda _: counter)
    with holder.counter(ProblemSpecification.of(Puzzle.blank(3, 3), vocabulary).problem()):
        holder.rest()
        assert counter.rests == 0
    holder.rest()
    assert counter.rests == 1


def test_a_counter_of_another_problem_is_let_go_before_the_next_is_there(vocabulary: Vocabulary) -> None:
    holder, problems, asked = (
        CounterHolder(),
        ProblemHolder(),
        ProblemSpecification.of(Puzzle.blank(3, 3), vocabulary),
    )
    with holder.counter(problems.problem(asked)) as counter:
        gone = ref(counter)
        holder.rest(is_over=True)
    del counter
    assert gone() is not None
    holder.rest(is_over=True)
    assert gone() is None


def test_live_counts_that_are_held_hold_no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    held, rests = iter([True, True, False]), Resting()
    monkeypatch.setattr(Scheduler, "is_held", property(lambda _: next(held)))
    monkeypatch.setattr(CounterHolder, "rest", lambda _: rests.rest())
    session = Session(lambda _: None)
    session.jobs.live_counts._give_way(lambda: False)
    session.close()
    assert (rests.rests, next(held, None)) == (1, None)
