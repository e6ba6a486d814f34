"""A chronicle's own powers: read from plain values, as forms, rows and files hold them, and written as these.

:func:`read_power` validates everything against the ruleset that is played and builds the :class:`Power` that the rules
use like any other. :func:`written` is its inverse; what it leaves out has the default.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, RuleViolation
from rules.model.conditions import Fallen, conditions
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.given import Given
from rules.model.options import BadOption
from rules.model.power_effects import AT_ONCE, POOLED, Does, Effect, Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Reach, Source, Test, Timing
from rules.model.sheet import Category
from rules.model.system import System
from rules.model.words import as_key

MOST_POWERS = 100
MOST_EFFECTS = 12
MOST_COSTS = 3
MOST_AMOUNT = 10
"""The most dice, dots, levels or steps of an effect, before it is multiplied."""

MOST_RATING = 10
MOST_POINTS = 20
MOST_TURNS = 50
MOST_HOURS = 24 * 30
MOST_TAGS = 10
LONGEST_NAME = 40
LONGEST_KEY = 40
LONGEST_RANGE = 5000

KEYS = frozenset(
    {
        *("label", "source", "trait", "entry", "rating", "kinds", "timing", "costs", "points", "roll", "reach"),
        *("lasts", "turns", "turns_per", "beyond", "hours", "frail", "notice", "spares_below", "effects"),
    }
)
"""All settings of a power."""

ROLL_KEYS = frozenset({"traits", "difficulty", "difficulty_of", "resist", "resist_difficulty"})

_MEASURED = frozenset({"amount", "per"})
SETTINGS: Mapping[Does, frozenset[str]] = {
    **dict.fromkeys(POOLED, _MEASURED | {"pools", "traits", "modes", "weapons", "damage"}),
    Does.TRAIT: _MEASURED | {"traits", "most"},
    Does.DAMAGE: frozenset({"damage", "modes", "weapons", "tags"}),
    Does.WEAPON: frozenset({"weapon"}),
    Does.ARMOR: frozenset({"armor"}),
    Does.CONDITION: _MEASURED | {"condition"},
    Does.CURE: frozenset({"condition"}),
    Does.HEAL: _MEASURED | {"damage"},
    Does.SOFTEN: _MEASURED | {"damage"},
    Does.EASE: _MEASURED | {"lifts"},
    Does.ACTIONS: _MEASURED,
    Does.FIRST: frozenset(),
    Does.SIGHT: _MEASURED | {"lifts"},
}
"""The settings that each effect has, apart from those that all have."""

ALL_HAVE = frozenset({"does", "on_target", "needs", "least"})

STRENGTHS = frozenset({Does.CONDITION, Does.SIGHT})
"""Effects whose amount is their strength against each other, usually none."""

WOUNDS = "wounds"
"""The key of the part that wounds take off a pool."""

USED = frozenset({Does.WEAPON, Does.ARMOR, Does.CONDITION, *AT_ONCE})
"""Effects that a power has only when it is used, so one that is always on can't have them."""

LESS = frozenset({Does.DICE, Does.DIFFICULTY, Does.TRAIT})
"""Effects whose amount may be negative."""

NUMBERS = {
    "damage": (0, 20),
    "initiative": (-10, 10),
    "again": (8, 11),
    "armor_piercing": (0, 10),
    "defense": (-10, 10),
}
COUNTS = {"rate": (1, 50), "clip": (1, 500), "size": (0, 10), "strength": (0, 10), "difficulty": (2, 10)}
SWITCHES = ("automatic", "two_handed", "aerodynamic")
TRAITS = ("damage_from", "attribute", "ability")
WEAPON_KEYS = frozenset({"name", "mode", "type", "range", "tags", *NUMBERS, *COUNTS, *SWITCHES, *TRAITS})
ARMOR_NUMBERS = {"rating": (0, 20), "penalty": (-10, 0), "defense": (-10, 10), "speed": (-10, 10)}
ARMOR_KEYS = frozenset({"name", "ballistic", *ARMOR_NUMBERS})

GONE = "gone"
"""The mark of a stored power that was removed. The settings don't include it."""

NO_SETTING = phrase("powers-have-no-such-setting")


def key_of(label: str, taken: Collection[str], prefix: str = "") -> str:
    """The key of a new power, from its name; raises for a name without a letter or digit."""
    begun = as_key(label)[: LONGEST_KEY - len(prefix)]
    if not begun:
        raise BadOption("label", phrase("name-needs-letter-or-digit"))
    numbered = (f"{prefix}{begun}{f'_{number}' if number > 1 else ''}" for number in range(1, len(taken) + 2))
    return next(each for each in numbered if each not in taken)


def has_difficulty(system: System) -> bool:
    """Whether rolls have a difficulty, not always the same."""
    return system.mechanic.lowest < system.mechanic.highest


def offered_effects(system: System) -> tuple[Does, ...]:
    """The effects that powers can have in a ruleset."""
    lacking = {
        Does.DIFFICULTY: not has_difficulty(system),
        # Where damage is rolled, its type is what somebody soaks.
        Does.SOFTEN: system.attack.damage is not None,
    }
    return tuple(each for each in SETTINGS if not lacking.get(each))


def bringable(system: System) -> tuple[str, ...]:
    """The conditions that a power may bring about or end: all but those that follow from harm."""
    return tuple(each.key for each in system.conditions if not each.fallen)


def circumstances(system: System) -> dict[str, str]:
    """What a power may let somebody see through, key and label: circumstances, conditions, and gunfire to dodge."""
    lifted = {key for power in system.powers for each in power.effects if each.does is Does.SIGHT for key in each.lifts}
    hindering = {each.key: each.label for each in system.conditions if each.pools is not None or each.key in lifted}
    forbidden = {"gunfire": phrase("gunfire")} if "gunfire" in system.cites else {}
    return {**hindering, **forbidden, **{key: rule.label for key, rule in system.modifiers.items()}}


# ------------------------------------------------------------------ reading


def read_powers(given: Mapping[str, Mapping[str, Any]], system: System) -> tuple[Power, ...]:
    """All of a chronicle's own powers, by their keys; raises as :func:`read_power`, with the key before the path."""
    found = []
    for key, each in given.items():
        try:
            found.append(read_power(key, each, system))
        except BadOption as bad:
            raise BadOption(f"{key}.{bad.key}", bad.message) from None
    check_powers(found, system)
    return tuple(found)


def check_powers(powers: Collection[Power], system: System) -> None:
    """Check all of a chronicle's own powers together, and against the ruleset's; raises for the "label"."""
    if len(powers) > MOST_POWERS:
        raise BadOption("label", phrase("chronicle-can-have-at-most-powers", most=MOST_POWERS))
    taken = {each.label.casefold() for each in system.powers}
    for each in powers:
        if each.label.casefold() in taken:
            raise BadOption("label", phrase("there-is-already-power-called", name=each.label))
        taken.add(each.label.casefold())


def read_power(key: str, given: Mapping[str, Any], system: System) -> Power:
    """The power that ``given`` describes.

    Raises :class:`rules.model.options.BadOption` with the path of the invalid setting ("effects.1.amount").
    """
    table = Given(given)
    table.only(KEYS, NO_SETTING)
    label = table.text("label", LONGEST_NAME)
    if not label:
        raise table.bad("label", phrase("enter-a-name"))
    timing = table.choice("timing", Timing, Timing.ACTION)
    lasts = table.choice("lasts", Lasts, Lasts.SCENE)
    power = Power(
        key,
        label,
        system.cites.get("powers", ""),
        table.choice("source", Source, Source.MERIT),
        (),
        timing=timing,
        costs=tuple(_cost(each, system) for each in table.tables("costs", MOST_COSTS)),
        points=table.number("points", 0, MOST_POINTS, 0),
        reach=table.choice("reach", Reach, Reach.SELF),
        lasts=lasts,
        turns=table.number("turns", 1, MOST_TURNS, 1),
        turns_per=table.choice("turns_per", Per, Per.ONCE),
        beyond=table.switch("beyond"),
        hours=table.number("hours", 0, MOST_HOURS, 0),
        frail=table.switch("frail"),
        spares_below=table.text("spares_below", LONGEST_KEY),
        notice=table.choice("notice", Notice, Notice.SEEN),
        **_whose(table, system),
    )
    if power.spares_below:
        _known_trait(table, "spares_below", power.spares_below, system)
    power = replace(power, test=_test(table, power, system))
    _check_use(table, power)
    rows = table.tables("effects", MOST_EFFECTS)
    if not rows:
        raise table.bad("effects", phrase("add-at-least-one-effect"))
    return replace(power, effects=tuple(_effect(each, power, system) for each in rows))


def _whose(table: Given, system: System) -> dict[str, Any]:
    trait, entry = table.text("trait", LONGEST_KEY), as_key(table.text("entry", LONGEST_NAME))
    if trait:
        _known_trait(table, "trait", trait, system)
        if entry:
            raise table.bad("entry", phrase("choose-trait-or-name-in-list"))
    if table.values.get("entry") and not entry:
        raise table.bad("entry", phrase("name-needs-letter-or-digit"))
    if entry and not any(each.read for each in system.layout.lists):
        raise table.bad("entry", phrase("sheets-have-no-list-that-rules-read"))
    kinds = frozenset(table.words("kinds"))
    if not kinds <= system.kinds.keys():
        raise table.bad("kinds", phrase("choose-one-of-rulesets-kinds"))
    return {"trait": trait, "entry": entry, "rating": table.number("rating", 1, MOST_RATING, 1), "kinds": kinds}


def _cost(table: Given, system: System) -> Cost:
    table.only({"resource", "amount"}, NO_SETTING)
    key = table.text("resource", LONGEST_KEY)
    resource = system.layout.resource(key)
    if resource is None:
        raise table.bad("resource", phrase("ruleset-has-no-points-called", name=key))
    return Cost(resource.key, table.number("amount", 1, MOST_POINTS, 1))


def _test(table: Given, power: Power, system: System) -> Test | None:
    roll = table.table("roll")
    if not roll.values:
        return None
    roll.only(ROLL_KEYS, NO_SETTING)
    traits = _pool(roll, "traits", system)
    if not traits:
        raise roll.bad("traits", phrase("choose-traits-that-are-rolled"))
    lowest, highest = system.mechanic.lowest, system.mechanic.highest
    for key in ("difficulty", "resist_difficulty", "difficulty_of"):
        if roll.values.get(key) not in (None, [], ()) and not has_difficulty(system):
            raise roll.bad(key, phrase("rolls-have-no-difficulty-in-ruleset"))
    for key in ("difficulty_of", "resist"):
        if roll.words(key) and power.reach is Reach.SELF:
            raise roll.bad(key, phrase("power-is-aimed-at-nobody"))
    return Test(
        traits,
        roll.number_or_none("difficulty", lowest, highest),
        _rated(roll, "difficulty_of", system),
        _pool(roll, "resist", system),
        roll.number_or_none("resist_difficulty", lowest, highest),
    )


def _pool(table: Given, key: str, system: System) -> tuple[str, ...]:
    """Traits that are rolled together."""
    traits = _rated(table, key, system)
    if not traits:
        return ()
    try:
        system.pools.check(traits, Referee())
    except RuleViolation as violation:
        raise table.bad(key, violation.message) from None
    return traits


def _rated(table: Given, key: str, system: System) -> tuple[str, ...]:
    """Traits of the sheet that have dots."""
    found = table.words(key)
    for each in found:
        _known_trait(table, key, each, system)
        if system.layout.trait(each).category is Category.FACT:
            raise table.bad(key, phrase("is-never-rolled", name=system.layout.trait(each).label))
    return found


def _known_trait(table: Given, key: str, trait: str, system: System) -> None:
    if all(each.key != trait for each in system.layout.traits()):
        raise table.bad(key, phrase("sheet-has-no-trait-called", name=trait))


def _check_use(table: Given, power: Power) -> None:
    """Check that timing, cost, duration and reach agree."""
    always = power.timing is Timing.ALWAYS
    if always and power.costs:
        raise table.bad("costs", phrase("always-on-power-costs-nothing"))
    if always and power.test:
        raise table.bad("roll", phrase("always-on-power-takes-no-roll"))
    if always and power.reach is not Reach.SELF:
        raise table.bad("reach", phrase("always-on-power-is-aimed-at-nobody"))
    if power.points and not power.costs:
        raise table.bad("points", phrase("choose-points-that-it-costs"))
    if power.lasts is Lasts.HOURS and not power.hours:
        raise table.bad("hours", phrase("enter-number-of-hours"))
    _check_factor(table, "turns_per", power.turns_per, power)


def _check_factor(table: Given, key: str, per: Per, power: Power) -> None:
    if per is Per.SUCCESSES and power.test is None:
        raise table.bad(key, phrase("power-takes-no-roll"))
    if per is Per.POINTS and not power.points:
        raise table.bad(key, phrase("power-has-no-variable-cost"))


def _effect(table: Given, power: Power, system: System) -> Effect:
    does = table.choice("does", Does)
    if does not in offered_effects(system):
        raise table.bad("does", phrase("ruleset-has-no-such-effect"))
    table.only(ALL_HAVE | SETTINGS[does], phrase("effect-has-no-such-setting"))
    if power.timing is Timing.ALWAYS and does in USED:
        raise table.bad("does", phrase("effect-needs-power-that-is-used"))
    if power.timing is not Timing.ALWAYS and power.lasts is Lasts.AT_ONCE and does not in AT_ONCE | {Does.CONDITION}:
        raise table.bad("does", phrase("effect-needs-duration"))
    on_target = table.switch("on_target")
    if on_target and power.reach is Reach.SELF:
        raise table.bad("on_target", phrase("power-is-aimed-at-nobody"))
    needs = table.number("needs", 0, MOST_AMOUNT, 0)
    if needs and power.test is None:
        raise table.bad("needs", phrase("power-takes-no-roll"))
    amount, per = _amount(table, does), table.choice("per", Per, Per.ONCE)
    _check_factor(table, "per", per, power)
    found = _READ[does](Effect(does, amount, per), table, system)
    return replace(found, on_target=on_target, needs=needs, least=table.number("least", 0, MOST_RATING, 0))


def _amount(table: Given, does: Does) -> int:
    if "amount" not in SETTINGS[does]:
        return 0
    if does in STRENGTHS:
        return table.number("amount", 0, MOST_AMOUNT, 0)
    amount = table.number("amount", -MOST_AMOUNT if does in LESS else 1, MOST_AMOUNT, 1)
    if not amount:
        raise table.bad("amount", phrase("enter-number-other-than-0"))
    return amount


def _pooled(effect: Effect, table: Given, system: System) -> Effect:
    pools = table.choices("pools", Pool)
    if not pools:
        raise table.bad("pools", phrase("choose-pools-that-it-changes"))
    traits = frozenset(_rated(table, "traits", system))
    modes, damage = table.choices("modes", Mode), table.choices("damage", Damage)
    return replace(effect, pools=pools, traits=traits, modes=modes, damage=damage, weapons=_tags(table, "weapons"))


def _raised(effect: Effect, table: Given, system: System) -> Effect:
    traits = frozenset(_rated(table, "traits", system))
    if not traits:
        raise table.bad("traits", phrase("choose-trait-that-it-changes"))
    return replace(effect, traits=traits, most=table.number("most", 0, 2 * MOST_RATING, 0))


def _wounds(effect: Effect, table: Given, system: System) -> Effect:
    damage = table.choices("damage", Damage)
    tags = _tags(table)
    if len(damage) > 1 or not (damage or tags):
        raise table.bad("damage", phrase("choose-one-type-of-damage"))
    return replace(
        effect, damage=damage, modes=table.choices("modes", Mode), tags=tags, weapons=_tags(table, "weapons")
    )


def _grown(effect: Effect, table: Given, system: System) -> Effect:
    inner = table.table("weapon")
    inner.only(WEAPON_KEYS, NO_SETTING)
    name, mode = _named(inner), inner.choice("mode", Mode, Mode.UNARMED)
    plain: dict[str, Any] = {
        **{key: inner.text(key, LONGEST_KEY) for key in TRAITS},
        **{key: inner.number(key, *limits, _standard(key)) for key, limits in NUMBERS.items()},
        **{key: inner.number_or_none(key, *limits) for key, limits in COUNTS.items()},
        **{key: inner.switch(key) for key in SWITCHES},
    }
    for key in TRAITS:
        if plain[key]:
            _known_trait(inner, key, plain[key], system)
    kind = inner.choice("type", Damage, system.usual_damage(name, mode))
    weapon = Weapon(name, mode, type=kind, range=_range(inner), tags=_tags(inner), **plain)
    return replace(effect, weapon=weapon)


def _range(table: Given) -> tuple[int, ...]:
    """One distance, or short, medium and long."""
    found = table.values.get("range", [])
    fits = isinstance(found, list | tuple) and len(found) in (0, 1, 3)
    if not fits or any(isinstance(each, bool) or not isinstance(each, int) for each in found):
        raise table.bad("range", phrase("enter-one-distance-or-three"))
    if any(not 1 <= each <= LONGEST_RANGE for each in found):
        raise table.bad("range", phrase("whole-number-from-to", least=1, most=LONGEST_RANGE))
    return tuple(found)


def _protected(effect: Effect, table: Given, system: System) -> Effect:
    inner = table.table("armor")
    inner.only(ARMOR_KEYS, NO_SETTING)
    plain: dict[str, Any] = {key: inner.number(key, *limits, 0) for key, limits in ARMOR_NUMBERS.items()}
    armor = Armor(_named(inner), ballistic=inner.number_or_none("ballistic", 0, 20), supernatural=True, **plain)
    if not armor.rating and not armor.ballistic:
        raise inner.bad("rating", phrase("enter-number-other-than-0"))
    return replace(effect, armor=armor)


def _of_condition(effect: Effect, table: Given, system: System) -> Effect:
    key = as_key(table.text("condition", LONGEST_NAME))
    if not key:
        raise table.bad("condition", phrase("choose-condition"))
    if any(each.key == key and each.fallen is not Fallen.NO for each in conditions()):
        raise table.bad("condition", phrase("condition-follows-from-harm"))
    return replace(effect, condition=key)


def _healed(effect: Effect, table: Given, system: System) -> Effect:
    return replace(effect, damage=table.choices("damage", Damage))


def _softened(effect: Effect, table: Given, system: System) -> Effect:
    damage = table.choices("damage", Damage) - {Damage.BASHING}
    if not damage:
        raise table.bad("damage", phrase("choose-lethal-or-aggravated"))
    return replace(effect, damage=damage)


def _eased(effect: Effect, table: Given, system: System) -> Effect:
    lifts = frozenset(table.words("lifts")) or frozenset({WOUNDS})
    if lifts != {WOUNDS}:
        raise table.bad("lifts", phrase("choose-penalty-of-wounds"))
    return replace(effect, lifts=lifts)


def _quickened(effect: Effect, table: Given, system: System) -> Effect:
    return effect


def _seen(effect: Effect, table: Given, system: System) -> Effect:
    lifts = frozenset(table.words("lifts"))
    if not lifts or not lifts <= circumstances(system).keys():
        raise table.bad("lifts", phrase("choose-circumstances-that-no-longer-hinder"))
    return replace(effect, lifts=lifts)


_READ = {
    **dict.fromkeys(POOLED, _pooled),
    Does.TRAIT: _raised,
    Does.DAMAGE: _wounds,
    Does.WEAPON: _grown,
    Does.ARMOR: _protected,
    Does.CONDITION: _of_condition,
    Does.CURE: _of_condition,
    Does.HEAL: _healed,
    Does.SOFTEN: _softened,
    Does.EASE: _eased,
    Does.ACTIONS: _quickened,
    Does.FIRST: _quickened,
    Does.SIGHT: _seen,
}


def _named(table: Given) -> str:
    name = table.text("name", LONGEST_NAME)
    if not name:
        raise table.bad("name", phrase("enter-a-name"))
    return name


def _tags(table: Given, key: str = "tags") -> frozenset[str]:
    """Tags as weapons have them: "cold iron" is the tag cold_iron."""
    tags = frozenset(tag for word in table.words(key) if (tag := as_key(word)))
    if len(tags) > MOST_TAGS or any(len(tag) > LONGEST_KEY for tag in tags):
        raise table.bad(key, phrase("choose-at-most", most=MOST_TAGS))
    return tags


def _standard(key: str) -> int:
    """A weapon's usual value of a number."""
    defaults: dict[str, Any] = {each.name: each.default for each in fields(Weapon)}
    return int(defaults[key])


# ------------------------------------------------------------------ writing


def written(power: Power) -> dict[str, Any]:
    """A power as plain values, without its key: what :func:`read_power` reads the same power from."""
    told: dict[str, Any] = {
        **_plain(power, "label", "source", "trait", "entry", "rating", "kinds", "timing"),
        "costs": [{"resource": each.resource, "amount": each.amount} for each in power.costs],
        **_plain(power, "points", "reach", "lasts", "turns", "turns_per", "beyond", "hours", "frail", "notice"),
        **_plain(power, "spares_below"),
        "effects": [_effect_written(each) for each in power.effects],
    }
    if power.test is not None:
        told["roll"] = _plain(power.test, *sorted(ROLL_KEYS))
    return {key: value for key, value in told.items() if value != []}


def _effect_written(effect: Effect) -> dict[str, Any]:
    told = {"does": effect.does.value, **_plain(effect, *sorted(SETTINGS[effect.does] - {"weapon", "armor"}))}
    if effect.weapon is not None:
        told["weapon"] = {**_plain(effect.weapon, *sorted(WEAPON_KEYS)), "type": effect.weapon.type.value}
    if effect.armor is not None:
        told["armor"] = _plain(effect.armor, *sorted(ARMOR_KEYS))
    return {**told, **_plain(effect, "on_target", "needs", "least")}


def _plain(value: Any, *names: str) -> dict[str, Any]:
    """Fields of a dataclass as plain values, without those that have their default."""
    defaults = {each.name: each.default for each in fields(value)}
    return {name: _plain_value(found) for name in names if (found := getattr(value, name)) != defaults[name]}


def _plain_value(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(str(each) for each in value)
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, str) else value


def copyable(system: System) -> tuple[Power, ...]:
    """The ruleset's own powers that a chronicle's own can begin with: all whose settings a form or file can hold."""
    return tuple(each for each in system.powers if _comes_back(each, system))


def _comes_back(power: Power, system: System) -> bool:
    if power.ceiling is not None or any(each.does not in SETTINGS for each in power.effects):
        return False
    try:
        again = read_power(power.key, written(power), system)
    except BadOption:
        return False
    return again == replace(power, label=again.label, rule=again.rule, setting="")


def without_gone(given: Mapping[str, Mapping[str, Any]], *, gone: bool | None = False) -> dict[str, dict[str, Any]]:
    """Stored powers without the mark of those that were removed: those in use, or removed, or (``None``) all."""
    return {
        key: {name: value for name, value in each.items() if name != GONE}
        for key, each in given.items()
        if gone is None or bool(each.get(GONE)) is gone
    }
