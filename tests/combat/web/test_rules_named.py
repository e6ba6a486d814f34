"""Every line of a breakdown, every refusal and every log entry links to its rule, in every ruleset.

A fight is played at random, and its pages are read as sent.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from django.urls import reverse

from characters import tables
from characters.models import Armor, CarriedWeapon, Weapon, WornArmor
from combat.commands import drafts
from combat.history.citations import rules_of
from combat.history.tell.context import told_kinds
from combat.models import LogRow
from rules.engine.messages import event_types
from rules.engine.violations import RuleViolation
from rules.systems import RULESETS
from rules.topics.commands import ChangeConditions
from rules.topics.events import Bled
from tests.combat.conftest import Table, make_character
from tests.combat.log.test_replay import Chance
from tests.rules.fights import Fights

pytestmark = pytest.mark.django_db

ENTRY = re.compile(r'<article class="entry.*?</article>', re.DOTALL)
ROW = re.compile(r'<td class="source">.*?</td>', re.DOTALL)
FOOT = re.compile(r"<tfoot>.*?</tfoot>", re.DOTALL)
LINK = re.compile(r'<a class="rule" data-rule="[^"]+" href="/rules/([a-z]+)/#([A-Z]{2}-[A-Z]+-\d+)"')

STEPS = 220


@pytest.fixture(params=list(RULESETS))
def brawl(request: pytest.FixtureRequest, chronicle: Any, storyteller: Any, player: Any) -> Table:
    """Four different combatants, two of them the player's, with weapons from the built-in tables."""
    key, random = request.param, Random(request.param)
    chronicle.ruleset = key
    chronicle.save()
    tables.load()
    fights = Fights(RULESETS[key])
    weapons = list(Weapon.objects.filter(ruleset=key))
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="A brawl", scene="")
    for name, owner in (("Ann", player), ("Bob", player), ("Cy", None), ("Dee", None)):
        sheet = fights.somebody(random)
        character = make_character(
            chronicle, name, owner, kind=sheet.kind, traits=dict(sheet.traits), resources=dict(sheet.resources)
        )
        for weapon in random.sample(weapons, k=3):
            CarriedWeapon.objects.create(character=character, weapon=weapon)
        WornArmor.objects.create(character=character, armor=random.choice(Armor.objects.filter(ruleset=key)))
        drafts.add_character(encounter_id=encounter.pk, actor=storyteller, character=character)
    table = Table.of(encounter, storyteller)
    return table.begin().turn()


def play(table: Table) -> list[str]:
    """Play a random fight; returns the rules that forbade something."""
    ruleset = RULESETS[table.encounter.chronicle.ruleset]
    fights, random = Fights(ruleset), Random(7)
    refused = []
    for _ in range(STEPS):
        command = fights.sensible(random, table.state, ruleset)
        if type(command).__name__ in ("Pause", "End", "Join", "ReviseSheet", "Leave"):
            continue
        try:
            table.do(command, dice=Chance(random))
        except RuleViolation as refusal:
            refused.append(refusal.rule)
    return refused


def stands_on_no_rule(row: LogRow) -> bool:
    """Whether an entry only tells of the Storyteller's own decision."""
    if row.command.get("is") == ChangeConditions.__name__:
        return True  # many conditions have no rule: see the test of citations
    told = {event["is"] for event in row.events} & {kind.__name__ for kind in told_kinds()}
    return row.kind == "sheet" or told <= {each.cls.__name__ for each in event_types() if each.no_rule}


def linked(html: str, key: str) -> bool:
    book = RULESETS[key].book.rules
    return any(ruleset == key and rule in book for ruleset, rule in LINK.findall(html))


def screen_and_whole_log(client: Any, table: Table) -> Iterator[str]:
    """A fight's screen, with the newest entries, and each page of its whole log."""
    yield client.get(reverse("combat:encounter", args=[table.encounter_id])).content.decode()
    older = ""
    while older is not None:
        page = client.get(f"{reverse('combat:entries', args=[table.encounter_id])}?{older}")
        yield page.content.decode()
        older = page.context["page"].older or None


def test_every_entry_and_every_part_names_its_rule(
    brawl: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any
) -> None:
    refused = play(brawl)
    key = brawl.encounter.chronicle.ruleset
    assert {rule for rule in refused if rule != "input"} <= set(RULESETS[key].book.rules)
    free = {
        f"entry-{row.token}" for row in LogRow.objects.filter(encounter_id=brawl.encounter_id) if stands_on_no_rule(row)
    }
    for user in (storyteller, player):
        read = "".join(screen_and_whole_log(signed_in(user), brawl))
        entries = ENTRY.findall(read)
        assert len(entries) > 20
        for entry in entries:
            token = re.search(r'id="(entry-[^"]+)"', entry).group(1)
            assert linked(entry.partition("<details")[0], key) or token in free, entry
        rows = ROW.findall(FOOT.sub("", read))
        assert rows
        assert all(linked(row, key) for row in rows)


def test_what_is_refused_leads_to_its_rule(brawl: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    """The dead cannot act: every ruleset has a rule for that."""
    key = brawl.encounter.chronicle.ruleset
    brawl.do(ChangeConditions(brawl["Cy"], frozenset({"dead"})))
    plan = reverse("combat:attack-plan", args=[brawl.encounter_id])
    html = signed_in(storyteller).get(plan, {"who": brawl["Cy"], "at": brawl["Ann"]}).content.decode()
    assert "can’t act" in html
    assert linked(html, key)


def test_bleeding_on_is_told_by_the_rule_of_bleeding() -> None:
    """CD-HEALTH-3, WD-HEALTH-3."""
    nobody: Any = None
    told = {key: list(rules_of(Bled("bob", 1), nobody, RULESETS[key])) for key in ("chronicles", "darkness")}

    assert told == {"chronicles": ["CD-HEALTH-3"], "darkness": ["WD-HEALTH-3"]}


def test_every_kind_of_event_has_a_rule_a_topic_or_is_the_storytellers_own() -> None:
    looked_at = {"AttackResolved", "ResourceChanged", "ConditionsChanged"}
    declared = (each for each in event_types() if each.topics or each.action or each.no_rule)
    known = looked_at | {each.cls.__name__ for each in declared}
    told = {kind.__name__ for kind in told_kinds()}
    with_rule = {kind.__name__ for kind in told_kinds() if "rule" in {field.name for field in dataclasses.fields(kind)}}
    assert told - with_rule <= known
    assert known <= told
