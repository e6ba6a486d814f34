"""What a forecast begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.forecast.knowledge import is_down
from rules.forecast.policies import POLICIES, Policy, default_policy
from rules.model.state import Encounter, Side, Status
from rules.model.system import System

MOST_COMBATANTS = 60
MOST_DISTANCE = 1000
MOST_TURNS = 40
"""Turns after which a fight counts as undecided."""

SIDES = (Side.ALLIES, Side.ENEMIES)


@dataclass(frozen=True, slots=True)
class Setup:
    """A fight, in any state before its end, and how its combatants fight.

    ``policies`` are those chosen, by combatant; the others fight by :func:`rules.forecast.policies.default_policy`.
    ``distance`` is the one between the sides, in the system's unit, 0 if everyone is within reach. Those of the side
    ``ambushed`` are surprised, if the rules say so. ``rolled``: initiative has been rolled this turn. Combatants on
    neither side do nothing, and nobody attacks them.
    """

    state: Encounter
    system: System
    policies: Mapping[str, Policy] = field(default_factory=dict)
    distance: int = 0
    ambushed: Side | None = None
    rolled: bool = False
    most_turns: int = MOST_TURNS

    def policy(self, who: str) -> Policy:
        """How a combatant fights."""
        return self.policies.get(who) or default_policy(self.system, self.state.combatants[who])

    def members(self, side: Side) -> tuple[str, ...]:
        """Those on a side."""
        return tuple(who for who, each in self.state.combatants.items() if each.side is side)


def chosen(policies: Mapping[str, str]) -> dict[str, Policy]:
    """Policies by their keys; raises "input" for an unknown one."""
    for key in policies.values():
        if key not in POLICIES:
            raise bad_input(phrase("there-is-no-policy-called", key=key))
    return {who: POLICIES[key] for who, key in policies.items()}


def checked(setup: Setup) -> Setup:
    """The setup, if it can be played. Raises :class:`rules.engine.violations.RuleViolation` ("input") if not."""
    state = setup.state
    if state.outside_fights or state.status is Status.ENDED:
        raise bad_input(phrase("only-fight-that-hasnt-ended-has-forecast"))
    if len(state.combatants) > MOST_COMBATANTS:
        raise bad_input(phrase("forecast-takes-at-most-combatants", most=MOST_COMBATANTS))
    if not 0 <= setup.distance <= MOST_DISTANCE:
        raise bad_input(phrase("enter-distance-from-0-to", most=MOST_DISTANCE))
    if unknown := setup.policies.keys() - state.combatants.keys():
        raise bad_input(phrase("there-is-no-combatant-called", name=min(unknown)))
    if any(not setup.members(side) for side in SIDES):
        raise bad_input(phrase("forecast-needs-two-sides"))
    able = {each.side for each in state.combatants.values() if not is_down(setup.system, each)}
    if not able.issuperset(SIDES):
        raise bad_input(phrase("forecast-needs-somebody-able-on-each-side"))
    return replace(setup, policies={who: setup.policy(who) for who in state.combatants})
