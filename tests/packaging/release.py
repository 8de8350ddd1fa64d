"""Build a release and try it on every local Python: `make release`.

The wheel and the sdist go to dist/ and are checked with twine, as PyPI does. Each is installed with its
dependencies in an empty environment of every supported Python, where a template is filled. The release notes, the
newest section of CHANGELOG.md, go to dist/notes.md. Nothing is uploaded.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.packaging.environments import CHECKOUT, PATIENCE, TEMPLATE, build, call, pythons
from xwtui import __version__

DIST = CHECKOUT / "dist"
BUILD = CHECKOUT / "build" / "release"


def main() -> int:
    """Build, check and try; return 1 if anything failed."""
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.rmtree(BUILD, ignore_errors=True)
    wheel, sdist = build("wheel", BUILD / "wheel"), build("sdist", BUILD / "sdist")
    DIST.mkdir()
    made = [Path(shutil.copy(path, DIST)) for path in (wheel, sdist)]
    call(sys.executable, "-m", "twine", "check", "--strict", *map(str, made))
    (DIST / "notes.md").write_text(
        notes((CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")), encoding="utf-8"
    )
    failed = 0
    for path in made:
        for version, program in sorted(pythons().items()):
            told = try_out(path, program, BUILD / f"{version}-{path.suffix.lstrip('.')}")
            failed += bool(told)
            print(f"{path.name} on Python {version}: {told or 'installed, and fills a template'}", flush=True)
    print(f"dist/ has {', '.join(path.name for path in made)} and notes.md of {__version__}")
    return min(failed, 1)


def notes(changelog: str) -> str:
    """Return the newest section without its heading; raises ValueError if it is for another version."""
    heading, text = re.findall(r"^## (.+)\n((?:(?!^## ).*\n?)*)", changelog, re.MULTILINE)[0]
    if heading.split()[0] != __version__:
        raise ValueError(f"CHANGELOG.md begins with {heading}, and this is {__version__}")
    return str(text).strip() + "\n"


def try_out(path: Path, program: str, folder: Path) -> str:
    """Install a file in an empty environment and fill a template; return the failure, or an empty string."""
    steps = [
        [program, "-m", "venv", str(folder)],
        [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--progress-bar", "off", str(path)],
        [str(folder / "bin" / "xwtui"), "--version"],
        [str(folder / "bin" / "xwtui"), "fill", str(CHECKOUT / TEMPLATE), "--time", "60"],
    ]
    for step in steps:
        done = subprocess.run(step, cwd=BUILD, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode:
            return f"{' '.join(step[:3])} ended with {done.returncode}: {(done.stderr or done.stdout)[-300:]}"
    if not (folder / "share" / "man" / "man1" / "xwtui.1").exists():
        return "the manual page was not installed"
    return ""


if __name__ == "__main__":
    sys.exit(main())
