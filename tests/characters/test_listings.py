"""The lists on sheets: what the form keeps and refuses, what pages show, and which Merits the rules read."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from campaigns.models import Chronicle, Membership, User
from campaigns.words import said
from characters.forms.listings import MOST_ENTRIES
from characters.listings import entries_of
from characters.models import Character
from characters.sheets import sheet_of
from characters.words import powers_of
from rules.systems import RULESETS


def make(by: User, ruleset: str, kind: str, **more: Any) -> Character:
    chronicle = Chronicle.objects.create(name="Elsewhere", ruleset=ruleset)
    Membership.objects.create(chronicle=chronicle, user=by, role="storyteller")
    return Character.objects.create(chronicle=chronicle, kind=kind, name="Nadia", **more)


@pytest.fixture
def client(signed_in: Any, storyteller: User) -> Client:
    signed: Client = signed_in(storyteller)
    return signed


def save(client: Client, one: Character, fields: Any, **typed: Any) -> Any:
    """Open the form, change some fields, with __ for -, save, and return the response; the character is reloaded."""
    url = reverse("characters:edit", args=[one.pk])
    response = client.post(
        url, fields(client.get(url)) | {name.replace("__", "-"): text for name, text in typed.items()}
    )
    one.refresh_from_db()
    return response


def blocks(client: Client, one: Character) -> dict[str, list[tuple[str, list[tuple[str, int]]]]]:
    page = client.get(reverse("characters:sheet", args=[one.pk])).context["page"]
    return {
        block.label: [(group.label, [(line.label, line.value) for line in group.traits]) for group in block.groups]
        for block in page.lists
    }


def test_a_garou_has_gifts_by_rank_which_rules_and_fights_read(client: Client, storyteller: User, fields: Any) -> None:
    one = make(storyteller, "apocalypse", "garou")
    assert blocks(client, one) == {}
    save(
        client,
        one,
        fields,
        list__gifts__0__name="Spirit of the Fray",
        list__gifts__0__dots="2",
        list__gifts__1__name="Razor Claws",
        list__gifts__1__dots="1",
        list__backgrounds__0__name="Pure Breed",
        list__backgrounds__0__dots="3",
        list__rites__0__name="Rite of Contrition",
    )
    assert one.lists == {
        "gifts": [["Spirit of the Fray", 2], ["Razor Claws", 1]],
        "rites": [["Rite of Contrition", 0]],
        "backgrounds": [["Pure Breed", 3]],
    }
    assert one.merits == ["spirit_of_the_fray", "razor_claws"]
    assert set(powers_of(sheet_of(one), RULESETS["apocalypse"]).values()) == {"Spirit of the Fray", "Razor Claws"}
    assert blocks(client, one) == {
        "Gifts": [("Rank 1", [("Razor Claws", 0)]), ("Rank 2", [("Spirit of the Fray", 0)])],
        "Rites": [("", [("Rite of Contrition", 0)])],
        "Backgrounds": [("", [("Pure Breed", 3)])],
    }


@pytest.mark.parametrize("language", ["en", "de"])
def test_gifts_are_known_by_their_names_in_every_language(
    client: Client, storyteller: User, fields: Any, language: str
) -> None:
    """AP-POW-1: what was typed in one language is the same Gift for readers of another."""
    one = make(storyteller, "apocalypse", "garou")
    save(
        client,
        one,
        fields,
        list__gifts__0__name="silberklauen",
        list__gifts__1__name="Mother's touch",
        list__gifts__2__name="Geist-des-Kampfes",
        list__gifts__3__name="Wyrm wittern",
    )
    assert one.merits == ["silver_claws", "mothers_touch", "spirit_of_the_fray", "wyrm_wittern"]
    ruleset = RULESETS["apocalypse"]
    with translation.override(language):
        known = {key: said(label) for key, label in powers_of(sheet_of(one), ruleset).items()}
        shown = {each.key: entries_of(one, ruleset, each) for each in ruleset.layout.lists}
    silver = {"en": "Silver Claws", "de": "Silberklauen"}[language]
    assert (known["silver_claws"], known["wyrm_wittern"]) == (silver, "Wyrm wittern")
    assert [name for name, _dots in shown["gifts"]][:2] == ["silberklauen", "Mother's touch"]
    assert shown["merits"] == []


def test_gifts_from_before_the_ruleset_had_them_are_known_and_shown_once(storyteller: User) -> None:
    """AP-POW-1: the sheet kept a key made from the name."""
    lists = {"gifts": [["Silberklauen", 3], ["Mother's Touch", 1], ["Wyrm wittern", 1]]}
    kept = ["silberklauen", "mother_s_touch", "wyrm_wittern", "iron_will"]
    one = make(storyteller, "apocalypse", "garou", lists=lists, merits=kept)
    ruleset = RULESETS["apocalypse"]
    assert sheet_of(one).merits == {"silver_claws", "mothers_touch", "wyrm_wittern", "iron_will"}
    (merits,) = (each for each in ruleset.layout.lists if each.key == "merits")
    assert entries_of(one, ruleset, merits) == [("Iron will", 0)]


def test_merits_of_older_sheets_are_in_the_list_and_get_dots(client: Client, storyteller: User, fields: Any) -> None:
    one = make(storyteller, "chronicles", "mortal", merits=["quick_draw", "iron_stamina"])
    assert blocks(client, one) == {"Merits": [("", [("Iron Stamina", 0)])]}
    page = client.get(reverse("characters:sheet", args=[one.pk])).context["page"]
    assert page.merits == ("Quick Draw",)
    save(client, one, fields, list__merits__0__dots="2")
    assert (one.merits, one.lists) == (["quick_draw", "iron_stamina"], {"merits": [["Iron Stamina", 2]]})
    # A Merit that the rules know may be entered by its name too.
    save(client, one, fields, list__merits__1__name="Quick draw", list__merits__1__dots="1", known_merits=[])
    assert one.merits == ["iron_stamina", "quick_draw"]
    page = client.get(reverse("characters:sheet", args=[one.pk])).context["page"]
    assert page.merits == ()
    assert sheet_of(one).merits == {"iron_stamina", "quick_draw"}


def test_entries_are_refused_with_a_reason_and_nothing_is_lost(client: Client, storyteller: User, fields: Any) -> None:
    one = make(storyteller, "masquerade", "vampire", lists={"former": [["Kept", 1]]})
    many = {f"list__rituals__{place}__name": f"Ritual {place}" for place in range(MOST_ENTRIES + 2)}
    response = save(client, one, fields, list__backgrounds__1__dots="3", **many)
    assert response.status_code == 422
    form = response.context["form"]
    assert form.errors["list-backgrounds-1-name"] == ["Enter a name, or clear the dots."]
    assert form.errors[f"list-rituals-{MOST_ENTRIES}-name"] == ["Enter at most 60 entries."]
    assert form["list-rituals-0-name"].value() == "Ritual 0"
    save(client, one, fields, list__rituals__0__name="Ward")
    assert one.lists == {"former": [["Kept", 1]], "rituals": [["Ward", 0]]}


def test_lines_are_added_and_another_kind_keeps_them(client: Client, storyteller: User, fields: Any) -> None:
    one = make(storyteller, "masquerade", "vampire", lists={"rituals": [["Ward", 2]]})
    url = reverse("characters:edit", args=[one.pk])
    typed = fields(client.get(url))
    rows = [len(each.entries) for each in client.get(url).context["layout"].lists if each.key == "rituals"]
    drawn = client.post(url, typed | {"add-entry": "rituals", "list-rituals-1-name": "Rego"})
    again = [len(each.entries) for each in drawn.context["layout"].lists if each.key == "rituals"]
    assert again == [rows[0] + 2]
    drawn = client.post(url, fields(drawn) | {"kind": "mortal", "lay": "1"})
    assert [each.key for each in drawn.context["layout"].lists] == ["backgrounds", "merits", "flaws"]
    client.post(url, fields(drawn))
    one.refresh_from_db()
    assert (one.kind, one.lists) == ("mortal", {"rituals": [["Ward", 2], ["Rego", 0]]})
    assert blocks(client, one) == {}


def test_fights_read_how_many_dots_a_merit_has(storyteller: User) -> None:
    """WD-POW-11, WD-POW-17: by the key of the Merit, the most of several entries, and none where none are given."""
    lists = {"merits": [["Fast Reflexes", 1], ["fast reflexes", 2], ["Kung Fu", 3], ["Iron Stamina", 0]]}
    merits = ["fast_reflexes", "kung_fu", "iron_stamina"]
    one = make(storyteller, "darkness", "mortal", merits=merits, lists=lists)
    assert sheet_of(one).rated == {"fast_reflexes": 2, "kung_fu": 3}
    german = make(storyteller, "darkness", "mortal", merits=merits, lists={"merits": [["Schnelle Reflexe", 1]]})
    assert sheet_of(german).rated == {"fast_reflexes": 1}
