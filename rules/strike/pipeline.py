"""The attack pipeline: facets answer its questions, from what is struck with to what follows from the blow."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from rules.engine.messages import Event
from rules.model.attack import Attack
from rules.model.gear import Weapon
from rules.model.results import AttackResult, DamageDone
from rules.model.system import Game
from rules.strike.facets import Facet, Strike, by_question
from rules.topics.attacks.prepare import ByWeapon


@dataclass(frozen=True, slots=True)
class AttackPipeline(ByWeapon):
    """An attack made of ``facets`` (:mod:`rules.strike.facets`), in the order in which a breakdown shows them."""

    facets: tuple[Facet, ...] = field(default=(), kw_only=True)
    _asked: Mapping[str, tuple[Facet, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_asked", by_question(self.facets))

    # -------------------------------------------------------------- after the boxes are marked

    def follows(self, game: Game, command: Attack, weapon: Weapon, result: AttackResult) -> tuple[Event, ...]:
        """What follows from an attack on one target, once its boxes are marked in the state."""
        told: list[Event] = []
        strike = Strike(game, command, result.target, weapon, targets=command.at)
        if self._asked["damaged"]:
            for done, picked in ((result.counter, ()), (result.done, strike.picked)):
                told += self.damaged(game, done, picked) if done else ()
            if told:
                strike = replace(strike, game=game.after(told))
        for facet in self._asked["after"]:
            more = facet.after(strike, result, strike.game)
            if more:
                told += more
                strike = replace(strike, game=strike.game.after(more))
        return tuple(told)

    def damaged(self, game: Game, done: DamageDone, picked: Collection[str] = ()) -> tuple[Event, ...]:
        """What damage brings whoever suffered it besides their boxes; ``picked`` are circumstances of the attack."""
        return tuple(event for facet in self._asked["damaged"] for event in facet.damaged(done, game, picked))

    def passes(self, game: Game, who: str, hours: int) -> tuple[Event, ...]:
        """What so many hours bring to somebody besides healing."""
        told: list[Event] = []
        for facet in self._asked["passes"]:
            told += facet.passes(who, hours, game.after(told))
        return tuple(told)
