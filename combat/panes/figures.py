"""Combatants as they are shown: rows of the turn order, and full sheets."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.violations import Refusal


@dataclass(frozen=True, slots=True)
class Box:
    """A health box: the level's name and its damage type, "" while it is empty."""

    label: str
    mark: str


@dataclass(frozen=True, slots=True)
class InjuryMark:
    """An injury, in rulesets that record them one by one. A `severe` one is drawn filled."""

    level: int
    cause: str
    severe: bool


@dataclass(frozen=True, slots=True)
class Health:
    """Health as this audience may know it: boxes or a wound level, only a word, or nothing (all fields empty).

    `penalty` belongs to boxes and wound levels: a number of dice, at most 0, or None if no action is possible. `wounds`
    is the wound level; None in rulesets with boxes, or if it is hidden from this audience. `injuries` add up to it,
    the most severe first, and `scars` counts the healed ones that left a scar.
    """

    boxes: tuple[Box, ...] = ()
    word: str = ""
    penalty: int | None = 0
    wounds: int | None = None
    injuries: tuple[InjuryMark, ...] = ()
    scars: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that others can see (prone, held)."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """A combatant in the turn order. `total` is the initiative, None before the roll.

    `declared` is the text of the declaration, once the reader may know it; `has_declared` only says that there is one,
    while others still declare. `own`: the reader plays this combatant. `waits`: the action is delayed, or
    held over from the last turn. `shape` is a changed shape, "" for the natural one. `portrait` is the portrait's id,
    "" for none that the reader may see.
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
    portrait: str


@dataclass(frozen=True, slots=True)
class Pool:
    """Points of a resource, abbreviated: `short` is the shortest unique prefix of its label among the bearer's."""

    short: str
    label: str
    now: int
    most: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A command offered in a menu: the name of its form, and whether a single press sends it."""

    form: str
    label: str
    press: bool


@dataclass(frozen=True, slots=True)
class StorytellerRow(Row):
    """A row with what players may not know.

    `acts`: the fight is running, so turn actions are possible. `declares`, `own_actions` and `defences` say which of
    these the ruleset has, `powers` whether the combatant has any to use, `offers` which other commands; `at_will`:
    declaring is optional. `answers` is the default defence, "" if somebody is asked. Combatants with the same `band`
    act and roll together. `holds`: the Storyteller may have them take a held action now. `side` is the one they fight
    for, `turned` says that it isn't the preset one.
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
    powers: bool = False
    acts: bool = True
    pools: tuple[Pool, ...] = ()
    defences: bool = False
    answers: str = ""
    band: str = ""
    holds: bool = False
    side: str = ""
    turned: bool = False


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

    `pool` and `difficulty` are those of its bearer's attack with it now, None if they aren't calculated. `in_hand`:
    its bearer holds it; `place` is the holster or other place of one that is put away. `handling` are the actions that
    only move it and are possible now.
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
    in_hand: bool = True
    place: str = ""
    handling: tuple[Handling, ...] = ()


@dataclass(frozen=True, slots=True)
class Handling:
    """An action that draws a weapon, puts it away or picks it up: the key and the label of a button."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Possible:
    """Something that a combatant might do now, or the `refusal` that forbids it.

    `form` is the name of its command's form, "" if it isn't listed with the others. `query` holds the form's parameters
    apart from `who`; `press`: a single press sends it, with this `value` beside the combatant. A `reflexive` one takes
    no action of the turn.
    """

    key: str
    label: str
    refusal: Refusal | None = None
    form: str = ""
    press: bool = False
    query: str = ""
    reflexive: bool = False
    value: str = ""

    @property
    def allowed(self) -> bool:
        """Whether nothing forbids it."""
        return self.refusal is None


@dataclass(frozen=True, slots=True)
class Manoeuvre(Possible):
    """One of the ruleset's own actions. One that `handles` a weapon is offered beside the weapon, too.

    A `power` has a `cost` and effects in words; one that `rolls` has a form for typed dice even if a press is enough.
    One with a `choice` (a Trait's key) is offered once for each.
    """

    handles: bool = False
    power: bool = False
    cost: str = ""
    about: str = ""
    choice: str = ""
    rolls: bool = False


@dataclass(frozen=True, slots=True)
class PowerInEffect:
    """A power in effect on somebody, and when it ends. `may_end`: the reader may end it now."""

    key: str
    label: str
    ends: str
    may_end: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A combatant in full, for their player and the Storyteller. `now`: it is their turn to act or declare; `holds`:
    they may take a held action now.

    `plight` are sentences for their player: what hit them this turn, and what they can do if they are out of action.
    """

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
    plight: tuple[str, ...] = ()
    holds: bool = False
    powers: tuple[PowerInEffect, ...] = ()

    def may(self, key: str) -> Possible | None:
        """The possibility with this key, if there is one."""
        return next((each for each in self.possible if each.key == key), None)


@dataclass(frozen=True, slots=True)
class TraitShown:
    """A Trait with its current `value`. `shaped` is the part that a changed shape adds or takes."""

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
    """All Traits of a combatant, for their player."""

    id: str
    name: str
    kind: str
    groups: tuple[TraitGroup, ...]
    merits: tuple[str, ...]
