"""The race: strategies compared on one grid, judged and summarized; its limits and defaults. Imports nothing."""

DEFAULT_SEEDS = 1
"""Runs per entrant."""
DEFAULT_SECONDS = 2.0
"""Search limit of each run, in seconds of processor time."""
MOST_SEEDS = 1000
MOST_ENTRANTS = 50
