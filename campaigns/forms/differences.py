"""Differences between a form and what somebody else saved in the meantime."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.choices import flatten_choices
from django.utils.translation import gettext as _

from campaigns.words import said

LONGEST_SHOWN = 1000


def differences(form: Any) -> list[str]:
    """The saved value of each field that differs from the submitted one, as “label: saved”.

    The form is bound, and its initial values are the saved ones.
    """
    lines = []
    for bound in form.visible_fields():
        initial = form.get_initial_for_field(bound.field, bound.name)
        saved = in_words(bound.field, bound.field.prepare_value(initial))
        if saved != in_words(bound.field, bound.value()):
            lines.append(_("%(label)s: %(saved)s") % {"label": said(bound.label), "saved": _short(saved)})
    return lines


def in_words(field: forms.Field, value: Any) -> str:
    """A field's value as the form shows it; "" for an empty one."""
    if isinstance(field, forms.BooleanField):
        return _("on") if value else _("off")
    choices: Iterable[tuple[object, object]] | None = getattr(field, "choices", None)
    if choices is not None:
        picked = ["" if each is None else str(each) for each in (value if isinstance(value, list) else [value])]
        named = [str(label) for key, label in flatten_choices(choices) if str(key) in picked]
        return ", ".join(named or picked)
    # Browsers use different line endings.
    lines = "" if value is None else str(value).strip().splitlines()
    return "; ".join(line.rstrip() for line in lines if line.strip())


def _short(text: str) -> str:
    return (text[:LONGEST_SHOWN] + "…") if len(text) > LONGEST_SHOWN else text or "—"
