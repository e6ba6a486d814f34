"""Circumstances picked in a form: boxes to tick, figures to fill in, and the Storyteller's own dice and difficulty."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.forms.base import FieldsForm, Table, line
from combat.rights import STORYTELLERS_MODIFIERS
from rules.commands import Figure, Modifier
from rules.modifiers import ModifierRule
from rules.wanted import Want, Wanted

OWN_FIELDS = frozenset({"difficulty", "circumstance", "several_attackers", "split"})
"""Circumstances that have fields of their own."""


def figure_field(wanted: Wanted, table: Table, *, needed: bool) -> forms.Field:
    """The field of a figure; left empty it is none, where it is not `needed`."""
    common: dict[str, Any] = {"label": wanted.label, "required": needed, "help_text": wanted.help}
    match wanted.kind:
        case Want.NUMBER:
            return forms.IntegerField(min_value=wanted.least, max_value=wanted.most, **common)
        case Want.SWITCH:
            return forms.BooleanField(**{**common, "required": False})
        case Want.WORDS:
            return line(wanted.label, required=needed, help_text=wanted.help)
        case Want.CHOICE:
            choices = list(wanted.choices)
        case Want.SOMEBODY:
            choices = table.everybody()
    return forms.ChoiceField(choices=choices if needed else [("", _("none")), *choices], **common)


def figures_said(wanted: Iterable[Wanted], said: dict[str, Any], prefix: str) -> dict[str, Figure]:
    """The figures that were filled in, from the fields whose names begin with `prefix`."""
    found = {each.key: said.get(prefix + each.key) for each in wanted}
    return {key: value for key, value in found.items() if value not in (None, "", False)}


@dataclass(frozen=True, slots=True)
class Pick:
    """A circumstance as it is drawn: a box to tick, or the fields of its figures."""

    rule: ModifierRule
    ticked: bool
    fields: tuple[forms.BoundField, ...]


class PicksCircumstances(FieldsForm):
    """A form with circumstances."""

    mods = forms.MultipleChoiceField(label=_("Circumstances"), required=False)
    split = forms.IntegerField(label=_("Dice of a shared pool"), required=False, min_value=1, max_value=100)
    by = forms.IntegerField(label=_("Difficulty"), required=False, min_value=-9, max_value=9)
    by_why = line(_("because"))
    extra = forms.IntegerField(label=_("Extra dice"), required=False, min_value=-20, max_value=20)
    extra_why = line(_("because"))

    @property
    def offered(self) -> list[ModifierRule]:
        """The circumstances that can be picked."""
        raise NotImplementedError

    def offer(self, rules: Iterable[ModifierRule]) -> list[ModifierRule]:
        """Of these those that forms offer, and that are not the Storyteller's word alone where a player reads."""
        return [
            rule
            for rule in rules
            if rule.offered
            and rule.key not in OWN_FIELDS
            and (rule.wanted or not rule.figures)
            and (self.is_storyteller or rule.key not in STORYTELLERS_MODIFIERS)
        ]

    def prepare_circumstances(self) -> None:
        """Put in the fields of what is offered; take out what the ruleset, or the reader, has no use for."""
        offered, known = self.offered, self.table.ruleset.modifiers
        plain = [(rule.key, rule.label) for rule in offered if not rule.wanted]
        self.fields["mods"].choices = plain  # type: ignore[attr-defined]
        for rule in offered:
            for wanted in rule.wanted:
                self.fields[f"{_prefix(rule)}{wanted.key}"] = figure_field(wanted, self.table, needed=False)
        kept = {
            "split": "split" in known,
            "by": self.is_storyteller and "difficulty" in known,
            "extra": self.is_storyteller and "circumstance" in known,
        }
        for name, stays in kept.items():
            for field in (name, f"{name}_why") if not stays else ():
                self.fields.pop(field, None)

    @property
    def picks(self) -> list[Pick]:
        """What is offered, as it is drawn."""
        ticked = self["mods"].value() or ()
        return [
            Pick(
                rule,
                rule.key in ticked,
                tuple(self[f"{_prefix(rule)}{wanted.key}"] for wanted in rule.wanted),
            )
            for rule in self.offered
        ]

    def circumstances(self) -> tuple[Modifier, ...]:
        """What was picked; `cleaned_data` of a form that is not sound yet will do."""
        said = self.cleaned_data
        found = [Modifier(key) for key in said.get("mods") or ()]
        for rule in self.offered:
            figures = figures_said(rule.wanted, said, _prefix(rule))
            if figures:
                found.append(Modifier(rule.key, figures))
        if said.get("split"):
            found.append(Modifier("split", {"dice": said["split"]}))
        if said.get("by"):
            found.append(Modifier("difficulty", {"by": said["by"], "why": said.get("by_why") or ""}))
        if said.get("extra"):
            found.append(Modifier("circumstance", {"dice": said["extra"], "why": said.get("extra_why") or ""}))
        return tuple(found)


def _prefix(rule: ModifierRule) -> str:
    return f"mod_{rule.key}_"
