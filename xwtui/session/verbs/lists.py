"""The word lists of all puzzles as layers: their contents, and the verbs for their order and scores."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import VerbError, WordListError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.resources import user_lists_folder
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.verbs.kinds import AS_FILE_TELLS, LIST_ALPHABET, among, file_kind, parameter_kind
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, argument, option, verbs_of
from xwtui.text import counted, printable
from xwtui.words.alphabets import find_alphabet
from xwtui.words.layers import UserList, UserLists, find_user_lists
from xwtui.words.list_files import DEFAULT_LIST, find_list, is_default
from xwtui.words.personal_list import PersonalList
from xwtui.words.scales import OWN_SCALE
from xwtui.words.theme_answers import LIST_SUFFIXES

with lazy_imports():
    import numpy as np

    from xwtui.session import list_making
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.list_making import BuiltAnswer, write_list
    from xwtui.session.session import Session
    from xwtui.words import hunspell, list_files, personal_list, scales
    from xwtui.words.compiled_lists import open_word_list
    from xwtui.words.hunspell import LANGUAGES, Language, build, find_language, list_lines
    from xwtui.words.layers import ListChoices, change_choices
    from xwtui.words.learned import AnswerCounts
    from xwtui.words.scales import Scale
    from xwtui.words.sources import folded_words, language_of


verb = verbs_of(Group.WORDS, from_shell=WITHOUT_GRID)


@parameter_kind("list", among(lambda: {one.name: "on" if one.is_on else "off" for one in find_user_lists().lists}))
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
    """The scale of a list's scores: `0-50`, `=50`, `0=0,25=40,50=90`, or `auto`."""
    return scales.AUTO if text.strip().lower() == scales.AUTO else str(Scale.parse(text))


_KEPT_NAMES = (personal_list.MINE, list_files.DEFAULT_LIST)


@parameter_kind("name")
def NEW_LIST_NAME(text: str, session: Session) -> str:
    """The name of a new list."""
    if text in _KEPT_NAMES:
        raise VerbError(f"{text!r} is the name of a list that xwtui keeps; choose another with `--as NAME`")
    if not 0 < len(text) <= 60 or re.search(list_making.NO_NAME, text) or text.startswith("-"):
        raise VerbError(
            f"{printable(text, 40)!r} cannot be a list's name; use letters, digits, _ and -, with no - in front"
        )
    return text


_LAYER = argument("a word list; `lists` shows their names", LAYER)
_LAYERS = argument("word lists; `lists` shows their names", LAYER, required=True)


@parameter_kind(
    "language", among(lambda: {one.code: f"{one.alphabet}, from {one.package}" for one in LANGUAGES.values()})
)
def LANGUAGE(text: str, session: Session) -> Language:
    """A language, by its code or by the name of its alphabet."""
    return find_language(text)


@verb("lists build sv", "lists build es --from ~/es_ES.dic", "lists build de --as deutsch")
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
        if not stream.read(len(hunspell.MARK)).startswith(hunspell.MARK):
            raise VerbError(f"{target} is not from `lists build`: choose another name with --as")
    view = BuiltAnswer(language.code, language.alphabet, dictionary, target, language.package, language.licence)

    def work(reporter: AnswerReporter) -> BuiltAnswer:
        built = build(language, dictionary, find_alphabet(language.alphabet), reporter.is_stopped)
        if built is None:
            return view
        write_list(target, "".join(f"{line}\n" for line in list_lines(built, language, dictionary)))
        return replace(view, words=len(built.scores), passed_over=built.passed_over)

    return session.jobs.answer.start_plain(work)


@verb("lists")
def lists(session: Session) -> Answer:
    """List your word lists in order of priority, with their sizes and how their scores are read.

    Your own scores come first, then your lists (files in the `lists` folder of your settings), then the list
    that ships with xwtui. A puzzle that names its own lists uses those below your own scores, and the others
    only if it also names `default`.
    """
    return _shown(session)


@verb("lists on cities")
def lists_on(session: Session, layers: tuple[str, ...] = _LAYERS) -> Answer:
    """Turn word lists back on, in every puzzle."""
    return _chosen(session, lambda choices: replace(choices, off=choices.off - {*layers}))


@verb("lists off cities", "lists off default")
def lists_off(session: Session, layers: tuple[str, ...] = _LAYERS) -> Answer:
    """Turn word lists off in every puzzle; with all of them off, the list that ships is still used."""
    return _chosen(session, lambda choices: replace(choices, off=choices.off | {*layers}))


@verb("lists up cities")
def lists_up(session: Session, layer: str = _LAYER) -> Answer:
    """Move a word list up one place; your own scores stay on top."""
    return _moved(session, layer, -1)


@verb("lists down cities")
def lists_down(session: Session, layer: str = _LAYER) -> Answer:
    """Move a word list down one place."""
    return _moved(session, layer, 1)


@verb("lists scale cities 0-50", "lists scale cities 0=0,25=40,50=90", "lists scale cities auto")
def lists_scale(
    session: Session,
    layer: str = _LAYER,
    rule: str = argument("`0-50`, `=50` for every word, `25=40,50=90`, or `auto` to guess", SCALE_RULE),
) -> Answer:
    """Set how a word list's scores are read: by its highest score, one score for all, or score by score."""
    if layer in _KEPT_NAMES:
        raise VerbError(f"the scores of {layer} cannot be rescaled")
    chosen = {} if rule == scales.AUTO else {layer: rule}
    return _chosen(session, lambda choices: replace(choices, scales=_without(choices.scales, layer) | chosen))


@verb("lists alphabet cities swedish", "lists alphabet cities auto")
def lists_alphabet(
    session: Session,
    layer: str = _LAYER,
    alphabet: str = argument("swedish, german, …; `auto` to go by its file", LIST_ALPHABET),
) -> Answer:
    """Set a word list's alphabet: the list is used only in puzzles with that alphabet."""
    if layer in _KEPT_NAMES:
        letters = "any letters" if layer == personal_list.MINE else "English ones"
        raise VerbError(f"the alphabet of {layer} cannot be set: it has {letters}")
    chosen = {} if alphabet == AS_FILE_TELLS else {layer: alphabet}
    return _chosen(
        session, lambda choices: replace(choices, alphabets=_without(choices.alphabets, layer) | chosen)
    )


def _without(chosen: Mapping[str, str], layer: str) -> dict[str, str]:
    return {name: one for name, one in chosen.items() if name != layer}


@verb("lists add ~/Downloads/spreadthewordlist.dict", "lists add words.txt --as cities")
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
    own = list_making.name_of(file)
    is_kept = name is None and own in _KEPT_NAMES
    called = NEW_LIST_NAME.read(name or (f"{own}-2" if is_kept else own), session)
    is_new = all(one.name != called for one in _lists_to_change())
    message = list_making.add(file, called, is_forced=force)
    message += f"; xwtui keeps a list named {own} itself" if is_kept else ""

    def change(choices: ListChoices) -> ListChoices:
        return choices.without(called) if is_new else replace(choices, off=choices.off - {called})

    return _chosen(session, change, message)


@verb("lists remove cities")
def lists_remove(session: Session, layer: str = _LAYER) -> Answer:
    """Remove a word list from your lists; its file is kept, and `lists add` brings it back."""
    if layer in _KEPT_NAMES:
        raise VerbError(f"{layer} cannot be removed; `lists off {layer}` turns it off")
    one = next(one for one in _lists_to_change() if one.name == layer)
    return _chosen(session, lambda choices: choices.without(layer), list_making.remove(one))


def _lists_to_change() -> tuple[UserList, ...]:
    """Return the layers before a file is moved; raises WordListError if the settings cannot be updated with it."""
    user = find_user_lists()
    if user.problem:
        raise WordListError(user.problem)
    return user.lists


@verb("lists learn ~/puzzles", "lists learn ~/puzzles --as published")
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
    called = name or f"learned-{re.sub(list_making.NO_NAME, '-', folder.resolve().name)[:60]}"
    target = user_lists_folder() / f"{called}.dict"
    lists = find_user_lists().lists
    # neither overwrite a list of another origin nor create one next to a list of the same name
    for path in {target, *(one.path for one in lists if one.name == called)}:
        with suppress(FileNotFoundError), path.open(encoding="utf-8", errors="replace") as stream:
            if path != target or not AnswerCounts.has_written(stream.read(100)):
                raise VerbError(f"{path} is not from `lists learn`: choose another name with --as")
    order = [one.name for one in lists if not one.is_personal]
    if called not in order:
        change_choices(lambda choices: replace(choices, order=(*order, called)))
    return session.jobs.learning.start_plain(partial(list_making.learn, folder, target))


def _moved(session: Session, layer: str, step: int) -> Answer:
    if layer == personal_list.MINE:
        raise VerbError("your own scores always come first; `lists off mine` turns them off")
    order = [one.name for one in find_user_lists().lists if one.name != personal_list.MINE]
    here = order.index(layer)
    there = here + step
    if not 0 <= there < len(order):
        raise VerbError(f"{layer} is the {'top' if step < 0 else 'last'} list already")
    order[here], order[there] = order[there], order[here]
    return _chosen(session, lambda choices: replace(choices, order=tuple(order)))


def _chosen(session: Session, change: Callable[[ListChoices], ListChoices], message: str = "") -> Answer:
    """Store a choice, reload the words, and return the layers, below `message`."""
    change_choices(change)
    session.jobs.refresh()
    return _shown(session, message)


def _shown(session: Session, message: str = "") -> Answer:
    """Return the layers of the puzzle's words, top layer first, below `message`."""
    user, folder = find_user_lists(), user_lists_folder()
    layers = layers_of(session.puzzle, user, session.document.folder)
    width = min(max(len(layer.shown) for layer in layers), _NAME_WIDTH)
    whose = max(len(layer.whose.value) for layer in layers)
    place, lines = 0, [f"   {'list':{width}}  {'whose':{whose}}    words  scores 0-100  scores are read"]
    for layer in layers:
        counts = layer.is_used and not layer.problem
        place += counts
        sign = str(place) if counts else "!" if layer.problem else "-"
        begins = f"{sign:>2} {printable(layer.shown, width):{width}}  {layer.whose.value:{whose}}"
        figures = f"{layer.words:7,}  {layer.curve:12}  {layer.read_as}"
        lines.append(f"{begins}  {layer.problem or figures}")
    lines.append("the first list that has a word sets its score; each bar is ten points of score, from 0 up")
    lines.append(f"`lists add FILE` adds a list; your lists are in {folder}")
    if any(layer.is_on and not (layer.is_used or layer.is_of_other_language) for layer in layers):
        lines.append("this puzzle names its own lists; add `default` to them to use your other lists too")
    document = {"told": message or None, "layers": _LAYER_SHAPE.convert(layers), "folder": folder}
    return ImmediateAnswer(
        [*filter(None, (message, user.problem)), *lines], {**document, "problem": user.problem or None}
    )


_LAYER_SHAPE = JsonShape(
    "name whose path is_on is_used words histogram",
    ("scale=.", JsonShape("rule words=rule_words guessed=is_guessed")),
    "capped? bad_lines language? folded? problem?",
)


_BARS = " ▁▂▃▄▅▆▇█"
_BANDS = 10
"""Number of score bands: 0 to 9, and so on; the last band includes 100."""
_NAME_WIDTH = 24


class LayerOwner(enum.Enum):
    """Where a layer comes from; the value is its name for users and in JSON."""

    PERSONAL = "your own scores"
    USER = "yours"
    PUZZLE = "the puzzle's"
    SHIPPED = "ships"


@dataclass(frozen=True)
class LayerFigures:
    """A layer, with figures about its contents."""

    name: str
    path: Path
    whose: LayerOwner
    is_on: bool = True
    is_used: bool = True
    """Whether this puzzle uses its words."""
    words: int = 0
    histogram: tuple[int, ...] = (0,) * _BANDS
    """Number of words in each band of ten scores."""
    rule: str = str(OWN_SCALE)
    """The scale of its scores, as `lists scale` takes it."""
    rule_words: str = ""
    is_guessed: bool = False
    capped: str = ""
    """Which words score above a scale that was guessed."""
    bad_lines: int = 0
    first_bad: str = ""
    """The first bad line, and what is wrong with it."""
    problem: str = ""
    """The reason why it cannot be read; empty if it can."""
    language: str = ""
    """The language of its alphabet; a layer in another language than the puzzle's is not used."""
    folded: str = ""
    """What became of letters that the puzzle's alphabet lacks."""
    is_of_other_language: bool = False
    """Whether it is not used because of its language."""

    @property
    def shown(self) -> str:
        """The layer's name; for a list that a puzzle names by path, the file's name."""
        return self.path.name if self.whose is LayerOwner.PUZZLE else self.name

    @property
    def read_as(self) -> str:
        """The scale of its scores and any peculiarities, or the reason why it is not used."""
        if not self.is_on:
            return "off"
        if not self.is_used:
            return f"{self.language}: not used here" if self.is_of_other_language else "not used here"
        guessed = " (guessed)" if self.is_guessed else ""
        language = self.language if self.language != ENGLISH.language else ""
        skipped = f"{counted(self.bad_lines, 'bad line')}: {self.first_bad}" if self.bad_lines else ""
        return "; ".join(filter(None, (self.rule_words + guessed, self.capped, language, skipped, self.folded)))

    @property
    def curve(self) -> str:
        """The histogram as ten bars; empty bands are blank."""
        most = max(self.histogram)
        steps = len(_BARS) - 1
        return "".join(_BARS[-(-count * steps // most) if most else 0] for count in self.histogram)


def layers_of(puzzle: Puzzle, user: UserLists, folder: Path | None) -> tuple[LayerFigures, ...]:
    """Return the layers of a puzzle's words, then those that are off or not used; `folder` is the puzzle's."""
    used = list(_used(puzzle, user, folder))
    names = {layer.path for layer in used}
    alphabet = puzzle.alphabet
    return (*used, *(_of_user(one, alphabet, is_used=False) for one in user.lists if one.path not in names))


def _used(puzzle: Puzzle, user: UserLists, folder: Path | None) -> Iterator[LayerFigures]:
    """Yield the layers that provide words, in order, each once."""
    seen: set[Path] = set()
    if user.personal is not None:
        yield _of_user(user.personal, puzzle.alphabet)
    for name in dict.fromkeys(puzzle.words.lists or (DEFAULT_LIST,)):
        try:
            path = find_list(name, folder)
        except WordListError as error:
            yield LayerFigures(name, Path(name), LayerOwner.PUZZLE, problem=str(error))
            continue
        own = user.below_personal if is_default(path) else ()
        layers = [_of_user(one, puzzle.alphabet) for one in own]
        if not any(layer.is_used for layer in layers):
            others = (layer for layer in layers if layer.path != path)
            layers = [_of_puzzle(name, path, user, puzzle.alphabet), *others]
        yield from (layer for layer in layers if layer.path not in seen)
        seen.update(layer.path for layer in layers)


def _of_puzzle(name: str, path: Path, user: UserLists, alphabet: Alphabet) -> LayerFigures:
    known = user.at(path)
    whose = LayerOwner.SHIPPED if is_default(path) else LayerOwner.PUZZLE
    rule = str(OWN_SCALE) if known is None else known.rule
    return _figures(LayerFigures(name, path, whose, rule=rule), alphabet)


def _of_user(one: UserList, alphabet: Alphabet, *, is_used: bool = True) -> LayerFigures:
    whose = LayerOwner.PERSONAL if one.is_personal else LayerOwner.SHIPPED if one.ships else LayerOwner.USER
    figures = LayerFigures(one.name, one.path, whose, one.is_on, is_used, rule=one.rule)
    layer = _figures(figures, alphabet, one.alphabet)
    is_other = layer.language not in ("", alphabet.language) and not one.is_personal
    return replace(layer, is_used=is_used and not is_other, is_of_other_language=is_other)


def _figures(layer: LayerFigures, alphabet: Alphabet, chosen: str = "") -> LayerFigures:
    """Add figures about the file's contents; `chosen` is the alphabet set for the layer."""
    try:
        if layer.whose is LayerOwner.PERSONAL:
            read = PersonalList(layer.path).read(alphabet)
        else:
            read = open_word_list(layer.path, rule=layer.rule, alphabet=alphabet)
    except WordListError as error:
        return replace(layer, problem=printable(str(error), 300))
    counts = np.zeros(_BANDS, np.int64)
    for length in read.word_list.lengths:
        bands = np.minimum(read.word_list.table(length).scores // (OWN_SCALE.highest // _BANDS), _BANDS - 1)
        counts += np.bincount(bands, minlength=_BANDS)
    return replace(
        layer,
        words=len(read.word_list),
        histogram=tuple(counts.tolist()),
        rule=str(read.scale),
        rule_words=read.scale.words,
        is_guessed=read.is_guessed and read.scale != OWN_SCALE,
        capped=str(read.capped or ""),
        bad_lines=read.bad_count,
        first_bad=str(read.bad_lines[0]) if read.bad_lines else "",
        language=language_of(layer.path, read, chosen),
        folded=folded_words(read, alphabet),
    )
