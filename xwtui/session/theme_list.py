"""The theme of the design room: its answers as typed, and the other arguments of `design`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import VerbError
from xwtui.grids.library import layout_library
from xwtui.grids.profiles import profile_files
from xwtui.grids.templates import (
    TemplateWanted,
    is_filter_word,
    is_query_word,
    read_query,
    read_theme,
    with_bounds,
)
from xwtui.lazy import lazy_pattern
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import pieces, square_count
from xwtui.session.verbs.designs import PLACE, option_remark
from xwtui.session.verbs.parsing import words_of
from xwtui.session.verbs.registry import VERBS
from xwtui.text import counted, in_quotes
from xwtui.words.theme_answers import is_file_name, theme_answer

_SIZE = "--size"
_BOUNDS = (
    ("--min-words", "fewest_words"),
    ("--max-words", "most_words"),
    ("--min-blocks", "fewest_blocks"),
    ("--max-blocks", "most_blocks"),
)
"""Options of `layouts` and `design`, with the corresponding query fields."""
_SIDE = lazy_pattern(r"\d{1,2}")
_APART = lazy_pattern(r",|\s(?=--)")
_QUOTED = lazy_pattern(
    rf'(?<![^\s"])(?P<at>(?:{PLACE.pattern}|=)?)\s*"(?P<answer>[^"]*)"\s*(?P<last>!?)(?=[\s"]|$)'
)
"""An answer in quotes, with its place and the mark of the last answer."""
_LAST = "!"
_REBUS, _REVEALER, _PAIRS = "--rebus", "--revealer", "--pairs"


@dataclass(frozen=True)
class ThemeRow:
    """A theme answer, as a row shows it."""

    answer: str
    squares: int | None
    """None for a file of answers."""
    place: str = ""
    """The required place, such as `17A`; empty if any."""
    is_last: bool = False
    partner: int | None = None
    """Number, from 1, of the answer that may or must be its symmetric partner."""


@dataclass(frozen=True)
class LayoutQuery:
    """The properties of a wanted grid, from the present theme and the text being typed."""

    wanted: TemplateWanted
    answers: tuple[str, ...] = ()
    """Theme answers with rebus squares in brackets; those being typed come last."""
    typed: tuple[str, ...] = ()
    """The answers being typed."""
    is_theme: bool = False
    """Whether the typed text has answers or options, rather than only filters for layouts."""
    is_bounds: bool = False
    """Whether the typed text has only a size and bounds on words and blocks."""
    remark: str = ""
    """A note about the part of it that a design around the theme cannot use."""

    @property
    def drawing_line(self) -> str:
        profiles = [("--profile", name) for name in self.wanted.names if name in profile_files()][:1]
        return " ".join(("layouts", *(word for words in (*_options_of(self.wanted), *profiles) for word in words)))


@dataclass(frozen=True)
class ThemeList:
    """Theme answers with optional places (`17A=SWEETHEART`), an optional last answer, and options."""

    answers: tuple[str, ...] = ()
    revealer: str = ""
    """One of the answers, which stands last; empty for none."""
    options: tuple[str, ...] = ()
    """The words of a `design` line that are not answers."""

    @classmethod
    def of_line(cls, line: str, alphabet: Alphabet) -> ThemeList:
        """Parse the theme of a `design` line in an alphabet; raises WordListError for an invalid answer."""
        theme = cls()
        for words in _grouped([word.text for word in words_of(line)][1:]):
            if words[0] == _REVEALER:
                theme = replace(theme._with(words[1], alphabet), revealer=theme_answer(words[1], alphabet))
            elif words[0].startswith("-"):
                theme = theme._set(words)
            else:
                theme = theme._with(words[0], alphabet)
        return theme

    def typed(self, text: str, current: int, alphabet: Alphabet) -> ThemeList:
        """Return the theme after a line was typed that is not a `design` line.

        The line may have answers separated by commas, `17A=` or `=` to set or clear the current answer's place,
        `!` to put it last, `21x21`, `<76`, or options. Raises WordListError or VerbError for anything else.
        """
        theme, text = self, with_bounds(text)
        if (asked := _bounds(text)).most_blocks is None and asked.fewest_blocks is not None:
            raise VerbError(_least_blocks(asked))
        for part in _parts(text):
            if part.startswith("-"):
                for group in _grouped([word.text for word in words_of(part)]):
                    theme = theme._set(group)
            elif part == _LAST:
                theme = theme._turned(current)
            elif part == "=" or PLACE.fullmatch(part):
                theme = theme._placed(current, part)
            elif _SIDE.fullmatch(part):
                theme = theme._set((_SIZE, part))
            else:
                for words in _options_of(replace(_bounds(part), fewest_blocks=None)):
                    theme = theme._set(words)
                answer = " ".join(word for word in part.split() if not is_query_word(word))
                theme = theme._with(answer.removesuffix(_LAST), alphabet) if answer else theme
                theme = theme._turned(len(theme.answers) - 1) if answer.endswith(_LAST) else theme
        return theme

    def query(self, text: str, alphabet: Alphabet) -> LayoutQuery:
        """Return what theme and typed text ask for; raises WordListError for an invalid answer.

        Lower-case words that occur in a layout's name select that layout, unless anything else is typed.
        """
        text = with_bounds(text)
        words, names = text.split(), [one.description for one in layout_library()]
        is_theme = any(
            not is_filter_word(one) and not (one.islower() and any(one in name for name in names)) for one in words
        )
        # the answers being typed, without places, options and the mark of the last answer
        live = [_bare(part).removesuffix(_LAST) for part in _parts(text) if not part.startswith("-")]
        answers, wanted = read_theme(", ".join(live), alphabet) if is_theme else ((), read_query(text))
        own_answers = [one for one in map(_bare, self.answers) if not is_file_name(one)]
        typed = [words for part in _parts(text) for words in _grouped(part.split()) if words[0] == _REBUS]
        rebus = (typed[-1][-1] if typed and typed[-1][1:] else self._option(_REBUS)).upper()
        typed_answers = tuple(_with_rebus(one, rebus) for one in answers)
        answers = (*(_with_rebus(one, rebus) for one in own_answers), *typed_answers)
        lengths = () if is_theme else wanted.across
        wanted = replace(wanted, across=(*map(square_count, answers), *lengths))
        own: dict[str, Any] = {
            name: int(value) for option, name in _BOUNDS if (value := self._option(option)).isdecimal()
        }
        own = {name: value for name, value in own.items() if getattr(wanted, name) is None}
        size = wanted.size or read_query(self._option(_SIZE)).size
        is_bounds = bool(words) and all(map(is_query_word, words))
        remark = _least_blocks(_bounds(text)) if is_theme or self.answers else ""
        return LayoutQuery(replace(wanted, size=size, **own), answers, typed_answers, is_theme, is_bounds, remark)

    def _option(self, name: str) -> str:
        return dict(zip(self.options, self.options[1:], strict=False)).get(name, "")

    @property
    def remark(self) -> str:
        """A note if answers are also names of options, which may have been meant; else empty."""
        return option_remark([_bare(one) for one in self.answers])

    def without(self, index: int) -> ThemeList:
        answer = self.answers[index]
        left = tuple(one for one in self.answers if one is not answer)
        return replace(self, answers=left, revealer="" if _bare(answer) == self.revealer else self.revealer)

    @property
    def line(self) -> str:
        words = [in_quotes(one) for one in self.answers if _bare(one) != self.revealer]
        last = (_REVEALER, self.revealer) if self.revealer else ()
        return " ".join(("design", *words, *last, *map(in_quotes, self.options)))

    @property
    def rows(self) -> Sequence[ThemeRow]:
        """Each answer with its number of squares and its symmetric partner."""
        rebus = self._option(_REBUS).upper()
        squares = [_squares(_bare(one), rebus) for one in self.answers]
        in_order = [index ^ 1 if index ^ 1 < len(squares) else None for index in range(len(squares))]
        partners = in_order if _PAIRS in self.options else _by_squares(squares)
        return [
            ThemeRow(
                _bare(one),
                count,
                one.rpartition("=")[0].upper(),
                _bare(one) == self.revealer,
                None if partner is None else partner + 1,
            )
            for one, count, partner in zip(self.answers, squares, partners, strict=True)
        ]

    def _with(self, text: str, alphabet: Alphabet) -> ThemeList:
        """Add an answer; raises WordListError if it is invalid, VerbError if it is already there."""
        found = PLACE.match(text)
        place = text[: found.end()] if found else ""
        bare = text[len(place) :]
        answer = bare if is_file_name(bare) else theme_answer(bare, alphabet)
        if answer in map(_bare, self.answers):
            raise VerbError(f"{answer} is already there")
        return replace(self, answers=(*self.answers, place + answer))

    def _placed(self, index: int, place: str) -> ThemeList:
        if not 0 <= index < len(self.answers):
            raise VerbError(f"{place} is a place; add an answer for it first")
        answer = place.removeprefix("=") + _bare(self.answers[index])
        return replace(self, answers=(*self.answers[:index], answer, *self.answers[index + 1 :]))

    def _turned(self, index: int) -> ThemeList:
        """Make an answer the last one, or undo that."""
        if not 0 <= index < len(self.answers):
            raise VerbError("add an answer first; then `!` puts it last")
        answer = _bare(self.answers[index])
        return replace(self._placed(index, "="), revealer="" if answer == self.revealer else answer)

    def _set(self, words: Sequence[str]) -> ThemeList:
        """Set an option; raises VerbError if `design` does not have it."""
        name = words[0]
        takes_value = _options().get(name)
        if takes_value is None or (takes_value and len(words) < 2):
            raise VerbError(f"design has no option {name}" if takes_value is None else f"{name} needs a value")
        kept = [group for group in _grouped(self.options) if group[0] != name]
        return replace(self, options=tuple(word for group in (*kept, tuple(words)) for word in group))


def _options_of(wanted: TemplateWanted) -> Iterator[tuple[str, str]]:
    if wanted.size is not None:
        yield _SIZE, f"{wanted.size[0]}x{wanted.size[1]}"
    for option, name in _BOUNDS:
        if (number := getattr(wanted, name)) is not None:
            yield option, str(number)


def _bounds(text: str) -> TemplateWanted:
    return read_query(" ".join(filter(is_query_word, text.replace(",", " ").split())))


def _least_blocks(bounds: TemplateWanted) -> str:
    most = bounds.most_blocks
    way = "use `at most` instead" if most is None else f"Enter looks for at most {counted(most, 'block')}"
    return "" if bounds.fewest_blocks is None else f"a design has no minimum number of blocks; {way}"


def _parts(text: str) -> list[str]:
    """Split a text at commas, quoted answers, and before options."""
    parts = (part.strip() for part in _APART.split(text))
    pieces = (part if part.startswith("-") else _QUOTED.sub(r",\g<at>\g<answer>\g<last>,", part) for part in parts)
    return [piece.strip() for part in pieces for piece in part.split(",") if piece.strip()]


def _with_rebus(answer: str, rebus: str) -> str:
    """Put the letters of `--rebus` into one square of an answer, unless it has a rebus square already."""
    return answer if not rebus or "[" in answer else answer.replace(rebus, f"[{rebus}]", 1)


def _bare(answer: str) -> str:
    found = PLACE.match(answer)
    return answer[found.end() :] if found else answer


def _squares(answer: str, rebus: str) -> int | None:
    if is_file_name(answer):
        return None
    squares = len(pieces(answer))
    return squares - len(rebus) + 1 if rebus and rebus in answer and "[" not in answer else squares


def _by_squares(squares: Sequence[int | None]) -> list[int | None]:
    """Pair the first two answers with equal numbers of squares, then the next two, and so on."""
    partners: list[int | None] = [None] * len(squares)
    waiting: dict[int, int] = {}
    for index, count in enumerate(squares):
        other = waiting.pop(count, None) if count is not None else None
        if other is not None:
            partners[index], partners[other] = other, index
        elif count is not None:
            waiting[count] = index
    return partners


def _grouped(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    rest = iter(words)
    for word in rest:
        name, is_joined, value = word.partition("=")
        if word.startswith("-") and is_joined:
            yield name, value
        elif _options().get(word):
            yield (word, *([value] if (value := next(rest, "")) else []))
        else:
            yield (word,)


def _options() -> dict[str, bool]:
    options = VERBS["design"].command.params
    return {name: not one.is_flag for one in options if isinstance(one, click.Option) for name in one.opts}
