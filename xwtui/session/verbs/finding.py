"""The verb that finds words by their form, or in the user's own puzzles, and its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.errors import PuzzleError, VerbError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import Content, Direction
from xwtui.model.grid import LARGEST_SIDE
from xwtui.model.rules.grammar import Range
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, argument, option, options, verbs_of
from xwtui.session.verbs.word_choice import list_kind, loaded_words
from xwtui.text import counted, first_named, printable
from xwtui.words.normalise import normalise, note_folds

with lazy_imports():
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.own_puzzles import AnswerPlace, puzzles_in
    from xwtui.session.session import Session
    from xwtui.session.wording import and_more
    from xwtui.words.finding import WordQuery, find_words
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.rebus_finding import RebusAnswer, find_rebus
    from xwtui.words.sources import load_lexicon
    from xwtui.words.word_list import WordList


verb = verbs_of(Group.WORDS)

MOST_LISTED = 50
_LISTED_IN_SECTION = 10
_MOST_ASKED = 100_000
_SHORTEST_ENTRY = 3
_RECENT = "recent"
"""The word for the folder that `prefer --recent` named."""

_PIECE = lazy_pattern(r"([?*]+)")
_EXPRESSION = lazy_pattern(r"[()\[\]{}|\\]")


def _gaps_offers(session: Session, beginning: str) -> list[kinds.Item]:
    """Complete listed words, best first, as long as there is no gap."""
    return [] if {"?", "*"} & set(beginning) else kinds.listed_offers(session, beginning)


@kinds.parameter_kind("pattern", _gaps_offers, reads_letters=True)
def GAPS(text: str, session: Session | None) -> str:
    """Letters with gaps: `C?T*`."""
    if rebus := re.fullmatch(r"(\?*)\[(\w+)\](\?*)", text.strip()):
        squares = len(rebus[1]) + 1 + len(rebus[3])
        hint = f"`find --contains {rebus[2].upper()} --squares {squares}` finds answers with it in one square"
        raise PuzzleError(f"a pattern has no rebus such as [{rebus[2].upper()}]; {hint}")
    if _EXPRESSION.search(text):
        raise PuzzleError(
            f"'{printable(text, 30)}' is not a pattern such as C?T*; --match takes expressions such as (..).*\\1"
        )
    parts = _PIECE.split(kinds.checked_letters(text.strip()))
    return "".join(
        part if index % 2 else normalise(part, kinds.alphabet_of(session)) if part else ""
        for index, part in enumerate(parts)
    )


@kinds.parameter_kind("letters", kinds.listed_offers, reads_letters=True)
def TWO_ENDS(text: str, session: Session) -> tuple[tuple[str, str], ...]:
    """The beginning and end of a word: `CAT,S`, or `CATS`, which is split in every possible way."""
    first, comma, last = text.partition(",")
    if comma:
        return ((GAPS.read(first, session), GAPS.read(last, session)),)
    whole = kinds.spelled(text, session)
    if len(whole) < 2:
        raise PuzzleError("--between needs two or more letters, as in CAT,S or HEART")
    return tuple((whole[:cut], whole[cut:]) for cut in range(1, len(whole)))


@kinds.parameter_kind("letters", reads_letters=True)
def WITHIN(text: str, session: Session) -> Content:
    """Letters within a word, or the across and down readings of a slash square: `CAT`, `X/TIMES`."""
    across, slash, down = kinds.checked_letters(text.strip().strip("[]")).partition("/")
    alphabet = kinds.alphabet_of(session)
    return Content(normalise(across, alphabet), normalise(down if slash else across, alphabet))


@kinds.parameter_kind("squares")
def SQUARE_COUNT(text: str, session: Session) -> Range:
    """The number of squares that an answer takes: `11`, `9-15`, `all`."""
    if text.lower() == "all":
        return Range(_SHORTEST_ENTRY, LARGEST_SIDE)
    return kinds.SQUARE_RANGE.read(text, session)


class _WordShape(NamedTuple):
    """The conditions on a word for `find`, apart from its pattern."""

    within: tuple[Content, ...] = option("letters it has in a row, such as CAT", WITHIN, name="--contains")
    squares: Range | None = option(
        "with --contains in one square: the length in squares, such as 11, 9-15 or all", SQUARE_COUNT
    )
    starts: tuple[str, ...] = option("its first letters", GAPS)
    ends: tuple[str, ...] = option("its last letters, such as ING", GAPS)
    between: tuple[tuple[tuple[str, str], ...], ...] = option(
        "its first and last letters: CAT,S; HEART may be split anywhere", TWO_ENDS
    )
    anagram: tuple[str, ...] = option("its letters in any order; each ? adds one more letter, * any number", GAPS)
    match: tuple[str, ...] = option(
        "a regular expression for the whole word, such as .*[AEIOU]{3}.*", kinds.REGULAR_EXPRESSION
    )
    length: tuple[Range, ...] = option("its length, such as 7 or 5-8", kinds.SQUARE_RANGE)

    def query(self, pattern: str | None) -> WordQuery:
        """Build the query; raises VerbError if options contradict each other or there are none."""
        gapped: list[tuple[str, ...]] = [(pattern,)] if pattern else []
        gapped += [(f"{first}*",) for first in self.starts if first]
        gapped += [(f"*{last}",) for last in self.ends if last]
        gapped += [tuple(f"{first}?*{last}" for first, last in ends) for ends in self.between]
        if self.squares is None:
            for within in self.within:
                if within.is_schroedinger:
                    raise VerbError(f"find: {within.text} is one square; add --squares 11 or --squares all")
                gapped.append((f"*{within.across}*",))
        else:
            self._check_squares()
        anagrams, matches = tuple(filter(None, self.anagram)), tuple(filter(None, self.match))
        if not (gapped or anagrams or matches or self.length or self.within):
            raise VerbError("find: give a pattern such as C?T*, --ends ING or --contains CAT --squares 11")
        shortest = max((one.least for one in self.length), default=1)
        longest = min((one.most for one in self.length), default=None)
        return WordQuery(tuple(gapped), anagrams, matches, shortest, longest)

    def _check_squares(self) -> None:
        """Raise VerbError unless exactly one text of several letters is to share a square."""
        if not self.within:
            raise VerbError("find: --squares needs the letters that share one square: --contains CAT")
        if len(self.within) > 1:
            raise VerbError("find: --squares takes one --contains, whose letters share a square")
        if not self.within[0].is_rebus:
            raise VerbError(
                f"find: {self.within[0].text} is one letter, not a rebus; "
                "--squares is for several letters in one square"
            )


@verb(
    "find C?T*",
    "find --contains CAT --squares 11",
    "find --between HEART --length 8-15",
    "find --anagram RETAINS",
    "find --match .*[AEIOU]{3}.*",
    "find OREO --in ~/puzzles",
    from_shell=FromShell(needs=Needs.WORDS, takes_grid=False, takes_alphabet=True),
)
def find(
    session: Session,
    pattern: str | None = argument("letters, ? for any one letter, * for any number of letters", GAPS),
    shape: _WordShape = options(_WordShape),
    min_score: int | None = option("its minimum score (default: the puzzle's)", kinds.number_kind(0, 100)),
    limit: int | None = option(
        f"how many to list in each section (default: {MOST_LISTED})", kinds.number_kind(1, _MOST_ASKED)
    ),
    lists: tuple[str, ...] = option("a word list to search instead of the puzzle's", list_kind(), name="--words"),
    folder: Path | None = option(
        "a folder of puzzles to search for such answers, or `recent`", kinds.file_kind(), name="--in"
    ),
) -> Answer:
    """Find words by pattern, letters, anagram or regular expression, or answers for a rebus theme.

    A word must match everything you give, also where you give an option several times; the best scores come
    first. With --squares, the letters of --contains share one square: answers are listed by the squares they take,
    and for a square such as X/TIMES the across and down answers are listed separately. --in searches your own
    puzzles instead of the word list. On the screen, Enter writes a word into the current entry.
    """
    query = shape.query(pattern)
    if folder is not None:
        if shape.squares is not None:
            raise VerbError("find: --in excludes --squares")
        if str(folder) == _RECENT and session.puzzle.words.recent:
            folder = (session.document.folder or Path()) / session.puzzle.words.recent
        if not folder.is_dir():
            raise VerbError(f"find: there is no folder {printable(str(folder), 60)}")
        return session.jobs.answer.start_plain(partial(_in_puzzles, folder, query, limit))
    return _in_words(_lexicon(session, lists, min_score), query, shape, limit)


def _lexicon(session: Session, lists: tuple[str, ...], min_score: int | None) -> Lexicon:
    """Return the words to search; raises VerbError while they are still loading."""
    if lists:
        choice = replace(session.puzzle.words, lists=lists, preferred=())
        loaded = load_lexicon(choice, session.document.folder)
        for layer in loaded.layers:
            note_folds(layer.folds)
        lexicon = loaded.lexicon
    else:
        lexicon = loaded_words(session)
    return lexicon if min_score is None else lexicon.with_minimum(min_score)


class FoundRow(NamedTuple):
    """An answer found, as a list shows it."""

    answer: str
    """As written into a grid: `CATALOG`, `LO[CAT]ION`."""
    score: int | None
    remark: str = ""


class FindAnswer(ImmediateAnswer):
    """The results, so that a face can list them and write one of them into a grid."""

    rows: Sequence[FoundRow] = ()


def _in_words(lexicon: Lexicon, query: WordQuery, shape: _WordShape, limit: int | None) -> FindAnswer:
    """Find words, by descending score, or answers with a text in one square."""
    if shape.squares is not None:
        return _in_one_square(lexicon, query, shape.within[0], shape.squares, limit)
    found = find_words(lexicon, query, limit or MOST_LISTED)
    lines = [f"{one.score:5}  {one.word}" for one in found.words]
    text = [counted(found.matches, "word"), *lines, *and_more(found.matches - len(lines))]
    words = JsonShape("word score").convert(found.words)
    return FindAnswer(
        tuple(text) if found.matches else (_none_matches(lexicon, query),),
        {"matches": found.matches, "words": words},
        is_found=found.matches > 0,
        rows=[FoundRow(one.word, one.score) for one in found.words],
    )


def _none_matches(lexicon: Lexicon, query: WordQuery) -> str:
    """Return that no word matches, and how many words the minimum score hides."""
    lower = find_words(lexicon.with_minimum(0), query, 1).matches
    if not lower:
        return "no word matches"
    told = counted(lower, "word does", "words do")
    return f"no word with a score from {lexicon.minimum_score} matches; with --min-score 0, {told}"


_SECTION = JsonShape("squares matches", ("answers", JsonShape("answer word score rebus_squares=places")))


def _in_one_square(
    lexicon: Lexicon, query: WordQuery, content: Content, squares: Range, limit: int | None
) -> FindAnswer:
    """Find answers with a text in one square, in sections by direction and by number of squares."""
    lines, rows, sections = list[str](), list[FoundRow](), list[dict[str, Any]]()
    numbers = range(squares.least, squares.most + 1)
    most = limit or (_LISTED_IN_SECTION if len(numbers) > 1 else MOST_LISTED)
    for direction in (Direction.ACROSS, Direction.DOWN) if content.is_schroedinger else (None,):
        way = "across or down" if direction is None else direction.word
        text = content.reading(direction or Direction.ACROSS)
        for section in find_rebus(lexicon, text, content.text, query, numbers, most):
            lines.append(f"{way}, {counted(section.squares, 'square')}: {section.matches:,}")
            for one in section.answers:
                where = squares_text(one)
                lines.append(f"{one.score:5}  {one.answer:<{_WIDEST}}  {where}")
                rows.append(FoundRow(one.answer, one.score, f"{way}, {section.squares} sq, {where}"))
            lines += and_more(section.matches - len(section.answers))
            sections.append({"direction": direction and direction.word, **_SECTION.of(section)})
    matches = sum(one["matches"] for one in sections)
    head = f"{counted(matches, 'answer')} with [{content.text}]"
    return FindAnswer(
        (head, *lines) if sections else (f"no answer has {content.text} in a square",),
        {"content": content.text, "matches": matches, "sections": sections},
        is_found=matches > 0,
        rows=rows,
    )


_WIDEST = 34
_LONGEST_LINE = 60


def squares_text(answer: RebusAnswer) -> str:
    """Return which squares of an answer hold the text: `square 3`, `squares 1 and 5`."""
    places = list(map(str, answer.places))
    return f"square {places[0]}" if len(places) == 1 else f"squares {' and '.join(places)}"


def _in_puzzles(folder: Path, query: WordQuery, limit: int | None, reporter: AnswerReporter) -> FindAnswer:
    """Find where answers occur in a folder's puzzles, newest puzzle first."""
    own = puzzles_in(folder, reporter.is_stopped)
    answers = Lexicon([WordList.from_scores("own puzzles", dict.fromkeys(own.words, 0))], 0, frozenset())
    words = {one.word for one in find_words(answers, query, len(own.words)).words}
    places = own.of(words)
    listed, puzzles = places[: limit or MOST_LISTED], counted(own.puzzles, "puzzle")
    lines = [f"{counted(len(places), 'time')} in {puzzles}" if places else f"never in {puzzles}"]
    lines += [f"  {one.word}  {_place_text(one)}" for one in listed]
    lines += and_more(len(places) - len(listed))
    lines += [f"cannot be read: {first_named(own.unread, 5)}"] if own.unread else []
    document = JsonShape("word entry file=path title date clue").convert(listed)
    return FindAnswer(
        tuple(lines),
        {"matches": len(places), "puzzles": own.puzzles, "unread": own.unread, "places": document},
        is_found=bool(places),
        rows=[FoundRow(one.word, None, _place_text(one)) for one in listed],
    )


def _place_text(one: AnswerPlace) -> str:
    title = printable(one.title, _LONGEST_LINE)
    clue = f": {printable(one.clue, _LONGEST_LINE)}" if one.clue else ""
    named = f"{title} ({printable(one.path.name, 40)})" if title else printable(one.path.name, 40)
    return f"{one.entry} {one.date}  {named}{clue}"
