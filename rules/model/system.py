"""What a ruleset is: a frozen value composed of parts.

A part (initiative, pools, attack, health ...) is a frozen dataclass with the few functions that
systems differ in; a ruleset picks its parts and tells them which of its rules they stand on
(``cites``). The next system is one new module in ``rules/systems/`` beside its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from rules.engine.phrases import Phrase, phrase
from rules.model.gear import Damage
from rules.model.options import Option, check_options
from rules.model.sheet import Layout
from rules.rulebook import Rulebook

if TYPE_CHECKING:
    from rules.engine.dice import Dice, Faces, Roll
    from rules.engine.messages import Command, Event
    from rules.engine.violations import Referee
    from rules.model.attack import Attack
    from rules.model.derived import Derived, Merit
    from rules.model.game import Game
    from rules.model.gear import Mode, Weapon
    from rules.model.modifiers import ModifierRule
    from rules.model.plan import PoolPlan
    from rules.model.results import AttackResult
    from rules.model.sheet import Sheet
    from rules.model.state import Encounter
    from rules.odds.outcomes import Outcomes
    from rules.strike.active_defence import DefenceRules
    from rules.strike.aftermath import Aftermath
    from rules.strike.rolled_damage import DamageRules
    from rules.strike.situations import Situations
    from rules.topics.actions import ActionRule
    from rules.topics.attacks.prepare import Prepared
    from rules.topics.commands import Heal, SetHealth
    from rules.topics.grapples.holds import Barred
    from rules.topics.health.boxes import Blow, HealthLevel
    from rules.topics.initiative.scores import InitiativeRules
    from rules.topics.rolls.pools import PoolRules
    from rules.topics.turns.course import TurnRules


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of creature.

    ``soaks`` are the kinds of damage that it may soak with Stamina; ``human`` marks those whose pools
    have a ceiling; ``felled`` is the condition that comes when every box is lethal or worse.
    ``banes`` are the tags of what does aggravated damage to it (fire, silver), whatever else it soaks.

    Where a ruleset's damage looks at kinds: one with a ``mortal`` body never takes aggravated damage, and the
    setting named by ``hardy`` lets it soak all but its banes.
    One that ``regenerates`` heals as turns end, and one that ``rests_well`` heals aggravated levels by days of rest.
    ``powers`` is what its powers are called together, where they are declared by name.

    One that ``bleeds`` is nearer to death with time once it lies dying. Wounds take dice from one that
    ``feels_wounds``, and one that ``tires`` has to roll to stay awake where a ruleset asks for that.
    ``like`` is the kind whose sheet it fills in, "" for its own: see :mod:`rules.model.kinds`.
    """

    key: str
    label: str
    soaks: frozenset[Damage]
    human: bool = False
    undead: bool = False
    felled: str = "dying"
    banes: frozenset[str] = frozenset()
    mortal: bool = False
    hardy: str = ""
    regenerates: bool = False
    rests_well: bool = False
    powers: str = ""
    bleeds: bool = True
    feels_wounds: bool = True
    tires: bool = True
    like: str = ""


class Mechanic(Protocol):
    """A dice family: how a pool is rolled and read, and how likely it is to come to what.

    ``default`` is the difficulty when nothing is said, within ``lowest`` and ``highest``: all the same
    in a family whose difficulty never changes. ``played`` is the family as a chronicle's settings have it.
    """

    @property
    def default(self) -> int: ...
    @property
    def lowest(self) -> int: ...
    @property
    def highest(self) -> int: ...
    def played(self, settings: Mapping[str, Any]) -> Mechanic: ...
    def read(self, faces: Faces, difficulty: int, *, may_botch: bool = True, spared: bool = False) -> Roll: ...
    def roll(self, plan: PoolPlan, throw: Callable[[int], Faces]) -> Roll: ...
    def said(self, roll: Roll, successes: int) -> Roll: ...
    def outcomes_of(self, plan: PoolPlan) -> Outcomes: ...


class AttackRules(Protocol):
    """An attack from plan to result.

    ``defences`` are the answers a target may give; there may be none. ``damage`` is how damage is rolled
    and soaked, ``None`` where the attack's successes are the damage. ``suffered`` is the kind of damage that
    a target takes of what does ``damage``, by its kind and by the tags of what it is struck with.
    """

    @property
    def traits(self) -> Mapping[Mode, tuple[str, str]]: ...
    @property
    def defences(self) -> DefenceRules: ...
    @property
    def damage(self) -> DamageRules | None: ...
    def plan(self, state: Encounter, command: Attack, ruleset: System, referee: Referee) -> Prepared: ...
    def resolve(
        self, state: Encounter, prepared: Prepared, ruleset: System, dice: Dice
    ) -> tuple[AttackResult, ...]: ...
    def traits_of(self, weapon: Weapon) -> tuple[str, str]: ...
    def pool_of(self, sheet: Sheet, weapon: Weapon, ruleset: System) -> PoolPlan: ...
    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet, ruleset: System) -> Damage: ...


class Track(Protocol):
    """How harm is kept on a sheet: as boxes that are marked (``boxed``), or as injuries one by one.

    ``inflict`` marks harm, ``cure`` and ``put`` change it as somebody says, ``sound`` refuses what cannot be,
    ``fitted`` is for a body that has changed;
    ``told`` is the event that keeps it. ``follows`` are the conditions that harm has come to, ``brings`` those that a
    blow brings besides, ``fates`` what would follow from more and more of it.
    """

    @property
    def boxed(self) -> bool: ...
    def by_blood(self, sheet: Sheet, ruleset: System) -> bool: ...
    def levels(self, ruleset: System, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]: ...
    def inflict(self, sheet: Sheet, amount: int, damage: Damage, ruleset: System, blow: Blow = ...) -> Sheet: ...
    def penalty(self, sheet: Sheet, ruleset: System) -> int | None: ...
    def hindrance(self, sheet: Sheet, ruleset: System) -> int: ...
    def level(self, sheet: Sheet, ruleset: System) -> HealthLevel | None: ...
    def follows(self, sheet: Sheet, ruleset: System) -> frozenset[str]: ...
    def word(self, sheet: Sheet, ruleset: System) -> str: ...
    def cure(self, sheet: Sheet, command: Heal) -> tuple[Sheet, dict[str, int]]: ...
    def put(self, sheet: Sheet, command: SetHealth, ruleset: System) -> Sheet: ...
    def sound(self, sheet: Sheet, ruleset: System) -> Sheet: ...
    def fitted(self, sheet: Sheet, ruleset: System) -> Sheet: ...
    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet, ruleset: System) -> frozenset[str]: ...
    def told(self, who: str, sheet: Sheet, conditions: frozenset[str]) -> Event: ...
    def brings(self, hurt: Sheet, amount: int, ruleset: System) -> frozenset[str]: ...
    def fates(self, sheet: Sheet, counts: int, damage: Damage, ruleset: System) -> Iterator[frozenset[str]]: ...
    def remove(self, sheet: Sheet, amount: int, damage: Damage) -> tuple[Sheet, int]: ...
    def turn_end(self, sheet: Sheet, ruleset: System) -> tuple[Sheet, dict[str, int]]: ...
    def rest(
        self, sheet: Sheet, hours: int, ruleset: System, *, care: bool = False
    ) -> tuple[Sheet, dict[str, int]]: ...


class Watch(Protocol):
    """What follows from anything that is done, whatever it was: an aim that is broken, a choice that was due."""

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """What follows from what a command has brought about; ``game.state`` is the one before it."""


# Two are the same only where they are one: so that what is worked out with a ruleset can be kept by it.
@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One system's combat rules.

    ``settings`` are the values of ``options`` (house rules), every key present. ``cites`` maps the
    topics that shared parts speak of ("untrained", "wounds") to the ids of this ruleset's rules.
    ``presets`` are its ready-made rolls: what each is called, and the rest of its line (:mod:`rules.model.presets`);
    ``unit`` is what distances are measured in.
    ``derived`` are the traits that follow from others, ``merits`` those that its rules make something of.
    ``situations`` is what conditions make of pools, ``aftermath`` what a blow brings besides its damage, ``actions``
    what can be done besides attacks, by key, and ``grappled`` what nobody does in a grapple. ``weapons_do`` is what
    weapons do that say nothing else.
    ``watches`` see to what follows from any command.
    """

    key: str
    book: Rulebook
    layout: Layout
    kinds: Mapping[str, Kind]
    cites: Mapping[str, str]
    mechanic: Mechanic
    pools: PoolRules
    initiative: InitiativeRules
    turns: TurnRules
    attack: AttackRules
    health: Track
    modifiers: Mapping[str, ModifierRule]
    situations: Situations
    aftermath: Aftermath
    actions: Mapping[str, ActionRule] = field(default_factory=dict)
    grappled: Mapping[str, Barred] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    presets: tuple[tuple[str, str], ...] = ()
    unit: str = "metres"
    derived: tuple[Derived, ...] = ()
    merits: tuple[Merit, ...] = ()
    weapons_do: Damage = Damage.BASHING
    watches: tuple[Watch, ...] = ()

    @property
    def short_unit(self) -> Phrase:
        """The unit of distances as it stands behind a figure."""
        return {"metres": phrase("m"), "yards": phrase("yd"), "feet": phrase("ft")}[self.unit]

    @property
    def name(self) -> str:
        """The ruleset's name as people say it."""
        return self.book.name

    def kind(self, key: str) -> Kind:
        """The kind of creature of that key; an unknown one is a mortal."""
        return self.kinds.get(key, self.kinds["mortal"])

    @property
    def banes(self) -> frozenset[str]:
        """Whatever does aggravated damage to some kind, and not to those that it is no bane of."""
        return frozenset[str]().union(*(kind.banes for kind in self.kinds.values()))

    def with_kinds(self, own: Iterable[Kind]) -> System:
        """This ruleset with a chronicle's own kinds of creature beside its own, each on the sheet of another."""
        kinds = {kind.key: kind for kind in own}
        layout = replace(self.layout, likes={kind.key: kind.like for kind in kinds.values()})
        return replace(self, kinds={**self.kinds, **kinds}, layout=layout)

    def check_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every house rule's value; :class:`rules.model.options.BadOption` where one cannot be."""
        return check_options(self.options, given)

    def with_options(self, given: Mapping[str, Any]) -> System:
        """This ruleset as a chronicle plays it; raises as :meth:`check_options`."""
        settings = self.check_options(given)
        return replace(self, settings=settings, mechanic=self.mechanic.played(settings))
