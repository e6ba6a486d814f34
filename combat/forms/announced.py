"""An attack that was announced, filled into the attack's form again: to be changed by the Storyteller, or anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import QueryDict

from combat.forms.circumstances import GROUP, OWN_FIELDS, listed, own_prefix
from combat.forms.targets import ALSO, NEAR
from rules.commands import Attack, Modifier
from rules.encounter import Exchange
from rules.modifiers import ModifierRule

if TYPE_CHECKING:
    from combat.forms.attack import AttackForm


def what_and_whom(exchange: Exchange) -> QueryDict:
    """The fields of an announced attack that settle which others there are."""
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
    """The same fields with the attack's circumstances; `form` says which of these are offered how."""
    lists, known = listed(form.offered), form.table.ruleset.modifiers
    for modifier in attack.modifiers:
        rule = known.get(modifier.key)
        if rule is None:
            continue
        if rule.key in OWN_FIELDS:
            for figure, name in OWN_FIELDS[rule.key].items():
                data[name] = str(modifier.figures.get(figure, ""))
        elif rule.group in lists:
            data[f"{GROUP}{rule.group}"] = _in_list(rule, modifier)
        elif rule.wanted:
            for figure, value in modifier.figures.items():
                data[own_prefix(rule) + figure] = "on" if value is True else str(value)
        else:
            data.appendlist("mods", rule.key)
    return data


def _in_list(rule: ModifierRule, modifier: Modifier) -> str:
    figure = next(iter(modifier.figures.items()), None)
    return f"{rule.key} {figure[0]} {figure[1]}" if figure else rule.key
