"""What the page of a chronicle's tables shows."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse

from campaigns.models import Chronicle
from characters import rulesets
from characters.models import Armor, Weapon
from characters.words import damage, distances, less


@dataclass(frozen=True, slots=True)
class GearLine:
    """A row of the tables; the links are empty where it is a common one."""

    name: str
    what: str
    figures: str
    edit: str
    delete: str


@dataclass(frozen=True, slots=True)
class GearPage:
    ruleset: str
    own_weapons: tuple[GearLine, ...]
    own_armor: tuple[GearLine, ...]
    common_weapons: tuple[GearLine, ...]
    common_armor: tuple[GearLine, ...]


def gear_page(chronicle: Chronicle) -> GearPage:
    """The tables as this chronicle has them."""
    mine = Q(ruleset=chronicle.ruleset) & (Q(chronicle=None) | Q(chronicle=chronicle))
    unit = rulesets.unit_of(chronicle.ruleset)
    weapons, armors = list(Weapon.objects.filter(mine)), list(Armor.objects.filter(mine))
    return GearPage(
        ruleset=rulesets.name_of(chronicle.ruleset),
        own_weapons=tuple(_weapon(row, unit) for row in weapons if row.is_own),
        own_armor=tuple(_armor(row) for row in armors if row.is_own),
        common_weapons=tuple(_weapon(row, unit) for row in weapons if not row.is_own),
        common_armor=tuple(_armor(row) for row in armors if not row.is_own),
    )


def _weapon(row: Weapon, unit: str) -> GearLine:
    base = row.damage_from.replace("_", " ").capitalize()
    figures = [
        damage(base, row.damage, str(row.get_type_display())),
        distances(row.range, unit),
        f"rate {row.rate}" if row.rate else "",
        f"{row.clip} + {row.chambered} rounds" if row.clip and row.chambered else f"{row.clip} rounds" * bool(row.clip),
        "automatic" if row.automatic else "",
        row.tags.replace(" ", ", "),
        row.note,
    ]
    return _line(row, "weapons", str(row.get_mode_display()), figures)


def _armor(row: Armor) -> GearLine:
    figures = [
        f"{row.ballistic} against firearms" if row.ballistic is not None else "",
        f"penalty {less(row.penalty)}" if row.penalty else "",
        f"covers {row.covers.replace(' ', ', ')}" if row.covers else "",
        row.note,
    ]
    return _line(row, "armour", f"rating {row.rating}", figures)


def _line(row: Weapon | Armor, table: str, what: str, figures: list[str]) -> GearLine:
    links = dict.fromkeys(("edit", "delete"), "")
    if row.chronicle_id is not None:
        links = {name: reverse(f"characters:gear-{name}", args=[row.chronicle_id, table, row.pk]) for name in links}
    return GearLine(row.name, what, ", ".join(filter(None, figures)), **links)
