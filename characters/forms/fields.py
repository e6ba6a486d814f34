"""Fields that answer what cannot be in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import BaseValidator, MaxValueValidator, MinValueValidator, RegexValidator
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from campaigns.forms.base import NameField
from campaigns.models import NAME_LENGTH


def _fill(text: StrOrPromise, values: Mapping[str, object]) -> str:
    return str(text) % values


_filled = lazy(_fill, str)
"""A sentence with its values, put together when it is read: these fields are also made before there is a reader."""


def number(
    label: Any, least: int, most: int | None = None, *, required: bool = True, placeholder: Any = "", **more: Any
) -> forms.IntegerField:
    """A whole number to type. A text control, because a number one would swallow what is no number."""
    limits = _("from %(least)s to %(most)s") if most is not None else _("%(least)s or more")
    attributes = {"inputmode": "numeric" if least >= 0 else "text", "autocomplete": "off"}
    if placeholder:
        attributes["placeholder"] = placeholder
    bounds = {"least": least, "most": most}
    whole = _filled(_("%(label)s is a whole number, %(limits)s."), {"label": label, "limits": _filled(limits, bounds)})
    return forms.IntegerField(
        label=label,
        required=required,
        widget=forms.TextInput(attrs=attributes),
        validators=_limits(label, least, most),
        error_messages={"invalid": whole, "required": whole},
        **more,
    )


def _limits(label: Any, least: int, most: int | None) -> list[BaseValidator]:
    too_few = _filled(_("%(label)s has %(least)s at the least."), {"label": label, "least": least})
    if most is None:
        return [MinValueValidator(least, too_few)]
    too_many = _filled(_("%(label)s has %(most)s at the most."), {"label": label, "most": most})
    return [MinValueValidator(least, too_few), MaxValueValidator(most, too_many)]


def one_line(label: Any, *, required: bool = False, **more: Any) -> forms.CharField:
    """A short text in one line."""
    return NameField(
        label=label,
        required=required,
        max_length=NAME_LENGTH,
        validators=[RegexValidator(r"^[^\r\n\t]*\Z", _("This is one line."))],
        error_messages={"max_length": _("This has %(limit_value)d letters at the most; it has %(show_value)d.")},
        **more,
    )
