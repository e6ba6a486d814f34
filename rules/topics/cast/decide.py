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
from rules.model.state import Combatant, HealthShown, Side
from rules.model.system import Game
from rules.model.wear import worn
from rules.topics import effects
from rules.topics.commands import Arm, ChooseSide, Group, Join, Leave, Newcomer, ReviseSheet, SetVisibility, Ungroup
from rules.topics.events import (
    Armed,
    Body,
    Grouped,
    Joined,
    Left,
    SheetEdited,
    SheetRevised,
    SideChosen,
    VisibilityChanged,
)
from rules.topics.gear.gained import GAINED
from rules.topics.grapples.holds import let_go
from rules.topics.health.impairments import conditions_of
from rules.topics.health.lasting import lasting_on

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
    carried = {weapon.name for weapon in newcomer.sheet.weapons}
    given = tuple(weapon for weapon in newcomer.weapons if weapon.name not in carried)
    sheet = _sound(game, replace(newcomer.sheet, weapons=(*given, *newcomer.sheet.weapons)))
    shown = newcomer.health_shown or (HealthShown.BOXES if newcomer.player else HealthShown.WORD)
    combatant = Combatant(
        id=newcomer.id,
        sheet=sheet,
        character=newcomer.character,
        player=newcomer.player,
        group=newcomer.group,
        conditions=frozenset().union(
            newcomer.conditions, game.system.health.follows(sheet), conditions_of(sheet.impairments), lasting_on(sheet)
        ),
        hidden=newcomer.hidden,
        mask=newcomer.mask,
        health_shown=_shown(shown),
        band=newcomer.band,
        dice_shown=newcomer.dice_shown,
        default_defence=newcomer.default_defence,
        chosen_side=_side(newcomer.side) if newcomer.side else None,
    )
    return GAINED.put(combatant, frozenset(each.reference for each in given))


def _sound(game: Game, sheet: Sheet) -> Sheet:
    """The sheet with its damage sorted, worst first. Raises "input" if a number is out of range."""
    sheet = game.system.health.sound(sheet)
    dots = [*sheet.traits.values(), *sheet.resources.values(), *sheet.pools.values()]
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


def _side(value: str) -> Side:
    if value not in list(Side):
        raise bad_input(phrase("choose-allies-enemies-or-others"))
    return Side(value)


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


@decides(Arm)
def arm(game: Game, command: Arm) -> tuple[Event, ...]:
    """Give a weapon to those who don't have it yet."""
    people = [game.combatant(who) for who in command.who]
    weapon = command.weapon
    without = [one.id for one in people if all(each.name != weapon.name for each in one.sheet.weapons)]
    if not without:
        raise bad_input(phrase("they-have-this-weapon-already", weapon=weapon.name))
    for who in without:
        _sound(game, replace(game.combatant(who).sheet, weapons=(weapon,)))
    return (Armed(tuple(without), weapon),)


@decides(ChooseSide)
def choose_side(game: Game, command: ChooseSide) -> tuple[Event, ...]:
    """Set for whom a combatant fights, together with everybody in their group."""
    combatant = game.combatant(command.who)
    return (SideChosen(members(game.state, combatant.band) or (command.who,), _side(command.side)),)


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
    """Replace a sheet edited elsewhere, damage sorted worst first.

    Shape, weapons gained in the fight, and where weapons are carried are kept.
    """
    combatant = game.combatant(command.who)
    if command.worn:
        return (_worn(game, command.who, command.sheet),)
    found = [each for each in combatant.sheet.weapons if each.reference in GAINED.of(combatant)]
    weapons = (*_carried_as(combatant.sheet, command.sheet), *found)
    sheet = _sound(
        game, replace(command.sheet, shape=combatant.sheet.shape, powers=combatant.sheet.powers, weapons=weapons)
    )
    now = effects.revised(game, command.who, sheet)
    if command.merged:
        return (SheetRevised(command.who, sheet, now, combatant.sheet, combatant.conditions, whole=True),)
    return (SheetRevised(command.who, sheet, now),)


def edited(who: str, before: Sheet, after: Sheet) -> tuple[SheetEdited, ...]:
    """The event that tells how an edit changed somebody's health and points; none if it didn't."""
    was, now = (Body(sheet.marks, sheet.injuries, sheet.resources) for sheet in (before, after))
    return (SheetEdited(who, was, now),) if was != now else ()


def _carried_as(before: Sheet, after: Sheet) -> Iterator[Weapon]:
    """The new sheet's weapons, where the fight has them: sheets know nothing of drawing."""
    was = {weapon.key: weapon for weapon in before.weapons if weapon.key}
    for weapon in after.weapons:
        mine = was.get(weapon.key, weapon)
        yield replace(weapon, stowed=mine.stowed, hidden=mine.hidden)


def _worn(game: Game, who: str, written: Sheet) -> SheetRevised:
    """Take from a sheet what play changed on it elsewhere."""
    combatant = game.combatant(who)
    mine = combatant.sheet
    sheet = _sound(game, worn(mine, mine, written))
    return SheetRevised(who, sheet, effects.revised(game, who, sheet), mine, combatant.conditions)
