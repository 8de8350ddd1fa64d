"""A small chart in one line of text."""

from collections.abc import Sequence

_LEVELS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[int], width: int) -> str:
    """The last `width` values as bars, scaled to the highest of them; shorter where there are fewer."""
    shown = values[-width:] if width > 0 else ()
    highest = max(shown, default=0)
    if highest <= 0:
        return _LEVELS[0] * len(shown)
    return "".join(_LEVELS[max(value, 0) * (len(_LEVELS) - 1) // highest] for value in shown)
