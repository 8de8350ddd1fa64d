"""Markdown shows a puzzle's texts as they stand."""

from dataclasses import replace

from hypothesis import given
from markdown_it import MarkdownIt

from tests.examples import examples
from tests.generators import one_liners
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.markdown import escaped
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Bar, Position, Puzzle


def test_a_page() -> None:
    grid = grid_from_text("AB#\nCDE\n_F[GH]").with_bars([Bar(Position(1, 1), Position(1, 2))])
    grid = grid.with_squares({Position(0, 1): replace(grid[Position(0, 1)], circle=True, shade=True)})
    puzzle = Puzzle(grid, title="A *title*", author="Me", notes="One\nTwo", copyright="©")
    puzzle = puzzle.with_clue(grid.slot("1A"), "1. <First> & #1")
    assert puzzle_bytes(puzzle, ".md").data.decode() == PAGE


PAGE = r"""# A \*title\*

by Me

> One
> Two

```text
+----+----+----+
|1   |2   |████|
|    |(··)|████|
+----+----+----+
|3   |    #4   |
|    |    #    |
+----+----+----+
|    |5   |    |
|    |    |    |
+----+----+----+
```

## Across

**1** 1\. \<First\> \& \#1\
**3** —\
**5** —

## Down

**1** —\
**2** —\
**4** —

## Solution

```text
AB#
CDE
_F[GH]
```

©
"""


@given(one_liners())
@examples(100)
def test_texts_show_as_they_stand(text: str) -> None:
    tokens = MarkdownIt().parse(f"x\n\n{escaped(text)}\n\nx")
    inline = [token for token in tokens if token.type == "inline"]
    shown = "".join(child.content for token in inline[1:-1] for child in token.children or [])
    assert shown == text


def test_an_untitled_page() -> None:
    assert puzzle_bytes(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), ".md").data.startswith(b"# Untitled\n")
