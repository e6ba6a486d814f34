"""Results of a dramatic failure with a gun: a jam, or the wrong target."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.model.gear import Mode, Weapon
from rules.model.modifiers import RANGED
from rules.model.results import AttackResult, Outcome
from rules.model.state import PendingMishap
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.bursts import burst_of
from rules.systems.storytelling.second_edition.bursts import others, spared
from rules.topics.attacks.mishaps import Mishap
from rules.topics.events import MishapPending

JAMS = (Mishap.JAM.value, Mishap.SEIZED.value)


def pending(
    resolution: str, by: str, weapon: Weapon, choices: tuple[str, ...], near: tuple[str, ...] = ()
) -> tuple[MishapPending, ...]:
    """A pending choice for the Storyteller; "nothing happens" is one of the options."""
    reference = weapon.key or weapon.name
    return (MishapPending(PendingMishap(resolution, by, reference, (*choices, Mishap.NOTHING.value), near)),)


@dataclass(frozen=True, slots=True)
class Misfire(Facet):
    """A dramatic failure may jam a gun (CD-GUN-13), or hit somebody who was to be spared (CD-GUN-8)."""

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        if result.outcome is not Outcome.DRAMATIC_FAILURE:
            return ()
        spares = strike.weapon.mode in RANGED and burst_of(strike) is None and any(spared(strike))
        jams = JAMS if strike.weapon.mode is Mode.FIREARM else ()
        choices = (*jams, *((Mishap.ALLY_HIT.value,) if spares else ()))
        resolution = f"r{game.state.resolutions}"
        # A burst may fail dramatically against several targets, but it is still one gun.
        if not choices or any(mishap.resolution == resolution for mishap in game.state.mishaps):
            return ()
        near = self._spared(strike) if spares else ()
        return pending(resolution, strike.command.by, strike.weapon, choices, near)

    @staticmethod
    def _spared(strike: Strike) -> tuple[str, ...]:
        """Those to be spared: by name, else anybody but shooter and target."""
        apart = (strike.command.by, *strike.command.at)
        return others(strike) or tuple(who for who in strike.state.combatants if who not in apart)
