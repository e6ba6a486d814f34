"""The Storyteller's words: the narration of a result, and messages to single players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from combat.history.openings import openings
from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.topics.commands import Describe, Narrate

LONGEST = 2000


@posted(Narrate)
class NarrateForm(FieldsForm):
    """Sets an entry's narration. A picked opening is copied into the text, to be edited there."""

    fragment = "combat/forms/_narrate.html"
    title = _("Narrate")
    submit = _("Tell the table")
    storyteller_only = True
    resolution = forms.CharField(max_length=12, widget=forms.HiddenInput)
    opening = forms.ChoiceField(
        label=_("Openings"), required=False, widget=forms.RadioSelect(attrs={"class": "cards openings"})
    )
    text = forms.CharField(
        label=_("Text shown to everyone"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4, "autofocus": True, "data-begun-by": "opening"}),
    )

    def prepare(self) -> None:
        asked = self.value("resolution")
        past, _since = self.table.look_back(asked)
        offered = openings(past, self.table.ruleset) if past else ()
        self.let_choose("opening", [(each, each) for each in offered])
        if not offered:
            del self.fields["opening"]
        told = (each for each in self.view.log.entries if getattr(each, "resolution", "") == asked and asked)
        self.initial.setdefault("text", next((each.narration for each in told if not each.undone), ""))

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        data["text"] = data.get("text") or data.get("opening") or ""
        if not data["text"] and "text" not in self.errors:
            self.add_error("text", _now("Write something or pick an opening."))
        return data

    def command(self) -> Narrate:
        return Narrate(self.cleaned_data["resolution"], self.cleaned_data["text"])


@posted(Describe)
class DescribeForm(FieldsForm):
    """Sends a private message to the players of some characters."""

    title = _("Private message")
    submit = _("Send")
    help = _(
        "Only you and the players of the chosen characters see it, at once and until your next message. An empty "
        "message removes it."
    )
    storyteller_only = True
    text = forms.CharField(
        label=_("What they see, feel or know"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4, "autofocus": True}),
    )
    to = forms.MultipleChoiceField(label=_("Who sees it"), widget=forms.CheckboxSelectMultiple)

    def prepare(self) -> None:
        played = [(who, name) for who, name in self.table.everybody() if self.table.state.combatants[who].player]
        self.let_choose("to", played)
        if len(played) == 1:
            self.initial.setdefault("to", played[0][0])

    def command(self) -> Describe:
        return Describe(tuple(self.cleaned_data["to"]), self.cleaned_data["text"])
