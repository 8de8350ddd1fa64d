"""The verbs that ask about the puzzle: what to object to, its figures, why it cannot be filled, what if."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from xwtui.errors import VerbError
from xwtui.model import Slot
from xwtui.session.verbs.types import (
    NO_PROFILE,
    NumberType,
    Place,
    PlaceType,
    ProfileNameType,
    SecondsType,
    ThemeAnswerType,
    WordType,
)
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Reply, answered, verb
from xwtui.words.theme_answers import MOST_TOGETHER

if TYPE_CHECKING:
    from xwtui.session.jobs.question import Question
    from xwtui.session.review_answers import FindingsAnswer
    from xwtui.session.session import Session


NOTHING_FOUND = "nothing was asked about this grid; `why` and `whatif blocks` ask"
_TIME_HELP = "seconds at most, 10 if not given"
seconds_option = click.option("--time", "seconds", type=SecondsType(), default="10", help=_TIME_HELP)


def ask(session: Session, question: Question) -> Reply:
    """Ask a question; the reply tells what it has brought, once it is answered or stopped."""
    session.jobs.question.start(question)
    puzzle = session.puzzle

    def answer() -> FindingsAnswer:
        from xwtui.session.jobs.question import Findings
        from xwtui.session.review_answers import FindingsAnswer

        view = session.jobs.question.view
        return FindingsAnswer(view or Findings(question.title), puzzle.grid)

    return Reply(started=True, answer=answer)


@verb(
    Group.COUNT,
    examples=("why", "why 17A QUIZ", "why --time 30"),
    from_shell=FromShell(),
    keywords=(
        "stuck",
        "impossible",
        "no fill",
        "conflict",
    ),
)
@click.argument("entry", type=PlaceType(squares=False), required=False, help="entry that a word is to go into")
@click.argument("word", type=WordType(), required=False, help="the word that cannot stand there")
@seconds_option
def why(session: Session, entry: Place | None, word: str | None, seconds: float) -> Answer:
    """Say why the grid cannot be filled, or why a word cannot stand at an entry, and what to do about it.

    It names smallest conflicts among what you chose, and changes that a fill has verified; `follow 1` makes
    the first one.
    """
    from xwtui.session.jobs.question import WhyQuestion

    if entry is not None and word is None:
        raise VerbError("why: which word at this entry? `why` alone asks about the whole grid")
    name = entry.name if isinstance(entry, Slot) else ""
    return ask(session, WhyQuestion(name, word or "", seconds))


@verb(
    Group.COUNT,
    name="whatif blocks",
    examples=("whatif blocks", "whatif blocks --max-words 76"),
    from_shell=FromShell(),
)
@click.option("--max-words", type=NumberType(1, 1000), help="most entries that the grid may have then")
@click.option("--max-blocks", type=NumberType(0, 1600), help="most blocks that it may have then")
@seconds_option
def whatif_blocks(session: Session, max_words: int | None, max_blocks: int | None, seconds: float) -> Answer:
    """Rank the blocks that could be added, removed or moved, by how far each opens the grid.

    Symmetry is kept, and no entry comes to be shorter than three; `follow 1` makes the first change.
    """
    from xwtui.model.block_changes import BlockLimits
    from xwtui.session.jobs.question import BlocksQuestion

    return ask(session, BlocksQuestion(BlockLimits(max_words, max_blocks), seconds))


@verb(
    Group.COUNT,
    name="whatif themers",
    examples=("whatif themers BRAVEHEART SWEETHEART", "whatif themers hearts.txt --choose 3"),
    from_shell=FromShell(),
)
@click.argument("answers", type=ThemeAnswerType(), nargs=-1, required=True, help="theme answers, or files of them")
@click.option("--choose", type=NumberType(1, MOST_TOGETHER), help="the so many of them that go together best")
@click.option("--each", is_flag=True, help="each by itself, to find which of many fit best")
@seconds_option
def whatif_themers(
    session: Session, answers: tuple[str, ...], choose: int | None, each: bool, seconds: float
) -> Answer:
    """Find the entries, and the order, in which theme answers leave most room for the rest.

    All go into symmetric entries across, or those that --choose takes; with --each, and where there are more than
    seven, each is ranked by itself, in the entry that suits it best. `follow 1` writes the first.
    """
    from xwtui.session.jobs.question import themers_question

    alphabet = session.puzzle.alphabet
    return ask(session, themers_question(answers, alphabet, size=choose, each=each, seconds=seconds))


@verb(
    Group.COUNT,
    examples=("heat",),
    from_shell=FromShell(names=("heat", "whatif heat")),
    keywords=(
        "hardest entry",
        "problem area",
        "trouble spot",
    ),
)
@seconds_option
def heat(session: Session, seconds: float) -> Answer:
    """Show where the grid is hard: squares on which entries hardly agree, and that dead ends are blamed on.

    On the screen the key takes the map away again.
    """
    from xwtui.session.jobs.question import HeatQuestion

    return ask(session, HeatQuestion(seconds))


_SWITCH = {"on": True, "off": False}


@verb(Group.REVIEW, examples=("tint on", "tint off", "tint"))
@click.argument("switch", type=click.Choice(tuple(_SWITCH)), required=False, help="on or off; without it, which")
def tint(session: Session, switch: str | None) -> Answer:
    """Turn on or off the tint of letters by the score of their weaker entry, where squares are large.

    Squares of the weakest entries show the score as well. On the screen the key turns it on and off.
    """
    if switch is not None:
        session.settings = replace(session.settings, tint=_SWITCH[switch])
    return f"letters are {'tinted by the score of their weakest entry' if session.settings.tint else 'not tinted'}"


@verb(Group.COUNT, examples=("findings",))
def findings(session: Session) -> Answer:
    """Show once more what the last question about this grid has brought."""
    from xwtui.session.wording import finding_lines

    found = session.jobs.question.findings
    if found is None:
        raise VerbError(NOTHING_FOUND)
    return list(finding_lines(found, session.puzzle.grid))


@verb(Group.COUNT, examples=("follow 1",))
@click.argument("number", type=NumberType(1, 1000), help="the number of a proposal")
def follow(session: Session, number: int) -> Answer:
    """Make a change that `why` or `whatif` proposed; one undo takes it back."""
    return f"done: {session.follow(session.jobs.question.proposal(number)).text}"


_lights_option = click.option(
    "--lights", is_flag=True, help="of each entry, how many squares are checked and unchecked in a row"
)


@verb(
    Group.REVIEW,
    examples=("check", "check --profile british", "check --lights"),
    from_shell=FromShell(needs=Needs.WORDS),
    keywords=(
        "duplicates",
        "duplicate",
        "errors",
        "review",
        "verify",
        "proofread",
        "near-duplicates",
        "dupe",
        "dupes",
        "duplicate words",
        "validate",
        "two-letter words",
        "unchecked squares",
        "missing clues",
    ),
)
@click.option(
    "--profile", type=ProfileNameType(), help="judge by this profile rather than the puzzle's, or by `none`"
)
@click.option("--all", "all_", is_flag=True, help="all that is found, also where many are of a kind")
@_lights_option
def check(session: Session, profile: str | None, all_: bool, lights: bool) -> Answer:
    """List what an editor would object to; the grid is judged by the profile of the puzzle, if it has one.

    The worst comes first; of many findings of a kind the first ones are shown.
    """
    from xwtui.model.review import worst_first
    from xwtui.session.review_answers import ReviewAnswer, findings_of

    name = session.puzzle.profile if profile is None else "" if profile == NO_PROFILE else profile
    findings = findings_of(session.puzzle, name)
    vocabulary = session.jobs.words.view
    if vocabulary is not None:
        from xwtui.words.rule_findings import word_findings

        crossed = [entry.slot for entry in session.nonsense_entries]
        findings = worst_first([*findings, *word_findings(session.puzzle, vocabulary, crossed)])
    figures = session.jobs.words.statistics(session.puzzle)
    judged = vocabulary is not None
    return answered(
        ReviewAnswer(
            session.puzzle,
            findings,
            figures,
            name,
            are_words_judged=judged,
            each_light=lights,
            each_finding=all_,
        )
    )


@verb(
    Group.REVIEW,
    examples=("stats", "stats --lights"),
    from_shell=FromShell(needs=Needs.WORDS),
    keywords=(
        "statistics",
        "number of words",
        "word count",
        "unches",
        "scrabble",
        "average word length",
    ),
)
@_lights_option
def stats(session: Session, lights: bool) -> Answer:
    """Show the figures of the grid: entries, blocks, cheaters, lengths, letters, scores, repeated stems.

    A cheater is a block without which the grid would have as many entries.
    """
    from xwtui.session.review_answers import StatisticsAnswer

    words, puzzle = session.jobs.words, session.puzzle
    figures = words.statistics(puzzle)
    return answered(StatisticsAnswer(figures, puzzle, words.lexicon is not None, each_light=lights))
