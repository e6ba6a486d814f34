"""Attacks: announced, answered, rolled, and what a botch brings."""

from __future__ import annotations

from dataclasses import replace

from rules import points
from rules.attacking import FISTS, Prepared
from rules.commands import (
    AnswerAttack,
    Attack,
    ChooseMishap,
    ClearJam,
    ProposeAttack,
    Reload,
    ResolveAttack,
    WithdrawAttack,
)
from rules.decisions.desk import Desk
from rules.encounter import Encounter, Exchange, PendingMishap
from rules.events import (
    AttackAnswered,
    AttackProposed,
    AttackResolved,
    AttackResult,
    AttackWithdrawn,
    ConditionsChanged,
    DamageDone,
    Event,
    JamCleared,
    MishapPending,
    MishapSettled,
    Outcome,
    Reloaded,
    TurnRecordChanged,
    WeaponChanged,
)
from rules.fire import loaded
from rules.gear import BARE_HANDS, Fault, Weapon, find
from rules.health import Blow
from rules.mishaps import Mishap, allies, fitting
from rules.violations import RuleViolation, bad_input


def attack(desk: Desk, command: Attack, exchange: str = "") -> tuple[Event, ...]:
    """Roll an attack, and mark what comes of it."""
    part = desk.ruleset.attack
    points.check_attack(desk.state, command, desk.ruleset, desk.referee)
    prepared = part.plan(desk.state, command, desk.ruleset, desk.referee)
    results = part.resolve(desk.state, prepared, desk.ruleset, desk.dice)
    resolution = f"r{desk.state.resolutions + 1}"
    turn = desk.state.combatants[command.by].turn
    waited = turn.delaying or turn.free
    out_of_order = desk.state.ordered and command.by not in desk.state.acting and not waited
    told: list[Event] = [
        AttackResolved(resolution, prepared.plan, results, exchange, out_of_order),
        *(TurnRecordChanged(who, record) for who, record in prepared.records.items()),
        *desk.placed(command.by),
        *_rounds(command.by, prepared),
    ]
    now = desk.after(told)

    def follows(events: tuple[Event, ...]) -> None:
        # Each event is folded once: folding is most of what an attack costs.
        nonlocal now
        told.extend(events)
        now = now.after(events)

    for who, modifiers in points.spenders(command):
        follows(now.pay_for(who, modifiers))
    for result in results:
        follows(_marks(now, result, _cause(desk.state, prepared), resolution))
        follows(desk.ruleset.aftermath.of_attack(now, command, prepared.weapon, result))
    return (*told, *_mishap(desk, resolution, prepared, results))


def _rounds(by: str, prepared: Prepared) -> tuple[Event, ...]:
    magazine = loaded(prepared.weapon)
    if not prepared.plan.rounds or magazine is None:
        return ()
    return (WeaponChanged(by, replace(prepared.weapon, rounds=magazine - prepared.plan.rounds)),)


def _marks(desk: Desk, result: AttackResult, cause: str, resolution: str) -> tuple[Event, ...]:
    told: tuple[Event, ...] = ()
    for done in (result.done, result.counter):
        if done:
            blow = Blow(cause if done is result.done else result.defence_kind, desk.state.turn, resolution)
            told += desk.after(told).suffer(done, blow)
    return told


def _cause(state: Encounter, prepared: Prepared) -> str:
    """What did it, as whoever suffers it may know: nothing of one who is hidden, and nobody's name."""
    attacker, weapon = state.combatants[prepared.plan.by], prepared.weapon
    if attacker.hidden:
        return ""
    veiled = [each.sheet.name for each in state.combatants.values() if each.hidden or each.mask]
    if weapon.name == BARE_HANDS:
        return "bare hands"
    return weapon.mode.value if any(name in weapon.name for name in veiled) else weapon.name


def _mishap(desk: Desk, resolution: str, prepared: Prepared, results: tuple[AttackResult, ...]) -> tuple[Event, ...]:
    botched = next((result for result in results if result.outcome is Outcome.BOTCH), None)
    if botched is None:
        return ()
    by, weapon = prepared.plan.by, prepared.weapon
    choices = fitting(desk.state, by, botched.target, weapon)
    near = allies(desk.state, by, botched.target)
    return (MishapPending(PendingMishap(resolution, by, weapon.key or weapon.name, choices, near)),)


# ------------------------------------------------------------------ an attack as a conversation


def propose(desk: Desk, command: ProposeAttack) -> tuple[Event, ...]:
    """Announce an attack that could be made, and ask its target.

    Where no target ever has an answer it is rolled at once, unless the table's dice are awaited.
    """
    if not command.exchange:
        raise bad_input("An attack that is announced needs an id.")
    if any(exchange.id == command.exchange for exchange in desk.state.exchanges):
        raise bad_input("This attack was announced already.")
    if any(exchange.attack.by == command.attack.by for exchange in desk.state.exchanges):
        raise bad_input("This attacker has an attack waiting already.")
    points.check_attack(desk.state, command.attack, desk.ruleset, desk.referee)
    plan = desk.ruleset.attack.plan(desk.state, command.attack, desk.ruleset, desk.referee).plan
    able = [each.target for each in plan.against if desk.ruleset.attack.defences.worth_asking(each)]
    if not able and not command.by_hand:
        return attack(desk, command.attack, command.exchange)
    asked = tuple(who for who in able if who not in command.attack.defences)
    return (AttackProposed(Exchange(command.exchange, command.attack, asked, command.by_hand)),)


def _exchange(desk: Desk, reference: str) -> Exchange:
    for exchange in desk.state.exchanges:
        if exchange.id == reference:
            return exchange
    raise bad_input("That attack is not waiting any more.")


def answer(desk: Desk, command: AnswerAttack) -> tuple[Event, ...]:
    """Give a target's defence; the attack is rolled when it was the last, unless the table's dice are awaited."""
    exchange = _exchange(desk, command.exchange)
    if command.target not in exchange.attack.at:
        raise bad_input("Only the target defends.")
    answered = replace(exchange.attack, defences={**exchange.attack.defences, command.target: command.defence})
    if command.defence.kind:
        points.check_modifiers(desk.state, command.target, command.defence.modifiers, desk.ruleset, desk.referee)
    desk.ruleset.attack.plan(desk.state, answered, desk.ruleset, desk.referee)
    asked = tuple(who for who in exchange.asked if who != command.target)
    told = AttackAnswered(replace(exchange, attack=answered, asked=asked), command.target)
    if asked or exchange.by_hand or not _payable(desk, answered):
        # Whoever answers is not told what the others have not: it waits for the Storyteller.
        return (told,)
    return (told, *attack(desk, answered, exchange.id))


def _payable(desk: Desk, attack: Attack) -> bool:
    """Whether everybody still has the points that an announced attack and its answers cost."""
    try:
        points.check_attack(desk.state, attack, desk.ruleset, desk.referee)
    except RuleViolation:
        return False
    return True


def resolve(desk: Desk, command: ResolveAttack) -> tuple[Event, ...]:
    """Roll an announced attack; whoever has not answered gives no defence."""
    exchange = _exchange(desk, command.exchange)
    return attack(desk, exchange.attack, exchange.id)


def withdraw(desk: Desk, command: WithdrawAttack) -> tuple[Event, ...]:
    """Take an announced attack back."""
    return (AttackWithdrawn(_exchange(desk, command.exchange).id),)


# ------------------------------------------------------------------ mishaps and the state of weapons


def choose_mishap(desk: Desk, command: ChooseMishap) -> tuple[Event, ...]:
    """Settle a botch by the Storyteller's pick or by chance (MQ-ATK-7)."""
    pending = next((m for m in desk.state.mishaps if m.resolution == command.resolution), None)
    if pending is None:
        raise bad_input("No mishap is waiting there.")
    by_chance = not command.mishap
    near = any(who in desk.state.combatants for who in pending.allies)
    fit = tuple(choice for choice in pending.choices if choice != Mishap.ALLY_HIT or near or not by_chance)
    mishap = fit[desk.dice.pick(len(fit))] if by_chance else command.mishap
    if mishap not in fit:
        raise bad_input("Choose one of the mishaps that fit.")
    # A weapon that was put away since is spared, and what hits an ally is the bare hand.
    held = desk.combatant(pending.by).sheet.at_hand
    weapon = next((each for each in held if pending.weapon in (each.key, each.name)), FISTS)
    ally = _ally(desk, pending, command) if mishap == Mishap.ALLY_HIT else ""
    done = desk.ruleset.aftermath.stray(desk, pending.by, ally, weapon) if ally else None
    settled = MishapSettled(pending.resolution, pending.by, mishap, by_chance, ally, done)
    return (settled, *_effect(desk, pending.by, Mishap(mishap), weapon, done))


def _ally(desk: Desk, pending: PendingMishap, command: ChooseMishap) -> str:
    here = tuple(who for who in pending.allies if who in desk.state.combatants)
    if command.ally:
        if command.ally == pending.by:
            raise bad_input("An ally is somebody else.")
        return desk.combatant(command.ally).id
    if not here:
        raise bad_input("Say who is hit.")
    return here[desk.dice.pick(len(here))]


def _effect(desk: Desk, by: str, mishap: Mishap, weapon: Weapon, done: DamageDone | None) -> tuple[Event, ...]:
    if done:
        marks = desk.harm(done.to, done.dealt, done.type)
        return (*marks, *desk.ruleset.aftermath.of_damage(desk.after(marks), done))
    if mishap is Mishap.FALL:
        conditions = desk.combatant(by).conditions
        return (ConditionsChanged(by, conditions | {"prone"}, added=frozenset({"prone"})),)
    if mishap is Mishap.NOTHING or weapon is FISTS:
        return ()
    fault = _FAULTS.get(mishap, Fault.BROKEN)
    return (WeaponChanged(by, replace(weapon, fault=fault)),)


_FAULTS = {Mishap.JAM: Fault.JAMMED, Mishap.SEIZED: Fault.SEIZED}


def clear_jam(desk: Desk, command: ClearJam) -> tuple[Event, ...]:
    """Spend an action on making a jammed weapon fire again (MQ-ATK-7, CD-GUN-13)."""
    weapon = find(desk.able(command.by).sheet.weapons, command.weapon)
    if weapon.fault not in (Fault.JAMMED, Fault.SEIZED):
        raise bad_input(f"{weapon.name} is not jammed.")
    if weapon.fault is Fault.SEIZED:
        desk.forbid("mishap", f"{weapon.name} has to be taken apart, and there is no time for that now.")
    used = desk.action(command.by, "clear_jam")
    cleared = WeaponChanged(command.by, replace(weapon, fault=None))
    return (JamCleared(command.by, weapon.name), used, *desk.placed(command.by), cleared)


def reload(desk: Desk, command: Reload) -> tuple[Event, ...]:
    """Spend an action on filling a weapon; one that still holds a round keeps it chambered.

    Where a ruleset has a rule on that, rounds that go in one by one cost Defense for the turn (CD-GUN-12).
    """
    weapon = find(desk.able(command.by).sheet.weapons, command.weapon)
    if weapon.clip is None:
        raise bad_input(f"{weapon.name} is not loaded with rounds.")
    most = weapon.clip + (weapon.chambered if loaded(weapon) else 0)
    rounds = most if command.rounds is None else command.rounds
    if not 0 <= rounds <= weapon.clip + weapon.chambered:
        raise bad_input(f"{weapon.name} holds {weapon.clip + weapon.chambered} rounds at the most.")
    used = desk.action(command.by, "reload")
    exposing = desk.ruleset.cites.get("single_rounds")
    if weapon.single_rounds and exposing:
        used = replace(used, record=replace(used.record, exposed=exposing))
    filled = WeaponChanged(command.by, replace(weapon, rounds=rounds))
    return (Reloaded(command.by, weapon.name, rounds), used, *desk.placed(command.by), filled)
