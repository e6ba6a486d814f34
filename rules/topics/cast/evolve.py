"""Evolvers for combatants who join, leave, are shown or hidden, and are grouped."""

from __future__ import annotations

from collections.abc import Collection

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.engine.slots import among
from rules.model.attack import Attack
from rules.model.roll import DifficultyOf, RollTraits
from rules.model.state import Combatant, Encounter, HealthShown, Side
from rules.model.wear import as_worn, worn
from rules.topics import events
from rules.topics.changes import ending_since, keeping, with_combatant, with_conditions, with_sheet
from rules.topics.gear.gained import GAINED


@evolves(events.Joined)
def _joined(state: Encounter, event: events.Joined) -> Encounter:
    newcomer = event.combatant
    since = ending_since(newcomer, newcomer.conditions, state.turn)
    return replace(state, combatants={**state.combatants, newcomer.id: replace(newcomer, dying_since=since)})


@evolves(events.Left)
def _left(state: Encounter, event: events.Left) -> Encounter:
    def without(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(who for who in ids if who != event.who)

    stay = state.combatants.keys() - {event.who}
    return replace(
        among(state, stay),
        combatants={
            who: _without(combatant, event.who, stay) for who, combatant in state.combatants.items() if who in stay
        },
        initiative={who: score for who, score in state.initiative.items() if who != event.who},
        order=tuple(rank for rank in map(without, state.order) if rank),
        acting=without(state.acting),
        exchanges=tuple(
            replace(x, attack=_attack_without(x.attack, event.who))
            for x in state.exchanges
            if event.who not in (x.attack.by, *x.attack.at)
        ),
        mishaps=tuple(mishap for mishap in state.mishaps if mishap.by != event.who),
        extended=tuple(roll for roll in state.extended if event.who not in (roll.command.by, _against(roll.command))),
    )


def _without(combatant: Combatant, gone: str, stay: Collection[str]) -> Combatant:
    """A combatant after another has left and these have stayed."""
    ambush = combatant.turn.ambush
    turn = among(combatant.turn, stay)
    if turn.declaration and turn.declaration.at == gone:
        turn = replace(turn, declaration=replace(turn.declaration, at=""))
    return replace(
        among(combatant, stay),
        turn=replace(turn, ambush=None) if ambush and ambush.target == gone else turn,
    )


def _attack_without(attack: Attack, gone: str) -> Attack:
    """An announced attack without a combatant who was neither its attacker nor a target."""
    return replace(
        attack,
        defences={who: defence for who, defence in attack.defences.items() if who != gone},
        near=tuple(who for who in attack.near if who != gone),
        others=tuple(who for who in attack.others if who != gone),
    )


def _against(command: RollTraits) -> str:
    """Whose Traits a roll is made against, "" if nobody's."""
    return command.difficulty.of if isinstance(command.difficulty, DifficultyOf) else ""


@evolves(events.VisibilityChanged)
def _visibility(state: Encounter, event: events.VisibilityChanged) -> Encounter:
    shown = HealthShown(event.health_shown)
    seen = {"hidden": event.hidden, "mask": event.mask, "health_shown": shown, "dice_shown": event.dice_shown}
    return with_combatant(state, event.who, **seen)


@evolves(events.SheetRevised)
def _sheet_revised(state: Encounter, event: events.SheetRevised) -> Encounter:
    if event.before is None:
        return with_conditions(state, event.who, event.conditions, sheet=event.sheet)
    combatant = state.combatants.get(event.who)
    if combatant is None:
        return state  # their joining was undone
    mine, before = combatant.sheet, event.before
    if event.whole:
        mine = as_worn(event.sheet, mine)
        before = replace(before, weapons=event.sheet.weapons, armor=event.sheet.armor)
    sheet = worn(mine, before, event.sheet)
    conditions = (combatant.conditions - (event.had - event.conditions)) | (event.conditions - event.had)
    return with_conditions(state, event.who, conditions, sheet=sheet)


@evolves(events.Armed)
def _armed(state: Encounter, event: events.Armed) -> Encounter:
    for who in event.who:
        combatant = state.combatants[who]
        state = with_sheet(state, who, weapons=(event.weapon, *combatant.sheet.weapons))
        state = keeping(state, who, GAINED, GAINED.of(combatant) | {event.weapon.reference})
    return state


@evolves(events.SideChosen)
def _side_chosen(state: Encounter, event: events.SideChosen) -> Encounter:
    for who in event.who:
        state = with_combatant(state, who, chosen_side=Side(event.side))
    return state


@evolves(events.Grouped)
def _grouped(state: Encounter, event: events.Grouped) -> Encounter:
    for who in event.who:
        state = with_combatant(state, who, band=event.band)
    return state
