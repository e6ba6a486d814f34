"""Where combatants carry their weapons: before initiative, or whenever the Storyteller says so."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.marks import mark
from campaigns.words import worded
from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.engine.messages import Command
from rules.model.gear import Carried, Fault, Weapon
from rules.topics.commands import SetCarried


@dataclass(frozen=True, slots=True)
class Bearer:
    """A combatant with the fields of their weapons."""

    name: str
    fields: tuple[forms.BoundField, ...]


@posted(SetCarried)
class InHandForm(FieldsForm):
    """Where everybody, or one combatant (`who`), carries each weapon. Only the fields that were edited are changed."""

    fragment = "combat/forms/_in_hand.html"
    title = _("Weapons in hand")
    submit = _("Save")
    help = _("Before initiative, this costs nothing. A weapon that isn’t in hand must be drawn first.")
    storyteller_only = True
    who = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self._names: dict[str, tuple[str, str]] = {}
        for who in [self.value("who")] if self.value("who") else [who for who, _name in self.table.everybody()]:
            found = self.table.find(who)
            for weapon in found.sheet.weapons if found else ():
                if not weapon.natural and weapon.fault is not Fault.TAKEN:
                    self._add(who, weapon)

    def _add(self, who: str, weapon: Weapon) -> None:
        reference = weapon.key or weapon.name
        name = f"carried_{who}_{mark(reference)}"
        lies = weapon.fault is Fault.DROPPED
        conceals = weapon.hidden or "concealed" in self.table.ruleset.cites
        places = (Carried.IN_HAND, weapon.kept, *((Carried.CONCEALED,) if conceals else ()))
        here = [("", worded(Fault.DROPPED))] if lies else []
        self.fields[name] = forms.ChoiceField(
            label=weapon.name,
            choices=[*here, *((place.value, worded(place)) for place in places)],
            initial="" if lies else weapon.carried.value,
            required=not lies,
            show_hidden_initial=True,
        )
        self._names[name] = (who, reference)

    @property
    def bearers(self) -> list[Bearer]:
        """The combatants with weapons, in turn order."""
        found: dict[str, list[forms.BoundField]] = {}
        for name, (who, _reference) in self._names.items():
            found.setdefault(who, []).append(self[name])
        people = self.table.state.combatants
        return [Bearer(people[who].sheet.name, tuple(fields)) for who, fields in found.items()]

    def command(self) -> Command:
        carried: dict[str, dict[str, str]] = {}
        for name, (who, reference) in self._names.items():
            if name in self.changed_data and self.cleaned_data[name]:
                carried.setdefault(who, {})[reference] = self.cleaned_data[name]
        return SetCarried(carried)
