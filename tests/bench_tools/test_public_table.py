"""The page of the public yardstick says what was measured, and nothing that was not."""

from bench.public_table import CheckedProof, Instance, Page, Square, line, markdown, proof_line, summary
from bench.published import Published

PUBLISHED = Published({"COMBUS": 86.0, "Gecode": None, "restarts": 1.576, "no-goods": 1.582})
FILLED = Instance("words", "15.01", ["filled", "filled"], [0.5, 0.25], [76, 100], PUBLISHED)
OPEN = Instance("words", "15.02", ["filled", "unknown"], [0.5, 10.0], [76, 9000], Published.unknown())


def test_a_line_has_our_medians_and_the_published_seconds() -> None:
    assert line(FILLED).split() == ["words", "15.01", "filled", "88", "0.375", "86", "-", "1.58", "1.58"]
    assert line(OPEN).split()[2] == "unknown"


def test_only_an_instance_that_every_seed_settles_counts() -> None:
    assert summary([FILLED, OPEN]) == [
        "words: 1 of 2 settled, median 0.375 s, slowest 0.38 s "
        "(settled by others: COMBUS 1, Gecode 0, restarts 1, no-goods 1)"
    ]
    assert summary([OPEN])[0].startswith("words: 0 of 1 settled (")


def test_the_page_has_all_parts() -> None:
    page = Page("One seed.", [FILLED, OPEN], [Square("list", 5, "all fills", "72", 0.1)], "## Notes\n\nTried.\n")
    text = markdown(page)
    for part in ("# The public grids\n", "One seed.", "| words | 15.01 | filled |", "| 5×5 | all fills | 72 |"):
        assert part in text
    assert text.endswith("## Notes\n\nTried.\n")
    assert "Proofs, checked" not in text
    assert "Word squares" not in markdown(Page("One seed.", [FILLED]))


def test_a_checked_proof_has_its_row() -> None:
    proof = CheckedProof("words", "23.01", "accepted: there is no fill; leaves: 1", 801, 0.5, 0.25)
    row = "| words | 23.01 | accepted: there is no fill; leaves: 1 | 801 | 0.5 | 0.2 |"
    assert row in markdown(Page("", proofs=[proof]))
    assert proof_line(proof).split()[:4] == ["words", "23.01", "801", "0.5"]
