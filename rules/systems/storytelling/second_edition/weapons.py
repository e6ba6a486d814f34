"""Guns at close quarters, guns as clubs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.attack import Attack
from rules.model.gear import Damage, Mode, Weapon, loaded, titled
from rules.model.modifiers import ModifierRule, nothing
from rules.model.plan import Part
from rules.model.system import Game
from rules.strike.facets import Facet, Strike, picked

BLUDGEON = "bludgeon"
PISTOL = 1
"""The largest Size of a pistol."""


@dataclass(frozen=True, slots=True)
class GunAtHand(Facet):
    """A gun at close quarters (CD-GUN-11): Defense rises by its Size less one; guns larger than a pistol can club."""

    rule: str

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        if BLUDGEON not in picked(command, game.system.circumstances):
            return weapon
        if weapon.mode is not Mode.FIREARM:
            raise bad_input(phrase("isnt-a-gun", weapon=titled(weapon.name)))
        if not clubs(weapon):
            game.referee.forbid(self.rule, phrase("is-too-small-to-use-as-club", weapon=titled(weapon.name)))
        return crowbar(weapon)

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        size = strike.weapon.size or PISTOL
        if strike.weapon.mode is not Mode.FIREARM or size <= PISTOL:
            return ()
        label = phrase("of-size-at-close-quarters", weapon=titled(strike.weapon.name), size=size)
        return (Part("defense:gun", label, self.rule, dice=PISTOL - size),)


def clubs(weapon: Weapon) -> bool:
    """Whether a gun can be used as a club: one larger than a pistol."""
    return weapon.mode is Mode.FIREARM and (weapon.size or PISTOL) > PISTOL


def crowbar(gun: Weapon) -> Weapon:
    """A gun as a club: a crowbar's values under its own name."""
    return replace(
        gun,
        mode=Mode.MELEE,
        damage=2,
        type=Damage.LETHAL,
        form="bashing",
        range=(),
        clip=None,
        rounds=None,
        automatic=False,
        strength=2,
        again=10,
        attribute="",
        ability="",
        armor_piercing=0,
        tags=frozenset(),
    )


def check_rounds(weapon: Weapon, rounds: int, rule: str, referee: Referee) -> None:
    """Forbid attacks that need more rounds than the weapon holds (CD-GUN-12)."""
    magazine = loaded(weapon)
    if magazine is not None and magazine < rounds:
        message = phrase(
            "has-of-rounds-this-takes",
            weapon=titled(weapon.name),
            magazine=magazine,
            rounds=rounds,
        )
        referee.forbid(rule, message)


def club_modifier(cites: Mapping[str, str]) -> ModifierRule:
    """Using a gun as a club."""
    modes = frozenset({Mode.FIREARM, Mode.MELEE})
    return ModifierRule(BLUDGEON, phrase("used-as-club"), cites["close_quarters"], nothing, modes=modes, fits=clubs)
