"""Copies of an NPC that act and roll together, and what players learn of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.commands import drafts, perform
from rules.model.attack import Attack
from rules.model.gear import BARE_HANDS, Damage
from rules.topics.commands import (
    Act,
    Declare,
    Group,
    Harm,
    ProposeAttack,
    RollInitiative,
    SetOrder,
    SetVisibility,
    Ungroup,
    WithdrawAttack,
)
from tests.combat.conftest import FixedDice, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def words(fight: Table, reader: Any, place: int = 0) -> str:
    entry = fight.view(reader).log.entries[place]
    return " ".join("".join(span.text for span in line) for line in entry.lines)


@pytest.fixture
@kept
def gang(fight: Table) -> Table:
    fight.do(Group((fight["Thug 1"], fight["Thug 2"])))
    return fight


def test_one_press_makes_a_group_of_the_copies_and_another_parts_them(fight: Table, signed_in: Any) -> None:
    storyteller, thugs = signed_in(fight.storyteller), {fight["Thug 1"], fight["Thug 2"]}
    page = reverse("combat:somebody", args=[fight.encounter_id, fight["Thug 1"]])
    assert "Act as a group" in storyteller.get(page, headers=HTMX).content.decode()
    said = {"who": fight["Thug 2"]}
    assert storyteller.post(reverse("combat:do", args=[fight.encounter_id, "group"]), said).status_code == 302
    assert {who for who, each in fight.state.combatants.items() if each.band} == thugs
    assert "Act alone" in storyteller.get(page, headers=HTMX).content.decode()
    assert storyteller.post(reverse("combat:do", args=[fight.encounter_id, "ungroup"]), said).status_code == 302
    assert not any(each.band for each in fight.state.combatants.values())
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert {who for who, each in fight.state.combatants.items() if each.band} == thugs


def test_copies_can_come_as_a_group(fight: Table, characters: dict[str, Any]) -> None:
    more = {"encounter_id": fight.encounter_id, "actor": fight.storyteller, "character": characters["Thug"]}
    drafts.add_copies(count=3, together=True, **more)
    bands = {each.sheet.name: each.band for each in fight.state.combatants.values()}
    assert bands["Thug 3"] == bands["Thug 4"] == bands["Thug 5"] != ""
    drafts.add_copies(count=1, together=True, **more)
    assert {each.sheet.name: each.band for each in fight.state.combatants.values()}["Thug 6"] == ""


def test_they_stand_in_one_rank_by_one_roll(gang: Table) -> None:
    gang.do(RollInitiative(), dice=FixedDice(1, 2, 3, 4, 5))
    rank = next(rank for rank in gang.state.order if gang["Thug 1"] in rank)
    assert set(rank) == {gang["Thug 1"], gang["Thug 2"]}


def test_the_log_itemises_wounds_for_those_who_may_know_of_them(gang: Table, player: Any) -> None:
    gang.do(Harm(gang["Thug 1"], 2, Damage.LETHAL))
    gang.do(SetVisibility(gang["Thug 1"], dice_shown=True, health_shown="nothing"))
    gang.do(RollInitiative(), dice=FixedDice(1, 2, 3, 4, 5))
    scores = gang.state.initiative
    hurt, rating = scores[gang["Thug 1"]], scores[gang["Thug 2"]].rating
    face = hurt.faces[0]
    assert f"Thug 1 {hurt.total} ({face} + {rating}; wounds −1)" in words(gang, "storyteller")
    assert f"Thug 1 {hurt.total} ({face} + {rating - 1})" in words(gang, player)


def test_players_learn_nothing_of_a_group_but_its_rank(fight: Table, player: Any) -> None:
    before = {reader: repr(fight.view(reader)) for reader in (player, "table")}
    fight.do(Group((fight["Thug 1"], fight["Thug 2"])))
    assert {reader: repr(fight.view(reader)) for reader in (player, "table")} == before
    assert words(fight, "storyteller") == "Thug 1 and Thug 2 now act and roll together."


def test_one_press_attacks_with_all_of_them(gang: Table, signed_in: Any) -> None:
    storyteller, one, two = signed_in(gang.storyteller), gang["Thug 1"], gang["Thug 2"]
    said = {"who": one, "at": gang["Marguerite"], "weapon": BARE_HANDS, "defence": "", "together": "on"}
    shown = storyteller.get(reverse("combat:attack", args=[gang.encounter_id]), said, headers=HTMX).content.decode()
    assert "one roll for all" in shown
    assert storyteller.post(reverse("combat:do", args=[gang.encounter_id, "attack"]), said).status_code == 302
    entry = gang.view("storyteller").log.entries[0]
    told = ["".join(span.text for span in line) for line in entry.lines]
    assert [line.split(" attacks ")[0] for line in told if " attacks " in line] == ["Thug 1", "Thug 2"]
    assert gang.encounter.seq == gang.encounter.rows.order_by("seq").last().seq
    assert all(gang.state.combatants[who].turn.acted or not gang.state.ordered for who in (one, two))


def test_whoever_is_asked_learns_how_many_they_see(gang: Table, player: Any, signed_in: Any) -> None:
    attack = Attack(gang["Thug 1"], (gang["Ilya"],), others=(gang["Thug 2"],))
    gang.do(ProposeAttack("x", attack))
    ask = gang.view(player).asks.defences[0]  # type: ignore[union-attr]
    assert (ask.attacker, ask.others) == ("Thug 1", 1)
    page = signed_in(player).get(reverse("combat:encounter", args=[gang.encounter_id])).content.decode()
    assert "Thug 1 and 1 other attack Ilya" in page
    assert words(gang, player) == "Thug 1 and Thug 2 are about to attack Ilya."


def test_the_hidden_of_a_group_are_not_counted(gang: Table, player: Any) -> None:
    gang.do(SetVisibility(gang["Thug 1"], hidden=True))
    gang.do(ProposeAttack("x", Attack(gang["Thug 1"], (gang["Ilya"],), others=(gang["Thug 2"],))))
    assert gang.view(player).asks.defences[0].attacker == "Thug 2"  # type: ignore[union-attr]
    assert words(gang, player) == "Thug 2 is about to attack Ilya."
    assert "Thug 1" not in repr(gang.view(player).asks)  # type: ignore[union-attr]


def test_the_plan_says_for_how_many_it_is(gang: Table, signed_in: Any) -> None:
    client, plan = signed_in(gang.storyteller), reverse("combat:attack-plan", args=[gang.encounter_id])
    said = {"who": gang["Thug 1"], "at": gang["Marguerite"], "weapon": BARE_HANDS, "defence": ""}
    alone = client.get(plan, said, headers=HTMX).content.decode()
    together = client.get(plan, said | {"together": "on"}, headers=HTMX).content.decode()
    at_once = client.get(plan, said | {"together": "on", "one_roll": "on"}, headers=HTMX).content.decode()
    told = ("2 separate rolls", "Roll 2 × 4", "one roll for 2", "Roll 4")
    assert [text in alone for text in told] == [False, False, False, True]
    assert [text in together for text in told] == [True, True, False, False]
    assert [text in at_once for text in told] == [False, False, True, True]


def test_only_those_join_an_attack_who_can_still_make_it(gang: Table, signed_in: Any) -> None:
    gang.do(RollInitiative(), dice=FixedDice(1, 2, 3, 4, 5))
    one, two = gang["Thug 1"], gang["Thug 2"]
    while set(gang.state.acting) != {one, two}:
        gang.do(Act())
    form, client = reverse("combat:attack", args=[gang.encounter_id]), signed_in(gang.storyteller)

    def shown() -> str:
        return client.get(form, headers=HTMX).content.decode()

    assert "with 1 other from the group" in shown()
    # One of them announces an attack: the form goes on to the other one.
    gang.do(ProposeAttack("x", Attack(one, (gang["Ilya"],))))
    assert f'value="{two}" selected' in shown()
    gang.do(WithdrawAttack("x"))
    gang.do(Attack(one, (gang["Marguerite"],)))
    assert gang.view("storyteller").bar.owing == (two,)  # type: ignore[union-attr]
    assert f'value="{two}" selected' in shown()
    assert "from the group" not in shown()


def test_one_press_declares_for_all_of_them(gang: Table, signed_in: Any) -> None:
    gang.do(RollInitiative(), dice=FixedDice(1, 2, 3, 4, 5))
    client, one, two = signed_in(gang.storyteller), gang["Thug 1"], gang["Thug 2"]
    form = reverse("combat:form", args=[gang.encounter_id, "declare"])
    assert 'name="together"' not in client.get(form, {"who": gang["Ilya"]}, headers=HTMX).content.decode()
    shown = client.get(form, {"who": one}, headers=HTMX).content.decode()
    assert "For the whole group" in shown
    address = reverse("combat:do", args=[gang.encounter_id, "declare"])
    said = {"who": one, "text": "we rush them", "action_1": "unarmed", "out_of_order": "on"}
    client.post(address, said | {"together": "on"}, headers=HTMX)
    spoken = {who: gang.state.combatants[who].turn.declaration for who in (one, two)}
    assert [each.text for each in spoken.values()] == ["we rush them", "we rush them"]
    perform.undo(encounter_id=gang.encounter_id, actor=gang.storyteller)
    client.post(address, said, headers=HTMX)
    assert [gang.state.combatants[who].turn.declaration is None for who in (one, two)] == [False, True]
    assert 'name="together"' not in client.get(form, {"who": two}, headers=HTMX).content.decode()


def test_a_group_moves_as_one(gang: Table, signed_in: Any) -> None:
    gang.do(RollInitiative(), dice=FixedDice(1, 2, 3, 4, 5))
    client, pair = signed_in(gang.storyteller), (gang["Thug 1"], gang["Thug 2"])
    others = [who for rank in gang.state.order for who in rank if who not in pair]
    gang.do(SetOrder((*((who,) for who in others), pair)))

    def move(who: str, **where: str) -> tuple[tuple[str, ...], ...]:
        address = reverse("combat:do", args=[gang.encounter_id, "move"])
        assert client.post(address, {"who": who, **where}, headers=HTMX).status_code == 200
        return gang.state.order

    assert move(pair[1], step="up")[-2:] == (pair, (others[-1],))
    assert move(pair[0], step="down")[-1] == pair
    assert move(pair[0], before=others[0])[0] == pair
    gang.do(SetOrder(((pair[0],), *((who,) for who in others), (pair[1],))))
    assert move(pair[1], before=others[1])[:3] == ((others[0],), pair, (others[1],))
    gang.do(Ungroup(pair[0]))
    assert move(pair[0], step="up")[:2] == ((pair[0],), (others[0],))


def test_players_lead_no_groups(gang: Table, player: Any, signed_in: Any) -> None:
    client = signed_in(player)
    for name in ("group", "ungroup"):
        address = reverse("combat:do", args=[gang.encounter_id, name])
        assert client.post(address, {"who": gang["Thug 1"]}, headers=HTMX).status_code in (403, 422)
        assert client.post(address, {"who": gang["Ilya"]}, headers=HTMX).status_code in (403, 422)
    address = reverse("combat:do", args=[gang.encounter_id, "attack"])
    said = {"who": gang["Ilya"], "at": gang["Thug 1"], "weapon": BARE_HANDS, "together": "on"}
    client.post(address, said, headers=HTMX)
    assert [each.attack.others for each in gang.state.exchanges] in ([], [()])
    with pytest.raises(PermissionDenied):
        gang.do(Declare(gang["Ilya"], others=(gang["Thug 1"],)), by=player)
