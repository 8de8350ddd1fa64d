"""Write the tables of the pages on keys, verbs, rules and Python: `python docs/verb_tables.py`.

A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`; what stood there is replaced.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click

from xwtui import api, insight
from xwtui.parameters import Limits, keywords_of
from xwtui.session.keys.key_map import own_map
from xwtui.session.keys.names import key_cap
from xwtui.session.verbs.dialogue import PLACES, own_keys
from xwtui.session.verbs.registry import SECTIONS, VERBS
from xwtui.session.verbs.verb import Group, Verb

_MOST_EXAMPLES = 2


def verb_table() -> str:
    """All verbs as Markdown tables: the main set by task, then the others."""
    lines = []
    for heading, members in SECTIONS.items():
        lines += [f"### {heading}", "", "| Verb | What it does | Key |", "| --- | --- | --- |"]
        lines += [f"| `{_escaped(one.usage)}` | {_escaped(one.summary)} | {_caps(one)} |" for one in members]
        lines.append("")
    return "\n".join(lines)


def places_table() -> str:
    """How squares and entries are named, as a Markdown table."""
    lines = ["| Squares | Which they are, in which order |", "| --- | --- |"]
    lines += [f"| {_codes(forms)} | {_escaped(meaning)} |" for forms, meaning in PLACES.table]
    return "\n".join(lines) + "\n"


def rule_table() -> str:
    """The verbs of the rules as a Markdown table: examples, and what the verb does."""
    lines = ["| For example | What it does |", "| --- | --- |"]
    lines += [
        f"| {_codes(verb.examples[:_MOST_EXAMPLES])} | {_escaped(verb.summary)} |"
        for verb in VERBS.values()
        if verb.group is Group.RULES
    ]
    return "\n".join(lines) + "\n"


def key_table(own: Iterable[tuple[str, str]] = ()) -> str:
    """All keys as a Markdown table: a face's own, each with its meaning, then those of the verbs."""
    lines = ["| Key | What it does |", "| --- | --- |"]
    lines += [f"| {_code(key)} | {_escaped(meaning)} |" for key, meaning in own]
    lines += [
        f"| {_caps(verb)} | {_escaped(verb.summary)} (`{verb.name}`) |"
        for verb in VERBS.values()
        if own_map().keys_of(verb.name)
    ]
    return "\n".join(lines) + "\n"


def api_table() -> str:
    """The functions of `import xwtui` as a Markdown table: how each is called, what it does, what it gives."""
    lines = ["| Call | What it does | Gives |", "| --- | --- | --- |"]
    for name, function in vars(api).items():
        if inspect.isfunction(function) and function.__module__ == api.__name__ and not name.startswith("_"):
            signature = inspect.signature(function)
            shown = [each for each in signature.parameters.values() if each.name not in _DESCRIBED_BELOW]
            called = signature.replace(
                parameters=[each.replace(annotation=inspect.Parameter.empty) for each in shown],
                return_annotation=inspect.Signature.empty,
            )
            gives = "" if signature.return_annotation == "None" else f"`{signature.return_annotation}`"
            lines.append(f"| `{name}{called}` | {_escaped(_first_sentence(function))} | {gives} |")
    return "\n".join(lines) + "\n"


def keyword_table() -> str:
    """The keywords that functions from Python share, as a Markdown table."""
    lines = ["| Keyword | Taken by | Type | What it is |", "| --- | --- | --- | --- |"]
    for kind, takers in _TAKERS.items():
        [body] = ast.parse(inspect.getsource(kind)).body
        assert isinstance(body, ast.ClassDef)
        parameters = keywords_of(kind)
        for line in body.body:
            if isinstance(line, ast.AnnAssign):
                name, annotation = ast.unparse(line.target), line.annotation
                assert isinstance(annotation, ast.Subscript)
                assert isinstance(annotation.slice, ast.Tuple)
                type_ = _escaped(ast.unparse(annotation.slice.elts[0]).replace("GivenWords", api.GivenWords))
                lines.append(
                    f"| `{name}` | {takers} | `{type_}` | {_escaped(parameters[name][0].keyword_help())} |"
                )
    return "\n".join(lines) + "\n"


def _first_sentence(function: Callable[..., object]) -> str:
    return " ".join((function.__doc__ or "").partition("\n\n")[0].split())


_DESCRIBED_BELOW = ("keywords", "progress", "seconds")
_TAKERS: Mapping[type, str] = {
    Limits: "all that takes long",
    api.WordKeywords: "all of `xwtui` that takes long, `problem_of`",
    api.FillKeywords: "`fill`",
    insight.DesignKeywords: "`insight.design`",
}


def _codes(keys: Iterable[str]) -> str:
    return ", ".join(map(_code, keys))


def _code(key: str) -> str:
    return "`` ` ``" if key == "`" else f"`{_escaped(key)}`"


def _caps(verb: Verb) -> str:
    return _codes(map(key_cap, own_map().keys_of(verb.name)))


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


FOLDER = Path(__file__).resolve().parent
PAGES = (FOLDER / "keys.md", FOLDER / "verbs.md", FOLDER / "rules.md", FOLDER / "api.md")
TABLES: Mapping[str, Callable[[], str]] = {
    "keys": lambda: key_table((row.keys, row.summary) for row in own_keys(own_map())),
    "verbs": verb_table,
    "places": places_table,
    "rules": rule_table,
    "api": api_table,
    "keywords": keyword_table,
}

_MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def with_tables(text: str) -> str:
    """The text with each marked table made anew; raises KeyError for a table that nobody makes."""
    return _MARKED.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[3]}", text)


def table_names(text: str) -> list[str]:
    """The names of the tables that a text has markers for."""
    return [found[2] for found in _MARKED.finditer(text)]


@click.command(help=__doc__)
def main() -> None:
    """Bring the pages up to date and say of each whether it was."""
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = with_tables(before)
        page.write_text(after, encoding="utf-8")
        print(f"{page.name}: {'as it was' if after == before else 'tables written anew'}")


if __name__ == "__main__":
    main()
