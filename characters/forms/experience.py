"""Forms of experience: awards, requests, answers and corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.base import KeepsTyping, NameField, let_choose
from campaigns.models import NAME_LENGTH
from characters.experience import MOST_AMOUNT
from characters.models.experience import REASON_LENGTH

OWN = "own"
"""The choice of a reason in one's own words."""


def key_field() -> forms.CharField:
    """The idempotency key."""
    return forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)


class RaiseForm(KeepsTyping, forms.Form):
    """A Trait or a list of the sheet with the name of an entry, the new dots, and the words of the price."""

    trait = forms.CharField(max_length=NAME_LENGTH, widget=forms.HiddenInput)
    entry = NameField(label=gettext_lazy("Name"), max_length=NAME_LENGTH, required=False)
    to = forms.IntegerField(min_value=1, max_value=100)
    words = forms.CharField(max_length=NAME_LENGTH, required=False)
    key = key_field()


class OtherForm(KeepsTyping, forms.Form):
    """Something that is neither a Trait nor in a list, and its price in whole points."""

    what = NameField(label=gettext_lazy("What"), max_length=REASON_LENGTH)
    points = forms.IntegerField(label=gettext_lazy("Price"), min_value=0, max_value=1000)
    key = key_field()


class AwardForm(KeepsTyping, forms.Form):
    """Who gets how much, and why: a reason from the chronicle's list, or one's own with an amount."""

    to = forms.MultipleChoiceField(
        label=gettext_lazy("Characters"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one character.")},
    )
    reason = forms.ChoiceField(label=gettext_lazy("Reason"))
    words = NameField(label=gettext_lazy("Your own reason"), max_length=REASON_LENGTH, required=False)
    amount = forms.IntegerField(
        label=gettext_lazy("Amount"),
        min_value=1,
        max_value=MOST_AMOUNT,
        required=False,
        help_text=gettext_lazy("Empty for the amount in the list."),
    )
    key = key_field()

    def __init__(
        self,
        data: Any = None,
        *,
        cast: Sequence[tuple[str, str]],
        reasons: Sequence[tuple[str, int]],
        chosen: Sequence[str],
        labels: Sequence[str],
        unit: str,
    ) -> None:
        super().__init__(data, initial={"to": list(chosen)})
        self._reasons = list(reasons)
        let_choose(self, "to", cast)
        listed = [(str(place), label) for place, label in enumerate(labels)]
        let_choose(self, "reason", [*listed, (OWN, _("Your own reason"))])
        self.fields["amount"].label = _("Amount in %(unit)s") % {"unit": unit}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        chosen = data.get("reason")
        if chosen == OWN:
            if not data.get("words") and "words" not in self.errors:
                self.add_error("words", _("Enter a reason."))
            if not data.get("amount") and "amount" not in self.errors:
                self.add_error("amount", _("Enter an amount."))
        elif chosen:
            reason, amount = self._reasons[int(chosen)]
            data["words"], data["amount"] = data.get("words") or reason, data.get("amount") or amount
        return data


class AnswerForm(KeepsTyping, forms.Form):
    """A note with the answer to a request."""

    note = NameField(label=gettext_lazy("Note"), max_length=REASON_LENGTH, required=False)


class CorrectionForm(KeepsTyping, forms.Form):
    """An amount to add or, below zero, to take, with the reason."""

    amount = forms.IntegerField(
        label=gettext_lazy("Amount"),
        min_value=-MOST_AMOUNT,
        max_value=MOST_AMOUNT,
        help_text=gettext_lazy("Below zero to take away."),
    )
    reason = NameField(label=gettext_lazy("Reason"), max_length=REASON_LENGTH)
    key = key_field()

    def __init__(self, data: Any = None, *, unit: str, **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["amount"].label = _("Amount in %(unit)s") % {"unit": unit}

    def clean_amount(self) -> int:
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise forms.ValidationError(_("Enter a number other than 0."))
        return amount
