"""The form of a Trait or section that a chronicle adds to its sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns import own_traits
from campaigns.forms.base import KeepsTyping, NameField, let_choose
from campaigns.words import said
from rules.model.own_traits import LONGEST_NAME, MOST_DOTS, Sort

RATED = (
    (Sort.ABILITY, _("An Ability: rolled with an Attribute, can have specialties")),
    (Sort.ALONE, _("Rolled alone or with an Attribute")),
    (Sort.FACT, _("A number that is never rolled")),
)
TEXT = (Sort.TEXT, _("A text"))


class OwnTraitForm(KeepsTyping, forms.Form):
    """A Trait or section. A saved Trait doesn't become a text, nor a text a Trait: sheets may have dots or words."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    label = NameField(label=_("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autofocus": True}))
    sort = forms.ChoiceField(label=_("What it is"), widget=forms.RadioSelect(attrs={"class": "cards"}))
    place = forms.ChoiceField(
        label=_("Where on the sheet"),
        required=False,
        help_text=_("Abilities can be among the ruleset’s own. Anything else has a section of its own."),
    )
    section = forms.CharField(
        label=_("Name of its own section"),
        required=False,
        max_length=LONGEST_NAME,
        help_text=_("Traits with the same section are together. A text has no section: its name is the heading."),
    )
    most = forms.IntegerField(label=_("Maximum dots"), required=False, min_value=1, max_value=MOST_DOTS)
    kinds = forms.MultipleChoiceField(
        label=_("Who has it"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"}),
        help_text=_("If none is chosen, all characters have it."),
    )

    def __init__(self, data: Any = None, *, ruleset: str, answers: Mapping[str, Any] | None, version: int) -> None:
        super().__init__(data, initial={"sort": Sort.ABILITY, "most": 5, **(answers or {}), "version": version})
        sorts = [*RATED, TEXT] if answers is None else [TEXT] if answers["sort"] == Sort.TEXT else list(RATED)
        let_choose(self, "sort", [(sort.value, label) for sort, label in sorts])
        let_choose(self, "place", [("", _("A section of its own")), *own_traits.places_of(ruleset)])
        let_choose(self, "kinds", own_traits.base_kinds(ruleset))
        if sorts == [TEXT]:
            for name in ("sort", "place", "section", "most"):
                del self.fields[name]

    def answers(self) -> dict[str, Any]:
        """The settings as `services.save_trait` takes them. Only for a valid form."""
        told = self.cleaned_data
        common = {"label": " ".join(told["label"].split()), "kinds": told["kinds"]}
        sort = told.get("sort", Sort.TEXT.value)
        if sort == Sort.TEXT:
            return {**common, "sort": sort}
        place = told["place"] if sort == Sort.ABILITY else ""
        section = "" if place else " ".join(told["section"].split())
        return {**common, "sort": sort, "place": place, "section": section, "most": told["most"] or 5}

    def refuse(self, key: str, message: str) -> None:
        """Add an error from the rules to one setting's field."""
        self.add_error(key if key in self.fields else None, said(message))
