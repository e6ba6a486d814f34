"""Rolls as each audience reads them: difficulties from somebody's Traits, and extended rolls."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from combat.commands import perform, revising
from combat.history.entries import Entry
from rules.engine.violations import RuleViolation
from rules.model.roll import DifficultyOf, Extended, RollTraits
from rules.topics.commands import GiveUpRoll, RollOn
from tests.combat.conftest import TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db

CHANT = Extended("x", 4, 3, "a day")


def newest(fight: Table, reader: Any) -> Entry:
    return fight.view(reader).log.entries[0]


def words(entry: Entry) -> str:
    return " ".join("".join(span.text for span in line) for line in entry.lines)


def against(fight: Table, whose: str) -> RollTraits:
    """Ilya's Dexterity 3 against Stamina 2 + Dodge 2, which no player sees of an NPC."""
    difficulty = DifficultyOf(fight[whose], ("stamina", "dodge"))
    return RollTraits(fight["Ilya"], ("dexterity",), difficulty, label="Sleight")


def test_a_difficulty_that_is_an_npcs_traits_shows_neither_traits_nor_sum(fight: Table, player: Any) -> None:
    fight.do(against(fight, TRUE_NAME), dice=FixedDice(5, 3, 1))
    (whole,) = newest(fight, "storyteller").rolls
    assert whole.difficulty == 4
    assert f"{TRUE_NAME}: Stamina + Dodge" in [part.label for part in whole.parts]
    assert [die.tone for die in whole.dice] == ["hit", "", "one"]
    for reader in (player, "table"):
        entry = newest(fight, reader)
        (roll,) = entry.rolls
        assert roll.difficulty == 0
        assert "Stamina" not in repr(entry)
        assert not any(part.difficulty for part in roll.parts)
        assert [part.rule for part in roll.parts][-1] == "MQ-DICE-5"
        assert [die.tone for die in roll.dice] == ["", "", "one"]
        assert roll.successes == 0


def test_how_far_over_ten_it_would_be_is_not_told_either(fight: Table, player: Any) -> None:
    many = DifficultyOf(fight[TRUE_NAME], ("strength", "melee"))
    fight.do(RollTraits(fight["Ilya"], ("dexterity",), many), dice=FixedDice(9))
    from characters.models import Character

    strong = Character.objects.get(name=TRUE_NAME)
    strong.traits |= {"strength": 9, "melee": 9}
    strong.save()

    revising.revise_sheets(encounter_id=fight.encounter_id, characters=[strong.pk])
    fight.do(RollTraits(fight["Ilya"], ("dexterity",), many), dice=FixedDice(9))
    assert [part.key for part in fight_parts(fight)] == ["trait:dexterity", f"base:{fight[TRUE_NAME]}", "limit"]
    labels = [part.label for part in newest(fight, player).rolls[0].parts]
    assert labels == ["Dexterity", "Difficulty: known only to the Storyteller"]


def fight_parts(fight: Table) -> Any:
    from combat.log.rows import rows_of

    return rows_of(fight.encounter)[-1].events[0].roll.plan.parts


def test_another_players_traits_are_shown_as_their_dice_are(fight: Table, player: Any) -> None:
    fight.do(against(fight, "Marguerite"))
    assert newest(fight, player).rolls[0].difficulty == 4
    assert "Marguerite: Stamina + Dodge" in [part.label for part in newest(fight, player).rolls[0].parts]


# ------------------------------------------------------------------ extended rolls


def test_the_running_total_is_told(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    fight.do(RollTraits(ilya, ("dexterity",), extended=CHANT, label="Chant"), by=player, dice=FixedDice(6, 2, 2))
    assert words(newest(fight, "table")) == "Ilya, Chant: succeeds (1). 1 of 4 successes after 1 roll (at most 3)."
    fight.do(RollOn("x"), by=player, dice=FixedDice(6, 7, 8))
    told = "Ilya, Chant: succeeds (3). 4 of 4 successes after 2 rolls: the attempt succeeds."
    assert words(newest(fight, player)) == told
    assert not fight.state.extended


def test_what_is_lost_and_what_is_left_is_told(fight: Table, player: Any) -> None:
    roll = RollTraits(fight["Ilya"], ("dexterity",), extended=Extended("x", 4, 1), label="Chant")
    fight.do(roll, dice=FixedDice(2))
    assert words(newest(fight, player)).endswith("after 1 roll, with no rolls left: the attempt fails.")
    fight.do(roll, dice=FixedDice(1))
    assert words(newest(fight, player)).endswith("All successes so far are lost.")
    fight.do(RollTraits(fight["Ilya"], ("dexterity",), extended=CHANT, label="Chant"), dice=FixedDice(2))
    fight.do(GiveUpRoll("x"), by=player)
    assert words(newest(fight, player)) == "Ilya gives up: Chant."


def test_undo_brings_an_extended_roll_back(fight: Table) -> None:
    fight.do(RollTraits(fight["Ilya"], ("dexterity",), extended=CHANT), dice=FixedDice(6, 2, 2))
    before = fight.state
    fight.do(RollOn("x"), dice=FixedDice(1))
    assert not fight.state.extended
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert fight.state == before


def test_nobody_rolls_on_for_another(fight: Table, player: Any, other_player: Any, observer: Any) -> None:
    fight.do(RollTraits(fight["Ilya"], ("dexterity",), extended=CHANT), by=player, dice=FixedDice(6, 2, 2))
    for somebody in (other_player, observer):
        for command in (RollOn("x"), GiveUpRoll("x")):
            with pytest.raises(PermissionDenied):
                fight.do(command, by=somebody)
    fight.do(RollOn("x"), dice=FixedDice(2))
    for somebody in (player, fight.storyteller):
        with pytest.raises(RuleViolation, match="That roll is over"):
            fight.do(RollOn("no such roll"), by=somebody)


def test_a_secret_one_does_not_exist_for_its_player(fight: Table, player: Any) -> None:
    before = [fight.view(reader) for reader in (player, "table")]
    versions = dict(fight.encounter.versions)
    secret = RollTraits(fight["Ilya"], ("dexterity",), extended=CHANT, label="CANARY", secret=True)
    fight.do(secret, dice=FixedDice(6, 2, 2))
    fight.do(RollOn("x"), dice=FixedDice(2))
    with pytest.raises(RuleViolation, match="That roll is over"):  # as for a roll that never existed
        fight.do(RollOn("x"), by=player)
    fight.do(GiveUpRoll("x"))
    assert [fight.view(reader) for reader in (player, "table")] == before
    now = fight.encounter.versions
    assert {name: count for name, count in now.items() if name != "storyteller"} == {
        name: count for name, count in versions.items() if name != "storyteller"
    }
    assert "CANARY" in repr(fight.view("storyteller"))


def test_an_npcs_successes_are_not_counted_before_players(fight: Table, player: Any) -> None:
    fight.do(RollTraits(fight[TRUE_NAME], ("dexterity",), extended=CHANT, label="Chant"), dice=FixedDice(6, 2, 2))
    fight.do(RollOn("x"), dice=FixedDice(1))
    for entry in fight.view(player).log.entries[:2]:
        assert "successes" not in words(entry)
        assert "gathered" not in words(entry)
        assert words(entry).startswith("A tall man, Chant:")


@pytest.mark.parametrize("by_player", [True, False])
def test_whose_words_they_are_does_not_change_with_who_rolls_on(fight: Table, player: Any, by_player: bool) -> None:
    """The Storyteller's slip stays hidden when the player continues the roll; a player's guess stays as typed."""
    label = f"finding {TRUE_NAME}"
    roll = RollTraits(fight["Ilya"], ("dexterity",), extended=CHANT, label=label)
    fight.do(roll, by=player if by_player else fight.storyteller, dice=FixedDice(2))
    for rolls_on in (player, fight.storyteller):
        fight.do(RollOn("x"), by=rolls_on, dice=FixedDice(2))
        assert (label in words(newest(fight, player))) is by_player
