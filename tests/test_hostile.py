"""Any input to any form gets the form back, or a refusal, and never a server error."""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes

import pytest
from django.db import transaction
from django.urls import reverse

from combat.web.forms.endpoints import endpoints
from tests.combat.conftest import characters, draft, fight
from tests.test_leaks import world
from tests.unzipped import text_of
from tests.world import HTMX, World, addresses

__all__ = ["characters", "draft", "fight", "world"]  # fixtures

pytestmark = pytest.mark.django_db

FOR_DATABASES = {
    "nul": b"a\x00b",
    "lone surrogate": b"\xed\xa0\x80",
    "a huge number": b"9" * 30,
    "no number": b"NaN",
    "a negative": b"-1",
    "infinity": b"1e999",
    "a long text": "ẞ".encode() * 30_000,
}
"""Characters that some databases accept and others don't."""
OTHERS = {
    "right to left": "\u202egnp.exe\u202c\u2066".encode(),
    "no utf-8": b"\xff\xfe\xc0",
    "markup": b"<script>alert(1)</script>\"'><img src=x onerror=alert(1)>",
    "more digits than Python takes": b"9" * 5000,
    "other digits": "٣".encode(),
    "unknown": b"nosuchthing",
    "spaces": b"  \t ",
    "a template": b"{{ request.user }}{% debug %}%s%(x)s",
}
FORM = "application/x-www-form-urlencoded"


def fields_of(world: World, page: str, route: str, address: str) -> list[str]:
    """The names of the fields in the page's form and in the command's."""
    found = set(re.findall(r'name="([^"]+)"', page)) - {"csrfmiddlewaretoken"}
    if route in ("combat:do", "combat:form"):
        name = address.rstrip("/").rsplit("/", 1)[-1]
        ilya = world.fight["Ilya"]
        found |= {*endpoints()[name].base_fields, f"place_{ilya}", f"die-attack-{ilya}", "die-", "by_hand", "dice"}
    return sorted(found)


@pytest.mark.parametrize(
    "kinds",
    [pytest.param(FOR_DATABASES, id="databases", marks=pytest.mark.servers), pytest.param(OTHERS, id="the rest")],
)
def test_every_form_takes_anything(world: World, kinds: dict[str, bytes]) -> None:
    client, ilya = world.client("storyteller"), world.fight["Ilya"]
    for place, (route, address) in enumerate(addresses(world)):
        page = client.get(address)
        # Endpoints for raw files have no form.
        names = fields_of(world, text_of(page), route, address)
        if not names or route in ("campaigns:sign-out", "combat:since"):
            continue
        for number, kind in enumerate(
            list(kinds)[place % 4 :: 4], place // 4
        ):  # each form gets a fourth of the strings
            value = quote_from_bytes(kinds[kind])
            # Sometimes with an existing combatant, to get past the first checks.
            known = {"who": ilya, "at": world.fight["Thug 1"], "version": ""} if number % 2 else {}
            body = "&".join(f"{name}={known.get(name, value)}" for name in names)
            with transaction.atomic():
                answer = client.post(address, body, content_type=FORM, headers=HTMX)
                transaction.set_rollback(True)
            assert answer.status_code < 500, (address, kind)
            if route in ("combat:form", "combat:attack", "combat:attack-plan") and len(body) < 6000:
                assert client.get(f"{address}?{body}", headers=HTMX).status_code < 500, (address, kind)
    assert client.get(reverse("campaigns:chronicle", args=[world.chronicle.pk])).status_code == 200


def test_numbers_with_more_digits_than_python_reads(world: World) -> None:
    client, ilya, digits = world.client("storyteller"), world.fight["Ilya"], "9" * 5000
    for name, said in (
        ("declare", {"celerity": digits, "action_1": "nosuchthing", "text": "Fight."}),
        ("roll", {"traits": "wits", "dice": "type", f"die-roll-{ilya}": [digits, "3", "4"]}),
    ):
        address = reverse("combat:do", args=[world.fight.encounter_id, name])
        answer = client.post(address, {"who": ilya, "key": "k", **said}, headers=HTMX)
        assert answer.status_code in (409, 422), name


def test_ten_megabytes_are_turned_down(world: World) -> None:
    client = world.client("player")
    for name in ("declare", "attack"):
        address = reverse("combat:do", args=[world.fight.encounter_id, name])
        assert client.post(address, b"text=" + b"x" * 10_000_000, content_type=FORM).status_code in (400, 413, 422)


@pytest.mark.parametrize(
    "odd",
    [
        *(pytest.param(each, marks=pytest.mark.servers) for each in ("%00", "%ED%A0%80", "9" * 400)),
        *("%E2%80%AE", "..%2f..%2f", "%3Cb%3E", "9" * 5000),
    ],
)
def test_every_address_takes_any_id(world: World, odd: str) -> None:
    client = world.client("storyteller")
    for _route, address in addresses(world):
        parts = address.split("/")
        for place, part in enumerate(parts):
            if not any(letter.isdigit() for letter in part):
                continue
            asked = "/".join([*parts[:place], odd, *parts[place + 1 :]])
            status = client.get(asked).status_code
            # A page may claim any version: it gets the current state.
            assert status in (400, 404, 405) or (status == 200 and "/since/9" in asked), asked[:200]
