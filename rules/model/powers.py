"""Powers: what a Discipline, Gift, Merit, spell or item does in a fight, its cost, and how long it lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from rules.model.gear import Damage, Mode
from rules.model.plan import EASED, Part
from rules.model.power_effects import AT_ONCE, Does, Effect, InEffect, Lasts, Notice, Per, Pool
from rules.model.sheet import Layout, Sheet


class Timing(StrEnum):
    """When a power is used."""

    ACTION = "action"
    """It takes an action of the turn."""
    REFLEXIVE = "reflexive"
    """At any moment, without an action."""
    FIRST = "first"
    """Before the user acts in a turn, without an action."""
    ALWAYS = "always"
    """It is always on, and never used."""


class Source(StrEnum):
    """What sort of thing a power is: the heading it is listed under."""

    DISCIPLINE = "discipline"
    GIFT = "gift"
    MERIT = "merit"
    SPELL = "spell"
    ITEM = "item"
    NATURE = "nature"
    """What every creature of its kinds can do."""


class Reach(StrEnum):
    """Whom a power is aimed at."""

    SELF = "self"
    ONE = "one"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Cost:
    """Points of a resource, for each point of a power with variable ``points``."""

    resource: str
    amount: int = 1


@dataclass(frozen=True, slots=True)
class Test:
    """The roll that a power takes: it has its effects if it succeeds.

    ``difficulty`` is a number (``None``: the ruleset's own), unless it is the target's dots in the Traits
    ``difficulty_of``. If there are Traits that ``resist``, the target rolls them against it.
    """

    traits: tuple[str, ...]
    difficulty: int | None = None
    difficulty_of: tuple[str, ...] = ()
    resist: tuple[str, ...] = ()
    resist_difficulty: int | None = None

    __test__ = False  # Not a test of pytest's.


@dataclass(frozen=True, slots=True)
class Power:
    """A power, by its key; ``rule`` is the ruling that it follows.

    Somebody has it whose dots in ``trait`` are at least its ``rating``, or whose lists of named entries include the key
    ``entry`` (:attr:`rules.model.sheet.Sheet.merits`) with as many dots, if it is rated there; one with neither,
    everybody of its ``kinds`` (empty: of any). What depends on dots counts those in ``trait``, else those of the entry.
    It costs all of ``costs``; one with ``points`` takes up to that many, as the user chooses. The ``test``, if any,
    decides whether it works; not on a target with less than the user in the Trait ``spares_below``, if it has that
    Trait. It raises Traits to the ``ceiling`` of its user at most. It ``lasts`` a number of ``turns`` (times what
    ``turns_per`` says) or of ``hours``; the turn in which it is used counts, except for one that lasts ``beyond`` it.
    One that is ``frail`` ends when the one it affects is hurt. One of a house rule exists only where that ``setting``
    is on.
    """

    key: str
    label: str
    rule: str
    source: Source
    effects: tuple[Effect, ...]
    trait: str = ""
    entry: str = ""
    rating: int = 1
    kinds: frozenset[str] = frozenset()
    timing: Timing = Timing.ACTION
    costs: tuple[Cost, ...] = ()
    points: int = 0
    test: Test | None = None
    reach: Reach = Reach.SELF
    lasts: Lasts = Lasts.SCENE
    turns: int = 1
    turns_per: Per = Per.ONCE
    beyond: bool = False
    hours: int = 0
    frail: bool = False
    notice: Notice = Notice.SEEN
    setting: str = ""
    spares_below: str = ""
    ceiling: Callable[[Sheet, Layout], int] | None = field(default=None, compare=False)

    def is_had_by(self, sheet: Sheet, layout: Layout) -> bool:
        """Whether somebody has it."""
        if self.kinds and layout.likes.get(sheet.kind, sheet.kind) not in self.kinds:
            return False
        if not self.trait and not self.entry:
            return True
        if self.entry:
            return self.entry in sheet.merits and self._entered(sheet) >= self.rating
        return layout.bare(sheet, self.trait) >= self.rating

    def dots(self, sheet: Sheet, layout: Layout) -> int:
        """The dots that somebody has in it: its Trait's, else its entry's, else its own rating."""
        return layout.bare(sheet, self.trait) if self.trait else self._entered(sheet)

    def _entered(self, sheet: Sheet) -> int:
        """The dots of its entry; one that the sheet doesn't rate has as many as it needs."""
        return sheet.rated.get(self.entry, self.rating)

    def settled(self, sheet: Sheet, layout: Layout, successes: int = 0, points: int = 0) -> tuple[Effect, ...]:
        """Its effects as somebody uses it with so many successes, with the amounts worked out."""
        rating, own = self.dots(sheet, layout), self._entered(sheet) if self.entry else self.dots(sheet, layout)
        meant = (each for each in self.effects if each.needs <= successes and each.least <= own)
        settled = tuple(each.settled(rating, successes, points) for each in meant)
        if self.ceiling is None:
            return settled
        most = self.ceiling(sheet, layout)
        return tuple(replace(each, most=most) if each.does is Does.TRAIT else each for each in settled)

    def spares(self, user: Sheet, target: Sheet, layout: Layout) -> bool:
        """Whether it has no effect on a target because of the Trait in which that one has less than the user."""
        key = self.spares_below
        if not key or all(trait.key != key for trait in layout.traits_for(target.kind)):
            return False
        return layout.bare(target, key) < layout.bare(user, key)

    def in_effect(self, effects: Iterable[Effect], *, turn: int = 0, hours: int = 0, by: str = "") -> InEffect:
        """It, in effect with these effects until a turn ends or hours have passed."""
        lasting = tuple(each for each in effects if each.does not in AT_ONCE)
        return InEffect(self.key, self.label, self.rule, lasting, self.lasts, turn, hours, by, self.notice, self.frail)

    def chosen(self) -> tuple[str, ...]:
        """The Traits of which the user chooses one, none if there is no choice."""
        return next((tuple(sorted(each.traits)) for each in self.effects if _leaves_choice(each)), ())

    def choosing(self, effects: Iterable[Effect], trait: str) -> tuple[Effect, ...]:
        """The effects with that choice made."""
        return tuple(
            Effect(Does.TRAIT, each.amount, traits=frozenset({trait}), most=each.most, on_target=each.on_target)
            if _leaves_choice(each)
            else each
            for each in effects
        )


def _leaves_choice(effect: Effect) -> bool:
    return effect.does is Does.TRAIT and len(effect.traits) > 1


def always_on(power: Power, sheet: Sheet, layout: Layout) -> InEffect | None:
    """A power that is always on, as it affects somebody; ``None`` for those who don't have it."""
    return power.in_effect(power.settled(sheet, layout)) if power.is_had_by(sheet, layout) else None


def lifted(layout: Layout, powers: Iterable[Power]) -> Layout:
    """The layout with those of these powers that raise Traits and are always on."""
    raising = (each for each in powers if any(effect.does is Does.TRAIT for effect in each.effects))
    always = tuple(partial(always_on, each) for each in raising if each.timing is Timing.ALWAYS)
    return replace(layout, always=always) if always or layout.always else layout


@dataclass(frozen=True, slots=True)
class PowersInPlay:
    """The powers that a system plays with its house rules, and what those in effect make of pools."""

    all: tuple[Power, ...]
    layout: Layout
    always: tuple[Power, ...] = field(init=False)
    """Those that are always on."""

    def __post_init__(self) -> None:
        on = tuple(each for each in self.all if each.timing is Timing.ALWAYS)
        object.__setattr__(self, "always", on)

    def in_effect(self, sheet: Sheet) -> Iterator[InEffect]:
        """All in effect on somebody: those always on, then those used."""
        for power in self.always:
            if (one := always_on(power, sheet, self.layout)) is not None:
                yield one
        yield from sheet.powers

    def effects(self, sheet: Sheet, does: Does) -> Iterator[tuple[InEffect, Effect]]:
        """All effects of this sort on somebody, each with its power."""
        return ((one, each) for one in self.in_effect(sheet) for each in one.effects if each.does is does)

    def parts(
        self,
        sheet: Sheet,
        pool: Pool,
        traits: Iterable[str] = (),
        mode: Mode | None = None,
        damage: Damage | None = None,
        prefix: str = "power",
        tags: frozenset[str] = frozenset(),
    ) -> tuple[Part, ...]:
        """What the powers in effect on somebody add to a pool of theirs, a part for each effect."""
        if not self.always and not sheet.powers:
            return ()
        asked = frozenset(traits)
        return tuple(
            _part(one, each, f"{prefix}:{one.key}")
            for one in self.in_effect(sheet)
            for each in one.effects
            if each.counts(pool, asked, mode, damage, tags)
        )

    def lifted(self, sheet: Sheet) -> frozenset[str]:
        """The keys of the parts that hinder somebody no longer, thanks to what powers let them see."""
        if not self.always and not sheet.powers:
            return frozenset()
        return frozenset[str]().union(*(each.lifts for _one, each in self.effects(sheet, Does.SIGHT)))

    def sights(self, sheet: Sheet) -> tuple[Part, ...]:
        """A part without dice for each power that lifts others."""
        if not self.always and not sheet.powers:
            return ()
        return tuple(Part(f"power:{one.key}", one.label, one.rule) for one, _each in self.effects(sheet, Does.SIGHT))

    def eased(self, sheet: Sheet, penalty: Part) -> tuple[Part, ...]:
        """A penalty's part, followed by the dice that powers give back."""
        found, left = [penalty], -penalty.dice
        if self.always or sheet.powers:
            for one, each in self.effects(sheet, Does.EASE):
                if penalty.key in each.lifts and (back := min(each.amount, left)) > 0:
                    left -= back
                    found.append(Part(f"{EASED}{penalty.key}:{one.key}", one.label, one.rule, dice=back))
        return tuple(found)

    def amount(self, sheet: Sheet, pool: Pool) -> int:
        """The dice that powers add to a rating that is not made of parts, such as initiative."""
        return sum(part.dice for part in self.parts(sheet, pool))


def _part(power: InEffect, effect: Effect, key: str) -> Part:
    def amount(does: Does) -> int:
        return effect.amount if effect.does is does else 0

    dice, difficulty, successes = map(amount, (Does.DICE, Does.DIFFICULTY, Does.SUCCESSES))
    return Part(key, power.label, power.rule, dice, difficulty, successes=successes)
