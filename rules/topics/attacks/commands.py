"""Attacks, what a botch brings, and the weapons they are made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.model.choices import Defence, Modifier
from rules.model.gear import BARE_HANDS


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack one or more targets, and resolve it at once.

    ``distance`` is in the ruleset's unit (metres in the classic family); ``None`` is touching for
    close attacks, and short range, out of close quarters, for others. ``strike`` names parts of the
    attacker's pools that the Storyteller strikes out. ``near`` are those who stand near the targets without being one.
    ``others`` make the same attack with ``by``, each by the rules as far as they can; with ``one_roll`` the attack's
    faces are thrown once for all of them.
    """

    by: str
    at: tuple[str, ...]
    weapon: str = BARE_HANDS
    modifiers: tuple[Modifier, ...] = ()
    distance: int | None = None
    defences: Mapping[str, Defence] = field(default_factory=dict)
    strike: frozenset[str] = frozenset()
    near: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    one_roll: bool = False


@dataclass(frozen=True, slots=True)
class ChooseMishap:
    """Settle what a botched attack brings. ``mishap`` "" lets chance pick; ``ally`` is who is hit, if one is."""

    resolution: str
    mishap: str = ""
    ally: str = ""


@dataclass(frozen=True, slots=True)
class ClearJam:
    """Spend an action on making a jammed weapon fire again."""

    by: str
    weapon: str


@dataclass(frozen=True, slots=True)
class Reload:
    """Spend an action on filling a weapon. ``rounds`` ``None`` fills it up."""

    by: str
    weapon: str
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class OverrideAttack:
    """Put right what an attack (``resolution``) came to against one target; what is not said stays as the dice have it.

    ``outcome`` is "hit", "miss", "botch" or "dramatic_failure"; ``successes`` are the attack's, before any defence.
    ``levels`` are those of the damage before soak, ``soaked`` those taken off, ``dealt`` those that are marked.
    """

    resolution: str
    target: str
    outcome: str = ""
    successes: int | None = None
    levels: int | None = None
    soaked: int | None = None
    dealt: int | None = None
    why: str = ""


AttackCommand = Attack | ChooseMishap | ClearJam | Reload | OverrideAttack
