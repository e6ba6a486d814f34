"""Chronicles of Darkness: the second-edition storytelling system (rulebook/chronicles.toml).

Topics beyond the basics have modules of their own: :mod:`firearms` and :mod:`grapple` provide the facets,
circumstances, actions and house rules of their topics.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules import rulebook
from rules.engine.phrases import phrase
from rules.model.choices import DefenceRule
from rules.model.conditions import DEAD, SURPRISED, TORPOR, UNCONSCIOUS, Acts, Conditions, known
from rules.model.derived import health, initiative
from rules.model.gear import Damage, Mode
from rules.model.options import under
from rules.model.specialties import specialty
from rules.model.system import ActionRule, Ambushes, Derived, Merit, System
from rules.odds.answers import default_answer
from rules.odds.success_count import SuccessCount
from rules.strike.active_defence import Defences
from rules.strike.facets import Facet
from rules.strike.pipeline import AttackPipeline
from rules.strike.powers import Empowered
from rules.strike.throwing import Throwing
from rules.strike.turns import TakesAction
from rules.systems.shared.beast import Unthinking
from rules.systems.shared.manoeuvres import ShapeAction
from rules.systems.shared.powers import power_options
from rules.systems.storytelling.around import Around
from rules.systems.storytelling.defense_trait import defense_of, speed
from rules.systems.storytelling.dodging import DODGE, DODGING, DodgeAction, Dodging, dodge_rule
from rules.systems.storytelling.modifiers import storytelling_modifiers
from rules.systems.storytelling.reach import StorytellingReach
from rules.systems.storytelling.second_edition import beast, beaten
from rules.systems.storytelling.second_edition import close_combat as grapple
from rules.systems.storytelling.second_edition import firearms as guns
from rules.systems.storytelling.second_edition.actions import BleedAction, SurpriseAction
from rules.systems.storytelling.second_edition.attack import EachOnce, KindOfDamage, Wielding
from rules.systems.storytelling.second_edition.beaten import Beaten
from rules.systems.storytelling.second_edition.damage import WeaponBonus
from rules.systems.storytelling.second_edition.defense_trait import (
    WITHHOLD,
    AtHand,
    Defenseless,
    KillingBlow,
    WornDefense,
)
from rules.systems.storytelling.second_edition.foundry import counterpart
from rules.systems.storytelling.second_edition.health import BleedingHealth
from rules.systems.storytelling.second_edition.initiative import WeightedInitiative
from rules.systems.storytelling.second_edition.injured import POOLS, slowed
from rules.systems.storytelling.second_edition.modifiers import frame_modifiers
from rules.systems.storytelling.second_edition.openings import OPENINGS
from rules.systems.storytelling.second_edition.options import BEATS, LONG, OPTIONS
from rules.systems.storytelling.second_edition.powers import CONDITIONS as OF_POWERS
from rules.systems.storytelling.second_edition.powers import MERITS, POWERS
from rules.systems.storytelling.second_edition.prone import DropAction, LyingDown
from rules.systems.storytelling.second_edition.senses import SENSES, Senseless
from rules.systems.storytelling.second_edition.sheet import KINDS, LAYOUT
from rules.systems.storytelling.second_edition.signs import signs
from rules.systems.storytelling.second_edition.turns import InstantTurns
from rules.systems.storytelling.sheets import (
    ATTACK_TRAITS,
    READY_ROLLS,
    UNUSED_ARMOR_COLUMNS,
    UNUSED_WEAPON_COLUMNS,
    WOLVES,
    werewolf_shapes,
)
from rules.systems.storytelling.shelter_signs import results
from rules.systems.storytelling.walking import WalkAction
from rules.topics.powers.using import power_actions

CITES: Mapping[str, str] = {
    "initiative": "CD-INIT-1",
    "turn": "CD-TURN-1",
    "health": "CD-HEALTH-1",
    "pool": "CD-DICE-1",
    "chance": "CD-DICE-1",
    "rote": "CD-DICE-5",
    "untrained": "CD-DICE-2",
    "circumstance": "CD-DICE-4",
    "declaration": "CD-TURN-1",
    "multiple_actions": "CD-TURN-1",
    "extra_actions": "CD-TURN-1",
    "initiative_every_turn": "CD-INIT-1",
    "delay": "CD-INIT-3",
    "surprise": "CD-SURP-1",
    "noticing": "CD-SURP-1",
    Mode.UNARMED: "CD-ATK-1",
    Mode.MELEE: "CD-ATK-3",
    Mode.FIREARM: "CD-ATK-2",
    Mode.ARCHERY: "CD-ATK-2",
    Mode.THROWN: "CD-ATK-4",
    "range": "CD-GUN-5",
    "sight": "CD-CON-2",
    "mishap": "CD-GUN-13",
    "defense": "CD-DEF-1",
    "defense_worn": "CD-DEF-4",
    "gear": "CD-GEAR-1",
    "armor_penalty": "CD-GEAR-1",
    Damage.BASHING: "CD-DMG-3",
    Damage.LETHAL: "CD-DMG-3",
    Damage.AGGRAVATED: "CD-DMG-3",
    "heal": "CD-HEAL-1",
    "regeneration": "CD-HEAL-1",
    "willpower": "CD-WILL-1",
    "powers": "CD-POW-1",
    "wounds": "CD-HEALTH-4",
    "out_of_action": "CD-HEALTH-5",
    "consciousness": "CD-HEALTH-5",
    "bleeding": "CD-HEALTH-3",
    **guns.CITES,
    **grapple.CITES,
}

FACETS: tuple[Facet, ...] = (
    EachOnce(),
    Throwing(),
    StorytellingReach({Mode.UNARMED: 1, Mode.MELEE: 2}),
    Wielding(POOLS),
    Unthinking(),
    LyingDown("CD-PRONE-1"),
    *guns.FACETS,
    *grapple.FACETS,
    AtHand("CD-DEF-1"),
    Senseless(SENSES),
    Defenseless("CD-DEF-2", withheld="CD-DEF-5", surprise="CD-SURP-1"),
    Dodging("CD-DODGE-1"),
    KillingBlow("CD-DEF-3"),
    WeaponBonus("CD-DMG-1"),
    guns.ARMOR,
    guns.DEAD_FLESH,
    TakesAction(),
    Around(POOLS),
    Empowered(),
    WornDefense(),
)
"""The facets of an attack, in the order of preparation and breakdown."""

CONDITIONS = (
    known(SURPRISED, acts=Acts.WAITS, reflexes=True, one_turn=True, rule="CD-SURP-1"),
    known(DODGING, one_turn=True, rule="CD-DODGE-1"),
    known(TORPOR, rule="CD-VAMP-1"),
    known(DEAD, rule="CD-HEALTH-3"),
    known(UNCONSCIOUS, stays_by="CD-HEALTH-5"),
    *grapple.CONDITIONS,
    *beaten.CONDITIONS,
    *beast.CONDITIONS,
    *OF_POWERS,
)

INITIATIVE = WeightedInitiative()
HEALTH = BleedingHealth()

ACTIONS: Mapping[str, ActionRule] = {
    "move": WalkAction("CD-MOVE-1", slowed),
    "dodge": DodgeAction("CD-DODGE-1"),
    "prone": DropAction("CD-PRONE-1"),
    "surprise": SurpriseAction("CD-SURP-1"),
    "bleeding": BleedAction("CD-HEALTH-3", HEALTH),
    "shape": ShapeAction("CD-SHAPE-1", werewolf_shapes("CD-SHAPE-1"), WOLVES),
    **beaten.ACTIONS,
    **beast.ACTIONS,
    **guns.ACTIONS,
    **grapple.ACTIONS,
    **power_actions(POWERS),
}

IN_FIGHTS = under(phrase("powers"), *power_options(POWERS, "CD-POW-1"))

ATTACK = AttackPipeline(
    traits=ATTACK_TRAITS,
    harm=KindOfDamage(),
    facets=FACETS,
    defences=Defences(
        {
            DODGE: dodge_rule("CD-DODGE-1"),
            WITHHOLD: DefenceRule(WITHHOLD, phrase("hold-defense-back-label"), ("dexterity", "wits"), "CD-DEF-5"),
        },
        plain=phrase("defense"),
        changes=True,
        free=frozenset({WITHHOLD}),
    ),
)

CHRONICLES = System(
    key="chronicles",
    book=rulebook.load("chronicles"),
    layout=LAYOUT,
    kinds=KINDS,
    cites=CITES,
    mechanic=SuccessCount(),
    pools=POOLS,
    initiative=INITIATIVE,
    turns=InstantTurns(
        initiative=INITIATIVE,
        health=HEALTH,
        pools=POOLS,
        final_death="CD-VAMP-1",
    ),
    attack=ATTACK,
    health=HEALTH,
    bleeding=HEALTH,
    conditions=Conditions(CONDITIONS),
    answers=default_answer,
    modifiers={
        **storytelling_modifiers(CITES),
        **specialty("CD-DICE-6", 1),
        **frame_modifiers("CD-PRONE-1", "CD-DEF-3"),
        **{rule.key: rule for rule in (*guns.MODIFIERS, *grapple.MODIFIERS)},
        **beast.MODIFIERS,
    },
    openings=OPENINGS,
    unused_weapon_columns=UNUSED_WEAPON_COLUMNS | {"rate"},
    unused_armor_columns=UNUSED_ARMOR_COLUMNS,
    actions=ACTIONS,
    ambushes=Ambushes("surprise", led=True),
    grappled=grapple.GRAPPLED,
    grappling=grapple.GRIP,
    options=(
        *OPTIONS,
        *under(phrase("parts-of-body-and-grapples"), *grapple.OPTIONS),
        *under(phrase("the-beast"), *beast.OPTIONS),
        *IN_FIGHTS,
        *LONG,
    ),
    beats=BEATS,
    presets=READY_ROLLS,
    unit="yards",
    perception=("wits", "composure"),
    weapons_do=Damage.LETHAL,
    derived=(
        Derived("defense", phrase("defense"), "CD-DEF-1", lambda system, sheet: defense_of(system.attack).full(sheet)),
        Derived("speed", phrase("speed"), "CD-MOVE-1", lambda system, sheet: speed(sheet, system.layout), "yards"),
        initiative("CD-INIT-1"),
        health("CD-HEALTH-1"),
    ),
    merits=(
        Merit("quick_draw", phrase("quick-draw"), "CD-GUN-14"),
        Merit("ambidextrous", phrase("ambidextrous"), "CD-MAN-6"),
        *MERITS,
    ),
    powers=POWERS,
    watches=(*guns.WATCHES, Beaten()),
    signs=(signs,),
    results=(results,),
    foundry=counterpart(LAYOUT),
).with_options({})
