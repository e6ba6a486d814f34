"""Hollow's own rules, through the same interfaces as every ruleset.

tests/test_scenarios.py, tests/test_laws.py and tests/browser/test_systems.py play its fights.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import translation

from campaigns.words import said
from characters.models import CarriedWeapon, Character, Weapon
from combat.commands import drafts, perform
from rules.decide import decide
from rules.engine.dice import Throw
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Armor, Damage, Mode
from rules.model.gear import Weapon as Arms
from rules.model.plan import PoolPlan
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, Status
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.scenario.play import play_file
from rules.strike.attack import plan_attack
from rules.systems import RULESETS
from rules.topics import commands
from rules.topics.events import AttackResolved
from tests.campaigns.conftest import client_of
from tests.combat.conftest import Table, WrittenDice
from tests.kept import kept

__all__ = ["client_of"]  # a fixture

HOLLOW = RULESETS["hollow"]
FOLDER = settings.BASE_DIR / "examples" / "hollow"


def test_nothing_else_mentions_it():
    command = ["git", "grep", "-il", "hollow", "--", ".", ":!examples", ":!docs", ":!tests"]
    found = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False).stdout
    assert found.splitlines() == []


# ------------------------------------------------------------------ words


def test_its_words_are_said_in_the_reader_s_language():
    with translation.override("de"):
        assert said(HOLLOW.layout.trait("blades").label) == "Klingen"
        assert said(HOLLOW.layout.trait("strength").label) == "Körperkraft"
    assert HOLLOW.book.said_in("de")["HO-DREAD-1"].title == "Grauen"


# ------------------------------------------------------------------ dice and odds


@pytest.mark.parametrize("pool", [1, 2, 3, 7])
def test_pools_come_to_what_icepool_counts(pool):
    """HO-DICE-1."""
    outcomes = HOLLOW.mechanic.outcomes_of(PoolPlan((), pool, 0))
    theirs = pool @ icepool.Die({0: 6, 1: 3, 2: 1})
    for successes, count in enumerate(outcomes.successes):
        assert Fraction(count, outcomes.total) == theirs.probability(successes)


class Faces:
    """Dice that fall as given."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = faces

    def roll(self, throw: Throw) -> tuple[int, ...]:
        assert throw.count == len(self.faces)
        return self.faces

    def pick(self, options: int) -> int:
        return 0


@pytest.mark.parametrize("guarded", [0, 1])
@pytest.mark.parametrize("rating", [0, 2])
@pytest.mark.parametrize("damage", [0, 3])
def test_the_odds_are_what_comes_of_every_throw(damage, rating, guarded):
    """HO-GUARD-1, HO-HARM-1, HO-WOUND-1."""
    ada = Sheet("Ada", traits={"strength": 1, "blades": 1}, weapons=(Arms("sabre", Mode.MELEE, damage=damage),))
    armor = (Armor("mail", rating), Armor("shield", defense=guarded))
    crow = Sheet("Crow", traits={"dexterity": 2}, resources={"grit": 1}, armor=armor)
    people = {who: Combatant(who, sheet) for who, sheet in (("ada", ada), ("crow", crow))}
    state = Encounter(Status.RUNNING, combatants=people)
    command = Attack("ada", ("crow",), "sabre")
    game = Game(state, HOLLOW)
    expected = odds(plan_attack(game, command).against[0], game)
    levels, hits, felled, throws = Counter[int](), 0, 0, list(product(range(1, 11), repeat=2))
    for faces in throws:
        events = decide(state, command, HOLLOW, Faces(faces))
        (result,) = next(event for event in events if isinstance(event, AttackResolved)).results
        after = game.after(events).state.combatants["crow"]
        hits += result.outcome == "hit"
        levels[result.done.dealt if result.done else 0] += 1
        felled += "incapacitated" in after.conditions
    assert expected.hit == Fraction(hits, len(throws))
    found = {harm: chance for harm, chance in enumerate(expected.levels) if chance}
    assert found == {harm: Fraction(count, len(throws)) for harm, count in levels.items()}
    assert expected.states.get("incapacitated", 0) == Fraction(felled, len(throws))


# ------------------------------------------------------------------ rules that no scenario reaches


def fought(**traits: int) -> Encounter:
    people = {who: Combatant(who, Sheet(who.title(), traits=traits)) for who in ("ada", "crow")}
    return Encounter(Status.RUNNING, combatants=people)


def test_dread_is_never_above_ten():
    """HO-DREAD-1."""
    state, game = fought(), Game(fought(), HOLLOW)
    for _roll in range(12):
        events = decide(state, commands.RollTraits("ada", ("wits",)), HOLLOW, Faces((1,)))
        state = Game(state, HOLLOW).after(events).state
    assert [*HOLLOW.fight_signs[0](state)] == ["Dread: 10"]
    assert [*HOLLOW.fight_signs[0](game.state)] == ["Dread: 0"]


def test_nobody_rolls_initiative():
    """HO-PACE-1."""
    with pytest.raises(RuleViolation) as refused:
        decide(fought(), commands.RollInitiative(), HOLLOW, Faces(()))
    assert refused.value.rule == "HO-PACE-1"


@pytest.mark.parametrize(("over", "there", "rank"), [(1, (), 1), (3, (), 2), (5, (), 3), (2, (1, 2), 3), (9, (3,), 3)])
def test_what_is_left_of_a_blow_makes_one_wound(over, there, rank):
    """HO-WOUND-1."""
    hurt = HOLLOW.health.read(Sheet("Ada", resources={"grit": 2}), list(there))
    after = HOLLOW.health.inflict(hurt, 2 + over, Damage.LETHAL)
    assert sorted(HOLLOW.health.written(after)) == sorted([*there, rank])
    assert after.resources["grit"] == 0


# ------------------------------------------------------------------ at the table


TRAITS = {"strength": 3, "brawl": 2, "wits": 2, "dexterity": 4}


@pytest.fixture
@kept
def table(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A running fight: a player's Ada and the Storyteller's Crow."""
    chronicle.ruleset = "hollow"
    chronicle.save()
    by = chronicle.memberships.get(user=storyteller)
    fight = drafts.create_encounter(by=by, name="The mill", scene="Mist.")
    pistol = Weapon.objects.create(ruleset="hollow", name="Old pistol", mode="firearm", damage=1, type="lethal")
    for name, owner in (("Ada", player), ("Crow", None)):
        one = Character.objects.create(chronicle=chronicle, name=name, owner=owner, kind="mortal", traits=TRAITS)
        CarriedWeapon.objects.create(character=one, weapon=pistol)
        drafts.add_character(encounter_id=fight.pk, actor=storyteller, character=one)
    return Table.of(fight, storyteller).begin()


@pytest.mark.django_db
def test_everybody_sees_the_dread_and_undo_takes_it_back(table, player):
    attack = commands.Attack(table["Ada"], (table["Crow"],))
    table.do(attack, dice=WrittenDice())
    for audience in ("storyteller", "table", player):
        assert table.view(audience).bar.signs == ("Dread: 1",)
    table.do(attack, dice=WrittenDice())
    perform.undo(encounter_id=table.encounter_id, actor=table.storyteller, key="u")
    assert table.view("table").bar.signs == ("Dread: 1",)


@pytest.mark.django_db
def test_players_neither_see_nor_spend_the_dice_of_dread(table, player, storyteller, client_of):
    attack = commands.Attack(table["Ada"], (table["Crow"],))
    table.do(attack, dice=WrittenDice())
    address = reverse("combat:attack", args=[table.encounter_id])
    asked = {"who": table["Crow"], "at": table["Ada"]}
    assert "mod_spend_dread_dice" in client_of(storyteller).get(address, asked).content.decode()
    mine = {"who": table["Ada"], "at": table["Crow"]}
    page = client_of(player).get(address, mine).content.decode()
    assert "mod_press_times" in page
    assert "mod_spend_dread_dice" not in page
    dread = Modifier("spend_dread", {"dice": 1})
    spending = commands.ProposeAttack("x1", commands.Attack(table["Ada"], (table["Crow"],), modifiers=(dread,)))
    with pytest.raises(PermissionDenied):
        table.do(spending, by=player)


@pytest.mark.django_db
def test_the_plan_says_what_a_hit_needs_but_not_to_players(table, player, storyteller, client_of):
    """HO-GUARD-1, HO-COVER-1."""
    address = reverse("combat:attack", args=[table.encounter_id])
    shot = {"weapon": "Old pistol", "mod_cover_degree": "partial"}
    asked = {"who": table["Ada"], "at": table["Crow"], **shot}
    page = client_of(storyteller).get(address, asked).content.decode()
    needed = re.search(r"Successes needed to hit</h2>.*?</table>", page, re.DOTALL)
    assert needed
    words = " ".join(re.sub(r"<[^>]*>", " ", needed[0]).split())
    assert words.endswith(
        "Guard +2 successes § Rule: Guard (HO-GUARD-1) Cover +1 success § Rule: Cover (HO-COVER-1) Needed 3 successes"
    )
    page = client_of(player).get(address, asked).content.decode()
    assert "Successes needed to hit" not in page
    assert "HO-GUARD-1" not in page


@pytest.mark.django_db
def test_the_log_says_what_a_hit_took_where_the_target_s_traits_are_known(table, player):
    """HO-GUARD-1, HO-COVER-1."""
    cover = Modifier("cover", {"degree": "partial"})
    for by, at in (("Ada", "Crow"), ("Crow", "Ada")):
        table.do(commands.Attack(table[by], (table[at],), "Old pistol", modifiers=(cover,)), dice=WrittenDice())
    said = "It takes 3 successes to hit: Guard 2, Cover 1."
    for audience, known in (("storyteller", [True, True]), (player, [True, False]), ("table", [True, False])):
        told = [entry for entry in table.view(audience).log.entries if "attacks" in entry.news]
        assert [said in entry.news for entry in told] == known
        assert not any("lethal" in entry.news for entry in told)
        assert [{"HO-GUARD-1", "HO-COVER-1"} <= set(entry.rules) for entry in told] == known


@pytest.mark.django_db
def test_paces_are_picked_by_players_and_read_by_everybody(table, player):
    from hollow.pace import PickPace

    table.do(PickPace(table["Ada"], "fast"), by=player)
    for audience in ("storyteller", "table", player):
        (row,) = [each for each in table.view(audience).order.rows() if each.name == "Ada"]
        assert "fast" in [each.label for each in row.conditions]
    with pytest.raises(PermissionDenied):
        table.do(PickPace(table["Crow"], "fast"), by=player)


@pytest.mark.django_db
def test_sheets_are_filled_in_and_read_in_german_too(table, player, client_of, chronicle):
    client = client_of(player)
    page = client.get(reverse("characters:create", args=[chronicle.pk])).content.decode()
    assert "Revenant" in page
    assert "Blades" in page
    ada = Character.objects.get(name="Ada")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    sheet = client.get(reverse("characters:sheet", args=[ada.pk])).content.decode()
    assert re.search(r"Zähigkeit", sheet)
    rules = client.get(reverse("campaigns:rulebook", args=["hollow"])).content.decode()
    assert "Niemand würfelt Initiative" in rules
    assert "Hollow" in client.get(reverse("campaigns:rulebooks")).content.decode()


@pytest.mark.django_db
def test_its_weapons_are_in_the_tables():
    from characters import tables

    tables.load(refresh=True)
    assert set(Weapon.objects.filter(ruleset="hollow").values_list("name", flat=True)) >= {"Sabre", "Pistol"}


def test_a_scenario_of_its_own_fails_where_it_should(tmp_path):
    wrong = (FOLDER / "scenarios" / "dread.toml").read_text().replace("expect.dread = 1", "expect.dread = 2")
    (tmp_path / "wrong.toml").write_text(wrong)
    report = play_file(tmp_path / "wrong.toml")
    assert not report.ok
    assert "dread" in report.failure


@pytest.mark.django_db
def test_harm_is_told_without_a_kind(table):
    """HO-HARM-1: there is only one."""
    table.do(commands.Attack(table["Ada"], (table["Crow"],), "Old pistol"), dice=WrittenDice(*[10] * 6))
    assert "7 harm" in table.view("storyteller").log.entries[0].news
