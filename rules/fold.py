"""From an event to the next state. Nothing here rolls, refuses or decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from rules import events
from rules.encounter import Combatant, Encounter, ExtendedRoll, HealthShown, LinedUp, Stage, TurnRecord
from rules.events import Event, Outcome
from rules.gear import Weapon
from rules.injuries import mended
from rules.stance import Stance

ENDING = frozenset({"dying", "bleeding"})
"""Conditions in which time itself kills."""


def fold(state: Encounter, event: Event) -> Encounter:
    """The state after an event."""
    change = _FOLDS.get(type(event))
    return state if change is None else change(state, event)


def replay(state: Encounter, told: Iterable[Event]) -> Encounter:
    """The state after many events."""
    return reduce(fold, told, state)


def _with(state: Encounter, who: str, **changes: Any) -> Encounter:
    changed = replace(state.combatants[who], **changes)
    return replace(state, combatants={**state.combatants, who: changed})


def _with_sheet(state: Encounter, who: str, **changes: Any) -> Encounter:
    return _with(state, who, sheet=replace(state.combatants[who].sheet, **changes))


# ------------------------------------------------------------------ who is there


def _joined(state: Encounter, event: events.Joined) -> Encounter:
    return replace(state, combatants={**state.combatants, event.combatant.id: event.combatant})


def _left(state: Encounter, event: events.Left) -> Encounter:
    def without(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(who for who in ids if who != event.who)

    return replace(
        state,
        combatants={
            who: replace(combatant, stance=_stance_without(combatant.stance, event.who))
            for who, combatant in state.combatants.items()
            if who != event.who
        },
        initiative={who: score for who, score in state.initiative.items() if who != event.who},
        order=tuple(rank for rank in map(without, state.order) if rank),
        acting=without(state.acting),
        exchanges=tuple(x for x in state.exchanges if event.who not in (x.attack.by, *x.attack.at)),
        mishaps=tuple(mishap for mishap in state.mishaps if mishap.by != event.who),
        extended=tuple(roll for roll in state.extended if roll.command.by != event.who),
        grapples=tuple(each for each in state.grapples if event.who not in each.members),
        hands=tuple(hand for hand in state.hands if event.who not in (hand.by, hand.against)),
    )


def _stance_without(stance: Stance, gone: str) -> Stance:
    """Where somebody stands once another has left the fight."""
    return replace(
        stance,
        aiming=None if stance.aiming and stance.aiming.target == gone else stance.aiming,
        shield="" if stance.shield == gone else stance.shield,
        fires=tuple(fire for fire in stance.fires if fire.by != gone),
    )


def _visibility(state: Encounter, event: events.VisibilityChanged) -> Encounter:
    shown = HealthShown(event.health_shown)
    return _with(state, event.who, hidden=event.hidden, mask=event.mask, health_shown=shown)


def _sheet_revised(state: Encounter, event: events.SheetRevised) -> Encounter:
    before = state.combatants[event.who]
    injuries = mended(before.injuries, before.sheet.marks, event.sheet.marks)
    return _with(state, event.who, sheet=event.sheet, conditions=event.conditions, injuries=injuries)


# ------------------------------------------------------------------ the fight and its turns


def _status(state: Encounter, event: events.StatusChanged) -> Encounter:
    return replace(state, status=event.status)


def _initiative(state: Encounter, event: events.InitiativeRolled) -> Encounter:
    ranked = {who for rank in event.order for who in rank}
    scores = {who: score for who, score in {**state.initiative, **event.scores}.items() if who in ranked}
    if len(event.scores) < len(ranked):
        return replace(state, initiative=scores, order=event.order)
    # What was done before there were ranks belongs to no turn.
    fresh = state.combatants if state.ordered else _rested(state)
    return replace(
        state,
        combatants=fresh,
        initiative=scores,
        order=event.order,
        stage=Stage.INITIATIVE,
        acting=(),
        visited=(),
        rank_start={},
    )


def _rested(state: Encounter) -> dict[str, Combatant]:
    return {who: replace(combatant, turn=TurnRecord(), spent={}) for who, combatant in state.combatants.items()}


def _standings(state: Encounter, event: events.StandingsChanged) -> Encounter:
    return replace(state, initiative=event.scores, order=event.order)


def _begun(state: Encounter, turn: int) -> dict[str, Combatant]:
    """Everybody's turn as the next begins: whoever held over is free to act at any moment of it."""
    return {
        who: replace(
            combatant,
            turn=TurnRecord(slowed=combatant.turn.slow_next, free=combatant.turn.holding),
            spent={},
            stance=_weathered(combatant.stance, turn),
        )
        for who, combatant in state.combatants.items()
    }


def _weathered(stance: Stance, turn: int) -> Stance:
    """Covering fire whose choice was due by a turn that is over forces none any more."""
    return replace(stance, fires=tuple(fire for fire in stance.fires if fire.until >= turn)) if stance.fires else stance


def _rank_moved(state: Encounter, event: events.RankMoved) -> Encounter:
    placed = replace(state, initiative={**state.initiative, **event.scores}, order=event.order)
    turn = state.combatants[event.who].turn
    return _with(placed, event.who, turn=replace(turn, moment=event.moment or turn.moment))


def _mode(state: Encounter, event: events.InitiativeModeSet) -> Encounter:
    return replace(state, initiative_every_turn=event.every_turn)


def _described(state: Encounter, event: events.Described) -> Encounter:
    for who in event.to:
        state = _with(state, who, told=event.text)
    return state


def _circumstances(state: Encounter, event: events.CircumstancesSet) -> Encounter:
    if not event.who:
        return replace(state, circumstances=event.circumstances)
    return _with(state, event.who, circumstances=event.circumstances)


def _order(state: Encounter, event: events.OrderSet) -> Encounter:
    return replace(state, order=event.order)


def _declared(state: Encounter, event: events.Declared) -> Encounter:
    return _with(state, event.by, turn=event.record)


def _moved(state: Encounter, event: events.TurnMoved) -> Encounter:
    if event.visit is None:
        return replace(state, stage=event.stage, acting=(), rank_start={})
    together = event.visit.ids if len(event.visit.ids) > 1 else ()
    # Whoever's turn it is has no successes left over from evading in their last one.
    evading = (who for who in event.visit.ids if state.combatants[who].evading)
    return replace(
        reduce(lambda before, who: _with(before, who, evading=0), evading, state),
        stage=event.stage,
        acting=event.visit.ids,
        visited=(*state.visited, event.visit),
        rank_start={who: state.combatants[who].sheet.marks for who in together},
    )


def _turn_ended(state: Encounter, event: events.TurnEnded) -> Encounter:
    return replace(
        state,
        turn=event.next,
        stage=Stage.INITIATIVE,
        combatants=_begun(state, event.next),
        acting=(),
        visited=(),
        rank_start={},
        exchanges=(),
    )


def _record(state: Encounter, event: events.TurnRecordChanged) -> Encounter:
    same = state.combatants[event.who].turn is event.record
    return state if same else _with(state, event.who, turn=event.record)


# ------------------------------------------------------------------ attack


def _proposed(state: Encounter, event: events.AttackProposed) -> Encounter:
    return replace(state, exchanges=(*state.exchanges, event.exchange))


def _answered(state: Encounter, event: events.AttackAnswered) -> Encounter:
    now = tuple(event.exchange if x.id == event.exchange.id else x for x in state.exchanges)
    return replace(state, exchanges=now)


def _without_exchange(state: Encounter, exchange: str) -> Encounter:
    if all(each.id != exchange for each in state.exchanges):
        return state
    return replace(state, exchanges=tuple(x for x in state.exchanges if x.id != exchange))


def _withdrawn(state: Encounter, event: events.AttackWithdrawn) -> Encounter:
    return _without_exchange(state, event.exchange)


def _attack_resolved(state: Encounter, event: events.AttackResolved) -> Encounter:
    return _resolution(_without_exchange(state, event.exchange), event.resolution)


def _rolled(state: Encounter, event: events.TraitsRolled) -> Encounter:
    if event.outcome is Outcome.DRAMATIC_FAILURE:
        # What it brings is the Storyteller's to make up.
        return _resolution(state, event.resolution)
    return replace(state, resolutions=state.resolutions + 1)


def _extended(state: Encounter, event: events.ExtendedRolled) -> Encounter:
    # It keeps its place among the others while it goes on.
    known = any(_same_roll(each, event.now) for each in state.extended)
    rolls = tuple(event.now if _same_roll(each, event.now) else each for each in state.extended)
    going = replace(state, extended=rolls if known else (*rolls, event.now))
    return going if event.outcome is None else _without_roll(going, event.now)


def _given_up(state: Encounter, event: events.RollGivenUp) -> Encounter:
    return _without_roll(state, event.roll)


def _without_roll(state: Encounter, roll: ExtendedRoll) -> Encounter:
    return replace(state, extended=tuple(each for each in state.extended if not _same_roll(each, roll)))


def _same_roll(one: ExtendedRoll, other: ExtendedRoll) -> bool:
    return one.asked.id == other.asked.id


def _resolution(state: Encounter, resolution: str) -> Encounter:
    return replace(state, resolutions=state.resolutions + 1, unnarrated=(*state.unnarrated, resolution))


def _mishap_pending(state: Encounter, event: events.MishapPending) -> Encounter:
    return replace(state, mishaps=(*state.mishaps, event.mishap))


def _mishap_settled(state: Encounter, event: events.MishapSettled) -> Encounter:
    return replace(state, mishaps=tuple(m for m in state.mishaps if m.resolution != event.resolution))


def _weapon(state: Encounter, event: events.WeaponChanged) -> Encounter:
    def same(held: Weapon) -> bool:
        return (held.key, held.name) == (event.weapon.key, event.weapon.name)

    held = list(state.combatants[event.who].sheet.weapons)
    # Of two that nothing tells apart, the first is meant, as when it was picked.
    index = next((index for index, weapon in enumerate(held) if same(weapon)), None)
    if index is None:
        return state
    held[index] = event.weapon
    return _with_sheet(state, event.who, weapons=tuple(held))


def _armor(state: Encounter, event: events.ArmorDestroyed) -> Encounter:
    worn = list(state.combatants[event.who].sheet.armor)
    sound = (i for i, each in enumerate(worn) if (each.key, each.name) == (event.armor.key, event.armor.name))
    index = next((i for i in sound if not worn[i].destroyed), None)
    if index is None:
        return state
    worn[index] = event.armor
    return _with_sheet(state, event.who, armor=tuple(worn))


# ------------------------------------------------------------------ firefights


def _stance(state: Encounter, event: events.StanceChanged) -> Encounter:
    return _with(state, event.who, stance=event.stance)


def _cover(state: Encounter, event: events.CoverSet) -> Encounter:
    return replace(state, covers={**state.covers, event.cover.name: event.cover})


def _cover_struck(state: Encounter, event: events.CoverStruck) -> Encounter:
    return replace(state, covers={**state.covers, event.cover.name: event.cover}) if event.lasting else state


def _covering_fire(state: Encounter, event: events.CoveringFireLaid) -> Encounter:
    return _resolution(state, event.resolution)


def _gained(state: Encounter, event: events.WeaponGained) -> Encounter:
    combatant = state.combatants[event.who]
    sheet = replace(combatant.sheet, weapons=(*combatant.sheet.weapons, event.weapon))
    reference = event.weapon.key or event.weapon.name
    return _with(state, event.who, sheet=sheet, gained=combatant.gained | {reference})


# ------------------------------------------------------------------ grapples


def _grapple_rolled(state: Encounter, event: events.GrappleRolled) -> Encounter:
    rolled = (event.by, event.at)
    left = tuple(hand for hand in state.hands if hand.against not in rolled)
    return _resolution(replace(state, hands=left), event.resolution)


def _grapple(state: Encounter, event: events.GrappleChanged) -> Encounter:
    others = tuple(each for each in state.grapples if set(each.members).isdisjoint(event.grapple.members))
    return replace(state, grapples=(*others, event.grapple))


def _grapple_ended(state: Encounter, event: events.GrappleEnded) -> Encounter:
    pair = {event.one, event.other}
    return replace(state, grapples=tuple(each for each in state.grapples if set(each.members) != pair))


def _hand(state: Encounter, event: events.HandLent) -> Encounter:
    return replace(state, hands=(*state.hands, event.hand))


# ------------------------------------------------------------------ health, resources, conditions, words


def _boxes(state: Encounter, event: events.BoxesMarked) -> Encounter:
    combatant: Combatant = state.combatants[event.who]
    sheet = replace(combatant.sheet, marks=event.marks)
    since = combatant.dying_since or state.turn if ENDING & event.conditions else 0
    injuries = mended(combatant.injuries, combatant.sheet.marks, event.marks)
    changes = {"sheet": sheet, "conditions": event.conditions, "dying_since": since, "injuries": injuries}
    return _with(state, event.who, **changes)


def _injuries(state: Encounter, event: events.InjuriesMarked) -> Encounter:
    sheet = replace(state.combatants[event.who].sheet, injuries=event.injuries, scars=event.scars)
    return _with(state, event.who, sheet=sheet, conditions=event.conditions)


def _evasion(state: Encounter, event: events.EvasionHeld) -> Encounter:
    return _with(state, event.who, evading=event.left)


def _aimed(state: Encounter, event: events.Aimed) -> Encounter:
    return _with(state, event.by, lined_up=LinedUp(event.target, event.rounds) if event.rounds else None)


def _resource(state: Encounter, event: events.ResourceChanged) -> Encounter:
    combatant = state.combatants[event.who]
    sheet = replace(combatant.sheet, resources={**combatant.sheet.resources, event.resource: event.left})
    spent = max(0, combatant.spent.get(event.resource, 0) + event.spent)
    return _with(state, event.who, sheet=sheet, spent={**combatant.spent, event.resource: spent})


def _shape(state: Encounter, event: events.ShapeChanged) -> Encounter:
    return _with_sheet(state, event.who, shape=event.shape)


def _conditions(state: Encounter, event: events.ConditionsChanged) -> Encounter:
    return _with(state, event.who, conditions=event.conditions)


def _impairments(state: Encounter, event: events.InjuriesChanged) -> Encounter:
    return _with(state, event.who, injuries=event.injuries)


def _narrated(state: Encounter, event: events.Narrated) -> Encounter:
    return replace(state, unnarrated=tuple(r for r in state.unnarrated if r != event.resolution))


_FOLDS: Mapping[type, Callable[[Encounter, Any], Encounter]] = {
    events.Joined: _joined,
    events.Left: _left,
    events.VisibilityChanged: _visibility,
    events.SheetRevised: _sheet_revised,
    events.StatusChanged: _status,
    events.InitiativeRolled: _initiative,
    events.StandingsChanged: _standings,
    events.OrderSet: _order,
    events.RankMoved: _rank_moved,
    events.InitiativeModeSet: _mode,
    events.CircumstancesSet: _circumstances,
    events.Described: _described,
    events.Declared: _declared,
    events.TurnMoved: _moved,
    events.TurnEnded: _turn_ended,
    events.TurnRecordChanged: _record,
    events.AttackProposed: _proposed,
    events.AttackAnswered: _answered,
    events.AttackWithdrawn: _withdrawn,
    events.AttackResolved: _attack_resolved,
    events.MishapPending: _mishap_pending,
    events.MishapSettled: _mishap_settled,
    events.WeaponChanged: _weapon,
    events.ArmorDestroyed: _armor,
    events.StanceChanged: _stance,
    events.CoverSet: _cover,
    events.CoverStruck: _cover_struck,
    events.CoveringFireLaid: _covering_fire,
    events.WeaponGained: _gained,
    events.GrappleRolled: _grapple_rolled,
    events.GrappleChanged: _grapple,
    events.GrappleEnded: _grapple_ended,
    events.HandLent: _hand,
    events.TraitsRolled: _rolled,
    events.ExtendedRolled: _extended,
    events.RollGivenUp: _given_up,
    events.BoxesMarked: _boxes,
    events.ShapeChanged: _shape,
    events.InjuriesMarked: _injuries,
    events.EvasionHeld: _evasion,
    events.Aimed: _aimed,
    events.ResourceChanged: _resource,
    events.ConditionsChanged: _conditions,
    events.InjuriesChanged: _impairments,
    events.Narrated: _narrated,
}
