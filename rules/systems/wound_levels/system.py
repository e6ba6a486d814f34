"""Wound Levels: a custom system of separate injuries (rulebook/wounds.toml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules import rulebook
from rules.engine.phrases import names, phrase
from rules.model.choices import DefenceRule
from rules.model.conditions import BLINDED, IMMOBILIZED, STUNNED, SURPRISED, Acts, Condition, Conditions, declare, known
from rules.model.creation import creation_options
from rules.model.derived import initiative
from rules.model.experience import experience_options
from rules.model.gear import Damage, Mode
from rules.model.kinds import Kind
from rules.model.modifiers import EVERYWHERE, sure, willpower
from rules.model.options import Option, OptionKind, figure, switch
from rules.model.sheet import Group, Layout, Section
from rules.model.situations import ConditionRule
from rules.model.specialties import house_rule, specialty
from rules.model.system import ActionRule, Ambushes, Derived, Merit, System
from rules.odds.answers import default_answer
from rules.odds.target_number import TargetNumber
from rules.strike.drawing import InHand, drawing
from rules.strike.facets import Facet
from rules.strike.pipeline import AttackPipeline
from rules.strike.pools import Wielding
from rules.strike.powers import Empowered
from rules.strike.turns import Attackers, SharedPool
from rules.systems.shared.budgets import MORTALS
from rules.systems.shared.classic_sheets import (
    ATTRIBUTES,
    CLASSIC_SPECIAL,
    GAROU,
    HUMANITY,
    POINTS_OF_WILL,
    RENOWN,
    SPIRIT,
    VAMPIRES,
    WILLPOWER,
    abilities_section,
    difficulty_limits,
    garou_shapes,
    own_rolls,
    virtues,
)
from rules.systems.shared.identity import IDENTITY
from rules.systems.shared.listings import CLASSIC
from rules.systems.shared.manoeuvres import ShapeAction
from rules.systems.wound_levels.actions import AimAction, EvadeAction, SurpriseAction, WalkAction
from rules.systems.wound_levels.active_defence import COVER, DODGES_BULLETS, IN_COVER, WoundDefences
from rules.systems.wound_levels.attack import (
    Around,
    BareHands,
    Evading,
    LinedUp,
    OneAttack,
    Standing,
    StandingStill,
    Sweep,
    TakesRound,
    TooWeak,
    Underwater,
)
from rules.systems.wound_levels.held_ready import signs
from rules.systems.wound_levels.initiative import WoundInitiative
from rules.systems.wound_levels.injuries import BY_THE_BOOK, InjuryRules, results
from rules.systems.wound_levels.modifier_list import wound_modifiers
from rules.systems.wound_levels.openings import OPENINGS
from rules.systems.wound_levels.pools import WoundPools, stride
from rules.systems.wound_levels.reach import RateOfFire, WoundReach
from rules.systems.wound_levels.severity import Severity
from rules.systems.wound_levels.table import WoundTable
from rules.systems.wound_levels.turns import WoundTurns

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        abilities_section(
            names(
                "alertness, athletics, brawl, dodge-label, empathy, expression, intimidation, leadership, "
                "streetwise, subterfuge"
            ),
            names(
                "animal-ken, crafts, drive, etiquette, firearms, melee-label, performance, security, stealth, survival"
            ),
            names("academics, computer, finance, investigation, law, linguistics, medicine, occult, politics, science"),
        ),
        virtues(VAMPIRES),
        Section("path", phrase("morality"), (Group("", (HUMANITY,)),), VAMPIRES),
        SPIRIT,
        RENOWN,
        Section("advantages", phrase("advantages"), (Group("", (WILLPOWER,)),)),
    ),
    resources=(replace(POINTS_OF_WILL, rule="WL-WILL-1", lifts=frozenset({STUNNED})),),
    details=IDENTITY,
    lists=CLASSIC,
    special=CLASSIC_SPECIAL,
)

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", phrase("mortal"), frozenset(), human=True),
        Kind("ghoul", phrase("ghoul"), frozenset()),
        Kind("vampire", phrase("vampire"), frozenset(), undead=True),
        Kind("garou", phrase("garou"), frozenset()),
    )
}
"""No rule distinguishes kinds of creature: only their sheets differ."""


OPTIONS = (
    Option(
        "wound_levels",
        phrase("effects-of-wound-levels"),
        OptionKind.TABLE,
        BY_THE_BOOK,
        "WL-DMG-5",
        phrase("one-line-per-step-lowest-wound-level"),
        rows=WoundTable(),
    ),
    *difficulty_limits("WL-DICE-2"),
    figure("severe_from", phrase("lowest-level-of-severe-injury"), 4, "WL-DMG-4", 20, 1),
    figure("defence_difficulty", phrase("difficulty-to-dodge-and-parry"), 6, "WL-DEF-1", 10, 2),
    figure("range_most", phrase("maximum-range-as-multiple-of-listed-range"), 2, "WL-MOD-9", 10, 1),
    switch(
        "evade_ends_with_turn",
        phrase("evasion-ends-with-round"),
        "WL-DEF-4",
        phrase("if-off-rest-lasts-until-your-next"),
    ),
    switch(
        "clash_counts_in_full",
        phrase("clash-successes-count-in-full"),
        "WL-DEF-5",
        phrase("if-off-subtract-opponents-successes-tie"),
        default=True,
    ),
    switch(
        "sweep_one_roll",
        phrase("one-roll-for-all-targets-of-sweep"),
        "WL-AUTO-1",
        phrase("if-off-one-roll-per-target"),
        default=True,
    ),
    switch(
        "fires_what_is_left",
        phrase("fire-last-rounds"),
        "WL-ROF-1",
        phrase("if-off-weapon-with-fewer-rounds-than"),
        default=True,
    ),
    switch(
        "stamina_stacks",
        phrase("stamina-adds-to-armour"),
        "WL-ARM-3",
        phrase("against-brawl-in-addition-to-best-armour"),
    ),
    house_rule("WL-DICE-3", phrase("10s-are-rolled-again")),
    own_rolls(LAYOUT, "WL-DICE-1", "Picking a lock: Dexterity + Security, 7"),
    *experience_options(LAYOUT, ("WL-EXP-1", ()), ("WL-EXP-1", ())),
    *creation_options(LAYOUT, KINDS, "WL-MAKE-1", {"": (*MORTALS, "Willpower: 3, 1", "Freebie points: 21")}),
)

CITES: Mapping[str, str] = {
    "drawing": "WL-DRAW-1",
    "weapon_dropped": "WL-DRAW-1",
    "willpower": "WL-WILL-1",
    "initiative": "WL-INIT-1",
    "ambushed_last": "WL-INIT-3",
    "noticing": "WL-INIT-4",
    "turn": "WL-INIT-1",
    "health": "WL-DMG-3",
    "pool": "WL-DICE-1",
    "ten_dots": "WL-DICE-1",
    "human_ceiling": "WL-DICE-1",
    "untrained": "WL-DICE-1",
    "least_damage": "WL-DICE-1",
    "mishap": "WL-ATK-1",
    "difficulty": "WL-DICE-2",
    "attack_difficulty": "WL-MOD-15",
    "caught": "WL-INIT-4",
    "movement": "WL-MOVE-1",
    Mode.UNARMED: "WL-WPN-1",
    Mode.MELEE: "WL-WPN-1",
    Mode.FIREARM: "WL-WPN-2",
    Mode.THROWN: "WL-WPN-2",
    Mode.ARCHERY: "WL-WPN-2",
    "range": "WL-MOD-9",
    "rate_of_fire": "WL-ROF-1",
    "gunfire": "WL-DEF-3",
    "clash": "WL-DEF-5",
    "defence_out_of_order": "WL-DEF-1",
    "declaration": "WL-SPLIT-1",
    "multiple_actions": "WL-SPLIT-1",
    "split": "WL-SPLIT-1",
    "extra_actions": "WL-SPLIT-1",
    "one_attack": "WL-SPLIT-2",
    "committed": "WL-SPLIT-3",
    "severity": "WL-DMG-1",
    Damage.BASHING: "WL-DMG-2",
    Damage.LETHAL: "WL-DMG-2",
    Damage.AGGRAVATED: "WL-DMG-2",
    "heal": "WL-DMG-4",
    "regeneration": "WL-DMG-4",
    "wounds": "WL-DMG-5",
    "out_of_action": "WL-DMG-5",
    "armor": "WL-ARM-1",
    "stamina_armor": "WL-ARM-2",
    "stacking": "WL-ARM-3",
}

RUNNING = declare(Condition("running", phrase("running")))
ASLEEP = declare(Condition("asleep", phrase("asleep")))
MEDITATING = declare(Condition("meditating", phrase("meditating")))

CONDITIONS = (
    known(
        IN_COVER,
        offered=True,
        pools=ConditionRule(phrase("behind-cover"), "WL-MOD-1"),
        as_attacker="attacker_in_cover",
        as_target=COVER,
    ),
    known(
        RUNNING,
        offered=True,
        pools=ConditionRule(phrase("running-label"), "WL-MOD-7"),
        as_target="target_running",
    ),
    known(
        IMMOBILIZED,
        offered=True,
        rule="WL-MOD-6",
        pools=ConditionRule(phrase("immobilised"), "WL-MOD-6"),
        as_target="target_immobilized",
    ),
    known(ASLEEP, offered=True, pools=ConditionRule(phrase("asleep-label"), "WL-INIT-5"), as_watcher="sleeping"),
    known(
        MEDITATING, offered=True, pools=ConditionRule(phrase("meditating-label"), "WL-INIT-5"), as_watcher="meditating"
    ),
    known(STUNNED, acts=Acts.LOSES_TURN, rule="WL-STUN-1"),
    known(BLINDED, pools=ConditionRule(phrase("blinded-label"), "WL-MOD-4"), as_attacker="firing_blind"),
    known(SURPRISED, ruled=True, one_turn=True, rule="WL-INIT-3"),
)

SHAPES = tuple(replace(shape, weapons=()) for shape in garou_shapes("WL-SHAPE-1"))
"""Claws and fangs have no rating here: they count as bare hands."""

ACTIONS: Mapping[str, ActionRule] = {
    **drawing("WL-DRAW-1"),
    "evade": EvadeAction("WL-DEF-4"),
    "aim": AimAction("WL-MOD-3", "WL-MOD-1"),
    "move": WalkAction("WL-MOVE-1"),
    "surprise": SurpriseAction("WL-INIT-4"),
    "shape": ShapeAction("WL-SHAPE-1", SHAPES, GAROU),
}

FACETS: tuple[Facet, ...] = (
    Sweep(),
    InHand(),
    BareHands(),
    WoundReach({Mode.UNARMED: 1, Mode.MELEE: 2}),
    Standing(),
    Evading("WL-DEF-4"),
    LinedUp("WL-MOD-3"),
    TooWeak(),
    Underwater("WL-MOD-14"),
    StandingStill("WL-MOD-3", cover="WL-MOD-1"),
    OneAttack("WL-SPLIT-2"),
    TakesRound("WL-SPLIT-3"),
    RateOfFire(),
    Wielding(),
    SharedPool(),
    Around(),
    Empowered(),
    Attackers(all=True),
)
"""The facets of an attack, in the order of preparation and breakdown."""

WOUNDS = System(
    key="wounds",
    book=rulebook.load("wounds"),
    layout=LAYOUT,
    kinds=KINDS,
    cites=CITES,
    mechanic=TargetNumber(below_zero=True),
    pools=WoundPools(),
    initiative=WoundInitiative(kept="WL-INIT-1"),
    turns=WoundTurns(),
    attack=AttackPipeline(
        traits={
            Mode.UNARMED: ("strength", "brawl"),
            Mode.MELEE: ("strength", "melee"),
            Mode.FIREARM: ("dexterity", "firearms"),
            Mode.THROWN: ("strength", "athletics"),
            Mode.ARCHERY: ("dexterity", "athletics"),
        },
        defences=WoundDefences(
            {
                "dodge": DefenceRule("dodge", phrase("dodge-label"), ("dexterity", "dodge"), "WL-DEF-1"),
                "parry": DefenceRule(
                    "parry", phrase("parry-label"), ("dexterity", "melee"), "WL-DEF-2", also=("brawl",)
                ),
                "clash": DefenceRule(
                    "clash", phrase("clash-label"), ("strength", "melee"), "WL-DEF-5", attacks=True, also=("brawl",)
                ),
            }
        ),
        harm=Severity(),
        facets=FACETS,
    ),
    health=InjuryRules(),
    answers=default_answer,
    modifiers=wound_modifiers() | willpower(CITES, sure, EVERYWHERE) | specialty("WL-DICE-3"),
    conditions=Conditions(CONDITIONS),
    openings=OPENINGS,
    unused_weapon_columns=frozenset(
        {
            *("type", "range_medium", "range_long", "size", "initiative", "again", "defense", "armor_piercing"),
            *("conceal", "aerodynamic"),
        }
    ),
    unused_armor_columns=frozenset({"ballistic", "strength", "penalty", "defense", "speed", "covers", "weight"}),
    actions=ACTIONS,
    ambushes=Ambushes("surprise"),
    signs=(signs,),
    results=(results,),
    options=OPTIONS,
    derived=(
        initiative("WL-INIT-1"),
        Derived("stride", phrase("stride"), "WL-MOVE-1", lambda system, sheet: stride(sheet, system.layout), "feet"),
    ),
    merits=(Merit(DODGES_BULLETS, phrase("dodges-bullets"), "WL-DEF-3", offered=False),),
).with_options({})
