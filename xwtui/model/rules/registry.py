"""All kinds of rules, in the order in which they are listed, tested and written. A new kind is one line here."""

from __future__ import annotations

from collections.abc import Sequence

from xwtui import plugins
from xwtui.model.rules.answer_limits import GLUE, LIMIT
from xwtui.model.rules.base import EntryRule, GridRule, Rule
from xwtui.model.rules.clash import CLASH
from xwtui.model.rules.collection import RuleVerb
from xwtui.model.rules.distinct import DISTINCT
from xwtui.model.rules.entry_rules import Barred, Contains, Lacks, LetterLimit, MinimumScore, OwnList
from xwtui.model.rules.grammar import Value
from xwtui.model.rules.latent import LATENT
from xwtui.model.rules.letters_of_grid import INITIALS, PANGRAM
from xwtui.model.rules.nina import NINA
from xwtui.model.rules.pattern import Pattern
from xwtui.model.rules.placing import PLACE
from xwtui.model.rules.wanted import WANT

_ENTRY_KINDS: Sequence[type[EntryRule]] = (MinimumScore, OwnList, Pattern, Contains, Lacks, Barred, LetterLimit)

_VERBS: Sequence[RuleVerb] = (WANT, DISTINCT, LIMIT, GLUE, PANGRAM, PLACE, LATENT, CLASH, NINA, INITIALS)


_fields = {kind.field for kind in _ENTRY_KINDS} | {kind.option.flag for kind in _ENTRY_KINDS}
_verbs = {verb.name for verb in _VERBS}


def _fault(found: object) -> str:
    """Return why a third-party entry kind, or verb with its grid kinds, is rejected; empty if it is not."""
    if isinstance(found, RuleVerb):
        if found.name in _verbs or not all(issubclass(kind, GridRule) for kind in found.kinds):
            return f"its verb {found.name} is in use, or its kinds are not GridRule"
        _verbs.add(found.name)
        return ""
    if not isinstance(found, type) or not issubclass(found, EntryRule):
        return "it is neither a class of xwtui.model.rules.base.EntryRule nor a RuleVerb"
    option = found.option
    if found.__abstractmethods__ or not all(isinstance(value, Value) for value in option.values):
        return "it is a rule for another xwtui: part of it is missing, or its option differs"
    if used := sorted(_fields & {found.field, option.flag}):
        return f"its {used[0]} is in use"
    _fields.update((found.field, option.flag))
    return ""


_others = tuple(plugins.plugins(plugins.RULES, _fault))

ENTRY_KINDS: Sequence[type[EntryRule]] = (*_ENTRY_KINDS, *(one for one in _others if isinstance(one, type)))
"""The kinds of entry rules, each an option of the verb `rule`."""


VERBS: Sequence[RuleVerb] = (*_VERBS, *(one for one in _others if isinstance(one, RuleVerb)))
"""The verbs for rules about the whole grid."""

GRID_KINDS: Sequence[type[GridRule]] = tuple(kind for verb in VERBS for kind in verb.kinds)
"""The kinds of rules about the whole grid."""

_kind: type[Rule]
for _number, _kind in enumerate((*ENTRY_KINDS, *GRID_KINDS)):
    _kind.place = _number
