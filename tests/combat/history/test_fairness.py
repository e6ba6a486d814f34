"""Fair dice: the statistical test, the system's dice, and the page about fairness."""

from __future__ import annotations

import math
import re

import pytest
from django.urls import reverse

from bench.dice import LIMIT, fits, loaded, short, sticky, system
from combat.commands import perform
from combat.commands.dice import TypedDice
from combat.history.faces import Fallen, fallen_in, tally
from combat.history.fairness import beyond, fit, fit_of_pairs
from combat.history.records import read
from combat.panes.build import reader_of
from rules.engine.dice import Purpose
from rules.model.attack import Attack
from rules.topics import commands
from tests.combat.conftest import FixedDice, Table

WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [
        (16.919, 9, 0.05),
        (21.666, 9, 0.01),
        (27.877, 9, 0.001),
        (3.841, 1, 0.05),
        (18.307, 10, 0.05),
        (103.01, 81, 0.05),
    ],
)
def test_the_chance_beyond_is_that_of_the_printed_tables(statistic, freedom, chance):
    assert beyond(statistic, freedom) == pytest.approx(chance, rel=0.002)


def test_even_counts_fit_and_nothing_can_be_said_of_none():
    assert fit([7] * 10).chance == 1
    assert math.isclose(fit([12, 8]).statistic, 0.8)
    with pytest.raises(ValueError, match="nothing"):
        fit([0] * 10)


def test_a_die_that_repeats_itself_shows_in_its_pairs():
    faces = [face for face in range(1, 11) for _ in range(2)] * 100
    assert fit([faces.count(face) for face in range(1, 11)]).chance == 1
    assert fit_of_pairs(faces).chance < LIMIT


def test_the_systems_dice_are_fair_and_others_are_caught():
    """A tenth of the rolls of `bench/dice.py`: fails by chance once in half a million runs."""
    assert min(fit.chance for fit in fits(system(100_000))) >= LIMIT
    for die in (loaded, short, sticky):
        assert min(fit.chance for fit in fits(die(1_000_000 if die is loaded else 100_000))) < LIMIT, die.__name__


# ------------------------------------------------------------------ counted in fights


def counted(fight: Table, audience: str) -> list[Fallen]:
    found = read(fight.encounter)
    return list(fallen_in(found.rows, reader_of(found, audience), found.ruleset))


@pytest.mark.django_db
def test_faces_are_counted_for_whoever_rolled_them(fight, characters):
    before = len(counted(fight, "storyteller"))
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(10), waive=WAIVE)
    new = counted(fight, "storyteller")[before:]
    ilyas = [each for each in new if each.character == characters["Ilya"].pk]
    assert [set(each.faces) for each in ilyas] == [{10}, {10}]
    assert any(each.character != characters["Ilya"].pk for each in new)


@pytest.mark.django_db
def test_the_table_counts_nothing_that_it_does_not_see(fight):
    fight.do(Attack(fight["Thug 1"], (fight["Ilya"],)), dice=FixedDice(9), waive=WAIVE)
    before = len(counted(fight, "table"))
    secret = commands.RollTraits(fight["Ilya"], traits=("perception",), secret=True)
    fight.do(secret, dice=FixedDice(10))
    assert len(counted(fight, "table")) == before
    assert len(counted(fight, "storyteller")) > before
    own = {each.character for each in counted(fight, "table")}
    assert own <= {card["character"] for card in read(fight.encounter).rows[-1].cast["who"].values() if card["player"]}


@pytest.mark.django_db
def test_dice_of_the_table_are_not_vespers_to_answer_for(fight, characters):
    attack = Attack(fight["Ilya"], (fight["Thug 1"],))
    typed = TypedDice({(Purpose.ATTACK, fight["Ilya"]): (1,) * 6}, frozenset({fight["Ilya"]}))
    fight.do(attack, dice=typed, waive=WAIVE)
    last = [each for each in counted(fight, "storyteller") if each.character == characters["Ilya"].pk][-1]
    assert last.typed
    assert (tally("Ilya", [last]).dice, tally("Ilya", [last]).typed) == (0, 6)


def test_with_few_dice_nothing_is_said_of_chance():
    few = tally("Somebody", [Fallen("c", (1,) * 49, typed=False)])
    assert few.chance is None
    assert few.of_a_thousand is None
    assert tally("Somebody", [Fallen("c", (1,) * 50, typed=False)]).of_a_thousand == 0
    assert tally("Nobody", []).average is None


@pytest.mark.django_db
def test_the_page_names_players_and_counts_only_what_its_reader_saw(fight, client, player, storyteller, chronicle):
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), waive=WAIVE)
    fight.do(Attack(fight["Thug 1"], (fight["Ilya"],)), waive=WAIVE)

    def dice(user) -> dict[str, int]:
        client.force_login(user)
        page = client.get(reverse("combat:dice", args=[chronicle.pk])).content.decode()
        return {
            name: int(count)
            for name, count in re.findall(r"<h2[^>]*>([^<]+)</h2>.*?(\d+) dice with an average", page, re.S)
        }

    hers, his = dice(storyteller), dice(player)
    assert player.display_name in hers
    assert hers["The Storyteller’s characters"] > 0
    assert "The Storyteller’s characters" not in his
    assert his[player.display_name] == hers[player.display_name]
    perform.undo(encounter_id=fight.encounter_id, actor=storyteller)
    assert dice(storyteller) == hers, "what was taken back fell all the same"


@pytest.mark.django_db
def test_a_roll_that_others_do_not_see_yet_is_not_counted_for_them(
    fight, client, player, other_player, storyteller, chronicle
):
    def dice(user) -> list[str]:
        client.force_login(user)
        return re.findall(
            r"(\d+) dice with an average", client.get(reverse("combat:dice", args=[chronicle.pk])).content.decode()
        )

    before = dice(other_player)
    fight.do(commands.RollTraits(fight["Ilya"], ("wits", "brawl")), hold=True, dice=FixedDice(10))
    assert dice(player) != before
    assert dice(storyteller) != before
    assert dice(other_player) == before
    held = fight.view("storyteller").log.entries[0].id
    perform.let_go(encounter_id=fight.encounter_id, actor=player, token=held)
    assert dice(other_player) == dice(player)
