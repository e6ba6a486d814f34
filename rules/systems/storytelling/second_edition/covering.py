"""Covering fire, and the choice it forces on everybody in its area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.dice import Purpose, Roll
from rules.engine.messages import Command, Event
from rules.engine.phrases import listed, phrase
from rules.engine.violations import Flag, RuleViolation
from rules.model.attack import Attack
from rules.model.conditions import PRONE
from rules.model.gear import Mode, Weapon, loaded, titled
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Against, PoolPlan
from rules.model.results import AttackResult, Outcome, Rolled
from rules.model.state import Combatant, Encounter
from rules.model.system import Aim, Game, Needs
from rules.strike.drawing import check_in_hand
from rules.strike.facets import Facet, Strike, failed
from rules.strike.pipeline import pipeline_of
from rules.systems.storytelling.concealment import STEPS, check_in_sight, out_of, own_degree
from rules.systems.storytelling.grapples.hurting import harm_of
from rules.systems.storytelling.pools import StorytellingPools
from rules.systems.storytelling.second_edition.injured import wrong_hand
from rules.systems.storytelling.second_edition.misfires import JAMS, pending
from rules.systems.storytelling.second_edition.senses import senseless
from rules.systems.storytelling.second_edition.weapons import check_rounds
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.attacks.prepare import check_fault
from rules.topics.commands import TakeAction
from rules.topics.events import CoveringFireLaid, CoveringFireMet, ShelterTaken, StanceChanged, WeaponChanged
from rules.topics.firefights.stance import OBSCURED, STANCE, UnderFire, shelter_of
from rules.topics.rolls.decide import outcome_of
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now

COVERING_FIRE = "covering_fire"
ROUNDS = 10

ACTED, WENT_PRONE, TOOK_COVER = "acted", PRONE, "cover"
"""The possible reactions to covering fire."""


def gun(weapon: Weapon) -> bool:
    """Whether a weapon fires bullets."""
    return weapon.mode is Mode.FIREARM


@dataclass(frozen=True, slots=True)
class CoveringFire(AlwaysPossible):
    """Ten bullets at an area (CD-GUN-10): anyone in it must choose on their next turn.

    ``ammunition`` is the rule for too few rounds, ``firing`` for shots from concealment, ``injury`` for
    hurt arms and eyes, ``senses`` for the blind and deaf.
    """

    rule: str
    ammunition: str
    firing: str
    injury: str
    senses: str
    pools: StorytellingPools
    label: str = phrase("covering-fire")
    needs: ClassVar[Needs] = Needs(aim=Aim.AREA, weapon=gun, rolls=True)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        sheet = game.able(command.by).sheet
        weapon = sheet.weapon(command.weapon)
        check_fault(weapon, game)
        check_in_hand(weapon, game)
        check_in_sight(sheet, own_degree(game.state, command.by), self.firing, game.referee)
        if not weapon.automatic:
            game.referee.forbid(self.rule, phrase("cant-fire-on-full-automatic", weapon=titled(weapon.name)))
        check_rounds(weapon, ROUNDS, self.ammunition, game.referee)
        rolled = self._roll(game, command, weapon)
        magazine = loaded(weapon)
        left = weapon if magazine is None else replace(weapon, rounds=max(0, magazine - ROUNDS))
        won = rolled.roll.successes > 0
        resolution, result = f"r{game.state.resolutions + 1}", outcome_of(rolled, won=won)
        told = CoveringFireLaid(resolution, command.by, command.at, weapon.name, result, rolled, self.rule)
        fire = UnderFire(command.by, weapon, rolled.roll.successes)
        return (
            told,
            effects.action(game, command.by, COVERING_FIRE),
            *effects.placed(game, command.by),
            WeaponChanged(command.by, left),
            *(self._under(game.state, who, fire) for who in command.at if won),
            *(pending(resolution, command.by, weapon, JAMS) if result is Outcome.DRAMATIC_FAILURE else ()),
        )

    def _roll(self, game: Game, command: TakeAction, weapon: Weapon) -> Rolled:
        """Dexterity + Firearms, without a burst bonus or any effects of a target."""
        system, attack, pools = game.system, pipeline_of(game.system.attack), self.pools
        system.circumstances.check(command.modifiers, Use.ROLL)
        combatant, traits = game.combatant(command.by), attack.traits_of(weapon)
        seen = Circumstances(use=Use.ROLL, conditions=combatant.conditions)
        degree = own_degree(game.state, command.by)
        parts = [
            *attack.own(sheet_now(game.state, command.by), weapon),
            *wrong_hand(combatant, self.injury),
            *pools.burdens(game.state, command.by, traits),
            *(out_of(degree, self.firing) if degree in STEPS else ()),
            *pools.around(game, command.by, command.modifiers, seen),
        ]
        chance = pools.chance(game.state, command.by, traits)
        plan = pools.rolled(parts, again=weapon.again, chance=chance)
        fails = senseless(combatant, self.senses)
        return roll_pool(Purpose.ROLL, command.by, failed(plan, fails) if fails else plan, system.mechanic, game.dice)

    def _under(self, state: Encounter, who: str, fire: UnderFire) -> StanceChanged:
        """Somebody who must choose: this turn if they have not acted, else the next."""
        combatant = state.combatants[who]
        ready = state.ordered and not combatant.turn.acted and bool(combatant.turn.actions)
        until = state.turn if ready else state.turn + 1
        fires = (*STANCE.of(combatant).fires, replace(fire, until=until))
        return StanceChanged(who, replace(STANCE.of(combatant), fires=fires))


@dataclass(frozen=True, slots=True)
class ActUnderFire:
    """Act in the open in a way the program does not track, and be hit for it (CD-GUN-10)."""

    rule: str
    label: str = phrase("act-under-fire")
    needs: ClassVar[Needs] = Needs(instant=False)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if not STANCE.of(game.state.combatants[by]).fires:
            return RuleViolation(self.rule, phrase("nobody-is-laying-covering-fire-there"))
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return met(game, game.able(command.by), self.rule)


@dataclass(frozen=True, slots=True)
class FireMet:
    """Reactions to covering fire (CD-GUN-10): safe when prone or behind cover, hit when acting."""

    rule: str

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        under = {who: each for who, each in game.state.combatants.items() if STANCE.of(each).fires}
        if not under:
            return ()
        after = game.after(told)
        more: list[Event] = []
        for who, before in under.items():
            combatant = after.state.combatants.get(who)
            if combatant is None or not STANCE.of(combatant).fires:
                continue
            now = after.after(more)
            if any(isinstance(event, ShelterTaken) and event.who == who and _stops(event.degree) for event in told):
                more += spared(combatant, TOOK_COVER, self.rule)
            elif PRONE in combatant.conditions - before.conditions:
                more += spared(combatant, WENT_PRONE, self.rule)
            elif combatant.turn.deeds > before.turn.deeds:
                how = _sheltered(game.state, before)
                more += spared(combatant, how, self.rule) if how else met(now, now.combatant(who), self.rule)
        return tuple(more)


def _sheltered(state: Encounter, combatant: Combatant) -> str:
    """What protects somebody who acts from covering fire: bulletproof cover, or lying prone."""
    shelter = shelter_of(state, combatant.id)
    if shelter is not None and _stops(shelter.degree):
        return TOOK_COVER
    return WENT_PRONE if PRONE in combatant.conditions else ""


def _stops(degree: str) -> bool:
    """Whether somebody's concealment is cover, rather than none or mere fog."""
    return degree not in ("", OBSCURED)


def spared(combatant: Combatant, choice: str, rule: str) -> tuple[Event, ...]:
    """Somebody avoids the covering fire in their area."""
    return (
        CoveringFireMet(combatant.id, choice, rule),
        StanceChanged(combatant.id, replace(STANCE.of(combatant), fires=())),
    )


def met(game: Game, combatant: Combatant, rule: str) -> tuple[Event, ...]:
    """Somebody acts in the open, and each covering fire hits with its own successes."""
    told: list[Event] = [StanceChanged(combatant.id, replace(STANCE.of(combatant), fires=()))]
    for fire in STANCE.of(combatant).fires:
        now = game.after(told)
        shot = Attack(fire.by, (combatant.id,), fire.weapon.key or fire.weapon.name)
        strike = Strike(now, shot, combatant.id, fire.weapon, targets=shot.at)
        steps = pipeline_of(game.system.attack).steps(strike)
        done = harm_of(game.system.attack).of(strike, fire.successes, steps)
        told.append(CoveringFireMet(combatant.id, ACTED, rule, fire.by, fire.weapon.name, done))
        told += effects.suffer(game.after(told), done)
        rolled = Rolled(fire.by, PoolPlan((), 0, 0), Roll((), game.system.mechanic.default, fire.successes))
        result = AttackResult(combatant.id, Outcome.HIT, rolled, net=fire.successes, done=done)
        told += game.system.attack.follows(game.after(told), shot, fire.weapon, result)[0]
    return tuple(told)


@dataclass(frozen=True, slots=True)
class UnderCoveringFire(Facet):
    """Flags an attack in the open under covering fire (CD-GUN-10)."""

    rule: str

    def flags(self, strike: Strike, met: Sequence[Against]) -> tuple[Flag, ...]:
        fires = STANCE.of(strike.attacker).fires
        if not fires or _sheltered(strike.state, strike.attacker):
            return ()
        hits = listed([str(fire.successes + fire.weapon.damage) for fire in fires])
        text = phrase("acts-under-covering-fire-and-takes-before", name=strike.sheet.name, hits=hits)
        return (Flag(self.rule, text),)
