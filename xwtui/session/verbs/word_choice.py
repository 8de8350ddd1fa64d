"""The verbs that choose the puzzle's words, and the question about lists that are named elsewhere."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError, VerbError, WordListError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, WordChoice
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.resources import wordlists_folder
from xwtui.session.exclusions import PersonalEdit, list_edit_notes, still_in_grid_lines
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, argument, option, verbs_of
from xwtui.text import first_named, listed, printable
from xwtui.words.layers import UserList, find_user_lists
from xwtui.words.personal_list import NEVER, PersonalList

with lazy_imports():
    from xwtui.session.document import full_path
    from xwtui.session.session import Session
    from xwtui.session.verbs.lists import LayerOwner, layers_of
    from xwtui.words import list_files
    from xwtui.words.lexicon import Lexicon


verb = verbs_of(Group.WORDS)

_MOST_BANNED = 20
_SHOW = object()
NONE = "none"
UNLISTED_SCORE = 50
"""The score from which `raise` and `lower` step for a word that no list has."""


def list_kind(*others: str) -> kinds.ParameterKind[str]:
    """Return the kind for a word list: a file, a shipped list or a user's list by name, or one of `others`."""

    def read(text: str, session: Session) -> str:
        """Return the list's name; raises WordListError if it does not exist."""
        if text in others:
            return text
        if not text.isprintable():
            raise WordListError("a word list's name cannot contain control characters")
        try:
            list_files.find_list(text, session.document.folder)
        except WordListError:
            shown = [one.path.name for one in _own_lists() if one.name == text]
            if not shown:
                raise
            return shown[0]
        return text

    def offers(session: Session, beginning: str) -> list[kinds.Item]:
        names = sorted(path.stem for path in wordlists_folder().glob("*.dict"))
        own = kinds.offered(dict.fromkeys(names, "ships with xwtui"), beginning)
        own += kinds.offered({one.path.name: "yours" for one in _own_lists()}, beginning)
        files = kinds.file_offers(beginning, (".dict", ".txt", ".gz", ".tsv", ".csv"))
        return [*own, *files, *kinds.offered(others, beginning)]

    return kinds.ParameterKind("list", read, offers, names_file=True, reads_puzzle=True)


def _own_lists() -> list[UserList]:
    return [one for one in find_user_lists().lists if not one.is_personal and not one.ships]


def _folders(session: Session, beginning: str) -> list[kinds.Item]:
    folders = [item for item in kinds.file_offers(beginning, ()) if item.value.endswith("/")]
    return [*folders, *kinds.offered([*(one.name for one in _own_lists()), NONE], beginning)]


@kinds.parameter_kind("folder", _folders, names_file=True)
def FOLDER(text: str, session: Session) -> str:
    """A folder, or `none`."""
    if text == NONE:
        return ""
    folder = session.document.folder
    path = Path(text)
    try:
        if folder is not None and (folder / path).is_dir():
            return text
        path = path.expanduser()
        if path.is_dir():
            return str(path.absolute())
    except (OSError, ValueError, RuntimeError) as error:
        raise PuzzleError(f"{printable(text)!r} cannot be a folder's name") from error
    if any(text == one.name for one in _own_lists()):
        return text
    raise PuzzleError(f"there is no folder {printable(text)}, nor a list of yours with that name")


@kinds.parameter_kind("score")
def SCORE(text: str, session: Session) -> int | None:
    """A score, or `none`."""
    return None if text.lower() == "none" else kinds.number_kind(0, 100).read(text, session)


@verb("words", "words --min-score 45", "words default --min-score 40", "words --scale")
def words(
    session: Session,
    lists: tuple[str, ...] = argument("word lists; the first one that has a word sets its score", list_kind()),
    min_score: int | None = option("minimum word score, 0 to 100", kinds.number_kind(0, 100)),
    scale: bool | None = option(
        "turn scores for lists without scores on or off", name="--scale/--no-scale", default=None
    ),
) -> Answer:
    """Choose or show this puzzle's word lists and minimum score.

    If several lists have a word, the first list's score counts. --scale gives words without scores a score based
    on how many lists have them and on their length, so that a minimum score can apply.
    """
    if lists or min_score is not None or scale is not None:

        def choose(choice: WordChoice) -> WordChoice:
            score = choice.minimum_score if min_score is None else min_score
            is_graded = choice.is_graded if scale is None else scale
            kept = kept_paths(session, lists) or choice.lists
            return replace(choice, lists=kept, minimum_score=score, is_graded=is_graded)

        _edit_words(session, "words", choose)
    return _describe(session)


@verb("prefer default", "prefer --recent .", "prefer none --recent none")
def prefer(
    session: Session,
    lists: tuple[str, ...] = argument("word lists to prefer, or `none`", list_kind(NONE)),
    recent: str | None = option(
        "a folder of puzzles, or a list that `lists learn` made, whose answers to avoid, or `none`", FOLDER
    ),
    repeat_cost: int | None = option(
        "how much less such an answer counts than its score, 0 to 100, from now on in every puzzle (default: 50)",
        kinds.number_kind(0, 100),
    ),
) -> Answer:
    """Prefer words from certain lists, and avoid answers from recent puzzles."""
    if repeat_cost is not None:
        session.remember(repeat_cost=repeat_cost)
        session.jobs.refresh()
    if lists or recent is not None:

        def choose(choice: WordChoice) -> WordChoice:
            preferred = kept_paths(session, lists) or choice.preferred
            if NONE in lists:
                preferred = ()
            return replace(choice, preferred=preferred, recent=choice.recent if recent is None else recent)

        _edit_words(session, "prefer", choose)
    return _describe(session)


def kept_paths(session: Session, lists: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lists as the puzzle stores them, and trust them; paths relative to here become absolute."""
    folder = session.document.folder
    kept = []
    for name in lists:
        path = None if name == NONE else list_files.find_list(name, folder)
        if path is not None and (folder is None or not list_files.is_trusted(path, folder)):
            list_files.trust(path)
        is_elsewhere = Path(name).is_file() and not (folder is not None and (folder / name).is_file())
        kept.append(str(Path(name).absolute()) if is_elsewhere else name)
    return tuple(kept)


@verb("trust /usr/share/dict/words", from_shell=WITHOUT_GRID)
def trust(
    session: Session, file: Path = argument("a word list", kinds.file_kind(".dict", ".txt", ".gz", ".tsv", ".csv"))
) -> Answer:
    """Allow puzzles to use a word list that is neither next to them nor one of yours.

    A puzzle file can come from anyone, so other files it names are not read until you allow them. Lists you name
    yourself with `words`, `prefer` or a rule are trusted; the screen and the REPL ask about others.
    """
    path = full_path(file)
    if not path.is_file():
        raise WordListError(f"there is no word list {printable(str(path), 200)}")
    list_files.trust(path)
    session.jobs.refresh()
    return f"trusted: {path}"


def _edit_words(session: Session, label: str, change: Callable[[WordChoice], WordChoice]) -> bool:
    return session.edit(label, lambda puzzle: replace(puzzle, words=change(puzzle.words)))


def _deciding(session: Session) -> list[str]:
    """Return the layers that set scores, first one first, without the user's own scores; as `lists` shows them."""
    user = find_user_lists()
    if max(len(session.puzzle.words.lists), len(user.below_personal)) < 2:
        return []
    layers = layers_of(session.puzzle, user, session.document.folder)
    others = [layer for layer in layers if layer.whose is not LayerOwner.PERSONAL]
    return [layer.name for layer in others if layer.is_on and layer.is_used and not layer.problem]


def _describe(session: Session) -> list[str]:
    choice = session.puzzle.words
    lines = [f"words: {', '.join(choice.lists) or 'default'}, scores from {choice.minimum_score}"]
    deciding = _deciding(session)
    if len(deciding) > 1:
        first, others = deciding[0], listed(deciding[1:], "and")
        lines.append(f"if several lists have a word, the first sets its score: {first} wins over {others}")
    if choice.is_graded:
        lines.append("lists without scores: scored by how many lists have a word, and by its length")
    if choice.preferred:
        lines.append(f"preferred: {', '.join(choice.preferred)}")
    if choice.recent:
        lines.append(f"avoided: answers of the puzzles in {choice.recent}")
    if choice.banned:
        lines.append(f"banned: {first_named(sorted(choice.banned), _MOST_BANNED)}")
    if choice.scores:
        lines.append("own scores: " + ", ".join(" ".join(map(str, own)) for own in sorted(choice.scores.items())))
    return lines


@verb("ban AXLE", "ban AXLE OXEN", "ban AHSO --everywhere")
def ban(
    session: Session,
    words: tuple[str, ...] = argument("words to ban", kinds.WORD, required=True),
    everywhere: bool = option("in every puzzle, by scoring the words 0 in your own list"),
) -> Answer:
    """Ban words from fills, in this puzzle or in every puzzle."""
    label = f"ban {' '.join(words)}"
    wanted = [word for word in words if word in session.puzzle.rules.wanted]
    if everywhere:
        edit_personal(session, f"{label} --everywhere", dict.fromkeys(words, NEVER))
        return [
            f"banned in every puzzle: {', '.join(words)}",
            *list_edit_notes(session.puzzle, dict.fromkeys(words, NEVER)),
            *(f"{word} is required by `want` in this puzzle, so it stays allowed here" for word in wanted),
        ]
    _edit_words(session, label, lambda choice: replace(choice, banned=choice.banned | {*words}))
    return [
        f"banned: {', '.join(words)}",
        *still_in_grid_lines(session.puzzle, words),
        *(f"{word} is required by `want`, but now no fill can use it" for word in wanted),
    ]


@verb("allow AXLE", "allow AHSO --everywhere")
def allow(
    session: Session,
    words: tuple[str, ...] = argument("banned words", kinds.WORD, required=True),
    everywhere: bool = option("words banned in every puzzle by your own list"),
) -> Answer:
    """Allow banned words again."""
    label = f"allow {' '.join(words)}"
    if everywhere:
        personal = _personal_scores(session)
        missing = [word for word in words if personal.get(word) != NEVER]
        if missing:
            raise PuzzleError(f"not banned by your own list: {', '.join(missing)}")
        edit_personal(session, f"{label} --everywhere", dict.fromkeys(words, None))
        return f"allowed in every puzzle: {', '.join(words)}"
    missing = [word for word in words if word not in session.puzzle.words.banned]
    if missing:
        personal = _personal_scores(session)
        others = [word for word in missing if personal.get(word) == NEVER]
        hint = f"; `allow {' '.join(others)} --everywhere`" if others else ""
        raise PuzzleError(f"not banned: {', '.join(missing)}{hint}")
    _edit_words(session, label, lambda choice: replace(choice, banned=choice.banned - {*words}))
    return f"allowed: {', '.join(words)}"


@verb("score AXLE 70", "score AXLE none", "score AXLE", "score AHSO 0 --mine")
def score(
    session: Session,
    word: str = argument("a word, in the lists or not", kinds.WORD),
    points: Any = argument("0 to 100, or `none` to go back to the lists' score", SCORE, default=_SHOW),
    mine: bool = option("in your own list, for every puzzle; 0 bans it"),
) -> Answer:
    """Set or show your own score for a word, in this puzzle or in every puzzle."""
    if points is not _SHOW and mine:
        edit_personal(session, f"score {word} --mine", {word: points})
    elif points is not _SHOW:

        def change(choice: WordChoice) -> WordChoice:
            scores = {known: value for known, value in choice.scores.items() if known != word}
            return replace(choice, scores=scores if points is None else {**scores, word: points})

        _edit_words(session, f"score {word}", change)
    own = None if mine else session.puzzle.words.scores.get(word)
    if own is not None:
        return [
            f"{word}: {own}, your score in this puzzle",
            *still_in_grid_lines(session.puzzle, () if own else (word,)),
        ]
    personal = _personal_scores(session).get(word)
    if personal is not None:
        text = f"{word}: {personal}, in your own list{': never used' if personal == NEVER else ''}"
        return [text, *list_edit_notes(session.puzzle, {word: personal})]
    if mine:
        return f"{word}: not in your own list"
    if (lexicon := words_soon(session)) is None:
        return f"{word}: the words are still being loaded"
    listed = lexicon.score(word)
    return f"{word}: in no list" if listed is None else f"{word}: {listed}"


_PATIENCE_SECONDS = 3.0


def words_soon(session: Session) -> Lexicon | None:
    """Return the puzzle's words if they load within a moment; raises WordListError if they cannot be loaded."""
    words, deadline = session.jobs.words, monotonic() + _PATIENCE_SECONDS
    words.start(session.jobs.word_request())
    vocabulary = words.wait(lambda: monotonic() >= deadline)
    return None if vocabulary is None else vocabulary.lexicon


def loaded_words(session: Session) -> Lexicon:
    """Do the same, for verbs that cannot do without words; raises VerbError while they are loading."""
    lexicon = words_soon(session)
    if lexicon is None:
        raise VerbError("the words are still being loaded")
    return lexicon


def _personal_scores(session: Session) -> dict[str, int]:
    return dict(PersonalList().read(session.puzzle.alphabet).word_list)


def edit_personal(session: Session, label: str, scores: Mapping[str, int | None]) -> bool:
    """Edit the personal list, as an edit that undo takes back; returns whether it changed."""
    made = PersonalEdit.make(scores, session.puzzle.alphabet)
    if made.changes:
        session.record_list_edit(label, made)
    return bool(made.changes)


STEP = 10
"""Points that `raise` adds to a word's score and `lower` subtracts."""

_ENTRY_WORD = argument("a word (default: the answer at the cursor)", kinds.WORD)


@verb("raise", "raise AXLE", name="raise")
def raise_word(session: Session, word: str | None = _ENTRY_WORD) -> Answer:
    """Raise a word's score by ten in your own list, for every puzzle."""
    return _step(session, word, STEP)


@verb("lower", "lower ERNE", name="lower")
def lower_word(session: Session, word: str | None = _ENTRY_WORD) -> Answer:
    """Lower a word's score by ten in your own list, for every puzzle."""
    return _step(session, word, -STEP)


@verb("never", "never AHSO")
def never(session: Session, word: str | None = _ENTRY_WORD) -> Answer:
    """Ban a word from every puzzle, by scoring it 0 in your own list."""
    chosen = word or _answer_here(session, "never")
    edit_personal(session, f"never {chosen}", {chosen: NEVER})
    return [f"{chosen}: 0 in your own list: no fill uses it", *list_edit_notes(session.puzzle, {chosen: NEVER})]


def _step(session: Session, word: str | None, step: int) -> Answer:
    """Raise or lower a word's score; the result is at least 1, because 0 means that a word is never used."""
    chosen = word or _answer_here(session, "raise" if step > 0 else "lower")
    before = _personal_scores(session).get(chosen)
    if before is None:
        before = loaded_words(session).score(chosen)
    if before is None and step < 0:
        raise PuzzleError(f"{chosen} is in no list: there is nothing to lower; `score {chosen} 40 --mine` adds it")
    after = min(max((UNLISTED_SCORE if before is None else before) + step, 1), HIGHEST_SCORE)
    edit_personal(session, f"{'raise' if step > 0 else 'lower'} {chosen}", {chosen: after})
    was = "in no list before" if before is None else f"{before} before"
    return [f"{chosen}: {after} in your own list, {was}", *list_edit_notes(session.puzzle, {chosen: after})]


def _answer_here(session: Session, verb: str) -> str:
    slot = session.cursor.entry
    answer = None if slot is None else session.shown_puzzle.answer(slot)
    if answer is None:
        raise PuzzleError(f"the cursor is not in a complete entry; name a word, as in `{verb} AXLE`")
    return answer


_LONGEST_PATH = 120
_MOST_NAMED = 3


class TrustAnswer(enum.Enum):
    """A reply to the question; the value is what a line of text says for it."""

    LEAVE = "no"
    """Do nothing: there are no words until the lists are trusted or others are chosen."""
    READ = "yes"
    """Read the lists, for this puzzle and any other."""
    DROP = "without"
    """Remove the lists from the puzzle, which is an edit."""


@dataclass(frozen=True)
class TrustQuestion:
    """Lists named by a puzzle's file that are neither next to it nor the user's own."""

    lists: tuple[tuple[str, Path], ...]
    """The lists as the puzzle names them, each with its file."""
    answers: tuple[TrustAnswer, ...]

    @property
    def words(self) -> str:
        paths = [printable(str(path), _LONGEST_PATH) for _, path in self.lists]
        lists, are, them = ("list", "is", "it") if len(paths) == 1 else ("lists", "are", "them")
        return (
            f"The puzzle names the word {lists} {first_named(paths, _MOST_NAMED)}, which {are} neither next to it "
            f"nor yours. Read {them}?"
        )


def trust_question(session: Session) -> TrustQuestion | None:
    """Return the question to ask before a puzzle's words are read, or None."""
    untrusted = session.jobs.words.untrusted
    if not untrusted:
        return None
    is_in_rules = not untrusted.keys().isdisjoint(session.puzzle.rules.own_lists)
    answers = [one for one in TrustAnswer if one is not TrustAnswer.DROP or not is_in_rules]
    return TrustQuestion(tuple(untrusted.items()), tuple(answers))


def answer_trust(session: Session, question: TrustQuestion, answer: TrustAnswer) -> None:
    """Act on a reply; raises XwtuiError if it cannot be stored."""
    if answer is TrustAnswer.READ:
        for _, path in question.lists:
            list_files.trust(path)
        session.jobs.refresh()
    elif answer is TrustAnswer.DROP:
        dropped = dict(question.lists)

        def without(puzzle: Puzzle) -> Puzzle:
            words = puzzle.words
            lists = tuple(name for name in words.lists if name not in dropped)
            preferred = tuple(name for name in words.preferred if name not in dropped)
            return replace(puzzle, words=replace(words, lists=lists, preferred=preferred))

        session.edit("words", without)
