"""Forms that submit a whole value: they don't undo changes made since they were rendered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from combat.commands import drafts
from combat.panes import versions
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.commands import ChangeConditions, SetVisibility
from tests.combat.conftest import SECRET, Table
from tests.combat.drawn import HTMX, Desk, drawn, fields_of

pytestmark = pytest.mark.django_db

LOOK = "The fight has changed. Check it and try again."


@pytest.fixture
def desk(fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> Desk:
    """The forms of the Storyteller's desk."""
    return Desk(signed_in(storyteller), fight)


def marks(fight: Table, who: str) -> list[str]:
    return [str(mark) for mark in fight.state.combatants[who].sheet.marks]


# ------------------------------------------------------------------ boxes


@pytest.mark.servers
@pytest.mark.parametrize("htmx", [True, False])
def test_damage_done_meanwhile_is_not_put_right_unseen(fight: Table, desk: Desk, htmx: bool) -> None:
    who = fight["Ilya"]
    form = desk.open("boxes", who=who)
    fight.do(commands.Harm(who, 3, Damage.LETHAL))
    answer = desk.send("boxes", form, bashing=1, htmx=htmx)
    assert answer.status_code == 409
    assert LOOK in answer.content.decode()
    assert marks(fight, who) == ["lethal"] * 3
    assert desk.send("boxes", desk.open("boxes", who=who), bashing=1).status_code == 200
    assert marks(fight, who) == [*["lethal"] * 3, "bashing"]


def test_what_happens_to_others_meanwhile_does_not_matter_to_somebodys_boxes(fight: Table, desk: Desk) -> None:
    form = desk.open("boxes", who=fight["Ilya"])
    fight.do(commands.Harm(fight["Marguerite"], 3, Damage.LETHAL))
    assert desk.send("boxes", form, bashing=1).status_code == 200
    assert marks(fight, fight["Ilya"]) == ["bashing"]


def test_boxes_that_come_back_show_what_they_showed(fight: Table, desk: Desk) -> None:
    """An invalid number, and damage in between: the returned form still has its original state."""
    who = fight["Ilya"]
    form = desk.open("boxes", who=who)
    fight.do(commands.Harm(who, 3, Damage.LETHAL))
    again = desk.send("boxes", form, bashing="many")
    assert again.status_code == 422
    assert desk.send("boxes", fields_of(again.content.decode()), bashing=1).status_code == 409
    assert marks(fight, who) == ["lethal"] * 3


@pytest.mark.servers
def test_boxes_whose_answer_was_lost_are_not_stale_by_themselves(fight: Table, desk: Desk) -> None:
    who = fight["Ilya"]
    form = desk.open("boxes", who=who)
    answers = [desk.send("boxes", form, bashing=1, key="unsure").status_code for _press in range(2)]
    assert answers == [200, 200]
    assert marks(fight, who) == ["bashing"]


def test_somebody_elses_boxes_come_when_they_are_picked(fight: Table, desk: Desk) -> None:
    """Other parameters in the URL are not taken for boxes."""
    fight.do(commands.Harm(fight["Marguerite"], 2, Damage.LETHAL))
    form = desk.open("boxes", who=fight["Marguerite"], lethal=0, seen="")
    assert form["lethal"] == ["2"]
    assert desk.send("boxes", form, lethal=1).status_code == 200
    assert marks(fight, fight["Marguerite"]) == ["lethal"]


# ------------------------------------------------------------------ conditions


def test_only_conditions_that_were_ticked_or_unticked_change(fight: Table, desk: Desk) -> None:
    who = fight["Ilya"]
    fight.do(ChangeConditions(who, frozenset({"prone", "on_fire"})))
    form = desk.open("conditions", who=who)
    assert form["have"] == ["on_fire", "prone"]
    fight.do(ChangeConditions(who, frozenset({"blinded"}), frozenset({"on_fire"})))
    assert desk.send("conditions", form, have=["on_fire", "prone", "stunned"]).status_code == 200
    assert fight.state.combatants[who].conditions == {"prone", "blinded", "stunned"}
    form = desk.open("conditions", who=who)
    assert desk.send("conditions", form, have=["stunned"], other=" Soaking\twet").status_code == 200
    assert fight.state.combatants[who].conditions == {"stunned", "soaking_wet"}


def test_conditions_that_come_back_are_differences_to_what_was_shown_first(fight: Table, desk: Desk) -> None:
    who, too_long = fight["Ilya"], "x" * 41
    form = desk.open("conditions", who=who)
    again = desk.send("conditions", form, have=["stunned"], other=too_long)
    assert again.status_code == 422
    fight.do(ChangeConditions(who, frozenset({"blinded"})))
    assert desk.send("conditions", fields_of(again.content.decode()), other="").status_code == 200
    assert fight.state.combatants[who].conditions == {"stunned", "blinded"}


# ------------------------------------------------------------------ what players see


def test_a_mask_shows_nobody_who_was_hidden_meanwhile(fight: Table, desk: Desk) -> None:
    who = fight["Thug 1"]
    form = desk.open("visibility", who=who)
    fight.do(SetVisibility(who, hidden=True, health_shown="nothing", dice_shown=True))
    assert desk.send("visibility", form, mask="a brute").status_code == 200
    now = fight.state.combatants[who]
    assert (now.hidden, now.mask, now.health_shown.value, now.dice_shown) == (True, "a brute", "nothing", True)


@pytest.mark.parametrize("unseen", ["\u200b", "\u3164", "\u2060\ufeff"])
def test_a_mask_and_a_condition_have_names_that_show(fight: Table, desk: Desk, unseen: str) -> None:
    who, said = fight["Thug 1"], "This has no visible characters. Use letters or digits."
    for name, typed in (("visibility", {"mask": unseen}), ("conditions", {"other": unseen})):
        answer = desk.send(name, desk.open(name, who=who), **typed)
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert unseen in answer.content.decode()
    assert fight.state.combatants[who].mask == ""
    assert not fight.state.combatants[who].conditions
    assert desk.send("visibility", desk.open("visibility", who=who), mask="a brute").status_code == 200
    assert desk.send("visibility", desk.open("visibility", who=who), mask="").status_code == 200


def test_what_players_see_changes_both_ways(fight: Table, desk: Desk) -> None:
    who = fight[SECRET]
    form = desk.open("visibility", who=who)
    assert form.pop("hidden") == ["on"]
    assert desk.send("visibility", form, health_shown="nothing", dice_shown="on").status_code == 200
    now = fight.state.combatants[who]
    assert (now.hidden, now.health_shown.value, now.dice_shown) == (False, "nothing", True)
    assert desk.send("visibility", desk.open("visibility", who=who), hidden="on").status_code == 200
    assert fight.state.combatants[who].hidden


# ------------------------------------------------------------------ the order


@pytest.mark.servers
def test_an_order_that_was_changed_meanwhile_is_looked_at_again(fight: Table, desk: Desk) -> None:
    fight.do(commands.RollInitiative())
    form = desk.open("order")
    turned = tuple(reversed(fight.state.order))
    fight.do(commands.SetOrder(turned))
    assert desk.send("order", form).status_code == 409
    assert fight.state.order == turned
    assert desk.send("order", desk.open("order")).status_code == 200


# ------------------------------------------------------------------ name and scene


@pytest.mark.servers
def test_another_name_leaves_a_scene_that_was_changed_meanwhile(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    client, address = signed_in(storyteller), reverse("combat:edit", args=[fight.encounter_id])
    by = fight.encounter.chronicle.memberships.get(user=storyteller)
    drafts.describe(by=by, encounter=fight.encounter, scene="Rain.\r\nAnd thunder.")
    form = drawn(client, address)
    drafts.describe(by=by, encounter=fight.encounter, scene="The roof comes down.")
    version = versions.version_of(fight.encounter, "storyteller")
    assert client.post(address, {**form, "name": "The chapel, at night"}).status_code == 302
    assert (fight.encounter.name, fight.encounter.scene) == ("The chapel, at night", "The roof comes down.")
    assert versions.version_of(fight.encounter, "storyteller") == version + 1
    form = drawn(client, address)
    assert client.post(address, {**form, "name": "", "scene": ""}).status_code == 422
    assert client.post(address, {**form, "scene": ""}, **HTMX).status_code == 200
    assert (fight.encounter.name, fight.encounter.scene) == ("The chapel, at night", "")
