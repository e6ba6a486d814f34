"""Acting from a sheet: its links, what its forms answer there, and a roll of picked Traits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from characters.models import Character
from rules.model.roll import RollTraits
from tests.combat.conftest import TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


def page(client: Any, who: str) -> str:
    found: str = client.get(reverse("characters:sheet", args=[who])).content.decode()
    return found


def do(client: Any, log: Table, name: str, **fields: Any) -> Any:
    sheet = reverse("characters:sheet", args=[fields.get("who") or log["Ilya"]])
    address = reverse("combat:do", args=[log.encounter_id, name])
    return client.post(address, fields, **HTMX, HTTP_HX_CURRENT_URL=f"http://testserver{sheet}")


def form(client: Any, log: Table, name: str, **asked: Any) -> str:
    answer = client.get(reverse("combat:form", args=[log.encounter_id, name]), asked, **HTMX)
    assert answer.status_code == 200
    found: str = answer.content.decode()
    return found


def links(html: str, log: Table) -> set[str]:
    names = ("spend", "heal", "regain", "damage", "conditions", "sheet-roll")
    return {name for name in names if reverse("combat:form", args=[log.encounter_id, name]) in html}


def test_a_sheet_offers_what_its_reader_may_do(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any, other_player: Any
) -> None:
    hers = {"spend", "heal", "regain", "damage", "conditions", "sheet-roll"}
    assert links(page(signed_in(storyteller), log["Ilya"]), log) == hers
    assert links(page(signed_in(player), log["Ilya"]), log) == {"spend", "heal", "sheet-roll"}
    Character.objects.filter(pk=log["Ilya"]).update(kind="mortal")
    assert links(page(signed_in(player), log["Ilya"]), log) == {"spend", "sheet-roll"}  # no blood heals them
    assert log.encounter_id not in page(signed_in(other_player), log["Ilya"])  # only the card


def test_a_sheet_in_a_fight_offers_rolls_alone(
    fight: Table, log: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    assert links(page(signed_in(player), log["Ilya"]), log) == {"sheet-roll"}


def test_a_limit_per_turn_is_named_where_there_are_turns(
    log: Table, fight: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    asked = {"resource": "blood", "who": log["Ilya"]}
    assert "a turn" not in form(signed_in(player), log, "spend", **asked)
    assert "a turn" in form(signed_in(player), fight, "spend", **asked | {"who": fight["Ilya"]})


def test_what_was_done_is_told_where_it_was_done(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any
) -> None:
    answer = do(signed_in(player), log, "spend", who=log["Ilya"], resource="blood", amount=2, key="a")
    assert answer.headers["HX-Trigger"] == "vesper:done"
    told = answer.content.decode()
    assert "sheet-told" in told
    assert "pane-log" not in told
    assert "spends 2 blood" in told
    assert "/do/undo" not in told
    again = do(signed_in(player), log, "spend", who=log["Ilya"], resource="blood", amount=2, key="a")
    assert "spends 2 blood" in again.content.decode()
    assert Character.objects.get(pk=log["Ilya"]).resources["blood"] == 8
    hers = do(signed_in(storyteller), log, "damage", who=log["Ilya"], amount=1, type="lethal", reason="A fall")
    assert "takes 1 lethal" in hers.content.decode()
    assert "/do/undo" in hers.content.decode()
    assert "Undone." in do(signed_in(storyteller), log, "undo").content.decode()
    assert Character.objects.get(pk=log["Ilya"]).marks == []


def test_a_refusal_keeps_what_was_typed(
    fight: Table, log: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    answer = do(signed_in(storyteller), log, "damage", who=log["Ilya"], amount=3, type="lethal", reason="A long fall")
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Ilya is in “The chapel”" in text
    assert "A long fall" in text
    assert 'value="3"' in text


def test_feeding_is_capped_at_the_maximum_and_takes_its_amount_from_a_roll(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any
) -> None:
    client = signed_in(storyteller)
    log.do(RollTraits(log["Ilya"], ("wits",), label="Hunting"), by=player, dice=FixedDice(6))
    rolls = client.get(reverse("combat:rolls", args=[log.encounter.chronicle_id])).content.decode()
    feeds = f"{reverse('combat:form', args=[log.encounter_id, 'regain'])}?who={log['Ilya']}&amp;amount=3"
    assert feeds in rolls
    filled = form(client, log, "regain", who=log["Ilya"], amount=3)
    assert 'name="amount" value="3"' in filled
    assert "No rule sets the amount" in filled
    for amount, blood in ((3, 13), (1, 13)):
        do(client, log, "regain", who=log["Ilya"], resource="blood", amount=amount, reason="Hunting")
        assert Character.objects.get(pk=log["Ilya"]).resources["blood"] == blood
    mine = signed_in(player)
    assert feeds not in mine.get(reverse("combat:rolls", args=[log.encounter.chronicle_id])).content.decode()
    assert do(mine, log, "regain", who=log["Ilya"], resource="blood", amount=1).status_code == 403


def test_fire_and_sunlight_do_what_the_rules_say(log: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    """MQ-DMG-5: aggravated to vampires. Falls have no rule: bashing, for the Storyteller to change."""
    client = signed_in(storyteller)
    assert all(f"cause={cause}" in form(client, log, "damage") for cause in ("fall", "fire", "sunlight"))
    filled = form(client, log, "damage", who=log["Ilya"], cause="sunlight")
    assert 'value="sunlight"' in filled
    assert 'value="Sunlight"' in filled
    for who, marks in (("Ilya", ["aggravated"]), ("Thug", ["lethal"])):
        fields = {"amount": 1, "type": "lethal", "tags": ["fire"], "reason": "Fire"}
        do(client, log, "damage", who=log[who], **fields)
        assert Character.objects.get(pk=log[who]).marks == marks


def test_picked_traits_are_rolled(
    log: Table, signed_in: Callable[[Any], Any], player: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("combat.commands.perform.SystemDice", FixedDice)
    Character.objects.filter(pk=log["Ilya"]).update(marks=["lethal", "lethal"])
    client = signed_in(player)
    bar = form(client, log, "sheet-roll", who=log["Ilya"], traits=["strength", "brawl"], picked=1)
    assert "Strength 3 + Brawl 3 − " in bar
    assert "5 dice" in bar
    fields = {"who": log["Ilya"], "traits": ["strength", "brawl"], "picked": 1}
    answer = do(client, log, "sheet-roll", **fields)
    assert "Ilya" in answer.content.decode()
    assert "sheet-told" in answer.content.decode()
    assert log.view(player).log.entries[0].rolls[0].pool == 5
    refused = do(client, log, "sheet-roll", who=log[TRUE_NAME], traits=["wits"], picked=1)
    assert refused.status_code == 422
    assert "roll-bar" in refused.content.decode()
