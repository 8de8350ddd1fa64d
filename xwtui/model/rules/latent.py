"""The rule that some entries enter altered answers: with a letter dropped, without every S, jumbled and so on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError
from xwtui.model.entering import Entering, Treatment
from xwtui.model.grid import Grid
from xwtui.model.grid_move import GridMove
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, ListedRule, PuzzleFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import AlteredEntries, Constraint, EntryGroup, altered_entries
from xwtui.model.rules.grammar import ALL, OFF, Argument, Reads, RuleOption, Value
from xwtui.model.slots import Slot
from xwtui.model.where import Direction, Position
from xwtui.text import counted

_MOST_ENTRIES = 400


@dataclass(frozen=True)
class EnteredOtherwise(ListedRule):
    """Some entries, all of them or an exact number, enter altered forms of their answers."""

    field: ClassVar[str] = "entered"
    most_of_kind: ClassVar[tuple[int, str]] = (8, "groups of entries with altered answers")

    asked: AlteredEntries

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (self.asked,)

    def relaxed(self) -> Self:
        letters = self.asked.letters or "".join(sorted(set(self.asked.message)))
        return replace(self, asked=replace(self.asked, exactly=None, letters=letters, message="", is_asked=False))

    def moved(self, move: GridMove) -> Self | None:
        where = self.asked.where
        if where is None:
            return self
        if isinstance(where, Direction):
            return replace(self, asked=replace(self.asked, where=move.direction(where)))
        left = frozenset(there for _, there in move.keys(where))
        return replace(self, asked=replace(self.asked, where=left)) if left else None

    def named(self, grid: Grid) -> int:
        return len(self.asked.where) if isinstance(self.asked.where, frozenset) else 0

    def move_notes(self, move: GridMove) -> Iterator[str]:
        if self.asked.message and move.is_turned:
            yield f"{self.asked.message} is spelled in the order of the entries, as before"

    @classmethod
    def read_one(cls, fields: Mapping[str, Any]) -> Self:
        how = {each.value: each for each in Entering}.get(checks.read_string(fields.get("how")))
        if how is None:
            raise checks.DamageError
        texts = [checks.read_string(fields.get(name, "")) for name in ("text", "letters", "spell")]
        exactly = checks.read_number_of(fields, "exactly")
        treatment = Treatment(how, texts[0])
        return cls(AlteredEntries(treatment, _read_group(fields.get("lights", ALL)), exactly, texts[1], texts[2]))

    def written_one(self) -> dict[str, Any]:
        asked = self.asked
        return {
            "how": asked.treatment.how.value,
            "text": asked.treatment.text,
            "lights": _written_group(asked.where),
            "letters": asked.letters,
            "spell": asked.message,
            "exactly": asked.exactly,
        }

    def check(self) -> None:
        asked, how = self.asked, self.asked.treatment.how
        if (how is Entering.REMOVE) != bool(asked.treatment.text):
            raise PuzzleError("name only the letters to remove: `latent remove S`")
        checks.check_words([asked.treatment.text] if asked.treatment.text else [])
        if (asked.letters or asked.message) and not how.has_letter:
            done = asked.treatment.words
            raise PuzzleError(f"no single letter is dropped, added or changed where answers are {done}")
        checks.check_letters(asked.letters + asked.message, "letters and messages")
        checks.check_distinct(asked.letters, "named")
        checks.check_count(len(asked.message), checks.LONGEST_MESSAGE, "letters of a message")
        if asked.letters and not set(asked.message) <= set(asked.letters):
            raise PuzzleError("the message has letters that `--letters` excludes; omit `--letters`")
        checks.check_number(asked.exactly, _MOST_ENTRIES, "entries")
        if asked.message and asked.exactly not in (None, len(asked.message)):
            raise PuzzleError(f"{asked.exactly} entries cannot spell a message of {len(asked.message)} letters")
        checks.check_count(len(asked.where) if isinstance(asked.where, frozenset) else 0, _MOST_ENTRIES, "entries")

    def lines(self) -> Iterator[str]:
        asked = self.asked
        if isinstance(asked.where, Direction):
            entries = f"the {asked.where.word} entries"
        elif asked.where is None:
            entries = "all entries"
        else:
            keys = sorted(asked.where, key=lambda key: (key[1].value, key[0]))
            entries = f"the entries at {', '.join(f'{at} {way.word}' for at, way in keys)}"
        which = entries if asked.count is None else f"exactly {asked.count} of {entries}"
        parts = [f"latent: {which} entered {asked.treatment.words}"]
        parts += [f"one of {' '.join(asked.letters)}"] if asked.letters else []
        parts += [f"these letters spell {asked.message}"] if asked.message else []
        yield ", ".join(parts)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        entries = altered_entries(puzzle.rules.constraints, puzzle.grid.entries)[self.asked]
        told = [(slot, answers[slot], puzzle.grid.answer(slot) or "") for slot in entries if slot in answers]
        for slot, answer, entered in told:
            if broken := self._broken(answer, entered):
                yield Breach(f"{slot.name} {puzzle.shown_pattern(slot)} is not entered {broken}", slot.positions)
        if self.asked.count is not None and len(told) == len(entries):
            yield from self._miscounted(told)

    def _broken(self, answer: str, entered: str) -> str:
        """Return how one entry should have been entered; empty if it obeys."""
        asked = self.asked
        if asked.count is not None and answer == entered:
            return ""
        if not asked.treatment.makes(answer, entered):
            return asked.treatment.words
        letter = asked.treatment.letter(answer, entered)
        return f"with one of {' '.join(asked.letters)}" if asked.letters and letter not in asked.letters else ""

    def _miscounted(self, told: Sequence[tuple[Slot, str, str]]) -> Iterator[Breach]:
        """Report a wrong number of altered entries, or letters that do not spell the message."""
        changed = [(slot, answer, entered) for slot, answer, entered in told if answer != entered]
        squares = tuple(at for slot, _, _ in changed for at in slot.positions)
        if len(changed) != self.asked.count:
            number = counted(len(changed), "entry is", "entries are")
            yield Breach(f"{number} entered {self.asked.treatment.words}; {self.asked.count} must be", squares)
        elif self.asked.message:
            spelled = "".join(self.asked.treatment.letter(answer, entered) for _, answer, entered in changed)
            if spelled != self.asked.message:
                yield Breach(f"the letters spell {spelled}, not {self.asked.message}", squares)


def _read_group(value: Any) -> EntryGroup:
    if value == ALL:
        return None
    for direction in Direction:
        if value == direction.word:
            return direction
    found = []
    for each in checks.read_list(value):
        match each:
            case [str(where), "A" | "D" as letter]:
                found.append((Position.parse(where), Direction(letter)))
            case _:
                raise checks.DamageError
    return frozenset(found)


def _written_group(where: EntryGroup) -> Any:
    if isinstance(where, Direction):
        return where.word
    return ALL if where is None else sorted([str(at), way.value] for at, way in where)


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    how, exactly, spelled, letters = line["how"], line["exactly"], line["message"], line["letters"]
    if how is None:
        return None
    others = rules.of(EnteredOtherwise)
    if how == OFF or OFF in line["lights"]:
        left = [] if how == OFF else [rule for rule in others if rule.asked.treatment.how is not how]
        return Edited("latent off", rules.with_all(EnteredOtherwise, left))
    texts = [each for each in line["lights"] if isinstance(each, str) and each != ALL]
    ways = [each for each in line["lights"] if isinstance(each, Direction)]
    keys = frozenset(each for each in line["lights"] if isinstance(each, tuple))
    if len(texts) > (how is Entering.REMOVE) or len(ways) + bool(keys) > 1:
        raise PuzzleError("name the entries: `all`, `across`, `down`, or a list; after `remove`, name the letters")
    where = ways[0] if ways else keys or None
    asked = AlteredEntries(Treatment(how, "".join(texts)), where, exactly, letters or "", spelled or "")
    kept = [rule for rule in others if rule.asked.where != where]
    return Edited("latent", rules.with_all(EnteredOtherwise, [*kept, EnteredOtherwise(asked)]))


LATENT = RuleVerb(
    name="latent",
    kinds=(EnteredOtherwise,),
    help="""Let entries hold altered answers: a letter dropped, added, changed, jumbled…

`drop`, `add` and `change` alter one letter; `jumble`, `reverse`, `remove LETTERS` and `vowels` (which removes
them) alter the whole answer. Unless you give `--exactly` or `--spell`, every entry named is altered, or all of
them if none is named. An answer that this leaves as it is, such as a palindrome, is not one of `--exactly`.""",
    examples=(
        'latent drop --spell "SECRET"',
        "latent drop all --exactly 6",
        "latent remove S",
        "latent reverse down --exactly 3",
        "latent change 1A 17A 1D --letters XYZ",
        "latent drop off",
        "latent off",
    ),
    nothing="every entry holds its answer unchanged",
    edit=_edit,
    arguments=(
        Argument("how", Value(Reads.TREATMENT), "drop, add, change, jumble, reverse, remove, vowels; `off`"),
        Argument("lights", Value(Reads.LIGHT), "`all`, `across`, `down`, or entries; S after `remove`", many=True),
    ),
    options=(
        RuleOption("--exactly", Value(Reads.NUMBER, 0, _MOST_ENTRIES), "how many; the filler chooses which"),
        RuleOption(
            "--spell",
            Value(Reads.SPELLED),
            "what the letters dropped, added or entered spell in clue order, one entry per letter",
            name="message",
        ),
        RuleOption("--letters", Value(Reads.SPELLED), "the only letters to drop, add or enter"),
    ),
)
