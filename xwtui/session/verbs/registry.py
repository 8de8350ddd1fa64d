"""All verbs by name, and the execution of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import click

from xwtui.errors import VerbError, XwtuiError, reason_of
from xwtui.lazy import lazy_imports
from xwtui.session.verbs.parsing import GOTO, Word, find_verb_of, is_place, usage_problem, verb_words, words_of
from xwtui.session.verbs.verb import BOOK, Answer, Reply, Verb, reply_of
from xwtui.text import printable, printable_lines, printable_text
from xwtui.words.normalise import folds_words, recording_folds

with lazy_imports():
    from xwtui.session.session import Session

VERBS: Mapping[str, Verb] = BOOK.all
"""Every verb by its name, in the order of the help."""

_MAIN = {
    "Lay out": "new, open, templates, theme answers, design, layouts, symmetry, block, circle, set, rebus",
    "Fill": "fill, refill, improve, swap, reject, candidates, why, whatif blocks, find, words, lists on, ban, "
    "lock, unlock, clear, undo, redo",
    "Clue": "clue, clue suggest, clues, define, title, author",
    "Send": "check, stats, solve, save, export, snapshot save, help, quit",
}
"""The main set of verbs, by task, as comma-separated names."""
_TASKS = {
    "File": ("open new save", "recover discarded warnings", "snapshot", "tab", "quit"),
    "Lay out": (
        "theme templates design designs layouts",
        "block void bar symmetry rotate resize circle shade spell hints",
        "profile profiles alphabet",
    ),
    "Fill": (
        "fill refill live improve stop swap reject accept fills take",
        "why whatif heat findings follow candidates shares count",
        "set rebus clear lock unlock pencil select goto undo redo entry link unlink",
    ),
    "Clue": ("clue clues enumeration enumerations enumerate", "title author copyright notes", "book"),
    "Send": ("check stats tint", "export", "solve"),
    "Study a search": ("step continue until back pause", "watch event events explain", "argue", "race"),
    "Words": ("find define", "words prefer trust ban allow", "score raise lower never", "lists"),
    "Rules": ("rule rules letters may want distinct limit glue pangram", "rebus-place latent clash nina initials"),
    "Screen": ("help keys colours", "show change transcript"),
}
"""Every built-in verb, by task and section, given by the first word of its name or by its whole name.

Verbs from plug-in packages, which set those packages' rules, come after the rules.
"""


def _by_task() -> Mapping[str, tuple[tuple[Verb, ...], ...]]:
    named = {name for sections in _TASKS.values() for section in sections for name in section.split()}
    found: dict[str, list[Verb]] = {}
    for one in VERBS.values():
        whole = one.name.replace(" ", "-")
        found.setdefault(whole if whole in named else one.name.split()[0], []).append(one)
    by_task = {
        task: tuple(tuple(one for name in section.split() for one in found.pop(name)) for section in sections)
        for task, sections in _TASKS.items()
    }
    others = tuple(one for verbs in found.values() for one in verbs)
    return by_task | {"Rules": (*by_task["Rules"], others)} if others else by_task


BY_TASK = _by_task()

_FIRST = {task: tuple(VERBS[name.strip()] for name in names.split(",")) for task, names in _MAIN.items()}

MAIN_SET = tuple(one for members in _FIRST.values() for one in members)
"""The verbs of the main set, task by task."""

SECTIONS: Mapping[str, tuple[Verb, ...]] = _FIRST | {
    f"More: {task}": tuple(one for section in sections for one in section if one not in MAIN_SET)
    for task, sections in BY_TASK.items()
}
"""Every verb under exactly one heading: the main set by task, then all others."""

LONGEST_LINE = 20_000
"""Longest line that is accepted, in characters; a clue of that length fits no format."""

_LONGEST_REPLY_LINE = 2_000


def run_line(session: Session, line: str) -> Reply:
    """Run a line: a verb with its arguments. An empty line and one that starts with `#` do nothing.

    A place alone, such as `24A` or `r3c12`, moves the cursor there.

    Raises XwtuiError (VerbError if the line itself is wrong); its message is safe to print.
    """
    if len(line) > LONGEST_LINE:
        raise VerbError(f"this line is too long: it has more than {LONGEST_LINE:,} characters")
    words = words_of(line)
    if not words or words[0].text.startswith("#"):
        return Reply()
    if len(words) == 1 and is_place(words[0].text):
        return run_line(session, f"{GOTO} {words[0].text}")
    verb = find_verb_of([word.text for word in words])
    if [word.text for word in words[verb.words :]] == ["--help"]:
        return run_line(session, f"help {verb.name}")
    try:
        with recording_folds() as folds:
            reply = reply_of(_call(session, verb, verb_words(verb, line, words)))
        notes = (printable(folds_words(folds, session.puzzle.alphabet), _LONGEST_REPLY_LINE),) if folds else ()
        return replace(reply, verb=verb.name, lines=(*printable_lines(reply.lines), *notes))
    except XwtuiError as error:
        # not replaced by a new error, which would lose whatever else this one holds; its text must be safe to
        # print
        error.args = (printable_text(str(error), _LONGEST_REPLY_LINE),)
        raise
    except (OSError, UnicodeError) as error:
        raise VerbError(printable(f"{verb.name}: {reason_of(error)}", _LONGEST_REPLY_LINE)) from error


def _call(session: Session, verb: Verb, words: list[Word]) -> Answer:
    context = click.Context(verb.command, info_name=verb.name, obj=session)
    try:
        with context:
            verb.command.parse_args(context, [word.text for word in words])
            answer: Answer = verb.command.invoke(context)
            return answer
    except click.UsageError as error:
        raise usage_problem(verb, words, error) from error
