"""The default list as shipped, and its hand-maintained files; no network is needed."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from builder.exclusions import LOWERED_SCORE

from xwtui.resources import default_word_list

FOLDER = default_word_list().parent
HAND_MADE = (*sorted((FOLDER / "supplement").glob("*.txt")), FOLDER / "raised.txt", FOLDER / "demoted.txt")
TAGS = frozenset({"abbreviation", "foreign", "name", "partial", "plural", "roman-numeral", "variant"})
LINE = re.compile(r"([A-Z0-9]{2,23});(\d{1,3})(?:;([a-z-]+(?:,[a-z-]+)*))?")
DECENT, GOOD = 40, 50
LITTLE_WORDS = frozenset(
    [
        *(
            "A",
            "I",
            "OF",
            "TO",
            "IN",
            "ON",
            "UP",
            "NO",
            "IT",
            "AT",
            "BY",
            "GO",
            "DO",
            "MY",
            "ME",
            "WE",
            "HE",
            "IS",
        ),
        *("AS", "SO", "OR", "US", "BE", "AN", "IF", "AM"),
    ]
)
MOST_WORDS = 20
"""Maximum words in a reading."""


class FewestWords:
    """Splits letters into as few vocabulary words as possible."""

    def __init__(self, vocabulary: set[str]) -> None:
        self.vocabulary = vocabulary
        self.known = {"": 0}

    def of(self, text: str) -> int:
        """Return the number of words; more than `MOST_WORDS` if there is no reading."""
        if text not in self.known:
            starts = (n for n in range(min(len(text), 12), 0, -1) if text[:n] in self.vocabulary)
            self.known[text] = 1 + min((self.of(text[n:]) for n in starts), default=MOST_WORDS)
        return self.known[text]

    def around(self, word: str, place: int, found: str) -> int:
        """Return it with a barred word at a position counted as one word."""
        return self.of(word[:place]) + 1 + self.of(word[place + len(found) :])

    def of_parts(self, word: str) -> int:
        """Return it without the word itself."""
        starts = (n for n in range(min(len(word) - 1, 12), 0, -1) if word[:n] in self.vocabulary)
        return 1 + min((self.of(word[n:]) for n in starts), default=MOST_WORDS)


def occurrences(words: list[str], barred: set[str]) -> Iterator[tuple[str, int, str]]:
    """Yield each word with positions of barred words in it, looked up by their first four letters."""
    by_start: dict[str, list[str]] = {}
    for each in barred:
        by_start.setdefault(each[:4], []).append(each)
    codes = np.frombuffer("\n".join(words).encode(), np.uint8).astype(np.int32)
    ends = np.flatnonzero(codes == ord("\n"))
    starts = np.concatenate([[0], ends + 1])
    is_start = np.zeros(1 << 20, bool)
    packed = ((codes[:-3] & 31) << 15) | ((codes[1:-2] & 31) << 10) | ((codes[2:-1] & 31) << 5) | (codes[3:] & 31)
    for start in by_start:
        first, second, third, fourth = (ord(letter) & 31 for letter in start)
        is_start[(first << 15) | (second << 10) | (third << 5) | fourth] = True
    places = np.flatnonzero(is_start[packed])
    for place, row in zip(places.tolist(), np.searchsorted(ends, places).tolist(), strict=True):
        word, inside = words[row], place - int(starts[row])
        for each in by_start.get(word[inside : inside + 4], []):
            if word.startswith(each, inside):
                yield word, inside, each


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
    """Return the words of `excluded.txt` on lines with a mark, or without any."""
    lines = filter(None, listed(FOLDER / "excluded.txt"))
    return {spelt(line) for line in lines if (line[0] if line[0] in "+~*-" else "") == mark}


def hand_made_terms(path: Path) -> list[tuple[str, int]]:
    terms = []
    for line in filter(None, listed(path)):
        score, _, entries = line.partition(": ")
        terms += [(term.strip(), int(score)) for term in entries.split(",")]
    return terms


def test_every_line_is_a_word_with_a_score_and_known_tags(lines: list[str]) -> None:
    wrong = [line for line in lines if not (match := LINE.fullmatch(line)) or int(match[2]) > 100]
    assert wrong == []
    tags = [line.split(";")[2].split(",") for line in lines if line.count(";") == 2]
    assert {tag for found in tags for tag in found} == TAGS
    assert [found for found in tags if found != sorted(set(found))] == []


def test_words_are_sorted_and_unique(lines: list[str]) -> None:
    words = [line.partition(";")[0] for line in lines]
    assert words == sorted(set(words))


def test_the_list_has_a_reasonable_size(scores: dict[str, int]) -> None:
    assert 400_000 <= len(scores) <= 550_000
    assert 250_000 <= sum(score >= DECENT for score in scores.values()) <= 350_000
    assert 140_000 <= sum(score >= GOOD for score in scores.values()) <= 210_000


@pytest.mark.parametrize(
    ("length", "least"),
    [(3, 1200), (4, 3500), (5, 7000), (6, 11_000), (7, 18_000), (9, 18_000), (11, 13_000), (15, 6500)],
)
def test_every_length_has_good_words(scores: dict[str, int], length: int, least: int) -> None:
    good = Counter(len(word) for word, score in scores.items() if score >= GOOD)
    assert good[length] >= least


def test_the_header_names_the_provenance() -> None:
    with default_word_list().open(encoding="ascii") as text:
        assert text.readline().startswith("# ")
        assert "PROVENANCE.md" in text.read(600)


@pytest.mark.parametrize(
    "word", ["OREO", "ALOE", "ERA", "SWEETHEART", "INAROW", "ATBAT", "AREA", "THE", "EASYSTREET"]
)
def test_staples_score_well(scores: dict[str, int], word: str) -> None:
    assert scores[word] >= 50


@pytest.mark.parametrize("word", ["ESNE", "ENE", "ANOA", "ETRE", "LSU", "RHOS", "UNO", "ABBR", "ETUI"])
def test_crosswordese_is_tolerated_but_not_more(scores: dict[str, int], word: str) -> None:
    assert DECENT <= scores[word] < 55


@pytest.mark.parametrize("word", ["CHAITEA", "IDONTLIE", "WECANTGOWRONG", "LETTHEGAMESBEGIN"])
def test_well_formed_words_of_the_collaborative_list_score_well(scores: dict[str, int], word: str) -> None:
    assert scores[word] >= GOOD


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        (("GUANOACT", "FACENAILS"), 0, DECENT - 1),
        (("AQUAMUSICALS", "CLICKLAUNDERING", "KISSESBETTER"), DECENT, GOOD - 1),
        (("TATTOOART", "EYECOLOR"), GOOD, 100),
    ],
)
def test_two_word_entries_of_one_list_score_as_reviewed(
    scores: dict[str, int], words: tuple[str, ...], least: int, most: int
) -> None:
    """No rule distinguishes GUANO ACT from TATTOO ART, but `raised.txt` and `demoted.txt` do."""
    assert [word for word in words if not least <= scores[word] <= most] == []


@pytest.mark.parametrize(
    "word", ["TOHIS", "CANISLUPUS", "MMMDCCLVII", "SIXTHOUSANDSIXTYFOUR", "MAGNIFYS", "ORDEROF"]
)
def test_fragments_and_numbers_score_low(scores: dict[str, int], word: str) -> None:
    assert scores.get(word, 0) < GOOD


@pytest.mark.parametrize(
    ("word", "most"),
    [
        *((word, 0) for word in ("ANTIARAB", "GUNT", "FAPS", "AUNTJEMIMA", "PORCHMONKEYS", "FUDGEPACKERS")),
        *((word, LOWERED_SCORE) for word in ("BEATOFF", "AHSO", "MIDGETS")),
        *((word, 39) for word in ("JWITTER", "GRULINGLY", "COLLEAGUS", "CONSTITUNTS")),
        *((word, 49) for word in ("INREVIEW", "FOOTEDUP", "STUNKAT")),
    ],
)
def test_slurs_misprints_and_partial_phrases_are_excluded(scores: dict[str, int], word: str, most: int) -> None:
    assert scores.get(word, 0) <= most


def test_the_list_is_the_output_of_the_build_script(tmp_path: Path) -> None:
    """Byte for byte, from the packages in the folder that WORD_SOURCES names (`build.py --sources`)."""
    sources = os.environ.get("WORD_SOURCES")
    if sources is None:
        pytest.skip("WORD_SOURCES names no folder with the packages")
    built = tmp_path / "default.dict"
    script = [sys.executable, str(FOLDER / "build.py"), "--sources", sources, "--output", str(built)]
    subprocess.run(script, check=True, timeout=600)
    assert built.read_bytes() == default_word_list().read_bytes()


@pytest.mark.parametrize("word", ["SLAVE", "SLAVES", "MASSACRE", "SLAVEMARKET", "SUICIDE", "HITLER", "TORTURE"])
def test_somber_words_score_low_but_are_included(scores: dict[str, int], word: str) -> None:
    assert 0 < scores.get(word, 1) <= LOWERED_SCORE


@pytest.mark.parametrize("word", ["AARDWOLF", "CANISLUPUS", "HITLER", "HAPPINESSES", "COLOURLESS"])
def test_dull_and_somber_words_score_low(scores: dict[str, int], word: str) -> None:
    assert scores.get(word, 0) < 50


@pytest.mark.parametrize(
    ("better", "worse"), [("COLOR", "COLOUR"), ("GIVES", "GIVER"), ("ICECREAM", "ICECREAMS"), ("PARIS", "PARISES")]
)
def test_scores_agree_with_a_solvers_ranking(scores: dict[str, int], better: str, worse: str) -> None:
    assert scores[better] > scores.get(worse, 0)


@pytest.mark.parametrize("word", ["GAVEUP", "GIVESUP", "GIVINGUP", "HOTDOGS", "TOOKOFF"])
def test_phrases_have_inflected_forms(scores: dict[str, int], word: str) -> None:
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
        ("COLOUR", ["variant"]),
        ("ETE", ["foreign"]),
        ("OWLS", ["plural"]),
        ("ISPARTOF", ["partial"]),
        ("MMX", ["roman-numeral"]),
        ("MIX", []),
    ],
)
def test_tags_are_what_a_solver_would_say(tags: dict[str, list[str]], word: str, expected: list[str]) -> None:
    assert tags[word] == expected


def test_some_words_have_tags_and_most_do_not(tags: dict[str, list[str]]) -> None:
    bearing = sum(bool(found) for found in tags.values())
    assert 50_000 <= bearing <= 90_000


def test_no_excluded_word_is_in_the_list(scores: dict[str, int]) -> None:
    excluded = judged("")
    assert len(excluded) > 500
    assert excluded & scores.keys() == set()


@pytest.mark.parametrize(
    "phrase",
    ["ANALINTERCOURSE", "ANALSEX", "ANALSTAGES", "FAGEND", "MENTALLYRETARDED", "SPASTICCOLON", "STATUTORYRAPE"],
)
def test_phrases_with_a_barred_word_are_excluded(scores: dict[str, int], phrase: str) -> None:
    assert phrase not in scores


@pytest.mark.parametrize(
    "phrase",
    [
        *("MAGNACUMLAUDE", "HOMOSAPIENS", "DOOWOP", "HONKYTONK", "PUSSYWILLOW", "SPICANDSPAN", "VANDYKE"),
        *("ANALYSIS", "ANALOG", "BANAL", "CANALBOAT", "COCKTAIL", "SOUNDANALARM", "SCUM", "RAPESEED"),
    ],
)
def test_words_that_innocently_contain_a_barred_one_are_kept(scores: dict[str, int], phrase: str) -> None:
    assert phrase in scores


def test_no_word_contains_an_obscene_letter_string(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert [letters for letters in judged("*") if letters in text and letters not in "".join(judged("+"))] == []


def test_no_entry_reads_as_containing_a_barred_word(scores: dict[str, int]) -> None:
    """For entries of eight or more letters; possible readings were reviewed, and are marked `+` if innocent."""
    looked_at = judged("+") | judged("~") | judged("-")
    words = [word for word in scores if len(word) >= 8 and word not in looked_at]
    barred = {word for word in judged("") | judged("~") if len(word) >= 4}
    good = {word for word, score in scores.items() if score >= GOOD and 3 <= len(word) <= 12}
    fewest = FewestWords(good | LITTLE_WORDS)
    read = [
        (word, found)
        for word, place, found in occurrences(words, barred)
        if fewest.around(word, place, found) <= min(fewest.of_parts(word), MOST_WORDS)
    ]
    assert read == []


def test_exclusion_removes_no_innocent_word(scores: dict[str, int]) -> None:
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
def test_handmade_lines_are_well_formed(path: Path) -> None:
    wrong = [line for line in listed(path) if line and not re.fullmatch(r"\d{1,3}: [^,]+(, [^,]+)*", line)]
    assert wrong == []
    assert [term for term, score in hand_made_terms(path) if not 2 <= len(spelt(term)) <= 23 or score > 100] == []


@pytest.mark.parametrize("path", HAND_MADE, ids=lambda path: path.name)
def test_handmade_files_take_precedence(path: Path, scores: dict[str, int]) -> None:
    """The list reflects them: supplements reach their score, and demotions are applied."""
    excluded = judged("")
    if path.name == "demoted.txt":
        assert [term for term, highest in hand_made_terms(path) if scores.get(spelt(term), 0) > highest] == []
    else:
        terms = [(term, least) for term, least in hand_made_terms(path) if spelt(term) not in excluded]
        assert [term for term, least in terms if scores.get(spelt(term), 0) < least] == []


def test_nothing_is_both_raised_and_lowered() -> None:
    raised = {spelt(term) for path in HAND_MADE[:-1] for term, _ in hand_made_terms(path)}
    assert raised & {spelt(term) for term, _ in hand_made_terms(HAND_MADE[-1])} == set()


def test_provenance_names_every_license_and_every_license_file_exists() -> None:
    named = set(re.findall(r"licences/([\w.-]+)", (FOLDER / "PROVENANCE.md").read_text("utf-8")))
    assert named == {path.name for path in (FOLDER / "licences").iterdir()}
    assert all((FOLDER / "licences" / name).stat().st_size > 200 for name in named)
