"""Improvised weapons, which break (CD-IMP-1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.attack import Attack
from rules.model.gear import Damage, Fault, Mode, Weapon
from rules.model.modifiers import Figures, ModifierRule, nothing, number
from rules.model.plan import Part
from rules.model.results import AttackResult
from rules.model.system import Game, Needs
from rules.strike.facets import Facet, Strike, picked
from rules.systems.shared.losing import told_apart
from rules.systems.storytelling.cover import DURABILITIES
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import WeaponChanged, WeaponGained

IMPROVISED = "improvised"
"""The improvised-weapon circumstance, and the tag of weapons that are always improvised."""

DICE = -1
MOST = 20
FIGURES = ("durability", "structure", "size")


_MADE_OF = (
    Wanted("durability", phrase("durability-label"), most=MOST, chart=DURABILITIES),
    Wanted("size", phrase("size"), most=MOST, help=phrase("1-fits-in-hand-2-in-arm")),
    Wanted("structure", phrase("structure"), least=1, most=MOST, help=phrase("if-empty-durability-plus-size")),
)


def improvised_modifier(rule: str) -> ModifierRule:
    """A thing unlike any listed weapon; its form is used to grab things during the fight."""
    return ModifierRule(
        IMPROVISED,
        phrase("improvised-weapon"),
        rule,
        nothing,
        wanted=_MADE_OF,
        offered=False,
    )


def thing(weapon: Weapon, figures: Figures) -> Weapon:
    """The thing as a weapon: its bonus from Durability, its required Strength from Size.

    Structure defaults to Durability + Size. Raises "input" if hardness or size is missing.
    """
    durability, structure, size = (_figure(weapon, figures, name) for name in FIGURES)
    if durability is None or size is None:
        raise bad_input(phrase("enter-durability-and-size-of", weapon=weapon.name))
    return replace(
        weapon,
        damage=durability - 1,
        type=Damage.LETHAL if weapon.type is Damage.BASHING else weapon.type,
        strength=size,
        initiative=-size,
        durability=durability,
        size=size,
        structure=durability + size if structure is None else structure,
    )


def _figure(weapon: Weapon, figures: Figures, name: str) -> int | None:
    if name in figures:
        return number(figures, name, least=0, most=MOST)
    own: int | None = getattr(weapon, name)
    return own


@dataclass(frozen=True, slots=True)
class Improvised(Facet):
    """One die fewer, a bonus from Durability, and the damage it does also damages it."""

    rule: str

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        figures = picked(command, game.system.circumstances).get(IMPROVISED)
        return thing(weapon, figures or {}) if figures is not None or IMPROVISED in weapon.tags else weapon

    def _is_one(self, strike: Strike) -> bool:
        return IMPROVISED in strike.picked or IMPROVISED in strike.weapon.tags

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return (Part(IMPROVISED, phrase("improvised-weapon"), self.rule, dice=DICE),) if self._is_one(strike) else ()

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        if result.done is None or not self._is_one(strike):
            return ()
        by, weapon = strike.command.by, strike.weapon
        own = next((each for each in game.combatant(by).sheet.weapons if _same(each, weapon)), None)
        worn = max(0, result.done.dealt - (weapon.durability or 0))
        if own is None or not worn:
            return ()
        left = max(0, (weapon.structure or 0) - worn)
        fault = own.fault if left else Fault.BROKEN
        now = replace(own, durability=weapon.durability, size=weapon.size, structure=left, fault=fault)
        return (WeaponChanged(by, now),)


def _same(one: Weapon, other: Weapon) -> bool:
    return (one.key, one.name) == (other.key, other.name)


@dataclass(frozen=True, slots=True)
class Grab(AlwaysPossible):
    """Grab something as a weapon; takes the turn's action, as drawing does."""

    rule: str
    label: str = phrase("grab-improvised-weapon")
    needs: ClassVar[Needs] = Needs(
        figures=(
            Wanted("name", phrase("what"), Want.WORDS, needed=True, help=phrase("chair-bottle-brick")),
            *(replace(figure, needed=figure.key != "structure") for figure in _MADE_OF),
        ),
    )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        name, figures = str(command.figures["name"]).strip()[:60], command.figures
        if not name:
            raise bad_input(phrase("name-the-object"))
        held = game.combatant(command.by).sheet.weapons
        bare = Weapon(name, Mode.MELEE, tags=frozenset({IMPROVISED}), key=told_apart(name, held), form="bashing")
        made = thing(bare, {key: value for key, value in figures.items() if key in FIGURES})
        weapon = replace(made, damage=max(0, made.damage))
        return (WeaponGained(command.by, weapon), effects.action(game, command.by, command.key))
