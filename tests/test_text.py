"""Text on its way to a terminal."""

import pytest

from xwtui.text import wrapped


@pytest.mark.parametrize(
    ("line", "width", "pieces"),
    [
        ("one two three", 20, ["one two three"]),
        ("one two three", 8, ["one two", "three"]),
        (
            "  --all  go on through every fill",
            18,
            ["  --all  go on", "         through", "         every", "         fill"],
        ),
        ("  1. change it to a letter", 16, ["  1. change it", "  to a letter"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 4, [""]),
    ],
)
def test_a_long_line_is_cut_between_words_and_hangs_below_its_text(
    line: str, width: int, pieces: list[str]
) -> None:
    assert wrapped(line, width) == pieces
