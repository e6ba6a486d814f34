"""Deciders for health, points, conditions, and what the Storyteller tells."""

from __future__ import annotations

import re

from rules.engine.copies import replace
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model import points
from rules.model.conditions import DEAD, GRAPPLED
from rules.model.gear import Damage
from rules.model.health import Blow
from rules.model.modifiers import Circumstances, Use
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Status
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
    Narrated,
    ResourceChanged,
    RollShown,
)
from rules.topics.grapples.holds import let_go
from rules.topics.health.boxes import MOST_LEVELS
from rules.topics.health.impairments import IMPAIRMENTS
from rules.topics.health.resting import Rest, rest_so_far, rests_on

MOST_HOURS = 24 * 365 * 10


@decides(Harm)
def harm(game: Game, command: Harm) -> tuple[Event, ...]:
    """Mark damage directly (MQ-HEALTH-2)."""
    sheet = game.combatant(command.at).sheet
    if not 1 <= command.amount <= MOST_LEVELS:
        raise bad_input(phrase("enter-1-to-levels-of-damage", most_levels=MOST_LEVELS))
    suffered = game.system.attack.suffered(command.type, command.tags, sheet)
    return (
        Harmed(command.at, command.amount, suffered, command.why.strip()),
        *effects.harm(game, command.at, command.amount, suffered, Blow(command.why.strip(), game.state.turn)),
    )


@decides(Heal)
def heal(game: Game, command: Heal) -> tuple[Event, ...]:
    """Heal levels of one type, or let time pass (MQ-HEAL-1), which does not revive the dead."""
    combatant = game.combatant(command.at)
    undead = game.system.health.by_blood(combatant.sheet)
    if command.hours is not None:
        if command.amount is not None or command.type is not None or not 1 <= command.hours <= MOST_HOURS:
            raise bad_input(phrase("heal-either-number-of-levels"))
        rest = _sleep(game, combatant, command.hours) if undead and DEAD not in combatant.conditions else None
        return rest or _rest(game, combatant, command, command.hours)
    sheet, healed = game.system.health.cure(combatant.sheet, command)
    if undead and command.type is not None:
        return _by_blood(game, combatant, sheet, healed[command.type.value], command.type)
    return (Healed(combatant.id, healed), effects.boxes(game, combatant.id, sheet))


def _rest(game: Game, combatant: Combatant, command: Heal, hours: int) -> tuple[Event, ...]:
    """The effect of hours of rest; those of an unfinished rest count with them."""
    if DEAD in combatant.conditions:
        told = (Healed(combatant.id, {}, hours), effects.boxes(game, combatant.id, combatant.sheet))
    else:
        rest, healed = rests_on(game.system.health, combatant, hours, care=command.care, hospital=command.hospital)
        rested = replace(combatant.sheet, marks=rest.left)
        told = (Healed(combatant.id, healed, hours, rest=rest), effects.boxes(game, combatant.id, rested))
    return (*told, *game.system.attack.passes(game.after(told), combatant.id, hours))


def _sleep(game: Game, combatant: Combatant, hours: int) -> tuple[Event, ...]:
    """Each day of rest heals the undead one aggravated level, for blood points and a Willpower point."""
    sheet, layout = combatant.sheet, game.system.layout
    blood, willpower = layout.points(sheet, "blood"), layout.points(sheet, "willpower")
    points.check_bars(game, combatant.id, "blood")
    price = game.system.settings.get("blood_per_aggravated", 5)
    hours_so_far = rest_so_far(combatant).hours + hours
    days = min(hours_so_far // 24, sheet.marks.count(Damage.AGGRAVATED), blood // price, willpower)
    rested, healed = game.system.health.remove(sheet, days, Damage.AGGRAVATED)
    spent = _spent(combatant.id, ("blood", blood, price * healed), ("willpower", willpower, healed)) if healed else ()
    rest = Rest(rested.marks, hours_so_far % 24, rested.marks)
    told = Healed(combatant.id, {Damage.AGGRAVATED.value: healed}, hours, rest=rest)
    return (told, *spent, effects.boxes(game, combatant.id, rested))


def _by_blood(game: Game, combatant: Combatant, healed_sheet: Sheet, healed: int, damage: Damage) -> tuple[Event, ...]:
    """The undead heal with blood: a point a level, as an action; aggravated levels take days, more blood, Willpower."""
    sheet, layout = combatant.sheet, game.system.layout
    points.check_bars(game, combatant.id, "blood")
    grave = damage is Damage.AGGRAVATED
    blood, willpower = layout.points(sheet, "blood"), layout.points(sheet, "willpower")
    cost = game.system.settings.get("blood_per_aggravated", 5) * healed if grave else healed
    if cost > blood:
        game.forbid(
            "heal",
            phrase("has-blood-points-this-costs", name=sheet.name, blood=blood, cost=cost),
        )
    if grave and healed > willpower:
        game.forbid(
            "heal",
            phrase(
                "has-willpower-this-costs",
                name=sheet.name,
                willpower=willpower,
                healed=healed,
            ),
        )
    used = () if grave else _as_action(game, combatant, healed)
    if not grave:
        points.check(game, combatant.id, "blood", min(cost, blood))
    paid = [("blood", blood, min(cost, blood))]
    if grave:
        paid.append(("willpower", willpower, min(healed, willpower)))
    told = Healed(combatant.id, {damage.value: healed}, 24 * healed if grave else None)
    return (told, *used, *_spent(combatant.id, *paid), effects.boxes(game, combatant.id, healed_sheet))


def _as_action(game: Game, combatant: Combatant, levels: int) -> tuple[Event, ...]:
    """In a fight, healing takes an action, for one level at a time; outside one, it takes none."""
    if game.state.status is not Status.RUNNING:
        return ()
    game.able(combatant.id)
    if levels > 1 and game.state.ordered:
        game.forbid("heal", phrase("one-action-heals-one-level"))
    return (effects.action(game, combatant.id, "heal"),)


def _spent(who: str, *costs: tuple[str, int, int]) -> tuple[ResourceChanged, ...]:
    return tuple(ResourceChanged(who, key, had - cost, cost, "healing") for key, had, cost in costs if cost)


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


@decides(ChangeConditions)
def change_conditions(game: Game, command: ChangeConditions) -> tuple[Event, ...]:
    """Add and remove conditions."""
    combatant = game.combatant(command.at)
    names = command.add | command.remove
    if not names or any(not name.strip() or len(name) > 40 for name in names):
        raise bad_input(phrase("name-condition-in-at-most-40-characters"))
    loose = let_go(game, command.at) if GRAPPLED in command.remove else ()
    before = game.after(loose).combatant(command.at).conditions
    now = (before | command.add) - command.remove
    injuries = tuple(each for each in IMPAIRMENTS.of(combatant) if each.condition not in command.remove)
    healed = (InjuriesChanged(command.at, injuries),) if injuries != IMPAIRMENTS.of(combatant) else ()
    return (*loose, ConditionsChanged(command.at, now, now - before, before - now), *healed)


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
    """Tell some players a description that others don't get, replacing the previous one (WD-SCENE-2); "" removes it."""
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
