"""The desk's forms that are not commands: keyboard shortcuts and a fight's notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping
from campaigns.models import TEXT_LENGTH
from combat.desk import keys as desk_keys
from combat.desk.storage import Keys

KEY = "key_"


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """A group of actions, each with the field of its key."""

    label: Any
    fields: tuple[forms.BoundField, ...]


class KeysForm(KeepsTyping, forms.Form):
    """The key of each desk action, and whether keyboard shortcuts are enabled."""

    on = forms.BooleanField(
        label=_("Enable keyboard shortcuts"),
        required=False,
        help_text=_("Turn them off if they clash with your screen reader or voice control."),
    )

    def __init__(self, data: Any = None, *, keys: Keys, **more: Any) -> None:
        initial = {"on": keys.on} | {f"{KEY}{name}": key for name, key in keys.of.items()}
        super().__init__(data, initial=initial, **more)
        for action in desk_keys.ACTIONS:
            widget = forms.TextInput(
                attrs={"class": "key-field", "maxlength": 1, "autocomplete": "off", "autocapitalize": "none"}
            )
            self.fields[f"{KEY}{action.name}"] = forms.CharField(
                label=action.label, required=False, max_length=1, strip=True, widget=widget
            )

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        wanted = self._wanted()
        for name, key in wanted.items():
            if key and not desk_keys.is_key(key):
                self.add_error(f"{KEY}{name}", _now("Enter one letter, digit or symbol."))
        for key, actions in desk_keys.conflicts(wanted):
            names = " · ".join(str(action.label) for action in actions)
            sentence = _now("“{key}” is used more than once: {names}. Give each its own key.")
            self.add_error(f"{KEY}{actions[-1].name}", sentence.format(key=key, names=names))
        return said

    def _wanted(self) -> dict[str, str]:
        return {action.name: self.cleaned_data.get(f"{KEY}{action.name}") or "" for action in desk_keys.ACTIONS}

    @property
    def groups(self) -> Iterator[KeyGroup]:
        """The fields in groups, as drawn."""
        for label, actions in desk_keys.GROUPS:
            yield KeyGroup(label, tuple(self[f"{KEY}{action.name}"] for action in actions))

    def keys(self) -> Keys:
        """The keys as filled in."""
        return Keys(self._wanted(), self.cleaned_data["on"])


class NotesForm(KeepsTyping, forms.Form):
    """A Storyteller's notes on a fight, with the version they are based on."""

    text = forms.CharField(required=False, max_length=TEXT_LENGTH, strip=False)
    version = forms.IntegerField(min_value=0, required=False)
