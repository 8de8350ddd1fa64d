"""The whole suite on every local Python, with the lowest and newest version of each dependency: `make test-deep`.

`python -m tests.packaging.deep [WORD]... [-- ARGUMENT]...` runs the combinations whose names contain all words
(`3.12`, `lowest`), and passes the arguments to pytest. Environments and the versions in them stay in build/deep.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.packaging.environments import CHECKOUT, SUPPORTED, lowest, pythons

BUILD = CHECKOUT / "build" / "deep"
VERSIONS = ("lowest", "newest")


def main(arguments: Sequence[str]) -> int:
    """Run the suites in turn; return 0 if there was at least one and all passed, otherwise 1."""
    words, extra = _split(arguments)
    outcomes: dict[str, str] = {}
    for python in SUPPORTED:
        for versions in VERSIONS:
            name = f"{python}-{versions}"
            if all(word in name for word in words):
                program = pythons().get(python)
                outcomes[name] = _run(name, program, versions, extra) if program else "no such Python here"
    for name, outcome in outcomes.items():
        print(f"{name:14} {outcome}")
    passed = list(outcomes.values()).count("passed")
    return 0 if passed and "failed" not in " ".join(outcomes.values()) else 1


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    if "--" not in arguments:
        return arguments, ()
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _run(name: str, program: str, versions: str, extra: Sequence[str]) -> str:
    """Create an environment, and run the suite in it."""
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([program, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(lowest() if versions == "lowest" else []) + "\n")
    install = [python, "-m", "pip", "install", "--quiet", "--progress-bar", "off"]
    print(f"{name}: installing", flush=True)
    if subprocess.run([*install, "-c", str(constraints), "-e", ".[test]"], cwd=CHECKOUT, check=False).returncode:
        return "failed to install"
    (folder / "versions.txt").write_text(_output(python, "-m", "pip", "freeze"))
    print(f"{name}: testing with {folder / 'versions.txt'}", flush=True)
    suite = [python, "-m", "pytest", "-q", "-n", os.environ.get("WORKERS", "2"), "--dist", "worksteal", *extra]
    done = subprocess.run(suite, cwd=CHECKOUT, env=_environment(folder), check=False)
    return "failed" if done.returncode else "passed"


def _environment(folder: Path) -> Mapping[str, str]:
    """Return the suite's environment variables: a separate kernel cache, and all examples."""
    return {
        "HYPOTHESIS_PROFILE": "deep",
        **os.environ,
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
        "PYTEST_ADDOPTS": f"-o cache_dir={folder / 'pytest'}",
    }


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
