"""A collection of XSS payloads, each with a word to recognise it by.

If one of them takes effect, there is a tag, an attribute, a URL or a script with `pwned` in it; in a browser
`window.pwned` is set, or `/pwned` is requested. After OWASP's and PortSwigger's lists, in our own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urlsplit

PAYLOADS = (
    # Elements that run scripts by themselves.
    "<script>pwned=1</script>",
    "<SCRIPT SRC=/pwned></SCRIPT>",
    "<scr<script>ipt>pwned=1</scr</script>ipt>",
    "<script/pwned>pwned=1</script\n>",
    "<script type=module>import('/pwned')</script>",
    # Event handlers.
    "<img src=/pwned onerror=pwned=1>",
    "<IMG SRC=x ONERROR=pwned=1//",
    '<img """><img/src=/pwned/onerror=pwned=1>',
    "<details open ontoggle=pwned=1>",
    "<input autofocus onfocus=pwned=1>",
    "<video pwned><source onerror=pwned=1></video>",
    "<body onload=pwned=1>",
    "<div style=animation-name:x onanimationstart=pwned=1>",
    "<b onpointerover=pwned=1 pwned>x</b>",
    # Foreign namespaces, and mutation XSS: markup that changes when it is parsed again.
    "<svg onload=pwned=1>",
    "<svg><script>pwned=1</script></svg>",
    "<svg><a xlink:href=javascript:pwned=1><text>x</text></a></svg>",
    "<svg><animate onbegin=pwned=1 attributeName=x dur=1s>",
    "<svg><use href=/pwned#x></use></svg>",
    "<math><mtext><table><mglyph><style><img src=/pwned onerror=pwned=1>",
    "<math><a xlink:href=javascript:pwned=1>x</a></math>",
    '<form pwned><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img src=/pwned>">',
    '<noscript><p title="</noscript><img src=/pwned onerror=pwned=1>">',
    "<template pwned><script>pwned=1</script></template>",
    # URLs in Markdown.
    "[x](javascript:pwned=1)",
    "[x](JaVaScRiPt:pwned=1)",
    "[x](&#106;avascript:pwned=1)",
    "[x](java&Tab;script:pwned=1)",
    "[x](data:text/html,<script>pwned=1</script>)",
    "![x](/pwned)",
    '![x](x "onerror=pwned=1")',
    "[r]: javascript:pwned=1\n\n[r]",
    "<javascript:pwned=1>",
    "<https://x.example/onclick=pwned=1//>",
    '[x](https://x.example "onmouseover=pwned=1")',
    '[x](<https://x.example" onclick="pwned=1>)',
    "**<b onclick=pwned=1>x</b>**",
    # Breaking out of an attribute, a textarea, a title, a style, a comment, a script with data.
    '" onfocus=pwned=1 autofocus x="',
    "' onfocus=pwned=1 autofocus x='",
    "` onfocus=pwned=1 autofocus x=`",
    '"><script>pwned=1</script>',
    "'><svg/onload=pwned=1>",
    "</textarea><script>pwned=1</script>",
    "</title><script>pwned=1</script>",
    "</style><script>pwned=1</script>",
    "</script><script>pwned=1</script>",
    "--><script>pwned=1</script><!--",
    "</option></select><img src=/pwned>",
    '","x":pwned=1,"',
    "\\u003cscript\\u003epwned=1\\u003c/script\\u003e",
    "]]><script>pwned=1</script>",
    # Entities, unusual characters, bidirectional overrides.
    "&lt;script&gt;pwned=1&lt;/script&gt;",
    "&#60;img src=/pwned onerror=pwned=1&#62;",
    "&quot; onfocus=pwned=1 autofocus x=&quot;",
    "\x00<script>pwned=1</script>",
    "\uff1cscript\uff1epwned=1\uff1c/script\uff1e",
    "\u202e>tpircs/<1=denwp>tpircs<\u202c pwned",
    "<a\u2028href=javascript:pwned=1\u2029>x</a>",
    "+ADw-script+AD4-pwned=1+ADw-/script+AD4-",
    # Attributes that the page's libraries act on.
    '<div hx-get="/pwned" hx-trigger="load">x</div>',
    "<div data-hx-post=/pwned data-hx-trigger=load>x</div>",
    "<div hx-on::load=pwned=1>x</div>",
    "<div data-hx-on:click=pwned=1>x</div>",
    '<div hx-swap-oob="true" id="main" pwned>x</div>',
    "<div hx-ext=ws ws-connect=/pwned>x</div>",
    "{{ pwned }}{% pwned %}${pwned=1}<%= pwned %>",
    # Elements that load, link or submit elsewhere.
    "<iframe src=javascript:pwned=1></iframe>",
    "<iframe srcdoc='<script>pwned=1</script>'></iframe>",
    "<object data=/pwned></object><embed src=/pwned>",
    "<link rel=stylesheet href=/pwned>",
    "<style>@import '/pwned';</style>",
    "<p style='background:url(/pwned)'>x</p>",
    "<meta http-equiv=refresh content='0;url=/pwned'>",
    "<base href=/pwned/>",
    "<form action=/pwned><button formaction=/pwned>x</button></form>",
    # Last, as it swallows the rest of a Markdown text.
    "```<script>\npwned=1\n</script>",
)
EVERY = " ".join(
    each for each in PAYLOADS if "\x00" not in each
)  # no field accepts this character: tests/test_hostile.py
"""All payloads in one text."""

LEADS = {"href", "src", "srcset", "action", "formaction", "data", "srcdoc", "style", "poster", "ping", "content"}
"""Attributes with active values."""


class Lives(HTMLParser):
    """Collects descriptions of payloads that take effect in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in = tag
        given = dict(attrs)
        for name, value in attrs:
            if "pwned" in tag + name or re.match(r"(data-)?hx-on|on", name):
                self.found.append(f"<{tag} {name}>")
            elif _leads(name) and "pwned" in (value or "") and not _is_link(tag, given):
                self.found.append(f"<{tag} {name}={value}>"[:200])

    def handle_data(self, data: str) -> None:
        if self._in in self.CDATA_CONTENT_ELEMENTS and "pwned" in data:
            self.found.append(f"<{self._in}>{data}"[:200])

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_comment(self, data: str) -> None:
        if "pwned" in data:
            self.found.append(f"<!--{data}"[:200])


def _leads(name: str) -> bool:
    return name.rpartition(":")[2] in LEADS or name.startswith(("hx-", "data-hx-", "ws-"))


def _is_link(tag: str, given: dict[str, str | None]) -> bool:
    """A link as Markdown makes it: only followed on click, and only to a page."""
    leads_to_a_page = urlsplit((given.get("href") or "").strip()).scheme in ("", "http", "https", "mailto")
    return (
        tag == "a"
        and set(given) <= {"href", "rel", "title"}
        and "nofollow" in (given.get("rel") or "")
        and leads_to_a_page
    )


def alive(html: str) -> list[str]:
    """The payloads that take effect in a page."""
    reader = Lives()
    reader.feed(html)
    reader.close()
    return reader.found


def spots(payload: str) -> Iterator[str]:
    """A page without any escaping, with the payload in each place where a page has text."""
    from markdown_it import MarkdownIt

    yield f"<p>{payload}</p>"
    for quote in "\"'":
        yield f"<input value={quote}{payload}{quote}>"
    yield f"<input value={payload}>"
    yield f"<!-- {payload} -->"
    yield f"<title>{payload}</title>"
    yield f'<script type="application/json">{{"x": "{payload}"}}</script>'
    believer = MarkdownIt("commonmark", {"html": True})
    believer.validateLink = lambda url: True  # type: ignore[method-assign]
    yield believer.render(payload)
