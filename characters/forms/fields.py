"""Form fields with plain error messages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from campaigns.forms.base import NameField
from campaigns.models import NAME_LENGTH


def number_in(text: str, digits: int = 3) -> int | None:
    """The number that a typed text is, with so many digits at most; None for anything else.

    For what no form checks. Python refuses to read numbers of thousands of digits.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def key_field() -> forms.CharField:
    """The hidden idempotency key of a form, so that pressing twice does it once."""
    return forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


def one_line(label: Any, *, required: bool = False, **more: Any) -> forms.CharField:
    """A short single-line text."""
    return NameField(
        label=label,
        required=required,
        max_length=NAME_LENGTH,
        validators=[RegexValidator(r"^[^\r\n\t]*\Z", _("Use a single line."))],
        error_messages={"max_length": _("Use at most %(limit_value)d characters. This has %(show_value)d.")},
        **more,
    )
