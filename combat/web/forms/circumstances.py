"""Circumstances in a form: checkboxes, numbers, lists, and the Storyteller's own dice and difficulty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from campaigns.words import said, worded
from combat.panes.sheets import share_left
from combat.web.forms.base import FieldsForm, line
from combat.web.forms.inputs import input_field
from rules.engine.inputs import Want, Wanted
from rules.model.choices import Figure, Modifier
from rules.model.modifiers import ModifierRule
from rules.model.specialties import SPECIALTY

OWN_FIELDS: Mapping[str, Mapping[str, str]] = {
    "several_attackers": {"count": "attackers"},
    SPECIALTY: {"name": SPECIALTY},
    "split": {"dice": "split"},
    "difficulty": {"by": "by", "why": "by_why"},
    "circumstance": {"dice": "extra", "why": "extra_why"},
}
"""Circumstances with their own form fields: field names by circumstance key and value key."""

GROUP = "one_of_"
"""Name prefix of the fields that choose one circumstance of a group."""


def own_prefix(rule: ModifierRule) -> str:
    """Name prefix of the fields for a circumstance's values."""
    return f"mod_{rule.key}_"


def figures_said(wanted: Iterable[Wanted], said: dict[str, Any], prefix: str) -> dict[str, Figure]:
    """The values filled in, read from the fields with this name prefix."""
    found = {each.key: said.get(prefix + each.key) for each in wanted}
    return {key: value for key, value in found.items() if value is not None and value is not False and value != ""}


MOST_BOXES = 4
"""Up to this many mutually exclusive circumstances get a checkbox each; more become a list."""


def listed(rules: Iterable[ModifierRule]) -> dict[str, list[ModifierRule]]:
    """The circumstances that are chosen from a list, by group."""
    groups: dict[str, list[ModifierRule]] = {}
    for rule in rules:
        groups.setdefault(rule.group, []).append(rule)
    return {group: found for group, found in groups.items() if group and len(found) > MOST_BOXES}


def _list_field(group: str, rules: Iterable[ModifierRule]) -> forms.ChoiceField:
    """A list of a group's circumstances. One that needs a choice is listed once per option."""
    choices: list[tuple[str, StrOrPromise]] = [("", _("nothing special"))]
    for rule in rules:
        ways = next((each for each in rule.wanted if each.kind is Want.CHOICE and not each.shared), None)
        if ways is None:
            choices.append((rule.key, said(rule.label)))
            continue
        choices += [
            (f"{rule.key} {ways.key} {way}", f"{said(rule.label)}: {said(words)}") for way, words in ways.choices
        ]
    return forms.ChoiceField(label=capfirst(worded(group)), choices=choices, required=False)


def _shared(rules: Iterable[ModifierRule]) -> tuple[Wanted, ...]:
    """The values that are asked for once for a whole list."""
    return tuple(dict.fromkeys(wanted for rule in rules for wanted in rule.wanted if wanted.shared))


@dataclass(frozen=True, slots=True)
class Pick:
    """A circumstance as drawn: a checkbox or the fields of its values; or a group's list (`several`)."""

    rule: ModifierRule
    ticked: bool
    fields: tuple[forms.BoundField, ...]
    several: bool = False

    @property
    def says_itself(self) -> bool:
        """Whether the label of its only field already names the circumstance, as in “Charge distance in yards”."""
        return len(self.fields) == 1 and str(self.fields[0].label).startswith(said(self.rule.label))

    @property
    def filled(self) -> bool:
        """Whether any of its values was filled in."""
        return any(field.value() not in (None, "", False) for field in self.fields)


class PicksCircumstances(FieldsForm):
    """A form with circumstances."""

    mods = forms.MultipleChoiceField(label=_("Circumstances"), required=False)
    split = forms.IntegerField(label=_("Share of the split pool"), required=False, min_value=1, max_value=100)
    by = forms.IntegerField(label=_("Difficulty"), required=False, min_value=-9, max_value=9)
    by_why = line(_("Reason"))
    extra = forms.IntegerField(label=_("Extra dice"), required=False, min_value=-20, max_value=20)
    extra_why = line(_("Reason"))

    @property
    def offered(self) -> list[ModifierRule]:
        """The circumstances that can be picked."""
        raise NotImplementedError

    def offer(self, rules: Iterable[ModifierRule]) -> list[ModifierRule]:
        """Those of `rules` that forms offer to this reader; reserved ones only to the Storyteller."""
        return [
            rule
            for rule in rules
            if rule.offered
            and rule.key not in OWN_FIELDS
            and (rule.wanted or rule.group or not rule.figures)
            and (self.is_storyteller or not rule.reserved)
            and (self._wanted(rule) or not rule.wanted)
        ]

    def _wanted(self, rule: ModifierRule) -> tuple[Wanted, ...]:
        """A circumstance's values that the reader may set."""
        return tuple(wanted for wanted in rule.wanted if self.is_storyteller or not wanted.storytellers)

    def prepare_circumstances(self) -> None:
        """Add the fields of the offered circumstances; remove those that don't apply to the ruleset or the reader."""
        offered, known, people = self.offered, self.table.ruleset.modifiers, self.table.everybody()
        groups = listed(offered)
        alone = [rule for rule in offered if rule.group not in groups]
        self.let_choose("mods", [(rule.key, said(rule.label)) for rule in alone if not rule.wanted])
        for group, rules in groups.items():
            self.fields[f"{GROUP}{group}"] = _list_field(group, rules)
            for wanted in _shared(rules):
                self.fields[f"{GROUP}{group}_{wanted.key}"] = input_field(wanted, needed=False, people=people)
        for rule in alone:
            for wanted in self._wanted(rule):
                self.fields[f"{own_prefix(rule)}{wanted.key}"] = input_field(wanted, needed=False, people=people)
        kept = {
            "split": "split" in known,
            "by": self.is_storyteller and "difficulty" in known,
            "extra": self.is_storyteller and "circumstance" in known,
        }
        for name, stays in kept.items():
            for field in (name, f"{name}_why") if not stays else ():
                self.fields.pop(field, None)
        mine = kept["split"] and self.table.may_act_for(self.acting)
        if mine and (left := share_left(self.table.state.combatants[self.acting])):
            self.fields["split"].help_text = _now("{dice} dice left in the split pool").format(dice=left)

    @property
    def acting(self) -> str:
        """The id of whose pool it is."""
        return self.value("who")

    @property
    def picks(self) -> list[Pick]:
        """The offered circumstances as drawn."""
        ticked, groups = self["mods"].value() or (), listed(self.offered)
        lists = [Pick(rules[0], False, self._list(group, rules), several=True) for group, rules in groups.items()]
        return [
            *lists,
            *(
                Pick(
                    rule,
                    rule.key in ticked,
                    tuple(self[f"{own_prefix(rule)}{wanted.key}"] for wanted in self._wanted(rule)),
                )
                for rule in self.offered
                if rule.group not in groups
            ),
        ]

    def _list(self, group: str, rules: Iterable[ModifierRule]) -> tuple[forms.BoundField, ...]:
        shared = (f"{GROUP}{group}_{wanted.key}" for wanted in _shared(rules))
        return tuple(self[name] for name in (f"{GROUP}{group}", *shared))

    @property
    def figured_picks(self) -> list[Pick]:
        """Those that are picked by filling in a value."""
        return [pick for pick in self.picks if pick.fields and not pick.several]

    @property
    def has_figures(self) -> bool:
        """Whether any of their values was filled in."""
        return any(pick.filled for pick in self.figured_picks)

    def circumstances(self) -> tuple[Modifier, ...]:
        """The picked circumstances. Also works with the `cleaned_data` of an invalid form."""
        said = self.cleaned_data
        found = [Modifier(key) for key in said.get("mods") or ()]
        groups = listed(self.offered)
        for group in groups:
            key, _space, way = str(said.get(f"{GROUP}{group}") or "").partition(" ")
            name, _space, value = way.partition(" ")
            if key:
                own = _shared(rule for rule in groups[group] if rule.key == key)
                figures = figures_said(own, said, f"{GROUP}{group}_")
                found.append(Modifier(key, figures | ({name: value} if name else {})))
        for rule in self.offered:
            figures = figures_said(self._wanted(rule), said, own_prefix(rule))
            if figures and rule.group not in groups:
                found.append(Modifier(rule.key, figures))
        if said.get("split"):
            found.append(Modifier("split", {"dice": said["split"]}))
        if said.get("by"):
            found.append(Modifier("difficulty", {"by": said["by"], "why": said.get("by_why") or ""}))
        if said.get("extra"):
            found.append(Modifier("circumstance", {"dice": said["extra"], "why": said.get("extra_why") or ""}))
        return tuple(found)
