"""The fields of a character's identity, generated from the ruleset's layout: `detail-clan`."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from characters.forms.fields import one_line
from characters.forms.sheet_fields import Fields, notes_field
from characters.models import Character
from rules.model.entries import LONGEST_DETAIL, LONGEST_TEXT, Detail
from rules.model.system import System


class LinesField(forms.CharField):
    """A few entries, one per line. Blank lines are dropped."""

    def __init__(self, *, lines: int, **more: Any) -> None:
        super().__init__(required=False, **more)
        self.lines = lines

    def to_python(self, value: Any) -> str:
        typed = (line.strip() for line in str(super().to_python(value) or "").splitlines())
        return "\n".join(line for line in typed if line)

    def validate(self, value: str) -> None:
        super().validate(value)
        lines = value.splitlines()
        if len(lines) > self.lines:
            raise ValidationError(_now("Enter at most %(most)s lines.") % {"most": self.lines})
        if any(len(line) > LONGEST_DETAIL for line in lines):
            raise ValidationError(_now("Lines can have at most %(most)s characters.") % {"most": LONGEST_DETAIL})


def detail_name(detail: Detail) -> str:
    return f"detail-{detail.key}"


def suggestions_of(detail: Detail) -> str:
    """The id of the list of suggestions, "" for a detail without any."""
    return f"known-{detail.key}" if detail.known else ""


def detail_fields(ruleset: System, kind: str, character: Character | None) -> Fields:
    """Fields for all details; those that the kind of creature lacks are hidden."""
    layout, there = ruleset.layout, character.details if character else {}
    mine = set(layout.details_for(kind, there))
    fields: Fields = {}
    for detail in layout.details:
        if detail.own and detail not in mine:
            continue
        field = _field(detail)
        if detail not in mine:
            field.widget = forms.HiddenInput()
        field.initial = there.get(detail.key, "")
        fields[detail_name(detail)] = field
    return fields


def _field(detail: Detail) -> forms.CharField:
    label = said(detail.label)
    if detail.long:
        return notes_field(label, length=LONGEST_TEXT)
    if detail.lines > 1:
        rows = forms.Textarea(attrs={"rows": 3})
        return LinesField(label=label, lines=detail.lines, widget=rows, help_text=_("One per line."))
    attributes = {"list": suggestions_of(detail)} if detail.known else {}
    return one_line(label, widget=forms.TextInput(attrs={"autocomplete": "off"} | attributes))


def details_of(ruleset: System, data: dict[str, Any], character: Character | None) -> dict[str, str]:
    """The filled-in details, and those saved that the layout doesn't have."""
    layout = ruleset.layout
    typed = {detail.key: data[name] for detail in layout.details if (name := detail_name(detail)) in data}
    saved = character.details if character else {}
    foreign = {key: text for key, text in saved.items() if key not in typed}
    return foreign | {key: text for key, text in typed.items() if text}
