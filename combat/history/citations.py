"""Citations: the rules behind an event, so that its log entry links to the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combat.secrecy.sight import Sight
from rules.engine.messages import event_type
from rules.model.conditions import Fallen
from rules.model.system import System
from rules.topics import events


def rules_of(event: Any, sight: Sight, ruleset: System) -> Iterator[str]:
    """The rules that an event's sentences cite to this reader; hidden attackers' weapons stay unknown."""
    declared = event_type(type(event))
    if getattr(event, "rule", ""):
        yield event.rule
    elif isinstance(event, events.AttackResolved):
        known = sight.rolls_of(event.plan.by)
        yield ruleset.cites[event.plan.mode if known else "health"]
    elif isinstance(event, events.ResourceChanged):
        resource = ruleset.layout.resource(event.resource)
        yield (resource.rule if resource else "") or ruleset.cites["pool"]
    elif isinstance(event, events.LastingChanged):
        yield from (each.rule for each in event.lasting)
    elif isinstance(event, events.ConditionsChanged):
        yield from (rule_of_condition(each, ruleset) for each in sorted(event.removed))
    elif declared.action:
        action = ruleset.actions.get(declared.action)
        yield from [action.rule] if action else []
    else:
        yield from [ruleset.cites[topic] for topic in declared.topics if topic in ruleset.cites][:1]


def rule_of_condition(condition: str, ruleset: System) -> str:
    """The rule that defines a condition, the rule of health for those that harm causes, "" if no rule does."""
    known = ruleset.conditions[condition]
    own = (known.pools.rule if known.pools else known.rule) or known.stays_by
    if own or not (known.kills or known.fallen is not Fallen.NO):
        return own
    health = ruleset.cites["health"]
    return ruleset.cites.get("bleeding", health) if known.tended else health
