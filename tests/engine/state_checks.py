"""What must hold of a search's state whenever it rests, read from its arrays without the kernels."""

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import DOMAIN, PLACES, SQUARE, TABLE
from xwtui.engine.kernels.search.decisions import PHASE
from xwtui.engine.kernels.search.search import BACK_UP, DONE
from xwtui.engine.kernels.state import QUEUE_COUNT, TRAIL_TOP


def check_state(filler: Filler) -> None:
    """Sizes, sparse sets and, where nothing is pending, the squares' symbols, against the domains' bits."""
    problem, state = filler.problem, filler._state
    network = problem.network
    slots = len(problem.slots)
    limits = state.memory[int(network.slots[-1, DOMAIN]) :][:slots]
    sizes = problem.domain_sizes(state)
    masks = problem.masks(state)
    is_dead_end = filler._search.progress[PHASE] in (BACK_UP, DONE) and filler.outcome is not Outcome.FILLED
    for slot in range(slots):
        rows = problem.rows_left(state, slot).tolist()
        assert len(rows) == sizes[slot]
        start, end = int(network.slots[slot, DOMAIN]), int(network.slots[slot + 1, DOMAIN])
        sparse = state.sparse[start:end].tolist()
        assert sorted(sparse) == list(range(end - start))
        for word in sparse[int(limits[slot]) :]:
            assert state.memory[start + word] == 0
        if state.control[QUEUE_COUNT] == 0 and all(sizes) and not is_dead_end:
            _check_masks(filler, slot, rows, masks)
    assert state.control[TRAIL_TOP] * 2 <= len(state.trail)
    assert (state.control[QUEUE_COUNT] > 0) == bool(state.pending.any())


def _check_masks(filler: Filler, slot: int, rows: list[int], masks: list[int]) -> None:
    """At rest, and not in a dead end, a square can take exactly the symbols that the slot's rows show there."""
    network = filler.problem.network
    symbols = filler.problem.tables[slot].symbols
    assert network.slots[slot, TABLE] >= 0
    for index, place in enumerate(range(int(network.slots[slot, PLACES]), int(network.slots[slot + 1, PLACES]))):
        shown = sum(1 << symbol for symbol in set(symbols[rows, index].tolist()))
        assert masks[int(network.places[place, SQUARE])] == shown
