"""An attack that was announced, filled into the attack's form again: to be changed by the Storyteller, or anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import QueryDict

from combat.forms.circumstances import GROUP, OWN_FIELDS, listed, own_prefix
from combat.forms.targets import ALSO, NEAR
from rules.commands import Attack
from rules.encounter import Exchange

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
            shared = {each.key for each in rule.wanted if each.shared}
            own = {figure: value for figure, value in modifier.figures.items() if figure not in shared}
            data[f"{GROUP}{rule.group}"] = " ".join([rule.key, *(f"{figure} {own[figure]}" for figure in own)])
            for figure in shared & modifier.figures.keys():
                data[f"{GROUP}{rule.group}_{figure}"] = str(modifier.figures[figure])
        elif rule.wanted:
            for figure, value in modifier.figures.items():
                data[own_prefix(rule) + figure] = "on" if value is True else str(value)
        else:
            data.appendlist("mods", rule.key)
    return data
