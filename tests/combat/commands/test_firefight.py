"""A firefight in the log and on the screens: everything can be undone, and hidden combatants stay hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.commands import perform
from combat.log import rows as logs
from combat.models import LogRow
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.topics import commands
from rules.topics.commands import SetCarried, SetVisibility, TakeAction
from rules.topics.firefights.stance import STANCE
from tests.combat.conftest import Table, WrittenDice, bar_fight
from tests.combat.history.test_report import person, report
from tests.combat.log.test_replay import OF_FIREFIGHTS
from tests.kept import kept

pytestmark = pytest.mark.django_db

WORN = {"durability": 1, "structure": 9}
TRAITS = {"strength": 3, "dexterity": 3, "stamina": 2, "wits": 2, "composure": 2, "firearms": 3, "size": 5}


@pytest.fixture
@kept
def firefight(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A running fight: a player's hunter and a thug with submachine guns, a bystander, and a hidden combatant."""
    people = {"Mara": player, "Thug": None, "Passer-by": None, "Nobody Knows": None}
    return bar_fight(
        chronicle,
        storyteller,
        people,
        TRAITS,
        name="Test SMG",
        mode="firearm",
        damage=2,
        clip=30,
        automatic=True,
        size=2,
    )


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
        (SetCarried({mara: {gun_of(firefight, "Mara"): "holstered"}}), ()),
    ]
    for command, dice in steps:
        firefight.do(command, dice=WrittenDice(*dice))

    met = {event["is"] for row in LogRow.objects.filter(encounter_id=firefight.encounter_id) for event in row.events}
    assert met >= OF_FIREFIGHTS
    assert logs.state_of(logs.rows_of(firefight.encounter)) == firefight.state
    for _ in steps:
        perform.undo(encounter_id=firefight.encounter_id, actor=firefight.storyteller)
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
    assert "lays down covering fire" in everything
    assert "Acting under " in everything


def test_cover_is_hit_for_those_who_see_whom_it_hides(firefight: Table, player: Any) -> None:
    """CD-COV-1: nobody is told what hidden combatants shoot at among themselves, or what cover is hit."""
    mara, thug, hidden = (firefight[name] for name in ("Mara", "Thug", "Nobody Knows"))
    cover = Modifier("cover", WORN)
    firefight.do(TakeAction("seek_cover", hidden, figures={"cover": "crate", "degree": "full", **WORN}))
    firefight.do(Attack(mara, (hidden,), "Test SMG"), dice=WrittenDice(8))
    firefight.do(Attack(mara, (hidden,), "Test SMG", (cover,)), dice=WrittenDice(8))
    assert " is hit." not in repr(firefight.view(player).log)
    assert "Crate takes 2" in repr(firefight.view("storyteller").log)

    firefight.do(Attack(mara, (thug,), "Test SMG", (cover,)), dice=WrittenDice(8))
    assert "The cover is hit." in repr(firefight.view(player).log)
    firefight.do(SetVisibility(hidden, hidden=False))
    firefight.do(Attack(mara, (hidden,), "Test SMG"), dice=WrittenDice(8))
    assert "Crate is hit." in repr(firefight.view(player).log)


def test_the_numbers_of_cover_are_the_storytellers(firefight: Table, player: Any) -> None:
    """CD-COV-1: players read that the bar is hit, but not its remaining Structure."""
    mara, thug = firefight["Mara"], firefight["Thug"]
    placed = {"cover": "bar", "durability": 1, "structure": 13}
    firefight.do(TakeAction("seek_cover", thug, figures={**placed, "degree": "full"}))
    firefight.do(Attack(mara, (thug,), "Test SMG"), dice=WrittenDice(8))

    log = repr(firefight.view(player).log)
    assert "Bar is hit" in log
    assert "Structure" not in log
    assert "has 11 Structure left" in repr(firefight.view("storyteller").log)
    firefight.do(commands.EndTurn())


# ------------------------------------------------------------------ screens


HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def page(firefight: Table, signed_in: Callable[[Any], Any]) -> Callable[..., str]:
    """The fight's page as a user sees it."""

    def get(user: Any, route: str, *args: Any, **query: Any) -> str:
        answer = signed_in(user).get(reverse(route, args=[firefight.encounter_id, *args]), query)
        assert answer.status_code == 200
        return str(answer.content.decode())

    return get


def gun_of(fight: Table, name: str) -> str:
    return str(fight.state.combatants[fight[name]].sheet.weapons[0].key)


def test_the_form_offers_what_the_weapon_can_do(firefight: Table, page: Any, storyteller: Any) -> None:
    """CD-GUN-4, CD-GUN-9, CD-GUN-15: fists have no bursts, and don't endanger bystanders."""
    query = {"who": firefight["Mara"], "at": firefight["Thug"]}

    shown = page(storyteller, "combat:attack", **query, weapon=gun_of(firefight, "Mara"))
    for name in ("also", "near", "mod_cover_durability", "mod_concealment_degree", "mod_human_shield_name"):
        assert f'name="{name}"' in shown
    assert 'value="medium_burst"' in shown
    fists = page(storyteller, "combat:attack", **query, weapon="unarmed")
    for name in ('name="also"', 'name="near"', 'value="medium_burst"', 'name="mod_cover_durability"'):
        assert name not in fists


def test_durability_is_picked_from_the_chart(
    firefight: Table, page: Any, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    """CD-COV-1, CD-IMP-1: by material and up to any number, for cover and for what is grabbed as a weapon."""
    thug, gun = firefight["Thug"], gun_of(firefight, "Mara")
    forms = {
        "figure_durability": [
            page(storyteller, "combat:form", "action", who=thug, action=action)
            for action in ("cover", "seek_cover", "improvised")
        ],
        "mod_cover_durability": [page(storyteller, "combat:attack", who=firefight["Mara"], at=thug, weapon=gun)],
    }
    for name, shown in forms.items():
        for each in shown:
            assert f'<select name="{name}"' in each
            assert '<option value="3">3: steel, iron</option>' in each
            assert '<option value="20">20</option>' in each
    sent = {"key": "k", "who": thug, "action": "cover", "figure_cover": "curtain", "figure_structure": "2"}
    url = reverse("combat:do", args=[firefight.encounter_id, "action"])
    assert signed_in(storyteller).post(url, {**sent, "figure_durability": "0"}, **HTMX).status_code == 200
    assert "Curtain: Durability 0, Structure 2." in repr(firefight.view("storyteller").log)


def test_players_are_not_offered_what_is_the_storytellers_word(firefight: Table, page: Any, player: Any) -> None:
    """CD-COV-1, CD-CON-1, CD-CON-3: they know their own concealment; hidden combatants are not listed as bystanders."""
    shown = page(player, "combat:attack", who=firefight["Mara"], at=firefight["Thug"], weapon=gun_of(firefight, "Mara"))

    for name in ("also", "near", "mod_firing_from_concealment_degree", "mod_into_melee_spared"):
        assert f'name="{name}"' in shown
    for name in ("mod_cover_durability", "mod_concealment_degree", "mod_human_shield_name", "mod_aim_rounds"):
        assert f'name="{name}"' not in shown
    assert firefight["Nobody Knows"] not in shown


def test_the_plan_tells_of_everybody_whom_a_burst_meets(
    firefight: Table, page: Any, storyteller: Any, player: Any
) -> None:
    """CD-GUN-4, CD-GUN-9: steps can be waived; a player sees their own pool, burst included."""
    query = {
        "who": firefight["Mara"],
        "at": firefight["Thug"],
        "weapon": gun_of(firefight, "Mara"),
        "mods": ["medium_burst"],
        "near": [firefight["Passer-by"]],
    }
    behind = {"mod_cover_durability": "1", "mod_cover_structure": "5"}

    whole = page(storyteller, "combat:attack-plan", **query, **behind)
    assert "The attack also targets" in whole
    assert "Passer-by" in whole
    assert 'value="cover"' in whole
    assert "fires 10 rounds" in whole
    theirs = page(player, "combat:attack-plan", **query)
    assert "2 who could be hit" in theirs
    assert "Medium burst" in theirs


def test_a_chance_roll_shows_as_one_to_its_player(firefight: Table, page: Any, player: Any) -> None:
    """CD-CON-2."""
    shown = page(
        player,
        "combat:attack-plan",
        who=firefight["Mara"],
        at=firefight["Thug"],
        weapon=gun_of(firefight, "Mara"),
        mods=["unseen"],
    )
    assert "out of sight" in shown
    assert "Attack, chance roll" in shown


def test_a_burst_is_fired_from_the_form_with_the_dice_of_the_table(
    firefight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    """CD-GUN-2, CD-GUN-4: each target has its own dice; a ten is rerolled in its own row."""
    mara, thug, passer = firefight["Mara"], firefight["Thug"], firefight["Passer-by"]
    url = reverse("combat:do", args=[firefight.encounter_id, "attack"])
    said: dict[str, Any] = {
        "who": mara,
        "at": thug,
        "also": [passer],
        "weapon": gun_of(firefight, "Mara"),
        "mods": ["medium_burst"],
        "dice": "type",
        "key": "k",
    }
    client = signed_in(storyteller)
    body = client.post(url, said, **HTMX).content.decode()
    assert body.count(f'name="die-attack-{mara}"') == 6
    assert body.count(f'name="die-attack-{mara}@{passer}"') == 6
    said |= {f"die-attack-{mara}": ["8", "2", "2", "2", "2", "2"]}
    said |= {f"die-attack-{mara}@{passer}": ["10", "2", "2", "2", "2", "2"]}
    again = client.post(url, said, **HTMX)
    assert again.status_code == 422
    assert again.content.decode().count(f'name="die-attack-{mara}@{passer}"') == 7
    said |= {f"die-attack-{mara}@{passer}": ["10", "2", "2", "2", "2", "2", "9"]}
    assert client.post(url, said, **HTMX).status_code == 200
    marks = [len(firefight.state.combatants[who].sheet.marks) for who in (thug, passer)]
    assert marks == [3, 4]


def test_nobody_but_the_storyteller_says_what_stands_in_the_way(firefight: Table, player: Any) -> None:
    """CD-COV-1, CD-COV-4, CD-GUN-9: a player can't name anybody they don't see."""
    mara, thug, hidden = firefight["Mara"], firefight["Thug"], firefight["Nobody Knows"]
    for figures in (
        Modifier("cover", {"durability": 1}),
        Modifier("human_shield", {"name": thug}),
        Modifier("aim", {"rounds": 3}),
    ):
        with pytest.raises(PermissionDenied):
            firefight.do(commands.ProposeAttack("x", Attack(mara, (thug,), "Test SMG", (figures,))), by=player)
    with pytest.raises(RuleViolation):
        firefight.do(commands.ProposeAttack("x", Attack(mara, (thug,), "Test SMG", near=(hidden,))), by=player)
    behind_bar = {"cover": "bar", "durability": 1, "structure": 13, "degree": "full"}
    with pytest.raises(PermissionDenied):
        firefight.do(TakeAction("seek_cover", mara, figures=behind_bar), by=player)
    firefight.do(TakeAction("seek_cover", mara, figures={"degree": "partial"}), by=player)
    assert STANCE.of(firefight.state.combatants[mara]).shelter is not None


def test_the_choice_is_put_to_whose_turn_it_is(
    firefight: Table, page: Any, storyteller: Any, player: Any, other_player: Any, signed_in: Callable[[Any], Any]
) -> None:
    """CD-GUN-10: not before their turn, and to nobody else at the table."""
    mara = firefight["Mara"]
    firefight.do(commands.RollInitiative(), dice=WrittenDice(1, 9, 5, 7))
    firefight.do(TakeAction("covering_fire", firefight["Thug"], (mara,)), dice=WrittenDice(8, 8))
    assert not firefight.view(player).asks.fires
    while mara not in firefight.state.acting:
        firefight.do(commands.Act())

    (asked,) = firefight.view(player).asks.fires
    assert (asked.name, asked.shooters, asked.rule, asked.hits) == ("Mara", ("Thug",), "CD-GUN-10", ())
    assert firefight.view("storyteller").asks.fires[0].hits == (4,)
    assert "Mara is under covering fire" in page(player, "combat:encounter")
    assert "Mara is under covering fire" in page(storyteller, "combat:encounter")
    assert "Mara is under covering fire" not in page(other_player, "combat:encounter")
    press = reverse("combat:do", args=[firefight.encounter_id, "action"])
    answer = signed_in(player).post(press, {"press": f"prone {mara}", "version": "", "key": "p"}, **HTMX)
    assert answer.status_code == 200
    assert not firefight.view(player).asks.fires
    assert "drops prone under the covering fire" in repr(firefight.view(player).log)


def test_what_anybody_can_see_stands_beside_the_names(firefight: Table, player: Any) -> None:
    """CD-GUN-7, CD-CON-1, CD-COV-1, CD-COV-4: if the person concerned can be seen."""

    def chips(audience: Any, name: str) -> list[str]:
        rows = firefight.view(audience).order.rows()
        return [each.label for row in rows if row.name == name for each in row.conditions]

    mara, thug, hidden = firefight["Mara"], firefight["Thug"], firefight["Nobody Knows"]
    placed = {"cover": "bar", "durability": 1, "structure": 13}
    firefight.do(TakeAction("seek_cover", thug, figures={**placed, "degree": "full"}))
    firefight.do(TakeAction("human_shield", thug, (firefight["Passer-by"],)))
    firefight.do(TakeAction("aim", mara, (thug,)))
    assert chips(player, "Thug") == ["behind bar", "behind Passer-by"]
    assert chips(player, "Mara") == ["aims at Thug, +1"]
    firefight.do(TakeAction("aim", mara, (hidden,)))
    firefight.do(TakeAction("seek_cover", thug, figures={"degree": "partial", "cover": "bar"}))
    firefight.do(TakeAction("covering_fire", hidden, (thug,)), dice=WrittenDice(8))
    assert chips(player, "Mara") == ["aiming"]
    assert chips("storyteller", "Mara") == ["aims at Nobody Knows, +1"]
    assert chips(player, "Thug") == ["partially concealed, bar", "behind Passer-by", "under covering fire"]
    firefight.do(TakeAction("seek_cover", thug, figures={"degree": "barely"}))
    assert "barely concealed" in chips(player, "Thug")


def test_the_log_shows_the_storyteller_how_a_hit_became_damage(firefight: Table, player: Any) -> None:
    """CD-DMG-1, CD-COV-1: players don't learn what protects the target."""
    mara, thug = firefight["Mara"], firefight["Thug"]
    cover = Modifier("cover", {"durability": 1, "structure": 9})
    firefight.do(Attack(mara, (thug,), "Test SMG", (cover,)), dice=WrittenDice(8, 8))

    (damage,) = [line for line in firefight.view("storyteller").log.entries[0].rolls if line.purpose == "damage"]
    assert ("Cover: Durability 1", "CD-COV-1", -1) in [(part.label, part.rule, part.dice) for part in damage.parts]
    assert damage.successes == 3
    assert not [line for line in firefight.view(player).log.entries[0].rolls if line.purpose == "damage"]


def test_of_the_blow_of_one_whose_dice_are_not_seen_only_the_sum_is_told(firefight: Table, player: Any) -> None:
    """CD-DMG-1: three successes and the gun's two make five; the target's player only learns the five."""
    mara, thug = firefight["Mara"], firefight["Thug"]
    firefight.do(Attack(thug, (mara,), "Test SMG"), dice=WrittenDice(8, 8, 8))

    def damage(audience: Any) -> list[tuple[str, int]]:
        rolls = firefight.view(audience).log.entries[0].rolls
        return [(part.label, part.dice) for roll in rolls if roll.purpose == "damage" for part in roll.parts]

    assert damage(player) == [("The blow", 5)]
    assert [dice for _label, dice in damage("storyteller")] == [3, 2]


def test_the_report_counts_what_covering_fire_does(firefight: Table) -> None:
    mara, thug = firefight["Mara"], firefight["Thug"]
    firefight.do(TakeAction("covering_fire", mara, (thug,)), dice=WrittenDice(8, 8))
    firefight.do(TakeAction("act_under_fire", thug), dice=WrittenDice())
    told, marks = report(firefight), len(firefight.state.combatants[thug].sheet.marks)
    assert person(told, "Thug").taken == person(told, "Mara").dealt == marks > 0
    assert person(told, "Mara").rolls == 1


@pytest.mark.parametrize("hidden", ["", "Mara", "Thug"])
def test_the_report_says_who_hit_a_human_shield_where_the_log_does(firefight: Table, hidden: str) -> None:
    """For a shot at somebody unseen, the shooter is not named."""
    mara, thug, passer = (firefight[name] for name in ("Mara", "Thug", "Passer-by"))
    firefight.do(TakeAction("human_shield", thug, (passer,)), dice=WrittenDice())
    if hidden:
        firefight.do(commands.SetVisibility(firefight[hidden], hidden=True))
    firefight.do(Attack(mara, (thug,), "Test SMG"), dice=WrittenDice(8, 8, 8))
    hit, held = (len(firefight.state.combatants[who].sheet.marks) for who in (thug, passer))
    told = report(firefight, "table")
    shooter = person(told, "Mara")
    assert person(told, "Passer-by").taken == held > 0
    assert (shooter.dealt if shooter else 0) == (0 if hidden else hit + held)


def test_covering_fire_is_laid_on_an_area_and_not_on_somebody(firefight: Table, page: Any, player: Any) -> None:
    """CD-GUN-10: somebody who sees nobody can still fire at the doorway."""
    mara, thug = firefight["Mara"], firefight["Thug"]
    form = {"who": mara, "action": "covering_fire"}
    assert 'name="at"' in page(player, "combat:form", "action", **form)
    for who in set(firefight.state.combatants) - {mara}:
        firefight.do(commands.SetVisibility(who, hidden=True))
    seen = page(player, "combat:form", "action", **form)
    assert 'name="weapon"' in seen
    assert 'name="at"' not in seen
    assert thug not in seen

    firefight.do(TakeAction("covering_fire", mara), dice=WrittenDice(8, 8))
    assert " lays down covering fire: on their next turn" in repr(firefight.view(player).log)
