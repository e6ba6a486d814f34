"""Sanitised Markdown: parsed without raw HTML, then filtered through an allow-list.

It removes everything that can style, script, fetch or navigate: classes, ids, styles, htmx attributes, images.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from campaigns.models import NAME_LENGTH, TEXT_LENGTH
from campaigns.titles import fold

TAGS = {
    *("p", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "br", "hr"),
    *("ul", "ol", "li", "blockquote", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
MOST_LINKS = 200
"""How many titles of one text are links; further ones are words."""
LONGEST_LINK = 500
"""The maximum length of a link between its brackets."""


def _lower_headings(state: StateCore) -> None:
    """Shift headings to the third level and below, under the page's own."""
    for token in _headings(state.tokens):
        token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"


def _headings(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.type in ("heading_open", "heading_close")]


def _page_link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # the parser's signature
    """`[[Title]]` and `[[Title|words]]`: a link if `env` has its address, otherwise the words alone.

    Without `links` in `env`, the brackets are text.
    """
    if "links" not in state.env or not state.src.startswith("[[", state.pos):
        return False
    begins = state.pos + 2
    # Searched nearby only, so that a text of nothing but brackets costs no more than it did without links.
    closes = state.src.find("]]", begins, min(state.posMax, begins + LONGEST_LINK))
    if closes < 0:
        return False
    inner = state.src[begins:closes]
    title, _bar, words = inner.partition("|")
    if not title.strip() or len(title) > 2 * NAME_LENGTH or "[" in inner or "\n" in inner:
        return False
    if not silent:
        folded = fold(title)
        state.env.setdefault("titles", {})[folded] = None
        address = state.env["links"].get(folded)
        if address:
            state.push("link_open", "a", 1).attrs = {"href": address}
        state.push("text", "", 0).content = words.strip() or title.strip()
        if address:
            state.push("link_close", "a", -1)
    state.pos = closes + 2
    return True


_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
_parser.core.ruler.push("lower_headings", _lower_headings)
_parser.inline.ruler.before("link", "page_link", _page_link)


@lru_cache(maxsize=256)
def titles_in(text: str) -> tuple[str, ...]:
    """The folded titles that a text links to, in their order, at most `MOST_LINKS`."""
    if "[[" not in text:
        return ()
    env: dict[str, Any] = {"links": {}}
    _parser.parse(text[:TEXT_LENGTH], env)
    return tuple(env.get("titles", ()))[:MOST_LINKS]


@lru_cache(maxsize=256)
def render(text: str, links: tuple[tuple[str, str], ...] | None = None) -> SafeString:
    """The text as safe HTML, truncated to the maximum length of a passage to bound the cost.

    `links` are the addresses of `[[titles]]` by folded title; None leaves the brackets as they are.
    """
    env: dict[str, Any] = {} if links is None else {"links": dict(links)}
    html = _parser.render(text[:TEXT_LENGTH], env)
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener nofollow noreferrer",
        clean_content_tags={"script", "style"},
    )
    # The only place where user input becomes markup; nh3 has just rebuilt it from the allow-list.
    return mark_safe(clean)  # noqa: S308
