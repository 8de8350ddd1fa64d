"""What verbs answer about clues and meanings: what the clue book has, what is suggested, what a word means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from xwtui.clues.book import BookClue, BookTally, ClueBook, origin_words
from xwtui.clues.glosses import Definition, Sense
from xwtui.clues.importing import ImportView, import_clues
from xwtui.clues.suggestions import Suggestion, SuggestionKind
from xwtui.model.alphabet import Alphabet
from xwtui.session.answers import VerbAnswer
from xwtui.session.jobs.answer_job import AnswerReporter
from xwtui.session.json_shape import JsonShape
from xwtui.session.wording import and_more, counted
from xwtui.words.normalise import folds_words

_MOST_SKIPPED = 20
"""Files that an import names, of those that it could not read."""

_LABELS = {SuggestionKind.OWN: "yours", SuggestionKind.IMPORTED: "imported", SuggestionKind.GLOSS: "gloss"}


class ImportAnswer(VerbAnswer):
    """How far an import is, or what it came to."""

    stopped = "what was read so far is in the clue book"
    view: ImportView
    json = JsonShape(
        "view.path view.files view.done complete=view.is_whole new_clues=view.clues known_files=view.known "
        "view.odd_lines folded=view.folds",
        ("view.skipped", JsonShape("file=path reason")),
    )

    @property
    def headline(self) -> str:
        view = self.view
        return f"{view.done:,} of {counted(view.files, 'file')}, {counted(view.clues, 'new clue')}"

    @property
    def lines(self) -> Sequence[str]:
        view = self.view
        read = counted(view.files, "file") if view.is_whole else f"{view.done:,} of {counted(view.files, 'file')}"
        told = [f"{counted(view.clues, 'new clue')} from {read}"]
        told += [f"{counted(view.known, 'file')} already in the clue book"] * bool(view.known)
        told += [f"{counted(view.odd_lines, 'line')} of lists without a word and a clue"] * bool(view.odd_lines)
        skipped = view.skipped
        told += [f"{counted(len(skipped), 'file')} skipped"] * bool(skipped)
        lines = ["; ".join(told), *([folds_words(view.folds, view.alphabet)] if view.folds else [])]
        named = [f"  {path}: {reason}" for path, reason in skipped[:_MOST_SKIPPED]]
        return [*lines, *named, *and_more(len(skipped) - len(named))]

    @property
    def seconds(self) -> float:
        return self.view.seconds


def import_into_book(path: Path, alphabet: Alphabet, is_own: bool, reporter: AnswerReporter) -> ImportAnswer:
    """Take the puzzles and lists of a folder, or one file, into the clue book; stopped, it keeps what was read."""
    view = import_clues(
        ClueBook(),
        path,
        is_own=is_own,
        alphabet=alphabet,
        is_stopped=reporter.is_stopped,
        tell=lambda view: reporter.tell_at_times(lambda: ImportAnswer(view)),
    )
    return ImportAnswer(view)


class _Folder(NamedTuple):
    """A folder that clues are from, and whether its puzzles are the constructor's own."""

    path: Path
    is_own: bool


class BookAnswer(VerbAnswer):
    """What the clue book has."""

    path: Path
    tally: BookTally
    is_kept: bool
    """Whether the clues of puzzles go into it that are saved."""
    json = JsonShape(
        "book=path tally.clues tally.answers is_kept",
        ("tally.sources", JsonShape("source.name source.title source.author source.date own=source.is_own clues")),
    )

    @property
    def lines(self) -> Sequence[str]:
        tally = self.tally
        kept = "added when you save a puzzle" if self.is_kept else "not added when you save a puzzle"
        clues, answers = counted(tally.clues, "clue"), counted(tally.answers, "answer")
        lines = [f"{clues} of {answers} from {counted(len(tally.sources), 'source')}; your own are {kept}"]
        for folder, (sources, number) in self._folders().items():
            whose = "yours" if folder.is_own else "imported"
            lines.append(f"  {whose:8}  {folder.path}: {counted(sources, 'file')}, {counted(number, 'clue')}")
        return lines

    def _folders(self) -> dict[_Folder, tuple[int, int]]:
        """How many sources and clues each folder has, one's own first."""
        found: dict[_Folder, tuple[int, int]] = {}
        for one in self.tally.sources:
            folder = _Folder(Path(one.source.name).parent, one.source.is_own)
            sources, number = found.get(folder, (0, 0))
            found[folder] = sources + 1, number + one.clues
        return found


class BookCluesAnswer(VerbAnswer):
    """Clues of the book, by their words or of one answer."""

    sought: str
    clues: tuple[BookClue, ...]
    judged_by = "clues"
    json = JsonShape(
        (
            "clues",
            JsonShape("answer text own=source.is_own source=source.name source.title source.author date times"),
        )
    )

    @property
    def lines(self) -> Sequence[str]:
        width = max((len(clue.answer) for clue in self.clues), default=0)
        lines = [f"{clue.answer:{width}}  {clue.text}  ({_origin(clue)})" for clue in self.clues]
        return lines or [f"the clue book has nothing for {self.sought}"]


def _origin(clue: BookClue) -> str:
    named = origin_words(clue.source.title, clue.source.author, clue.date, clue.times)
    return f"yours: {named}" if clue.source.is_own else named


_SUGGESTION = JsonShape("text kind title author date times part form base? gives_away")


class SuggestionsAnswer(VerbAnswer):
    """The clues that are suggested for an entry's answer, by their numbers from 1 on."""

    entry: str
    answer: str
    suggestions: tuple[Suggestion, ...]
    judged_by = "suggestions"
    json = JsonShape(
        "entry answer",
        lambda answer: {
            "suggestions": [{"number": at, **_SUGGESTION.of(one)} for at, one in enumerate(answer.suggestions, 1)]
        },
    )

    @property
    def lines(self) -> Sequence[str]:
        if not self.suggestions:
            return [f"no suggestions for {self.entry} {self.answer}"]
        return [f"{self.entry} {self.answer}", *map(_suggestion_line, range(1, 1000), self.suggestions)]


def _suggestion_line(number: int, one: Suggestion) -> str:
    warning = "; gives the answer away" if one.gives_away else ""
    return f"{number:>3}  {_LABELS[one.kind]:8}  {one.text}  ({one.origin}{warning})"


class DefinitionsAnswer(VerbAnswer):
    """What a word means."""

    word: str
    definitions: tuple[Definition, ...]
    judged_by = "definitions"
    json = JsonShape(
        "word",
        (
            "definitions",
            JsonShape(
                "base form",
                lambda one: {
                    "senses": [
                        {"part": sense.part.value, "gloss": sense.gloss, "synonyms": _synonyms(sense, one.base)}
                        for sense in one.senses
                    ]
                },
            ),
        ),
    )

    @property
    def lines(self) -> Sequence[str]:
        return list(self._lines()) or [f"WordNet does not have {self.word}"]

    def _lines(self) -> Iterator[str]:
        for one in self.definitions:
            form = f": {one.form.value} of {one.base}" if one.form is not None else ""
            yield f"{self.word}{form}"
            for number, sense in enumerate(one.senses, 1):
                synonyms = _synonyms(sense, one.base)
                also = f" (also: {', '.join(synonyms)})" if synonyms else ""
                yield f"{number:>3}  {sense.part.value}: {sense.gloss}{also}"


def _synonyms(sense: Sense, base: str) -> list[str]:
    """The other words of a sense."""
    return [word for word in sense.words if "".join(filter(str.isalnum, word)).upper() != base]
