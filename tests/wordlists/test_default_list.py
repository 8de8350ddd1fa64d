"""The default list as it ships, and the hand-kept files it is made from; none of it needs a network."""

import re
from collections import Counter
from pathlib import Path

import pytest

from xwtui.resources import default_word_list

FOLDER = default_word_list().parent
HAND_MADE = (*sorted((FOLDER / "supplement").glob("*.txt")), FOLDER / "demoted.txt")
LINE = re.compile(r"([A-Z0-9]{2,23});(\d{1,3})(?:;(?:abbreviation|name|abbreviation,name))?")
DECENT = 40
INNOCENT = frozenset(
    [
        *("CLITORAL", "CLOSEFISTED", "COONSKIN", "COONSKINS", "DESSERTSPOON", "DESSERTSPOONS", "FLUSHIT"),
        *("HARPOON", "HARPOONS", "HOMOEROTIC", "HOMOGRAPH", "HOMOGRAPHS", "HOMOPHOBIA", "HOMOPHOBIC"),
        *("HOMOPHONE", "HOMOPHONES", "HOMOSEXUAL", "HOMOSEXUALITY", "LAMPOON", "LAMPOONS", "LAOCOON"),
        *("NYMPHOMANIA", "NYMPHOMANIAC", "NYMPHOMANIACS", "PAKISTAN", "PUSSYCAT", "PUSSYCATS", "PUSSYFOOT"),
        *("PUSSYFOOTED", "PUSSYFOOTING", "PUSSYFOOTS", "RAPESEED", "REDMENACE", "RETARDANT", "RETARDANTS"),
        *("SERVINGSPOON", "SILVERSPOON", "SOUPSPOON", "SOUPSPOONS", "SPICETRADE", "SPICILY", "SQUAWKING"),
        *("SUGARSPOON", "TABLESPOON", "TABLESPOONS", "TEASPOON", "TEASPOONS", "THERAPIST", "THERAPISTS"),
        *("WITHERSPOON",),
    ]
)
"""Decent entries that read as a barred word and another by their letters alone, each looked at."""


def spelt(term: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", term.upper())


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return [line for line in default_word_list().read_text("ascii").splitlines() if not line.startswith("#")]


@pytest.fixture(scope="module")
def scores(lines: list[str]) -> dict[str, int]:
    return {word: int(score) for word, score, *_ in (line.split(";") for line in lines)}


@pytest.fixture(scope="module")
def tags(lines: list[str]) -> dict[str, list[str]]:
    return {word: rest for word, _, *rest in (line.split(";") for line in lines)}


def listed(path: Path) -> list[str]:
    return [line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines()]


def judged(mark: str) -> set[str]:
    """The words of `excluded.txt` on lines that begin with a mark, or with none."""
    lines = filter(None, listed(FOLDER / "excluded.txt"))
    return {spelt(line) for line in lines if (line[0] if line[0] in "+~" else "") == mark}


def hand_made_terms(path: Path) -> list[tuple[str, int]]:
    terms = []
    for line in filter(None, listed(path)):
        score, _, entries = line.partition(": ")
        terms += [(term.strip(), int(score)) for term in entries.split(",")]
    return terms


def test_every_line_is_a_word_with_a_score(lines: list[str]) -> None:
    wrong = [line for line in lines if not (match := LINE.fullmatch(line)) or int(match[2]) > 100]
    assert wrong == []


def test_words_are_sorted_and_stand_once(lines: list[str]) -> None:
    words = [line.partition(";")[0] for line in lines]
    assert words == sorted(set(words))


def test_the_list_is_neither_thin_nor_bloated(scores: dict[str, int]) -> None:
    assert 200_000 <= len(scores) <= 300_000
    assert 90_000 <= sum(score >= DECENT for score in scores.values()) <= 150_000


@pytest.mark.parametrize(
    ("length", "least"),
    [(3, 900), (4, 3000), (5, 6000), (6, 9000), (7, 12_000), (9, 12_000), (11, 8000), (15, 1500)],
)
def test_decent_words_of_every_length(scores: dict[str, int], length: int, least: int) -> None:
    decent = Counter(len(word) for word, score in scores.items() if score >= DECENT)
    assert decent[length] >= least


def test_header_names_the_provenance() -> None:
    with default_word_list().open(encoding="ascii") as text:
        assert text.readline().startswith("# ")
        assert "PROVENANCE.md" in text.read(600)


@pytest.mark.parametrize(
    "word", ["OREO", "ALOE", "ERA", "SWEETHEART", "INAROW", "ATBAT", "AREA", "THE", "EASYSTREET"]
)
def test_staples_please(scores: dict[str, int], word: str) -> None:
    assert scores[word] >= 50


@pytest.mark.parametrize("word", ["ESNE", "ENE", "ANOA", "ETRE", "LSU", "RHOS", "UNO", "ABBR", "ETUI"])
def test_glue_is_forgiven_and_no_more(scores: dict[str, int], word: str) -> None:
    assert DECENT <= scores[word] < 55


@pytest.mark.parametrize("word", ["AARDWOLF", "CLUMSIEST", "CANISLUPUS", "HITLER", "HAPPINESSES", "COLOURLESS"])
def test_dull_and_sombre_words_stay_below(scores: dict[str, int], word: str) -> None:
    assert scores.get(word, 0) < 50


@pytest.mark.parametrize(
    ("better", "worse"), [("COLOR", "COLOUR"), ("GIVES", "GIVER"), ("ICECREAM", "ICECREAMS"), ("PARIS", "PARISES")]
)
def test_scores_rank_as_a_solver_would(scores: dict[str, int], better: str, worse: str) -> None:
    assert scores[better] > scores.get(worse, 0)


@pytest.mark.parametrize("word", ["GAVEUP", "GIVESUP", "GIVINGUP", "HOTDOGS", "TOOKOFF"])
def test_phrases_are_inflected(scores: dict[str, int], word: str) -> None:
    assert scores[word] >= DECENT


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("USSR", ["abbreviation,name"]),
        ("NBA", ["abbreviation"]),
        ("ENE", ["abbreviation"]),
        ("ANN", ["name"]),
        ("PARIS", ["name"]),
        ("OREO", ["name"]),
        ("ROSE", []),
        ("ART", []),
        ("AIDS", []),
        ("INAROW", []),
    ],
)
def test_tags_say_what_a_solver_would(tags: dict[str, list[str]], word: str, expected: list[str]) -> None:
    assert tags[word] == expected


def test_some_words_bear_tags_and_most_do_not(tags: dict[str, list[str]]) -> None:
    bearing = sum(bool(found) for found in tags.values())
    assert 20_000 <= bearing <= 40_000


def test_no_excluded_word_is_in_the_list(scores: dict[str, int]) -> None:
    excluded = judged("")
    assert len(excluded) > 500
    assert excluded & scores.keys() == set()


@pytest.mark.parametrize(
    "phrase",
    ["ANALINTERCOURSE", "ANALSEX", "ANALSTAGES", "FAGEND", "MENTALLYRETARDED", "SPASTICCOLON", "STATUTORYRAPE"],
)
def test_phrases_that_hold_a_barred_word_are_out(scores: dict[str, int], phrase: str) -> None:
    assert phrase not in scores


@pytest.mark.parametrize(
    "phrase",
    [
        *("MAGNACUMLAUDE", "HOMOSAPIENS", "DOOWOP", "HONKYTONK", "PUSSYWILLOW", "SPICANDSPAN", "VANDYKE"),
        *("ANALYSIS", "ANALOG", "BANAL", "CANALBOAT", "COCKTAIL", "SOUNDANALARM", "SCUM", "RAPESEED"),
    ],
)
def test_words_in_which_a_barred_one_is_innocent_stay(scores: dict[str, int], phrase: str) -> None:
    assert phrase in scores


def test_no_entry_is_a_barred_word_and_another(scores: dict[str, int]) -> None:
    """Whatever could be read so is one of those that were looked at."""
    barred = {word for word in judged("") | judged("~") if len(word) >= 4}
    read = {
        entry
        for entry, score in scores.items()
        if score >= DECENT
        for cut in range(3, len(entry) - 2)
        for first, rest in ((entry[:cut], entry[cut:]), (entry[cut:], entry[:cut]))
        if first in barred and scores.get(rest, 0) >= 50
    }
    assert read - judged("+") == INNOCENT


def test_exclusion_takes_no_innocent_word_along(scores: dict[str, int]) -> None:
    assert {
        "SHIITAKE",
        "SNIGGER",
        "ASSASSIN",
        "GRAPE",
        "CUMIN",
        "SPICE",
        "MONTENEGRO",
        "PUSSYCAT",
    } <= scores.keys()


def test_a_word_is_excluded_or_kept_but_not_both() -> None:
    entries = [line for line in listed(FOLDER / "excluded.txt") if line]
    assert len(entries) == len(set(map(spelt, entries)))


@pytest.mark.parametrize("path", HAND_MADE, ids=lambda path: path.name)
def test_hand_made_lines_are_well_formed(path: Path) -> None:
    wrong = [line for line in listed(path) if line and not re.fullmatch(r"\d{1,3}: [^,]+(, [^,]+)*", line)]
    assert wrong == []
    assert [term for term, score in hand_made_terms(path) if not 2 <= len(spelt(term)) <= 23 or score > 100] == []


@pytest.mark.parametrize("path", HAND_MADE, ids=lambda path: path.name)
def test_hand_made_files_decide(path: Path, scores: dict[str, int]) -> None:
    """The list is up to date with them: a supplement's score is reached, a demotion kept."""
    excluded = judged("")
    if path.name == "demoted.txt":
        assert [term for term, highest in hand_made_terms(path) if scores.get(spelt(term), 0) > highest] == []
    else:
        terms = [(term, least) for term, least in hand_made_terms(path) if spelt(term) not in excluded]
        assert [term for term, least in terms if scores.get(spelt(term), 0) < least] == []


def test_nothing_is_both_raised_and_lowered() -> None:
    raised = {spelt(term) for path in HAND_MADE[:-1] for term, _ in hand_made_terms(path)}
    assert raised & {spelt(term) for term, _ in hand_made_terms(HAND_MADE[-1])} == set()


def test_provenance_names_every_licence_and_every_licence_exists() -> None:
    named = set(re.findall(r"licences/([\w.-]+)", (FOLDER / "PROVENANCE.md").read_text("utf-8")))
    assert named == {path.name for path in (FOLDER / "licences").iterdir()}
    assert all((FOLDER / "licences" / name).stat().st_size > 200 for name in named)
