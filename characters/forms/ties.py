"""Forms for ties."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.base import Choices, KeepsTyping, let_choose
from campaigns.models import PassageAudience
from characters.forms.fields import key_field
from characters.models import BoonSize, BoonState, TieKind
from characters.models.ties import TIE_LENGTH
from characters.tie_services import TieData


def _short_text(label: Any) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=TIE_LENGTH, widget=forms.Textarea(attrs={"rows": 2}))


class TieForm(KeepsTyping, forms.Form):
    """A tie. The caller sets what can be chosen."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    key = key_field()
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=TieKind.choices)
    first = forms.ChoiceField(label=gettext_lazy("Who"), help_text=gettext_lazy("In a boon, who owes it."))
    second = forms.ChoiceField(label=gettext_lazy("To whom"), help_text=gettext_lazy("Somebody, or a group."))
    text = _short_text(gettext_lazy("What it is to the first"))
    text_back = _short_text(gettext_lazy("What it is to the second"))
    size = forms.ChoiceField(
        label=gettext_lazy("Size of the boon"), required=False, choices=[("", "—"), *BoonSize.choices]
    )
    state = forms.ChoiceField(
        label=gettext_lazy("State of the boon"), required=False, choices=[("", "—"), *BoonState.choices]
    )
    since = forms.ChoiceField(label=gettext_lazy("Since"), required=False)
    ended = forms.ChoiceField(label=gettext_lazy("Ended"), required=False)
    audience = forms.ChoiceField(label=gettext_lazy("Who may read it"), widget=forms.RadioSelect)
    readers = forms.MultipleChoiceField(
        label=gettext_lazy("Chosen readers"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        *args: Any,
        ends: Choices,
        sessions: Choices,
        audiences: Collection[PassageAudience],
        readers: Sequence[tuple[str, str]],
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        for name in ("first", "second"):
            let_choose(self, name, [("", "—"), *ends])
        for name in ("since", "ended"):
            let_choose(self, name, [("", "—"), *sessions])
        let_choose(self, "audience", [(each.value, each.label) for each in audiences])
        let_choose(self, "readers", readers)
        if not readers:
            del self.fields["readers"]

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("first") and said.get("first") == said.get("second"):
            self.add_error("second", _("Choose two different ends."))
        if said.get("kind") == TieKind.BOON and not said.get("size"):
            self.add_error("size", _("Choose how much is owed."))
        if said.get("audience") == PassageAudience.CHOSEN and not said.get("readers"):
            self.add_error("readers" if "readers" in self.fields else "audience", _("Choose at least one reader."))
        return said

    def data_of(self) -> TieData:
        """The tie that was typed."""
        said = self.cleaned_data
        plain = ("kind", "first", "second", "text", "text_back", "size", "state", "audience", "since", "ended")
        return TieData(**{name: said[name] for name in plain}, readers=[int(each) for each in said.get("readers", ())])
