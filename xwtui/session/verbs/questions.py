"""The verbs for questions about the puzzle (why, what if, swap), and for taking or refusing what is offered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xwtui.engine.budget import ANSWERING_SECONDS
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Slot
from xwtui.parameters import MAX_BLOCKS, MAX_WORDS, SECONDS
from xwtui.session.answers import FilesWritten, ImmediateAnswer, JsonShape, VerbAnswer
from xwtui.session.fill_options import MOST_SWAPS, FillOptions, Mode
from xwtui.session.verbs import kinds
from xwtui.session.verbs.fill import start_run
from xwtui.session.verbs.verb import Answer, FromShell, Group, Writes, argument, option, verbs_of
from xwtui.text import counted
from xwtui.words.theme_answers import MOST_TOGETHER

with lazy_imports():
    from xwtui.model.block_changes import BlockLimits
    from xwtui.model.edits import clear_pencil
    from xwtui.session.jobs.fills.kept_fills import describe_fills, fill_words, scores_text
    from xwtui.session.jobs.question import (
        BlocksQuestion,
        Findings,
        HeatQuestion,
        Proposal,
        Question,
        SwapQuestion,
        WhyQuestion,
        themers_question,
    )
    from xwtui.session.session import Session
    from xwtui.session.wording import finding_lines

verb = verbs_of(Group.COUNT)

NOTHING_FOUND = "there are no findings about this grid yet; run `why` or `whatif blocks` first"
seconds_option = kinds.asked(SECONDS, usual=ANSWERING_SECONDS)


class FindingsAnswer(VerbAnswer):
    """The findings about a question."""

    findings: Findings
    puzzle: Puzzle
    stopped = "these are the findings so far"
    json = JsonShape("*findings.as_json")

    @property
    def is_found(self) -> bool | None:
        return self.findings.is_possible

    @property
    def lines(self) -> Sequence[str]:
        return list(finding_lines(self.findings, self.puzzle.grid))

    @property
    def _fill(self) -> Proposal | None:
        """The fill with the word in question."""
        fills = [one for one in self.findings.proposals if one.found is not None]
        return fills[0] if fills and self.findings.is_of_word else None

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        is_told = self._fill is not None and not is_saved
        return [*self.lines, *["-o FILE writes the puzzle with this fill"] * is_told]

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


@verb("why", "why 17A QUIZ", "why --time 30", from_shell=FromShell(writes=Writes.PUZZLE))
def why(
    session: Session,
    entry: Slot | None = argument("the entry for the word", kinds.ENTRY),
    word: str | None = argument("the word that cannot go there", kinds.WORD),
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


@verb("whatif blocks", "whatif blocks --max-words 76", from_shell=FromShell())
def whatif_blocks(
    session: Session,
    most_words: int | None = kinds.asked(MAX_WORDS.with_help(f"{MAX_WORDS.help} after the change")),
    most_blocks: int | None = kinds.asked(MAX_BLOCKS.with_help(f"{MAX_BLOCKS.help} after the change")),
    seconds: float = seconds_option,
) -> Answer:
    """Rank blocks to add, remove or move by how much each change opens the grid.

    Symmetry is kept, and no entry becomes shorter than three letters; `follow 1` makes the first change.
    """
    return ask(session, BlocksQuestion(BlockLimits(most_words, most_blocks), seconds))


@verb("whatif themers BRAVEHEART SWEETHEART", "whatif themers hearts.txt --choose 3", from_shell=FromShell())
def whatif_themers(
    session: Session,
    answers: tuple[str, ...] = argument("theme answers, or files of them", kinds.THEME_ANSWER, required=True),
    choose: int | None = option(
        "use only this many, the ones that fit together best", kinds.number_kind(1, MOST_TOGETHER)
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


@verb("heat", from_shell=FromShell(names=("heat", "whatif heat")))
def heat(session: Session, seconds: float = seconds_option) -> Answer:
    """Show the hard parts of the grid: squares where entries rarely agree and that cause dead ends.

    On the screen, the key also removes the map.
    """
    return ask(session, HeatQuestion(seconds))


@verb("findings")
def findings(session: Session) -> Answer:
    """Show the latest findings about this grid again."""
    found = session.jobs.question.findings
    if found is None:
        raise VerbError(NOTHING_FOUND)
    return list(finding_lines(found, session.puzzle.grid))


@verb("follow 1")
def follow(
    session: Session, number: int = argument("the number of a proposal", kinds.number_kind(1, 1000))
) -> Answer:
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


@verb(
    "swap 17A",
    "swap 17A AXLE",
    "swap 17A --limit 50 --time 30",
    group=Group.FILL,
    from_shell=FromShell(writes=Writes.PUZZLE),
)
def swap(
    session: Session,
    entry: Slot = kinds.entry_argument,
    word: str | None = argument("the word to put there; lists the choices if left out", kinds.WORD),
    limit: int = kinds.limit_option(MOST_SWAPS, 1000),
    seconds: float = seconds_option,
) -> Answer:
    """List other words for an entry, each with the smallest change around it that completes the grid.

    Words that change the fewest squares come first, then those whose lowest changed word scores highest (`≥`),
    then those with the best mean. `swap 17A AXLE` makes that change, and `follow 1` the first in the list; only
    what is listed changes. Pen and locked squares stay. Changes not proved to be the smallest are marked.
    """
    session.fills.check_pencil(entry)
    if word is None:
        return ask(session, SwapQuestion(entry.name, limit, seconds))
    if out := _banned_words(session, word):
        raise VerbError(f"swap: {out}")
    asked = session.jobs.question.result
    if asked is not None and isinstance(asked[0], SwapQuestion) and asked[0].entry == entry.name:
        key = asked[0].proposing(word)
        if any(proposal.key == key for proposal in asked[1].proposals):
            proposal = session.jobs.question.proposal_of(key)
            if session.offer(proposal):
                return offered_words(session, proposal)
            session.follow(proposal)
            return f"done: {proposal.text}: {proposal.remark}"
    return start_run(session, _order(session, Mode.SWAP, entry, word, seconds), is_strict=True)


def _banned_words(session: Session, word: str) -> str:
    """Return what bans a word and how to allow it; empty if it is not known to be banned."""
    puzzle = session.puzzle
    if word in puzzle.words.banned:
        return f"{word} is banned in this puzzle; `allow {word}` allows it"
    if word in puzzle.words.never:
        return f"{word} is scored 0 in this puzzle, which bans it; `score {word} none` allows it"
    if word in session.jobs.words.banned(puzzle):
        return f"{word} is banned in every puzzle, by your own list; `allow {word} --everywhere` allows it"
    return ""


@verb("reject 17A", "reject", group=Group.FILL, from_shell=FromShell(writes=Writes.PUZZLE))
def reject(session: Session, entry: Slot = kinds.entry_argument, seconds: float = seconds_option) -> Answer:
    """Replace a word with another, changing as little as possible, and keep it out of this entry from now on.

    It takes the change of the fewest squares, the first in `swap`, whose word scores 50 or more, or as much as the
    old one, and whose other words score 50 or more, or as much as the lowest before. A poorer word is used, and
    named, only if no such change of at most twice as many squares is found. Only what has to change changes, so
    improvements elsewhere stay. If the entry is unfinished, its pencil is erased. A rule of the entry, saved with
    the puzzle, keeps the word out (`rules`, `rule 17A --bar`) until you write it there by hand. `ban` keeps a word
    out of the whole puzzle; `swap` lists words to choose from.
    """
    grid = session.commit_shown(entry).grid
    session.fills.check_pencil(entry)
    if grid.answer(entry) is None:
        session.edit(f"reject {entry.name}", lambda puzzle: clear_pencil(puzzle, entry.positions))
        return ImmediateAnswer([f"rejected: the pencil in {entry.name}"], made=session.puzzle)
    return start_run(session, _order(session, Mode.REJECT, entry, "", seconds), is_strict=True)


def _order(session: Session, mode: Mode, entry: Slot, word: str, seconds: float) -> FillOptions:
    asks = session.can_ask_user
    return FillOptions(mode, seconds=seconds, threads=1, seed=0, entry=entry.name, word=word, can_ask_user=asks)


@verb("accept", "accept 17A", "accept selection", group=Group.FILL, aliases="pen")
def accept(
    session: Session,
    what: kinds.Place = argument(
        "entry, squares or `selection` (default: everything)", kinds.squares_kind("all"), default="all"
    ),
) -> Answer:
    """Turn the filler's pencil into pen, so that later fills keep it.

    A paused search keeps what it has; a running one ends with its best fill.
    """
    job, name = session.jobs.fill, kinds.place_name(what)
    run, is_kept = (job.view if job.is_running else None), job.has_found
    squares = None if what == "all" else kinds.squares_of(session, what)
    if not session.accept(squares, name):
        raise VerbError("there is nothing in pencil to accept" + (f" in {name}" if squares is not None else ""))
    if run is None:
        return f"accepted: {name}"
    work = "improving" if run.mode in (Mode.BEST, Mode.IMPROVE) else "the fill"
    return f"accepted: {name}; {work} has stopped" + (", keeping its best fill" if is_kept else "")


@verb("fills", "fills --limit 100", group=Group.FILL)
def fills(
    session: Session,
    limit: int = kinds.limit_option(20, 10_000),
) -> Answer:
    """Show the fills to choose from, best first."""
    if not session.fills.kept:
        raise VerbError("there are no fills to choose from yet")
    lines = describe_fills(session.fills.kept, session.puzzle, session.jobs.words.allows, limit)
    return [*lines, "`take 2` writes the second one"]


@verb("take 2", group=Group.FILL)
def take(
    session: Session, number: int = argument("the fill's number in `fills`", kinds.number_kind(1, 1_000_000))
) -> Answer:
    """Write one of the fills to choose from, in pencil."""
    return f"fill {number}: {scores_text(session.fills.take(number))}"
