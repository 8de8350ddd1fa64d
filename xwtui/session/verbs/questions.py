"""The verbs that ask about the puzzle: what to object to, its figures, why it cannot be filled, what if."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from xwtui.asked import MAX_BLOCKS, MAX_WORDS, SECONDS
from xwtui.engine.budget import ANSWERING_SECONDS
from xwtui.errors import VerbError, WordListError
from xwtui.lazy import lazy_imports
from xwtui.model import Slot
from xwtui.session.verbs.kinds import (
    ENTRY,
    NO_PROFILE,
    PROFILE_NAME,
    THEME_ANSWER,
    WORD,
    asked,
    number_kind,
    switch_argument,
)
from xwtui.session.verbs.verb import (
    Answer,
    FromShell,
    Group,
    Needs,
    Reply,
    answered,
    argument,
    begun,
    option,
    verbs_of,
)
from xwtui.words.theme_answers import MOST_TOGETHER

with lazy_imports():
    from xwtui.model.block_changes import BlockLimits
    from xwtui.model.review import worst_first
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.jobs.question import (
        BlocksQuestion,
        Findings,
        HeatQuestion,
        Question,
        WhyQuestion,
        themers_question,
    )
    from xwtui.session.review_answers import FindingsAnswer, ReviewAnswer, StatisticsAnswer, findings_of
    from xwtui.session.session import Session
    from xwtui.session.wording import finding_lines
    from xwtui.words.rule_findings import word_findings

verb = verbs_of(Group.COUNT)

NOTHING_FOUND = "there are no findings about this grid yet; run `why` or `whatif blocks` first"
seconds_option = asked(SECONDS, usual=ANSWERING_SECONDS)


def ask(session: Session, question: Question) -> Reply:
    """Ask a question; the reply tells what it has brought, once it is answered or stopped."""
    session.jobs.question.start(question)
    puzzle = session.puzzle

    def answer() -> FindingsAnswer:
        view = session.jobs.question.view
        return FindingsAnswer(view or Findings(question.title), puzzle.grid)

    return begun(answer)


@verb(examples=("why", "why 17A QUIZ", "why --time 30"), from_shell=FromShell())
def why(
    session: Session,
    entry: Slot | None = argument("the entry for the word", ENTRY),
    word: str | None = argument("the word that cannot go there", WORD),
    seconds: float = seconds_option,
) -> Answer:
    """Explain why the grid cannot be filled, or why a word cannot go in an entry, and what would help.

    It names the smallest conflicts among your choices, and changes that a fill has verified; `follow 1` makes
    the first change.
    """
    if entry is not None and word is None:
        raise VerbError("why: name a word for this entry; `why` alone asks about the whole grid")
    name = entry.name if isinstance(entry, Slot) else ""
    return ask(session, WhyQuestion(name, word or "", seconds))


@verb(examples=("whatif blocks", "whatif blocks --max-words 76"), from_shell=FromShell())
def whatif_blocks(
    session: Session,
    max_words: int | None = asked(MAX_WORDS.said(f"{MAX_WORDS.help} after the change")),
    max_blocks: int | None = asked(MAX_BLOCKS.said(f"{MAX_BLOCKS.help} after the change")),
    seconds: float = seconds_option,
) -> Answer:
    """Rank blocks to add, remove or move by how much each change opens the grid.

    Symmetry is kept, and no entry becomes shorter than three letters; `follow 1` makes the first change.
    """
    return ask(session, BlocksQuestion(BlockLimits(max_words, max_blocks), seconds))


@verb(
    examples=("whatif themers BRAVEHEART SWEETHEART", "whatif themers hearts.txt --choose 3"),
    from_shell=FromShell(),
)
def whatif_themers(
    session: Session,
    answers: tuple[str, ...] = argument("theme answers, or files of them", THEME_ANSWER, required=True),
    choose: int | None = option(
        "use only this many, the ones that fit together best", number_kind(1, MOST_TOGETHER)
    ),
    each: bool = option("rank each one by itself"),
    seconds: float = seconds_option,
) -> Answer:
    """Find the entries and the order for theme answers that leave the most room for the rest.

    All of them, or as many as --choose says, go into symmetric across entries. With --each, or with more than
    seven, each answer is ranked by itself in its best entry. `follow 1` writes the first.
    """
    alphabet = session.puzzle.alphabet
    return ask(session, themers_question(answers, alphabet, size=choose, each=each, seconds=seconds))


@verb(examples=("heat",), from_shell=FromShell(names=("heat", "whatif heat")))
def heat(session: Session, seconds: float = seconds_option) -> Answer:
    """Show the hard parts of the grid: squares where entries rarely agree and that cause dead ends.

    On the screen, the key also removes the map.
    """
    return ask(session, HeatQuestion(seconds))


@verb(group=Group.REVIEW, examples=("tint on", "tint off", "tint"))
def tint(session: Session, switch: bool | None = switch_argument) -> Answer:
    """Turn the tint on or off that colors letters by the score of their weaker entry, on large squares.

    Squares of the weakest entries also show the score.
    """
    if switch is not None:
        session.settings = replace(session.settings, tint=switch)
    return f"letters are {'tinted by the score of their weakest entry' if session.settings.tint else 'not tinted'}"


@verb(examples=("findings",))
def findings(session: Session) -> Answer:
    """Show the last answer about this grid again."""
    found = session.jobs.question.findings
    if found is None:
        raise VerbError(NOTHING_FOUND)
    return list(finding_lines(found, session.puzzle.grid))


@verb(examples=("follow 1",))
def follow(session: Session, number: int = argument("the number of a proposal", number_kind(1, 1000))) -> Answer:
    """Make a change that `why` or `whatif` proposed; one undo reverts it."""
    return f"done: {session.follow(session.jobs.question.proposal(number)).text}"


_lights_option = option("show each entry's runs of checked and unchecked squares")


@verb(
    group=Group.REVIEW,
    examples=("check", "check --profile british", "check --lights"),
    from_shell=FromShell(needs=Needs.WORDS),
)
def check(
    session: Session,
    profile: str | None = option("judge by this profile instead of the puzzle's, or by `none`", PROFILE_NAME),
    all_: bool = option("show every finding, even many of one kind", name="--all"),
    lights: bool = _lights_option,
) -> Answer:
    """List what an editor would object to, judged by the puzzle's profile if it has one.

    The most serious comes first; of many findings of one kind, the first few are shown.
    """
    puzzle, words = session.puzzle, session.jobs.words
    name = puzzle.profile if profile is None else "" if profile == NO_PROFILE else profile
    findings = findings_of(puzzle, name)

    def judged() -> ReviewAnswer:
        vocabulary, found = words.view, findings
        if vocabulary is not None:
            crossed = [entry.slot for entry in session.nonsense_entries]
            found = worst_first([*findings, *word_findings(puzzle, vocabulary, crossed)])
        return ReviewAnswer(
            puzzle,
            found,
            words.statistics(puzzle),
            name,
            are_words_judged=vocabulary is not None,
            each_light=lights,
            each_finding=all_,
        )

    def judged_once_loaded(reporter: AnswerReporter) -> ReviewAnswer:
        with suppress(WordListError):
            words.wait(reporter.is_stopped)
        return judged()

    if words.view is not None or not words.is_loading:
        return answered(judged())
    return begun(session.jobs.answer.start_plain(judged_once_loaded))


@verb(group=Group.REVIEW, examples=("stats", "stats --lights"), from_shell=FromShell(needs=Needs.WORDS))
def stats(session: Session, lights: bool = _lights_option) -> Answer:
    """Show the grid's statistics: entries, blocks, cheaters, lengths, letters, scores, repeats.

    A cheater is a block whose removal would not change the number of entries.
    """
    words, puzzle = session.jobs.words, session.puzzle
    figures = words.statistics(puzzle)
    return answered(StatisticsAnswer(figures, puzzle, words.lexicon is not None, each_light=lights))
