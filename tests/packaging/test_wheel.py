"""The wheel in new environments on every supported local Python; other contents of a release."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from docs.man_page import COMPLETIONS, PAGE, completion, manual
from tests.examples import is_deep
from tests.packaging import deep
from tests.packaging.environments import CHECKOUT, SUPPORTED, TEMPLATE, Environment, build, call, lowest, pythons
from tests.packaging.release import notes
from xwtui import __version__
from xwtui.start import shell


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


def test_the_wheel_has_what_the_program_needs_and_nothing_else(wheel: Path) -> None:
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


def test_the_sdist_can_build_the_same_wheel(tmp_path: Path) -> None:
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


def test_it_reports_its_version(environment: Environment) -> None:
    done = environment.run("--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"xwtui {__version__}")


def test_it_uses_its_own_files_not_the_checkout(environment: Environment) -> None:
    python = environment.folder / "bin" / "python"
    code = "import xwtui.resources as r; print(r.default_word_list()); print(r.themes_folder())"
    done = subprocess.run(
        [python, "-c", code], cwd=environment.elsewhere, capture_output=True, text=True, check=True
    )
    assert all(Path(line).is_relative_to(environment.data) and Path(line).exists() for line in done.stdout.split())


def test_it_fills_a_template_with_its_own_list(environment: Environment) -> None:
    """Without compiling, which is fast enough here; the next test compiles."""
    done = environment.run("fill", str(environment.data / TEMPLATE), "--json", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["status"] == "filled"
    assert len(document["answers"]) == 10


def test_a_read_only_install_works(environment: Environment) -> None:
    """Neither the package's folder nor any user folder is writable; root cannot write to the latter either.

    A fill compiles its kernels for itself, which takes most of a minute; word lookups are immediate.
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


TRIED = SUPPORTED if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else ()
"""Pythons on which all kernels are recompiled, which takes long: all of them, in the deep profile."""

PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input", "-q")


@pytest.mark.parametrize("version", TRIED)
def test_the_wheel_fills_a_template_on_each_python(version: str, wheel: Path, tmp_path: Path) -> None:
    if version not in pythons():
        pytest.skip(f"no Python {version} here that can make environments")
    fresh = Environment(tmp_path / "fresh", tmp_path)
    call(pythons()[version], "-m", "venv", str(fresh.folder))
    python = str(fresh.folder / "bin" / "python")
    install = [python, *PIP, "install", "--no-compile", str(wheel)]
    done = subprocess.run(install, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode and not can_fetch(tmp_path):
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    kernels = os.environ["NUMBA_CACHE_DIR"]
    filled = fresh.run("fill", str(fresh.data / TEMPLATE), "--json", NUMBA_CACHE_DIR=kernels)
    assert filled.returncode == 0, filled.stderr
    assert json.loads(filled.stdout)["status"] == "filled"


def can_fetch(folder: Path) -> bool:
    """Whether pip can download one small package that certainly exists."""
    download = [
        sys.executable,
        *PIP,
        "download",
        "--no-deps",
        "--no-cache-dir",
        "-d",
        str(folder),
        "sortedcontainers",
    ]
    return subprocess.run(download, capture_output=True, check=False).returncode == 0


def test_the_running_python_is_among_them() -> None:
    version = "{}.{}".format(*sys.version_info)
    assert version not in SUPPORTED or version in pythons()


def test_the_lowest_versions_match_those_declared() -> None:
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        declared = [Requirement(line) for line in tomllib.load(file)["project"]["dependencies"]]
    for dependency, pinned in zip(declared, map(Requirement, lowest()), strict=True):
        (pin,) = pinned.specifier
        assert pinned.name == dependency.name
        assert dependency.specifier.contains(pin.version)


def test_only_tested_numba_versions_are_allowed() -> None:
    """The kernels depend on parts of numba that change between minor versions."""
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        (numba,) = (
            Requirement(line)
            for line in tomllib.load(file)["project"]["dependencies"]
            if Requirement(line).name == "numba"
        )
    bound = next(Version(part.version) for part in numba.specifier if part.operator == "<")
    assert not numba.specifier.contains(bound)
    assert not numba.specifier.contains("1.0")


@pytest.mark.parametrize(("status", "said"), [(0, "3.12-lowest    passed"), (1, "3.12-lowest    failed")])
def test_the_deep_run_reports_each_result(
    status: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = []

    def run(name: str, *_: object) -> str:
        ran.append(name)
        return "failed" if status else "passed"

    monkeypatch.setattr(deep, "pythons", lambda: {"3.12": "python3.12"})
    monkeypatch.setattr(deep, "_run", run)
    assert deep.main(["lowest"]) == status
    assert ran == ["3.12-lowest"]
    assert capsys.readouterr().out.splitlines() == [
        "3.11-lowest    no such Python here",
        said,
        "3.13-lowest    no such Python here",
    ]


def test_an_empty_deep_run_fails() -> None:
    assert deep.main(["3.99"]) == 1


def test_the_manual_page_matches_the_commands() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual(shell), "make readme"


def test_the_manual_page_has_no_unknown_requests() -> None:
    known = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br"}
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= known


@pytest.mark.parametrize("name", COMPLETIONS)
def test_completions_match_the_programs_output(name: str) -> None:
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
