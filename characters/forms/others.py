"""A character's smaller forms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.base import KeepsTyping, name_field
from campaigns.models import User
from characters import portraits
from characters.forms.fields import key_field
from characters.forms.sheet_fields import notes_field, owner_field

SECONDS_TO_DRAW = 5


class NotesForm(KeepsTyping, forms.Form):
    """The notes, with a concurrency token of their saved text."""

    notes = notes_field(gettext_lazy("Notes"))
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class PortraitForm(forms.Form):
    """A portrait upload. `cleaned_data["picture"]` is the redrawn picture, not the uploaded file."""

    picture = forms.FileField(
        label=gettext_lazy("Picture"),
        help_text=gettext_lazy(
            "A JPEG, PNG or WebP picture. Your browser scales large photos down; without JavaScript, a file can have "
            "at most 2 MB."
        ),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp", "data-scale": True}),
        error_messages={
            "required": gettext_lazy("Choose a picture first."),
            "empty": gettext_lazy("This file is empty. Choose another."),
        },
    )

    wait = 0
    """Seconds until the next upload is allowed; above 0, this one is rejected unread."""

    def clean_picture(self) -> bytes:
        sent = self.cleaned_data["picture"]
        if sent.size > portraits.MOST_BYTES:
            size = filesizeformat(sent.size)
            raise ValidationError(_("This file is too large (%(size)s). Choose one of at most 2 MB.") % {"size": size})
        if self.wait:
            raise ValidationError(_("You uploaded several pictures in the last minute. Try again in a minute."))
        try:
            return portraits.redraw_in_turn(sent.read())
        except portraits.Busy as error:
            self.wait = SECONDS_TO_DRAW
            raise ValidationError(
                _("Too many pictures are being uploaded right now. Try again in a few seconds.")
            ) from error
        except portraits.TooLarge as error:
            most = {"most": error.most // 1_000_000}
            if error.most < portraits.MOST_PIXELS:
                sentence = _("In this format, a picture can have at most %(most)s megapixels. Save it as a plain JPEG.")
            else:
                sentence = _("This picture has more than %(most)s megapixels. Scale it down first.")
            raise ValidationError(sentence % most) from error
        except portraits.Unfit as error:
            raise ValidationError(
                _("This isn’t a JPEG, PNG or WebP picture, or it’s damaged. Choose another.")
            ) from error


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
