"""What the engine tells, in English: reasons why there is no fill, conflicts, remedies, events and counts.

A function words one kind of value, the one in its annotation; that class is loaded by whoever has such a value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from xwtui.lazy import lazy_imports
from xwtui.text import first_named, listed
from xwtui.worded import Worded

with lazy_imports():
    from xwtui.engine.count import estimate as estimates
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.events import event as events
    from xwtui.engine.events.event import Event
    from xwtui.engine.explain import choices, explanation
    from xwtui.engine.explain.choices import (
        Bans,
        EntryRuleChoice,
        EveryAnswerChoice,
        GivenChoice,
        GivenEntry,
        GivenLayout,
        GivenSquare,
        GridRuleChoice,
        Minimum,
        NoRepeats,
        SquareRuleChoice,
        Tried,
    )
    from xwtui.engine.explain.explanation import (
        AllowRepeats,
        AllowWord,
        ChangeSquare,
        Conflict,
        DropRule,
        EmptyEntry,
        EmptySquares,
        LowerLowest,
        LowerMinimum,
        SwapEntries,
    )
    from xwtui.engine.improve import improvement
    from xwtui.engine.improve.improvement import Objective
    from xwtui.engine.problem import no_fill
    from xwtui.engine.problem.no_fill import (
        AtOdds,
        ConstraintAsked,
        ConstraintFailed,
        CrossingWants,
        EntryEmptied,
        EntryWithout,
        FewerFills,
        LengthMisfit,
        NoFillExists,
        NoFilling,
        NoFit,
        NoLength,
        NoOtherFill,
        NoOtherWord,
        ProofTerms,
        Quoted,
        RuledOutThere,
        SameAnswer,
        TooFewAnswers,
        Untried,
        WordNotAllowed,
        WordsTaken,
    )
    from xwtui.engine.what_if import ranking
    from xwtui.engine.what_if.changes import Arrangement
    from xwtui.engine.what_if.ranking import Outlook
    from xwtui.model.rules.allowed_contents import contents_words

_MOST_LETTERS = 8
"""Letters that are named one by one."""
_MOST_LETTERS_LEFT = 4
"""The same, of an entry that a partial fill leaves open."""
_MOST_NAMED = 5
"""Entries, squares, words or rules that are named, if there are more."""
_MOST_ENTRIES = 8
"""Entries that are named where they cannot be filled together."""
_MOST_BANS = 6
"""Banned words that are named one by one."""
_MOST_TWICE = 3

_WORDS: dict[str, Callable[[Any], str]] = {}
_BRIEF: dict[str, Callable[[Any], str]] = {}


def words(value: Worded) -> str:
    """A value in words."""
    return _WORDS[type(value).__name__](value)


def brief(value: Worded) -> str:
    """A value in few cells; empty where there is no shorter form."""
    briefly = _BRIEF.get(type(value).__name__)
    return briefly(value) if briefly is not None else ""


def has_words(kind: type[Worded]) -> bool:
    """Whether values of a class have words."""
    return kind.__name__ in _WORDS


def _says(function: Callable[[Any], str]) -> Callable[[Any], str]:
    """Have a function word the values of the class that its annotation names."""
    _WORDS[function.__annotations__["one"]] = function
    return function


def _says_briefly(function: Callable[[Any], str]) -> Callable[[Any], str]:
    _BRIEF[function.__annotations__["one"]] = function
    return function


# Why there is no fill.


@_says
def _quoted(one: Quoted) -> str:
    return one.text


@_says
def _no_length(one: NoLength) -> str:
    score = f" that scores {one.score} or more" if one.score else ""
    return f"the word list has no word of {one.length} letters{score}"


@_says
def _no_fit(one: NoFit) -> str:
    """`no word fits Q?J`, `no word that lacks A fits Q?J, with A or E at r1c2`."""
    fits = f"no word{f' {one.asked}' if one.asked else ''} fits {one.pattern}"
    told = [f"{listed(map(str, some), 'or') if some else 'nothing'} at {at}" for at, some in one.narrow]
    return (f"{one.only} does not fit {one.pattern}" if one.only else fits) + (
        f", with {listed(told, 'and')}" if told else ""
    )


@_says
def _entry_without(one: EntryWithout) -> str:
    return f"{one.entry}: {one.why}"


@_says
def _ruled_out_there(one: RuledOutThere) -> str:
    return f"{one.place} can be nothing else" if one.content is None else f"{one.place} cannot be {one.content}"


@_says
def _entry_emptied(one: EntryEmptied) -> str:
    if one.forced:
        return f"{one.what}; its crossings force {listed(one.forced, 'and')}"
    if not one.wanted:
        return str(one.what)
    wanted = _one_of(one.wanted, _MOST_LETTERS)
    if not one.rival:
        return f"{one.what}; at {one.square} the rules leave none for it, and it needs {wanted}"
    return f"{one.what}; at {one.square} it needs {wanted}, and {one.rival} can have none of these"


@_says
def _same_answer(one: SameAnswer) -> str:
    return f"{one.entries[0]} and {one.entries[1]} would both be {one.word}"


@_says
def _constraint_asked(one: ConstraintAsked) -> str:
    """What a constraint asks for, such as `at most 2 entries with the tag abbreviation`."""
    kinds, name = no_fill.ConstraintKind, listed(one.names, "or") if one.names else ""
    match one.kind:
        case kinds.SQUARES:
            return f"{_range(one, 'square')} with {name}"
        case kinds.ENTRIES:
            return f"{_range(one, 'entry', 'entries')} with {name}"
        case kinds.CLASHES:
            return f"{_range(one, 'clash square')}{f' that spell {name}' if name else ''}"
        case kinds.LINK:
            return f"{one.squares[0]} and {one.squares[1]} alike in {name}"
        case kinds.DIFFERENT:
            return f"no two answers that {name}"
        case kinds.SYMMETRY:
            return "symmetry"
        case _:
            return name


@_says
def _constraint_failed(one: ConstraintFailed) -> str:
    asked, names = one.asked, one.names
    kinds, name = no_fill.ConstraintKind, listed(asked.names, "or") if asked.names else ""
    match asked.kind:
        case kinds.WAYS:
            return f"no place is left for {name}"
        case kinds.CHAIN:
            return f"the entries cannot spell {name} in their order"
        case kinds.LINK:
            return f"{names[0]} must hold {name}, and its mirror {names[1]} cannot"
        case kinds.DIFFERENT:
            return f"{' and '.join(names)} {name}"
        case kinds.CLASHES if names:
            allowed = "as is not allowed" if one.are_barred else f"and {asked.most} at most may"
            return f"{_named(names)} {'clashes' if len(names) == 1 else 'clash'}, {allowed}"
        case kinds.CLASHES if name and one.possible >= asked.least:
            return f"squares that clash cannot spell {name} in their order"
        case kinds.CLASHES:
            return f"{_only(one.possible, 'square')} can clash, and {_wanted(asked.least)}"
    is_of_squares = asked.kind is kinds.SQUARES
    verb = "hold" if is_of_squares else "have"
    if names:
        return f"{_named(names)} {verb} {name}, and {asked.most} at most may"
    possible = _only(one.possible, "square") if is_of_squares else _only(one.possible, "entry", "entries")
    return f"{possible} can {verb} {name}, and {_wanted(asked.least)}"


@_says
def _too_few_answers(one: TooFewAnswers) -> str:
    fitting = f"only {_named(one.answers)}" if one.answers else "none of these"
    return f"entries with {one.name}: {fitting} can stand in the grid, and {_wanted(one.least)}"


@_says
def _at_odds(one: AtOdds) -> str:
    return f"{listed(map(str, one.constraints), 'and')} cannot be had: {one.why}"


@_says
def _untried(one: Untried) -> str:
    tried = f"the {one.ways:,} best ways to enter an answer otherwise were tried, not all"
    return f"{one.why}; {tried}, in {first_named(one.entries)}"


@_says
def _proof_terms(one: ProofTerms) -> str:
    listed_words = f"words of {one.minimum_score} or more" if one.minimum_score else "the words in use"
    terms = f"with {listed_words}{'' if one.allow_repeats else ', none used twice'}"
    rules = [f"“{rule}”" for rule in one.rules]
    if not rules:
        return terms
    return f"{terms}, that keeps the {'rule' if len(rules) == 1 else 'rules'} {first_named(rules, _MOST_NAMED)}"


@_says
def _no_fill_exists(one: NoFillExists) -> str:
    searched = "everything" if one.nodes is None or one.nodes == 1 else f"all {one.nodes:,} nodes"
    return f"searched {searched}: no fill exists {one.terms}"


@_says
def _no_other_word(one: NoOtherWord) -> str:
    return f"proved {one.terms}"


@_says
def _length_misfit(one: LengthMisfit) -> str:
    takes = f"{one.least}" if one.least == one.most else f"{one.least} to {one.most}"
    size = len(one.word)
    return f"{one.word} has {size} {'letter' if size == 1 else 'letters'}, and {one.entry} takes {takes}"


@_says
def _word_not_allowed(one: WordNotAllowed) -> str:
    return f"{one.word} is none of the words that {one.entry} may have"


@_says
def _words_taken(one: WordsTaken) -> str:
    if one.words == 1:
        return f"only {one.word} fits {one.pattern}, and {one.takers[0]} has it"
    return f"the {one.words} words that fit {one.pattern} are all used: {listed(one.takers, 'and')} have them"


@_says
def _crossing_wants(one: CrossingWants) -> str:
    needs = _one_of(one.wanted, _MOST_LETTERS_LEFT)
    return f"{one.pattern} needs {needs} at {one.square}, and {one.rival} can have none of these"


@_says
def _no_filling(one: NoFilling) -> str:
    fit = "1 word fits" if one.words == 1 else f"{one.words:,} words fit"
    return f"{fit} {one.pattern}, but no filling of its crossings was found"


@_says
def _no_other_fill(one: NoOtherFill) -> str:
    these = "this one" if one.found == 1 else f"these {one.found}"
    return f"no other fill differs from {these} in {_count(one.squares, 'square')} or more: all were looked at"


@_says
def _fewer_fills(one: FewerFills) -> str:
    ended = "search was stopped" if one.was_stopped else "time was over"
    return f"found {one.found} of {one.wanted} before the {ended}"


def _one_of(wanted: Sequence[str], most: int) -> str:
    return listed(wanted, "or") if len(wanted) <= most else f"one of {len(wanted)} letters"


def _range(asked: ConstraintAsked, one: str, many: str = "") -> str:
    """How many a constraint asks for: `at least 1 square`, `4 to 6 squares`."""
    if asked.most is None:
        return f"at least {_count(asked.least, one, many)}"
    if asked.least == asked.most:
        return _count(asked.most, one, many)
    if asked.least == 0:
        return f"at most {_count(asked.most, one, many)}"
    return f"{asked.least} to {_count(asked.most, one, many)}"


def _only(number: int, one: str, many: str = "") -> str:
    return f"only {_count(number, one, many)}" if number else f"no {one}"


def _wanted(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'} wanted"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _named(names: Sequence[str]) -> str:
    """The names, all of them if they are few."""
    more = len(names) - _MOST_NAMED
    return listed([*names[:_MOST_NAMED], f"{more} more"] if more > 1 else names, "and")


# What the constructor chose, conflicts among that, and remedies.


@_says
def _given_entry(one: GivenEntry) -> str:
    return f"{one.name} {one.answer}{' (locked)' if one.locked_squares == len(one.positions) else ''}"


@_says
def _tried(one: Tried) -> str:
    return f"{one.word} at {one.name}"


@_says
def _given_square(one: GivenSquare) -> str:
    return f"{one.content} at {one.position}"


@_says
def _bans(one: Bans) -> str:
    return f"the ban of {first_named(one.words, _MOST_BANS)}"


@_says
def _minimum(one: Minimum) -> str:
    return f"the lowest score of {one.score}"


@_says
def _entry_rule_choice(one: EntryRuleChoice) -> str:
    return f"the rule that {one.name} {one.rules.words}"


@_says
def _square_rule_choice(one: SquareRuleChoice) -> str:
    return f"the rule that {one.position} takes {contents_words(one.allowed)}"


@_says
def _every_answer_choice(one: EveryAnswerChoice) -> str:
    return f"the rule that every answer {one.rule.words()}"


@_says
def _grid_rule_choice(one: GridRuleChoice) -> str:
    return f"the rule “{next(one.rule.lines())}”"


@_says
def _no_repeats(one: NoRepeats) -> str:
    return "that no word is used twice"


@_says
def _given_layout(one: GivenLayout) -> str:
    entries = ", ".join(one.entries)
    return f"the length of {entries}" if one.length else f"the blocks around {entries}"


@_says
def _conflict(one: Conflict) -> str:
    """The conflict in a sentence."""
    sure = {
        explanation.Certainty.BY_PROPAGATION: "by propagation",
        explanation.Certainty.PROVED: "proved by search",
        explanation.Certainty.SUSPECTED: "suspected",
    }
    return f"{_cannot_stand(one.choices)} ({sure[one.certainty]})"


def _cannot_stand(given: Sequence[GivenChoice]) -> str:
    match given:
        case [choice] if isinstance(choice, NoRepeats):
            return "Only fills that use a word twice fit the blocks"
        case [choice] if isinstance(choice, GivenLayout) and choice.length:
            return f"{choice.entries[0]} has {choice.length} squares, and the list has no word of that length"
    told = listed(map(str, given), "and")
    return f"{told[0].upper()}{told[1:]} cannot stand{'' if len(given) == 1 else ' together'}"


def conflicting_entries(conflict: Conflict) -> str:
    """The entries that cannot be filled together: `at 5D, 17A and 20A`; empty if unknown, or told already."""
    if any(choice.kind is choices.ChoiceKind.LAYOUT for choice in conflict.choices):
        return ""
    rest = len(conflict.entries) - _MOST_ENTRIES
    named = [*conflict.entries[:_MOST_ENTRIES], *([f"{rest} more"] if rest > 0 else [])]
    return f"at {listed(named, 'and')}" if named else ""


@_says
def _empty_entry(one: EmptyEntry) -> str:
    instead = one.answers.get(one.name, "")
    example = f"; {instead} would do" if instead and instead != one.answer else ""
    return f"{'unlock and take' if one.is_locked else 'take'} {one.answer} out of {one.name}{example}"


@_says_briefly
def _empty_entry_briefly(one: EmptyEntry) -> str:
    return f"{one.name} without {one.answer}"


@_says
def _empty_squares(one: EmptySquares) -> str:
    return f"take {listed(map(str, one.what), 'and')} out"


@_says
def _change_square(one: ChangeSquare) -> str:
    return f"change {one.old} at {one.position} to {listed(map(str, one.choices), 'or')}"


@_says
def _swap_entries(one: SwapEntries) -> str:
    (first, second), (name, other) = one.answers_swapped, one.names
    return f"swap {first} at {name} and {second} at {other}"


@_says_briefly
def _swap_entries_briefly(one: SwapEntries) -> str:
    return f"{one.names[0]} ↔ {one.names[1]}"


@_says
def _allow_word(one: AllowWord) -> str:
    places = [name for name, answer in one.answers.items() if answer == one.word]
    return f"allow {one.word} again{f', at {places[0]}' if places else ''}"


@_says
def _lower_minimum(one: LowerMinimum) -> str:
    return f"lower the minimum score of {one.name} to {one.score}: {listed(one.words, 'or')} would help"


@_says_briefly
def _lower_minimum_briefly(one: LowerMinimum) -> str:
    return f"{one.name} from {one.score}: {' '.join(one.words)}"


@_says
def _lower_lowest(one: LowerLowest) -> str:
    return f"lower the lowest score of the whole grid to {one.score}"


@_says_briefly
def _lower_lowest_briefly(one: LowerLowest) -> str:
    return f"all words from {one.score}"


@_says
def _allow_repeats(one: AllowRepeats) -> str:
    twice = [answer for answer, times in Counter(one.answers.values()).items() if times > 1]
    named = f", as {listed(twice[:_MOST_TWICE], 'and')} in the fill that was found" if twice else ""
    return f"fill with repeated words (`fill --allow-repeats`){named}"


@_says_briefly
def _allow_repeats_briefly(one: AllowRepeats) -> str:
    return "with repeated words"


@_says
def _drop_rule(one: DropRule) -> str:
    return f"drop {one.choice}"


# What might be, and how many fills there are.


@_says
def _arrangement(one: Arrangement) -> str:
    """`20A HEARTTOHEART, 36A BRAVEHEART`."""
    return ", ".join(f"{name} {answer}" for name, answer in one.answers.items())


@_says_briefly
def _arrangement_briefly(one: Arrangement) -> str:
    return _arrangement(one)


@_says
def _outlook(one: Outlook) -> str:
    """The outlook in a few words: `≈10^38.4, a fill found`."""
    kinds = ranking.Fillability
    if one.fillability is kinds.IMPOSSIBLE:
        return f"no fill: {one.reason}" if one.reason else "no fill"
    sure = {kinds.HARD: ", no fill found yet", kinds.FILLED: ", a fill found"}
    return ("" if one.log10 is None else about(one.log10)) + sure.get(one.fillability, "")


_MOST_FIGURES = 10**24
_FROM_POWERS = 4.0
"""From this logarithm on an estimate is told as a power of ten."""


@_says
def _estimate(one: Estimate) -> str:
    """`fills ≈ 10^38.4 (37.9–38.8)`, `about 4 fills (estimate)`."""
    if one.exact is not None:
        return _exactly(one.exact)
    found = [_estimated(one)]
    if one.at_least:
        found.append(f"{_figures(one.at_least)} at least")
    if one.counted:
        found.append(f"{one.counted:.1%} counted")
    return "; ".join(found)


def _estimated(one: Estimate) -> str:
    if one.log10 is None:
        came = "kept the rules" if one.under_rules else "came to a fill"
        return f"no estimate yet: no sample {came}, which proves nothing"
    if one.log10 < 0:
        return "probably no fill (estimate)"
    if one.low is None or one.high is None:
        rules = " but for the rules" if one.under_rules else ""
        is_rough = one.instrument is not estimates.Instrument.BETHE
        told = "rough estimate" if is_rough else "estimate"
        if one.log10 < _FROM_POWERS:
            return f"about {_fills(one.log10)}{rules} ({told})"
        return f"fills ≈ 10^{one.log10:.{0 if is_rough else 1}f}{rules} ({told})"
    if one.high < _FROM_POWERS:
        return f"about {_fills(one.log10)} ({_rounded(one.low)} to {_rounded(one.high)})"
    return f"fills ≈ 10^{one.log10:.1f} ({one.low:.1f}–{one.high:.1f})"


def about(log10: float) -> str:
    """Say how many fills an estimate comes to, given as a logarithm: `≈10^38.4`, `≈4`, less than one as `< 1`."""
    if log10 < 0:
        return "< 1"
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


@_says
def _objective(one: Objective) -> str:
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


# What a search does.


@_says
def _event(one: Event) -> str:
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


def _decided(one: Event) -> str:
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


def _taken(one: Event) -> str:
    """What options are taken from what."""
    kinds, left = events.EventKind, f"{one.before:,} to {_options(one.after)}"
    match one.kind:
        case kinds.PRUNE:
            through = f"without {one.word}" if one.crossing is None else f"through {one.crossing}"
            return f"prune {one.slot}: {left}, {through}"
        case kinds.CLAIM:
            others = f"{one.before:,} other {'entry' if one.before == 1 else 'entries'}"
            return f"{one.slot} has {one.word}: {others} cannot take it any more"
        case _ if one.word is not None:
            lost = f"{one.before:,} word{'' if one.before == 1 else 's'}"
            return f"{one.slot} has {one.word}: {lost} out of other entries, for {one.constraint}"
        case _:
            return f"{one.slot or one.crossing}: {left}, for {one.constraint}"


def _wipe_out(one: Event) -> str:
    if one.constraint:
        return f"dead end: {one.constraint} cannot be any more"
    if one.crossing is not None and one.wanted:
        return f"{one.slot} runs empty: {one.crossing} takes none of {', '.join(one.wanted)}"
    if one.crossing is not None:
        return f"{one.slot or 'the search'} runs empty: nothing is left for {one.crossing}"
    if one.other is not None:
        return f"{one.slot} runs empty: {one.other} has {one.word}"
    if one.word is None:
        return f"{one.slot} runs empty: no word is left for it"
    return f"{one.slot} runs empty without {one.word}"


def _options(count: int) -> str:
    return f"{count:,} option" + ("" if count == 1 else "s")
