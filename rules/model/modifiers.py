"""Circumstances that change a pool or its difficulty, each picked by key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from rules.engine.inputs import Wanted
from rules.engine.phrases import phrase, separated
from rules.engine.violations import bad_input
from rules.model.choices import Figure, Modifier
from rules.model.gear import Mode, Weapon
from rules.model.plan import Part

ANY_MODE = frozenset(Mode)
RANGED = frozenset({Mode.FIREARM, Mode.THROWN, Mode.ARCHERY})
GUNS = frozenset({Mode.FIREARM})


MOST_MODIFIERS = 20


class Use(StrEnum):
    """What sort of pool a circumstance changes."""

    ATTACK = "attack"
    DEFENCE = "defence"
    ROLL = "roll"


EVERYWHERE = frozenset(Use)
FIGHTING = frozenset({Use.ATTACK, Use.DEFENCE})
ATTACKS = frozenset({Use.ATTACK})


class Band(StrEnum):
    """How far off a target is, as the weapon sees it."""

    CLOSE = "close"
    POINT_BLANK = "point_blank"
    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"
    BEYOND = "beyond"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a modifier may look at.

    ``base`` is the difficulty before any change; ``rule`` is the rule for the Storyteller's own numbers here, if it
    differs from the attack's. ``conditions`` are those of the roller, ``settings`` the chronicle's house rules.
    ``weapon`` is what the attack is made with, ``perception`` the attacker's; the target may be ``moving``.
    ``specialties`` are those that the roller has in the pool's Traits.
    """

    band: Band = Band.CLOSE
    base: int = 6
    rule: str = ""
    use: Use = Use.ATTACK
    conditions: frozenset[str] = frozenset()
    settings: Mapping[str, Any] = field(default_factory=dict)
    weapon: Weapon | None = None
    perception: int = 0
    moving: bool = False
    specialties: tuple[str, ...] = ()


Figures = Mapping[str, Figure]
Effect = Callable[["ModifierRule", Figures, Circumstances], tuple[Part, ...]]


@dataclass(frozen=True, slots=True)
class ModifierRule:
    """One circumstance that a ruleset knows.

    ``figures`` are the keys of its values, ``wanted`` the inputs of its form: one without any is a checkbox, one with
    some is chosen by filling one in, so its effect must handle missing values. ``uses`` are the pools it changes,
    ``modes`` the attacks it applies to. Only one that ``repeats`` counts more than once. ``rounds`` is how many rounds
    it fires (0: not stated; -1: all that are loaded), ``aims_at`` the part of the body it aims at. One that is not
    ``offered`` is known to scenario files, not to forms. ``damage`` is what it adds to a hit's damage, in dice or
    outright levels. Only one of a ``group`` can be chosen; one that ``includes`` another counts in its place. ``costs``
    is the resource from which it takes a point. It is offered only for weapons that it ``fits``; ``storytellers``: only
    to the Storyteller. One of a house rule exists only where that ``setting`` is on, and one that a house rule replaces
    only where that one is off (``unless``). A hit with one that is ``harmless`` does no damage.
    """

    key: str
    label: str
    rule: str
    effect: Effect
    figures: tuple[str, ...] = ()
    uses: frozenset[Use] = ATTACKS
    modes: frozenset[Mode] = ANY_MODE
    repeats: bool = False
    aliases: tuple[str, ...] = ()
    rounds: int = 0
    aims_at: str = ""
    offered: bool = True
    damage: int = 0
    group: str = ""
    includes: frozenset[str] = frozenset()
    costs: str = ""
    wanted: tuple[Wanted, ...] = ()
    several: bool = False
    fits: Callable[[Weapon], bool] | None = None
    storytellers: bool = False
    setting: str = ""
    unless: str = ""
    harmless: bool = False

    @property
    def reserved(self) -> bool:
        """Whether only the Storyteller picks it."""
        return self.storytellers or self.key in STORYTELLERS

    @property
    def takes(self) -> frozenset[str]:
        """The names of all its values."""
        return frozenset(self.figures) | {each.key for each in self.wanted}


def number(figures: Figures, name: str, *, least: int = -20, most: int = 20) -> int:
    """A whole number among the values; raises "input" if it is missing, not a number or too large."""
    value = figures.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise bad_input(phrase("enter-whole-number-from-to", name=name, least=least, most=most))
    return value


def fixed(dice: int = 0, difficulty: int = 0) -> Effect:
    """The effect of a circumstance that always counts the same."""

    def effect(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
        return (Part(rule.key, rule.label, rule.rule, dice, difficulty),)

    return effect


def sure(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """The effect of what is a success without a die."""
    return (Part(rule.key, rule.label, rule.rule, successes=1),)


def willpower(cites: Mapping[str, str], effect: Effect, uses: frozenset[Use]) -> dict[str, ModifierRule]:
    """What a point of Willpower does for one pool, where a ruleset has a rule for it (MQ-WILL-1, WD-WILL-1)."""
    rule = cites.get("willpower")
    if rule is None:
        return {}
    return {"willpower": ModifierRule("willpower", phrase("willpower"), rule, effect, uses=uses, costs="willpower")}


def _with_reason(rule: ModifierRule, figures: Figures) -> str:
    why = str(figures.get("why", "")).strip()
    return why[:80] if why else rule.label


def _by(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    steps = number(figures, "by", least=-9, most=9)
    return (Part(rule.key, _with_reason(rule, figures), seen.rule or rule.rule, difficulty=steps),)


def _extra_dice(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    return (Part(rule.key, _with_reason(rule, figures), seen.rule or rule.rule, dice=number(figures, "dice")),)


def nothing(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """The effect of what changes no pool of its own."""
    return ()


def said_by_storyteller(rule: str) -> tuple[ModifierRule, ModifierRule]:
    """What the Storyteller says of any pool, with a reason: steps of difficulty, and dice."""
    return (
        ModifierRule("difficulty", phrase("difficulty"), rule, _by, ("by", "why"), EVERYWHERE, repeats=True),
        ModifierRule(
            "circumstance", phrase("circumstance"), rule, _extra_dice, ("dice", "why"), EVERYWHERE, repeats=True
        ),
    )


# ------------------------------------------------------------------ whose they are to pick

STORYTELLERS = frozenset(
    {"difficulty", "circumstance", "ambush", "past_armor", "surprise", "different_effect", "adds_up"}
)
"""Circumstances that hold any value, or that only the Storyteller brings about."""


@dataclass(frozen=True, slots=True)
class Modifiers:
    """The circumstances that a system knows, by key, with its name and its settings.

    Those whose house rule is on are ``played``; the words of the others are kept for logs.
    """

    rules: Mapping[str, ModifierRule]
    system: str
    settings: Mapping[str, Any]
    played: Mapping[str, ModifierRule] = field(init=False, repr=False)
    _named: Mapping[str, ModifierRule] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        on = {key: each for key, each in self.rules.items() if self._plays(each)}
        object.__setattr__(self, "played", on)
        # The first that has a name keeps it, as a key or an alias; those that are played come before the others.
        known = sorted(self.rules.values(), key=lambda rule: rule.key not in on)
        named = ((name, rule) for rule in reversed(known) for name in (*rule.aliases, rule.key))
        object.__setattr__(self, "_named", dict(named))

    def _plays(self, rule: ModifierRule) -> bool:
        off = bool(rule.setting) and not self.settings.get(rule.setting)
        return not off and not (rule.unless and self.settings.get(rule.unless))

    def rule(self, key: str) -> ModifierRule:
        """The circumstance of that key or alias; raises "input" where none is played."""
        if key not in self._named or self._named[key].key not in self.played:
            raise bad_input(phrase("has-no-circumstance-called", ruleset=self.system, key=key))
        return self._named[key]

    def in_words(self, modifier: Modifier) -> str:
        """A circumstance with its values: "Aim (2)"; an unknown one by its key."""
        known = self._named.get(modifier.key)
        label = known.label if known else modifier.key
        figures = [str(each) for each in modifier.figures.values() if each != "" and not isinstance(each, bool)]
        if not figures:
            return label
        return phrase("circumstance-figures", circumstance=label, figures=separated(figures, ", "))

    def check(self, modifiers: Sequence[Modifier], use: Use, mode: Mode | None = None) -> None:
        """Refuse ("input") what the system does not know, or knows only elsewhere, and what is picked twice."""
        if len(modifiers) > MOST_MODIFIERS:
            raise bad_input(phrase("choose-at-most-circumstances", most_modifiers=MOST_MODIFIERS))
        picked: set[str] = set()
        for modifier in modifiers:
            rule = self.rule(modifier.key)
            if use not in rule.uses:
                raise bad_input(phrase("doesnt-apply-here", label=rule.label))
            if mode is not None and mode not in rule.modes:
                raise bad_input(phrase("doesnt-work-with-this-weapon", label=rule.label))
            if rule.key in picked and not rule.repeats:
                raise bad_input(phrase("is-chosen-twice", label=rule.label))
            picked.add(rule.key)
        self._check_groups(modifiers)

    def _check_groups(self, modifiers: Iterable[Modifier]) -> None:
        """Refuse ("input") two of a group."""
        groups: dict[str, str] = {}
        for modifier in self.counting(modifiers):
            rule = self.rule(modifier.key)
            if rule.group and groups.setdefault(rule.group, rule.key) != rule.key:
                other = self.rules[groups[rule.group]].label
                raise bad_input(phrase("and-cant-be-combined", other=other, label=rule.label))

    def counting(self, modifiers: Iterable[Modifier]) -> tuple[Modifier, ...]:
        """The modifiers without those that another of them includes."""
        modifiers = tuple(modifiers)
        included = {key for modifier in modifiers for key in self.rule(modifier.key).includes}
        return tuple(modifier for modifier in modifiers if self.rule(modifier.key).key not in included)

    def parts(self, modifiers: Iterable[Modifier], seen: Circumstances) -> tuple[Part, ...]:
        """The pool parts of the modifiers; raises "input" for unknown ones and invalid values."""
        picked = self.counting(modifiers)
        if not picked:
            return ()
        parts: list[Part] = []
        seen = replace(seen, settings=self.settings)
        for modifier in picked:
            rule = self.rule(modifier.key)
            same = sum(part.key.partition(":")[0] == rule.key for part in parts)
            effect = rule.effect(rule, modifier.figures, seen)
            parts.extend(replace(part, key=f"{part.key}:{same + 1}") if same else part for part in effect)
        return tuple(parts)

    def figures_of(self, modifiers: Iterable[Modifier], key: str) -> Figures | None:
        """The values of the first modifier with this ``key`` (or an alias), ``None`` if there is none."""
        return next((each.figures for each in modifiers if self.rule(each.key).key == key), None)

    def damage_parts(self, modifiers: Iterable[Modifier]) -> tuple[Part, ...]:
        """What the modifiers add to a hit's damage."""
        rules = (self.rule(modifier.key) for modifier in self.counting(modifiers))
        return tuple(Part(rule.key, rule.label, rule.rule, dice=rule.damage) for rule in rules if rule.damage)

    def harmless(self, modifiers: Iterable[Modifier]) -> ModifierRule | None:
        """The circumstance because of which a hit does no damage, if there is one."""
        return next((rule for rule in (self.rule(each.key) for each in modifiers) if rule.harmless), None)

    def costs(self, modifiers: Iterable[Modifier]) -> tuple[str, ...]:
        """The resources of which the circumstances cost a point each."""
        rules = (self.rule(modifier.key) for modifier in modifiers)
        return tuple(rule.costs for rule in rules if rule.costs)

    def free(self, modifiers: Iterable[Modifier]) -> tuple[Modifier, ...]:
        """The circumstances that cost nothing."""
        return tuple(each for each in modifiers if not self.rule(each.key).costs)

    def are_reserved(self, picked: Iterable[Modifier]) -> bool:
        """Whether one of these circumstances is only the Storyteller's to pick."""
        return any(each.key in STORYTELLERS or self._is_reserved(each) for each in picked)

    def _is_reserved(self, modifier: Modifier) -> bool:
        rule = self._named.get(modifier.key)
        if rule is None:
            return False
        return rule.reserved or any(each.storytellers and each.key in modifier.figures for each in rule.wanted)
