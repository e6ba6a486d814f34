"""The smaller forms about a character."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.forms.base import KeepsTyping
from campaigns.models import User
from characters.forms.sheet import notes_field, owner_field


class NotesForm(KeepsTyping, forms.Form):
    """The notes alone, with a mark of what they were."""

    notes = notes_field("Notes")
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class HandOverForm(KeepsTyping, forms.Form):
    def __init__(self, *args: Any, owners: list[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"] = owner_field(owners)
