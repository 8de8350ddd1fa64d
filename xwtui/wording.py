"""English wording of the engine's findings for all faces: conflicts, remedies, counts, events, loading.

Each function words one class of values, the one in its annotation, which is loaded before such a value exists.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from xwtui.lazy import lazy_imports
from xwtui.text import counted, first_named, listed
from xwtui.worded import describe_by_phrases, describes, describes_briefly

with lazy_imports():
    from importlib.metadata import version

    from xwtui.engine import loading_step
    from xwtui.engine.candidates.estimate import shown_room
    from xwtui.engine.count import estimate as estimates
    from xwtui.engine.events import event as events
    from xwtui.engine.explain import explanation
    from xwtui.engine.improve import improvement
    from xwtui.engine.kernels.compiler import cache_folder, compiled
    from xwtui.engine.problem import no_fill
    from xwtui.engine.what_if import ranking
    from xwtui.engine.what_if.ranking import Arrangement
    from xwtui.model.rules.entry_rules import contents_words

_MOST_LETTERS = 8
"""Letters named one by one."""
_MOST_LETTERS_LEFT = 4
"""The same for an entry that a partial fill leaves open."""
_MOST_NAMED = 5
"""Entries, squares, words or rules named before the rest is only counted."""
_MOST_ENTRIES = 8
"""Entries named where they cannot be filled together."""
_MOST_BANS = 6
"""Banned words named one by one."""
_MOST_TWICE = 3
_AS_TRIED = "as far as tried"

# Classes whose text only inserts their fields.
describe_by_phrases(
    {
        "QuotedText": "{0.text}",
        "WordlessEntry": "{0.entry}: {0.why}",
        "SameAnswer": "{0.entries[0]} and {0.entries[1]} would both be {0.word}",
        "NoOtherWord": "proved {0.terms}",
        "WordNotAllowed": "{0.word} is not a word that {0.entry} may have",
        "TriedWord": "{0.word} at {0.name}",
        "GivenSquare": "{0.content} at {0.position}",
        "Minimum": "the minimum score of {0.score}",
        "EntryRuleChoice": "the rule that {0.name} {0.rules.words}",
        "NoRepeats": "that no word is used twice",
        "SwapEntries": "swap {0.answers_swapped[0]} at {0.names[0]} and {0.answers_swapped[1]} at {0.names[1]}",
        "LowerLowest": "lower the minimum score of the whole grid to {0.score}",
        "DropRule": "drop {0.choice}",
    },
    brief={
        "EmptyEntry": "{0.name} without {0.answer}",
        "SwapEntries": "{0.names[0]} ↔ {0.names[1]}",
        "LowerLowest": "all words from {0.score}",
        "AllowRepeats": "with repeated words",
    },
)


# Why there is no fill.


@describes
def _no_length(one: no_fill.NoLength) -> str:
    score = f" that scores {one.score} or more" if one.score else ""
    return f"the word list has no word of {one.length} letters{score}"


@describes
def _no_fit(one: no_fill.NoFit) -> str:
    """Like `no word fits Q?J`, `no word that lacks A fits Q?J, with A or E at r1c2`."""
    fits = f"no word{f' {one.requirement}' if one.requirement else ''} fits {one.pattern}"
    limits = [f"{listed(map(str, some), 'or') if some else 'nothing'} at {at}" for at, some in one.narrow]
    return (f"{one.only} does not fit {one.pattern}" if one.only else fits) + (
        f", with {listed(limits, 'and')}" if limits else ""
    )


@describes
def _ruled_out_there(one: no_fill.RuledOut) -> str:
    return f"{one.place} can be nothing else" if one.content is None else f"{one.place} cannot be {one.content}"


@describes
def _entry_emptied(one: no_fill.EntryEmptied) -> str:
    forced = [f"force {listed(one.forced, 'and')}"] if one.forced else []
    if forced or one.allowed or one.taken:
        words = listed(one.taken, "and") if one.taken else ""
        whose = "which another entry takes" if len(one.taken) == 1 else "which other entries take"
        allowed = [f"{_one_of(some, _MOST_LETTERS) if some else 'nothing'} at {at}" for at, some in one.allowed]
        causes = [*forced, f"allow only {listed(allowed, 'and')}"] if allowed else forced
        crossings = f"; its crossings {listed(causes, 'and')}" if causes else ""
        return f"{one.what}{f' but {words}, {whose}' if words else ''}{crossings}"
    if not one.wanted:
        return str(one.what)
    wanted = _one_of(one.wanted, _MOST_LETTERS)
    if not one.rival:
        return f"{one.what}; it needs {wanted} at {one.square}, and the rules allow none"
    why = one.what.why
    if isinstance(why, no_fill.NoFit) and why.only and not (why.narrow or why.pattern.strip("?")):
        return f"{one.what.entry}: {why.only} needs {wanted} at {one.square}, and {_allows_not(one)}"
    return f"{one.what}; it needs {wanted} at {one.square}, and {_allows_not(one)}"


def _allows_not(one: no_fill.EntryEmptied | no_fill.CrossingConflict) -> str:
    return f"{one.rival} {'does not allow it' if len(one.wanted) == 1 else 'allows none of these'}"


@describes
def _constraint_asked(one: no_fill.ConstraintRequirement) -> str:
    """The requirement of a constraint, like `at most 2 entries with the tag abbreviation`."""
    kinds, name = no_fill.ConstraintKind, listed(one.names, "or") if one.names else ""
    match one.kind:
        case kinds.SQUARES:
            return f"{_range(one, 'square')} with {name}"
        case kinds.ENTRIES:
            return f"{_range(one, 'entry', 'entries')} with {name}"
        case kinds.PAIRS:
            return f"{_range(one, 'clash square')}{f' that spell {name}' if name else ''}"
        case kinds.LINK:
            return f"{one.squares[0]} and {one.squares[1]} alike in {name}"
        case kinds.DIFFERENT:
            return f"no two answers that {name}"
        case kinds.SYMMETRY:
            return "symmetry"
        case _:
            return name


@describes
def _constraint_failed(one: no_fill.ConstraintFailed) -> str:
    constraint, names = one.requirement, one.names
    kinds, name = no_fill.ConstraintKind, listed(constraint.names, "or") if constraint.names else ""
    match constraint.kind:
        case kinds.WAYS:
            return f"there is no place left for {name}"
        case kinds.CHAIN:
            return f"the entries cannot spell {name} in order"
        case kinds.LINK:
            return f"{names[0]} must hold {name}, and its mirror {names[1]} cannot"
        case kinds.DIFFERENT:
            return f"{' and '.join(names)} {name}"
        case kinds.PAIRS if names:
            allowed = "which is not allowed" if one.are_barred else f"and at most {constraint.most} may"
            return f"{_named(names)} {'clashes' if len(names) == 1 else 'clash'}, {allowed}"
        case kinds.PAIRS if name and one.possible >= constraint.least:
            return f"the clash squares cannot spell {name} in order"
        case kinds.PAIRS:
            return f"{_only(one.possible, 'square')} can clash, and {_wanted(constraint.least)}"
    is_of_squares = constraint.kind is kinds.SQUARES
    verb = "hold" if is_of_squares else "have"
    if names:
        return f"{_named(names)} {verb} {name}, and at most {constraint.most} may"
    possible = _only(one.possible, "square") if is_of_squares else _only(one.possible, "entry", "entries")
    return f"{possible} can {verb} {name}, and {_wanted(constraint.least)}"


@describes
def _too_few_answers(one: no_fill.TooFewAnswers) -> str:
    fitting = f"only {_named(one.answers)}" if one.answers else "none of these"
    return f"entries with {one.name}: {fitting} fit in the grid, and {_wanted(one.least)}"


@describes
def _at_odds(one: no_fill.ConflictingConstraints) -> str:
    return f"{listed(map(str, one.constraints), 'and')} cannot be met: {one.why}"


@describes
def _untried(one: no_fill.UntriedWays) -> str:
    untried = {
        f"only the {one.ways:,} best ways to alter an answer were tried": one.beyond_room,
        "of answers that enter the same letters, only the best was tried": one.poorer,
    }
    return "; ".join(f"{tried}, in {first_named(entries)}" for tried, entries in untried.items() if entries)


@describes
def _as_far_as_tried(one: no_fill.LimitedReason) -> str:
    return f"{one.why}; {one.untried}" if one.why else str(one.untried)


def how_sure(untried: no_fill.UntriedWays | None) -> str:
    """Return how certain a proof is, given what it left untried."""
    return "proved" if untried is None else _AS_TRIED


@describes
def _proof_terms(one: no_fill.ProofTerms) -> str:
    listed_words = f"words of {one.minimum_score} or more" if one.minimum_score else "the words in use"
    terms = f"with {listed_words}{'' if one.allow_repeats else ', none used twice'}"
    rules = [f"“{rule}”" for rule in one.rules]
    if not rules:
        return terms
    return f"{terms}, that obeys the {'rule' if len(rules) == 1 else 'rules'} {first_named(rules, _MOST_NAMED)}"


@describes
def _no_fill_exists(one: no_fill.NoFillExists) -> str:
    searched = "everything" if one.nodes is None or one.nodes == 1 else f"all {one.nodes:,} nodes"
    return f"searched {searched}: no fill exists {one.terms}"


@describes
def _length_misfit(one: no_fill.LengthMisfit) -> str:
    takes = f"{one.least}" if one.least == one.most else f"{one.least} to {one.most}"
    return f"{one.word} has {counted(one.letters, 'letter')}, and {one.entry} takes {takes}"


@describes
def _words_taken(one: no_fill.WordsTaken) -> str:
    if one.words == 1:
        return f"only {one.word} fits {one.pattern}, and {one.takers[0]} has it"
    return f"the {one.words} words that fit {one.pattern} are all used: {listed(one.takers, 'and')} have them"


@describes
def _crossing_wants(one: no_fill.CrossingConflict) -> str:
    needs = _one_of(one.wanted, _MOST_LETTERS_LEFT)
    return f"{one.pattern} needs {needs} at {one.square}, and {_allows_not(one)}"


@describes
def _no_filling(one: no_fill.NoFilling) -> str:
    fit = counted(one.words, "word fits", "words fit")
    return f"{fit} {one.pattern}, but no filling of its crossings was found"


@describes
def _no_other_fill(one: no_fill.NoOtherFill) -> str:
    these = "this one" if one.found == 1 else f"these {one.found}"
    return f"no other fill differs from {these} in at least {counted(one.squares, 'square')}: all were tried"


@describes
def _fewer_fills(one: no_fill.FewerFills) -> str:
    ended = "search was stopped" if one.was_stopped else "time ran out"
    return f"found {one.found} of {one.wanted} before the {ended}"


def _one_of(wanted: Sequence[str], most: int) -> str:
    return listed(wanted, "or") if len(wanted) <= most else f"one of {len(wanted)} letters"


def _range(constraint: no_fill.ConstraintRequirement, one: str, many: str = "") -> str:
    """How many a constraint requires: `at least 1 square`, `4 to 6 squares`."""
    if constraint.most is None:
        return f"at least {counted(constraint.least, one, many)}"
    if constraint.least == constraint.most:
        return counted(constraint.most, one, many)
    if constraint.least == 0:
        return f"at most {counted(constraint.most, one, many)}"
    return f"{constraint.least} to {counted(constraint.most, one, many)}"


def _only(number: int, one: str, many: str = "") -> str:
    return f"only {counted(number, one, many)}" if number else f"no {one}"


def _wanted(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'} required"


def _named(names: Sequence[str]) -> str:
    """Return the names joined, with only a count of the rest if there are many."""
    more = len(names) - _MOST_NAMED
    return listed([*names[:_MOST_NAMED], f"{more} more"] if more > 1 else names, "and")


# Choices of the constructor, conflicts among them, and remedies.


@describes
def _given_entry(one: explanation.GivenEntry) -> str:
    return f"{one.name} {one.answer}{' (locked)' if one.locked_squares == len(one.positions) else ''}"


@describes
def _bans(one: explanation.Bans) -> str:
    return f"the ban on {first_named(one.words, _MOST_BANS)}"


@describes
def _square_rule_choice(one: explanation.SquareRuleChoice) -> str:
    return f"the rule that {one.position} holds {contents_words(one.allowed)}"


@describes
def _every_answer_choice(one: explanation.EveryAnswerChoice) -> str:
    return f"the rule that every answer {one.rule.words()}"


@describes
def _grid_rule_choice(one: explanation.GridRuleChoice) -> str:
    return f"the rule “{next(one.rule.lines())}”"


@describes
def _given_layout(one: explanation.GivenLayout) -> str:
    entries = ", ".join(one.entries)
    return f"the length of {entries}" if one.length else f"the blocks around {entries}"


@describes
def _conflict(one: explanation.Conflict) -> str:
    sure = {
        explanation.Certainty.BY_PROPAGATION: "from the crossings alone",
        explanation.Certainty.PROVED: "proved by search",
        explanation.Certainty.AS_TRIED: _AS_TRIED,
        explanation.Certainty.SUSPECTED: "suspected",
    }
    choices = listed(map(str, one.choices), "and")
    cannot = f"{choices[0].upper()}{choices[1:]} cannot work{'' if len(one.choices) == 1 else ' together'}"
    match one.choices:
        case [choice] if isinstance(choice, explanation.NoRepeats):
            cannot = "Only fills that use a word twice fit the blocks"
        case [choice] if isinstance(choice, explanation.GivenLayout) and choice.length:
            cannot = f"{choice.entries[0]} has {choice.length} squares, and the list has no word of that length"
    return f"{cannot} ({sure[one.certainty]})"


def conflicting_entries(conflict: explanation.Conflict) -> str:
    """Return the entries that cannot be filled together, like `at 5D, 17A and 20A`.

    Empty if they are unknown, or if the conflict already names them.
    """
    if any(isinstance(choice, explanation.GivenLayout) for choice in conflict.choices):
        return ""
    rest = len(conflict.entries) - _MOST_ENTRIES
    named = [*conflict.entries[:_MOST_ENTRIES], *([f"{rest} more"] if rest > 0 else [])]
    return f"at {listed(named, 'and')}" if named else ""


_TRIED: Mapping[str, tuple[str, ...]] = {
    "ChangeSquare": ("other letters in {}", "square"),
    "EmptyEntry": ("removing {}", "answer"),
    "SwapEntries": ("{} of answers", "swap"),
    "AllowWord": ("allowing {}", "banned word"),
    "LowerMinimum": ("a lower score for {}", "entry", "entries"),
    "LowerLowest": ("{} for the whole grid", "lower score"),
    "AllowRepeats": ("a word used twice", "word"),
    "DropRule": ("dropping {}", "rule"),
    "EmptySquares": ("removing all of these answers and letters", "time"),
    "SeveralChanges": ("several of these changes together", "time"),
}
"""What was tried, by class name, with the noun that is counted."""


def tried_words(one: explanation.Explanation) -> str:
    """Return what was tried if nothing helps, like `nothing helped; short searches tried …`; else empty."""
    if one.remedies or not one.conflicts or one.answer is explanation.Answer.FILLABLE:
        return ""
    if not one.tried:
        none = "no change was tried, as the letters, scores and rules in the grid have no part in the conflict"
        choices = [choice for conflict in one.conflicts for choice in conflict.choices]
        is_unnamed = not any(isinstance(choice, explanation.GivenLayout) and choice.length for choice in choices)
        is_layout = all(isinstance(choice, explanation.GivenLayout | explanation.TriedWord) for choice in choices)
        return none if one.is_complete and is_unnamed and is_layout else ""
    tried = []
    for kind, number in one.tried.items():
        words, *nouns = _TRIED[kind.__name__]
        tried.append(words.format(counted(number, *nouns)))
    end = "nothing helped" if one.is_complete else "nothing has helped so far"
    return f"{end}; short searches tried {listed(tried, 'and')}"


@describes
def _empty_entry(one: explanation.EmptyEntry) -> str:
    instead = one.answers.get(one.name, "")
    example = f"; {instead} would work" if instead and instead != one.answer else ""
    return f"{'unlock and remove' if one.is_locked else 'remove'} {one.answer} from {one.name}{example}"


@describes
def _empty_squares(one: explanation.EmptySquares) -> str:
    return f"remove {listed(map(str, one.what), 'and')}"


@describes
def _several_changes(one: explanation.SeveralChanges) -> str:
    return ", and ".join(map(str, one.parts))


@describes
def _change_square(one: explanation.ChangeSquare) -> str:
    return f"change {one.old} at {one.position} to {listed(map(str, one.choices), 'or')}"


@describes
def _allow_word(one: explanation.AllowWord) -> str:
    places = [name for name, answer in one.answers.items() if answer == one.word]
    scored = "" if one.score is None else f", with a score of {one.score} in this puzzle"
    return f"allow {one.word} again{f' at {places[0]}' if places else ''}{scored}"


@describes
def _lower_minimum(one: explanation.LowerMinimum) -> str:
    return f"lower the minimum score of {one.name} to {one.score}: {listed(one.words, 'or')} would help"


@describes_briefly
def _lower_minimum_briefly(one: explanation.LowerMinimum) -> str:
    return f"{one.name} from {one.score}: {' '.join(one.words)}"


@describes
def _allow_repeats(one: explanation.AllowRepeats) -> str:
    twice = [answer for answer, times in Counter(one.answers.values()).items() if times > 1]
    named = f", as {listed(twice[:_MOST_TWICE], 'and')} in the fill found" if twice else ""
    return f"fill with repeated words (`fill --allow-repeats`){named}"


# What-if outlooks, and counts of fills.


@describes
@describes_briefly
def _arrangement(one: Arrangement) -> str:
    """Like `20A HEARTTOHEART, 36A BRAVEHEART`."""
    return ", ".join(f"{name} {answer}" for name, answer in one.answers.items())


@describes
def _outlook(one: ranking.Outlook) -> str:
    """Like `≈10^38.4, a fill found`."""
    kinds = ranking.Fillability
    if one.fillability is kinds.IMPOSSIBLE:
        return f"no fill: {one.reason}" if one.reason else "no fill"
    sure = {kinds.HARD: ", no fill found yet", kinds.FILLED: ", a fill found"}
    return ("" if one.log10 is None else about(one.log10)) + sure.get(one.fillability, "")


_MOST_FIGURES = 10**24
_FROM_POWERS = 4.0
"""Estimates from this base-10 logarithm on are shown as a power of ten."""


@describes
def _estimate(one: estimates.Estimate) -> str:
    """Like `fills ≈ 10^38.4 (37.9–38.8)`, `about 4 fills (estimate)`."""
    if one.exact is not None:
        fills = f"exactly {_figures(one.exact)} {'fill' if one.exact == 1 else 'fills'}"
        return f"{fills if one.exact else 'no fill'} ({how_sure(one.untried)})"
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
        kind = "rough estimate" if is_rough else "estimate"
        if one.log10 < _FROM_POWERS:
            return f"about {_fills(one.log10)}{rules} ({kind})"
        return f"fills ≈ 10^{one.log10:.{0 if is_rough else 1}f}{rules} ({kind})"
    if one.high < _FROM_POWERS:
        return f"about {_fills(one.log10)} ({_rounded(one.low)} to {_rounded(one.high)})"
    return f"fills ≈ 10^{one.log10:.1f} ({one.low:.1f}–{one.high:.1f})"


def about(log10: float, *, is_sure: bool = True) -> str:
    """Return an estimated number of fills, given as a base-10 logarithm: `≈10^38.4`, `≈4`, below one `< 1`.

    An unsure estimate, which may be off by more than two powers of ten, is rounded to two powers of ten: `?10^38`.
    Below one it is just `?`, since such a word may still have fills.
    """
    log10 = log10 if is_sure else shown_room(log10, 1.0)
    if log10 < 0:
        return "< 1" if is_sure else "?"
    if not is_sure:
        return f"?10^{log10:.0f}" if log10 >= _FROM_POWERS else f"?{_rounded(log10)}"
    return f"≈10^{log10:.1f}" if log10 >= _FROM_POWERS else f"≈{_rounded(log10)}"


def _rounded(log10: float) -> str:
    """Return a number of fills rounded to two significant digits: `4`, `1,200`."""
    number = round(10**log10)
    unit = 10 ** max(len(str(number)) - 2, 0)
    return f"{round(number / unit) * unit:,}"


def _fills(log10: float) -> str:
    rounded = _rounded(log10)
    return f"{rounded} fill{'' if rounded == '1' else 's'}"


def _figures(count: int) -> str:
    """Return a number in digits, or as a power of ten if they would fill the line."""
    return f"{count:,}" if count < _MOST_FIGURES else f"10^{math.log10(count):.2f}"


@describes
def _objective(one: improvement.Objective) -> str:
    """Like `entries below 50`."""
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


# Loading and compiling the engine.


@describes
def _loading_step(one: loading_step.LoadingStep) -> str:
    what, _ = _parts()[one.part]
    doing = f"{one.stage.value} the {what}"
    if one.stage is loading_step.LoadingStage.WAITING:
        doing = f"waiting for another xwtui to compile the {what}"
    doing += f" (part {one.number} of {one.parts})" if one.number and one.is_compiling else ""
    return f"{doing}{', only once on this machine' if one.is_kept else ''}{_passed(one)}"


@describes_briefly
def _loading_step_briefly(one: loading_step.LoadingStep) -> str:
    """For narrow places; it does not distinguish which process is compiling."""
    doing = loading_step.LoadingStage.COMPILING if one.is_compiling else one.stage
    is_one_of_all = one.number and one.is_compiling
    what = f"{one.number} of {one.parts}" if is_one_of_all else _parts()[one.part][1]
    return f"{doing.value} {what}{_passed(one)}"


def _parts() -> dict[loading_step.EnginePart, tuple[str, str]]:
    """Names of the engine's parts, in full and short."""
    part = loading_step.EnginePart
    return {
        part.SEARCH: ("fill engine", "engine"),
        part.COUNTING: ("fill counter", "counter"),
        part.IMPROVING: ("improver and rules", "improver"),
        part.DRAWING: ("layout generator", "layouts"),
    }


def _passed(one: loading_step.LoadingStep) -> str:
    return "" if one.seconds is None else f": {one.seconds:.0f} s"


@describes
def _cache_refusal(one: cache_folder.CacheRefusal) -> str:
    doubts = cache_folder.CacheFault
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


@describes
def _fence_failure(one: compiled.SelfCheckFailure) -> str:
    doubts = compiled.SelfCheckFault
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


# Search events.


@describes
def _event(one: events.Event) -> str:
    """Like `decide 17A = SWEETHEART, 31 options`."""
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
    kinds, subject, choice = events.EventKind, one.slot or str(one.crossing), one.word or "".join(one.wanted)
    match one.kind:
        case kinds.DECIDE:
            options = f", {counted(one.before, 'option')}" if one.before else ""
            return f"decide {subject} = {choice}{options}"
        case kinds.JUMP if one.before:
            return f"leave {subject} = {choice}: {one.before:,} others failed there"
        case kinds.JUMP:
            return f"jump back over {subject} = {choice}: the dead end does not depend on it"
        case _:
            target, left = one.other or "the start", f"{counted(one.after, 'option')} left there"
            return f"backtrack from {subject} to {target}: {subject} is not {choice}, {left}"


def _taken(one: events.Event) -> str:
    kinds, left = events.EventKind, f"{one.before:,} to {counted(one.after, 'option')}"
    match one.kind:
        case kinds.PRUNE:
            through = f"without {one.word}" if one.crossing is None else f"through {one.crossing}"
            return f"prune {one.slot}: {left}, {through}"
        case kinds.CLAIM:
            others = counted(one.before, "other entry", "other entries")
            return f"{one.slot} has {one.word}: {others} can no longer take it"
        case _ if one.word is not None:
            lost = counted(one.before, "word")
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
