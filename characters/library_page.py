"""View model of a chronicle's library of templates."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Chronicle
from campaigns.words import said
from characters import rulesets
from characters.library import Entry, fight_sheets, library, pools_in_words
from rules.model.gear import BARE_HANDS, Mode, Weapon
from rules.model.sheet import Sheet
from rules.model.system import System

FISTS = Weapon(BARE_HANDS, Mode.UNARMED)


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A template of the library. A chronicle's own can be deleted; changing a shipped one makes it the chronicle's."""

    name: str
    kind: str
    figures: str
    pools: str
    notes: str
    grow: str
    edit: str
    delete: str = ""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    ruleset: str
    own: tuple[TemplateLine, ...]
    shipped: tuple[TemplateLine, ...]


def library_page(chronicle: Chronicle) -> LibraryPage:
    """The templates that a chronicle's Storytellers can use."""
    entries = library(chronicle)
    sheets = fight_sheets(chronicle, [entry.person for entry in entries])
    ruleset = rulesets.ruleset_for(chronicle)
    lines = [(entry, _line(chronicle, ruleset, entry, sheet)) for entry, sheet in zip(entries, sheets, strict=True)]
    return LibraryPage(
        ruleset=rulesets.name_of(chronicle.ruleset),
        own=tuple(line for entry, line in lines if entry.own),
        shipped=tuple(line for entry, line in lines if not entry.own),
    )


def _line(chronicle: Chronicle, ruleset: System, entry: Entry, sheet: Sheet) -> TemplateLine:
    person = entry.person
    add = reverse("characters:template-add", args=[chronicle.pk])
    own = [chronicle.pk, entry.own]
    return TemplateLine(
        name=person.name,
        kind=said(ruleset.kind(person.kind).label),
        figures=", ".join(_figures(ruleset, sheet)),
        pools=pools_in_words(ruleset, person.pools),
        notes=person.notes,
        grow=reverse("characters:template-grow", args=[chronicle.pk, person.key]),
        edit=reverse("characters:template-edit", args=own) if entry.own else f"{add}?from={person.key}",
        delete=reverse("characters:template-delete", args=own) if entry.own else "",
    )


def _figures(ruleset: System, sheet: Sheet) -> list[str]:
    """What it attacks with and how many dice, its health boxes and its armour."""
    arms = [*sheet.weapons, FISTS]
    dice = [(weapon, ruleset.attack.pool_of(sheet, weapon).pool) for weapon in arms]
    told = [
        ngettext("{weapon}: {count} die", "{weapon}: {count} dice", count).format(weapon=_called(weapon), count=count)
        for weapon, count in dice
    ]
    boxes = len(ruleset.health.levels(sheet))
    told += [ngettext("{count} health box", "{count} health boxes", boxes).format(count=boxes)] if boxes else []
    return [*told, *(armor.name for armor in sheet.armor)]


def _called(weapon: Weapon) -> str:
    return _("Unarmed") if weapon is FISTS else weapon.name
