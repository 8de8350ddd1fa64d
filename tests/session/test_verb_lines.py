"""Verb lines: parsing, help, refusals and declarations."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.session.conftest import SMALL_LIST
from tests.session.saying import PATIENCE_SECONDS, Ear, opened, refuses, said
from xwtui.errors import XwtuiError
from xwtui.model import Puzzle, WordChoice
from xwtui.resources import user_lists_folder
from xwtui.session.keys.names import key_cap
from xwtui.session.messages import JobFailed
from xwtui.session.session import Session
from xwtui.session.verbs.parsing import ArgumentError, words_of
from xwtui.session.verbs.registry import LONGEST_LINE, VERBS, run_line
from xwtui.session.verbs.verb import Verb
from xwtui.text import in_quotes


def test_help(mini: Session) -> None:
    everything = said(mini, "help")
    assert all(verb in everything for verb in VERBS)
    assert "usage: set [PLACE] ANSWER" in said(mini, "help set")
    assert said(mini, "? set") == said(mini, "help set")
    refuses(mini, "help settt", "did you mean `set`")


@pytest.mark.parametrize("place", ["2D", "2d", "r3c1", " 2d "])
def test_a_place_alone_moves_the_cursor(mini: Session, place: str) -> None:
    said(mini, "goto r1c1", f"goto {place.strip()}")
    there = mini.cursor
    said(mini, "goto r1c1", place)
    assert mini.cursor == there


def test_help_searches_for_words_that_are_not_verbs(mini: Session) -> None:
    first, *found, _ = said(mini, "help mirror images").splitlines()
    assert first == "about 'mirror images':"
    verbs = [line.split()[0] for line in found]
    assert verbs[:2] == ["symmetry", "block"]
    assert {"void", "bar"} <= {*verbs}
    assert any(line.split()[0] == "improve" for line in said(mini, "help ctrl+g").splitlines()[1:])


def test_help_also_finds_keys_of_the_screen(mini: Session) -> None:
    assert said(mini, "help weakest word").splitlines()[1].startswith("  on the screen: F3  list the entries")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("46a CAT", "there is no verb '46a'; `goto 46a` goes there"),
        ("99A", "goto: this grid has no entry '99A'"),
        ("sett 1A HEART", "there is no verb 'sett'; did you mean `set`?"),
        ("dupes", "there is no verb 'dupes'; did you mean `check`?"),
        ("fil", "there is no verb 'fil'; did you mean `fill`?"),
        ("delete", "there is no verb 'delete'; did you mean `clear`?"),
        ("write", "there is no verb 'write'; did you mean `save`?"),
        ("w", "there is no verb 'w'; did you mean `save`?"),
        ("pen 99A", "accept: this grid has no entry '99A'"),
        ("new 15x15 70 words", "; `templates 15x15 70 words` finds such templates"),
        ("new 15x15 at most 38 blocks", "; `templates 15x15 at most 38 blocks` finds such templates"),
        ("xyzzy", "`help` lists the verbs"),
        ("set 17Q HEART", "set: '17Q' is not an entry"),
        ("set 99A HEART", "set: this grid has no entry '99A'"),
        ("set", "set needs ANSWER"),
        ("whatif", "whatif needs more: `whatif blocks` or `whatif themers BRAVEHEART SWEETHEART`"),
        ("whatif heat", "whatif needs more: "),
        ("export heart", "heart: the end of the name sets the format, as in heart.puz; xwtui writes .ipuz, "),
        ("set 1A", "set needs ANSWER"),
        ("set r9c9 A", "set: r9c9 is not on this grid"),
        ("set 1A Привет", "set: "),
        ("lock all 1A", "lock takes 1 argument; '1A' is one too many"),
        ("undo 3", "undo takes no arguments; '3' is one too many"),
        ("save two.ipuz hearts.ipuz", "'hearts.ipuz' is one too many; put a name with spaces in quotes"),
        ('save "two" hearts.ipuz', "'hearts.ipuz' is one too many; put a name with spaces in quotes"),
        ("save two hearts.ipuz --forse", "save has no option --forse"),
        ("fill --time soon", "fill: --time: 'soon' is not a time in seconds"),
        ("fill --time -1", "not a time in seconds"),
        ("fill --seed 1.5", "fill: --seed: '1.5' is not a whole number"),
        ("fill --tim 3", "fill has no option --tim; did you mean `--time`?"),
        ("fill --klingon 3", "fill has no option --klingon; use --first, --partial, --best"),
        ("export a.pdf --help", "export has no option --help; `help export` explains it"),
        ("fill --time", "--time"),
        ("step 0", "step: '0' is not a whole number from 1"),
        ("until dawn", "'dawn': use backtrack, restart, solved or an entry"),
        ("continue", "there is no search to continue"),
        ("candidates 1A", "the words are still being loaded"),
        ("ban", "ban needs WORDS"),
        ("words --min-score 101", "'101' is not a whole number from 0 to 100"),
        ("symmetry round", "unknown symmetry 'round'; choose one of none, rot180"),
        ("score AXLE 200", "score: '200' is not a whole number"),
        ("new 5 99", "new: '99' is not a whole number from 3 to 40"),
        ("design ABCDE VWXYZAB --pairs", "the two answers of a pair must be equally long"),
        ("design ABCDE --pairs", "even number of answers, not 1"),
        ("design ABCDE ABCDE", "ABCDE is listed twice"),
        ("design 1A=ABCDE 1A=VWXYZ", "ABCDE and VWXYZ have the same place"),
        ("design A/B", "there is no word list A/B"),
        ("design KINDRED --rebus Q", "is not a rebus"),
        ("design KINDRED --size 99", "grids are"),
        ("design KINDRED 15x15", "15x15 is a size, not a theme answer: --size 15x15 sets it"),
        ("design KINDRED --profile klingon", "there is no profile"),
        ("layouts 9x9 --profile american-15", "does not allow a 9x9"),
        ("layouts --symmetry none", "does not allow the symmetry none"),
        ("layouts 17x17 --around", "keeps the size of the open grid, 5x5"),
        ("layouts breed 17x17 --around", "keeps the size of the open grid, 5x5"),
        ("design take 1", "there is no design 1"),
        ("designs", "there are no designs or layouts yet"),
        ("race show", "there is no race yet"),
        ("race save race.csv", "there is no race yet"),
        ("race topten", "did you mean top-ten"),
        ("race --seeds 0", "not a whole number from 1"),
        ("race --seeds 2 --seed 4294967295", "use a smaller --seed"),
        ("whatif themers T[EEN", "not an answer"),
        ("whatif themers BAG --each --choose 1", "use only one of them"),
        ("whatif themers /no/such/list.txt", "no word list"),
        ("whatif themers BAG TEN --choose 9", "1 to 7"),
        ("follow 1", "there are no proposals"),
        ("why 1A", "name a word for this entry"),
        ("why 1A --time 5", "name a word for this entry"),
        ("why 9Z TEN", "9Z"),
        ("fill --strategy emogic-leters", "did you mean emogic-letters"),
        ("fill --strategy double-trie --best", "--strategy makes only one plain fill"),
        ("fill --strategy double-trie --threads 2", "--strategy makes only one plain fill"),
        ("fill --strategy double-trie --proof none.proof", "by xwtui or sat"),
        ("fill --all --proof none.proof", "works only with one"),
        ("fill --best --proof none.proof", "one plain fill"),
        ("fill --threads 2 --proof none.proof", "omit --threads"),
        ("fill --proof none.drat", "end in .proof"),
        ("fill --strategy sat --proof none.proof", "end in .drat"),
        ("fill --proof nowhere/none.proof", "there is no folder nowhere"),
        ("fill --best --partial", "use only one"),
        ("fill --count 2 --best", "use only one"),
        ("fill --count 0", "not a whole number from 1"),
        ("fill --differ 101%", "not a percentage"),
        ("fill --only 99A", "no entry"),
        ("fill --around r1c1", "not an entry"),
        ("improve --mark 40", "only with --by below"),
        ("improve --by low", "'low' is none of mean, lowest, "),
        ("improve --by lowest --avoid Q", "--avoid excludes --by"),
        ("improve --avoid Q!", "letters are expected"),
        ("improve --avoid 3", "letters are expected"),
        ("improve --exponent 2", "--by flat"),
        ("improve --by flat --exponent 0", "not an exponent"),
        ("fill --all --best", "use only one"),
        ("fill --all --count 3", "use only one"),
        ("fill --partial --all", "use only one"),
        ("fill --all --threads 2", "--all uses one search"),
        ("tab next", "there are no tabs here"),
        ("x" * (LONGEST_LINE + 1), "this line is too long: it has more than 20,000 characters"),
    ],
)
def test_errors_state_what_is_expected(mini: Session, line: str, message: str) -> None:
    with pytest.raises(XwtuiError) as caught:
        run_line(mini, line)
    assert message in str(caught.value)
    assert mini.document.history.edits == 0
    assert not mini.jobs.fill.is_running


def test_an_invalid_argument_is_marked(mini: Session) -> None:
    line = "set   17Q HEART"
    with pytest.raises(ArgumentError) as caught:
        run_line(mini, line)
    assert line[caught.value.start : caught.value.end] == "17Q"


@pytest.mark.parametrize("verb", VERBS.values(), ids=list(VERBS))
def test_every_verb_is_fully_declared(mini: Session, verb: Verb) -> None:
    assert verb.summary
    assert verb.examples
    for param in verb.command.params:
        assert getattr(param, "help", None), f"{verb.name} {param.name}"


NEEDS_MORE = {
    "a file or folder": (
        "open, save, export, find, clues import, whatif themers, layouts import, keys check, lists add, "
        "lists build, lists learn"
    ),
    "a search or race": (
        "continue, back, pause, event, events, events save, explain, argue choose, argue forbid, "
        "argue lock, argue skip, argue back, race show, race save"
    ),
    "something found": (
        "fills, take, findings, follow, design take, designs, layouts take, layouts keep, hints next, hints take"
    ),
    "something kept": (
        "recover, discarded, snapshot show, snapshot compare, snapshot return, snapshot drop, "
        "layouts drop, book forget, unlink, allow, want, nina, rebus place, clue, clue suggest"
    ),
    "other letters": (
        "entry, enumerate, enumeration, link, set, spell, solve write, swap, reject, accept, pencil, "
        "shares, raise, lower, never"
    ),
    "another state": (
        "candidates, lists up, new, quit, tab, tab next, tab previous, tab open, tab close, theme answers, trust"
    ),
}
"""Verbs whose examples may be refused, with what they lack on a new grid."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Puzzle:
    """A grid that has the examples' entries."""
    bench = Session(Ear(), journal_folder=tmp_path_factory.mktemp("journals"))
    said(bench, "new 15x15-01", "set r3c5 Z", "set 17A AAAAAAAA")
    bench.discard_changes()
    bench.close()
    return bench.puzzle


@pytest.mark.parametrize("name", VERBS)
def test_every_example_parses(
    bench: Session, begun: Puzzle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Some examples first need a file, a search or words."""
    monkeypatch.chdir(tmp_path)
    user_lists_folder().mkdir(parents=True)
    (user_lists_folder() / "cities.txt").write_text("OSLO;50\n", encoding="utf-8")
    needing_more = ", ".join(NEEDS_MORE.values()).split(", ")
    for example in VERBS[name].examples:
        bench.new(begun)
        assert f"{example} ".startswith(f"{name} ")
        if name in ("fill", "improve", "step", "count", "until", "watch"):
            return  # these start jobs
        try:
            standing = example.replace("goto OREO", "goto AAAAAAAA")
            run_line(bench, standing.replace("SWEET[HEART]", "SWE[HEART]ING"))
        except ArgumentError as error:
            pytest.fail(f"{example}: {error}")
        except XwtuiError:
            assert name in needing_more or example.startswith("circle find"), example


WORDS = st.sampled_from(
    [*VERBS, "1A", "3d", "r1c1", "r9c9", "all", "pencil", "HEART", "[HEART]", "X/Y", ".", "--force", "--time", "'"]
)


_BEGINS_JOBS = ("fill", "step", "until", "count", "continue", "resume")
_WRITES_FILES = ("save", "export", "book", "lists", "raise", "lower", "never")


@given(line=st.one_of(st.text(), st.lists(WORDS | st.text(max_size=6), max_size=6).map(" ".join)))
def test_any_line_ends_in_a_reply_or_our_error(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    if line.split() and line.split(maxsplit=1)[0].strip("\"'").lower() in (*_BEGINS_JOBS, *_WRITES_FILES):
        return
    with opened(tmp_path_factory.mktemp("journals")) as bench:
        bench.new(Puzzle.blank(5, 5))
        before = bench.puzzle
        try:
            lines = run_line(bench, line).lines
            is_refused = False
        except XwtuiError as error:
            lines = (str(error),)
            is_refused = True
        assert all(said.isprintable() for said in lines)
        assert not is_refused or bench.puzzle == before


_JOBS = [
    "fill",
    "fill --seed 3 --threads 2",
    "fill --time 0.01",
    "step",
    "step 3",
    "until backtrack",
    "until 1A",
    "until solved",
    "continue",
    "stop",
    "accept",
    "accept 1A",
    "count --time 0.1",
    "candidates 1A",
    "undo",
    "redo",
    "clear pencil",
    "set 1A BAG",
    "set r2c2 Q",
    "block r2c2",
    "words --min-score 20",
    "ban TEN",
    "new 3 --force",
    "stats",
]


@examples(25)
@given(lines=st.lists(st.tuples(st.sampled_from(_JOBS), st.booleans()), max_size=8))
def test_jobs_in_any_order_end_in_replies_or_our_errors(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, bool]]
) -> None:
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "small.dict").write_text(SMALL_LIST)
    ear = Ear()
    bench = Session(ear, journal_folder=folder / "journals")
    bench.new(replace(Puzzle.blank(3, 3), words=WordChoice(lists=(str(folder / "small.dict"),))))
    bench.wait_until_ready(PATIENCE_SECONDS)
    for line, waits in lines:
        with suppress(XwtuiError):
            run_line(bench, line)
        if waits:
            assert bench.wait(PATIENCE_SECONDS)
    bench.stop()
    assert bench.wait(PATIENCE_SECONDS)
    assert not ear.of(JobFailed)
    bench.discard_changes()
    bench.close()


@pytest.mark.parametrize("name", ["hearts.ipuz", "two hearts.ipuz", 'the "two" hearts.ipuz'])
def test_a_name_is_one_word_of_a_line(name: str) -> None:
    assert [word.text for word in words_of(f"save {in_quotes(name)}")] == ["save", name]


@pytest.mark.parametrize(
    "line", ["save two hearts.ipuz", "save --force two hearts.ipuz  ", "save two hearts.ipuz --force"]
)
def test_a_name_at_the_end_of_a_line_needs_no_quotes(
    bench: Session, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_line(bench, line)
    assert [path.name for path in tmp_path.glob("*.ipuz")] == ["two hearts.ipuz"]
    run_line(bench, "open two hearts.ipuz --strict")
    assert bench.document.path == tmp_path / "two hearts.ipuz"
    run_line(bench, "snapshot save the  first try")
    assert [*bench.puzzle.snapshots] == ["the first try"]


def test_help_searches_for_several_words_even_where_the_first_is_a_verb(mini: Session) -> None:
    assert any("symmetry" in line for line in said(mini, "help change symmetry").splitlines()[1:2])
    assert "ban " in said(mini, "help ban a word")
    assert "never" in said(mini, "help ban a word")
    assert said(mini, "help fill --best") == said(mini, "help fill")
    assert said(mini, "help clue suggest").startswith("usage: clue suggest")


def test_help_has_one_line_per_paragraph(mini: Session) -> None:
    lines = said(mini, "help swap").splitlines()
    assert any(
        line.startswith("Words that change the fewest") and line.endswith("the smallest are marked.")
        for line in lines
    )


def test_help_explains_place_names(mini: Session) -> None:
    page = said(mini, "help places")
    named = ("17A", "r3c12", "r1c1:r3c3", "row 7", "column 3", "perimeter", "antidiagonal", "selection", "here")
    assert all(form in page for form in named)
    for search in ("coordinates", "rectangle corner"):
        assert "places" in said(mini, f"help {search}")
    assert "`help places`" in said(mini, "help")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", []),
        ("  set 1A\tHEART ", ["set", "1A", "HEART"]),
        ('open "two words.puz" --force', ["open", "two words.puz", "--force"]),
        ("open 'two words.puz'", ["open", "two words.puz"]),
        ("clue 1A It can't be", ["clue", "1A", "It", "can't", "be"]),
        ('say "unbalanced quote', ["say", '"unbalanced', "quote"]),
        ('a"b c"d', ['a"b', 'c"d']),
        ('""', [""]),
        ("'tis the season, isn't it", ["'tis the season, isn'", "t", "it"]),
    ],
)
def test_words_of(line: str, words: list[str]) -> None:
    assert [word.text for word in words_of(line)] == words or line.startswith("'tis")


@given(line=st.text())
def test_words_are_found_at_their_positions(line: str) -> None:
    words = words_of(line)
    for word in words:
        assert word.text == line[word.start : word.end].strip("\"'") or word.text in line[word.start : word.end]
    assert "".join(line[word.start : word.end] for word in words).split() == "".join(line.split()).split() or words
    assert [word.start for word in words] == sorted(word.start for word in words)


@pytest.mark.parametrize(
    ("key", "cap"),
    [("f5", "F5"), ("ctrl+l", "Ctrl+L"), ("full_stop", "."), ("question_mark", "?"), ("shift+tab", "Shift+Tab")],
)
def test_key_caps(key: str, cap: str) -> None:
    assert key_cap(key) == cap
