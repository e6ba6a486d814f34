"""What powers do, as values: single effects, and the powers that are in effect on somebody.

An effect changes pools, Traits, soak, weapons or conditions. In a :class:`rules.model.powers.Power` its amount may
depend on dots, successes or points spent; once the power is used, the numbers are settled and logs keep them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.copies import replace
from rules.model.gear import Armor, Damage, Mode, Weapon


class Does(StrEnum):
    """What an effect changes."""

    DICE = "dice"
    """Dice of pools."""
    SUCCESSES = "successes"
    """Automatic successes of pools."""
    DIFFICULTY = "difficulty"
    """The difficulty of pools, in families that have one."""
    TRAIT = "trait"
    """A temporary change of a Trait."""
    DAMAGE = "damage"
    """The damage type of attacks."""
    WEAPON = "weapon"
    """A natural weapon."""
    ARMOR = "armor"
    """Protection in addition to worn armour."""
    CONDITION = "condition"
    """A condition as long as it lasts."""
    CURE = "cure"
    """The end of a condition."""
    HEAL = "heal"
    """Levels of damage that heal."""
    SOFTEN = "soften"
    """Damage of a hit that becomes less severe, where successes are the damage."""
    EASE = "ease"
    """Penalties that take fewer dice, such as that of wounds."""
    ACTIONS = "actions"
    """Further actions in the turn."""
    FIRST = "first"
    """The first place of the turn, in families in which ranks move."""
    SIGHT = "sight"
    """Circumstances that no longer hinder, such as darkness."""


class Pool(StrEnum):
    """The pools that effects change."""

    ATTACK = "attack"
    DAMAGE = "damage"
    SOAK = "soak"
    DEFENCE = "defence"
    """Rolled defences, or Defense: one that names the modes of shots counts even against shots that Defense doesn't."""
    ROLL = "roll"
    INITIATIVE = "initiative"
    AGAINST = "against"
    """Attacks against the one it is in effect on."""


class Per(StrEnum):
    """What multiplies an effect's amount."""

    ONCE = ""
    RATING = "rating"
    """The dots that the user has in the power."""
    SUCCESSES = "successes"
    """The successes of the power's roll."""
    POINTS = "points"
    """The points spent on it."""


POOLED = frozenset({Does.DICE, Does.SUCCESSES, Does.DIFFICULTY})
"""Effects on pools."""

AT_ONCE = frozenset({Does.HEAL, Does.ACTIONS, Does.FIRST, Does.CURE})
"""Effects that happen when a power is used and leave nothing in effect."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a power: its amount, times what ``per`` says.

    Effects on pools name the ``pools`` and may be limited to those with one of these ``traits``, to attacks in these
    ``modes``, to those of ``weapons`` with one of these tags (claws) and, for damage and soak, to these types of
    ``damage``; empty: all. A TRAIT effect changes one of ``traits``, of which the user chooses if there are several, to
    at most ``most`` (0: no limit). DAMAGE turns attacks in ``modes`` and of ``weapons`` into the one type in ``damage``
    and adds ``tags`` to the weapon (silver, claws). WEAPON adds ``weapon``, ARMOR ``armor``. CONDITION and CURE name a
    ``condition``; HEAL heals levels of the types in ``damage``, the most severe of them first. SOFTEN turns points of
    the types in ``damage`` of each hit into the next milder type. SIGHT lifts the circumstances with the keys
    ``lifts``, and sees through powers that bring about conditions with these keys if its amount is higher than theirs;
    EASE makes the penalties with these keys smaller.

    With ``on_target`` it affects the targets instead of the user. It takes ``needs`` successes or more of the power's
    roll, and counts only for users with at least ``least`` dots in the power.
    """

    does: Does
    amount: int = 0
    per: Per = Per.ONCE
    pools: frozenset[Pool] = frozenset()
    traits: frozenset[str] = frozenset()
    modes: frozenset[Mode] = frozenset()
    damage: frozenset[Damage] = frozenset()
    weapons: frozenset[str] = frozenset()
    most: int = 0
    tags: frozenset[str] = frozenset()
    weapon: Weapon | None = None
    armor: Armor | None = None
    condition: str = ""
    lifts: frozenset[str] = frozenset()
    on_target: bool = False
    needs: int = 0
    least: int = 0

    def settled(self, rating: int, successes: int = 0, points: int = 0) -> Effect:
        """The effect with its amount worked out."""
        factor = {Per.ONCE: 1, Per.RATING: rating, Per.SUCCESSES: successes, Per.POINTS: points}[self.per]
        return replace(self, amount=self.amount * factor, per=Per.ONCE)

    def alters(self, mode: Mode | None, tags: frozenset[str]) -> bool:
        """Whether it has to do with attacks in this mode, of a weapon with these tags."""
        return (not self.modes or mode in self.modes) and (not self.weapons or not self.weapons.isdisjoint(tags))

    def counts(
        self,
        pool: Pool,
        traits: frozenset[str],
        mode: Mode | None = None,
        damage: Damage | None = None,
        tags: frozenset[str] = frozenset(),
    ) -> bool:
        """Whether it changes a pool of these Traits, for an attack in this mode by a weapon with these tags, or against
        this type of damage.
        """
        return (
            self.does in POOLED
            and pool in self.pools
            and (not self.traits or not self.traits.isdisjoint(traits))
            and self.alters(mode, tags)
            and (not self.damage or damage in self.damage)
        )


class Lasts(StrEnum):
    """How long a power is in effect."""

    AT_ONCE = "at_once"
    ATTACK = "attack"
    """Until the next attack of the one it is in effect on."""
    ACTION = "action"
    """Until they attack, or take one of the ruleset's own actions."""
    TURN = "turn"
    SCENE = "scene"
    HOURS = "hours"


class Notice(StrEnum):
    """Who notices that a power is used and in effect, apart from the user and the Storyteller."""

    SEEN = "seen"
    """Everybody who sees the user."""
    FELT = "felt"
    """Those whom it affects."""
    UNSEEN = "unseen"
    """Nobody."""


@dataclass(frozen=True, slots=True)
class InEffect:
    """A power in effect on somebody, with settled numbers: a log means the same after its power has changed.

    ``key`` is the power's, ``by`` the id of another combatant who used it, "" for their own. It ends with the turn
    ``until`` (0: not by turns) or after ``hours`` (0: not by time), and in any case with the fight. A ``frail`` one
    also ends when the one it is in effect on is hurt.
    """

    key: str
    label: str
    rule: str
    effects: tuple[Effect, ...]
    lasts: Lasts = Lasts.SCENE
    until: int = 0
    hours: int = 0
    by: str = ""
    notice: Notice = Notice.SEEN
    frail: bool = False

    @property
    def conditions(self) -> frozenset[str]:
        """The conditions that it brings about."""
        return frozenset(each.condition for each in self.effects if each.does is Does.CONDITION)
