"""What is picked for a roll: circumstances, and a target's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.inputs import Figure
from rules.engine.phrases import PLAYERS_WORDS

__all__ = ["Defence", "Figure", "Modifier"]


@dataclass(frozen=True, slots=True)
class Modifier:
    """A circumstance chosen for a roll: a key known to the ruleset, with its values.

    ``difficulty`` takes ``by`` (steps up or down) and ``why``; ``circumstance`` takes ``dice`` and ``why``; ``split``
    takes ``dice``; ``several_attackers`` takes ``count``; ``range`` takes ``band``.
    """

    key: str
    figures: Mapping[str, Figure] = field(default_factory=dict, metadata=PLAYERS_WORDS)


@dataclass(frozen=True, slots=True)
class Defence:
    """A target's answer to an attack: ``kind`` is dodge, parry, block or "" for none.

    ``weapon`` is what is parried with; ``modifiers`` change the defender's own pool.
    """

    kind: str = field(default="", metadata=PLAYERS_WORDS)
    weapon: str = field(default="", metadata=PLAYERS_WORDS)
    modifiers: tuple[Modifier, ...] = ()
    strike: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DefenceRule:
    """One way to defend: its Traits and its rule. ``also`` are Traits that may take the place of one (a bare hand's).

    One that ``attacks`` rolls an attack, whose circumstances apply; one of a house rule exists only where that
    ``setting`` is on.
    """

    key: str
    label: str
    traits: tuple[str, str]
    rule: str
    attacks: bool = False
    setting: str = ""
    also: tuple[str, ...] = ()
