"""A vampire's bite, drinking, and what the Kiss does to the living (MQ-BITE-1 to MQ-BITE-3).

The biter has the grip in a grapple with the one bitten (:mod:`rules.systems.classic.clinches`), and is ``feeding``
until the fangs are out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.dice import Purpose
from rules.engine.inputs import Wanted
from rules.engine.messages import Command, Event
from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.engine.violations import RuleViolation, bad_input
from rules.model import points
from rules.model.attack import Attack
from rules.model.conditions import Acts, Condition, declare, known
from rules.model.gear import Damage, Mode, Weapon
from rules.model.modifiers import ModifierRule, fixed
from rules.model.options import switch
from rules.model.results import AttackResult
from rules.model.roll import RollTraits
from rules.model.state import Encounter, TurnRecord
from rules.model.system import Game, Needs
from rules.strike.facets import Facet, Strike, picked
from rules.systems.classic.called_shots import MANOEUVRE
from rules.systems.classic.clinches import grapple_now, seized
from rules.topics import effects
from rules.topics.attacks.prepare import FISTS
from rules.topics.commands import TakeAction
from rules.topics.events import BloodDrunk, CheckRolled, Harmed, MoveMade, ResourceChanged, TurnRecordChanged
from rules.topics.grapples.grapple import GRAPPLES, Grapple
from rules.topics.grapples.holds import grapple_of, let_go
from rules.topics.rolls.rolling import roll_pool

SETTING = "bite"
BITE, KISS, DRINK, STOP = "bite", "kiss", "drink", "stop_drinking"
BITES = frozenset({BITE, KISS})
"""The two ways to bite: to hurt, and to drink only."""

VAMPIRE = "vampire"
BLOOD = "blood"
MOST_POINTS = 3
"""Blood points drunk in a turn at most."""

RESISTING = 8
"""Difficulty of the Willpower roll against the Kiss."""

BITE_RULE, DRINK_RULE, KISS_RULE = "MQ-BITE-1", "MQ-BITE-2", "MQ-BITE-3"

FEEDING = declare(Condition("feeding", phrase("feeding"), ruled=True))
ENTRANCED = declare(Condition("entranced", phrase("entranced-by-kiss"), acts=Acts.WAITS))

DRUNK = Slot(TurnRecord, "drunk", bool, default=False)
"""Whether somebody has drunk this turn."""

OPTION = switch(SETTING, phrase("bite-and-drinking"), BITE_RULE, phrase("vampires-bite-those-they-hold"), begun=True)

CONDITIONS = (
    known(FEEDING, setting=SETTING, rule=DRINK_RULE),
    known(ENTRANCED, setting=SETTING, rule=KISS_RULE),
)


def _modifier(key: str, label: str, *, damage: int = 0) -> ModifierRule:
    return ModifierRule(
        key,
        label,
        BITE_RULE,
        fixed(),
        modes=frozenset({Mode.UNARMED}),
        damage=damage,
        group=MANOEUVRE,
        setting=SETTING,
        harmless=not damage,
    )


MODIFIERS = (_modifier(BITE, phrase("bite"), damage=1), _modifier(KISS, phrase("bite-only-to-drink")))


def _grips(state: Encounter, by: str, at: str) -> bool:
    """Whether ``by`` has a grip on ``at``."""
    grapple = grapple_of(state, by)
    return grapple is not None and (grapple.one, grapple.other) == (by, at)


def helpless(game: Game, who: str) -> bool:
    """Whether somebody can do nothing against a bite."""
    return any(each.helpless for each in game.system.conditions.of(game.state.combatants[who].conditions))


@dataclass(frozen=True, slots=True)
class Biting(Facet):
    """Only vampires bite, and only somebody they hold or who is helpless (MQ-BITE-1)."""

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        if BITES.isdisjoint(picked(command, game.system.circumstances)):
            return weapon
        return replace(FISTS, type=Damage.AGGRAVATED, tags=frozenset({"teeth"}))

    def check(self, strike: Strike) -> None:
        if BITES.isdisjoint(strike.picked):
            return
        by, at, system = strike.command.by, strike.target, strike.system
        kind = strike.attacker.sheet.kind
        if system.layout.likes.get(kind, kind) != VAMPIRE:
            strike.game.referee.forbid(BITE_RULE, phrase("only-vampires-bite", name=strike.sheet.name))
        gripping = _grips(strike.state, by, at)
        if not gripping and (grapple_of(strike.state, by) or not helpless(strike.game, at)):
            name = strike.victim.sheet.name
            strike.game.referee.forbid(BITE_RULE, phrase("grapple-them-before-bite", name=name))

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        if BITES.isdisjoint(strike.picked) or result.done is None:
            return ()
        by, at = strike.command.by, strike.target
        told: list[Event] = [MoveMade(by, at, BITE, BITE_RULE)]
        if not _grips(game.state, by, at):
            told += seized(game, by, at)
        told += effects.marked(game.after(told), by, frozenset({FEEDING}))
        return (*told, *_kissed(game.after(told), at))


def _kissed(game: Game, who: str) -> tuple[Event, ...]:
    """The living stop resisting, unless a Willpower roll succeeds (MQ-BITE-3)."""
    combatant = game.combatant(who)
    if game.system.kind(combatant.sheet.kind).undead or helpless(game, who) or ENTRANCED in combatant.conditions:
        return ()
    plan = game.system.pools.roll(game, RollTraits(who, ("willpower",), RESISTING))
    rolled = roll_pool(Purpose.CHECK, who, plan, game.system.mechanic, game.dice)
    resists = rolled.roll.successes > 0
    told = CheckRolled(who, KISS, rolled, resists)
    return (told,) if resists else (told, *effects.marked(game, who, frozenset({ENTRANCED})))


# ------------------------------------------------------------------ drinking


def _not_feeding() -> RuleViolation:
    return RuleViolation(DRINK_RULE, phrase("bite-somebody-first"))


@dataclass(frozen=True, slots=True)
class Drink:
    """Drink up to three points of blood, once a turn and without an action (MQ-BITE-2).

    They are the victim's own blood points or, if they have none to count, a lethal level each.
    """

    rule: str = DRINK_RULE
    label: str = phrase("drink")
    needs: ClassVar[Needs] = Needs(
        figures=(
            Wanted("points", phrase("blood-points"), least=1, most=MOST_POINTS, help=phrase("if-empty-as-many-as-fit")),
        ),
        instant=False,
        only_in=FEEDING,
        setting=SETTING,
    )

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        grapple = grapple_of(game.state, by)
        if grapple is None or grapple.one != by:
            return _not_feeding()
        combatant = game.state.combatants[by]
        if game.state.ordered and DRUNK.of(combatant.turn):
            return RuleViolation(self.rule, phrase("has-already-drunk-this-turn", name=combatant.sheet.name))
        if not _room(game, by):
            return RuleViolation(self.rule, phrase("can-hold-no-more-blood", name=combatant.sheet.name))
        if not _left(game, grapple.other):
            return RuleViolation(self.rule, phrase("there-is-no-blood-left-to-drink"))
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        by, layout = command.by, game.system.layout
        at = grapple_now(game.state, by).opponent(by)
        asked, room, left = int(command.figures.get("points", MOST_POINTS)), _room(game, by), _left(game, at)
        if not left:
            raise bad_input(phrase("there-is-no-blood-left-to-drink"))
        # If the Storyteller lets somebody drink who is full, the blood is wasted.
        drunk = min(asked, left, room or asked)
        had = layout.points(game.combatant(by).sheet, BLOOD)
        told: tuple[Event, ...] = (
            BloodDrunk(by, at, drunk, self.rule),
            TurnRecordChanged(by, DRUNK.put(game.combatant(by).turn, True)),
            # Nothing is spent, so that neither side's limit for the turn changes.
            ResourceChanged(by, BLOOD, had + min(drunk, room), 0),
        )
        return (*told, *self._lost(game.after(told), at, drunk))

    def _lost(self, game: Game, who: str, drunk: int) -> tuple[Event, ...]:
        if points.has(game, who, BLOOD):
            left = game.system.layout.points(game.combatant(who).sheet, BLOOD) - drunk
            return (ResourceChanged(who, BLOOD, left, 0),)
        told = (Harmed(who, drunk, Damage.LETHAL, phrase("loss-of-blood"), self.rule),)
        return (*told, *effects.harm(game, who, drunk, Damage.LETHAL))


def _room(game: Game, who: str) -> int:
    """How many more blood points somebody can hold."""
    sheet, layout = game.state.combatants[who].sheet, game.system.layout
    return max(0, layout.maximum(sheet, BLOOD) - layout.points(sheet, BLOOD))


def _left(game: Game, who: str) -> int:
    """How many points somebody can still lose: those of their own, or as many as wanted of what keeps them alive."""
    if points.has(game, who, BLOOD):
        return game.system.layout.points(game.state.combatants[who].sheet, BLOOD)
    return MOST_POINTS


@dataclass(frozen=True, slots=True)
class StopDrinking:
    """Take the fangs out, which takes no action; the grip stays where the chronicle plays with grapples."""

    grapples: str
    rule: str = DRINK_RULE
    label: str = phrase("stop-drinking")
    needs: ClassVar[Needs] = Needs(instant=False, spares_action=True, only_in=FEEDING, setting=SETTING)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return None if grapple_of(game.state, by) else _not_feeding()

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        grapple = grapple_now(game.state, command.by)
        told = (
            MoveMade(command.by, grapple.opponent(command.by), command.key, self.rule),
            *_over(game, grapple.members),
        )
        return told if game.system.plays(self.grapples) else (*told, *let_go(game.after(told), command.by))


def _over(game: Game, people: tuple[str, ...]) -> tuple[Event, ...]:
    """The end of a bite for those still in the fight."""
    there = (who for who in people if who in game.state.combatants)
    return tuple(event for who in there for event in effects.marked(game, who, frozenset(), OF_BITE))


OF_BITE = frozenset({FEEDING, ENTRANCED})
"""The conditions that last as long as a bite."""


@dataclass(frozen=True, slots=True)
class BiteOver:
    """A bite is over with its grapple."""

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """The end of the conditions of a bite."""
        before = GRAPPLES.of(game.state)
        if not before:
            return ()
        now = game.after(told)
        ended = [each for each in before if not _lasts(now.state, each)]
        return tuple(event for each in ended for event in _over(now, each.members))


def _lasts(state: Encounter, grapple: Grapple) -> bool:
    found = grapple_of(state, grapple.one)
    return found is not None and set(found.members) == set(grapple.members)
