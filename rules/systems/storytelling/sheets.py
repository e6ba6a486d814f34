"""Shared sheet definitions of the storytelling family: nine Attributes, twenty-four Skills, Willpower, Size."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import Phrase, names, phrase
from rules.model.gear import Damage, Mode, Weapon
from rules.model.options import Option, OptionKind, figure
from rules.model.presets import parse_preset
from rules.model.shapes import Shape
from rules.model.sheet import Category, Group, Layout, Resource, Section, Trait
from rules.systems.shared.layouts import abilities, disciplines, traits

UNUSED_WEAPON_COLUMNS = frozenset({"difficulty", "damage_from", "conceal", "committed"})
UNUSED_ARMOR_COLUMNS = frozenset({"penalty", "weight", "power"})
"""What the storytelling rules don't ask of weapons and armour."""


def _attributes(heading: str, labels: tuple[Phrase, ...]) -> Group:
    return Group(heading, traits(Category.ATTRIBUTE, labels, minimum=1, default=2))


ATTRIBUTES = Section(
    "attributes",
    phrase("attributes"),
    (
        _attributes(phrase("mental"), names("intelligence, wits, resolve")),
        _attributes(phrase("physical"), names("strength, dexterity, stamina-label")),
        _attributes(phrase("social"), names("presence, manipulation, composure")),
    ),
)

SPECIAL = frozenset({Category.ABILITY})
"""What can have specialties."""

MENTAL_SKILLS = abilities(
    phrase("mental"), names("academics, computer, crafts, investigation, medicine, occult, politics, science")
)

SKILLS = Section(
    "skills",
    phrase("skills"),
    (
        MENTAL_SKILLS,
        abilities(phrase("physical"), names("athletics, brawl, drive, firearms, larceny, stealth, survival, weaponry")),
        abilities(
            phrase("social"),
            names("animal-ken, empathy, expression, intimidation, persuasion, socialize, streetwise, subterfuge"),
        ),
    ),
)

SIZE = Trait("size", phrase("size"), Category.FACT, 1, 20, 5, dotted=False)

DRINKERS = frozenset({"vampire", "ghoul"})
WOLVES = frozenset({"garou"})

_BY_KIND = {"vampire": phrase("humanity"), "garou": phrase("harmony")}
"""What vampires and werewolves have in place of Morality or Integrity, under the same key."""

MORALITY = Trait("morality", phrase("morality"), Category.TEN_DOT, maximum=10, default=7, called=_BY_KIND)
INTEGRITY = Trait("integrity", phrase("integrity"), Category.TEN_DOT, maximum=10, default=7, called=_BY_KIND)

PRIMAL_URGE = Trait("primal_urge", phrase("primal-urge-label"), Category.TEN_DOT, maximum=10, default=1)
RANK = Trait("rank", phrase("rank"), Category.FACT, maximum=5, dotted=False, start=1)
RENOWN = Section(
    "renown",
    phrase("renown"),
    (Group("", traits(Category.RENOWN, names("cunning, glory, honor, purity, wisdom"))),),
    WOLVES,
)


def spirit(*more: Trait) -> Section:
    """A werewolf's Primal Urge, and what else belongs beside it."""
    return Section("spirit", phrase("spirit"), (Group("", (PRIMAL_URGE, *more)),), WOLVES)


DISCIPLINES = disciplines(
    names("animalism, auspex, celerity, dominate, majesty, nightmare, obfuscate, protean, resilience, vigor"),
    DRINKERS,
)

BLOOD = Section(
    "blood",
    phrase("blood-label"),
    (Group("", (Trait("blood_potency", phrase("blood-potency"), Category.POWER, maximum=10, default=1),)),),
    frozenset({"vampire"}),
)

ATTACK_TRAITS = {
    Mode.UNARMED: ("strength", "brawl"),
    Mode.MELEE: ("strength", "weaponry"),
    Mode.FIREARM: ("dexterity", "firearms"),
    Mode.ARCHERY: ("dexterity", "firearms"),
    Mode.THROWN: ("dexterity", "athletics"),
}
"""The Attribute and Skill of an attack, by the weapon's mode."""


def willpower(rule: str) -> Resource:
    """Resolve + Composure points, one per turn."""
    return Resource(
        "willpower",
        phrase("willpower"),
        lambda traits: traits["resolve"] + traits["composure"],
        per_turn=lambda traits: 1,
        rule=rule,
    )


def vitae(rule: str, most: Mapping[int, int], a_turn: Mapping[int, int]) -> Resource:
    """Blood by Blood Potency, and the maximum spent per turn; potencies missing from a table count as 1."""
    return Resource(
        "vitae",
        phrase("vitae"),
        lambda traits: most.get(traits["blood_potency"], most[1]),
        DRINKERS,
        ("blood",),
        per_turn=lambda traits: a_turn.get(traits["blood_potency"], a_turn[1]),
        rule=rule,
    )


def vitae_per_aggravated(rule: str) -> Option:
    """The house rule for what a vampire pays to heal a point of aggravated damage."""
    return figure("blood_per_aggravated", phrase("vitae-to-heal-point-of-aggravated-damage"), 5, rule, 50, 1)


def werewolf_shapes(rule: str) -> tuple[Shape, ...]:
    """The five shapes of a werewolf, citing a ruleset's own rule; keyed like those of the classic family."""

    def natural(name: str, rating: int) -> Weapon:
        return Weapon(name, Mode.UNARMED, rating, type=Damage.LETHAL, form="slashing", tags=frozenset({name}))

    return (
        Shape("homid", phrase("hishu"), rule),
        Shape("glabro", phrase("dalu"), rule, {"strength": 1, "stamina": 1, "manipulation": -1, "size": 1}),
        Shape(
            "crinos",
            phrase("gauru"),
            rule,
            {"strength": 3, "dexterity": 1, "stamina": 2, "manipulation": -3, "size": 2},
            weapons=(natural("teeth", 2), natural("claws", 1)),
        ),
        Shape(
            "hispo",
            phrase("urshul"),
            rule,
            {"strength": 2, "dexterity": 2, "stamina": 2, "manipulation": -3, "size": 1, "speed": 3},
            weapons=(natural("teeth", 2),),
        ),
        Shape(
            "lupus",
            phrase("urhan"),
            rule,
            {"dexterity": 2, "stamina": 1, "manipulation": -3, "size": -1, "speed": 3},
            weapons=(natural("teeth", 1),),
        ),
    )


def unskilled(rule: str) -> tuple[Option, ...]:
    """The penalty of an untrained Skill."""
    return (
        figure("unskilled", phrase("penalty-for-untrained-physical-or-social"), 1, rule, 5),
        figure("unskilled_mental", phrase("penalty-for-untrained-mental-skill"), 3, rule, 5),
    )


def exceptional_from(rule: str) -> Option:
    """The successes needed for an exceptional success."""
    return figure("exceptional_from", phrase("successes-for-exceptional-success"), 5, rule, 20, 1)


def too_weak(rule: str) -> Option:
    """The penalty for too little Strength."""
    return figure("too_weak", phrase("penalty-for-too-little-strength-for-weapon"), 1, rule, 5)


READY_ROLLS = (
    (phrase("noticing-an-ambush"), "Wits + Composure"),
    (phrase("staying-calm"), "Resolve + Composure"),
)
"""The family's ready-made rolls: name and line."""


def own_rolls(layout: Layout, rule: str) -> Option:
    """The house rule for a chronicle's own ready-made rolls, one per line and without a difficulty."""

    def check(line: str, played: Layout | None) -> None:
        found = parse_preset(line, played or layout)
        if found.difficulty is not None or found.against:
            raise ValueError(phrase("has-difficulty-but-rolls-have-none", label=found.label))

    return Option(
        "own_rolls",
        phrase("ready-made-rolls"),
        OptionKind.LINES,
        (),
        rule,
        phrase("one-roll-per-line-for-example-picking"),
        reads=check,
    )
