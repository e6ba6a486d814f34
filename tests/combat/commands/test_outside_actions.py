"""Health, points and conditions outside fights: written to the sheets, refused during a fight, undone, and private."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from campaigns.models import Chronicle
from characters import services
from characters.models import Character
from combat.commands import drafts, perform
from combat.log import codec, rows
from combat.models import Encounter, LogRow
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.topics.commands import Begin, ChangeConditions, End, Harm, Heal, Pause, SetHealth, Spend
from tests.combat.commands.test_outside import told
from tests.combat.conftest import TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db


def sheet(who: str) -> Character:
    return Character.objects.get(pk=who)


def undo(log: Table) -> None:
    perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)


@pytest.mark.servers
def test_harm_healing_and_points_are_on_the_sheet_with_an_entry_and_an_undo(log: Table, player: Any) -> None:
    ilya = log["Ilya"]
    before = sheet(ilya)
    steps = [
        (Harm(ilya, 2, Damage.BASHING, why="A stair"), log.storyteller, "Ilya takes 2 bashing. (A stair)"),
        (Spend(ilya, "willpower", 1, "Resolve"), player, "Ilya spends 1 Willpower. (Resolve) 5 left."),
        (Heal(ilya, 1, Damage.BASHING), player, "Ilya heals 1 bashing. Ilya spends 1 blood. 9 left."),
        (Spend(ilya, "blood", -1, "Feeding"), log.storyteller, "Ilya regains 1 blood. (Feeding) 10 left."),
        (SetHealth(ilya, (Damage.LETHAL,)), log.storyteller, "Ilya: health corrected."),
    ]
    for command, by, _entry in steps:
        log.do(command, by=by)
    for reader in ("storyteller", player):
        assert told(log, reader) == [entry for _command, _by, entry in reversed(steps)]
    now = sheet(ilya)
    assert (now.marks, now.resources) == (["lethal"], {"blood": 10, "willpower": 5})
    assert now.version == before.version + len(steps)
    for _step in steps:
        undo(log)
    now = sheet(ilya)
    assert (now.marks, now.resources) == (before.marks, before.resources)
    assert rows.state_of(rows.rows_of(log.encounter), rows.first_state(log.encounter)) == log.state


def test_points_can_be_regained_up_to_the_maximum(log: Table) -> None:
    log.do(Spend(log["Ilya"], "blood", 4))
    with pytest.raises(RuleViolation, match="at most 13"):
        log.do(Spend(log["Ilya"], "blood", -8))
    log.do(Spend(log["Ilya"], "blood", -7))
    assert sheet(log["Ilya"]).resources["blood"] == 13


def test_undo_takes_back_its_own_part_of_a_sheet_that_was_edited_since(log: Table) -> None:
    """A Trait edited afterwards stays, and so do points that something else changed."""
    ilya = sheet(log["Ilya"])
    log.do(Spend(ilya.pk, "blood", 3))
    ilya.refresh_from_db()
    ilya.traits |= {"wits": 5}
    ilya.resources |= {"blood": 5}
    ilya.marks = ["lethal"]
    ilya.save()
    undo(log)
    now = sheet(ilya.pk)
    assert (now.resources["blood"], now.traits["wits"], now.marks) == (8, 5, ["lethal"])


def test_nobody_in_a_running_or_paused_fight_acts_elsewhere(fight: Table, log: Table, player: Any) -> None:
    for command in (Harm(log["Ilya"], 1, Damage.LETHAL), Spend(log["Ilya"], "blood"), Heal(log["Ilya"], hours=4)):
        with pytest.raises(RuleViolation, match="Ilya is in “The chapel”"):
            log.do(command)
    with pytest.raises(RuleViolation, match="Do that there"):
        log.do(Spend(log["Ilya"], "blood"), by=player)
    with pytest.raises(PermissionDenied):  # says nothing about who is in the fight
        log.do(Spend(log[TRUE_NAME], "blood"), by=player)
    fight.do(Pause())
    with pytest.raises(RuleViolation, match="Do that there"):
        log.do(Harm(log["Ilya"], 1, Damage.LETHAL))
    fight.do(End())
    log.do(Harm(log["Ilya"], 1, Damage.LETHAL))


def test_a_draft_hinders_nobody_and_follows(draft: Table, log: Table, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        log.do(Harm(log["Ilya"], 1, Damage.LETHAL))
    assert draft.state.combatants[draft["Ilya"]].sheet.marks == (Damage.LETHAL,)


@pytest.mark.servers
def test_what_was_done_before_a_fight_is_not_undone_after_it_began(draft: Table, log: Table) -> None:
    log.do(RollTraits(log["Ilya"], ("wits",)), dice=FixedDice(6))
    log.do(Harm(log["Ilya"], 1, Damage.LETHAL))
    log.do(Harm(log["Thug"], 1, Damage.LETHAL))
    draft.do(Begin())
    undo(log)  # the thugs in the fight are copies
    for end in (Pause(), End()):
        with pytest.raises(RuleViolation, match="Ilya has been in “The chapel” since then"):
            undo(log)
        draft.do(end)
    assert sheet(log["Ilya"]).marks == ["lethal"]
    log.do(Spend(log["Ilya"], "blood"))
    undo(log)  # the fight was over by then
    assert sheet(log["Ilya"]).resources["blood"] == 10


def test_players_do_only_what_rules_let_them_do(log: Table, player: Any, other_player: Any) -> None:
    ilya = log["Ilya"]
    log.do(Harm(ilya, 1, Damage.LETHAL))
    for command in (
        Spend(ilya, "blood", -1),
        Harm(ilya, 1, Damage.LETHAL),
        Heal(ilya, hours=8),
        Heal(ilya, 1, Damage.AGGRAVATED),
        SetHealth(ilya),
        ChangeConditions(ilya, frozenset({"prone"})),
    ):
        with pytest.raises(PermissionDenied):
            log.do(command, by=player)
    for command in (Spend(ilya, "blood"), Heal(ilya, 1, Damage.LETHAL)):
        with pytest.raises(PermissionDenied):
            log.do(command, by=other_player)
        log.do(command, by=player)


def test_only_the_storyteller_and_the_own_player_read_it(log: Table, player: Any, other_player: Any) -> None:
    log.do(RollTraits(log[TRUE_NAME], ("wits",), label="a hunch"))  # seen by all from now on
    readers = [player, other_player, "table"]
    before = [repr(log.view(reader)) for reader in readers]
    versions = dict(log.encounter.versions)
    log.do(Harm(log[TRUE_NAME], 3, Damage.LETHAL, why="CANARY"))
    log.do(Spend(log[TRUE_NAME], "blood", 2, "CANARY"))
    log.do(ChangeConditions(log[TRUE_NAME], frozenset({"prone"})))
    undo(log)
    assert [repr(log.view(reader)) for reader in readers] == before
    log.do(Spend(log["Ilya"], "blood", -1, "CANARY"))
    assert [repr(log.view(reader)) for reader in readers[1:]] == before[1:]
    assert told(log, player)[0] == "Ilya regains 1 blood. (CANARY) 11 left."
    assert {name for name, count in log.encounter.versions.items() if count != versions[name]} == {
        "storyteller",
        f"player-{player.pk}",
    }


def test_blood_heals_one_who_could_not_act_in_a_fight(log: Table, player: Any) -> None:
    """MQ-HEAL-1: in a fight healing takes an action, outside one it takes none."""
    log.do(Harm(log["Ilya"], 7, Damage.BASHING))
    log.do(Heal(log["Ilya"], 1, Damage.BASHING), by=player)
    assert len(sheet(log["Ilya"]).marks) == 6


def test_logs_of_earlier_versions_know_that_they_are_outside_fights(log: Table) -> None:
    log.do(Spend(log["Ilya"], "blood"))
    stored = Encounter.objects.get(pk=log.encounter_id)
    stored.state.pop("outside_fights")
    assert not codec.load_state(stored.state).outside_fights
    assert rows.load_state(stored, stored.state) == rows.state_now(log.encounter)
    assert LogRow.objects.exists()


def test_a_character_may_be_written_into_two_places_at_once(log: Table, chronicle: Any) -> None:
    """A draft made after an action is about the sheet as it is, and undo reaches it too."""
    by = chronicle.memberships.get(user=log.storyteller)
    log.do(Harm(log["Ilya"], 2, Damage.LETHAL))
    draft = drafts.create_encounter(by=by, name="Later", scene="")
    drafts.add_character(encounter_id=draft.pk, actor=log.storyteller, character=sheet(log["Ilya"]))
    undo(log)
    assert sheet(log["Ilya"]).marks == []


# ------------------------------------------------------------------ edits on the sheet


def edit(chronicle: Any, who: str, by: Any, **fields: Any) -> None:
    one = sheet(who)
    kept = ("name", "kind", "traits", "resources", "merits", "marks", "injuries", "notes")
    data = services.SheetData(**{name: getattr(one, name) for name in kept} | fields)
    membership = chronicle.memberships.get(user=by)
    services.update_sheet(by=membership, character=one, sheet=data, version=one.version)


@pytest.mark.servers
def test_an_edit_of_health_and_points_is_told_and_undone(
    log: Table, chronicle: Any, player: Any, other_player: Any
) -> None:
    who = log["Ilya"]
    edit(chronicle, who, player, traits=sheet(who).traits | {"wits": 4})
    assert not LogRow.objects.filter(encounter=log.encounter).exists()  # no health, no points
    before = repr(log.view(other_player))
    edit(chronicle, who, player, marks=["lethal", "bashing"], resources={"blood": 4, "willpower": 6})
    line = "Ilya’s sheet was edited. Health: unhurt → 1 lethal, 1 bashing Blood: 10 → 4"
    assert told(log, "storyteller") == told(log, player) == [line]
    assert log.view("storyteller").log.entries[0].by == player.display_name
    assert repr(log.view(other_player)) == before
    log.do(Spend(who, "blood"))
    edit(chronicle, who, player, traits=sheet(who).traits | {"wits": 2})
    undo(log)
    undo(log)
    now = sheet(who)
    assert (now.marks, now.resources, now.traits["wits"]) == ([], {"blood": 10, "willpower": 6}, 2)
    perform.redo(encounter_id=log.encounter_id, actor=log.storyteller)
    assert sheet(who).resources["blood"] == 4


def test_an_edit_during_a_fight_is_told_in_its_log_alone(fight: Table, log: Table, chronicle: Any, player: Any) -> None:
    edit(chronicle, log["Ilya"], log.storyteller, marks=["lethal"])
    assert not LogRow.objects.filter(encounter=log.encounter).exists()
    assert told(fight, player)[0] == "Ilya’s sheet was edited. Health: unhurt → 1 lethal"


def test_a_condition_outside_fights_stays_enters_the_next_fight_and_is_undone(log: Table, player: Any) -> None:
    ilya = log["Ilya"]
    log.do(ChangeConditions(ilya, frozenset({"cursed"}), why="the crone"))
    cursed = {"condition": "cursed", "rule": "", "fight": "-", "why": "the crone"}
    assert sheet(ilya).lasting == [cursed]
    assert told(log, player)[0] == "Ilya is cursed. (the crone)"
    undo(log)
    assert sheet(ilya).lasting == []
    perform.redo(encounter_id=log.encounter_id, actor=log.storyteller)
    by = log.encounter.chronicle.memberships.get(user=log.storyteller)
    docks = drafts.create_encounter(by=by, name="The docks")
    drafts.add_character(encounter_id=docks.pk, actor=log.storyteller, character=sheet(ilya))
    fight = Table.of(docks, log.storyteller).begin()
    fight.do(Harm(fight["Ilya"], 1, Damage.BASHING))
    assert fight.state.combatants[fight["Ilya"]].conditions == {"cursed"}
    # The fight writes harm back, and takes the condition's origin for its own no more than the scar's.
    assert sheet(ilya).lasting == [cursed]
    assert LogRow.objects.filter(encounter=docks, kind__in=("sheet", "cast")).count() == 0
    fight.do(End({fight["Ilya"]: frozenset()}))
    log.do(ChangeConditions(ilya, frozenset({"blessed"})))
    log.do(ChangeConditions(ilya, remove=frozenset({"blessed"}), why="over"))
    assert sheet(ilya).lasting == []
    assert told(log, player)[0] == "Ilya is no longer blessed. (over)"


# ------------------------------------------------------------------ conditions and scars


def test_conditions_last_until_they_are_removed(log: Table) -> None:
    who = log["Ilya"]
    log.do(ChangeConditions(who, frozenset({"blinded"}), why="Acid"))
    assert [(each["condition"], each["why"]) for each in sheet(who).lasting] == [("blinded", "Acid")]
    log.do(ChangeConditions(who, remove=frozenset({"blinded"})))
    assert sheet(who).lasting == []
    undo(log)
    assert [each["condition"] for each in sheet(who).lasting] == ["blinded"]


def test_a_condition_of_a_moment_does_not_hinder_for_ever(log: Table, chronicle: Any) -> None:
    """WL-DMG-5: a severe injury costs the next actions of a fight. Outside one there are none."""
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="wounds")
    who = log["Thug"]
    log.do(Harm(who, 5, Damage.LETHAL, why="A fall"))
    log.do(RollTraits(who, ("dexterity",)))
    assert log.state.combatants[who].conditions == frozenset()


def test_a_scar_from_outside_names_no_fight_and_is_undone(log: Table, chronicle: Any) -> None:
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="wounds")
    who = log["Thug"]
    log.do(Harm(who, 7, Damage.LETHAL, why="A fall"))
    assert [(each["fight"], each["turn"]) for each in sheet(who).scars] == [("", 0)]
    log.do(Harm(who, 1, Damage.LETHAL))
    undo(log)
    undo(log)
    assert (sheet(who).scars, sheet(who).injuries) == ([], [])
