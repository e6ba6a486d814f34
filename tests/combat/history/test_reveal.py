"""Held rolls: the roller sees them first; for others they have not happened, and nothing ever waits for them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.commands import perform
from combat.commands.dice import DiceWanted, TypedDice
from combat.panes import versions
from rules.engine.dice import Purpose
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.topics.commands import AnswerAttack, Harm, ProposeAttack, ResolveAttack, SetVisibility, WithdrawAttack
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def others(other_player: Any, observer: Any) -> tuple[Any, ...]:
    return (other_player, observer, "table")


def seen(fight: Table, readers: Any) -> list[str]:
    return [repr(fight.view(reader)) for reader in readers]


def counted(fight: Table) -> dict[str, int]:
    return {audience: versions.version_of(fight.encounter, audience) for audience in fight.encounter.versions}


def roll(fight: Table, who: str = "Ilya", **more: Any) -> str:
    """Make a roll that is held; returns the entry's token."""
    fight.do(RollTraits(fight[who], ("wits", "brawl"), label="CANARY"), hold=True, dice=FixedDice(10, 1, 7), **more)
    return str(fight.view("storyteller").log.entries[0].id)


def test_the_roller_and_the_storyteller_see_it_first(fight: Table, player: Any, others: Any) -> None:
    before, count = seen(fight, others), counted(fight)
    entry = roll(fight)
    assert seen(fight, others) == before
    after = counted(fight)
    assert {audience for audience in after if after[audience] != count[audience]} == {
        "storyteller",
        f"player-{player.pk}",
    }
    dice = fight.view(player).dice  # type: ignore[union-attr]
    assert (dice.entry, dice.held) == (entry, True)
    assert [(die.face, die.tone) for die in dice.rolls[0].dice][:3] == [(10, "ten"), (1, "one"), (7, "hit")]
    assert fight.view("storyteller").log.entries[0].held  # type: ignore[attr-defined]


@pytest.mark.servers
def test_they_show_it_to_all(fight: Table, player: Any, others: Any) -> None:
    entry = roll(fight)
    perform.let_go(encounter_id=fight.encounter_id, actor=player, token=entry)
    assert all("CANARY" in text for text in seen(fight, others))
    dice = fight.view(player).dice  # type: ignore[union-attr]
    assert (dice.entry, dice.held) == (entry, False)
    assert not fight.view("storyteller").log.entries[0].held  # type: ignore[attr-defined]
    count = counted(fight)
    perform.let_go(encounter_id=fight.encounter_id, actor=player, token=entry)
    assert counted(fight) == count


def test_the_storyteller_may_and_others_may_not(fight: Table, other_player: Any, observer: Any, others: Any) -> None:
    entry = roll(fight)
    for somebody in (other_player, observer):
        perform.let_go(encounter_id=fight.encounter_id, actor=somebody, token=entry)
    assert not any("CANARY" in text for text in seen(fight, others))
    perform.let_go(encounter_id=fight.encounter_id, actor=fight.storyteller, token="another")
    assert not any("CANARY" in text for text in seen(fight, others))
    perform.let_go(encounter_id=fight.encounter_id, actor=fight.storyteller, token=entry)
    assert all("CANARY" in text for text in seen(fight, others))


@pytest.mark.servers
def test_whatever_is_done_next_shows_it(fight: Table, others: Any) -> None:
    roll(fight)
    fight.do(Harm(fight[TRUE_NAME], 1, Damage.BASHING))
    assert all("CANARY" in text for text in seen(fight, others))


def test_nobody_notices_by_it_what_is_done_behind_the_screen(fight: Table, player: Any, others: Any) -> None:
    before, entry = seen(fight, others), roll(fight)
    first, count = repr(fight.view(player)), counted(fight)
    for command in (
        Harm(fight[SECRET], 1, Damage.BASHING),
        RollTraits(fight[SECRET], ("wits",), secret=True),
        ProposeAttack("dark", Attack(fight[SECRET], (fight["Marguerite"],)), approval=True),
        WithdrawAttack("dark"),
    ):
        fight.do(command)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert seen(fight, others) == before
    assert repr(fight.view(player)) == first
    assert counted(fight) == count | {"storyteller": counted(fight)["storyteller"]}
    held = [each.id for each in fight.view("storyteller").log.entries if each.held]  # type: ignore[attr-defined]
    assert held == [entry]
    perform.let_go(encounter_id=fight.encounter_id, actor=player, token=entry)
    assert all("CANARY" in text for text in seen(fight, others))


def test_several_things_taken_back_at_once_show_it(fight: Table, others: Any) -> None:
    fight.do(Harm(fight[TRUE_NAME], 1, Damage.BASHING))
    kept = str(fight.view("storyteller").log.entries[0].id)
    fight.do(Harm(fight[SECRET], 1, Damage.BASHING))
    roll(fight)
    perform.undo_to(encounter_id=fight.encounter_id, actor=fight.storyteller, token=kept)
    assert fight.encounter.held is None
    assert all("CANARY" in text for text in seen(fight, others))


def test_whoever_was_still_asked_sees_that_nothing_is_asked_any_more(
    fight: Table, other_player: Any, observer: Any
) -> None:
    attack = Attack(fight["Ilya"], (fight["Marguerite"],))
    fight.do(ProposeAttack("open", attack))
    assert fight.view(other_player).asks.defences  # type: ignore[union-attr]
    before = repr(fight.view(observer))
    fight.do(ResolveAttack("open"), hold=True, dice=FixedDice(10))
    assert fight.encounter.held is not None
    assert not fight.view(other_player).asks.defences  # type: ignore[union-attr]
    assert repr(fight.view(observer)) == before


def refused(fight: Table, by: Any, who: str, **more: Any) -> None:
    with pytest.raises((RuleViolation, DiceWanted)):
        fight.do(RollTraits(fight[who], ("wits",) if more else ("nothing",)), by=by, **more)


def test_a_refusal_tells_nobody_what_they_do_not_see_yet(fight: Table, other_player: Any, others: Any) -> None:
    """The roll that causes it is revealed to them first, and to the others as well."""
    roll(fight)
    refused(fight, other_player, "Marguerite")
    assert fight.encounter.held is None
    assert all("CANARY" in text for text in seen(fight, others))


def test_nor_does_the_number_of_dice_that_are_wanted(fight: Table, other_player: Any, others: Any) -> None:
    roll(fight)
    refused(fight, other_player, "Marguerite", dice=TypedDice({}, by_hand=frozenset({fight["Marguerite"]})))
    assert all("CANARY" in text for text in seen(fight, others))


def test_a_refusal_of_those_who_see_it_shows_it_to_nobody_else(fight: Table, player: Any, others: Any) -> None:
    roll(fight)
    for actor in (player, fight.storyteller):
        refused(fight, actor, "Ilya")
    assert not any("CANARY" in text for text in seen(fight, others))


def test_what_is_not_theirs_to_command_shows_nothing(fight: Table, observer: Any, others: Any) -> None:
    roll(fight)
    with pytest.raises(PermissionDenied):
        fight.do(RollTraits(fight["Ilya"], ("wits",)), by=observer)
    assert not any("CANARY" in text for text in seen(fight, others))


@pytest.mark.servers
def test_undo_takes_it_back_before_they_ever_saw_it(fight: Table, others: Any) -> None:
    before = seen(fight, others)
    roll(fight)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert fight.encounter.held is None
    for audience, was in zip(others, before, strict=True):
        assert "undone=True" in repr(fight.view(audience))
        assert repr(fight.view(audience).order) in was


def test_boxes_and_conditions_wait_with_the_dice(fight: Table, others: Any) -> None:
    before = seen(fight, others)
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), hold=True, dice=FixedDice(9))
    assert fight.state.combatants[fight["Thug 1"]].sheet.marks
    assert seen(fight, others) == before


def test_whoever_answered_learns_what_came_of_it(fight: Table, player: Any, other_player: Any) -> None:
    ilya, marguerite = fight["Ilya"], fight["Marguerite"]
    fight.do(ProposeAttack("x", Attack(ilya, (marguerite,))))
    before = repr(fight.view("table"))
    fight.do(AnswerAttack("x", marguerite, Defence("")), by=other_player, hold=True, dice=FixedDice(9))
    assert not fight.view(other_player).asks.defences  # type: ignore[union-attr]
    assert fight.view(player).dice.held  # type: ignore[union-attr]
    assert repr(fight.view("table")) == before


def test_npcs_typed_dice_and_secret_rolls_are_not_held(fight: Table, player: Any) -> None:
    fight.do(Attack(fight[TRUE_NAME], (fight["Thug 1"],)), hold=True)
    assert fight.encounter.held is None
    fight.do(RollTraits(fight["Ilya"], ("wits",), secret=True), hold=True)
    assert fight.encounter.held is None
    typed = TypedDice({(Purpose.ROLL, fight["Ilya"]): (3, 4, 5)})
    fight.do(RollTraits(fight["Ilya"], ("wits",)), hold=True, dice=typed)
    assert fight.encounter.held is None
    roll(fight)
    assert fight.encounter.held == fight.encounter.seq


def test_what_is_held_stands_on_no_page_of_the_others(fight: Table, signed_in: Any, other_player: Any) -> None:
    roll(fight)
    for name in ("encounter", "report", "report-markdown"):
        address = reverse(f"combat:{name}", args=[fight.encounter_id])
        assert "CANARY" not in signed_in(other_player).get(address).content.decode()
        assert "CANARY" in signed_in(fight.storyteller).get(address).content.decode()
    since = reverse("combat:since", args=[fight.encounter_id, 0])
    assert "CANARY" not in signed_in(other_player).get(since).content.decode()


@pytest.mark.servers
def test_a_press_of_a_player_holds_and_a_press_lets_go(fight: Table, signed_in: Any, player: Any, others: Any) -> None:
    address = reverse("combat:do", args=[fight.encounter_id, "roll"])
    said = {"who": fight["Ilya"], "traits": ["wits"], "kind": "plain", "label": "CANARY", "picked": "1"}
    assert signed_in(player).post(address, said, headers=HTMX).status_code == 200
    assert not any("CANARY" in text for text in seen(fight, others))
    page = signed_in(player).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    entry = fight.view(player).dice.entry  # type: ignore[union-attr]
    assert f'value="{entry}" data-let-go="own"' in page
    go = reverse("combat:do", args=[fight.encounter_id, "let-go"])
    assert signed_in(player).post(go, {"entry": entry}, headers=HTMX).status_code == 200
    assert all("CANARY" in text for text in seen(fight, others))
    assert signed_in(player).post(go, {"entry": "nothing"}, headers=HTMX).status_code == 200
    assert signed_in(player).post(go, {}, headers=HTMX).status_code == 422


def test_nobody_plans_on_what_they_have_not_seen(fight: Table, signed_in: Any, player: Any, other_player: Any) -> None:
    thug, address = fight["Thug 1"], reverse("combat:attack", args=[fight.encounter_id])

    def form(reader: Any, who: str) -> str:
        said = {"who": fight[who], "at": thug}
        page = signed_in(reader).get(address, said, headers=HTMX).content.decode()
        return str(page.partition('class="attack-line"')[2])

    felled = "Thug 1 (down)"
    fight.do(SetVisibility(thug, health_shown="boxes"))
    before = form(other_player, "Marguerite")
    fight.do(Attack(fight["Ilya"], (thug,)), hold=True, dice=FixedDice(10))
    assert felled not in before
    assert form(other_player, "Marguerite") == before
    assert felled in form(player, "Ilya")
    entry = fight.view(player).dice.entry  # type: ignore[union-attr]
    perform.let_go(encounter_id=fight.encounter_id, actor=player, token=entry)
    assert felled in form(other_player, "Marguerite")
