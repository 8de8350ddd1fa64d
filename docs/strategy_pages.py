"""Write the generated parts of docs/strategies/*.md from the declarations: `python -m docs.strategy_pages`.

A part stands between `<!-- part: NAME -->` and `<!-- end of part -->`; what stood there is replaced. Parts that
are measured are written by `docs.strategy_figures` and left alone here.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from docs.strategy_pictures import SCENES
from xwtui.engine.problem.task import Task
from xwtui.model import Grid
from xwtui.strategies.protocol import OptionValues, Strategy
from xwtui.strategies.registry import STRATEGIES
from xwtui.words.lexicon import Lexicon

FOLDER = Path(__file__).resolve().parent / "strategies"

_PART = re.compile(r"(<!-- part: ([a-z0-9-]+) -->\n).*?(<!-- end of part -->)", re.DOTALL)

Part = Callable[[type[Strategy]], str]


def options(strategy: type[Strategy]) -> str:
    """The options in a table."""
    if not strategy.options:
        return "This strategy has no options."
    rows = [f"| `{one.name}` | `{one.default}` | {one.expected} | {one.help} |" for one in strategy.options]
    return "\n".join(["| option | default | values | what it does |", "|---|---|---|---|", *rows])


def picture(strategy: type[Strategy]) -> str:
    """The recorded picture, and how to come to it."""
    scene = SCENES[strategy.name]
    return "\n".join(
        [
            f"![{strategy.name} at work]({strategy.name}.svg)",
            "",
            "Recorded with the default list and seed 0. To get there:",
            "",
            "```",
            f"xwtui puzzles/templates/{scene.template}.txt",
            *(f":{line}" for line in _folded(scene.lines)),
            f"@          the watch screen; c colors the squares, here by {scene.colouring.value}",
            "```",
        ]
    )


def _folded(lines: tuple[str, ...]) -> list[str]:
    """The lines, with a count for one that is given several times in a row."""
    folded: list[tuple[str, int]] = []
    for line in lines:
        if folded and folded[-1][0] == line:
            folded[-1] = line, folded[-1][1] + 1
        else:
            folded.append((line, 1))
    return [line if count == 1 else f"{line:<20}  ({count} times)" for line, count in folded]


def overview() -> str:
    """All strategies in a table, for the guide."""
    head = ["| strategy | what it does | from | finds every fill |", "|---|---|---|---|"]
    return "\n".join([*head, *map(_row, STRATEGIES.values())])


def indexes() -> str:
    """What every strategy looks its words up in, in a table."""
    head = ["| strategy | look-up | what it finds |", "|---|---|---|"]
    rows = (f"| [{name}]({name}.md) | {one.index.kind} | {one.index.asked} |" for name, one in STRATEGIES.items())
    return "\n".join([*head, *rows])


def _row(strategy: type[Strategy]) -> str:
    name = strategy.name
    return f"| [{name}]({name}.md) | {strategy.summary} | {strategy.source} | {_completeness(strategy)} |"


def _completeness(strategy: type[Strategy]) -> str:
    """Whether it finds every fill by default, and what makes it do otherwise."""
    values = OptionValues.of(strategy.name, strategy.options)
    default = is_complete(strategy, values)
    others = [
        f"`{option.name}={choice}`"
        for option in strategy.options
        for choice in option.choices
        if is_complete(strategy, OptionValues({**values.texts, option.name: choice})) is not default
    ]
    if not others:
        return "yes" if default else "no"
    return f"{'yes, except' if default else 'only'} with {', '.join(others)}"


def is_complete(strategy: type[Strategy], values: OptionValues) -> bool:
    """Whether a strategy finds every fill with these values; what is to be filled has no say in it."""
    return strategy(Task(Grid.blank(3, 3), Lexicon.build([])), values, seed=0).is_complete


PARTS: Mapping[str, Part] = {"options": options, "picture": picture}
GUIDE_PARTS: Mapping[str, Callable[[], str]] = {"strategies": overview, "indexes": indexes}


def with_parts(text: str, name: str) -> str:
    """The text of a strategy's page, or of the guide, with each part of it that is declared made anew."""

    def made(found: re.Match[str]) -> str:
        if found[2] in GUIDE_PARTS:
            return f"{found[1]}\n{GUIDE_PARTS[found[2]]()}\n\n{found[3]}"
        if found[2] in PARTS:
            return f"{found[1]}\n{PARTS[found[2]](STRATEGIES[name])}\n\n{found[3]}"
        return found[0]

    return _PART.sub(made, text)


def part_names(text: str) -> list[str]:
    """The names of the parts that a text has markers for."""
    return [found[2] for found in _PART.finditer(text)]


def with_part(text: str, name: str, lines: list[str]) -> str:
    """The text with one part replaced; raises KeyError where it is not there."""
    if name not in part_names(text):
        raise KeyError(name)
    body = "\n".join(lines)
    return _PART.sub(lambda found: f"{found[1]}\n{body}\n\n{found[3]}" if found[2] == name else found[0], text)


def pages() -> list[Path]:
    """The guide and the pages of all strategies."""
    return [FOLDER / "README.md", *(FOLDER / f"{name}.md" for name in STRATEGIES)]


@click.command(help=__doc__)
def main() -> None:
    """Bring the pages up to date."""
    for path in pages():
        before = path.read_text(encoding="utf-8")
        after = with_parts(before, path.stem)
        path.write_text(after, encoding="utf-8")
        print(f"{path.name}: {'as it was' if after == before else 'written anew'}")


if __name__ == "__main__":
    main()
