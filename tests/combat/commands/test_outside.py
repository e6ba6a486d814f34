"""Rolls outside fights: the chronicle's own log, and who may do what there."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from campaigns import services as campaigns
from campaigns.models import Chronicle
from characters.models import Character
from combat.commands import perform
from combat.commands.outside import open_log
from combat.live.receivers import running_fight_of
from combat.log import rows
from combat.models import Encounter, LogRow
from rules.engine.violations import RuleViolation
from rules.model.choices import Modifier
from rules.model.roll import DifficultyOf, Extended, Resistance, RollTraits
from rules.topics import commands
from rules.topics.commands import Narrate, RollOn
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


def told(log: Table, reader: Any) -> list[str]:
    return [
        " ".join("".join(span.text for span in line) for line in entry.lines) for entry in log.view(reader).log.entries
    ]


# ------------------------------------------------------------------ the log


@pytest.mark.servers
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
    campaigns.delete_chronicle(by=by)  # no running fight forbids it
    assert not Chronicle.objects.filter(pk=chronicle.pk).exists()


@pytest.mark.parametrize(
    "command",
    [commands.Begin(), commands.End(), commands.RollInitiative(), commands.EndTurn(), commands.Act()],
)
def test_what_belongs_in_a_fight_is_refused(log: Table, command: Any) -> None:
    with pytest.raises(RuleViolation, match="only do that in a fight"):
        log.do(command)
    assert not LogRow.objects.exists()


@pytest.mark.servers
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
    assert rows.state_of(rows.rows_of(log.encounter), rows.first_state(log.encounter)) == log.state


@pytest.mark.servers
def test_nothing_is_written_where_the_roll_is_refused(log: Table, player: Any) -> None:
    with pytest.raises(RuleViolation):
        log.do(RollTraits(log["Ilya"], ("brawl",)), by=player)
    with pytest.raises(PermissionDenied):
        log.do(RollTraits(log["Marguerite"], ("wits",)), by=player)
    with pytest.raises(PermissionDenied):
        log.do(RollTraits("nobody", ("wits",)), by=player)
    assert not LogRow.objects.exists()


@pytest.mark.servers
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


@pytest.mark.servers
def test_undo_takes_back_rolls_and_nothing_that_was_edited(log: Table, characters: dict[str, Any]) -> None:
    ilya = characters["Ilya"]
    log.do(RollTraits(ilya.pk, ("wits",), extended=Extended("x", 9)), dice=FixedDice(6))
    log.do(RollOn("x"), dice=FixedDice(6))
    ilya.marks, ilya.resources = ["lethal"], {"blood": 2, "willpower": 1}
    ilya.save()
    perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert log.state.extended[0].made == 1
    perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert log.state.extended == ()
    with pytest.raises(RuleViolation, match="nothing to undo"):
        perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    perform.redo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert log.state.extended[0].made == 1
    now = Character.objects.get(pk=ilya.pk)
    assert (now.marks, now.resources) == (["lethal"], {"blood": 2, "willpower": 1})
    assert [entry.undone for entry in log.view("storyteller").log.entries] == [True, False]


@pytest.mark.servers
def test_redo_survives_a_sheet_that_is_brought_up_to_date(log: Table, characters: dict[str, Any]) -> None:
    log.do(RollTraits(log["Ilya"], ("wits",), extended=Extended("x", 9)), dice=FixedDice(6))
    perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    characters["Ilya"].traits |= {"wits": 1}
    characters["Ilya"].save()
    perform.redo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert len(log.state.extended) == 1


# ------------------------------------------------------------------ Willpower


WILL = (Modifier("willpower"),)


@pytest.mark.servers
def test_willpower_is_spent_on_the_sheet_and_comes_back_with_undo(log: Table, player: Any) -> None:
    """MQ-WILL-1: a success that no die cancels, and as often as there are points, since no turn ends here."""
    for left in (5, 4):
        log.do(RollTraits(log["Ilya"], ("wits",), modifiers=WILL), by=player, dice=FixedDice(2))
        assert log.view(player).log.entries[0].rolls[0].successes == 1
        assert Character.objects.get(pk=log["Ilya"]).resources["willpower"] == left
    perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert Character.objects.get(pk=log["Ilya"]).resources["willpower"] == 5


@pytest.mark.servers
def test_what_a_fight_has_in_its_hands_is_spent_there(fight: Table, log: Table, player: Any) -> None:
    with pytest.raises(RuleViolation, match="Ilya is in “The chapel”"):
        log.do(RollTraits(log["Ilya"], ("wits",), modifiers=WILL), by=player)
    log.do(RollTraits(log["Ilya"], ("wits",)), by=player)


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
