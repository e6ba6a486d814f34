"""A fight told afterwards: the figures are those of the log, and nobody reads more than they saw."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from combat import services
from combat.perspectives.build import reader_of
from combat.perspectives.report import Report, report_of
from combat.perspectives.report_markdown import escaped, in_markdown
from combat.records import read
from rules import commands
from rules.commands import Attack
from rules.gear import Damage
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db

WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]


def report(fight: Table, audience: str = "storyteller") -> Report:
    found = read(fight.encounter)
    return report_of(found.name, found.rows, found.ruleset, reader_of(found, audience))


def person(told: Report, name: str) -> Any:
    return next((each for each in told.people if each.name == name), None)


def strike(fight: Table, by: str, at: str, *faces: int) -> None:
    fight.do(Attack(fight[by], (fight[at],)), dice=FixedDice(*faces), waive=WAIVE)


def test_a_blow_is_counted_on_both_sides(fight):
    """Six tens hit with five above the first: eight dice of damage, eight tens, less the one that Stamina 1 soaks."""
    strike(fight, "Ilya", "Thug 1", 10)
    ilya, thug = person(report(fight), "Ilya"), person(report(fight), "Thug 1")
    assert (ilya.attacks, ilya.hits, ilya.dealt, ilya.taken) == (1, 1, 7, 0)
    assert (thug.attacks, thug.hits, thug.dealt, thug.taken) == (0, 0, 0, 7)


def test_luck_is_what_the_dice_gave_above_what_they_owed(fight):
    """Two rolls of nothing but tens, attack and damage."""
    strike(fight, "Ilya", "Thug 1", 10)
    lucky = person(report(fight), "Ilya")
    assert lucky.rolls == 2
    assert lucky.successes > lucky.expected > 0
    assert lucky.luck == pytest.approx(lucky.successes - lucky.expected)
    assert report(fight).best[0].name in {"Ilya", "Thug 1"}


def test_a_botch_is_among_the_worst_rolls_with_its_own_chance(fight):
    strike(fight, "Ilya", "Thug 1", 1)
    worst = report(fight).worst[0]
    assert (worst.name, worst.what, worst.successes) == ("Ilya", "Attack", 0)
    assert 0 < worst.chance < 0.05


def test_what_was_taken_back_did_not_happen(fight):
    strike(fight, "Ilya", "Thug 1", 10)
    services.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert person(report(fight), "Ilya") is None
    assert all(
        "attacks" not in span.text
        for each in report(fight).chapters
        for e in each.entries
        for ln in e.lines
        for span in ln
    )


def test_who_fell_and_the_heaviest_blow_are_turning_points(fight):
    strike(fight, "Ilya", "Thug 1", 10)
    fight.do(commands.Harm(fight["Marguerite"], 9, Damage.LETHAL))
    told = report(fight)
    texts = [each.text for each in told.turnings]
    assert any(text.startswith("The heaviest blow: Ilya against Thug 1, ") for text in texts)
    assert person(told, "Marguerite").came
    assert any(text.startswith("Marguerite is ") for text in texts)


def test_turns_are_chapters_and_narration_stands_with_its_blow(fight):
    strike(fight, "Ilya", "Thug 1", 10)
    resolution = fight.state.unnarrated[-1]
    fight.do(commands.Narrate(resolution, "A *crack* like a dry branch."))
    fight.do(commands.EndTurn())
    strike(fight, "Marguerite", "Ilya", 2)
    told = report(fight)
    assert told.turns == 2
    assert [each.turn for each in told.chapters] == [1, 2]
    assert any(entry.narration == "A *crack* like a dry branch." for entry in told.chapters[0].entries)
    assert "*A \\*crack\\* like a dry branch\\.*" in in_markdown(told)


def test_the_table_reads_nothing_of_the_hidden_the_masked_or_the_secret(fight):
    fight.do(commands.RollTraits(fight["Ilya"], ("wits",), secret=True, label="Plans"), dice=FixedDice(10))
    strike(fight, SECRET, "Ilya", 10)
    strike(fight, TRUE_NAME, "Marguerite", 9)
    whole = in_markdown(report(fight))
    assert SECRET in whole.replace("\\", "")
    assert TRUE_NAME in whole
    assert "Plans" in whole
    for audience in ("table", f"player-{fight.encounter.chronicle.memberships.get(user__username='player').user_id}"):
        theirs = in_markdown(report(fight, audience)).replace("\\", "")
        assert SECRET not in theirs
        assert TRUE_NAME not in theirs
        assert "Plans" not in theirs
        assert not report(fight, audience).secrets


def test_no_luck_is_told_of_those_whose_dice_are_not_seen(fight):
    strike(fight, "Thug 1", "Ilya", 10)
    assert person(report(fight), "Thug 1").rolls == 2
    assert person(report(fight, "table"), "Thug 1").rolls == 0
    assert {roll.name for roll in (*report(fight, "table").best, *report(fight, "table").worst)} <= {"Ilya"}


def test_what_a_hidden_one_does_by_itself_changes_nothing_for_the_table(fight):
    before = report(fight, "table")
    fight.do(commands.Spend(fight[SECRET], "blood", 1))
    fight.do(commands.RollTraits(fight[SECRET], ("wits",)), dice=FixedDice(10))
    fight.do(commands.Harm(fight[SECRET], 2, Damage.LETHAL))
    assert report(fight, "table") == before


def test_signs_in_names_make_no_markup():
    assert escaped("# A | b\n<i>*c*</i>") == r"\# A \| b \<i\>\*c\*\</i\>"


def test_the_page_and_the_file_are_each_readers_own(fight, client, storyteller, player):
    strike(fight, SECRET, "Ilya", 10)
    address, file = (reverse(f"combat:{name}", args=[fight.encounter_id]) for name in ("report", "report-markdown"))
    client.force_login(storyteller)
    assert SECRET in client.get(address).content.decode()
    assert SECRET not in client.get(address, {"for": "table"}).content.decode()
    answer = client.get(file)
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    assert "-secret.md" in answer["Content-Disposition"]
    client.force_login(player)
    assert SECRET not in client.get(address).content.decode()
    assert SECRET not in client.get(file).content.decode()
    assert "-secret" not in client.get(file)["Content-Disposition"]


def test_who_bled_first_is_told_once(fight):
    strike(fight, "Ilya", "Thug 1", 10)
    strike(fight, "Ilya", "Thug 2", 10)
    texts = [each.text for each in report(fight).turnings]
    assert texts.count("Thug 1 is the first to be hurt.") == 1
    assert not [text for text in texts if text.startswith("Thug 2 is the first")]


def test_the_roll_that_aborts_counts_once_it_is_known(fight, player, other_player):
    """While others still declare it belongs to what is sealed: neither its dice nor its luck is told."""
    fight.do(commands.RollInitiative())
    faster = [(who,) for name, who in fight.ids.items() if name not in ("Ilya", "Marguerite")]
    fight.do(commands.SetOrder((*faster, (fight["Marguerite"],), (fight["Ilya"],))))
    for name in ("Ilya", "Marguerite"):
        fight.do(commands.Declare(fight[name], actions=("unarmed",)))
    fight.do(commands.Abort(fight["Marguerite"], "roll"), dice=FixedDice(9))
    slow, fast = (f"player-{one.pk}" for one in (player, other_player))
    assert person(report(fight, slow), "Marguerite") is None
    assert person(report(fight, fast), "Marguerite").rolls == 1
    fight.do(commands.Act())
    assert person(report(fight, slow), "Marguerite").rolls == 1


def test_markdown_tells_how_likely_a_roll_was(fight):
    strike(fight, "Ilya", "Thug 1", 10)
    text = in_markdown(report(fight))
    assert "one time in" in text
    assert re.search(r"\| \+\d+\.\d \(\d+ / \d+\.\d\) \|", text)
