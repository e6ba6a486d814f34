"""View model of a chronicle's weapons and armour page."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Chronicle
from campaigns.words import worded
from characters import rulesets
from characters.models import Armor, Weapon
from characters.sheets import damage_type_of
from characters.words import damage, distances, protection


@dataclass(frozen=True, slots=True)
class GearLine:
    """A row of the tables. Common rows have no links."""

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
    """The common and custom rows that this chronicle can use."""
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
    figures = [
        _damage(row),
        distances(row.range, unit),
        _("rate {rate}").format(rate=row.rate) if row.rate else "",
        _rounds(row),
        _("automatic") if row.automatic else "",
        row.tags.replace(" ", ", "),
        row.note,
    ]
    return _line(row, "weapons", str(row.get_mode_display()), figures)


def _rounds(row: Weapon) -> str:
    if not row.clip:
        return ""
    if row.chambered:
        return _("{clip} + {chambered} rounds").format(clip=row.clip, chambered=row.chambered)
    return ngettext("{count} round", "{count} rounds", row.clip).format(count=row.clip)


def _damage(row: Weapon) -> str:
    if not rulesets.knows_kinds_of_damage(row.ruleset):
        return f"+{row.damage}"
    return damage(rulesets.label_of(row.ruleset, row.damage_from), row.damage, worded(damage_type_of(row)))


def _armor(row: Armor) -> GearLine:
    figures = [*protection(row.ballistic, row.penalty, row.covers.split()), row.note]
    return _line(row, "armour", _("rating %s") % row.rating, figures)


def _line(row: Weapon | Armor, table: str, what: str, figures: list[str]) -> GearLine:
    links = dict.fromkeys(("edit", "delete"), "")
    if row.chronicle_id is not None:
        links = {name: reverse(f"characters:gear-{name}", args=[row.chronicle_id, table, row.pk]) for name in links}
    return GearLine(row.name, what, ", ".join(filter(None, figures)), **links)
