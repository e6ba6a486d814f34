"""Grapples of the classic family: how one begins, what both may do in it, and how it ends (MQ-MAN-4, MQ-MAN-5).

The one who seized the other is the grapple's ``one`` (:class:`rules.topics.grapples.grapple.Grapple`) and has the
grip; the ``other`` is seized. In a hold (``holders``) the ``other`` can only try to break free.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine.messages import Command, Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.choices import Defence
from rules.model.conditions import DEAD, GRAPPLED, HELD
from rules.model.gear import Mode
from rules.model.modifiers import ModifierRule, fixed
from rules.model.results import AttackResult
from rules.model.roll import Resistance, RollTraits
from rules.model.state import Encounter
from rules.model.system import Barred, Game, Needs, Serves
from rules.strike.facets import Facet, Strike
from rules.systems.classic.called_shots import MANOEUVRE
from rules.topics import effects
from rules.topics.attacks.prepare import FISTS
from rules.topics.commands import TakeAction
from rules.topics.events import GrappleChanged, Hurt, MoveMade
from rules.topics.grapples.grapple import GRAPPLES, Grapple
from rules.topics.grapples.holds import grapple_of, let_go
from rules.topics.rolls.decide import roll_once

GRAPPLE, BREAK_FREE, SQUEEZE, HOLD, LET_GO = "grapple", "break_free", "grapple_damage", "hold", "let_go"

WRESTLING = ("strength", "brawl")
"""The Traits that both roll, to break free or to hold."""

HANDS_FULL = ("draw", "put_away", "pick_up", "reload", "clear_jam", "shape", "rise")
"""Actions for which nobody in a grapple has the hands or the room."""

OF_THE_HELD = frozenset({"attack", SQUEEZE, HOLD, LET_GO, *HANDS_FULL})
"""What somebody who is held can't do: everything but breaking free."""


def hands_full(rule: str) -> dict[str, Barred]:
    """The actions that are impossible in a grapple."""
    return dict.fromkeys(HANDS_FULL, Barred(rule, phrase("not-while-in-grapple")))


def grapple_modifier(rule: str, setting: str) -> ModifierRule:
    """The unarmed attack seizes its target and does no damage."""
    return ModifierRule(
        GRAPPLE,
        phrase("to-grapple"),
        rule,
        fixed(),
        modes=frozenset({Mode.UNARMED}),
        group=MANOEUVRE,
        setting=setting,
        harmless=True,
    )


def seized(game: Game, by: str, at: str) -> tuple[Event, ...]:
    """``by`` has a grip on ``at`` from now on, and neither is in another grapple."""
    told: list[Event] = [*let_go(game, by)]
    told += let_go(game.after(told), at)
    now = game.after(told)
    both = (event for who in (by, at) for event in effects.marked(now, who, frozenset({GRAPPLED})))
    return (*told, GrappleChanged(Grapple(by, at, game.state.turn)), *both)


@dataclass(frozen=True, slots=True)
class Clinching(Facet):
    """Attacks that seize somebody, and those by and against combatants in a grapple.

    ``within`` are the circumstances of attacks that the one with the grip may still make on the one seized.
    """

    rule: str
    within: frozenset[str] = frozenset()

    def check(self, strike: Strike) -> None:
        mine, theirs = grapple_of(strike.state, strike.command.by), grapple_of(strike.state, strike.target)
        if mine is not None and self.within.isdisjoint(strike.picked):
            name = strike.sheet.name
            strike.game.referee.forbid(self.rule, phrase("is-in-grapple-and-cant-attack", name=name))
        if GRAPPLE in strike.picked and theirs is not None:
            name = strike.victim.sheet.name
            strike.game.referee.forbid(self.rule, phrase("is-already-in-grapple", name=name))

    def check_answer(self, strike: Strike, defence: Defence) -> None:
        name = strike.victim.sheet.name
        if grapple_of(strike.state, strike.target) is not None:
            strike.game.referee.forbid(self.rule, phrase("is-in-grapple-and-cant-defend", name=name))

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        if GRAPPLE not in strike.picked or result.done is None:
            return ()
        return seized(game, strike.command.by, strike.target)


# ------------------------------------------------------------------ actions in a grapple


def _not_in_one(rule: str) -> RuleViolation:
    return RuleViolation(rule, phrase("only-someone-in-grapple-can-do-that"))


def _needs(setting: str, *, rolled: bool = True) -> Needs:
    return Needs(
        rolls=rolled,
        instant=rolled,
        spares_action=not rolled,
        only_in=GRAPPLED,
        setting=setting,
        rolled=WRESTLING if rolled else (),
    )


@dataclass(frozen=True, slots=True)
class BreakFree:
    """The one seized rolls Strength + Brawl against the other's, and is free with more successes."""

    rule: str
    setting: str
    label: str = phrase("break-free")

    @property
    def needs(self) -> Needs:
        """A roll, in a grapple."""
        return replace(_needs(self.setting), serves=Serves.FREEDOM)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        grapple = grapple_of(game.state, by)
        if grapple is None:
            return _not_in_one(self.rule)
        return None if grapple.other == by else RuleViolation(self.rule, phrase("you-have-the-grip-let-go-instead"))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        at = grapple_now(game.state, command.by).opponent(command.by)
        told, won = wrestled(game, command, at, self.label)
        if not won:
            return told
        freed = MoveMade(command.by, at, command.key, self.rule)
        return (*told, freed, *let_go(game.after(told), command.by))


@dataclass(frozen=True, slots=True)
class Squeeze:
    """Bare-handed damage to the other, without a roll to hit."""

    rule: str
    setting: str
    label: str = phrase("squeeze")

    @property
    def needs(self) -> Needs:
        """Dice of damage, in a grapple."""
        return replace(_needs(self.setting), rolled=())

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return None if grapple_of(game.state, by) else _not_in_one(self.rule)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        by, at = command.by, grapple_now(game.state, command.by).opponent(command.by)
        used = effects.used(game, by, command.key)
        done = game.system.attack.stray(game, by, at, FISTS)
        told = (MoveMade(by, at, command.key, self.rule), *used, Hurt(by, done, self.rule))
        marks = effects.suffer(game.after(told), done)
        return (*told, *marks, *game.system.attack.damaged(game.after((*told, *marks)), done))


@dataclass(frozen=True, slots=True)
class HoldFast:
    """The one with the grip rolls Strength + Brawl against the other's, who is held with fewer successes.

    Somebody who can't resist is held without a roll.
    """

    rule: str
    setting: str
    label: str = phrase("hold")

    @property
    def needs(self) -> Needs:
        """A roll, in a grapple."""
        return _needs(self.setting)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        grapple = grapple_of(game.state, by)
        if grapple is None:
            return _not_in_one(self.rule)
        if grapple.one != by:
            return RuleViolation(self.rule, phrase("only-one-with-grip-can-do-that"))
        already = HELD in game.state.combatants[grapple.other].conditions
        return RuleViolation(self.rule, phrase("they-are-already-held")) if already else None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        by, at = command.by, grapple_now(game.state, command.by).opponent(command.by)
        if game.system.turns.hindrance(game.state, at):
            told, won = effects.used(game, by, command.key), True
        else:
            told, won = wrestled(game, command, at, self.label)
        if not won:
            return told
        return (
            *told,
            MoveMade(by, at, command.key, self.rule),
            GrappleChanged(Grapple(by, at, game.state.turn, holders=frozenset({by}))),
            *effects.marked(game.after(told), at, frozenset({HELD})),
        )


@dataclass(frozen=True, slots=True)
class LetGo:
    """The one with the grip lets go, which takes no action."""

    rule: str
    setting: str
    label: str = phrase("let-go")

    @property
    def needs(self) -> Needs:
        """A grapple."""
        return replace(_needs(self.setting, rolled=False), serves=Serves.FREEDOM)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        grapple = grapple_of(game.state, by)
        if grapple is None:
            return _not_in_one(self.rule)
        return None if grapple.one == by else RuleViolation(self.rule, phrase("only-one-with-grip-can-do-that"))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return let_go(game, grapple_now(game.state, command.by).one)


def wrestled(game: Game, command: TakeAction, at: str, label: str) -> tuple[tuple[Event, ...], bool]:
    """A resisted roll of both as an action, and whether the actor has more successes."""
    roll = RollTraits(
        command.by, WRESTLING, modifiers=command.modifiers, resisted=Resistance(at, WRESTLING), label=label
    )
    used = effects.used(game, command.by, command.key)
    told = roll_once(game, roll)
    return (told, *used), (told.margin or 0) > 0


def grapple_now(state: Encounter, who: str) -> Grapple:
    """The grapple that somebody is in; raises "input" if the rule that asks for one is waived."""
    found = grapple_of(state, who)
    if found is None:
        raise bad_input(phrase("there-is-no-opponent-to-do"))
    return found


# ------------------------------------------------------------------ how it ends by itself


@dataclass(frozen=True, slots=True)
class GripLost:
    """A grapple ends when the one with the grip is out of action, or the other is dead."""

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """The grapples that end with what a command has brought about."""
        begun = any(isinstance(event, GrappleChanged) for event in told)
        if not begun and not GRAPPLES.of(game.state):
            return ()
        now, ended = game.after(told), list[Event]()
        for grapple in GRAPPLES.of(now.state):
            gripping = not now.system.turns.hindrance(now.state, grapple.one)
            if not gripping or DEAD in now.state.combatants[grapple.other].conditions:
                ended += let_go(now, grapple.one)
        return tuple(ended)
