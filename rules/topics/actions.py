"""Actions other than attacks and defences: what an action declares, and how it is carried out.

An action is a small frozen value with the two functions of :class:`ActionRule`; a ruleset lists its actions by key in
``System.actions``. The :class:`Needs` that an action declares determine its form, its place in the list of available
actions, the dice that may be typed, who may take it, and the keys of its scenario step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.messages import Event, decides, event_type
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model import points
from rules.model.system import ActionRule, Aim, Game, Needs
from rules.topics import bars, effects
from rules.topics.commands import TakeAction
from rules.topics.grapples.holds import barred
from rules.topics.powers.lasting import after_action


class AlwaysPossible:
    """An action that is always possible, apart from what :func:`why_not` checks: a grapple, a turn that is over."""

    __slots__ = ()

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return None


@decides(TakeAction)
def take_action(game: Game, command: TakeAction) -> tuple[Event, ...]:
    """Carry out one of the ruleset's actions."""
    rule = game.system.actions.get(command.key)
    if rule is None or not game.system.plays(rule.needs.setting):
        raise bad_input(phrase("has-no-action-called", ruleset=game.system.name, key=command.key))
    sheet = game.combatant(command.by).sheet
    if not rule.needs.are_for(sheet, game.system.layout):
        raise bad_input(phrase("cant-do-that", name=sheet.name))
    _check_aim(game, command, rule.needs)
    _check_figures(game, command, rule.needs)
    if not rule.needs.storytellers:
        turns, spared = game.system.turns, rule.needs.spares_action
        turns.check_able(game, command.by, reflexive=spared)
    # Checked one at a time: waiving the first does not waive the second.
    game.referee.uphold(barred(game, command.by, command.key))
    game.referee.uphold(bars.barred(game, command.by, command.key))
    game.referee.uphold(rule.possible(game, command.by))
    points.check_modifiers(game, command.by, command.modifiers)
    told = rule.decide(game, replace(command, weapon=_weapon(game, command, rule)))
    if any(event_type(type(event)).own_roll for event in told):
        told += effects.pay_for(game.after(told), command.by, command.modifiers)
    if sheet.powers and rule.needs.instant:
        told += after_action(game.after(told), command.by, sheet.powers)
    return told


def why_not(game: Game, key: str, by: str) -> RuleViolation | None:
    """Why a combatant can't take an action now, judging by the state alone; ``None`` if they can."""
    game, rule, needs = game.strict(), game.system.actions[key], game.system.needs[key]
    sheet = game.state.combatants[by].sheet
    try:
        if not needs.storytellers:
            game.system.turns.check_able(game, by, reflexive=needs.spares_action)
            if needs.instant:
                game.system.turns.use_action(game, by, key)
    except RuleViolation as violation:
        return violation
    against = barred(game, by, key) or bars.barred(game, by, key) or rule.possible(game, by)
    if against is None and needs.weapon and not needs.unarmed and not any(map(needs.weapon, sheet.weapons)):
        return bad_input(phrase("has-no-weapon-for-this", name=sheet.name))
    if against is None and needs.aim is Aim.ONE and not targets(game, by, needs):
        return bad_input(phrase("there-is-no-opponent-to-do"))
    return against


def targets(game: Game, by: str, needs: Needs) -> tuple[str, ...]:
    """The combatants that an action can be aimed at, in the state's order."""
    if needs.aim is Aim.NOBODY:
        return ()
    whom = set(game.state.combatants) - {by} if needs.whom is None else set(needs.whom(game, by))
    return tuple(who for who in game.state.combatants if who in whom)


def everybody(game: Game, by: str) -> Iterable[str]:
    """Targets of an action that can also be aimed at oneself: every combatant."""
    return game.state.combatants


def _check_aim(game: Game, command: TakeAction, needs: Needs) -> None:
    for who in command.at:
        game.combatant(who)
    least, most = _COUNTS[needs.aim]
    if not least <= len(command.at) <= most or len(set(command.at)) < len(command.at):
        raise bad_input(_MISCOUNTED[needs.aim])
    if not set(command.at) <= set(targets(game, command.by, needs)):
        raise bad_input(
            phrase("that-cant-be-done-to-this-target")
            if command.by not in command.at
            else phrase("you-cant-choose-yourself")
        )


_COUNTS = {Aim.NOBODY: (0, 0), Aim.ANYBODY: (0, 1), Aim.ONE: (1, 1), Aim.AREA: (0, 100)}
_MISCOUNTED = {
    Aim.NOBODY: phrase("this-action-has-no-target"),
    Aim.ANYBODY: phrase("choose-at-most-one-target"),
    Aim.ONE: phrase("choose-exactly-one-target"),
    Aim.AREA: phrase("name-each-target-once"),
}


def _check_figures(game: Game, command: TakeAction, needs: Needs) -> None:
    wanted = {figure.key: figure for figure in needs.figures}
    for key, value in command.figures.items():
        if key not in wanted:
            raise bad_input(phrase("unknown-option", key=key))
        if against := wanted[key].refusal(value, game.state.combatants):
            raise against
    for figure in needs.figures:
        if figure.needed and figure.key not in command.figures:
            raise bad_input(phrase("is-missing", label=figure.label))


def _weapon(game: Game, command: TakeAction, rule: ActionRule) -> str:
    """The reference of the weapon used: the one named, else the first that fits; "" if the action uses none."""
    fits, arms = rule.needs.weapon, rule.needs.arms
    if fits is None:
        if command.weapon:
            raise bad_input(phrase("this-action-doesnt-use-weapon"))
        return ""
    if rule.needs.unarmed and not command.weapon:
        return ""
    sheet = game.combatant(command.by).sheet
    held = [weapon for weapon in sheet.weapons if fits(weapon)]
    held += arms(game, command.by) if arms else ()
    named = [weapon for weapon in held if command.weapon in ("", weapon.key, weapon.name)]
    if not held:
        raise bad_input(phrase("has-no-weapon-for-this", name=sheet.name))
    if not named:
        raise bad_input(phrase("that-weapon-cant-be-used-for-this"))
    return named[0].key or named[0].name
