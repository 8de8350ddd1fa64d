"""The README and the pages are correct: tables, commands and links."""

import re
from pathlib import Path

import pytest

from docs.verb_tables import FOLDER, PAGES, TABLES, key_table, table_names, verb_table, with_tables
from xwtui import __version__
from xwtui.session.keys.key_map import own_map
from xwtui.session.keys.names import key_cap
from xwtui.session.verbs.registry import MAIN_SET, SECTIONS, VERBS

ROOT = FOLDER.parent
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
LINKED = (README, ROOT / "CONTRIBUTING.md", *sorted(FOLDER.glob("*.md")))


def test_every_table_occurs_once() -> None:
    names = [name for page in PAGES for name in table_names(page.read_text(encoding="utf-8"))]
    assert sorted(names) == sorted(TABLES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_are_up_to_date(page: Path) -> None:
    """If this fails, run `make readme`."""
    text = page.read_text(encoding="utf-8")
    assert with_tables(text) == text


def test_the_verb_table_has_every_verb() -> None:
    rows = [row for row in verb_table().splitlines() if row.startswith("| `")]
    listed = [verb for members in SECTIONS.values() for verb in members]
    assert listed[: len(MAIN_SET)] == list(MAIN_SET)
    assert sorted(verb.name for verb in listed) == sorted(VERBS)
    for verb, row in zip(listed, rows, strict=True):
        usage = verb.usage.replace("|", "\\|")
        assert row.startswith(f"| `{usage}` | {verb.summary} |")
        assert row.count(" | ") == 2


def test_the_key_table_has_every_key_including_the_faces_own() -> None:
    table = key_table([("Space", "turn")])
    assert "| `Space` | turn |" in table
    for verb in VERBS.values():
        for key in own_map().keys_of(verb.name):
            shown = key_cap(key).replace("|", "\\|")
            assert f"`{shown}`" in table or key == "grave_accent"
    assert "`` ` ``" in table


def test_only_outdated_tables_are_replaced() -> None:
    text = "before\n<!-- table: verbs -->\nold\n<!-- end of table -->\nafter\n"
    made = with_tables(text)
    assert "\nold\n" not in made
    assert made.startswith("before\n")
    assert made.endswith("\nafter\n")


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_tables("<!-- table: horoscope -->\n<!-- end of table -->")


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.name)
def test_every_internal_link_has_a_target(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'src="([^"]+)"', text)
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


def test_the_readme_links_to_every_page() -> None:
    named = {(ROOT / target).resolve() for target in re.findall(r"\]\(([^)#\s]+)", TEXT) if "://" not in target}
    page_of_a_page = {
        "calibration.md",
        "improving-notes.md",
        "public-grids-notes.md",
        "switches.md",
        "switches-notes.md",
    }
    assert {page for page in FOLDER.glob("*.md") if page.name not in page_of_a_page} <= named


def test_every_named_make_target_exists() -> None:
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in LINKED:
        assert set(re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8"))) <= made
    assert {"run", "test"} <= set(re.findall(r"`make ([a-z-]+)", TEXT))


def test_the_two_main_commands_come_first() -> None:
    code = TEXT.index("```")
    first = TEXT[code : TEXT.index("```", code + 3)]
    assert "make run" in first
    assert "make test" in first


def test_the_readme_is_at_most_two_pages() -> None:
    assert len(TEXT.splitlines()) <= 130


def test_the_changelog_has_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
