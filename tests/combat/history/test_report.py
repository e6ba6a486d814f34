"""A fight's report: its numbers match the log, and nobody reads more than they saw."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, get_args, get_type_hints

import pytest
from django.urls import reverse

from combat.commands import perform
from combat.history.deeds import Suffered, Threw
from combat.history.log import told_of
from combat.history.records import read
from combat.history.report import Report, RollTold, as_bad, report_of
from combat.history.report_markdown import escaped, in_markdown
from combat.log.happened import Happened
from combat.panes.build import reader_of
from combat.secrecy.reader import Reader
from combat.secrecy.sight import cast_of
from rules.decide import decide
from rules.engine.dice import Roll, Throw
from rules.engine.messages import event_types, replay
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Damage
from rules.model.outcomes import Outcomes
from rules.model.roll import DifficultyOf, Resistance, RollTraits
from rules.scenario.play import play_file
from rules.topics import commands, events
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table
from tests.test_scenarios import FILES

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
    """Two rolls of only tens, attack and damage."""
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


@pytest.mark.servers
def test_what_was_taken_back_did_not_happen(fight):
    strike(fight, "Ilya", "Thug 1", 10)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
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


class ByPurpose(FixedDice):
    """As many nines as given for a purpose; all other dice show a 2."""

    def __init__(self, **nines: int) -> None:
        super().__init__()
        self.nines = nines

    def roll(self, throw: Throw) -> tuple[int, ...]:
        nines = min(throw.count, self.nines.get(throw.purpose, 0))
        return (9,) * nines + (2,) * (throw.count - nines)


def test_a_blow_from_the_dark_that_does_nothing_leaves_no_roll(fight):
    """Marguerite soaks everything: the table's log doesn't mention it, nor do the best rolls."""
    before, log = report(fight, "table"), fight.view("table").log
    dice = ByPurpose(attack=1, damage=1, soak=1)
    fight.do(Attack(fight[SECRET], (fight["Marguerite"],), "unarmed"), dice=dice, waive=WAIVE)
    assert fight.view("table").log == log
    assert report(fight, "table") == before
    assert report(fight).best


def test_what_an_unseen_one_rolls_against_somebody_is_not_told(fight):
    before = report(fight, "table")
    fight.do(RollTraits(fight[SECRET], ("wits",), resisted=Resistance(fight["Ilya"], ("wits",))), dice=FixedDice(10))
    assert report(fight, "table") == before
    assert {roll.what for roll in report(fight).best} == {"Roll", "Resistance"}


def test_what_an_unseen_one_parries_back_is_not_told(fight):
    fight.do(commands.SetVisibility(fight["Ilya"], hidden=True))
    before = report(fight, "table")
    parry = {fight["Ilya"]: Defence("parry", "Test sword")}
    dice = ByPurpose(attack=1, defence=3, damage=1)
    fight.do(Attack(fight["Thug 1"], (fight["Ilya"],), "unarmed", defences=parry), dice=dice, waive=WAIVE)
    assert person(report(fight), "Thug 1").taken
    assert report(fight, "table") == before


def test_a_check_of_somebody_whose_health_is_not_shown_is_not_told(fight):
    """The dice are shown, but their purpose would reveal how hurt somebody is."""
    thug = fight["Thug 1"]
    fight.do(commands.SetVisibility(thug, health_shown="nothing", dice_shown=True))
    fight.do(RollTraits(thug, ("wits",)), dice=FixedDice(10))
    found = read(fight.encounter)
    *rows, last = found.rows
    rolled = next(event.roll for event in last.events if isinstance(event, events.TraitsRolled))
    check = replace(last, seal="", events=(events.CheckRolled(thug, "consciousness", rolled, passed=True),))
    table, storyteller = (reader_of(found, audience) for audience in ("table", "storyteller"))
    assert person(report(fight, "table"), "Thug 1").rolls == 1
    assert not report_of("x", [*rows, check], found.ruleset, table).people
    assert report_of("x", [*rows, check], found.ruleset, storyteller).people


def test_luck_against_a_difficulty_that_is_not_told_is_not_told(fight):
    """The expected value would reveal it: the masked combatant's Strength 3 and Melee 3."""
    against = DifficultyOf(fight[TRUE_NAME], ("strength", "melee"))
    fight.do(RollTraits(fight["Ilya"], ("wits",), against), dice=FixedDice(10))
    assert person(report(fight), "Ilya").rolls == 1
    assert person(report(fight, "table"), "Ilya") is None
    assert not report(fight, "table").best


def test_signs_in_names_make_no_markup():
    assert escaped("# A | b\n<i>*c*</i>") == r"\# A \| b \<i\>\*c\*\</i\>"


@pytest.mark.servers
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
    """While others still declare, it is sealed: neither its dice nor its luck are counted."""
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
    assert "a 1 in " in text
    assert re.search(r"\| \+\d+\.\d \(\d+ / \d+\.\d\) \|", text)


def test_a_roll_below_zero_is_as_likely_as_one_without_successes():
    """Ones may outnumber the successes: the odds are those of no success, not 1 in ∞."""
    outcomes = Outcomes((3, 4, 1), botches=1, total=8)
    assert as_bad(Roll((6, 1, 1), 6, -1), outcomes) == as_bad(Roll((2, 2, 2), 6, 0), outcomes) == Fraction(3, 8)


@pytest.mark.parametrize(
    ("pool", "chance", "text"),
    [
        (0, 0.1, "0 from a chance die \\(3\\), a 1 in 10 chance"),
        (1, 0.5, "0 from 1 die \\(3\\), a 1 in 2 chance"),
        (2, 0.0, "0 from 2 dice \\(3\\)\n"),
    ],
)
def test_markdown_names_the_dice_and_only_known_odds(fight, pool, chance, text):
    rolls = (RollTold(1, "Ilya", "Attack", 0, pool, (3,), chance),)
    assert text.replace("\\", "") in in_markdown(replace(report(fight), worst=rolls))


# ------------------------------------------------------------------ nothing is forgotten


def parts_of(value):
    """A value and everything in it, recursively."""
    yield value
    if is_dataclass(value):
        value = tuple(getattr(value, each.name) for each in fields(value))
    for part in value if isinstance(value, tuple) else ():
        yield from parts_of(part)


def kinds_in(kind):
    """A type and the types of its fields, recursively."""
    yield kind
    for part in get_type_hints(kind).values() if is_dataclass(kind) else get_args(kind):
        yield from kinds_in(part)


HOLDING = {
    kind for kind in (each.cls for each in event_types()) if {events.Rolled, events.DamageDone} & set(kinds_in(kind))
}
"""Events that can contain dice or damage."""

OTHERWISE = {events.AttackOverridden}
"""For these, the replaced events are counted: `test_overriding.py`."""


def held_in(happened):
    """The dice in events, and how many levels they marked."""
    parts = [part for event in happened for part in parts_of(event)]
    rolls = Counter(part.roll.faces for part in parts if isinstance(part, events.Rolled))
    done = sum(part.dealt for part in parts if isinstance(part, events.DamageDone))
    return rolls, done + sum(event.amount for event in happened if isinstance(event, events.Harmed))


def counted_of(happened, state, ruleset):
    """The same, as counted by the Storyteller's report."""
    cast = cast_of(state, replay(state, happened))
    row = Happened("", "command", {"is": ""}, happened, cast | {"begun": True}, "")
    deeds = told_of(row, Reader(everything=True), ruleset).deeds
    rolls = Counter(deed.rolled.roll.faces for deed in deeds if isinstance(deed, Threw))
    return rolls, sum(deed.levels for deed in deeds if isinstance(deed, Suffered))


def test_the_dice_and_the_damage_of_every_kind_of_event_count(monkeypatch):
    """In everything that the scenarios play."""
    met, forgotten = set(), set()

    def noted(state, command, ruleset, *more):
        happened = decide(state, command, ruleset, *more)
        met.update(map(type, happened))
        if counted_of(happened, state, ruleset) != held_in(happened):
            forgotten.update(map(type, happened))
        return happened

    monkeypatch.setattr("rules.scenario.play.decide", noted)
    for path in FILES:
        play_file(path)
    assert not forgotten
    assert HOLDING - OTHERWISE - met == set(), "no scenario shows them"
