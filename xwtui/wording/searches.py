"""What a search does and what may come of it, in English: events, counts, outlooks, loading."""

from __future__ import annotations

import math

from xwtui.lazy import lazy_imports
from xwtui.worded import says, says_briefly

with lazy_imports():
    from importlib.metadata import version

    from xwtui.engine import loading_step
    from xwtui.engine.candidates.estimate import told_room
    from xwtui.engine.count import estimate as estimates
    from xwtui.engine.events import event as events
    from xwtui.engine.improve import improvement
    from xwtui.engine.kernels.compiler import cache_folder, compiled
    from xwtui.engine.what_if import ranking
    from xwtui.engine.what_if.changes import Arrangement

# What might be, and how many fills there are.


@says
def _arrangement(one: Arrangement) -> str:
    """`20A HEARTTOHEART, 36A BRAVEHEART`."""
    return ", ".join(f"{name} {answer}" for name, answer in one.answers.items())


@says_briefly
def _arrangement_briefly(one: Arrangement) -> str:
    return _arrangement(one)


@says
def _outlook(one: ranking.Outlook) -> str:
    """The outlook in a few words: `≈10^38.4, a fill found`."""
    kinds = ranking.Fillability
    if one.fillability is kinds.IMPOSSIBLE:
        return f"no fill: {one.reason}" if one.reason else "no fill"
    sure = {kinds.HARD: ", no fill found yet", kinds.FILLED: ", a fill found"}
    return ("" if one.log10 is None else about(one.log10)) + sure.get(one.fillability, "")


_MOST_FIGURES = 10**24
_FROM_POWERS = 4.0
"""From this logarithm on an estimate is told as a power of ten."""


@says
def _estimate(one: estimates.Estimate) -> str:
    """`fills ≈ 10^38.4 (37.9–38.8)`, `about 4 fills (estimate)`."""
    if one.exact is not None:
        return _exactly(one.exact)
    found = [_estimated(one)]
    if one.at_least:
        found.append(f"at least {_figures(one.at_least)}")
    if one.counted:
        found.append(f"{one.counted:.1%} counted")
    return "; ".join(found)


def _estimated(one: estimates.Estimate) -> str:
    if one.log10 is None:
        came = "obeyed the rules" if one.under_rules else "was completed"
        return f"no estimate yet: none of the samples {came} (this proves nothing)"
    if one.log10 < 0:
        return "probably no fill (estimate)"
    if one.low is None or one.high is None:
        rules = " without the rules" if one.under_rules else ""
        is_rough = one.instrument is not estimates.Instrument.BETHE
        told = "rough estimate" if is_rough else "estimate"
        if one.log10 < _FROM_POWERS:
            return f"about {_fills(one.log10)}{rules} ({told})"
        return f"fills ≈ 10^{one.log10:.{0 if is_rough else 1}f}{rules} ({told})"
    if one.high < _FROM_POWERS:
        return f"about {_fills(one.log10)} ({_rounded(one.low)} to {_rounded(one.high)})"
    return f"fills ≈ 10^{one.log10:.1f} ({one.low:.1f}–{one.high:.1f})"


def about(log10: float, *, is_sure: bool = True) -> str:
    """Say how many fills an estimate comes to, given as a logarithm: `≈10^38.4`, `≈4`, less than one as `< 1`.

    One that is not sure, for it may be wrong by more than two powers of ten, is told to the nearest two, `?10^38`,
    and as a `?` alone for less than one: such a word may still have fills.
    """
    log10 = log10 if is_sure else told_room(log10, 1.0)
    if log10 < 0:
        return "< 1" if is_sure else "?"
    if not is_sure:
        return f"?10^{log10:.0f}" if log10 >= _FROM_POWERS else f"?{_rounded(log10)}"
    return f"≈10^{log10:.1f}" if log10 >= _FROM_POWERS else f"≈{_rounded(log10)}"


def _rounded(log10: float) -> str:
    """A number of fills that is told in figures, two of which are more than zeros: `4`, `1,200`."""
    number = round(10**log10)
    unit = 10 ** max(len(str(number)) - 2, 0)
    return f"{round(number / unit) * unit:,}"


def _fills(log10: float) -> str:
    rounded = _rounded(log10)
    return f"{rounded} fill{'' if rounded == '1' else 's'}"


def _exactly(count: int) -> str:
    if count == 0:
        return "no fill (proved)"
    return f"exactly {_figures(count)} {'fill' if count == 1 else 'fills'} (proved)"


def _figures(count: int) -> str:
    """A number in figures, or as a power of ten where these would fill the line."""
    return f"{count:,}" if count < _MOST_FIGURES else f"10^{math.log10(count):.2f}"


@says
def _objective(one: improvement.Objective) -> str:
    """`entries below 50`."""
    aims = improvement.Aim
    match one.aim:
        case aims.FEWER_BELOW:
            return f"entries below {one.mark}"
        case aims.FLATTENED:
            return f"mean score flattened by {one.exponent:g}"
        case aims.FRESH:
            return f"different letters{'' if one.letters == improvement.ALPHABET else f' of {one.letters}'}"
        case aims.AVOID:
            return f"squares with {one.letters}"
        case _:
            return str(one.aim.value)


# How the engine is made ready.


@says
def _loading_step(one: loading_step.LoadingStep) -> str:
    """The step in words that may be shown as they are."""
    what, _ = _parts()[one.part]
    doing = f"{one.stage.value} the {what}"
    if one.stage is loading_step.LoadingStage.WAITING:
        doing = f"waiting for another xwtui to compile the {what}"
    return f"{doing}{', only once on this machine' if one.is_kept else ''}{_passed(one)}"


@says_briefly
def _loading_step_briefly(one: loading_step.LoadingStep) -> str:
    """The same where there is little room, whichever process compiles."""
    doing = loading_step.LoadingStage.COMPILING if one.is_compiling else one.stage
    return f"{doing.value} {_parts()[one.part][1]}{_passed(one)}"


def _parts() -> dict[loading_step.EnginePart, tuple[str, str]]:
    """The parts of the engine, in full, and where there is little room."""
    part = loading_step.EnginePart
    return {
        part.SEARCH: ("fill engine", "engine"),
        part.COUNTING: ("fill counter", "counter"),
        part.IMPROVING: ("improver and rules", "improver"),
        part.DRAWING: ("layout generator", "layouts"),
    }


def _passed(one: loading_step.LoadingStep) -> str:
    return "" if one.seconds is None else f": {one.seconds:.0f} s"


@says
def _cache_refusal(one: cache_folder.CacheRefusal) -> str:
    doubts = cache_folder.CacheDoubt
    doubt = {
        doubts.NOT_ABSOLUTE: "is not an absolute path",
        doubts.NOT_WRITABLE: "cannot be written to",
        doubts.NOT_OWN: "belongs to another user",
        doubts.OPEN_TO_OTHERS: "can be written to by other users",
    }[one.doubt]
    place = "" if one.at == one.folder else f", so {one.folder} is not used"
    return (
        f"every start compiles the engine again: {one.at} {doubt}{place};"
        " set NUMBA_CACHE_DIR to a folder of your own"
    )


@says
def _fence_failure(one: compiled.FenceFailure) -> str:
    doubts = compiled.FenceDoubt
    doubt = {
        doubts.MISSING: "lacks what the engine's compiler needs",
        doubts.FAILED: "fails on a kernel from the engine's compiler",
        doubts.DIFFERS: "runs a kernel from the engine's compiler with a different result than Python",
    }[one.doubt]
    return (
        f"every start compiles the engine the slow way, which takes minutes:"
        f" numba {version('numba')} {doubt}{f' ({one.detail})' if one.detail else ''};"
        " install a numba version that this xwtui was tested with"
    )


# What a search does.


@says
def _event(one: events.Event) -> str:
    """The event in a line, such as `decide 17A = SWEETHEART, 31 options`."""
    kinds = events.EventKind
    match one.kind:
        case kinds.WIPE_OUT:
            return _wipe_out(one)
        case kinds.RESTART:
            return f"restart from depth {one.before}" + (f" to depth {one.after}" if one.after else "")
        case kinds.ARGUE:
            return f"argued: {one.constraint}"
        case kinds.SOLVED:
            return "solved: every entry has its word"
        case kinds.IMPOSSIBLE:
            return "impossible: no fill exists"
        case kinds.PRUNE | kinds.CLAIM | kinds.CONSTRAINT:
            return _taken(one)
        case _:
            return _decided(one)


def _decided(one: events.Event) -> str:
    """What is decided, or no longer."""
    kinds, subject, choice = events.EventKind, one.slot or str(one.crossing), one.word or "".join(one.wanted)
    match one.kind:
        case kinds.DECIDE:
            return f"decide {subject} = {choice}{f', {_options(one.before)}' if one.before else ''}"
        case kinds.JUMP if one.before:
            return f"leave {subject} = {choice}: {one.before:,} others failed there"
        case kinds.JUMP:
            return f"jump back over {subject} = {choice}: the dead end does not depend on it"
        case _:
            target, left = one.other or "the start", f"{_options(one.after)} left there"
            return f"backtrack from {subject} to {target}: {subject} is not {choice}, {left}"


def _taken(one: events.Event) -> str:
    kinds, left = events.EventKind, f"{one.before:,} to {_options(one.after)}"
    match one.kind:
        case kinds.PRUNE:
            through = f"without {one.word}" if one.crossing is None else f"through {one.crossing}"
            return f"prune {one.slot}: {left}, {through}"
        case kinds.CLAIM:
            others = f"{one.before:,} other {'entry' if one.before == 1 else 'entries'}"
            return f"{one.slot} has {one.word}: {others} can no longer take it"
        case _ if one.word is not None:
            lost = f"{one.before:,} word{'' if one.before == 1 else 's'}"
            return f"{one.slot} has {one.word}: {lost} removed from other entries for {one.constraint}"
        case _:
            return f"{one.slot or one.crossing}: {left} for {one.constraint}"


def _wipe_out(one: events.Event) -> str:
    if one.constraint:
        return f"dead end: {one.constraint} is no longer possible"
    if one.crossing is not None and one.wanted:
        return f"{one.slot} has no options left: {one.crossing} allows none of {', '.join(one.wanted)}"
    if one.crossing is not None:
        return f"{one.slot or 'the search'} has no options left: nothing fits {one.crossing}"
    if one.other is not None:
        return f"{one.slot} has no options left: {one.other} has {one.word}"
    if one.word is None:
        return f"{one.slot} has no words left"
    return f"{one.slot} has no options left without {one.word}"


def _options(count: int) -> str:
    return f"{count:,} option" + ("" if count == 1 else "s")
