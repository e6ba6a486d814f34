"""Building blocks of a ruleset's powers: short names for their effects, and their house rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.phrases import phrase
from rules.model.entries import Listing
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.options import Option, switch
from rules.model.power_effects import Does, Effect, Per, Pool
from rules.model.powers import Power, Source

POWERS = "powers"
"""The house rule that switches all powers on; each has one of its own within it."""

CLOSE = frozenset({Mode.UNARMED, Mode.MELEE})
PHYSICAL = ("strength", "dexterity", "stamina")
SOCIAL = frozenset({"charisma", "manipulation", "appearance"})


def setting_of(key: str) -> str:
    """The house rule of a power."""
    return f"power_{key}"


def rulings(powers: Iterable[Power]) -> tuple[Power, ...]:
    """The powers, each under its house rule."""
    return tuple(replace(each, setting=setting_of(each.key)) for each in powers)


def power_options(powers: Iterable[Power], rule: str) -> tuple[Option, ...]:
    """The house rule for all powers, and one for each."""
    return (
        switch(
            POWERS, phrase("powers-in-fights"), rule, phrase("disciplines-gifts-and-merits-that-change"), begun=True
        ),
        *(replace(switch(each.setting, each.label, each.rule, default=True), within=POWERS) for each in powers),
    )


def gifts(kinds: frozenset[str], *powers: Power) -> tuple[Power, ...]:
    """Powers of creatures of these kinds, each for those whose lists of named entries include it."""
    return tuple(replace(each, kinds=kinds, entry=each.key) for each in powers)


LISTS = {Source.GIFT: "gifts", Source.MERIT: "merits"}
"""The list on sheets that names powers of this sort."""


def suggesting(lists: Iterable[Listing], powers: Iterable[Power]) -> tuple[Listing, ...]:
    """The lists of a sheet, each suggesting the names of the powers that are its entries too."""
    named = [(LISTS[each.source], each.label) for each in powers if each.entry]
    return tuple(
        replace(each, known=tuple(dict.fromkeys([*each.known, *(name for key, name in named if key == each.key)])))
        for each in lists
    )


ANY_TRAIT: frozenset[str] = frozenset()
ANY_MODE: frozenset[Mode] = frozenset()
ANY_DAMAGE: frozenset[Damage] = frozenset()


def dice(
    amount: int,
    *pools: Pool,
    per: Per = Per.ONCE,
    traits: frozenset[str] = ANY_TRAIT,
    modes: frozenset[Mode] = ANY_MODE,
    damage: frozenset[Damage] = ANY_DAMAGE,
) -> Effect:
    """Dice more, or fewer, in these pools."""
    return Effect(Does.DICE, amount, per, frozenset(pools), traits, modes, damage)


def successes(
    amount: int,
    *pools: Pool,
    per: Per = Per.ONCE,
    traits: frozenset[str] = ANY_TRAIT,
    modes: frozenset[Mode] = ANY_MODE,
    damage: frozenset[Damage] = ANY_DAMAGE,
) -> Effect:
    """Automatic successes in these pools."""
    return Effect(Does.SUCCESSES, amount, per, frozenset(pools), traits, modes, damage)


def difficulty(
    amount: int,
    *pools: Pool,
    per: Per = Per.ONCE,
    traits: frozenset[str] = ANY_TRAIT,
    modes: frozenset[Mode] = ANY_MODE,
    damage: frozenset[Damage] = ANY_DAMAGE,
) -> Effect:
    """A higher or lower difficulty of these pools."""
    return Effect(Does.DIFFICULTY, amount, per, frozenset(pools), traits, modes, damage)


def raises(amount: int, *traits: str, per: Per = Per.ONCE, most: int = 0) -> Effect:
    """More dots in a Trait, of which the user chooses if there are several."""
    return Effect(Does.TRAIT, amount, per, traits=frozenset(traits), most=most)


def wounds_as(damage: Damage, *modes: Mode, tags: Iterable[str] = ()) -> Effect:
    """Attacks in these modes do this type of damage."""
    return Effect(Does.DAMAGE, damage=frozenset({damage}), modes=frozenset(modes), tags=frozenset(tags))


def softens(amount: int, *damage: Damage, per: Per = Per.ONCE) -> Effect:
    """Points of these types that become the next milder type, of each hit."""
    return Effect(Does.SOFTEN, amount, per, damage=frozenset(damage))


def eases(amount: int, *penalties: str, per: Per = Per.ONCE) -> Effect:
    """Penalties, by the keys of their parts, that take fewer dice."""
    return Effect(Does.EASE, amount, per, lifts=frozenset(penalties))


def from_dots(least: int, effect: Effect) -> Effect:
    """The effect, for those with at least so many dots in the power."""
    return replace(effect, least=least)


def grows(weapon: Weapon) -> Effect:
    """A natural weapon."""
    return Effect(Does.WEAPON, weapon=weapon)


def protects(armor: Armor) -> Effect:
    """Protection in addition to worn armour."""
    return Effect(Does.ARMOR, armor=replace(armor, supernatural=True))


def brings(condition: str, amount: int = 0, per: Per = Per.ONCE, *, on_target: bool = False, needs: int = 0) -> Effect:
    """A condition as long as the power lasts, of a strength, if that many successes are rolled."""
    return Effect(Does.CONDITION, amount, per, condition=condition, on_target=on_target, needs=needs)


def heals(amount: int, *damage: Damage, per: Per = Per.ONCE) -> Effect:
    """Levels of these types that heal at once."""
    return Effect(Does.HEAL, amount, per, damage=frozenset(damage))


def acts(amount: int, per: Per = Per.ONCE) -> Effect:
    """Further actions in the turn."""
    return Effect(Does.ACTIONS, amount, per)


def goes_first() -> Effect:
    """The first place of the turn."""
    return Effect(Does.FIRST)


def sees_through(*lifts: str, amount: int = 0, per: Per = Per.ONCE) -> Effect:
    """Circumstances, by the keys of their parts, that no longer hinder, and conditions up to this strength."""
    return Effect(Does.SIGHT, amount, per, lifts=frozenset(lifts))


def only_with(effect: Effect, *tags: str) -> Effect:
    """The effect, for attacks of weapons with one of these tags."""
    return replace(effect, weapons=frozenset(tags))


def on_targets(effect: Effect) -> Effect:
    """The effect on the targets instead of the user."""
    return replace(effect, on_target=True)
