"""Sanitised Markdown: parsed without raw HTML, then filtered through an allow-list.

It removes everything that can style, script, fetch or navigate: classes, ids, styles, htmx attributes, images.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from campaigns.models import TEXT_LENGTH

TAGS = {
    *("p", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "br", "hr"),
    *("ul", "ol", "li", "blockquote", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}


def _lower_headings(state: StateCore) -> None:
    """Shift headings to the third level and below, under the page's own."""
    for token in _headings(state.tokens):
        token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"


def _headings(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.type in ("heading_open", "heading_close")]


_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
_parser.core.ruler.push("lower_headings", _lower_headings)


@lru_cache(maxsize=256)
def render(text: str) -> SafeString:
    """The text as safe HTML, truncated to the maximum length of a note to bound the cost."""
    html = _parser.render(text[:TEXT_LENGTH])
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
