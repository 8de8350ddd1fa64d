"""Theme answers out of files: what stands in brackets is a rebus square, in every encoding that lists come in."""

import gzip
from pathlib import Path

import pytest

from xwtui.model.alphabet import ENGLISH
from xwtui.words.alphabets import find_alphabet
from xwtui.words.normalise import noting_folds
from xwtui.words.theme_answers import read_answers

LINES = "LO[CAT]ION SCOUT;60\nDéjà [VU] café;50\nPLAIN;40\n"
ANSWERS = ("LO[CAT]IONSCOUT", "DEJA[VU]CAFE", "PLAIN")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_in_other_encodings_keep_their_rebus_squares(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(LINES.encode(encoding))
    assert read_answers([str(path)], ENGLISH) == ANSWERS


def test_a_packed_file_keeps_its_rebus_squares(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(gzip.compress(LINES.encode()))
    assert read_answers([str(path)], ENGLISH) == ANSWERS


def test_words_and_files_are_read_in_an_alphabet_and_what_it_lacks_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_text("MÅNE;50\nÉcu;40\nX[Å]Z;30\n")
    with noting_folds() as folds:
        assert read_answers([str(path), "Bålé"], find_alphabet("swedish")) == ("MÅNE", "ECU", "X[Å]Z", "BÅLE")
    assert folds == {"É": "E"}
    with noting_folds() as folds:
        assert read_answers([str(path)], ENGLISH) == ("MANE", "ECU", "X[A]Z")
    assert folds == {"Å": "A", "É": "E"}


def test_digraphs_of_the_alphabet_take_one_square(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_text("IJSBEER;50\n")
    assert read_answers([str(path), "ijs"], find_alphabet("dutch")) == ("[IJ]SBEER", "[IJ]S")
