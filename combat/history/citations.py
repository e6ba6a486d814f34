"""Which rules an event stands on, so that what the log tells of it leads to the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combat.secrecy.sight import Sight
from rules.model.ruleset import Ruleset
from rules.topics import events

TOPICS: Mapping[type, tuple[str, ...]] = {
    events.InitiativeRolled: ("initiative",),
    events.StandingsChanged: ("initiative",),
    events.InitiativeModeSet: ("initiative_every_turn", "initiative"),
    events.RankMoved: ("delay",),
    events.HeldOver: ("hold_over",),
    events.FreshStartTaken: ("fresh_start",),
    events.Declared: ("declaration",),
    events.TurnMoved: ("turn",),
    events.TurnEnded: ("turn",),
    events.Delayed: ("delay",),
    events.Aborted: ("abort",),
    events.FullDefenceTaken: ("full_defence",),
    events.AttackProposed: ("defence_out_of_order", "turn"),
    events.AttackApproved: ("defence_out_of_order", "turn"),
    events.AttackChanged: ("defence_out_of_order", "turn"),
    events.AttackAnswered: ("defence_out_of_order", "turn"),
    events.DefaultDefenceSet: ("defence_out_of_order", "turn"),
    events.MishapPending: ("mishap",),
    events.MishapSettled: ("mishap",),
    events.JamCleared: ("mishap",),
    events.Reloaded: ("burst", "rate_of_fire"),
    events.TraitsRolled: ("pool",),
    events.ExtendedRolled: ("pool",),
    events.RollGivenUp: ("pool",),
    events.CheckRolled: ("out_of_action",),
    events.Bled: ("bleeding", "out_of_action"),
    events.CircumstancesSet: ("circumstance",),
    events.Described: ("perspective",),
    events.Harmed: ("health",),
    events.Healed: ("heal",),
    events.HealthSet: ("health",),
}
"""The topics of each kind of event; the first that the ruleset has a rule on counts."""

ACTIONS: Mapping[type, str] = {
    events.Moved: "move",
    events.ShapeChanged: "shape",
    events.EvasionHeld: "evade",
    events.Aimed: "aim",
    events.GrappleEnded: "break_free",
    events.WeaponGained: "improvised",
}
"""Events that come of one of the ruleset's own actions, by its key."""

NO_RULE = (
    events.Joined,
    events.Left,
    events.VisibilityChanged,
    events.StatusChanged,
    events.OrderSet,
    events.AttackSentBack,
    events.AttackWithdrawn,
    events.RollShown,
    events.Grouped,
    events.AttackOverridden,
)
"""What the Storyteller does with the fight itself: no rule says so, and none forbids."""


def rules_of(event: Any, sight: Sight, ruleset: Ruleset) -> Iterator[str]:
    """The rules that what is told of an event stands on, as far as the reader may know of it."""
    if getattr(event, "rule", ""):
        yield event.rule
    elif isinstance(event, events.AttackResolved):
        known = sight.rolls_of(event.plan.by)
        yield ruleset.cites[event.plan.mode if known else "health"]
    elif isinstance(event, events.ResourceChanged):
        resource = ruleset.layout.resource(event.resource)
        yield (resource.rule if resource else "") or ruleset.cites["pool"]
    elif isinstance(event, events.ConditionsChanged):
        yield from (rule_of_condition(each, ruleset) for each in sorted(event.removed))
    elif isinstance(event, events.ArmorDestroyed):
        yield ruleset.aftermath.armor
    elif isinstance(event, events.KnockedDown):
        yield ruleset.aftermath.knockdown
    elif type(event) in ACTIONS:
        action = ruleset.actions.get(ACTIONS[type(event)])
        yield from [action.rule] if action else []
    else:
        topics = TOPICS.get(type(event), ())
        yield from [ruleset.cites[topic] for topic in topics if topic in ruleset.cites][:1]


def rule_of_condition(condition: str, ruleset: Ruleset) -> str:
    """The rule that says what a condition is; that of health for those which boxes bring, or nobody has heard of."""
    situation = ruleset.situations.conditions.get(condition)
    if situation is not None:
        return situation.rule
    return ruleset.turns.blocked_by.get(condition, ruleset.cites["health"])
