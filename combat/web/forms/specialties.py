"""The choice of a specialty for a roll or an attack."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.web.forms.base import FieldsForm
from rules.model.choices import Modifier
from rules.model.sheet import Sheet
from rules.model.specialties import SPECIALTY


class UsesSpecialty(FieldsForm):
    """A form for a pool in which a specialty may count."""

    specialty = forms.ChoiceField(label=_("Specialty"), required=False)
    special: frozenset[str] = frozenset()
    """The names of those on offer."""

    def offer_specialties(self, sheet: Sheet | None, traits: Iterable[str]) -> None:
        """Offer those that the sheet has in these Traits; remove the field if there are none.

        A form that is being filled in forgets one that is no longer offered, such as another roller's.
        """
        layout = self.table.ruleset.layout
        of: dict[str, list[str]] = {}
        special = sheet.specialties if sheet and SPECIALTY in self.table.ruleset.circumstances.played else {}
        for key in traits:
            for name in special.get(key, ()):
                of.setdefault(name, []).append(said(layout.trait(key, sheet.kind if sheet else "").label))
        self.special = frozenset(of)
        if not of:
            del self.fields[SPECIALTY]
            return
        named = [(name, f"{name} ({', '.join(labels)})") for name, labels in of.items()]
        self.let_choose(SPECIALTY, [("", _("none")), *named])
        if getattr(self, "preview", False) and self.value(SPECIALTY) not in of:
            self.data = self.data.copy()
            self.data[SPECIALTY] = ""

    @property
    def specialty_picked(self) -> tuple[Modifier, ...]:
        """The circumstance of the chosen specialty; also works before the form is sent."""
        name = self.value(SPECIALTY)
        return (Modifier(SPECIALTY, {"name": name}),) if name in self.special else ()

    def specialty_used(self, sheet: Sheet | None, traits: Iterable[str]) -> tuple[Modifier, ...]:
        """The circumstance of the chosen specialty, if it belongs to one of these Traits."""
        name = self.cleaned_data.get(SPECIALTY)
        if not name or sheet is None or name not in self.table.ruleset.layout.specialties(sheet, traits):
            return ()
        return (Modifier(SPECIALTY, {"name": name}),)
