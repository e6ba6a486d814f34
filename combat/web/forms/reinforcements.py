"""Forms for reinforcements: preparing one, and bringing one in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, name_field
from campaigns.models import User
from campaigns.tokens import new_key
from combat.commands import reinforcements
from combat.commands.newcomers import Shown
from combat.commands.reinforcements import Prepared
from combat.commands.writing import Performed
from combat.models import Reinforcement
from combat.secrecy.access import Seen
from combat.web.forms.base import FieldsForm, called
from combat.web.forms.cast import SHOWN
from combat.web.forms.commanding import posted
from combat.web.forms.groups import SIDES

MOST_GROUPS = 10
MOST_LETTERS = 100
"""Maximum length of a line, as in quick add."""


class ReinforcementForm(KeepsTyping, forms.Form):
    """A group that waits outside the fight. `makes` is an unknown name that the form offers to create."""

    label = name_field(_("Name"), help_text=_("Only Storytellers see it."))
    words = forms.CharField(
        label=_("Who"),
        max_length=MOST_GROUPS * (MOST_LETTERS + 2),
        help_text=_(
            "A line for each, as in quick add: “3 thugs, clubs”. A ? at the end of a line hides them from players."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )
    hidden = forms.BooleanField(label=_("Hide all of them from players"), required=False)
    mask = called(_("Mask"), help_text=_("The name that players see."), most=60)
    health_shown = forms.ChoiceField(label=_("Health"), choices=SHOWN, required=False)
    side = forms.ChoiceField(label=_("Side"), choices=[("", _("default")), *SIDES.items()], required=False)
    key = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    makes = ""

    def __init__(self, data: Any = None, *, row: Reinforcement | None = None) -> None:
        names = ("label", "words", "hidden", "mask", "health_shown", "side", "version")
        initial = {name: getattr(row, name) for name in names} if row else {"key": new_key()}
        super().__init__(data, initial=initial, auto_id="id_reinforcement_%s")  # quick add has an id_words

    @property
    def agreed(self) -> list[str]:
        """The names of unknown characters that the user agreed to create."""
        given = self.data.getlist("plain") if hasattr(self.data, "getlist") else []
        return [name[:MOST_LETTERS] for name in given[:MOST_GROUPS]]

    def clean_words(self) -> str:
        lines = [line.strip() for line in str(self.cleaned_data["words"]).splitlines() if line.strip()]
        if len(lines) > MOST_GROUPS:
            raise forms.ValidationError(_now("Enter at most %(most)s lines.") % {"most": MOST_GROUPS})
        if any(len(line) > MOST_LETTERS for line in lines):
            raise forms.ValidationError(_now("Lines can have at most %(most)s characters.") % {"most": MOST_LETTERS})
        return "\n".join(lines)

    def prepared(self) -> Prepared:
        """The reinforcement of a valid form."""
        said = self.cleaned_data
        shown = Shown(said["hidden"], said["mask"], said["health_shown"], said["side"])
        return Prepared(said["label"], said["words"], shown)


@posted(name="bring-in")
class BringInForm(FieldsForm):
    """Brings in a reinforcement, by one button."""

    fragment = ""
    storyteller_only = True
    reinforcement = forms.CharField(max_length=12)

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Let them join the fight."""
        said = self.cleaned_data
        return reinforcements.bring_in(
            encounter_id=seen.encounter.pk,
            actor=actor,
            row_id=said["reinforcement"],
            key=said["key"],
            sent=self.sent,
        )
