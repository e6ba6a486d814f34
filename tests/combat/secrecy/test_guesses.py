"""What a player cannot find out by guessing: a hidden name, a masked person's identity, an NPC's Traits."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from characters.models import CarriedWeapon, Weapon
from characters.sheets import sheet_of
from combat.live.frames import frame
from combat.panes.versions import version_of
from combat.secrecy.sight import sight_of
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.model.roll import DifficultyOf
from rules.topics import commands
from rules.topics.commands import Declare
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table, bar_fight, make_character
from tests.kept import kept

pytestmark = pytest.mark.django_db

GUESSES = [SECRET, TRUE_NAME, "Nobody Atall"]


def read(table: Table, user: Any) -> str:
    view = table.view(user)
    return repr((view.order, view.log, getattr(view, "me", None)))


@pytest.mark.parametrize("guess", GUESSES)
def test_a_name_that_a_player_says_stays_as_it_was_said(
    fight: Table, player: Any, other_player: Any, guess: str
) -> None:
    """A right guess must look like a wrong one, or the log would confirm it."""
    fight.turn()
    ilya = fight["Ilya"]
    for who in fight.ids.values():
        if who != ilya:
            fight.do(Declare(who, out_of_order=True))
    fight.do(Declare(ilya, f"I look for {guess}."), by=player)
    fight.do(commands.Act())
    for reader in (player, other_player, "table"):
        assert read(fight, reader).count(f"I look for {guess}.") >= 2, reader
    fight.do(commands.RollTraits(ilya, ("wits",), label=f"finding {guess}"), by=player)
    fight.do(commands.Delay(ilya, f"until {guess} comes"), by=player)
    for reader in (player, other_player, "table"):
        for words in (f"finding {guess}", f"until {guess} comes"):
            assert words in read(fight, reader), reader


@pytest.mark.parametrize("guess", [*GUESSES, f"x” {SECRET} “y"])
def test_a_refusal_gives_back_what_was_typed(fight: Table, player: Any, guess: str) -> None:
    with pytest.raises(RuleViolation, match="isn’t carrying") as refused:
        fight.do(commands.Reload(fight["Ilya"], guess), by=player)
    assert guess in refused.value.message


def test_a_name_the_storyteller_lets_slip_is_kept_from_the_sheet_too(fight: Table, player: Any) -> None:
    fight.do(Declare(fight["Ilya"], f"goes for {TRUE_NAME}", out_of_order=True))
    assert TRUE_NAME not in read(fight, player)
    assert read(fight, player).count("goes for a tall man") == 3  # the order, the log, the sheet


def test_a_name_on_a_weapon_is_kept(chronicle: Any, characters: dict[str, Any], storyteller: Any, player: Any) -> None:
    from combat.commands import drafts

    sword = Weapon.objects.get(name="Test sword")
    CarriedWeapon.objects.create(character=characters[TRUE_NAME], weapon=sword, name=f"{TRUE_NAME}'s sabre")
    made = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The chapel")
    for character, mask in ((characters["Ilya"], ""), (characters[TRUE_NAME], "a tall man")):
        drafts.add_character(encounter_id=made.pk, actor=storyteller, character=character, mask=mask)
    table = Table.of(made, storyteller)
    weapon = table.state.combatants[table[TRUE_NAME]].sheet.weapons[0].key
    table.begin().do(Attack(table[TRUE_NAME], (table["Ilya"],), weapon), dice=FixedDice(9))
    table.do(commands.ProposeAttack("again", Attack(table[TRUE_NAME], (table["Ilya"],), weapon)))
    assert "a tall man&#x27;s sabre" in received(table, player)
    assert TRUE_NAME not in received(table, player)


def received(table: Table, user: Any) -> str:
    found = frame(table.encounter, f"player-{user.pk}", None)
    assert found is not None
    return repr(table.view(user)) + found.html


# ------------------------------------------------------------------ Traits


def test_no_player_takes_a_difficulty_from_somebody(fight: Table, player: Any, signed_in: Any) -> None:
    """A roll's difficulty is shown: taken from an NPC, it would reveal their Traits one by one."""
    masked, ilya = fight[TRUE_NAME], fight["Ilya"]
    with pytest.raises(PermissionDenied):
        fight.do(commands.RollTraits(ilya, ("wits",), difficulty=DifficultyOf(masked, ("stamina",))), by=player)
    said = {"who": ilya, "traits": ["wits"], "against": masked, "against_first": "stamina", "key": "k"}
    url = reverse("combat:do", args=[fight.encounter_id, "roll"])
    taken = said | {"kind": "difficulty"}
    assert signed_in(player).post(url, taken, headers={"HX-Request": "true"}).status_code == 422
    answer = signed_in(player).post(url, said | {"kind": "resisted"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    (entry, *_before) = fight.view(player).log.entries
    assert entry.rolls[0].difficulty == 6  # a contest, with the other side's dice hidden
    assert {roll.name for roll in entry.rolls} == {"Ilya"}


# ------------------------------------------------------------------ coming back


def test_who_was_away_does_not_take_an_old_page_for_the_present(fight: Table, player: Any) -> None:
    membership = fight.encounter.chronicle.memberships.get(user=player)
    audience = f"player-{player.pk}"
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    have = version_of(fight.encounter, audience)
    assert frame(fight.encounter, audience, None) is not None
    type(membership).objects.filter(pk=membership.pk).update(role="observer")
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.AGGRAVATED))
    type(membership).objects.filter(pk=membership.pk).update(role="player")
    lacking = frame(fight.encounter, audience, have)
    assert lacking is not None
    assert "aggravated" in lacking.html


# ------------------------------------------------------------------ words that come back later


def test_a_guess_that_waits_in_the_order_stays_as_it_was_typed(fight: Table, player: Any) -> None:
    fight.turn()
    fight.do(commands.Delay(fight["Ilya"], f"until {TRUE_NAME} comes"), by=player)
    assert f"until {TRUE_NAME} comes" in repr(fight.view(player).order)


def test_the_storytellers_words_stay_masked_when_a_player_types_the_same(fight: Table, player: Any) -> None:
    """Otherwise a correct guess would reveal the name."""
    fight.turn()
    ilya, words = fight["Ilya"], f"I go to {TRUE_NAME}"
    for who in fight.ids.values():
        if who != ilya:
            fight.do(Declare(who, words, out_of_order=True))
    fight.do(Declare(ilya, words), by=player)
    fight.do(commands.Act())
    declared = {row.name: row.declared for row in fight.view(player).order.rows()}
    assert declared["Ilya"] == words
    assert declared["Thug 1"] == "I go to a tall man"


@pytest.fixture
@kept
def bar(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A Chronicles fight in which a player's character has the name of somebody they see under a mask."""
    traits = {"strength": 3, "dexterity": 3, "stamina": 2, "wits": 3, "composure": 2, "brawl": 2, "size": 5}
    people = {"Mara": player, "Guard": None, SECRET: None}
    gun = {"name": "Test gun", "mode": "firearm", "damage": 3, "range_short": 20, "clip": 5}
    table = bar_fight(chronicle, storyteller, people, traits, **gun)
    table.do(commands.SetVisibility(table["Guard"], mask="a tall man"))
    return table


@pytest.mark.parametrize("guess", ["Guard", SECRET, "Nobody Atall"])
def test_reasons_stay_as_they_were_typed_whoever_rolls_on(bar: Table, player: Any, guess: str) -> None:
    more = commands.Modifier("circumstance", {"dice": 2, "why": f"for {guess}"})
    long = commands.Extended("long", 20, interval=f"a day of {guess}")
    roll = commands.RollTraits(bar["Mara"], ("wits",), modifiers=(more,), extended=long, label=f"seeking {guess}")
    bar.do(roll, by=player)
    bar.do(commands.RollOn("long"))
    view = bar.view(player)
    assert [f"for {guess}" in repr(entry.rolls) for entry in view.log.entries[:2]] == [True, True]
    assert [f"seeking {guess}" in repr(entry.lines) for entry in view.log.entries[:2]] == [True, True]
    assert f"a day of {guess}" in repr(view.rolls)
    assert guess not in repr(bar.view(player).order)


def test_a_namesake_of_somebody_masked_confirms_nothing(bar: Table, player: Any) -> None:
    """A player can name a character or a weapon with the name they guess."""
    mine = make_character(bar.encounter.chronicle, "Guard", player)
    CarriedWeapon.objects.create(character=mine, weapon=Weapon.objects.get(name="Test gun"), name="Guard")
    bar.do(commands.Join((commands.Newcomer("mine", sheet_of(mine), mine.pk, player=True),)))
    people = bar.state.combatants
    sight = sight_of(bar.state, mine=frozenset({mine.pk}))
    mine_and_theirs = {"mine": people["mine"].sheet.name, "theirs": people[bar["Guard"]].sheet.name}
    assert sight.clean(phrase("{mine} against {theirs}", **mine_and_theirs)) == "Guard against a tall man"
    with pytest.raises(RuleViolation) as refused:
        bar.do(commands.ClearJam("mine", "Guard"), by=player)
    assert refused.value.message == "Guard isn’t jammed."
    bar.do(commands.SetVisibility("mine", mask="a stranger"))
    assert sight_of(bar.state).clean(people["mine"].sheet.name) == "a stranger"
    assert sight.clean("The Storyteller speaks of Guard.") == "The Storyteller speaks of a tall man."
