"""Forms for invitations and roles."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, let_choose
from campaigns.models import NAME_LENGTH, Membership, Role

LIFETIMES = ((1, _("an hour")), (24, _("a day")), (7 * 24, _("a week")), (30 * 24, _("30 days")))


class InvitationForm(KeepsTyping, forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.PLAYER)
    max_uses = forms.IntegerField(
        label=_("Number of uses"),
        min_value=1,
        max_value=50,
        initial=1,
        help_text=_("To use one link for the whole table, enter the number of players."),
    )
    lifetime = forms.TypedChoiceField(label=_("Valid for"), choices=LIFETIMES, coerce=int, initial=7 * 24)
    label = forms.CharField(
        label=_("Label"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("Helps you tell invitations apart. Only Storytellers see it."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("role") == Role.STORYTELLER and cleaned.get("max_uses", 1) != 1:
            self.add_error("max_uses", _("A Storyteller invitation can only be used once. Enter 1."))
        return cleaned

    def expires(self, now: datetime) -> datetime:
        """When the invitation expires, counted from `now`. Only for a valid form."""
        return now + timedelta(hours=self.cleaned_data["lifetime"])


class PlaceInvitationForm(KeepsTyping, forms.Form):
    """An invitation to take an open place: it works once, and gives the place's role."""

    lifetime = forms.TypedChoiceField(label=_("Valid for"), choices=LIFETIMES, coerce=int, initial=7 * 24)

    def expires(self, now: datetime) -> datetime:
        """When the invitation expires, counted from `now`. Only for a valid form."""
        return now + timedelta(hours=self.cleaned_data["lifetime"])


class GivePlaceForm(KeepsTyping, forms.Form):
    """Chooses the member who gets an open place."""

    member = forms.ChoiceField(label=_("Member"), widget=forms.RadioSelect)

    def __init__(self, data: Any = None, *, members: Iterable[Membership]) -> None:
        super().__init__(data)
        let_choose(self, "member", [(str(each.pk), _named(each)) for each in members])


def _named(member: Membership) -> str:
    return f"{member.user.display_name} ({member.get_role_display()})"


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
