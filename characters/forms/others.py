"""A character's smaller forms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from campaigns.forms.base import KeepsTyping, name_field
from campaigns.forms.pictures import DrawsPicture, picture_field
from campaigns.models import User
from characters.forms.fields import key_field
from characters.forms.sheet_fields import notes_field, owner_field


class NotesForm(KeepsTyping, forms.Form):
    """The notes, with a concurrency token of their saved text."""

    notes = notes_field(gettext_lazy("Notes"))
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class PortraitForm(DrawsPicture):
    """A portrait upload. `cleaned_data["picture"]` is the redrawn picture, not the uploaded file."""

    picture = picture_field()


class CopyForm(KeepsTyping, forms.Form):
    """The name of a copy, and for Storytellers (`owners`) who plays it."""

    name = name_field(gettext_lazy("Name"))
    key = key_field()

    def __init__(self, *args: Any, owners: list[User] | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if owners is not None:
            self.fields["owner"] = owner_field(owners)


class HandOverForm(KeepsTyping, forms.Form):
    def __init__(self, *args: Any, owners: list[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"] = owner_field(owners)
