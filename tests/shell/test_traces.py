"""`fill --trace` and `watch` as processes."""

from collections.abc import Mapping
from pathlib import Path

from tests.shell.process import xwtui


def test_a_fill_is_written_down_and_listed_without_words(
    mini: Path, words: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    trace = tmp_path / "mini.trace"
    plain = xwtui("fill", mini, "--words", words, "--seed", "3", "--threads", "1", environment=environment)
    traced = xwtui("fill", mini, "--words", words, "--seed", "3", "--trace", trace, environment=environment)
    assert (traced.returncode, traced.stdout) == (0, plain.stdout)
    command = ("fill", mini, "--words", words, "--seed", "3", "--trace", trace, "-o", tmp_path / "out.ipuz")
    refused = xwtui(*command, environment=environment)
    assert refused.returncode == 2
    assert f"{trace} exists already: choose another name, or --force writes over it" in refused.stderr
    assert not (tmp_path / "out.ipuz").exists()
    for _ in range(2):
        assert xwtui(*command, "--force", environment=environment).returncode == 0
    words.unlink()
    watched = xwtui("watch", trace, environment=environment)
    assert watched.returncode == 0, watched.stderr
    lines = watched.stdout.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(1, len(lines) + 1))
    assert "solved" in lines[-1]


def test_what_cannot_be_traced_or_watched_is_told(
    mini: Path, words: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    for arguments, why in (
        (("fill", mini, "--trace", tmp_path / "a.trace", "--threads", "2"), "--trace writes down one plain fill"),
        (("fill", mini, "--trace", tmp_path / "a.trace", "--best"), "--trace writes down one plain fill"),
        (("fill", mini, "--words", words, "--trace", tmp_path / "no" / "a.trace"), "cannot be written"),
        (("watch", tmp_path / "none.trace"), "none.trace cannot be read"),
        (("watch", words), "no JSON"),
    ):
        done = xwtui(*arguments, environment=environment)
        assert done.returncode == 2
        assert why in done.stderr
        assert len(done.stderr.splitlines()) <= 4
