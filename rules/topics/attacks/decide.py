"""Deciders for attacks, mishaps and reloading."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model import points
from rules.model.attack import Attack
from rules.model.conditions import PRONE
from rules.model.gear import BARE_HANDS, Fault, Weapon, loaded
from rules.model.groups import OneRoll
from rules.model.health import Blow
from rules.model.prepared import Prepared
from rules.model.results import AttackResult, DamageDone, Outcome
from rules.model.state import Combatant, Encounter, PendingMishap
from rules.model.system import Game
from rules.model.words import in_words
from rules.topics import bars, effects
from rules.topics.attacks.mishaps import Mishap, allies, fitting
from rules.topics.attacks.prepare import FISTS
from rules.topics.commands import ChooseMishap, ClearJam, Reload
from rules.topics.events import (
    AttackResolved,
    ConditionsChanged,
    JamCleared,
    MishapPending,
    MishapSettled,
    Reloaded,
    TurnRecordChanged,
    WeaponChanged,
)
from rules.topics.grapples.holds import barred
from rules.topics.powers.lasting import after_attack
from rules.topics.turns.course import out_of_turn


@decides(Attack)
def attack(game: Game, command: Attack, exchange: str = "") -> tuple[Event, ...]:
    """Roll an attack and apply its consequences. Of several attackers, those who can't attack are skipped."""
    if not command.others:
        return _attack_of_one(game, command, exchange)
    everybody = (command.by, *command.others)
    if len(set(everybody)) < len(everybody):
        raise bad_input(phrase("name-each-attacker-once"))
    now, told = replace(game, dice=OneRoll(game.dice)) if command.one_roll else game, list[Event]()
    refused: RuleViolation | None = None
    for by in everybody:
        one = replace(command, by=by, others=(), one_roll=False)
        try:
            events = _defended_if_possible(now, one, exchange)
        except RuleViolation as violation:
            refused = refused or violation
            continue
        told.extend(events)
        now = now.after(events)
    if refused and not told:
        raise refused
    return tuple(told)


def _defended_if_possible(game: Game, command: Attack, exchange: str) -> tuple[Event, ...]:
    """One attack of several, undefended if its target has no defence left."""
    try:
        return _attack_of_one(game, command, exchange)
    except RuleViolation:
        if not command.defences:
            raise
        return _attack_of_one(game, replace(command, defences={}), exchange)


def _attack_of_one(game: Game, command: Attack, exchange: str) -> tuple[Event, ...]:
    part = game.system.attack
    points.check_attack(game, command)
    prepared = part.plan(game, command)
    results = part.resolve(game, prepared)
    resolution = f"r{game.state.resolutions + 1}"
    told: list[Event] = [
        AttackResolved(resolution, prepared.plan, results, exchange, out_of_turn(game.state, command.by)),
        *(TurnRecordChanged(who, record) for who, record in prepared.records.items()),
        *effects.placed(game, command.by),
        *_rounds(command.by, prepared),
    ]
    now = game.after(told)
    for who, modifiers in points.spenders(command):
        paid = effects.pay_for(now, who, modifiers)
        told.extend(paid)
        now = now.after(paid)
    told += consequences(now, command, prepared.weapon, results, resolution)
    if now.combatant(command.by).sheet.powers:
        told += after_attack(game.after(told), command.by)
    return tuple(told)


def consequences(
    game: Game, command: Attack, weapon: Weapon, results: tuple[AttackResult, ...], resolution: str
) -> tuple[Event, ...]:
    """What an attack's results cause: marked boxes, everything that follows from a blow, and a mishap to choose."""
    told: list[Event] = []
    now, cause = game, _cause(game.state, command.by, weapon)
    for result in results:
        # Apply each event only once: that is most of an attack's running time.
        marks = _marks(now, result, cause, resolution)
        more, now = game.system.attack.follows(now.after(marks), command, weapon, result)
        told += (*marks, *more)
    return (*told, *_mishap(game, command.by, weapon, results, resolution))


def _rounds(by: str, prepared: Prepared) -> tuple[Event, ...]:
    magazine = loaded(prepared.weapon)
    if not prepared.plan.rounds or magazine is None:
        return ()
    return (WeaponChanged(by, replace(prepared.weapon, rounds=magazine - prepared.plan.rounds)),)


def _marks(game: Game, result: AttackResult, cause: str, resolution: str) -> tuple[Event, ...]:
    told: tuple[Event, ...] = ()
    for done in (result.done, result.counter):
        if done:
            blow = Blow(cause if done is result.done else in_words(result.defence_kind), game.state.turn, resolution)
            told += effects.suffer(game.after(told), done, blow)
    return told


def _cause(state: Encounter, by: str, weapon: Weapon) -> str:
    """The cause of damage as its victim may know it: nothing of a hidden attacker, and no name hidden from players."""
    attacker = state.combatants[by]
    if attacker.hidden:
        return ""
    veiled = [each.sheet.name for each in state.combatants.values() if each.hidden or each.mask]
    if weapon.name == BARE_HANDS:
        return phrase("bare-hands")
    return in_words(weapon.mode) if any(name in weapon.name for name in veiled) else weapon.name


def _mishap(
    game: Game, by: str, weapon: Weapon, results: tuple[AttackResult, ...], resolution: str
) -> tuple[Event, ...]:
    botched = next((result for result in results if result.outcome is Outcome.BOTCH), None)
    if botched is None:
        return ()
    choices = fitting(game.state, by, botched.target, weapon)
    near = allies(game.state, by, botched.target)
    return (MishapPending(PendingMishap(resolution, by, weapon.key or weapon.name, choices, near)),)


# ------------------------------------------------------------------ mishaps and the state of weapons


@decides(ChooseMishap)
def choose_mishap(game: Game, command: ChooseMishap) -> tuple[Event, ...]:
    """Settle a botch: the Storyteller chooses a mishap, or chance does (MQ-ATK-7)."""
    pending = next((m for m in game.state.mishaps if m.resolution == command.resolution), None)
    if pending is None:
        raise bad_input(phrase("there-is-no-mishap-to-choose"))
    by_chance = not command.mishap
    near = any(who in game.state.combatants for who in pending.allies)
    fit = tuple(choice for choice in pending.choices if choice != Mishap.ALLY_HIT or near or not by_chance)
    mishap = fit[game.dice.pick(len(fit))] if by_chance else command.mishap
    if mishap not in fit:
        raise bad_input(phrase("choose-one-of-mishaps-offered"))
    # A weapon stowed since then is spared, and an ally is hit with bare hands.
    held = game.combatant(pending.by).sheet.at_hand
    weapon = next((each for each in held if pending.weapon in (each.key, each.name)), FISTS)
    ally = _ally(game, pending, command) if mishap == Mishap.ALLY_HIT else ""
    done = game.system.attack.stray(game, pending.by, ally, weapon) if ally else None
    settled = MishapSettled(pending.resolution, pending.by, mishap, by_chance, ally, done)
    return (settled, *_effect(game, pending.by, Mishap(mishap), weapon, done))


def _ally(game: Game, pending: PendingMishap, command: ChooseMishap) -> str:
    here = tuple(who for who in pending.allies if who in game.state.combatants)
    if command.ally:
        if command.ally == pending.by:
            raise bad_input(phrase("choose-someone-else-as-ally"))
        return game.combatant(command.ally).id
    if not here:
        raise bad_input(phrase("choose-who-is-hit"))
    return here[game.dice.pick(len(here))]


def _effect(game: Game, by: str, mishap: Mishap, weapon: Weapon, done: DamageDone | None) -> tuple[Event, ...]:
    if done:
        marks = effects.harm(game, done.to, done.dealt, done.type)
        return (*marks, *game.system.attack.damaged(game.after(marks), done))
    if mishap is Mishap.FALL:
        conditions = game.combatant(by).conditions
        return (ConditionsChanged(by, conditions | {PRONE}, added=frozenset({PRONE})),)
    if mishap is Mishap.NOTHING or weapon is FISTS:
        return ()
    fault = _FAULTS.get(mishap, Fault.BROKEN)
    return (WeaponChanged(by, replace(weapon, fault=fault)),)


_FAULTS = {Mishap.JAM: Fault.JAMMED, Mishap.SEIZED: Fault.SEIZED}


def _with_hands_free(game: Game, who: str, key: str) -> Combatant:
    """The combatant, who must be able to act, and in no grapple or condition that bars the action (CD-GRP-2)."""
    game.combatant(who)
    game.referee.uphold(barred(game, who, key))
    combatant = game.able(who)
    game.referee.uphold(bars.barred(game, who, key))
    return combatant


@decides(ClearJam)
def clear_jam(game: Game, command: ClearJam) -> tuple[Event, ...]:
    """Spend an action on clearing a jammed weapon (MQ-ATK-7, CD-GUN-13)."""
    sheet = _with_hands_free(game, command.by, "clear_jam").sheet
    weapon = sheet.weapon(command.weapon)
    if weapon.fault not in (Fault.JAMMED, Fault.SEIZED):
        raise bad_input(phrase("isnt-jammed", weapon=weapon.name))
    if weapon.fault is Fault.SEIZED:
        game.forbid("mishap", phrase("must-be-taken-apart-and-there", weapon=weapon.name))
    used = effects.action(game, command.by, "clear_jam")
    cleared = WeaponChanged(command.by, replace(weapon, fault=None))
    return (JamCleared(command.by, weapon.name), used, *effects.placed(game, command.by), cleared)


@decides(Reload)
def reload(game: Game, command: Reload) -> tuple[Event, ...]:
    """Spend an action on reloading a weapon; if it still holds a round, that one stays chambered.

    In rulesets with such a rule, loading rounds one by one costs Defense for the turn (CD-GUN-12).
    """
    sheet = _with_hands_free(game, command.by, "reload").sheet
    weapon = sheet.weapon(command.weapon)
    if weapon.clip is None:
        raise bad_input(phrase("doesnt-use-ammunition", weapon=weapon.name))
    most = weapon.clip + (weapon.chambered if loaded(weapon) else 0)
    rounds = most if command.rounds is None else command.rounds
    if not 0 <= rounds <= weapon.clip + weapon.chambered:
        raise bad_input(phrase("holds-at-most-rounds", weapon=weapon.name, rounds=weapon.clip + weapon.chambered))
    used = effects.action(game, command.by, "reload")
    exposing = game.system.cites.get("single_rounds")
    if weapon.single_rounds and exposing:
        used = replace(used, record=replace(used.record, exposed=exposing))
    filled = WeaponChanged(command.by, replace(weapon, rounds=rounds))
    return (Reloaded(command.by, weapon.name, rounds), used, *effects.placed(game, command.by), filled)
