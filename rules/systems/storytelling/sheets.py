"""What sheets of the storytelling family have in common: nine Attributes, twenty-four Skills, Willpower, Size."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import Phrase, names, phrase
from rules.model.gear import Damage, Mode, Weapon
from rules.model.options import Option, OptionKind, figure
from rules.model.presets import parse_preset
from rules.model.shapes import Shape
from rules.model.sheet import Category, Group, Layout, Resource, Section, Trait
from rules.systems.shared.layouts import abilities, disciplines, traits


def _attributes(heading: str, labels: tuple[Phrase, ...]) -> Group:
    return Group(heading, traits(Category.ATTRIBUTE, labels, minimum=1, default=2))


ATTRIBUTES = Section(
    "attributes",
    phrase("Attributes"),
    (
        _attributes(phrase("Mental"), names("Intelligence, Wits, Resolve")),
        _attributes(phrase("Physical"), names("Strength, Dexterity, Stamina")),
        _attributes(phrase("Social"), names("Presence, Manipulation, Composure")),
    ),
)

MENTAL_SKILLS = abilities(
    phrase("Mental"), names("Academics, Computer, Crafts, Investigation, Medicine, Occult, Politics, Science")
)

SKILLS = Section(
    "skills",
    phrase("Skills"),
    (
        MENTAL_SKILLS,
        abilities(phrase("Physical"), names("Athletics, Brawl, Drive, Firearms, Larceny, Stealth, Survival, Weaponry")),
        abilities(
            phrase("Social"),
            names("Animal Ken, Empathy, Expression, Intimidation, Persuasion, Socialize, Streetwise, Subterfuge"),
        ),
    ),
)

SIZE = Trait("size", phrase("Size"), Category.FACT, 1, 20, 5, dotted=False)

DRINKERS = frozenset({"vampire", "ghoul"})

DISCIPLINES = disciplines(
    names("Animalism, Auspex, Celerity, Dominate, Majesty, Nightmare, Obfuscate, Protean, Resilience, Vigor"),
    DRINKERS,
)

BLOOD = Section(
    "blood",
    phrase("Blood"),
    (Group("", (Trait("blood_potency", phrase("Blood Potency"), Category.POWER, maximum=10, default=1),)),),
    frozenset({"vampire"}),
)

ATTACK_TRAITS = {
    Mode.UNARMED: ("strength", "brawl"),
    Mode.MELEE: ("strength", "weaponry"),
    Mode.FIREARM: ("dexterity", "firearms"),
    Mode.ARCHERY: ("dexterity", "firearms"),
    Mode.THROWN: ("dexterity", "athletics"),
}
"""The Attribute and the Skill of an attack, by the weapon's mode."""


def willpower(rule: str) -> Resource:
    """Resolve + Composure points, one a turn."""
    return Resource(
        "willpower",
        phrase("Willpower"),
        lambda traits: traits["resolve"] + traits["composure"],
        per_turn=lambda traits: 1,
        rule=rule,
    )


def vitae(rule: str, most: Mapping[int, int], a_turn: Mapping[int, int]) -> Resource:
    """Blood by Blood Potency, and the most of it in a turn; of what a table does not name, as at a potency of 1."""
    return Resource(
        "vitae",
        phrase("Vitae"),
        lambda traits: most.get(traits["blood_potency"], most[1]),
        DRINKERS,
        ("blood",),
        per_turn=lambda traits: a_turn.get(traits["blood_potency"], a_turn[1]),
        rule=rule,
    )


def werewolf_shapes(rule: str) -> tuple[Shape, ...]:
    """The five shapes of a werewolf under a ruleset's own rule: by the keys that the classic family has for them."""

    def natural(name: str, rating: int) -> Weapon:
        return Weapon(name, Mode.UNARMED, rating, type=Damage.LETHAL, form="slashing", tags=frozenset({name}))

    return (
        Shape("homid", phrase("Hishu"), rule),
        Shape("glabro", phrase("Dalu"), rule, {"strength": 1, "stamina": 1, "manipulation": -1, "size": 1}),
        Shape(
            "crinos",
            phrase("Gauru"),
            rule,
            {"strength": 3, "dexterity": 1, "stamina": 2, "manipulation": -3, "size": 2},
            weapons=(natural("teeth", 2), natural("claws", 1)),
        ),
        Shape(
            "hispo",
            phrase("Urshul"),
            rule,
            {"strength": 2, "dexterity": 2, "stamina": 2, "manipulation": -3, "size": 1, "speed": 3},
            weapons=(natural("teeth", 2),),
        ),
        Shape(
            "lupus",
            phrase("Urhan"),
            rule,
            {"dexterity": 2, "stamina": 1, "manipulation": -3, "size": -1, "speed": 3},
            weapons=(natural("teeth", 1),),
        ),
    )


def unskilled(rule: str) -> tuple[Option, ...]:
    """What a Skill without dots costs."""
    return (
        figure("unskilled", phrase("Dice less without a Physical or Social Skill"), 1, rule, 5),
        figure("unskilled_mental", phrase("Dice less without a Mental Skill"), 3, rule, 5),
    )


def exceptional_from(rule: str) -> Option:
    """When a roll is an exceptional success."""
    return figure("exceptional_from", phrase("Successes of an exceptional success"), 5, rule, 20, 1)


def too_weak(rule: str) -> Option:
    """What too little Strength costs."""
    return figure("too_weak", phrase("Dice less with too little Strength for a weapon or armour"), 1, rule, 5)


READY_ROLLS = (
    (phrase("Noticing an ambush"), "Wits + Composure"),
    (phrase("Staying calm"), "Resolve + Composure"),
)
"""The family's ready-made rolls: what each is called, and its line."""


def own_rolls(layout: Layout, rule: str) -> Option:
    """The house rule by which a chronicle writes ready-made rolls of its own, a line each and without a difficulty."""

    def check(line: str) -> None:
        found = parse_preset(line, layout)
        if found.difficulty is not None or found.against:
            raise ValueError(phrase("“{label}” has a difficulty, and no roll has one here.", label=found.label))

    return Option(
        "own_rolls",
        phrase("Ready-made rolls of this chronicle"),
        OptionKind.LINES,
        (),
        rule,
        phrase(
            "One roll a line, such as “Picking a lock: Dexterity + Larceny”. “resisted by Wits + "
            "Stealth” may stand behind it."
        ),
        check=check,
    )
