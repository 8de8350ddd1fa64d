"""`xwtui serve`: the screen in a browser, only for those who know its address."""

import asyncio
import json
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.shell.process import PATIENCE, command, user_folders, xwtui

aiohttp = pytest.importorskip("aiohttp", reason="the extra `serve` is not installed")
pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

from xwtui.shell.serving import BrowserServer, is_local  # noqa: E402

_ECHO = """
import os, sys
os.write(1, b"__GANGLION__\\n")
def packet(data): os.write(1, b"D" + len(data).to_bytes(4, "big") + data)
packet(b"ready")
while head := os.read(0, 5):
    data = os.read(0, int.from_bytes(head[1:], "big"))
    if head[:1] == b"M" and b"quit" in data: break
    if head[:1] == b"D": packet(b"<" + data + b">")
"""
"""A program that echoes to the page what is typed."""


@asynccontextmanager
async def serving(tmp_path: Path) -> AsyncIterator[BrowserServer]:
    """A server of the echo program."""
    program = tmp_path / "echo.py"
    program.write_text(_ECHO)
    server = BrowserServer(f"{sys.executable} {program}", "127.0.0.1", 0)
    ready = asyncio.Event()
    task = asyncio.create_task(server.serve(lambda address: ready.set()))
    await ready.wait()
    try:
        yield server
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def status(address: str, **headers: str) -> int:
    async with aiohttp.ClientSession() as browser, browser.get(address, headers=headers) as response:
        found: int = response.status
        return found


async def test_the_page_needs_its_secret_address(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        top = server.address.rsplit("/", 2)[0]
        assert await status(server.address) == 200
        assert await status(f"{server.address}static/js/textual.js") == 200
        for lost in (
            "/",
            "/ws",
            "/download/1",
            "/static/js/textual.js",
            "/wrong/",
            "/wrong/ws",
            "/wrong/download/1",
        ):
            assert await status(f"{top}{lost}") == 404, lost


@pytest.mark.parametrize("part", ["", "ws", "download/1", "static/js/textual.js"])
async def test_other_host_names_and_origins_are_refused(tmp_path: Path, part: str) -> None:
    async with serving(tmp_path) as server:
        assert await status(f"{server.address}{part}", Host="evil.example") == 403
        assert await status(f"{server.address}{part}", Origin="http://evil.example") == 403


async def test_the_page_loads_nothing_external_and_leaks_no_referrer(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as server,
        aiohttp.ClientSession() as browser,
        browser.get(server.address) as page,
    ):
        text = await page.text()
        assert "https://" not in text
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert page.headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


async def test_typed_keys_reach_the_screen(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as server,
        aiohttp.ClientSession() as browser,
        browser.ws_connect(f"{server.address}ws?width=100&height=30") as page,
    ):
        assert await page.receive_bytes() == b"ready"
        await page.send_str(json.dumps(["stdin", "A"]))
        assert await page.receive_bytes() == b"<A>"


async def test_the_real_screen_is_shown(tmp_path: Path) -> None:
    environment = user_folders(tmp_path) | {"TERM": "dumb"}
    folder = Path(__file__).parents[2] / "puzzles"
    server = await asyncio.create_subprocess_exec(
        *command("serve", folder / "heart-to-heart.ipuz"),
        stdout=asyncio.subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    assert server.stdout is not None
    try:
        address = (await server.stdout.readline()).decode().split()[-1]
        seen = b""
        async with (
            aiohttp.ClientSession() as browser,
            browser.ws_connect(f"{address}ws?width=100&height=30") as page,
        ):
            while b"Heart to Heart" not in seen:
                seen += await asyncio.wait_for(page.receive_bytes(), PATIENCE)
        server.send_signal(signal.SIGINT)
        await server.communicate()
        assert server.returncode == 0
    finally:
        if server.returncode is None:
            server.kill()
            await server.wait()


@pytest.mark.parametrize(
    ("host", "is_one"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("example.org", False)],
)
def test_loopback_addresses_are_local(host: str, is_one: bool) -> None:
    assert is_local(host) is is_one


def test_other_machines_are_allowed_only_on_request(tmp_path: Path) -> None:
    done = xwtui("serve", "--host", "0.0.0.0", environment=user_folders(tmp_path), status=2)
    assert done.stderr == ("xwtui: 0.0.0.0 would let other machines in without encryption: --expose allows that\n")


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = xwtui("serve", "--port", str(port), environment=user_folders(tmp_path))
    assert (done.returncode, done.stderr) == (
        2,
        f"xwtui: 127.0.0.1 port {port}: Address already in use; --port chooses another\n",
    )
