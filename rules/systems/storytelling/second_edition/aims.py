"""Specified targets, and the effects of hitting them (CD-AIM-1 to CD-AIM-6, CD-VAMP-4, CD-STUN-1, CD-KO-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.dice import Purpose
from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import BLINDED, DEAD, KNOCKED_DOWN, STUNNED, UNCONSCIOUS, condition_of
from rules.model.modifiers import ModifierRule, fixed
from rules.model.plan import Part
from rules.model.results import AttackResult, DamageDone
from rules.model.sheet import Impairment
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.grapples.falls import knocked_down
from rules.systems.storytelling.pools import StorytellingPools
from rules.systems.storytelling.second_edition.injured import ARM_WRACK, LEG_WRACK, wrack
from rules.topics import effects
from rules.topics.events import CheckRolled, Followed, InjuriesChanged
from rules.topics.health.impairments import SIDES, impairments
from rules.topics.rolls.rolling import roll_pool

AIM = "aim_at"
"""Group of the specified targets: a blow has at most one."""

HEART = 5
"""Damage needed to pierce the heart."""


@dataclass(frozen=True, slots=True)
class Target:
    """A part of the body: its penalty, the armour that covers it, the effect of a hit.

    ``above_stamina``: only damage above Stamina has the effect; otherwise any damage does.
    """

    label: str
    dice: int
    covered_by: str
    condition: str = ""
    above_stamina: bool = False


TARGETS: Mapping[str, Target] = {
    "target_arm": Target(phrase("aimed-at-arm"), -2, "arms", ARM_WRACK, above_stamina=True),
    "target_leg": Target(phrase("aimed-at-leg"), -2, "legs", LEG_WRACK, above_stamina=True),
    "target_head": Target(phrase("aimed-at-head"), -3, "head", STUNNED),
    "target_heart": Target(phrase("aimed-at-heart"), -4, "torso"),
    "target_hand": Target(phrase("aimed-at-hand"), -4, "arms", ARM_WRACK),
    "target_eye": Target(phrase("aimed-at-eye"), -5, "head", BLINDED),
}

STUNS = "stun"
"""Tag of a stunning weapon."""


SIDE = "side"
WHICH_SIDE = Wanted(
    SIDE, phrase("which-side"), Want.CHOICE, (("right", phrase("the-right")), ("left", phrase("the-left"))), shared=True
)
"""By default, the side that is still sound."""

LEG_EFFECT = Wanted(
    "effect",
    phrase("intended-effect"),
    Want.CHOICE,
    ((LEG_WRACK, phrase("a-wracked-leg")), (KNOCKED_DOWN, phrase("a-fall"))),
)


def aim_modifiers(rules: Mapping[str, str], knockout: str) -> tuple[ModifierRule, ...]:
    """The parts of the body to aim at, each under its rule in ``rules``, and the knockout blow."""
    aims = [
        ModifierRule(
            key,
            target.label,
            rules[key],
            fixed(dice=target.dice),
            wanted=_wanted(target),
            aims_at=target.covered_by,
            group=AIM,
        )
        for key, target in TARGETS.items()
    ]
    head = TARGETS["target_head"]
    blow = ModifierRule(
        "knockout",
        phrase("to-knock-out"),
        knockout,
        fixed(dice=head.dice),
        aims_at=head.covered_by,
        group=AIM,
        includes=frozenset({"target_head"}),
    )
    return (*aims, blow)


def _wanted(target: Target) -> tuple[Wanted, ...]:
    sided = (WHICH_SIDE,) if condition_of(target.condition).both else ()
    return (*sided, LEG_EFFECT) if target.condition == LEG_WRACK else sided


@dataclass(frozen=True, slots=True)
class Aimed(Facet):
    """The effects of hitting a specified target.

    ``rules`` are those of the targets by key; ``dead`` is that of the dead, who are never stunned or knocked out by a
    blow to the head and whose other injuries last until the damage has healed; ``knockout`` is that of knockout
    blows.
    """

    rules: Mapping[str, str]
    dead: str
    knockout: str
    pools: StorytellingPools

    def check(self, strike: Strike) -> None:
        for key in TARGETS.keys() & strike.picked.keys():
            figures = strike.picked[key]
            if figures.get(SIDE, SIDES[0]) not in SIDES:
                raise bad_input(phrase("choose-right-or-left"))
            if not LEG_EFFECT.fits(figures.get(LEG_EFFECT.key, LEG_WRACK)):
                raise bad_input(phrase("wracks-leg-or-knocks-target-down"))

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        done = result.done
        if done is None or not done.dealt or DEAD in strike.victim.conditions:
            return ()
        told: list[Event] = []
        for key, target in TARGETS.items():
            if key in strike.picked or (key == "target_head" and "knockout" in strike.picked):
                told += self._hit(key, target, strike, done, game)
        return tuple(told)

    def _hit(self, key: str, target: Target, strike: Strike, done: DamageDone, game: Game) -> tuple[Event, ...]:
        undead = game.system.kind(strike.victim.sheet.kind).undead
        if key == "target_head":
            return () if undead else self._head(strike.target, done.dealt, game)
        if key == "target_heart":
            return (Followed(strike.target, "heart", self.rules[key]),) if done.dealt >= HEART else ()
        if target.above_stamina and done.dealt <= strike.dots_of_target("stamina"):
            return ()
        figures = strike.picked[key]
        if figures.get("effect") == KNOCKED_DOWN:
            return knocked_down(game, strike.target, self.rules[key])
        side, rule = str(figures.get("side", "")), self.dead if undead else self.rules[key]
        left = done.dealt if undead else 0
        return wrack(game, strike.command.by, strike.target, target.condition, rule, side, done.type, left)

    def _head(self, who: str, dealt: int, game: Game) -> tuple[Event, ...]:
        stunned = stun(game, who, self.rules["target_head"])
        return (*stunned, *self._knocked_out(who, dealt, game.after(stunned)))

    def _knocked_out(self, who: str, dealt: int, game: Game) -> tuple[Event, ...]:
        """A blow of Size or more: a Stamina roll, or unconsciousness for that many turns (CD-KO-1)."""
        combatant, system = game.combatant(who), game.system
        if dealt < system.layout.dots(combatant.sheet, "size") or UNCONSCIOUS in combatant.conditions:
            return ()
        stamina = Part(
            "trait:stamina", phrase("stamina-label"), self.knockout, dice=system.layout.dots(combatant.sheet, "stamina")
        )
        rolled = roll_pool(Purpose.CHECK, who, self.pools.total([stamina]), system.mechanic, game.dice)
        awake = rolled.roll.successes > 0
        told = CheckRolled(who, "knockout", rolled, awake)
        if awake:
            return (told,)
        out = Impairment(UNCONSCIOUS, "", until=game.state.turn + dealt)
        return (
            told,
            InjuriesChanged(who, (*impairments(combatant), out)),
            *effects.marked(game, who, frozenset({UNCONSCIOUS})),
        )


@dataclass(frozen=True, slots=True)
class StunningWeapon(Facet):
    """A stunning weapon costs the victim's next action if its damage is at least the target's Size (CD-STUN-1)."""

    rule: str

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        done = result.done
        if done is None or STUNS not in strike.weapon.tags or done.dealt < strike.dots_of_target("size"):
            return ()
        return stun(game, strike.target, self.rule)


def stun(game: Game, who: str, rule: str) -> tuple[Event, ...]:
    """Somebody loses the next action, and half of Defense until then."""
    if STUNNED in game.combatant(who).conditions:
        return ()
    return (Followed(who, STUNNED, rule), *effects.marked(game, who, frozenset({STUNNED})))
