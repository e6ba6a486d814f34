"""The field for an uploaded picture, which gives the redrawn picture rather than the file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import pictures

SECONDS_TO_DRAW = 5


def picture_field(*, scale: int | bool = True, **more: Any) -> forms.FileField:
    """A file field for a picture, which browsers scale down to `scale` pixels a side."""
    return forms.FileField(
        label=gettext_lazy("Picture"),
        help_text=gettext_lazy(
            "A JPEG, PNG or WebP picture. Your browser scales large photos down; without JavaScript, a file can have "
            "at most 2 MB."
        ),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp", "data-scale": scale}),
        error_messages={
            "required": gettext_lazy("Choose a picture first."),
            "empty": gettext_lazy("This file is empty. Choose another."),
        },
        **more,
    )


class DrawsPicture(forms.Form):
    """A form with a `picture`. `cleaned_data["picture"]` is redrawn to `fit`."""

    fit = pictures.PORTRAIT
    wait = 0
    """Seconds until the next upload is allowed; above 0, this one is rejected unread."""

    def clean_picture(self) -> bytes | None:
        sent = self.cleaned_data.get("picture")
        if sent is None:
            return None
        if sent.size > pictures.MOST_BYTES:
            size = filesizeformat(sent.size)
            raise ValidationError(_("This file is too large (%(size)s). Choose one of at most 2 MB.") % {"size": size})
        if self.wait:
            raise ValidationError(_("You uploaded several pictures in the last minute. Try again in a minute."))
        try:
            return pictures.redraw_in_turn(sent.read(), self.fit)
        except pictures.Busy as error:
            self.wait = SECONDS_TO_DRAW
            raise ValidationError(
                _("Too many pictures are being uploaded right now. Try again in a few seconds.")
            ) from error
        except pictures.TooLarge as error:
            most = {"most": error.most // 1_000_000}
            if error.most < pictures.MOST_PIXELS:
                sentence = _("In this format, a picture can have at most %(most)s megapixels. Save it as a plain JPEG.")
            else:
                sentence = _("This picture has more than %(most)s megapixels. Scale it down first.")
            raise ValidationError(sentence % most) from error
        except pictures.Unfit as error:
            raise ValidationError(
                _("This isn’t a JPEG, PNG or WebP picture, or it’s damaged. Choose another.")
            ) from error
