"""What a combatant may do now, and which defences can answer an attack, found by asking the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaigns.words import said
from combat.cache import for_each
from combat.panes.chances import of_attack, of_defence
from combat.panes.figures import Handling, Manoeuvre, Possible
from combat.panes.questions import DefenceChoice
from combat.secrecy.sight import Sight
from rules.decide import decide
from rules.engine.dice import RollsDice, StopAtDice
from rules.engine.inputs import Place
from rules.engine.messages import COMMANDS, Command, CommandType, command_type
from rules.engine.violations import Refusal, RuleViolation
from rules.model.choices import Defence
from rules.model.conditions import GRAPPLED
from rules.model.damage_steps import of_kind
from rules.model.gear import Damage, Weapon
from rules.model.plan import Against
from rules.model.power_words import cost_of, effects_of
from rules.model.state import OPEN_ACTION, Combatant, Exchange, Stage
from rules.model.system import Aim, Game, Needs, System
from rules.model.words import in_words
from rules.strike.active_defence import defense_of
from rules.strike.attack import plan_answered
from rules.topics import bars
from rules.topics.actions import why_not
from rules.topics.commands import Declare, Heal, Spend
from rules.topics.grapples.holds import barred

MOST_SYSTEMS = 500
"""Size of the memos by system: one for each set of house rules in play."""

MOST_COMBATANTS = 2000


def refusal(ask: Callable[[], object]) -> Refusal | None:
    """Why the rules refuse something; None if they don't."""
    try:
        ask()
    except RollsDice:
        return None
    except RuleViolation as violation:
        return violation.refusal
    return None


def told(refusal: Refusal, clean: Callable[[str], str] = said) -> Refusal:
    """The refusal in the reader's language; `clean` replaces names they may not know."""
    return replace(refusal, message=clean(refusal.message))


def possibilities(game: Game, who: str) -> tuple[Possible, ...]:
    """What a combatant may do now; empty unless the fight is running."""
    if game.state.status != "running":
        return ()
    return (
        _asked("attack", _("Attack"), lambda: _attack(game, who)),
        *_declarations(game, who),
        *(_offered(each, game, who) for each in offered(Place.SEAT, game, who)),
        *_lifts(game, who),
        *_heals(game, who),
    )


def offered(place: Place, game: Game, who: str) -> Iterable[CommandType]:
    """The ruleset's commands that are declared to be offered to `who` in this `place`."""
    known = _known_in(game.system, place, tuple(COMMANDS.values()))
    return (each for each in known if each.offered_to(game.state, who, game.system))


@for_each(MOST_SYSTEMS, worded=False)
def _known_in(system: System, place: Place, commands: tuple[type[Command], ...]) -> tuple[CommandType, ...]:
    """Those of all commands that a ruleset knows and that are offered in a place."""
    return tuple(each for each in map(command_type, commands) if place in each.offered and system.knows(each.cls))


@for_each(MOST_COMBATANTS, worded=False)
def own_needs(combatant: Combatant, system: System) -> Mapping[str, Needs]:
    """What the ruleset's own actions that a combatant has at all take, by their keys."""
    return {
        key: needs
        for key, needs in system.needs.items()
        if needs.are_for(combatant.sheet, system.layout) and system.plays(needs.setting)
    }


def label_in(place: Place, declared: CommandType) -> str:
    """The label of a command in the place that offers it."""
    return capfirst(said(declared.offered[place]))


def _offered(declared: CommandType, game: Game, who: str) -> Possible:
    found = _asked(
        declared.name,
        label_in(Place.SEAT, declared),
        lambda: decide(game.state, declared.sample(who, game.state), game.system, StopAtDice()),
    )
    return replace(found, form=declared.name, press=bool(declared.asked and declared.asked.press))


def _known(key: str, label: str, command: Command, game: Game, **query: str) -> Iterable[Possible]:
    """The command as a list entry, if the ruleset has it. `query` holds parameters of its form."""
    if game.system.knows(type(command)):
        found = _asked(key, label, lambda: decide(game.state, command, game.system, StopAtDice()))
        yield replace(found, form=command_type(type(command)).name, query=urlencode(query))


def _asked(key: str, label: str, ask: Callable[[], object]) -> Possible:
    why = refusal(ask)
    return Possible(key, label, told(why) if why else None)


def _declarations(game: Game, who: str) -> Iterable[Possible]:
    """Declaring, or splitting the pool in rulesets where declaring is optional."""
    state, turns = game.state, game.system.turns
    if turns.at_will:
        if state.ordered and not turns.too_late(state, who):
            yield from _known("split", _("Split the pool"), Declare(who), game)
    elif state.ordered and state.stage is Stage.INITIATIVE:
        declared = state.combatants[who].turn.declaration is not None
        # Asked out of order, because the bar already says whether somebody slower has to declare first.
        command = Declare(who, out_of_order=True)
        for found in _known("declare" if turns.declares else "intend", _("Declare"), command, game):
            # The declaration everybody waits for has a button of its own; an intention is declared only once.
            listed = found if declared == turns.declares else replace(found, form="")
            again = listed.allowed and turns.declares and declared
            yield replace(listed, label=_("Declare again")) if again else listed


def _lifts(game: Game, who: str) -> Iterable[Possible]:
    """Ignoring a condition by spending a point."""
    state, ruleset = game.state, game.system
    # Pointless for those who can't act for another reason.
    out = ruleset.turns.hindrance(state, who)
    for resource in () if out else ruleset.layout.resources_for(state.combatants[who].sheet.kind):
        for condition in sorted(resource.lifts & state.combatants[who].conditions):
            words = {"condition": said(in_words(condition)), "points": said(resource.label)}
            label = _("Ignore being {condition}: 1 {points}").format(**words)
            yield from _known("lift", label, Spend(who, resource.key), game, resource=resource.key)


def _heals(game: Game, who: str) -> Iterable[Possible]:
    """Healing with a point of blood, of the least severe damage that takes no days."""
    sheet = game.state.combatants[who].sheet
    cost, blood = game.system.health.by_blood(sheet), game.system.layout.resource("blood")
    light = [mark for mark in sheet.marks if mark is not Damage.AGGRAVATED]
    if cost and blood and light:
        least = light[-1]
        amount = min(light.count(least), cost.bashing if least is Damage.BASHING else 1)
        label = _("Heal {harm} with {points}").format(
            harm=said(of_kind(least, amount)), points=said(in_words(blood.key))
        )
        for found in _known("heal", label, Heal(who, amount, least), game):
            yield replace(found, reflexive=cost.reflexive, press=True, value=f"{least} {amount}")


def own_actions(game: Game, who: str, *, everything: bool = False) -> tuple[Manoeuvre, ...]:
    """The ruleset's own actions, as a combatant may take them now. `everything`: also the Storyteller's."""
    state = game.state
    if state.status != "running":
        return ()
    combatant = state.combatants[who]
    return tuple(
        choice
        for key, needs in own_needs(combatant, game.system).items()
        if (everything or not needs.storytellers) and (not needs.only_in or needs.only_in in combatant.conditions)
        for choice in _with_choices(_own_action(game, key, who), game.system)
    )


def _with_choices(one: Manoeuvre, system: System) -> Iterable[Manoeuvre]:
    """An action as it is offered: a power that raises one of several Traits, once for each of them."""
    needs = system.needs[one.key]
    traits = needs.power.chosen() if needs.power and needs.aim is Aim.NOBODY else ()
    for trait in traits:
        label = f"{one.label}: {said(system.layout.trait(trait).label)}"
        yield replace(one, label=label, choice=trait)
    if not traits:
        yield one


def handling(manoeuvres: Iterable[Manoeuvre], weapon: Weapon, ruleset: System) -> tuple[Handling, ...]:
    """The possible actions, among a combatant's own, that move this weapon: draw it, put it away, pick it up."""
    possible = ((each, ruleset.needs[each.key]) for each in manoeuvres if each.handles and each.allowed)
    return tuple(Handling(each.key, each.label) for each, needs in possible if needs.weapon and needs.weapon(weapon))


def moves(game: Game, who: str) -> tuple[Manoeuvre, ...]:
    """The moves for the winner of a grapple's roll."""
    system = game.system
    known = {key: each for key, each in system.needs.items() if each.only_in == GRAPPLED and system.plays(each.setting)}
    return tuple(
        replace(_own_action(game, key, who), press=not needs.figures and not needs.weapon)
        for key, needs in known.items()
    )


def _own_action(game: Game, key: str, who: str) -> Manoeuvre:
    why = why_not(game, key, who)
    found = _described(game.system, key)
    return replace(found, refusal=told(why.refusal)) if why else found


@for_each(MOST_SYSTEMS)
def _described(system: System, key: str) -> Manoeuvre:
    """An action of the ruleset, as if nothing forbade it."""
    needs = system.needs[key]
    found = Manoeuvre(
        key,
        said(system.actions[key].label),
        press=needs.nothing,
        reflexive=not needs.instant,
        handles=needs.handles,
    )
    if (power := needs.power) is None:
        return found
    # A power that affects nobody else is one press, even if it rolls: its form is for typed dice and more points.
    press = needs.aim is Aim.NOBODY and (not needs.figures or bool(power.chosen()))
    return replace(
        found,
        power=True,
        press=press,
        rolls=needs.rolls,
        cost=said(cost_of(power, system, spent=int(press))),
        about=", ".join(said(each) for each in effects_of(power, system)),
    )


def _attack(game: Game, who: str) -> None:
    if against := barred(game, who, "attack") or bars.barred(game, who, "attack"):
        raise against
    game.system.turns.check_able(game, who)
    game.system.turns.use_action(game, who, "")


def defences(game: Game, exchange: Exchange, target: str, sight: Sight) -> tuple[tuple[DefenceChoice, ...], int]:
    """Each way to answer an attack, with its pool and chances, or the refusal that forbids it; and the target's stock.

    What forbids the attack itself is only for the Storyteller. For others, every answer is then possible.
    """
    state, rules, found = game.state, game.system.attack.defences, list[DefenceChoice]()
    turn = state.combatants[target].turn
    spends = state.ordered and not turn.full_defence and turn.actions == (OPEN_ACTION,)
    known = sight.everything or sight.rolls_of(exchange.attack.by)
    possible = _plan(game, exchange, target, Defence())
    for kind in ("", *rules.kinds):
        label = said(rules.kinds[kind].label if kind else rules.plain)
        plan = _plan(game, exchange, target, Defence(kind)) if kind else possible
        if isinstance(plan, Refusal):
            # Not to answer is always possible.
            hidden = not kind or (isinstance(possible, Refusal) and not sight.everything)
            found.append(DefenceChoice(kind, label, refusal=None if hidden else told(plan, sight.clean)))
            continue
        costs = spends and bool(kind) and kind not in rules.free
        chances = of_attack(plan, game) if known else of_defence(plan, game.system)
        pool = _worth(plan, changes=rules.changes)
        found.append(DefenceChoice(kind, label, pool, spends=costs, chances=chances))
    return tuple(found), 0 if isinstance(possible, Refusal) else possible.stock


def _plan(game: Game, exchange: Exchange, target: str, defence: Defence) -> Against | Refusal:
    """The plan of an announced attack against a target with this defence, or what forbids it."""
    try:
        return plan_answered(game.waiving(exchange.waived), exchange.attack, target, defence)
    except RuleViolation as why:
        return why.refusal


def _worth(against: Against, *, changes: bool) -> int | None:
    """The dice of a defence: its own pool, or the dice that Defense subtracts from the attack's."""
    if changes:
        return defense_of(against)
    return against.defence.pool if against.defence else None
