"""The smaller forms about a character."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.base import KeepsTyping
from campaigns.models import User
from characters import portraits
from characters.forms.sheet_fields import notes_field, owner_field

SECONDS_TO_DRAW = 5


class NotesForm(KeepsTyping, forms.Form):
    """The notes alone, with a mark of what they were."""

    notes = notes_field(gettext_lazy("Notes"))
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class PortraitForm(forms.Form):
    """One picture. `cleaned_data["picture"]` is what is kept of it, not what was sent."""

    picture = forms.FileField(
        label=gettext_lazy("Picture"),
        help_text=gettext_lazy("At most 2 MB. A JPEG can have 16 megapixels, a PNG 12, a WebP 3. It is made small."),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        error_messages={
            "required": gettext_lazy("Choose a picture first."),
            "empty": gettext_lazy("This file is empty."),
        },
    )

    wait = 0
    """Seconds until the next picture may be sent; above 0 this one is not drawn."""

    def clean_picture(self) -> bytes:
        sent = self.cleaned_data["picture"]
        if sent.size > portraits.MOST_BYTES:
            size = filesizeformat(sent.size)
            raise ValidationError(_("This file has %(size)s: 2 MB are the most.") % {"size": size})
        if self.wait:
            raise ValidationError(_("You have sent several pictures within a minute. Send this one again in a minute."))
        try:
            return portraits.redraw_in_turn(sent.read())
        except portraits.Busy as error:
            self.wait = SECONDS_TO_DRAW
            raise ValidationError(_("Others are sending pictures, too. Send yours again in a few seconds.")) from error
        except portraits.TooLarge as error:
            most = {"most": error.most // 1_000_000}
            if error.most < portraits.MOST_PIXELS:
                sentence = _("In this format a picture can have at most %(most)s megapixels: save it as a plain JPEG.")
            else:
                sentence = _("This picture has more than %(most)s megapixels: make it smaller first.")
            raise ValidationError(sentence % most) from error
        except portraits.Unfit as error:
            raise ValidationError(_("This is no JPEG, PNG or WebP picture, or it is broken.")) from error


class HandOverForm(KeepsTyping, forms.Form):
    def __init__(self, *args: Any, owners: list[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"] = owner_field(owners)
