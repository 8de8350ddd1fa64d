"""Write the tables of the pages on keys, verbs and rules, from the declarations: `python docs/verb_tables.py`.

A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`; what stood there is replaced.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from xwtui.session.verbs.tables import key_table, rule_table, verb_table
from xwtui.tui.screens.help import own_keys

FOLDER = Path(__file__).resolve().parent
PAGES = (FOLDER / "keys.md", FOLDER / "verbs.md", FOLDER / "rules.md")
TABLES: Mapping[str, Callable[[], str]] = {
    "keys": lambda: key_table(own_keys()),
    "verbs": verb_table,
    "rules": rule_table,
}

_MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def with_tables(text: str) -> str:
    """The text with each marked table made anew; raises KeyError for a table that nobody makes."""
    return _MARKED.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[3]}", text)


def table_names(text: str) -> list[str]:
    """The names of the tables that a text has markers for."""
    return [found[2] for found in _MARKED.finditer(text)]


def main() -> None:
    """Bring the pages up to date and say of each whether it was."""
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = with_tables(before)
        page.write_text(after, encoding="utf-8")
        print(f"{page.name}: {'as it was' if after == before else 'tables written anew'}")


if __name__ == "__main__":
    main()
