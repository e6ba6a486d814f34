"""Forms for a chronicle's custom weapons and armour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_stubs_ext import StrOrPromise

from campaigns.forms.base import KeepsTyping
from campaigns.forms.fields import number
from characters import rulesets, tables
from characters.models import Armor, Gear, Weapon
from characters.services import gear_mark
from rules.model.gear import Damage, Mode
from rules.model.sheet import Category

MOST_PROBLEMS = 20
"""How many problems of an imported file are shown."""

GROUPS = {
    Weapon: (
        (_("Basics"), ("name", "mode", "form", "tags", "note")),
        (
            _("Damage and dice pool"),
            ("damage", "damage_from", "type", "difficulty", "attribute", "ability", "armor_piercing"),
        ),
        (
            _("Ranged attacks"),
            (
                "range_short",
                "range_medium",
                "range_long",
                "rate",
                "clip",
                "chambered",
                "automatic",
                "single_rounds",
                "aerodynamic",
            ),
        ),
        (
            _("Handling"),
            (
                "size",
                "strength",
                "initiative",
                "again",
                "defense",
                "conceal",
                "two_handed",
                "committed",
            ),
        ),
    ),
    Armor: (
        (_("Basics"), ("name", "weight", "covers", "note")),
        (_("Protection and encumbrance"), ("rating", "ballistic", "penalty", "strength", "defense", "speed")),
        (_("Supernatural"), ("supernatural", "power")),
    ),
}


# The categories of Traits a field accepts.
TRAITS_OF = {
    "attribute": frozenset({Category.ATTRIBUTE}),
    "ability": frozenset({Category.ABILITY}),
    "damage_from": frozenset({Category.ATTRIBUTE}),
}


class MarkedForm(forms.ModelForm[Gear]):
    """A row of the tables, with a concurrency token of its saved values."""

    version = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["version"].initial = gear_mark(self.instance)


class GearForm(KeepsTyping, MarkedForm):
    """A custom row. The view sets its ruleset and chronicle; posted values can't."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        used = {*tables.used_columns(self.instance), "version"}
        for name in [name for name in self.fields if name not in used]:
            del self.fields[name]
        layout = rulesets.layout_of(self.instance.ruleset, self.instance.chronicle)
        for name, categories in TRAITS_OF.items():
            if layout and name in self.fields:
                self._pick(name, rulesets.trait_choices(layout, categories, getattr(self.instance, name)))
        if "type" in self.fields:
            self._settle_type()
        for field in self.fields.values():
            if isinstance(field, forms.TypedChoiceField):
                choices = cast("Iterable[tuple[str, StrOrPromise]]", field.choices)
                field.choices = [(key, label if key else "—") for key, label in choices]

    def _settle_type(self) -> None:
        """Say what an empty damage type means."""
        ruleset = self.instance.ruleset
        if rulesets.usual_damage(ruleset, "", Mode.MELEE) is Damage.LETHAL:
            self.fields["type"].help_text = _("If empty, the weapon does lethal damage.")
        else:
            self.fields["type"].help_text = _("If empty, firearms do lethal damage and other weapons bashing damage.")

    def _pick(self, name: str, choices: list[tuple[str, str]]) -> None:
        """Replace a text field for a Trait's key by a choice of Traits."""
        typed = self.fields[name]
        self.fields[name] = forms.ChoiceField(
            label=typed.label, required=False, help_text=typed.help_text, choices=[("", "—"), *choices]
        )

    @property
    def groups(self) -> list[tuple[StrOrPromise, list[forms.BoundField]]]:
        """The fields in labelled groups, for the template."""
        groups = GROUPS[self._meta.model]
        shown = [(label, [self[name] for name in names if name in self.fields]) for label, names in groups]
        return [(label, fields) for label, fields in shown if fields]


class GearFileForm(forms.Form):
    """A CSV file to import."""

    file = forms.FileField(
        label=_("CSV file"),
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        error_messages={"required": _("Choose a file first."), "empty": _("This file is empty. Choose another.")},
    )

    def name_problems(self, problems: Sequence[str]) -> None:
        """Show why nothing was imported: the first problems, and how many more there are."""
        shown = [*problems[:MOST_PROBLEMS]]
        if more := len(problems) - len(shown):
            shown.append(ngettext("%(count)d more problem", "%(count)d more problems", more) % {"count": more})
        self.add_error("file", shown)


def typed_number(db_field: Any, **kwargs: Any) -> forms.Field:
    """A `formfield_callback` that gives integers text inputs, which keep invalid text."""
    if not hasattr(db_field, "get_internal_type") or db_field.get_internal_type() != "SmallIntegerField":
        field: forms.Field = db_field.formfield(**kwargs)
        return field
    least, most = (limit.limit_value for limit in db_field.validators[:2])
    label = capfirst(db_field.verbose_name)
    made = number(label, least, most, required=not db_field.blank, help_text=db_field.help_text)
    made.initial = db_field.default if db_field.has_default() else None
    return made


def form_class(model: type[Gear]) -> type[GearForm]:
    """The form class of one of the two tables."""
    made = forms.modelform_factory(model, GearForm, fields=tables.columns(model), formfield_callback=typed_number)
    assert issubclass(made, GearForm)
    return made


WeaponForm = form_class(Weapon)
ArmorForm = form_class(Armor)
