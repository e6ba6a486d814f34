"""The form of "Show": to whom, and whether on the wall too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import let_choose
from campaigns.models import Membership

EVERYONE, CHOSEN = "everyone", "chosen"


class ShowForm(forms.Form):
    """Everyone, or some of the players. The wall is for what everyone may read."""

    who = forms.ChoiceField(label=_("Show it to"), widget=forms.RadioSelect)
    to = forms.MultipleChoiceField(label=_("Players"), required=False, widget=forms.CheckboxSelectMultiple)
    wall = forms.BooleanField(
        label=_("On the wall screen too"),
        required=False,
        help_text=_("Only what everyone may read. It stays there until you take it off."),
    )

    def __init__(
        self, *args: Any, players: Sequence[Membership], only_everyone: bool, has_wall: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [(CHOSEN, _("Chosen players"))] if players and not only_everyone else []
        let_choose(self, "who", [(EVERYONE, _("Everyone at the table")), *choices])
        self.initial.setdefault("who", CHOSEN if choices else EVERYONE)
        let_choose(self, "to", [(str(each.pk), each.user.display_name) for each in players])
        if not choices:
            del self.fields["to"]
        if not has_wall:
            del self.fields["wall"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("who") == CHOSEN:
            if not data.get("to"):
                self.add_error("to", _("Choose at least one reader."))
            if data.get("wall"):
                self.add_error("wall", _("The wall screen shows only what everyone may read."))
        return data

    @property
    def everyone(self) -> bool:
        return str(self.cleaned_data["who"]) == EVERYONE

    @property
    def members(self) -> list[int]:
        return [int(each) for each in self.cleaned_data.get("to", ())]
