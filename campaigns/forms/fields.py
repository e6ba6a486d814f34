"""Form fields that several apps use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import BaseValidator, MaxValueValidator, MinValueValidator
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise


def _fill(text: StrOrPromise, values: Mapping[str, object]) -> str:
    return str(text) % values


_filled = lazy(_fill, str)
"""Lazy interpolation, because some fields are created before the reader's language is known."""


def number(
    label: Any, least: int, most: int | None = None, *, required: bool = True, placeholder: Any = "", **more: Any
) -> forms.IntegerField:
    """An integer field. It uses a text input, because a number input discards invalid text instead of keeping it."""
    attributes = {"inputmode": "numeric" if least >= 0 else "text", "autocomplete": "off"}
    if placeholder:
        attributes["placeholder"] = placeholder
    if most is None:
        whole = _filled(_("Enter a whole number, at least %(least)s."), {"least": least})
    else:
        whole = _filled(_("Enter a whole number from %(least)s to %(most)s."), {"least": least, "most": most})
    return forms.IntegerField(
        label=label,
        required=required,
        widget=forms.TextInput(attrs=attributes),
        validators=_limits(least, most, whole),
        error_messages={"invalid": whole, "required": whole},
        **more,
    )


def _limits(least: int, most: int | None, message: str) -> list[BaseValidator]:
    at_least = MinValueValidator(least, message)
    return [at_least] if most is None else [at_least, MaxValueValidator(most, message)]
