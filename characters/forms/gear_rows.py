"""The formsets of weapons and armour in a sheet's form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, let_choose
from campaigns.forms.differences import differences
from campaigns.forms.fields import number
from campaigns.models import Chronicle
from characters.forms.fields import one_line
from characters.models import Armor, Character, Gear, Weapon
from characters.models.characters import Fault
from characters.models.gear import Mode
from characters.services import Carried

MOST_ROWS = 40


class Offer:
    """The rows of a table that a chronicle can use: its ruleset's common ones and its own."""

    def __init__(self, model: type[Gear], chronicle: Chronicle) -> None:
        mine = Q(chronicle=None) | Q(chronicle=chronicle)
        self.rows = {
            str(row.pk): row for row in model._default_manager.filter(mine, ruleset=chronicle.ruleset).order_by("id")
        }

    @cached_property
    def choices(self) -> list[Any]:
        """Choices for a select: the chronicle's own first, then grouped by attack type."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for key, row in sorted(self.rows.items(), key=lambda item: not item[1].is_own):
            groups.setdefault(_group(row), []).append((key, row.name))
        return [("", "—"), *groups.items()]


def _group(row: Gear) -> str:
    if row.is_own:
        return _now("This chronicle’s own")
    return str(Mode(row.mode).label).capitalize() if isinstance(row, Weapon) else _now("Armour")


class GearRow(KeepsTyping, forms.Form):
    """One row: an item of the tables, its custom name, and a checkbox to remove it."""

    row = forms.IntegerField(required=False, widget=forms.HiddenInput)
    item = forms.ChoiceField(required=False)
    name = one_line(_("Custom name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    remove = forms.BooleanField(label=_("Remove"), required=False)

    label: Any = ""
    nameless = _("Choose an item, or leave the whole row empty.")

    def __init__(self, *args: Any, offer: Offer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer = offer
        self.fields["item"].label = self.label
        let_choose(self, "item", offer.choices)
        self.fields["item"].error_messages["invalid_choice"] = _("Choose an item from this chronicle’s tables.")

    def has_changed(self) -> bool:
        # Validate unchanged rows too, because they are still on the sheet.
        return True

    def clean(self) -> dict[str, Any]:
        data = dict(self.cleaned_data)
        if data.get("remove"):
            # Errors in a removed row don't matter.
            self.errors.clear()
        elif not data.get("item") and "item" not in self.errors and self._says_something(data):
            self.add_error("item", self.nameless)
        return data

    def _says_something(self, data: dict[str, Any]) -> bool:
        return bool(data.get("name"))

    def picked(self) -> Gear | None:
        return self.offer.rows.get(str(self.cleaned_data.get("item", "")))

    def carried(self) -> Carried | None:
        """The row's data; `None` for an empty or removed row."""
        data = self.cleaned_data
        if data.get("remove") or not data.get("item"):
            return None
        return Carried(item=int(data["item"]), name=data.get("name", ""), row=data.get("row"))


class WeaponRow(GearRow):
    rounds = number(_("Rounds"), 0, required=False, placeholder=_("full"))
    fault = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("working")), *Fault.choices])
    label = _("Weapon")

    def _says_something(self, data: dict[str, Any]) -> bool:
        return bool(data.get("name")) or data.get("rounds") is not None

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        weapon, rounds = self.picked(), data.get("rounds")
        if data.get("remove") or not isinstance(weapon, Weapon) or rounds is None:
            return data
        if weapon.holds is None:
            self.add_error("rounds", _now("This weapon doesn’t use ammunition. Leave this empty."))
        elif rounds > weapon.holds:
            self.add_error("rounds", _now("Enter at most %(most)s rounds.") % {"most": weapon.holds})
        return data

    def carried(self) -> Carried | None:
        one = super().carried()
        if one is None:
            return None
        data = self.cleaned_data
        return Carried(one.item, one.name, data.get("rounds"), data.get("fault", ""), one.row)


class ArmorRow(GearRow):
    destroyed = forms.BooleanField(label=_("Destroyed"), required=False)
    label = _("Armour")

    def carried(self) -> Carried | None:
        one = super().carried()
        return replace(one, destroyed=bool(self.cleaned_data.get("destroyed"))) if one else None


class _Rows(forms.BaseFormSet[GearRow]):
    """A formset that echoes all submitted rows, however many there are."""

    default_error_messages = {
        "too_many_forms": _("A sheet can have at most %(num)d rows."),
        "missing_management_form": _(
            "Some rows didn’t reach the server. Check the list, add what’s missing and save again."
        ),
    }

    def clean(self) -> None:
        # A negative number of rows must not remove everything.
        if (self.management_form.cleaned_data["TOTAL_FORMS"] or 0) < 0:
            raise forms.ValidationError(self.default_error_messages["missing_management_form"])


def _rows(form: type[GearRow]) -> Any:
    return forms.formset_factory(
        form, formset=_Rows, extra=1, max_num=MOST_ROWS, absolute_max=3 * MOST_ROWS, validate_max=True
    )


WeaponRows = _rows(WeaponRow)
ArmorRows = _rows(ArmorRow)


def weapons_of(character: Character | None) -> list[dict[str, Any]]:
    """Initial values of the character's weapon rows."""
    return [
        {
            "row": one.pk,
            "item": str(one.weapon_id),
            "name": one.name,
            "rounds": one.weapon.holds if one.rounds is None else one.rounds,
            "fault": one.fault,
        }
        for one in (character.weapons.all() if character else ())
    ]


def armor_of(character: Character | None) -> list[dict[str, Any]]:
    """Initial values of the character's armour rows."""
    worn = character.armor.all() if character else ()
    return [{"row": one.pk, "item": str(one.armor_id), "name": one.name, "destroyed": one.destroyed} for one in worn]


def weapon_rows(
    chronicle: Chronicle, character: Character | None, data: Any = None, start: Iterable[Carried] = ()
) -> Any:
    """The weapon formset, bound to `data`, or filled with what the character has or a new one starts with."""
    kwargs = {"form_kwargs": {"offer": Offer(Weapon, chronicle)}, "prefix": "weapons"}
    if data is not None:
        return WeaponRows(data, **kwargs)
    return WeaponRows(initial=[*weapons_of(character), *map(_begun, start)], **kwargs)


def armor_rows(
    chronicle: Chronicle, character: Character | None, data: Any = None, start: Iterable[Carried] = ()
) -> Any:
    """The armour formset, like `weapon_rows`."""
    kwargs = {"form_kwargs": {"offer": Offer(Armor, chronicle)}, "prefix": "armor"}
    if data is not None:
        return ArmorRows(data, **kwargs)
    return ArmorRows(initial=[*armor_of(character), *map(_begun, start)], **kwargs)


def _begun(one: Carried) -> dict[str, Any]:
    return {"item": str(one.item), "name": one.name, "rounds": one.rounds, "fault": one.fault}


def carried(rows: Iterable[GearRow]) -> list[Carried]:
    """The data of all rows that stay."""
    return [one for row in rows if (one := row.carried())]


def row_differences(rows: Any, kept: Iterable[dict[str, Any]]) -> list[str]:
    """The saved rows that differ from the submitted ones, in words.

    New submitted rows are left out, because they overwrite nothing.
    """
    offer, lines = rows.form_kwargs["offer"], []
    there = {str(one["row"]): one for one in kept}
    for row in rows:
        typed = {name: row[name].value() or "" for name in ("row", "item", "name", "remove")}
        if not typed["row"] or typed["remove"]:
            continue
        if (one := there.pop(str(typed["row"]), None)) is None:
            lines.append(_now("%(label)s: %(saved)s") % {"label": _called(typed, offer), "saved": "—"})
        else:
            row.initial = one
            lines += [f"{_called(one, offer)}, {line}" for line in differences(row)]
    would_go = [{"label": rows.form.label, "saved": _called(one, offer)} for one in there.values()]
    return lines + [_now("%(label)s: %(saved)s") % each for each in would_go]


def _called(row: dict[str, Any], offer: Offer) -> str:
    item = offer.rows.get(str(row["item"]))
    return str(row["name"] or item or "—")
