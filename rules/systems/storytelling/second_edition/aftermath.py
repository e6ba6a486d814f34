"""What a blow brings besides its damage: each facet of the attack is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.messages import Event
from rules.model.attack import Attack
from rules.model.gear import Weapon
from rules.model.results import AttackResult, DamageDone
from rules.model.system import Game
from rules.strike.aftermath import Aftermath
from rules.strike.facets import Facet, Strike, by_question
from rules.systems.storytelling.second_edition.attack import attack_of


@dataclass(frozen=True, slots=True)
class FacetAftermath(Aftermath):
    """What each facet makes of an attack on one target, once its boxes are marked, in the facets' order."""

    facets: tuple[Facet, ...] = ()
    _asked: Mapping[str, tuple[Facet, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_asked", by_question(self.facets))

    def of_attack(self, game: Game, command: Attack, weapon: Weapon, result: AttackResult) -> tuple[Event, ...]:
        told: list[Event] = []
        strike = Strike(game, command, result.target, weapon, targets=command.at)
        for facet in self._asked["after"]:
            more = facet.after(strike, result, game)
            if more:
                told += more
                game = game.after(more)
                strike = replace(strike, game=game)
        return tuple(told)

    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone:
        """A shot that hits somebody whom it was not meant for does so as with one success (CD-GUN-8)."""
        shot = Attack(by, (to,), weapon.key or weapon.name)
        strike = Strike(game, shot, to, weapon, targets=(to,))
        result = attack_of(game.system.attack).hit(strike, 1)
        assert result.done is not None
        return result.done

    def of_time(self, game: Game, who: str, hours: int) -> tuple[Event, ...]:
        told: list[Event] = []
        for facet in self._asked["passes"]:
            told += facet.passes(who, hours, game.after(told))
        return tuple(told)
