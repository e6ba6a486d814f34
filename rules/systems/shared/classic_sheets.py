"""Shared sheet definitions of the classic family: nine Attributes, thirty Abilities, Willpower, blood."""

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

UNUSED_WEAPON_COLUMNS = frozenset(
    {
        *("range_medium", "range_long", "size", "strength", "initiative", "again", "defense", "armor_piercing"),
        *("two_handed", "committed", "aerodynamic"),
    }
)
UNUSED_ARMOR_COLUMNS = frozenset({"ballistic", "strength", "defense", "speed", "covers", "power"})
"""What the classic rules don't ask of weapons and armour."""


ANNIVERSARY = "anniversary_abilities"
"""The house rule that adds the Abilities of the anniversary editions."""


def abilities_section(
    talents: tuple[Phrase, ...],
    skills: tuple[Phrase, ...],
    knowledges: tuple[Phrase, ...],
    added: frozenset[str] = frozenset(),
) -> Section:
    """Abilities of zero to five dots, under their three headings; ``added`` are those of the anniversary edition."""
    groups = (
        abilities(phrase("talents"), talents),
        abilities(phrase("skills"), skills),
        abilities(phrase("knowledges"), knowledges),
    )

    def marked(group: Group) -> Group:
        return replace(
            group, traits=tuple(replace(each, setting=ANNIVERSARY * (each.key in added)) for each in group.traits)
        )

    return Section("abilities", phrase("abilities"), tuple(map(marked, groups)))


def anniversary_abilities(rule: str) -> Option:
    """Whether sheets have the Abilities of the anniversary edition too."""
    return switch(
        ANNIVERSARY,
        phrase("abilities-of-anniversary-edition"),
        rule,
        phrase("if-off-sheets-keep-those-with-dots"),
    )


VAMPIRES = frozenset({"vampire"})
GAROU = frozenset({"garou"})

_OF_PATHS = {"conscience": phrase("conscience-or-conviction"), "self_control": phrase("self-control-or-instinct")}


def virtues(kinds: frozenset[str] = frozenset()) -> Section:
    """Virtues of one to five dots. A vampire on a Path may have Conviction and Instinct in place of two of them."""
    every = traits(Category.VIRTUE, names("conscience, self-control, courage"), minimum=1)
    called = (replace(each, called={"vampire": _OF_PATHS[each.key]} if each.key in _OF_PATHS else {}) for each in every)
    return Section("virtues", phrase("virtues"), (Group("", tuple(called)),), kinds)


HUMANITY = Trait(
    "humanity",
    phrase("humanity"),
    Category.TEN_DOT,
    maximum=10,
    start=7,
    called={"vampire": phrase("humanity-or-path")},
)
"""As on the printed sheets, one rating for both; the identity names the Path."""

SPIRIT = Section(
    "spirit",
    phrase("spirit"),
    (
        Group(
            "",
            (
                Trait("rage", phrase("rage"), Category.TEN_DOT, maximum=10, start=3),
                Trait("gnosis", phrase("gnosis"), Category.TEN_DOT, maximum=10, start=3),
            ),
        ),
    ),
    GAROU,
)

RENOWN = Section(
    "renown",
    phrase("renown"),
    (
        Group(
            "",
            (
                *(replace(each, maximum=10) for each in traits(Category.TEN_DOT, names("glory, honor, wisdom"))),
                Trait("rank", phrase("rank"), Category.FACT, maximum=6, dotted=False, start=1),
            ),
        ),
    ),
    GAROU,
)
"""Permanent Renown, and the Rank from 0 (a cub) to 6 (a legend)."""


ATTRIBUTES = Section(
    "attributes",
    phrase("attributes"),
    (
        Group(phrase("physical"), traits(Category.ATTRIBUTE, names("strength, dexterity, stamina-label"), default=1)),
        Group(phrase("social"), traits(Category.ATTRIBUTE, names("charisma, manipulation, appearance"), default=1)),
        Group(phrase("mental"), traits(Category.ATTRIBUTE, names("perception, intelligence, wits"), default=1)),
    ),
)

CLASSIC_SPECIAL = frozenset({Category.ATTRIBUTE, Category.ABILITY})
"""What can have specialties."""

WILLPOWER = Trait("willpower", phrase("willpower"), Category.TEN_DOT, maximum=10, start=3)

BLOOD_BY_GENERATION = {4: 50, 5: 40, 6: 30, 7: 20, 8: 15, 9: 14, 10: 13, 11: 12, 12: 11}
"""Maximum blood points by generation; ten for any higher generation."""

BLOOD_A_TURN = {4: 10, 5: 8, 6: 6, 7: 4, 8: 3, 9: 2}
"""Maximum blood points spent per turn by generation; one for any higher generation."""

BLOODED = frozenset({"vampire", "ghoul"})

GENERATION = Section(
    "blood",
    phrase("blood-label"),
    (Group("", (Trait("generation", phrase("generation"), Category.FACT, 4, 15, 13, dotted=False),)),),
    frozenset({"vampire"}),
)

BLOOD = Resource(
    "blood",
    phrase("blood-pool"),
    lambda traits: BLOOD_BY_GENERATION.get(traits["generation"], 10),
    BLOODED,
    ("blood_pool", "blood_points"),
    per_turn=lambda traits: BLOOD_A_TURN.get(traits["generation"], 1),
)

POINTS_OF_WILL = Resource(
    "willpower", phrase("willpower"), lambda traits: traits["willpower"], per_turn=lambda traits: 1
)


def garou_shapes(rule: str) -> tuple[Shape, ...]:
    """The five shapes of a Garou, citing a ruleset's own rule."""

    claws = _natural("claws", 2)

    def teeth(rating: int) -> Weapon:
        return replace(_natural("teeth", rating), difficulty=5)

    return (
        Shape("homid", phrase("homid"), rule),
        Shape("glabro", phrase("glabro"), rule, {"strength": 2, "stamina": 2, "manipulation": -1, "appearance": -1}),
        Shape(
            "crinos",
            phrase("crinos"),
            rule,
            {"strength": 4, "dexterity": 1, "stamina": 3, "manipulation": -3},
            {"appearance": 0},
            (claws, teeth(1)),
        ),
        Shape(
            "hispo",
            phrase("hispo"),
            rule,
            {"strength": 3, "dexterity": 2, "stamina": 3, "manipulation": -3},
            weapons=(claws, teeth(2)),
        ),
        Shape(
            "lupus",
            phrase("lupus"),
            rule,
            {"strength": 1, "dexterity": 2, "stamina": 2, "manipulation": -3},
            weapons=(teeth(1),),
        ),
    )


def _natural(name: str, rating: int) -> Weapon:
    return Weapon(name, Mode.UNARMED, rating, "strength", Damage.AGGRAVATED, tags=frozenset({name}))


def own_rolls(layout: Layout, rule: str, example: str) -> Option:
    """The house rule for a chronicle's own ready-made rolls, one per line, under ``rule``."""
    return Option(
        "own_rolls",
        phrase("ready-made-rolls"),
        OptionKind.LINES,
        (),
        rule,
        phrase(
            "one-roll-per-line-for-example",
            example=example,
        ),
        reads=lambda line, played: parse_preset(line, played or layout),
    )


def dice_options(ones: str, limits: str) -> tuple[Option, ...]:
    """House rules for the effect of 1s under one rule, and for the range of difficulties under another."""
    return (
        switch(
            "ones_cancel_damage_and_soak",
            phrase("1s-cancel-successes-on-damage-and-soak"),
            ones,
            phrase("if-off-1s-cancel-nothing-on-damage"),
            default=True,
        ),
        *difficulty_limits(limits),
    )


def difficulty_limits(rule: str) -> tuple[Option, ...]:
    """The range of permitted difficulties."""
    return (
        figure("lowest_difficulty", phrase("minimum-difficulty"), 2, rule, 6, 2),
        figure("highest_difficulty", phrase("maximum-difficulty"), 10, rule, 10, 6),
    )


def initiative_every_turn(rule: str, *, default: bool) -> Option:
    """Whether initiative is rolled again each turn."""
    text = phrase("if-off-it-lasts-for-whole-fight")
    return switch("initiative_every_turn", phrase("roll-initiative-every-turn"), rule, text, default=default)


def fire_options(circumstances: str, bursts: str) -> tuple[Option, ...]:
    """House rules for the values of circumstances, bursts and scopes."""
    return (
        figure("long_range_difficulty", phrase("long-range-difficulty-increase"), 2, circumstances, 8),
        figure("point_blank_difficulty", phrase("point-blank-difficulty"), 4, circumstances, 10, 2),
        figure("cramped_difficulty", phrase("cramped-quarters-difficulty-increase"), 1, circumstances, 8),
        figure("burst_dice", phrase("extra-dice-for-three-round-burst"), 2, bursts, 20),
        figure("burst_difficulty", phrase("three-round-burst-difficulty-increase"), 1, bursts, 8),
        figure("full_auto_dice", phrase("extra-dice-on-full-automatic"), 10, bursts, 20),
        figure("full_auto_difficulty", phrase("full-automatic-difficulty-increase"), 2, bursts, 8),
        figure("scope_dice", phrase("extra-dice-for-scope-at-long-range"), 2, bursts, 20),
    )


def defence_options(defence: str, several: str) -> tuple[Option, ...]:
    """House rules for the difficulty of defending and of fighting several opponents."""
    return (
        figure("defence_difficulty", phrase("difficulty-to-dodge-parry-and-block"), 6, defence, 10, 2),
        figure("several_attackers_most", phrase("maximum-penalty-for-multiple-attackers"), 4, several, 8),
    )


def mortals_soak_lethal(rule: str) -> Option:
    """Whether those who otherwise soak only bashing damage soak lethal damage too."""
    return switch(
        "mortals_soak_lethal",
        phrase("mortals-soak-lethal-damage"),
        rule,
        phrase("with-stamina-as-for-bashing-damage"),
    )


def health_levels(rule: str) -> Option:
    """The table of health levels."""
    return Option(
        "health_levels",
        phrase("health-levels"),
        OptionKind.LEVELS,
        CLASSIC_LEVELS,
        rule,
        phrase("one-level-per-line-its-name"),
    )


def healing_options(rule: str) -> tuple[Option, ...]:
    """House rules for the healing times of the living and the healing costs of the dead."""
    most = 24 * 365
    return (
        figure("hours_bashing", phrase("hours-to-heal-bashing-level"), 1, rule, most, 1),
        figure("hours_light", phrase("hours-to-heal-lethal-or-aggravated-level"), 24, rule, most, 1),
        figure("hours_wounded", phrase("hours-to-heal-level-at-wounded"), 3 * 24, rule, most, 1),
        figure("hours_mauled", phrase("hours-to-heal-level-at-mauled"), 7 * 24, rule, most, 1),
        figure("hours_crippled", phrase("hours-to-heal-level-at-crippled"), 30 * 24, rule, most, 1),
        figure("hours_incapacitated", phrase("hours-to-heal-level-at-incapacitated"), 90 * 24, rule, most, 1),
        figure("blood_per_aggravated", phrase("blood-points-to-heal-aggravated-level"), 5, rule, 50, 1),
    )
