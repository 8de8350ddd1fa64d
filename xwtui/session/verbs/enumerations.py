"""Verbs for enumerations, the lengths of an answer's words, and suggestions for them."""

from __future__ import annotations

from collections.abc import Sequence

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Slot
from xwtui.model.clues import AnswerEnumeration, WholeClue
from xwtui.named_tuples import NamedTuple
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.verbs.kinds import REST_OF_LINE, entry_argument
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Writes, argument, option, verbs_of
from xwtui.text import counted

with lazy_imports():
    from xwtui.clues.suggestions import SuggestedEnumeration, suggested_enumerations
    from xwtui.session.session import Session
    from xwtui.session.verbs.word_choice import words_soon
    from xwtui.words.lexicon import Lexicon


verb = verbs_of(Group.CLUES)

_KEPT = FromShell(writes=Writes.PUZZLE, needs=Needs.WORDS, is_lost_unwritten=True)


@verb(
    examples=("enumeration 17A 3,5", "enumeration 17A", "enumeration --take 17A", "enumeration --clear 17A"),
    from_shell=_KEPT,
)
def enumeration(
    session: Session,
    entry: Slot = entry_argument,
    numbers: str | None = argument("3,4 or 2'1 or 4-2-3; shows the enumeration if left out", REST_OF_LINE),
    take: bool = option("use the first suggestion"),
    clear: bool = option("remove it"),
) -> Answer:
    """Set or suggest an answer's enumeration: the lengths of its words.

    Like a clue, it belongs to the answer. The suggestion comes from how word lists, then WordNet, write the
    answer, with its spaces, hyphens and apostrophes. ipuz and JPZ store it in its own field; other formats put
    it after the clue.
    """
    if sum((take, clear, bool(numbers))) > 1:
        raise VerbError("enumeration: use only one of numbers, --take and --clear")
    puzzle = session.commit_shown(entry) if take or clear or numbers else session.shown_puzzle
    if take:
        suggested = entry_enumeration(puzzle, entry, _words(session)).suggested
        if not suggested:
            raise VerbError(f"no suggestion for {entry.name}: neither word lists nor WordNet spell it out")
        chosen: AnswerEnumeration | None = suggested[0].enumeration
    else:
        chosen = checked(puzzle, entry, AnswerEnumeration.parse(numbers)) if numbers else None
    if take or clear or numbers:
        label = f"enumeration {entry.name}"
        session.edit(label, lambda puzzle: puzzle.with_enumeration(entry, chosen))
    shown = entry_enumeration(
        session.shown_puzzle, entry, None if take or clear or numbers else words_soon(session)
    )
    return _answer(session, [shown])


def _answer(session: Session, found: Sequence[EntryEnumeration]) -> Answer:
    lines = [each.line for each in found] or ["no entries yet"]
    return ImmediateAnswer(lines, {"entries": _ENUMERATION.convert(found)}, made=session.puzzle)


@verb(examples=("enumerations",), from_shell=FromShell(needs=Needs.WORDS))
def enumerations(session: Session) -> Answer:
    """List every entry's enumeration, with suggestions."""
    puzzle, lexicon = session.shown_puzzle, words_soon(session)
    return _answer(session, [entry_enumeration(puzzle, slot, lexicon) for slot in puzzle.grid.entries])


@verb(examples=("enumerate",), from_shell=_KEPT)
def enumerate_(session: Session) -> Answer:
    """Add the suggested enumeration to every answer that has none, as one edit.

    The enumeration comes from the end of the clue, or else from the first suggestion. An answer found in no
    source is taken as one word and listed; one longer than eight letters is listed and left without an
    enumeration.
    """
    taken, made = with_all_taken(session.commit_shown(), _words(session))
    session.edit("enumerate", lambda _: made)
    return taken


def _words(session: Session) -> Lexicon:
    """Return the lexicon, which suggestions need; raises VerbError while it is loading."""
    lexicon = words_soon(session)
    if lexicon is None:
        raise VerbError("the word lists are still loading, and with them the suggestions")
    return lexicon


_LONGEST_GUESS = 8
"""Longest answer, in letters, that is assumed to be one word if no source has it."""


class EntryEnumeration(NamedTuple):
    """An entry with its enumeration, and suggestions for its answer."""

    slot: Slot
    answer: str | None
    letters: int
    enumeration: AnswerEnumeration | None
    suggested: tuple[SuggestedEnumeration, ...]

    @property
    def line(self) -> str:
        """Such as `1A ICECREAM: (3,5)`, with the suggestions that differ from the enumeration."""
        text = "no enumeration" if self.enumeration is None else self.enumeration.printed
        named = f"{self.slot.label} {self.answer}" if self.answer is not None else self.slot.label
        others = [each for each in self.suggested if each.enumeration != self.enumeration]
        words = ", ".join(f"{each.enumeration.printed} by {each.source.value}" for each in others)
        remark = ""
        if self.enumeration is not None and self.answer is not None and self.enumeration.letters != self.letters:
            remark = f" ({self.answer} has {counted(self.letters, 'letter')})"
        return f"{named}: {text}{remark}{f'; suggested: {words}' if words else ''}"


_ENUMERATION = JsonShape(
    "entry=slot answer letters enumeration", ("suggested", JsonShape("enumeration from=source"))
)


def entry_enumeration(puzzle: Puzzle, slot: Slot, lexicon: Lexicon | None) -> EntryEnumeration:
    """Return an entry with its enumeration and suggestions."""
    answer = puzzle.answer(slot)
    suggested = () if answer is None else suggested_enumerations(answer, puzzle.alphabet, lexicon)
    return EntryEnumeration(slot, answer, puzzle.letter_count(slot), puzzle.enumeration(slot), suggested)


def checked(puzzle: Puzzle, slot: Slot, enumeration: AnswerEnumeration) -> AnswerEnumeration:
    """Check that an enumeration agrees with its entry; raises VerbError if the number of letters differs."""
    answer, letters = puzzle.answer(slot), puzzle.letter_count(slot)
    if answer is not None and enumeration.letters != letters:
        raise VerbError(
            f"{slot.name} {answer} has {counted(letters, 'letter')}, "
            f"but {enumeration.printed} has {enumeration.letters}"
        )
    if answer is None and enumeration.letters < letters:
        raise VerbError(
            f"{slot.name} has {counted(letters, 'square')}, "
            f"but {enumeration.printed} has {enumeration.letters} letters"
        )
    return enumeration


def with_all_taken(puzzle: Puzzle, lexicon: Lexicon | None) -> tuple[ImmediateAnswer, Puzzle]:
    """Give enumerations to all answers without one: that at the end of the clue, a suggestion, or one word.

    An enumeration at the end of a clue stays there if its number of letters differs from the answer's. A long
    answer in no source is left without one, because few of those are single words.
    """
    of_clues, suggested, whole, left = (list[EntryEnumeration]() for _ in range(4))
    for slot in puzzle.grid.entries:
        one = entry_enumeration(puzzle, slot, lexicon)
        if one.answer is None or one.enumeration is not None:
            continue
        behind = WholeClue.parted(puzzle.typed_clue(slot)).enumeration
        if behind is not None:
            puzzle = puzzle.with_whole_clue(slot, puzzle.typed_clue(slot))
            found = of_clues
        elif not one.suggested and one.letters > _LONGEST_GUESS:
            left.append(one)
            continue
        else:
            first = one.suggested[0].enumeration if one.suggested else AnswerEnumeration((one.letters,))
            puzzle = puzzle.with_enumeration(slot, first)
            found = suggested if one.suggested else whole
        if (enumeration := puzzle.enumeration(slot)) is not None:
            found.append(one._replace(enumeration=enumeration))
    changed = [*of_clues, *suggested]
    lines = [f"{counted(len(changed) + len(whole), 'enumeration')} taken"]
    parted = (each for each in changed if each.enumeration is not None and each.enumeration.breaks)
    lines += [f"  {each.slot.name} {each.answer}: {each.enumeration}" for each in parted]
    if whole:
        lines.append(
            f"assumed to be one word, since neither word lists nor WordNet spell them out: {_names(whole)}"
        )
    if left:
        example = f"`enumeration {left[0].slot.name} 3,5`"
        lines.append(f"left without, too long to guess: {_names(left)}; {example} sets the enumeration")
    groups = {"from_clues": of_clues, "suggested": suggested, "one_word": whole, "left": left}
    document = {name: _ENUMERATION.convert(each) for name, each in groups.items()}
    return ImmediateAnswer(lines, document, made=puzzle), puzzle


def _names(found: Sequence[EntryEnumeration]) -> str:
    return ", ".join(f"{each.slot.name} {each.answer}" for each in found)
