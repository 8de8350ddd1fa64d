"""The constructor's rules: a class for each kind, in a file of its own or beside its near kin.

`base` says what a rule knows, `registry` lists the kinds, `collection` holds the rules of a puzzle. How to add
one is in docs/architecture.md.
"""

from xwtui.model.rules import registry as registry
from xwtui.model.rules.answer_limits import TagLimit
from xwtui.model.rules.collection import NO_ENTRY_RULES, EntryRules, Rules
from xwtui.model.rules.distinct import SharedLetters, SharedStems
from xwtui.model.rules.entry_rules import Barred, Contains, Lacks, MinimumScore, OwnList
from xwtui.model.rules.letters_of_grid import Initials, Pangram
from xwtui.model.rules.nina import Nina
from xwtui.model.rules.pattern import Pattern
from xwtui.model.rules.placing import RebusPlacing
from xwtui.model.rules.wanted import WantedWords

__all__ = [
    "NO_ENTRY_RULES",
    "Barred",
    "Contains",
    "EntryRules",
    "Initials",
    "Lacks",
    "MinimumScore",
    "Nina",
    "OwnList",
    "Pangram",
    "Pattern",
    "RebusPlacing",
    "Rules",
    "SharedLetters",
    "SharedStems",
    "TagLimit",
    "WantedWords",
]
