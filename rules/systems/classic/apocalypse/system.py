"""Apocalypse: werewolves and their foes by a table's classic rules (rulebook/apocalypse.toml)."""

from __future__ import annotations

from collections.abc import Mapping

from rules import rulebook
from rules.engine.inputs import Want, Wanted
from rules.engine.phrases import phrase
from rules.model.choices import DefenceRule
from rules.model.conditions import (
    BLINDED,
    DAZED,
    GOOD_COVER,
    HELD,
    IMMOBILIZED,
    LIGHT_COVER,
    PRONE,
    STAKED,
    SUPERIOR_COVER,
    Acts,
    Condition,
    Conditions,
    known,
)
from rules.model.creation import creation_options
from rules.model.derived import health, initiative, running
from rules.model.experience import experience_options
from rules.model.gear import Damage, Mode
from rules.model.modifiers import FIGHTING, RANGED, ModifierRule, fixed, nothing
from rules.model.options import figure, switch, under
from rules.model.situations import ConditionRule
from rules.model.specialties import house_rule, specialty
from rules.model.system import ActionRule, Ambushes, Merit, System
from rules.model.words import in_words
from rules.odds.answers import default_answer
from rules.odds.target_number import TargetNumber
from rules.strike.active_defence import ActiveDefence
from rules.strike.ambush import Ambushing, from_ambush
from rules.strike.blows import STAKE, ArmorBreaks, Dazing, Staking, Toppling
from rules.strike.conditions import Helpless, Openings, OwnConditions
from rules.strike.cover import DEGREES, BehindCover, cover
from rules.strike.dodging import Dodging
from rules.strike.drawing import InHand, drawing
from rules.strike.facets import Facet
from rules.strike.pipeline import AttackPipeline
from rules.strike.pools import Extraordinary, Picked, Wielding
from rules.strike.powers import Empowered
from rules.strike.reach import Reach, RoundsFired
from rules.strike.rolled_damage import RolledDamage
from rules.strike.sight import BlindFire, blindly
from rules.strike.throwing import Throwing
from rules.strike.turns import Attackers, OneTarget, Outnumbered, SharedPool
from rules.systems.classic.apocalypse import beast
from rules.systems.classic.apocalypse.openings import OPENINGS
from rules.systems.classic.apocalypse.powers import CONDITIONS as OF_POWERS
from rules.systems.classic.apocalypse.powers import POWERS
from rules.systems.classic.apocalypse.sheet import BUDGETS, KINDS, LAYOUT
from rules.systems.classic.called_shots import AIM, LIMB, PRECISE, called_shots
from rules.systems.classic.foundry import world_of_darkness
from rules.systems.classic.modifiers import classic_modifiers
from rules.systems.shared.beast import Unthinking
from rules.systems.shared.budgets import STARTS_OF_GAROU
from rules.systems.shared.classic_sheets import (
    GAROU,
    UNUSED_ARMOR_COLUMNS,
    UNUSED_WEAPON_COLUMNS,
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
)
from rules.systems.shared.experience import AWARDS
from rules.systems.shared.manoeuvres import AmbushAction, KnockdownAction, MoveAction, RiseAction, ShapeAction
from rules.systems.shared.powers import power_options
from rules.topics.health.boxes import HealthRules
from rules.topics.initiative.scores import InitiativeRules
from rules.topics.initiative.standings import WoundsAtOnce
from rules.topics.powers.using import power_actions
from rules.topics.rolls.pools import MOST_DICE
from rules.topics.turns.course import TurnRules

PRICES = (
    "Attribute: current x 4",
    "new Ability: 3",
    "Ability: current x 2",
    "new Discipline: 10",
    "Discipline: current x 7",
    "Rage: current",
    "Gnosis: current x 2",
    "Willpower: current",
    "Gift: new x 3",
    "Rite: new x 2",
    "new Background: 3",
    "Background: current x 3",
)
"""AP-EXP-1."""

OPTIONS = (
    *under(
        phrase("dice"), *dice_options("AP-DICE-1", "AP-DICE-1"), house_rule("AP-DICE-3", phrase("10s-are-rolled-again"))
    ),
    *under(
        phrase("turns"),
        initiative_every_turn("AP-INIT-1", default=False),
        switch(
            "wounds_slow_at_once",
            phrase("wounds-affect-initiative-at-once"),
            "AP-INIT-3",
            phrase("if-off-wounds-change-order-from-next"),
        ),
        switch("slowest_declare_first", phrase("slowest-declare-first"), "AP-DECL-1", phrase("if-off-in-any-order")),
        figure("running_base", phrase("base-running-distance-per-turn-in-metres"), 20, "AP-SIT-9", 100),
        figure("running_per_dot", phrase("extra-metres-per-dot-of-dexterity"), 3, "AP-SIT-9", 20),
    ),
    *under(
        phrase("attack-and-defence"),
        *fire_options("AP-ATK-6", "AP-ATK-3"),
        figure("automatic_successes", phrase("successes-of-blow-that-hits-automatically"), 1, "AP-SIT-7", 10, 1),
        *defence_options("AP-DEF-1", "AP-DEF-5"),
        figure("cover_light", phrase("difficulty-increase-for-light-cover-or-prone"), 1, "AP-DEF-1", 8),
        figure("cover_good", phrase("good-cover-difficulty-increase"), 2, "AP-DEF-1", 8),
        figure("cover_superior", phrase("superior-cover-difficulty-increase"), 3, "AP-DEF-1", 8),
    ),
    *under(
        phrase("damage-and-soak"),
        switch(
            "aim_adds_levels",
            phrase("aimed-shots-do-more"),
            "AP-SIT-13",
            phrase("if-damage-isnt-rolled-aiming-adds-levels"),
            default=True,
        ),
        mortals_soak_lethal("AP-SOAK-1"),
        switch(
            "garou_soak_aggravated",
            phrase("garou-soak-aggravated-damage"),
            "AP-SOAK-1",
            phrase("with-stamina-as-in-printed-game"),
        ),
        switch(
            "fortitude_soaks_all",
            phrase("fortitude-soaks-everything"),
            "AP-SOAK-1",
            phrase("fortitude-dice-are-also-added-to-stamina"),
        ),
        switch(
            "armor_alone",
            phrase("armour-soaks-on-its-own"),
            "AP-ARM-1",
            phrase("armour-adds-its-soak-dice-even"),
            default=True,
        ),
        figure("armor_breaks_at", phrase("damage-that-destroys-armour-as-multiple"), 2, "AP-ARM-2", 10, 1),
        switch(
            "armor_breaks_beyond",
            phrase("more-damage-than-that-also-destroys-it"),
            "AP-ARM-2",
            phrase("if-off-only-exactly-this-much-does"),
            default=True,
        ),
    ),
    *under(
        phrase("health"),
        health_levels("AP-HEALTH-1"),
        switch(
            "bashing_heals_first",
            phrase("bashing-heals-before-lethal"),
            "AP-HEAL-1",
            phrase("at-end-of-turn-for-everyone-who"),
            default=True,
        ),
        *healing_options("AP-HEAL-2"),
        figure(
            "hours_per_aggravated",
            phrase("hours-of-rest-for-garou-to-heal"),
            24,
            "AP-HEAL-2",
            24 * 90,
            1,
        ),
    ),
    *under(phrase("the-beast"), *beast.OPTIONS),
    *under(phrase("powers"), *power_options(POWERS, "AP-POW-1")),
    *under(phrase("sheets"), anniversary_abilities("AP-ABIL-1")),
    *under(phrase("rolls"), own_rolls(LAYOUT, "AP-DICE-1", "Picking a lock: Dexterity + Larceny, 7")),
    *experience_options(LAYOUT, ("AP-EXP-1", PRICES), ("AP-EXP-2", AWARDS)),
    *creation_options(LAYOUT, KINDS, "AP-MAKE-1", BUDGETS, STARTS_OF_GAROU),
)

ARMOR_BREAKS = "AP-ARM-2"

CITES: Mapping[str, str] = {
    "drawing": "AP-DRAW-1",
    "weapon_dropped": "AP-DRAW-1",
    "initiative": "AP-INIT-1",
    "noticing": "AP-SIT-1",
    "turn": "AP-INIT-1",
    "health": "AP-HEALTH-1",
    "pool": "AP-DICE-1",
    "ten_dots": "AP-DICE-1",
    "human_ceiling": "AP-DICE-1",
    "difficulty": "AP-DICE-1",
    "untrained": "AP-DICE-2",
    "declaration": "AP-DECL-1",
    "delay": "AP-ORDER-1",
    "defence_out_of_order": "AP-ORDER-2",
    "abort": "AP-ORDER-2",
    "extra_actions": "AP-ORDER-3",
    "multiple_actions": "AP-MULTI-1",
    "split": "AP-MULTI-1",
    Mode.UNARMED: "AP-ATK-1",
    Mode.MELEE: "AP-ATK-2",
    Mode.FIREARM: "AP-ATK-3",
    Mode.ARCHERY: "AP-ATK-4",
    Mode.THROWN: "AP-ATK-5",
    "attack_difficulty": "AP-ATK-6",
    "mishap": "AP-ATK-6",
    "burst": "AP-ATK-3",
    "fighting_blind": "AP-SIT-2",
    "dodge": "AP-DEF-1",
    "block": "AP-DEF-2",
    "parry": "AP-DEF-3",
    "full_defence": "AP-DEF-4",
    "several": "AP-DEF-5",
    "overage": "AP-DMG-1",
    "damage": "AP-DMG-6",
    "least_damage": "AP-DMG-6",
    Damage.BASHING: "AP-SOAK-1",
    Damage.LETHAL: "AP-SOAK-1",
    Damage.AGGRAVATED: "AP-SOAK-1",
    "soak": "AP-SOAK-1",
    "armor_penalty": "AP-ARM-3",
    "armor_destroyed": ARMOR_BREAKS,
    "wounds": "AP-HEALTH-1",
    "out_of_action": "AP-HEALTH-1",
    "heal": "AP-HEAL-2",
    "regeneration": "AP-HEAL-1",
    "willpower": "AP-WILL-1",
    "powers": "AP-POW-1",
}

COVER_DEGREE = Wanted(
    "degree", phrase("cover-label"), Want.CHOICE, tuple((degree, in_words(degree)) for degree in DEGREES)
)
BLIND, KNOCKDOWN_RULE, COVER_RULE = "AP-SIT-2", "AP-SIT-8", "AP-DEF-1"
AMBUSH_RULE, DAZED_RULE, STAKE_RULE, PAST_ARMOR_RULE = "AP-SIT-1", "AP-SIT-4", "AP-SIT-10", "AP-SIT-13"
CLOSE = frozenset({Mode.UNARMED, Mode.MELEE})

SMALL = ModifierRule(
    "target_small", phrase("aimed-at-hand-or-head"), "AP-SIT-12", fixed(difficulty=2), damage=1, group=AIM
)

MODIFIERS = (
    ModifierRule("fighting_blind", phrase("fighting-blind"), BLIND, blindly, aliases=("blind_fighting",)),
    ModifierRule("flank", phrase("from-the-flank"), "AP-SIT-5", fixed(dice=1), group="side"),
    ModifierRule("rear", phrase("from-the-rear"), "AP-SIT-6", fixed(dice=2), group="side"),
    *called_shots({LIMB: "AP-SIT-11", PRECISE: PAST_ARMOR_RULE, STAKE: STAKE_RULE}, (SMALL,)),
    ModifierRule("past_armor", phrase("past-the-armour"), PAST_ARMOR_RULE, nothing),
    ModifierRule(
        "cover", phrase("cover-label"), COVER_RULE, cover, uses=FIGHTING, modes=RANGED, wanted=(COVER_DEGREE,)
    ),
    ModifierRule("no_room", phrase("no-room-to-dodge"), COVER_RULE, nothing, uses=FIGHTING, modes=CLOSE),
    ModifierRule("knockdown", phrase("tackle-or-sweep"), KNOCKDOWN_RULE, nothing, aliases=("tackle", "sweep")),
    ModifierRule(BLINDED, phrase("target-blinded"), "AP-SIT-3", nothing, offered=False),
    ModifierRule(HELD, phrase("target-held"), "AP-SIT-7", nothing, offered=False),
    ModifierRule(IMMOBILIZED, phrase("target-immobilised"), "AP-SIT-7", nothing, offered=False),
    ModifierRule("ambush", phrase("ambush"), AMBUSH_RULE, from_ambush, ("dice",), offered=False),
)


def _cover(key: str, label: str, degree: str) -> Condition:
    return known(key, offered=True, pools=ConditionRule(label, COVER_RULE, cover=degree))


CONDITIONS = (
    known(BLINDED, pools=ConditionRule(phrase("blinded-label"), "AP-SIT-3", own=2, dice=2)),
    known(HELD, offered=True, pools=ConditionRule(phrase("target-held"), "AP-SIT-7", dice=2)),
    known(
        IMMOBILIZED,
        offered=True,
        rule="AP-SIT-7",
        pools=ConditionRule("immobilised", "AP-SIT-7", helpless=True),
    ),
    known(
        STAKED,
        rule=STAKE_RULE,
        aware=frozenset({"perception", "auspex"}),
        pools=ConditionRule("staked", "AP-SIT-7", helpless=True),
    ),
    _cover(PRONE, phrase("target-prone"), "light"),
    _cover(LIGHT_COVER, phrase("target-in-light-cover"), "light"),
    _cover(GOOD_COVER, phrase("target-in-good-cover"), "good"),
    _cover(SUPERIOR_COVER, phrase("target-in-superior-cover"), "superior"),
    known(DAZED, offered=True, acts=Acts.LOSES_TURN, rule=DAZED_RULE),
    *beast.CONDITIONS,
    *OF_POWERS,
)

FACETS: tuple[Facet, ...] = (
    OneTarget(),
    InHand(),
    Throwing(),
    BlindFire(),
    Staking(STAKE_RULE),
    ArmorBreaks(ARMOR_BREAKS, past=PAST_ARMOR_RULE),
    Reach({Mode.UNARMED: 1, Mode.MELEE: 2}),
    OwnConditions(),
    Openings(),
    BehindCover(),
    Helpless(),
    Ambushing(AMBUSH_RULE),
    RoundsFired(),
    Wielding(),
    SharedPool(),
    Outnumbered(),
    Picked(),
    Empowered(),
    Attackers(),
    Unthinking(),
    Dazing(DAZED_RULE),
    Toppling(KNOCKDOWN_RULE),
    Dodging(COVER_RULE),
    Extraordinary(),
)
"""The facets of an attack, in the order of preparation and breakdown."""

ACTIONS: Mapping[str, ActionRule] = {
    **drawing("AP-DRAW-1"),
    **power_actions(POWERS),
    "ambush": AmbushAction(AMBUSH_RULE),
    "knockdown": KnockdownAction(KNOCKDOWN_RULE),
    "rise": RiseAction(KNOCKDOWN_RULE),
    "move": MoveAction("AP-SIT-9"),
    "shape": ShapeAction("AP-SHAPE-1", garou_shapes("AP-SHAPE-1"), GAROU, "rage"),
    **beast.ACTIONS,
}

APOCALYPSE = System(
    key="apocalypse",
    book=rulebook.load("apocalypse"),
    layout=LAYOUT,
    kinds=KINDS,
    cites=CITES,
    mechanic=TargetNumber(),
    pools=beast.SilverPools(human_ceiling=MOST_DICE),
    initiative=InitiativeRules(every_turn=False, kept="AP-INIT-1"),
    turns=TurnRules(
        fast="rage",
        fuel="rage",
        bought=True,
        any_order=True,
        aborts=False,
        all_defence=True,
        intends=("gnosis",),
    ),
    attack=AttackPipeline(
        traits={
            Mode.UNARMED: ("dexterity", "brawl"),
            Mode.MELEE: ("dexterity", "melee"),
            Mode.FIREARM: ("dexterity", "firearms"),
            Mode.ARCHERY: ("dexterity", "archery"),
            Mode.THROWN: ("dexterity", "athletics"),
        },
        defences=ActiveDefence(
            {
                "dodge": DefenceRule("dodge", phrase("dodge-label"), ("dexterity", "athletics"), "AP-DEF-1"),
                "parry": DefenceRule("parry", phrase("parry-label"), ("dexterity", "melee"), "AP-DEF-3"),
                "block": DefenceRule("block", phrase("block-label"), ("dexterity", "brawl"), "AP-DEF-2"),
            },
            blockable=CLOSE,
        ),
        harm=RolledDamage(
            rules={
                Mode.UNARMED: "AP-DMG-2",
                Mode.MELEE: "AP-DMG-3",
                Mode.THROWN: "AP-DMG-3",
                Mode.ARCHERY: "AP-DMG-4",
                Mode.FIREARM: "AP-DMG-5",
            },
            adds={Mode.UNARMED: "strength", Mode.ARCHERY: "strength"},
            unrated=frozenset({Mode.ARCHERY}),
            flat=frozenset({Mode.FIREARM}),
            flat_tags=frozenset({"explosive"}),
            fortitude=frozenset({Damage.AGGRAVATED}),
            armor_rule="AP-ARM-1",
            by_kind=True,
        ),
        facets=FACETS,
    ),
    health=HealthRules(regeneration=True),
    answers=default_answer,
    modifiers=classic_modifiers(CITES)
    | {rule.key: rule for rule in MODIFIERS}
    | specialty("AP-DICE-3")
    | beast.MODIFIERS,
    conditions=Conditions(CONDITIONS),
    openings=OPENINGS,
    unused_weapon_columns=UNUSED_WEAPON_COLUMNS,
    unused_armor_columns=UNUSED_ARMOR_COLUMNS,
    openings_about=frozenset({"garou"}),
    main_kind="garou",
    actions=ACTIONS,
    ambushes=Ambushes("ambush"),
    watches=(WoundsAtOnce(),),
    powers=POWERS,
    options=OPTIONS,
    derived=(initiative("AP-INIT-1"), running("AP-SIT-9"), health("AP-HEALTH-1")),
    merits=(
        Merit("regenerates", phrase("regenerates"), "AP-HEAL-1"),
        Merit("no_regeneration", phrase("no-regeneration"), "AP-HEAL-1"),
    ),
    foundry=world_of_darkness(LAYOUT),
).with_options({})
