"""What is wrong with a line, said to a constructor, with the word that is wrong."""

from __future__ import annotations

import click

from xwtui.errors import VerbError
from xwtui.session.verbs.parsing import Word
from xwtui.session.verbs.verb import Verb, names_of
from xwtui.text import printable


class ArgumentError(VerbError):
    """A verb with a wrong argument; `start` and `end` are the wrong word's place in the line."""

    def __init__(self, message: str, start: int | None = None, end: int | None = None) -> None:
        super().__init__(message)
        self.start = start
        self.end = end


def usage_problem(verb: Verb, words: list[Word], error: click.UsageError) -> ArgumentError:
    """Say what click objects to in the words of a constructor."""
    if isinstance(error, click.MissingParameter) and error.param is not None:
        name = error.param.human_readable_name.upper()
        return ArgumentError(f"{verb.name} needs {name}: {_help(error.param)}. Usage: {verb.usage}")
    if isinstance(error, click.NoSuchOption):
        options = ", ".join(names_of(option)[0] for option in verb.options) or "none"
        return _at(words, error.option_name, f"{verb.name} has no option {error.option_name}; it has {options}")
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _bad_value(verb, words, error, error.param)
    return _other(verb, words, error)


def _bad_value(verb: Verb, words: list[Word], error: click.BadParameter, param: click.Parameter) -> ArgumentError:
    option = f"{names_of(param)[0]}: " if isinstance(param, click.Option) else ""
    return _at(words, _raw_value(verb, words, param), f"{verb.name}: {option}{error.message}")


def _raw_value(verb: Verb, words: list[Word], param: click.Parameter) -> str | None:
    """What was typed for a parameter (the first wrong one cannot be told among several)."""
    with click.Context(verb.command) as context:
        values, _, _ = verb.command.make_parser(context).parse_args([word.text for word in words])
    value = values.get(param.name or "")
    return value if isinstance(value, str) else None


def _other(verb: Verb, words: list[Word], error: click.UsageError) -> ArgumentError:
    if "unexpected extra" in error.message:
        arguments = len(verb.arguments)
        plain = [word for word in words if not word.text.startswith("-")]
        extra = plain[arguments].text if len(plain) > arguments else ""
        takes = f"takes {arguments}" if arguments else "takes no"
        noun = "argument" if arguments == 1 else "arguments"
        return _at(words, extra, f"{verb.name} {takes} {noun}; {printable(extra, 30)!r} is too many")
    return ArgumentError(f"{verb.name}: {error.message} Usage: {verb.usage}")


def _at(words: list[Word], text: str | None, message: str) -> ArgumentError:
    for word in words:
        if text is not None and (word.text == text or word.text.endswith(f"={text}")):
            return ArgumentError(message, word.start, word.end)
    return ArgumentError(message)


def _help(param: click.Parameter) -> str:
    return getattr(param, "help", None) or param.human_readable_name
