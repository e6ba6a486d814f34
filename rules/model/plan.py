"""Plans: pools itemised before any dice are rolled, each item with its rule.

A plan is shown by the form, costed by :mod:`rules.odds.attacks`, rolled by :mod:`rules.decide` and kept in
the log, so that all four speak of the same dice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.engine.dice import Faces
from rules.engine.violations import Flag
from rules.model.damage_steps import DamageStep
from rules.model.gear import Damage


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a pool or of its difficulty.

    ``key`` identifies it so that the Storyteller can strike it; ``rule`` is the id of its rule. A ``struck`` part stays
    visible and doesn't count. ``successes`` are those that it adds without a die, or that a hit needs because of it.
    """

    key: str
    label: str
    rule: str
    dice: int = 0
    difficulty: int = 0
    struck: bool = False
    successes: int = 0


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """A pool before it is rolled: ``pool`` dice (zero or more) at ``difficulty``.

    The parts that are not struck add up to both: a limit that was reached is a part itself.
    An ``outright`` pool is not rolled: it is the result itself. ``difficulty`` is 0 there, and in
    families that know none. In those ``again`` is the least face that is rolled again, and a pool of
    no dice is one ``chance`` die; dice of the pool that show one of the faces ``once`` are rolled once more
    (a rote action). ``sure`` successes are added to those of the dice, and nothing takes them off.
    ``spared``: where 1s take successes off, here they do not.
    """

    parts: tuple[Part, ...]
    pool: int
    difficulty: int
    again: int = 0
    chance: bool = False
    outright: bool = False
    sure: int = 0
    spared: bool = False
    once: Faces = ()


@dataclass(frozen=True, slots=True)
class Against:
    """An attack as it applies to one target.

    ``damage`` is the damage pool before overage; ``overage`` says whether successes above the first are added to it. If
    successes themselves are the damage, ``damage`` and ``soak`` are ``None``. ``defence`` is the pool of the chosen
    defence (``None``: none). ``counter`` is the damage pool of a parry's counter-attack, before the successes it wins
    by. ``automatic`` is the number of successes of an attack that hits without a roll (0: it is rolled, or fails).
    ``steps`` turn successes into damage if they are the damage. A hit needs ``needed`` successes, for the reasons in
    ``needs``; it counts from the last of them.

    ``stock`` are successes that the target holds ready for what its defence leaves. In a ``clash`` the defence is an
    attack of its own: the side with more successes hits, on a tie both do. Each counts ``in_full``, or minus the
    other's; ``counter`` is computed from the target's.
    """

    target: str
    attack: PoolPlan
    damage: PoolPlan | None
    damage_type: Damage
    soak: PoolPlan | None
    overage: bool = True
    defence_kind: str = ""
    defence: PoolPlan | None = None
    counter: PoolPlan | None = None
    counter_type: Damage | None = None
    counter_soak: PoolPlan | None = None
    automatic: int = 0
    steps: tuple[DamageStep, ...] = ()
    stock: int = 0
    clash: bool = False
    in_full: bool = True
    needed: int = 1
    needs: tuple[Part, ...] = ()

    def needing(self, needs: tuple[Part, ...]) -> Against:
        """The same attack, needing the successes of these parts to hit, and at least one."""
        total = sum(part.successes for part in needs if not part.struck)
        return replace(self, needs=needs, needed=max(1, total))

    def cancelled(self, successes: int, answered: int) -> tuple[int, int]:
        """How many of an attack's successes its defence's ``answered`` take off, and how many the stock does.

        Below zero counts as none.
        """
        standing = max(0, successes)
        by_answer = 0 if self.clash else min(standing, max(0, answered))
        return by_answer, min(standing - by_answer, self.stock)

    def left(self, successes: int, answered: int) -> int:
        """The successes that an attack hits with: in a clash all or nothing."""
        net = max(0, successes) - sum(self.cancelled(successes, answered))
        if self.clash and net < answered:
            return 0
        net = max(0, net - (self.needed - 1))
        return net if self.in_full else max(0, net - max(0, answered))

    def struck_back(self, successes: int, answered: int) -> int:
        """The successes that ``counter`` is done with: those that a parry is ahead by, or a clash has."""
        if not self.clash:
            return max(0, answered - max(0, successes))
        net = max(0, successes) - sum(self.cancelled(successes, answered))
        if answered < net:
            return 0
        return max(0, answered if self.in_full else answered - net)


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """All of an attack that is known before the dice. ``rounds`` is how many will be fired."""

    by: str
    weapon: str
    weapon_key: str
    mode: str
    against: tuple[Against, ...]
    rounds: int = 0
    flags: tuple[Flag, ...] = ()


EASED = "eased:"
"""Key prefix of the dice that something gives back of a penalty; the penalty's key follows it."""


def strike(parts: Iterable[Part], keys: frozenset[str]) -> tuple[Part, ...]:
    """The same parts, those named by key struck out, with what is given back of a penalty that is struck."""
    if not keys:
        return tuple(parts)
    return tuple(replace(part, struck=True) if keys & {part.key, _eases(part.key)} else part for part in parts)


def _eases(key: str) -> str:
    """The key of the penalty of which a part gives dice back."""
    return key.removeprefix(EASED).partition(":")[0] if key.startswith(EASED) else key


def dice_of(parts: Iterable[Part]) -> int:
    """The dice of the parts that count."""
    return sum(part.dice for part in parts if not part.struck)


def difficulty_of(parts: Iterable[Part]) -> int:
    """The difficulty of the parts that count."""
    return sum(part.difficulty for part in parts if not part.struck)


OF_TARGET = frozenset({"defense", "target", "target_armor", "armor_piercing"})
"""What the keys of those parts of an attack's pool begin with that say what its target is and has."""


def tells_of_target(part: Part) -> bool:
    """Whether a part of an attack's pool says what its target is and has."""
    return part.key.partition(":")[0] in OF_TARGET
