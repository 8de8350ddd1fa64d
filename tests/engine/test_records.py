"""Word preferences, kernel records, and engine values that are sent to other processes."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.engine.fill.test_filler import HASTY
from tests.engine.small_problems import HARD_GRID, HARD_WORDS, lexicon_of, problem_of
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.compiler.objects import Field, address_of
from xwtui.engine.kernels.compiler.records import Array, Assembled, Block, BlockLayout, Record
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, EntryRules, Position, Rules
from xwtui.model.rules import Lacks, Pangram
from xwtui.words.lexicon import Lexicon, Preferences
from xwtui.words.word_list import WordList

GRID = grid_from_text("....\n....\n....\n....\n")
WORDS = {"".join(letters): 50 for letters in product("AEST", repeat=4)}
SOME = WordList.from_scores("some", dict.fromkeys(list(WORDS)[::4], 50))
SEEDS = range(25)


def uses(preferences: Preferences) -> int:
    """Return how many answers of `SOME` are in the fills of all seeds."""
    layer = WordList.from_scores("all", WORDS)
    problem = Problem.build(GRID, Lexicon.build([layer], preferences=preferences))
    count = 0
    for seed in SEEDS:
        filler = Filler(problem, seed=seed)
        assert filler.advance(nodes=10_000) is Outcome.FILLED
        count += sum(answer in SOME for answer in filler.answers().values())
        rows = [int(problem.rows_left(filler.state, slot)[0]) for slot in range(len(problem.slots))]
        assert {problem.score(slot, row) for slot, row in enumerate(rows)} == {50}
    return count


def test_preferred_words_are_used_more_and_recent_ones_less() -> None:
    rather, neither, rather_not = uses(Preferences((SOME,))), uses(Preferences()), uses(Preferences(recent=SOME))
    assert rather > 1.5 * neither
    assert rather_not < neither / 1.5


def test_without_preferences_the_search_is_unchanged() -> None:
    plain = Problem.build(GRID, lexicon_of(WORDS))
    assert plain.network.row_appeals.tolist() == plain.network.row_scores.tolist()


ROWS = 5
COLUMNS = 3
_HIGH = 50


class Notes(Block, columns={"pairs": COLUMNS}):
    """One array of each element type."""

    bytes: Array[np.uint8]
    ints: Array[np.int32]
    pairs: Array[np.int64]
    floats: Array[np.float64]
    words: Array[np.uint64]


@dataclass(frozen=True, eq=False)
class Sources(Assembled, columns={"pairs": COLUMNS}, is_fixed=True):
    """Arrays, one of which is optional."""

    bytes: Array[np.uint8]
    pairs: Array[np.int64]
    extra: Array[np.int32] | None


@inlined
def extra_of(extra: NDArray[np.int32] | None, row: int) -> int:
    """Read an optional field; numba removes the branch that its type excludes."""
    if extra is None:
        return 0
    return int(extra[row])


@kernel
def mark(notes: Notes, row: int, column: int) -> bool:
    """Write a word and read a byte."""
    notes.words[row] |= np.uint64(1) << np.uint64(column)
    return bool(notes.bytes[row] > _HIGH)


@entry_point
def move(notes: Notes, sources: Sources, row: int, column: int) -> int:
    notes.bytes[row] += sources.bytes[column]
    notes.ints[row] -= notes.bytes[row]
    notes.pairs[row, column] += notes.ints[row] + sources.pairs[row, 1]
    notes.floats[row] += 0.5 * notes.pairs[row, column]
    is_high = mark(notes, row, column)
    notes.ints[row] += extra_of(sources.extra, row)
    return len(notes.pairs) + len(sources.bytes) + is_high


def fresh_notes() -> Notes:
    return Notes(BlockLayout(Notes.fields, dict.fromkeys(Notes.fields, ROWS), first_scratch="words"))


def fresh_sources(extra: NDArray[np.int32] | None = None) -> Sources:
    return Sources(np.arange(9, dtype=np.uint8) * 30, np.arange(6 * COLUMNS).reshape(6, COLUMNS), extra)


def move_plainly(notes: Notes, sources: Sources, row: int, column: int) -> int:
    """Do the same in Python."""
    with np.errstate(over="ignore"):
        notes.bytes[row] += sources.bytes[column]
    notes.ints[row] -= notes.bytes[row]
    notes.pairs[row, column] += notes.ints[row] + sources.pairs[row, 1]
    notes.floats[row] += 0.5 * notes.pairs[row, column]
    notes.words[row] |= np.uint64(1 << column)
    notes.ints[row] += 0 if sources.extra is None else sources.extra[row]
    return ROWS + 9 + bool(notes.bytes[row] > _HIGH)


def test_a_field_has_its_annotated_type() -> None:
    assert Sources.fields == {
        "bytes": Field(np.dtype(np.uint8), 0, may_lack=False),
        "pairs": Field(np.dtype(np.int64), COLUMNS, may_lack=False),
        "extra": Field(np.dtype(np.int32), 0, may_lack=True),
    }


@pytest.mark.parametrize("annotation", [NDArray[np.int64], NDArray[np.int64] | None, np.ndarray, int, list[int]])
def test_a_field_without_an_element_type_is_refused(annotation: Any) -> None:
    """The meaning of numpy's own alias differs between numpy versions."""
    with pytest.raises(TypeError, match="counts is not declared as an Array"):
        type("Odd", (Block,), {"__annotations__": {"counts": annotation}})


@given(st.lists(st.tuples(st.integers(0, ROWS - 1), st.integers(0, COLUMNS - 1)), max_size=20), st.booleans())
def test_a_kernel_does_what_python_does(places: list[tuple[int, int]], has_extra: bool) -> None:
    sources = fresh_sources(np.arange(-3, 3, dtype=np.int32) if has_extra else None)
    compiled, plain = fresh_notes(), fresh_notes()
    compiled.words[:] = plain.words[:] = 0
    for row, column in places:
        assert move(compiled, sources, row, column) == move_plainly(plain, sources, row, column)
    for name in Notes.fields:
        assert getattr(compiled, name).tolist() == getattr(plain, name).tolist()


def test_arrays_of_a_block_do_not_overlap() -> None:
    notes = fresh_notes()
    for number, name in enumerate(Notes.fields, 1):
        getattr(notes, name)[:] = number
    for number, name in enumerate(Notes.fields, 1):
        assert (getattr(notes, name) == number).all()
        assert getattr(notes, name).dtype == Notes.fields[name].dtype
    assert notes.pairs.shape == (ROWS, COLUMNS)
    with pytest.raises(AttributeError, match="Notes has no rows"):
        _ = notes.rows


def test_a_copy_leaves_scratch_arrays_unset_but_lengthening_keeps_them() -> None:
    notes = fresh_notes()
    notes.ints[2], notes.words[1] = 7, 8
    twin, longer = notes.copy(), notes.lengthened("words", 9)
    notes.ints[2] = 0
    assert twin.ints.tolist() == longer.ints.tolist() == [0, 0, 7, 0, 0]
    assert (longer.words[1], len(longer.words), len(twin.words)) == (8, 9, ROWS)
    move(longer, fresh_sources(), 4, 2)
    assert longer.bytes.tolist() == [0, 0, 0, 0, 60]


@pytest.mark.parametrize("array", [np.arange(3), np.zeros(0, np.int64), np.zeros((2, 3), np.uint8)])
def test_elements_are_found_in_writable_and_read_only_arrays(array: NDArray[Any]) -> None:
    kept = array.copy()
    kept.flags.writeable = False
    assert (address_of(array), address_of(kept)) == (array.ctypes.data, kept.ctypes.data)


@pytest.mark.parametrize(
    ("field", "array"),
    [
        ("bytes", np.zeros(8, np.uint8)[::2]),
        ("bytes", np.zeros(8, np.int8)),
        ("pairs", np.zeros((4, COLUMNS + 1), np.int64)),
        ("pairs", np.zeros(4, np.int64)),
        ("pairs", None),
    ],
)
def test_arrays_that_kernels_would_misread_are_refused(field: str, array: Any) -> None:
    with pytest.raises(TypeError, match=field):
        replace(fresh_sources(), **{field: array})


ENTRIES = {(Position(0, 0), Direction.ACROSS): EntryRules(Lacks(("0",)))}
Searched = tuple[str, int, int, list[tuple[str, str]]]


def constrained_problem() -> Problem:
    """Return a problem whose network has all arrays, including those of grid rules."""
    lexicon = Lexicon.build([WordList.from_scores("hard", HARD_WORDS)])
    return Problem.build(HARD_GRID, lexicon, rules=Rules(entries=ENTRIES, grid=(Pangram("A"),)))


def plain_problem() -> Problem:
    return problem_of(HARD_GRID, HARD_WORDS)


def search_on(filler: Filler) -> Searched:
    """Continue a search to its end, or for many nodes."""
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


@pytest.mark.parametrize("make", [plain_problem, constrained_problem])
def test_a_problem_is_searched_the_same_in_a_spawned_process(make: Callable[[], Problem]) -> None:
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
def test_a_copied_search_continues_independently(copied: Callable[[Any], Any]) -> None:
    begun = Filler(plain_problem(), seed=1, settings=HASTY)
    begun.advance(nodes=7)
    state, network = copied(begun.state), copied(begun.problem.network)
    assert state.memory.tolist() == begun.state.memory.tolist()
    assert network.supports.ctypes.data in addresses_in(network)
    before = state.memory.tolist()
    search_on(begun)
    assert state.memory.tolist() == before


@COPIES
def test_a_copied_block_has_its_own_arrays(copied: Callable[[Notes], Notes]) -> None:
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
def test_a_copied_record_points_to_its_own_arrays(copied: Callable[[Sources], Sources], extra: Any) -> None:
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


def test_no_address_is_pickled() -> None:
    """A pickle would differ between runs, and crash any process that trusts it."""
    for record in (fresh_sources(), fresh_notes()):
        sent = pickle.dumps(record)
        for address in {record.address, *addresses_in(record)}:
            assert address.to_bytes(8, "little") not in sent


def test_out_of_band_pickle_buffers_may_be_read_only_and_unaligned() -> None:
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


def test_every_record_type_defines_its_pickling() -> None:
    kinds = [kind for family in Record.__subclasses__() for kind in (family, *family.__subclasses__())]
    assert len(kinds) > 4
    assert all(kind.__reduce__ is not object.__reduce__ for kind in kinds)
