"""Deciders for who is in the fight, and what players learn about them."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.copies import replace
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.gear import Weapon
from rules.model.groups import members
from rules.model.sheet import Sheet
from rules.model.state import Combatant, HealthShown
from rules.model.system import Game
from rules.model.wear import worn
from rules.topics import effects
from rules.topics.commands import Group, Join, Leave, Newcomer, ReviseSheet, SetVisibility, Ungroup
from rules.topics.events import Grouped, Joined, Left, SheetRevised, VisibilityChanged
from rules.topics.gear.gained import GAINED
from rules.topics.grapples.holds import let_go

MOST_DOTS = 100
"""Maximum dots, points or damage dice on a sheet."""

MOST_METRES = 100_000
"""Maximum for all other numbers on a sheet."""


@decides(Join)
def join(game: Game, command: Join) -> tuple[Event, ...]:
    """Add combatants, each under an unused id."""
    ids = [newcomer.id for newcomer in command.newcomers]
    if not ids or len(set(ids)) < len(ids) or game.state.combatants.keys() & set(ids) or "" in ids:
        raise bad_input(phrase("each-new-combatant-needs-id"))
    return tuple(Joined(_combatant(game, newcomer)) for newcomer in command.newcomers)


def _combatant(game: Game, newcomer: Newcomer) -> Combatant:
    sheet = _sound(game, newcomer.sheet)
    shown = newcomer.health_shown or (HealthShown.BOXES if newcomer.player else HealthShown.WORD)
    return Combatant(
        id=newcomer.id,
        sheet=sheet,
        character=newcomer.character,
        player=newcomer.player,
        group=newcomer.group,
        conditions=newcomer.conditions | game.system.health.follows(sheet),
        hidden=newcomer.hidden,
        mask=newcomer.mask,
        health_shown=_shown(shown),
        band=newcomer.band,
    )


def _sound(game: Game, sheet: Sheet) -> Sheet:
    """The sheet with its damage sorted, worst first. Raises "input" if a number is out of range."""
    sheet = game.system.health.sound(sheet)
    dots = [*sheet.traits.values(), *sheet.resources.values()]
    dots += [weapon.damage for weapon in sheet.weapons]
    dots += [figure for armor in sheet.armor for figure in (armor.rating, abs(armor.penalty))]
    if any(not 0 <= figure <= MOST_DOTS for figure in dots):
        raise bad_input(phrase("all-numbers-on-sheet", name=sheet.name, most_dots=MOST_DOTS))
    measures = [figure for weapon in sheet.weapons for figure in _measures(weapon)]
    if any(not 0 <= figure <= MOST_METRES for figure in measures):
        raise bad_input(
            phrase(
                "rounds-rates-and-ranges",
                name=sheet.name,
                most_metres=MOST_METRES,
            )
        )
    return sheet


def _measures(weapon: Weapon) -> Iterator[int]:
    counted = (weapon.rounds, weapon.clip, weapon.rate, weapon.chambered, *weapon.range)
    return (figure for figure in counted if figure is not None)


def _shown(value: str) -> HealthShown:
    if value not in list(HealthShown):
        raise bad_input(phrase("show-health-as-boxes-as-word"))
    return HealthShown(value)


@decides(Leave)
def leave(game: Game, command: Leave) -> tuple[Event, ...]:
    """Remove a combatant from the fight, their grapple and their group."""
    sheet = game.combatant(command.who).sheet
    if len(sheet.marks) > len(game.system.health.levels(replace(sheet, shape=None))):
        raise bad_input(phrase("has-more-damage-than-health-boxes", name=sheet.name))
    return (*let_go(game, command.who), *_left_behind(game, frozenset({command.who})), Left(command.who))


@decides(SetVisibility)
def set_visibility(game: Game, command: SetVisibility) -> tuple[Event, ...]:
    """Hide or show a combatant, mask their name, and set how much of their health and dice players see."""
    combatant = game.combatant(command.who)
    return (
        VisibilityChanged(
            command.who,
            combatant.hidden if command.hidden is None else command.hidden,
            combatant.mask if command.mask is None else command.mask.strip(),
            combatant.health_shown if command.health_shown is None else _shown(command.health_shown),
            combatant.dice_shown if command.dice_shown is None else command.dice_shown,
        ),
    )


@decides(Group)
def group(game: Game, command: Group) -> tuple[Event, ...]:
    """Make combatants act and roll together. They keep boxes, actions and ranks until the next initiative roll."""
    people = [game.combatant(who) for who in command.who]
    if len(set(command.who)) < max(2, len(people)) or any(each.player for each in people):
        raise bad_input(phrase("group-needs-at-least-two-characters-all"))
    band = command.who[0]
    if all(each.band == band for each in people):
        raise bad_input(phrase("they-are-already-group"))
    # When a group's leader leaves, the others need a new one.
    return (*_left_behind(game, frozenset(command.who)), Grouped(command.who, band))


@decides(Ungroup)
def ungroup(game: Game, command: Ungroup) -> tuple[Event, ...]:
    """Make a combatant act and roll alone again."""
    if not game.combatant(command.who).band:
        raise bad_input(phrase("they-already-act-alone"))
    return (*_left_behind(game, frozenset({command.who})), Grouped((command.who,)))


def _left_behind(game: Game, going: frozenset[str]) -> tuple[Event, ...]:
    """Update the groups that these combatants leave; a group of one is dissolved."""
    told: list[Event] = []
    for band in dict.fromkeys(each.band for who, each in game.state.combatants.items() if who in going and each.band):
        stay = tuple(who for who in members(game.state, band) if who not in going)
        if len(stay) == 1 or band in going:
            told += [Grouped(stay, stay[0] if len(stay) > 1 else "")] if stay else []
    return tuple(told)


@decides(ReviseSheet)
def revise_sheet(game: Game, command: ReviseSheet) -> tuple[Event, ...]:
    """Replace a sheet edited elsewhere, damage sorted worst first; shape and weapons gained in the fight are kept."""
    combatant = game.combatant(command.who)
    if command.worn:
        return (_worn(game, command.who, command.sheet),)
    found = [each for each in combatant.sheet.weapons if (each.key or each.name) in GAINED.of(combatant)]
    weapons = (*command.sheet.weapons, *found)
    sheet = _sound(game, replace(command.sheet, shape=combatant.sheet.shape, weapons=weapons))
    return (SheetRevised(command.who, sheet, effects.conditions(game, command.who, sheet)),)


def _worn(game: Game, who: str, written: Sheet) -> SheetRevised:
    """Take from a sheet what play changed on it elsewhere."""
    combatant = game.combatant(who)
    mine = combatant.sheet
    sheet = _sound(game, worn(mine, mine, written))
    return SheetRevised(who, sheet, effects.conditions(game, who, sheet), mine, combatant.conditions)
