"""What stays when a fight ends: which conditions the Storyteller decides about, and the events of the decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import Condition
from rules.model.state import Combatant
from rules.model.system import Game
from rules.topics.events import LastingChanged
from rules.topics.grapples.holds import let_go
from rules.topics.health.lasting import made_lasting, may_stay, stay_by_rule, tended, unexplained


def candidates(game: Game) -> Mapping[str, tuple[Condition, ...]]:
    """The conditions that may stay, by combatant; without combatants who have none."""
    found = {who: may_stay(game.system, _loose(game, who)) for who in game.state.combatants}
    return {who: conditions for who, conditions in found.items() if conditions}


def by_rule(game: Game, who: str) -> frozenset[str]:
    """Those of a combatant's conditions that stay unless the Storyteller decides otherwise."""
    return stay_by_rule(game.system, _loose(game, who))


def stays(game: Game, chosen: Mapping[str, Collection[str]]) -> Iterator[LastingChanged]:
    """What stays of everybody's conditions: the chosen ones, and for combatants without a choice those by rule.

    That a wound was tended stays too.
    """
    for who in chosen:
        game.combatant(who)
    for who, combatant in game.state.combatants.items():
        loose = _loose(game, who)
        keys = _checked(game, loose, chosen[who]) if who in chosen else stay_by_rule(game.system, loose)
        keys |= tended(game.system, combatant.sheet, combatant.conditions) - combatant.conditions
        lasting = made_lasting(game.system, combatant, keys)
        if lasting != combatant.sheet.lasting:
            yield LastingChanged(who, lasting)


def _loose(game: Game, who: str) -> Combatant:
    """A combatant as they are once every grip is loosened: grapples end with the fight."""
    return game.after(let_go(game, who)).combatant(who)


def _checked(game: Game, combatant: Combatant, keys: Collection[str]) -> frozenset[str]:
    """The chosen conditions. Raises "input" for one that the combatant isn't in, or that harm causes anyway."""
    known = {each.key for each in unexplained(game.system, combatant)}
    for key in sorted(frozenset(keys) - known):
        label = game.system.conditions[key].label
        raise bad_input(phrase("condition-is-over-look-again", name=combatant.sheet.name, condition=label))
    return frozenset(keys)
