"""The web app manifest and what belongs to it, so that Vesper opens from a home screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from campaigns.views.manifest import DARK
from tests.config.test_settings import PRODUCTION, manage

pytestmark = pytest.mark.django_db

STATIC = settings.BASE_DIR / "static"
TEMPLATES = settings.BASE_DIR / "templates"


@pytest.fixture
def manifest() -> dict[str, Any]:
    answer = Client().get("/manifest.webmanifest")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/manifest+json"
    assert answer["Cache-Control"] == "public, max-age=3600"
    assert "manifest-src 'self'" in answer["Content-Security-Policy"]
    assert not answer.cookies
    return dict(answer.json())


def test_it_opens_the_whole_of_vesper_in_its_own_window(manifest: dict[str, Any]) -> None:
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/"
    assert manifest["name"] == manifest["short_name"] == "Vesper"
    assert manifest["theme_color"] == manifest["background_color"] == DARK


def test_its_colours_are_those_of_the_themes() -> None:
    css = (STATIC / "css" / "base.css").read_text()
    light, dark = re.findall(r"--page: light-dark\((#\w+), (#\w+)\)", css)[0]
    assert dark == DARK
    page = Client().get("/about/").content.decode()
    for name, colour in (("dark", dark), ("light", light)):
        assert f'<meta name="theme-color" content="{colour}" data-theme="{name}"' in page


@pytest.mark.parametrize(("theme", "dark", "light"), [("dark", "all", "not all"), ("light", "not all", "all")])
def test_a_chosen_theme_colours_the_window_too(theme: str, dark: str, light: str) -> None:
    client = Client()
    client.cookies["theme"] = theme
    page = client.get("/about/").content.decode()
    assert f'data-theme="dark" media="{dark}"' in page
    assert f'data-theme="light" media="{light}"' in page


def test_each_icon_has_the_size_it_claims(manifest: dict[str, Any]) -> None:
    purposes = set()
    for icon in manifest["icons"]:
        with Image.open(STATIC / icon["src"].removeprefix("/static/").partition("?")[0]) as drawn:
            assert f"{drawn.width}x{drawn.height}" == icon["sizes"]
            assert drawn.format == "PNG"
            # Cut to any shape, what can be masked leaves no hole.
            corner = drawn.convert("RGBA").getpixel((0, 0))
            assert (corner[3] == 255) == (icon["purpose"] == "maskable")
        purposes.add((icon["purpose"], icon["sizes"]))
    assert purposes == {(purpose, size) for purpose in ("any", "maskable") for size in ("192x192", "512x512")}


def test_the_star_stays_within_every_mask() -> None:
    """The safe zone is a circle of four fifths of the icon's width."""
    with Image.open(STATIC / "icon-mask-512.png") as drawn:
        ground, middle = drawn.convert("RGB").getpixel((0, 0)), drawn.width / 2
        pixels = drawn.convert("RGB").load()
    for across in range(drawn.width):
        for down in range(drawn.height):
            if (across - middle) ** 2 + (down - middle) ** 2 > (0.4 * drawn.width) ** 2:
                assert pixels[across, down] == ground


def test_every_page_has_a_way_home() -> None:
    """A window of its own has no address and no “Back”."""
    bases = {"base.html", "alone.html", "error.html"}
    for name in ("base.html", "alone.html"):
        text = (TEMPLATES / name).read_text()
        assert "components/_mark.html" in text or 'class="mark" href="/"' in text
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text()
        if "<html" in text:
            assert path.name in bases, path
    assert 'rel="manifest" href="/manifest.webmanifest"' in (TEMPLATES / "base.html").read_text()


def test_in_production_its_icons_have_names_that_browsers_keep(tmp_path: Any) -> None:
    assert manage(tmp_path, "collectstatic", "--noinput", **PRODUCTION).returncode == 0
    ask = (
        "from django.test import Client\n"
        "answer = Client().get('/manifest.webmanifest', secure=True, headers={'host': 'vesper.example.org',"
        " 'x-forwarded-proto': 'https'})\n"
        "print(answer['Content-Type'])\nprint(*[each['src'] for each in answer.json()['icons']], sep='\\n')"
    )
    told = manage(tmp_path, "shell", "--no-imports", "-c", ask, **PRODUCTION)
    kind, *icons = told.stdout.split("\n")[:-1]
    assert kind == "application/manifest+json", told.stderr
    for name, icon in zip(("icon-192", "icon-512", "icon-mask-192", "icon-mask-512"), icons, strict=True):
        assert re.fullmatch(rf"/static/{name}\.[0-9a-f]{{12}}\.png", icon)
        assert (tmp_path / icon.removeprefix("/")).is_file()
