"""Reads a scenario's combatants: sheets, weapons, armour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from rules.engine.messages import Command
from rules.model.attack import Attack
from rules.model.conditions import condition_of, conditions
from rules.model.gear import COVERS, Armor, Damage, Form, Mode, Weapon
from rules.model.sheet import Category, Sheet
from rules.model.system import System
from rules.scenario.fields import BadScenario, Table, whole
from rules.systems import RULESETS
from rules.topics.commands import ClearJam, Newcomer, Reload, TakeAction

DRAW = "draw"

COMBATANT_KEYS = {
    *("player", "kind", "traits", "specialties", "merits", "resources", "health", "conditions", "weapons", "armor"),
}

WORKED_OUT = {"defense", "speed", "initiative", "health"}
"""Derived Traits, overridden if a sheet sets them."""

TRAITS = WORKED_OUT.union(trait.key for each in RULESETS.values() for trait in each.layout.traits())
POINTS = {name for each in RULESETS.values() for one in each.layout.resources for name in (one.key, *one.aliases)}
"""The names known to any ruleset: creatures and sheets of one appear in the fights of others."""


TRAITS_OF_WEAPONS = ("damage_from", "attribute", "ability")
TEXTS = (*TRAITS_OF_WEAPONS, "conceal", "note")
SWITCHES = ("automatic", "single_rounds", "committed", "aerodynamic", "hidden", "two_handed")
NUMBERS = ("damage", "initiative", "defense", "armor_piercing")
COUNTS = ("rate", "clip", "rounds", "size", "strength", "durability", "structure", "difficulty")
RANGES = ("range_short", "range_medium", "range_long")
WEAPON_KEYS = {
    *("name", "mode", "type", "form", "again", "chambered", "tags", "range"),
    *(*TEXTS, *SWITCHES, *NUMBERS, *COUNTS, *RANGES),
}
BANDS = ("short", "medium", "long")
ARMOR_KEYS = {
    *("name", "rating", "ballistic", "covers", "penalty", "strength"),
    *("defense", "speed", "weight", "supernatural", "power", "note"),
}


@dataclass(frozen=True, slots=True)
class Cast:
    """A scenario's combatants, as a file describes them for a system."""

    system: System

    def combatant(self, name: str, value: object) -> Newcomer:
        """The combatant of that name in the file."""
        table = Table.of(f"combatant {name}", value)
        table.only(COMBATANT_KEYS)
        kind = table.text("kind", "mortal")
        if kind not in self.system.kinds:
            raise table.bad("kind", f"should be one of {', '.join(self.system.kinds)}.")
        merits = _merits(table)
        sheet = Sheet(
            name,
            kind,
            self._traits(table),
            frozenset(merits),
            self._resources(table),
            rated={key: dots for key, dots in merits.items() if dots},
            specialties=self._specialties(table),
            weapons=self._weapons(table),
            armor=tuple(read_armor(item) for item in table.tables("armor")),
        )
        self._check_boxes(table, sheet)
        sheet = self._hurt(table, sheet)
        conditions = conditions_in(table, "conditions")
        return Newcomer(name, sheet, player=table.switch("player"), conditions=conditions)

    def _traits(self, table: Table) -> dict[str, int]:
        """The Traits in the file; omitted Virtues are 0, since only Attributes start with a dot."""
        table.table("traits").spelled(table.table("traits").values, TRAITS)
        virtues = {trait.key: 0 for trait in self.system.layout.traits() if trait.category is Category.VIRTUE}
        return {**virtues, **table.numbers("traits", least=0, most=1000)}

    def _specialties(self, table: Table) -> dict[str, tuple[str, ...]]:
        """The names of specialties by Trait."""
        inner = table.table("specialties")
        inner.spelled(inner.values, TRAITS)
        return {key: inner.words(key) for key in inner.values}

    def _check_boxes(self, table: Table, sheet: Sheet) -> None:
        """Raise if a sheet sets a number of boxes that the ruleset does not give it."""
        boxes, given = len(self.system.health.levels(sheet)), sheet.traits.get("health")
        if self.system.health.one_by_one is None and given not in (None, boxes):
            raise table.table("traits").bad(
                "health", f"cannot be {given}: in {self.system.name} there are {boxes} boxes."
            )

    def _resources(self, table: Table) -> dict[str, int]:
        """Points by the ruleset's own names, whichever aliases the file uses."""
        table.table("resources").spelled(table.table("resources").values, POINTS)
        points: dict[str, int] = {}
        for key, amount in table.numbers("resources", least=0).items():
            resource = self.system.layout.resource(key)
            own = resource.key if resource else key
            if own in points:
                raise BadScenario(f"“{own}” is given twice.", f"{table.where}, resources")
            points[own] = amount
        return points

    def _hurt(self, table: Table, sheet: Sheet) -> Sheet:
        """The sheet with the damage in the file, recorded the system's way."""
        if "health" not in table:
            return sheet
        try:
            return self.system.health.read(sheet, table.values["health"])
        except ValueError as problem:
            raise table.bad("health", str(problem)) from problem

    def _weapons(self, table: Table) -> tuple[Weapon, ...]:
        """The weapons. If several have the same name, all but the first get a key to tell them apart."""
        seen: Counter[str] = Counter()
        weapons = []
        for item in table.tables("weapons"):
            name = item.text("name")
            seen[name.casefold()] += 1
            number = seen[name.casefold()]
            _check_traits(item, table.table("traits").values)
            weapons.append(read_weapon(item, self.system, f"{name} #{number}" if number > 1 else ""))
        return tuple(weapons)


def _merits(table: Table) -> dict[str, int]:
    """The Merits by key: a list of words, or a table with their dots."""
    if isinstance(table.values.get("merits"), dict):
        return table.numbers("merits", least=0)
    return dict.fromkeys(table.words("merits"), 0)


def conditions_in(table: Table, key: str) -> frozenset[str]:
    """The conditions listed under a key."""
    found = table.words(key)
    table.spelled(found, [each.key for each in conditions()])
    return frozenset(map(kept_as, found))


def kept_as(condition: str) -> str:
    """The condition that one is recorded as: someone knocked down is prone (AP-SIT-8, CD-COND-1)."""
    return condition_of(condition).same_as or condition


def holstered(newcomer: Newcomer, commands: Iterable[Command | None]) -> Newcomer:
    """The combatant, with those weapons stowed that are drawn before they are used for anything else."""
    weapons = newcomer.sheet.weapons
    used = [
        command
        for command in commands
        if isinstance(command, Attack | TakeAction | Reload | ClearJam) and command.by == newcomer.id
    ]

    def named(command: Attack | TakeAction | Reload | ClearJam, weapon: Weapon) -> bool:
        if command.weapon or any(each.hidden for each in weapons):
            return command.weapon in {weapon.name, weapon.key} - {""}
        return _draws(command) and weapon is weapons[0]

    def drawn_first(weapon: Weapon) -> bool:
        return _draws(next((each for each in used if named(each, weapon)), None))

    held = tuple(replace(each, stowed=True) if drawn_first(each) else each for each in weapons)
    return replace(newcomer, sheet=replace(newcomer.sheet, weapons=held))


def _draws(command: Command | None) -> bool:
    return isinstance(command, TakeAction) and command.key == DRAW


def _check_traits(weapon: Table, own: Collection[str]) -> None:
    """Raise if a weapon misspells a Trait, or adds one to damage that neither any ruleset nor its bearer has."""
    weapon.spelled([weapon.text(field) for field in TRAITS_OF_WEAPONS], TRAITS.union(own))
    added = weapon.text("damage_from")
    if added and added not in TRAITS.union(own):
        raise weapon.bad("damage_from", "should be a Trait, such as “strength”.")


def read_weapon(table: Table, system: System, key: str = "") -> Weapon:
    """A weapon; the system knows the damage type of one that doesn't state it."""
    table.only(WEAPON_KEYS)
    if not table.required("name") or not table.text("name"):
        raise table.bad("name", "is missing.")
    plain: dict[str, Any] = {
        **{field: table.text(field) for field in TEXTS},
        **{field: table.switch(field) for field in SWITCHES},
        **{field: table.number(field) if field in table else 0 for field in NUMBERS},
        **{field: table.number_or_none(field, least=0) for field in COUNTS},
    }
    name, mode = table.text("name"), table.word("mode", Mode)
    return Weapon(
        name=name,
        mode=mode,
        type=table.word("type", Damage, system.usual_damage(name, mode)),
        form=table.word("form", Form) if "form" in table else "",
        range=_range(table),
        again=10 if "again" not in table else table.number("again", least=8, most=11),
        chambered=_chambered(table),
        tags=frozenset(table.words("tags")),
        key=key,
        **plain,
    )


def _chambered(table: Table) -> int:
    """The rounds held beyond the clip; true means one."""
    if isinstance(table.values.get("chambered"), bool):
        return int(table.switch("chambered"))
    return table.number("chambered", least=0) if "chambered" in table else 0


def _range(table: Table) -> tuple[int, ...]:
    apart = tuple(table.number(key, least=0) for key in RANGES if key in table)
    if "range" not in table:
        missing = [key for key in RANGES if key not in table]
        if apart and missing not in ([], [*RANGES[1:]]):
            raise table.bad(missing[0], "is missing.")
        return apart
    found = table.required("range")
    if isinstance(found, dict):
        named = table.table("range")
        named.only(BANDS)
        found = [named.number(band, least=0) for band in BANDS]
    distances = found if isinstance(found, list) else [found]
    fits = len(distances) in (1, 3) and all(whole(distance) and distance >= 0 for distance in distances)
    if apart or not fits:
        raise table.bad("range", "should be one number, or short, medium and long, and given once.")
    return tuple(distances)


def read_armor(table: Table) -> Armor:
    """Armour. The penalty may be written with or without a minus sign."""
    table.only(ARMOR_KEYS)
    return Armor(
        name=table.text("name", "armour"),
        rating=table.number("rating", least=0) if "rating" in table else 0,
        ballistic=table.number_or_none("ballistic", least=0),
        covers=frozenset(table.words("covers", COVERS)),
        penalty=-abs(table.number("penalty")) if "penalty" in table else 0,
        strength=table.number_or_none("strength", least=0),
        defense=table.number("defense") if "defense" in table else 0,
        speed=table.number("speed") if "speed" in table else 0,
        weight=str(table.number("weight")) if whole(table.values.get("weight")) else table.text("weight"),
        supernatural=table.switch("supernatural"),
        power=table.text("power"),
        note=table.text("note"),
    )
