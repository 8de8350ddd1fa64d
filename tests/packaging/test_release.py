"""What a release takes beside the code: the manual page, completions, notes, workflows."""

import re
import zipfile
from pathlib import Path

import pytest

from docs.man_page import COMPLETIONS, PAGE, completion, manual
from tests.packaging.pythons import CHECKOUT, SUPPORTED
from tests.packaging.release import notes
from xwtui import __version__
from xwtui.start import shell


def test_the_manual_page_is_that_of_the_commands() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual(shell), "make readme"


def test_no_line_of_the_manual_page_is_an_unknown_request() -> None:
    known = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br"}
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= known


@pytest.mark.parametrize("name", COMPLETIONS)
def test_completions_are_those_that_the_program_prints(name: str) -> None:
    assert (CHECKOUT / "completions" / COMPLETIONS[name]).read_text(encoding="utf-8") == completion(name), (
        "make readme"
    )


def test_the_wheel_has_the_manual_page_and_the_completions(wheel: Path) -> None:
    share = f"xwtui-{__version__}.data/data/share/"
    names = {name.removeprefix(share) for name in zipfile.ZipFile(wheel).namelist() if name.startswith(share)}
    assert names == {
        "man/man1/xwtui.1",
        "bash-completion/completions/xwtui",
        "zsh/site-functions/_xwtui",
        "fish/vendor_completions.d/xwtui.fish",
    }


def test_notes_are_the_newest_section_and_no_other() -> None:
    text = f"# Changelog\n\n## {__version__} (unreleased)\n\n- new\n\n## 0.0.1\n\n- old\n"
    assert notes(text) == "- new\n"
    with pytest.raises(ValueError, match=re.escape("begins with 0.0.1")):
        notes("# Changelog\n\n## 0.0.1\n\n- old\n")


def test_the_changelog_begins_with_this_version() -> None:
    assert notes((CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert f"version: {__version__}\n" in (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_workflow_tests_all_supported_pythons() -> None:
    workflow = (CHECKOUT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert all(f'"{version}"' in workflow for version in SUPPORTED)
