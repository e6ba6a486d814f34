"""The form of a whole sheet, generated from the ruleset's layout.

It holds the Traits of all kinds, those of other kinds hidden, so that changing the kind and changing it back loses
nothing: see `characters.forms.sheet_fields`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, let_choose, words_in
from campaigns.forms.differences import differences
from campaigns.models import Chronicle, User
from campaigns.words import said
from characters import rulesets, services
from characters.forms.details import detail_fields, details_of
from characters.forms.fields import key_field, one_line
from characters.forms.gear_rows import armor_of, armor_rows, carried, row_differences, weapon_rows, weapons_of
from characters.forms.listings import check_listings, listing_fields, lists_of
from characters.forms.sheet_fields import (
    box_fields,
    dots_of,
    impairment_fields,
    injury_fields,
    notes_field,
    owner_field,
    points_fields,
    points_name,
    trait_fields,
    trait_name,
)
from characters.forms.specialties import check_specialties, specialties_of, specialty_fields
from characters.listings import merit_keys, ticked_merits
from characters.models import Character
from characters.plain import KIND
from characters.services import SheetData
from characters.words import merit_label, power_traits
from rules.model.entries import MERITS
from rules.model.gear import Damage
from rules.model.health import HealthLevel
from rules.model.kinds import Kind
from rules.model.sheet import Injury, Sheet, Trait, gravest_first
from rules.model.system import System
from rules.model.words import as_key

MOST_MERITS = 40


class SheetForm(KeepsTyping, forms.Form):
    """The form of a sheet. `laid_for` is the kind whose Traits it shows: the submitted one, if any."""

    name = one_line(_("Name"), required=True, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    kind = forms.ChoiceField(label=_("Kind"))
    concept = one_line(
        _("Concept"), help_text=_("One line that everyone at the table can see, such as clan, trade or demeanour.")
    )
    known_merits = forms.MultipleChoiceField(
        label=_("Merits used by the rules"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"}),
    )
    merits = forms.CharField(
        label=_("Other Merits"),
        required=False,
        max_length=1000,
        help_text=_("Separate them with commas."),
    )
    notes = notes_field(_("Notes"))
    storyteller_notes = notes_field(_("The Storyteller’s notes"), _("Only Storytellers can see these."))
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    key = key_field()

    def __init__(
        self,
        data: Any = None,
        *,
        chronicle: Chronicle,
        character: Character | None = None,
        for_storyteller: bool = False,
        owners: list[User] | None = None,
        kind: str = "",
        start: SheetData | None = None,
        key: str = "",
    ) -> None:
        self.ruleset: System = rulesets.ruleset_for(chronicle)
        self.character = character
        # What the fields begin with: a new character may start from another sheet.
        self.begun = services.unsaved(chronicle, start) if start else character
        kind = start.kind if start else kind
        # Storytellers create all sorts of characters, so they choose the kind; until then it's laid out as a mortal.
        self.any_kind = for_storyteller and character is None and not kind
        self.kinds = self._offered(chronicle, for_storyteller=for_storyteller)
        self.laid_for = self._kind((data or {}).get("kind") or kind or (character.kind if character else ""))
        self.weapons = weapon_rows(chronicle, character, data, start.weapons if start else ())
        self.armor = armor_rows(chronicle, character, data, start.armor if start else ())
        super().__init__(data, initial=self._initial() | {"key": key}, auto_id="id_%s")
        self._add_layout()
        if owners is not None:
            self.fields["owner"] = owner_field(owners)
        if not for_storyteller:
            del self.fields["storyteller_notes"]
        if character:
            del self.fields["key"]
        if self.is_bound:
            self._fill_gaps()

    # ------------------------------------------------------------- layout

    def _offered(self, chronicle: Chronicle, *, for_storyteller: bool) -> list[Kind]:
        """The kinds to choose from. Players only see custom kinds that are visible to them."""
        hidden = {key for key, kept in chronicle.own_kinds.items() if not (for_storyteller or kept.get("open"))}
        hidden -= {self.begun.kind} if self.begun else set()
        return [kind for kind in self.ruleset.kinds.values() if kind.key not in hidden]

    def _kind(self, typed: Any) -> str:
        if typed in [kind.key for kind in self.kinds]:
            return str(typed)
        if self.character is not None and self.character.kind in self.ruleset.kinds:
            return self.character.kind
        if self.any_kind:
            return KIND
        own = [kind.key for kind in self.kinds if not kind.like]
        if self.ruleset.main_kind in own:
            return self.ruleset.main_kind
        return max(own, key=lambda key: len(self.ruleset.layout.for_kind(key)))

    def _initial(self) -> dict[str, Any]:
        if self.begun is None:
            return {"kind": "" if self.any_kind else self.laid_for}
        one = self.begun
        return {
            **{name: getattr(one, name) for name in ("name", "concept", "notes", "storyteller_notes", "version")},
            "kind": self.laid_for if self.character is None else self._kind(""),
            "known_merits": ticked_merits(one, self.ruleset),
            "merits": ", ".join(merit_label(key) for key in one.merits if key not in self._known_merits),
        }

    @property
    def _known_merits(self) -> dict[str, str]:
        return {merit.key: said(merit.label) for merit in self.ruleset.merits if merit.offered}

    def _add_layout(self) -> None:
        let_choose(self, "known_merits", list(self._known_merits.items()))
        if not self._known_merits:
            del self.fields["known_merits"]
            self.fields["merits"].label = _("Merits")
        powers = self.ruleset.kind(self.laid_for).powers
        if powers and not power_traits(self.ruleset, self.laid_for):
            label = _now("Other Merits and {powers}") if self._known_merits else _now("Merits and {powers}")
            self.fields["merits"].label = label.format(powers=said(powers))
        kinds = [(kind.key, said(kind.label)) for kind in self.kinds]
        let_choose(self, "kind", kinds if self.initial["kind"] else [("", _("Choose a kind")), *kinds])
        self.fields["kind"].error_messages["required"] = _("Choose a kind.")
        self.fields["kind"].error_messages["invalid_choice"] = _("Choose a kind from the list.")
        self.fields.update(trait_fields(self.ruleset, self.laid_for, self.begun))
        self.fields.update(points_fields(self.ruleset, self.laid_for, self.begun))
        kept, one = self.ruleset.health.one_by_one, self.character
        self.fields.update(injury_fields(kept, one) if kept else box_fields(self.levels(), one))
        self.fields.update(impairment_fields(one))
        self.fields.update(detail_fields(self.ruleset, self.laid_for, self.begun))
        self.fields.update(listing_fields(self.ruleset, self.laid_for, self.begun, self.data or {}))
        self.fields.update(specialty_fields(self.ruleset, self.laid_for, self.begun, self.data or {}))
        if any(listing.key == MERITS for listing in self.ruleset.layout.lists):
            del self.fields["merits"]

    def injuries(self) -> list[tuple[Any, Any]]:
        """The level and cause fields of each injury, blank ones included."""
        found = [name.removesuffix("-level") for name in self.fields if re.fullmatch(r"injury-\d+-level", name)]
        return [(self[f"{name}-level"], self[f"{name}-cause"]) for name in found]

    def impairments(self) -> list[Any]:
        """The checkboxes of lasting impairments."""
        return [self[name] for name in self.fields if name.startswith("impairment-")]

    def levels(self) -> tuple[HealthLevel, ...]:
        """The health levels for the submitted Traits, which some rulesets derive boxes from."""
        typed = {trait.key: (self.data or {}).get(trait_name(trait)) for trait in self.ruleset.layout.traits()}
        sheet = Sheet("", self.laid_for, self._dots({f"trait-{key}": value for key, value in typed.items()}))
        return self.ruleset.health.levels(sheet)

    def _fill_gaps(self) -> None:
        """Fill missing fields with saved values, so that a form drawn before a Trait was added can still be saved."""
        data = self.data.copy()
        drawn = "merits" in data or any(name.startswith(f"list-{MERITS}-") for name in data)
        if not drawn and "known_merits" in self.fields:
            data.setlist("known_merits", self.get_initial_for_field(self.fields["known_merits"], "known_merits") or [])
        for name, field in self.fields.items():
            if name not in data and name not in ("name", "version", "key", "owner", "known_merits"):
                initial = self.get_initial_for_field(field, name)
                data[name] = "" if initial is None else str(initial)
        self.data = data

    # ------------------------------------------------------------- validation

    def full_clean(self) -> None:
        super().full_clean()
        if self.is_bound and self._errors is not None:
            self.weapons.is_valid()
            self.armor.is_valid()

    def is_valid(self) -> bool:
        # Validate all three, so that all errors are shown at once.
        return all([super().is_valid(), self.weapons.is_valid(), self.armor.is_valid()])

    def clean_merits(self) -> list[str]:
        kept = [as_key(word) for word in words_in(self.cleaned_data["merits"])]
        if len(kept) > MOST_MERITS or any(len(key) > 60 for key in kept):
            raise forms.ValidationError(
                _("There are too many Merits, or one is too long. Shorten the list, and separate them with commas.")
            )
        return kept

    def clean(self) -> dict[str, Any]:
        data = dict(self.cleaned_data)
        check_listings(self, self.ruleset, data)
        check_specialties(self, data)
        self._check_points(data)
        self._check_boxes()
        return data

    def _check_points(self, data: dict[str, Any]) -> None:
        dots = self._dots(data)
        for resource in self.ruleset.layout.resources_for(self.laid_for):
            points = data.get(points_name(resource))
            most = resource.maximum(dots)
            if isinstance(points, int) and points > most:
                self.add_error(points_name(resource), _now("Enter %(most)s or less.") % {"most": most})

    def _check_boxes(self) -> None:
        if self.ruleset.health.one_by_one:
            return
        boxes = len(self.levels())
        beyond = [name for name in self.data if re.fullmatch(r"box-\d+", name) and name not in self.fields]
        if any(self.data.get(name) for name in beyond):
            self.add_error(f"box-{boxes - 1}", _now("Mark at most %(boxes)s boxes.") % {"boxes": boxes})

    # ------------------------------------------------------------- result

    def _dots(self, data: dict[str, Any]) -> dict[str, int]:
        """All Traits, for derived values. Invalid ones keep their saved dots."""
        dots = {trait.key: dots_of(trait, self.begun) for trait in self.ruleset.layout.traits()}
        for trait in self.ruleset.layout.traits():
            value = _whole(data.get(trait_name(trait)), trait)
            if value is not None:
                dots[trait.key] = value
        return dots

    def sheet(self) -> SheetData:
        """The submitted sheet. Only for a valid form."""
        data = self.cleaned_data
        before = self.character
        points = {
            resource.key: int(value)
            for resource in self.ruleset.layout.resources
            if re.fullmatch(r"[0-9]{1,4}", value := str(data.get(points_name(resource))))
        }
        lists = lists_of(self, self.ruleset, data, before)
        marks = sorted((Damage(mark) for mark in self._marks(data)), key=lambda mark: -mark.severity)
        return SheetData(
            name=data["name"],
            kind=data["kind"],
            concept=data["concept"],
            traits=(before.traits if before else {}) | self._dots(data),
            resources=self._foreign_points() | points,
            merits=self._merits(data, lists),
            details=details_of(self.ruleset, data, before),
            lists=lists,
            specialties=specialties_of(self, data, before),
            marks=[mark.value for mark in marks],
            injuries=self._injuries(data),
            healed=[place for place, field in enumerate(self.impairments()) if data[field.name]],
            notes=data["notes"],
            storyteller_notes=data.get("storyteller_notes"),
            weapons=carried(self.weapons),
            armor=carried(self.armor),
        )

    def _merits(self, data: dict[str, Any], lists: Mapping[str, Sequence[Sequence[Any]]]) -> list[str]:
        """The keys of all Merits: ticked ones, then those that lists name."""
        read = (listing.key for listing in self.ruleset.layout.lists if listing.read)
        named = (key for each in read for key in merit_keys((entry[0] for entry in lists.get(each, ())), self.ruleset))
        return list(dict.fromkeys([*data.get("known_merits", []), *data.get("merits", []), *named]))

    def _marks(self, data: dict[str, Any]) -> list[str]:
        return [value for name, value in data.items() if name.startswith("box-") and value]

    def _injuries(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        """The injuries, gravest first, without healed ones, whose level is empty."""
        typed = ((level.name, cause.name) for level, cause in self.injuries())
        kept = [Injury(data[level], data[cause].strip()) for level, cause in typed if data[level]]
        return [asdict(injury) for injury in gravest_first(kept)]

    def _foreign_points(self) -> dict[str, int]:
        known = {resource.key for resource in self.ruleset.layout.resources}
        there = self.character.resources if self.character else {}
        return {key: points for key, points in there.items() if key not in known}

    # ------------------------------------------------------------- redrawing

    def show_as_typed(self) -> None:
        """Show the submitted values without errors, because the user is still editing."""
        self._errors = forms.utils.ErrorDict()
        for rows in (self.weapons, self.armor):
            rows._errors, rows._non_form_errors = [{} for _form in rows.forms], rows.error_class()
            for row in rows.forms:
                row._errors = forms.utils.ErrorDict()

    def differences(self) -> list[str]:
        """The saved values that differ from the submitted ones, in words."""
        weapons, armor = weapons_of(self.character), armor_of(self.character)
        rows = [*row_differences(self.weapons, weapons), *row_differences(self.armor, armor)]
        return [*differences(self), *rows]


def _whole(value: Any, trait: Trait) -> int | None:
    if isinstance(value, str):
        value = int(value) if re.fullmatch(r"[0-9]{1,4}", value.strip()) else None
    return value if isinstance(value, int) and trait.minimum <= value <= trait.maximum else None
