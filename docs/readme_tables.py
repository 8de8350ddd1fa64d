"""Write the tables of README.md between their markers, from the declarations: `python docs/readme_tables.py`.

A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`; what stood there is replaced.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from xwtui.session.verbs.tables import key_table, rule_table, verb_table
from xwtui.tui.screens.help import own_keys

README = Path(__file__).resolve().parent.parent / "README.md"
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
    """Bring README.md up to date and say whether it was."""
    before = README.read_text(encoding="utf-8")
    after = with_tables(before)
    README.write_text(after, encoding="utf-8")
    print(f"{README.name}: {'as it was' if after == before else 'tables written anew'}")


if __name__ == "__main__":
    main()
