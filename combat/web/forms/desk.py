"""The forms of the desk that are no commands: its keys, and a fight's notes."""

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
    """Actions that stand together, each with the field of its key."""

    label: Any
    fields: tuple[forms.BoundField, ...]


class KeysForm(KeepsTyping, forms.Form):
    """A key for each action of the desk, and whether keys do anything at all."""

    on = forms.BooleanField(
        label=_("Keys do something"),
        required=False,
        help_text=_("Switch them off where a screen reader or speech types for you."),
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
                self.add_error(f"{KEY}{name}", _now("A key is one letter, figure or sign."))
        for key, actions in desk_keys.conflicts(wanted):
            names = " · ".join(str(action.label) for action in actions)
            sentence = _now("“{key}” would do more than one thing: {names}. Give each a key of its own.")
            self.add_error(f"{KEY}{actions[-1].name}", sentence.format(key=key, names=names))
        return said

    def _wanted(self) -> dict[str, str]:
        return {action.name: self.cleaned_data.get(f"{KEY}{action.name}") or "" for action in desk_keys.ACTIONS}

    @property
    def groups(self) -> Iterator[KeyGroup]:
        """The fields as they are drawn."""
        for label, actions in desk_keys.GROUPS:
            yield KeyGroup(label, tuple(self[f"{KEY}{action.name}"] for action in actions))

    def keys(self) -> Keys:
        """What was filled in."""
        return Keys(self._wanted(), self.cleaned_data["on"])


class NotesForm(KeepsTyping, forms.Form):
    """What Storytellers jot down during a fight."""

    text = forms.CharField(required=False, max_length=TEXT_LENGTH, strip=False)
    version = forms.IntegerField(min_value=0, required=False)
