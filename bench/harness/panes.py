"""What stands on a page of a fight, read out of its HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VERSION = re.compile(r'<output id="version" data-version="(\d+)" data-audience="([^"]+)"')
TOKEN = re.compile(r"&quot;x-csrftoken&quot;: &quot;(\w+)&quot;|\"x-csrftoken\": \"(\w+)\"")
PANE = re.compile(r'<(\w+) id="(pane-[\w-]+)" data-version="(\d+)"')


def panes_in(html: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """The panes in a page or a frame: id, version of its own, and outer HTML."""
    for found in PANE.finditer(html):
        tag, name, version = found.groups()
        yield name, (int(version), html[found.start() : _end_of(html, tag, found.end())])


def _end_of(html: str, tag: str, after: int) -> int:
    """Where the element ends of whose start `after` is a place; texts are escaped, so that tags alone have a "<"."""
    depth = 1
    for found in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(html, after):
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.end()
    return len(html)


def fields_of(html: str) -> list[tuple[str, str]]:
    """What a browser would send of the fields on a page if nothing was typed."""
    reader = _Fields()
    reader.feed(html)
    return reader.found


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._name = ""
        """Of the select or textarea that is read."""

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
    """A pane without what is drawn anew for each request: keys of presses, tokens, and how it came."""
    html = re.sub(r' hx-swap-oob="\w+"', "", html)
    html = re.sub(r'(class="die[^"]*) new"', r'\1"', html)  # faces that come by themselves land with a movement
    html = re.sub(r'value="[0-9a-f]{32}"|csrfmiddlewaretoken" value="\w+"', "", html)
    return " ".join(html.split())
