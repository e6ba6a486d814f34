"""A fight rendered in German, in every ruleset: every word is in the German catalogue, and nothing is left in
English."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest
from django.urls import reverse

from characters import tables
from characters.models import CarriedWeapon, Weapon
from combat.commands import drafts
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.model.state import NO_DEFENCE
from rules.systems import RULESETS
from rules.topics.commands import ChangeConditions, Harm, ProposeAttack, SetDefaultDefence
from tests.combat.conftest import Table, make_character
from tests.kept import kept
from tests.rules.fights import Fights
from tests.test_translations import translations

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NAMED = "Ann Bob Cy storyteller player Ash and Amber Vesper English Deutsch"
"""Names of people, the chronicle, the product and the languages."""

NO_WORDS = r"[A-Z]{2}-[A-Z]+-\d+|([0-9a-f]{4} ){3}[0-9a-f]{4}|\{.*?\}|%\(\w+\)\w|\u00ad"
"""Rule ids, seals, placeholders, and soft hyphens."""


def words(text: str) -> set[str]:
    """The words of a text, in lower case."""
    return set(re.findall(r"\b[^\W\d_]{3,}\b", re.sub(NO_WORDS, "", text).lower()))


@cache
def german() -> frozenset[str]:
    """Every word in the German catalogues and the rules' titles."""
    catalogues = [texts.read("de") for texts in translations.ALL]
    found = [each.string for catalogue in catalogues for each in translations.messages_of(catalogue)]
    titles = [rule.title for each in RULESETS.values() for rule in each.book.said_in("de").rules.values()]
    texts = (text for each in (*found, *titles) for text in (each if isinstance(each, tuple | list) else (each,)))
    return frozenset().union(*map(words, texts))


class Texts(HTMLParser):
    """The text that people read on a page, including labels."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.found += [text for name, text in attrs if name in ("title", "aria-label", "placeholder") and text]

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.found.append(data)


@pytest.fixture
@kept
def fight(request: pytest.FixtureRequest, chronicle: Any, storyteller: Any, player: Any) -> Table:
    """Two of a player's against one who is hurt, each with a whole weapon of every mode, and one that fails.

    One attack waits for an answer, and one for the Storyteller that cannot be made any more.
    """
    key, random = request.param, Random(request.param)
    chronicle.ruleset, chronicle.conduct = key, {"answer_seconds": 30, "approval": True}
    chronicle.save()
    tables.load()
    weapons = {weapon.mode: weapon for weapon in Weapon.objects.filter(ruleset=key)}
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="Kampf", scene="")
    for name, owner in (("Ann", player), ("Bob", player), ("Cy", None)):
        sheet = Fights(RULESETS[key]).somebody(random)
        character = make_character(chronicle, name, owner, kind=sheet.kind, traits=dict(sheet.traits), resources={})
        for number, weapon in enumerate(weapons.values()):
            CarriedWeapon.objects.create(character=character, weapon=weapon, fault="" if number else "jammed")
        drafts.add_character(encounter_id=encounter.pk, actor=storyteller, character=character)
    table = Table.of(encounter, storyteller)
    ann, bob, cy = table.begin().ids.values()
    kinds = RULESETS[key].attack.defences.kinds
    table.do(SetDefaultDefence((ann, cy), next(iter(kinds), NO_DEFENCE)))
    table.do(ChangeConditions(cy, frozenset({"grappled", "in_frenzy", "pinned"})))
    table.do(ProposeAttack("answered", Attack(cy, (ann,))))
    table.do(ProposeAttack("approved", Attack(bob, (cy,))), by=player)
    for who, levels in ((ann, 2), (bob, 30), (cy, 3)):
        table.do(Harm(who, levels, Damage.LETHAL))
    return table


def pages(fight: Table) -> list[tuple[str, dict[str, str]]]:
    """The screen, the forms with ruleset-dependent fields, and an attack's plan with each weapon."""
    ruleset, ann = RULESETS[fight.encounter.chronicle.ruleset], fight["Ann"]
    names = ("default-defence", "conditions", "declare", "roll", "damage")
    forms = [(f"form/{name}", {}) for name in names] + [("form/action", {"action": key}) for key in ruleset.actions]
    held = [weapon.key for weapon in fight.state.combatants[ann].sheet.weapons]
    plans = [("attack", {"at": fight["Cy"], "weapon": weapon}) for weapon in ("unarmed", *held)]
    return [("", {}), *((page, {"who": ann, **query}) for page, query in (*forms, *plans))]


@pytest.mark.parametrize("fight", RULESETS, indirect=True)
def test_a_german_reader_reads_german(fight: Table, client: Any, storyteller: Any, player: Any) -> None:
    names = words(NAMED).union(*(words(f"{each.name} {each.note}") for each in Weapon.objects.all()))
    found: dict[str, str] = {}
    for user in (storyteller, player):
        client.force_login(user)
        client.post(reverse("campaigns:language"), {"language": "de"})
        for page, query in pages(fight) if user is storyteller else [("", {})]:
            address = reverse("combat:encounter", args=[fight.encounter_id])
            answer = client.get(f"{address}{page}/" if page else address, query, headers=HTMX if page else {})
            assert answer.status_code == 200, page
            for text in Texts(answer.content.decode()).found:
                if words(text) - german() - names:
                    found.setdefault(" ".join(text.split()), f"{page} {query.get('action', '')}")
    assert found == {}
