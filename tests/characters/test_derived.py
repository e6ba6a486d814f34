"""Sheets beyond Traits: derived values, whole pools, Merits to tick, starting points."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Chronicle, Membership, Role
from characters.models import CarriedWeapon, Character, Weapon

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(storyteller: Any) -> Client:
    signed_in = Client()
    signed_in.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    return signed_in


def table(storyteller: Any, ruleset: str) -> Chronicle:
    made = Chronicle.objects.create(name="Elsewhere", ruleset=ruleset)
    Membership.objects.create(chronicle=made, user=storyteller, role=Role.STORYTELLER)
    return made


def test_a_sheet_shows_what_follows_from_its_traits(client: Client, storyteller: Any) -> None:
    """WD-DEF-1, WD-GEAR-1: the weapon's rating is in its pool."""
    traits = {"strength": 3, "dexterity": 3, "wits": 2, "composure": 3, "weaponry": 2}
    one = Character.objects.create(chronicle=table(storyteller, "darkness"), name="Ann", traits=traits)
    sword = Weapon.objects.create(
        ruleset="darkness", chronicle=one.chronicle, name="blade", mode="melee", damage=3, type="lethal"
    )
    CarriedWeapon.objects.create(character=one, weapon=sword)
    page = client.get(reverse("characters:sheet", args=[one.pk])).context["page"]
    told = {each.label: (each.value, each.unit) for each in page.derived}
    assert told == {"Defense": (2, ""), "Speed": (11, "yards"), "Initiative": (6, ""), "Health": (7, "")}
    (line,) = page.weapons
    assert (line.pool, line.dice) == ("Strength + Weaponry + 3", 8)


@pytest.mark.parametrize(
    ("ruleset", "kind", "penalties"),
    [
        ("chronicles", "mortal", {"−1", "−2", "−3", ""}),
        ("chronicles", "vampire", {""}),
        ("darkness", "vampire", {"−1", "−2", "−3", ""}),
    ],
)
def test_boxes_have_penalties_only_for_those_who_feel_wounds(
    client: Client, storyteller: Any, ruleset: str, kind: str, penalties: set[str]
) -> None:
    """CD-VAMP-1, CD-HEALTH-2, WD-HEALTH-2: on the sheet and in its form."""
    one = Character.objects.create(chronicle=table(storyteller, ruleset), name="Ann", kind=kind, traits={"stamina": 2})
    sheet = client.get(reverse("characters:sheet", args=[one.pk])).context["page"]
    assert {box.penalty for box in sheet.boxes} == penalties
    form = client.get(reverse("characters:edit", args=[one.pk])).context["layout"]
    assert {box.penalty for box in form.boxes} == penalties


def test_merits_that_the_rules_know_are_ticked(client: Client, storyteller: Any) -> None:
    """WD-INIT-3, WD-ATK-3: others are typed in."""
    one = Character.objects.create(chronicle=table(storyteller, "darkness"), name="Ann", merits=["fresh_start", "iron"])
    url = reverse("characters:edit", args=[one.pk])
    form = client.get(url).context["form"]
    assert form["known_merits"].value() == ["fresh_start"]
    assert form["list-merits-0-name"].value() == "Iron"
    typed = {"name": "Ann", "kind": "mortal", "version": "1"}
    typed |= {"list-merits-0-name": "Iron", "list-merits-1-name": "Deaf"}
    typed["known_merits"] = "fighting_finesse"
    gear = {f"{table}-{name}": "0" for table in ("weapons", "armor") for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    assert client.post(url, typed | gear).status_code == 302
    one.refresh_from_db()
    assert one.merits == ["fighting_finesse", "iron", "deaf"]
    # A form from before there were Merits to tick leaves them unchanged.
    assert client.post(url, {"name": "Ann", "kind": "mortal", "version": str(one.version)} | gear).status_code == 302
    one.refresh_from_db()
    assert one.merits == ["fighting_finesse", "iron", "deaf"]


def test_a_new_vampire_with_a_name_alone_has_points_to_spend(client: Client, chronicle: Chronicle) -> None:
    gear = {f"{table}-{name}": "0" for table in ("weapons", "armor") for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    made = client.post(reverse("characters:create", args=[chronicle.pk]), {"name": "Ann", "kind": "vampire"} | gear)
    assert made.status_code == 302
    one = Character.objects.get(name="Ann")
    page = client.get(reverse("characters:sheet", args=[one.pk])).context["page"]
    assert [(each.label, each.value, each.most) for each in page.points] == [
        ("Willpower", 3, 3),
        ("Blood pool", 10, 10),
    ]


@pytest.mark.parametrize(
    ("ruleset", "kind", "scarlet"),
    [("masquerade", "vampire", ["blood"]), ("chronicles", "vampire", ["vitae"]), ("apocalypse", "garou", [])],
)
def test_blood_alone_is_drawn_in_red(
    client: Client, storyteller: Any, ruleset: str, kind: str, scarlet: list[str]
) -> None:
    one = Character.objects.create(chronicle=table(storyteller, ruleset), name="Ann", kind=kind)
    page = client.get(reverse("characters:sheet", args=[one.pk])).context["page"]
    assert [points.key for points in page.points if points.scarlet] == scarlet
