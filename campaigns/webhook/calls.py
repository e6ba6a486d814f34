"""One HTTPS request to an address that a Storyteller set, to a machine that was checked (SSRF).

The name is looked up once, every answer is checked, and the connection goes to exactly one of the checked addresses,
with the name for TLS: a name that means something else a moment later (DNS rebinding) changes nothing. http.client
neither follows redirects nor reads proxies from the environment, and one deadline covers everything.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from campaigns.models import Failure
from campaigns.webhook.addresses import HTTPS, Address, is_public

DEADLINE = 10.0
"""Seconds for a whole call: looking up the name, connecting, TLS, request and answer."""
CONNECT = 4.0
"""Seconds for one address to accept the connection, of at most `MOST_ADDRESSES` that are tried."""
MOST_ADDRESSES = 3
MOST_LOOKUPS = 8
"""Lookups at the same time. The system's lookup can't be stopped, so one that takes too long is left behind."""
MOST_READ = 4096
"""Bytes of an answer that are read, and thrown away."""
LONGEST_WAIT = 3600
"""Seconds for which a receiver can ask us to wait (`Retry-After`)."""

_lookups = threading.BoundedSemaphore(MOST_LOOKUPS)


@dataclass(frozen=True, slots=True)
class Answer:
    """What happened: the HTTP status, or why there is none. `wait` is for how many seconds the receiver asks."""

    status: int | None = None
    failure: str = ""
    wait: int = 0


def trusted() -> ssl.SSLContext:
    """The machine's certificate authorities; TLS 1.2 or newer, names and certificates are checked."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


@dataclass(frozen=True, slots=True)
class Reach:
    """Which machines can be called, and who is trusted. Only tests use another than `INTERNET`."""

    allowed: Callable[[str], bool] = is_public
    port: int = HTTPS
    trusted: Callable[[], ssl.SSLContext] = trusted
    itself: bool = False


INTERNET = Reach()


class Forbidden(Exception):
    """The name leads to a machine that isn't on the public internet."""


FAILURES: tuple[tuple[type[Exception], Failure], ...] = (
    (Forbidden, Failure.PRIVATE),
    (TimeoutError, Failure.TIMEOUT),
    (socket.gaierror, Failure.NAME),
    (UnicodeError, Failure.NAME),
    (ssl.SSLError, Failure.TLS),  # also for a certificate that doesn't fit the name
    (OSError, Failure.CONNECTION),
    (Exception, Failure.GARBLED),
)
"""By exception, the first that fits. No message is kept: it could contain the address."""


class Deadline:
    """A moment after which nothing is waited for."""

    def __init__(self, seconds: float) -> None:
        self._ends = monotonic() + seconds

    def left(self) -> float:
        """The remaining seconds. Raises `TimeoutError` if there are none."""
        left = self._ends - monotonic()
        if left <= 0:
            raise TimeoutError("The deadline has passed")
        return left


def post(address: Address, body: bytes) -> Answer:
    """Send `body` as JSON. Never raises for anything that the other side does."""
    reach, deadline = INTERNET, Deadline(DEADLINE)
    try:
        with _connected(address.host, reach, deadline) as tls:
            return _exchanged(address, body, tls)
    except (Forbidden, OSError, http.client.HTTPException, ValueError) as problem:
        return Answer(failure=next(failure for kind, failure in FAILURES if isinstance(problem, kind)))


class _Timed(ssl.SSLSocket):
    """A socket each of whose reads and writes ends at the deadline, so that a trickle of bytes doesn't extend it."""

    deadline: Deadline

    def recv_into(self, *arguments: Any, **more: Any) -> int:
        self.settimeout(self.deadline.left())
        return super().recv_into(*arguments, **more)

    def send(self, *arguments: Any, **more: Any) -> int:
        self.settimeout(self.deadline.left())
        return super().send(*arguments, **more)


def _connected(host: str, reach: Reach, deadline: Deadline) -> _Timed:
    """A TLS connection to one of the checked addresses of `host`."""
    context = reach.trusted()
    context.sslsocket_class = _Timed
    plain = _reached(_checked(host, reach, deadline), reach, deadline)
    try:
        if not reach.itself and plain.getsockname()[0] == plain.getpeername()[0]:
            raise Forbidden  # a public address of this machine
        tls = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
    except BaseException:
        plain.close()
        raise
    assert isinstance(tls, _Timed)
    try:
        tls.deadline = deadline
        tls.settimeout(deadline.left())
        tls.do_handshake()
    except BaseException:
        tls.close()
        raise
    return tls


def _checked(host: str, reach: Reach, deadline: Deadline) -> list[str]:
    """The addresses of `host`. Raises `Forbidden` if any of them may not be called."""
    found = _looked_up(host, reach.port, deadline)
    if not found or not all(map(reach.allowed, found)):
        raise Forbidden
    return found[:MOST_ADDRESSES]


def _looked_up(host: str, port: int, deadline: Deadline) -> list[str]:
    """The IP addresses of `host`, looked up on a thread of its own, since that takes as long as it likes."""
    places = _lookups
    if not places.acquire(timeout=deadline.left()):
        raise TimeoutError("Too many lookups")
    answered: SimpleQueue[list[str] | Exception] = SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answered.put(list(dict.fromkeys(str(each[4][0]) for each in found)))
        except Exception as problem:  # handed to the caller
            answered.put(problem)
        finally:
            places.release()

    threading.Thread(target=look_up, name="webhook lookup", daemon=True).start()
    try:
        answer = answered.get(timeout=deadline.left())
    except Empty:
        raise TimeoutError("The name was not found in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _reached(found: list[str], reach: Reach, deadline: Deadline) -> socket.socket:
    """A connection to the first of these addresses that accepts it."""
    problem: OSError = OSError("No address")
    for ip in found:
        reached = socket.socket(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM)
        try:
            reached.settimeout(min(CONNECT, deadline.left()))
            reached.connect((ip, reach.port))
            return reached
        except OSError as refused:
            reached.close()
            problem = refused
    raise problem


def _exchanged(address: Address, body: bytes, tls: _Timed) -> Answer:
    # It never connects by itself: its socket is the checked one.
    connection = http.client.HTTPSConnection(address.host, context=tls.context)
    connection.auto_open = 0
    connection.sock = tls
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Accept-Encoding": "identity",
        "Connection": "close",
        "User-Agent": "Vesper",
    }
    connection.request("POST", address.target, body, headers)
    with connection.getresponse() as response:
        wait = _seconds(response.headers.get("Retry-After", ""))
        with suppress(OSError, http.client.HTTPException):
            response.read(MOST_READ)  # so that its sender sees no reset; what it says doesn't matter
        return Answer(response.status, wait=wait)


def _seconds(said: str) -> int:
    """How long a receiver asks us to wait; 0 for a date or nonsense."""
    return min(int(said), LONGEST_WAIT) if said.isascii() and said.isdigit() and len(said) < 10 else 0
