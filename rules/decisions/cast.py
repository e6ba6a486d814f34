"""Who is in the fight, and what players learn of them."""

from __future__ import annotations

from rules.commands import Equip, Join, Leave, Newcomer, SetVisibility
from rules.decisions.desk import Desk
from rules.encounter import Combatant, HealthShown
from rules.events import Equipped, Event, Joined, Left, VisibilityChanged
from rules.violations import bad_input


def join(desk: Desk, command: Join) -> tuple[Event, ...]:
    """Add combatants under ids that nobody has."""
    ids = [newcomer.id for newcomer in command.newcomers]
    if not ids or len(set(ids)) < len(ids) or desk.state.combatants.keys() & set(ids) or "" in ids:
        raise bad_input("Everybody who joins needs an id of their own.")
    return tuple(Joined(_combatant(desk, newcomer)) for newcomer in command.newcomers)


def _combatant(desk: Desk, newcomer: Newcomer) -> Combatant:
    size = len(desk.ruleset.health.levels(desk.ruleset))
    if len(newcomer.sheet.marks) > size:
        raise bad_input(f"{newcomer.sheet.name} has more damage than boxes.")
    shown = newcomer.health_shown or (HealthShown.BOXES if newcomer.player else HealthShown.WORD)
    return Combatant(
        id=newcomer.id,
        sheet=newcomer.sheet,
        character=newcomer.character,
        player=newcomer.player,
        group=newcomer.group,
        conditions=newcomer.conditions | desk.ruleset.health.follows(newcomer.sheet, desk.ruleset),
        hidden=newcomer.hidden,
        mask=newcomer.mask,
        health_shown=_shown(shown),
    )


def _shown(value: str) -> HealthShown:
    if value not in list(HealthShown):
        raise bad_input("Health is shown as boxes, as a word, or not at all.")
    return HealthShown(value)


def leave(desk: Desk, command: Leave) -> tuple[Event, ...]:
    """Take somebody out."""
    desk.combatant(command.who)
    return (Left(command.who),)


def set_visibility(desk: Desk, command: SetVisibility) -> tuple[Event, ...]:
    """Hide or show somebody, mask a name, settle how much of the health is shown."""
    combatant = desk.combatant(command.who)
    return (
        VisibilityChanged(
            command.who,
            combatant.hidden if command.hidden is None else command.hidden,
            combatant.mask if command.mask is None else command.mask.strip(),
            combatant.health_shown if command.health_shown is None else _shown(command.health_shown),
        ),
    )


def equip(desk: Desk, command: Equip) -> tuple[Event, ...]:
    """Give somebody the gear that the sheet names now."""
    desk.combatant(command.who)
    return (Equipped(command.who, command.weapons, command.armor),)
