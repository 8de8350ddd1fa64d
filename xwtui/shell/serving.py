"""The screen in a browser: a local server that runs one screen process per page.

A page has full access to the screen, so every URL contains a secret token, and requests under foreign host names
are refused.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from string import Template

from aiohttp import web
from textual_serve.server import Server

from xwtui.errors import XwtuiError
from xwtui.interrupts import Exit
from xwtui.shell.root import SCREEN_COMMAND

_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
_SECONDS_TO_CLOSE = 0.5
"""Time for pages to close before their screens are stopped; each keeps its work."""

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>xwtui</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="static/css/xterm.css">
<style>
@font-face {
  font-family: "Roboto Mono"; src: url("static/fonts/RobotoMono-VariableFont_wght.ttf"); font-weight: 100 700;
}
body { margin: 0; background: #111; color: #eee; font-family: "Roboto Mono", monospace; }
.textual-terminal { height: 100vh; }
.closed { display: none; position: absolute; inset: 0; z-index: 10; background: #111; padding: 4em; }
body.-closed .closed { display: block; }
a { color: inherit; }
</style>
</head>
<body>
<div class="closed">xwtui has ended. Unsaved work is kept. <a href="">Open it again</a></div>
<div id="terminal" class="textual-terminal" data-session-websocket-url="$socket" data-font-size="$size"></div>
<script src="static/js/textual.js"></script>
<script nonce="$nonce">
addEventListener("load", () => document.querySelector(".xterm-helper-textarea").focus());
addEventListener("beforeunload", event => {
  if (!document.body.classList.contains("-closed")) event.preventDefault();
});
</script>
</body>
</html>
""")

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_local(host: str) -> bool:
    """Whether only this machine can reach a server that listens at an address."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


class BrowserServer:
    """Serves a Textual program; each page has its own process, which ends with it."""

    def __init__(self, command: str, host: str, port: int) -> None:
        """Start listening, on a free port if `port` is 0; raises XwtuiError if that fails."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family)
        except OSError as error:
            if isinstance(error, socket.gaierror):
                raise XwtuiError(f"there is no host {host}; 127.0.0.1 is this machine") from error
            raise XwtuiError(
                f"{host} port {port}: {os.strerror(error.errno or 0)}; --port chooses another"
            ) from error
        self._host = host
        self._port: int = self._socket.getsockname()[1]
        self._token = secrets.token_urlsafe(24)
        self._screens = Server(command, host, self._port)

    @property
    def address(self) -> str:
        """The URL of the page."""
        name = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{name}:{self._port}/{self._token}/"

    @property
    def application(self) -> web.Application:
        """The web application, with all routes below the secret token."""

        async def guard(request: web.Request, handler: _Handler) -> web.StreamResponse:
            if not self._is_called(request.host):
                raise web.HTTPForbidden(text="this server has a different name")
            if request.headers.get("Origin", f"http://{request.host}") != f"http://{request.host}":
                raise web.HTTPForbidden(text="this request came from another site")
            token = request.path.split("/")[1]
            if not secrets.compare_digest(token.encode(), self._token.encode()):
                raise web.HTTPNotFound(text="use the full address that xwtui serve printed")
            return await handler(request)

        application = web.Application(middlewares=[web.middleware(guard)])
        application.on_response_prepare.append(_seal)
        top = f"/{self._token}"
        application.add_routes(
            [
                web.get(f"{top}/", self._page),
                web.get(f"{top}/ws", self._screens.handle_websocket),
                web.get(f"{top}/download/{{key}}", self._screens.handle_download),
                web.static(f"{top}/static", self._screens.statics_path),
            ]
        )
        return application

    async def serve(self, announce: Callable[[str], None]) -> None:
        """Serve until a signal; `announce` is called with the address once the page can be opened."""
        over = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            with suppress(NotImplementedError):  # not available on Windows, where Ctrl+C still ends it
                loop.add_signal_handler(number, over.set)
        runner = web.AppRunner(self.application, access_log=None, shutdown_timeout=_SECONDS_TO_CLOSE)
        await runner.setup()
        try:
            await web.SockSite(runner, self._socket).start()
            announce(self.address)
            await over.wait()
        finally:
            await runner.cleanup()

    def _is_called(self, name: str) -> bool:
        """Whether a requested host name is this server's own; IP addresses are, if it is not local."""
        bare = name.removesuffix(f":{self._port}")
        if bare in _LOCAL_NAMES or bare == self._host:
            return True
        with suppress(ValueError):
            ipaddress.ip_address(bare.strip("[]"))
            return not is_local(self._host)
        return not is_local(self._host) and bare.lower() == socket.gethostname().lower()

    async def _page(self, request: web.Request) -> web.Response:
        nonce, size = secrets.token_urlsafe(16), request.query.get("fontsize", "")
        page = _PAGE.substitute(
            socket=f"ws://{request.host}/{self._token}/ws",
            size=size if size.isdecimal() else "14",
            nonce=nonce,
        )
        policy = (
            f"default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
            f"img-src 'self' data:; connect-src 'self' ws://{request.host}; frame-ancestors 'none'"
        )
        return web.Response(text=page, content_type="text/html", headers={"Content-Security-Policy": policy})


def serve_screen(puzzles: Sequence[Path], host: str, port: int) -> int:
    """Serve the screen with some puzzles until a signal; returns the exit status. Raises XwtuiError."""
    os.environ["COLORTERM"] = "truecolor"  # the browser's terminal supports all colors, whatever this one does
    words = [sys.executable, "-m", "xwtui", SCREEN_COMMAND, "--", *map(str, puzzles)]
    line = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
    served = BrowserServer(line, host, port).serve
    asyncio.run(served(lambda address: print(f"xwtui is at {address}\nCtrl+C ends it", flush=True)))
    return Exit.OK


async def _seal(request: web.Request, response: web.StreamResponse) -> None:
    """Keep the secret token out of other sites' logs and out of caches."""
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
