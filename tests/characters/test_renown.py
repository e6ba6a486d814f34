"""Renown, Rank, Morality and Paths on sheets: shown and edited by kind, in the history, and bought."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle, Membership
from characters import experience, rulesets, sheets
from characters.experience_pages import what_of
from characters.models import Character

Made = Callable[..., Character]


@pytest.fixture
def made(signed_in: Any, storyteller: Any) -> Made:
    """made(ruleset, kind, **columns) -> the Storyteller's character in a chronicle of its own."""
    signed_in(storyteller)

    def make(ruleset: str, kind: str, **columns: Any) -> Character:
        chronicle = Chronicle.objects.create(name="Elsewhere", ruleset=ruleset)
        Membership.objects.create(chronicle=chronicle, user=storyteller, role="storyteller")
        return Character.objects.create(chronicle=chronicle, kind=kind, name="Nadia", **columns)

    return make


def page(client: Any, name: str, character: Character) -> str:
    text = client.get(reverse(f"characters:{name}", args=[character.pk])).content.decode()
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


@pytest.mark.parametrize("ruleset", ["apocalypse", "masquerade", "wounds"])
def test_a_garou_has_renown_and_a_rank_and_others_have_not(client: Any, made: Made, ruleset: str, fields: Any) -> None:
    garou = made(ruleset, "garou")
    edit = reverse("characters:edit", args=[garou.pk])
    typed = fields(client.get(edit))
    assert [typed[f"trait-{key}"] for key in ("glory", "honor", "wisdom", "rank")] == ["0"] * 4
    shown = page(client, "sheet", garou)
    assert "Renown" in shown
    assert "Nadia Rank" not in shown
    typed |= {"trait-glory": "7", "trait-rank": "2"}
    assert client.post(edit, typed).status_code == 302
    garou.refresh_from_db()
    assert (garou.traits["glory"], garou.traits["rank"]) == (7, 2)
    assert "Rank 2" in page(client, "sheet", garou)
    told = page(client, "history", garou)
    assert "Glory: 0 → 7" in told
    assert "Rank: 0 → 2" in told
    mortal = made(ruleset, "mortal")
    assert "Renown" not in page(client, "sheet", mortal)


def test_too_much_renown_is_refused_at_its_field(client: Any, made: Made, fields: Any) -> None:
    edit = reverse("characters:edit", args=[made("apocalypse", "garou").pk])
    response = client.post(edit, fields(client.get(edit)) | {"trait-honor": "11", "trait-rank": "7"})
    assert response.status_code == 422
    assert response.context["form"].errors == {
        "trait-honor": ["Enter a whole number from 0 to 10."],
        "trait-rank": ["Enter a whole number from 0 to 6."],
    }


@pytest.mark.parametrize(
    ("ruleset", "kind", "key", "label"),
    [
        ("darkness", "vampire", "morality", "Humanity"),
        ("darkness", "garou", "morality", "Harmony"),
        ("chronicles", "garou", "integrity", "Harmony"),
        ("masquerade", "vampire", "humanity", "Humanity/Path"),
    ],
)
def test_morality_has_its_kinds_name_on_page_form_and_history(
    client: Any, made: Made, fields: Any, ruleset: str, kind: str, key: str, label: str
) -> None:
    one = made(ruleset, kind, traits={key: 6})
    edit = reverse("characters:edit", args=[one.pk])
    response = client.get(edit)
    assert response.context["form"].fields[f"trait-{key}"].label == label
    assert label in page(client, "sheet", one)
    assert client.post(edit, fields(response) | {f"trait-{key}": "5"}).status_code == 302
    assert f"{label}: 6 → 5" in page(client, "history", one)
    one.refresh_from_db()
    assert one.traits[key] == 5


def test_a_werewolf_buys_renown_and_harmony_at_their_prices(made: Made, storyteller: Any) -> None:
    """CD-EXP-1."""
    one = made("chronicles", "garou")
    by = Membership.objects.get(chronicle=one.chronicle, user=storyteller)
    experience.correct(by=by, character=one, amount=100, reason="Ahead")
    for wish, told in (
        (experience.Raise("purity", 1), "Purity 0 → 1"),
        (experience.Raise("integrity", 8), "Harmony 7 → 8"),
    ):
        entry = experience.ask(by=by, character=one, wish=wish)
        assert entry is not None
        assert what_of(entry, rulesets.ruleset_for(one.chronicle), one.kind) == told
    one.refresh_from_db()
    assert (one.traits["purity"], one.traits["integrity"]) == (1, 8)


def test_sheets_from_before_keep_their_morality(made: Made) -> None:
    """Under the same key, so that stored sheets, logs and scenario files need no change."""
    one = made("darkness", "garou", traits={"morality": 4})
    layout, sheet = rulesets.ruleset_for(one.chronicle).layout, sheets.sheet_of(one)
    assert layout.dots(sheet, "morality") == 4
    assert [layout.dots(sheet, key) for key in ("glory", "rank", "primal_urge")] == [0, 0, 1]
