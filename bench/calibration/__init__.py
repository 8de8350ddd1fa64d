"""Estimates beside known counts: how far off each instrument is, and how often the interval holds the truth."""
