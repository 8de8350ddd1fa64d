"""The race: strategies and engine settings compared on one grid, judged and summarized.

This module has the limits and defaults of a race, and imports nothing.
"""

DEFAULT_SEEDS = 1
"""Runs per entrant."""
DEFAULT_SECONDS = 2.0
"""Search limit of each run, in seconds of processor time."""
MOST_SEEDS = 1000
MOST_ENTRANTS = 50
