"""The forms of the page on which a character is brought in: the file, then the confirmation of its preview."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import KeepsTyping, name_field
from campaigns.models import User
from characters.forms.fields import key_field
from characters.forms.sheet_fields import owner_field
from characters.incoming.packing import MOST_BYTES, MOST_PACKED, pack


class CharacterFileForm(forms.Form):
    """The file. `cleaned_data["file"]` is its content."""

    file = forms.FileField(
        label=_("File"),
        error_messages={"required": _("Choose a file first."), "empty": _("This file is empty. Choose another.")},
    )

    def __init__(self, *args: Any, accept: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["accept"] = accept

    def clean_file(self) -> bytes:
        content: bytes = self.cleaned_data["file"].read(MOST_BYTES + 1)
        if not pack(content):
            raise forms.ValidationError(_("This file is too large for a single character. Choose another."))
        return content


class ArrivalForm(KeepsTyping, forms.Form):
    """Confirms the preview of the file, which is inside: the name, and for Storytellers who plays it (`owners`).

    `left_out` asks for a word if some of it doesn't fit into the notes.
    """

    name = name_field(_("Name"))
    leave_out = forms.BooleanField(
        label=_("Create the character without what doesn’t fit"),
        error_messages={"required": _("Tick this to go on, or shorten the texts in Foundry and export again.")},
    )
    packed = forms.CharField(required=False, max_length=MOST_PACKED, widget=forms.HiddenInput)
    key = key_field()

    def __init__(self, *args: Any, owners: list[User] | None, left_out: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if owners is not None:
            self.fields["owner"] = owner_field(owners)
        if not left_out:
            del self.fields["leave_out"]

    def _shorten(self) -> None:
        """Keep the file whole, however long it is; names can't be."""
        packed = self.data.get("packed", "")
        super()._shorten()
        self.data["packed"] = packed
