"""The wheel, installed into an environment of its own and used from elsewhere.

The environment borrows the dependencies of the one that runs the tests: a `.pth` file adds the
outer site-packages behind its own, which is quick, needs no network, and does not pick up the
editable install there (the `.pth` files of a folder added this way are not read).
"""

import json
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.examples import is_deep
from tests.packaging.environments import TEMPLATE, Environment, build, call
from tests.packaging.pythons import CHECKOUT
from xwtui import __version__


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    fresh = Environment(tmp_path_factory.mktemp("fresh"), tmp_path_factory.mktemp("elsewhere"))
    venv.create(fresh.folder, with_pip=False, symlinks=True)
    (fresh.site_packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = str(fresh.folder / "bin" / "python")
    call(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", str(wheel))
    return fresh


def litter(names: Sequence[str]) -> list[str]:
    return [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".nbi", ".nbc"))]


def test_the_wheel_holds_what_the_program_needs_and_no_litter(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "xwtui/_data/wordlists/default.dict" in names
    assert "xwtui/_data/wordlists/glosses.zip" in names
    assert f"xwtui/_data/{TEMPLATE}" in names
    assert "xwtui/py.typed" in names
    assert {"xwtui/formats/player.html", "xwtui/formats/languages.json"} <= {*names}
    assert any("/licenses/" in name and name.endswith("LICENSE") for name in names)
    assert litter(names) == []
    assert not any(name.startswith("tests/") for name in names)


def test_every_resource_of_the_checkout_is_in_the_wheel(wheel: Path) -> None:
    listed = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("fonts", "themes", "keymaps", "puzzles", "wordlists/licences"):
        for path in (CHECKOUT / folder).rglob("*"):
            if path.is_file():
                assert f"xwtui/_data/{path.relative_to(CHECKOUT)}" in listed


def test_the_sdist_can_build_the_wheel_again(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path / "sdist")) as archive:
        names = archive.getnames()
    top = f"xwtui-{__version__}"
    for needed in (
        "pyproject.toml",
        "README.md",
        "wordlists/default.dict",
        "xwtui/__init__.py",
        TEMPLATE,
        "Makefile",
    ):
        assert f"{top}/{needed}" in names
    assert litter(names) == []


def test_it_tells_its_version(environment: Environment) -> None:
    done = environment.run("--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"xwtui {__version__}")


def test_it_uses_its_own_files_not_the_checkouts(environment: Environment) -> None:
    python = environment.folder / "bin" / "python"
    code = "import xwtui.resources as r; print(r.default_word_list()); print(r.themes_folder())"
    done = subprocess.run(
        [python, "-c", code], cwd=environment.elsewhere, capture_output=True, text=True, check=True
    )
    assert all(Path(line).is_relative_to(environment.data) and Path(line).exists() for line in done.stdout.split())


def test_it_fills_a_template_with_the_list_it_came_with(environment: Environment) -> None:
    """Uncompiled, which is quick enough here; the next test compiles."""
    done = environment.run("fill", str(environment.data / TEMPLATE), "--json", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["status"] == "filled"
    assert len(document["answers"]) == 10


def test_an_install_that_cannot_be_written_to_works(environment: Environment) -> None:
    """Neither the package's folder nor any user folder takes a file; root too is kept out of the latter.

    A fill compiles its kernels, for it alone, which takes most of a minute; words are looked up at once.
    """
    template = str(environment.data / TEMPLATE)
    asked, told = (["fill", template], "filled") if is_deep() else (["find", "C?T"], "CAT")
    blocked = environment.elsewhere / "a-file-where-a-home-should-be"
    blocked.touch()
    folders = [path for path in environment.site_packages.rglob("*") if path.is_dir()]
    before = environment.files()
    try:
        for folder in folders:
            folder.chmod(0o555)
        done = environment.run(*asked, "--json", home=blocked)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert f'"{told}"' in done.stdout
    assert environment.files() == before
