"""Texts between Foundry, which keeps HTML, and sheets, which keep single lines and Markdown."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import nh3

from campaigns.models import NAME_LENGTH
from campaigns.names import is_seen, printable

TAGS = {
    *("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "em", "i", "strong", "b", "ul", "ol", "li", "blockquote"),
    *("div", "tr", "td", "th", "section"),
}
_MARKS = {"em": "*", "i": "*", "strong": "**", "b": "**"}
_PARAGRAPHS = {"p", "div", "ul", "ol", "blockquote", "tr", "section", *(f"h{level}" for level in range(1, 7))}
_TAG = re.compile(r"<(/?)([a-zA-Z!?][a-zA-Z0-9]*)[^<>]*>")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,10}|#[0-9a-fA-Fx]{1,8});")
_NEVER_NESTED = {"p", "li", "br", "hr", "img", "input", "meta", "link", "wbr", "source", "area", "base", "col", "embed"}
MOST_NESTED = 100
LONGEST_PARSED = 100_000
"""Longer texts than sheets hold aren't parsed, but only lose their tags."""


def line(value: object, most: int = NAME_LENGTH) -> str:
    """A value as a single line that forms would accept, shortened if need be; "" if nothing is visible."""
    text = " ".join(printable(str(value)[: 20 * most]).split())[:most].strip()
    return text if is_seen(text) else ""


def block(text: str) -> str:
    """A text of several lines, as forms would accept it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def from_html(text: str, *, quick: bool = False) -> str:
    """HTML as Markdown: paragraphs, headings, lists and emphasis. All else loses its tags; scripts and styles go.

    A text without tags is returned as it is. A ``quick`` one only loses its tags.
    """
    if not (_TAG.search(text) or _ENTITY.search(text)):
        return block(text)
    if quick or len(text) > LONGEST_PARSED or _is_deep(text):
        # The parser's time grows with the square of the depth.
        text = _TAG.sub(" ", text)
    clean = nh3.clean(text, tags=TAGS, attributes={}, clean_content_tags={"script", "style"})
    reader = _Markdown()
    reader.feed(clean)
    reader.close()
    lines = "\n".join(each.rstrip() for each in "".join(reader.parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", lines).strip()


def _is_deep(text: str) -> bool:
    """Whether elements are nested deeper than any text needs."""
    unclosed: Counter[str] = Counter()
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if name in _NEVER_NESTED:
            continue
        if not tag[1]:
            unclosed[name] += 1
        elif unclosed[name]:
            unclosed[name] -= 1
        if unclosed.total() > MOST_NESTED:
            return True
    return False


class _Markdown(HTMLParser):
    """Writes sanitised HTML as Markdown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _MARKS:
            self.parts.append(_MARKS[tag])
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "hr":
            self.parts.append("\n\n---\n\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in ("td", "th"):
            self.parts.append(" ")
        elif tag in _PARAGRAPHS:
            self.parts.append("\n\n" + "#" * int(tag[1]) + " " if tag[0] == "h" and tag[1:].isdigit() else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _MARKS:
            self.parts.append(_MARKS[tag])
        elif tag in _PARAGRAPHS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
