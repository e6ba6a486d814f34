"""Spending points: how many are left, and the limit per turn.

A resource names the rule by which both are refused (:class:`rules.model.sheet.Resource`); a circumstance that costs a
point names the resource (``ModifierRule.costs``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.state import Encounter, Status
from rules.model.system import Game
from rules.model.words import in_words


def check(game: Game, who: str, key: str, amount: int) -> int:
    """How many of ``amount`` points are spent: all, or what there is if the Storyteller waives the rule.

    Refuses what a condition bars, what is not there, and more than a turn allows, in systems with turns.
    """
    combatant, layout = game.state.combatants[who], game.system.layout
    name, resource, points = combatant.sheet.name, layout.resource(key), layout.points(combatant.sheet, key)
    rule, word = (resource.rule, resource.label) if resource else ("", in_words(key))
    if not has(game, who, key):
        raise bad_input(phrase("has-no-sentence", name=name, word=word))
    check_bars(game, who, key)
    if amount > points:
        _forbid(rule, phrase("has-left", name=name, points=points, word=word), game.referee)
    most = layout.per_turn(combatant.sheet, key)
    turns = game.state.ordered and game.state.status is Status.RUNNING
    spent = combatant.spent.get(resource.key if resource else key, 0)
    if most is not None and turns and spent + amount > most:
        _forbid(
            rule,
            phrase("can-spend-at-most-in-turn", name=name, most=most, word=word),
            game.referee,
        )
    return min(amount, points)


def has(game: Game, who: str, key: str) -> bool:
    """Whether somebody has a resource at all, were it without points: by kind, or because the sheet says so."""
    sheet, resource = game.state.combatants[who].sheet, game.system.layout.resource(key)
    theirs = resource is not None and game.system.layout.has(sheet.kind, resource)
    return theirs or (resource.key if resource else key) in sheet.resources


def check_bars(game: Game, who: str, key: str) -> None:
    """Forbid spending what a condition does not let somebody spend (AP-SIT-10)."""
    combatant = game.state.combatants[who]
    for condition, rule in bars(game, key).items():
        if condition in combatant.conditions:
            message = phrase(
                "is-and-cant-spend",
                name=combatant.sheet.name,
                condition=in_words(condition),
                points=in_words(key),
            )
            game.referee.forbid(rule, message)


def bars(game: Game, key: str) -> Mapping[str, str]:
    """The conditions that bar spending a resource, with the rule of each."""
    resource = game.system.layout.resource(key)
    return resource.barred if resource and game.system.plays(resource.barring) else {}


def _forbid(rule: str, message: str, referee: Referee) -> None:
    if not rule:
        raise bad_input(message)
    referee.forbid(rule, message)


# ------------------------------------------------------------------ circumstances that cost points


def declared(state: Encounter, who: str, key: str) -> bool:
    """Whether a point was declared, and so paid, that nothing has made use of yet."""
    said = state.combatants[who].turn.declaration
    return key == "willpower" and said is not None and said.willpower > 0


def check_modifiers(game: Game, who: str, modifiers: Iterable[Modifier]) -> None:
    """Forbid circumstances that cost points which cannot be spent."""
    for key in game.system.circumstances.costs(modifiers):
        if not declared(game.state, who, key):
            check(game, who, key, 1)


def check_attack(game: Game, command: Attack) -> None:
    """The same for an attack and its targets' answers; the plan refuses combatants who are not there."""
    for who, modifiers in spenders(command):
        if who in game.state.combatants:
            check_modifiers(game, who, modifiers)


def spenders(command: Attack) -> tuple[tuple[str, tuple[Modifier, ...]], ...]:
    """Everybody whose circumstances an attack names, with these."""
    answers = ((who, defence.modifiers) for who, defence in command.defences.items() if defence.kind)
    return ((command.by, command.modifiers), *answers)
