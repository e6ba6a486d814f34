"""The fight and its turns: beginning, initiative, declarations, whose turn it is, the end."""

from __future__ import annotations

from dataclasses import replace

from rules import points
from rules.commands import (
    Abort,
    Act,
    Begin,
    Declare,
    Delay,
    End,
    EndTurn,
    FullDefence,
    HoldOver,
    Pause,
    Resume,
)
from rules.decisions.desk import Desk
from rules.decisions.turn_end import at_turn_end
from rules.dice import Purpose
from rules.encounter import OPEN_ACTION, Combatant, Declaration, Stage, Status, TurnRecord
from rules.events import (
    Aborted,
    AttackWithdrawn,
    Declared,
    Delayed,
    Event,
    FullDefenceTaken,
    HeldOver,
    ResourceChanged,
    Rolled,
    StatusChanged,
    TurnEnded,
    TurnMoved,
    TurnRecordChanged,
)
from rules.gear import Mode
from rules.plan import Part
from rules.rolling import roll_pool
from rules.turn_record import DEFENSIVE, FULL_DEFENCE
from rules.turns import sheet_now
from rules.violations import bad_input


def begin(desk: Desk, command: Begin) -> tuple[Event, ...]:
    """Begin a drafted fight that somebody is in."""
    if desk.state.status is not Status.DRAFT:
        raise bad_input("This fight has begun already.")
    if not desk.state.combatants:
        raise bad_input("Nobody is in this fight yet.")
    return (StatusChanged(Status.RUNNING),)


def pause(desk: Desk, command: Pause) -> tuple[Event, ...]:
    """Set the fight aside."""
    return (StatusChanged(Status.PAUSED),)


def resume(desk: Desk, command: Resume) -> tuple[Event, ...]:
    """Go on with a fight that was set aside."""
    if desk.state.status is not Status.PAUSED:
        raise bad_input("This fight is not paused.")
    return (StatusChanged(Status.RUNNING),)


def end(desk: Desk, command: End) -> tuple[Event, ...]:
    """End the fight: nobody leaves it in another shape than their own."""
    if desk.state.status not in (Status.RUNNING, Status.PAUSED):
        raise bad_input("Only a fight that has begun can end.")
    shaped = [who for who, each in desk.state.combatants.items() if each.sheet.shape]
    return (
        *(event for who in shaped for event in desk.shaped(who, None, "their own shape")),
        StatusChanged(Status.ENDED),
    )


def declare(desk: Desk, command: Declare) -> tuple[Event, ...]:
    """Say what one will do: slowest first (MQ-DECL-1, MQ-DECL-2), several actions out of one pool (MQ-MULTI-1)."""
    combatant = desk.able(command.by)
    waiting = desk.ruleset.turns.declaring(desk.state, desk.ruleset)
    if command.delay and "delay" not in desk.ruleset.cites:
        raise bad_input(f"{desk.ruleset.name} knows no such action.")
    if any(not key.strip() or key == OPEN_ACTION for key in command.actions):
        raise bad_input("Say what each action is.")
    early = bool(waiting) and command.by not in waiting and combatant.turn.declaration is None
    if early and not command.out_of_order:
        desk.forbid("declaration", f"{combatant.sheet.name} declares after those who are slower.")
    if desk.ruleset.turns.too_late(desk.state, command.by):
        desk.forbid("declaration", "The time to declare is over for this turn.")
    record = replace(_declared_actions(desk, command, combatant), delaying=command.delay)
    declaration = Declaration(
        command.text.strip(), command.actions, command.delay, command.disciplines, command.willpower, command.points
    )
    record = replace(record, declaration=declaration)
    _check_points(desk, command, combatant)
    before = combatant.turn.declaration
    spent = _spend(desk, combatant, "willpower", before.willpower if before else 0, command.willpower)
    fuel, bought = desk.ruleset.turns.fuel, desk.ruleset.turns.bought
    if fuel and (bought or points.has(desk.state, command.by, fuel, desk.ruleset)):
        had = desk.ruleset.turns.price(before.actions, desk.ruleset) if before else 0
        spent += _spend(desk, combatant, fuel, had, desk.ruleset.turns.price(command.actions, desk.ruleset))
    return (Declared(command.by, declaration, record, early), *spent)


def _check_points(desk: Desk, command: Declare, combatant: Combatant) -> None:
    """Points that somebody means to spend are there; they are spent when they are."""
    for key, amount in command.points.items():
        if amount < 0:
            raise bad_input("Say how many points.")
        points.check(desk.state, command.by, key, amount, desk.ruleset, desk.referee)


def _spend(desk: Desk, combatant: Combatant, key: str, before: int, now: int) -> tuple[Event, ...]:
    """What a declaration costs, less what the one in whose place it comes has cost (MQ-WILL-1, MQ-CEL-1, AP-RAGE-1)."""
    there = desk.ruleset.layout.points(combatant.sheet, key)
    more = now - before
    if now < 0:
        raise bad_input("Say how many points.")
    if more > 0:
        more = points.check(desk.state, combatant.id, key, more, desk.ruleset, desk.referee)
    left = min(there - more, max(there, desk.ruleset.layout.maximum(combatant.sheet, key)))
    return (ResourceChanged(combatant.id, key, left, there - left, "declared"),) if left != there else ()


def _declared_actions(desk: Desk, command: Declare, combatant: Combatant) -> TurnRecord:
    turns = desk.ruleset.turns
    if not turns.shares:
        if len(command.actions) > 1:
            desk.forbid("multiple_actions", "A turn has one action.")
        return combatant.turn
    fast = command.actions.count(turns.fast)
    if not turns.bought and fast > turns.most_fast(combatant.sheet, desk.ruleset):
        desk.forbid("extra_actions", f"{combatant.sheet.name} has not that much {turns.fast.capitalize()}.")
    planned = tuple(key for key in command.actions if key != turns.fast)
    if turns.all_defence and planned and not fast and DEFENSIVE.issuperset(planned):
        return replace(combatant.turn, actions=(), split=None, full_defence=True)
    if FULL_DEFENCE in planned and "full_defence" in desk.ruleset.cites:
        if len(planned) > 1 or fast:
            desk.forbid("full_defence", "A turn of defence leaves room for nothing else.")
        return replace(combatant.turn, actions=(), split=None, full_defence=True)
    pools = [pool for key in planned if (pool := _pool(desk, command.by, key)) is not None]
    split = desk.ruleset.turns.shared_pool(pools, len(planned), desk.ruleset, desk.referee)
    actions = (planned or (OPEN_ACTION,)) + (turns.fast,) * fast
    return replace(combatant.turn, actions=actions, split=split, full_defence=False)


def _pool(desk: Desk, who: str, key: str) -> int | None:
    """The pool of a declared action, ``None`` where the words name none."""
    sheet, attack = sheet_now(desk.state, who), desk.ruleset.attack
    traits: tuple[str, ...]
    if key in attack.defences.kinds:
        traits = attack.defences.kinds[key].traits
    elif key in desk.ruleset.actions and desk.ruleset.actions[key].needs.pool:
        traits = desk.ruleset.actions[key].needs.pool
    elif key in list(Mode) and Mode(key) in attack.traits:
        held = next((weapon for weapon in sheet.at_hand if weapon.mode == key), None)
        traits = attack.traits_of(held) if held else attack.traits[Mode(key)]
    else:
        return None
    parts = [
        *desk.ruleset.pools.traits(sheet, traits, "", desk.ruleset),
        *desk.ruleset.pools.hampering(desk.state, who, traits, desk.ruleset),
    ]
    return desk.ruleset.pools.total(parts, desk.ruleset).pool


def act(desk: Desk, command: Act) -> tuple[Event, ...]:
    """Move on to whoever acts next; to the turn's resolution when nobody is left (MQ-TURN-1)."""
    if not desk.state.ordered:
        raise bad_input("Roll initiative first.")
    placed, visit = desk.ruleset.turns.next_place(desk.state, desk.ruleset, desk.dice)
    return (*placed, TurnMoved(Stage.ATTACK if visit else Stage.RESOLUTION, visit))


def end_turn(desk: Desk, command: EndTurn) -> tuple[Event, ...]:
    """End the turn, whoever has not acted. Attacks announced and not rolled lapse with it."""
    lapsed = tuple(AttackWithdrawn(exchange.id) for exchange in desk.state.exchanges)
    return (*lapsed, *at_turn_end(desk.after(lapsed)), TurnEnded(desk.state.turn + 1))


def delay(desk: Desk, command: Delay) -> tuple[Event, ...]:
    """Wait for a later moment of the turn (MQ-ORDER-1)."""
    combatant = desk.able(command.by)
    if not combatant.turn.actions and desk.state.ordered:
        desk.forbid("delay", f"{combatant.sheet.name} has no action left to delay.")
    record = replace(combatant.turn, delaying=True, waits_for=command.text.strip())
    return (Delayed(command.by, command.text.strip()), TurnRecordChanged(command.by, record))


def hold_over(desk: Desk, command: HoldOver) -> tuple[Event, ...]:
    """Forfeit this turn's action, to act at any moment of the next (WD-DELAY-3)."""
    combatant = desk.able(command.by)
    used = desk.action(command.by, "hold_over")
    record = replace(used.record, acted=combatant.turn.acted, holding=True)
    return (HeldOver(command.by), TurnRecordChanged(command.by, record))


def abort(desk: Desk, command: Abort) -> tuple[Event, ...]:
    """Give up an action for a defence, by a Willpower roll or for a point (MQ-ABORT-1)."""
    combatant = desk.able(command.by)
    if not desk.ruleset.turns.aborts:
        raise bad_input("Any action that is left may become a defence: nothing has to be aborted.")
    given_up = next((action for action in combatant.turn.actions if action not in DEFENSIVE), None)
    if given_up is None and desk.state.ordered:
        desk.forbid("abort", f"{combatant.sheet.name} has no action left to abort.")
    if command.pay == "point":
        return (*_pay_point(desk, command.by), Aborted(command.by, True), _turned(command.by, combatant, given_up))
    if command.pay != "roll":
        raise bad_input("An action is aborted by a roll or for a point.")
    if combatant.turn.abort_failed:
        desk.forbid("abort", f"{combatant.sheet.name} has tried in vain this turn: a point is left.")
    rolled = _willpower_roll(desk, command.by)
    if not rolled.roll.successes:
        failed = replace(combatant.turn, abort_failed=True)
        return (Aborted(command.by, False, rolled), TurnRecordChanged(command.by, failed))
    return (Aborted(command.by, True, rolled), _turned(command.by, combatant, given_up))


def _pay_point(desk: Desk, who: str) -> tuple[Event, ...]:
    points = desk.ruleset.layout.points(desk.combatant(who).sheet, "willpower")
    if points < 1:
        desk.forbid("abort", f"{desk.combatant(who).sheet.name} has no Willpower point left.")
    return (ResourceChanged(who, "willpower", max(0, points - 1), min(points, 1), "aborting"),)


def _willpower_roll(desk: Desk, who: str) -> Rolled:
    """A Willpower roll at the usual difficulty; no action itself, so that wounds do not hinder it."""
    layout, pools = desk.ruleset.layout, desk.ruleset.pools
    sheet = desk.combatant(who).sheet
    rule = desk.ruleset.cites["abort"]
    difficulty = desk.ruleset.settings.get("abort_difficulty", desk.ruleset.mechanic.default)
    dots = layout.dots(sheet, "willpower") or layout.points(sheet, "willpower")
    parts = [
        Part("trait:willpower", "Willpower", rule, dice=dots),
        pools.difficulty(difficulty, "Difficulty", rule),
    ]
    return roll_pool(Purpose.ROLL, who, pools.total(parts, desk.ruleset), desk.ruleset, desk.dice)


def _turned(who: str, combatant: Combatant, given_up: str | None) -> TurnRecordChanged:
    """The turn's record with an action turned into a defence."""
    actions = list(combatant.turn.actions)
    if given_up is not None:
        actions[actions.index(given_up)] = "defence"
    return TurnRecordChanged(who, replace(combatant.turn, actions=tuple(actions)))


def full_defence(desk: Desk, command: FullDefence) -> tuple[Event, ...]:
    """Do nothing but defend: only for one who has done nothing else, nor declared it (MQ-DEF-4, MQ-ABORT-1)."""
    combatant = desk.able(command.by)
    name, record = combatant.sheet.name, combatant.turn
    if record.acted and desk.state.ordered:
        desk.forbid("full_defence", f"{name} has acted already this turn.")
    promised = set(record.actions) - DEFENSIVE - {OPEN_ACTION}
    if promised and desk.state.ordered and desk.ruleset.turns.aborts:
        desk.forbid("abort", f"{name} has declared something else: abort it first.")
    # What was to be shared with other actions is whole again: there are none.
    given = replace(record, full_defence=True, actions=(), split=None)
    return (FullDefenceTaken(command.by), TurnRecordChanged(command.by, given))
