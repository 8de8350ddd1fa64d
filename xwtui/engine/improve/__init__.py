"""Improving a fill by refilling parts of it, with a bound on the best possible value."""
