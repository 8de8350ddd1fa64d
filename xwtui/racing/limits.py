"""How much may be raced, and what is raced unless told otherwise; declarations load nothing else."""

DEFAULT_SEEDS = 3
"""Runs of each entrant."""
DEFAULT_SECONDS = 10.0
"""Processor seconds that each run may search."""
MOST_SEEDS = 1000
MOST_ENTRANTS = 50
