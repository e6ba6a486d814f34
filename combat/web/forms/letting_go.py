"""A roll that only those who rolled see yet is shown to all."""

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
    """One press, or the page of whoever rolled by itself once the dice have landed."""

    fragment = ""
    entry = forms.CharField(max_length=12, widget=forms.HiddenInput)

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Carry it out."""
        return perform.let_go(encounter_id=seen.encounter.pk, actor=actor, token=self.cleaned_data["entry"])
