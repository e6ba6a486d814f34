"""People as they are shown: in the order, and in full."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.violations import Refusal


@dataclass(frozen=True, slots=True)
class Box:
    """A health box: the level's name, and the kind of damage in it or ""."""

    label: str
    mark: str


@dataclass(frozen=True, slots=True)
class InjuryMark:
    """An injury, where they are kept one by one; a `severe` one is filled."""

    level: int
    cause: str
    severe: bool


@dataclass(frozen=True, slots=True)
class Health:
    """Health as this audience may know it: boxes (or a wound level), or a word alone, or (all empty) nothing.

    `penalty` comes with them: dice, 0 or below, or None when no action is left. `wounds` is the wound level, None where
    there are boxes or it is not for this audience; `injuries` come to it, gravest first, and `scars` counts those left.
    """

    boxes: tuple[Box, ...] = ()
    word: str = ""
    penalty: int | None = 0
    wounds: int | None = None
    injuries: tuple[InjuryMark, ...] = ()
    scars: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that everybody can see of somebody (prone, held)."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody in the turn order. `total` is their initiative, None before it was rolled.

    `declared` are their words, as soon as the reader may know them; `has_declared` says that there are some, while
    others still declare. `own` is somebody whom the reader plays. `waits` while an action is delayed. `shape` is the
    changed shape that they are in, "" for their own.
    """

    id: str
    name: str
    player: bool
    own: bool
    total: int | None
    health: Health
    conditions: tuple[Condition, ...]
    acting: bool
    acted: bool
    declaring: bool
    waits: bool
    full_defence: bool
    has_declared: bool
    declared: str
    shape: str


@dataclass(frozen=True, slots=True)
class Pool:
    """Points of a resource in a few letters: as many of the label's as tell it from the others of the same bearer."""

    short: str
    label: str
    now: int
    most: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that a menu offers: the name it is posted by, and whether one press is enough."""

    form: str
    label: str
    press: bool


@dataclass(frozen=True, slots=True)
class StorytellerRow(Row):
    """The same, and what players may not know.

    `acts`: the fight goes on, so that what belongs to a turn can be done. `declares`, `own_actions` and `defences` say
    which of these the ruleset knows at all, `offers` which other commands; `at_will` that nobody is asked to declare.
    `answers` is the defence that they give by themselves, "" where somebody is asked. Those of one `band`
    act and roll together.
    """

    hidden: bool
    mask: str
    health_shown: str
    group: str
    character: str
    actions: int
    weapon: str
    declares: bool = True
    at_will: bool = False
    offers: tuple[Offer, ...] = ()
    own_actions: bool = False
    acts: bool = True
    pools: tuple[Pool, ...] = ()
    defences: bool = False
    answers: str = ""
    band: str = ""


@dataclass(frozen=True, slots=True)
class Resource:
    """Points of a resource."""

    key: str
    label: str
    now: int
    most: int


@dataclass(frozen=True, slots=True)
class WeaponLine:
    """A weapon at hand. `reference` names it in commands; `rounds` of `holds` are loaded, None: not counted.

    `pool` dice at `difficulty` is what its bearer attacks with as they are now, where that is worked out.
    """

    reference: str
    name: str
    mode: str
    damage: str
    type: str
    rounds: int | None
    holds: int | None
    fault: str
    note: str
    pool: int | None = None
    difficulty: int | None = None


@dataclass(frozen=True, slots=True)
class Possible:
    """Something that somebody might do now, or why not: a `refusal`.

    `form` is the name that its command is posted by, "" where it isn't listed with the others but has a place of its
    own, or none. `query` is what the form is asked with apart from `who`; `press`: one press is enough.
    """

    key: str
    label: str
    refusal: Refusal | None = None
    form: str = ""
    press: bool = False
    query: str = ""

    @property
    def allowed(self) -> bool:
        """Whether nothing forbids it."""
        return self.refusal is None


@dataclass(frozen=True, slots=True)
class Manoeuvre(Possible):
    """One of the ruleset's own actions. A `reflexive` one takes no action of the turn."""

    reflexive: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Somebody in full: for whoever plays them, and for the Storyteller. `now`: it is theirs to act or to declare."""

    id: str
    name: str
    character: str
    health: Health
    conditions: tuple[Condition, ...]
    resources: tuple[Resource, ...]
    weapons: tuple[WeaponLine, ...]
    armor: tuple[str, ...]
    actions: tuple[str, ...]
    declared: str
    has_declared: bool
    split: str
    possible: tuple[Possible, ...]
    manoeuvres: tuple[Manoeuvre, ...] = ()
    now: bool = False
    shape: str = ""
    derived: tuple[tuple[str, str], ...] = ()

    def may(self, key: str) -> Possible | None:
        """What is said of that possibility, if anything."""
        return next((each for each in self.possible if each.key == key), None)


@dataclass(frozen=True, slots=True)
class TraitShown:
    """A Trait as it is now. `shaped` is what the shape that somebody is in makes of it, 0 for nothing."""

    label: str
    value: int
    most: int
    dotted: bool
    shaped: int = 0


@dataclass(frozen=True, slots=True)
class TraitGroup:
    """Traits under a heading."""

    label: str
    traits: tuple[TraitShown, ...]


@dataclass(frozen=True, slots=True)
class WholeSheet:
    """All that somebody is: for whoever plays them."""

    id: str
    name: str
    kind: str
    groups: tuple[TraitGroup, ...]
    merits: tuple[str, ...]
