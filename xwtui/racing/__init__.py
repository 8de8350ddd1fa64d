"""The race: strategies and settings of the engine on one grid, side by side, judged and summed up.

Here stands how much may be raced, and what is raced unless told otherwise; it loads nothing.
"""

DEFAULT_SEEDS = 1
"""Runs of each entrant."""
DEFAULT_SECONDS = 2.0
"""Processor seconds that each run may search."""
MOST_SEEDS = 1000
MOST_ENTRANTS = 50
