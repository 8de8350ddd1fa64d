"""The README tells the truth: its tables, its commands and its links."""

import re

import pytest

from docs.readme_tables import README, TABLES, table_names, with_tables
from xwtui import __version__

TEXT = README.read_text(encoding="utf-8")
ROOT = README.parent


def test_all_tables_are_there_once() -> None:
    assert sorted(table_names(TEXT)) == sorted(TABLES)


def test_the_tables_are_up_to_date() -> None:
    """Where this fails: `make readme`."""
    assert with_tables(TEXT) == TEXT


def test_making_the_tables_twice_changes_nothing() -> None:
    once = with_tables(TEXT)
    assert with_tables(once) == once


def test_an_outdated_table_is_replaced_and_the_rest_is_not() -> None:
    text = "before\n<!-- table: verbs -->\nold\n<!-- end of table -->\nafter\n"
    made = with_tables(text)
    assert "\nold\n" not in made
    assert made.startswith("before\n")
    assert made.endswith("\nafter\n")


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_tables("<!-- table: horoscope -->\n<!-- end of table -->")


def test_every_link_into_the_project_leads_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", TEXT) + re.findall(r'src="([^"]+)"', TEXT)
    missing = [target for target in targets if "://" not in target and not (ROOT / target).exists()]
    assert missing == []


def test_every_make_target_that_it_names_exists() -> None:
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", TEXT)) <= made
    assert {"run", "test", "bench", "lint", "screenshots"} <= made


def test_the_two_commands_come_first() -> None:
    code = TEXT.index("```")
    first = TEXT[code : TEXT.index("```", code + 3)]
    assert "make run" in first
    assert "make test" in first


def test_the_changelog_has_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
