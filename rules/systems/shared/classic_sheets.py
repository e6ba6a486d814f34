"""What sheets of the classic family have in common: nine Attributes, thirty Abilities, Willpower, blood."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.phrases import Phrase, names, phrase
from rules.model.gear import Damage, Mode, Weapon
from rules.model.options import Option, OptionKind, figure, switch
from rules.model.presets import parse_preset
from rules.model.shapes import Shape
from rules.model.sheet import Category, Group, Layout, Resource, Section, Trait
from rules.systems.shared.layouts import abilities, traits
from rules.topics.health.boxes import CLASSIC_LEVELS


def abilities_section(
    talents: tuple[Phrase, ...], skills: tuple[Phrase, ...], knowledges: tuple[Phrase, ...]
) -> Section:
    """Abilities of zero to five dots, under their three headings."""
    groups = (
        abilities(phrase("Talents"), talents),
        abilities(phrase("Skills"), skills),
        abilities(phrase("Knowledges"), knowledges),
    )
    return Section("abilities", phrase("Abilities"), groups)


def virtues(labels: tuple[Phrase, ...]) -> Section:
    """Virtues of one to five dots."""
    return Section("virtues", phrase("Virtues"), (Group("", traits(Category.VIRTUE, labels, minimum=1)),))


ATTRIBUTES = Section(
    "attributes",
    phrase("Attributes"),
    (
        Group(phrase("Physical"), traits(Category.ATTRIBUTE, names("Strength, Dexterity, Stamina"), default=1)),
        Group(phrase("Social"), traits(Category.ATTRIBUTE, names("Charisma, Manipulation, Appearance"), default=1)),
        Group(phrase("Mental"), traits(Category.ATTRIBUTE, names("Perception, Intelligence, Wits"), default=1)),
    ),
)

WILLPOWER = Trait("willpower", phrase("Willpower"), Category.TEN_DOT, maximum=10, start=3)

BLOOD_BY_GENERATION = {4: 50, 5: 40, 6: 30, 7: 20, 8: 15, 9: 14, 10: 13, 11: 12, 12: 11}
"""The most blood points by generation; ten for anyone further from the first vampire."""

BLOOD_A_TURN = {4: 10, 5: 8, 6: 6, 7: 4, 8: 3, 9: 2}
"""The most blood points spent in one turn by generation; one for anyone further from the first vampire."""

BLOODED = frozenset({"vampire", "ghoul"})

GENERATION = Section(
    "blood",
    phrase("Blood"),
    (Group("", (Trait("generation", phrase("Generation"), Category.FACT, 4, 15, 13, dotted=False),)),),
    frozenset({"vampire"}),
)

BLOOD = Resource(
    "blood",
    phrase("Blood pool"),
    lambda traits: BLOOD_BY_GENERATION.get(traits["generation"], 10),
    BLOODED,
    ("blood_pool", "blood_points"),
    per_turn=lambda traits: BLOOD_A_TURN.get(traits["generation"], 1),
)

POINTS_OF_WILL = Resource(
    "willpower", phrase("Willpower"), lambda traits: traits["willpower"], per_turn=lambda traits: 1
)


def garou_shapes(rule: str) -> tuple[Shape, ...]:
    """The five shapes of a Garou under a ruleset's own rule."""

    claws = _natural("claws", 2)

    def teeth(rating: int) -> Weapon:
        return replace(_natural("teeth", rating), difficulty=5)

    return (
        Shape("homid", phrase("Homid"), rule),
        Shape("glabro", phrase("Glabro"), rule, {"strength": 2, "stamina": 2, "manipulation": -1, "appearance": -1}),
        Shape(
            "crinos",
            phrase("Crinos"),
            rule,
            {"strength": 4, "dexterity": 1, "stamina": 3, "manipulation": -3},
            {"appearance": 0},
            (claws, teeth(1)),
        ),
        Shape(
            "hispo",
            phrase("Hispo"),
            rule,
            {"strength": 3, "dexterity": 2, "stamina": 3, "manipulation": -3},
            weapons=(claws, teeth(2)),
        ),
        Shape(
            "lupus",
            phrase("Lupus"),
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
        phrase("Ready-made rolls of this chronicle"),
        OptionKind.LINES,
        (),
        rule,
        phrase(
            "One roll a line, such as “{example}”. In place of the figure, “against Perception + "
            "Alertness” or “resisted by Wits + Alertness”.",
            example=example,
        ),
        check=lambda line: parse_preset(line, layout),
    )


def dice_options(ones: str, limits: str) -> tuple[Option, ...]:
    """What 1s do besides, under one rule, and between what every difficulty stays, under another."""
    return (
        switch(
            "ones_cancel_damage_and_soak",
            phrase("1s cancel on damage and soak"),
            ones,
            phrase("Otherwise a 1 takes nothing off there; on every other roll it always does."),
            default=True,
        ),
        *difficulty_limits(limits),
    )


def difficulty_limits(rule: str) -> tuple[Option, ...]:
    """Between what every difficulty stays."""
    return (
        figure("lowest_difficulty", phrase("Lowest difficulty"), 2, rule, 6, 2),
        figure("highest_difficulty", phrase("Highest difficulty"), 10, rule, 10, 6),
    )


def initiative_every_turn(rule: str, *, default: bool) -> Option:
    """Whether initiative is rolled anew each turn."""
    text = phrase("Otherwise it lasts for the fight.")
    return switch("initiative_every_turn", phrase("Initiative anew each turn"), rule, text, default=default)


def fire_options(circumstances: str, bursts: str) -> tuple[Option, ...]:
    """The figures of circumstances, and those of bursts and scopes."""
    return (
        figure("long_range_difficulty", phrase("Difficulty more at long range"), 2, circumstances, 8),
        figure("point_blank_difficulty", phrase("Difficulty at point blank"), 4, circumstances, 10, 2),
        figure("cramped_difficulty", phrase("Difficulty more in cramped quarters"), 1, circumstances, 8),
        figure("burst_dice", phrase("Dice more for a three-round burst"), 2, bursts, 20),
        figure("burst_difficulty", phrase("Difficulty more for a three-round burst"), 1, bursts, 8),
        figure("full_auto_dice", phrase("Dice more on full automatic"), 10, bursts, 20),
        figure("full_auto_difficulty", phrase("Difficulty more on full automatic"), 2, bursts, 8),
        figure("scope_dice", phrase("Dice more for a scope at long range"), 2, bursts, 20),
    )


def defence_options(defence: str, several: str) -> tuple[Option, ...]:
    """How hard it is to defend, and to fight many."""
    return (
        figure("defence_difficulty", phrase("Difficulty of dodge, parry and block"), 6, defence, 10, 2),
        figure("several_attackers_most", phrase("Most difficulty that several attackers bring"), 4, several, 8),
    )


def mortals_soak_lethal(rule: str) -> Option:
    """Whether those who soak bashing damage alone soak lethal damage too."""
    return switch(
        "mortals_soak_lethal",
        phrase("Mortals soak lethal damage"),
        rule,
        phrase("With Stamina, as they soak bashing damage."),
    )


def health_levels(rule: str) -> Option:
    """The table of health levels."""
    return Option(
        "health_levels",
        phrase("Health levels"),
        OptionKind.LEVELS,
        CLASSIC_LEVELS,
        rule,
        phrase(
            "One level a line: its name and the dice it takes from every action. The last, "
            "without a figure, is out of action."
        ),
    )


def healing_options(rule: str) -> tuple[Option, ...]:
    """How long the levels of the living take to heal, and what the dead pay."""
    most = 24 * 365
    return (
        figure("hours_bashing", phrase("Hours for a bashing level"), 1, rule, most, 1),
        figure("hours_light", phrase("Hours for a graver level up to Injured"), 24, rule, most, 1),
        figure("hours_wounded", phrase("Hours for a level at Wounded"), 3 * 24, rule, most, 1),
        figure("hours_mauled", phrase("Hours for a level at Mauled"), 7 * 24, rule, most, 1),
        figure("hours_crippled", phrase("Hours for a level at Crippled"), 30 * 24, rule, most, 1),
        figure("hours_incapacitated", phrase("Hours for a level at Incapacitated"), 90 * 24, rule, most, 1),
        figure("blood_per_aggravated", phrase("Blood points for an aggravated level"), 5, rule, 50, 1),
    )
