"""Who is in the fight, and what players learn of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.commands import Join, Leave, Newcomer, ReviseSheet, SetVisibility
from rules.decisions.desk import Desk
from rules.encounter import Combatant, HealthShown
from rules.events import Event, Joined, Left, SheetRevised, VisibilityChanged
from rules.gear import Weapon
from rules.grapples import let_go
from rules.sheet import Sheet
from rules.violations import bad_input

MOST_DOTS = 100
"""The most dots, points or dice of damage that a sheet may hold."""

MOST_METRES = 100_000
"""The largest figure of any other sort."""


def join(desk: Desk, command: Join) -> tuple[Event, ...]:
    """Add combatants under ids that nobody has."""
    ids = [newcomer.id for newcomer in command.newcomers]
    if not ids or len(set(ids)) < len(ids) or desk.state.combatants.keys() & set(ids) or "" in ids:
        raise bad_input("Everybody who joins needs an id of their own.")
    return tuple(Joined(_combatant(desk, newcomer)) for newcomer in command.newcomers)


def _combatant(desk: Desk, newcomer: Newcomer) -> Combatant:
    sheet = _sound(desk, newcomer.sheet)
    shown = newcomer.health_shown or (HealthShown.BOXES if newcomer.player else HealthShown.WORD)
    return Combatant(
        id=newcomer.id,
        sheet=sheet,
        character=newcomer.character,
        player=newcomer.player,
        group=newcomer.group,
        conditions=newcomer.conditions | desk.ruleset.health.follows(sheet, desk.ruleset),
        hidden=newcomer.hidden,
        mask=newcomer.mask,
        health_shown=_shown(shown),
    )


def _sound(desk: Desk, sheet: Sheet) -> Sheet:
    """The sheet with its harm worst first; raises "input" where a figure of it cannot be."""
    sheet = desk.ruleset.health.sound(sheet, desk.ruleset)
    dots = [*sheet.traits.values(), *sheet.resources.values()]
    dots += [weapon.damage for weapon in sheet.weapons]
    dots += [figure for armor in sheet.armor for figure in (armor.rating, abs(armor.penalty))]
    if any(not 0 <= figure <= MOST_DOTS for figure in dots):
        raise bad_input(f"The figures of {sheet.name} must lie between 0 and {MOST_DOTS}.")
    measures = [figure for weapon in sheet.weapons for figure in _measures(weapon)]
    if any(not 0 <= figure <= MOST_METRES for figure in measures):
        raise bad_input(f"Rounds, rates and ranges of {sheet.name} must lie between 0 and {MOST_METRES}.")
    return sheet


def _measures(weapon: Weapon) -> Iterator[int]:
    counted = (weapon.rounds, weapon.clip, weapon.rate, weapon.chambered, *weapon.range)
    return (figure for figure in counted if figure is not None)


def _shown(value: str) -> HealthShown:
    if value not in list(HealthShown):
        raise bad_input("Health is shown as boxes, as a word, or not at all.")
    return HealthShown(value)


def leave(desk: Desk, command: Leave) -> tuple[Event, ...]:
    """Take somebody out."""
    sheet = desk.combatant(command.who).sheet
    if len(sheet.marks) > len(desk.ruleset.health.levels(desk.ruleset, replace(sheet, shape=None))):
        raise bad_input(f"{sheet.name} has more damage than boxes in their own shape: change it back first.")
    return (*let_go(desk, command.who), Left(command.who))


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


def revise_sheet(desk: Desk, command: ReviseSheet) -> tuple[Event, ...]:
    """Put somebody's sheet as it was edited elsewhere, its harm worst first; what the fight gave them they keep."""
    combatant = desk.combatant(command.who)
    found = [each for each in combatant.sheet.weapons if (each.key or each.name) in combatant.gained]
    weapons = (*command.sheet.weapons, *found)
    sheet = _sound(desk, replace(command.sheet, shape=combatant.sheet.shape, weapons=weapons))
    return (SheetRevised(command.who, sheet, desk.conditions(command.who, sheet)),)
