"""The verbs for the layers of words that count in every puzzle: their order, what is read how, new ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from xwtui.errors import VerbError, WordListError
from xwtui.lazy import lazy_imports
from xwtui.resources import user_lists_folder
from xwtui.session.verbs.kinds import AS_FILE_TELLS, LIST_ALPHABET, among, file_kind, parameter_kind
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, answered, argument, begun, option, verbs_of
from xwtui.text import printable
from xwtui.words.alphabets import find_alphabet
from xwtui.words.theme_answers import LIST_SUFFIXES

with lazy_imports():
    from xwtui.session import list_answers
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.list_answers import BuiltAnswer, ListsAnswer, layers_of, write_list
    from xwtui.session.session import Session
    from xwtui.words import building, list_files, personal, scales
    from xwtui.words.building import LANGUAGES, Language, build, find_language, list_lines
    from xwtui.words.learned import AnswerCounts
    from xwtui.words.scales import Scale
    from xwtui.words.user_lists import ListChoices, UserList, change_choices, find_user_lists

verb = verbs_of(Group.WORDS)


def _layers() -> dict[str, str]:
    return {one.name: "on" if one.is_on else "off" for one in find_user_lists().lists}


@parameter_kind("list", among(_layers))
def LAYER(text: str, session: Session) -> str:
    """The name of a layer of the user's, or of its file."""
    return find_user_lists().named(text.strip()).name


_SCALES = {
    "auto": "guessed from the scores",
    "0-100": "as they are",
    "0-50": "50 is the best",
    "=50": "50 for all words",
}


@parameter_kind("rule", among(_SCALES))
def SCALE_RULE(text: str, session: Session) -> str:
    """How the scores of a list are read: `0-50`, `=50`, `0=0,25=40,50=90`, or `auto`."""
    return scales.AUTO if text.strip().lower() == scales.AUTO else str(Scale.parse(text))


@parameter_kind("name")
def NEW_LIST_NAME(text: str, session: Session) -> str:
    """The name of a list to be made."""
    if text in (personal.MINE, list_files.DEFAULT_LIST):
        raise VerbError(f"{text!r} is the name of a list that xwtui keeps; choose another with `--as NAME`")
    if not 0 < len(text) <= 60 or re.search(list_answers.NO_NAME, text) or text.startswith("-"):
        raise VerbError(
            f"{printable(text, 40)!r} cannot be a list's name; use letters, digits, _ and -, with no - in front"
        )
    return text


_LAYER = argument("a word list; `lists` shows their names", LAYER)
_LAYERS = argument("word lists; `lists` shows their names", LAYER, required=True)


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
    return begun(session.jobs.answer.start_plain(partial(_build, language, view)))


def _build(language: Language, view: BuiltAnswer, reporter: AnswerReporter) -> BuiltAnswer:
    built = build(language, view.source, find_alphabet(language.alphabet), reporter.is_stopped)
    if built is None:
        return view
    write_list(view.target, "".join(f"{line}\n" for line in list_lines(built, language, view.source)))
    return replace(view, words=len(built.scores), passed_over=built.passed_over)


@verb(examples=("lists",), from_shell=WITHOUT_GRID)
def lists(session: Session) -> Answer:
    """List your word lists in order of priority, with their sizes and how their scores are read.

    Your own scores come first, then your lists (files in the `lists` folder of your settings), then the list
    that ships with xwtui. A puzzle that names its own lists uses those below your own scores, and the others
    only if it also names `default`.
    """
    return _shown(session)


@verb(examples=("lists on cities",), from_shell=WITHOUT_GRID)
def lists_on(session: Session, layers: tuple[str, ...] = _LAYERS) -> Answer:
    """Turn word lists back on, in every puzzle."""
    return _chosen(session, lambda choices: replace(choices, off=choices.off - {*layers}))


@verb(examples=("lists off cities", "lists off default"), from_shell=WITHOUT_GRID)
def lists_off(session: Session, layers: tuple[str, ...] = _LAYERS) -> Answer:
    """Turn word lists off in every puzzle; with all of them off, the list that ships is still used."""
    return _chosen(session, lambda choices: replace(choices, off=choices.off | {*layers}))


@verb(examples=("lists up cities",), from_shell=WITHOUT_GRID)
def lists_up(session: Session, layer: str = _LAYER) -> Answer:
    """Move a word list up one place; your own scores stay on top."""
    return _moved(session, layer, -1)


@verb(examples=("lists down cities",), from_shell=WITHOUT_GRID)
def lists_down(session: Session, layer: str = _LAYER) -> Answer:
    """Move a word list down one place."""
    return _moved(session, layer, 1)


@verb(
    examples=("lists scale cities 0-50", "lists scale cities 0=0,25=40,50=90", "lists scale cities auto"),
    from_shell=WITHOUT_GRID,
)
def lists_scale(
    session: Session,
    layer: str = _LAYER,
    rule: str = argument("`0-50`, `=50` for every word, `25=40,50=90`, or `auto` to guess", SCALE_RULE),
) -> Answer:
    """Set how a word list's scores are read: by its highest score, one score for all, or score by score."""
    if layer in (personal.MINE, list_files.DEFAULT_LIST):
        raise VerbError(f"the scores of {layer} cannot be rescaled")

    def change(choices: ListChoices) -> ListChoices:
        others = {name: kept for name, kept in choices.scales.items() if name != layer}
        return replace(choices, scales=others if rule == scales.AUTO else {**others, layer: rule})

    return _chosen(session, change)


@verb(examples=("lists alphabet cities swedish", "lists alphabet cities auto"), from_shell=WITHOUT_GRID)
def lists_alphabet(
    session: Session,
    layer: str = _LAYER,
    alphabet: str = argument("swedish, german, …; `auto` to go by its file", LIST_ALPHABET),
) -> Answer:
    """Set a word list's alphabet: the list is used only in puzzles with that alphabet."""
    if layer in (personal.MINE, list_files.DEFAULT_LIST):
        letters = "any letters" if layer == personal.MINE else "English ones"
        raise VerbError(f"the alphabet of {layer} cannot be set: it has {letters}")

    def change(choices: ListChoices) -> ListChoices:
        others = {name: kept for name, kept in choices.alphabets.items() if name != layer}
        return replace(choices, alphabets=others if alphabet == AS_FILE_TELLS else {**others, layer: alphabet})

    return _chosen(session, change)


@verb(
    examples=("lists add ~/Downloads/spreadthewordlist.dict", "lists add words.txt --as cities"),
    from_shell=WITHOUT_GRID,
)
def lists_add(
    session: Session,
    file: Path = argument(
        "a text file with a word on each line, and its score if it has one: `AXLE;60`; also gzipped",
        file_kind(*LIST_SUFFIXES, ".gz"),
    ),
    name: str | None = option("a name for the list (default: the file's name)", NEW_LIST_NAME, name="--as"),
    force: bool = option("replace the list that has this name now"),
) -> Answer:
    """Add a word list from a file, for every puzzle.

    The file is copied, and the list goes on top, just below your own scores: `lists down` moves it down, and
    `lists remove` takes it out again. How its scores are read is guessed; `lists scale` sets it.
    """
    called = NEW_LIST_NAME.read(name or list_answers.name_of(file), session)
    is_new = all(one.name != called for one in _lists_to_change())
    told = list_answers.add(file, called, is_forced=force)

    def change(choices: ListChoices) -> ListChoices:
        return choices.without(called) if is_new else replace(choices, off=choices.off - {called})

    return _chosen(session, change, told)


@verb(examples=("lists remove cities",), from_shell=WITHOUT_GRID)
def lists_remove(session: Session, layer: str = _LAYER) -> Answer:
    """Remove a word list from your lists; its file is kept, and `lists add` brings it back."""
    if layer in (personal.MINE, list_files.DEFAULT_LIST):
        raise VerbError(f"{layer} cannot be removed; `lists off {layer}` turns it off")
    one = next(one for one in _lists_to_change() if one.name == layer)
    return _chosen(session, lambda choices: choices.without(layer), list_answers.remove(one))


def _lists_to_change() -> tuple[UserList, ...]:
    """The layers, before one's file is moved; raises WordListError where the choices cannot follow it."""
    user = find_user_lists()
    if user.problem:
        raise WordListError(user.problem)
    return user.lists


@verb(examples=("lists learn ~/puzzles", "lists learn ~/puzzles --as published"), from_shell=WITHOUT_GRID)
def lists_learn(
    session: Session,
    folder: Path = argument("a folder of puzzles in any format, including its subfolders", file_kind()),
    name: str | None = option("a name for the list (default: the folder's name)", NEW_LIST_NAME, name="--as"),
) -> Answer:
    """Make a word list from the answers of published puzzles, scored by how many puzzles use each one.

    A word from one puzzle scores 20; each doubling of the puzzles adds 15, up to 90. At most three puzzles by
    one author count, so no word scores high for one appearance. The new list goes below the one that ships, so
    it only adds words; move it up with `lists up` to let its scores count.
    """
    if not folder.is_dir():
        raise VerbError(f"there is no folder {printable(str(folder), 200)}")
    called = name or f"learned-{re.sub(list_answers.NO_NAME, '-', folder.resolve().name)[:60]}"
    target = user_lists_folder() / f"{called}.dict"
    lists = find_user_lists().lists
    _check_learned(target, [one.path for one in lists if one.name == called])
    order = [one.name for one in lists if not one.is_personal]
    if called not in order:
        change_choices(lambda choices: replace(choices, order=(*order, called)))
    return begun(session.jobs.learning.start_plain(partial(list_answers.learn, folder, target)))


def _check_learned(target: Path, others: Sequence[Path]) -> None:
    """Refuse to write over a list that was made otherwise, or beside one of the same name; raises VerbError."""
    for path in {target, *others}:
        with suppress(FileNotFoundError), path.open(encoding="utf-8", errors="replace") as stream:
            if path != target or not AnswerCounts.has_written(stream.read(100)):
                raise VerbError(f"{path} is not from `lists learn`: choose another name with --as")


def _moved(session: Session, layer: str, step: int) -> Answer:
    if layer == personal.MINE:
        raise VerbError("your own scores always come first; `lists off mine` turns them off")
    order = [one.name for one in find_user_lists().lists if one.name != personal.MINE]
    here = order.index(layer)
    there = here + step
    if not 0 <= there < len(order):
        raise VerbError(f"{layer} is the {'top' if step < 0 else 'last'} list already")
    order[here], order[there] = order[there], order[here]
    return _chosen(session, lambda choices: replace(choices, order=tuple(order)))


def _chosen(session: Session, change: Callable[[ListChoices], ListChoices], told: str = "") -> Answer:
    """Keep a choice, let the words follow it, and show the layers below what is `told` of it."""
    change_choices(change)
    session.jobs.look_again()
    return _shown(session, told)


def _shown(session: Session, told: str = "") -> Answer:
    user = find_user_lists()
    layers = layers_of(session.puzzle, user, session.document.folder)
    return answered(ListsAnswer(layers, user_lists_folder(), user.problem, told))
