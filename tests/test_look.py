"""The design rules that a machine can check: contrast in both themes, and compliance with the content security
policy."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CSS = (ROOT / "static/css/base.css").read_text()
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
GROUNDS = ["ink", "page", "card", "raised", "lit", "field"]


COLOURS = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\);", CSS)
LIGHT = {name: light for name, light, _ in COLOURS}
DARK = {name: dark for name, _, dark in COLOURS}


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_on_white_is_the_known_ratio() -> None:
    assert _contrast("#000", "#fff") == pytest.approx(21)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_writing_is_readable_on_every_ground(theme: dict[str, str], ground: str) -> None:
    for writing in ["bone", "ash", "dust", "harm", "brass", "moss", "steel"]:
        assert _contrast(theme[writing], theme[ground]) >= 4.5, f"{writing} on {ground}"
    assert _contrast(theme["edge"], theme[ground]) >= 3, f"edge on {ground}"


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_writing_is_readable_on_coloured_areas(theme: dict[str, str]) -> None:
    for writing, area in [
        ("on-blood", "blood"),
        ("on-blood", "blood-deep"),
        ("on-brass", "brass"),
        ("harm", "harm-wash"),
        ("bone", "harm-wash"),
    ]:
        assert _contrast(theme[writing], theme[area]) >= 4.5, f"{writing} on {area}"


STYLES = [path for path in sorted((ROOT / "static/css").glob("*.css")) if path.name != "admin.css"]
"""All stylesheets except those of the administration."""

by_name = pytest.mark.parametrize("style", STYLES, ids=[path.name for path in STYLES])


@by_name
def test_distances_are_steps_of_the_scale(style: Path) -> None:
    distance = r"(?<![\w-])(?:margin|padding|gap|row-gap|column-gap)(?:-[a-z-]+)?: ([^;}]+)"
    distances = re.findall(distance, style.read_text())
    plain = [re.sub(r"\(.*\)", "", each) for each in distances]
    assert [each for each in plain if "rem" in each] == []


@by_name
def test_every_rule_lies_in_a_layer(style: Path) -> None:
    """Rules outside all layers would override every page."""
    rules = re.sub(r"/\*.*?\*/", "", style.read_text(), flags=re.DOTALL)
    rules = re.sub(r"@layer [^{;]+;", "", rules)
    depth, outside = 0, ""
    for part in re.split(r"([{}])", rules):
        if depth == 0 and part not in "{}":
            outside += part
        depth += {"{": 1, "}": -1}.get(part, 0)
    assert outside.split("@layer")[0].strip() == ""
    assert all(re.fullmatch(r"\s*[a-z-]+\s*", name) for name in outside.split("@layer")[1:]), outside


def _range(css: str) -> set[int]:
    parts = [part.removeprefix("U+").split("-") for part in css.split(", ")]
    return {code for first, *last in parts for code in range(int(first, 16), int((last or [first])[0], 16) + 1)}


SHOWN = [
    *TEMPLATES,
    *(ROOT / "static").rglob("*.js"),
    *(ROOT / "static").rglob("*.css"),
    *(ROOT / "locale").rglob("*.po"),
    *(ROOT / "rules/rulebook").rglob("*.toml"),
]
DRAWN_BY_NOBODY = {"\n", "\xad", "─"}
"""The last one only separates sections in comments of styles and scripts."""


def _ranges(family: str) -> list[set[int]]:
    """The characters of each file of a font."""
    faces = re.findall(rf'font-family: "{family}"; src: url.+?unicode-range: ([^;]+);', CSS, re.DOTALL)
    return [_range(face) for face in faces]


def test_the_fonts_have_every_character_that_vesper_shows() -> None:
    sans, serif = (_ranges(f"Vesper {name}") for name in ("Sans", "Serif"))
    assert set.union(*sans) == set.union(*serif)
    drawn = {chr(code) for code in set.union(*sans)} | DRAWN_BY_NOBODY
    missing = {str(path.relative_to(ROOT)): set(path.read_text()) - drawn for path in SHOWN}
    assert {path: letters for path, letters in missing.items() if letters} == {}


@pytest.mark.parametrize("family", ["Sans", "Serif"])
def test_english_and_german_need_only_the_first_file_of_a_font(family: str) -> None:
    first, more = _ranges(f"Vesper {family}")
    assert not first & more
    assert {ord(letter) for letter in "Hello, “Wörld”: it’s „Größe“ – ÄÖÜ, é! 1–3 × (5) − 2 · …"} <= first


def test_the_fonts_stay_small() -> None:
    """The first files are part of every page (`tests/browser/test_wire.py`)."""
    assert sum((ROOT / f"static/fonts/{name}.woff2").stat().st_size for name in ("sans", "serif")) < 32_000
    assert sum(font.stat().st_size for font in (ROOT / "static/fonts").glob("*.woff2")) < 80_000


@pytest.mark.parametrize("template", TEMPLATES, ids=[str(path.relative_to(ROOT / "templates")) for path in TEMPLATES])
def test_a_template_holds_nothing_inline(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"\sstyle=|<style\b|\shx-on|\son[a-z]+=\"|javascript:|hx-vals=.js:", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
