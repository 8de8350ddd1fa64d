"""Texts about runs, candidates, searches, findings and letters, shared by all faces."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Aim
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position, Puzzle
from xwtui.model.alphabet import ENGLISH
from xwtui.session.fill_options import MOST_KEPT, REJECTION_REACH, Mode
from xwtui.session.run_view import EntryChange, LoweredScore, PenIn, Quality, RunView
from xwtui.text import counted, first_named, listed, printable

with lazy_imports():
    from xwtui.engine.candidates.estimate import CandidateEstimate
    from xwtui.engine.improve.plain_fill import SharedStem
    from xwtui.engine.problem.no_fill import UntriedWays
    from xwtui.session.jobs.question import Findings
    from xwtui.wording import about, how_sure

PARTIAL_HINT = "`fill --partial` fills as much as possible"
_MOST_STOPPED = 3
_MOST_REPEATS = 3
_MOST_UNLISTED = 2
_LONGEST_REASON = 200


def standing_words(run: RunView) -> str:
    """Return what a run has so far."""
    if run.is_mending and run.mode is Mode.FILL:
        return f"replaces {counted(run.found, 'square')} so far, trying fewer" if run.found else "no fill yet"
    if run.is_mending and not run.changes:
        return "looking for the smallest change"
    if run.is_mending:
        return f"{run.changes[0].after} would change {counted(run.found, 'square')}, trying others"
    match run.mode:
        case Mode.PARTIAL:
            return f"{run.found:,} of {run.wanted:,} squares"
        case Mode.DIVERSE:
            return f"{run.found} of {run.wanted} fills"
        case Mode.ALL:
            return ", ".join([counted(run.found, "fill"), *(_placed(run) or [counted(run.nodes, "node")])])
        case Mode.FILL:
            depth = f"depth {run.depth} of {run.deepest}"
            return f"{depth}, {counted(run.nodes, 'node')}, {counted(run.backtracks, 'backtrack')}"
        case _:
            return quality_words(run.quality, run.lowered) if run.quality is not None else "no fill yet"


def lowered_words(lowered: LoweredScore) -> str:
    """Return how a change lowers the grid's lowest score, and the word that has it now."""
    if lowered.word:
        return f"lowest was {lowered.before}, now {lowered.after}: {lowered.word}"
    return f"lowest {lowered.after} (was {lowered.before})"


def quality_words(quality: Quality, lowered: LoweredScore | None = None) -> str:
    """Return how good the best fill is, its starting value, and the bound that no fill can exceed.

    A figure that does not cover the whole grid says what it covers.
    """
    value, whole = _value_words(quality)
    parts = [value]
    if quality.bound is not None:
        parts.append(f"(from {figure(quality.first)}, limit {figure(quality.bound)})")
    elif quality.better:
        parts.append(f"(from {figure(quality.first)})")
    others = [whole] if whole else []
    if quality.aim is not Aim.MEAN:
        others.append(f"mean {quality.mean_score:.1f}")
    if quality.aim is not Aim.LOWEST:
        others.append(lowered_words(lowered) if lowered else f"lowest {quality.lowest_score}")
    text = ", ".join([" ".join(parts), *others, counted(quality.rounds, "round")])
    is_open = not (quality.may_be_proved or quality.is_proved)
    return text + "; can't be proved best: a square with two letters counts twice in the search" * is_open


def _value_words(quality: Quality) -> tuple[str, str]:
    """Return the objective, such as `mean 60.5 in the 62 entries filled here`, and its value for the whole grid.

    The second is empty if the first already covers the whole grid, without preferences.
    """
    counts = (
        [] if quality.counted is None else [f"in the {counted(quality.counted, 'entry', 'entries')} filled here"]
    )
    counts += ["with preferences"] * quality.has_preferences
    value, counted_values = figure(quality.value), " ".join(counts)
    match quality.aim:
        case Aim.MEAN:
            name, whole = "mean", f"{quality.mean_score:.1f}"
        case Aim.LOWEST:
            name, whole = "lowest", str(quality.lowest_score)
        case _:
            return f"{quality.unit}: {value}" + (f" {counted_values}" if counted_values else ""), ""
    if not counted_values:
        return f"{name} {value}", ""
    return (
        f"{name} {value} {counted_values}",
        f"{whole} {'without' if quality.counted is None else 'in the whole grid'}",
    )


def ending_words(run: RunView) -> str:
    """Return how a run other than a plain fill ended; `stopped_lines` adds what a partial fill left."""
    return "; ".join(filter(None, [_ENDINGS[run.mode](run), run_shares_words(run)]))


def untitled_words(puzzle: Puzzle, but: Collection[str] = ()) -> str:
    """Return which of title and author are missing, `but` those already asked for; empty if none."""
    missed = [name for name in ("title", "author") if not getattr(puzzle, name).strip() and name not in but]
    return f"the puzzle has no {' and no '.join(missed)}" if missed else ""


def run_shares_words(run: RunView) -> str:
    """Return which answers of a run share a stem, and why; empty if none."""
    why = "a search in steps keeps no repeats apart, `refill` does" if run.is_as_seen else _NONE_APART
    if run.is_as_found:
        why = "to keep repeats apart takes the improver, which is not compiled yet; `refill` does it later"
    return shared_words(run.shared_stems, why)


_NONE_APART = "no fill without repeats was found"


def shared_words(shared: Sequence[SharedStem], why: str = _NONE_APART) -> str:
    """Return which answers share a stem, and `why` they were not kept apart; empty if none."""
    pairs = [
        " and ".join(f"{name} {answer}" for name, answer in zip(one.entries, one.answers, strict=True))
        for one in shared
    ]
    return f"{why}: {first_named(pairs, _MOST_REPEATS)}" if pairs else ""


def remarks(run: RunView) -> list[str]:
    """Return the remarks about a plain fill: the pencil it has replaced, and the stems it repeats."""
    return [*filter(None, [replaced_words(run), run_shares_words(run)])]


def filled_words(run: RunView) -> str:
    """Return what a run has filled: everything, or a number of squares in the part it was confined to."""
    if run.offered is not None:
        return "not filled"
    return f"filled {counted(run.filled_there, 'square')}, inside {run.part}" if run.confined_to else "filled"


def no_fill_words(run: RunView) -> str:
    """Return what a run without a fill has proved, for the grid or for the squares it was confined to."""
    there = f" for the {counted(run.confined_to, 'square')} to fill" if run.confined_to else ""
    return f"no fill{there} ({how_sure(run.untried)})"


def ending_line(run: RunView) -> str:
    """Return the ending in a single line, with the first entries that a partial fill left.

    The word that a rejection excludes is left out, because it is shown separately, with the key that undoes it.
    """
    run = replace(run, excluded=None)
    named = "; ".join(stopped_lines(run)[:_MOST_STOPPED])
    more = "; …" if len(run.stopped) > _MOST_STOPPED else ""
    return ending_words(run) + (f": {named}{more}" if named else "")


def _partial_ending(run: RunView) -> str:
    if not run.squares and run.outcome is Outcome.CANCELLED:
        return "stopped; the grid is unchanged"
    if run.outcome is Outcome.FILLED:
        return "filled completely"
    left = f", {counted(len(run.stopped), 'entry', 'entries')} left unfilled"
    unfilled = left if run.stopped or not run.reason else ""
    return f"filled {standing_words(run)}{unfilled}" + (f"; impossible: {run.reason}" if run.reason else "")


def stopped_lines(run: RunView) -> list[str]:
    """Return the entries that a partial fill left, each with its reason."""
    return [printable(f"{one.entry}: {one.reason}", _LONGEST_REASON) for one in run.stopped]


def _several_ending(run: RunView) -> str:
    if run.found == 0 and run.reason:
        return f"impossible: {run.reason}" if run.outcome is Outcome.IMPOSSIBLE else run.reason
    found = counted(run.found, "fill")
    how = {Outcome.CANCELLED: "stopped with", Outcome.UNKNOWN: "time ran out with"}.get(run.outcome, "found")
    missing = f" of {run.wanted}" if run.found < run.wanted else ""
    return f"{how} {found}{missing}"


def proof_words(run: RunView) -> str:
    """Return where the proof that there is no fill was written, or why not; empty if none was requested."""
    if run.proof is None:
        return ""
    if run.proof.is_written:
        return f"the proof is in {run.proof.path}"
    reason = {
        Outcome.FILLED: "there is a fill",
        Outcome.IMPOSSIBLE: "you argued with the search",
    }.get(run.outcome, "the search did not finish")
    return f"no proof was written to {run.proof.path}: {reason}"


def all_fills_words(run: RunView, reason: str) -> str:
    """Return how many fills a search has found: all of them, or (with a reason) at least that many."""
    found = counted(run.found, "fill")
    in_all = "in all" if run.untried is None else f"{how_sure(run.untried)}; {run.untried}"
    return f"at least {found}: {reason}" if reason else f"{found} {in_all}"


def _all_ending(run: RunView) -> str:
    if run.outcome is Outcome.IMPOSSIBLE:
        return f"impossible: {run.reason}"
    reason = "it was stopped" if run.outcome is Outcome.CANCELLED else run.reason
    kept = [f"the first {MOST_KEPT} are kept"] if run.found > MOST_KEPT else []
    return "; ".join([all_fills_words(run, reason), *_placed(run), *kept])


def _placed(run: RunView) -> list[str]:
    return [] if run.placements is None else [f"{counted(run.placements, 'letter')} placed"]


def _better_ending(run: RunView) -> str:
    quality = run.quality
    if quality is None:
        endings = {
            Outcome.IMPOSSIBLE: f"impossible: {run.reason or 'there is no fill with these words'}",
            Outcome.UNKNOWN: "time ran out before a fill was found; the grid is unchanged",
        }
        return endings.get(run.outcome, "stopped before a fill was found; the grid is unchanged")
    if quality.is_proved:
        how = f"the best possible ({how_sure(run.untried)})"
    elif run.outcome is Outcome.CANCELLED:
        how = "stopped; the best fill stays"
    elif run.outcome is Outcome.FILLED and quality.bound is None:
        how = "all rounds done"
    else:
        how = "time ran out"
    if quality.better == 0 and not quality.is_proved:
        how += "; nothing better was found"
    return f"{how}: {quality_words(quality, run.lowered)}"


_MOST_CHANGES = 8


def changes_words(changes: Sequence[EntryChange], most: int | None = _MOST_CHANGES) -> str:
    """Return the changed entries with their new and old answers: `17A ABLE (was AXLE), 3D BO (was XO)`."""
    named = [f"{one.entry} {one.after} (was {one.before})" for one in changes[:most]]
    left = len(changes) - len(named)
    return ", ".join([*named, *([f"and {left} more"] if left > 0 else [])])


def replaced_words(run: RunView, most: int | None = _MOST_CHANGES) -> str:
    """Return how much pencil a fill has replaced, naming up to `most` entries; empty if none."""
    figures = replaced_figures(run)
    return figures if run.offered is not None or not figures else f"{figures}: {changes_words(run.changes, most)}"


def replaced_figures(run: RunView) -> str:
    """Return how much pencil a fill has replaced; empty if none."""
    if run.mode is not Mode.FILL or not run.changes:
        return ""
    proof = "" if run.is_smallest else f", {run.reason or 'perhaps not the fewest'}"
    size = f"{counted(run.found, 'square')} of pencil in {counted(len(run.changes), 'entry', 'entries')}"
    if run.offered is not None:
        lowered = _lowered(run)
        return f"a fill would replace {size}{proof}{lowered}: `take 1` accepts it, `why` explains the clash"
    return f"{size} replaced{proof}{_lowered(run)}"


def _lowered(run: RunView) -> str:
    return f", {lowered_words(run.lowered)}" if run.lowered else ""


def _outscored(run: RunView) -> str:
    if run.outscored is None:
        return ""
    text = f"; the new word scores {run.outscored.after}, was {run.outscored.before}"
    if not (missed := run.outscored.missed):
        return text
    swap = f"swap {run.excluded.entry}" if run.excluded else "swap"
    none = f"no word of {missed} or more was found that changes at most {_most_squares(run)}"
    return f"{text}: {none}; `{swap}` lists the others"


def _most_squares(run: RunView) -> str:
    """Return how many squares a rejection may change to find better words."""
    smallest = run.passed_over.squares if run.passed_over is not None else run.found
    return counted(REJECTION_REACH * smallest, "square")


def _weakened(run: RunView) -> str:
    """Note that a rejection found no better words at the crossings, unless said about its own word."""
    is_noted = run.outscored is not None and run.outscored.missed
    missed = run.lowered.missed if run.lowered is not None and run.mode is Mode.REJECT and not is_noted else 0
    most = _most_squares(run)
    return f"; no change of at most {most} was found whose words all score {missed} or more" if missed else ""


def _passed_over(run: RunView) -> str:
    if run.passed_over is None:
        return ""
    word, score, squares = run.passed_over
    return f"; {word}, which scores {score}, would change {squares:,}"


def _swap_ending(run: RunView) -> str:
    if run.outcome is Outcome.FILLED:
        size, proof = counted(run.found, "square"), "" if run.is_smallest else " (perhaps not the smallest)"
        out = run.excluded
        kept = (
            f"; {out.word} is now banned from {out.entry}: `set {out.entry} {out.word}` allows it" if out else ""
        )
        if not run.changes:
            return f"nothing had to change{_outscored(run)}{kept}"
        means = f", mean {run.means[1]:.1f} (was {run.means[0]:.1f})" if run.means else ""
        notes = f"{_outscored(run)}{_weakened(run)}{_passed_over(run)}"
        scores = f"{_lowered(run)}{means}{notes}"
        if run.offered is not None:
            size += f" of pencil in {counted(len(run.changes), 'entry', 'entries')}"
            return f"not written: it would replace {size}{proof}{scores}: `take 1` accepts it"
        before = "; now" if run.lowered or notes else ":"  # a colon would make it a list of what was named last
        return f"{size} changed{proof}{scores}{before} {changes_words(run.changes)}{kept}"
    none = "that word does not fit" if run.mode is Mode.SWAP else "no other word fits"
    endings = {
        Outcome.IMPOSSIBLE: f"{none} there{f': {run.reason}' if run.reason else f' ({how_sure(run.untried)})'}",
        Outcome.UNKNOWN: "time ran out before a replacement was found; the grid is unchanged",
    }
    pen = pen_words(run.pen) if run.pen is not None else ""
    return "; ".join(filter(None, [endings.get(run.outcome, "stopped; the grid is unchanged"), pen]))


def pen_words(pen: PenIn) -> str:
    """Return which letters of an entry stay because they are in pen; empty if none."""
    if not pen.squares:
        return ""
    are, them = ("is", "it") if len(pen.squares) == 1 else ("are", "them")
    kept, named = counted(len(pen.squares), "square"), listed(map(str, pen.squares), "and")
    return f"{kept} of {pen.entry} {are} in pen, {named}: `pencil {pen.entry}` lets other words replace {them}"


_ENDINGS: Mapping[Mode, Callable[[RunView], str]] = {
    Mode.PARTIAL: _partial_ending,
    Mode.DIVERSE: _several_ending,
    Mode.ALL: _all_ending,
    Mode.BEST: _better_ending,
    Mode.IMPROVE: _better_ending,
    Mode.SWAP: _swap_ending,
    Mode.REJECT: _swap_ending,
}


def and_more(left: int) -> list[str]:
    """Return the last line of a list that leaves out `left` items; none if it leaves out nothing."""
    return [f"  and {left:,} more"] if left > 0 else []


def unlisted_words(unlisted: Sequence[tuple[str, str]]) -> str:
    """Return the note on a count if a full grid has answers that no list has; empty if none."""
    if not unlisted:
        return ""
    return f"in no list: {first_named([f'{name} {answer}' for name, answer in unlisted], _MOST_UNLISTED)}"


def pencil_words(squares: int) -> str:
    """Return the note on a count if squares are in pencil; empty if none."""
    return f"pencil counted as empty: {counted(squares, 'square')}" if squares else ""


def figure(value: float) -> str:
    """Format a value with one decimal place, or none if it is whole."""
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def candidate_line(candidate: CandidateEstimate) -> str:
    """Return a candidate's word, score, estimated fills, and whether it has a fill or what makes it dead."""
    text = f"  {candidate.shown}  {'unlisted' if candidate.score is None else candidate.score}"
    if not candidate.alive:
        dead = "dead" if candidate.untried is None else f"dead {how_sure(candidate.untried)}"
        return f"{text}  {dead}" + (f": {candidate.killed_by} has no word left" if candidate.killed_by else "")
    room = "" if candidate.log10 is None else f"  {about(candidate.log10, is_sure=candidate.is_sure)}"
    return text + room + ("  has a fill" if candidate.fill is not None else "")


def repeats_words(grid: Grid, entries: Sequence[str]) -> str:
    """Return which answers a word repeats: `repeats 17A LO[CAT]ION`; empty if none."""
    named = [f"{name} {grid.pattern(grid.entry(name))}" for name in entries]
    return f"repeats {first_named(named, _MOST_REPEATS)}" if named else ""


def share_words(
    shares: Mapping[Content, float],
    *,
    is_exact: bool,
    intervals: Mapping[Content, tuple[float, float]] | None = None,
) -> str:
    """Return a square's letters with their shares of the fills: `E 62% A 21%`; estimates start with `about`."""
    ends = intervals or {}
    text = "  ".join(f"{content} {_percent(share)}{_ends(ends.get(content))}" for content, share in shares.items())
    return text if is_exact else f"about {text}"


def _ends(interval: tuple[float, float] | None) -> str:
    """Format a 95% interval in whole percents, rounded outward."""
    return "" if interval is None else f" ({math.floor(100 * interval[0])}-{math.ceil(100 * interval[1])})"


def _percent(share: float) -> str:
    """Format a share of the fills; a letter that is neither impossible nor forced never shows 0% or 100%."""
    return "<1%" if share < 0.005 else ">99%" if share >= 0.995 else f"{share:.0%}"


def forced_words(content: Content, untried: UntriedWays | None) -> str:
    """What is said of a square that holds the same in every fill."""
    return f"{content} is forced{'' if untried is None else f' {how_sure(untried)}'}"


HEAT_DIGITS = "0123456789"
"""Digits of heat maps, from easy to hard."""


def finding_lines(findings: Findings, grid: Grid) -> Iterator[str]:
    """Yield the answer, its explanation, the heat map if there is one, and the numbered proposals."""
    if findings.answer:
        yield findings.answer
    yield from (f"  {line}" for line in findings.lines)
    if findings.heat:
        yield from heat_lines(findings, grid)
    for number, proposal in enumerate(findings.proposals[: findings.most_listed], 1):
        yield f"{number:4}. {proposal.text}" + (f"  ({proposal.remark})" if proposal.remark else "")
    rest = len(findings.proposals) - findings.most_listed
    if rest > 0:
        yield f"      and {rest} more"
    if not findings.is_complete:
        yield f"{findings.unfinished}: a longer --time may find more"


def progress_words(findings: Findings) -> str:
    """Return the progress, for a status line."""
    parts = [findings.title, findings.answer, findings.progress, f"{findings.seconds:.1f} s"]
    return ": ".join(part for part in parts if part)


def heat_digit(heat: float) -> str:
    """Return the digit for a square's difficulty, 0 to 1."""
    return HEAT_DIGITS[round(heat * (len(HEAT_DIGITS) - 1))]


def heat_lines(findings: Findings, grid: Grid) -> Iterator[str]:
    """Yield the grid with a digit for each empty square, 9 for the hardest, and a legend."""
    for row in range(grid.height):
        places = [Position(row, column) for column in range(grid.width)]
        blank = {at: "·" if grid[at].is_open else "█" for at in places}
        signs = (heat_digit(findings.heat[at]) if at in findings.heat else blank[at] for at in places)
        yield "    " + " ".join(signs)
    yield "    0 easy … 9 hard, █ block, · given"


def foreign_words(puzzle: Puzzle) -> str:
    """Return which squares hold letters of other alphabets, which no listed word has; empty if none."""
    grid, alphabet = puzzle.grid, puzzle.alphabet
    foreign = [
        f"{at} {square.content}"
        for at, square in zip(grid.positions(), grid.squares, strict=True)
        if square.content is not None and alphabet.lacks(square.content.across + square.content.down)
    ]
    if not foreign:
        return ""
    others = "; `alphabet` lists others that may have them" if alphabet == ENGLISH else ""
    return f"{alphabet.title} lacks letters in the grid: {first_named(foreign)}{others}"
