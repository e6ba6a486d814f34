"""Markdown as plain text: the words that its readers see in Vesper, and no others.

The source says more than they see: the true title in `[[Title|words]]`, link definitions used as comments.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from campaigns.markdown import render

BLOCKS = {"p", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "pre", "table", "hr"}
LINES = {"br", "li", "tr"}


def shown_text(markdown: str) -> str:
    """The text as plain lines, paragraphs separated by an empty one."""
    reader = _Reader()
    # From the sanitised HTML that pages show, so that the two can't differ. Nothing is known to link to.
    reader.feed(render(markdown, ()))
    reader.close()
    lines = [re.sub(r"[^\S\n]+", " ", line).strip() for line in "".join(reader.parts).splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._address = ""
        self._words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.parts.append("\n\n")
        elif tag in LINES and not "".join(self.parts[-1:]).endswith("\n"):
            self.parts.append("\n")
        if tag == "li":
            self.parts.append("• ")
        elif tag in ("td", "th"):
            self.parts.append(" ")
        elif tag == "a":
            self._address, self._words = dict(attrs).get("href") or "", ""

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.parts.append("\n\n")
        elif tag == "a":
            if re.match(r"https?://", self._address) and self._address != self._words:
                self.parts.append(f" ({self._address})")
            self._address = ""

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
        self._words += data
