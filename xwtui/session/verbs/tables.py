"""The tables of verbs and keys for the docs, made from the declarations."""

from __future__ import annotations

from collections.abc import Iterable

from xwtui.session.verbs.help import key_cap
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Group

_MOST_EXAMPLES = 2


def verb_table() -> str:
    """All verbs as a Markdown table: name with arguments, what it does, key."""
    lines = ["| Verb | What it does | Key |", "| --- | --- | --- |"]
    for group in Group:
        lines += [
            f"| `{_escaped(verb.usage)}` | {_escaped(verb.summary)} | {_codes(map(key_cap, verb.keys))} |"
            for verb in VERBS.values()
            if verb.group is group
        ]
    return "\n".join(lines) + "\n"


def rule_table() -> str:
    """The verbs of the rules as a Markdown table: examples, and what the verb does."""
    lines = ["| For example | What it does |", "| --- | --- |"]
    lines += [
        f"| {_codes(verb.examples[:_MOST_EXAMPLES])} | {_escaped(verb.summary)} |"
        for verb in VERBS.values()
        if verb.group is Group.RULES
    ]
    return "\n".join(lines) + "\n"


def key_table(own: Iterable[tuple[str, str]] = ()) -> str:
    """All keys as a Markdown table: a face's own, each with its meaning, then those of the verbs."""
    lines = ["| Key | What it does |", "| --- | --- |"]
    lines += [f"| {_code(key)} | {_escaped(meaning)} |" for key, meaning in own]
    lines += [
        f"| {_codes(map(key_cap, verb.keys))} | {_escaped(verb.summary)} (`{verb.name}`) |"
        for verb in VERBS.values()
        if verb.keys
    ]
    return "\n".join(lines) + "\n"


def _codes(keys: Iterable[str]) -> str:
    return ", ".join(map(_code, keys))


def _code(key: str) -> str:
    return "`` ` ``" if key == "`" else f"`{_escaped(key)}`"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
