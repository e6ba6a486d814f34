"""A full sheet of each ruleset on paper: at most two pages, A4 and Letter, and nothing to press."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from characters import tables
from characters.models import Armor, CarriedWeapon, Character, Weapon, WornArmor
from rules.model.system import System
from rules.systems import RULESETS
from tests.browser.table import DESK

pytestmark = pytest.mark.django_db(transaction=True)

MOST_PAGES = 2
WORDS = "An unusually long name for what a single line of a sheet has to hold"
PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


def entries(system: System, kind: str) -> Iterator[tuple[str, list[list[Any]]]]:
    """Four entries for each list that this kind has."""
    for listing in system.layout.lists_for(kind):
        names = [*listing.known[:3], "Something of the chronicle’s own"]
        yield listing.key, [[name, min(number + 1, listing.most)] for number, name in enumerate(names)]


def full(chronicle: Any, owner: Any) -> Character:
    """A character with dots in every Trait, all of the identity, specialties, lists, gear and notes."""
    system = RULESETS[chronicle.ruleset]
    layout = system.layout
    kind = max(system.kinds, key=lambda each: len(layout.lists_for(each) + layout.details_for(each)))
    traits = {trait.key: min(3, trait.maximum) for trait in layout.traits()}
    one = Character.objects.create(
        chronicle=chronicle,
        owner=owner,
        name="Maximiliana von Hohenzollern-Sigmaringen",
        concept=WORDS,
        kind=kind,
        traits=traits,
        details={each.key: "\n".join([WORDS[:40]] * each.lines) for each in layout.details_for(kind)},
        specialties={key: ["Knives", "In the dark"] for key in list(traits)[9:13]},
        lists=dict(entries(system, kind)),
        notes="\n\n".join([f"{WORDS}. " * 4] * 3),
    )
    for weapon in Weapon.objects.filter(ruleset=chronicle.ruleset)[:5]:
        CarriedWeapon.objects.create(character=one, weapon=weapon)
    for armor in Armor.objects.filter(ruleset=chronicle.ruleset)[:2]:
        WornArmor.objects.create(character=one, armor=armor)
    return one


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_full_sheet_is_printed_on_two_pages(
    chronicle: Any, storyteller: Any, player: Any, page_for: Callable[..., Any], ruleset: str
) -> None:
    chronicle.ruleset = ruleset
    chronicle.save()
    tables.load()
    one = full(chronicle, player)
    page: Page = page_for(storyteller, f"/characters/{one.pk}/", **DESK)
    page.emulate_media(media="print")
    expect(page.locator(".sheet-acts, .actions, .bar").locator("visible=true")).to_have_count(0)
    for paper in ("A4", "Letter"):
        printed = page.pdf(format=paper)
        assert 1 <= len(PAGE.findall(printed)) <= MOST_PAGES, paper
