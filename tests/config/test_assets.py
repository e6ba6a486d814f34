"""Bundles of stylesheets and scripts, and the addresses of other static files."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings
from django.template import Context, Template
from django.templatetags.static import static

from config.assets import bundle, stripped

JS = Path(settings.BASE_DIR) / "static" / "js"
CONDITIONS = re.compile(r"{%.*?%}|{#.*?#}", re.DOTALL)


def rendered(written: str) -> str:
    return Template("{% load assets %}" + written).render(Context({"shown": True}))


def test_a_page_gets_its_files_as_one(client: Any) -> None:
    link = rendered("{% styles %}base {% if shown %}wall{% endif %} print{% endstyles %}")
    found = re.fullmatch(r'<link rel="stylesheet" href="(/static/bundles/[0-9a-f]{16}/base\+wall\+print\.css)">', link)
    assert found, link
    answer = client.get(found[1])
    assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    text = answer.content.decode()
    assert text.index("@layer base, components") < text.index(".wall") < text.index("@media print {\n@layer print")
    assert "/*" not in text
    assert static("fonts/sans.woff2") in text
    assert "../fonts" not in text


def test_nothing_is_loaded_for_no_names() -> None:
    assert rendered("{% scripts %} {% if not shown %}wall{% endif %} {% endscripts %}") == ""


@pytest.mark.parametrize(
    ("accepts", "coding"),
    [("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("", None)],
)
def test_it_is_packed_as_the_browser_accepts(client: Any, accepts: str, coding: str | None) -> None:
    answer = client.get(bundle("js", ("htmx", "site")).url, headers={"Accept-Encoding": accepts})
    assert answer.headers.get("Content-Encoding") == coding
    assert answer.headers["Vary"] == "Accept-Encoding"
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[coding]
    assert unpack(answer.content) == bundle("js", ("htmx", "site")).plain


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("site.js", "dots.js"),
        ("site.js", "site+dots.js"),
        ("site.js", "site.css"),
        ("site.js", "none.js"),
        ("site.js", "../site.js"),
        ("bundles/", "bundles/0"),
    ],
)
def test_nobody_gets_bundles_that_no_page_has(client: Any, db: None, written: str, asked: str) -> None:
    address = bundle("js", ("site",)).url
    assert client.get(address).status_code == 200
    assert client.get(address.replace(written, asked)).status_code == 404


def test_writing_to_one_is_for_nobody(client: Any, db: None) -> None:
    assert client.post(bundle("js", ("site",)).url).status_code == 404


def test_every_file_that_a_template_names_exists() -> None:
    named = set()
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        blocks = re.findall(r"{% block page_(css|js) %}(.*?){% endblock %}", path.read_text(), re.DOTALL)
        named |= {(kind, name) for kind, block in blocks for name in CONDITIONS.sub(" ", block).split()}
    assert len(named) > 25
    for kind, name in named:
        assert bundle(kind, (name,)).plain


@pytest.mark.parametrize(
    ("kind", "text", "left"),
    [
        ("css", "a {\n  /* why\n  and how */\n  color: red;\n}\n", "a {\ncolor: red;\n}"),
        ("js", "// why\nact(); // how\n  // more\n\n  rest();", "act();\nrest();"),
        ("js", 'const a = "b // c";\nd(); // it\'s', 'const a = "b // c";\nd();'),
        ("js", "const a = 'https://b'; // c", "const a = 'https://b';"),
    ],
)
def test_comments_and_indentation_stay_at_home(kind: str, text: str, left: str) -> None:
    assert stripped(kind, text) == left


@pytest.mark.parametrize("path", sorted(JS.glob("*.js")), ids=lambda path: path.stem)
def test_no_text_in_a_script_spans_lines(path: Path) -> None:
    """Because its indentation is removed, and everything that looks like a comment."""
    code = [line for line in path.read_text().splitlines() if not line.strip().startswith("//")]
    assert [line for line in code if line.partition(" // ")[0].count("`") % 2] == []


def test_other_files_have_addresses_that_change_with_them(client: Any, db: None) -> None:
    address = static("icon.svg")
    assert re.fullmatch(r"/static/icon\.svg\?v=[0-9a-f]{12}", address)
    answer = client.get(address)
    assert answer.headers["Cache-Control"] == "max-age=31536000, public"
    assert b"".join(answer.streaming_content).startswith(b"<svg")
    answer.close()
