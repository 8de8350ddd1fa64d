"""The constructor's rules: a class for each kind, in a file of its own or beside its near kin.

`kinds` says what a rule knows, `registry` lists the kinds, `collection` holds the rules of a puzzle. How to add
one is in docs/architecture.md.
"""

from xwtui.model.rules import registry as registry
from xwtui.model.rules.collection import NO_ENTRY_RULES, EntryRules, Rules
from xwtui.model.rules.distinct import SharedLetters, SharedStems
from xwtui.model.rules.entry_words import MinimumScore, OwnList
from xwtui.model.rules.initials import Initials
from xwtui.model.rules.nina import Nina
from xwtui.model.rules.pangram import Pangram
from xwtui.model.rules.pattern import Pattern
from xwtui.model.rules.placing import RebusPlacing
from xwtui.model.rules.strings import Barred, Contains, Lacks
from xwtui.model.rules.tag_limit import TagLimit
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
