"""Rolls outside fights: the chronicle's own log, its page, and who may what there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from campaigns import services as campaigns
from campaigns.models import Chronicle, Role
from characters.models import Character
from combat import logs, services
from combat.models import Encounter, LogRow
from combat.outside import open_log
from combat.receivers import running_fight_of
from rules import commands
from rules.commands import DifficultyOf, Extended, Modifier, Narrate, Resistance, RollOn, RollTraits
from rules.gear import Damage
from rules.rulesets import RULESETS
from rules.violations import RuleViolation
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def log(chronicle: Any, storyteller: Any, characters: dict[str, Any]) -> Table:
    """The log of the chronicle's rolls, its people by name."""
    return Table(open_log(chronicle).pk, storyteller, {name: each.pk for name, each in characters.items()})


def told(log: Table, reader: Any) -> list[str]:
    return [
        " ".join("".join(span.text for span in line) for line in entry.lines) for entry in log.view(reader).log.entries
    ]


def press(client: Any, log: Table, name: str, **said: Any) -> Any:
    return client.post(reverse("combat:do", args=[log.encounter_id, name]), {"key": "k", **said}, **HTMX)


# ------------------------------------------------------------------ the log


def test_every_chronicle_has_one(storyteller: Any) -> None:
    chronicle = campaigns.create_chronicle(user=storyteller, name="New", ruleset="masquerade")
    made = Encounter.objects.get(chronicle=chronicle)
    assert (made.outside_fights, made.status) == (True, "running")
    assert open_log(chronicle) == made
    made.delete()
    assert open_log(chronicle).outside_fights


def test_it_is_no_fight(log: Table, characters: dict[str, Any], storyteller: Any, chronicle: Any) -> None:
    log.do(RollTraits(log["Ilya"], ("wits",)))
    assert running_fight_of(log["Ilya"]) == ""
    assert not list(Encounter.objects.fights())
    by = chronicle.memberships.get(user=storyteller)
    campaigns.delete_chronicle(by=by)  # no fight is running that forbids it
    assert not Chronicle.objects.filter(pk=chronicle.pk).exists()


@pytest.mark.parametrize(
    "command",
    [commands.Begin(), commands.End(), commands.RollInitiative(), commands.Harm("x", 1, Damage.LETHAL), commands.Act()],
)
def test_what_belongs_in_a_fight_is_refused(log: Table, command: Any) -> None:
    with pytest.raises(RuleViolation, match="belongs in a fight"):
        log.do(command)
    assert not LogRow.objects.exists()


def test_whoever_rolls_is_there_as_their_sheet_is_then(log: Table, characters: dict[str, Any], player: Any) -> None:
    ilya = characters["Ilya"]
    log.do(RollTraits(ilya.pk, ("wits",)), by=player)
    assert log.view(player).log.entries[0].rolls[0].pool == 3
    assert list(log.state.combatants) == [ilya.pk]
    ilya.marks = ["lethal", "lethal"]
    ilya.save()
    log.do(RollTraits(ilya.pk, ("wits",)), by=player)
    (roll,) = log.view(player).log.entries[0].rolls
    assert roll.pool == 2
    assert "MQ-HEALTH-1" in [part.rule for part in roll.parts]
    assert logs.state_of(logs.rows_of(log.encounter), logs.first_state(log.encounter)) == log.state


def test_nothing_is_written_where_the_roll_is_refused(log: Table, player: Any) -> None:
    with pytest.raises(RuleViolation):
        log.do(RollTraits(log["Ilya"], ("brawl",)), by=player)
    with pytest.raises(PermissionDenied):
        log.do(RollTraits(log["Marguerite"], ("wits",)), by=player)
    with pytest.raises(PermissionDenied):
        log.do(RollTraits("nobody", ("wits",)), by=player)
    assert not LogRow.objects.exists()


def test_an_extended_roll_goes_on_over_several_evenings(log: Table, player: Any, characters: dict[str, Any]) -> None:
    ilya = characters["Ilya"]
    log.do(RollTraits(ilya.pk, ("wits",), extended=Extended("x", 9), label="Digging"), by=player, dice=FixedDice(6))
    (going,) = log.view(player).rolls.going
    assert (going.total, going.target, going.made, going.mine, going.pool) == (3, 9, 1, True, 3)
    ilya.traits |= {"wits": 5}
    ilya.save()
    log.do(RollOn("x"), by=player, dice=FixedDice(6))
    (going,) = log.view(player).rolls.going
    assert (going.total, going.made, going.pool) == (8, 2, 5)
    (seen,) = log.view("table").rolls.going
    assert (seen.total, seen.mine) == (8, False)
    ilya.delete()
    with pytest.raises(RuleViolation):
        log.do(RollOn("x"))


def test_what_forbids_the_next_roll_is_said_beforehand(log: Table, player: Any) -> None:
    against = DifficultyOf(log["Marguerite"], ("wits",))
    log.do(RollTraits(log["Ilya"], ("wits",), against, extended=Extended("x", 9)), dice=FixedDice(2))
    Character.objects.filter(pk=log["Marguerite"]).delete()
    log.do(RollTraits(log["Ilya"], ("wits",), DifficultyOf(log["Ilya"], ("wits",))))
    with pytest.raises(RuleViolation):
        log.do(RollOn("x"), by=player)


# ------------------------------------------------------------------ undo


def test_undo_takes_back_rolls_and_nothing_that_was_edited(log: Table, characters: dict[str, Any]) -> None:
    ilya = characters["Ilya"]
    log.do(RollTraits(ilya.pk, ("wits",), extended=Extended("x", 9)), dice=FixedDice(6))
    log.do(RollOn("x"), dice=FixedDice(6))
    ilya.marks, ilya.resources = ["lethal"], {"blood": 2, "willpower": 1}
    ilya.save()
    services.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert log.state.extended[0].made == 1
    services.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert log.state.extended == ()
    with pytest.raises(RuleViolation, match="nothing to take back"):
        services.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    services.redo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert log.state.extended[0].made == 1
    now = Character.objects.get(pk=ilya.pk)
    assert (now.marks, now.resources) == (["lethal"], {"blood": 2, "willpower": 1})
    assert [entry.undone for entry in log.view("storyteller").log.entries] == [True, False]


def test_redo_survives_a_sheet_that_is_brought_up_to_date(log: Table, characters: dict[str, Any]) -> None:
    log.do(RollTraits(log["Ilya"], ("wits",), extended=Extended("x", 9)), dice=FixedDice(6))
    services.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    characters["Ilya"].traits |= {"wits": 1}
    characters["Ilya"].save()
    services.redo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert len(log.state.extended) == 1


# ------------------------------------------------------------------ Willpower


WILL = (Modifier("willpower"),)


def test_willpower_is_spent_on_the_sheet_and_comes_back_with_undo(log: Table, player: Any) -> None:
    """MQ-WILL-1: a success that no die takes away, and as often as there are points, since no turn ends here."""
    for left in (5, 4):
        log.do(RollTraits(log["Ilya"], ("wits",), modifiers=WILL), by=player, dice=FixedDice(2))
        assert log.view(player).log.entries[0].rolls[0].successes == 1
        assert Character.objects.get(pk=log["Ilya"]).resources["willpower"] == left
    services.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert Character.objects.get(pk=log["Ilya"]).resources["willpower"] == 5


def test_what_a_fight_has_in_its_hands_is_spent_there(fight: Table, log: Table, player: Any) -> None:
    with pytest.raises(RuleViolation, match="is spent there"):
        log.do(RollTraits(log["Ilya"], ("wits",), modifiers=WILL), by=player)
    log.do(RollTraits(log["Ilya"], ("wits",)), by=player)


def test_an_extended_roll_is_paid_for_once(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    said = {"who": log["Ilya"], "traits": "wits", "kind": "extended", "target": "50", "willpower": "on"}
    page = rolls_page(signed_in(player), log, picked="1", **said)
    assert "(6 left)" in page
    assert "reaches 50" in page
    assert press(signed_in(player), log, "roll", **said).status_code == 200
    log.do(RollOn(log.state.extended[0].asked.id), by=player, dice=FixedDice(2))
    assert Character.objects.get(pk=log["Ilya"]).resources["willpower"] == 5


# ------------------------------------------------------------------ who sees what


def test_an_npc_is_seen_once_it_rolls_before_everybody(log: Table, player: Any) -> None:
    secret = RollTraits(log[TRUE_NAME], ("wits",), secret=True, label="CANARY")
    log.do(secret)
    assert told(log, player) == told(log, "table") == []
    with pytest.raises(RuleViolation):
        log.do(RollTraits(log["Ilya"], ("wits",), resisted=Resistance(log[TRUE_NAME], ("wits",))), by=player)
    log.do(RollTraits(log[TRUE_NAME], ("wits",), label="a hunch"))
    (line,) = told(log, player)
    assert line.startswith(f"{TRUE_NAME}, a hunch:")
    assert log.view(player).log.entries[0].rolls == ()  # not an NPC's dice
    log.do(secret)
    assert told(log, player) == [line]
    log.do(RollTraits(log["Ilya"], ("wits",), resisted=Resistance(log[TRUE_NAME], ("wits",))), by=player)
    assert [roll.name for roll in log.view(player).log.entries[0].rolls] == ["Ilya"]


def test_a_secret_roll_leaves_no_trace(log: Table, player: Any, other_player: Any) -> None:
    readers = [player, other_player, "table"]
    before = [repr(log.view(reader)) for reader in readers]
    for who in (SECRET, TRUE_NAME, "Ilya"):
        log.do(RollTraits(log[who], ("wits",), secret=True, label="CANARY", extended=Extended(f"x{who}", 9)))
    assert [repr(log.view(reader)) for reader in readers] == before
    assert all(count["version"] == 1 for name, count in log.encounter.versions.items() if name != "storyteller")
    assert "CANARY" in repr(log.view("storyteller"))


def test_a_name_the_storyteller_lets_slip_is_kept_from_the_pane(log: Table, player: Any) -> None:
    log.do(RollTraits(log[SECRET], ("wits",), secret=True))
    slip = RollTraits(log["Ilya"], ("wits",), label=f"hears {SECRET}", extended=Extended("x", 9, 0, f"by {SECRET}"))
    log.do(slip, dice=FixedDice(6))
    assert SECRET not in repr(log.view(player))
    guess = RollTraits(log["Ilya"], ("wits",), label=f"seeks {SECRET}", extended=Extended("y", 9, 0, f"as {SECRET}"))
    log.do(guess, by=player, dice=FixedDice(6))
    assert f"seeks {SECRET}" in repr(log.view(player).rolls)
    assert f"as {SECRET}" in repr(log.view(player).rolls)


def test_one_who_is_handed_over_is_seen(log: Table, player: Any, characters: dict[str, Any]) -> None:
    npc = characters[TRUE_NAME]
    log.do(RollTraits(npc.pk, ("wits",), secret=True))
    npc.owner = player
    npc.save()
    log.do(RollTraits(npc.pk, ("wits",), label="mine now"), by=player)
    assert told(log, "table")[0].startswith(f"{TRUE_NAME}, mine now:")
    npc.owner = None
    npc.save()
    with pytest.raises(PermissionDenied):
        log.do(RollTraits(npc.pk, ("wits",)), by=player)


def test_the_storytellers_words_stand_above_a_roll(log: Table, player: Any) -> None:
    log.do(RollTraits(log["Ilya"], ("wits",)))
    log.do(Narrate(log.view("storyteller").log.entries[0].resolution, "The lock gives."))
    assert log.view(player).log.entries[0].narration == "The lock gives."


# ------------------------------------------------------------------ the page


def rolls_page(client: Any, log: Table, **query: Any) -> str:
    answer = client.get(reverse("combat:rolls", args=[log.encounter.chronicle_id]), query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_page_offers_everybody_their_own(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any, observer: Any
) -> None:
    whole = rolls_page(signed_in(storyteller), log)
    assert all(f'id="who-{pk}"' in whole for pk in log.ids.values())
    mine = rolls_page(signed_in(player), log)
    assert f'id="who-{log["Ilya"]}"' in mine
    assert not any(pk in mine for name, pk in log.ids.items() if name not in ("Ilya", "Marguerite"))
    watching = rolls_page(signed_in(observer), log)
    assert 'name="traits"' not in watching
    assert "You have no character to roll for." in watching


def test_many_are_picked_from_a_list(log: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    for number in range(4):
        Character.objects.create(chronicle=log.encounter.chronicle, name=f"Extra {number}", kind="mortal")
    assert '<select name="who"' in rolls_page(signed_in(storyteller), log)


def test_a_sheet_that_house_rules_do_not_fit_keeps_nobody_away(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, characters: dict[str, Any]
) -> None:
    Character.objects.filter(pk=log["Thug"]).update(marks=["lethal"] * 30)
    page = rolls_page(signed_in(storyteller), log)
    assert f'id="who-{log["Ilya"]}"' in page
    assert f'id="who-{log["Thug"]}"' not in page


def test_the_plan_stands_there_before_the_roll(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    """Wits 3 at difficulty 9. Of 1000 throws 294 show one hit and no 1, 84 two, 12 two and a 1, 8 three: 398."""
    page = rolls_page(signed_in(player), log, picked="1", traits="wits", difficulty="9")
    assert "MQ-DICE-1" in page
    assert "Roll 3 dice" in page
    assert "40 %" in page


def test_a_preset_is_one_press(log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any) -> None:
    page = rolls_page(signed_in(storyteller), log, who=log["Ilya"], preset="3")
    assert 'value="charisma" id="trait-charisma" checked' in page
    assert 'value="resisted" id="kind-resisted" checked' in page
    assert '<option value="intimidation" selected>' in page
    page = rolls_page(signed_in(storyteller), log, who=log["Ilya"], preset="2")
    assert 'value="difficulty" id="kind-difficulty" checked' in page
    page = rolls_page(signed_in(player), log, preset="2")  # whose Traits set a difficulty is the Storyteller's to say
    assert 'id="kind-difficulty"' not in page
    assert 'value="plain" id="kind-plain" checked' in page


def test_the_chronicles_own_presets_are_there(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    Chronicle.objects.update(options={"own_rolls": ["Picking a lock: Dexterity + Security, 7"]})
    page = rolls_page(signed_in(player), log, preset="8")
    assert "Picking a lock" in page
    assert 'value="security" id="trait-security" checked' in page
    assert 'id="id_difficulty" min="2" max="10" inputmode="numeric" value="7"' in page


@pytest.mark.parametrize("preset", ["99", "-1", "x", "9" * 40, "٣"])
def test_a_preset_that_is_not_there_is_none(
    log: Table, signed_in: Callable[[Any], Any], player: Any, preset: str
) -> None:
    assert "Roll" in rolls_page(signed_in(player), log, preset=preset)


def test_npcs_roll_behind_the_screen_unless_it_is_said_otherwise(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    client = signed_in(storyteller)
    assert 'id="id_secret" checked' in rolls_page(client, log, who=log[TRUE_NAME])
    assert 'id="id_secret" checked' not in rolls_page(client, log, who=log["Ilya"])
    assert 'id="id_secret" checked' not in rolls_page(client, log, who=log[TRUE_NAME], about=log[TRUE_NAME])
    assert 'id="id_secret" checked' in rolls_page(client, log, who=log[TRUE_NAME], about=log["Ilya"])


def test_rolling_from_the_page(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    client = signed_in(player)
    answer = press(client, log, "roll", who=log["Ilya"], traits=["dexterity", "brawl"], kind="plain", difficulty="7")
    assert answer.status_code == 200
    assert 'id="pane-log"' in answer.content.decode()
    assert told(log, player)[0].startswith("Ilya, Dexterity + Brawl:")
    again = press(client, log, "roll", who=log["Ilya"], traits=["dexterity", "brawl"], kind="plain", difficulty="7")
    assert again.status_code == 200
    assert len(told(log, player)) == 1  # the same press
    faces = {"dice": "type", f"die-roll-{log['Ilya']}": ["6", "2", "3"]}
    said = {"who": log["Ilya"], "traits": "wits", "kind": "extended", "target": "50", "rolls": "9", **faces}
    long = press(client, log, "roll", **said, key="l")
    assert long.status_code == 200
    (going,) = log.view(player).rolls.going
    for name, key in (("roll-on", "m"), ("give-up", "n")):
        assert press(client, log, name, roll=going.id, key=key, **faces).status_code == 200
    assert told(log, player)[0] == "Ilya, Wits: left before it came to anything."


def test_without_scripts_the_page_comes_back(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    url = reverse("combat:do", args=[log.encounter_id, "roll"])
    answer = signed_in(player).post(url, {"who": log["Ilya"], "traits": "wits", "key": "k"})
    assert answer.url == reverse("combat:rolls", args=[log.encounter.chronicle_id])
    refused = signed_in(player).post(url, {"who": log["Ilya"], "traits": "brawl", "key": "l"})
    assert refused.status_code == 422
    assert "An Ability is rolled with an Attribute." in refused.content.decode()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "Pick the Trait to roll."),
        ({"traits": "levitation"}, "Select a valid choice"),
        ({"traits": "generation"}, "Select a valid choice"),
        ({"traits": ["wits", "brawl", "melee"]}, "two Traits at the most"),
        ({"traits": "wits", "difficulty": "11"}, "less than or equal to 10"),
        ({"traits": "wits", "kind": "resisted"}, "Say whom it is against."),
        ({"traits": "wits", "kind": "extended"}, "Say how many successes it takes."),
        ({"traits": "wits", "kind": "extended", "target": "51"}, "less than or equal to 50"),
        ({"traits": "wits", "kind": "extended", "target": "5", "rolls": "0"}, "greater than or equal to 1"),
        ({"traits": "wits", "kind": "odd"}, "Select a valid choice"),
        ({"traits": "wits", "kind": "difficulty"}, "Select a valid choice"),
        ({"traits": "wits", "who": "nobody"}, "Select a valid choice"),
    ],
)
def test_bad_forms_come_back(
    log: Table, signed_in: Callable[[Any], Any], player: Any, said: dict[str, Any], why: str
) -> None:
    answer = press(signed_in(player), log, "roll", **{"who": log["Ilya"], **said})
    assert answer.status_code == 422
    assert answer["HX-Reswap"] == "innerHTML"
    assert why in answer.content.decode()
    assert not LogRow.objects.exists()


def test_dice_of_the_table_are_asked_for_beforehand(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    url = reverse("combat:form", args=[log.encounter_id, "roll"])
    asked = signed_in(player).get(url, {"traits": "wits", "picked": "1", "dice": "type"}, **HTMX).content.decode()
    assert asked.count(f'name="die-roll-{log["Ilya"]}"') == 3
    faces = {f"die-roll-{log['Ilya']}": ["7", "0", "2"]}
    assert (
        press(signed_in(player), log, "roll", who=log["Ilya"], traits="wits", dice="type", **faces).status_code == 200
    )
    assert [die.face for die in log.view(player).log.entries[0].rolls[0].dice] == [7, 10, 2]
    log.do(RollTraits(log["Ilya"], ("wits",), extended=Extended("x", 50)), dice=FixedDice(2))
    url = reverse("combat:form", args=[log.encounter_id, "roll-on"])
    asked = signed_in(player).get(url, {"roll": "x", "dice": "type"}, **HTMX).content.decode()
    assert asked.count(f'name="die-roll-{log["Ilya"]}"') == 3
    assert press(signed_in(player), log, "roll-on", roll="x", dice="type", key="o", **faces).status_code == 200
    assert log.state.extended[0].total == 2


def test_a_fights_pages_are_none_of_its(log: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client = signed_in(storyteller)
    for name in ("edit", "discard", "cast", "keys", "report", "report-markdown", "attack", "attack-plan"):
        address = reverse(f"combat:{name}", args=[log.encounter_id])
        assert client.get(address).status_code in (404, 405), name
        assert client.post(address).status_code in (404, 405), name
    for name in ("damage", "begin", "declare", "attack"):
        assert press(client, log, name, who=log["Ilya"]).status_code == 404
        assert client.get(reverse("combat:form", args=[log.encounter_id, name])).status_code == 404
    answer = client.get(reverse("combat:encounter", args=[log.encounter_id]))
    assert answer.url == reverse("combat:rolls", args=[log.encounter.chronicle_id])
    assert "/rolls/" in client.get(reverse("campaigns:chronicle", args=[log.encounter.chronicle_id])).content.decode()


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_the_page_is_there_in_every_ruleset(
    signed_in: Callable[[Any], Any], storyteller: Any, player: Any, ruleset: str
) -> None:
    chronicle = campaigns.create_chronicle(user=storyteller, name="Elsewhere", ruleset=ruleset)
    campaigns.add_member(chronicle=chronicle, user=player, role=Role.PLAYER)
    ann = Character.objects.create(chronicle=chronicle, name="Ann", owner=player, kind="mortal", traits={"wits": 3})
    log = Table(open_log(chronicle).pk, storyteller, {"Ann": ann.pk})
    fixed = RULESETS[ruleset].mechanic.lowest == RULESETS[ruleset].mechanic.highest
    page = rolls_page(signed_in(player), log, picked="1", traits="wits", extra="2", difficulty="7")
    assert f"Roll {5 if fixed else 3} dice" in page
    assert ('name="difficulty"' in page, 'name="extra"' in page) == (not fixed, fixed)
    said = {"who": ann.pk, "traits": "wits", "kind": "plain", "extra": "2", "extra_why": "a lamp"}
    assert press(signed_in(player), log, "roll", **said).status_code == 200
    (roll,) = log.view(player).log.entries[0].rolls
    assert roll.pool == (5 if fixed else 3)
    assert all(part.rule for part in roll.parts)
