"""The theme that the design room designs around: its answers as they are typed, and what else `design` is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import click

from xwtui.errors import VerbError
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import pieces
from xwtui.session.verbs.designs import PLACE
from xwtui.session.verbs.parsing import words_of
from xwtui.session.verbs.registry import VERBS
from xwtui.text import in_quotes
from xwtui.words.theme_answers import is_file_name, theme_answer

_SIZE = re.compile(r"\d{1,2}(?:x\d{1,2})?")
_MOST_WORDS = re.compile(r"<=?(\d{1,3})")
_LAST = "!"
_REBUS, _REVEALER, _PAIRS = "--rebus", "--revealer", "--pairs"


@dataclass(frozen=True)
class ThemeRow:
    """An answer of a theme as a row shows it."""

    answer: str
    squares: int | None
    """None for a file of answers."""
    place: str = ""
    """Where it is to stand, such as `17A`; empty where that is left open."""
    is_last: bool = False
    partner: int | None = None
    """The number, from 1, of the answer that may mirror it, or must."""


@dataclass(frozen=True)
class ThemeList:
    """Answers, each with the place that it is to have (`17A=SWEETHEART`), one perhaps last, and options."""

    answers: tuple[str, ...] = ()
    revealer: str = ""
    """One of the answers, or empty."""
    options: tuple[str, ...] = ()
    """Words of a line of `design` that are no answers."""

    @classmethod
    def of_line(cls, line: str, alphabet: Alphabet) -> ThemeList:
        """The theme of a line of `design`, in an alphabet; raises WordListError for an answer that is none."""
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
        """The theme after a line was typed, its answers in an alphabet, that is no line of `design`.

        That is answers with commas between them, `17A=` or `=` for the place of the current answer, `!` to let it
        stand last, `21x21`, `<76` or options. Raises WordListError or VerbError for what is none of these.
        """
        theme = self
        for part in filter(None, map(str.strip, text.split(","))):
            if part.startswith("-"):
                for group in _grouped([word.text for word in words_of(part)]):
                    theme = theme._set(group)
            elif part == _LAST:
                theme = theme._turned(current)
            elif part == "=" or PLACE.fullmatch(part):
                theme = theme._placed(current, part)
            elif _SIZE.fullmatch(part):
                theme = theme._set(("--size", part))
            elif most := _MOST_WORDS.fullmatch(part):
                theme = theme._set(("--max-words", most[1]))
            else:
                theme = theme._with(part.removesuffix(_LAST), alphabet)
                theme = theme._turned(len(theme.answers) - 1) if part.endswith(_LAST) else theme
        return theme

    def without(self, index: int) -> ThemeList:
        """The theme without one of its answers."""
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
        """Each answer with its squares, and which of them pair by symmetry."""
        rebus = dict(zip(self.options, self.options[1:], strict=False)).get(_REBUS, "").upper()
        squares = [_squares(_bare(one), rebus) for one in self.answers]
        partners = _by_order(squares) if _PAIRS in self.options else _by_squares(squares)
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
        """One answer more, unless it is there; raises WordListError for what is none."""
        found = PLACE.match(text)
        place = text[: found.end()] if found else ""
        bare = text[len(place) :]
        answer = bare if is_file_name(bare) else theme_answer(bare, alphabet)
        if answer in map(_bare, self.answers):
            raise VerbError(f"{answer} stands there already")
        return replace(self, answers=(*self.answers, place + answer))

    def _placed(self, index: int, place: str) -> ThemeList:
        if not 0 <= index < len(self.answers):
            raise VerbError(f"{place} is a place, and there is no answer to stand there yet")
        answer = place.removeprefix("=") + _bare(self.answers[index])
        return replace(self, answers=(*self.answers[:index], answer, *self.answers[index + 1 :]))

    def _turned(self, index: int) -> ThemeList:
        """Let an answer stand last, or no more."""
        if not 0 <= index < len(self.answers):
            raise VerbError("there is no answer yet that could stand last")
        answer = _bare(self.answers[index])
        return replace(self._placed(index, "="), revealer="" if answer == self.revealer else answer)

    def _set(self, words: Sequence[str]) -> ThemeList:
        """The theme with another option; raises VerbError for one that `design` does not have."""
        name = words[0]
        if name not in _flags() and (name not in _taking() or len(words) < 2):
            raise VerbError(f"design has no option {name}" if name not in _taking() else f"{name} takes a value")
        kept = [group for group in _grouped(self.options) if group[0] != name]
        return replace(self, options=tuple(word for group in (*kept, tuple(words)) for word in group))


def _bare(answer: str) -> str:
    """An answer without its place."""
    found = PLACE.match(answer)
    return answer[found.end() :] if found else answer


def _squares(answer: str, rebus: str) -> int | None:
    if is_file_name(answer):
        return None
    squares = len(pieces(answer))
    return squares - len(rebus) + 1 if rebus and rebus in answer and "[" not in answer else squares


def _by_order(squares: Sequence[int | None]) -> list[int | None]:
    return [index ^ 1 if index ^ 1 < len(squares) else None for index in range(len(squares))]


def _by_squares(squares: Sequence[int | None]) -> list[int | None]:
    """The first two of as many squares together, then the next two."""
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
    """The words of a line, each option with its value."""
    rest = iter(words)
    for word in rest:
        name, is_joined, value = word.partition("=")
        if word.startswith("-") and is_joined:
            yield name, value
        elif word in _taking():
            yield (word, *([value] if (value := next(rest, "")) else []))
        else:
            yield (word,)


def _flags() -> frozenset[str]:
    options = VERBS["design"].command.params
    return frozenset(n for one in options if isinstance(one, click.Option) and one.is_flag for n in one.opts)


def _taking() -> frozenset[str]:
    options = VERBS["design"].command.params
    return frozenset(n for one in options if isinstance(one, click.Option) and not one.is_flag for n in one.opts)
