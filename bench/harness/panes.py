"""Reads a fight's page out of its HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VERSION = re.compile(r'<output id="version" data-version="(\d+)" data-audience="([^"]+)"')
TOKEN = re.compile(r"&quot;x-csrftoken&quot;: &quot;(\w+)&quot;|\"x-csrftoken\": \"(\w+)\"")
PANE = re.compile(r'<(\w+) id="(pane-[\w-]+)" data-version="(\d+)"')
PIECES = re.compile(r'[^>]* hx-swap-oob="pieces"')
ELEMENT = re.compile(r'<(\w+)[^>]*? id="([\w-]+)"[^>]*>')

Panes = dict[str, tuple[int, str]]
"""Panes by id: version and outer HTML."""


def panes_in(html: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """The panes in a page or a frame: id, version and outer HTML."""
    for found in PANE.finditer(html):
        tag, name, version = found.groups()
        yield name, (int(version), html[found.start() : _end_of(html, tag, found.end())])


def bring(panes: Panes, frame: str) -> None:
    """Apply a frame to a page's panes as static/js/morph.js does: the newest version wins, for each pane by itself."""
    for name, (version, html) in panes_in(frame):
        standing = panes.get(name)
        if standing is not None and version <= standing[0]:
            continue
        if not PIECES.match(html):
            panes[name] = version, html
        elif standing is None or standing[0] < int(_said(html, "since")):
            raise AssertionError(f"{name} got pieces that build on {_said(html, 'since')}, and has {standing}")
        else:
            panes[name] = version, _patched(standing[1], html, version)


def _said(html: str, name: str) -> str:
    """A `data-` attribute of an element; "" without it."""
    found = re.search(rf' data-{name}="([^"]*)"', html[: html.index(">")])
    return found[1] if found else ""


def _patched(pane: str, pieces: str, version: int) -> str:
    """A pane's HTML with these pieces in place of its own, and new ones first in their list."""
    fresh = ""
    for name, piece in _elements(pieces[pieces.index(">") + 1 :]):
        standing = next((each for of, each in _everything(pane) if of == name), None)
        if standing is None:
            fresh += piece
        else:
            pane = pane.replace(standing, piece, 1)
    if into := _said(pieces, "into"):
        opened = re.search(rf'<\w+[^>]* id="{into}"[^>]*>', pane)
        assert opened, f"no {into}"
        pane = pane[: opened.end()] + fresh + pane[opened.end() :]
        listed = list(_elements(pane[opened.end() :]))
        for _name, old in listed[int(_said(pieces, "count")) :]:
            pane = pane.replace(old, "", 1)
        assert len(listed) >= int(_said(pieces, "count")), "entries are missing"
    else:
        assert not fresh, f"no place for {fresh}"
    return re.sub(r' data-version="\d+"', f' data-version="{version}"', pane, count=1)


def _elements(html: str) -> Iterator[tuple[str, str]]:
    """The elements with ids, with their outer HTML, without those inside of them; up to the end of their parent."""
    place = 0
    while found := re.compile(r"<(/?)(\w+)[^>]*>").search(html, place):
        if found[1]:
            return
        place = _end_of(html, found[2], found.end())
        if name := re.search(r' id="([\w-]+)"', found[0]):
            yield name[1], html[found.start() : place]


def _everything(html: str) -> Iterator[tuple[str, str]]:
    """All elements with ids, those inside of others too."""
    for found in ELEMENT.finditer(html):
        yield found[2], html[found.start() : _end_of(html, found[1], found.end())]


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
    # The white space around pieces is not sent.
    return re.sub(r"\s*(<|>)\s*", r"\1", " ".join(html.split()))
