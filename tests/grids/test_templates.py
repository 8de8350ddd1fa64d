"""Templates are found by what they are; a naive look at every choice of entries says the same of each."""

from collections import Counter
from itertools import combinations

import pytest

from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.templates import (
    NO_LACKS,
    FoundTemplate,
    Template,
    TemplateWanted,
    find_templates,
    read_query,
    template_library,
)
from xwtui.model import Direction, Position, Slot
from xwtui.model.review import Check, review

SMALL = [one for one in template_library() if one.grid.height <= 13]


def naive_sets(template: Template, lengths: tuple[int, ...], direction: Direction) -> list[tuple[Slot, ...]]:
    """Every choice of slots of these lengths that is its own image, turned by half."""
    grid = template.grid
    slots = [slot for slot in grid.slots if slot.direction is direction and len(slot) in lengths]
    found = []
    for chosen in combinations(slots, len(lengths)):
        if sorted(map(len, chosen)) != sorted(lengths):
            continue
        squares = {at for slot in chosen for at in slot.positions}
        if {Position(grid.height - 1 - at.row, grid.width - 1 - at.column) for at in squares} == squares:
            found.append(chosen)
    return found


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("lengths", [(11,), (9, 9), (9, 11, 9), (7, 7, 5), (8, 8, 8), (5, 5, 7, 7), (6, 9)])
def test_those_are_found_that_have_symmetric_entries(lengths: tuple[int, ...], direction: Direction) -> None:
    is_across = direction is Direction.ACROSS
    wanted = TemplateWanted(across=lengths if is_across else (), down=() if is_across else lengths)
    found = {one.template.name: one for one in find_templates(wanted, SMALL) if one.fits}
    expected = {one.name: sets for one in SMALL if (sets := naive_sets(one, lengths, direction))}
    assert found.keys() == expected.keys()
    for name, one in found.items():
        assert set(one.slots) in [set(chosen) for chosen in expected[name]]


@pytest.mark.parametrize("lengths", [(5, 7, 7, 5), (7, 5, 5, 7), (5, 5, 7, 7)])
def test_the_order_counts_where_that_is_asked(lengths: tuple[int, ...]) -> None:
    found = {one.template.name for one in find_templates(TemplateWanted(across=lengths, in_order=True), SMALL)}
    fitting = {
        one.name
        for one in SMALL
        for chosen in naive_sets(one, lengths, Direction.ACROSS)
        if tuple(len(slot) for slot in sorted(chosen, key=lambda slot: slot.start)) == lengths
    }
    assert fitting <= found
    assert (not fitting) or found == fitting


def test_all_that_is_found_has_what_is_wanted() -> None:
    for one in find_templates(read_query("15x15 >=72 <77 <=38b")):
        grid, template = one.template.grid, one.template
        assert (grid.height, grid.width) == (15, 15)
        assert 72 <= template.words == len(grid.slots) <= 76
        assert template.blocks <= 38
        assert one.fits


def test_where_none_fits_the_nearest_are_told_with_what_they_lack() -> None:
    found = find_templates(read_query("15x15 11,11,14"))
    assert found
    assert not any(one.fits for one in found)
    assert found[0].lacks.across == (14,)
    assert [one.lacks.measure for one in found] == sorted(one.lacks.measure for one in found)
    (few,) = {one.lacks.words < 0 for one in find_templates(read_query("9x9 >100"))}
    assert few
    assert {one.lacks.size for one in find_templates(read_query("16x15"))} == {1}
    assert find_templates(read_query("horoscope")) == ()


def test_entries_well_apart_are_taken_before_stacked_ones() -> None:
    open_grid = Template("open", grid_from_text("\n".join(["....."] * 5)))
    (found,) = find_templates(TemplateWanted(across=(5, 5)), [open_grid])
    assert [run.line for run in found.across] == [0, 4]


def test_a_template_in_which_no_other_entry_is_as_long_comes_first() -> None:
    plain = Template("b", grid_from_text("...#\n....\n....\n#..."))
    crowded = Template("a", grid_from_text("....\n....\n....\n...."))
    wanted = TemplateWanted(across=(4, 4))
    assert [one.template.name for one in find_templates(wanted, [crowded, plain])] == ["a", "b"]
    fenced = Template("c", grid_from_text("....\n.##.\n.##.\n...."))
    assert find_templates(wanted, [crowded, fenced])[0].template.name == "c"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", TemplateWanted()),
        ("15x15 11,11 <78", TemplateWanted(size=(15, 15), most_words=77, across=(11, 11))),
        ("13X15 11 9,9d", TemplateWanted(size=(13, 15), across=(11,), down=(9, 9))),
        (">=70 <=38b =3b", TemplateWanted(fewest_words=70, fewest_blocks=3, most_blocks=3)),
        ("British 15x", TemplateWanted(names=("british", "15x"))),
        ("11, <", TemplateWanted(across=(11,))),
        ("7d,7d", TemplateWanted(down=(7, 7))),
    ],
)
def test_what_is_typed_is_read(text: str, wanted: TemplateWanted) -> None:
    assert read_query(text) == wanted
    assert read_query(wanted.query) == wanted


def test_a_template_begins_a_puzzle_without_objections_to_its_layout() -> None:
    for one in template_library():
        found = {finding.rule for finding in review(one.puzzle)}
        assert Check.SYMMETRY not in found
    assert FoundTemplate(template_library()[0]).lacks == NO_LACKS


def test_lengths_are_counted_as_often_as_they_are_wanted() -> None:
    for one in find_templates(read_query("15x15 11,11,11,11")):
        assert Counter(len(slot) for slot in one.slots) == {11: 4}
