"""A fill as a CNF formula for a conflict-driven SAT solver.

Source: Bob Copeland, "On board the rebus": "Knowing that the crossword fill problem is an instance of SAT, I went
off to read what Knuth had to say about it". The solver is Glucose 4, through python-sat, which is the extra `sat`.

There is a variable for each letter that a square may have, and one for each word that an entry may have:

- a square has exactly one letter;
- an entry has a word, and a word implies its letters;
- a letter on a square implies, for each entry through it, a word that has it there.

Clauses for differing answers and for rules about the whole grid would outnumber all others. Those are checked on
each fill that the solver finds: an invalid one is excluded by a clause, and the solver continues.

The search is complete. If there is no fill, the learned clauses are a proof, which `proof` returns in a form that
other programs can check: the formula in DIMACS, the proof in DRAT.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Generator, Iterator, Mapping, Sequence
from io import StringIO
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple

from xwtui.engine.events.event import Decision, Event, EventKind, Outcome
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.interrupts import register_ending
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.plugins import install_hint
from xwtui.strategies.board import EMPTY, Board, fits
from xwtui.strategies.protocol import Counters, Option, OptionValues, Proof, Strategy, WordLookUp

with lazy_imports():
    from pysat.solvers import Glucose4

Clause = list[int]
"""A disjunction of variables; a negative number negates its variable."""

CLAUSES_A_PAUSE = 5_000
"""Clauses handed to the solver, in some milliseconds, between checks of the time."""
SECONDS_A_PAUSE = 0.02
"""Seconds to wait for the solver between checks of the time."""


class SlotVariables(NamedTuple):
    """The spellings of a slot, and the variable of the first; the others are numbered consecutively."""

    words: Sequence[str]
    first: int

    @property
    def variables(self) -> range:
        return range(self.first, self.first + len(self.words))

    def numbered(self) -> Iterator[tuple[int, str]]:
        return enumerate(self.words, self.first)


class FillFormula:
    """The clauses of a board, with its contents as given. They are generated again on each use."""

    def __init__(self, board: Board) -> None:
        """Take a board; `number` must run before anything else is used."""
        self._board = board
        self.letters: list[dict[str, int]] = [{} for _ in board.positions]
        """For each square, the variable of each symbol that it may have."""
        self.words: list[SlotVariables] = []
        """The word variables of each slot."""
        self.ruled_out: list[Clause] = []
        """Clauses added to exclude invalid or earlier fills."""
        self._next = 1

    def number(self) -> Iterator[None]:
        for number, slot in enumerate(self._board.slots):
            pattern = self._board.pattern(number)
            is_empty = pattern == EMPTY * len(pattern)
            words = slot.words if is_empty else [word for word in slot.words if fits(pattern, word)]
            self.words.append(SlotVariables(words, self._next))
            self._next += len(words)
            for word in words:
                for square, symbol in zip(slot.squares, word, strict=True):
                    if symbol not in self.letters[square]:
                        self.letters[square][symbol] = self._next
                        self._next += 1
            yield

    def clauses(self) -> Iterator[Clause]:
        """Yield the clauses of the board, and those added since."""
        for slot, words in zip(self._board.slots, self.words, strict=True):
            yield list(words.variables)
            letters = [self.letters[square] for square in slot.squares]
            for variable, word in words.numbered():
                yield from ([-variable, here[symbol]] for here, symbol in zip(letters, word, strict=True))
        for slot, words in zip(self._board.slots, self.words, strict=True):
            for at, number in enumerate(slot.squares):  # each letter implies a word of the slot
                having = {symbol: [-letter] for symbol, letter in self.letters[number].items()}
                for variable, word in words.numbered():
                    having[word[at]].append(variable)
                yield from having.values()
        for square in self.letters:
            numbers = list(square.values())
            yield numbers
            yield from ([-one, -other] for at, one in enumerate(numbers) for other in numbers[:at])
        yield from self.ruled_out

    def dimacs(self) -> str:
        """Return the formula in DIMACS, with comments that name its variables: `17A = WORD`, `r1c1 = A`."""
        board, text = self._board, StringIO()
        for slot, words in enumerate(self.words):
            for variable, word in words.numbered():
                text.write(f"c {variable} {board.slots[slot].name} = {board.read(slot, word)}\n")
        for at, letters in zip(board.positions, self.letters, strict=True):
            for symbol, variable in letters.items():
                text.write(f"c {variable} {at} = {board.content(symbol)}\n")
        text.write(f"p cnf {self._next - 1} {sum(1 for _ in self.clauses())}\n")
        for clause in self.clauses():
            text.write(" ".join(map(str, [*clause, 0])) + "\n")
        return text.getvalue()


class Sat(Strategy):
    """Clauses and a solver; a step is a number of its conflicts."""

    name = "sat"
    summary = "turns the grid into clauses for a SAT solver, whose proofs can be checked"
    source = "Copeland, On board the rebus; Glucose 4 by python-sat"
    index = WordLookUp("none: clauses", "nothing")
    options = (Option.number("conflicts", 50, 1, 1_000_000, "conflicts of the solver per step"),)
    proof_suffix = ".drat"
    enters_races = False  # an ordinary grid has too many clauses for it

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        super().__init__(task, values, seed)
        self.board = Board(task)
        self._formula = FillFormula(self.board)
        self._solver: Any = None
        self._thread_seconds = 0.0
        self._written = frozenset(slot for slot in range(len(self.board.slots)) if not self.board.is_filled(slot))
        """The slots that are not given."""

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The given squares, and the fill if there is one; the solver does not report partial assignments."""
        return self.board.contents()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The words of a fill; the solver does not report partial assignments."""
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
        if self._solver is None:
            return self.counted
        statistics = self._solver.accum_stats()
        counted = self.counted
        return Counters(
            statistics["decisions"],
            statistics["conflicts"],
            statistics["restarts"],
            fills=counted.fills,
            deepest=counted.deepest,
        )

    @property
    def thread_seconds(self) -> float:
        return self._thread_seconds

    @property
    def proof(self) -> Proof | None:
        if self.outcome is not Outcome.IMPOSSIBLE:
            return None
        return Proof("\n".join([*self._solver.get_proof(), ""]), self._formula.dimacs())

    def search(self) -> Iterator[Event | None]:
        """Solve in steps, and continue from each fill to the next; raises EngineError without python-sat."""
        if importlib.util.find_spec("pysat") is None:
            raise EngineError(f"sat needs python-sat: {install_hint('sat')}")
        self.reason = self.board.flaw()
        self._solver = Glucose4(with_proof=True)
        yield from self._formula.number()
        for number, clause in enumerate(self._formula.clauses(), 1):
            self._solver.add_clause(clause)
            if number % CLAUSES_A_PAUSE == 0:
                yield None
        is_open = True
        while is_open:
            self._solver.clear_interrupt()
            self._solver.conf_budget(self.values.number("conflicts"))
            found = yield from self._solve()
            if found is None:
                yield Event(EventKind.RESTART, 0, before=0)
            elif found:
                yield from self._check_fill()
            is_open = found is not False

    def _solve(self) -> Generator[None, None, bool | None]:
        """Run the solver in its own thread; returns whether there is a fill, or None if still unknown.

        The solver checks its budget only at restarts, and in a large formula a single conflict may take seconds.
        """
        solver, answer = self._solver, SimpleQueue[bool | None]()
        # with `expect_interrupt`, it releases the GIL
        solving = Thread(target=lambda: answer.put(solver.solve_limited(expect_interrupt=True)), daemon=True)
        solving.start()
        begun, before = perf_counter(), self._thread_seconds
        try:
            while True:
                try:
                    return answer.get(timeout=SECONDS_A_PAUSE)
                except Empty:
                    yield None
                finally:
                    self._thread_seconds = before + perf_counter() - begun
        finally:
            solver.interrupt()  # the solver of an abandoned search ends at its next restart
            register_ending([solving])

    def _check_fill(self) -> Iterator[Event]:
        """Report a fill found by the solver, or why it is invalid, and exclude it."""
        words, true = self._formula.words, {variable for variable in self._solver.get_model() if variable > 0}
        chosen = [next(variable for variable in own.variables if variable in true) for own in words]
        spellings = [own.words[variable - own.first] for own, variable in zip(words, chosen, strict=True)]
        clash = self._clash(spellings)
        if clash is not None:
            one, other = clash
            self._add([-chosen[slot] for slot in clash])
            first, second = self.board.slots[one].name, self.board.slots[other].name
            word = self.board.read(one, spellings[one])
            repeat = f"a fill with {word} in both {first} and {second}"
            yield Event(EventKind.WIPE_OUT, 0, first, word, other=second, constraint=repeat)
            return
        written = [square for slot, one in enumerate(spellings) for square in self.board.put_word(slot, one)]
        breach = self.board.breach()
        yield Event(EventKind.WIPE_OUT if breach else EventKind.SOLVED, self.depth, constraint=breach)
        self.board.take_all(written)
        self._add([-variable for variable in chosen])

    def _add(self, clause: Clause) -> None:
        self._formula.ruled_out.append(clause)
        self._solver.add_clause(clause)

    def _clash(self, spellings: Sequence[str]) -> tuple[int, int] | None:
        """Return two slots that have the same word although they may not."""
        if self.board.allow_repeats:
            return None
        seen: dict[str, int] = {}
        for slot, spelling in enumerate(spellings):
            word = self.board.read(slot, spelling)
            if word in seen:
                return seen[word], slot
            seen[word] = slot
        return None
