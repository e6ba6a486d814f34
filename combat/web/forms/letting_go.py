"""Releases a held roll, which only those who rolled have seen so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from combat.commands import perform
from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted

if TYPE_CHECKING:
    from campaigns.models import User
    from combat.commands.writing import Performed
    from combat.secrecy.access import Seen


@posted(name="let-go")
class LetGoForm(FieldsForm):
    """Sent by a button, or by the roller's page once the dice have landed."""

    fragment = ""
    entry = forms.CharField(max_length=12, widget=forms.HiddenInput)

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Release the roll."""
        return perform.let_go(encounter_id=seen.encounter.pk, actor=actor, token=self.cleaned_data["entry"])
