"""The verb that makes word lists of other languages from dictionaries on the user's machine."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.resources import user_lists_folder
from xwtui.session.verbs.kinds import among, file_kind, parameter_kind
from xwtui.session.verbs.lists import NEW_LIST_NAME, WITHOUT_GRID
from xwtui.session.verbs.verb import Answer, Group, Reply, argument, option, verbs_of
from xwtui.words.alphabets import find_alphabet

with lazy_imports():
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.list_answers import BuiltAnswer, write_list
    from xwtui.session.session import Session
    from xwtui.words import building
    from xwtui.words.building import LANGUAGES, Language, build, find_language, list_lines

verb = verbs_of(Group.WORDS)


def _languages() -> dict[str, str]:
    """The codes, with what is to be installed for each."""
    return {one.code: f"{one.alphabet}, from {one.package}" for one in LANGUAGES.values()}


@parameter_kind("language", among(_languages))
def LANGUAGE(text: str, session: Session) -> Language:
    """A language by its code, or by the name of its alphabet."""
    return find_language(text)


@verb(
    examples=("lists build sv", "lists build es --from ~/es_ES.dic", "lists build de --as deutsch"),
    from_shell=WITHOUT_GRID,
    keywords="language, hunspell, swedish, german, spanish, french",
)
def lists_build(
    session: Session,
    language: Language = argument("sv, de, es, fr, nl, pl, pt, it, da, no, cs, el, ru or uk", LANGUAGE),
    source: Path | None = option(
        "a Hunspell dictionary next to its .aff file, or a text file with one word per line "
        "(default: the installed one)",
        file_kind(".dic", ".txt"),
        name="--from",
    ),
    name: str | None = option("a name for the list (default: the language)", NEW_LIST_NAME, name="--as"),
) -> Answer:
    """Make a word list for another language from its installed Hunspell dictionary.

    Dictionary words score 60 and forms made with suffixes 50. Below the usual minimum are literary tenses (35),
    names (30), abbreviations (20) and words the dictionary would not suggest (10). The list is used in puzzles
    with its alphabet.
    """
    dictionary = language.source if source is None else source
    if not dictionary.is_file():
        raise VerbError(f"there is no dictionary {dictionary}")
    target = user_lists_folder() / f"{name or language.code}.dict"
    with suppress(FileNotFoundError), target.open(encoding="utf-8", errors="replace") as stream:
        if not stream.read(len(building.MARK)).startswith(building.MARK):
            raise VerbError(f"{target} is not from `lists build`: choose another name with --as")
    view = BuiltAnswer(language.code, language.alphabet, dictionary, target, language.package, language.licence)
    return Reply(started=True, answer=session.jobs.answer.start_plain(partial(_build, language, view)))


def _build(language: Language, view: BuiltAnswer, reporter: AnswerReporter) -> BuiltAnswer:
    built = build(language, view.source, find_alphabet(language.alphabet), reporter.is_stopped)
    if built is None:
        return view
    write_list(view.target, "".join(f"{line}\n" for line in list_lines(built, language, view.source)))
    return replace(view, words=len(built.scores), passed_over=built.passed_over)
