"""The verbs for questions about the puzzle: why it cannot be filled, what if, which parts are hard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xwtui.dataclasses import replace
from xwtui.engine.budget import ANSWERING_SECONDS
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Slot
from xwtui.parameters import MAX_BLOCKS, MAX_WORDS, SECONDS
from xwtui.session.answers import FilesWritten, ImmediateAnswer, JsonShape, VerbAnswer
from xwtui.session.verbs.kinds import ENTRY, THEME_ANSWER, WORD, asked, number_kind
from xwtui.session.verbs.verb import Answer, FromShell, Group, Writes, argument, option, verbs_of
from xwtui.text import counted
from xwtui.words.theme_answers import MOST_TOGETHER

with lazy_imports():
    from xwtui.engine.events.event import Outcome
    from xwtui.model.block_changes import BlockLimits
    from xwtui.session.jobs.fills.kept_fills import fill_words
    from xwtui.session.jobs.question import (
        BlocksQuestion,
        Findings,
        HeatQuestion,
        Proposal,
        Question,
        WhyQuestion,
        themers_question,
    )
    from xwtui.session.session import Session
    from xwtui.session.wording import finding_lines

verb = verbs_of(Group.COUNT)

NOTHING_FOUND = "there are no findings about this grid yet; run `why` or `whatif blocks` first"
seconds_option = asked(SECONDS, usual=ANSWERING_SECONDS)


class FindingsAnswer(VerbAnswer):
    """The findings about a question."""

    findings: Findings
    puzzle: Puzzle
    is_saved: bool = True
    """False in a process that writes no file for it."""
    stopped = "these are the findings so far"
    json = JsonShape("*findings.as_json")

    @property
    def verdict(self) -> Outcome:
        return {True: Outcome.FILLED, False: Outcome.IMPOSSIBLE, None: Outcome.UNKNOWN}[self.findings.is_possible]

    @property
    def lines(self) -> Sequence[str]:
        return list(finding_lines(self.findings, self.puzzle.grid))

    @property
    def _fill(self) -> Proposal | None:
        """The fill with the word in question."""
        fills = [one for one in self.findings.proposals if one.found is not None]
        return fills[0] if fills and self.findings.is_of_word else None

    def report(self, times: str, columns: int) -> Sequence[str]:
        is_told = self._fill is not None and not self.is_saved
        return [*self.lines, *["-o FILE writes the puzzle with this fill"] * is_told]

    def unsaved(self) -> VerbAnswer:
        return replace(self, is_saved=False)

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write the puzzle with the fill that contains the word; raises VerbError if there is none."""
        if (fill := self._fill) is None:
            raise VerbError(f"{path} was not written: no fill with a word was asked for and found")
        return ImmediateAnswer((), made=fill.change(self.puzzle)).write(path, lossy=lossy)


def ask(session: Session, question: Question) -> Answer:
    """Start a question; the answer returns the findings once it is answered or stopped."""
    session.jobs.question.start(question)
    puzzle = session.puzzle

    def answer() -> FindingsAnswer:
        view = session.jobs.question.view
        return FindingsAnswer(view or Findings(question.title), puzzle)

    return answer


@verb(examples=("why", "why 17A QUIZ", "why --time 30"), from_shell=FromShell(writes=Writes.PUZZLE))
def why(
    session: Session,
    entry: Slot | None = argument("the entry for the word", ENTRY),
    word: str | None = argument("the word that cannot go there", WORD),
    seconds: float = seconds_option,
) -> Answer:
    """Explain why the grid cannot be filled, or why a word cannot go in an entry, and what would help.

    It names the smallest conflicts among your choices, and changes that a fill has verified; `follow 1` makes
    the first change. Where the word can go, it writes a fill with it, in pencil (-o FILE in the shell).
    """
    if entry is not None and word is None:
        raise VerbError("why: name a word for this entry; `why` alone asks about the whole grid")
    name = entry.name if isinstance(entry, Slot) else ""
    is_proved = word is None and session.jobs.has_proved_no_fill
    return ask(session, WhyQuestion(name, word or "", seconds, is_proved))


@verb(examples=("whatif blocks", "whatif blocks --max-words 76"), from_shell=FromShell())
def whatif_blocks(
    session: Session,
    max_words: int | None = asked(MAX_WORDS.with_help(f"{MAX_WORDS.help} after the change")),
    max_blocks: int | None = asked(MAX_BLOCKS.with_help(f"{MAX_BLOCKS.help} after the change")),
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


@verb(examples=("findings",))
def findings(session: Session) -> Answer:
    """Show the latest findings about this grid again."""
    found = session.jobs.question.findings
    if found is None:
        raise VerbError(NOTHING_FOUND)
    return list(finding_lines(found, session.puzzle.grid))


@verb(examples=("follow 1",))
def follow(session: Session, number: int = argument("the number of a proposal", number_kind(1, 1000))) -> Answer:
    """Make a change that `why` or `whatif` proposed; one undo reverts it."""
    proposal = session.jobs.question.proposal(number)
    if session.offer(proposal):
        return offered_words(session, proposal)
    return f"done: {session.follow(proposal).text}"


def offered_words(session: Session, proposal: Proposal) -> str:
    """Return the message for a change that replaces much pencil and must be accepted first."""
    size = counted(proposal.replaces(session.puzzle.grid), "square")
    scores = fill_words(proposal.found) if proposal.found is not None else proposal.remark
    return f"not written: {proposal.text} would replace {size} of pencil, {scores}: `take 1` accepts it"
