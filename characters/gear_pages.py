"""View model of a chronicle's weapons and armour page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Chronicle
from campaigns.words import worded
from characters import rulesets, tables
from characters.models import Armor, Weapon
from characters.sheets import damage_type_of
from characters.words import damage, distances, protection

USUAL_AGAIN = 10

TOLD_OF_WEAPONS = frozenset(
    {
        *("name", "mode", "attribute", "ability", "damage", "damage_from", "type", "rate", "clip", "chambered"),
        *("range_short", "range_medium", "range_long", "again"),
    }
)
TOLD_OF_ARMOR = frozenset({"name", "rating", "ballistic", "penalty", "covers"})
"""The columns with words of their own."""


@dataclass(frozen=True, slots=True)
class GearLine:
    """A row of the tables. A chronicle's own can be edited and deleted, a common one copied."""

    name: str
    what: str
    figures: str
    edit: str
    delete: str
    copy: str


@dataclass(frozen=True, slots=True)
class GearPage:
    ruleset: str
    own_weapons: tuple[GearLine, ...]
    own_armor: tuple[GearLine, ...]
    common_weapons: tuple[GearLine, ...]
    common_armor: tuple[GearLine, ...]


def gear_page(chronicle: Chronicle) -> GearPage:
    """The common and custom rows that this chronicle can use."""
    mine = Q(ruleset=chronicle.ruleset) & (Q(chronicle=None) | Q(chronicle=chronicle))
    weapons, armors = list(Weapon.objects.filter(mine).select_related("chronicle")), list(Armor.objects.filter(mine))
    return GearPage(
        ruleset=rulesets.name_of(chronicle.ruleset),
        own_weapons=tuple(_weapon(row, chronicle.pk) for row in weapons if row.is_own),
        own_armor=tuple(_armor(row, chronicle.pk) for row in armors if row.is_own),
        common_weapons=tuple(_weapon(row, chronicle.pk) for row in weapons if not row.is_own),
        common_armor=tuple(_armor(row, chronicle.pk) for row in armors if not row.is_own),
    )


def _weapon(row: Weapon, chronicle: str) -> GearLine:
    told = [
        _pool(row),
        _damage(row),
        distances(row.range, rulesets.unit_of(row.ruleset)),
        _("rate {rate}").format(rate=row.rate) if row.rate else "",
        _rounds(row),
        _("{face}-again").format(face=row.again) if row.again not in (None, USUAL_AGAIN) else "",
    ]
    return _line(row, "weapons", str(row.get_mode_display()), [*told, *_others(row, TOLD_OF_WEAPONS)], chronicle)


def _pool(row: Weapon) -> str:
    keys = (key for key in (row.attribute, row.ability) if key)
    return " + ".join(rulesets.label_of(row.ruleset, key, row.chronicle) for key in keys)


def _rounds(row: Weapon) -> str:
    if not row.clip:
        return ""
    if row.chambered:
        return _("{clip} + {chambered} rounds").format(clip=row.clip, chambered=row.chambered)
    return ngettext("{count} round", "{count} rounds", row.clip).format(count=row.clip)


def _damage(row: Weapon) -> str:
    if not rulesets.knows_kinds_of_damage(row.ruleset):
        return f"+{row.damage}"
    base = rulesets.label_of(row.ruleset, row.damage_from, row.chronicle)
    return damage(base, row.damage, worded(damage_type_of(row)))


def _armor(row: Armor, chronicle: str) -> GearLine:
    told = [*protection(row.ballistic, row.penalty, row.covers.split()), *_others(row, TOLD_OF_ARMOR)]
    return _line(row, "armour", _("rating %s") % row.rating, told, chronicle)


def _others(row: Weapon | Armor, told: frozenset[str]) -> Iterator[str]:
    """The other columns that the row fills, each with its label."""
    for column in tables.columns(type(row)):
        value = getattr(row, column)
        if column in told or not value:
            continue
        field = row._meta.get_field(column)
        if isinstance(field, models.BooleanField):
            yield str(field.verbose_name)
        elif isinstance(field, models.IntegerField):
            number = f"\N{MINUS SIGN}{-value}" if value < 0 else str(value)
            yield f"{field.verbose_name} {number}"
        elif isinstance(field, models.CharField) and field.choices:
            shown = getattr(row, f"get_{column}_display")()
            yield f"{field.verbose_name}: {shown}"
        elif column == "tags":
            yield value.replace(" ", ", ")
        else:
            yield value


def _line(row: Weapon | Armor, table: str, what: str, told: list[str], chronicle: str) -> GearLine:
    links = dict.fromkeys(("edit", "delete"), "")
    copy = ""
    if row.is_own:
        links = {name: reverse(f"characters:gear-{name}", args=[chronicle, table, row.pk]) for name in links}
    else:
        copy = f"{reverse('characters:gear-add', args=[chronicle, table])}?copy={row.pk}"
    return GearLine(row.name, what, ", ".join(filter(None, told)), **links, copy=copy)
