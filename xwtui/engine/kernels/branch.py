"""What is decided next: what is demanded of the whole grid, then the slot that is likeliest to fail."""

from xwtui.engine.kernels.choose import draw_row
from xwtui.engine.kernels.choose_square import draw_symbol, open_square
from xwtui.engine.kernels.compiled import kernel
from xwtui.engine.kernels.network import Network
from xwtui.engine.kernels.search_state import SQUARES_FIRST, Search
from xwtui.engine.kernels.seek import seek
from xwtui.engine.kernels.squares import square_mask
from xwtui.engine.kernels.state import DEPTH, State
from xwtui.engine.kernels.weights import next_slot


@kernel
def choose_decision(network: Network, state: State, search: Search) -> bool:
    """Write the next decision into `search.decisions` at the present depth; False where all is decided."""
    is_demanding = len(network.demands) > 0
    if is_demanding and seek(network, state, search, False):
        return True
    slot = next_slot(network, state, search)
    if slot < 0:
        return is_demanding and seek(network, state, search, True)
    decision = search.decisions[state.control[DEPTH]]
    square = -1
    if search.settings[SQUARES_FIRST] != 0:
        square = open_square(network, state, search, slot)
    if square >= 0:
        decision[0] = ~square
        decision[1] = draw_symbol(network, state, search, square, square_mask(network, state, square))
    else:
        decision[0] = slot
        decision[1] = draw_row(network, state, search, slot)
    return True
