"""The constructor's rules: one class for each kind, in its own file or with related kinds.

`base` defines the interface of a rule, `registry` lists the kinds, and `collection` holds a puzzle's rules.
docs/architecture.md explains how to add a kind.
"""

from xwtui.model.rules import registry as registry
from xwtui.model.rules.answer_limits import TagLimit as TagLimit
from xwtui.model.rules.collection import NO_ENTRY_RULES as NO_ENTRY_RULES
from xwtui.model.rules.collection import EntryRules as EntryRules
from xwtui.model.rules.collection import Rules as Rules
from xwtui.model.rules.distinct import SharedLetters as SharedLetters
from xwtui.model.rules.distinct import SharedStems as SharedStems
from xwtui.model.rules.entry_rules import Barred as Barred
from xwtui.model.rules.entry_rules import Contains as Contains
from xwtui.model.rules.entry_rules import Lacks as Lacks
from xwtui.model.rules.entry_rules import MinimumScore as MinimumScore
from xwtui.model.rules.entry_rules import OwnList as OwnList
from xwtui.model.rules.letters_of_grid import Initials as Initials
from xwtui.model.rules.letters_of_grid import Pangram as Pangram
from xwtui.model.rules.nina import Nina as Nina
from xwtui.model.rules.pattern import Pattern as Pattern
from xwtui.model.rules.placing import RebusPlacing as RebusPlacing
from xwtui.model.rules.wanted import WantedWords as WantedWords
