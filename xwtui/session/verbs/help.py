"""The verbs for the session itself, help and quit, with the keys as they stand on a keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.errors import VerbError
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.session.verbs.types import VerbType
from xwtui.session.verbs.verb import BOOK, Answer, Group, Reply, Verb, names_of, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session

_CAPS = {
    "full_stop": ".",
    "grave_accent": "`",
    "question_mark": "?",
    "exclamation_mark": "!",
    "colon": ":",
    "plus": "+",
    "minus": "-",
    "asterisk": "*",
    "equals_sign": "=",
    "percent_sign": "%",
    "dollar_sign": "$",
    "left_square_bracket": "[",
    "backslash": "\\",
    "at": "@",
    "escape": "Esc",
    "space": "Space",
    "tab": "Tab",
    "enter": "Enter",
    "backspace": "Backspace",
    "delete": "Delete",
}


def key_cap(key: str) -> str:
    """A Textual key name as people write it: `ctrl+l` is `Ctrl+L`, `full_stop` is `.`."""
    *modifiers, last = key.split("+")
    cap = _CAPS.get(last, last.upper() if len(last) == 1 or last[1:].isdigit() else last.capitalize())
    return "+".join([*(modifier.capitalize() for modifier in modifiers), cap])


def key_caps(verb: Verb) -> str:
    """The keys of a verb as people write them, or an empty text."""
    return ", ".join(key_cap(key) for key in verb.keys)


def overview() -> list[str]:
    """All verbs by group, a line each, with their keys."""
    lines: list[str] = []
    width = max(len(one.name) for one in BOOK.verbs.values())
    for group in Group:
        lines.append(group.value)
        for one in BOOK.verbs.values():
            if one.group is group:
                keys = f"  [{key_caps(one)}]" if one.keys else ""
                lines.append(f"  {one.name:{width}}  {one.summary}{keys}")
    return [*lines, "`help VERB` tells more."]


def help_on(verb: Verb) -> list[str]:
    """How a verb is used: its form, what it does, its arguments, keys and examples."""
    params = [(_label(param), _param_help(param)) for param in (*verb.arguments, *verb.options)]
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


def found_in_help(search: str) -> list[str]:
    """The verbs whose name, help, group, examples or keys have all words of a search, a line each."""
    words = search.lower().split()
    found = [one for one in BOOK.verbs.values() if all(word in _searched(one) for word in words)]
    width = max((len(one.name) for one in found), default=0)
    return [f"  {one.name:{width}}  {one.summary}{f'  [{key_caps(one)}]' if one.keys else ''}" for one in found]


def _searched(verb: Verb) -> str:
    params = " ".join(_param_help(param) for param in (*verb.arguments, *verb.options))
    told = (verb.group.value, verb.usage, verb.command.help or "", params, *verb.aliases, *verb.examples)
    return f"{' '.join(told)} {key_caps(verb)}".lower()


class HelpTopicType(VerbType[str]):
    """The name of a verb, or words to search for."""

    name = "verb"
    takes_rest = True

    def read(self, text: str, session: Session) -> str:
        """The words without quotes."""
        return text.strip("\"'")

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """All verbs."""
        verbs = BOOK.verbs.values()
        return [
            CompletionItem(one.name, help=one.summary) for one in verbs if one.name.startswith(beginning.lower())
        ]


@verb(
    Group.SESSION,
    name="help",
    key="question_mark,f1",
    examples=("help", "help set", "help rebus square"),
    aliases=("?",),
)
@click.argument(
    "what",
    type=HelpTopicType(),
    required=False,
    metavar="[VERB]",
    help="a verb, or words to search for; without them, all verbs",
)
def help_(session: Session, what: str | None) -> Answer:
    """Show what verbs there are, how one is used, or which have to do with some words.

    Words that name no verb are searched in what is told of all verbs, of their arguments and of their keys.
    """
    if not what:
        return overview()
    try:
        return help_on(find_verb_of(what.split()))
    except VerbError as error:
        found = found_in_help(what)
        if not found:
            raise
        return [str(error), "these have to do with it:", *found, "`help VERB` tells more."]


@verb(Group.SESSION, name="quit", key="ctrl+q", examples=("quit",), aliases=("exit", "q"))
@click.option("--force", is_flag=True, help="drop changes that are not saved")
def quit_(session: Session, force: bool) -> Answer:
    """End the session."""
    if session.document.is_modified and not force:
        raise VerbError(
            f"{session.document.name} has changes that are not saved: `save` first, or `quit --force` drops them"
        )
    if force:
        session.discard_changes()
    return Reply(quit=True)
