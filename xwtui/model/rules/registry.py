"""All kinds of rules, in the order in which they are told, tried and written: a new kind is a line here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from xwtui.model.rules.clash import CLASH, ClashSquares
from xwtui.model.rules.distinct import DISTINCT, SharedLetters, SharedStems
from xwtui.model.rules.glue import GLUE, GlueLimit
from xwtui.model.rules.initials import INITIALS, Initials
from xwtui.model.rules.kinds import EntryRule, GridRule, Rule
from xwtui.model.rules.latent import LATENT, EnteredOtherwise
from xwtui.model.rules.letter_limit import LetterLimit
from xwtui.model.rules.nina import NINA, Nina
from xwtui.model.rules.pangram import PANGRAM, Pangram
from xwtui.model.rules.pattern import Pattern
from xwtui.model.rules.placing import PLACE, RebusPlacing
from xwtui.model.rules.speech import RuleVerb
from xwtui.model.rules.strings import Barred, Contains, Lacks
from xwtui.model.rules.tag_limit import LIMIT, TagLimit
from xwtui.model.rules.wanted import WANT, WantedWords
from xwtui.model.rules.word_source import MinimumScore, OwnList

ENTRY_KINDS: Sequence[type[EntryRule]] = (MinimumScore, OwnList, Pattern, Contains, Lacks, Barred, LetterLimit)
"""What an answer may be asked; each is an option of the verb `rule`."""

GRID_KINDS: Sequence[type[GridRule]] = (
    WantedWords,
    SharedLetters,
    SharedStems,
    TagLimit,
    GlueLimit,
    Pangram,
    RebusPlacing,
    EnteredOtherwise,
    ClashSquares,
    Nina,
    Initials,
)
"""What the grid may be asked as a whole."""

VERBS: Sequence[RuleVerb] = (WANT, DISTINCT, LIMIT, GLUE, PANGRAM, PLACE, LATENT, CLASH, NINA, INITIALS)
"""The verbs of the rules about the whole grid."""

ORDER: Mapping[type[Rule], int] = MappingProxyType(
    {kind: number for number, kind in enumerate((*ENTRY_KINDS, *GRID_KINDS))}
)
"""The place of each kind."""
