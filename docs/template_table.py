"""Write the table of the templates in puzzles/README.md, from the templates: `python docs/template_table.py`."""

import re

import click

from xwtui.grids.templates import template_files, template_grid
from xwtui.model import Direction, Grid
from xwtui.model.statistics import grid_statistics
from xwtui.resources import puzzles_folder

THEME_LENGTH = 9
"""The shortest across entry that is shown as room for a theme."""

_MARKED = re.compile(r"(<!-- table: templates -->\n).*?(<!-- end of table -->)", re.DOTALL)


def template_row(name: str, grid: Grid) -> str:
    """A row of the table: the name, entries, blocks, the mean length and the long across entries."""
    figures = grid_statistics(grid, lambda _: None)
    room = ", ".join(
        f"{slot.name} {len(slot)}"
        for slot in grid.slots
        if slot.direction is Direction.ACROSS and len(slot) >= THEME_LENGTH
    )
    mean_length = sum(map(len, grid.slots)) / len(grid.slots)
    return f"| `{name}` | {figures.entries} | {figures.blocks} | {mean_length:.2f} | {room} |"


def with_table(text: str) -> str:
    """The text with its marked table made anew from the templates that ship."""
    rows = [template_row(path.stem, template_grid(path)) for path in template_files()]
    head = ["| template | entries | blocks | mean length | room for a theme, across |", "|---|---|---|---|---|"]
    table = "\n".join([*head, *rows])
    return _MARKED.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text)


@click.command(help=__doc__)
def main() -> None:
    """Bring puzzles/README.md up to date."""
    readme = puzzles_folder() / "README.md"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(with_table(text), encoding="utf-8")


if __name__ == "__main__":
    main()
