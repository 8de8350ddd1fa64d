"""The verbs that accept, reject or swap the filler's words, and choose among several fills."""

from __future__ import annotations

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Slot
from xwtui.session.answers import ImmediateAnswer
from xwtui.session.fill_options import MOST_SWAPS, FillOptions, Mode
from xwtui.session.verbs import kinds
from xwtui.session.verbs.fill import start_run
from xwtui.session.verbs.questions import ask, offered_words, seconds_option
from xwtui.session.verbs.verb import Answer, FromShell, Group, Writes, argument, option, verbs_of

with lazy_imports():
    from xwtui.model.edits import clear_pencil
    from xwtui.session.jobs.fills.kept_fills import describe_fills, scores_text
    from xwtui.session.jobs.question import SwapQuestion
    from xwtui.session.session import Session

verb = verbs_of(Group.FILL)


@verb(
    examples=("swap 17A", "swap 17A AXLE", "swap 17A --limit 50 --time 30"),
    from_shell=FromShell(writes=Writes.PUZZLE),
)
def swap(
    session: Session,
    entry: Slot = kinds.entry_argument,
    word: str | None = argument("the word to put there; lists the choices if left out", kinds.WORD),
    limit: int = option(
        f"how many to list (default: {MOST_SWAPS})", kinds.number_kind(1, 1000), default=str(MOST_SWAPS)
    ),
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


@verb(examples=("reject 17A", "reject"), from_shell=FromShell(writes=Writes.PUZZLE))
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


@verb(examples=("accept", "accept 17A", "accept selection"), aliases="pen")
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


@verb(examples=("fills", "fills --limit 100"))
def fills(
    session: Session,
    limit: int = option("how many to list (default: 20)", kinds.number_kind(1, 10_000), default="20"),
) -> Answer:
    """Show the fills to choose from, best first."""
    if not session.fills.kept:
        raise VerbError("there are no fills to choose from yet")
    lines = describe_fills(session.fills.kept, session.puzzle, session.jobs.words.allows, limit)
    return [*lines, "`take 2` writes the second one"]


@verb(examples=("take 2",))
def take(
    session: Session, number: int = argument("the fill's number in `fills`", kinds.number_kind(1, 1_000_000))
) -> Answer:
    """Write one of the fills to choose from, in pencil."""
    return f"fill {number}: {scores_text(session.fills.take(number))}"
