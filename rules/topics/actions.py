"""What can be done in a fight besides attacks and defences: what an action declares, and how it is taken.

An action is a small frozen value with the two functions of :class:`ActionRule`; a ruleset lists those that it knows,
by key, in ``System.actions``. From what it declares as its :class:`Needs` follow its form, its place in the list of
what somebody may do now, the dice that may be typed, who may take it, and the keys of a scenario's step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from rules.engine.messages import Event, decides, event_type
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, RuleViolation, bad_input
from rules.model import points
from rules.model.choices import Figure
from rules.model.game import Game
from rules.model.gear import Weapon
from rules.model.inputs import Want, Wanted
from rules.model.state import Encounter
from rules.topics import effects
from rules.topics.commands import TakeAction
from rules.topics.grapples.holds import barred

if TYPE_CHECKING:
    from rules.model.system import System


class Aim(StrEnum):
    """How many an action is aimed at."""

    NOBODY = "nobody"
    ANYBODY = "anybody"
    """One, or nobody."""
    ONE = "one"
    AREA = "area"
    """Those in some place: any number, or nobody."""


Whom = Callable[[Encounter, str, "System"], Iterable[str]]
Arms = Callable[[Encounter, str, "System"], Iterable[Weapon]]


@dataclass(frozen=True, slots=True)
class Needs:
    """What an action asks for, and what it takes.

    ``whom`` narrows down at whom it can be aimed (ids; anybody else where it is left out), ``weapon`` says with which
    of somebody's weapons it is done (left out: with none); ``unarmed``: or with none at all. ``arms`` are others that
    may be named besides those that one's own form lists. One that ``rolls`` throws dice, its own or those of whoever
    it is aimed at: circumstances count and dice can be typed. It is ``instant`` where it takes an action of the turn,
    else reflexive; one that ``spares_action`` takes none of it in any case, so that whoever has lost that alone can do
    it. The ``storytellers`` word alone brings some about, whoever is out of action. ``kinds`` are the
    creatures that can take it (empty: all), ``pool`` the Traits of one whose dice are shared with other actions of
    the turn. One that there is ``only_in`` a condition is not spoken of in others.
    """

    aim: Aim = Aim.NOBODY
    whom: Whom | None = None
    weapon: Callable[[Weapon], bool] | None = None
    unarmed: bool = False
    arms: Arms | None = None
    figures: tuple[Wanted, ...] = ()
    rolls: bool = False
    instant: bool = True
    spares_action: bool = False
    storytellers: bool = False
    kinds: frozenset[str] = frozenset()
    pool: tuple[str, ...] = ()
    only_in: str = ""

    def are_for(self, kind: str, ruleset: System) -> bool:
        """Whether a kind of creature can take it; one of a chronicle's own as the kind that it is like."""
        return not self.kinds or ruleset.layout.likes.get(kind, kind) in self.kinds

    @property
    def nothing(self) -> bool:
        """Whether one press says all that there is to say."""
        return self.aim is Aim.NOBODY and self.weapon is None and not self.figures and not self.rolls


class ActionRule(Protocol):
    """One thing that can be done."""

    @property
    def label(self) -> str:
        """What a button says."""

    @property
    def rule(self) -> str:
        """The rule that it stands on."""

    @property
    def needs(self) -> Needs:
        """What it asks for."""

    def possible(self, state: Encounter, by: str, ruleset: System) -> RuleViolation | None:
        """What stands against it now besides what :func:`why_not` sees to; ``None`` where nothing does.

        ``state`` may be a reader's, without those whom they do not see; on the whole state the same reason turns the
        command down, so that it must name nobody who could be hidden.
        """

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        """What comes of it; raises :class:`rules.engine.violations.RuleViolation`.

        All that it needs is there and fits, somebody is able to do it, and it is possible. An instant action is used
        up here, by ``effects.action``.
        """


class AlwaysPossible:
    """An action that nothing stands against but what :func:`why_not` sees to: a grapple, a turn that is over."""

    __slots__ = ()

    def possible(self, state: Encounter, by: str, ruleset: System) -> RuleViolation | None:
        return None


@decides(TakeAction)
def take_action(game: Game, command: TakeAction) -> tuple[Event, ...]:
    """Do one of the things that the ruleset knows."""
    rule = game.system.actions.get(command.key)
    if rule is None:
        raise bad_input(phrase("{ruleset} knows no action called “{key}”.", ruleset=game.system.name, key=command.key))
    sheet = game.combatant(command.by).sheet
    if not rule.needs.are_for(sheet.kind, game.system):
        raise bad_input(phrase("{name} cannot do that.", name=sheet.name))
    _check_aim(game, command, rule.needs)
    _check_figures(game, command, rule.needs)
    if not rule.needs.storytellers:
        turns, spared = game.system.turns, rule.needs.spares_action
        turns.check_able(game.state, command.by, game.system, game.referee, reflexive=spared)
    # One by one: whoever waives the first has not waived the second.
    game.referee.uphold(barred(game.state, command.by, command.key, game.system))
    game.referee.uphold(rule.possible(game.state, command.by, game.system))
    points.check_modifiers(game.state, command.by, command.modifiers, game.system, game.referee)
    told = rule.decide(game, replace(command, weapon=_weapon(game, command, rule)))
    rolled = any(event_type(type(event)).own_roll for event in told)
    return (*told, *effects.pay_for(game.after(told), command.by, command.modifiers)) if rolled else told


def why_not(state: Encounter, key: str, by: str, ruleset: System) -> RuleViolation | None:
    """Why somebody cannot take an action now, as far as ``state`` shows it; ``None`` where they can."""
    rule = ruleset.actions[key]
    needs, sheet = rule.needs, state.combatants[by].sheet
    try:
        if not needs.storytellers:
            ruleset.turns.check_able(state, by, ruleset, Referee(), reflexive=needs.spares_action)
            if needs.instant:
                ruleset.turns.use_action(state, by, key, ruleset, Referee())
    except RuleViolation as violation:
        return violation
    against = barred(state, by, key, ruleset) or ruleset.actions[key].possible(state, by, ruleset)
    if against is None and needs.weapon and not needs.unarmed and not any(map(needs.weapon, sheet.weapons)):
        return bad_input(phrase("{name} has no weapon for it.", name=sheet.name))
    if against is None and needs.aim is Aim.ONE and not targets(state, by, needs, ruleset):
        return bad_input(phrase("There is nobody to do it to."))
    return against


def targets(state: Encounter, by: str, needs: Needs, ruleset: System) -> tuple[str, ...]:
    """At whom somebody can aim an action, among those in ``state``."""
    if needs.aim is Aim.NOBODY:
        return ()
    whom = set(state.combatants) - {by} if needs.whom is None else set(needs.whom(state, by, ruleset))
    return tuple(who for who in state.combatants if who in whom)


def everybody(state: Encounter, by: str, ruleset: System) -> Iterable[str]:
    """Whom an action can be aimed at that may befall oneself too."""
    return state.combatants


def _check_aim(game: Game, command: TakeAction, needs: Needs) -> None:
    for who in command.at:
        game.combatant(who)
    least, most = _COUNTS[needs.aim]
    if not least <= len(command.at) <= most or len(set(command.at)) < len(command.at):
        raise bad_input(_MISCOUNTED[needs.aim])
    if not set(command.at) <= set(targets(game.state, command.by, needs, game.system)):
        raise bad_input(
            phrase("That cannot be done to them now.") if command.by not in command.at else phrase("Not to oneself.")
        )


_COUNTS = {Aim.NOBODY: (0, 0), Aim.ANYBODY: (0, 1), Aim.ONE: (1, 1), Aim.AREA: (0, 100)}
_MISCOUNTED = {
    Aim.NOBODY: phrase("It is aimed at nobody."),
    Aim.ANYBODY: phrase("It is aimed at one at most."),
    Aim.ONE: phrase("Say at whom: one, and no more."),
    Aim.AREA: phrase("Name each target once."),
}


def _check_figures(game: Game, command: TakeAction, needs: Needs) -> None:
    wanted = {figure.key: figure for figure in needs.figures}
    for key, value in command.figures.items():
        if key not in wanted:
            raise bad_input(phrase("“{key}” is nothing that it takes.", key=key))
        _check_figure(game, wanted[key], value)
    for figure in needs.figures:
        if figure.needed and figure.key not in command.figures:
            raise bad_input(phrase("“{label}” is missing.", label=figure.label))


def _check_figure(game: Game, wanted: Wanted, value: Figure) -> None:
    if wanted.kind is Want.SOMEBODY:
        game.combatant(str(value))
        return
    if not wanted.fits(value):
        limits = (
            phrase(" It lies between {least} and {most}.", least=wanted.least, most=wanted.most)
            if wanted.kind is Want.NUMBER
            else ""
        )
        raise bad_input(phrase("“{label}” cannot be that.{limits}", label=wanted.label, limits=limits))


def _weapon(game: Game, command: TakeAction, rule: ActionRule) -> str:
    """The reference of the weapon that is used: the one named, else the first that fits; "" where none is."""
    fits, arms = rule.needs.weapon, rule.needs.arms
    if fits is None:
        if command.weapon:
            raise bad_input(phrase("No weapon is used for it."))
        return ""
    if rule.needs.unarmed and not command.weapon:
        return ""
    sheet = game.combatant(command.by).sheet
    held = [weapon for weapon in sheet.weapons if fits(weapon)]
    held += arms(game.state, command.by, game.system) if arms else ()
    named = [weapon for weapon in held if command.weapon in ("", weapon.key, weapon.name)]
    if not held:
        raise bad_input(phrase("{name} has no weapon for it.", name=sheet.name))
    if not named:
        raise bad_input(phrase("That weapon is none for it."))
    return named[0].key or named[0].name
