"""Stems and repeats, and reviews of answers and rules that depend on word lists."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ruled import asked, ruled
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, Ink, Position, Puzzle, Rules, WordChoice
from xwtui.model.edits import set_ink
from xwtui.model.review import Check, Finding, review
from xwtui.model.rules import SharedStems
from xwtui.resources import default_word_list
from xwtui.words.alphabets import find_alphabet
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.repeats import AnswerRepeats, Roots, repeating
from xwtui.words.rule_findings import rule_findings, rule_notes, word_findings
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

FAMILIES = [
    ["OBOE", "OBOES"],
    ["BAKE", "BAKES", "BAKED", "BAKING", "BAKER", "BAKERS"],
    ["STOP", "STOPS", "STOPPED", "STOPPING", "STOPPER"],
    ["FILL", "FILLS", "FILLED", "FILLER", "FILLINGS"],
    ["VISIT", "VISITED", "VISITING"],
    ["BOX", "BOXES", "BOXED", "BOXER"],
    ["BERRY", "BERRIES"],
    ["HAPPY", "HAPPIER"],
    ["TRY", "TRIED", "TRIES", "TRYING"],
    ["DIE", "DIED", "DYING"],
    ["WOLF", "WOLVES"],
    ["KNIFE", "KNIVES"],
    ["AGREE", "AGREED", "AGREEING"],
    ["CANCEL", "CANCELLED", "CANCELED"],
    ["ECHO", "ECHOES"],
]
STRANGERS = [
    ("CAT", "CAR"),
    ("HOP", "HOPED"),
    ("STAR", "STARED"),
    ("GLASS", "GLAS"),
    ("BRING", "BRED"),
    ("THIS", "THI"),
    ("STRING", "STRED"),
    ("AND", "ANDES"),
    ("FILED", "FILLED"),
]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("knows", [False, True])
def test_a_word_and_its_forms_share_a_stem(family: list[str], knows: bool) -> None:
    roots = Roots({word for each in FAMILIES for word in each if knows}.__contains__)
    for first, second in combinations(family, 2):
        assert roots.are_repeats(first, second), f"{first} and {second}"
        assert roots.are_repeats(second, first)


@pytest.mark.parametrize(("first", "second"), STRANGERS)
def test_words_that_only_look_alike_do_not(first: str, second: str) -> None:
    known = ["HOP", "HOPE", "STAR", "STARE", "FILE", "FILL", "AND", "ANDES", "CAT", "CAR"]
    assert not Roots(known.__contains__).are_repeats(first, second)


@pytest.mark.parametrize(("plural", "singular"), [("MENUS", "MENU"), ("TAXIS", "TAXI"), ("EMUS", "EMU")])
def test_rare_plurals_are_recognized_if_the_singular_is_listed(plural: str, singular: str) -> None:
    assert Roots({singular}.__contains__).of(plural) == {singular, plural}
    assert not Roots({plural}.__contains__).are_repeats(plural, singular)


def test_no_two_families_share_a_stem() -> None:
    roots = Roots({word for family in FAMILIES for word in family}.__contains__)
    for family, other in combinations(FAMILIES, 2):
        assert not any(roots.are_repeats(first, second) for first in family for second in other)


def test_user_groups_count_as_one_stem() -> None:
    roots = Roots(groups=[{"MOUSE", "MICE"}, {"GO", "WENT", "GONE"}])
    assert roots.are_repeats("MICE", "MOUSE")
    assert roots.are_repeats("MICE", "MOUSED")
    assert roots.are_repeats("WENT", "GONE")
    assert not roots.are_repeats("MICE", "WENT")
    assert not Roots().are_repeats("MICE", "MOUSE")


LISTED = """
    LOCATE DATA BASE HEART ESTER LOTTERY OTTER LIGHT INTER NATION GIST TION WARR ANTS CRAFT SPACE PINE APPLE GLASS
    HOUSE ABLE ARMED ARMING PARED SWIM SWIMMING POOLS POKE POKER HANDS HOPE HOPING PIECE CAKE FORM STAR
    LOCATION SCOUT SWEET BRAVE POOL HAND POKER
"""
WORDS = frozenset(LISTED.split())
ROOTS = Roots(WORDS.__contains__)
SCORED = Lexicon.build([WordList.from_scores("listed", dict.fromkeys(WORDS, 50))])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LOCATE", "LOCATION"),
        ("LOCATE", "LOCATIONSCOUT"),
        ("LOCATES", "LOCATED"),
        ("ONE", "ONES"),
        ("BAKE", "BAKER"),
        ("SWEETHEART", "BRAVEHEART"),
        ("HEART", "HEARTTOHEART"),
        ("BASE", "DATABASE"),
        ("PINE", "PINEAPPLE"),
        ("GLASSES", "GLASSHOUSE"),
        ("ARMING", "DISARMED"),
        ("UNARMED", "DISARMED"),
        ("SWIM", "SWIMMINGPOOLS"),
        ("POOL", "SWIMMINGPOOLS"),
        ("POKE", "POKERHANDS"),
        ("PIECES", "PIECEOFCAKE"),
        ("CAKED", "PIECEOFCAKE"),
        ("HOPED", "STARHOPING"),
    ],
)
def test_repeated_words_and_roots_are_found(one: str, other: str) -> None:
    assert ROOTS.are_repeats(one, other)
    assert ROOTS.are_repeats(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NATION", "STATION"),
        ("RESTING", "TESTING"),
        ("HAPPINESS", "SADNESS"),
        ("CREATION", "STATIONS"),
        ("INTERNET", "INTERVAL"),
        ("LOTTERIES", "POTTERED"),
        ("EATON", "EATEN"),
        ("TEAM", "STEAM"),
        ("LOVE", "GLOVE"),
        ("RANT", "WARRANT"),
        ("ABLE", "CAPABLE"),
        ("FRIENDSHIP", "HARDSHIP"),
        ("FORMED", "UNIFORM"),
        ("FORMED", "INFORMATION"),
        ("HANDED", "OFFHANDS"),
        ("DISTANCES", "TANCE"),
        ("PREPARED", "PARES"),
        ("STARE", "STARTLE"),
        ("CAT", "CAT"),
        ("A", "B"),
    ],
)
def test_chance_similarities_and_common_endings_are_not_repeats(one: str, other: str) -> None:
    assert not ROOTS.are_repeats(one, other)
    assert not ROOTS.are_repeats(other, one)


def test_without_word_lists_only_stems_count() -> None:
    assert Roots().are_repeats("LOCATE", "LOCATED")
    assert not Roots().are_repeats("SWEETHEART", "BRAVEHEART")


def test_a_grid_lists_entries_that_a_word_repeats() -> None:
    """Rebus squares count in full. The lookup finds the same as comparing each pair."""
    grid = grid_from_text("LO[CAT]ION\n......\nLOCATE\n......\nSTATED")
    repeats = AnswerRepeats.of_puzzle(Puzzle(grid), SCORED)
    names = {answer: name for name, answer in repeats.answers.items()}
    assert repeats.of("LOCATED") == (names["LOCATION"], names["LOCATE"])
    assert repeats.of("LOCATED", names["LOCATE"]) == (names["LOCATION"],)
    assert repeats.pairs == ((names["LOCATION"], names["LOCATE"]),)


def test_theme_answers_that_are_locked_may_repeat_each_other() -> None:
    grid = grid_from_text("LOCATION\n........\nLOCATING\n........\nLOCATION")
    locked = [at for name in ("1A", "10A") for at in grid.slot(name).positions]
    grid = grid.with_squares({at: replace(grid[at], ink=Ink.LOCKED) for at in locked})
    repeats = AnswerRepeats.of_puzzle(Puzzle(grid), SCORED)
    assert (repeats.pairs, repeats.meant) == ((("10A", "12A"),), (("1A", "10A"),))


@pytest.mark.parametrize("answers", ["APPLEPIE APPLE", "DOGHOUSE DOG"])
def test_locked_answers_allowed_to_repeat_are_intentional(answers: str) -> None:
    one, other = answers.split()
    puzzle = Puzzle(grid_from_text(f"{one}\n########\n{other.ljust(8, '#')}"))
    locked = set_ink(puzzle, [*puzzle.grid.open_positions()], Ink.LOCKED)
    repeats = AnswerRepeats.of_puzzle(locked, COMPOUNDS.lexicon)
    assert (repeats.possible, repeats.meant) == ((), (("1A", "2A"),))


def test_contents_of_rebus_squares_are_not_repeated_words() -> None:
    themed = grid_from_text("SWEET[HEART]\n......\nBRAVE[HEART]")
    assert AnswerRepeats.of_puzzle(Puzzle(themed), SCORED).pairs == ()
    plain = grid_from_text("SWEETHEART\n..........\nBRAVEHEART")
    assert len(AnswerRepeats.of_puzzle(Puzzle(plain), SCORED).pairs) == 1


def test_the_lookup_misses_nothing() -> None:
    answers = [
        *WORDS,
        "LOCATIONS",
        "LOCATED",
        "DATABASE",
        "SWEETHEART",
        "HEARTTOHEART",
        "TWILIGHT",
        "LIGHTEN",
        "ONES",
        "DISARMED",
    ]
    repeats = AnswerRepeats({answer: answer for answer in answers}, ROOTS)
    for one, other in combinations(answers, 2):
        assert (other in repeats.of(one)) is ROOTS.are_repeats(one, other)


BUILT = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "UN", "OVER", "SWEET", "TO", "X"]),
        st.sampled_from(
            ["HEART", "LOCAT", "TIE", "TY", "LIFE", "LIV", "LEAF", "BAKE", "BAK", "RUN", "DATA", "ELF", "ELV"]
        ),
        st.sampled_from(["", "S", "ES", "ED", "ING", "N", "NING", "ER", "ERS", "E", "ION", "BASE", "LY", "HEART"]),
    ),
)


@given(st.lists(BUILT, min_size=1, max_size=3), st.lists(BUILT, max_size=12))
def test_all_words_that_repeat_an_answer_are_found(answers: list[str], words: list[str]) -> None:
    found = repeating(answers, words, ROOTS)
    assert found == {word for word in words if any(ROOTS.are_repeats(word, answer) for answer in answers)}


REAL_FAMILIES = """
    DATE DATES DATED DATING/SEE SEES SEEING/DARE DARES DARED/OLD OLDER OLDEST/NOSE NOSES NOSESIN/ABBEY ABBEYS
    RUN RUNNING RUNNER/WAFT WAFTS/EAT EATS EATER EATEN?/MAKE MAKES MAKER/HAPPY HAPPIER HAPPIEST HAPPINESS
    KNIFE KNIVES/WOLF WOLVES/BERRY BERRIES/BOX BOXES BOXED/STOP STOPPED STOPS/TRY TRIES TRIED/DIE DYING DIED
    MENU MENUS/TAXI TAXIS/BAKE BAKER BAKERS BAKED/PLAN PLANS PLANNED/LOCATE LOCATION LOCATED/CREATE CREATION
    DONATE DONATION DONOR?/FRIEND FRIENDLY FRIENDSHIP/KIND KINDLY KINDNESS/SAD SADDER/QUICK QUICKLY QUICKEST
    TREAT TREATMENT TREATS/HOPE HOPEFUL HOPELESS HOPED/WASH WASHABLE WASHER/EDIT EDITOR EDITION EDITED
    ARREST ARRESTED/NATION NATIONAL NATIONS/MUSIC MUSICAL/POET POETIC POETS/TOUR TOURIST TOURED/DECIDE DECISION
    EXTEND EXTENSION/GLORY GLORIOUS/APPLY APPLICATION APPLIED/ACCEPT ACCEPTABLE ACCEPTANCE/PREFER PREFERENCE
    PRESIDE PRESIDENT/FORM FORMATION FORMS/TAX TAXES TAXED/NEIGHBOR NEIGHBORHOOD/CHILD CHILDLIKE/KING KINGDOM
    DATA DATABASE/BASE DATABASE/HEART SWEETHEART HEARTTOHEART/CAKE PIECEOFCAKE CAKES/SWIM SWIMMINGPOOL SWIMS
    POOL SWIMMINGPOOL POOLS/POKER POKERHAND/LINE ONLINE?/PINE PINEAPPLE/APPLE PINEAPPLE/GLASS GLASSES
    STAR STARS STARFISH/FISH STARFISH/SNOW SNOWMAN?/SNOW SNOWBALL SNOWS/BALL SNOWBALL/FIRE FIREPLACE FIRED
    PLACE FIREPLACE/BOOK BOOKCASE BOOKS/RAIN RAINCOAT RAINED/COAT RAINCOAT/MOON MOONLIGHT/LIGHT MOONLIGHT SUNLIGHT?
    SHIP SHIPS STARSHIP?/LIFE LIFELINE LIFEBOAT/ARM ARMS ARMED DISARMED/HAPPY UNHAPPY/TIED UNTIED/TRUST DISTRUST
    HEAT OVERHEAT HEATED/COOK OVERCOOK UNDERCOOK/PAID UNDERPAID/AGREE DISAGREE/STEP STEPS STEPUP/EASE EASEUP
    SITS SITSUP SITSIN/NOSEIN NOSES/BUILD BUILDUP BUILDS/TURN TURNS TURNOFF/BREAK BREAKS BREAKUP/START STARTUP
    ROPE ROPES ROPEIN/PHONE PHONES PHONEIN/BAND THEBAND?/WORLD THEWORLD/END ENDS ENDED ENDING/ICE ICES ICED
    LOVE LOVES LOVER LOVED/BRIGHT BRIGHTLY BRIGHTNESS/ASSIST ASSISTANCE/GOVERN GOVERNMENT/REAL REALISM REALITY
    MODERN MODERNIZE/ACTIVE ACTIVITY/DANGER DANGEROUS/TEACH TEACHER TEACHES/DRIVE DRIVER DRIVING/SING SINGER SINGS
    WRITE WRITER WRITES/PAINT PAINTER PAINTED/FAST FASTER FASTEST/LARGE LARGER LARGEST/COLD COLDEST COLDER
    THIN THINNER THINNEST/CRUEL CRUELLY/NOTABLE NOTABLY/STABLE STABILITY/ECHO ECHOES/HERO HEROES/ARENA ARENAS
    OBOE OBOES/EMU EMUS/ERA ERAS/IDEA IDEAS/TREE TREES/AREA AREAS/ORE ORES/TEA TEAS/ACRE ACRES
    ADD ADDED ADDING/EGG EGGED/ERR ERRED ERRING/EBB EBBED/BUTT BUTTED/BOYCOTT BOYCOTTED BOYCOTTING/ODD ODDER ODDEST
    POLICE POLICEOFFICER/OFFICE POLICEOFFICER/DISPLAY DISPLAYED DISPLAYS/DISMISS DISMISSAL/SEED SEEDED SEEDLESS
    POWER POWERED POWERFUL/PASTOR PASTORAL/FALL FALLSINLOVE/LOVE FALLSINLOVE LASTFORLOVE/TAKE TAKETHESTAND
    EASEL EASELS/STEREO STEREOS/TIARA TIARAS/NESTEGG NESTEGGS/AGENT AGENTS/ONSET ONSETS/SEAT SEATS SEATED
"""
"""Word families, each compared with its first word.

A `?` marks words that count as different today although an editor would object: three-letter parts, irregular
forms and endings, and short words at the start of a phrase.
"""


@pytest.fixture(scope="module")
def listed_roots() -> Roots:
    return Lexicon.build([open_word_list(default_word_list()).word_list]).roots


def test_word_families_are_recognized_with_the_default_list(listed_roots: Roots) -> None:
    families = [line for text in REAL_FAMILIES.strip().splitlines() for line in text.strip().split("/")]
    assert len(families) >= 100
    for first, *others in map(str.split, families):
        for other in others:
            is_told = listed_roots.are_repeats(first, other.removesuffix("?"))
            assert is_told is not other.endswith("?"), f"{first} {other}"


@pytest.mark.parametrize(
    "pair",
    """
    CREAKS BREAKS/ATTAINS MAINTAINS/STATION STATE/GALLON GALL/CORNER CORN/MOTHER MOTH/NATION STATION/WARRANTS RANTS
    PARTY PART/CAPABLE CAPE/PATENTABILITY UNPROFITABLY/IGNITEINTEREST INTERLEAF/PERSON PERSIST/EVENING EVEN
    TAILOR TAIL/BUTTON BUTT/CANTON CANT/UNIFORM FORM/FOREST FORE/HONEST HONE/INTEND TEND
    POLICEOFFICER ICE/TREASUREISLAND LANDS/HEARTATTACK TACK/STINGINGINSECTS SECTS/DISTRESSED TRESSES
    DISPATCHED PATCH/DISCUSS CUSS/DISEASES EASE/DISPLAYED PLAY/DISMISSAL MISSALS/DISPOSABLE POSITION
    CARPENTER CARP/CARPENTERS ENTER/PARASITE SITES/NORMANDY ANDY/PASTORAL ORAL/PASTORAL PAST/CHILLAXES AXES
    SEED SEE/FEED FEE/WEED WEE/NEED NEE/DEED DEE/DEER DEE/BADGER BADGE/LEDGER LEDGE/EARNEST EARN/FLATTER FLAT
    CHATTERED CHAT/EASTER EAST/RELIC RELY/CONTEST CONT/POWER POW/SHOWERS SHOW/CLOVER CLOVE
    """.strip()
    .replace("\n", "/")
    .split("/"),
)
def test_lookalikes_in_the_default_list_are_not_repeats(listed_roots: Roots, pair: str) -> None:
    one, other = pair.split()
    assert not listed_roots.are_repeats(one, other)


FORMS = WordList.from_scores("words", {"ONE": 50, "ONES": 50, "BAKE": 50, "BAKER": 50, "BAKES": 50, "CAT": 50})
VOCABULARY = Vocabulary(Lexicon.build([FORMS]))


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("ONE.\n####\nONES", []),
        ("ONE#\n####\nONES", ["1A ONE and 2A ONES repeat each other"]),
        ("BAKER\n#####\nBAKES", ["1A BAKER and 2A BAKES repeat each other"]),
        ("BAKER\n#####\nBAKE#", ["1A BAKER and 2A BAKE repeat each other"]),
        ("CAT\n###\nCAT", []),
    ],
)
def test_repeats_are_reported(grid: str, expected: list[str]) -> None:
    findings = word_findings(Puzzle(grid_from_text(grid)), VOCABULARY)
    assert [finding.message for finding in findings] == expected
    assert all(finding.rule is Check.NEAR_DUPLICATE for finding in findings)


_PARTS = (
    "APPLE",
    "PIE",
    "DOG",
    "HOUSE",
    "TIME",
    "BIG",
    "ANY",
    "OUT",
    "RED",
    "STAR",
    "STRONG",
    "EST",
    "CAR",
    "PET",
    "TALL",
    "INS",
    "REINS",
)
COMPOUNDS = Vocabulary(Lexicon.build([WordList.from_scores("words", dict.fromkeys(_PARTS, 50))]))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("APPLEPIE APPLE", "1A APPLEPIE and 2A APPLE may repeat each other"),
        ("DOGHOUSE HOUSE", "1A DOGHOUSE and 2A HOUSE may repeat each other"),
        ("BIGTIME TIMEOUT", "1A BIGTIME and 2A TIMEOUT may share TIME"),
        ("ANYTIME TIMEOUT", "1A ANYTIME and 2A TIMEOUT may share TIME"),
        ("REDSTAR STAR", "1A REDSTAR and 2A STAR may repeat each other"),
        ("APPLEPIE PIE", "1A APPLEPIE and 2A PIE may repeat each other"),
        ("INSTALL REINSTALL", "1A INSTALL and 2A REINSTALL may repeat each other"),
        ("STRONGEST EST", ""),
        ("CARPET CARDOG", ""),
    ],
)
def test_possible_repeats_are_reported_but_ignored_by_fills(answers: str, expected: str) -> None:
    """A word at the beginning or end of another answer, although no root connects them."""
    rows = answers.split()
    width = max(map(len, rows))
    grid = grid_from_text(f"\n{'#' * width}\n".join(row.ljust(width, "#") for row in rows))
    puzzle = Puzzle(grid)
    findings = word_findings(puzzle, COMPOUNDS)
    told = [finding.message for finding in findings if finding.rule is Check.POSSIBLE_REPEAT]
    assert told == ([expected] if expected else [])
    assert not AnswerRepeats.of_puzzle(puzzle, COMPOUNDS.lexicon).pairs
    off = replace(puzzle, rules=Rules(grid=(SharedStems(is_asked=False),)))
    assert Check.POSSIBLE_REPEAT not in {finding.rule for finding in word_findings(off, COMPOUNDS)}


def test_the_stem_rule_reports_them_instead() -> None:
    puzzle = Puzzle(grid_from_text("ONE#\n####\nONES"), rules=ruled(distinct_stems=True))
    assert [finding.rule for finding in word_findings(puzzle, VOCABULARY)] == [Check.BROKEN_RULE]


def test_check_and_statistics_report_the_same_repeats() -> None:
    """Both use the groups. With stems off neither reports any, and two locked answers may repeat each other."""
    grid = grid_from_text("BAKER\n#####\nBAKES\n#####\nONES#\n#####\nCAT##")
    grouped = ruled(distinct_stems=True, stem_groups=(frozenset({"CAT", "ONES"}),))
    off = Rules(grid=(SharedStems(is_asked=False),))
    locked = set_ink(Puzzle(grid), grid.slot("1A").positions, Ink.LOCKED)
    both = set_ink(locked, grid.slot("2A").positions, Ink.LOCKED)
    bakers, others = ("1A", "2A"), ("3A", "4A")
    for puzzle, rules, expected in (
        (Puzzle(grid), Rules(), [bakers]),
        (Puzzle(grid), grouped, [bakers, others]),
        (Puzzle(grid), off, []),
        (locked, ruled(distinct_stems=True), [bakers]),
        (both, Rules(), []),
        (both, grouped, [others]),
    ):
        asked = replace(puzzle, rules=rules)
        assert list(AnswerRepeats.of_puzzle(asked, VOCABULARY.lexicon).pairs) == expected
        told = [found.message for found in word_findings(asked, VOCABULARY)]
        assert told == [
            f"{one} {puzzle.answers[one]} and {other} {puzzle.answers[other]} repeat each other"
            for one, other in expected
        ]


LETTERS = Vocabulary(Lexicon.build([WordList.from_scores("words", {"BAG": 50, "ICE": 50, "TEN": 50, "BIT": 50})]))


def unlisted(puzzle: Puzzle) -> list[str]:
    return [found.message for found in word_findings(puzzle, LETTERS) if found.rule is Check.UNLISTED]


def test_unlisted_answers_are_named() -> None:
    puzzle = Puzzle(grid_from_text("BAG\nICE\nTEN"))
    assert unlisted(puzzle) == ["2 answers are in no list: 2D ACE, 3D GEN"]
    clued = puzzle.with_clue(puzzle.grid.slot("2D"), "One spot")
    assert unlisted(clued) == ["1 answer is in no list: 3D GEN; also 2D ACE (clued)"], (
        "a clue tells that it is meant"
    )
    assert unlisted(set_ink(clued, clued.grid.slot("3D").positions, Ink.LOCKED)) == []
    crossed = [found.message for found in word_findings(clued, LETTERS, [clued.grid.slot("2D")])]
    assert "2 answers are in no list: 2D ACE, 3D GEN" in crossed
    wanted = replace(puzzle, rules=ruled(wanted=("ACE", "GEN"), wanted_least=2))
    assert unlisted(wanted) == []


def test_a_theme_answer_that_crosses_nothing_yet_is_not_named() -> None:
    assert unlisted(Puzzle(grid_from_text("XYZ\n...\n..."))) == []
    assert unlisted(Puzzle(grid_from_text("XYZ\n..#\n..."))) == []


RULED_WORDS = WordList.from_scores(
    "words",
    {"BAKER": 60, "BAKES": 50, "BAKE": 40, "USSR": 30, "ANNA": 45, "OBOE": 70},
    {"name": ["USSR", "ANNA"], "abbreviation": ["USSR"]},
)
WORD_CHOICE = WordChoice(minimum_score=40, banned=frozenset({"OBOE"}))
LEXICON = Lexicon.build([RULED_WORDS], minimum_score=40, banned=["OBOE"])
OWN = Lexicon.build([WordList.from_scores("own", {"ANNA": 10})])
RULED_VOCABULARY = Vocabulary(LEXICON, {"own": OWN})
FIRST = (Position(0, 0), Direction.ACROSS)


def messages(grid: str, rules: Rules) -> list[str]:
    findings = rule_findings(Puzzle(grid_from_text(grid), words=WORD_CHOICE, rules=rules), RULED_VOCABULARY)
    odd = [finding.message for finding in findings if finding.rule is Check.ODD_RULE]
    assert all(message.startswith(("wanted", "no word")) for message in odd)
    assert {finding.rule for finding in findings} <= {Check.BROKEN_RULE, Check.ODD_RULE}
    return [finding.message for finding in findings]


@pytest.mark.parametrize(
    ("grid", "rules", "expected"),
    [
        ("BAKER\n#####\nBAKES", ruled(), []),
        ("BAKER\n#####\nBAKES", ruled(distinct_stems=True), ["1A BAKER and 2A BAKES repeat each other"]),
        ("BAKER\n#####\nUSSR#", ruled(distinct_stems=True), []),
        ("ANNA\n####\nUSSR", ruled(tag_limits={"name": 2}), []),
        (
            "ANNA\n####\nUSSR",
            ruled(tag_limits={"name": 1}),
            ["2 answers have the tag name, limit 1: 1A ANNA, 2A USSR"],
        ),
        (
            "ANNA\n####\n####",
            ruled(tag_limits={"name": 0}),
            ["1 answer has the tag name, limit none: 1A ANNA"],
        ),
        (
            "....\n####\n####",
            ruled(tag_limits={"slang": 1}),
            ["no word in the lists has the tag slang; there are abbreviation, name"],
        ),
        ("ANNA\n####\n####", ruled({FIRST: asked(45)}), []),
        (
            "ANNA\n####\n####",
            ruled({FIRST: asked(46)}),
            ["1A ANNA scores 45; it must score 46 or more"],
        ),
        (
            "XXXX\n####\n####",
            ruled({FIRST: asked(0, contains=("X",))}),
            [],
        ),
        ("ANNA\n####\n####", ruled({FIRST: asked(word_list="own")}), []),
        ("USSR\n####\n####", ruled({FIRST: asked(word_list="own")}), ["1A USSR is not in own"]),
        (
            "ANNA\n####\n####",
            ruled({FIRST: asked(20, word_list="own")}),
            ["1A ANNA scores 10; it must score 20 or more"],
        ),
        ("ANNA\n####\n####", ruled(wanted=("ANNA", "BAKE"), wanted_least=2), []),
        (
            "....\n####\n####",
            ruled(wanted=("OBOE", "USSR", "TUBA"), wanted_least=1),
            [
                "wanted OBOE is banned, so no fill uses it; `allow OBOE` allows it",
                "wanted USSR scores 30, below 40; fills may still use it",
                "wanted TUBA is in no word list; fills may still use it, with score 50",
            ],
        ),
        ("OBOE\n####\n####", ruled(wanted=("OBOE",), wanted_least=1), []),
        ("TUBA\n####\n####", ruled({FIRST: asked(50)}, wanted=("TUBA",)), []),
        (
            "TUBA\n####\n####",
            ruled({FIRST: asked(51)}, wanted=("TUBA",)),
            ["1A TUBA scores 50; it must score 51 or more"],
        ),
        (
            "TUBA\n####\n####",
            ruled({FIRST: asked(10)}, wanted=("OBOES",)),
            [
                "1A TUBA is in no word list; it must score 10 or more",
                "wanted OBOES has 5 letters, and no entry has that many squares",
            ],
        ),
        ("TUBA\n####\n####", ruled({FIRST: asked(word_list="own")}, wanted=("TUBA",)), ["1A TUBA is not in own"]),
    ],
)
def test_reviews_based_on_lists(grid: str, rules: Rules, expected: list[str]) -> None:
    assert messages(grid, rules) == expected


def test_a_digraph_of_a_wanted_word_takes_one_square() -> None:
    dutch = find_alphabet("dutch")
    lexicon = Lexicon.build([WordList.from_scores("own", {"IJSEN": 50, "IJSBEER": 50})], alphabet=dutch)
    for grid in ("....\n####\n####", "[IJ]...\n####\n####"):
        puzzle = Puzzle(
            grid_from_text(grid),
            words=replace(WORD_CHOICE, alphabet=dutch),
            rules=ruled(wanted=("IJSEN", "IJSBEER"), wanted_least=2),
        )
        assert rule_notes(puzzle, lexicon) == ["wanted IJSBEER has 6 letters, and no entry has that many squares"]


def test_given_squares_may_split_one_digraph_of_a_wanted_word_only() -> None:
    dutch = find_alphabet("dutch")
    lexicon = Lexicon.build([WordList.from_scores("own", {"IJSIJS": 50})], alphabet=dutch)
    puzzle = Puzzle(
        grid_from_text("IJ...\n#####\n#####"),
        words=replace(WORD_CHOICE, alphabet=dutch),
        rules=ruled(wanted=("IJSIJS",), wanted_least=1),
    )
    assert rule_notes(puzzle, lexicon) == []


def reviewed(grid: str, rules: Rules) -> list[Finding]:
    puzzle = replace(Puzzle(grid_from_text(grid)), rules=rules)
    return [finding for finding in review(puzzle) if finding.rule in (Check.BROKEN_RULE, Check.IDLE_RULE)]


@pytest.mark.parametrize(
    ("grid", "rules", "expected"),
    [
        ("BAKER\n#####\nBAKES", ruled(shared_substring=5), []),
        ("BAKER\n#####\nBAKES", ruled(shared_substring=4), ["1A BAKER and 2A BAKES share BAKE"]),
        ("BAKER\n#####\nBAKE.", ruled(shared_substring=4), []),
        ("BAKER\n#####\n#####", ruled({FIRST: asked(pattern="B.*R", contains=("AK",), lacks=("S",))}), []),
        (
            "BAKER\n#####\n#####",
            ruled({FIRST: asked(pattern="B.*S", contains=("X",), lacks=("KE",))}),
            ["1A BAKER does not contain X and contains KE and does not match B.*S"],
        ),
        ("BAKE.\n#####\n#####", ruled({FIRST: asked(lacks=("B",))}), []),
        (
            "#AKER\n#####\n#####",
            ruled({FIRST: asked(50)}),
            ["r1c1 across (no entry now) has a waiting rule: scores 50 or more"],
        ),
        ("BAKER\n#####\n#####", ruled(wanted=("OBOE", "BAKER"), wanted_least=1), []),
        (
            "BAKER\n#####\n#####",
            ruled(wanted=("OBOE", "TUBA"), wanted_least=1),
            ["of the wanted words, 1 must appear; missing: OBOE, TUBA"],
        ),
        ("BAKE.\n#####\n#####", ruled(wanted=("OBOE",), wanted_least=1, letters="Z"), []),
        ("BAKER\n#####\n#####", ruled(letters="ABQZ"), ["these letters are nowhere: Q Z"]),
        ("BAKER\n#####\n#.###", ruled(letters="ABQZ"), ["these letters are nowhere: Q Z"]),
        ("B[AQZ]ER\n####\n####", ruled(letters="ABQZ"), []),
    ],
)
def test_reviews_without_lists(grid: str, rules: Rules, expected: list[str]) -> None:
    assert [finding.message for finding in reviewed(grid, rules)] == expected
