"""The classic fillers: one readable module for each published algorithm, all steppable, behind one protocol.

`registry` names them and reads `NAME:option=value,...`; `protocol` says what each of them is;
`board` is the ground that they share. None of these modules loads numba, and this one loads nothing.
"""

DEFAULT_STRATEGY = "xwtui"
"""The fill engine's name among them."""
