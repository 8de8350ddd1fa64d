"""The rules that a puzzle breaks or cannot keep, as its word lists tell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from xwtui.model import Puzzle, Slot
from xwtui.model.review import Finding, Rule
from xwtui.model.rule_review import written_answers
from xwtui.text import first_named
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import DEFAULT_SCORE
from xwtui.words.stems import Stemmer
from xwtui.words.vocabulary import Vocabulary


def rule_findings(puzzle: Puzzle, vocabulary: Vocabulary) -> tuple[Finding, ...]:
    """What the review cannot tell without words."""
    if puzzle.rules.is_empty:
        return ()
    answers = written_answers(puzzle)
    lexicon = vocabulary.lexicon
    return (
        *_entries(puzzle, answers, vocabulary),
        *_stems(puzzle, answers, lexicon),
        *_tags(puzzle, answers, lexicon),
        *(Finding(Rule.ODD_RULE, note, ()) for note in rule_notes(puzzle, lexicon)),
    )


def rule_notes(puzzle: Puzzle, lexicon: Lexicon | None) -> list[str]:
    """What is odd about rules, though none breaks them; nothing while there are no words yet."""
    return [*wanted_notes(puzzle, lexicon), *tag_notes(puzzle, lexicon)]


def wanted_notes(puzzle: Puzzle, lexicon: Lexicon | None) -> list[str]:
    """What is odd about wanted words that are not in the grid yet; only banned ones cannot be placed."""
    if lexicon is None:
        return []
    here = set(written_answers(puzzle).values())
    return [
        f"wanted {word} {oddity}"
        for word in puzzle.rules.wanted
        if word not in here and (oddity := _oddity(word, puzzle, lexicon))
    ]


def _oddity(word: str, puzzle: Puzzle, lexicon: Lexicon) -> str:
    """Why no fill would use a word that is not wanted; empty if one might."""
    score = lexicon.score(word)
    if word in puzzle.words.banned:
        return f"is banned, so no fill places it; `allow {word}` lets it in"
    if not _has_room(word, puzzle):
        return f"has {len(word)} letters, and no entry has as many squares"
    if score is None:
        return f"is in no word list; a fill may place it all the same, with {DEFAULT_SCORE} points"
    if score < puzzle.words.minimum_score:
        return f"scores {score}, below {puzzle.words.minimum_score}; a fill may place it all the same"
    return ""


def _has_room(word: str, puzzle: Puzzle) -> bool:
    """Whether some entry has as many squares as a word has letters, or squares that may hold several."""
    rules = puzzle.rules
    contents = [content for allowed in rules.squares.values() for content in allowed]
    contents += [content for at in puzzle.grid.open_positions() if (content := puzzle.grid[at].content)]
    may_be_rebus = bool(rules.placings) or any(content.is_rebus for content in contents)
    return may_be_rebus or any(len(slot) == len(word) for slot in puzzle.grid.slots)


def tag_notes(puzzle: Puzzle, lexicon: Lexicon | None) -> list[str]:
    """Which limited tags no word bears."""
    if lexicon is None:
        return []
    there = f"there are {first_named(lexicon.tags)}" if lexicon.tags else "the lists have no tags"
    return [
        f"no word in the lists has the tag {tag}; {there}"
        for tag in puzzle.rules.tag_limits
        if tag not in lexicon.tags
    ]


def _entries(puzzle: Puzzle, answers: dict[Slot, str], vocabulary: Vocabulary) -> Iterator[Finding]:
    for slot, answer in answers.items():
        rule = puzzle.rules.entries.get((slot.start, slot.direction))
        if rule is None:
            continue
        words = vocabulary.own_lists.get(rule.word_list, vocabulary.lexicon)
        score = words.score(answer)
        if rule.word_list and score is None:
            yield Finding(Rule.BROKEN_RULE, f"{slot.name} {answer} is not in {rule.word_list}", slot.positions)
        elif rule.minimum_score is not None and (score or 0) < rule.minimum_score:
            told = "is in no word list" if score is None else f"scores {score}"
            message = f"{slot.name} {answer} {told}; it is to score {rule.minimum_score} or more"
            yield Finding(Rule.BROKEN_RULE, message, slot.positions)


def _stems(puzzle: Puzzle, answers: dict[Slot, str], lexicon: Lexicon) -> Iterator[Finding]:
    if not puzzle.rules.distinct_stems:
        return
    known = {word for length in lexicon.lengths for word in lexicon.table(length).words()}
    stemmer = Stemmer(puzzle.rules.stem_groups, known)
    stems = {answer: stemmer.stems(answer) for answer in set(answers.values())}
    for (one, first), (other, second) in combinations(answers.items(), 2):
        if first != second and not stems[first].isdisjoint(stems[second]):
            message = f"{one.name} {first} and {other.name} {second} share a stem"
            yield Finding(Rule.BROKEN_RULE, message, (*one.positions, *other.positions))


def _tags(puzzle: Puzzle, answers: dict[Slot, str], lexicon: Lexicon) -> Iterator[Finding]:
    for tag, most in puzzle.rules.tag_limits.items():
        bearing = [f"{slot.name} {answer}" for slot, answer in answers.items() if tag in lexicon.tags_of(answer)]
        if len(bearing) > most:
            number = "1 answer has" if len(bearing) == 1 else f"{len(bearing)} answers have"
            message = f"{number} the tag {tag}, and {most or 'none'} may: {first_named(bearing)}"
            yield Finding(Rule.BROKEN_RULE, message, ())
