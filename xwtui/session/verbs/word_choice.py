"""The verbs that say which words may fill the puzzle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from xwtui.errors import PuzzleError, WordListError
from xwtui.model import Puzzle, WordChoice
from xwtui.resources import wordlists_folder
from xwtui.session.verbs.types import NumberType, VerbType, WordType, file_offers
from xwtui.session.verbs.verb import Answer, Group, verb
from xwtui.text import first_named, printable

if TYPE_CHECKING:
    from xwtui.session.session import Session

_MOST_NAMED = 20
_SHOW = object()
NONE = "none"


class ListType(VerbType[str]):
    """A word list: a file, or the name of one that ships with xwtui."""

    name = "list"
    reads_puzzle = True

    def __init__(self, *others: str) -> None:
        """Take words that stand for something else than a list, such as `none`."""
        self._others = others

    def read(self, text: str, session: Session) -> str:
        """The list's name; raises WordListError where there is none."""
        if text in self._others:
            return text
        from xwtui.words.vocabulary import find_list

        if not text.isprintable():
            raise WordListError("a word list's name has no control characters")
        find_list(text, session.document.folder)
        return text

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The lists that ship with xwtui, then files."""
        names = sorted(path.stem for path in wordlists_folder().glob("*.dict"))
        own = [CompletionItem(name, help="ships with xwtui") for name in names if name.startswith(beginning)]
        others = [CompletionItem(text) for text in self._others if text.startswith(beginning)]
        return [*own, *file_offers(beginning, (".dict", ".txt", ".gz", ".tsv", ".csv")), *others]


class FolderType(VerbType[str]):
    """A folder, or `none`."""

    name = "folder"

    def read(self, text: str, session: Session) -> str:
        """The folder as the puzzle keeps it; empty for `none`. Raises PuzzleError where there is none."""
        if text == NONE:
            return ""
        beside = session.document.folder
        path = Path(text)
        try:
            if beside is not None and (beside / path).is_dir():
                return text
            path = path.expanduser()
            if path.is_dir():
                return str(path.absolute())
        except (OSError, ValueError, RuntimeError) as error:
            raise PuzzleError(f"{printable(text)!r} cannot be a folder's name") from error
        raise PuzzleError(f"there is no folder {printable(text)}")

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """Folders, and `none`."""
        folders = [item for item in file_offers(beginning, ()) if item.value.endswith("/")]
        return [*folders, *(CompletionItem(NONE) for _ in range(NONE.startswith(beginning)))]


class ScoreType(VerbType["int | None"]):
    """A score, or `none`."""

    name = "score"

    def read(self, text: str, session: Session) -> int | None:
        """0 to 100, or None for `none`."""
        return None if text.lower() == "none" else NumberType(0, 100).read(text, session)


@verb(Group.WORDS, examples=("words", "words --min-score 45", "words default --min-score 40"))
@click.argument("lists", type=ListType(), nargs=-1, help="word lists, the first one decides a word's score")
@click.option("--min-score", type=NumberType(0, 100), help="the lowest score that a word may have, 0 to 100")
def words(session: Session, lists: tuple[str, ...], min_score: int | None) -> Answer:
    """Choose the word lists and the lowest score, or show the choice."""
    if lists or min_score is not None:

        def choose(choice: WordChoice) -> WordChoice:
            score = choice.minimum_score if min_score is None else min_score
            return replace(choice, lists=kept_paths(session, lists) or choice.lists, minimum_score=score)

        _edit_words(session, "words", choose)
    return _describe(session)


@verb(Group.WORDS, examples=("prefer default", "prefer --recent .", "prefer none --recent none"))
@click.argument(
    "lists", type=ListType(NONE), nargs=-1, help="word lists whose words are used rather; `none`: none"
)
@click.option(
    "--recent", type=FolderType(), help="a folder of puzzles whose answers are rather not used; or `none`"
)
def prefer(session: Session, lists: tuple[str, ...], recent: str | None) -> Answer:
    """Use words of some lists rather, and answers of recent puzzles rather not."""
    if lists or recent is not None:

        def choose(choice: WordChoice) -> WordChoice:
            preferred = kept_paths(session, lists) or choice.preferred
            if NONE in lists:
                preferred = ()
            return replace(choice, preferred=preferred, recent=choice.recent if recent is None else recent)

        _edit_words(session, "prefer", choose)
    return _describe(session)


def kept_paths(session: Session, lists: tuple[str, ...]) -> tuple[str, ...]:
    """The lists as the puzzle keeps them: a path that is good from here only is made a full one."""
    folder = session.document.folder
    kept = []
    for name in lists:
        is_elsewhere = Path(name).is_file() and not (folder is not None and (folder / name).is_file())
        kept.append(str(Path(name).absolute()) if is_elsewhere else name)
    return tuple(kept)


def _edit_words(session: Session, label: str, change: Callable[[WordChoice], WordChoice]) -> bool:
    def edit(puzzle: Puzzle) -> Puzzle:
        return replace(puzzle, words=change(puzzle.words))

    return session.edit(label, edit)


def _describe(session: Session) -> list[str]:
    choice = session.puzzle.words
    lines = [f"words: {', '.join(choice.lists) or 'default'}, scores from {choice.minimum_score}"]
    if choice.preferred:
        lines.append(f"preferred: {', '.join(choice.preferred)}")
    if choice.recent:
        lines.append(f"rather not: answers of the puzzles in {choice.recent}")
    if choice.banned:
        lines.append(f"banned: {first_named(sorted(choice.banned), _MOST_NAMED)}")
    if choice.scores:
        lines.append(
            "own scores: " + ", ".join(f"{word} {score}" for word, score in sorted(choice.scores.items()))
        )
    return lines


@verb(Group.WORDS, examples=("ban AXLE", "ban AXLE OXEN"))
@click.argument("words", type=WordType(), nargs=-1, required=True, help="words that no fill may use")
def ban(session: Session, words: tuple[str, ...]) -> Answer:
    """Keep words out of every fill of this puzzle."""
    _edit_words(session, f"ban {' '.join(words)}", lambda choice: replace(choice, banned=choice.banned | {*words}))
    wanted = [word for word in words if word in session.puzzle.rules.wanted]
    return [f"banned: {', '.join(words)}", *(f"{word} is wanted, and now no fill places it" for word in wanted)]


@verb(Group.WORDS, examples=("allow AXLE",))
@click.argument("words", type=WordType(), nargs=-1, required=True, help="banned words")
def allow(session: Session, words: tuple[str, ...]) -> Answer:
    """Let banned words in again."""
    missing = [word for word in words if word not in session.puzzle.words.banned]
    if missing:
        raise PuzzleError(f"not banned: {', '.join(missing)}")
    _edit_words(
        session, f"allow {' '.join(words)}", lambda choice: replace(choice, banned=choice.banned - {*words})
    )
    return f"allowed: {', '.join(words)}"


@verb(Group.WORDS, examples=("score AXLE 70", "score AXLE none", "score AXLE"))
@click.argument("word", type=WordType(), help="a word, listed or not")
@click.argument("points", type=ScoreType(), required=False, default=_SHOW, help="0 to 100; `none`: the lists'")
def score(session: Session, word: str, points: Any) -> Answer:
    """Give a word a score of one's own, or show its score."""
    if points is not _SHOW:

        def change(choice: WordChoice) -> WordChoice:
            scores = {known: value for known, value in choice.scores.items() if known != word}
            return replace(choice, scores=scores if points is None else {**scores, word: points})

        _edit_words(session, f"score {word}", change)
    own = session.puzzle.words.scores.get(word)
    if own is not None:
        return f"{word}: {own}, your own score"
    if session.jobs.words.lexicon is None:
        return f"{word}: the words are still being loaded"
    listed = session.jobs.words.score(word)
    return f"{word}: in no list" if listed is None else f"{word}: {listed}"
