"""Points that are spent: whether there are any left, and how many a turn lets go.

A resource names the rule by which both are refused (:class:`rules.model.sheet.Resource`); a circumstance that costs a
point names the resource (``ModifierRule.costs``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.modifiers import modifier_rule
from rules.model.state import Encounter, Status
from rules.model.words import in_words

if TYPE_CHECKING:
    from rules.model.system import System


def check(state: Encounter, who: str, key: str, amount: int, ruleset: System, referee: Referee) -> int:
    """How many of ``amount`` points somebody spends: all, or what there is where the Storyteller lets that go by.

    Forbids what a condition bars, what is not there, and what is more than a turn lets go, where there are turns.
    """
    combatant, layout = state.combatants[who], ruleset.layout
    name, resource, points = combatant.sheet.name, layout.resource(key), layout.points(combatant.sheet, key)
    rule, word = (resource.rule, resource.label) if resource else ("", in_words(key))
    if not has(state, who, key, ruleset):
        raise bad_input(phrase("{name} has no {word}.", name=name, word=word))
    check_bars(state, who, key, ruleset, referee)
    if amount > points:
        _forbid(rule, phrase("{name} has {points} left of {word}.", name=name, points=points, word=word), referee)
    most = layout.per_turn(combatant.sheet, key)
    turns = state.ordered and state.status is Status.RUNNING
    if most is not None and turns and combatant.spent.get(key, 0) + amount > most:
        _forbid(
            rule,
            phrase("{name} spends no more than {most} of {word} in a turn.", name=name, most=most, word=word),
            referee,
        )
    return min(amount, points)


def has(state: Encounter, who: str, key: str, ruleset: System) -> bool:
    """Whether somebody has a resource at all, were it without points: by kind, or because the sheet says so."""
    sheet, resource = state.combatants[who].sheet, ruleset.layout.resource(key)
    theirs = resource is not None and ruleset.layout.has(sheet.kind, resource)
    return theirs or (resource.key if resource else key) in sheet.resources


def check_bars(state: Encounter, who: str, key: str, ruleset: System, referee: Referee) -> None:
    """Forbid spending what a condition does not let somebody spend (AP-SIT-10)."""
    combatant, resource = state.combatants[who], ruleset.layout.resource(key)
    for condition, rule in (resource.barred if resource else {}).items():
        if condition in combatant.conditions:
            message = phrase(
                "{name} is {condition} and cannot spend {points}.",
                name=combatant.sheet.name,
                condition=in_words(condition),
                points=in_words(key),
            )
            referee.forbid(rule, message)


def _forbid(rule: str, message: str, referee: Referee) -> None:
    if not rule:
        raise bad_input(message)
    referee.forbid(rule, message)


# ------------------------------------------------------------------ circumstances that cost points


def costs(modifiers: Iterable[Modifier], ruleset: System) -> tuple[str, ...]:
    """The resources of which the circumstances cost a point each."""
    rules = (modifier_rule(modifier.key, ruleset) for modifier in modifiers)
    return tuple(rule.costs for rule in rules if rule.costs)


def free(modifiers: Iterable[Modifier], ruleset: System) -> tuple[Modifier, ...]:
    """The circumstances that cost nothing."""
    return tuple(each for each in modifiers if not modifier_rule(each.key, ruleset).costs)


def declared(state: Encounter, who: str, key: str) -> bool:
    """Whether a point was declared, and so paid, that nothing has made use of yet."""
    said = state.combatants[who].turn.declaration
    return key == "willpower" and said is not None and said.willpower > 0


def check_modifiers(
    state: Encounter, who: str, modifiers: Iterable[Modifier], ruleset: System, referee: Referee
) -> None:
    """Forbid circumstances that cost points which cannot be spent."""
    for key in costs(modifiers, ruleset):
        if not declared(state, who, key):
            check(state, who, key, 1, ruleset, referee)


def check_attack(state: Encounter, command: Attack, ruleset: System, referee: Referee) -> None:
    """The same of an attack and of what its targets answer; whoever is not there is the plan's to refuse."""
    for who, modifiers in spenders(command):
        if who in state.combatants:
            check_modifiers(state, who, modifiers, ruleset, referee)


def spenders(command: Attack) -> tuple[tuple[str, tuple[Modifier, ...]], ...]:
    """Everybody whose circumstances an attack names, with these."""
    answers = ((who, defence.modifiers) for who, defence in command.defences.items() if defence.kind)
    return ((command.by, command.modifiers), *answers)
