"""What sheets of the classic family have in common: nine Attributes, thirty Abilities, Willpower, blood."""

from __future__ import annotations

from dataclasses import replace

from rules.gear import Damage, Mode, Weapon
from rules.options import Option, OptionKind
from rules.presets import parse_preset
from rules.shapes import Shape
from rules.sheet import Category, Group, Layout, Resource, Section, Trait


def _traits(category: Category, labels: str, *, minimum: int = 0, default: int | None = None) -> tuple[Trait, ...]:
    return tuple(
        Trait(
            label.lower().replace(" ", "_").replace("-", "_"),
            label,
            category,
            minimum,
            default=minimum if default is None else default,
        )
        for label in labels.split(", ")
    )


def ability_group(heading: str, labels: str) -> Group:
    """Abilities of zero to five dots under one heading, given as "Alertness, Athletics"."""
    return Group(heading, _traits(Category.ABILITY, labels))


def virtues(labels: str) -> Section:
    """Virtues of one to five dots."""
    return Section("virtues", "Virtues", (Group("", _traits(Category.VIRTUE, labels, minimum=1)),))


def powers(key: str, label: str, labels: str, kinds: frozenset[str]) -> Section:
    """Powers of zero to five dots that only some kinds have."""
    return Section(key, label, (Group("", _traits(Category.POWER, labels)),), kinds)


ATTRIBUTES = Section(
    "attributes",
    "Attributes",
    (
        Group("Physical", _traits(Category.ATTRIBUTE, "Strength, Dexterity, Stamina", default=1)),
        Group("Social", _traits(Category.ATTRIBUTE, "Charisma, Manipulation, Appearance", default=1)),
        Group("Mental", _traits(Category.ATTRIBUTE, "Perception, Intelligence, Wits", default=1)),
    ),
)

WILLPOWER = Trait("willpower", "Willpower", Category.TEN_DOT, maximum=10, start=3)

BLOOD_BY_GENERATION = {4: 50, 5: 40, 6: 30, 7: 20, 8: 15, 9: 14, 10: 13, 11: 12, 12: 11}
"""The most blood points by generation; ten for anyone further from the first vampire."""

BLOOD_A_TURN = {4: 10, 5: 8, 6: 6, 7: 4, 8: 3, 9: 2}
"""The most blood points spent in one turn by generation; one for anyone further from the first vampire."""

BLOODED = frozenset({"vampire", "ghoul"})

GENERATION = Section(
    "blood",
    "Blood",
    (Group("", (Trait("generation", "Generation", Category.FACT, 4, 15, 13, dotted=False),)),),
    frozenset({"vampire"}),
)

BLOOD = Resource(
    "blood",
    "Blood pool",
    lambda traits: BLOOD_BY_GENERATION.get(traits["generation"], 10),
    BLOODED,
    ("blood_pool", "blood_points"),
    per_turn=lambda traits: BLOOD_A_TURN.get(traits["generation"], 1),
)

POINTS_OF_WILL = Resource("willpower", "Willpower", lambda traits: traits["willpower"], per_turn=lambda traits: 1)


def garou_shapes(rule: str) -> tuple[Shape, ...]:
    """The five shapes of a Garou under a ruleset's own rule."""

    def claws(rating: int) -> Weapon:
        return _natural("claws", rating)

    def teeth(rating: int) -> Weapon:
        return replace(_natural("teeth", rating), difficulty=5)

    return (
        Shape("homid", "Homid", rule),
        Shape("glabro", "Glabro", rule, {"strength": 2, "stamina": 2, "manipulation": -1, "appearance": -1}),
        Shape(
            "crinos",
            "Crinos",
            rule,
            {"strength": 4, "dexterity": 1, "stamina": 3, "manipulation": -3},
            {"appearance": 0},
            (claws(2), teeth(1)),
        ),
        Shape(
            "hispo",
            "Hispo",
            rule,
            {"strength": 3, "dexterity": 2, "stamina": 3, "manipulation": -3},
            weapons=(claws(2), teeth(2)),
        ),
        Shape(
            "lupus",
            "Lupus",
            rule,
            {"strength": 1, "dexterity": 2, "stamina": 2, "manipulation": -3},
            weapons=(teeth(1),),
        ),
    )


def _natural(name: str, rating: int) -> Weapon:
    return Weapon(name, Mode.UNARMED, rating, "strength", Damage.AGGRAVATED, tags=frozenset({name}))


def own_rolls(layout: Layout, rule: str, example: str) -> Option:
    """The house rule by which a chronicle writes ready-made rolls of its own, a line each, under ``rule``."""
    return Option(
        "own_rolls",
        "Ready-made rolls of this chronicle",
        OptionKind.LINES,
        (),
        rule,
        f"One roll a line, such as “{example}”. In place of the figure, "
        "“against Perception + Alertness” or “resisted by Wits + Alertness”.",
        check=lambda line: parse_preset(line, layout),
    )
