"""Searching for a fill: one search, several at once, partial fills, fills that differ."""
