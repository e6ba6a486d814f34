"""Health values that every track has: a blow, and a level with its penalty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.model.gear import Damage
from rules.model.sheet import Injury

_HOURS = {
    "hours_light": 24,
    "hours_wounded": 3 * 24,
    "hours_mauled": 7 * 24,
    "hours_crippled": 30 * 24,
    "hours_incapacitated": 90 * 24,
}
_BY_PENALTY = ((-1, "hours_light"), (-2, "hours_wounded"), (-5, "hours_crippled"))
_BY_NAME = {name: f"hours_{name}" for name in ("wounded", "mauled", "crippled")}


@dataclass(frozen=True, slots=True)
class Blow:
    """Where harm comes from: the cause in a few words, the turn, and the attack's name among what was resolved."""

    cause: str = ""
    turn: int = 0
    resolution: str = ""


UNTOLD = Blow()


@dataclass(frozen=True, slots=True)
class HealthLevel:
    """One box: its name and the dice it takes from every action; ``None`` is out of action."""

    name: str
    penalty: int | None

    def hours(self, settings: Mapping[str, Any]) -> int:
        """How long a lethal or worse level in this box takes a mortal to heal (MQ-HEAL-1).

        A box of a chronicle's own table heals as the classic box of its name, or else of its penalty.
        """
        key = self._heals_as()
        return int(settings.get(key, _HOURS[key]))

    def _heals_as(self) -> str:
        if self.penalty is None:
            return "hours_incapacitated"
        if self.name.casefold() in _BY_NAME:
            return _BY_NAME[self.name.casefold()]
        return next((key for penalty, key in _BY_PENALTY if self.penalty >= penalty), "hours_incapacitated")


@dataclass(frozen=True, slots=True)
class BloodHealing:
    """The price of healing for those who heal with blood alone (MQ-HEAL-1, CD-HEAL-2, WD-HEAL-1).

    A point heals one level, or ``bashing`` levels of bashing damage. That takes an action of the turn, unless it is
    ``reflexive``. An aggravated level takes a day's rest, ``willpower`` and as many points as the setting
    ``blood_per_aggravated`` says. ``rule`` is the rule, if it isn't the one of all healing.
    """

    bashing: int = 1
    willpower: int = 1
    reflexive: bool = False
    rule: str = ""

    def price(self, damage: Damage, levels: int, settings: Mapping[str, Any]) -> int:
        """How many points these levels cost."""
        if damage is Damage.AGGRAVATED:
            return levels * int(settings.get("blood_per_aggravated", 5))
        return -(-levels // self.bashing) if damage is Damage.BASHING else levels


def _not_players(command: Heal, game: Any) -> bool:
    """Players heal only with their characters' blood, and only what takes no time."""
    at = game.state.combatants[command.at]
    light = command.hours is None and command.type not in (None, Damage.AGGRAVATED)
    return not (light and game.state.status == "running" and game.system.health.by_blood(at.sheet))


@command(phrase("heal"), any_time=True, outside_fights=True, changes="at", acts_for="at", reserved=_not_players)
@dataclass(frozen=True, slots=True)
class Heal(Command):
    """Heal levels of one damage type (``amount``, ``type``), or let ``hours`` pass, with or without medical ``care``.

    Care is in a ``hospital`` unless it is said not to be.

    In systems that keep injuries one by one, ``injury`` is its place in the list, 1 the gravest: it improves by
    ``amount`` levels, or heals completely.
    """

    at: str
    amount: int | None = None
    type: Damage | None = None
    hours: int | None = None
    injury: int = 1
    care: bool = False
    hospital: bool = True


@command(phrase("set-health"), any_time=True, outside_fights=True, changes="at")
@dataclass(frozen=True, slots=True)
class SetHealth(Command):
    """Set the boxes, or the injuries, to what the Storyteller enters, in any order."""

    at: str
    marks: tuple[Damage, ...] = ()
    why: str = ""
    injuries: tuple[Injury, ...] = ()
