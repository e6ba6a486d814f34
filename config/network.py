"""Who is asking: a request's client address, a page's origin, and this machine's names."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from channels.security.websocket import OriginValidator
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host


def client_address(request: HttpRequest) -> str:
    """The client's address, to the extent that it can be trusted.

    Each proxy appends the address it saw to X-Forwarded-For. With `VESPER_PROXIES` proxies of ours, the last that many
    entries are theirs and the first of these is the client's; anybody can write what precedes them. An entry that is
    not a plain address (some proxies write "unknown", or add a port) is ignored.
    """
    seen = str(request.META.get("REMOTE_ADDR", ""))
    header = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
    forwarded = [part.strip() for part in header.split(",") if part.strip()]
    if settings.VESPER_PROXIES and len(forwarded) >= settings.VESPER_PROXIES:
        return _household(forwarded[-settings.VESPER_PROXIES]) or _household(seen) or seen
    return _household(seen) or seen


def _household(text: str) -> str:
    """One address for everybody behind the same router; empty if `text` is not an address.

    For IPv4 it is the address itself. With IPv6 each household has a network of 2 to the 64 addresses, each of which
    would otherwise start a count of its own.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return text
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(address) >> 64 << 64)) if address.is_global else text


def account_tried(request: HttpRequest | None, credentials: Mapping[str, Any] | None) -> str:
    """The account name that somebody tries to sign in to, case-folded."""
    data = credentials or (request.POST if request is not None else {})
    return str(data.get("username", "")).strip().casefold()[:255]


class SameOrigin(OriginValidator):
    """Lets a socket open only from our own pages: scheme, host and port must all match.

    The allowed origins are `VESPER_ORIGINS` or, without any, that of the requested host, which must be in
    `ALLOWED_HOSTS`. A request without an origin is refused: browsers always send one.
    """

    application: Callable[[Any, Any, Any], Awaitable[Any]]

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[Any]]) -> None:
        super().__init__(application, [])

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> Any:
        headers = {name: value.decode("latin1") for name, value in scope.get("headers", [])}
        allowed = settings.VESPER_ORIGINS or own_origins(headers.get(b"host", ""))
        if headers.get(b"origin", "").lower() in allowed:
            return await self.application(scope, receive, send)
        without_origin: Any = {**scope, "headers": []}
        return await super().__call__(without_origin, receive, send)


def own_origins(host: str) -> list[str]:
    """The origin without TLS of the pages on `host` (a Host header), if it is one of ours."""
    domain, _port = split_domain_port(host)
    return [f"http://{host.lower()}"] if domain and validate_host(domain, settings.ALLOWED_HOSTS) else []


def is_loopback(host: str) -> bool:
    """Whether a server that listens on `host` can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_everywhere(host: str) -> bool:
    return host in ("0.0.0.0", "::", "[::]")  # noqa: S104  asks, binds nothing


def names_of(host: str) -> list[str]:
    """The host names under which browsers reach a server that listens on `host`, the most useful first."""
    if is_loopback(host):
        return []
    if not is_everywhere(host):
        return [bracketed(host)]
    name = socket.gethostname().lower()
    return [*_own_addresses(), name] + ([] if "." in name else [f"{name}.local"])


def bracketed(host: str) -> str:
    """`host` as written in a URL."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _own_addresses() -> list[str]:
    """This machine's addresses on its local networks. Sends nothing: only the routing table is queried."""
    found = []
    for elsewhere in ("192.0.2.1", "192.168.255.255", "10.255.255.255", "172.31.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
            except OSError:
                continue
            address = probe.getsockname()[0]
        if address not in found and not is_loopback(address):
            found.append(address)
    return found
