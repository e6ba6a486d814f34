"""Effects of injured parts of the body, and of being stunned (CD-AIM-8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.conditions import BLINDED, STUNNED, Condition, Lasts, declare
from rules.model.gear import Damage, Mode
from rules.model.plan import Part
from rules.model.sheet import Impairment
from rules.model.state import Combatant, Encounter
from rules.model.system import Game
from rules.strike.facets import Facet, Reason, Strike
from rules.systems.shared.losing import dropped
from rules.systems.storytelling.dodging import dodges
from rules.systems.storytelling.grapples.falls import knocked_down
from rules.systems.storytelling.pools import StorytellingPools
from rules.systems.storytelling.sheets import MENTAL_SKILLS
from rules.topics import effects
from rules.topics.events import Followed, InjuriesChanged
from rules.topics.health.impairments import SIDES, count, impairments, sides

ARM_WRACK = declare(
    Condition(
        "arm_wrack",
        phrase("arm-wrack"),
        has=phrase("an-arm-wracked"),
        both="both_arms",
        sides=(phrase("arm-wracked"), phrase("both-arms-wracked")),
        lasts=Lasts.STAYS,
    )
)
LEG_WRACK = declare(
    Condition(
        "leg_wrack",
        phrase("leg-wrack"),
        has=phrase("a-leg-wracked"),
        both="both_legs",
        sides=(phrase("leg-wracked"), phrase("both-legs-wracked")),
        lasts=Lasts.STAYS,
    )
)
BOTH_ARMS = declare(Condition("both_arms", phrase("both-arms-wracked"), lasts=Lasts.STAYS))
BOTH_LEGS = declare(Condition("both_legs", phrase("both-legs-wracked"), lasts=Lasts.STAYS))
OFF_HAND = "off_hand"
AMBIDEXTROUS = "ambidextrous"
OFF_HAND_DICE = -2

PHYSICAL = frozenset({"strength", "dexterity", "stamina", "athletics", "brawl", "drive", "larceny", "stealth"})
HANDS = frozenset({"brawl", "firearms", "weaponry", "larceny", "drive", "crafts"})
"""Skills that need hands."""
SIGHT = (frozenset({"wits", "composure"}), frozenset({"investigation"}), frozenset({"firearms"}))
"""Traits that depend on sight."""

NO_HANDS = phrase("no-usable-hand")


def half_blind(combatant: Combatant, rule: str, settings: Mapping[str, Any]) -> tuple[Part, ...]:
    """The penalty of one or both blinded eyes where sight matters."""
    eyes = count(combatant, BLINDED)
    if not eyes:
        return ()
    key, label = (
        ("blinded_one", phrase("blinded-in-one-eye"))
        if eyes == 1
        else ("blinded_both", phrase("blinded-in-both-eyes-label"))
    )
    return (Part(BLINDED, label, rule, dice=-int(settings[key])),)


@dataclass(frozen=True, slots=True)
class InjuredPools(StorytellingPools):
    """Pools of combatants with an injured arm, leg or eye (CD-AIM-8). ``injury`` is the rule."""

    injury: str = ""

    def burdens(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        """The penalties of somebody's injuries on a roll outside an attack."""
        combatant, rolled = state.combatants[who], frozenset(traits)
        parts: list[Part] = []
        if any(needed <= rolled for needed in SIGHT):
            parts += half_blind(combatant, self.injury, self.system.settings)
        if rolled & PHYSICAL and count(combatant, ARM_WRACK) > 1:
            parts.append(
                Part(
                    ARM_WRACK,
                    phrase("both-arms-wracked-label"),
                    self.injury,
                    -int(self.system.settings["arm_wrack_both"]),
                )
            )
        if "athletics" in rolled and count(combatant, LEG_WRACK):
            parts.append(
                Part(LEG_WRACK, phrase("leg-wracked-label"), self.injury, dice=-int(self.system.settings["leg_wrack"]))
            )
        return tuple(parts)

    def chance(self, state: Encounter, who: str, traits: Iterable[str]) -> str:
        """Why a roll is a chance roll regardless of the pool; "" if it is not."""
        handless = count(state.combatants[who], ARM_WRACK) > 1 and not HANDS.isdisjoint(traits)
        return NO_HANDS if handless else ""


INJURY = "CD-AIM-8"
POOLS = InjuredPools(mental=frozenset(trait.key for trait in MENTAL_SKILLS.traits), injury=INJURY)
"""The ruleset's pools, with injury penalties."""


@dataclass(frozen=True, slots=True)
class Injured(Facet):
    """An attack by or against somebody stunned or with an injured arm or eye."""

    rule: str

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return (*self._arms(strike), *half_blind(strike.attacker, self.rule, strike.system.settings))

    def _arms(self, strike: Strike) -> tuple[Part, ...]:
        arms = count(strike.attacker, ARM_WRACK)
        if arms == 2 and strike.weapon.mode is Mode.UNARMED:
            dice = -int(strike.system.settings["arm_wrack_both"])
            return (Part(ARM_WRACK, phrase("both-arms-wracked-label"), self.rule, dice=dice),)
        return () if OFF_HAND in strike.picked else wrong_hand(strike.attacker, self.rule)

    def chance(self, strike: Strike) -> str:
        handless = count(strike.attacker, ARM_WRACK) == 2 and strike.weapon.mode is not Mode.UNARMED
        return NO_HANDS if handless else ""

    def defenseless(self, strike: Strike) -> Reason | None:
        return Reason(self.rule, phrase("blinded-in-both-eyes")) if count(strike.victim, BLINDED) == 2 else None

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        """A stunned target loses half of Defense; the half left is rounded down."""
        if STUNNED not in strike.victim.conditions or not full:
            return ()
        whole = 2 * full if dodges(strike) else full
        return (Part("defense:stunned", phrase("half-defense-stunned"), self.rule, dice=whole - whole // 2),)


def wrong_hand(combatant: Combatant, rule: str) -> tuple[Part, ...]:
    """The penalty for using the remaining hand if one arm is wracked, unless ambidextrous."""
    if count(combatant, ARM_WRACK) != 1:
        return ()
    lifted = AMBIDEXTROUS in combatant.sheet.merits
    label = phrase("arm-wracked-ambidextrous") if lifted else phrase("arm-wracked-off-hand")
    return (Part(ARM_WRACK, label, rule, dice=OFF_HAND_DICE, struck=lifted),)


def slowed(combatant: Combatant, speed: int) -> int:
    """Somebody's Speed with injured legs."""
    legs = count(combatant, LEG_WRACK)
    return min(speed, 1) if legs == 2 else speed // 2 if legs else speed


# ------------------------------------------------------------------ their causes


def wrack(
    game: Game,
    by: str,
    who: str,
    condition: str,
    rule: str,
    side: str = "",
    damage: Damage = Damage.BASHING,
    left: int = 0,
) -> tuple[Event, ...]:
    """Somebody gets a condition on another side; by default, the sound one (CD-AIM-8).

    ``left`` is how much damage must heal before it passes, 0 if it does not depend on healing.
    """
    combatant = game.combatant(who)
    hurt, before = sides(combatant, condition), impairments(combatant)
    if condition in combatant.conditions and not hurt and not side:
        # An injury without a recorded side counts as the first, so this is the other.
        hurt, before = frozenset(SIDES[:1]), (*before, Impairment(condition, SIDES[0]))
    sound = [each for each in SIDES if each not in hurt]
    side = side or next(iter(sound), SIDES[0])
    injuries = (*before, Impairment(condition, side, damage, left))
    told: list[Event] = [Followed(who, condition, rule), InjuriesChanged(who, injuries)]
    told += effects.marked(game, who, frozenset({condition}))
    now = game.after(told)
    if condition == ARM_WRACK:
        return (*told, *_drops(now, by, who, rule, second=side == SIDES[1] and SIDES[0] not in hurt))
    if condition == LEG_WRACK and count(now.combatant(who), LEG_WRACK) == 2 and count(combatant, LEG_WRACK) < 2:
        return (*told, *knocked_down(now, who, rule))
    return tuple(told)


def _drops(game: Game, by: str, who: str, rule: str, *, second: bool) -> tuple[Event, ...]:
    """Drop what the arm held: the first weapon in hand, or the ``second``, in the left arm while the right one
    is sound.
    """
    held = game.combatant(who).sheet.in_hand
    place = 1 if second and not (held and held[0].two_handed) else 0
    return dropped(by, who, held[place], rule) if place < len(held) else ()
