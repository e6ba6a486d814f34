"""Quick add: adds combatants from a few words, such as “3 thugs, clubs”."""

from __future__ import annotations

from django import forms

from campaigns.models import User
from combat.commands import drafts
from combat.commands.writing import Performed, change
from combat.desk.quick_find import Making, meant
from combat.secrecy.access import Seen
from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted


@posted(name="add")
class QuickAddForm(FieldsForm):
    """The words, and (`plain`) the name of the unknown character that the user agreed to create."""

    fragment = "combat/desk/_quick_add.html"
    storyteller_only = True
    words = forms.CharField(required=False, max_length=100)
    plain = forms.CharField(required=False, max_length=100)

    makes = ""
    """The unknown name that the form offers to create."""

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Add them to the fight. An unknown character is created only after confirmation."""
        said, making = self.cleaned_data, Making(seen.membership, {self.cleaned_data["plain"]})
        try:
            # Looked up under the lock, so that a repeated press can't create the same character twice.
            with change(seen.encounter.pk) as encounter:
                wanted = [meant(encounter, said["words"], making)]
                how = {"encounter_id": encounter.pk, "actor": actor, "key": said["key"], "sent": self.sent}
                return drafts.add_wanted(wanted=wanted, **how)
        finally:
            self.makes = making.offers
