"""A command becomes one row of the log, if its author may give it and their page was not stale."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import translation

from combat.commands import drafts, perform
from combat.commands.dice import DiceWanted, TypedDice
from combat.commands.errors import KeyReused, StaleEncounter
from combat.log import codec, rows
from combat.models import LogIsWritten, LogRow
from combat.panes import versions
from rules.engine.dice import Purpose
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db


def folds(table: Table) -> bool:
    """Whether the state equals its log's replay."""
    return rows.state_of(rows.rows_of(table.encounter)) == table.state


# ------------------------------------------------------------------ the log


@pytest.mark.servers
def test_a_command_is_one_row(fight: Table) -> None:
    before = fight.encounter.seq
    done = fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
    row = LogRow.objects.get(encounter_id=fight.encounter_id, seq=before + 1)
    assert done.seq == before + 1 == fight.encounter.seq
    assert codec.load_events(row.events) == done.events
    assert row.actor_name == fight.storyteller.display_name
    assert folds(fight)


@pytest.mark.servers
def test_rows_are_written_once(fight: Table) -> None:
    row = LogRow.objects.filter(encounter_id=fight.encounter_id).last()
    assert row is not None
    with pytest.raises(LogIsWritten):
        row.save()
    with pytest.raises(LogIsWritten):
        row.delete()
    with pytest.raises(LogIsWritten):
        LogRow.objects.all().delete()
    with pytest.raises(LogIsWritten):
        LogRow.objects.update(actor_name="Nobody")


@pytest.mark.servers
def test_a_refusal_leaves_nothing(fight: Table) -> None:
    before = fight.encounter
    with pytest.raises(RuleViolation):
        fight.do(commands.Act())
    after = fight.encounter
    assert (after.seq, after.state, after.versions) == (before.seq, before.state, before.versions)


@pytest.mark.servers
def test_the_same_press_counts_once(fight: Table) -> None:
    command = commands.Harm(fight["Ilya"], 1, Damage.BASHING)
    first = fight.do(command, key="one press")
    second = fight.do(command, key="one press")
    assert second.repeated
    assert (second.seq, second.events) == (first.seq, first.events)
    assert fight.state.combatants[fight["Ilya"]].sheet.marks == (Damage.BASHING,)


@pytest.mark.servers
def test_a_repeat_gets_its_answer_however_late(fight: Table) -> None:
    version = versions.version_of(fight.encounter, "storyteller")
    command = commands.RollInitiative()
    first = fight.do(command, key="late", expected_version=version)
    fight.do(commands.Act())
    assert fight.do(command, key="late", expected_version=version).events == first.events


@pytest.mark.servers
def test_a_key_belongs_to_one_command(fight: Table) -> None:
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING), key="one press")
    with pytest.raises(KeyReused):
        fight.do(commands.Harm(fight["Ilya"], 3, Damage.BASHING), key="one press")


@pytest.mark.servers
def test_a_key_belongs_to_one_person(fight: Table, player: Any) -> None:
    fight.do(commands.Spend(fight["Ilya"], "blood", 1), key="k")
    fight.do(commands.Spend(fight["Ilya"], "blood", 1), by=player, key="k")
    assert fight.state.combatants[fight["Ilya"]].sheet.resources["blood"] == 8


@pytest.mark.servers
def test_a_stale_page_is_refused(fight: Table) -> None:
    stood_at = versions.version_of(fight.encounter, "storyteller")
    fight.do(commands.RollInitiative(), expected_version=stood_at)
    with pytest.raises(StaleEncounter):
        fight.do(commands.RollInitiative(), expected_version=stood_at)
    with pytest.raises(StaleEncounter):
        fight.do(commands.Act(), expected_seq=fight.encounter.seq - 1)
    fight.do(commands.Act(), expected_version=versions.version_of(fight.encounter, "storyteller"))


@pytest.mark.servers
def test_what_commutes_is_never_stale(fight: Table) -> None:
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING), expected_version=1)
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING), expected_version=1)
    assert len(fight.state.combatants[fight["Ilya"]].sheet.marks) == 2


# ------------------------------------------------------------------ who may


def test_players_act_for_their_own_alone(fight: Table, player: Any, other_player: Any, observer: Any) -> None:
    spend = commands.Spend(fight["Ilya"], "blood", 1)
    fight.do(spend, by=player)
    for somebody in (other_player, observer):
        with pytest.raises(PermissionDenied):
            fight.do(spend, by=somebody)


def test_strangers_may_nothing(fight: Table, stranger: Any, admin: Any) -> None:
    for somebody in (stranger, admin):
        with pytest.raises(PermissionDenied):
            fight.do(commands.Spend(fight["Ilya"], "blood", 1), by=somebody)


def test_a_draft_is_the_storytellers(draft: Table, player: Any) -> None:
    with pytest.raises(PermissionDenied):
        draft.do(commands.Spend(draft["Ilya"], "blood", 1), by=player)


def test_a_removed_player_may_nothing(fight: Table, player: Any) -> None:
    fight.encounter.chronicle.memberships.get(user=player).delete()
    with pytest.raises(PermissionDenied):
        fight.do(commands.Spend(fight["Ilya"], "blood", 1), by=player)


STORYTELLERS_OWN = [
    commands.Act(),
    commands.EndTurn(),
    commands.RollInitiative(),
    commands.Pause(),
    commands.End(),
    commands.Narrate("r1", "Words"),
]


@pytest.mark.parametrize("command", STORYTELLERS_OWN, ids=lambda command: type(command).__name__)
def test_the_storytellers_commands_are_no_players(fight: Table, player: Any, command: Any) -> None:
    with pytest.raises(PermissionDenied):
        fight.do(command, by=player)


def test_the_storytellers_word_is_no_players(fight: Table, player: Any) -> None:
    me = fight["Ilya"]
    at = (fight["Thug 1"],)
    easier = Attack(me, at, modifiers=(Modifier("difficulty", {"by": -3}),))
    struck = Attack(me, at, strike=frozenset({"wounds"}))
    answered = Attack(me, at, defences={fight["Thug 1"]: Defence()})
    for attack in (easier, struck, answered):
        with pytest.raises(PermissionDenied):
            fight.do(commands.ProposeAttack("x", attack), by=player)
    with pytest.raises(PermissionDenied):
        fight.do(commands.Spend(me, "blood", -3), by=player)
    with pytest.raises(PermissionDenied):
        fight.do(commands.Spend(me, "blood", 1), by=player, waive=["MQ-MULTI-1"])


def test_players_type_their_own_dice_alone(fight: Table, player: Any) -> None:
    roll = commands.RollTraits(fight["Ilya"], ("dexterity", "dodge"))
    own = TypedDice({(Purpose.ROLL, fight["Ilya"]): (8, 8, 8, 8, 8)})
    another = TypedDice({(Purpose.SOAK, fight["Thug 1"]): (1, 1)})
    with pytest.raises(PermissionDenied):
        fight.do(roll, by=player, dice=another)
    assert fight.do(roll, by=player, dice=own).events[0].roll.roll.successes == 5  # type: ignore[union-attr]


def test_the_hidden_are_as_absent_as_nobody(fight: Table, player: Any) -> None:
    refused = []
    for target in (fight[SECRET], "nobodyatall"):
        with pytest.raises(RuleViolation) as refusal:
            fight.do(commands.ProposeAttack("x", Attack(fight["Ilya"], (target,))), by=player)
        refused.append(str(refusal.value))
    assert refused[0] == refused[1]


def test_a_refusal_names_nobody_unseen(fight: Table, player: Any) -> None:
    """Players don't wait for somebody slower who is hidden; somebody slower in a mask is named by the mask."""
    order = (("Ilya",), ("Marguerite",), ("Thug 1",), ("Thug 2",), (TRUE_NAME,), (SECRET,))
    fight.do(commands.RollInitiative())
    fight.do(commands.SetOrder(tuple(tuple(fight[name] for name in rank) for rank in order)))
    with pytest.raises(RuleViolation) as refusal:
        fight.do(commands.Declare(fight["Ilya"]), by=player)
    assert SECRET not in str(refusal.value)
    for name in (TRUE_NAME, "Thug 2", "Thug 1", "Marguerite"):
        fight.do(commands.Declare(fight[name], out_of_order=True))
    fight.do(commands.Declare(fight["Ilya"], "I strike."), by=player)
    assert fight.state.combatants[fight["Ilya"]].turn.declaration.text == "I strike."


# ------------------------------------------------------------------ undo


@pytest.mark.servers
def test_undo_and_redo_restore_everything(fight: Table, characters: dict[str, Any]) -> None:
    fight.turn()
    before = fight.state
    fight.do(Attack(fight["Ilya"], (fight["Marguerite"],), weapon="Test pistol"))
    after = fight.state
    assert after != before
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert fight.state == before
    assert folds(fight)
    perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert fight.state == after
    assert folds(fight)


@pytest.mark.servers
def test_undo_only_counts_up(fight: Table) -> None:
    before = fight.encounter.seq
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert fight.encounter.seq == before + 2
    assert LogRow.objects.filter(encounter_id=fight.encounter_id).count() == before + 2


def test_undo_is_the_storytellers(fight: Table, player: Any) -> None:
    with pytest.raises(PermissionDenied):
        perform.undo(encounter_id=fight.encounter_id, actor=player)


@pytest.mark.servers
def test_undo_of_the_same_press_is_one_undo(fight: Table) -> None:
    for _ in range(2):
        fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    for _ in range(2):
        perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller, key="u")
    assert len(fight.state.combatants[fight["Ilya"]].sheet.marks) == 1


@pytest.mark.servers
def test_undo_is_written_alike_in_every_language(fight: Table) -> None:
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    for language in ("de", "en-gb"):
        with translation.override(language):
            done = perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller, key="u")
    assert done.repeated
    assert LogRow.objects.get(encounter_id=fight.encounter_id, seq=fight.encounter.seq).command == {"is": "Undo"}


def token_of(fight: Table, seq: int) -> str:
    return LogRow.objects.get(encounter_id=fight.encounter_id, seq=seq).token


@pytest.mark.servers
def test_going_back_takes_all_later_rows_back_and_redo_brings_them_in_order(fight: Table) -> None:
    states = [fight.state]
    for amount in (1, 2, 1):
        fight.do(commands.Harm(fight["Ilya"], amount, Damage.BASHING))
        states.append(fight.state)
    first = fight.encounter.seq - 2
    perform.undo_to(encounter_id=fight.encounter_id, actor=fight.storyteller, token=token_of(fight, first), key="b")
    assert fight.state == states[1]
    assert folds(fight)
    again = perform.undo_to(
        encounter_id=fight.encounter_id, actor=fight.storyteller, token=token_of(fight, first), key="b"
    )
    assert again.repeated
    for state in states[2:]:
        perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)
        assert fight.state == state
        assert folds(fight)


@pytest.mark.servers
def test_going_back_to_before_somebody_came_heals_what_they_took_since(
    draft: Table, characters: dict[str, Any]
) -> None:
    fight, ilya = draft, characters["Ilya"]
    fight.begin()
    fight.do(commands.Leave(fight["Ilya"]))
    left = token_of(fight, fight.encounter.seq)
    drafts.add_character(encounter_id=fight.encounter_id, actor=fight.storyteller, character=ilya)
    back = next(who for who, each in fight.state.combatants.items() if each.character == ilya.pk)
    fight.do(commands.Harm(back, 2, Damage.LETHAL))
    ilya.refresh_from_db()
    assert len(ilya.marks) == 2
    perform.undo_to(encounter_id=fight.encounter_id, actor=fight.storyteller, token=left)
    ilya.refresh_from_db()
    assert ilya.marks == []
    assert folds(fight)


def test_what_was_taken_back_cannot_be_gone_back_to_nor_the_newest(fight: Table, player: Any) -> None:
    for _ in range(2):
        fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    newest = token_of(fight, fight.encounter.seq)
    before = fight.encounter.seq
    with pytest.raises(RuleViolation, match="Nothing has happened since"):
        perform.undo_to(encounter_id=fight.encounter_id, actor=fight.storyteller, token=newest)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    for token in (newest, "nothing"):
        with pytest.raises(RuleViolation, match="already been undone"):
            perform.undo_to(encounter_id=fight.encounter_id, actor=fight.storyteller, token=token)
    with pytest.raises(PermissionDenied):
        perform.undo_to(encounter_id=fight.encounter_id, actor=player, token=token_of(fight, 1))
    assert fight.encounter.seq == before + 1


def test_something_new_ends_redo(fight: Table) -> None:
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    with pytest.raises(RuleViolation):
        perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)


def test_nothing_to_undo_is_said(chronicle: Any, storyteller: Any) -> None:
    from combat.commands import drafts

    empty = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="Nothing")
    with pytest.raises(RuleViolation):
        perform.undo(encounter_id=empty.pk, actor=storyteller)


@pytest.mark.servers
def test_undo_takes_a_fight_back_to_its_draft(fight: Table) -> None:
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert fight.encounter.status == "draft"
    assert not fight.encounter.visible_to_players


# ------------------------------------------------------------------ sheets


@pytest.mark.servers
def test_wounds_points_and_rounds_are_written_on_the_sheet(fight: Table, characters: dict[str, Any]) -> None:
    ilya = characters["Ilya"]
    fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
    fight.do(commands.Spend(fight["Ilya"], "blood", 3))
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],), weapon="Test pistol"))
    ilya.refresh_from_db()
    assert ilya.marks == ["lethal", "lethal"]
    assert ilya.resources["blood"] == 7
    assert ilya.weapons.get(weapon__name="Test pistol").rounds == 4
    for _ in range(3):
        perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    ilya.refresh_from_db()
    assert (ilya.marks, ilya.resources["blood"]) == ([], 10)
    assert ilya.weapons.get(weapon__name="Test pistol").rounds == 5


@pytest.mark.servers
def test_a_running_fight_knows_carried_rows_by_their_keys(fight: Table, characters: dict[str, Any]) -> None:
    """Rows with other primary keys, as an archive makes them, or with the numbers that older versions used as keys."""
    from characters.models import CarriedWeapon

    ilya = characters["Ilya"]
    pistol = ilya.weapons.get(weapon__name="Test pistol")
    CarriedWeapon.objects.filter(pk=pistol.pk).delete()
    CarriedWeapon.objects.create(character=ilya, weapon=pistol.weapon, rounds=5, key=pistol.key)
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],), weapon=pistol.key))
    there = ilya.weapons.get(weapon__name="Test pistol")
    assert (there.rounds, there.pk == pistol.pk) == (4, False)
    ilya.refresh_from_db()
    assert list(ilya.fought["was"]) == [f"weapons:{pistol.key}"]


def test_copies_bleed_alone(fight: Table, characters: dict[str, Any]) -> None:
    fight.do(commands.Harm(fight["Thug 1"], 2, Damage.LETHAL))
    characters["Thug"].refresh_from_db()
    assert characters["Thug"].marks == []
    assert fight.state.combatants[fight["Thug 2"]].sheet.marks == ()


@pytest.mark.servers
def test_an_edited_sheet_reaches_the_fight(
    fight: Table, characters: dict[str, Any], storyteller: Any, django_capture_on_commit_callbacks: Any
) -> None:
    from characters.signals import sheet_changed

    ilya = characters["Ilya"]
    with django_capture_on_commit_callbacks(execute=True):
        ilya.traits |= {"strength": 5}
        ilya.name = "Ilya Voss"
        ilya.save()
        sheet_changed.send(sender=type(ilya), character_id=ilya.pk, chronicle_id=ilya.chronicle_id)
    sheet = fight.state.combatants[fight["Ilya"]].sheet
    assert (sheet.name, sheet.traits["strength"]) == ("Ilya Voss", 5)
    assert folds(fight)


def test_a_running_fight_keeps_players_from_their_sheets(fight: Table, characters: dict[str, Any]) -> None:
    from characters.hooks import fight_of

    assert fight_of(characters["Ilya"].pk) == "The chapel"
    fight.do(commands.Pause())
    assert fight_of(characters["Ilya"].pk) == ""


# ------------------------------------------------------------------ typed dice


def test_the_dice_that_are_missing_are_asked_for(fight: Table) -> None:
    roll = commands.RollTraits(fight["Ilya"], ("dexterity", "dodge"))
    before = fight.encounter.seq
    with pytest.raises(DiceWanted) as wanted:
        fight.do(roll, dice=TypedDice({}, frozenset({fight["Ilya"]})))
    assert (wanted.value.throw.purpose, wanted.value.throw.count) == (Purpose.ROLL, 5)
    assert fight.encounter.seq == before


@pytest.mark.parametrize("faces", [(8, 8), (8, 8, 8, 8, 11), (0, 8, 8, 8, 8)])
def test_wrong_dice_get_a_sentence(fight: Table, faces: tuple[int, ...]) -> None:
    roll = commands.RollTraits(fight["Ilya"], ("dexterity", "dodge"))
    with pytest.raises(RuleViolation) as refusal:
        fight.do(roll, dice=TypedDice({(Purpose.ROLL, fight["Ilya"]): faces}))
    assert refusal.value.rule == "input"


def test_nobody_types_for_everybody(fight: Table) -> None:
    typed = TypedDice({(Purpose.ATTACK, fight["Ilya"]): (9,) * 6}, rest=FixedDice(2))  # type: ignore[arg-type]
    done = fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=typed)
    assert done.events[0].results[0].attack.roll.successes == 6  # type: ignore[union-attr]
