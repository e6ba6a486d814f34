"""Forms for invitations and roles."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping
from campaigns.models import NAME_LENGTH, Role

LIFETIMES = ((1, _("an hour")), (24, _("a day")), (7 * 24, _("a week")), (30 * 24, _("thirty days")))


class InvitationForm(KeepsTyping, forms.Form):
    role = forms.ChoiceField(label=_("They join as"), choices=Role.choices, initial=Role.PLAYER)
    max_uses = forms.IntegerField(
        label=_("How many may use it"),
        min_value=1,
        max_value=50,
        initial=1,
        help_text=_("One link for the whole table: as many as you are."),
    )
    lifetime = forms.TypedChoiceField(label=_("It works for"), choices=LIFETIMES, coerce=int, initial=7 * 24)
    label = forms.CharField(
        label=_("For whom"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("A word to know it by. Only Storytellers see it."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("role") == Role.STORYTELLER and cleaned.get("max_uses", 1) != 1:
            self.add_error("max_uses", _("A link that makes a Storyteller works once: put 1 here."))
        return cleaned

    def expires(self, now: datetime) -> datetime:
        """When the invitation ends, counted from `now`. Only for a valid form."""
        return now + timedelta(hours=self.cleaned_data["lifetime"])


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
