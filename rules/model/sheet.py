"""A character as the rules see it, and the layout of a ruleset's sheet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from rules.engine.copies import replace
from rules.model.entries import Detail, Listing
from rules.model.gear import Armor, Damage, Weapon, find
from rules.model.plan import Part
from rules.model.power_effects import Does, Effect, InEffect
from rules.model.shapes import Shape


@dataclass(frozen=True, slots=True)
class Injury:
    """One injury, where they are kept one by one: its level, 1 or more, and what caused it."""

    level: int
    cause: str = ""


LONGEST_CAUSE = 80


def gravest_first(injuries: Iterable[Injury]) -> tuple[Injury, ...]:
    """The same injuries, gravest first; those of one level keep their order."""
    return tuple(sorted(injuries, key=lambda injury: -injury.level))


@dataclass(frozen=True, slots=True)
class Impairment:
    """A hit's effect on a part of the body beyond its damage: ``condition`` on one ``side``.

    It passes once ``left`` points of the hit's damage ``type`` have healed, or when the turn ``until`` ends; with
    neither, it lasts until it is removed.
    """

    condition: str
    side: str
    type: Damage = Damage.BASHING
    left: int = 0
    until: int = 0


OUTSIDE_FIGHTS = "-"
"""Stands for a fight's id where something happened outside fights."""


@dataclass(frozen=True, slots=True)
class Lasting:
    """A condition that outlasts a fight.

    ``rule`` is the rule by which it stays ("" if the Storyteller decided), ``fight`` the fight it is from (an id, ""
    for the present one, or :data:`OUTSIDE_FIGHTS`), ``why`` the Storyteller's reason.
    """

    condition: str
    rule: str = ""
    fight: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Scar:
    """What a grave injury leaves for good: its level, its cause, and the event that made it.

    ``turn`` is that of the fight ``fight`` (an id, "" for the present one), ``resolution`` the attack's name there.
    """

    level: int
    cause: str = ""
    turn: int = 0
    resolution: str = ""
    fight: str = ""


@dataclass(frozen=True)
class Sheet:
    """The part of a character's sheet that a fight reads or changes.

    ``traits`` and ``resources`` are dots and current points by key; ``marks`` are the filled health boxes, worst first
    (:mod:`rules.topics.health.boxes`). A missing key has the layout's default. ``shape`` is the changed shape that the
    character is in during a fight, ``None`` for their own. In systems that keep injuries one by one
    (:class:`rules.model.system.OneByOne`) ``injuries``, gravest first, replace marks, and ``scars`` are permanent.
    ``impairments`` are injured parts of the body that outlast the fight, ``lasting`` the other conditions that do, at
    most one of each key. ``pools`` are what an antagonist's sheet states outright, in place of Traits
    (:mod:`rules.model.pools`). ``specialties`` are their names by the Trait's key. ``powers`` are those in effect
    during a fight, apart from what is always on. ``rated`` are the dots of those ``merits`` that have any, by key.
    """

    name: str
    kind: str = "mortal"
    traits: Mapping[str, int] = field(default_factory=dict)
    merits: frozenset[str] = frozenset()
    resources: Mapping[str, int] = field(default_factory=dict)
    marks: tuple[Damage, ...] = ()
    injuries: tuple[Injury, ...] = ()
    scars: tuple[Scar, ...] = ()
    impairments: tuple[Impairment, ...] = ()
    lasting: tuple[Lasting, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    armor: tuple[Armor, ...] = ()
    shape: Shape | None = None
    pools: Mapping[str, int] = field(default_factory=dict)
    specialties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    powers: tuple[InEffect, ...] = ()
    rated: Mapping[str, int] = field(default_factory=dict)

    @property
    def at_hand(self) -> tuple[Weapon, ...]:
        """What is carried, and what the shape and powers have of their own."""
        if not self.shape and not self.powers:
            return self.weapons
        shaped = self.shape.weapons if self.shape else ()
        return (*self.weapons, *shaped, *(each.weapon for _one, each in self.effects(Does.WEAPON) if each.weapon))

    def effects(self, does: Does) -> Iterator[tuple[InEffect, Effect]]:
        """The effects of this sort of all powers in effect, each with its power."""
        return ((one, each) for one in self.powers for each in one.effects if each.does is does)

    def weapon(self, reference: str) -> Weapon:
        """The carried weapon with this key or name; raises "input" if there is none."""
        return find(self.weapons, reference, self.name)

    @property
    def in_hand(self) -> tuple[Weapon, ...]:
        """The weapons in hand, without parts of the body."""
        return tuple(weapon for weapon in self.weapons if weapon.in_hand and not weapon.natural)

    @property
    def sound_armor(self) -> tuple[Armor, ...]:
        """The armour that still protects, with what powers give."""
        sound = tuple(armor for armor in self.armor if not armor.destroyed)
        if not self.powers:
            return sound
        return (*sound, *(each.armor for _one, each in self.effects(Does.ARMOR) if each.armor))


def still_lasting(sheet: Sheet, conditions: Collection[str]) -> Sheet:
    """The sheet with those lasting conditions that are among these; the same sheet if all are."""
    kept = tuple(each for each in sheet.lasting if each.condition in conditions)
    return sheet if kept == sheet.lasting else replace(sheet, lasting=kept)


class Category(StrEnum):
    """What sort of Trait something is: it settles what it may be rolled with."""

    ATTRIBUTE = "attribute"
    ABILITY = "ability"
    VIRTUE = "virtue"
    POWER = "power"
    TEN_DOT = "ten_dot"
    RENOWN = "renown"
    """What spirits know a werewolf for: rolled with other Traits, where Renown is."""
    OWN = "own"
    """A chronicle's own, rolled alone or with an Attribute."""
    FACT = "fact"
    """Written on the sheet, never rolled (Generation)."""


@dataclass(frozen=True, slots=True)
class Trait:
    """A Trait of the sheet: its key in snake_case, its label, its minimum and maximum dots.

    ``dotted`` Traits are drawn as dots, others as a number. A sheet without a value uses ``default``; a new one starts
    with ``start`` if that differs. ``called`` are other labels by the kinds of creature that use them (a vampire's
    Morality is Humanity), ``aliases`` further names that lines of house rules may use. One of a house rule is on sheets
    only where that ``setting`` is on, and on those that have dots in it. ``own`` ones are the chronicle's, on the
    sheets of certain ``kinds`` (empty: all that have its section).
    """

    key: str
    label: str
    category: Category
    minimum: int = 0
    maximum: int = 5
    default: int = 0
    dotted: bool = True
    start: int | None = None
    called: Mapping[str, str] = field(default_factory=dict, hash=False)
    aliases: tuple[str, ...] = ()
    setting: str = ""
    kinds: frozenset[str] = frozenset()
    own: bool = False

    @property
    def offered(self) -> int:
        """The dots that a new sheet begins with."""
        return self.default if self.start is None else self.start

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that a line may call it, its label first."""
        return (self.label, *self.called.values(), *self.aliases)

    def named(self, kind: str) -> Trait:
        """The Trait as the sheets of a ruleset's kind call it."""
        own = self.called.get(kind)
        return self if own is None else replace(self, label=own, aliases=(self.label, *self.aliases))


@dataclass(frozen=True, slots=True)
class Group:
    """Traits under one small heading (Physical, Talents); the heading may be empty."""

    label: str
    traits: tuple[Trait, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A block of the sheet (Attributes, Abilities). ``kinds`` empty: every kind has it."""

    key: str
    label: str
    groups: tuple[Group, ...]
    kinds: frozenset[str] = frozenset()

    def seen(self, kind: str, without: Collection[str]) -> Section:
        """The section on the sheets of a ruleset's kind, under its names, without the Traits of these keys."""
        traits = [trait for group in self.groups for trait in group.traits]
        if not any(kind in trait.called or trait.kinds or trait.key in without for trait in traits):
            return self

        def has(trait: Trait) -> bool:
            return trait.key not in without and (not trait.kinds or kind in trait.kinds)

        kept = (tuple(each.named(kind) for each in one.traits if has(each)) for one in self.groups)
        groups = zip(self.groups, kept, strict=True)
        return replace(self, groups=tuple(replace(group, traits=traits) for group, traits in groups))


@dataclass(frozen=True, slots=True)
class Resource:
    """Points that are spent and come back. ``maximum`` works the most out from the traits.

    ``aliases`` are other keys under which scenario files and older sheets know it; ``barred`` names the conditions in
    which none is spent, each with its rule, if the house rule ``barring`` is on ("": always). ``per_turn`` works out
    from the traits how many a turn lets go (``None``: any number), and ``rule`` says that, and that nobody spends what
    they have not. A point that is spent ``lifts`` some conditions.
    """

    key: str
    label: str
    maximum: Callable[[Mapping[str, int]], int]
    kinds: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    barred: Mapping[str, str] = field(default_factory=dict)
    barring: str = ""
    per_turn: Callable[[Mapping[str, int]], int | None] | None = None
    rule: str = ""
    lifts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Layout:
    """The traits and resources that a ruleset's sheets have.

    ``details`` are the parts of a character's identity and ``lists`` those of named entries, in the sheet's order.
    Traits of the categories ``special`` can have specialties. ``likes`` maps a chronicle's own kinds of
    creature to the kind whose sheet each uses. ``off`` are the keys of the Traits whose house rule is off. ``always``
    are the powers that change Traits without being used: each is given a sheet and returns its effects there, if any.
    """

    sections: tuple[Section, ...]
    resources: tuple[Resource, ...]
    details: tuple[Detail, ...] = ()
    lists: tuple[Listing, ...] = ()
    special: frozenset[Category] = frozenset()
    likes: Mapping[str, str] = field(default_factory=dict)
    off: frozenset[str] = frozenset()
    always: tuple[Callable[[Sheet, Layout], InEffect | None], ...] = field(default=(), compare=False)
    _named: Mapping[str, Trait] = field(init=False, repr=False, compare=False)
    _defaults: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Looked up a dozen times in every attack.
        object.__setattr__(self, "_named", {trait.key: trait for trait in self.traits()})
        object.__setattr__(self, "_defaults", {trait.key: trait.default for trait in self.traits()})

    def for_kind(self, kind: str, dots: Mapping[str, int] | None = None) -> tuple[Section, ...]:
        """The sections on the sheet of a character of this kind; on one with these ``dots``, what it has dots in too.

        What differs are the Traits of a house rule that is off.
        """
        like = self.likes.get(kind, kind)
        without = {key for key in self.off if not dots or not dots.get(key)} if self.off else self.off
        seen = (section.seen(like, without) for section in self.sections if self.has(kind, section))
        return tuple(section for section in seen if any(group.traits for group in section.groups))

    def traits_for(self, kind: str, dots: Mapping[str, int] | None = None) -> tuple[Trait, ...]:
        """The Traits in these sections."""
        groups = (group for section in self.for_kind(kind, dots) for group in section.groups)
        return tuple(trait for group in groups for trait in group.traits)

    def played(self, settings: Mapping[str, Any]) -> Layout:
        """The layout with these house rules."""
        off = frozenset(trait.key for trait in self.traits() if trait.setting and not settings.get(trait.setting))
        return self if off == self.off else replace(self, off=off)

    def resources_for(self, kind: str) -> tuple[Resource, ...]:
        """The resources of a character of this kind."""
        return tuple(resource for resource in self.resources if self.has(kind, resource))

    def details_for(self, kind: str, filled: Mapping[str, str] | None = None) -> tuple[Detail, ...]:
        """The details of a character of this kind; of one with these filled in, those that are gone but filled too."""
        mine = (detail for detail in self.details if self.has(kind, detail))
        return tuple(detail for detail in mine if not detail.gone or (filled and filled.get(detail.key)))

    def lists_for(self, kind: str) -> tuple[Listing, ...]:
        """The lists of a character of this kind."""
        return tuple(listing for listing in self.lists if self.has(kind, listing))

    def has(self, kind: str, block: Section | Resource | Detail | Listing) -> bool:
        """Whether a character of this kind has this part of the sheet."""
        return not block.kinds or self.likes.get(kind, kind) in block.kinds

    def traits(self) -> Iterator[Trait]:
        """All Traits, in the sheet's order, those of house rules that are off included."""
        for section in self.sections:
            for group in section.groups:
                yield from group.traits

    def trait(self, key: str, kind: str = "") -> Trait:
        """The Trait of that key, as a kind of creature calls it if one is given.

        One that the layout does not know is an Ability of up to five dots.
        """
        found = self._named.get(key) or Trait(key, key.replace("_", " ").capitalize(), Category.ABILITY)
        return found.named(self.likes.get(kind, kind)) if found.called else found

    def key_of(self, name: str) -> str:
        """The key of the Trait that a line calls so, "" if none is rolled under that name. A label counts first."""
        rolled = [trait for trait in self.traits() if trait.category is not Category.FACT]
        first = {trait.label.casefold(): trait.key for trait in rolled}
        other = {each.casefold(): trait.key for trait in rolled for each in trait.names}
        return (other | first).get(name.casefold(), "")

    def resource(self, key: str) -> Resource | None:
        """The resource of that key or alias."""
        for resource in self.resources:
            if key == resource.key or key in resource.aliases:
                return resource
        return None

    def special_traits(self, kind: str, dots: Mapping[str, int] | None = None) -> tuple[Trait, ...]:
        """The Traits of a character of this kind that can have specialties."""
        return tuple(trait for trait in self.traits_for(kind, dots) if trait.category in self.special)

    def specialties(self, sheet: Sheet, traits: Iterable[str]) -> tuple[str, ...]:
        """The specialties that the sheet has in these Traits, each once."""
        found = (name for key in traits for name in sheet.specialties.get(key, ()))
        return tuple(dict.fromkeys(found))

    def bare(self, sheet: Sheet, key: str) -> int:
        """How many dots are written on the sheet, the layout's default where it says nothing."""
        found = sheet.traits.get(key)
        return self.trait(key).default if found is None else found

    def dots(self, sheet: Sheet, key: str) -> int:
        """How many dots somebody has in a Trait now, in the shape that they are in and with the powers in effect."""
        bare = self.bare(sheet, key)
        shaped = bare if sheet.shape is None else sheet.shape.dots(key, bare)
        if not sheet.powers and not self.always:
            return shaped
        return shaped + sum(dots for _one, dots in self.raised(sheet, key, shaped))

    def parts(self, sheet: Sheet, key: str, own: Part) -> tuple[Part, ...]:
        """A Trait's part, of the sheet's own dots, followed by what shape and powers make of them."""
        found = [own]
        shaped = own.dice if sheet.shape is None else sheet.shape.dots(key, own.dice)
        if sheet.shape is not None and shaped != own.dice:
            label, rule = sheet.shape.label, sheet.shape.rule
            found.append(replace(own, key=f"shape:{own.key}", label=label, rule=rule, dice=shaped - own.dice))
        if sheet.powers or self.always:
            for one, dots in self.raised(sheet, key, shaped):
                found.append(replace(own, key=f"power:{one.key}:{own.key}", label=one.label, rule=one.rule, dice=dots))
        return tuple(found)

    def raised(self, sheet: Sheet, key: str, dots: int) -> Iterator[tuple[InEffect, int]]:
        """What each power in effect adds to a Trait of so many dots: never below zero, nor beyond its limit.

        A derived trait, such as speed, is raised by its key like any other.
        """
        always = (one for each in self.always if (one := each(sheet, self)) is not None)
        for one in (*always, *sheet.powers):
            for each in one.effects:
                if each.does is Does.TRAIT and key in each.traits:
                    limit = max(dots, each.most) if each.most else dots + each.amount
                    change = max(-dots, min(each.amount, limit - dots))
                    dots += change
                    if change:
                        yield one, change

    def maximum(self, sheet: Sheet, key: str) -> int:
        """The most points the sheet can hold of a resource.

        One that its kind does not have, or that nobody knows, has no most but what the sheet holds.
        """
        resource = self.resource(key)
        if resource is None or not self.has(sheet.kind, resource):
            return sheet.resources.get(key, 0)
        return resource.maximum(self._all(sheet))

    def per_turn(self, sheet: Sheet, key: str) -> int | None:
        """The most points of a resource that the sheet spends in a turn, ``None`` for any number."""
        resource = self.resource(key)
        return None if resource is None or resource.per_turn is None else resource.per_turn(self._all(sheet))

    def _all(self, sheet: Sheet) -> dict[str, int]:
        """Every Trait of the layout with the sheet's dots, or the default."""
        return {**self._defaults, **sheet.traits}

    def points(self, sheet: Sheet, key: str) -> int:
        """How many points the sheet has of a resource now; full where it says nothing."""
        resource = self.resource(key)
        names = (key,) if resource is None else (resource.key, *resource.aliases)
        for name in names:
            if name in sheet.resources:
                return sheet.resources[name]
        return self.maximum(sheet, key)
