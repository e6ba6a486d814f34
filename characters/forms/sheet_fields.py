"""The fields of a sheet's form, generated from the ruleset's layout and health.

Each function returns fields by name: `trait-strength`, `points-willpower`, `box-0`, or `injury-0-level` and
`injury-0-cause` if the ruleset tracks injuries one by one. Initial values come from `character`, None for a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.chronicles import MARKDOWN_HELP
from campaigns.forms.fields import number
from campaigns.models import TEXT_LENGTH, User
from campaigns.words import said
from characters import impairments
from characters.forms.fields import one_line
from characters.models import Character
from characters.models.gear import DamageType
from rules.model.gear import Damage
from rules.model.health import HealthLevel
from rules.model.sheet import Resource, Trait
from rules.model.system import OneByOne, System

LEAST_INJURIES = 4
"""The minimum number of injury rows."""

Fields = dict[str, forms.Field]


def trait_name(trait: Trait) -> str:
    return f"trait-{trait.key}"


def points_name(resource: Resource) -> str:
    return f"points-{resource.key}"


def dots_of(trait: Trait, character: Character | None) -> int:
    """A Trait's dots on the sheet, or the initial ones of a new sheet."""
    return int(character.traits.get(trait.key, trait.default)) if character else trait.offered


def trait_fields(ruleset: System, kind: str, character: Character | None) -> Fields:
    """Fields for the Traits of all kinds; those of other kinds are hidden."""
    mine = {trait.key: trait for trait in ruleset.layout.traits_for(kind, character.traits if character else None)}
    fields: Fields = {}
    for trait in ruleset.layout.traits():
        own = mine.get(trait.key)
        if trait.own and own is None:
            continue  # not even hidden: what a chronicle adds to other sheets isn't this reader's to know
        typed = number(said(own.label), own.minimum, own.maximum) if own else _hidden()
        typed.initial = dots_of(trait, character)
        fields[trait_name(trait)] = typed
    return fields


def points_fields(ruleset: System, kind: str, character: Character | None) -> Fields:
    """Fields for the points of all resources, like `trait_fields`; empty means full."""
    mine, there = ruleset.layout.resources_for(kind), character.resources if character else {}
    fields: Fields = {}
    for resource in ruleset.layout.resources:
        full = number(said(resource.label), 0, required=False, placeholder=_("full"))
        typed = full if resource in mine else _hidden()
        typed.initial = there.get(resource.key)
        fields[points_name(resource)] = typed
    return fields


def _hidden() -> forms.Field:
    return forms.CharField(required=False, widget=forms.HiddenInput)


def box_fields(levels: Sequence[HealthLevel], character: Character | None) -> Fields:
    """A field for each health box."""
    marks = [Damage(mark) for mark in character.marks] if character else []
    return {
        f"box-{index}": forms.ChoiceField(
            label=level.name,
            required=False,
            choices=[("", _("unhurt")), *DamageType.choices],
            initial=marks[index].value if index < len(marks) else "",
            error_messages={"invalid_choice": _("Choose bashing, lethal or aggravated, or leave the box empty.")},
        )
        for index, level in enumerate(levels)
    }


def impairment_fields(character: Character | None) -> Fields:
    """A checkbox for each lasting impairment, to say that it has healed."""
    there = impairments.read(character) if character else ()
    return {
        f"impairment-{index}": forms.BooleanField(
            label=_("Healed: %(what)s") % {"what": impairments.told(each)}, required=False
        )
        for index, each in enumerate(there)
    }


def injury_fields(kept: OneByOne, character: Character | None) -> Fields:
    """Level and cause fields for each injury, and at least one blank pair."""
    there = character.injuries if character else []
    fields: Fields = {}
    for index in range(max(LEAST_INJURIES, len(there) + 1)):
        known = there[index] if index < len(there) else {}
        level = number(_("Level"), 1, kept.most_level, required=False)
        level.initial = known.get("level")
        fields[f"injury-{index}-level"] = level
        fields[f"injury-{index}-cause"] = one_line(_("Cause"), initial=known.get("cause", ""))
    return fields


def notes_field(label: Any, help_text: Any = MARKDOWN_HELP, length: int = TEXT_LENGTH) -> forms.CharField:
    """An optional Markdown field."""
    return forms.CharField(
        label=label,
        required=False,
        max_length=length,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": 6}),
        error_messages={"max_length": _("Use at most %(limit_value)d characters. This has %(show_value)d.")},
    )


def owner_field(owners: list[User]) -> forms.ChoiceField:
    """The choice of a character's player; empty means the Storyteller."""
    choices = [("", _("The Storyteller")), *((str(user.pk), user.display_name) for user in owners)]
    return forms.ChoiceField(
        label=_("Played by"),
        required=False,
        choices=choices,
        error_messages={"invalid_choice": _("Choose a player of this chronicle.")},
    )
