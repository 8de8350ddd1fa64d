from xwtui.formats.grid_text import grid_from_text
from xwtui.model.hidden_names import names_along_lines

GRID = grid_from_text("S.AM\nASXA\n#A..\nMMSA")


def told(name: str) -> list[str]:
    return [" ".join(map(str, place)) for place in names_along_lines(GRID, name)]


def test_a_name_stands_in_order_with_any_gaps_the_narrowest_place_first() -> None:
    assert told("SAM") == ["r2c2 r3c2 r4c2", "r1c1 r1c3 r1c4", "r1c1 r2c1 r4c1"]


def test_the_narrowest_place_of_a_line_is_taken() -> None:
    grid = grid_from_text("S.SAM\n.....\n.....")
    assert [" ".join(map(str, place)) for place in names_along_lines(grid, "SAM")] == ["r1c3 r1c4 r1c5"]


def test_a_rebus_square_has_several_letters_of_it() -> None:
    grid = grid_from_text("[SA]X[ME]M\n....\n....")
    assert [" ".join(map(str, place)) for place in names_along_lines(grid, "SAM")] == ["r1c1 r1c4"]


def test_what_no_line_has_is_nowhere() -> None:
    assert told("MASX") == []
