"""Theme answers out of files: what stands in brackets is a rebus square, in every encoding that lists come in."""

import gzip
from pathlib import Path

import pytest

from xwtui.words.theme_answers import read_answers

LINES = "LO[CAT]ION SCOUT;60\nDéjà [VU] café;50\nPLAIN;40\n"
ANSWERS = ("LO[CAT]IONSCOUT", "DEJA[VU]CAFE", "PLAIN")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_in_other_encodings_keep_their_rebus_squares(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(LINES.encode(encoding))
    assert read_answers([str(path)]) == ANSWERS


def test_a_packed_file_keeps_its_rebus_squares(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(gzip.compress(LINES.encode()))
    assert read_answers([str(path)]) == ANSWERS
