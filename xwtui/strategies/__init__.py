"""The classic fillers: one readable module per published algorithm, all steppable, behind one protocol.

`registry` lists them and parses `NAME:option=value,...`; `protocol` defines their interface; `board` is the
representation of the puzzle that they share. None of these modules loads numba, and importing this package loads
nothing.
"""

DEFAULT_STRATEGY = "xwtui"
"""The name of the fill engine's strategy."""
