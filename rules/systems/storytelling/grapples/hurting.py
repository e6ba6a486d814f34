"""Damage without an attack roll: a crushing grip, a throw, an accidental shot."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.messages import Event
from rules.model.attack import Attack
from rules.model.damage_steps import DamageStage, wound
from rules.model.gear import Damage, Mode, Weapon, loaded
from rules.model.system import AttackRules, Game
from rules.strike.by_successes import DamageBySuccesses, damage_done
from rules.strike.facets import Strike
from rules.strike.pipeline import pipeline_of
from rules.topics import effects
from rules.topics.attacks.prepare import FISTS
from rules.topics.events import Hurt, WeaponChanged


def harm_of(attack: AttackRules) -> DamageBySuccesses:
    """How hits become damage in this family."""
    harm = pipeline_of(attack).harm
    assert isinstance(harm, DamageBySuccesses)
    return harm


def hurt(
    game: Game,
    by: str,
    to: str,
    points: int,
    rule: str,
    weapon: Weapon = FISTS,
    *,
    bonus: bool = True,
    kind: Damage | None = None,
) -> tuple[Event, ...]:
    """That many points from a weapon, through the armour of ``to``; its bonus is added if there are any points.

    ``kind`` overrides the weapon's own type.
    """
    command = Attack(by, (to,), weapon.key or weapon.name)
    strike = Strike(game, command, to, weapon, targets=(to,))
    own = harm_of(game.system.attack).type(strike) if kind is None else kind
    steps = [step for step in pipeline_of(game.system.attack).steps(strike) if bonus or step.stage > DamageStage.LIMIT]
    done = damage_done(to, own, *wound(points, own, steps))
    return (Hurt(by, done, rule), *(effects.suffer(game, done) if done.dealt else ()))


def goes_off(owner: str, weapon: Weapon) -> tuple[bool, tuple[Event, ...]]:
    """Whether a weapon works, and what it uses up: guns fire a round, if they have one."""
    rounds = loaded(weapon) if weapon.mode is Mode.FIREARM else None
    if rounds is None:
        return True, ()
    if not rounds:
        return False, ()
    return True, (WeaponChanged(owner, replace(weapon, rounds=rounds - 1)),)
