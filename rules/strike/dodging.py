"""Where a dodge can go: nowhere without room; behind cover or to the ground against guns."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.choices import Defence
from rules.model.conditions import PRONE
from rules.model.gear import Mode
from rules.model.results import AttackResult
from rules.model.system import Game
from rules.strike.cover import COVER, DEGREES, covers_of
from rules.strike.facets import Facet, Strike
from rules.topics import effects

DODGE = "dodge"
NO_ROOM = "no_room"


@dataclass(frozen=True, slots=True)
class Dodging(Facet):
    """A dodge needs room, and ends behind the picked or existing cover, or prone (AP-DEF-1)."""

    rule: str

    def check_answer(self, strike: Strike, defence: Defence) -> None:
        if defence.kind != DODGE or not strike.weapon.mode.close:
            return
        cramped = NO_ROOM in strike.picked
        if cramped or strike.system.circumstances.figures_of(defence.modifiers, NO_ROOM) is not None:
            name = strike.victim.sheet.name
            strike.game.referee.forbid(self.rule, phrase("has-no-room-to-dodge", name=name))

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        if result.defence_kind != DODGE or strike.weapon.mode is not Mode.FIREARM:
            return ()
        who, circumstances = strike.target, game.system.circumstances
        covers = {key: degree for key, degree in covers_of(game).items() if key != PRONE}
        figures = circumstances.figures_of(strike.command.defences[who].modifiers, COVER)
        if figures is None:
            if strike.victim.conditions & covers.keys():
                return ()
            # Cover in the way of the shot counts, whether picked or derived.
            figures = circumstances.figures_of(strike.command.modifiers, COVER)
        if figures is None:
            return effects.marked(game, who, frozenset({PRONE}))
        wanted = figures.get("degree", DEGREES[0])
        behind = next(key for key, degree in covers.items() if degree == wanted)
        return effects.marked(game, who, frozenset({behind}), frozenset(covers) - {behind})
