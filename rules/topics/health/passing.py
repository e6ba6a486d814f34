"""Time that passes outside turns: rest, bleeding, sleep and dusk, for one combatant or many together.

For all of them together it is one command, and so one row of the log and one undo.
"""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import DEAD
from rules.model.gear import Damage
from rules.model.health import SetHealth
from rules.model.sheet import OUTSIDE_FIGHTS, Sheet
from rules.model.state import Combatant
from rules.model.system import Game
from rules.topics import effects
from rules.topics.commands import Care, PassTime
from rules.topics.events import Bled, Healed, LastingChanged, TimePassed
from rules.topics.health import blood
from rules.topics.health.lasting import ended_by_time, lasting_on, made_lasting, tended
from rules.topics.health.resting import rests_on
from rules.topics.powers.lasting import after_hours

MOST_HOURS = 24 * 365 * 10
MOST_MINUTES = 24 * 60
"""The longest time between two levels of bleeding."""
TURNS_A_MINUTE = 20

A_LONG_TIME = 24 * 1000
"""Hours in which two damaged boxes heal if they heal at all, and turns in which all that bleed have died."""


def rests(
    game: Game, combatant: Combatant, hours: int, *, care: bool = False, hospital: bool = True, dusks: int = 0
) -> tuple[Event, ...]:
    """What hours of rest do to somebody who doesn't bleed: healing, by blood for the undead, and their dusks."""
    cost = game.system.health.by_blood(combatant.sheet)
    if cost and DEAD not in combatant.conditions:
        told = blood.sleep(game, combatant, hours, cost, dusks)
    else:
        told = _rest(game, combatant, hours, care=care, hospital=hospital)
    told = (*told, *game.system.attack.passes(game.after(told), combatant.id, hours))
    return (*told, *waning(game.after(told), combatant.id, hours))


def waning(game: Game, who: str, hours: int) -> tuple[Event, ...]:
    """The end of the lasting conditions and the powers that don't outlast these hours."""
    over = ended_by_time(game.system, game.combatant(who), hours)
    told = effects.marked(game, who, frozenset(), over)
    return (*told, *after_hours(game.after(told), who, hours))


def _rest(game: Game, combatant: Combatant, hours: int, *, care: bool, hospital: bool) -> tuple[Event, ...]:
    """What hours of rest heal; those of an unfinished rest count with them."""
    if DEAD in combatant.conditions:
        return (Healed(combatant.id, {}, hours), effects.boxes(game, combatant.id, combatant.sheet))
    rest, healed = rests_on(game.system.health, combatant, hours, care=care, hospital=hospital)
    rested = replace(combatant.sheet, marks=rest.left)
    return (Healed(combatant.id, healed, hours, rest=rest), effects.boxes(game, combatant.id, rested))


@decides(PassTime)
def pass_time(game: Game, command: PassTime) -> tuple[Event, ...]:
    """Let time pass for several combatants, each by the rules for them; the dead stay as they are."""
    _check(game, command)
    told: tuple[Event, ...] = (TimePassed(command.who, command.hours, command.dusk, command.why.strip()),)
    for who in command.who:
        events = _passes(game, who, command)
        game, told = game.after(events), (*told, *events)
    return told


def _check(game: Game, command: PassTime) -> None:
    who = [game.combatant(each).id for each in command.who]
    if not who or len(set(who)) < len(who) or not {*command.care, *command.levels} <= set(who):
        raise bad_input(phrase("choose-who-time-passes-for"))
    if not 1 <= command.hours <= MOST_HOURS:
        raise bad_input(phrase("enter-1-to-hours", most_hours=MOST_HOURS))
    if not 0 <= command.bleeding <= MOST_MINUTES:
        raise bad_input(phrase("enter-0-to-minutes", most_minutes=MOST_MINUTES))
    if any(any(levels) for levels in command.levels.values()) and not command.why.strip():
        raise bad_input(phrase("give-reason-for-levels-healed-by-hand"))


def _passes(game: Game, who: str, command: PassTime) -> tuple[Event, ...]:
    combatant, health = game.combatant(who), game.system.health
    if command.levels.get(who) and not health.one_by_one:
        raise bad_input(phrase("only-injuries-kept-one-by-one-improve-by-hand"))
    if DEAD in combatant.conditions:
        return ()
    care = command.care.get(who, Care.NONE)
    bled = _untended(game, combatant, command) if care is Care.NONE else _tended(game, combatant)
    now = game.after(bled)
    if DEAD in now.combatant(who).conditions:
        return bled
    if health.one_by_one:
        told = (*bled, *_by_hand(now, now.combatant(who), command))
        return (*told, *waning(game.after(told), who, command.hours))
    cared = {"care": care is not Care.NONE, "hospital": care is not Care.CARE}
    dusks = dusks_in(command.hours) if command.dusk else 0
    return (*bled, *rests(now, now.combatant(who), command.hours, **cared, dusks=dusks))


def _untended(game: Game, combatant: Combatant, command: PassTime) -> tuple[Event, ...]:
    """What bleeding costs somebody without care, at most their life (CD-HEALTH-3, WD-HEALTH-3)."""
    turns, every = command.hours * 60 * TURNS_A_MINUTE, command.bleeding * TURNS_A_MINUTE
    sheet, lost = _bled(game, combatant, turns, every)
    return (Bled(combatant.id, lost), effects.boxes(game, combatant.id, sheet)) if lost else ()


def _bled(game: Game, combatant: Combatant, turns: int, every: int) -> tuple[Sheet, int]:
    part = game.system.bleeding
    return part.untended(combatant.sheet, combatant.conditions, turns, every) if part else (combatant.sheet, 0)


def _tended(game: Game, combatant: Combatant) -> tuple[Event, ...]:
    """The end of the conditions that medical care ends; what shows that it did lasts."""
    ended = frozenset(each.key for each in game.system.conditions.of(combatant.conditions) if each.tended)
    shown = tended(game.system, combatant.sheet, combatant.conditions - ended) - combatant.conditions
    told = effects.marked(game, combatant.id, shown, ended)
    if not shown:
        return told
    keys = shown | lasting_on(combatant.sheet)
    return (*told, LastingChanged(combatant.id, made_lasting(game.system, combatant, keys, OUTSIDE_FIGHTS)))


def _by_hand(game: Game, combatant: Combatant, command: PassTime) -> tuple[Event, ...]:
    """Injuries that the Storyteller lets improve, as no rule says how long that takes (WL-DMG-4); scars stay."""
    injuries, levels = combatant.sheet.injuries, command.levels.get(combatant.id, ())
    if not any(levels):
        return ()
    if len(levels) != len(injuries) or any(
        not 0 <= off <= injury.level for off, injury in zip(levels, injuries, strict=True)
    ):
        raise bad_input(phrase("injuries-changed-check-levels", name=combatant.sheet.name))
    pairs = zip(levels, injuries, strict=True)
    left = tuple(replace(injury, level=injury.level - off) for off, injury in pairs if off < injury.level)
    sheet = game.system.health.put(combatant.sheet, SetHealth(combatant.id, injuries=left))
    return (
        Healed(combatant.id, {"levels": sum(levels)}, command.hours),
        effects.boxes(game, combatant.id, sheet),
    )


# ------------------------------------------------------------------ what a form asks


def dusks_in(hours: int) -> int:
    """The dusks in so many hours, if there is any: one a day, at least one."""
    return max(1, hours // 24)


def sets_pace(game: Game, who: str) -> bool:
    """Whether the Storyteller sets how fast somebody bleeds without care."""
    combatant = game.combatant(who)
    return _bled(game, combatant, A_LONG_TIME, 0) != _bled(game, combatant, A_LONG_TIME, 1)


def cares(game: Game, who: str) -> tuple[Care, ...]:
    """The sorts of medical care that make a difference to somebody, the least first; empty if none does."""
    combatant, health = game.combatant(who), game.system.health
    if health.one_by_one or health.by_blood(combatant.sheet) or DEAD in combatant.conditions:
        return ()
    hurt = replace(combatant.sheet, marks=(Damage.AGGRAVATED, Damage.LETHAL))
    bleeds = bool(_bled(game, combatant, A_LONG_TIME, 1)[1])
    found: dict[tuple[tuple[Damage, ...], bool], Care] = {}
    for care in Care:
        cared = care is not Care.NONE
        rested, _healed = health.rest(hurt, A_LONG_TIME, care=cared, hospital=care is Care.HOSPITAL)
        found.setdefault((rested.marks, bleeds and not cared), care)
    return tuple(found.values()) if len(found) > 1 else ()
