"""The house rules form, generated from the ruleset's options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from campaigns import conduct, rulesets
from campaigns.forms.base import KeepsTyping
from campaigns.words import said
from rules.model.options import LONGEST_LINE, Rows

# Keyboards and word processors produce three different minus signs.
DASHES = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2014": "-"})
NO_PENALTY = "-"
_LEVEL = re.compile(r"^(?P<name>.*?\S)\s+(?P<penalty>[-+]?\d{1,2})$")
MOST_LEVELS = 30
LONGEST_LEVEL_NAME = 30


class LinesField(forms.CharField):
    """A list of text lines. The ruleset parses each and validates the whole."""

    widget = forms.Textarea(attrs={"rows": 5, "spellcheck": "false"})

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else "\n".join(self.written(value))

    def written(self, value: Iterable[str]) -> Iterable[str]:
        """The stored value as lines of text."""
        return value

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        # Text validators run here, because the cleaned value is a list.
        super().run_validators(text)
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        for number, line in enumerate(lines, start=1):
            if len(line) > LONGEST_LINE:
                message = _("Line %(number)d is too long. Lines can have at most %(most)d characters.")
                raise forms.ValidationError(message % {"number": number, "most": LONGEST_LINE})
        return lines

    def run_validators(self, value: Any) -> None:
        """Already run on the text."""


class LevelsField(LinesField):
    """A table of health levels, one per line: the name, then the penalty.

    The last line needs no penalty, because nobody can act there. In other lines a dash means the same.
    """

    widget = forms.Textarea(attrs={"rows": 9, "spellcheck": "false"})

    def written(self, value: Any) -> Iterable[str]:
        *above, last = value
        marked = [(name, NO_PENALTY if penalty is None else penalty) for name, penalty in above]
        return [*(f"{name} {penalty}" for name, penalty in marked), rulesets.level(*last)]

    def to_python(self, value: Any) -> Any:
        lines = super().to_python(value)
        if len(lines) > MOST_LEVELS:
            raise forms.ValidationError(_("Enter at most %(most)d levels, one per line.") % {"most": MOST_LEVELS})
        return [self._level(number, line, last=number == len(lines)) for number, line in enumerate(lines, start=1)]

    def _level(self, number: int, line: str, *, last: bool) -> tuple[str, int | None]:
        name, _space, mark = line.rpartition(" ")
        if name.strip() and mark.translate(DASHES) == NO_PENALTY:
            return self._named(number, name.strip()), None
        match = _LEVEL.match(line.translate(DASHES))
        if match is None and last:
            return self._named(number, line), None
        if match is None:
            message = _("Line %(number)d: enter the level’s name and its penalty, such as “Hurt -1”.")
            raise forms.ValidationError(message % {"number": number})
        return self._named(number, match["name"]), int(match["penalty"])

    def _named(self, number: int, name: str) -> str:
        if len(name) > LONGEST_LEVEL_NAME:
            message = _("Line %(number)d: level names can have at most %(most)d characters.")
            raise forms.ValidationError(message % {"number": number, "most": LONGEST_LEVEL_NAME})
        return name


class TableField(LinesField):
    """Any other table, whose lines the ruleset parses."""

    widget = forms.Textarea(attrs={"rows": 6, "spellcheck": "false"})

    def __init__(self, *, rows: Rows, **more: Any) -> None:
        super().__init__(**more)
        self.rows = rows

    def written(self, value: Any) -> Iterable[str]:
        return [self.rows.written(row) for row in value]

    def to_python(self, value: Any) -> Any:
        # A form drawn before the ruleset had this table doesn't empty it.
        if value is None and not self.required:
            return None
        return [self._row(number, line) for number, line in enumerate(super().to_python(value), start=1)]

    def _row(self, number: int, line: str) -> tuple[Any, ...]:
        try:
            return self.rows.read(line.translate(DASHES))
        except ValueError as problem:
            why = {"number": number, "why": said(problem.args[0])}
            raise forms.ValidationError(_("Line %(number)d: %(why)s") % why) from None


class HouseRulesForm(KeepsTyping, forms.Form):
    """One field for each option of the ruleset and each table setting, filled with the chronicle's values."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any = None,
        *,
        ruleset: str,
        options: Mapping[str, Any],
        version: int,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        rules = [*rulesets.at_the_table(kept or {}), *rulesets.house_rules(ruleset, options)]
        initial = {"version": version} | {f"option-{rule.option.key}": rule.value for rule in rules}
        super().__init__(data, initial=initial)
        self.rules = rules
        for rule in rules:
            self.fields[f"option-{rule.option.key}"] = field_for(rule.option)

    def options(self) -> dict[str, Any]:
        """The chosen ruleset options by key; an empty number means the default. Only for a valid form."""
        return self._chosen(rule.option.key for rule in self.rules if rule.option.key not in conduct.KEYS)

    def at_the_table(self) -> dict[str, Any]:
        """The chosen table settings by key. Only for a valid form."""
        return self._chosen(conduct.KEYS)

    def _chosen(self, keys: Iterable[str]) -> dict[str, Any]:
        chosen = {key: self.cleaned_data[f"option-{key}"] for key in keys}
        return {key: value for key, value in chosen.items() if value is not None}

    def refuse(self, key: str, message: str) -> None:
        """Add an error from the ruleset to one option's field."""
        name = f"option-{key}"
        self.add_error(name if name in self.fields else None, said(message))

    def rows(self) -> list[tuple[Any, rulesets.HouseRule]]:
        """Each field with its house rule."""
        return [(self[f"option-{rule.option.key}"], rule) for rule in self.rules]


def field_for(option: Any) -> forms.Field:
    """The form field for an option."""
    shared: dict[str, Any] = {"label": said(option.label), "help_text": said(option.help)}
    if option.kind == "switch":
        return forms.BooleanField(required=False, **shared)
    if option.kind == "number":
        return forms.IntegerField(required=False, min_value=option.minimum, max_value=option.maximum, **shared)
    if option.kind == "choice":
        return forms.ChoiceField(choices=list(rulesets.choice_names(option).items()), **shared)
    if option.kind == "table":
        return TableField(rows=option.rows, required=not option.optional, **shared)
    if option.kind == "lines":
        return LinesField(required=False, **shared)
    return LevelsField(**shared)
