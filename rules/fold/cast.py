"""What the coming, going and showing of combatants does."""

from __future__ import annotations

from rules import events
from rules.copies import replace
from rules.encounter import Encounter, HealthShown
from rules.fold.changes import Folds, ending_since, with_combatant, with_conditions
from rules.injuries import mended
from rules.stance import Stance


def _joined(state: Encounter, event: events.Joined) -> Encounter:
    newcomer = event.combatant
    since = ending_since(newcomer, newcomer.conditions, state.turn)
    return replace(state, combatants={**state.combatants, newcomer.id: replace(newcomer, dying_since=since)})


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
    seen = {"hidden": event.hidden, "mask": event.mask, "health_shown": shown, "dice_shown": event.dice_shown}
    return with_combatant(state, event.who, **seen)


def _sheet_revised(state: Encounter, event: events.SheetRevised) -> Encounter:
    before = state.combatants[event.who]
    injuries = mended(before.injuries, before.sheet.marks, event.sheet.marks)
    return with_conditions(state, event.who, event.conditions, sheet=event.sheet, injuries=injuries)


def _grouped(state: Encounter, event: events.Grouped) -> Encounter:
    for who in event.who:
        state = with_combatant(state, who, band=event.band)
    return state


FOLDS: Folds = {
    events.Grouped: _grouped,
    events.Joined: _joined,
    events.Left: _left,
    events.VisibilityChanged: _visibility,
    events.SheetRevised: _sheet_revised,
}
