"""The help of the verbs, made from their declarations."""

from __future__ import annotations

import click

from xwtui.session.verbs.keys import key_caps
from xwtui.session.verbs.verb import BOOK, Group, Verb, names_of


def overview() -> list[str]:
    """All verbs by group, a line each, with their keys."""
    lines: list[str] = []
    width = max(len(verb.name) for verb in BOOK.verbs.values())
    for group in Group:
        lines.append(group.value)
        for verb in BOOK.verbs.values():
            if verb.group is group:
                keys = f"  [{key_caps(verb)}]" if verb.keys else ""
                lines.append(f"  {verb.name:{width}}  {verb.summary}{keys}")
    return [*lines, "`help VERB` tells more."]


def help_on(verb: Verb) -> list[str]:
    """How a verb is used: its form, what it does, its arguments, keys and examples."""
    params = [(_label(param), _param_help(param)) for param in verb.command.params]
    width = max((len(label) for label, _ in params), default=0)
    lines = [f"usage: {verb.usage}", *(verb.command.help or "").splitlines()]
    lines += [f"  {label:{width}}  {text}" for label, text in params]
    if verb.keys:
        lines.append(f"keys: {key_caps(verb)}")
    if verb.aliases:
        lines.append(f"also: {', '.join(verb.aliases)}")
    return lines + [f"example: {example}" for example in verb.examples]


def _label(param: click.Parameter) -> str:
    return ", ".join(names_of(param)) if isinstance(param, click.Option) else param.human_readable_name


def _param_help(param: click.Parameter) -> str:
    return getattr(param, "help", None) or ""
