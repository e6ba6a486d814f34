"""The fields of a sheet's specialties: a Trait and a name each, `specialty-0-trait` and `specialty-0-name`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from characters.forms.fields import one_line
from characters.forms.listings import SPARE, rows_wanted
from characters.forms.sheet_fields import Fields
from characters.models import Character
from rules.model.specialties import SPECIALTY
from rules.model.system import System

MOST_SPECIALTIES = 40
"""The maximum number of specialties on a sheet."""


def specialty_fields(ruleset: System, kind: str, character: Character | None, data: Mapping[str, Any]) -> Fields:
    """Trait and name of each specialty, with blank rows; none in a ruleset without specialties."""
    layout = ruleset.layout
    if not layout.special:
        return {}
    special = layout.special_traits(kind, character.traits if character else None)
    mine = [(trait.key, said(trait.label)) for trait in special]
    saved = [(key, name) for key, names in (character.specialties if character else {}).items() for name in names]
    fields: Fields = {}
    for place in range(rows_wanted(SPECIALTY, SPECIALTY, len(saved) + SPARE, data)):
        key, name = saved[place] if place < len(saved) else ("", "")
        # Specialties in Traits of other kinds stay on the sheet.
        more = [(key, said(layout.trait(key, kind).label))] if key and key not in dict(mine) else []
        trait = forms.ChoiceField(
            label=_now("Trait of specialty %(number)s") % {"number": place + 1},
            required=False,
            choices=[("", "—"), *mine, *more],
            error_messages={"invalid_choice": _("Choose a Trait from the list.")},
        )
        named = one_line(_now("Specialty %(number)s") % {"number": place + 1})
        named.widget.attrs["autocomplete"] = "off"
        trait.initial, named.initial = key, name
        fields.update(zip(_names(place), (trait, named), strict=True))
    return fields


def _names(place: int) -> tuple[str, str]:
    return f"{SPECIALTY}-{place}-trait", f"{SPECIALTY}-{place}-name"


def specialty_rows(form: forms.Form) -> Iterator[tuple[str, str]]:
    """The names of the fields of all specialties, blank ones included."""
    place = 0
    while (names := _names(place))[0] in form.fields:
        yield names
        place += 1


def check_specialties(form: forms.Form, data: Mapping[str, Any]) -> None:
    """Add errors for a specialty without its Trait or name, and for too many."""
    filled = 0
    for trait, name in specialty_rows(form):
        filled += bool(data.get(name))
        if data.get(name) and data.get(trait) == "":
            form.add_error(trait, _now("Choose the Trait that it belongs to."))
        elif data.get(trait) and data.get(name) == "":
            form.add_error(name, _now("Enter a name, or clear the Trait."))
        elif data.get(name) and filled > MOST_SPECIALTIES:
            form.add_error(name, _now("Enter at most %(most)s entries.") % {"most": MOST_SPECIALTIES})


def specialties_of(form: forms.Form, data: Mapping[str, Any], character: Character | None) -> dict[str, list[str]]:
    """The specialties by Trait, each once; those saved, in a ruleset without any."""
    found: dict[str, list[str]] = {}
    rows = list(specialty_rows(form))
    for trait, name in rows:
        if data[name] and data[name] not in found.setdefault(data[trait], []):
            found[data[trait]].append(data[name])
    return found if rows or character is None else dict(character.specialties)
