"""Tests connect to no other machine, and only the webhook makes requests at all."""

from __future__ import annotations

import ast
import asyncio
import socket
import urllib.request
from pathlib import Path

import pytest


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1", "vesper.example.org"])
def test_a_call_to_another_machine_fails(address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as caller, pytest.raises(AssertionError, match=f"called {address}, which is another"):
        caller.connect((address, 80))


def test_by_whatever_way_it_is_made() -> None:
    with pytest.raises(AssertionError, match="another machine"):
        urllib.request.urlopen("http://192.0.2.1/", timeout=1)
    with pytest.raises(AssertionError, match="another machine"):
        asyncio.run(asyncio.open_connection("192.0.2.1", 80))


def test_this_machine_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as caller:
        caller.connect(server.getsockname())


CALLERS = {"http.client", "urllib.request", "urllib3", "requests", "httpx", "aiohttp", "ftplib", "smtplib"}
OURS = ("config", "story", "combat", "characters", "campaigns", "rules")


def test_one_module_makes_requests() -> None:
    """Mail is Django's. What calls elsewhere is in `campaigns.webhook.calls`, where every address is checked."""
    root = Path(__file__).parents[1]
    found = {
        str(path.relative_to(root))
        for app in OURS
        for path in (root / app).rglob("*.py")
        if CALLERS & imported(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == {"campaigns/webhook/calls.py"}


def imported(tree: ast.AST) -> set[str]:
    """The modules that a source imports."""
    plain = {each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names}
    named = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    parts = {f"{node.module}.{each.name}" for node in named for each in node.names}
    return plain | parts | {node.module or "" for node in named}
