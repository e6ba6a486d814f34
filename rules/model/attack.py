"""The attack command, which the state also keeps for announced attacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase
from rules.model.choices import Defence, Modifier
from rules.model.gear import BARE_HANDS


@command(phrase("attack"))
@dataclass(frozen=True, slots=True)
class Attack(Command):
    """Attack one or more targets and resolve it at once.

    ``distance`` is in the ruleset's unit (metres in the classic family); ``None`` means touching for close attacks and
    short range, out of close quarters, for others. ``strike`` names parts of the attacker's pools that the Storyteller
    strikes out. ``near`` are bystanders close to the targets. ``others`` make the same attack together with ``by``,
    each if the rules allow it; with ``one_roll`` the attack's faces are rolled once for all of them.
    """

    by: str
    at: tuple[str, ...]
    weapon: str = field(default=BARE_HANDS, metadata=PLAYERS_WORDS)
    modifiers: tuple[Modifier, ...] = ()
    distance: int | None = None
    defences: Mapping[str, Defence] = field(default_factory=dict)
    strike: frozenset[str] = frozenset()
    near: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    one_roll: bool = False
