"""Conflicts and remedies checked by naive fills of every subset."""

import re
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.engine.problem.rule_cases import LETTERS, PATTERNS, REBUSES, random_words, task_of
from tests.engine.small_problems import candidates_left, lexicon_of
from tests.examples import is_deep
from tests.naive.agreeing import TooManyTriesError
from tests.naive.engine import naive_fills
from tests.naive.rules import Case, fills
from tests.ruled import Ruled, asked, ruled
from xwtui.engine.budget import Budget
from xwtui.engine.explain import explain as explaining
from xwtui.engine.explain.explain import explain
from xwtui.engine.explain.explanation import (
    AllChoices,
    AllowRepeats,
    Answer,
    Certainty,
    Conflict,
    Explanation,
    GivenChoice,
    GivenLayout,
    GivenSquare,
    NoRepeats,
    Remedy,
)
from xwtui.engine.explain.judge import Judge, OutOfTimeError, Verdict
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task, length_misfit
from xwtui.errors import EngineError, PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, OPEN, Content, Direction, Grid, Ink, Position, Puzzle, Slot, Square, WordChoice
from xwtui.model.rules import RebusPlacing, Rules
from xwtui.worded import in_words
from xwtui.wording import conflicting_entries, tried_words
from xwtui.words.alphabets import find_alphabet
from xwtui.words.lexicon import OWN_SCORES, Lexicon
from xwtui.words.word_list import WordList

_MOST_SUBSETS = 6
"""Largest conflict, in choices, whose every subset is tried."""


@pytest.mark.parametrize("first", range(0, 240, 40) if is_deep() else [0, 120])
def test_conflicts_and_remedies_are_correct(first: int) -> None:
    """A conflict has no fill, every proper subset of it has one, and every remedy has one."""
    explained = 0
    for seed in range(first, first + 40):
        case = chosen_case(seed)
        task = task_of(case)
        words = dict(case.words)
        try:
            fillable = is_fillable(task, words)
            explanation = explain(task)
            assert explanation.is_complete
            assert explanation.answer is (Answer.FILLABLE if fillable else Answer.IMPOSSIBLE)
            assert bool(explanation.conflicts) != fillable
            every = AllChoices(task)
            for conflict in explanation.conflicts:
                explained += 1
                _check_conflict(_with_these(every, conflict), conflict, words)
            _check_remedies(explanation, task, words)
        except TooManyTriesError:
            continue
    assert explained >= 5


def _with_these(every: AllChoices, conflict: Conflict) -> AllChoices:
    """Return the choices with bans split as they are in the conflict."""
    for choice in every.choices:
        if choice.kind == "ban" and choice not in conflict.choices:
            single = {choice for choice in conflict.choices if choice.kind == "ban"}
            if single:
                every.splitting(choice)  # type: ignore[arg-type]
    return every


def _check_conflict(every: AllChoices, conflict: Conflict, words: dict[str, int]) -> None:
    members: tuple[GivenChoice, ...] = conflict.choices
    if members[0].kind == "layout":
        members = ()
    assert not is_fillable(every.keeping(members), words), conflict.describe()
    assert conflict.is_smallest
    if len(members) <= _MOST_SUBSETS:
        for size in range(len(members)):
            for kept in combinations(members, size):
                assert is_fillable(every.keeping(kept), words), (conflict.describe(), kept)
    if conflict.entries:
        _check_entries(every.keeping(members), conflict.entries, words)


def _check_entries(task: Task, names: tuple[str, ...], words: dict[str, int]) -> None:
    case = case_of(task, words)
    slots = tuple(slot for slot in task.grid.slots if slot.name in names)
    rules = replace(Ruled.of(task.rules), wanted_least=0, letters="", placings=()).rules()
    lenient = replace(case, rules=rules)
    assert not any(True for _ in fills(lenient, slots, most_tries=20_000))


def _check_remedies(explanation: Explanation, task: Task, words: dict[str, int]) -> None:
    for remedy in explanation.remedies:
        choice = WordChoice(minimum_score=task.lexicon.minimum_score, banned=task.lexicon.banned)
        puzzle = Puzzle(task.grid, words=choice, rules=task.rules)
        changed = remedy.apply(puzzle)
        assert changed != puzzle
        if remedy.settles_all:
            assert is_fillable(remedy.on(task), words), remedy.describe()
            if isinstance(remedy, AllowRepeats):
                assert {changed.grid.answer(slot) for slot in changed.grid.slots} == set(remedy.answers.values())
                continue
            chosen = changed.words
            lexicon = Lexicon.build(
                task.lexicon.layers,
                minimum_score=chosen.minimum_score,
                banned=chosen.banned,
                scores=chosen.scores,
            )
            assert is_fillable(Task(changed.grid, lexicon, rules=changed.rules), words), remedy.describe()


def _task(text: str, words: str, minimum: int = 0, banned: tuple[str, ...] = ()) -> Task:
    scores = dict.fromkeys(words.split(), 50) | {"COB": 10}
    lexicon = Lexicon.build([WordList.from_scores("words", scores)], minimum_score=minimum, banned=banned)
    return Task(grid_from_text(text), lexicon)


GRID = "C..\n...\n..."


@pytest.mark.parametrize(
    ("text", "conflict", "remedies"),
    [
        (
            "CO.",
            "O at r1c2 and the minimum score of 40",
            ["change O at r1c2 to A", "lower the minimum score of 1A to 10: COB would help"],
        ),
        ("CU.", "U at r1c2 and the ban on CUB", ["change U at r1c2 to A", "allow CUB again at 1A"]),
    ],
)
def test_a_low_score_or_a_ban_is_explained_with_its_remedies(
    text: str, conflict: str, remedies: list[str]
) -> None:
    """The conflict is with a letter; another letter or a lower minimum score for the entry resolves it."""
    scores = {"CAB": 50, "COB": 10, "CUB": 50}
    lexicon = Lexicon.build([WordList.from_scores("words", scores)], minimum_score=40, banned=["CUB"])
    explanation = explain(Task(grid_from_text(f"{text}\n###\n###"), lexicon))
    (found,) = explanation.conflicts
    assert found.describe() == f"{conflict} cannot work together (from the crossings alone)"
    assert conflicting_entries(found) == "at 1A"
    assert [remedy.describe() for remedy in explanation.remedies] == remedies


def test_a_dead_word_is_explained_by_its_conflict() -> None:
    """If the grid has a fill but not with this word, the word is in the conflict, and no remedy changes it."""
    explained = 0
    for seed in range(120):
        case = chosen_case(seed)
        task, words = task_of(case), dict(case.words)
        problem = Problem.of(task)
        dead = [
            (name, candidate.word)
            for name in problem.slot_names
            for candidate in candidates_left(problem, name)
            if problem.root.is_possible
            and not candidate.alive
            and len(candidate.word) == len(task.grid.slot(name))
        ]
        if not dead or Ruled.of(case.rules).placings or not explain(task).fill:
            continue
        explained += 1
        explanation = explain(task, trying=dead[0])
        assert explanation.answer is Answer.IMPOSSIBLE
        (conflict, *_) = explanation.conflicts
        assert any(choice.kind == "candidate" for choice in conflict.choices)
        assert not is_fillable(AllChoices(task, dead[0]).task, words)
        for remedy in explanation.remedies:
            if remedy.settles_all:
                assert is_fillable(remedy.on(AllChoices(task, dead[0]).task), words), remedy.describe()
    assert explained >= 10


def test_a_word_that_contradicts_a_letter() -> None:
    explanation = explain(_task("C..\n###\n###", "CAB BAC"), trying=("1A", "BAC"))
    assert [conflict.describe() for conflict in explanation.conflicts] == [
        "BAC at 1A and C at r1c1 cannot work together (from the crossings alone)"
    ]
    assert [remedy.describe() for remedy in explanation.remedies] == ["change C at r1c1 to B"]


@pytest.mark.parametrize("allow_repeats", [False, True])
def test_an_unlisted_answer_is_allowed_only_where_it_stands(allow_repeats: bool) -> None:
    """ABC stands across, and no listed word begins with its A. ABC as a down entry too would not be a fill."""
    task = replace(_task("ABC\nB##\n.##", "XYZ XBC"), allow_repeats=allow_repeats)
    explanation = explain(task)
    assert [conflict.describe() for conflict in explanation.conflicts] == [
        "1A ABC cannot work (from the crossings alone)"
    ]
    assert [in_words(conflict.reason) for conflict in explanation.conflicts] == ["1D: no word fits A??"]


@pytest.mark.parametrize("first", range(0, 300, 60) if is_deep() else [0])
def test_a_banned_or_low_scoring_answer_supports_no_other_entry(first: int) -> None:
    """Neither an answer in the grid nor a word on trial."""
    explained = {True: 0, False: 0}
    for seed in range(first, first + 60):
        rng, (grid, words) = Random(seed), random_layout(seed)
        if not grid.slots:
            continue
        slot, is_tried = rng.choice(grid.slots), rng.random() < 0.5
        answer = "".join(rng.choices("ABC", k=len(slot)))
        pen = [Square(content=Content.of(letter), ink=Ink.PEN) for letter in answer]
        if not is_tried:
            grid = grid.with_squares(dict(zip(slot.positions, pen, strict=True)))
        words[answer] = 10
        lists, banned = [WordList.from_scores("words", words)], rng.choice([(), (answer,)])
        lexicon = Lexicon.build(lists, minimum_score=rng.choice([0, 20]), banned=banned)
        task = Task(grid, lexicon, allow_repeats=rng.random() < 0.5)
        with suppress(TooManyTriesError):
            explained[is_tried] += _check_explained(task, words, (slot.name, answer) if is_tried else None)
    assert min(explained.values()) >= 5


def _check_explained(task: Task, words: dict[str, int], trying: tuple[str, str] | None) -> int:
    """Check a task's whole explanation, and return the number of conflicts."""
    every, explanation = AllChoices(task, trying), explain(task, trying=trying)
    assert len(every.task.own_words) <= 1
    assert every.task.lexicon is task.lexicon
    fillable = is_fillable(every.task, words)
    assert explanation.answer is (Answer.FILLABLE if fillable else Answer.IMPOSSIBLE)
    for conflict in explanation.conflicts:
        if isinstance(conflict.choices[0], GivenLayout):
            assert not is_fillable(every.keeping(()), words)
        else:
            _check_conflict(_with_these(every, conflict), conflict, words)
    for remedy in explanation.remedies:
        assert not remedy.settles_all or is_fillable(remedy.on(every.task), words), remedy.describe()
    return len(explanation.conflicts)


def test_all_conflicts_of_a_word_come_with_a_joint_remedy() -> None:
    """XAY contradicts two answers, and removing either one is not enough."""
    explanation = explain(_task("CAB\n.##\nDOG", "XAY XOO YES CUD"), trying=("1D", "XAY"))
    assert [conflict.describe() for conflict in explanation.conflicts] == [
        "XAY at 1D and 2A DOG cannot work together (from the crossings alone)",
        "XAY at 1D and 1A CAB cannot work together (from the crossings alone)",
    ]
    assert [(remedy.describe(), remedy.settles_all) for remedy in explanation.remedies] == [
        ("remove DOG from 2A, and remove CAB from 1A", True),
        ("remove DOG from 2A; YES would work", False),
        ("remove CAB from 1A; XOO would work", False),
    ]
    together = explanation.remedies[0]
    assert together.kind == "several changes"
    after = together.apply(Puzzle(grid_from_text("CAB\n.##\nDOG"))).grid
    assert not any(square.content for square in after.squares)
    assert together.answers == {"1A": "XOO", "2A": "YES", "1D": "XAY"}


def test_invalid_questions_are_refused() -> None:
    with pytest.raises(PuzzleError, match="no entry '9A'"):
        explain(_task(GRID, "CAB"), trying=("9A", "CAB"))
    with pytest.raises(EngineError, match="1A already has an answer"):
        explain(_task("CAB\n...\n...", "CAB"), trying=("1A", "BAC"))
    task = _task(GRID, "CAB")
    rules = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(pattern=".*B")})
    with pytest.raises(EngineError, match=re.escape("CAT does not match .*B, which the rule for 1A forbids")):
        explain(replace(task, rules=rules), trying=("1A", "CAT"))


@pytest.mark.parametrize("word", ["CA", "CATS"])
def test_a_word_of_the_wrong_length_is_refused_in_one_sentence(word: str) -> None:
    task = _task(GRID, "CAB")
    with pytest.raises(EngineError, match=rf"{word} has {len(word)} letters, and 1A takes 3"):
        explain(task, trying=("1A", word))


def test_a_digraph_is_one_letter_unless_given_squares_split_it() -> None:
    words = WordList.from_scores("words", dict.fromkeys(["IJET", "ARE", "TEN"], 50))
    lexicon = Lexicon.build([words], alphabet=find_alphabet("dutch"))

    def misfits(grid: str) -> dict[str, str]:
        task = Task(grid_from_text(grid), lexicon)
        told = {word: length_misfit(task, task.grid.slot("1A"), word) for word in ("IJT", "IJET", "AIJET")}
        return {word: str(misfit) for word, misfit in told.items() if misfit}

    two, four = "IJT has 2 letters, and 1A takes 3", "AIJET has 4 letters, and 1A takes 3"
    assert misfits("...\n...\n...") == {"IJT": two, "AIJET": four}
    assert misfits("IJ.\n...\n...") == {"AIJET": four}
    task = Task(grid_from_text("[IJ].[ART]\n...\n[X].."), lexicon)
    given = {choice.kind for choice in AllChoices(task).choices if isinstance(choice, GivenSquare)}
    assert given == {"digraph", "rebus", "letter"}
    asked_of = explain(Task(grid_from_text(GRID.replace("C", ".")), lexicon), trying=("1A", "IJET"))
    assert asked_of.answer is Answer.IMPOSSIBLE


def test_a_rebus_square_makes_room_for_more_letters() -> None:
    rules = ruled(squares={Position(0, 0): (Content.of("C"), Content.of("CH"))})
    task = replace(_task("...\n...\n...", "CAB"), rules=rules)
    slot = task.grid.slot("1A")
    fits = {word: not length_misfit(task, slot, word) for word in ("CA", "CAT", "CHAT", "CHATS")}
    assert fits == {"CA": False, "CAT": True, "CHAT": True, "CHATS": False}
    assert "1A takes 3 to 4" in str(length_misfit(task, slot, "CHATS"))


def test_choices_that_must_go_together_are_removed_together() -> None:
    """QX begins no word, and neither Q nor X alone agrees with the given letters below."""
    words = "QRS TUV WKL QTW RUK SVL MXN OPY ZJH MOZ XPJ NYH ABC DEF GHI ADG BEH CFI"
    rows = "QX.\n...\nGHI"
    explanation = explain(_task(rows, words))
    (remedy,) = explanation.remedies
    assert remedy.describe() == "remove Q at r1c1 and X at r1c2"
    assert [str(remedy.fill[Position(0, column)]) for column in range(3)] == ["A", "B", "C"]
    after = remedy.apply(Puzzle(grid_from_text(rows))).grid
    assert [square.content is None for square in after.squares] == [True] * 6 + [False] * 3


@pytest.mark.parametrize(
    ("rows", "words", "minimum"),
    [
        ("Q..\n###\n###", {"CAT": 50}, 0),
        ("...\n###\n###", {"CAT": 30}, 40),
        ("CAB\n.##\nDOG", {"COY": 50, "YES": 50}, 0),
    ],
)
def test_a_trial_cut_off_by_the_time_limit_is_not_counted(
    rows: str, words: dict[str, int], minimum: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The square, score and answers in the conflict are each tried by a fill, which is cut off."""
    judge, cut_off = Judge.judge, list[Task]()

    def judge_until_the_end(self: Judge, task: Task, nodes: int) -> Verdict:
        if nodes == explaining._NODES:
            cut_off.append(task)
            raise OutOfTimeError
        return judge(self, task, nodes)

    monkeypatch.setattr(Judge, "judge", judge_until_the_end)
    lexicon = Lexicon.build([WordList.from_scores("words", words)], minimum_score=minimum)
    explanation = explain(Task(grid_from_text(rows), lexicon))
    assert (len(cut_off), explanation.tried) == (1, {})


def test_cancelling_returns_partial_results() -> None:
    assert explain(_task(GRID, "CAB"), Budget(stop=lambda: True)).answer is Answer.CANCELLED


def test_without_time_there_is_no_answer() -> None:
    assert explain(_task(GRID, "CAB"), Budget(0)).answer is Answer.UNKNOWN


def random_layout(seed: int) -> tuple[Grid, dict[str, int]]:
    rng = Random(seed)
    height, width = rng.choice([(3, 3), (3, 4), (4, 4), (4, 5), (5, 5)])
    blocks = rng.choice([0, 0.1, 0.2])
    grid = Grid(height, width, tuple(BLOCK if rng.random() < blocks else OPEN for _ in range(height * width)))
    return grid, {"".join(rng.choices("ABC", k=rng.randint(2, 5))): 50 for _ in range(rng.randint(5, 40))}


def can_stand(slots: list[Slot], words: dict[str, int], *, repeated: bool = False) -> bool:
    """Whether words fit these entries together, ignoring all others; different words unless `repeated`."""

    def resume(left: list[Slot], letters: dict[object, str], used: frozenset[str]) -> bool:
        if not left:
            return True
        places = left[0].positions
        return any(
            resume(left[1:], {**letters, **dict(zip(places, word, strict=True))}, used | {word})
            for word in (words.keys() if repeated else words.keys() - used)
            if len(word) == len(places)
            and all(letters.get(at, letter) == letter for at, letter in zip(places, word, strict=True))
        )

    return resume(slots, {}, frozenset())


@pytest.mark.parametrize("seed", range(20, 60))
def test_a_conflict_called_smallest_is_and_its_reason_names_only_its_entries(seed: int) -> None:
    grid, words = random_layout(seed)
    explanation = explain(Task(grid, lexicon_of(words)))
    assert bool(explanation.conflicts) == (next(iter(naive_fills(grid, words)), None) is None)
    for conflict in explanation.conflicts:
        slots = [grid.entry(name) for name in conflict.entries]
        assert set(re.findall(r"\b\d+[AD]\b", in_words(conflict.reason))) <= {slot.name for slot in slots}
        assert not can_stand(slots, words)
        assert conflict.is_smallest
        if conflict.choices == (NoRepeats(),):
            assert can_stand(list(grid.entries), words, repeated=True)
            continue
        assert not can_stand(slots, words, repeated=True)
        assert all(can_stand([slot for slot in slots if slot is not one], words, repeated=True) for one in slots)


def test_a_grid_fillable_only_with_repeats_is_not_blamed_on_its_blocks() -> None:
    grid, words = Grid.blank(3, 3), {"ABC": 50, "BCA": 40, "CAB": 60}
    explanation = explain(Task(grid, lexicon_of(words)))
    (conflict,) = explanation.conflicts
    assert conflict.describe().startswith("Only fills that use a word twice fit the blocks (")
    (remedy,) = explanation.remedies
    assert remedy.describe().startswith("fill with repeated words (`fill --allow-repeats`), as ")
    assert set(remedy.answers.values()) <= words.keys()
    assert explain(Task(grid, lexicon_of(words), allow_repeats=True)).answer is Answer.FILLABLE


def test_an_unproved_layout_conflict_is_not_called_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "_PART_NODES", 1)
    unnamed = 0
    for seed in range(20, 60):
        grid, words = random_layout(seed)
        for conflict in explain(Task(grid, lexicon_of(words))).conflicts:
            (choice,) = conflict.choices
            if choice == NoRepeats():
                assert can_stand(list(grid.entries), words, repeated=True)
                continue
            assert isinstance(choice, GivenLayout)
            slots = [grid.entry(name) for name in choice.entries]
            assert not can_stand(slots, words)
            if conflict.is_smallest:
                assert all(can_stand([slot for slot in slots if slot is not one], words) for one in slots)
            unnamed += not conflict.entries
    assert unnamed, "no grid takes more nodes than a part may"


def chosen_case(seed: int) -> Case:
    """A grid of 3x3 to 4x4 with given squares, a minimum score, bans, and sometimes rules of every kind."""
    rng = Random(seed)
    height, width = rng.choice([(3, 3), (3, 3), (3, 4)])
    blocks, given = rng.choice([0.1, 0.3]), rng.choice([0.1, 0.3])
    squares = [
        BLOCK if rng.random() < blocks else _square(rng) if rng.random() < given else OPEN
        for _ in range(height * width)
    ]
    grid = Grid(height, width, tuple(squares))
    words = random_words(rng, rng.choice([20, 50]))
    return Case(
        grid,
        words,
        minimum=rng.choice([0, 20, 50]),
        banned=frozenset(rng.sample(sorted(words), k=rng.choice([0, 3]))),
        rules=_rules(rng, grid, words),
    )


def _square(rng: Random) -> Square:
    content = rng.choice([*map(Content.of, LETTERS * 3), *REBUSES])
    return Square(content=content, ink=rng.choice([Ink.PENCIL, Ink.PEN, Ink.LOCKED]))


def _rules(rng: Random, grid: Grid, words: dict[str, int]) -> Rules:
    keys = [(slot.start, slot.direction) for slot in grid.slots]
    entries = {}
    if keys and rng.random() < 0.3:
        entries[rng.choice(keys)] = asked(pattern=rng.choice(PATTERNS))
    wanted = tuple(rng.sample(sorted(words), k=1)) if rng.random() < 0.15 else ()
    placing = RebusPlacing((REBUSES[0],), 1, 2)
    return ruled(
        entries=entries,
        wanted=wanted,
        wanted_least=len(wanted),
        letters="B" if rng.random() < 0.15 else "",
        shared_substring=3 if rng.random() < 0.15 else 0,
        placings=(placing,) if rng.random() < 0.1 else (),
    )


def case_of(task: Task, words: dict[str, int]) -> Case:
    """Return a task over these words as a case for the naive twin, including words allowed in single entries."""
    lexicon = task.lexicon
    own = {word: score for layer in lexicon.layers if layer.name == OWN_SCORES for word, score in layer}
    return Case(
        task.grid,
        {**words, **own},
        minimum=lexicon.minimum_score,
        banned=lexicon.banned,
        rules=task.rules,
        allow_repeats=task.allow_repeats,
        own_words=task.own_words,
    )


def is_fillable(task: Task, words: dict[str, int]) -> bool:
    """Whether a task has a fill, by plain backtracking."""
    return any(True for _ in fills(case_of(task, words), most_tries=20_000))


def test_every_kind_of_remedy_has_wording() -> None:
    kinds = list(Remedy.__subclasses__())
    conflict = Conflict((NoRepeats(),), Certainty.PROVED, is_smallest=True)
    told = tried_words(Explanation(Answer.IMPOSSIBLE, (conflict,), tried=dict.fromkeys(kinds, 2)))
    assert told.startswith("nothing has helped so far; short searches tried ")
    assert told.count(", ") == len(kinds) - 2
    assert "{" not in told
