"""The fight and its turns: beginning, initiative, declarations, whose turn it is, the end."""

from __future__ import annotations

from dataclasses import replace

from rules.attack import roll_pool
from rules.commands import (
    Abort,
    Act,
    Begin,
    Declare,
    Delay,
    End,
    EndTurn,
    FullDefence,
    Pause,
    Resume,
    RollInitiative,
    SetOrder,
)
from rules.decisions.desk import Desk
from rules.dice import Purpose
from rules.encounter import OPEN_ACTION, Combatant, Declaration, Stage, Status, TurnRecord
from rules.events import (
    Aborted,
    AttackWithdrawn,
    Declared,
    Delayed,
    Event,
    FullDefenceTaken,
    InitiativeRolled,
    OrderSet,
    ResourceChanged,
    Rolled,
    StatusChanged,
    TurnEnded,
    TurnMoved,
    TurnRecordChanged,
)
from rules.gear import Mode
from rules.plan import Part
from rules.turns import DEFENSIVE, FULL_DEFENCE, SPEED, sheet_now
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
    """End the fight."""
    if desk.state.status not in (Status.RUNNING, Status.PAUSED):
        raise bad_input("Only a fight that has begun can end.")
    return (StatusChanged(Status.ENDED),)


def roll_initiative(desk: Desk, command: RollInitiative) -> tuple[Event, ...]:
    """Roll for everybody who can act, or for those named; the others keep their totals of this turn."""
    for who in command.who:
        desk.combatant(who)
    able = [who for who in desk.state.combatants if not desk.ruleset.turns.hindrance(desk.state, who, desk.ruleset)]
    rolling = [who for who in desk.state.combatants if who in (command.who or able)]
    if not rolling:
        raise bad_input("Nobody can act.")
    part = desk.ruleset.initiative
    scores = {who: part.roll(who, desk.state.combatants[who].sheet, desk.ruleset, desk.dice) for who in rolling}
    kept = {who: score for who, score in desk.state.initiative.items() if command.who and who in desk.state.combatants}
    merged = {**kept, **scores}
    ordered = {who: merged[who] for who in desk.state.combatants if who in merged}
    return (InitiativeRolled(scores, part.order(ordered)),)


def set_order(desk: Desk, command: SetOrder) -> tuple[Event, ...]:
    """Put the ranks as the Storyteller wants them: everybody who had a rank, and no one twice."""
    named = [who for rank in command.order for who in rank]
    for who in named:
        desk.combatant(who)
    ranked = {who for rank in desk.state.order for who in rank}
    if (
        len(set(named)) < len(named)
        or not ranked <= set(named)
        or any(who not in desk.state.initiative for who in named)
    ):
        raise bad_input("The order names everybody who has initiative once.")
    return (OrderSet(tuple(rank for rank in command.order if rank)),)


def declare(desk: Desk, command: Declare) -> tuple[Event, ...]:
    """Say what one will do: slowest first (MQ-DECL-1, MQ-DECL-2), several actions out of one pool (MQ-MULTI-1)."""
    combatant = desk.able(command.by)
    waiting = desk.ruleset.turns.declaring(desk.state, desk.ruleset)
    if any(not key.strip() or key == OPEN_ACTION for key in command.actions):
        raise bad_input("Say what each action is.")
    early = bool(waiting) and command.by not in waiting and combatant.turn.declaration is None
    if early and not command.out_of_order:
        desk.forbid("declaration", f"{combatant.sheet.name} declares after those who are slower.")
    if desk.state.ordered and (combatant.turn.acted or desk.state.stage is not Stage.INITIATIVE):
        desk.forbid("declaration", "The time to declare is over for this turn.")
    record = replace(_declared_actions(desk, command, combatant), delaying=command.delay)
    declaration = Declaration(
        command.text.strip(), command.actions, command.delay, command.disciplines, command.willpower
    )
    record = replace(record, declaration=declaration)
    spent = _spend_willpower(desk, command, combatant)
    return (Declared(command.by, declaration, record, early), *spent)


def _spend_willpower(desk: Desk, command: Declare, combatant: Combatant) -> tuple[Event, ...]:
    before = combatant.turn.declaration.willpower if combatant.turn.declaration else 0
    more = command.willpower - before
    if command.willpower < 0 or more > desk.ruleset.layout.points(combatant.sheet, "willpower"):
        raise bad_input(f"{combatant.sheet.name} has not that much Willpower left.")
    if not more:
        return ()
    points = desk.ruleset.layout.points(combatant.sheet, "willpower")
    left = min(points - more, max(points, desk.ruleset.layout.maximum(combatant.sheet, "willpower")))
    return (ResourceChanged(command.by, "willpower", left, points - left, "declared"),)


def _declared_actions(desk: Desk, command: Declare, combatant: Combatant) -> TurnRecord:
    fast = command.actions.count(SPEED)
    if fast > desk.ruleset.layout.dots(combatant.sheet, SPEED):
        desk.forbid("extra_actions", f"{combatant.sheet.name} has not that much Celerity.")
    planned = tuple(key for key in command.actions if key != SPEED)
    if FULL_DEFENCE in planned:
        if len(planned) > 1 or fast:
            desk.forbid("full_defence", "A turn of defence leaves room for nothing else.")
        return replace(combatant.turn, actions=(), split=None, full_defence=True)
    pools = [pool for key in planned if (pool := _pool(desk, command.by, key)) is not None]
    split = desk.ruleset.turns.shared_pool(pools, len(planned), desk.ruleset, desk.referee)
    actions = (planned or (OPEN_ACTION,)) + (SPEED,) * fast
    return replace(combatant.turn, actions=actions, split=split, full_defence=False)


def _pool(desk: Desk, who: str, key: str) -> int | None:
    """The pool of a declared action, ``None`` where the words name none."""
    sheet, attack = sheet_now(desk.state, who), desk.ruleset.attack
    if key in attack.defences.kinds:
        traits = attack.defences.kinds[key].traits
        parts = [
            *desk.ruleset.pools.traits(sheet, traits, "", desk.ruleset),
            *desk.ruleset.pools.hindrances(sheet, traits, desk.ruleset),
        ]
        return desk.ruleset.pools.total(parts, desk.ruleset).pool
    if key not in list(Mode) or Mode(key) not in attack.traits:
        return None
    held = [weapon for weapon in sheet.weapons if weapon.mode == key]
    traits = attack.traits_of(held[0]) if held else attack.traits[Mode(key)]
    parts = [
        *desk.ruleset.pools.traits(sheet, traits, "", desk.ruleset),
        *desk.ruleset.pools.hindrances(sheet, traits, desk.ruleset),
    ]
    return desk.ruleset.pools.total(parts, desk.ruleset).pool


def act(desk: Desk, command: Act) -> tuple[Event, ...]:
    """Move on to whoever acts next; to the turn's resolution when nobody is left (MQ-TURN-1)."""
    if not desk.state.ordered:
        raise bad_input("Roll initiative first.")
    visit = desk.ruleset.turns.next_visit(desk.state, desk.ruleset)
    return (TurnMoved(Stage.ATTACK if visit else Stage.RESOLUTION, visit),)


def end_turn(desk: Desk, command: EndTurn) -> tuple[Event, ...]:
    """End the turn, whoever has not acted. Attacks announced and not rolled lapse with it."""
    lapsed = tuple(AttackWithdrawn(exchange.id) for exchange in desk.state.exchanges)
    return (*lapsed, TurnEnded(desk.state.turn + 1))


def delay(desk: Desk, command: Delay) -> tuple[Event, ...]:
    """Wait for a later moment of the turn (MQ-ORDER-1)."""
    combatant = desk.able(command.by)
    if not combatant.turn.actions and desk.state.ordered:
        desk.forbid("delay", f"{combatant.sheet.name} has no action left to delay.")
    record = replace(combatant.turn, delaying=True)
    return (Delayed(command.by, command.text.strip()), TurnRecordChanged(command.by, record))


def abort(desk: Desk, command: Abort) -> tuple[Event, ...]:
    """Give up an action for a defence, by a Willpower roll or for a point (MQ-ABORT-1)."""
    combatant = desk.able(command.by)
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
    dots = layout.dots(sheet, "willpower") or layout.points(sheet, "willpower")
    parts = [
        Part("trait:willpower", "Willpower", rule, dice=dots),
        pools.difficulty(desk.ruleset.mechanic.default, "Difficulty", rule),
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
    if promised and desk.state.ordered:
        desk.forbid("abort", f"{name} has declared something else: abort it first.")
    # What was to be shared with other actions is whole again: there are none.
    given = replace(record, full_defence=True, actions=(), split=None)
    return (FullDefenceTaken(command.by), TurnRecordChanged(command.by, given))
