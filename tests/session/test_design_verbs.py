"""The verbs for layouts, designs, templates and the library, and the design room's theme."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, Ear, found, found_as, refuses, said
from xwtui.engine import warmup
from xwtui.engine.events.event import Outcome
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.errors import PuzzleError, VerbError, XwtuiError
from xwtui.grids.designs import Design
from xwtui.model import Grid, Ink, Symmetry
from xwtui.model.alphabet import ENGLISH
from xwtui.session.jobs.question import themers_question
from xwtui.session.messages import AnswerReady, EngineState
from xwtui.session.recovery import find_recoveries
from xwtui.session.session import Session
from xwtui.session.theme_list import ThemeList, ThemeRow
from xwtui.session.verbs.designs import DesignsAnswer, option_remark
from xwtui.session.verbs.layouts import LayoutsAnswer
from xwtui.session.verbs.registry import run_line
from xwtui.words.alphabets import find_alphabet

DRAWN = "layouts 11x11 --symmetry left-right --max-words 40"
QUICKLY = "--quick --time 0 --threads 1"


def test_layouts_are_generated_and_started_from(bench: Session) -> None:
    answer = found_as(LayoutsAnswer, bench, f"{DRAWN} --count 3 --seed 5")
    assert len(answer.grids) == 3
    assert answer.lines[0] == "3 layouts; `layouts take 1` starts a puzzle on the first"
    assert all(len(grid.slots) <= 40 for grid in answer.grids)
    said(bench, "layouts take 2 --force")
    assert bench.puzzle.grid == answer.grids[1]
    assert bench.puzzle.symmetry is Symmetry.LEFT_RIGHT
    refuses(bench, "layouts take 4", "there is no layout 4")


def test_layouts_are_bred_and_started_from(bench: Session) -> None:
    seconds, line = 0.3, "layouts breed 7x7 --profile mini --count 3 --time"
    while not (answer := found_as(LayoutsAnswer, bench, f"{line} {seconds}")).grids:
        assert seconds < PATIENCE_SECONDS
        seconds *= 4  # the machine is busy
    assert answer.bred is not None
    assert f"of {answer.bred.looked_at} bred" in answer.lines[0]
    told = answer.as_json["layouts"]
    assert [one["score"] for one in told] == sorted((one["score"] for one in told), reverse=True)
    said(bench, "layouts take 1 --force")
    assert (bench.puzzle.grid, bench.puzzle.profile) == (answer.grids[0], "mini")


def test_the_last_results_are_shown_again_after_other_questions(bench: Session) -> None:
    line = f"{DRAWN} --count 2 --seed "
    drawn = found_as(LayoutsAnswer, bench, f"{line}5")
    assert said(bench, "designs").splitlines() == list(drawn.lines)
    designed = found(bench, "design ABCDEFGHIJKLMNOPQRST --time 0")
    assert said(bench, "designs").splitlines() == [*designed.lines, *drawn.lines]
    drawn = found_as(LayoutsAnswer, bench, f"{line}6")
    assert said(bench, "designs").splitlines() == [*designed.lines, *drawn.lines]
    said(bench, "layouts take 1 --force")
    assert bench.puzzle.grid == drawn.grids[0]
    assert said(bench, "designs").splitlines() == [*designed.lines, *drawn.lines]


def test_compiling_the_layout_generator_is_reported(
    bench: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm_up = warmup.warm_up

    def compiling(
        progress: Callable[[LoadingStep], None] = lambda _: None, *, drawing: bool = False, **others: bool
    ) -> float:
        if drawing:
            progress(LoadingStep(EnginePart.DRAWING, LoadingStage.COMPILING))
        return warm_up(progress, drawing=drawing, **others)

    monkeypatch.setattr(warmup, "warm_up", compiling)
    bench.wait_until_ready(PATIENCE_SECONDS)
    assert not any("layout generator" in message.text for message in ear.of(EngineState))
    assert isinstance(found(bench, "layouts 9 --count 1"), LayoutsAnswer)
    assert any("compiling the layout generator" in message.text for message in ear.of(EngineState))
    ear.wait_for(EngineState, lambda state: state is bench.jobs.engine.view and state.step is None)


def test_layouts_keep_what_stands(bench: Session) -> None:
    said(bench, "new 9 --force", "set 1A PUZZLEBOX")
    answer = found_as(LayoutsAnswer, bench, "layouts --around --count 2")
    assert all(square.is_open for grid in answer.grids for square in grid.squares[:9])


def test_designs_are_found_and_started_from(bench: Session) -> None:
    answer = found_as(DesignsAnswer, bench, f"design BRAVEHEART KINDRED --revealer HEARTTHROB --count 2 {QUICKLY}")
    designs = answer.progress.designs
    assert len(designs) == 2
    assert "2 designs found" in answer.lines[0]
    told = answer.as_json["designs"][0]
    assert sorted(told["themers"].values()) == ["BRAVEHEART", "HEARTTHROB", "KINDRED"]
    assert len(told["grid"]) == len(told["fill"]) == 15
    said(bench, "design take 2 --force")
    grid = bench.puzzle.grid
    assert grid.is_filled
    assert {grid.answer(grid.slot(name)) for name in designs[1].themers} == {"BRAVEHEART", "HEARTTHROB", "KINDRED"}
    assert {grid[at].ink for name in designs[1].themers for at in grid.slot(name).positions} == {Ink.LOCKED}
    last = max(grid.slot(name).start for name in designs[1].themers)
    assert grid.answer(next(slot for slot in grid.slots if slot.start == last)) == "HEARTTHROB"


def test_a_second_search_keeps_earlier_designs_until_better_ones_replace_them(bench: Session) -> None:
    line = f"design BRAVEHEART KINDRED HEARTTHROB --count 2 {QUICKLY}"
    looks = [found(bench, line), found(bench, f"{line} --seed 1 --more")]
    first, both = (look.progress for look in looks if isinstance(look, DesignsAnswer))
    assert both.found >= first.found + 2
    assert all(now.rank >= then.rank for now, then in zip(both.designs, first.designs, strict=True))
    other = found_as(DesignsAnswer, bench, "design ABCDEFGHIJKLMNOP --more")
    assert not other.progress.designs, "of another theme none stays"


def test_an_uncrossable_answer_is_refused_and_an_unlisted_one_reported(bench: Session) -> None:
    answer = found_as(DesignsAnswer, bench, "design TIMETABL3 --time 0 --threads 1")
    assert answer.verdict is Outcome.IMPOSSIBLE
    assert answer.lines[0].startswith("TIMETABL3 has 3, and no usable word")
    assert answer.as_json["unlisted"] == ["TIMETABL3"]
    taken = found_as(DesignsAnswer, bench, f"design BRAVEHEARD KINDRED HEARTTHROB --count 1 {QUICKLY}")
    assert taken.lines[-1] == "in no list: BRAVEHEARD"


def test_rebus_answers_are_measured_in_squares(bench: Session) -> None:
    answer = found_as(DesignsAnswer, bench, f"design SWEETHEARTS HEARTTHROBS --rebus HEART --count 1 {QUICKLY}")
    assert set(answer.progress.designs[0].themers.values()) == {"SWEET[HEART]S", "[HEART]THROBS"}


def test_a_stopped_run_keeps_its_results(bench: Session, ear: Ear) -> None:
    assert run_line(bench, "design BRAVEHEART KINDRED HEARTTHROB --count 500 --time 0 --threads 1").started
    ear.wait_for(
        AnswerReady, lambda told: isinstance(told.answer, DesignsAnswer) and bool(told.answer.progress.designs)
    )
    run_line(bench, "stop")
    assert bench.wait(PATIENCE_SECONDS)
    answer = bench.jobs.answer.answer()
    assert isinstance(answer, DesignsAnswer)
    assert answer.progress.designs


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("layouts --around --profile midi", "the grid has bars, and the profile midi allows none"),
        ("layouts breed --around", "the grid has bars, and the profile midi allows none"),
        ("layouts breed --around --profile barred", "the profile barred has bars; only `layouts` draws those"),
        ("design KINDRED --size 12 --profile barred", "the profile barred has bars; only `layouts` draws those"),
    ],
)
def test_block_only_verbs_refuse_bars(bench: Session, line: str, complaint: str) -> None:
    run_line(bench, "new barred-12x12-01 --force")
    with pytest.raises(PuzzleError) as caught:
        run_line(bench, line)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (f"{DRAWN} --count 1", "layouts take 1"),
        ("", "theme answers SWEETHEART BRAVEHEART"),
    ],
)
def test_a_taken_design_is_unsaved_work_immediately(
    bench: Session, journals: Path, asked: str, taken: str
) -> None:
    """Closing asks about it, and it is recovered after a crash. Neither holds for a blank grid or a template."""
    if asked:
        found(bench, asked)
    run_line(bench, taken)
    assert bench.document.is_modified
    made = bench.puzzle
    run_line(bench, "new 15x15-01 --force")
    assert not bench.document.is_modified
    bench.new(made, "design take")
    bench.close()
    (left,) = find_recoveries(journals)
    assert left.puzzle == made


def test_theme_answers_are_parsed_in_the_puzzles_alphabet(bench: Session) -> None:
    said(bench, "alphabet swedish")
    answer = found_as(DesignsAnswer, bench, f"design {'Å' * 16} --revealer Önska --time 0")
    assert answer.lines == [
        f"{'Å' * 16} (16 squares) does not fit in a grid of 15x15",
        f"in no list: {'Å' * 16}, ÖNSKA",
    ]
    puzzle = answer.puzzle(Design(Grid.blank(3, 3), {}, {}, 0, 0))
    assert puzzle.alphabet.name == "swedish"
    said(bench, "theme answers Ångströmsenhets 15x15 --force")
    answers = {bench.puzzle.grid.answer(slot) for slot in bench.puzzle.grid.slots}
    assert "ÅNGSTRÖMSENHETS" in answers
    assert bench.puzzle.alphabet.name == "swedish"


def test_placements_use_the_letters_of_the_theme_answers() -> None:
    swedish = find_alphabet("swedish")
    assert themers_question(("MÅNE", "ÖRN"), swedish).answers == ("MÅNE", "ÖRN")


def theme(*typed: str, current: int = 0) -> ThemeList:
    found = ThemeList()
    for text in typed:
        found = found.typed(text, current, ENGLISH)
    return found


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (("sweet heart, Braveheart",), "design SWEETHEART BRAVEHEART"),
        (("sweetheart", "17a=", "braveheart"), "design 17a=SWEETHEART BRAVEHEART"),
        (("17A=sweetheart", "="), "design SWEETHEART"),
        (("17A=sweetheart", "r4c1="), "design r4c1=SWEETHEART"),
        (("sweetheart", "heartbreak!"), "design SWEETHEART --revealer HEARTBREAK"),
        (("sweetheart", "heartbreak!", "!"), "design HEARTBREAK --revealer SWEETHEART"),
        (("sweetheart", "!", "!"), "design SWEETHEART"),
        (("lo[cat]ion, 21x21, <140",), "design LO[CAT]ION --size 21x21 --max-words 139"),
        (("kindred", "<76", "<74"), "design KINDRED --max-words 73"),
        (("kindred, 70 words",), "design KINDRED --min-words 70 --max-words 70"),
        (('"kindred spirit" "braveheart", snail',), "design KINDREDSPIRIT BRAVEHEART SNAIL"),
        (("one, two", '17A="sweet heart"'), "design ONE TWO 17A=SWEETHEART"),
        (("one, two", '17A= "sweet heart"!'), "design ONE TWO --revealer SWEETHEART"),
        (("one, two", '="sweet heart"'), "design ONE TWO SWEETHEART"),
        (("one, two", '"heart to heart"!'), "design ONE TWO --revealer HEARTTOHEART"),
        (("one, two", '"heart to heart" !'), "design ONE TWO --revealer HEARTTOHEART"),
        (('17A="sweet heart" r4c1="heart"! snail',), "design 17A=SWEETHEART SNAIL --revealer HEART"),
        (('O"HARA',), "design OHARA"),
        (('pipe5" or 7" record, O"HARA "snail"',), "design PIPE5OR7RECORD OHARA SNAIL"),
        (("kindred, at most 72 words",), "design KINDRED --max-words 72"),
        (("one 70 to 74 words, 30-38 blocks",), "design ONE --min-words 70 --max-words 74 --max-blocks 38"),
        (("kindred, 38 blocks",), "design KINDRED --max-blocks 38"),
        (("kindred", ">=30b, 38 blocks or fewer"), "design KINDRED --max-blocks 38"),
        (
            ("heart to heart 21x21 <140 --rebus HEART",),
            "design HEARTTOHEART --size 21x21 --max-words 139 --rebus HEART",
        ),
        (("kindred", "--rebus HEART --pairs", "--rebus=CAT"), "design KINDRED --pairs --rebus CAT"),
    ],
)
def test_typed_settings_become_a_design_line(typed: tuple[str, ...], line: str) -> None:
    found = theme(*typed)
    assert found.line == line
    assert ThemeList.of_line(line, ENGLISH).line == line


def test_rows_show_squares_places_and_pairs() -> None:
    found = theme("sweetheart, r9c1=braveheart, kindred, heartbreak!", "--rebus HEART")
    assert found.rows == [
        ThemeRow("SWEETHEART", 6, partner=2),
        ThemeRow("BRAVEHEART", 6, "R9C1", partner=1),
        ThemeRow("KINDRED", 7),
        ThemeRow("HEARTBREAK", 6, is_last=True),
    ]
    assert [row.partner for row in theme("one, two, three, nine", "--pairs").rows] == [2, 1, 4, 3]


def test_dropping_an_answer_also_drops_its_settings() -> None:
    found = theme("sweetheart, heartbreak!")
    assert found.without(1).line == "design SWEETHEART"
    assert found.without(0).line == "design --revealer HEARTBREAK"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("17A=", "add an answer for it first"),
        ("!", "puts it last"),
        ("--klingon 3", "has no option --klingon"),
        ("--rebus", "needs a value"),
        ("kindred, kindred", "is already there"),
        ("[", "."),
        ("kindred, at least 38 blocks", "no minimum number of blocks; use `at most` instead"),
    ],
)
def test_invalid_themes_are_refused(typed: str, complaint: str) -> None:
    with pytest.raises((VerbError, XwtuiError), match=complaint):
        theme(typed)


@pytest.mark.parametrize(
    ("standing", "typed", "asked", "answers", "is_theme"),
    [
        ("", "15x15 11,11 <78 <=38b british", "15x15 11,11 <=77 <=38b british", (), False),
        ("", "brave heart, LO[CAT]ION 15x15", "15x15 10,6", ("BRAVEHEART", "LO[CAT]ION"), True),
        ("", "British", "7", ("BRITISH",), True),
        ("", "british, museum", "7,6", ("BRITISH", "MUSEUM"), True),
        ("", "heart to heart --rebus heart", "8", ("[HEART]TOHEART",), True),
        ("", "17A=kindred!, 12D=", "7", ("KINDRED",), True),
        ("kindred, 21x21, <140, --rebus DR", "", "21x21 6 <=139", ("KIN[DR]ED",), False),
        ("kindred, 21x21", "15x15 address", "15x15 7,7", ("KINDRED", "ADDRESS"), True),
        ("kindred", ">=70 <=38b", "7 >=70 <=38b", ("KINDRED",), False),
    ],
)
def test_one_query_describes_the_grid(
    standing: str, typed: str, asked: str, answers: tuple[str, ...], is_theme: bool
) -> None:
    query = theme(*filter(None, [standing])).query(typed, ENGLISH)
    assert (query.wanted.query, query.answers, query.is_theme) == (asked, answers, is_theme)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("70 words", ">=70 <=70"),
        ("70 Words", ">=70 <=70"),
        ("70 word", ">=70 <=70"),
        ("exactly 70 words", ">=70 <=70"),
        ("at most 72 words", "<=72"),
        ("Up To 72 words", "<=72"),
        ("no more than 72 words", "<=72"),
        ("72 words or less", "<=72"),
        ("72 WORDS OR FEWER", "<=72"),
        ("72 or fewer words", "<=72"),
        ("<=72 words", "<=72"),
        ("<= 72 words", "<=72"),
        ("≤72 words", "<=72"),
        ("<73 words", "<=72"),
        ("fewer than 73 words", "<=72"),
        ("at least 70 words", ">=70"),
        ("70 words or more", ">=70"),
        (">69words", ">=70"),
        ("more than 69 words", ">=70"),
        ("70 to 74 words", ">=70 <=74"),
        ("70-74 words", ">=70 <=74"),
        ("between 70 and 74 words", ">=70 <=74"),
        ("30–38 blocks", ">=30b <=38b"),
        ("at most 1 block", "<=1b"),
        ("max 70 words", "<=70"),
        ("under 72 words", "<=71"),
        ("words<=70", "<=70"),
        ("blocks = 36, Words < 72", "<=71 >=36b <=36b"),
        ("15x15, at least 70 words, 38 blocks or less", "15x15 >=70 <=38b"),
    ],
)
def test_bounds_are_described_in_words(typed: str, asked: str) -> None:
    query = ThemeList().query(typed, ENGLISH)
    assert (query.wanted.query, query.answers) == (asked, ())


@pytest.mark.parametrize(
    ("standing", "typed", "remark"),
    [
        ("", "heart, 38 blocks", "a design has no minimum number of blocks; Enter looks for at most 38 blocks"),
        ("one, <=36b", ">=30 blocks", "a design has no minimum number of blocks; use `at most` instead"),
        ("kindred", "at most 38 blocks", ""),
        ("", "38 blocks", ""),
    ],
)
def test_designs_refuse_a_minimum_of_blocks_before_enter(standing: str, typed: str, remark: str) -> None:
    assert theme(*filter(None, [standing])).query(typed, ENGLISH).remark == remark


def test_template_queries_also_generate_layouts() -> None:
    query = ThemeList().query("13x13 <=60 >=20b british", ENGLISH)
    assert query.drawing_line == "layouts --size 13x13 --max-words 60 --min-blocks 20 --profile british"
    assert ThemeList().query("", ENGLISH).drawing_line == "layouts"


@pytest.mark.parametrize(
    ("answers", "remark"),
    [
        (["OBOE", "REBUS", "STAR"], "REBUS is taken as an answer; the option is `--rebus STAR`"),
        (["PAIRS", "OBOE"], "PAIRS is taken as an answer; the option is `--pairs`"),
        (["OBOE", "STAR"], ""),
    ],
)
def test_answers_equal_to_option_names_get_a_remark(answers: list[str], remark: str) -> None:
    assert option_remark(answers) == remark


def test_designs_and_layouts_use_the_puzzles_profile(bench: Session) -> None:
    run_line(bench, "profile american-15-themeless")
    designed = found_as(DesignsAnswer, bench, "design ABCDEFGHIJKLMNOPQRST --time 0")
    assert (designed.profile, designed.remark) == ("american-15-themeless", "")
    drawn = found_as(LayoutsAnswer, bench, "layouts --count 1")
    assert (drawn.wanted.profile.name, drawn.remark) == ("american-15-themeless", "")
    assert len(drawn.grids[0].slots) <= 72
    named = found_as(LayoutsAnswer, bench, "layouts --count 1 --profile nyt")
    assert (named.wanted.profile.name, named.remark) == ("nyt", "")
    run_line(bench, "profile british")
    lattice = found_as(LayoutsAnswer, bench, "layouts --count 1")
    assert (lattice.wanted.profile.name, lattice.remark) == ("british", "")


@pytest.mark.parametrize(
    ("profile", "line", "used", "why"),
    [
        ("british", "design", "american-15", "the profile british leaves squares unchecked"),
        ("barred", "design --size 12", "midi", "the profile barred has bars"),
        ("wsj", "design --size 21", "american-21", "the profile wsj does not allow a 21x21 grid"),
        ("wsj", "design --symmetry rot90", "american-15", "the profile wsj does not allow the symmetry rot90"),
        ("wsj", "layouts 7x7 --count 1", "mini", "the profile wsj does not allow a 7x7 grid"),
        ("crosshare", "layouts 7x7 --count 1", "mini", "the profile crosshare allows bars"),
        ("barred", "layouts breed 12x12 --time 0.1", "midi", "the profile barred has bars"),
        ("nowhere", "layouts --count 1", "american-15", "there is no profile 'nowhere'"),
    ],
)
def test_an_unusable_profile_is_reported_with_the_reason(
    bench: Session, profile: str, line: str, used: str, why: str
) -> None:
    bench.edit("profile", lambda puzzle: replace(puzzle, profile=profile))
    verb, *rest = line.split()
    answers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ --time 0" if verb == "design" else ""
    answer = found(bench, f"{verb} {' '.join(rest)} {answers}")
    assert isinstance(answer, DesignsAnswer | LayoutsAnswer)
    assert answer.lines[-1].startswith(f"uses the profile {used}, not the puzzle's: {why}")
