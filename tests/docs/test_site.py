"""The site: all pages in the contents, valid links, and an animated picture."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from docs.screenshots import FIRST_MINUTES, moving_picture
from docs.site_links import on_page_markdown

ROOT = Path(__file__).parents[2]
MKDOCS = shutil.which("mkdocs", path=str(Path(sys.executable).parent)) or shutil.which("mkdocs")


PAGES = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_page_is_in_the_contents_with_the_tour_first() -> None:
    assert PAGES[:3] == ["index.md", "tour.md", "pictures.md"]
    assert sorted(PAGES) == sorted(str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md"))


def test_links_outside_the_pages_are_listed() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="strategies/xwtui.md"))
    text = "[here](../bench.md), [there](../../README.md), ![a](../x.svg)"
    assert on_page_markdown(text, page=page) == "[here](../bench.md), there, ![a](../x.svg)"


def test_the_animated_picture_is_the_tours() -> None:
    drawn = (ROOT / "docs" / "first-minutes.svg").read_text(encoding="utf-8")
    assert drawn == moving_picture(), "make screenshots draws it anew"
    root = ElementTree.fromstring(drawn)
    frames = [each for each in root if each.get("class") == "frame"]
    assert len(frames) == len(FIRST_MINUTES)
    assert [frame[-1].text for frame in frames] == list(FIRST_MINUTES.values())
    used = [set(re.findall(r"terminal-(\d+)-", ElementTree.tostring(frame, "unicode"))) for frame in frames]
    assert all(len(ids) == 1 for ids in used)
    assert len(set.union(*used)) == len(frames), "each with styles of its own"


@pytest.mark.skipif(MKDOCS is None, reason="needs mkdocs-material (make site)")
def test_the_site_is_built_without_a_dead_link(tmp_path: Path) -> None:
    assert MKDOCS is not None
    done = subprocess.run(
        [MKDOCS, "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "site"
    assert (site / "search" / "search_index.json").exists()
    assert not list(site.rglob("*.pyc"))
    assert sum(page.name == "index.html" for page in site.rglob("*")) == len(PAGES)
