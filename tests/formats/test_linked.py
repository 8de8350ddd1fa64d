"""Linked lights in files: each format keeps them as its convention has it, and reads them again."""

import json

import pytest

from tests.formats.ipuz_documents import read, written
from xwtui.formats.clues import linked_by_texts
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, take_bytes
from xwtui.model import Kind, Position, Puzzle
from xwtui.model.edits import link, set_kind, unlink
from xwtui.model.enumeration import AnswerEnumeration

GRID = grid_from_text("MARY#P\nA##O#O\nB#SPAP\nL##P#P\nESSAYI\n#####N")


def nanny() -> Puzzle:
    """MARYPOPPIN in 1A and 3D; 5A is linked with 2D, which crosses it."""
    slots = GRID.slots_by_name
    puzzle = link(link(puzzle_of_grid(GRID), [slots["1A"], slots["3D"]]), [slots["5A"], slots["2D"]])
    puzzle = puzzle.with_clue(slots["1A"], "Flying *nanny*")
    puzzle = puzzle.with_enumeration(slots["1A"], AnswerEnumeration.parse("4,6"))
    return puzzle.with_clue(slots["4A"], "Health resort").with_clue(slots["5A"], "Two: one square")


@pytest.mark.parametrize("suffix", [".ipuz", ".jpz", ".puz", ".xd", ".al.txt"])
def test_links_are_kept(suffix: str) -> None:
    puzzle = nanny()
    again, warnings = take_bytes(puzzle_bytes(puzzle, suffix).data, suffix)
    assert not warnings
    assert again.grid.links == puzzle.grid.links
    for slot in puzzle.grid.slots:
        assert again.solver_clue(slot) == puzzle.solver_clue(slot), slot.name
    assert again.grid.answer(again.grid.entry("1A")) == "MARYPOPPIN"
    assert not again.stale_clues


def test_ipuz_says_where_the_clue_continues() -> None:
    clues = json.loads(puzzle_bytes(nanny(), ".ipuz").data)["clues"]
    assert clues["Across"][0] == {
        "number": 1,
        "clue": "Flying <i>nanny</i>",
        "enumeration": "4 6",
        "continued": [{"direction": "Down", "number": 3}],
    }
    assert [3, "See 1 Across"] in clues["Down"]


def test_ipuz_keeps_what_waits_and_what_a_light_had_before() -> None:
    """A link one of whose lights is gone, and the clue that a light had before it was linked."""
    slots = GRID.slots_by_name
    puzzle = puzzle_of_grid(GRID).with_clue(slots["3D"], "A song with ins")
    linked = link(puzzle, [slots["1A"], slots["3D"]])
    again = read(**written(linked))
    assert unlink(again, slots["3D"].key).clue(slots["3D"]) == "A song with ins"
    waiting = set_kind(linked, Position(0, 5), Kind.BLOCK)
    assert waiting.grid.waiting_links
    assert read(**written(waiting)).grid.links == linked.grid.links


def test_links_of_other_programs_are_read_or_left() -> None:
    document = written(nanny())
    for clue in (one for one in document["clues"]["Across"] if isinstance(one, dict)):
        clue.pop("continued", None)
    assert not read(**document).grid.links
    document["clues"]["Across"][0]["number"] = "1, 3dn"
    assert [len(link) for link in read(**document).grid.links] == [2]
    document = written(nanny())
    document["clues"]["Down"][2] = [3, "A clue of its own"]
    again = read(**document)
    assert [link[0] for link in again.grid.links] == [GRID.slot("5A").key]
    assert written(again)["clues"]["Across"][0]["continued"] == [{"direction": "Down", "number": 3}]


@pytest.mark.parametrize(
    ("texts", "links"),
    [
        ({"1A": "1,3D: Nanny", "3D": "See 1"}, 1),
        ({"1A": "1/3D: Nanny", "3D": "see 1-Across."}, 1),
        ({"1A": "1, 3: Nanny"}, 1),
        ({"1A": "1,3D: Nanny", "3D": "See the sea"}, 0),
        ({"1A": "1,9D: Nanny"}, 0),
        ({"1A": "4,3D: Nanny"}, 0),
        ({"1A": "1,3D:30 in the morning"}, 1),
        ({"1A": "Nanny", "3D": "See 1"}, 0),
        ({"1A": "1,3D: Nanny", "4A": "4,3D: Spa"}, 1),
    ],
)
def test_numbers_before_a_clue_tell_of_a_link(texts: dict[str, str], links: int) -> None:
    given = {GRID.slot(name).key: text for name, text in texts.items()}
    linked = linked_by_texts(GRID, given)
    assert len(linked.grid.links) == links
    if not links:
        assert linked.texts == given
    else:
        assert GRID.slot("3D").key not in linked.texts


@pytest.mark.parametrize(
    ("suffix", "told"),
    [
        (".md", ["**1,3D** Flying *nanny* (4,6)", "**3** See 1 Across"]),
        (".xd", ["A1. 1,3D: Flying {/nanny/} (4,6) ~ MARY", "D3. See 1 Across ~ POPPIN"]),
        (".al.txt", ["1,3D: Flying nanny (4,6)", "See 1 Across"]),
        (".html", ['"number":"1,3D"', '"name":"1A,3D"']),
    ],
)
def test_what_is_written(suffix: str, told: list[str]) -> None:
    text = puzzle_bytes(nanny(), suffix).data.decode()
    for each in told:
        assert each in text


@pytest.mark.parametrize("suffix", [".pdf", ".manuscript.pdf", ".svg"])
def test_what_is_printed_is_written(suffix: str) -> None:
    assert puzzle_bytes(nanny(), suffix).data
