"""The form of a custom kind of creature, with a field for each of its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns import kinds
from campaigns.forms.base import KeepsTyping, NameField, let_choose, words_in
from campaigns.words import said, said_later
from rules.model.conditions import condition_of
from rules.model.gear import Damage
from rules.model.kinds import LONGEST_NAME, QUESTIONS
from rules.model.words import in_words


class KindForm(KeepsTyping, forms.Form):
    """A kind of creature. `like` is the kind it is based on, chosen before the form is built."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    label = NameField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    soaks = forms.MultipleChoiceField(
        label=_("Soaks with Stamina"),
        required=False,
        choices=[(damage.value, said_later(in_words(damage.value))) for damage in Damage],
        widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"}),
    )
    banes = forms.MultipleChoiceField(
        label=_("Takes aggravated damage from"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "cards three"}),
    )
    more_banes = forms.CharField(
        label=_("Other sources of aggravated damage"),
        required=False,
        max_length=300,
        help_text=_("Separate them with commas, such as: cold iron, salt. You can give weapons these as tags."),
    )
    felled = forms.ChoiceField(
        label=_("When every health box is filled with lethal or aggravated damage"),
        widget=forms.RadioSelect(attrs={"class": "cards three"}),
    )
    open = forms.BooleanField(
        label=_("Visible to players"),
        required=False,
        help_text=_("Players can choose it for their own characters. If off, only Storytellers see it."),
    )

    def __init__(self, data: Any = None, *, ruleset: str, answers: Mapping[str, Any], version: int) -> None:
        self.like = str(answers["like"])
        known = kinds.known_banes(ruleset)
        others = [each.replace("_", " ") for each in answers["banes"] if each not in known]
        banes = {"banes": [each for each in answers["banes"] if each in known], "more_banes": ", ".join(others)}
        initial = {**answers, **banes, "version": version}
        super().__init__(data, initial=initial)
        let_choose(self, "banes", [(each, said(in_words(each))) for each in known])
        for each in QUESTIONS:
            self.fields[each.key] = forms.BooleanField(
                label=said(each.label), help_text=said(each.help), required=False
            )
        if not kinds.asks_soak(ruleset):
            del self.fields["soaks"]
        falls = [(each, said(condition_of(each).felled or in_words(each))) for each in kinds.ways_to_fall(ruleset)]
        let_choose(self, "felled", falls)
        if not falls:
            del self.fields["felled"]
        self.order_fields(["version", "label", "soaks", "banes", "more_banes", *(each.key for each in QUESTIONS)])

    def clean_more_banes(self) -> list[str]:
        return words_in(self.cleaned_data["more_banes"])

    def answers(self) -> dict[str, Any]:
        """The settings as `services.save_kind` takes them. Only for a valid form."""
        said = self.cleaned_data
        plain = {each.key: said[each.key] for each in QUESTIONS}
        asked: dict[str, Any] = {key: said[key] for key in ("soaks", "felled") if key in said}
        named = {"label": " ".join(said["label"].split()), "like": self.like}
        return {**named, **plain, **asked, "banes": [*said["banes"], *said["more_banes"]], "open": said["open"]}

    def refuse(self, key: str, message: str) -> None:
        """Add an error from the rules to one setting's field."""
        self.add_error("more_banes" if key == "banes" else key if key in self.fields else None, message)
