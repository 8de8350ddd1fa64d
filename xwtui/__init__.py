"""xwtui: a workbench for people who construct crosswords, in the terminal."""

__version__ = "0.1.1"
