"""SVG: the empty grid with its numbers, or the solution, for web pages and drawing programs."""

from xml.etree import ElementTree

from xwtui.formats.base import Losses, Written, add_no_clues, add_no_titles
from xwtui.formats.drawing import Box, Label, Ring, Shape, Stroke, shapes
from xwtui.formats.plain_text import clean_line
from xwtui.model import Puzzle

_SQUARE = 40
_MARGIN = 4
_FONT = "'Liberation Sans', Arial, Helvetica, sans-serif"


def write_grid(puzzle: Puzzle, lossy: bool = False) -> Written:
    """The empty grid."""
    return _drawn(puzzle, solved=False)


def write_solution(puzzle: Puzzle, lossy: bool = False) -> Written:
    """The filled grid."""
    return _drawn(puzzle, solved=True)


def _drawn(puzzle: Puzzle, *, solved: bool) -> Written:
    losses = Losses("SVG")
    add_no_titles(puzzle, losses, kept=("title",))
    add_no_clues(puzzle, losses)
    grid = puzzle.grid
    width, height = (side * _SQUARE + 2 * _MARGIN for side in (grid.width, grid.height))
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": str(width),
            "height": str(height),
            "viewBox": f"0 0 {width} {height}",
            "font-family": _FONT,
        },
    )
    ElementTree.SubElement(root, "title").text = clean_line(puzzle.title, "the title") or "Crossword"
    drawing = ElementTree.SubElement(root, "g", transform=f"translate({_MARGIN} {_MARGIN})")
    for shape in shapes(grid, solved=solved):
        ElementTree.SubElement(drawing, *_element(shape)).text = shape.text if isinstance(shape, Label) else None
    ElementTree.indent(root, space="")
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return Written(data + b"\n", losses.settle(lossy=True))


def _element(shape: Shape) -> tuple[str, dict[str, str]]:
    match shape:
        case Box(left, top, width, height, grey):
            fill = f"#{round(grey * 255):02x}" + f"{round(grey * 255):02x}" * 2
            return "rect", {**_scaled(x=left, y=top, width=width, height=height), "fill": fill}
        case Stroke(left, top, right, bottom, thickness):
            ends = {"x1": left, "y1": top, "x2": right, "y2": bottom, "stroke-width": thickness}
            return "line", {**_scaled(**ends), "stroke": "#000", "stroke-linecap": "square"}
        case Ring(across, down, radius, thickness):
            sizes = {"cx": across, "cy": down, "r": radius, "stroke-width": thickness}
            return "circle", {**_scaled(**sizes), "stroke": "#000", "fill": "none"}
        case Label(_, across, baseline, size, centred):
            anchor = {"text-anchor": "middle"} if centred else {}
            return "text", {**_scaled(x=across, y=baseline, **{"font-size": size}), **anchor}


def _scaled(**lengths: float) -> dict[str, str]:
    return {name: f"{length * _SQUARE:g}" for name, length in lengths.items()}
