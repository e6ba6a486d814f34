"""A firefight in the log and on the screens: everything comes back, and whoever is hidden stays hidden."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import Chronicle
from combat import drafts, records, services
from combat.models import LogRow
from rules import commands
from rules.commands import Attack, Modifier, TakeAction
from tests.combat.conftest import FixedDice, Table
from tests.combat.test_replay import OF_FIREFIGHTS

pytestmark = pytest.mark.django_db

TRAITS = {"strength": 3, "dexterity": 3, "stamina": 2, "wits": 2, "composure": 2, "firearms": 3, "size": 5}


class WrittenDice(FixedDice):
    """What is written first, then ones."""

    def __init__(self, *first: int) -> None:
        super().__init__()
        self.first = list(first)

    def roll(self, throw: Any) -> tuple[int, ...]:
        return tuple(self.first.pop(0) if self.first else 1 for _ in range(throw.count))


@pytest.fixture
def firefight(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A fight that has begun: a player's hunter and a thug with submachine guns, a passer-by, and one unseen."""
    from characters.models import CarriedWeapon, Character, Weapon

    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="chronicles")
    chronicle.refresh_from_db()
    gun, _ = Weapon.objects.get_or_create(
        name="Test SMG",
        ruleset="chronicles",
        chronicle=None,
        defaults={"mode": "firearm", "damage": 2, "type": "lethal", "clip": 30, "automatic": True, "size": 2},
    )
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The bar", scene="Smoke.")
    for name, owner in (("Mara", player), ("Thug", None), ("Passer-by", None), ("Nobody Knows", None)):
        character = Character.objects.create(chronicle=chronicle, name=name, owner=owner, traits=TRAITS)
        CarriedWeapon.objects.create(character=character, weapon=gun)
        hidden = name == "Nobody Knows"
        drafts.add_character(encounter_id=encounter.pk, actor=storyteller, character=character, hidden=hidden)
    table = Table(encounter.pk, storyteller, {})
    table.ids = {each.sheet.name: who for who, each in table.state.combatants.items()}
    return table.begin()


def test_every_kind_of_event_of_a_firefight_is_met_and_comes_back(firefight: Table) -> None:
    mara, thug, passer = firefight["Mara"], firefight["Thug"], firefight["Passer-by"]
    before = firefight.state
    steps: list[tuple[Any, tuple[int, ...]]] = [
        (TakeAction("cover", thug, figures={"cover": "bar", "durability": 1, "structure": 5}), ()),
        (TakeAction("seek_cover", thug, figures={"cover": "bar", "degree": "full"}), ()),
        (TakeAction("aim", mara, (thug,)), ()),
        (TakeAction("move", mara, figures={"distance": 1}), ()),
        (TakeAction("put_away", mara), ()),
        (TakeAction("draw", mara), ()),
        (TakeAction("human_shield", thug, (passer,)), ()),
        (Attack(mara, (thug,), "Test SMG"), (8, 8, 8)),
        (TakeAction("release_shield", thug), ()),
        (TakeAction("covering_fire", mara, (thug,)), (8, 8)),
        (TakeAction("leave_cover", thug), ()),
        (TakeAction("act_under_fire", thug), ()),
    ]
    for command, dice in steps:
        firefight.do(command, dice=WrittenDice(*dice))

    met = {event["is"] for row in LogRow.objects.filter(encounter_id=firefight.encounter_id) for event in row.events}
    assert met >= OF_FIREFIGHTS
    assert records.state_of(records.rows_of(firefight.encounter)) == firefight.state
    for _ in steps:
        services.undo(encounter_id=firefight.encounter_id, actor=firefight.storyteller)
    assert firefight.state == before


def test_one_who_is_hidden_stays_hidden_in_all_of_it(firefight: Table, player: Any) -> None:
    """CD-GUN-7, CD-GUN-10, CD-COV-1, CD-COV-4: no name and no id in what players read."""
    mara, hidden, passer = firefight["Mara"], firefight["Nobody Knows"], firefight["Passer-by"]
    firefight.do(TakeAction("aim", hidden, (mara,)))
    firefight.do(TakeAction("seek_cover", hidden, figures={"degree": "partial"}))
    firefight.do(TakeAction("human_shield", hidden, (passer,)))
    firefight.do(TakeAction("human_shield", passer, (hidden,)))
    firefight.do(TakeAction("aim", mara, (hidden,)))
    firefight.do(TakeAction("covering_fire", hidden, (mara,)), dice=WrittenDice(8, 8))
    firefight.do(TakeAction("act_under_fire", mara))
    firefight.do(TakeAction("covering_fire", hidden, (mara,)), dice=WrittenDice(8, 8))
    shield = Modifier("human_shield", {"name": hidden})
    firefight.do(Attack(mara, (passer,), "Test SMG", (shield,)), dice=WrittenDice(8, 8))

    for audience in ("table", player):
        seen = repr(firefight.view(audience))
        for planted in ("Nobody Knows", hidden):
            assert planted not in seen
    everything = repr(firefight.view("storyteller"))
    assert "lays covering fire" in everything
    assert "acts under the covering fire of" in everything


def test_figures_of_cover_are_the_storytellers(firefight: Table, player: Any) -> None:
    """CD-COV-1: players read that the bar is hit, and not what is left of it."""
    mara, thug = firefight["Mara"], firefight["Thug"]
    placed = {"cover": "bar", "durability": 1, "structure": 13}
    firefight.do(TakeAction("seek_cover", thug, figures={**placed, "degree": "full"}))
    firefight.do(Attack(mara, (thug,), "Test SMG"), dice=WrittenDice(8))

    log = repr(firefight.view(player).log)
    assert "Bar is hit" in log
    assert "Structure" not in log
    assert "11 of its Structure left" in repr(firefight.view("storyteller").log)
    firefight.do(commands.EndTurn())
