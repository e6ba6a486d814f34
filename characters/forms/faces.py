"""Forms for faces and for who has met whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.base import KeepsTyping, NameField
from campaigns.forms.chronicles import long_text
from campaigns.models import NAME_LENGTH
from characters.face_services import EVERYONE

_MET, _NAME = "met-", "name-"
ALL = "everyone"
"""Stands for everyone in the names of fields."""


class FaceForm(KeepsTyping, forms.Form):
    """What those who met an NPC see, and for each of them (`people`: ids and names) whether they did, and as whom."""

    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    text = long_text(gettext_lazy("What they see"))
    with_portrait = forms.BooleanField(label=gettext_lazy("Show the portrait"), required=False)

    def __init__(self, *args: Any, people: Iterable[tuple[str, str]], met: Mapping[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.people = [(EVERYONE, _("Everyone at the table")), *people]
        for who, name in self.people:
            key = who or ALL
            self.fields[_MET + key] = forms.BooleanField(label=name, required=False, initial=who in met)
            self.fields[_NAME + key] = NameField(
                label=_("Name known to %(who)s") % {"who": name},
                required=False,
                max_length=NAME_LENGTH,
                initial=met.get(who, ""),
                widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": _("its own name")}),
            )

    @property
    def rows(self) -> list[tuple[Any, Any]]:
        """For each who may have met the NPC, the fields for whether they did and for the name."""
        return [(self[_MET + (who or ALL)], self[_NAME + (who or ALL)]) for who, _name in self.people]

    def met(self) -> dict[str, str]:
        """Who has met the NPC, and under which name."""
        said = self.cleaned_data
        return {who: said[_NAME + (who or ALL)] for who, _name in self.people if said[_MET + (who or ALL)]}
