"""Files that somebody names: what is no file is refused at once, and nothing is read without end."""

import os
import socket
import threading
from pathlib import Path

import pytest

from xwtui.reading import check_is_file, read_at_most, write_whole


def test_a_file_is_read_up_to_a_size(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    assert read_at_most(path, 100) == b"0123456789"
    assert read_at_most(path, 4) == b"0123"


def test_a_pipe_without_a_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(OSError, match="nothing is writing to this pipe"):
        read_at_most(path, 100)
    with pytest.raises(OSError, match="a pipe, not a file"):
        check_is_file(path)


def test_a_pipe_with_a_writer_is_read_to_its_end_and_to_the_size() -> None:
    for size, expected in ((100, b"one two"), (5, b"one t")):
        reader, writer = os.pipe()
        is_read = threading.Event()

        def write(writer: int = writer, is_read: threading.Event = is_read) -> None:
            os.write(writer, b"one ")
            os.write(writer, b"two")
            os.close(writer)
            is_read.set()

        thread = threading.Thread(target=write)
        thread.start()
        is_read.wait()
        assert read_at_most(Path(f"/dev/fd/{reader}"), size) == expected
        thread.join()
        os.close(reader)


def test_a_writer_that_has_written_nothing_yet_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    set_blocking = os.set_blocking

    def write_late(file: int, blocking: bool) -> None:
        """After the first look, which found nothing."""
        os.write(writer, b"late")
        os.close(writer)
        set_blocking(file, blocking)

    monkeypatch.setattr(os, "set_blocking", write_late)
    assert read_at_most(Path(f"/dev/fd/{reader}"), 100) == b"late"
    os.close(reader)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        for place, reason in ((path, "a socket"), (tmp_path, "a folder"), (Path("/dev/zero"), "a device")):
            with pytest.raises(OSError, match=reason):
                read_at_most(place, 100)
            with pytest.raises(OSError, match=reason):
                check_is_file(place)


def test_a_file_that_cannot_be_written_whole_stays_and_nothing_is_left_beside(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
