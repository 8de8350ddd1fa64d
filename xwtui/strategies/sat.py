"""A fill as a formula in clauses, for a SAT solver that learns from its conflicts.

Source: Bob Copeland, "On board the rebus": "Knowing that the crossword fill problem is an instance of SAT, I went
off to read what Knuth had to say about it". The solver is Glucose 4, through python-sat, which is an extra of its
own: `pip install 'xwtui[sat]'`.

There is a variable for each letter that a square may have, and one for each word that an entry may have:

- a square has a letter, and no two;
- an entry has a word; a word has its letters;
- a letter on a square has a word of each entry through it that has it there.

That two entries must differ, and what rules ask of the grid as a whole, would take far more clauses than all else.
It is looked at where the solver has a fill: one that will not do is ruled out by a clause, and the solver goes on.

It is complete. Where there is no fill, the clauses that it has learnt are a proof, which `proof` gives as other
programs can check it: the formula in DIMACS, the proof in DRAT.
"""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xwtui.engine.events.event import Event, EventKind
from xwtui.errors import EngineError
from xwtui.model import Content, Position
from xwtui.strategies.board import Board, fits
from xwtui.strategies.options import Option, OptionValues
from xwtui.strategies.protocol import Counters, Decision, Proof, Strategy

if TYPE_CHECKING:
    from xwtui.engine.problem.task import Task

Clause = list[int]
"""Variables, of which one at least is so: true, or false where its number is negative."""


class FillFormula:
    """The clauses of a board; what stands on it is given."""

    def __init__(self, board: Board) -> None:
        """Number the variables and write the clauses down."""
        self._board = board
        self.names: list[str] = []
        """What each variable says, that of number 1 first: `r1c1 = A`, `17A = WORD`."""
        self.letters: list[dict[str, int]] = [{} for _ in board.positions]
        """For each square the variable of each symbol that it may have."""
        self.words: list[dict[str, int]] = []
        """For each slot the variable of each spelling that it may have."""
        self.clauses: list[Clause] = []
        for number in range(len(board.slots)):
            self._take_words(number)
        for number in range(len(board.slots)):
            self._tie_letters(number)
        for square in range(len(board.positions)):
            self._one_letter(square)

    def _variable(self, name: str) -> int:
        self.names.append(name)
        return len(self.names)

    def _take_words(self, number: int) -> None:
        board, slot = self._board, self._board.slots[number]
        pattern = board.pattern(number)
        words = {
            word: self._variable(f"{slot.name} = {board.read(number, word)}")
            for word in slot.words
            if fits(pattern, word)
        }
        self.words.append(words)
        self.clauses.append(list(words.values()))
        for word, variable in words.items():
            for square, symbol in zip(slot.squares, word, strict=True):
                letters = self.letters[square]
                if symbol not in letters:
                    letters[symbol] = self._variable(f"{board.positions[square]} = {board.content(symbol)}")
                self.clauses.append([-variable, letters[symbol]])

    def _tie_letters(self, number: int) -> None:
        """Each letter of a slot's squares has a word of the slot."""
        for at, square in enumerate(self._board.slots[number].squares):
            having: defaultdict[str, Clause] = defaultdict(list)
            for word, variable in self.words[number].items():
                having[word[at]].append(variable)
            for symbol, letter in self.letters[square].items():
                self.clauses.append([-letter, *having[symbol]])

    def _one_letter(self, square: int) -> None:
        letters = list(self.letters[square].values())
        self.clauses.append(letters)
        self.clauses += [[-one, -other] for at, one in enumerate(letters) for other in letters[:at]]

    def spellings(self, true: set[int]) -> list[str]:
        """The spelling that each slot has where these variables are true."""
        return [next(word for word, variable in words.items() if variable in true) for words in self.words]

    def unlike(self, spellings: Sequence[str]) -> Clause:
        """The clause that some slot has another spelling."""
        return [-words[spelling] for words, spelling in zip(self.words, spellings, strict=True)]

    def differing(self, one: int, other: int, spellings: Sequence[str]) -> Clause:
        """The clause that two slots do not both have these spellings."""
        return [-self.words[slot][spellings[slot]] for slot in (one, other)]

    def dimacs(self) -> str:
        """The formula as SAT solvers and checkers read it, with what its variables say as comments."""
        named = [f"c {number} {name}" for number, name in enumerate(self.names, 1)]
        clauses = [" ".join(map(str, [*clause, 0])) for clause in self.clauses]
        return "\n".join([*named, f"p cnf {len(self.names)} {len(self.clauses)}", *clauses, ""])


class Sat(Strategy):
    """Clauses and a solver; a step is a number of its conflicts."""

    name = "sat"
    summary = "the fill as clauses, for a SAT solver that learns from conflicts; its proofs can be checked"
    source = "Copeland, On board the rebus; Glucose 4 by python-sat"
    options = (Option.number("conflicts", 50, 1, 1_000_000, "conflicts of the solver in a step"),)
    writes_proofs = True
    enters_races = False  # its clauses are too many in an ordinary grid

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        """Lay the task out; raises EngineError where the board cannot hold it."""
        super().__init__(task, values, seed)
        self.board = Board(task)
        self._formula: FillFormula | None = None
        self._solver: Any = None
        self._proof: Proof | None = None
        self._written = frozenset(slot for slot in range(len(self.board.slots)) if not self.board.is_filled(slot))
        """The slots that are not given."""

    @property
    def is_complete(self) -> bool:
        """It finds every fill."""
        return True

    @property
    def squares(self) -> Mapping[Position, Content]:
        """What is given, and the fill where there is one: between, the solver does not tell what it tries."""
        return self.board.contents()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The words of a fill; between, the solver does not tell what it tries."""
        board = self.board
        filled = [slot for slot in range(len(board.slots)) if slot in self._written and board.is_filled(slot)]
        return tuple(
            Decision(
                board.slots[slot].name,
                None,
                board.read(slot, board.pattern(slot)),
                (),
                tuple(map(board.content, board.pattern(slot))),
            )
            for slot in filled
        )

    @property
    def counters(self) -> Counters:
        """The solver's decisions and conflicts."""
        if self._solver is None:
            return self.counted
        took = self._solver.accum_stats()
        told = self.counted
        return Counters(
            took["decisions"], took["conflicts"], took["restarts"], fills=told.fills, deepest=told.deepest
        )

    @property
    def proof(self) -> Proof | None:
        """The proof that there is no fill; None before that is proved."""
        return self._proof

    def search(self) -> Iterator[Event]:
        """Solve in steps, and go on from each fill to the next; raises EngineError without python-sat."""
        if importlib.util.find_spec("pysat") is None:
            raise EngineError("sat needs python-sat: pip install 'xwtui[sat]'")
        from pysat.solvers import Glucose4  # noqa: PLC0415  (an extra)

        self.reason = self.board.flaw()
        formula = self._formula = FillFormula(self.board)
        self._solver = Glucose4(bootstrap_with=formula.clauses, with_proof=True)
        is_open = True
        while is_open:
            self._solver.conf_budget(self.values.number("conflicts"))
            found = self._solver.solve_limited()
            if found is None:
                yield Event(EventKind.RESTART, 0, before=0)
            elif found:
                yield from self._look_at(formula)
            is_open = found is not False
        if not self.counted.fills:
            self._proof = Proof(formula.dimacs(), "\n".join([*self._solver.get_proof(), ""]))

    def _look_at(self, formula: FillFormula) -> Iterator[Event]:
        """Tell a fill that the solver has found, or why it will not do, and rule it out."""
        model = self._solver.get_model()
        spellings = formula.spellings({variable for variable in model if variable > 0})
        clash = self._clash(spellings)
        if clash is not None:
            one, other = clash
            self._add(formula.differing(one, other, spellings))
            first, second = self.board.slots[one].name, self.board.slots[other].name
            yield Event(EventKind.WIPE_OUT, 0, first, self.board.read(one, spellings[one]), other=second)
            return
        written = [square for slot, one in enumerate(spellings) for square in self.board.put_word(slot, one)]
        breach = self.board.breach()
        yield Event(EventKind.WIPE_OUT if breach else EventKind.SOLVED, self.depth, constraint=breach)
        self.board.take_all(written)
        self._add(formula.unlike(spellings))

    def _add(self, clause: Clause) -> None:
        assert self._formula is not None
        self._formula.clauses.append(clause)
        self._solver.add_clause(clause)

    def _clash(self, spellings: Sequence[str]) -> tuple[int, int] | None:
        """Two slots that have the same word and may not."""
        if self.board.allow_repeats:
            return None
        seen: dict[str, int] = {}
        for slot, spelling in enumerate(spellings):
            word = self.board.read(slot, spelling)
            if word in seen:
                return seen[word], slot
            seen[word] = slot
        return None
