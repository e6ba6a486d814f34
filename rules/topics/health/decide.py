"""Deciders for health, points, conditions, and what the Storyteller tells."""

from __future__ import annotations

import re

from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model import points
from rules.model.conditions import GRAPPLED
from rules.model.health import Blow
from rules.model.modifiers import Circumstances, Use
from rules.model.sheet import OUTSIDE_FIGHTS, still_lasting
from rules.model.state import Combatant
from rules.model.system import Game
from rules.model.words import in_words
from rules.topics import effects
from rules.topics.commands import (
    ChangeConditions,
    Describe,
    Harm,
    Heal,
    Narrate,
    SetCircumstances,
    SetHealth,
    ShowRoll,
    Spend,
)
from rules.topics.events import (
    CircumstancesSet,
    ConditionsChanged,
    Described,
    Harmed,
    Healed,
    HealthSet,
    InjuriesChanged,
    LastingChanged,
    Narrated,
    ResourceChanged,
    RollShown,
)
from rules.topics.grapples.holds import let_go
from rules.topics.health import blood, passing
from rules.topics.health.boxes import MOST_LEVELS
from rules.topics.health.impairments import impairments
from rules.topics.health.lasting import lasting_on, made_lasting, tended, unexplained
from rules.topics.health.passing import MOST_HOURS


@decides(Harm)
def harm(game: Game, command: Harm) -> tuple[Event, ...]:
    """Mark damage directly (MQ-HEALTH-2)."""
    sheet = game.combatant(command.at).sheet
    if not 1 <= command.amount <= MOST_LEVELS:
        raise bad_input(phrase("enter-1-to-levels-of-damage", most_levels=MOST_LEVELS))
    suffered = game.system.attack.suffered(command.type, command.tags, sheet)
    blow = Blow(command.why.strip(), 0 if game.state.outside_fights else game.state.turn)
    return (
        Harmed(command.at, command.amount, suffered, command.why.strip()),
        *effects.harm(game, command.at, command.amount, suffered, blow),
    )


@decides(Heal)
def heal(game: Game, command: Heal) -> tuple[Event, ...]:
    """Heal levels of one type, or let time pass (MQ-HEAL-1), which does not revive the dead."""
    combatant = game.combatant(command.at)
    if (hours := command.hours) is not None:
        if command.amount is not None or command.type is not None or not 1 <= hours <= MOST_HOURS:
            raise bad_input(phrase("heal-either-number-of-levels"))
        return passing.rests(game, combatant, hours, care=command.care, hospital=command.hospital)
    sheet, healed = game.system.health.cure(combatant.sheet, command)
    cost = game.system.health.by_blood(combatant.sheet)
    if cost and command.type is not None:
        return blood.heal(game, combatant, sheet, healed[command.type.value], command.type, cost)
    return (Healed(combatant.id, healed), effects.boxes(game, combatant.id, sheet))


@decides(SetHealth)
def set_health(game: Game, command: SetHealth) -> tuple[Event, ...]:
    """Set the boxes, or the injuries, as the Storyteller says."""
    sheet = game.system.health.put(game.combatant(command.at).sheet, command)
    return (HealthSet(command.at, command.why.strip()), effects.boxes(game, command.at, sheet))


@decides(Spend)
def spend(game: Game, command: Spend) -> tuple[Event, ...]:
    """Spend points, or restore them up to the sheet's maximum."""
    sheet = game.combatant(command.by).sheet
    known = game.system.layout.resource(command.resource)
    if not points.has(game, command.by, command.resource):
        raise bad_input(phrase("has-no", name=sheet.name, points=in_words(command.resource)))
    key = known.key if known else command.resource
    if command.amount == 0:
        raise bad_input(phrase("enter-number-of-points"))
    if command.amount > 0:
        paid = effects.pay(game, command.by, key, command.amount, command.why.strip())
        return (*paid, *effects.marked(game, command.by, frozenset(), known.lifts if known else frozenset()))
    there = game.system.layout.points(sheet, key)
    most = max(game.system.layout.maximum(sheet, key), there)
    if known and there - command.amount > most:
        raise bad_input(phrase("can-have-at-most", name=sheet.name, most=most, label=known.label))
    return (ResourceChanged(command.by, key, there - command.amount, command.amount, command.why.strip()),)


def _wounds(game: Game, combatant: Combatant, before: frozenset[str], now: frozenset[str]) -> frozenset[str]:
    """The conditions ``now``, with those of wounds: they bleed once bandages are off, and are tended outside fights."""
    shown = tended(game.system, combatant.sheet, now)
    if shown & (before - now):
        return now | game.system.health.follows(still_lasting(combatant.sheet, now))
    return now | shown if game.state.outside_fights else now


@decides(ChangeConditions)
def change_conditions(game: Game, command: ChangeConditions) -> tuple[Event, ...]:
    """Add and remove conditions. Outside fights, what is added lasts from then on."""
    combatant = game.combatant(command.at)
    names = command.add | command.remove
    if not names or any(not name.strip() or len(name) > 40 for name in names):
        raise bad_input(phrase("name-condition-in-at-most-40-characters"))
    loose = let_go(game, command.at) if GRAPPLED in command.remove else ()
    before = game.after(loose).combatant(command.at).conditions
    now = _wounds(game, combatant, before, (before | command.add) - command.remove)
    injuries = tuple(each for each in impairments(combatant) if each.condition not in command.remove)
    healed = (InjuriesChanged(command.at, injuries),) if injuries != impairments(combatant) else ()
    told = (*loose, ConditionsChanged(command.at, now, now - before, before - now, command.why.strip()), *healed)
    return (*told, *_lasts(game.after(told), command)) if game.state.outside_fights else told


def _lasts(game: Game, command: ChangeConditions) -> tuple[Event, ...]:
    combatant = game.combatant(command.at)
    added = command.add | tended(game.system, combatant.sheet, combatant.conditions) | lasting_on(combatant.sheet)
    keys = {each.key for each in unexplained(game.system, combatant)} & added
    lasting = made_lasting(game.system, combatant, keys, OUTSIDE_FIGHTS, command.why.strip())
    return (LastingChanged(command.at, lasting),) if lasting != combatant.sheet.lasting else ()


@decides(SetCircumstances)
def set_circumstances(game: Game, command: SetCircumstances) -> tuple[Event, ...]:
    """Set the circumstances of a combatant's rolls, or of the whole scene (WD-DICE-6)."""
    if command.who:
        game.combatant(command.who)
    game.system.circumstances.check(command.circumstances, Use.ROLL)
    game.system.circumstances.parts(command.circumstances, Circumstances())  # rejects invalid values
    return (CircumstancesSet(command.who, command.circumstances),)


@decides(Describe)
def describe(game: Game, command: Describe) -> tuple[Event, ...]:
    """Send some players a private message in place of their last one (WD-SCENE-2); "" removes that."""
    had = [game.combatant(who).told for who in command.to]
    if not command.to or not (command.text.strip() or any(had)):
        raise bad_input(phrase("say-what-is-seen-and-by-whom"))
    return (Described(command.to, command.text.strip()),)


@decides(Narrate)
def narrate(game: Game, command: Narrate) -> tuple[Event, ...]:
    """Narrate a resolution (MQ-NARR-1)."""
    if not 0 < _number(command.resolution) <= game.state.resolutions:
        raise bad_input(phrase("write-something-to-narrate"))
    return (Narrated(command.resolution, command.text.strip()),)


@decides(ShowRoll)
def show_roll(game: Game, command: ShowRoll) -> tuple[Event, ...]:
    """Show players the dice of a log entry, or hide them again, on the Storyteller's word alone."""
    if not command.entry:
        raise bad_input(phrase("choose-a-roll"))
    return (RollShown(command.entry, command.shown),)


def _number(resolution: str) -> int:
    """The number in a resolution's name, 0 if it is no such name."""
    return int(resolution[1:]) if re.fullmatch(r"r[1-9]\d{0,8}", resolution) else 0
