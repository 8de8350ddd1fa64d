"""The verbs for rules of the whole grid, made from what each kind declares, and the list of all rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from xwtui.model.rules import edits
from xwtui.model.rules.registry import VERBS
from xwtui.model.rules.speech import RuleVerb
from xwtui.model.rules.telling import rule_lines
from xwtui.session.verbs.rule_types import OffType, click_argument, click_option
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


def _declare(spoken: RuleVerb) -> None:
    """Declare the verb of some kinds of rules: a line edits them or asks for them, and they are shown."""

    def function(session: Session, **line: Any) -> Answer:
        edited = spoken.edit(session.puzzle.rules, line)
        if edited is not None:
            session.edit(edited.label, lambda puzzle: edits.with_rules(puzzle, edited.rules))
        return _shown(session, spoken)

    function.__doc__ = spoken.help
    declared: Callable[..., Answer] = function
    for option in reversed(spoken.options):
        declared = click_option(option)(declared)
    for argument in reversed(spoken.arguments):
        declared = click_argument(argument)(declared)
    verb(Group.RULES, name=spoken.name, examples=spoken.examples)(declared)


def _shown(session: Session, spoken: RuleVerb) -> list[str]:
    """The rules of a verb's kinds, or that there are none, and what is odd about them."""
    puzzle, lexicon = session.puzzle, session.jobs.words.lexicon
    lines = [line for rule in puzzle.rules.grid if isinstance(rule, spoken.kinds) for line in rule.lines()]
    if lexicon is None or not lines:
        return lines or [spoken.nothing]
    from xwtui.words.rule_findings import rule_notes  # noqa: PLC0415  (loads numpy)

    return [*lines, *rule_notes(puzzle, lexicon, spoken.kinds)]


for _spoken in VERBS:
    _declare(_spoken)


@verb(Group.RULES, examples=("rules", "rules off"))
@click.argument("off", type=OffType(), required=False, help="`off` takes all rules away")
def rules(session: Session, off: str | None) -> Answer:
    """List all rules that are in force."""
    if off:
        session.edit("rules off", edits.without_rules)
    return rule_lines(session.puzzle) or ["no rules: answers are in the word list and differ, and that is all"]
