"""Addresses that may be called: what a Storyteller may type, and which machines a name may lead to."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host
from django.utils.translation import gettext as _

LONGEST = 500
HTTPS = 443

# One label or more before the last, which starts with a letter. That excludes every way to write an IP address, also
# those that only C libraries understand: 127.1, 0x7f000001, 2130706433.
HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
TARGET = re.compile(r"(?:[/?][A-Za-z0-9._~%!$&'()*+,;=:@/?\[\]-]*)?")
LOCAL = {"localhost", "local", "internal", "intranet", "private", "lan", "home", "corp", "arpa", "onion"}
LOCAL |= {"test", "invalid", "example"}
"""Top-level domains that name nothing on the internet."""

REFUSED = [
    ipaddress.ip_network(each)
    for each in (
        "0.0.0.0/8",  # this host, this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # behind a provider's NAT
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's platform, at a public address inside every virtual machine
        "169.254.0.0/16",  # link-local, where clouds keep their metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # automatic multicast tunnelling
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        "2001::/23",  # protocol assignments, among them Teredo
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which embeds any IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
]
UNICAST = ipaddress.ip_network("2000::/3")
"""All public IPv6 addresses. What is outside it is loopback, private, link-local, mapped, multicast or unassigned."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""How a network without IPv4 reaches an IPv4 address: the address is the last 32 bits."""


class BadAddress(ValueError):
    """An address that can't be called. The message says what to do."""


@dataclass(frozen=True, slots=True, repr=False)
class Address:
    """An address to call. Its `target` (path and query) contains a token: neither `repr` nor `str` shows it."""

    host: str
    target: str

    def __repr__(self) -> str:
        return f"https://{self.host}/…"

    __str__ = __repr__


def read(text: str) -> Address:
    """The address that somebody typed, or that was saved. Raises `BadAddress`.

    It is read by allow-lists rather than repaired: where two programs read one address differently, a check of the one
    says nothing about the other.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadAddress(_("Use at most %(most)s characters.") % {"most": LONGEST})
    if not text.isascii():
        raise BadAddress(_("Use only plain Latin letters. International host names have a form that starts with xn--."))
    if not text.lower().startswith("https://"):
        raise BadAddress(_("The address must start with https://."))
    authority, target = _parts(text[len("https://") :])
    if "@" in authority:
        raise BadAddress(_("Remove the user name and password from the address."))
    host, colon, port = authority.lower().partition(":")
    if colon and port != str(HTTPS) and not authority.startswith("["):
        raise BadAddress(_("Only port 443 can be used. Remove the port from the address."))
    _check_host(host.removesuffix("."), authority)
    if "#" in target:
        raise BadAddress(_("Remove # and everything after it."))
    if not TARGET.fullmatch(target):
        raise BadAddress(_("The address contains a character that isn’t allowed, such as a space."))
    return Address(host.removesuffix("."), target if target.startswith("/") else f"/{target}")


def _parts(rest: str) -> tuple[str, str]:
    """The host with its port, and what follows it."""
    ends = min((at for at in map(rest.find, "/?#") if at >= 0), default=len(rest))
    return rest[:ends], rest[ends:]


def _check_host(host: str, authority: str) -> None:
    if authority.startswith("[") or re.fullmatch(r"[0-9.]+|0x[0-9a-f.x]+", host):
        raise BadAddress(_("Use a host name instead of an IP address."))
    if len(host) > 253 or not HOST.fullmatch(host) or host.rpartition(".")[2] in LOCAL:
        raise BadAddress(_("Enter the full address, with the name of a server on the internet."))
    if is_ours(host):
        raise BadAddress(_("This is the address of Vesper itself."))


def is_ours(host: str) -> bool:
    """Whether browsers reach this Vesper by that name."""
    ours = [urlsplit(origin).hostname or "" for origin in settings.VESPER_ORIGINS]
    return host in ours or validate_host(host, [each for each in settings.ALLOWED_HOSTS if each != "*"])


def is_public(ip: str) -> bool:
    """Whether an IP address is that of a single machine on the public internet, for certain.

    Python's own `is_global` isn't enough: it changed between releases, and calls multicast and 6to4 global.
    """
    try:
        found = ipaddress.ip_address(ip)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found in NAT64:
            return is_public(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
        if found.scope_id or found not in UNICAST:
            return False
    return found.is_global and not any(found in network for network in REFUSED if network.version == found.version)
