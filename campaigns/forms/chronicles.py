"""Forms for a chronicle."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from campaigns import rulesets
from campaigns.forms.base import KeepsTyping, name_field
from campaigns.models import TEXT_LENGTH, Chronicle

MARKDOWN_HELP = _("Markdown: *emphasis*, **strong**, # heading, - list, [words](https://address).")


def long_text(label: Any, *, rows: int = 8) -> forms.CharField:
    """An optional Markdown field."""
    return forms.CharField(
        label=label,
        required=False,
        max_length=TEXT_LENGTH,
        help_text=MARKDOWN_HELP,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


def _described_rulesets() -> list[tuple[str, str]]:
    described = rulesets.described()
    return [(key, format_html("<span>{} <small>{}</small></span>", name, what)) for key, name, what in described]


class NewChronicleForm(KeepsTyping, forms.Form):
    name = name_field(_("Name"), help_text=_("What your table calls this chronicle."))
    ruleset = forms.ChoiceField(
        label=_("Ruleset"),
        choices=_described_rulesets,
        widget=forms.RadioSelect(attrs={"class": "cards rulesets"}),
        help_text=_("You can’t change it later."),
    )
    description = long_text(_("Description"))


class ChronicleForm(KeepsTyping, forms.ModelForm[Chronicle]):
    version = forms.IntegerField(widget=forms.HiddenInput)
    name = name_field(_("Name"))
    description = long_text(_("Description"), rows=14)

    class Meta:
        model = Chronicle
        fields = ("name", "description")


class DeleteChronicleForm(KeepsTyping, forms.Form):
    typed_name = forms.CharField(label=_("The chronicle’s name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chronicle_name = name

    def clean_typed_name(self) -> str:
        typed = str(self.cleaned_data["typed_name"])
        # Compared as shown: browsers collapse runs of spaces.
        if typed.split() != self.chronicle_name.split():
            raise forms.ValidationError(_("The name doesn’t match. Type it exactly as shown above."))
        return typed
