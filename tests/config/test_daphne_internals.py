"""The internals of daphne, autobahn and Twisted that our server relies on have not changed since they were reviewed."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from importlib.metadata import packages_distributions, version
from pkgutil import resolve_name
from typing import Any

import pytest
from daphne.server import Server

from config.daphne_internals import BoundedRequest, GracefulServer
from config.sockets import BoundedSocket

OURS = [BoundedRequest, BoundedSocket, GracefulServer]

READ = {
    "autobahn.twisted.websocket.WebSocketAdapterProtocol.connectionMade": "63ceb64088e4",
    "autobahn.websocket.protocol.PreparedMessage.__init__": "76eab585334b",
    "autobahn.websocket.protocol.WebSocketProtocol.dropConnection": "149c74c9a251",
    "autobahn.websocket.protocol.WebSocketProtocol.sendCloseFrame": "a511406d6b0d",
    "autobahn.websocket.protocol.WebSocketProtocol.sendData": "5dcca425b048",
    "daphne.http_protocol.HTTPFactory.buildProtocol": "35e878a6e0e4",
    "daphne.http_protocol.WebRequest.__init__": "ec85d9f2a762",
    "daphne.http_protocol.WebRequest.process": "e9babd1c97ce",
    "daphne.server.Server.__init__": "e090af1e2673",
    "daphne.server.Server.create_application": "f1e300b4ecf6",
    "daphne.server.Server.kill_all_applications": "4e1618c6f787",
    "daphne.server.Server.run": "447c6bd42c62",
    "daphne.ws_protocol.WebSocketFactory.buildProtocol": "5e5efc107378",
    "daphne.ws_protocol.WebSocketProtocol.handle_reply": "5331423b1cf2",
    "daphne.ws_protocol.WebSocketProtocol.serverSend": "345f21330d2a",
    "twisted.internet.abstract.FileDescriptor.doWrite": "a986d7b1b105",
    "twisted.internet.abstract.FileDescriptor.write": "3e46c97fc173",
    "twisted.web.http.HTTPChannel.allContentReceived": "9f7c99069687",
    "twisted.web.http.HTTPChannel.allHeadersReceived": "979a9a8410f4",
    "twisted.web.http.HTTPChannel.connectionLost": "d0850abf8e2e",
    "twisted.web.http.Request.gotLength": "1c389b99da50",
    "twisted.web.http.Request.handleContentChunk": "6e942756afb7",
    "twisted.web.http.Request.requestReceived": "99ca6c5e2430",
}
"""Library functions, each with a digest of the reviewed source: those that our classes override, those that call or are
called by them, and those that end a connection."""


def found_in(library: str) -> str:
    """The library with its version, such as `daphne 4.2.3`."""
    name = packages_distributions()[library][0]
    return f"{name} {version(name)}"


def digest_of(function: Any) -> str:
    return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:12]


def check(path: str, digest: str) -> None:
    """Fail with a sentence that says what has changed and what to do."""
    library = path.partition(".")[0]
    try:
        now = digest_of(resolve_name(path))
    except AttributeError:
        now = "gone"
    if now != digest:
        pytest.fail(
            f"{found_in(library)} has changed {path}: it is {now}, and was read as {digest}. Compare it with the "
            "version before; when config/daphne_internals.py and config/sockets.py still do what they say "
            "(tests/config, bench/sockets.py), note the new digest in READ.",
            pytrace=False,
        )


@pytest.mark.parametrize("path", READ)
def test_nothing_changed_that_we_rely_on(path: str) -> None:
    check(path, READ[path])


def overridden(ours: type) -> Iterator[str]:
    """A library function that one of our classes overrides."""
    for name, value in vars(ours).items():
        theirs = next((base for base in ours.__mro__[1:-1] if name in vars(base)), None)
        if theirs is not None and inspect.isfunction(value):
            yield f"{theirs.__module__}.{theirs.__qualname__}.{name}"


@pytest.mark.parametrize("ours", OURS)
def test_whatever_is_overridden_was_read(ours: type) -> None:
    assert [path for path in overridden(ours) if path not in READ] == []


def test_a_change_is_told_with_the_library_and_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "daphne.server.Server.kill_all_applications"
    for changed, said in ((lambda self: None, "it is "), (None, "it is gone")):
        with monkeypatch.context() as patch:
            if changed:
                patch.setattr(Server, "kill_all_applications", changed)
            else:
                patch.delattr(Server, "kill_all_applications")
            with pytest.raises(pytest.fail.Exception) as failure:
                check(path, READ[path])
        assert str(failure.value).startswith(f"daphne {version('daphne')} has changed {path}: {said}")
