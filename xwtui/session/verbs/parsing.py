"""Parsing of a line: the verb, the words for its command, and error messages for wrong words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import PurePath
from typing import Any, NamedTuple

import click

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.selection import begins_line, ends_line, looks_like_area, looks_like_place
from xwtui.session.verbs.kinds import HERE, ParameterKind, place_forms
from xwtui.session.verbs.verb import BOOK, Verb, help_of, names_of
from xwtui.text import counted, listed, printable

with lazy_imports():
    from difflib import get_close_matches

    from xwtui.session.verbs.searching import VerbSearch, sought_verb

GOTO = "goto"
_PLACE = lazy_pattern(r"\d+[AD]|r\d+c\d+", re.IGNORECASE)
"""A place, which is not a verb."""


def is_place(word: str) -> bool:
    """Whether a word names an entry or a square, such as `24A` or `r3c12`."""
    return _PLACE.fullmatch(word) is not None


def find_verb_of(words: Sequence[str]) -> Verb:
    """Return the verb that a line's words start with; one of two words (`rebus place`) takes precedence.

    A place alone stands for the verb `goto`.
    """
    if len(words) == 1 and is_place(words[0]):
        return find_verb(GOTO)
    return _verb_called(" ".join(words[:2]).lower()) or find_verb(words[0])


def _verb_called(name: str) -> Verb | None:
    return BOOK.all.get(name) or next((verb for verb in BOOK.all.values() if name in verb.aliases), None)


def find_verb(name: str) -> Verb:
    """Return the verb with a name or alias; raises VerbError, suggesting the nearest one, if there is none."""
    verbs, wanted = BOOK.all, name.lower()
    if found := _verb_called(wanted):
        return found
    longer = [
        verb
        for verb in verbs.values()
        if any(f"{one} ".startswith(f"{wanted} ") for one in (verb.name, *verb.aliases))
    ]
    if longer:
        asks = listed([f"`{verb.examples[0] if verb.examples else verb.name}`" for verb in longer], "or")
        raise VerbError(f"{wanted} needs more: {asks}")
    if is_place(name):
        raise VerbError(f"there is no verb {printable(name, 30)!r}; `goto {printable(name, 30)}` goes there")
    matching = (name for name in verbs if len(wanted) > 1 and name.startswith(wanted))
    alike = get_close_matches(wanted[:30], verbs, n=1, cutoff=0.5)
    near = next(matching, "") or verb_called(wanted[:30]) or next(iter(alike), "")
    hint = f"; did you mean `{near}`?" if near else "; `help` lists the verbs"
    raise VerbError(f"there is no verb {printable(name, 30)!r}{hint}")


def verb_called(word: str) -> str:
    """Return the verb that the palette ranks first for a whole word, such as `check` for `dupes`, or ""."""
    names = sorted(BOOK.all)
    return next((names[place] for place, _ in _search().found(word, corrects=False, completes=False)), "")


@cache
def _search() -> VerbSearch:
    return VerbSearch([sought_verb(BOOK.all[name], matters=False) for name in sorted(BOOK.all)])


_WORD = lazy_pattern(r"""("(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>\S+))(?=\s|$)|(?P<odd>\S+)""")


_PART = lazy_pattern(r"[^,]+")


class Word(NamedTuple):
    """A word of a line, without its quotes, and its position there."""

    text: str
    start: int
    end: int


_NAMES = ("file", "name")
"""Names of the argument types that may contain spaces."""


def words_of(line: str) -> list[Word]:
    """Split a line at spaces; quotes around a word protect spaces in it, other quotes are ordinary characters."""
    return [
        Word(
            next(group for group in match.group("double", "single", "bare", "odd") if group is not None),
            *match.span(),
        )
        for match in _WORD.finditer(line)
    ]


def verb_words(verb: Verb, line: str, words: list[Word]) -> list[Word]:
    """Return the words after the verb's name in the form that its command takes.

    If the verb's last argument is the rest of the line, that is kept as typed. If it takes only one name, the name
    may contain spaces. If its first argument is a place and the first word is not one, the argument's default is
    inserted, such as the cursor's place.
    """
    given = _joined_lines(verb, words[verb.words :])
    arguments = verb.arguments
    if not arguments:
        return given
    options = {name for option in verb.options for name in names_of(option)}
    flags: list[Word] = []
    takes_rest = takes_rest_of_line(arguments[-1])
    while takes_rest and given and given[0].text in options:
        flags.append(given.pop(0))
    if len(arguments) > 1 and _is_place_left_out(verb, given):
        at = given[0].start if given else len(line)
        default = arguments[0].default
        given.insert(0, Word(default if isinstance(default, str) else HERE, at, at))
    if not takes_rest:
        given = name_joined(verb, line, given)
        # a choice that starts with a dash (`rotate -90`) is not an option
        own = {one for each in arguments for one in getattr(each.type, "choices", ()) if one[0] == "-"}
        at = next((number for number, word in enumerate(given) if word.text in own), len(given))
        return given if at == len(given) else [*given[:at], Word("--", 0, 0), *given[at:]]
    before = len(arguments) - 1
    head, tail = given[:before], given[before:]
    rest = [Word(line[tail[0].start :].strip(), tail[0].start, len(line))] if tail else []
    return [*flags, Word("--", 0, 0), *head, *rest]


def name_joined(verb: Verb, line: str, given: list[Word]) -> list[Word]:
    """Join the words of a name with spaces, for a verb that takes one name and nothing else.

    Quoted words stay separate, and so do two files of the same type, because they are two names.
    """
    arguments = verb.arguments
    if len(arguments) != 1 or arguments[0].nargs != 1 or arguments[0].type.name not in _NAMES:
        return given
    plain = [word for word in parted(verb, given)[0] if word.text[:2] != "--"]
    if len(plain) < 2 or any(line[word.start : word.end][:1] in ('"', "'") for word in plain):
        return given
    first = given.index(plain[0])
    last = first + len(plain)
    suffix = PurePath(plain[-1].text).suffix
    if given[first:last] != plain or (suffix and any(PurePath(word.text).suffix == suffix for word in plain[:-1])):
        return given
    start, end = plain[0].start, plain[-1].end
    return [*given[:first], Word(line[start:end], start, end), *given[last:]]


def _joined_lines(verb: Verb, given: list[Word]) -> list[Word]:
    """Join `row 7` and `1A, 5D` into one word each, for a verb that takes a place.

    If a text follows, this applies only before it. If a verb's only argument is one set of squares, they need no
    commas. If it takes a list of entries, each becomes a word of its own.
    """
    several = [one for one in verb.arguments[-1:] if one.nargs < 0]
    is_list = any(isinstance(one.type, ParameterKind) and one.type.takes_commas for one in several)
    if not is_list and not any(place_forms(param) for param in verb.command.params):
        return given
    has_text = bool(verb.arguments) and takes_rest_of_line(verb.arguments[-1])
    forms = place_forms(verb.arguments[0]) if len(verb.arguments) == 1 else None
    are_all = forms is not None and forms.takes_areas
    is_one = are_all and verb.arguments[0].nargs == 1
    joined: list[Word] = []
    for word in given:
        before = joined[-1] if joined else None
        gap = _gap(before.text, word.text, is_one) if before is not None else None
        is_amid_text = has_text and any(not one.text.startswith("-") for one in joined[:-1])
        if before is not None and gap is not None and not is_amid_text:
            joined[-1] = Word(f"{before.text}{gap}{word.text}", before.start, word.end)
        else:
            joined.append(word)
    return [part for word in joined for part in _between_commas(word)] if is_list else joined


def _between_commas(word: Word) -> Iterator[Word]:
    """Split a word that names several entries into one word each; yield any other word unchanged."""
    if not looks_like_area(word.text):
        yield word
        return
    for part in _PART.finditer(word.text):
        yield Word(part[0], word.start + part.start(), word.start + part.end())


def _gap(before: str, word: str, is_one: bool) -> str | None:
    """Return the text that joins two words for squares, else None; for one place (`is_one`), add a comma."""
    if begins_line(before) and ends_line(word):
        return " "
    if not looks_like_place(before) or not (looks_like_place(word.removeprefix(",")) or begins_line(word)):
        return None
    if before.endswith(",") or word.startswith(","):
        return ""
    return "," if is_one else None


def file_words(verb: Verb, line: str) -> list[Word]:
    """Return the words of a line that may be names of files or folders for its verb."""
    words = verb_words(verb, line, words_of(line))
    values = _typed_values(verb, words)
    params = [
        param for param in verb.command.params if isinstance(param.type, ParameterKind) and param.type.names_file
    ]
    names = [values.get(param.name or "") for param in params]
    typed = {name for each in names for name in (each if isinstance(each, tuple | list) else [each])}
    return [word for word in words if word.text in typed]


def _typed_values(verb: Verb, words: list[Word]) -> dict[str, Any]:
    with click.Context(verb.command) as context:
        return verb.command.make_parser(context).parse_args([word.text for word in words])[0]


def takes_rest_of_line(argument: click.Argument) -> bool:
    """Whether an argument takes the rest of a line, including spaces."""
    return isinstance(argument.type, ParameterKind) and argument.type.takes_rest


def _is_place_left_out(verb: Verb, given: list[Word]) -> bool:
    place = verb.arguments[0]
    forms = place_forms(place)
    if forms is None or place.nargs < 0:
        return False
    plain, _ = parted(verb, given)
    return bool(plain) and not forms.is_meant(plain[0].text)


def parted(verb: Verb, given: list[Word]) -> tuple[list[Word], click.Option | None]:
    """Return the words that are neither options nor their values, and the option that lacks a value, if any."""
    options = {name: option for option in verb.options for name in names_of(option)}
    plain: list[Word] = []
    waiting: list[click.Option] = []
    """The option whose values follow, once per value."""
    for word in given:
        if waiting:
            waiting.pop()
        elif (option := options.get(word.text)) is None:
            plain.append(word)
        else:
            waiting = [] if option.is_flag else [option] * option.nargs
    return plain, waiting[0] if waiting else None


class ArgumentError(VerbError):
    """An error in a verb's argument; `start` and `end` delimit the wrong word in the line."""

    def __init__(self, message: str, start: int | None = None, end: int | None = None) -> None:
        super().__init__(message)
        self.start = start
        self.end = end


def usage_problem(verb: Verb, words: list[Word], error: click.UsageError) -> ArgumentError:
    """Turn click's error into a message in constructors' terms."""
    typed_words = [word.text for word in words]
    if verb.name == "new" and not {"word", "words", "block", "blocks"}.isdisjoint(map(str.lower, typed_words)):
        query = printable(" ".join(typed_words), 60)
        return ArgumentError(f"new takes a size or a template; `templates {query}` finds such templates")
    if isinstance(error, click.MissingParameter) and error.param is not None:
        name = error.param.human_readable_name
        meaning = help_of(error.param) or name
        return ArgumentError(f"{verb.name} needs {name.upper()}: {meaning}. Usage: {verb.usage}")
    if isinstance(error, click.NoSuchOption):
        options = ", ".join(names_of(option)[0] for option in verb.options) or "none"
        hint = f"did you mean `{error.possibilities[0]}`?" if error.possibilities else f"use {options}"
        if error.option_name == "--help":
            hint = f"`help {verb.name}` explains it"
        return _at(words, error.option_name, f"{verb.name} has no option {error.option_name}; {hint}")
    if isinstance(error, click.BadParameter) and error.param is not None:
        option = f"{names_of(error.param)[0]}: " if isinstance(error.param, click.Option) else ""
        typed = _typed_values(verb, words).get(error.param.name or "")  # click does not say which one is wrong
        return _at(words, typed if isinstance(typed, str) else None, f"{verb.name}: {option}{error.message}")
    if "unexpected extra" in error.message:
        arguments = len(verb.arguments)
        plain = [word for word in words if not word.text.startswith("-")]
        extra = plain[arguments].text if len(plain) > arguments else ""
        takes = counted(arguments, "argument") if arguments else "no arguments"
        message = f"{verb.name} takes {takes}; {printable(extra, 30)!r} is one too many"
        if arguments and verb.arguments[-1].type.name in _NAMES:
            message += "; put a name with spaces in quotes"
        return _at(words, extra, message)
    return ArgumentError(f"{verb.name}: {error.message} Usage: {verb.usage}")


def _at(words: list[Word], text: str | None, message: str) -> ArgumentError:
    for word in words:
        if text is not None and (word.text == text or word.text.endswith(f"={text}")):
            return ArgumentError(message, word.start, word.end)
    return ArgumentError(message)
