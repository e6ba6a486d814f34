"""Health, points, conditions, and the Storyteller's words."""

from __future__ import annotations

import re

from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model import points
from rules.model.gear import Damage
from rules.model.modifiers import Circumstances, Use, check_modifiers, modifier_parts
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Status
from rules.model.words import in_words
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
from rules.topics.desk import Desk
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
from rules.topics.grapples.holds import GRAPPLED, let_go
from rules.topics.health.boxes import MOST_LEVELS, Blow

MOST_HOURS = 24 * 365 * 10


@decides(Harm)
def harm(desk: Desk, command: Harm) -> tuple[Event, ...]:
    """Mark damage as it is said (MQ-HEALTH-2)."""
    sheet = desk.combatant(command.at).sheet
    if not 1 <= command.amount <= MOST_LEVELS:
        raise bad_input(phrase("Damage is between 1 and {most_levels} levels.", most_levels=MOST_LEVELS))
    suffered = desk.ruleset.attack.suffered(command.type, command.tags, sheet, desk.ruleset)
    return (
        Harmed(command.at, command.amount, suffered, command.why.strip()),
        *desk.harm(command.at, command.amount, suffered, Blow(command.why.strip(), desk.state.turn)),
    )


@decides(Heal)
def heal(desk: Desk, command: Heal) -> tuple[Event, ...]:
    """Heal levels of a kind, or let time pass (MQ-HEAL-1), which brings nobody back from the dead."""
    combatant = desk.combatant(command.at)
    undead = desk.ruleset.health.by_blood(combatant.sheet, desk.ruleset)
    if command.hours is not None:
        if command.amount is not None or command.type is not None or not 1 <= command.hours <= MOST_HOURS:
            raise bad_input(phrase("Heal either some levels of a kind, or for a time."))
        rest = _sleep(desk, combatant, command.hours) if undead and "dead" not in combatant.conditions else None
        return rest or _rest(desk, combatant, command.hours, care=command.care)
    sheet, healed = desk.ruleset.health.cure(combatant.sheet, command)
    if undead and command.type is not None:
        return _by_blood(desk, combatant, sheet, healed[command.type.value], command.type)
    return (Healed(combatant.id, healed), desk.boxes(combatant.id, sheet))


def _rest(desk: Desk, combatant: Combatant, hours: int, *, care: bool) -> tuple[Event, ...]:
    dead, rules = "dead" in combatant.conditions, desk.ruleset.health
    sheet, healed = (combatant.sheet, {}) if dead else rules.rest(combatant.sheet, hours, desk.ruleset, care=care)
    told = (Healed(combatant.id, healed, hours), desk.boxes(combatant.id, sheet))
    return (*told, *desk.ruleset.aftermath.of_time(desk.after(told), combatant.id, hours))


def _sleep(desk: Desk, combatant: Combatant, hours: int) -> tuple[Event, ...]:
    """Each day of rest heals the dead one aggravated level, for blood points and a Willpower point."""
    sheet, layout = combatant.sheet, desk.ruleset.layout
    blood, willpower = layout.points(sheet, "blood"), layout.points(sheet, "willpower")
    points.check_bars(desk.state, combatant.id, "blood", desk.ruleset, desk.referee)
    price = desk.ruleset.settings.get("blood_per_aggravated", 5)
    days = min(hours // 24, sheet.marks.count(Damage.AGGRAVATED), blood // price, willpower)
    rested, healed = desk.ruleset.health.remove(sheet, days, Damage.AGGRAVATED)
    spent = _spent(combatant.id, ("blood", blood, price * healed), ("willpower", willpower, healed)) if healed else ()
    told = Healed(combatant.id, {Damage.AGGRAVATED.value: healed}, hours)
    return (told, *spent, desk.boxes(combatant.id, rested))


def _by_blood(desk: Desk, combatant: Combatant, healed_sheet: Sheet, healed: int, damage: Damage) -> tuple[Event, ...]:
    """The dead heal with blood: a point a level as an action of its own, or more and a Willpower point."""
    sheet, layout = combatant.sheet, desk.ruleset.layout
    points.check_bars(desk.state, combatant.id, "blood", desk.ruleset, desk.referee)
    grave = damage is Damage.AGGRAVATED
    blood, willpower = layout.points(sheet, "blood"), layout.points(sheet, "willpower")
    cost = desk.ruleset.settings.get("blood_per_aggravated", 5) * healed if grave else healed
    if cost > blood:
        desk.forbid(
            "heal",
            phrase("{name} has {blood} blood points, and this takes {cost}.", name=sheet.name, blood=blood, cost=cost),
        )
    if grave and healed > willpower:
        desk.forbid(
            "heal",
            phrase(
                "{name} has {willpower} Willpower, and this takes {healed}.",
                name=sheet.name,
                willpower=willpower,
                healed=healed,
            ),
        )
    used = () if grave else _as_action(desk, combatant, healed)
    if not grave:
        points.check(desk.state, combatant.id, "blood", min(cost, blood), desk.ruleset, desk.referee)
    paid = [("blood", blood, min(cost, blood))]
    if grave:
        paid.append(("willpower", willpower, min(healed, willpower)))
    told = Healed(combatant.id, {damage.value: healed}, 24 * healed if grave else None)
    return (told, *used, *_spent(combatant.id, *paid), desk.boxes(combatant.id, healed_sheet))


def _as_action(desk: Desk, combatant: Combatant, levels: int) -> tuple[Event, ...]:
    """Healing in a fight is an action of its own, one for each level; outside of one it takes nobody's turn."""
    if desk.state.status is not Status.RUNNING:
        return ()
    desk.able(combatant.id)
    if levels > 1 and desk.state.ordered:
        desk.forbid("heal", phrase("An action heals one level."))
    return (desk.action(combatant.id, "heal"),)


def _spent(who: str, *costs: tuple[str, int, int]) -> tuple[ResourceChanged, ...]:
    return tuple(ResourceChanged(who, key, had - cost, cost, "healing") for key, had, cost in costs if cost)


@decides(SetHealth)
def set_health(desk: Desk, command: SetHealth) -> tuple[Event, ...]:
    """Put the boxes, or the injuries, as the Storyteller says."""
    sheet = desk.ruleset.health.put(desk.combatant(command.at).sheet, command, desk.ruleset)
    return (HealthSet(command.at, command.why.strip()), desk.boxes(command.at, sheet))


@decides(Spend)
def spend(desk: Desk, command: Spend) -> tuple[Event, ...]:
    """Spend points, or bring them back up to the most that the sheet holds."""
    sheet = desk.combatant(command.by).sheet
    known = desk.ruleset.layout.resource(command.resource)
    if not points.has(desk.state, command.by, command.resource, desk.ruleset):
        raise bad_input(phrase("{name} has no {points}.", name=sheet.name, points=in_words(command.resource)))
    key = known.key if known else command.resource
    if command.amount == 0:
        raise bad_input(phrase("Say how many points."))
    if command.amount > 0:
        paid = desk.pay(command.by, key, command.amount, command.why.strip())
        return (*paid, *desk.marked(command.by, frozenset(), known.lifts if known else frozenset()))
    there = desk.ruleset.layout.points(sheet, key)
    most = max(desk.ruleset.layout.maximum(sheet, key), there)
    if known and there - command.amount > most:
        raise bad_input(
            phrase("{name} holds {most} at the most of {label}.", name=sheet.name, most=most, label=known.label)
        )
    return (ResourceChanged(command.by, key, there - command.amount, command.amount, command.why.strip()),)


@decides(ChangeConditions)
def change_conditions(desk: Desk, command: ChangeConditions) -> tuple[Event, ...]:
    """Add and take away conditions."""
    combatant = desk.combatant(command.at)
    names = command.add | command.remove
    if not names or any(not name.strip() or len(name) > 40 for name in names):
        raise bad_input(phrase("Name a condition, in 40 letters at the most."))
    loose = let_go(desk, command.at) if GRAPPLED in command.remove else ()
    before = desk.after(loose).combatant(command.at).conditions
    now = (before | command.add) - command.remove
    injuries = tuple(each for each in combatant.injuries if each.condition not in command.remove)
    healed = (InjuriesChanged(command.at, injuries),) if injuries != combatant.injuries else ()
    return (*loose, ConditionsChanged(command.at, now, now - before, before - now), *healed)


@decides(SetCircumstances)
def set_circumstances(desk: Desk, command: SetCircumstances) -> tuple[Event, ...]:
    """Put the circumstances that lie on somebody's rolls, or on the whole scene (WD-DICE-6)."""
    if command.who:
        desk.combatant(command.who)
    check_modifiers(command.circumstances, Use.ROLL, desk.ruleset)
    modifier_parts(command.circumstances, Circumstances(), desk.ruleset)  # refuses figures that cannot be
    return (CircumstancesSet(command.who, command.circumstances),)


@decides(Describe)
def describe(desk: Desk, command: Describe) -> tuple[Event, ...]:
    """Give some a description that the others do not get, in place of the one before (WD-SCENE-2); "" lifts it."""
    had = [desk.combatant(who).told for who in command.to]
    if not command.to or not (command.text.strip() or any(had)):
        raise bad_input(phrase("Say what is seen, and by whom."))
    return (Described(command.to, command.text.strip()),)


@decides(Narrate)
def narrate(desk: Desk, command: Narrate) -> tuple[Event, ...]:
    """Put words above what was resolved (MQ-NARR-1)."""
    if not 0 < _number(command.resolution) <= desk.state.resolutions:
        raise bad_input(phrase("There is nothing to narrate."))
    return (Narrated(command.resolution, command.text.strip()),)


@decides(ShowRoll)
def show_roll(desk: Desk, command: ShowRoll) -> tuple[Event, ...]:
    """Show players the dice of an entry of the log, or hide them again: the Storyteller's word, by no rule."""
    if not command.entry:
        raise bad_input(phrase("Say which roll."))
    return (RollShown(command.entry, command.shown),)


def _number(resolution: str) -> int:
    """The number in a resolution's name, 0 for what is none."""
    return int(resolution[1:]) if re.fullmatch(r"r[1-9]\d{0,8}", resolution) else 0
