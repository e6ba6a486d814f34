"""Injured parts of the body that outlast a fight: stored, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.words import said
from characters.models import Character
from rules.model.conditions import condition_of
from rules.model.damage_steps import of_kind
from rules.model.gear import Damage
from rules.model.sheet import Impairment

SIDES = {"right": gettext_lazy("right"), "left": gettext_lazy("left")}


def read(character: Character) -> tuple[Impairment, ...]:
    """A character's impairments."""
    return tuple(map(one, character.impairments))


def one(stored: Mapping[str, Any]) -> Impairment:
    """An impairment as a character stores it."""
    return Impairment(**{**stored, "type": Damage(stored["type"])})


def written(impairments: Iterable[Impairment]) -> list[dict[str, Any]]:
    """The same as a character stores them."""
    return [{**asdict(each), "type": each.type.value} for each in impairments]


def told(impairment: Impairment) -> str:
    """An impairment in words, such as "arm wracked (right), until 3 lethal has healed"."""
    condition = condition_of(impairment.condition)
    what = said(condition.sides[0] if condition.sides else condition.label)
    words = {"what": what, "side": SIDES.get(impairment.side, impairment.side)}
    if not impairment.left:
        return _("%(what)s (%(side)s)") % words
    damage = said(of_kind(impairment.type, impairment.left))
    return _("%(what)s (%(side)s), until %(damage)s has healed") % {**words, "damage": damage}
