"""Masquerade: vampires by the classic Storyteller rules (rulebook/masquerade.toml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules import rulebook
from rules.engine.phrases import names, phrase
from rules.model.choices import DefenceRule
from rules.model.conditions import TORPOR, Conditions
from rules.model.creation import creation_options
from rules.model.derived import health, initiative
from rules.model.experience import experience_options
from rules.model.gear import Damage, Mode
from rules.model.kinds import Kind
from rules.model.options import figure, switch, under
from rules.model.sheet import Group, Layout, Section
from rules.model.specialties import house_rule, specialty
from rules.model.system import ActionRule, System
from rules.odds.answers import default_answer
from rules.odds.target_number import TargetNumber
from rules.strike.active_defence import ActiveDefence
from rules.strike.drawing import InHand, drawing
from rules.strike.facets import Facet
from rules.strike.pipeline import AttackPipeline
from rules.strike.pools import Extraordinary, Picked, Wielding
from rules.strike.powers import Beholding, Empowered
from rules.strike.reach import Reach, RoundsFired
from rules.strike.rolled_damage import RolledDamage
from rules.strike.sight import BlindFire
from rules.strike.throwing import Throwing
from rules.strike.turns import Attackers, OneTarget, Outnumbered, SharedPool, TakesAction
from rules.systems.classic.foundry import world_of_darkness
from rules.systems.classic.masquerade import beast, manoeuvres
from rules.systems.classic.masquerade.openings import OPENINGS
from rules.systems.classic.masquerade.powers import CONDITIONS, DARKNESS, DARKNESS_RULE, POWERS
from rules.systems.classic.modifiers import classic_modifiers
from rules.systems.shared.beast import Unthinking
from rules.systems.shared.budgets import HEROES, MORTALS
from rules.systems.shared.classic_sheets import (
    ATTRIBUTES,
    BLOOD,
    BLOODED,
    CLASSIC_SPECIAL,
    GAROU,
    GENERATION,
    HUMANITY,
    POINTS_OF_WILL,
    RENOWN,
    UNUSED_ARMOR_COLUMNS,
    UNUSED_WEAPON_COLUMNS,
    WILLPOWER,
    abilities_section,
    anniversary_abilities,
    defence_options,
    dice_options,
    fire_options,
    garou_shapes,
    healing_options,
    health_levels,
    initiative_every_turn,
    mortals_soak_lethal,
    own_rolls,
    virtues,
)
from rules.systems.shared.experience import AWARDS
from rules.systems.shared.identity import IDENTITY
from rules.systems.shared.layouts import disciplines
from rules.systems.shared.listings import CLASSIC
from rules.systems.shared.manoeuvres import ShapeAction
from rules.systems.shared.powers import power_options
from rules.topics.health.boxes import HealthRules
from rules.topics.initiative.scores import InitiativeRules
from rules.topics.powers.using import power_actions
from rules.topics.rolls.pools import PoolRules
from rules.topics.turns.course import TurnRules

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        abilities_section(
            names(
                "acting, alertness, athletics, awareness, brawl, dodge-label, empathy, expression, intimidation, "
                "leadership, streetwise, subterfuge, hobby-talent"
            ),
            names(
                "animal-ken, crafts, drive, etiquette, firearms, larceny, melee-label, performance, security, "
                "stealth, survival, professional-skill"
            ),
            names(
                "academics, computer, finance, investigation, law, linguistics, medicine, occult, politics, science, "
                "technology, expert-knowledge"
            ),
            frozenset(
                {
                    *("awareness", "expression", "hobby_talent", "larceny", "professional_skill"),
                    *("technology", "expert_knowledge"),
                }
            ),
        ),
        disciplines(
            names(
                "animalism, auspex, celerity, chimerstry, dementation, dominate, fortitude, necromancy, obfuscate, "
                "obtenebration, potence, presence, protean, quietus, serpentis, thaumaturgy, vicissitude"
            ),
            BLOODED,
        ),
        virtues(),
        Section("advantages", phrase("advantages"), (Group("", (HUMANITY, WILLPOWER)),)),
        GENERATION,
        RENOWN,
    ),
    resources=(
        replace(POINTS_OF_WILL, rule="MQ-WILL-1"),
        replace(BLOOD, rule="MQ-BLOOD-1", barred=manoeuvres.BARRED, barring=manoeuvres.SETTING),
    ),
    details=IDENTITY,
    lists=CLASSIC,
    special=CLASSIC_SPECIAL,
)

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", phrase("mortal"), frozenset({Damage.BASHING}), human=True),
        Kind("ghoul", phrase("ghoul"), frozenset({Damage.BASHING}), powers=phrase("disciplines")),
        Kind(
            "vampire",
            phrase("vampire"),
            frozenset({Damage.BASHING, Damage.LETHAL}),
            undead=True,
            felled=TORPOR,
            banes=frozenset({"fire", "sunlight"}),
            powers=phrase("disciplines"),
            bleeds=False,
            tires=False,
        ),
        Kind("garou", phrase("garou"), frozenset({Damage.BASHING, Damage.LETHAL})),
    )
}

_MORAL = ("Virtues: 7, 2", "Humanity: Conscience + Self-control, 2", "Willpower: Courage, 1")
BUDGETS = {
    "": (*MORTALS, *_MORAL, "Freebie points: 21"),
    "ghoul": (*MORTALS, "Disciplines: 2, 10", *_MORAL, "Freebie points: 21"),
    "vampire": (*HEROES, "Disciplines: 3, 7", *_MORAL, "Freebie points: 15"),
}
"""MQ-MAKE-1."""

PRESETS = (
    (phrase("formal-dinner"), "Dexterity + Etiquette, 8"),
    (phrase("shelter-before-dawn"), "Wits + Survival, 7"),
    (phrase("sleight-with-knife"), "Dexterity + Subterfuge against Perception + Alertness"),
    (phrase("staring-down"), "Charisma + Intimidation resisted by Charisma + Intimidation"),
    (phrase("three-day-chant"), "Stamina + Occult, 9"),
    (phrase("boarding-up-haven"), "Wits + Crafts, 7"),
    (phrase("finding-a-file"), "Perception + Finance, 6"),
    (phrase("hefting-a-safe"), "Strength, 6"),
)
"""MQ-DICE-8."""

PRICES = (
    "Attribute: current x 4",
    "new Ability: 3",
    "Ability: current x 2",
    "new Discipline: 10",
    "Discipline (in clan): current x 5",
    "Discipline (out of clan): current x 7",
    "Virtue: current x 2",
    "Humanity: current x 2",
    "Willpower: current",
    "new Background: 3",
    "Background: current x 3",
    "new Path of Blood Magic: 7",
    "Path of Blood Magic: current x 4",
)
"""MQ-EXP-1."""

OPTIONS = (
    *under(
        phrase("dice"), *dice_options("MQ-DICE-3", "MQ-DICE-5"), house_rule("MQ-DICE-9", phrase("10s-are-rolled-again"))
    ),
    *under(
        phrase("turns"),
        initiative_every_turn("MQ-INIT-1", default=True),
        figure("abort_difficulty", phrase("difficulty-of-willpower-roll-to-abort"), 6, "MQ-ABORT-1", 10, 2),
        switch(
            "fast_each",
            phrase("blood-point-for-each-extra-action"),
            "MQ-CEL-1",
            phrase("if-off-one-point-pays-for-all"),
        ),
    ),
    *under(
        phrase("attack-and-defence"), *fire_options("MQ-ATK-5", "MQ-ATK-8"), *defence_options("MQ-DEF-1", "MQ-DEF-4")
    ),
    *under(
        phrase("damage-and-soak"),
        switch("least_damage_die", phrase("at-least-one-die-of-damage"), "MQ-DMG-2", default=True),
        switch("wounds_hinder_damage", phrase("wound-penalties-reduce-damage-dice"), "MQ-DMG-2"),
        mortals_soak_lethal("MQ-SOAK-1"),
        figure("soak_difficulty", phrase("soak-difficulty"), 6, "MQ-SOAK-1", 10, 2),
        switch(
            "vampires_shrug_off_blunt_force",
            phrase("blunt-force-and-dead"),
            "MQ-VAMP-1",
            phrase("vampires-halve-bashing-damage-they-didnt"),
        ),
    ),
    *under(phrase("manoeuvres"), *manoeuvres.OPTIONS),
    *under(phrase("health"), health_levels("MQ-HEALTH-1"), *healing_options("MQ-HEAL-1")),
    *under(phrase("powers"), *power_options(POWERS, "MQ-POW-1")),
    *under(phrase("the-beast"), beast.OPTION),
    *under(phrase("sheets"), anniversary_abilities("MQ-ABIL-1")),
    *under(phrase("rolls"), own_rolls(LAYOUT, "MQ-DICE-8", "Picking a lock: Dexterity + Security, 7")),
    *experience_options(LAYOUT, ("MQ-EXP-1", PRICES), ("MQ-EXP-2", AWARDS)),
    *creation_options(LAYOUT, KINDS, "MQ-MAKE-1", BUDGETS),
)

CITES: Mapping[str, str] = {
    "drawing": "MQ-DRAW-1",
    "weapon_dropped": "MQ-DRAW-1",
    "initiative": "MQ-INIT-1",
    "turn": "MQ-TURN-1",
    "health": "MQ-HEALTH-2",
    "pool": "MQ-DICE-1",
    "ten_dots": "MQ-DICE-2",
    "human_ceiling": "MQ-DICE-4",
    "difficulty": "MQ-DICE-5",
    "untrained": "MQ-DICE-7",
    "declaration": "MQ-DECL-1",
    "delay": "MQ-ORDER-1",
    "defence_out_of_order": "MQ-ORDER-2",
    "extra_actions": "MQ-ORDER-3",
    "abort": "MQ-ABORT-1",
    "multiple_actions": "MQ-MULTI-1",
    "split": "MQ-MULTI-1",
    Mode.UNARMED: "MQ-ATK-1",
    Mode.MELEE: "MQ-ATK-2",
    Mode.FIREARM: "MQ-ATK-3",
    Mode.THROWN: "MQ-ATK-4",
    Mode.ARCHERY: "MQ-ATK-3",
    "attack_difficulty": "MQ-ATK-5",
    "mishap": "MQ-ATK-7",
    "burst": "MQ-ATK-8",
    "fighting_blind": DARKNESS_RULE,
    "dodge": "MQ-DEF-1",
    "parry": "MQ-DEF-2",
    "block": "MQ-DEF-3",
    "full_defence": "MQ-DEF-4",
    "several": "MQ-DEF-4",
    "overage": "MQ-DMG-1",
    "damage": "MQ-DMG-2",
    "least_damage": "MQ-DMG-2",
    Damage.BASHING: "MQ-DMG-3",
    Damage.LETHAL: "MQ-DMG-4",
    Damage.AGGRAVATED: "MQ-DMG-5",
    "soak": "MQ-SOAK-1",
    "armor_penalty": "MQ-ARM-1",
    "wounds": "MQ-HEALTH-1",
    "out_of_action": "MQ-HEALTH-1",
    "heal": "MQ-HEAL-1",
    "regeneration": "MQ-HEAL-1",
    "willpower": "MQ-WILL-1",
    "powers": "MQ-POW-1",
}

ACTIONS: Mapping[str, ActionRule] = {
    **drawing("MQ-DRAW-1"),
    **power_actions(POWERS),
    **manoeuvres.ACTIONS,
    "shape": ShapeAction("MQ-SHAPE-1", garou_shapes("MQ-SHAPE-1"), GAROU),
    **beast.ACTIONS,
}

FACETS: tuple[Facet, ...] = (
    OneTarget(),
    InHand(),
    Beholding(),
    BlindFire(),
    Throwing(),
    Reach({Mode.UNARMED: 1, Mode.MELEE: 2}),
    TakesAction(),
    RoundsFired(),
    *manoeuvres.FACETS,
    Wielding(),
    SharedPool(),
    Outnumbered(),
    Picked(),
    Empowered(),
    Attackers(),
    Unthinking(),
    Extraordinary(),
)
"""The facets of an attack, in the order of preparation and breakdown."""

MASQUERADE = System(
    key="masquerade",
    book=rulebook.load("masquerade"),
    layout=LAYOUT,
    kinds=KINDS,
    cites=CITES,
    mechanic=TargetNumber(),
    pools=PoolRules(),
    initiative=InitiativeRules(),
    turns=TurnRules(fuel="blood"),
    attack=AttackPipeline(
        traits={
            Mode.UNARMED: ("dexterity", "brawl"),
            Mode.MELEE: ("dexterity", "melee"),
            Mode.FIREARM: ("dexterity", "firearms"),
            Mode.THROWN: ("dexterity", "athletics"),
            Mode.ARCHERY: ("dexterity", "firearms"),
        },
        defences=ActiveDefence(
            {
                "dodge": DefenceRule("dodge", phrase("dodge-label"), ("dexterity", "dodge"), "MQ-DEF-1"),
                "parry": DefenceRule("parry", phrase("parry-label"), ("dexterity", "melee"), "MQ-DEF-2"),
                "block": DefenceRule("block", phrase("block-label"), ("dexterity", "brawl"), "MQ-DEF-3"),
            }
        ),
        harm=RolledDamage(),
        facets=FACETS,
    ),
    health=HealthRules(),
    openings=OPENINGS,
    unused_weapon_columns=UNUSED_WEAPON_COLUMNS,
    unused_armor_columns=UNUSED_ARMOR_COLUMNS,
    openings_about=frozenset({"vampire"}),
    answers=default_answer,
    modifiers=classic_modifiers(CITES)
    | {rule.key: rule for rule in manoeuvres.MODIFIERS}
    | specialty("MQ-DICE-9")
    | beast.MODIFIERS
    | DARKNESS,
    conditions=Conditions((*manoeuvres.CONDITIONS, *beast.CONDITIONS, *CONDITIONS)),
    grappled=manoeuvres.GRAPPLED_BARS,
    watches=manoeuvres.WATCHES,
    actions=ACTIONS,
    powers=POWERS,
    options=OPTIONS,
    presets=PRESETS,
    derived=(initiative("MQ-INIT-1"), health("MQ-HEALTH-1")),
    foundry=world_of_darkness(LAYOUT),
).with_options({})
