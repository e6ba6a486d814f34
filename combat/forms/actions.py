"""What a ruleset knows besides attacks and defences: an ambush, a fall, a way to go."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.forms.base import AboutSomebody
from rules.commands import Figure, TakeAction


class OwnActionForm(AboutSomebody):
    """One of the ruleset's own actions, by whom, at whom and how far."""

    title = _("Something else")
    submit = _("Do it")
    action = forms.ChoiceField(label=_("What"), widget=forms.RadioSelect(attrs={"class": "cards"}))
    at = forms.ChoiceField(label=_("Against"), required=False)
    distance = forms.IntegerField(label=_("Metres"), required=False, min_value=0, max_value=1000)
    as_action = forms.BooleanField(label=_("A leap or tumble: an action of its own"), required=False)

    def prepare(self) -> None:
        super().prepare()
        known = self.table.ruleset.actions
        self.fields["action"].choices = [(key, rule.label) for key, rule in known.items()]  # type: ignore[attr-defined]
        self.initial.setdefault("action", next(iter(known), ""))
        self.fields["at"].choices = [("", _("nobody")), *self.table.everybody()]  # type: ignore[attr-defined]
        if "move" not in known:
            del self.fields["distance"], self.fields["as_action"]

    def command(self) -> TakeAction:
        said = self.cleaned_data
        figures: dict[str, Figure] = {}
        if said.get("distance") is not None:
            figures["distance"] = said["distance"]
        if said.get("as_action"):
            figures["action"] = True
        return TakeAction(said["action"], said["who"], said["at"], figures=figures)
