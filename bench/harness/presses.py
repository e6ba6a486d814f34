"""Presses like those of a Storyteller's page, without a browser: as cheap as they can be, so that many fit beside the
server that is measured."""

from __future__ import annotations

import http.client
import re
import secrets
import socket
from urllib.parse import urlencode

CSRF = "a" * 32
"""The CSRF cookie: any text of this length works."""

VERSION = re.compile(r'id="version"[^>]*?data-version="(\d+)"')
BLOW = {"amount": 1, "type": "bashing", "reason": ""}
UNHURT = {"bashing": 0, "lethal": 0, "aggravated": 0, "reason": ""}


def cookie_of(session: str) -> str:
    """The cookies of somebody with this session key, as a header."""
    return f"vesper-session={session}; vesper-csrf={CSRF}"


def connected(port: int) -> http.client.HTTPConnection:
    """A keep-alive connection without Nagle's delay."""
    made = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    made.connect()
    made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


class Storyteller:
    """A Storyteller's page with the fight's version and a connection to each process in `ports`.

    `target` is the combatant who is hurt. Raises `SystemExit` if the server refuses anything.
    """

    def __init__(self, *, encounter: str, target: str, cookie: str, ports: list[int]) -> None:
        self.encounter, self.target, self.cookie = encounter, target, cookie
        self.connections = {port: connected(port) for port in ports}
        self.version = self._version_in(self._ask(ports[0], "GET", f"/encounters/{encounter}/"))
        self.hurt = False

    def act(self, port: int) -> None:
        """Alternate between a blow and healing it. All others at the table see both."""
        name, said = ("boxes", UNHURT) if self.hurt else ("damage", BLOW)
        page = {"who": self.target, "version": self.version, "key": secrets.token_hex(16), "why": ""}
        answer = self._ask(port, "POST", f"/encounters/{self.encounter}/do/{name}", urlencode({**said, **page}))
        self.hurt = not self.hurt
        self.version = self._version_in(answer)

    def _version_in(self, html: str) -> str:
        found = VERSION.search(html)
        if found is None:
            raise SystemExit(f"no version in the answer:\n{html[:2000]}")
        return found[1]

    def _ask(self, port: int, method: str, path: str, body: str | None = None) -> str:
        headers = {"Cookie": self.cookie, "Origin": f"http://127.0.0.1:{port}"}
        if body is not None:
            headers |= {"X-CSRFToken": CSRF, "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}
        try:
            answer = self._answer(port, method, path, body, headers)
        except ConnectionError:
            # The server closes connections that are idle. The key makes a second try harmless.
            self.connections[port] = connected(port)
            answer = self._answer(port, method, path, body, headers)
        text = answer.read().decode()
        if answer.status != http.client.OK:
            raise SystemExit(f"{method} {path}: {answer.status}\n{text[:2000]}")
        return text

    def _answer(
        self, port: int, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        self.connections[port].request(method, path, body and body.encode(), headers)
        return self.connections[port].getresponse()
