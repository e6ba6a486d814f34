"""Fields that answer what cannot be in a sentence."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from campaigns.models import NAME_LENGTH


def number(
    label: str, least: int, most: int | None = None, *, required: bool = True, placeholder: Any = "", **more: Any
) -> forms.IntegerField:
    """A whole number to type. A text control, because a number one would swallow what is no number."""
    limits = _("from %(least)s to %(most)s") if most is not None else _("%(least)s or more")
    attributes = {"inputmode": "numeric" if least >= 0 else "text", "autocomplete": "off"}
    if placeholder:
        attributes["placeholder"] = placeholder
    field = forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        required=required,
        widget=forms.TextInput(attrs=attributes),
        **more,
    )
    # From here on limits stand in sentences and not in attributes of the control, where browsers say them their way.
    known = {"label": label, "limits": limits % {"least": least, "most": most}}
    field.error_messages |= {
        "invalid": _("%(label)s is a whole number, %(limits)s.") % known,
        "required": _("%(label)s is a whole number, %(limits)s.") % known,
    }
    for limit in field.validators:
        if getattr(limit, "code", "") == "max_value":
            limit.message = _("%(label)s has %(most)s at the most.") % (known | {"most": most})
        elif getattr(limit, "code", "") == "min_value":
            limit.message = _("%(label)s has %(least)s at the least.") % (known | {"least": least})
    for attribute in ("min", "max"):
        field.widget.attrs.pop(attribute, None)
    return field


def one_line(label: Any, *, required: bool = False, **more: Any) -> forms.CharField:
    """A short text in one line."""
    return forms.CharField(
        label=label,
        required=required,
        max_length=NAME_LENGTH,
        validators=[RegexValidator(r"^[^\r\n\t]*\Z", _("This is one line."))],
        error_messages={"max_length": _("This has %(limit_value)d letters at the most; it has %(show_value)d.")},
        **more,
    )
