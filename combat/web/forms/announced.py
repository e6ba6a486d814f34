"""Fills the attack form from an announced attack, for the Storyteller to change or its player to announce again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.http import QueryDict

from combat.web.forms.circumstances import GROUP, OWN_FIELDS, listed, own_prefix
from combat.web.forms.targets import ALSO, NEAR
from rules.model.attack import Attack
from rules.model.state import Exchange

if TYPE_CHECKING:
    from combat.web.forms.attack import AttackForm


def what_and_whom(exchange: Exchange) -> QueryDict:
    """The fields of an announced attack on which the form's other fields depend."""
    attack, data = exchange.attack, QueryDict(mutable=True)
    data["exchange"], data["who"], data["weapon"] = exchange.id, attack.by, attack.weapon
    data["at"] = next(iter(attack.at), "")
    if attack.distance is not None:
        data["distance"] = str(attack.distance)
    if exchange.by_hand:
        data["own_dice"] = "on"
    data.setlist(ALSO, list(attack.at[1:]))
    data.setlist(NEAR, list(attack.near))
    data.setlist("strike", sorted(attack.strike))
    return data


def circumstances_of(form: AttackForm, attack: Attack, data: QueryDict) -> QueryDict:
    """Add the attack's circumstances to `data`, in the fields that `form` has for them.

    Circumstances that `form` doesn't offer to this reader, such as the Storyteller's own, are left out.
    """
    lists, known = listed(form.offered), form.table.ruleset.modifiers
    for modifier in attack.modifiers:
        rule = known.get(modifier.key)
        if rule is None:
            continue
        if rule.key in OWN_FIELDS:
            for figure, name in OWN_FIELDS[rule.key].items():
                _put(data, form, name, modifier.figures.get(figure, ""))
        elif rule.group in lists:
            shared = {each.key for each in rule.wanted if each.shared}
            own = {figure: value for figure, value in modifier.figures.items() if figure not in shared}
            way = " ".join([rule.key, *(f"{figure} {own[figure]}" for figure in own)])
            _put(data, form, f"{GROUP}{rule.group}", way)
            for figure in shared & modifier.figures.keys():
                _put(data, form, f"{GROUP}{rule.group}_{figure}", modifier.figures[figure])
        elif rule.wanted:
            for figure, value in modifier.figures.items():
                _put(data, form, own_prefix(rule) + figure, "on" if value is True else value)
        else:
            _put(data, form, "mods", rule.key)
    return data


def _put(data: QueryDict, form: AttackForm, name: str, value: object) -> None:
    field = form.fields.get(name)
    if field and (not isinstance(field, forms.ChoiceField) or field.valid_value(str(value))):
        data.appendlist(name, str(value))
