"""Effects of circumstances that are more than a fixed number (WL-MOD-3 to WL-MOD-14, WL-AUTO-1)."""

from __future__ import annotations

from rules.engine.inputs import Want, Wanted
from rules.engine.phrases import phrase, phrases, separated
from rules.engine.violations import bad_input
from rules.model.gear import Mode, Weapon
from rules.model.modifiers import Band, Circumstances, Figures, ModifierRule, number
from rules.model.plan import Part
from rules.model.words import in_words

MOST_AIM, MOST_AIM_AT_MOVING = 3, 2
KEEN = 5
KNIFE = 5
"""The difficulty of a knife, which distinguishes it from longer blades (WL-WPN-1)."""

SIZES = {"adult": 0, "child": 1, "house_cat": 2, "small_mouse": 3, "horse": -1, "truck": -2, "house": -3}
ALSO_SIZES = {"adult_human": "adult", "human": "adult", "cat": "house_cat", "mouse": "small_mouse"}

SWEEP = "sweep"
ROUNDS_FOR_5_FEET = 10
OF_AN_ASSAULT_RIFLE = 20
"""The rounds of a standard sweep, 10 feet wide."""


GREATEST = "greatest_range"

ROUNDS_OF_AIMING = Wanted("rounds", phrase("rounds-of-aiming"), least=1, most=100)
ROUNDS_OF_SWEEP = Wanted("rounds", phrase("sweep-rounds"), least=ROUNDS_FOR_5_FEET)
SIZE = Wanted("size", phrase("targets-size"), Want.CHOICE, tuple((key, in_words(key)) for key in SIZES))
WHAT = Wanted("what", phrase("stacking-protection"), Want.WORDS)


def _part(rule: ModifierRule, difficulty: int, label: str = "", *, struck: bool = False) -> tuple[Part, ...]:
    return (Part(rule.key, label or rule.label, rule.rule, difficulty=difficulty, struck=struck),)


def aimed(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """Lower difficulty for rounds of aiming, less so at a moving target (WL-MOD-3)."""
    rounds = number(figures, "rounds", least=1, most=100) if "rounds" in figures else 1
    steps = min(rounds, MOST_AIM_AT_MOVING if seen.moving else MOST_AIM)
    return _part(rule, -steps, phrases("aimed-for-round", rounds))


def point_blank(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """Easier within two metres, except for a sniper rifle (WL-MOD-8)."""
    if seen.weapon and "sniper" in seen.weapon.tags:
        return _part(rule, -2, phrase("not-for-sniper-rifle", label=rule.label), struck=True)
    return _part(rule, -2)


def sized(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """By the target’s size (WL-MOD-10)."""
    asked = str(figures.get("size", "")).strip().lower().replace(" ", "_")
    size = ALSO_SIZES.get(asked, asked)
    if size not in SIZES:
        raise bad_input(phrase("choose-target-size", sizes=separated([in_words(key) for key in SIZES], ", ")))
    return _part(rule, SIZES[size], phrase("targets-size-label", size=in_words(size)))


def dark(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """Harder in the dark, less so with keen senses (WL-MOD-11)."""
    return _part(rule, 1, phrase("dark-with-perception-5")) if seen.perception >= KEEN else _part(rule, 2)


def foggy(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """Harder in fog, less so at short distance, which includes close combat (WL-MOD-12)."""
    near = seen.band in (Band.POINT_BLANK, Band.CLOSE)
    return _part(rule, 1, phrase("foggy-at-point-blank")) if near else _part(rule, 3)


def under_water(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """Harder under water; weapons that don't work there are rejected earlier (WL-MOD-14)."""
    return _part(rule, _drag(seen.weapon, seen.base) if seen.weapon else 0)


def _drag(weapon: Weapon, base: int) -> int:
    if "underwater" in weapon.tags or not weapon.mode.close:
        return 0
    if weapon.mode is Mode.UNARMED or base <= KNIFE:
        return 1
    return 3 if "large" in weapon.tags or weapon.two_handed else 2


def swept(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """Covers an area without changing the pool (WL-AUTO-1)."""
    rounds = sweep_rounds(figures)
    return _part(rule, 0, phrase("sweep-of-feet-rounds", feet=5 * (rounds // ROUNDS_FOR_5_FEET), rounds=rounds))


def sweep_rounds(figures: Figures) -> int:
    """The rounds a sweep fires."""
    if "rounds" not in figures:
        return OF_AN_ASSAULT_RIFLE
    return number(figures, "rounds", least=ROUNDS_FOR_5_FEET, most=1000)
