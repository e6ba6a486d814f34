"""An HTTPS server on this machine that receives webhooks, well-behaved or not."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from campaigns.webhook import calls

HOST = "hooks.vesper-tests.org"
OK = b"HTTP/1.1 204 No Content\r\n\r\n"

Behaviour = Callable[["Receiver", ssl.SSLSocket], None]


def answers(*said: bytes) -> Behaviour:
    """Read each request and give these answers in turn, the last one again and again."""

    def behave(receiver: Receiver, one: ssl.SSLSocket) -> None:
        receiver.take(one)
        one.sendall(said[min(len(receiver.requests), len(said)) - 1])

    return behave


def status(code: int, *headers: str) -> bytes:
    """An answer with this status and nothing in it."""
    lines = [f"HTTP/1.1 {code} So", "Content-Length: 0", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


class Receiver:
    """A server with a certificate of its own for `HOST`. `requests` are what arrived: (head, body)."""

    def __init__(self, folder: Path, behave: Behaviour | None = None, name: str = HOST) -> None:
        self.behave = behave or answers(OK)
        self.requests: list[tuple[str, Any]] = []
        self.connections = 0
        self.names: list[str | None] = []
        self.certificate = folder / f"{name}.pem"
        key = folder / f"{name}.key"
        make_certificate(name, self.certificate, key)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate, key)
        self._context.sni_callback = lambda _socket, asked, _context: self.names.append(asked)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def reach(self, *, trusted: bool = True) -> calls.Reach:
        """A reach that allows this machine, at this port, and trusts this certificate."""

        def context() -> ssl.SSLContext:
            made = calls.trusted()
            if trusted:
                made.load_verify_locations(self.certificate)
            return made

        return calls.Reach(lambda ip: ip == "127.0.0.1", self.port, context, itself=True)

    def take(self, one: ssl.SSLSocket) -> None:
        """Read a whole request and keep it."""
        read = b""
        while b"\r\n\r\n" not in read:
            read += one.recv(65536)
        head, _end, body = read.partition(b"\r\n\r\n")
        length = int(
            next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")).split()[1]
        )
        while len(body) < length:
            body += one.recv(65536)
        self.requests.append((head.decode(), json.loads(body)))

    def close(self) -> None:
        self.ended.set()
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # a thread waits in it
        self._listening.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                plain, _address = self._listening.accept()
                self.connections += 1
                threading.Thread(target=self._answer, args=(plain,), daemon=True).start()

    def _answer(self, plain: socket.socket) -> None:
        # A client that hangs up is no fault of the server's.
        with contextlib.suppress(OSError, IndexError), self._context.wrap_socket(plain, server_side=True) as one:
            self.behave(self, one)


def make_certificate(name: str, certificate: Path, key: Path) -> None:
    """A self-signed certificate for one host name, valid today."""
    secret = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    alternative = [x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("192.0.2.7"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(alternative), critical=False)
        .sign(secret, hashes.SHA256())
    )
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    key.write_bytes(secret.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))


class Names:
    """A resolver for one name, in place of the system's. Each lookup takes the next answer; the last one stays."""

    def __init__(self, *found: list[str]) -> None:
        self.found, self.asked = [*found], 0

    def __call__(self, host: str, port: int, *_more: Any, **_others: Any) -> list[Any]:
        assert host == HOST
        now = self.found[min(self.asked, len(self.found) - 1)]
        self.asked += 1
        family = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(family[":" in ip], socket.SOCK_STREAM, 6, "", (ip, port)) for ip in now]
