"""Powers in words: what they cost, what they do and how long they last, made from their values alone."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from rules.engine.phrases import listed, phrase, phrases, separated
from rules.model.gear import Damage, Mode
from rules.model.power_effects import Does, Effect, InEffect, Lasts, Per, Pool
from rules.model.powers import Power, Source, Timing
from rules.model.system import System
from rules.model.words import WORDS, in_words

SOURCES = {
    Source.DISCIPLINE: phrase("disciplines"),
    Source.GIFT: phrase("gifts"),
    Source.MERIT: phrase("merits"),
    Source.SPELL: phrase("spells"),
    Source.ITEM: phrase("items"),
    Source.NATURE: phrase("by-nature"),
}
"""The headings under which powers are listed."""

TIMINGS = {
    Timing.ACTION: phrase("takes-an-action"),
    Timing.REFLEXIVE: phrase("without-an-action"),
    Timing.FIRST: phrase("before-anybody-acts"),
    Timing.ALWAYS: phrase("always-on"),
}

POOLS = {
    Pool.ATTACK: phrase("to-attack"),
    Pool.DAMAGE: phrase("for-damage"),
    Pool.SOAK: phrase("to-soak"),
    Pool.DEFENCE: phrase("to-defend"),
    Pool.ROLL: phrase("for-rolls"),
    Pool.INITIATIVE: phrase("for-initiative"),
    Pool.AGAINST: phrase("for-attacks-against-them"),
}


def cost_of(power: Power, system: System, spent: int = 0) -> str:
    """What a power costs: "2 blood, 1 Willpower", "1 to 5 blood"; "" if nothing. ``spent`` are the points chosen."""

    def points(resource: str, amount: int) -> str:
        found = system.layout.resource(resource)
        label = WORDS.get(resource) or (found.label if found else in_words(resource))
        if power.points > 1 and not spent:
            return phrase("points-from-to", least=amount, most=amount * power.points, points=label)
        return phrase("amount-of-points", amount=amount * max(1, spent), points=label)

    costs = [points(each.resource, each.amount) for each in power.costs]
    return separated(costs, ", ") if costs else ""


def roll_of(power: Power, system: System) -> str:
    """The roll that a power takes: "Charisma + Leadership, resisted by Wits"; "" if none."""
    if power.test is None:
        return ""
    roll = _traits(power.test.traits, system)
    if power.test.resist:
        return phrase("roll-resisted-by", roll=roll, resist=_traits(power.test.resist, system))
    if power.test.difficulty_of:
        return phrase("roll-against-difficulty-of", roll=roll, traits=_traits(power.test.difficulty_of, system))
    if power.test.difficulty is not None:
        return phrase("roll-at-difficulty", roll=roll, difficulty=power.test.difficulty)
    return roll


def _traits(keys: Iterable[str], system: System) -> str:
    return separated([system.layout.trait(key).label for key in keys], " + ")


def duration_of(power: Power) -> str:
    """How long a power lasts; "" for one that is over at once or always on."""
    if power.timing is Timing.ALWAYS or power.lasts is Lasts.AT_ONCE:
        return ""
    if power.lasts is Lasts.TURN:
        turns = _TURNS.get(power.turns_per) or phrases("for-turns", power.turns)
        return phrase("turns-and-this-one", turns=turns) if power.beyond else turns
    if power.lasts is Lasts.HOURS:
        return phrases("for-hours", power.hours)
    return _FOR[power.lasts]


_FOR = {
    Lasts.SCENE: phrase("for-scene"),
    Lasts.ATTACK: phrase("for-next-attack"),
    Lasts.ACTION: phrase("until-next-action"),
}
_TURNS = {
    Per.RATING: phrase("turn-for-each-dot"),
    Per.SUCCESSES: phrase("turn-for-each-success"),
    Per.POINTS: phrase("turn-for-each-point"),
}


def end_of(one: InEffect, turn: int) -> str:
    """When a power in effect ends, as seen in a turn."""
    if one.lasts is Lasts.TURN:
        left = one.until - turn + 1
        return phrase("this-turn") if left <= 1 else phrases("turns-left", left)
    if one.lasts is Lasts.HOURS:
        return phrases("for-hours", one.hours)
    return _UNTIL[one.lasts]


_UNTIL = {
    Lasts.SCENE: phrase("scene"),
    Lasts.ATTACK: phrase("next-attack"),
    Lasts.ACTION: phrase("next-action"),
}


def effects_of(power: Power, system: System) -> tuple[str, ...]:
    """Each effect of a power in words: "+2 dice for damage (close combat)"."""
    return tuple(effect_in_words(each, system) for each in power.effects)


def effect_in_words(effect: Effect, system: System) -> str:
    """An effect in words."""
    words = _WORDS[effect.does](effect, system)
    if effect.least:
        words = phrases("effect-from-dots", effect.least, effect=words)
    if effect.needs:
        words = phrases("effect-needs-successes", effect.needs, effect=words)
    return phrase("target-effect", effect=words) if effect.on_target else words


def _amount(effect: Effect) -> str:
    """An amount with its sign, and what multiplies it: "+2", "+1 per dot"."""
    sign = "+" if effect.amount >= 0 else "\N{MINUS SIGN}"
    number = f"{sign}{abs(effect.amount)}"
    if effect.per is Per.ONCE:
        return number
    by = {
        Per.RATING: phrase("amount-per-dot", amount=number),
        Per.SUCCESSES: phrase("amount-per-success", amount=number),
        Per.POINTS: phrase("amount-per-point", amount=number),
    }
    return by[effect.per]


def _pooled(effect: Effect, system: System) -> str:
    what = {
        Does.DICE: phrase("effect-dice", amount=_amount(effect), pools=_pools(effect)),
        Does.SUCCESSES: phrase("effect-successes", amount=_amount(effect), pools=_pools(effect)),
        Does.DIFFICULTY: phrase("effect-difficulty", amount=_amount(effect), pools=_pools(effect)),
    }[effect.does]
    limits = [
        *_labels(sorted(effect.traits), system),
        *(in_words(mode.value) for mode in Mode if mode in effect.modes),
        *(in_words(damage.value) for damage in Damage if damage in effect.damage),
        *(in_words(tag) for tag in sorted(effect.weapons)),
    ]
    return phrase("effect-limited", effect=what, limits=separated(limits, ", ")) if limits else what


def _pools(effect: Effect) -> str:
    return listed([POOLS[pool] for pool in Pool if pool in effect.pools])


def _labels(traits: Iterable[str], system: System) -> list[str]:
    derived = {each.key: each.label for each in system.derived}
    return [derived.get(key) or system.layout.trait(key).label for key in traits]


def _trait(effect: Effect, system: System) -> str:
    named = _labels(sorted(effect.traits), system)
    label = named[0] if len(named) == 1 else phrase("one-of", named=separated(named, ", "))
    said = phrase("effect-trait", amount=_amount(effect), trait=label)
    return phrase("effect-at-most", effect=said, most=effect.most) if effect.most else said


def _damage(effect: Effect, system: System) -> str:
    modes = [in_words(mode.value) for mode in Mode if mode in effect.modes] or [phrase("all-attacks")]
    kinds = [in_words(each) for each in (*sorted(effect.damage, key=attrgetter("severity")), *sorted(effect.tags))]
    return phrase("effect-damage", attacks=separated(modes, ", "), damage=separated(kinds, ", "))


def _weapon(effect: Effect, system: System) -> str:
    assert effect.weapon is not None
    weapon = effect.weapon
    rating = f"+{weapon.damage}" if weapon.damage >= 0 else str(weapon.damage)
    return phrase("effect-weapon", weapon=weapon.name, rating=rating, damage=in_words(weapon.type.value))


def _armor(effect: Effect, system: System) -> str:
    assert effect.armor is not None
    return phrase("effect-armour", rating=effect.armor.rating)


def _condition(effect: Effect, system: System) -> str:
    return system.conditions[effect.condition].label


def _cure(effect: Effect, system: System) -> str:
    return phrase("effect-cure", condition=system.conditions[effect.condition].label)


def _heal(effect: Effect, system: System) -> str:
    healed = effect.damage or {Damage.BASHING}
    types = separated([in_words(each.value) for each in Damage if each in healed], ", ")
    return phrase("effect-heal", amount=_amount(effect), damage=types)


def _soften(effect: Effect, system: System) -> str:
    types = separated([in_words(each.value) for each in Damage if each in effect.damage], ", ")
    return phrase("effect-soften", amount=_amount(effect), damage=types)


def _ease(effect: Effect, system: System) -> str:
    return phrase("effect-ease", amount=_amount(effect), penalties=_hindrances(effect, system))


def _first(effect: Effect, system: System) -> str:
    return phrase("effect-first")


def _actions(effect: Effect, system: System) -> str:
    return phrase("effect-actions", amount=_amount(effect))


def _sight(effect: Effect, system: System) -> str:
    return phrase("effect-sight", lifted=_hindrances(effect, system))


def _hindrances(effect: Effect, system: System) -> str:
    """What an effect lifts or eases: circumstances, conditions, and parts of pools."""
    known = {key: each.label for key, each in system.circumstances.rules.items()} | _PARTS
    return separated([known.get(key) or system.conditions[key].label for key in sorted(effect.lifts)], ", ")


_PARTS = {"wounds": phrase("wounds"), "gunfire": phrase("gunfire")}
"""Hindrances that are neither circumstances nor conditions."""


_WORDS = {
    Does.DICE: _pooled,
    Does.SUCCESSES: _pooled,
    Does.DIFFICULTY: _pooled,
    Does.TRAIT: _trait,
    Does.DAMAGE: _damage,
    Does.WEAPON: _weapon,
    Does.ARMOR: _armor,
    Does.CONDITION: _condition,
    Does.CURE: _cure,
    Does.HEAL: _heal,
    Does.SOFTEN: _soften,
    Does.EASE: _ease,
    Does.FIRST: _first,
    Does.ACTIONS: _actions,
    Does.SIGHT: _sight,
}
