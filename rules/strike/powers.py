"""Powers in attacks: what those in effect on attacker and target add to pools, weapons and damage."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.damage_steps import DamageStage, DamageStep
from rules.model.damage_steps import Effect as StepEffect
from rules.model.gear import Damage, Weapon
from rules.model.plan import Part
from rules.model.power_effects import Does, Effect, InEffect, Pool
from rules.model.results import DamageDone
from rules.model.sheet import Sheet
from rules.model.system import Game, SystemPart
from rules.strike.facets import Facet, Strike
from rules.topics.powers.beholding import beguiled, unseen
from rules.topics.powers.lasting import after_harm
from rules.topics.turns.course import sheet_now

AGAINST = "target:power"
"""Key prefix of what a target's powers add, which the attacker's player may not know."""


@dataclass(frozen=True, slots=True)
class Empowered(SystemPart, Facet):
    """Powers of attacker and target in an attack, each part under its own ruling.

    Damage and soak that are rolled have their parts from :mod:`rules.strike.rolled_damage`; if successes are the
    damage, powers are steps.
    """

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        sheet = sheet_now(game.state, command.by)
        for _one, each in self._altering(sheet, weapon):
            damage = next(iter(each.damage), weapon.type)
            weapon = replace(weapon, type=damage, tags=weapon.tags | each.tags)
        return weapon

    def _altering(self, sheet: Sheet, weapon: Weapon) -> tuple[tuple[InEffect, Effect], ...]:
        """The effects that change how a weapon wounds."""
        found = self.system.in_play.effects(sheet, Does.DAMAGE)
        return tuple((one, each) for one, each in found if each.alters(weapon.mode, weapon.tags))

    def own(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[Part, ...]:
        """What the attacker's powers add, and zero parts for those that the weapon or its damage type is from."""
        traits = self.system.attack.traits_of(weapon)
        made = [one for one, each in sheet.effects(Does.WEAPON) if each.weapon and each.weapon.name == weapon.name]
        named = [*made, *(one for one, _each in self._altering(sheet, weapon))]
        return (
            *self.system.in_play.parts(sheet, Pool.ATTACK, traits, weapon.mode, tags=weapon.tags),
            *(Part(f"power:{one.key}", one.label, one.rule) for one in named),
        )

    def lifts(self, strike: Strike) -> frozenset[str]:
        return self.system.in_play.lifted(strike.sheet)

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        sheet, weapon, victim = strike.sheet, strike.weapon, strike.victim.sheet
        traits = self.system.attack.traits_of(weapon)
        return (
            *self.own(sheet, weapon, strike.game.referee),
            *self.system.in_play.sights(sheet),
            *self.system.in_play.parts(victim, Pool.AGAINST, traits, weapon.mode, prefix=AGAINST, tags=weapon.tags),
        )

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        """Where Defense applies by itself, dice of a defence raise it."""
        return defending(strike)

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        if self.system.attack.damage is not None:
            return ()
        weapon, damage = strike.weapon, strike.weapon.type
        traits = self.system.attack.traits_of(weapon)
        parts = self.system.in_play.parts
        more = parts(strike.sheet, Pool.DAMAGE, traits, weapon.mode, damage, tags=weapon.tags)
        less = parts(strike.victim.sheet, Pool.SOAK, (), weapon.mode, damage, tags=weapon.tags)
        return (
            *(_step(part, DamageStage.HIT, StepEffect.ADD) for part in more),
            *(_step(part, DamageStage.GENERAL, StepEffect.LESS) for part in less),
            *self._softer(strike.victim.sheet),
        )

    def _softer(self, sheet: Sheet) -> Iterator[DamageStep]:
        """What powers of the target turn into a milder type, after what its kind makes of a hit."""
        for one, each in self.system.in_play.effects(sheet, Does.SOFTEN):
            for damage in sorted(each.damage & MILDER.keys()):
                yield DamageStep(
                    f"{AGAINST}:{one.key}",
                    one.label,
                    one.rule,
                    DamageStage.KIND,
                    StepEffect.SOFTEN,
                    each.amount,
                    of=damage,
                    into=MILDER[damage],
                )

    def damaged(self, done: DamageDone, game: Game, picked: Collection[str]) -> tuple[Event, ...]:
        return after_harm(game, done.to) if done.dealt else ()


@dataclass(frozen=True, slots=True)
class Beholding(Facet):
    """Nobody attacks or defends against those whom powers hide from them, or attacks those who beguiled them."""

    def check(self, strike: Strike) -> None:
        for target in strike.targets:
            strike.game.referee.uphold(unseen(strike.game, strike.command.by, target))
            strike.game.referee.uphold(beguiled(strike.game, strike.command.by, target))

    def check_answer(self, strike: Strike, defence: Defence) -> None:
        strike.game.referee.uphold(unseen(strike.game, strike.target, strike.command.by))


MILDER = {Damage.AGGRAVATED: Damage.LETHAL, Damage.LETHAL: Damage.BASHING}
"""The next milder type of damage."""


def defending(strike: Strike, *, named: bool = False) -> tuple[Part, ...]:
    """The dice that the target's powers take from an attack as its Defense.

    With ``named`` only those of effects that name the attack's mode.
    """
    mode, tags = strike.weapon.mode, strike.weapon.tags
    return tuple(
        Part(f"{AGAINST}:{one.key}", one.label, one.rule, dice=-each.amount)
        for one, each in strike.system.in_play.effects(strike.victim.sheet, Does.DICE)
        if each.counts(Pool.DEFENCE, frozenset(), mode, tags=tags) and (each.modes or not named)
    )


def _step(part: Part, stage: DamageStage, effect: StepEffect) -> DamageStep:
    amount = part.dice + part.successes
    if amount < 0:
        effect = StepEffect.LESS if effect is StepEffect.ADD else StepEffect.ADD
    return DamageStep(part.key, part.label, part.rule, stage, effect, abs(amount))
