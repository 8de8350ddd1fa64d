"""The verbs for the rules of entries, squares and the whole grid, and the list of all rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, EntryRules, Position, Slot, edits
from xwtui.model.review import rule_lines
from xwtui.model.rules import NO_ENTRY_RULES
from xwtui.model.rules.collection import RuleVerb
from xwtui.model.rules.entry_rules import contents_words
from xwtui.model.rules.kinds import EntryRule
from xwtui.model.rules.registry import ENTRY_KINDS, VERBS
from xwtui.model.rules.speech import is_off
from xwtui.session.verbs.kinds import ENTRY, HERE, SELECTION, Place, content_of, squares_of
from xwtui.session.verbs.rule_kinds import JUST_OFF, SQUARES_AND_TEXTS, click_argument, click_option, read_letters
from xwtui.session.verbs.verb import Answer, Group, argument, verbs_of
from xwtui.text import first_named, listed

with lazy_imports():
    from xwtui.session.session import Session
    from xwtui.words.rule_findings import rule_notes

verb = verbs_of(Group.RULES)

_UNSAID: Any = object()


@verb(
    examples=(*(example for kind in ENTRY_KINDS for example in kind.examples), "rule 17A off"),
    more=[click_option(kind.option, _UNSAID) for kind in ENTRY_KINDS],
)
def rule(
    session: Session,
    entry: Slot | None = argument("the entry (default: the current one)", ENTRY),
    off: str | None = argument("`off` removes the entry's rules", JUST_OFF),
    **line: Any,
) -> Answer:
    """Set or show the rules for an entry's answer.

    Each option replaces its own part of the rule and leaves the rest; "" removes a part. Entries complete in pen
    are exempt.
    """
    said = {kind: value for kind in ENTRY_KINDS if (value := line[kind.option.called]) not in (_UNSAID, ())}
    if entry is None and said and not off and any(kind.asks_every for kind in said):
        return _rule_of_every(session, said)
    slot: Slot = ENTRY.read(HERE, session) if entry is None else entry
    before = edits.entry_rules(session.puzzle, slot)
    after = NO_ENTRY_RULES if off else _changed(before, said)
    if after != before:
        session.edit(f"rule {slot.name}", lambda puzzle: edits.with_entry_rules(puzzle, slot, after))
    return f"{slot.name}: {after.words or 'no rule of its own'}"


def _rule_of_every(session: Session, said: Mapping[type[EntryRule], Any]) -> Answer:
    """Edit what is asked of every answer at once."""
    if single := [kind.option.flag for kind in said if not kind.asks_every]:
        every = [kind.option.flag for kind in said if kind.asks_every]
        raise PuzzleError(
            f"{listed(every, 'and')} without an entry is for every answer, and {listed(single, 'and')} is not; "
            "name an entry, such as `here`, or set them one by one"
        )
    before = session.puzzle.rules.every
    after = _changed(before, said)
    if after != before:
        session.edit("rule for every answer", lambda puzzle: edits.with_rules_of_every(puzzle, after))
    return f"every answer: {after.words or 'no rule'}"


def _changed(rules: EntryRules, said: Mapping[type[EntryRule], Any]) -> EntryRules:
    """Rules after what a line says of some kinds."""
    for kind, value in said.items():
        rules = rules.with_all(kind, kind.said(value, rules.of(kind)))
    return rules


@verb(examples=("letters r3c5 AEIOU", "letters 17A AEIOU", "letters r3c5 off"))
def letters(
    session: Session,
    words: tuple[Place, ...] = argument(
        "squares or entries (default: the current square), then letters or `off`", SQUARES_AND_TEXTS
    ),
) -> Answer:
    """Show or limit the letters a square may take."""
    squares, texts = _squares_and_texts(session, words)
    contents = [] if _is_off(texts) else [content for text in texts for content in read_letters(text, session)]
    return _restrict(session, "letters", squares, texts, contents)


@verb(examples=("may r3c5 HEART E A", "may r3c5 X/TIMES", "may r3c5 off"))
def may(
    session: Session,
    words: tuple[Place, ...] = argument(
        "squares or entries (default: the current square), then contents or `off`", SQUARES_AND_TEXTS
    ),
) -> Answer:
    """Limit a square to certain letters or rebus contents."""
    squares, texts = _squares_and_texts(session, words)
    contents = [] if _is_off(texts) else [content_of(text, session) for text in texts]
    return _restrict(session, "may", squares, texts, contents)


def _is_off(texts: Sequence[str]) -> bool:
    return len(texts) == 1 and is_off(texts[0])


def _squares_and_texts(session: Session, words: tuple[Place, ...]) -> tuple[list[Position], list[str]]:
    """The squares that a line names, or the current one, and the texts after them."""
    squares: list[Position] = []
    texts: list[str] = []
    for word in words:
        if isinstance(word, str) and word != SELECTION:
            texts.append(word)
        elif texts:
            raise PuzzleError("name the squares first, then what they may hold")
        else:
            squares += squares_of(session, word)
    return squares or [session.cursor.position], texts


def _restrict(
    session: Session, label: str, squares: list[Position], texts: list[str], contents: list[Content]
) -> list[str]:
    """Restrict squares where a line says to what, and tell how it stands with them."""
    if texts:
        session.edit(
            f"{label} {squares[0]}", lambda puzzle: edits.with_allowed_contents(puzzle, squares, contents)
        )
    allowed = session.puzzle.rules.squares
    by_rule: dict[str, list[str]] = {}
    for at in squares:
        by_rule.setdefault(contents_words(allowed[at]) if at in allowed else "any letter", []).append(str(at))
    return [f"{first_named(names)}: {words}" for words, names in by_rule.items()]


def _declare(spoken: RuleVerb) -> None:
    """Declare the verb of some kinds of rules: a line edits them or asks for them, and they are shown."""

    def function(session: Session, **line: Any) -> Answer:
        edited = spoken.edit(session.puzzle.rules, line)
        if edited is not None:
            session.edit(edited.label, lambda puzzle: edits.with_rules(puzzle, edited.rules))
        return _shown(session, spoken)

    function.__doc__ = spoken.help
    more = [*map(click_argument, spoken.arguments), *map(click_option, spoken.options)]
    verb(name=spoken.name, examples=spoken.examples, keywords=", ".join(spoken.keywords), more=more)(function)


def _shown(session: Session, spoken: RuleVerb) -> list[str]:
    """The rules of a verb's kinds, or that there are none, and what is odd about them."""
    puzzle, lexicon = session.puzzle, session.jobs.words.lexicon
    lines = [line for rule in puzzle.rules.grid if isinstance(rule, spoken.kinds) for line in rule.lines()]
    if lexicon is None or not lines:
        return lines or [spoken.nothing]
    return [*lines, *rule_notes(puzzle, lexicon, spoken.kinds)]


for _spoken in VERBS:
    _declare(_spoken)


@verb(examples=("rules", "rules off"))
def rules(session: Session, off: str | None = argument("`off` removes all rules", JUST_OFF)) -> Answer:
    """List all rules in force."""
    if off:
        session.edit("rules off", edits.without_rules)
    return rule_lines(session.puzzle) or [
        "no rules: answers are in the word list and differ, and fills avoid repeats where possible"
    ]
