"""The short form of an antagonist: a name, a kind, health, and pools or Traits as lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, let_choose, name_field
from campaigns.forms.fields import number
from campaigns.models import TEXT_LENGTH, Chronicle
from campaigns.words import said
from characters import rulesets
from characters.forms.fields import one_line
from characters.forms.stat_lines import bare, read_figures, read_names
from characters.library import kept_in_words, person_of, pool_labels, pools_in_words, usable
from characters.library_services import TemplateData
from characters.models import Armor, Template, Weapon
from characters.words import unhyphenated
from rules.model.people import Person
from rules.model.pools import DEFENCE, HEALTH, MOST_BOXES, MOST_POOL, labels
from rules.model.sheet import Category, Trait
from rules.model.system import System

LONGEST = 2000
DEFENCE_NAMES = ("defence", "defense")
"""Both spellings are read in every ruleset."""


def _lines(label: Any, help_text: Any, rows: int = 2) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        max_length=LONGEST,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows, "spellcheck": "false", "autocomplete": "off"}),
    )


class TemplateForm(KeepsTyping, forms.Form):
    """A template. `start` is the one it begins with; `template` the chronicle's row that is edited, if any."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = name_field(_("Name"))
    plural = one_line(_("Name of several"), help_text=_("Only if it isn’t formed as usual."))
    kind = forms.ChoiceField(label=_("Kind"))
    health = number(_("Health boxes"), 1, MOST_BOXES, required=False, help_text=_("If empty, as the rules say."))
    pools = _lines(
        _("Pools"),
        _("Dice to roll in place of Attribute + Ability. Wounds, circumstances and weapons still count."),
    )
    traits = _lines(
        _("Traits"),
        _("Only for rolls without a pool. With pools, or if this is empty, the rest are an ordinary person’s."),
        4,
    )
    weapons = _lines(_("Weapons"), _("Names from the tables, one on each line or separated by commas."))
    armor = _lines(_("Armour"), _("Names from the tables, one on each line or separated by commas."))
    notes = forms.CharField(
        label=_("Notes"), required=False, max_length=TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(
        self,
        *args: Any,
        chronicle: Chronicle,
        start: Person | None = None,
        template: Template | None = None,
        **more: Any,
    ) -> None:
        self.ruleset: System = rulesets.ruleset_for(chronicle)
        self.chronicle = chronicle
        self.start = person_of(template) if template else start
        self.kept = kept_in_words(self.ruleset, self.start) if self.start else ()
        more["initial"] = _initial(self.ruleset, self.start) | {"version": template.version if template else 0}
        super().__init__(*args, **more)
        let_choose(self, "kind", [(kind.key, said(kind.label)) for kind in self.ruleset.kinds.values()])
        if self.ruleset.health.one_by_one:
            del self.fields["health"]
        named = [label for key, label in pool_labels(self.ruleset).items() if key != HEALTH]
        examples = ", ".join(f"{label} {dice}" for label, dice in zip(named, (6, 5, 4), strict=False))
        self.fields["pools"].widget.attrs["placeholder"] = examples

    def clean_weapons(self) -> tuple[str, ...]:
        return read_names(self.cleaned_data["weapons"], self._names(Weapon))

    def clean_armor(self) -> tuple[str, ...]:
        return read_names(self.cleaned_data["armor"], self._names(Armor))

    def _names(self, table: Any) -> list[str]:
        return list(usable(table, self.chronicle).values_list("name", flat=True))

    def clean(self) -> dict[str, Any]:
        """Read pools and Traits, which depend on the kind. Attributes among the pools are Traits."""
        said = super().clean() or self.cleaned_data
        traits = {trait.key: trait for trait in self._traits_for(said.get("kind", ""))}
        pools, stray = self._read_pools(said.get("pools", ""), traits)
        health = said.get("health")
        if health:
            pools[HEALTH] = health
        said["pools"] = pools
        said["traits"] = self._read("traits", said.get("traits", ""), _trait_names(traits)) | stray
        for key, dots in said["traits"].items():
            if not traits[key].minimum <= dots <= traits[key].maximum:
                values = {"name": said_of(traits[key]), "least": traits[key].minimum, "most": traits[key].maximum}
                self.add_error("traits", _now("%(name)s must be from %(least)s to %(most)s.") % values)
                break
        return said

    def _read_pools(self, text: str, traits: Mapping[str, Trait]) -> tuple[dict[str, int], dict[str, int]]:
        named = pool_labels(self.ruleset)
        names = _trait_names({key: one for key, one in traits.items() if one.category is not Category.ABILITY})
        names |= {bare(label): key for key, label in named.items()}
        names |= {bare(label): key for key, label in pool_labels_in_english(self.ruleset).items()}
        names |= dict.fromkeys(DEFENCE_NAMES, DEFENCE)
        found = self._read("pools", text, names)
        pools = {key: dice for key, dice in found.items() if key in named}
        for key, dice in pools.items():
            most, least = (MOST_BOXES, 1) if key == HEALTH else (MOST_POOL, 0)
            if not least <= dice <= most:
                values = {"name": named[key], "least": least, "most": most}
                self.add_error("pools", _now("%(name)s must be from %(least)s to %(most)s.") % values)
                break
        return pools, {key: dots for key, dots in found.items() if key not in named}

    def _read(self, field: str, text: str, names: Mapping[str, str]) -> dict[str, int]:
        try:
            return read_figures(text, names)
        except ValidationError as problem:
            self.add_error(field, problem)
            return {}

    def _traits_for(self, kind: str) -> tuple[Trait, ...]:
        return self.ruleset.layout.traits_for(kind, self.start.traits if self.start else None)

    def data_of(self) -> TemplateData:
        """The template that was typed. What the form doesn't let one change stays as it began: see `kept`."""
        said, begun = self.cleaned_data, self.start or Person("", "", "")
        return TemplateData(
            **{key: said[key] for key in ("name", "plural", "kind", "traits", "pools", "weapons", "armor", "notes")},
            merits=begun.merits,
            specialties=begun.specialties,
            lists=begun.lists,
        )


class GrowForm(KeepsTyping, forms.Form):
    """The name of the character that a template becomes."""

    name = name_field(_("Name"))


def said_of(trait: Trait) -> str:
    """A Trait's label in the reader's language, without soft hyphens."""
    return unhyphenated(said(trait.label))


def pool_labels_in_english(ruleset: System) -> dict[str, str]:
    """The pools' names in English, which are read in every language."""
    return {key: str(label) for key, label in labels(ruleset).items()}


def _trait_names(traits: Mapping[str, Trait]) -> dict[str, str]:
    other = {bare(each): key for key, trait in traits.items() for name in trait.names for each in (name, said(name))}
    english = {bare(str(trait.label)): key for key, trait in traits.items()}
    return other | english | {bare(said_of(trait)): key for key, trait in traits.items()}


def _initial(ruleset: System, person: Person | None) -> dict[str, Any]:
    if person is None:
        return {"kind": "mortal"}
    pools = {key: dice for key, dice in person.pools.items() if key != HEALTH}
    traits = (f"{said_of(ruleset.layout.trait(key, person.kind))} {dots}" for key, dots in person.traits.items())
    return {
        "name": person.name,
        "plural": person.plural,
        "kind": person.kind,
        "health": person.pools.get(HEALTH),
        "pools": pools_in_words(ruleset, pools),
        "traits": ", ".join(traits),
        "weapons": "\n".join(item.item for item in person.weapons),
        "armor": "\n".join(item.item for item in person.armor),
        "notes": person.notes,
    }
