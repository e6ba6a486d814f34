"""World of Darkness: the storytelling system of 2004 (rulebook/darkness.toml)."""

from __future__ import annotations

from collections.abc import Mapping

from rules import rulebook
from rules.engine.phrases import phrase
from rules.model.conditions import BLINDED, SURPRISED, TORPOR, UNCONSCIOUS, Acts, Conditions, known
from rules.model.creation import FIFTH, creation_options
from rules.model.derived import health, initiative
from rules.model.experience import experience_options
from rules.model.gear import Damage, Mode
from rules.model.kinds import Kind
from rules.model.options import Option, OptionKind, figure, switch, under
from rules.model.sheet import Group, Layout, Section
from rules.model.specialties import house_rule, specialty
from rules.model.system import ActionRule, Derived, Merit, System
from rules.odds.answers import default_answer
from rules.odds.success_count import SuccessCount
from rules.strike.drawing import QUICK_DRAW, InHand, drawing
from rules.strike.facets import Facet
from rules.strike.pipeline import AttackPipeline
from rules.strike.powers import Empowered
from rules.strike.reach import RoundsFired
from rules.strike.throwing import Throwing
from rules.strike.turns import TakesAction
from rules.systems.shared.beast import Unthinking
from rules.systems.shared.budgets import EVERYBODY, FAVOURED, GIFTS
from rules.systems.shared.budgets import MERITS as BUDGET_OF_MERITS
from rules.systems.shared.experience import AWARDS
from rules.systems.shared.listings import storytelling
from rules.systems.shared.manoeuvres import ShapeAction
from rules.systems.shared.powers import power_options
from rules.systems.storytelling.around import Around
from rules.systems.storytelling.defense_trait import PassiveDefense, defense_of, speed
from rules.systems.storytelling.first_edition import beast, manoeuvres
from rules.systems.storytelling.first_edition.attack import (
    AtHand,
    Defenseless,
    FarOff,
    KindOfDamage,
    KindTold,
    Unseen,
    Wielding,
    Worn,
)
from rules.systems.storytelling.first_edition.openings import OPENINGS
from rules.systems.storytelling.first_edition.pools import POOLS
from rules.systems.storytelling.first_edition.powers import CONDITIONS, MERITS, POWERS
from rules.systems.storytelling.health import StorytellingHealth
from rules.systems.storytelling.identity import IDENTITY
from rules.systems.storytelling.initiative import StorytellingInitiative
from rules.systems.storytelling.modifiers import storytelling_modifiers
from rules.systems.storytelling.reach import StorytellingReach
from rules.systems.storytelling.sheets import (
    ATTACK_TRAITS,
    ATTRIBUTES,
    BLOOD,
    DISCIPLINES,
    MORALITY,
    RANK,
    READY_ROLLS,
    RENOWN,
    SIZE,
    SKILLS,
    SPECIAL,
    UNUSED_ARMOR_COLUMNS,
    UNUSED_WEAPON_COLUMNS,
    WOLVES,
    exceptional_from,
    own_rolls,
    spirit,
    too_weak,
    unskilled,
    vitae,
    vitae_per_aggravated,
    werewolf_shapes,
    willpower,
)
from rules.systems.storytelling.shelter_signs import results, shelter_signs
from rules.systems.storytelling.turns import StorytellingTurns
from rules.systems.storytelling.walking import WalkAction
from rules.topics.powers.using import power_actions

VITAE_BY_POTENCY = {1: 10, 2: 11, 3: 12, 4: 13, 5: 14, 6: 15, 7: 20, 8: 30, 9: 50, 10: 100}
"""Maximum Vitae by Blood Potency."""

VITAE_A_TURN = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 5, 8: 7, 9: 10, 10: 15}
"""Maximum Vitae spent per turn by Blood Potency."""

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        SKILLS,
        DISCIPLINES,
        Section(
            "advantages",
            phrase("advantages"),
            (Group("", (MORALITY, SIZE)),),
        ),
        BLOOD,
        spirit(RANK),
        RENOWN,
    ),
    resources=(willpower("WD-WILL-1"), vitae("WD-VITAE-1", VITAE_BY_POTENCY, VITAE_A_TURN)),
    details=IDENTITY,
    lists=storytelling(each.label for each in MERITS),
    special=SPECIAL,
)

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", phrase("mortal"), frozenset(), human=True),
        Kind("ghoul", phrase("ghoul"), frozenset()),
        Kind(
            "vampire",
            phrase("vampire"),
            frozenset(),
            undead=True,
            felled=TORPOR,
            banes=frozenset({"fire", "sunlight"}),
            bleeds=False,
            tires=False,
        ),
        Kind("garou", phrase("werewolf"), frozenset(), banes=frozenset({"silver"})),
    )
}


PRICES = (
    "Attribute: new x 5",
    "Skill: new x 3",
    "Discipline (in clan): new x 5",
    "Discipline (out of clan): new x 7",
    "Blood Potency: new x 8",
    "Primal Urge: new x 8",
    "Morality: new x 3",
    "Merit: new x 2",
    "Gift: new x 7",
    "Rite: new x 2",
)
"""WD-EXP-1."""

OPTIONS = (
    *under(
        phrase("dice"),
        exceptional_from("WD-DICE-3"),
        *unskilled("WD-DICE-4"),
        house_rule("WD-DICE-8", phrase("one-more-die")),
        switch(
            "rule_of_five",
            phrase("rule-of-five"),
            "WD-DICE-5",
            phrase("one-tool-weapon-or-circumstance-changes-dice"),
            default=True,
        ),
    ),
    *under(
        phrase("turns"),
        switch(
            "initiative_every_turn",
            phrase("initiative-every-turn"),
            "WD-INIT-4",
            phrase("everyone-rolls-at-start-of-each-turn-with"),
        ),
    ),
    *under(
        phrase("attack-and-defence"),
        switch(
            "unseen_by_chance",
            phrase("chance-roll-for-shots-at-targets-out"),
            "WD-ATK-6",
            phrase("if-storyteller-allows-such-shot-if-off"),
            default=True,
        ),
        figure("medium_range", phrase("medium-range-penalty"), 2, "WD-RANGE-1", 10),
        figure("long_range", phrase("long-range-penalty"), 4, "WD-RANGE-1", 10),
        Option(
            "defense_of",
            phrase("defense"),
            OptionKind.CHOICE,
            "lower",
            "WD-DEF-1",
            choices=(
                ("lower", phrase("lower-of-dexterity-and-wits")),
                ("higher", phrase("higher-of-dexterity-and-wits")),
            ),
        ),
        figure("defense_wear", phrase("defense-lost-per-attack-in-turn"), 1, "WD-DEF-1", 5),
        too_weak("WD-GEAR-1"),
        switch(
            "ballistic_armor_blunts",
            phrase("ballistic-armour-makes-shots-bashing"),
            "WD-ARM-1",
            phrase("armour-with-ballistic-rating-turns-lethal"),
        ),
    ),
    *under(phrase("manoeuvres-beyond-document"), *manoeuvres.OPTIONS),
    *under(phrase("the-beast"), beast.OPTION),
    *under(phrase("powers"), *power_options(POWERS, "WD-POW-1")),
    *under(
        phrase("health"),
        figure("third_last_box", phrase("dice-lost-at-third-last-box"), 1, "WD-HEALTH-2", 10),
        figure("second_last_box", phrase("dice-lost-at-second-last-box"), 2, "WD-HEALTH-2", 10),
        figure("last_box", phrase("dice-lost-at-last-box"), 3, "WD-HEALTH-2", 10),
        switch("dead_feel_wounds", phrase("wound-penalties-apply-to-vampires"), "WD-HEALTH-2", default=True),
        figure("bleeding_turns", phrase("turns-per-health-box-lost-while-dying"), 20, "WD-HEALTH-3", 1200, 1),
        figure("minutes_bashing", phrase("minutes-to-heal-point-of-bashing-damage"), 15, "WD-DMG-2", 60 * 24 * 30, 1),
        figure(
            "minutes_lethal",
            phrase("minutes-to-heal-point-of-lethal-damage"),
            2 * 24 * 60,
            "WD-DMG-3",
            60 * 24 * 365,
            1,
        ),
        vitae_per_aggravated("WD-HEAL-1"),
    ),
    *under(
        phrase("rolls"),
        own_rolls(LAYOUT, "WD-DICE-1"),
    ),
    *experience_options(LAYOUT, ("WD-EXP-1", PRICES), ("WD-EXP-2", AWARDS)),
    *creation_options(
        LAYOUT,
        KINDS,
        "WD-MAKE-1",
        {
            "": (*EVERYBODY, "Morality: 7"),
            "vampire": (*FAVOURED, BUDGET_OF_MERITS, "Disciplines: 3", "Morality: 7", "Blood Potency: 1"),
            "garou": (*EVERYBODY, GIFTS, "Morality: 7", "Primal Urge: 1"),
        },
    ),
    *under(
        phrase("new-characters"),
        switch(FIFTH, phrase("fifth-dot-counts-twice"), "WD-MAKE-1", phrase("of-attribute-or-skill"), default=True),
    ),
)

CITES: Mapping[str, str] = {
    "drawing": "WD-DRAW-1",
    "weapon_dropped": "WD-DRAW-1",
    "initiative": "WD-INIT-1",
    "turn": "WD-TURN-1",
    "health": "WD-HEALTH-1",
    "perspective": "WD-SCENE-2",
    "pool": "WD-DICE-1",
    "chance": "WD-DICE-2",
    "rote": "WD-DICE-7",
    "mishap": "WD-DICE-2",
    "untrained": "WD-DICE-4",
    "rule_of_five": "WD-DICE-5",
    "circumstance": "WD-DICE-6",
    "declaration": "WD-TURN-1",
    "multiple_actions": "WD-TURN-1",
    "extra_actions": "WD-TURN-1",
    "fresh_start": "WD-INIT-3",
    "initiative_every_turn": "WD-INIT-4",
    "delay": "WD-DELAY-1",
    "hold_over": "WD-DELAY-3",
    "surprise": "WD-SURP-1",
    "noticing": "WD-SURP-1",
    Mode.UNARMED: "WD-ATK-1",
    Mode.MELEE: "WD-ATK-2",
    "finesse": "WD-ATK-3",
    Mode.FIREARM: "WD-ATK-4",
    Mode.ARCHERY: "WD-ATK-4",
    "burst": "WD-ATK-4",
    Mode.THROWN: "WD-ATK-5",
    "sight": "WD-ATK-6",
    "range": "WD-RANGE-1",
    "thrown_range": "WD-RANGE-1",
    "defense": "WD-DEF-1",
    "armor": "WD-ARM-1",
    "gear": "WD-GEAR-1",
    "armor_penalty": "WD-GEAR-1",
    Damage.BASHING: "WD-DMG-2",
    Damage.LETHAL: "WD-DMG-3",
    "heal": "WD-DMG-3",
    "regeneration": "WD-DMG-3",
    "guns_and_dead": "WD-DMG-4",
    Damage.AGGRAVATED: "WD-DMG-5",
    "wounds": "WD-HEALTH-2",
    "out_of_action": "WD-HEALTH-3",
    "consciousness": "WD-HEALTH-3",
    "willpower": "WD-WILL-1",
    "powers": "WD-POW-1",
    **manoeuvres.CITES,
}

INITIATIVE = StorytellingInitiative()
HEALTH = StorytellingHealth()

ACTIONS: Mapping[str, ActionRule] = {
    **drawing("WD-DRAW-1", quick=QUICK_DRAW),
    "move": WalkAction("WD-MOVE-1"),
    "shape": ShapeAction("WD-SHAPE-1", werewolf_shapes("WD-SHAPE-1"), WOLVES),
    **beast.ACTIONS,
    **manoeuvres.ACTIONS,
    **power_actions(POWERS),
}

FACETS: tuple[Facet, ...] = (
    InHand(),
    Throwing(),
    TakesAction(),
    RoundsFired(),
    StorytellingReach({Mode.UNARMED: 1, Mode.MELEE: 2}),
    *manoeuvres.FACETS,
    Unseen("WD-ATK-6"),
    FarOff(),
    Wielding(POOLS),
    Unthinking(),
    Around(POOLS),
    Empowered(),
    AtHand("WD-ATK-4"),
    Defenseless("WD-DEF-1", surprise="WD-SURP-1"),
    PassiveDefense(),
    Worn(),
    KindTold(),
)
"""The facets of an attack, in the order of preparation and breakdown."""

DARKNESS = System(
    key="darkness",
    book=rulebook.load("darkness"),
    layout=LAYOUT,
    kinds=KINDS,
    cites=CITES,
    mechanic=SuccessCount(),
    pools=POOLS,
    initiative=INITIATIVE,
    turns=StorytellingTurns(initiative=INITIATIVE, health=HEALTH, pools=POOLS),
    attack=AttackPipeline(traits=ATTACK_TRAITS, harm=KindOfDamage(), facets=FACETS, defences=manoeuvres.DEFENCES),
    weapons_do=Damage.LETHAL,
    health=HEALTH,
    bleeding=HEALTH,
    conditions=Conditions(
        (
            known(SURPRISED, acts=Acts.WAITS, one_turn=True, rule="WD-SURP-1"),
            known(BLINDED, ruled=True, rule="WD-ATK-6"),
            known(UNCONSCIOUS, stays_by="WD-HEALTH-3"),
            *manoeuvres.CONDITIONS,
            *beast.CONDITIONS,
            *CONDITIONS,
        )
    ),
    openings=OPENINGS,
    unused_weapon_columns=UNUSED_WEAPON_COLUMNS | {"initiative"},
    unused_armor_columns=UNUSED_ARMOR_COLUMNS | {"covers"},
    answers=default_answer,
    modifiers=storytelling_modifiers(CITES)
    | {rule.key: rule for rule in manoeuvres.MODIFIERS}
    | specialty("WD-DICE-8", 1)
    | beast.MODIFIERS,
    actions=ACTIONS,
    watches=manoeuvres.WATCHES,
    grappled=manoeuvres.GRAPPLED,
    grappling=manoeuvres.GRIP,
    signs=(shelter_signs,),
    results=(results,),
    options=OPTIONS,
    presets=READY_ROLLS,
    unit="yards",
    perception=("wits", "composure"),
    derived=(
        Derived("defense", phrase("defense"), "WD-DEF-1", lambda system, sheet: defense_of(system.attack).full(sheet)),
        Derived("speed", phrase("speed"), "WD-MOVE-1", lambda system, sheet: speed(sheet, system.layout), "yards"),
        initiative("WD-INIT-1"),
        health("WD-HEALTH-1"),
    ),
    merits=(
        Merit("fresh_start", phrase("fresh-start-label"), "WD-INIT-3"),
        Merit(QUICK_DRAW, phrase("quick-draw"), "WD-DRAW-1"),
        Merit("fighting_finesse", phrase("fighting-finesse"), "WD-ATK-3"),
        *MERITS,
    ),
    powers=POWERS,
).with_options({})
