"""A sheet that was brought in can fight: it is written as a scenario's combatant, and its attack is worked out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from characters import rulesets
from characters.foundry.reading import read
from characters.incoming.creating import bring_in
from characters.models import Character
from characters.sheets import sheet_of, with_gear
from rules.model.gear import Weapon
from rules.model.sheet import Sheet
from rules.scenario.play import play_file
from tests.characters.foundry.conftest import FILES, content, playing

pytestmark = pytest.mark.django_db

PLAIN = ("damage", "damage_from", "form", "rate", "clip", "rounds", "size", "strength", "initiative", "difficulty")
STEPS = {
    # Dexterity 4 + Melee 3, one die less at Hurt; Strength 3 + 1 for the knife, and a success beyond the first.
    "vampire": """
with = "Knife"
dice.attack = [8, 7, 5, 5, 5, 5]
dice.damage = [6, 7, 2, 3, 4]
expect.pool = 6
expect.successes = 2
expect.outcome = "hit"
expect.damage = 2
expect.health.dummy = "XX....."
""",
    # Dexterity 3 + Brawl 4, one die less at Injured; Strength 4 and two successes beyond the first, soaked by Stamina.
    "werewolf": """
dice.attack = [8, 7, 6, 5, 5, 5]
dice.damage = [6, 7, 2, 3, 4, 6]
dice.soak = [2]
expect.pool = 6
expect.successes = 3
expect.outcome = "hit"
expect.damage = 3
expect.health.dummy = "///...."
""",
    # Dexterity 3 + Firearms 2, one die less at Hurt; 4 for the pistol. The clip had 9 rounds.
    "pc": """
with = "Light pistol"
dice.attack = [8, 5, 5, 5]
dice.damage = [6, 7, 2, 3]
expect.pool = 4
expect.successes = 1
expect.outcome = "hit"
expect.damage = 2
expect.ammunition."Light pistol" = 8
""",
    # Dexterity 3 + Firearms 2; no Defense against firearms. A success, and 1 for the revolver.
    "mta": """
with = "Light revolver"
dice.attack = [8, 5, 5, 5, 5]
expect.pool = 5
expect.successes = 1
expect.outcome = "hit"
expect.damage = 2
expect.health.dummy = "XX...."
""",
}


def as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {as_toml(each)}' for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def weapon(carried: Weapon) -> dict[str, Any]:
    told = {field: getattr(carried, field) for field in PLAIN if getattr(carried, field) not in ("", None)}
    more = {"range": list(carried.range)} if carried.range else {}
    return {"name": carried.name, "mode": carried.mode.value, "type": carried.type.value, **told, **more}


def scenario(sheet: Sheet, ruleset: str, step: str) -> str:
    """A scenario in which the sheet attacks a mortal."""
    health = rulesets.system(ruleset).health.written(sheet)
    return f"""title = "Brought in"
ruleset = "{ruleset}"
[combatants.guest]
kind = "{sheet.kind}"
traits = {as_toml(dict(sheet.traits))}
merits = {as_toml(sorted(sheet.merits))}
resources = {as_toml(dict(sheet.resources))}
health = {as_toml(health)}
weapons = {as_toml([weapon(each) for each in sheet.weapons])}
[combatants.dummy]
traits = {{ dexterity = 1, stamina = 1 }}
[[steps]]
do = "attack"
by = "guest"
at = "dummy"{step}"""


@pytest.mark.parametrize("name", FILES)
def test_the_sheet_can_fight(name: str, shipped: None, chronicle: Any, storyteller: Any, tmp_path: Path) -> None:
    asking = playing(chronicle, FILES[name], storyteller)
    made = bring_in(by=asking.by, owner=None, arrival=read(content(name), asking), key="")
    sheet = sheet_of(with_gear(Character.objects.filter(pk=made.pk)).get())
    file = tmp_path / "guest.toml"
    file.write_text(scenario(sheet, FILES[name], STEPS[name]), encoding="utf-8")
    report = play_file(file)
    assert report.ok, (report.failure, file.read_text(encoding="utf-8"))
