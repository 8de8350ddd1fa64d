"""Propagation: crossings, all-different answers, global constraints, and bounds on the worth."""
