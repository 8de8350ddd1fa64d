"""The puzzle's alphabet: its verb, reports about letters outside it, and which layers apply."""

from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, refuses, said
from tests.writing import written
from xwtui.errors import PuzzleError
from xwtui.model import Position
from xwtui.resources import user_alphabets_folder, user_lists_folder
from xwtui.session.session import Session
from xwtui.session.verbs.kinds import ALPHABET
from xwtui.session.verbs.parsing import ArgumentError
from xwtui.session.verbs.registry import run_line
from xwtui.tui.grid_editor import GridEditor
from xwtui.words.alphabets import find_alphabet
from xwtui.words.layers import find_user_lists
from xwtui.words.sources import load_lexicon

DICTIONARY = Path(__file__).parents[1] / "words" / "hunspell" / "xx_XX.dic"


@pytest.fixture(autouse=True)
def _lists() -> None:
    user_lists_folder().mkdir(parents=True)


def test_folded_letters_are_reported_and_letters_of_the_alphabet_kept(bench: Session) -> None:
    said(bench, "new 4x4")
    assert said(bench, "set 1A MÅNE").splitlines() == [
        "1A: MANE",
        "English lacks Å, written A; `alphabet` lists others that may have it",
    ]
    assert said(bench, "alphabet Swedish") == "alphabet: Swedish: A-Z Å Ä Ö"
    assert said(bench, "set 1A Måne").splitlines()[0] == "1A: MÅNE"
    assert "Swedish lacks É, written E" in said(bench, "set r2c1 é")
    said(bench, "undo", "undo", "undo")
    assert bench.puzzle.alphabet.name == "english"
    said(bench, "redo")
    assert bench.puzzle.alphabet == find_alphabet("swedish")
    assert "alphabet: Swedish, A-Z Å Ä Ö" in said(bench, "stats")
    refuses(bench, "set r1c1 Ж", "'Ж', which Swedish lacks", ArgumentError)


def test_letters_outside_a_new_alphabet_are_named_and_kept(bench: Session) -> None:
    told = said(bench, "new 4x4", "alphabet swedish", "set 1A MÅNE", "alphabet spanish")
    assert told.splitlines()[1] == "Spanish lacks letters in the grid: r1c2 Å"
    assert bench.puzzle.grid.pattern(bench.puzzle.grid.slot("1A")) == "MÅNE"


def test_words_rules_and_patterns_are_parsed_in_the_alphabet(bench: Session) -> None:
    said(bench, "new 4x4", "alphabet spanish-ch-ll", "ban niño", "rule 1A --match .*Ñ.*", "pangram ñch")
    assert bench.puzzle.words.banned == {"NIÑO"}
    assert "pangram: Ñ C H each somewhere" in said(bench, "pangram")
    assert said(bench, "set 1A lloche").splitlines()[0] == "1A: [LL]O[CH]E"
    assert said(bench, "set r2c1 ch").splitlines()[0] == "r2c1: [CH]"


def test_a_digraph_counts_as_one_letter_and_not_as_a_rebus(bench: Session) -> None:
    said(bench, "new 4x4", "alphabet dutch", "set 1A IJSJE")
    figures = said(bench, "stats").splitlines()
    assert "grid: 4×4, 0 blocks, 0 rebus squares, 0 cheaters" in figures
    assert "letters: E1 IJ1 J1 S1" in figures
    one_letter = "rebus square: the profile la-times allows one letter per square"
    assert one_letter not in said(bench, "check --profile la-times")
    said(bench, "set r2c1 [IJS]")
    assert f"{one_letter}: r2c1" in said(bench, "check --profile la-times")
    said(bench, "symmetry none", "block r4c4")
    assert "grid: 4×4, 1 block, 1 rebus square, 1 cheater" in said(bench, "stats").splitlines()
    said(bench, "new 5 --force", "alphabet dutch", "set r5c5 IJ")
    refuses(bench, "resize 4", "would drop 1 letter in pen;")


def test_a_pangram_uses_the_letters_of_the_alphabet(bench: Session) -> None:
    said(bench, "alphabet greek")
    assert said(bench, "pangram on") == "pangram: Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ Ν Ξ Ο Π Ρ Σ Τ Υ Φ Χ Ψ Ω each somewhere"


def test_find_reports_letters_changed_in_a_list(bench: Session, tmp_path: Path) -> None:
    words = written(tmp_path / "w.txt", "NIÑO\nidé\n")
    lines = said(bench, f"find ???? --words {words}").splitlines()
    assert lines[-1] == "English lacks Ñ, written N; É, written E; `alphabet` lists others that may have it"
    assert "lacks" not in said(bench, "alphabet spanish", f"find ???? --words {words}")
    assert "NIÑO" in said(bench, f"find ?iñ? --words {words}")


def test_digraphs_in_brackets_are_among_the_letters_of_a_square(bench: Session) -> None:
    said(bench, "new 4x4", "alphabet spanish-ch-ll")
    assert said(bench, "letters r1c1 A[CH]").startswith("r1c1: only A [CH]")
    assert said(bench, "letters r1c2 CH").startswith("r1c2: only C H")
    refuses(bench, "letters r1c3 [A", "is not an answer", PuzzleError)


def test_keys_write_letters_of_the_alphabet_and_digraphs_in_one_square(bench: Session) -> None:
    said(bench, "new 5x5", "alphabet dutch")
    editor = GridEditor(bench)
    for key in "bijijk":
        editor.type_letter(key)
    assert bench.puzzle.grid.pattern(bench.puzzle.grid.slot("1A")) == "B[IJ][IJ]K?"
    editor.erase_back()
    editor.type_letter("i")
    bench.cursor.move_to(Position(0, 4))
    editor.type_letter("j")
    assert bench.puzzle.grid.pattern(bench.puzzle.grid.slot("1A")) == "B[IJ][IJ]IJ"
    bench.cursor.move_to(Position(1, 0))
    editor.paste("ij[x/y]sijk")
    assert bench.puzzle.grid.pattern(bench.puzzle.grid.slot("6A")) == "[IJ]XS[IJ]K"


def test_the_last_square_accepts_the_second_letter_of_a_digraph(bench: Session) -> None:
    said(bench, "new 3x3", "alphabet spanish-ch-ll")
    editor = GridEditor(bench)
    for key in "lech":
        editor.type_letter(key)
    assert bench.puzzle.grid.pattern(bench.puzzle.grid.slot("1A")) == "LE[CH]"
    with pytest.raises(PuzzleError, match="was not written: 1A has 3 squares"):
        editor.type_letter("a")


def test_all_alphabets_are_shown(bench: Session) -> None:
    lines = said(bench, "alphabet").splitlines()
    assert lines[0] == "alphabet: English: A-Z"
    assert "swedish        Swedish: A-Z Å Ä Ö" in lines
    refuses(bench, "alphabet klingon", "there is no alphabet 'klingon'", ArgumentError)


def test_a_damaged_alphabet_file_hides_no_other_alphabet(bench: Session) -> None:
    folder = user_alphabets_folder()
    folder.mkdir(parents=True)
    (folder / "klingon.toml").write_text('title = "Klingon"\n')
    (folder / "My_Own.toml").write_text('title = "Mine"\nletters = "A B C"\n')
    lines = said(bench, "alphabet").splitlines()
    assert "swedish        Swedish: A-Z Å Ä Ö" in lines
    assert f"klingon        {folder / 'klingon.toml'}: an alphabet has a `title`" in "\n".join(lines)
    assert "My_Own" not in "\n".join(lines), "no verb can name it"
    assert [one.value for one in ALPHABET.offers(bench, "kl")] == ["klingon"]


def test_a_built_list_applies_only_to_puzzles_in_its_language(bench: Session) -> None:
    reply = run_line(bench, f"lists build sv --from {DICTIONARY}")
    assert bench.wait(PATIENCE_SECONDS)
    assert reply.answer is not None
    built = reply.answer()
    assert built.as_json["words"] == 15
    assert "alphabet swedish" in "\n".join(built.lines)
    choice = bench.puzzle.words
    user = find_user_lists()
    english = load_lexicon(choice, user=user)
    assert [layer.name for layer in english.layers] == ["default"]
    said(bench, "alphabet swedish")
    swedish = load_lexicon(bench.puzzle.words, user=user)
    assert [layer.name for layer in swedish.layers] == ["sv"]
    assert swedish.lexicon.score("MÅNE") == 60
    assert not swedish.warnings
    said(bench, "lists off sv")
    none = load_lexicon(bench.puzzle.words, user=find_user_lists())
    assert none.warnings == ("default: its words are English: `lists build` makes lists for other languages",)
    assert "swedish: not used here" in said(bench, "lists on sv", "alphabet english", "lists")
