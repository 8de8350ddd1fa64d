"""Values of the engine go to other processes whole: what held an address is rebuilt where it arrives."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from tests.engine.fill.test_filler import HARD_GRID, HARD_WORDS, HASTY
from tests.engine.small_problems import problem_of
from tests.engine.test_records import Notes, Sources, fresh_notes, fresh_sources, move
from xwtui.engine.count.estimator import Counter
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.compiler.records import Record
from xwtui.engine.problem.problem import Problem
from xwtui.model import Direction, EntryRules, Position, Rules
from xwtui.model.rules import Lacks, Pangram
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

ENTRIES = {(Position(0, 0), Direction.ACROSS): EntryRules(Lacks(("0",)))}
Searched = tuple[str, int, int, list[tuple[str, str]]]


def steered_problem() -> Problem:
    """One whose network has all arrays, those of rules about the whole grid, too."""
    lexicon = Lexicon.build([WordList.from_scores("hard", HARD_WORDS)])
    return Problem.build(HARD_GRID, lexicon, rules=Rules(entries=ENTRIES, grid=(Pangram("A"),)))


def plain_problem() -> Problem:
    return problem_of(HARD_GRID, HARD_WORDS)


def search_on(filler: Filler) -> Searched:
    """Go on with a search to its end, or a good way."""
    filler.advance(nodes=2000)
    taken = filler.statistics
    return filler.outcome.value, taken.nodes, taken.backtracks, sorted(filler.answers().items())


def search(problem: Problem, seed: int) -> Searched:
    return search_on(Filler(problem, seed=seed, settings=HASTY))


def count(problem: Problem) -> float | None:
    return Counter(problem, seed=3, particles=20).quick().log10


def addresses_in(value: Any) -> set[int]:
    return {int(address) for address in value.table[::2] if address}


def passed_through_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


COPIES = pytest.mark.parametrize("copied", [passed_through_pickle, copy.copy, copy.deepcopy])


@pytest.mark.parametrize("make", [plain_problem, steered_problem])
def test_a_problem_is_searched_alike_in_a_spawned_process(make: Callable[[], Problem]) -> None:
    problem, propagated = make(), make()
    assert propagated.root.is_possible
    begun = Filler(problem, seed=2, settings=HASTY)
    begun.advance(nodes=5)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        elsewhere = [pool.submit(search, sent, seed) for sent in (problem, propagated) for seed in range(2)]
        continued = pool.submit(search_on, begun)
        counted = pool.submit(count, propagated)
        here = [search(problem, seed) for seed in range(2)]
        assert [done.result() for done in elsewhere] == 2 * here
        assert continued.result() == search_on(begun)
        assert counted.result() == count(problem)


@COPIES
def test_a_copied_search_goes_on_alone(copied: Callable[[Any], Any]) -> None:
    begun = Filler(plain_problem(), seed=1, settings=HASTY)
    begun.advance(nodes=7)
    state, network = copied(begun._state), copied(begun.problem.network)
    assert state.memory.tolist() == begun._state.memory.tolist()
    assert network.supports.ctypes.data in addresses_in(network)
    before = state.memory.tolist()
    search_on(begun)
    assert state.memory.tolist() == before


@COPIES
def test_a_copied_block_has_arrays_of_its_own(copied: Callable[[Notes], Notes]) -> None:
    notes = fresh_notes()
    notes.words[:] = 0
    move(notes, fresh_sources(), 1, 2)
    twin = copied(notes)
    for name in Notes.fields:
        assert getattr(twin, name).tolist() == getattr(notes, name).tolist()
    move(twin, fresh_sources(), 1, 2)
    assert (notes.bytes[1], twin.bytes[1]) == (60, 120)


@COPIES
@pytest.mark.parametrize("extra", [None, np.arange(6, dtype=np.int32)])
def test_a_copied_record_points_to_its_arrays(copied: Callable[[Sources], Sources], extra: Any) -> None:
    sources = fresh_sources(extra)
    twin = copied(sources)
    assert twin.address != sources.address
    arrays = [array for name in Sources.fields if (array := getattr(twin, name)) is not None]
    assert [row.tolist() for row in twin.__dict__["table"].reshape(-1, 2) if row[0]] == [
        [array.ctypes.data, len(array)] for array in arrays
    ]
    one, other = fresh_notes(), fresh_notes()
    one.words[:] = other.words[:] = 0
    assert move(one, sources, 2, 1) == move(other, twin, 2, 1)
    assert one.pairs.tolist() == other.pairs.tolist()


def test_no_address_travels() -> None:
    """A pickle would differ between two runs, and crash who trusts it."""
    for record in (fresh_sources(), fresh_notes()):
        sent = pickle.dumps(record)
        for address in {record.address, *addresses_in(record)}:
            assert address.to_bytes(8, "little") not in sent


def test_buffers_sent_beside_a_pickle_may_be_read_only_and_oddly_placed() -> None:
    sources = fresh_sources()
    buffers: list[pickle.PickleBuffer] = []
    sent = pickle.dumps(sources, protocol=5, buffer_callback=buffers.append)
    shifted = [memoryview(b"\0" + buffer.raw().tobytes())[1:] for buffer in buffers]
    twin = pickle.loads(sent, buffers=shifted)
    assert buffers
    assert all(getattr(twin, name).flags.aligned for name in ("bytes", "pairs"))
    notes = fresh_notes()
    notes.words[:] = 0
    assert move(notes, twin, 0, 1) == 14


def test_every_kind_of_record_says_how_it_is_pickled() -> None:
    kinds = [kind for family in Record.__subclasses__() for kind in (family, *family.__subclasses__())]
    assert len(kinds) > 4
    assert all(kind.__reduce__ is not object.__reduce__ for kind in kinds)
