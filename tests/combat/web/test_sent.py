"""Forms sent from a fight's pages: plans of attacks, and the responses to invalid forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from characters.models import CarriedWeapon, Weapon
from combat.commands import drafts
from rules.topics import commands
from rules.topics.commands import ProposeAttack
from tests.combat.conftest import SECRET, TRUE_NAME, Table, bar_fight, make_character

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


def form_url(table: Table, name: str) -> str:
    return reverse("combat:form", args=[table.encounter_id, name])


def attack_url(table: Table, **query: Any) -> str:
    from urllib.parse import urlencode

    return f"{reverse('combat:attack', args=[table.encounter_id])}?{urlencode(query)}"


def test_the_desk_plans_with_rules_and_odds(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    answer = signed_in(storyteller).get(attack_url(fight, who=fight["Ilya"], at=fight[TRUE_NAME]), **HTMX)
    body = answer.content.decode()
    for said in ("MQ-ATK-2", "Dexterity", "hits", "fells", "soak", "Roll 6"):
        assert said in body


def test_a_players_plan_is_their_own(fight: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    answer = signed_in(player).get(attack_url(fight, who=fight["Ilya"], at=fight[TRUE_NAME]), **HTMX)
    body = answer.content.decode()
    assert "Attack with 6 dice" in body
    assert "a tall man" in body
    for theirs in ("fells", "average", "soak", 'name="strike"', 'name="defence"', TRUE_NAME, SECRET):
        assert theirs not in body.lower() if theirs.islower() else theirs not in body


def test_a_player_cannot_plan_for_others(fight: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    body = signed_in(player).get(attack_url(fight, who=fight["Marguerite"]), **HTMX).content.decode()
    assert re.search(rf'<input type="hidden" name="who" value="{fight["Ilya"]}"[^>]*><b class="name">Ilya</b>', body)


def test_observers_have_nobody_to_attack_with(fight: Table, signed_in: Callable[[Any], Any], observer: Any) -> None:
    body = signed_in(observer).get(attack_url(fight), **HTMX).content.decode()
    assert "You have no character in this fight." in body


def test_only_fitting_circumstances_are_offered(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    client, ilya = signed_in(storyteller), fight.state.combatants[fight["Ilya"]]
    sword, pistol = (weapon.key for weapon in ilya.sheet.weapons)
    close = client.get(attack_url(fight, who=ilya.id, weapon=sword), **HTMX).content.decode()
    far = client.get(attack_url(fight, who=ilya.id, weapon=pistol), **HTMX).content.decode()
    assert "mod-burst" not in close
    assert "mod-burst" in far
    assert 'name="distance"' in far
    assert "mod-full_auto" not in far  # not an automatic weapon


def test_a_struck_part_counts_for_nothing(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    url = attack_url(fight, who=fight["Ilya"], at=fight[TRUE_NAME], strike="trait:melee")
    assert "Roll 3" in signed_in(storyteller).get(url, **HTMX).content.decode()


def test_a_refusal_stands_where_the_plan_was_and_can_be_waived(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any
) -> None:
    query = {"who": fight["Ilya"], "at": fight[TRUE_NAME], "weapon": "unarmed", "defence": "parry"}
    body = signed_in(storyteller).get(attack_url(fight, **query), **HTMX).content.decode()
    assert "MQ-DEF-2" in body
    assert "Allow it anyway" in body
    waived = signed_in(storyteller).get(attack_url(fight, **query, waive="MQ-DEF-2"), **HTMX).content.decode()
    assert "Allowed anyway: Parry" in waived


def test_dice_are_asked_for_and_what_was_typed_stays(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    ilya, target = fight["Ilya"], fight[TRUE_NAME]
    url = reverse("combat:do", args=[fight.encounter_id, "attack"])
    said = {"who": ilya, "at": target, "weapon": "unarmed", "defence": "dodge", "dice": "type", "key": "k"}
    first = signed_in(storyteller).post(url, said, **HTMX)
    body = first.content.decode()
    assert first.status_code == 422
    assert body.count(f'name="die-attack-{ilya}"') == 6
    assert body.count(f'name="die-defence-{target}"') == 5
    said |= {f"die-attack-{ilya}": ["8", "9", "8", "3", "3", "4"], f"die-defence-{target}": ["3"] * 5}
    second = signed_in(storyteller).post(url, said, **HTMX)
    body = second.content.decode()
    assert second.status_code == 422
    assert 'value="9"' in body
    assert f'name="die-damage-{ilya}"' in body
    damage = body.count(f'name="die-damage-{ilya}"')
    said |= {f"die-damage-{ilya}": ["3"] * damage}
    assert signed_in(storyteller).post(url, said, **HTMX).status_code == 200
    assert fight.state.resolutions == 1


def test_dice_that_were_left_out_are_named(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    ilya, target = fight["Ilya"], fight[TRUE_NAME]
    url = reverse("combat:do", args=[fight.encounter_id, "attack"])
    said = {"who": ilya, "at": target, "weapon": "unarmed", "defence": "dodge", "dice": "type", "key": "k"}
    assert "typed yet" not in signed_in(storyteller).post(url, said, **HTMX).content.decode()
    said |= {f"die-attack-{ilya}": ["8", "9", "", "3", "3", "4"], f"die-defence-{target}": ["3", "", "3", "", "3"]}
    body = signed_in(storyteller).post(url, said, **HTMX).content.decode()
    assert "Enter the missing die." in body
    assert "Enter the 2 missing dice." in body
    assert body.index("data-first") > body.index("die 2")  # the first missing field gets the focus


@pytest.mark.parametrize("face", ["11", "x", "-1"])
def test_what_is_no_face_is_refused(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, face: str) -> None:
    ilya, target = fight["Ilya"], fight[TRUE_NAME]
    url = reverse("combat:do", args=[fight.encounter_id, "attack"])
    said = {"who": ilya, "at": target, "weapon": "unarmed", "dice": "type", f"die-attack-{ilya}": [face] * 6}
    answer = signed_in(storyteller).post(url, said, **HTMX)
    assert answer.status_code == 422
    assert "numbers from 1 to 10" in answer.content.decode()


def test_a_players_answer_takes_no_typed_dice(fight: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    attack = commands.Attack(fight[TRUE_NAME], (fight["Ilya"],))
    fight.do(ProposeAttack("e1", attack))
    url = reverse("combat:do", args=[fight.encounter_id, "answer"])
    said = {"answer": f"e1 {fight['Ilya']} dodge", "dice": "type", "key": "k"}
    assert signed_in(player).post(url, said, **HTMX).status_code == 200
    assert fight.state.exchanges == ()


def test_a_player_attacks_by_asking(fight: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    url = reverse("combat:do", args=[fight.encounter_id, "attack"])
    said = {"who": fight["Ilya"], "at": fight[TRUE_NAME], "weapon": "unarmed", "own_dice": "on", "key": "k"}
    assert signed_in(player).post(url, said, **HTMX).status_code == 200
    exchange = fight.state.exchanges[0]
    assert exchange.by_hand
    fight.do(commands.ApproveAttack(exchange.id))
    assert fight.state.exchanges[0].asked == (fight[TRUE_NAME],)


def test_a_forbidden_form_comes_back_with_its_rule_and_goes_through_when_waived(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    fight.do(commands.RollInitiative())
    first = fight.state.order[0][0]
    url = reverse("combat:do", args=[fight.encounter_id, "declare"])
    said = {"who": first, "text": "I go <first>", "action_1": "dodge", "key": "k"}
    answer = signed_in(storyteller).post(url, said, **HTMX)
    body = answer.content.decode()
    assert answer.status_code == 422
    assert "MQ-DECL-1" in body
    assert "I go &lt;first&gt;" in body
    assert 'name="waive" value="MQ-DECL-1"' in body
    again = said | {"waive": "MQ-DECL-1", "why": "It is their night", "key": "l"}
    assert signed_in(storyteller).post(url, again, **HTMX).status_code == 200
    assert fight.state.combatants[first].turn.declaration is not None


def test_without_scripts_a_forbidden_form_is_a_page(fight: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    url = reverse("combat:do", args=[fight.encounter_id, "spend"])
    said = {"who": fight["Ilya"], "resource": "blood", "amount": 99, "key": "k"}
    answer = signed_in(player).post(url, said)
    assert answer.status_code == 422
    assert "<html" in answer.content.decode()
    assert "has 10 left" in answer.content.decode()


def test_the_roll_builder_rolls_in_secret(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    url = reverse("combat:do", args=[fight.encounter_id, "roll"])
    said = {
        "who": fight[SECRET],
        "traits": ["dexterity", "stealth"],
        "secret": "on",
        "key": "k",
    }
    assert signed_in(storyteller).post(url, said, **HTMX).status_code == 200
    storyteller_log = fight.view("storyteller").log.entries[0]
    assert "Dexterity + Stealth" in "".join(span.text for line in storyteller_log.lines for span in line)
    assert "Stealth" not in repr(fight.view("table"))


def test_a_resisted_roll_needs_something_to_resist_with(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    url = reverse("combat:do", args=[fight.encounter_id, "roll"])
    said = {"who": fight["Ilya"], "traits": ["charisma"], "against": fight[TRUE_NAME], "kind": "resisted", "key": "k"}
    answer = signed_in(storyteller).post(url, said, **HTMX)
    assert answer.status_code == 422
    assert "Choose what they resist with." in answer.content.decode()


def test_the_order_is_put_by_numbers(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    fight.do(commands.RollInitiative())
    ids = [who for rank in fight.state.order for who in rank]
    url = reverse("combat:do", args=[fight.encounter_id, "order"])
    places = {f"place_{who}": place for place, who in enumerate(reversed(ids), start=1)}
    places[f"place_{ids[0]}"] = places[f"place_{ids[1]}"]
    assert signed_in(storyteller).post(url, places | {"key": "k"}, **HTMX).status_code == 200
    assert set(fight.state.order[-1]) == {ids[0], ids[1]}


def test_conditions_are_set_as_ticked(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    url = reverse("combat:do", args=[fight.encounter_id, "conditions"])
    client, who = signed_in(storyteller), fight["Thug 1"]
    client.post(url, {"who": who, "have": ["prone"], "other": "On Fire", "key": "k"}, **HTMX)
    assert fight.state.combatants[who].conditions == {"prone", "on_fire"}
    client.post(url, {"who": who, "have": ["on_fire"], "had": "on_fire\nprone", "key": "l"}, **HTMX)
    assert fight.state.combatants[who].conditions == {"on_fire"}


def test_conditions_say_which_are_only_a_note(
    chronicle: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    bar = bar_fight(chronicle, storyteller, {"Ann": None, "Bob": None}, {}, name="Knife", mode="melee")
    url = reverse("combat:form", args=[bar.encounter_id, "conditions"])
    form = " ".join(signed_in(storyteller).get(url, {"who": bar["Ann"]}).content.decode().split())
    for shown in ("pinned (only a note)", "arm wracked", "both legs wracked", "immobilised", "blinded in one eye"):
        assert f"{shown}</label>" in form, shown


def test_boxes_and_points_are_put_right(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client, who = signed_in(storyteller), fight["Ilya"]
    do = {name: reverse("combat:do", args=[fight.encounter_id, name]) for name in ("boxes", "spend", "damage", "heal")}
    boxes = {"who": who, "bashing": 1, "lethal": 2, "aggravated": 0, "key": "a"}
    assert client.post(do["boxes"], boxes, **HTMX).status_code == 200
    assert [str(mark) for mark in fight.state.combatants[who].sheet.marks] == ["lethal", "lethal", "bashing"]
    assert (
        client.post(do["spend"], {"who": who, "resource": "blood", "amount": 3, "key": "b"}, **HTMX).status_code == 200
    )
    back = {"who": who, "resource": "blood", "amount": 1, "back": "on", "key": "c"}
    assert client.post(do["spend"], back, **HTMX).status_code == 200
    assert fight.state.combatants[who].sheet.resources["blood"] == 8
    harm = {"who": who, "amount": 1, "type": "aggravated", "key": "d"}
    assert client.post(do["damage"], harm, **HTMX).status_code == 200
    assert len(fight.state.combatants[who].sheet.marks) == 4


def test_nobody_else_is_hit_for_whoever_was_picked(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any
) -> None:
    """Somebody left or was hidden while the form was open, or it was returned empty."""
    url = reverse("combat:do", args=[fight.encounter_id, "attack"])
    ilya, thug = fight["Ilya"], fight["Thug 1"]
    fight.do(commands.SetVisibility(thug, hidden=True))
    seq = fight.encounter.seq
    for user, said in (
        (player, {"who": ilya, "at": thug, "weapon": "unarmed"}),
        (player, {}),
        (storyteller, {"who": ilya, "at": "gone", "weapon": "unarmed"}),
        (storyteller, {"who": ilya, "at": thug, "weapon": "gone"}),
    ):
        assert signed_in(user).post(url, said | {"key": "k"}, **HTMX).status_code == 422
    assert fight.encounter.seq == seq


def test_a_roll_without_dice_has_no_live_button(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    query = {"who": fight["Ilya"], "traits": "strength", "picked": "1"}
    client, url = signed_in(storyteller), form_url(fight, "roll")
    assert re.search(r'<button class="primary">Roll 3 dice<', client.get(url, query, **HTMX).content.decode())
    nothing = client.get(url, query | {"extra": "-3"}, **HTMX).content.decode()
    assert re.search(r'<button class="primary" disabled>No dice to roll<', nothing)
    assert "Roll 0" not in nothing


def test_the_reasons_of_other_modifiers_have_labels(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    body = signed_in(storyteller).get(attack_url(fight), **HTMX).content.decode()
    for name in ("by_why", "extra_why"):
        assert f'<label class="sr-only" for="attack_{name}">Reason for the' in body


def test_each_roll_can_be_typed_or_rolled(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    ilya, target = fight["Ilya"], fight[TRUE_NAME]
    url = reverse("combat:do", args=[fight.encounter_id, "attack"])
    said = {"who": ilya, "at": target, "weapon": "unarmed", "defence": "dodge", "dice": "type", "key": "k"}
    said |= {f"die-attack-{ilya}": ["8"] * 6, "rolled": [f"die-defence-{target}", f"die-damage-{ilya}"]}
    body = signed_in(storyteller).post(url, said, **HTMX)
    if body.status_code == 422:  # the attack hit, and the soak is still wanted
        assert re.search(rf'value="die-defence-{target}"[^>]* checked', body.content.decode())
        said["rolled"] = [*said["rolled"], f"die-soak-{target}"]
        body = signed_in(storyteller).post(url, said, **HTMX)
    assert body.status_code == 200
    assert fight.state.resolutions == 1


def test_a_knife_that_can_be_thrown_is_thrown_from_the_form(chronicle: Any, storyteller: Any, client: Any) -> None:
    knife = Weapon.objects.create(
        ruleset="masquerade", name="Test knife", mode="melee", damage=1, damage_from="strength", tags="thrown"
    )
    ann, bob = (make_character(chronicle, name, None) for name in ("Ann", "Bob"))
    CarriedWeapon.objects.create(character=ann, weapon=knife)
    draft = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The alley")
    for one in (ann, bob):
        drafts.add_character(encounter_id=draft.pk, actor=storyteller, character=one)
    table = Table.of(draft, storyteller).begin()
    (held,) = table.state.combatants[table["Ann"]].sheet.weapons
    asked = {"who": table["Ann"], "at": table["Bob"], "weapon": held.key}
    client.force_login(storyteller)
    form = reverse("combat:attack", args=[draft.pk])
    struck, thrown = (client.get(form, asked | more).content.decode() for more in ({}, {"mods": "thrown"}))
    assert 'value="thrown"' in struck
    assert "long_range" not in struck
    assert 'value="thrown"' in thrown
    assert "long_range" in thrown
    assert "Thrown" not in client.get(form, asked | {"weapon": "unarmed"}).content.decode()
    plan = reverse("combat:attack-plan", args=[draft.pk])
    assert "MQ-ATK-4" in client.get(plan, asked | {"mods": "thrown"}).content.decode()
    assert "MQ-ATK-4" not in client.get(plan, asked).content.decode()
