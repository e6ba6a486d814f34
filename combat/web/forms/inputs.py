"""Form fields for the inputs that commands, actions and circumstances declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django_stubs_ext import StrOrPromise

from campaigns.words import said_later
from combat.web.forms.base import line
from rules.engine.inputs import Want, Wanted

LONGEST_REFERENCE = 40
NOTHING = ("", "—")


def input_field(
    wanted: Wanted, *, needed: bool, people: Iterable[tuple[str, str]] = (), initial: Any = None, cards: bool = False
) -> forms.Field:
    """The form field of an input, optional unless `needed`.

    `people` are the combatants that can be chosen. With `cards` a required choice is drawn as radio cards, otherwise
    as a list.
    """
    label, help_text = said_later(wanted.label), said_later(wanted.help)
    common: dict[str, Any] = {"label": label, "help_text": help_text, "initial": initial, "required": needed}
    match wanted.kind:
        case Want.NUMBER if wanted.chart:
            numbers = [(str(number), _charted(number, wanted)) for number in range(wanted.least, wanted.most + 1)]
            return forms.TypedChoiceField(
                coerce=int, empty_value=None, choices=numbers if needed else [NOTHING, *numbers], **common
            )
        case Want.NUMBER:
            words = dict.fromkeys(("invalid", "min_value", "max_value"), said_later(wanted.limits))
            return forms.IntegerField(min_value=wanted.least, max_value=wanted.most, error_messages=words, **common)
        case Want.SWITCH:
            return forms.BooleanField(**{**common, "required": False})
        case Want.REFERENCE:
            return forms.CharField(max_length=LONGEST_REFERENCE, widget=forms.HiddenInput, **common)
        case Want.WORDS:
            field = line(label, required=needed, help_text=help_text)
            field.initial = initial
            return field
        case Want.CHOICE:
            choices: list[tuple[str, StrOrPromise]] = [(key, said_later(each)) for key, each in wanted.choices]
            if cards and needed:
                common["widget"] = forms.RadioSelect(attrs={"class": "cards"})
        case _:
            choices = [*people]
    return forms.ChoiceField(choices=choices if needed else [NOTHING, *choices], **common)


def _charted(number: int, wanted: Wanted) -> StrOrPromise:
    """A number of a chart, with what it stands for."""
    found = dict(wanted.chart).get(number)
    return format_lazy("{}: {}", number, said_later(found)) if found else str(number)
