"""Reads a fight's page out of its HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VERSION = re.compile(r'<output id="version" data-version="(\d+)" data-audience="([^"]+)"')
TOKEN = re.compile(r"&quot;x-csrftoken&quot;: &quot;(\w+)&quot;|\"x-csrftoken\": \"(\w+)\"")
PANE = re.compile(r'<(\w+) id="(pane-[\w-]+)" data-version="(\d+)"')


def panes_in(html: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """The panes in a page or a frame: id, version and outer HTML."""
    for found in PANE.finditer(html):
        tag, name, version = found.groups()
        yield name, (int(version), html[found.start() : _end_of(html, tag, found.end())])


def _end_of(html: str, tag: str, after: int) -> int:
    """The end of the element whose start tag contains the index `after`. Text is escaped, so only tags contain "<"."""
    depth = 1
    for found in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(html, after):
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.end()
    return len(html)


def fields_of(html: str) -> list[tuple[str, str]]:
    """What a browser would submit of a page's fields if nobody typed anything."""
    reader = _Fields()
    reader.feed(html)
    return reader.found


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._name = ""
        """The name of the current select or textarea."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        name = said.get("name", "")
        if tag in ("select", "textarea"):
            self._name = name
            if tag == "textarea":
                self.found.append((name, ""))
        elif tag == "option" and "selected" in said:
            self.found.append((self._name, said["value"]))
        elif tag == "input" and name:
            ticks = said.get("type") in ("checkbox", "radio")
            if not ticks or "checked" in said:
                self.found.append((name, said.get("value", "on" if ticks else "")))

    def handle_data(self, data: str) -> None:
        if self.lasttag == "textarea" and self._name:
            self.found[-1] = (self._name, self.found[-1][1] + data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("select", "textarea"):
            self._name = ""


def plain(html: str) -> str:
    """A pane without what differs on each request: idempotency keys, tokens, and how it was delivered."""
    html = re.sub(r' hx-swap-oob="\w+"', "", html)
    html = re.sub(r'(class="die[^"]*) new"', r'\1"', html)  # dice that are delivered live land with an animation
    html = re.sub(r'value="[0-9a-f]{32}"|csrfmiddlewaretoken" value="\w+"', "", html)
    return " ".join(html.split())
