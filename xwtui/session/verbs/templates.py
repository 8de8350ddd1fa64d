"""The verbs that find templates: by what they are, and for theme answers, with which a puzzle is begun."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

from xwtui.asked import MAX_BLOCKS, MAX_WORDS, MIN_BLOCKS, MIN_WORDS
from xwtui.errors import PuzzleError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model.answers import squares_taken
from xwtui.model.grid import LARGEST_SIDE, check_size
from xwtui.session.verbs.files import TEMPLATE, begin
from xwtui.session.verbs.kinds import WORDS, alphabet_of, asked, last_word_offers, number_kind, parameter_kind
from xwtui.session.verbs.verb import (
    WITHOUT_GRID,
    Answer,
    FromShell,
    Group,
    Needs,
    Writes,
    answered,
    argument,
    option,
    options,
    verbs_of,
)
from xwtui.text import printable
from xwtui.words.theme_answers import theme_answer

with lazy_imports():
    from xwtui.grids.library import layout_library
    from xwtui.grids.templates import TemplateWanted, find_templates, read_query, read_theme, themed_puzzle
    from xwtui.session.layout_answers import TemplatesAnswer, ThemeAnswer, design_words, refusal
    from xwtui.session.session import Session

verb = verbs_of(Group.FILE)

_MOST_LISTED = 10_000
_SIZE = re.compile(r"(\d{1,2})(?:[xX×](\d{1,2}))?")


@parameter_kind("size")
def GRID_SIZE(text: str, session: Session) -> tuple[int, int]:
    """Rows and columns: `15x15`, or `15` for a square."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise PuzzleError(f"{printable(text, 30)!r} is not a size such as 15x15")
    height, width = int(found[1]), int(found[2] or found[1])
    check_size(height, width)
    return height, width


@parameter_kind("lengths", last_word_offers)
def LENGTHS(text: str, session: Session) -> tuple[int, ...]:
    """How many squares theme answers take: `11,13,11`, or the answers themselves."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    alphabet = alphabet_of(session)
    lengths = tuple(
        int(part) if part.isdecimal() else squares_taken(theme_answer(part, alphabet)) for part in parts
    )
    if not lengths or not all(2 <= length <= LARGEST_SIDE for length in lengths):
        raise PuzzleError(f"{printable(text, 30)!r}: theme answers must have 2 to {LARGEST_SIDE} squares")
    return lengths


class _TemplateOptions(NamedTuple):
    """What templates are asked for by options."""

    size: tuple[int, int] | None = option("rows and columns, such as 15x15", GRID_SIZE)
    across: tuple[int, ...] | None = option(
        "lengths of theme answers across, such as 11,13,11, or the answers themselves", LENGTHS
    )
    down: tuple[int, ...] | None = option("the same for theme answers down", LENGTHS)
    in_order: bool = option("keep the theme answers in this order")
    max_words: int | None = asked(MAX_WORDS)
    min_words: int | None = asked(MIN_WORDS)
    max_blocks: int | None = asked(MAX_BLOCKS, name="--max-blocks --blocks")
    min_blocks: int | None = asked(MIN_BLOCKS)

    def narrowed(self, query: TemplateWanted) -> TemplateWanted:
        """A query with what the options say, which count where both do."""
        said = {
            "size": self.size,
            "most_words": self.max_words,
            "fewest_words": self.min_words,
            "most_blocks": self.max_blocks,
            "fewest_blocks": self.min_blocks,
        }
        told: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        across, down = (*query.across, *(self.across or ())), (*query.down, *(self.down or ()))
        return replace(query, across=across, down=down, in_order=self.in_order, **told)


@verb(
    examples=("templates 15x15 11,13,11", "templates --across LO[CAT]IONSCOUT,DOGCATCHERS --max-words 76"),
    from_shell=WITHOUT_GRID,
)
def templates(
    session: Session,
    words: tuple[str, ...] = argument(
        "a query as on the screen: `15x15 11,11 <78 <=38b british`", metavar="[WORD]..."
    ),
    asked: _TemplateOptions = options(_TemplateOptions),
    limit: int = option("how many to list (default: 20)", number_kind(1, _MOST_LISTED), default="20"),
    draw: bool = option("draw each one, as the screen does"),
) -> Answer:
    """Find grid templates by size, word count, block count and theme entries.

    A template fits theme answers if it has entries of these lengths in symmetric positions. If none matches, the
    nearest ones are listed with what they lack. The screen shows a picture of each. The word `mine` searches
    only your own library.
    """
    wanted = asked.narrowed(read_query(" ".join(words)))
    return answered(TemplatesAnswer.to(wanted, limit, is_drawn=draw))


@verb(
    examples=("theme answers BRAVE HEART, SWEETHEART", "theme answers LO[CAT]IONSCOUT DOGCATCHERS 15x15"),
    from_shell=FromShell(
        writes=Writes.PUZZLE, needs=Needs.NOTHING, takes_grid=False, takes_alphabet=True, hidden=("force",)
    ),
)
def theme_answers(
    session: Session,
    words: tuple[str, ...] = argument(
        "theme answers, separated by commas if they contain spaces; `15x15` and `<78` narrow the templates",
        WORDS,
        metavar="[ANSWER]...",
    ),
    template: str | None = option("the template to use (default: the first that fits)", TEMPLATE),
    force: bool = option("replace the current puzzle; `discarded` brings unsaved changes back"),
) -> Answer:
    """Start a puzzle from a template that fits the theme answers, placed and locked.

    Put rebus squares in brackets. On the screen, leave out the answers to see matching templates as you type
    them.
    """
    separator = " " if any(sign in word for word in words for sign in ",;") else ", "
    answers, wanted = read_theme(separator.join(words), session.puzzle.alphabet)
    if not answers:
        raise VerbError("name theme answers, as in `theme answers SWEETHEART, BRAVE HEART`")
    if template is not None:
        wanted = replace(wanted, names=(template,))
    found = find_templates(wanted, layout_library())
    if not found:
        raise VerbError(f"no template is called {printable(' '.join(wanted.names), 30)}")
    best = next((one for one in found if one.template.name == template), found[0])
    if not best.fits:
        raise VerbError(refusal(best))
    puzzle = themed_puzzle(best, answers, session.puzzle.alphabet)
    told = begin(session, puzzle, "theme answers", force=force)
    others = tuple(one.template.name for one in found if one.fits and one is not best)
    reply = answered(ThemeAnswer(best, puzzle, others, design_words(wanted, found)))
    return replace(reply, lines=(*reply.lines, *filter(None, [told])))
