"""Deciders for the course of a fight: beginning, declarations, whose turn it is, the end."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.dice import Purpose
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model import points
from rules.model.gear import Mode
from rules.model.plan import Part
from rules.model.pools import ATTACK
from rules.model.results import Rolled
from rules.model.state import OPEN_ACTION, Combatant, Declaration, Encounter, Stage, Status, TurnRecord
from rules.model.system import Game
from rules.topics import bars, effects
from rules.topics.commands import Abort, Act, Begin, Declare, Delay, End, EndTurn, FullDefence, HoldOver, Pause, Resume
from rules.topics.declarations import speaking
from rules.topics.events import (
    Aborted,
    AttackWithdrawn,
    Declared,
    Delayed,
    FullDefenceTaken,
    HeldOver,
    ResourceChanged,
    StatusChanged,
    TurnEnded,
    TurnMoved,
    TurnRecordChanged,
)
from rules.topics.powers.lasting import at_the_end
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now
from rules.topics.turns.end import at_turn_end
from rules.topics.turns.record import DEFENSIVE, FULL_DEFENCE
from rules.topics.turns.staying import stays


@decides(Begin)
def begin(game: Game, command: Begin) -> tuple[Event, ...]:
    """Begin a drafted fight that has at least one combatant."""
    if game.state.status is not Status.DRAFT:
        raise bad_input(phrase("this-fight-has-already-begun"))
    if not game.state.combatants:
        raise bad_input(phrase("nobody-is-in-this-fight-yet-add"))
    return (StatusChanged(Status.RUNNING),)


@decides(Pause)
def pause(game: Game, command: Pause) -> tuple[Event, ...]:
    """Pause the fight."""
    return (StatusChanged(Status.PAUSED),)


@decides(Resume)
def resume(game: Game, command: Resume) -> tuple[Event, ...]:
    """Resume a paused fight."""
    if game.state.status is not Status.PAUSED:
        raise bad_input(phrase("this-fight-isnt-paused"))
    return (StatusChanged(Status.RUNNING),)


@decides(End)
def end(game: Game, command: End) -> tuple[Event, ...]:
    """End the fight: announced attacks lapse, everyone returns to their own shape, and some conditions stay."""
    if game.state.status not in (Status.RUNNING, Status.PAUSED):
        raise bad_input(phrase("only-fight-that-has-begun"))
    shaped = [who for who, each in game.state.combatants.items() if each.sheet.shape]
    told: list[Event] = [*_lapsed(game)]
    for who in shaped:
        told += effects.shaped(game, who, None, phrase("their-own-shape"))
    told += at_the_end(game.after(told))
    return (*told, *stays(game.after(told), command.stays), StatusChanged(Status.ENDED))


def _lapsed(game: Game) -> tuple[AttackWithdrawn, ...]:
    return tuple(AttackWithdrawn(exchange.id) for exchange in game.state.exchanges)


def _known_to(who: str, state: Encounter) -> Encounter:
    """The order as a combatant may know it: a hidden one who has yet to declare must not hold up those in sight."""
    known = state.known_to(who)
    ranks = (tuple(one for one in rank if one in known) for rank in state.order)
    return replace(state, order=tuple(rank for rank in ranks if rank))


@decides(Declare)
def declare(game: Game, command: Declare) -> tuple[Event, ...]:
    """Declare actions: slowest first (MQ-DECL-1, MQ-DECL-2), several out of one pool (MQ-MULTI-1).

    In rulesets with aborts, a declaration holds until an action is aborted (MQ-ABORT-1).
    """
    told: tuple[Event, ...] = ()
    for who in dict.fromkeys((command.by, *command.others)):
        told += _declare(game.after(told), replace(command, by=who))
    return told


def _declare(game: Game, command: Declare) -> tuple[Event, ...]:
    """One combatant's declaration."""
    combatant = game.able(command.by)
    waiting = game.system.turns.declaring(_known_to(command.by, game.state))
    if command.delay and "delay" not in game.system.cites:
        raise bad_input(phrase("has-no-such-action", ruleset=game.system.name))
    if any(not key.strip() or key == OPEN_ACTION for key in command.actions):
        raise bad_input(phrase("choose-each-action"))
    if command.at:
        game.combatant(command.at)  # rejects unknown ids
    early = bool(waiting) and command.by not in waiting and combatant.turn.declaration is None
    if early and not command.out_of_order:
        game.forbid("declaration", phrase("declares-after-slower-combatants", name=combatant.sheet.name))
    if game.system.turns.too_late(game.state, command.by):
        game.forbid("declaration", phrase("declarations-are-closed-for-this-turn"))
    if combatant.turn.declaration and game.state.ordered and game.system.turns.declares and game.system.turns.aborts:
        # A second declaration could react to those who declared later and had seen the first.
        game.forbid("abort", phrase("has-already-declared-to-do-something-else", name=combatant.sheet.name))
    record = replace(_declared_actions(game, command, combatant), delaying=command.delay)
    declaration = Declaration(
        command.text.strip(),
        command.actions,
        command.delay,
        command.disciplines,
        command.willpower,
        command.points,
        command.at,
    )
    record = speaking(game, command.by, replace(record, declaration=declaration))
    _check_points(game, command, combatant)
    before = combatant.turn.declaration
    spent = _spend(game, combatant, "willpower", before.willpower if before else 0, command.willpower)
    fuel, bought = game.system.turns.fuel, game.system.turns.bought
    if fuel and (bought or points.has(game, command.by, fuel)):
        had = game.system.turns.price(before.actions) if before else 0
        spent += _spend(game, combatant, fuel, had, game.system.turns.price(command.actions))
    return (Declared(command.by, declaration, record, early), *spent)


def _check_points(game: Game, command: Declare, combatant: Combatant) -> None:
    """Check that the points a combatant intends to spend are available; they are not spent yet."""
    for key, amount in command.points.items():
        if amount < 0:
            raise bad_input(phrase("enter-number-of-points"))
        points.check(game, command.by, key, amount)


def _spend(game: Game, combatant: Combatant, key: str, before: int, now: int) -> tuple[Event, ...]:
    """Pay for a declaration, minus the cost of the one it replaces (MQ-WILL-1, MQ-CEL-1, AP-RAGE-1)."""
    more = now - before
    if now < 0:
        raise bad_input(phrase("enter-number-of-points"))
    if not more:
        return ()
    there = game.system.layout.points(combatant.sheet, key)
    if more > 0:
        more = points.check(game, combatant.id, key, more)
    left = min(there - more, max(there, game.system.layout.maximum(combatant.sheet, key)))
    return (ResourceChanged(combatant.id, key, left, there - left, "declared"),) if left != there else ()


def _declared_actions(game: Game, command: Declare, combatant: Combatant) -> TurnRecord:
    turns = game.system.turns
    if not turns.shares:
        if len(command.actions) > 1:
            game.forbid("multiple_actions", phrase("turn-has-one-action"))
        return combatant.turn
    fast = command.actions.count(turns.fast)
    if not turns.bought and fast > turns.most_fast(combatant.sheet):
        game.forbid(
            "extra_actions",
            phrase(
                "doesnt-have-that-much",
                name=combatant.sheet.name,
                points=game.system.layout.trait(turns.fast).label,
            ),
        )
    planned = tuple(key for key in command.actions if key != turns.fast)
    if len(planned) > 1:
        game.referee.uphold(bars.barred(game, command.by, bars.SPLIT))
    if turns.all_defence and planned and not fast and DEFENSIVE.issuperset(planned):
        game.referee.uphold(bars.barred(game, command.by, FULL_DEFENCE))
        return replace(combatant.turn, actions=(), split=None, full_defence=True)
    if FULL_DEFENCE in planned and "full_defence" in game.system.cites:
        game.referee.uphold(bars.barred(game, command.by, FULL_DEFENCE))
        if len(planned) > 1 or fast:
            game.forbid("full_defence", phrase("turn-of-full-defence-leaves-no-other"))
        return replace(combatant.turn, actions=(), split=None, full_defence=True)
    pools = [pool for key in planned if (pool := _pool(game, command.by, key)) is not None]
    split = game.system.turns.shared_pool(pools, len(planned), game.referee)
    actions = (planned or (OPEN_ACTION,)) + (turns.fast,) * fast
    return replace(combatant.turn, actions=actions, split=split, full_defence=False)


def shares(game: Game, command: Declare) -> tuple[int, ...]:
    """The dice that each of several declared actions gets if they share the pool evenly, the first ones first.

    Empty if they share none, or none of a known size. Raises what forbids the actions.
    """
    split = _declared_actions(game, command, game.combatant(command.by)).split
    if split is None or split.dice is None:
        return ()
    count = sum(key != game.system.turns.fast for key in command.actions)
    each, more = divmod(split.dice, count)
    return tuple(each + (number < more) for number in range(count))


def _pool(game: Game, who: str, key: str) -> int | None:
    """The pool of a declared action, ``None`` if it is free text."""
    sheet, attack = sheet_now(game.state, who), game.system.attack
    traits: tuple[str, ...]
    pool = ""
    if key in attack.defences.kinds:
        traits, pool = attack.defences.kinds[key].traits, ATTACK if attack.defences.kinds[key].attacks else key
    elif key in game.system.needs and game.system.needs[key].pool:
        traits = game.system.needs[key].pool
    elif key in list(Mode) and Mode(key) in attack.traits:
        held = next((weapon for weapon in sheet.at_hand if weapon.mode == key), None)
        traits, pool = attack.traits_of(held) if held else attack.traits[Mode(key)], ATTACK
    else:
        return None
    parts = [
        *game.system.pools.dice(sheet, traits, "", pool),
        *game.system.pools.hampering(game.state, who, traits),
    ]
    return game.system.pools.total(parts).pool


@decides(Act)
def act(game: Game, command: Act) -> tuple[Event, ...]:
    """Move on to the next combatant to act, or to the turn's resolution when nobody is left (MQ-TURN-1)."""
    opened = game.system.turns.opening(game)
    placed, visit = game.system.turns.next_place(game.after(opened))
    return (*opened, *placed, TurnMoved(Stage.ATTACK if visit else Stage.RESOLUTION, visit))


@decides(EndTurn)
def end_turn(game: Game, command: EndTurn) -> tuple[Event, ...]:
    """End the turn, even if some have not acted. Announced attacks lapse."""
    if command.onward:
        return _onward(game)
    lapsed = _lapsed(game)
    return (*lapsed, *at_turn_end(game.after(lapsed)), TurnEnded(game.state.turn + 1))


def _onward(game: Game) -> tuple[Event, ...]:
    """The end of a turn, by way of its resolution, and the way to the first thing to do in the next one."""
    told: tuple[Event, ...] = ()
    if game.state.stage is not Stage.RESOLUTION:
        told = (TurnMoved(Stage.RESOLUTION, None),)
    told += end_turn(game.after(told), EndTurn())
    begun = game.after(told)
    return told if _waits_for_somebody(begun) else (*told, *act(begun, Act()))


def _waits_for_somebody(game: Game) -> bool:
    """Whether a turn that begins waits for something before the first action, or nobody could act in it."""
    state, turns, initiative = game.state, game.system.turns, game.system.initiative
    able = [who for who, each in state.combatants.items() if not each.hidden and not turns.hindrance(state, who)]
    if not turns.begins_acting or initiative.due(state, able):
        return True
    return turns.next_visit(state) is None


@decides(Delay)
def delay(game: Game, command: Delay) -> tuple[Event, ...]:
    """Wait for a later moment of the turn (MQ-ORDER-1), or for a circumstance that must be named (CD-INIT-3)."""
    combatant = game.able(command.by)
    if not combatant.turn.actions and game.state.ordered:
        game.forbid("delay", phrase("has-no-action-left-to-delay", name=combatant.sheet.name))
    circumstance = command.text.strip()
    if game.system.turns.names_delay and not circumstance:
        game.forbid("delay", phrase("say-what-waits-for", name=combatant.sheet.name))
    record = speaking(game, command.by, replace(combatant.turn, delaying=True, waits_for=circumstance))
    return (Delayed(command.by, circumstance), TurnRecordChanged(command.by, record))


@decides(HoldOver)
def hold_over(game: Game, command: HoldOver) -> tuple[Event, ...]:
    """Forfeit this turn's action, to act at any moment of the next (WD-DELAY-3)."""
    combatant = game.able(command.by)
    used = effects.action(game, command.by, "hold_over")
    record = replace(used.record, acted=combatant.turn.acted, holding=True)
    return (HeldOver(command.by), TurnRecordChanged(command.by, record))


@decides(Abort)
def abort(game: Game, command: Abort) -> tuple[Event, ...]:
    """Give up an action for a defence, with a Willpower roll or for a point (MQ-ABORT-1)."""
    combatant = game.able(command.by)
    if not game.system.turns.aborts:
        raise bad_input(phrase("any-action-left-can-become-defence"))
    given_up = next((action for action in combatant.turn.actions if action not in DEFENSIVE), None)
    if given_up is None and game.state.ordered:
        game.forbid("abort", phrase("has-no-action-left-to-abort", name=combatant.sheet.name))
    if command.pay == "point":
        return (*_pay_point(game, command.by), Aborted(command.by, True), _turned(game, combatant, given_up))
    if combatant.turn.abort_failed:
        game.forbid("abort", phrase("already-failed-this-roll-this-turn-spend", name=combatant.sheet.name))
    rolled = _willpower_roll(game, command.by)
    if not rolled.roll.successes:
        failed = speaking(game, command.by, replace(combatant.turn, abort_failed=True))
        return (Aborted(command.by, False, rolled), TurnRecordChanged(command.by, failed))
    return (Aborted(command.by, True, rolled), _turned(game, combatant, given_up))


def _pay_point(game: Game, who: str) -> tuple[Event, ...]:
    points = game.system.layout.points(game.combatant(who).sheet, "willpower")
    if points < 1:
        game.forbid("abort", phrase("has-no-willpower-left", name=game.combatant(who).sheet.name))
    return (ResourceChanged(who, "willpower", max(0, points - 1), min(points, 1), "aborting"),)


def _willpower_roll(game: Game, who: str) -> Rolled:
    """A Willpower roll at the default difficulty; it isn't an action, so wounds don't apply."""
    layout, pools = game.system.layout, game.system.pools
    sheet = game.combatant(who).sheet
    rule = game.system.cites["abort"]
    difficulty = game.system.settings.get("abort_difficulty", game.system.mechanic.default)
    dots = layout.dots(sheet, "willpower") or layout.points(sheet, "willpower")
    parts = [
        Part("trait:willpower", phrase("willpower"), rule, dice=dots),
        pools.difficulty(difficulty, phrase("difficulty"), rule),
    ]
    return roll_pool(Purpose.ROLL, who, pools.total(parts), game.system.mechanic, game.dice)


def after_abort(game: Game, who: str) -> TurnRecord:
    """The turn of a combatant who gives up an action for a defence (MQ-ABORT-1); the same turn if they can't."""
    combatant = game.combatant(who)
    given_up = next((action for action in combatant.turn.actions if action not in DEFENSIVE), None)
    paid = not combatant.turn.abort_failed or game.system.layout.points(combatant.sheet, "willpower") > 0
    if not (game.system.turns.aborts and given_up and paid):
        return combatant.turn
    return _turned(game, combatant, given_up).record


def _turned(game: Game, combatant: Combatant, given_up: str | None) -> TurnRecordChanged:
    """The turn's record with one action turned into a defence."""
    actions = list(combatant.turn.actions)
    if given_up is not None:
        actions[actions.index(given_up)] = "defence"
    record = speaking(game, combatant.id, replace(combatant.turn, actions=tuple(actions)))
    return TurnRecordChanged(combatant.id, record)


@decides(FullDefence)
def full_defence(game: Game, command: FullDefence) -> tuple[Event, ...]:
    """Do nothing but defend: only for those who have neither done nor declared anything else (MQ-DEF-4, MQ-ABORT-1)."""
    combatant = game.able(command.by)
    name, record = combatant.sheet.name, combatant.turn
    game.referee.uphold(bars.barred(game, command.by, FULL_DEFENCE))
    if record.acted and game.state.ordered:
        game.forbid("full_defence", phrase("has-already-acted-this-turn", name=name))
    promised = set(record.actions) - DEFENSIVE - {OPEN_ACTION}
    if promised and game.state.ordered and game.system.turns.aborts:
        game.forbid("abort", phrase("declared-something-else-abort-it-first", name=name))
    # No other actions are left to share the pool with.
    given = speaking(game, command.by, replace(record, full_defence=True, actions=(), split=None))
    return (FullDefenceTaken(command.by), TurnRecordChanged(command.by, given))
