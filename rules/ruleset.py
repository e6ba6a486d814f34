"""What a ruleset is: a frozen value composed of parts.

A part (initiative, pools, attack, health ...) is a frozen dataclass with the few functions that
systems differ in; a ruleset picks its parts and tells them which of its rules they stand on
(``cites``). The next system is one new module in ``rules/rulesets/`` beside its neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rules.gear import Damage
from rules.options import Option, check_options
from rules.rulebook import Rulebook
from rules.sheet import Layout

if TYPE_CHECKING:
    from rules.attack import AttackRules
    from rules.health import HealthRules
    from rules.initiative import InitiativeRules
    from rules.mechanics.target_number import TargetNumber
    from rules.modifiers import ModifierRule
    from rules.pools import PoolRules
    from rules.turns import TurnRules


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of creature.

    ``soaks`` are the kinds of damage that it may soak with Stamina; ``human`` marks those whose pools
    have a ceiling; ``felled`` is the condition that comes when every box is lethal or worse.
    """

    key: str
    label: str
    soaks: frozenset[Damage]
    human: bool = False
    undead: bool = False
    felled: str = "dying"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One system's combat rules.

    ``settings`` are the values of ``options`` (house rules), every key present. ``cites`` maps the
    topics that shared parts speak of ("untrained", "wounds") to the ids of this ruleset's rules.
    ``presets`` are its ready-made rolls, as lines (:mod:`rules.presets`).
    """

    key: str
    book: Rulebook
    layout: Layout
    kinds: Mapping[str, Kind]
    cites: Mapping[str, str]
    mechanic: TargetNumber
    pools: PoolRules
    initiative: InitiativeRules
    turns: TurnRules
    attack: AttackRules
    health: HealthRules
    modifiers: Mapping[str, ModifierRule]
    options: tuple[Option, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    presets: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The ruleset's name as people say it."""
        return self.book.name

    def kind(self, key: str) -> Kind:
        """The kind of creature of that key; an unknown one is a mortal."""
        return self.kinds.get(key, self.kinds["mortal"])

    def check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every house rule's value; :class:`rules.options.BadOption` where one cannot be."""
        return check_options(self.options, given)

    def with_options(self, given: Mapping[str, Any]) -> Ruleset:
        """This ruleset as a chronicle plays it; raises as :meth:`check_options`."""
        return replace(self, settings=self.check_options(given))
