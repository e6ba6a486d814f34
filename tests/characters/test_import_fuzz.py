"""Corrupted, compressed or forged files: refused or accepted as a whole, never an error page."""

from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.models import Weapon
from tests.characters.test_admin import WEAPONS, confirm, desk, preview

__all__ = ["desk"]  # fixture

pytestmark = pytest.mark.django_db

COLUMNS = ["ruleset", "name", "mode", "damage", "type", "tags", "note"]
ROWS = [
    ["masquerade", "Fuzzed axe", "melee", "2", "lethal", "", "=1+1"],
    ["masquerade", "Fuzzed bow", "melee", "3", "lethal", "", "Long."],
    ["masquerade", "Sword", "melee", "4", "lethal", "", "Changed."],
]
ODD = st.sampled_from(
    [
        *("", "=cmd|' /C calc'!A0", "@SUM(A1)", "\t", "NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, "٣", "True"),
        *("\x00", "\ud800", "\u202e", "\ufeff", '"', '""', "'", "\n", "\r", "\r\n", ",", ";", "name", "x" * 3000),
        *("{{ 7*7 }}", "<script>", "[" * 2000, '{"a":1,"a":2}', "ſ", "İ", "a\u0301"),
    ]
)


@st.composite
def files(draw: Any) -> bytes:
    """A valid file with cells changed, cells and rows duplicated or dropped, and bytes removed or inserted."""
    rows = [list(row) for row in (COLUMNS, *ROWS)]
    for _ in range(draw(st.integers(0, 4))):
        row = rows[draw(st.integers(0, len(rows) - 1))]
        place = draw(st.integers(0, len(row)))
        match draw(st.sampled_from(["change", "more", "less", "twice", "gone"])):
            case "change" if place < len(row):
                row[place] = draw(ODD)
            case "more":
                row.insert(place, draw(ODD))
            case "less" if place < len(row):
                del row[place]
            case "twice":
                rows.append(list(row))
            case "gone" if len(rows) > 1:
                rows.remove(row)
    content = "\n".join(",".join(row) for row in rows).encode("utf-8", "surrogatepass")
    if draw(st.booleans()):
        place = draw(st.integers(0, len(content)))
        content = content[:place] + draw(st.binary(max_size=4)) + content[place + draw(st.integers(0, 9)) :]
    return content


@pytest.mark.servers
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=files())
def test_a_file_counts_whole_or_not_at_all(desk: Any, content: bytes) -> None:
    before = list(Weapon.objects.order_by("pk").values())
    with transaction.atomic():
        shown = preview(desk, content)
        assert shown.status_code == 200
        assert list(Weapon.objects.order_by("pk").values()) == before
        if "confirm_form" in shown.context:
            totals = shown.context["result"].totals
            assert totals["error"] == totals["invalid"] == 0
            assert confirm(desk, shown).status_code == 302
            now = {row["id"]: row for row in Weapon.objects.order_by("pk").values()}
            assert len(now) - len(before) == totals["new"]
            assert sum(now[row["id"]] != row for row in before) == totals["update"]
        transaction.set_rollback(True)


def packed(kind: str) -> bytes:
    """Fifty megabytes of zeros, or a valid table, in a compression that programs open by themselves."""
    if kind == "gzip":
        return gzip.compress(b"ruleset,name,mode\nmasquerade,Packed,melee\n")
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        if kind == "bomb":
            archive.writestr("table.csv", b"\0" * 50_000_000)
        else:
            archive.writestr("xl/workbook.xml", "<workbook/>")
            archive.writestr("[Content_Types].xml", "<Types/>")
    return into.getvalue()


@pytest.mark.parametrize("kind", ["gzip", "bomb", "xlsx"])
def test_nothing_is_unpacked(desk: Any, kind: str) -> None:
    """Tables are CSV only: compressed data isn't text, under any name."""
    before, content = Weapon.objects.count(), packed(kind)
    for name, number in (("table.csv", "0"), ("table.xlsx", "0"), ("table.xlsx", "1"), ("table.csv.gz", "2")):
        data = {"import_file": SimpleUploadedFile(name, content), "format": number, "resource": "0"}
        shown = desk.post(reverse(f"{WEAPONS}_import"), data)
        assert shown.status_code == 200
        assert "confirm_form" not in shown.context
    assert Weapon.objects.count() == before
    assert not Path(tempfile.gettempdir()).exists(), "there is nowhere to unpack it to"


def test_a_packed_body_is_not_unpacked_either(client: Any, player: Any) -> None:
    """A form body that claims to be compressed is read as it is, and signs nobody in."""
    form = "application/x-www-form-urlencoded"
    plainly = f"username={player.username}&password=player's password".encode()
    address, said = reverse("campaigns:sign-in"), {"content-encoding": "gzip"}
    assert client.post(address, gzip.compress(plainly), form, headers=said).status_code in (200, 400, 422)
    assert "_auth_user_id" not in client.session
    assert client.post(address, plainly, form).status_code == 302
