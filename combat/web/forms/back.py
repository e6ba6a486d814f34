"""Undo, redo, and undo back to an entry of the log after showing what that undoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.commands import perform
from combat.history.entries import Entry
from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import CommandForm, posted

if TYPE_CHECKING:
    from campaigns.models import User
    from combat.commands.writing import Performed
    from combat.secrecy.access import Seen


@posted(name="back")
class BackForm(FieldsForm):
    """Undoes everything after an entry of the log; the entry itself stays."""

    fragment = "combat/forms/_back.html"
    title = _("Back to here")
    submit = _("Undo all of this")
    storyteller_only = True
    token = forms.CharField(max_length=12, widget=forms.HiddenInput)

    @property
    def after(self) -> tuple[Entry, ...]:
        """The entries that this undoes, newest first; empty if there is no such entry."""
        asked = self.value("token")
        entries = tuple(self.table.find_entries())
        place = next((number for number, entry in enumerate(entries) if entry.id == asked), 0)
        return tuple(entry for entry in entries[:place] if not entry.undone)

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Undo back to the entry."""
        data = self.cleaned_data
        return perform.undo_to(
            encounter_id=seen.encounter.pk,
            actor=actor,
            token=data["token"],
            expected_version=data["version"],
            key=data["key"],
        )


@posted(name="undo")
class UndoForm(CommandForm):
    """Undoes the last step, by one button."""

    also_outside = True

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        said = self.cleaned_data
        return perform.undo(
            encounter_id=seen.encounter.pk, actor=actor, expected_version=said["version"], key=said["key"]
        )


@posted(name="redo")
class RedoForm(CommandForm):
    """Redoes the last undone step, by one button."""

    also_outside = True

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        said = self.cleaned_data
        return perform.redo(
            encounter_id=seen.encounter.pk, actor=actor, expected_version=said["version"], key=said["key"]
        )
